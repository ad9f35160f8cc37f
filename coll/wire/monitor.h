/* monitor.h - operations that follow one decision, measured against what was predicted and against
 * what they took before; a state machine that knows no clock and no message.
 *
 * A window is some operations, counted when they begin, which all members do in the same order; of
 * each, every member notes how long it took.  What it reports is the least of the
 * window: what disturbs only adds; where plans are compared (FIRST, TRIAL), what a quarter of the
 * last ones stays below.  Of operations that take so long that a busy machine matters little, it is
 * the middle one of the last: there, times that vary are the plan's own (packets that full queues
 * drop).  The largest of what the members tell is the window's time: all get it, so all continue
 * alike.  (Nonblocking operations may end in a later window than that of their beginning, or in
 * none: then they count there, or not.)
 *
 * FIRST: one window, whose last operations count, as many as a trial has.  Is the prediction right?
 * Where it is far from it, the network may not be that of the file any more.  Where that is not so,
 * the model has mistaken the cost of messages, and the best plans with fewer or more of them are
 * tried.  Where it is right, those are tried that are predicted to be nearly as good: the model may
 * have mistaken them.
 *
 * TRIAL: a window for each; then the one that was quickest is followed. Where operations are not
 * brief, the first window is short, and who takes clearly longer has no second one: what all trials
 * cost should be little also when none of them finds anything. Before another one is followed for a
 * few percent, the first one is measured again, for it may have been disturbed: the model's word
 * counts more than a single window.
 *
 * ON: a window that takes twice as long as before, and as predicted, says that the network has
 * changed.
 *
 * Where the root does not wait for the others, who is late, or still busy with the operation
 * before, finds the data there already: then an operation takes a small part of what was predicted,
 * and is compared only with others of which that is true.
 *
 * Source: measured against predicted, and plans remade, Bhat (sections 6.2, 6.3); trying the best
 * candidates at run time, Faraj, Yuan and Lowenthal 2006.
 */
#pragma once

#include "select/auto.h"

enum { MONITOR_LAST = 16 }; /* times that are kept, of which the fourth or the middle one counts */
enum monitor_phase { MONITOR_OFF, MONITOR_FIRST, MONITOR_TRIAL, MONITOR_ON };

struct trial {
    struct choice choice;
    hn_time makespan; /* predicted */
    int64_t took;     /* nanoseconds */
};

struct monitor {
    enum monitor_phase phase;
    int need;                   /* operations of a window */
    int trial;                  /* ... while plans are tried, */
    bool look;                  /* which is the first one of a plan, and not all that it gets */
    int patience;               /* by which it is longer, after false alarms */
    int seen;                   /* have begun in this one */
    int noted;                  /* have ended in it: */
    int64_t least;              /* the least of their times, nanoseconds; 0: none has ended */
    int64_t last[MONITOR_LAST]; /* and the last ones, in no order */
    int64_t usual;              /* what a window takes while nothing changes */
    bool surveyed; /* the network has been looked at: it is not why a prediction is wrong */
    struct trial trials[CANDIDATES + 1];
    int count, at; /* of the trials; the one that is under way */
    bool again;    /* after them come others */
    bool uneven;   /* members begin the next operation at different times */
};

/* Begins anew.  agreement: what telling each other takes; makespan: what an operation takes.  A
 * window is so long that telling is a fiftieth of it. */
void monitor_begin(struct monitor *monitor, hn_time agreement, hn_time makespan);
/* The same as measured, in nanoseconds; agreement 0: unknown. */
void monitor_pace(struct monitor *monitor, int64_t agreement, int64_t operation);
/* Members have planned: of the operation that comes now, who was late sees only the end. Its time
 * is not noted. */
void monitor_planned(struct monitor *monitor);
/* There are other candidates than before: those that have not been tried are, beside what is
 * followed now. */
void monitor_again(struct monitor *monitor);
/* An operation begins; true: it is the last one of its window, which is to be agreed upon when it
 * has ended. */
bool monitor_count(struct monitor *monitor);
/* An operation took so long here. */
void monitor_note(struct monitor *monitor, int64_t nanoseconds);
/* The time of the window that a member reports to the others; 0: none of its operations has
 * ended. */
int64_t monitor_time(const struct monitor *monitor);

enum verdict { VERDICT_KEEP, VERDICT_SWITCH, VERDICT_DRIFT };
/* A window has taken so long.  SWITCH: *choice, which was chosen from `entries`, is another one
 * from now on; may_try: it may be. */
enum verdict monitor_agreed(struct monitor *monitor, int64_t nanoseconds,
                            const struct shortlist *shortlist, bool may_try, struct choice *choice);
/* After a drift that was none: what it takes now is usual, and the next one is asked about later.
 */
void monitor_calm(struct monitor *monitor, int64_t nanoseconds);
