/* monitor.h - compares operations that follow one decision with their prediction and their past. A
 * state machine without clock and messages.
 *
 * A window is a number of operations, counted when they begin, which is in the same order at all
 * members. Each member records how long each operation took, and reports one value a window.
 * Usually that is the minimum, since disturbances only add time. When plans are compared (FIRST,
 * TRIAL), it is the lower quartile of the last times. For operations so long that a busy machine
 * matters little, it is the median of the last times: there variation comes from the plan itself,
 * for example from packets dropped by full queues. The time of the window is the maximum over all
 * members; all get it, so all continue alike. (Nonblocking operations may end in a later window
 * than they began, or in none. Then they count there, or not at all.)
 *
 * FIRST: one window, of which the last operations count, as many as in a trial. Is the prediction
 * right? If it is far off, the network may differ from its file. If the network has not changed,
 * the model misjudges the cost of messages, and the best plans with fewer or more messages are
 * tried. If the prediction is right, plans with nearly the same prediction are tried, since the
 * model may be inaccurate there.
 *
 * TRIAL: one window for each plan; then the fastest is followed. Unless operations are brief, the
 * first window is short, and a plan that is clearly slower gets no second one: the trials must cost
 * little even when none finds anything. Before a switch for a few percent, the first plan is
 * measured again, since it may have been disturbed: the prediction counts more than a single
 * window.
 *
 * ON: a window that takes twice as long as before and as predicted means that the network has
 * changed.
 *
 * If the root does not wait for the others, a member that is late finds the data already there. Its
 * operation then takes a small part of the prediction, and is compared only with others like it.
 *
 * Sources: comparing measured with predicted times and planning again, Bhat (sections 6.2, 6.3);
 * trying the best candidates at run time, Faraj, Yuan and Lowenthal 2006.
 */
#pragma once

#include "select/auto.h"

enum { MONITOR_LAST = 16 }; /* number of times kept, for the quartile or the median */
enum monitor_phase { MONITOR_OFF, MONITOR_FIRST, MONITOR_TRIAL, MONITOR_ON };

struct trial {
    struct choice choice;
    hn_time makespan; /* predicted */
    int64_t took;     /* nanoseconds */
};

struct monitor {
    enum monitor_phase phase;
    int need;                   /* operations in a window */
    int trial;                  /* the same during trials, */
    bool look;                  /* in the first, short window of a plan */
    int patience;               /* factor by which windows are longer, after false alarms */
    int seen;                   /* operations begun in this window */
    int noted;                  /* operations ended in it: */
    int64_t least;              /* shortest of their times in nanoseconds; 0: none has ended */
    int64_t last[MONITOR_LAST]; /* and the last times, unordered */
    int64_t usual;              /* normal time of a window */
    bool checked; /* the network was measured: it does not explain a wrong prediction */
    struct trial trials[CANDIDATES + 1];
    int count, at; /* number of trials; the current one */
    bool again;    /* others follow after them */
    bool uneven;   /* members begin the next operation at different times */
};

/* Starts again. agreement: predicted time of an agreement; makespan: of an operation. Windows are
 * so long that agreements take a fiftieth of the time. */
void monitor_begin(struct monitor *monitor, hn_time agreement, hn_time makespan);
/* Sets these times as measured, in nanoseconds; agreement 0: unknown. */
void monitor_pace(struct monitor *monitor, int64_t agreement, int64_t operation);
/* Members have just made a plan, so the time of the next operation is not recorded: a member that
 * planned longer sees only its end. */
void monitor_planned(struct monitor *monitor);
/* There are new candidates: those not tried yet are tried against the plan in use. */
void monitor_again(struct monitor *monitor);
/* Counts an operation that begins. true: it is the last one of its window, and members agree after
 * it. */
bool monitor_count(struct monitor *monitor);
/* Records the time of an operation at this member. */
void monitor_note(struct monitor *monitor, int64_t nanoseconds);
/* The time that this member reports for the window; 0: no operation has ended. */
int64_t monitor_time(const struct monitor *monitor);

enum verdict { VERDICT_KEEP, VERDICT_SWITCH, VERDICT_DRIFT };
/* Handles the agreed time of a window. VERDICT_SWITCH: *choice, taken from the shortlist, has
 * changed; may_try: this is allowed. */
enum verdict monitor_agreed(struct monitor *monitor, int64_t nanoseconds,
                            const struct shortlist *shortlist, bool may_try, struct choice *choice);
/* After VERDICT_DRIFT, if the network has not changed: makes this time the normal one and raises
 * `patience`. */
void monitor_calm(struct monitor *monitor, int64_t nanoseconds);
