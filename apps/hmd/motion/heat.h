/* heat.h - heating and equilibration: steps in which velocities are set to a temperature.
 *
 * CHARMM's IHTFRQ and IEQFRQ (dynamc.doc).  Heating raises the temperature by a constant amount
 * every so many steps until it is `last`.  Equilibration sets it to `last` every so many steps,
 * optionally only if its average since the last such step has left a window.  Both either draw new
 * velocities, or scale all of them by one factor.  The factor is for the average temperature since
 * the last change, as in CHARMM, since that of a single step fluctuates.  Steps are counted through
 * restarts.  Nothing is done in the last step of a run: the run that continues from its restart
 * file does it.
 */
#pragma once

/* CHARMM's FIRSTT, FINALT, TEMINC, IHTFRQ, IEQFRQ, IASORS, ICHECW, TWINDL, TWINDH. */
struct heat {
    long rise_every, keep_every; /* steps; 0: never */
    double first, last, rise;    /* K; negative rise: cooling */
    int assign;                  /* draw new velocities; else scale */
    int window;                  /* equilibration ignores temperatures within the window: */
    double low, high;            /* K, relative to `last` */
    double seen[2];              /* since the last change: sum of temperatures (K), and steps */
    double mean;                 /* their average in the last heat_wanted() */
};

/* Must be called after each step (from 1) with its temperature.  Returns the temperature to set;
 * negative: nothing to do. */
double heat_wanted(struct heat *h, long step, double now);
