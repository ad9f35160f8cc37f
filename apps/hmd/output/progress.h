/* progress.h - the line on stderr that says how far a run is: step, speed, time left, temperature.
 *
 * On a terminal, ours or hrun's (HNOW_TERMINAL), it is written over and over in its place, each
 * time with a carriage return behind it, for which hrun lets others write in between, and never
 * longer than the terminal is wide: where it does not fit, the energy is left out, then words.
 * Elsewhere, where it is asked for, it is a line of its own once a second.
 */
#pragma once

#include <stddef.h>

struct progress {
    int on, terminal;
    double start, last; /* seconds: of the first step, of the last line */
    size_t length;      /* of the line that is on the terminal */
    size_t remote;      /* columns of hrun's terminal, where stderr comes out; 0: of none */
};

/* Contents of the line. */
struct progress_now {
    long step, done, steps; /* number of the step; how many of how many are done */
    double ns_per_day, left, temperature, energy; /* left: seconds */
};

/* asked: also where stderr is no terminal. */
void progress_open(struct progress *p, int asked);
/* Writes the line when it is time for a new one. */
void progress_show(struct progress *p, const struct progress_now *now);
/* Takes the line off the terminal, before something else is printed. */
void progress_clear(struct progress *p);
/* The line for a terminal of so many columns, at most room - 1 characters; its length. */
size_t progress_line(const struct progress_now *now, size_t columns, char *out, size_t room);
