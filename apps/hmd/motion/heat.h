/* heat.h - heating and equilibrating: at which steps velocities are brought to which temperature.
 *
 * CHARMM's IHTFRQ and IEQFRQ (dynamc.doc).  Heating raises the temperature by the same amount every
 * so many steps until it is `last`, then does nothing more; equilibration brings it to `last` every
 * so many steps, if it wishes only where it has left a window.  Either scales all velocities, or
 * draws new ones.  Nothing is done at the last step of a run: its restart file continues from
 * there.
 */
#pragma once

struct heat {
    long rise_every, keep_every; /* steps; 0: never */
    double first, last, rise;    /* K; rise may be below 0: cooling */
    int assign;                  /* velocities are drawn anew; else scaled */
    int window;                  /* keeping leaves alone what is within: */
    double low, high;            /* K, relative to `last` */
};

/* The temperature to be had from a step on, counted from the beginning of the run (from 1), where
 * it is `now`; negative: there is nothing to do. */
double heat_wanted(const struct heat *h, long step, double now);
