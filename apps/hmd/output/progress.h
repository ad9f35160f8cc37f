/* progress.h - the progress line on stderr: step, speed, time left, temperature.
 *
 * On a terminal, this process's or hrun's (HNOW_TERMINAL), the line is overwritten in place. It
 * ends with a carriage return, after which hrun lets others write, and is never wider than the
 * terminal: if it does not fit, the energy is omitted, then words. Otherwise, if requested, it is a
 * separate line once per second.
 */
#pragma once

#include <stddef.h>

struct progress {
    int on, terminal;
    double start, last; /* seconds: begin of the first step, time of the last line */
    size_t length;      /* of the line currently on the terminal */
    size_t remote;      /* columns of hrun's terminal that shows stderr; 0: none */
};

/* Contents of the line. */
struct progress_now {
    long step, done, steps; /* number of the step; done of steps are complete */
    double ns_per_day, left, temperature, energy; /* left: seconds */
};

/* asked: also if stderr is no terminal. */
void progress_open(struct progress *p, int asked);
/* Writes the line if a new one is due. */
void progress_show(struct progress *p, const struct progress_now *now);
/* Removes the line from the terminal, before other output. */
void progress_clear(struct progress *p);
/* Formats the line for a terminal of so many columns, at most room - 1 characters. Returns its
 * length. */
size_t progress_line(const struct progress_now *now, size_t columns, char *out, size_t room);
