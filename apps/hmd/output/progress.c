/* progress.c - see progress.h. */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "timers.h"

static const double PROGRESS_TERMINAL = 0.2, PROGRESS_ELSEWHERE = 1; /* seconds between lines */
/* PROGRESS_ROOM is longer than any form of the line. */
enum { PROGRESS_COLUMNS = 80, PROGRESS_COVERED = 77, PROGRESS_ROOM = 256 };

/* Columns of hrun's terminal, to which tasks write through a pipe; 0: none. Standard output gets
 * there by another pipe, so a report may arrive before the line is cleared: the report's first
 * line, of 76 columns, must be long enough to cover it. */
static size_t progress_remote(void)
{
    const char *text = isatty(STDERR_FILENO) ? NULL : getenv("HNOW_TERMINAL");
    long columns = text ? strtol(text, NULL, 10) : 0;
    return columns < 2 ? 0 : columns < PROGRESS_COVERED ? (size_t)columns : PROGRESS_COVERED;
}

void progress_open(struct progress *p, int asked)
{
    *p = (struct progress){.remote = progress_remote(), .start = timers_now()};
    p->terminal = p->remote || isatty(STDERR_FILENO);
    p->on = p->terminal || asked;
}

/* Asked each time: the user may resize the terminal. */
static size_t progress_columns(const struct progress *p)
{
    struct winsize w;
    if (p->remote)
        return p->remote;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col > 1 ? w.ws_col : PROGRESS_COLUMNS;
}

/* Three forms, each shorter than the one before; the last one is cut. Returns its length, less than
 * columns, so that the line never wraps. */
size_t progress_line(const struct progress_now *now, size_t columns, char *out, size_t room)
{
    long last = now->step - now->done + now->steps, left = (long)(now->left + 0.5);
    char clock[32];
    snprintf(clock, sizeof clock, left < 3600 ? "%ld:%02ld" : "%ld h %02ld",
             left < 3600 ? left / 60 : left / 3600, left < 3600 ? left % 60 : left / 60 % 60);
    size_t most = columns - 1 < room - 1 ? columns - 1 : room - 1, n = 0;
    for (int form = 0; form < 3; form++) {
        if (form < 2)
            n = (size_t)snprintf(out, room,
                                 "step %ld of %ld (%2.0f%%)  %.2f ns/day  %s left  T %.1f K",
                                 now->step, last, 100.0 * (double)now->done / (double)now->steps,
                                 now->ns_per_day, clock, now->temperature);
        else
            n = (size_t)snprintf(out, room, "%ld/%ld %.2f ns/day %s left %.1f K", now->step, last,
                                 now->ns_per_day, clock, now->temperature);
        if (form == 0 && n < room)
            n += (size_t)snprintf(out + n, room - n, "  E %.2f kcal/mol", now->energy);
        if (n <= most)
            return n;
    }
    out[most] = 0;
    return most;
}

/* Blanks overwrite the rest of a longer line. On a terminal the line ends with a carriage return;
 * elsewhere, and at the end, with a new line. */
void progress_show(struct progress *p, const struct progress_now *now)
{
    char line[PROGRESS_ROOM];
    double time = timers_now();
    int end = now->done == now->steps;
    if (!p->on || now->done == 0 ||
        (!end && time - p->last < (p->terminal ? PROGRESS_TERMINAL : PROGRESS_ELSEWHERE)))
        return;
    p->last = time;
    size_t n =
        progress_line(now, p->terminal ? progress_columns(p) : sizeof line, line, sizeof line);
    /* Blanks for what the last line had more. */
    int rest = p->terminal && p->length > n ? (int)(p->length - n) : 0;
    fprintf(stderr, "%s%*s%s", line, rest, "", !p->terminal || end ? "\n" : "\r");
    p->length = end ? 0 : n;
}

/* Overwrites it with blanks, and returns to the start of the line. Nothing is written if no line is
 * there. */
void progress_clear(struct progress *p)
{
    if (p->terminal && p->length)
        fprintf(stderr, "%*s\r", (int)p->length, "");
    p->length = 0;
}
