/* monitor.c - windows, trials and drift (monitor.h). */
#include "wire/monitor.h"

#include "probe/internal.h"

#include <string.h>

enum {
    SHARE = 50,                /* agreements take at most this part of the time */
    NEED_LEAST = 4,            /* of so many operations at least one is undisturbed */
    NEED_MOST = 4096,          /* longest window, however brief its operations */
    NEED_TRIAL = 8,            /* the same in a trial; */
    NEED_TRIAL_EXPENSIVE = 4,  /* ... if operations take seconds; */
    NEED_LOOK = 2,             /* ... in the first, short window, */
    LOOK_PERCENT = 102,        /* a plan continues up to this percentage of the first */
    TRIAL_MOST = MONITOR_LAST, /* the first plan's window in trials, at most */
    NEED_LONG = 10,            /* window of long operations, times `patience` */
    OFF_PERCENT = 130,         /* of the prediction: above it, the prediction was wrong */
    BETTER_PERCENT = 95,       /* of the first plan's time: a slower plan does not replace it; */
    BETTER_LONG_PERCENT = 98,  /* ... for operations that are not brief, whose times vary less */
    SURE_PERCENT = 80,         /* a plan below it is faster without measuring the first one again */
    HOPE = 2, /* times the measured time: plans predicted to take longer are not tried, */
    CLOSE_PERCENT = 150, /* or, if the prediction was right, percent of it: predictions are accurate
                            to a quarter */
    CLOSE_LONG_PERCENT = 125,                  /* ... for longer operations: trials are expensive */
    CLOSE_EXPENSIVE_PERCENT = 110,             /* ... and for those that take seconds */
    CANDIDATES_BRIEF = CANDIDATES_BY_KIND + 1, /* with more brief trials, chance would decide */
    AHEAD = 3,         /* times faster than predicted: the data were there before */
    DRIFT = 2,         /* times the normal and the predicted time: the network has changed */
    PATIENCE_MOST = 64 /* factor of windows after six false alarms */
};
/* ns: smaller differences are noise of the machine. */
static const int64_t slack = 100000, drift_slack = 500000; /* ns */
static const int64_t long_operation = 1000000;             /* ns */
static const int64_t brief_operation = 10000000; /* ns: constants count, and trials are cheap */
static const int64_t expensive_operation = 1000000000; /* ns: so is every single trial */

/* Operations in a window, so that an agreement takes at most 1/SHARE of the time. Both times are in
 * the same unit. */
static int need_for(int64_t agreement, int64_t operation)
{
    int64_t need = operation > 0 ? SHARE * agreement / operation + 1 : NEED_MOST;
    return (int)(need < NEED_LEAST ? NEED_LEAST : need > NEED_MOST ? NEED_MOST : need);
}

void monitor_begin(struct monitor *w, hn_time agreement, hn_time makespan)
{
    *w = (struct monitor){.phase = MONITOR_FIRST,
                          .patience = 1,
                          .need = need_for(agreement, makespan),
                          .uneven = w->uneven};
}

/* Measured times replace the predicted ones. `patience` makes windows longer after false alarms, so
 * that they cost less. */
void monitor_pace(struct monitor *w, int64_t agreement, int64_t operation)
{
    if (agreement <= 0)
        return;
    w->need = need_for(w->patience * agreement, operation);
    /* A busy machine agrees slowly; still, a change should be noticed soon. */
    if (operation >= long_operation && w->need > NEED_LONG * w->patience)
        w->need = NEED_LONG * w->patience;
}

/* The next operation of this member is not recorded, whatever it takes. */
void monitor_planned(struct monitor *w)
{
    w->uneven = true;
}

/* The times of a window are dropped, but not the number of operations begun. */
static void forget(struct monitor *w)
{
    w->noted = 0;
    w->least = 0;
}

/* Trials in progress are completed first; then others follow. */
void monitor_again(struct monitor *w)
{
    w->again = w->phase == MONITOR_TRIAL;
    if (w->phase != MONITOR_ON)
        return;
    w->phase = MONITOR_FIRST;
    w->seen = 0;
    forget(w);
}

/* Whether later trials are compared with this plan. Then it is measured by as many operations as a
 * trial: the minimum over more operations would be lower. */
static bool is_compared_from_here(const struct monitor *w)
{
    return w->phase == MONITOR_FIRST && w->seen + TRIAL_MOST == w->need;
}

bool monitor_count(struct monitor *w)
{
    if (is_compared_from_here(w))
        forget(w);
    w->seen++;
    return w->seen >= (w->phase == MONITOR_TRIAL ? w->trial : w->need);
}

/* At least 1, since 0 means that none has ended. */
void monitor_note(struct monitor *w, int64_t nanoseconds)
{
    nanoseconds = nanoseconds > 0 ? nanoseconds : 1;
    if (!w->uneven) {
        w->least = w->least == 0 || nanoseconds < w->least ? nanoseconds : w->least;
        w->last[w->noted++ % MONITOR_LAST] = nanoseconds;
    }
    w->uneven = false;
}

/* For brief operations that are compared, the lower quartile of the last times: disturbances add
 * time, but a plan that is fast once in sixteen times is not the faster one. */
int64_t monitor_time(const struct monitor *w)
{
    int64_t last[MONITOR_LAST];
    int count = w->noted < MONITOR_LAST ? w->noted : MONITOR_LAST;
    bool brief = w->least < brief_operation;
    /* In the usual phase the minimum: disturbances only add time. */
    if (brief && (w->phase == MONITOR_ON || count == 0))
        return w->least;
    memcpy(last, w->last, sizeof last);
    values_sort(last, count);
    return last[(count - 1) / (brief ? 4 : 2)];
}

static bool is_among(const struct trial *trials, int count, const struct choice *choice)
{
    for (int i = 0; i < count; i++)
        if (choice_same(&trials[i].choice, choice))
            return true;
    return false;
}

/* A plan that is not among the candidates has been chosen by the model, or by earlier trials. */
static hn_time predicted(const struct shortlist *shortlist, const struct choice *choice)
{
    for (int i = 0; i < CANDIDATES; i++)
        if (shortlist->candidates[i].choice.planner &&
            choice_same(&shortlist->candidates[i].choice, choice))
            return shortlist->candidates[i].makespan;
    return shortlist->makespan;
}

/* Lists the plans to be tried: those predicted to take less than `most` nanoseconds that have not
 * been tried. */
static void list_trials(struct monitor *w, int64_t took, int64_t most,
                        const struct shortlist *shortlist, const struct choice *choice)
{
    /* Trials made before are not repeated. */
    struct monitor before = *w;
    w->trials[0] = (struct trial){*choice, predicted(shortlist, choice), took};
    w->count = 1;
    int candidates = took < brief_operation ? CANDIDATES_BRIEF : CANDIDATES;
    for (int i = 0; i < candidates; i++) {
        const struct candidate *r = &shortlist->candidates[i];
        if (r->choice.planner && !is_among(w->trials, w->count, &r->choice) &&
            !is_among(before.trials, before.count, &r->choice) && r->makespan / 1000 < most)
            w->trials[w->count++] = (struct trial){r->choice, r->makespan, 0};
    }
}

/* Small differences are noise of the machine, however large they are in percent. */
static bool is_off(int64_t took, hn_time makespan)
{
    int64_t predicted = makespan / 1000;
    return took > slack && took / OFF_PERCENT > predicted / 100;
}

/* Whether the prediction is so far off that the network may have changed since its file was made.
 * If it has been measured since, the model itself is inaccurate. */
static bool is_far_off(const struct monitor *w, int64_t took, hn_time makespan)
{
    return !w->checked && took > DRIFT * (makespan / 1000) + drift_slack;
}

/* Plans predicted to take less than the result, in nanoseconds, are tried: up to HOPE times the
 * measured time if the prediction was wrong. If it was right, those predicted to take about as
 * long, and all that promise to be faster than what was measured. */
static int64_t promising(int64_t took, hn_time makespan)
{
    if (is_off(took, makespan))
        return HOPE * took;
    int64_t percent = took < brief_operation       ? CLOSE_PERCENT
                      : took < expensive_operation ? CLOSE_LONG_PERCENT
                                                   : CLOSE_EXPENSIVE_PERCENT;
    return int64_larger(took, makespan / 1000 * percent / 100);
}

/* Operations in a trial. */
static int trial_of(const struct monitor *w, int64_t took)
{
    if (took >= brief_operation)
        return took < expensive_operation ? NEED_TRIAL : NEED_TRIAL_EXPENSIVE;
    return w->need < TRIAL_MOST ? w->need : TRIAL_MOST;
}

/* Switches to the next trial. */
static enum verdict try_next(struct monitor *w, int at, struct choice *choice)
{
    w->at = at;
    /* Only long operations are worth the additional agreement of a short window. */
    w->look = w->trials[0].took >= brief_operation;
    w->trial = w->look ? NEED_LOOK : trial_of(w, w->trials[0].took);
    *choice = w->trials[at].choice;
    return VERDICT_SWITCH;
}

static enum verdict end_first(struct monitor *w, int64_t took, const struct shortlist *shortlist,
                              bool may_try, struct choice *choice)
{
    if (is_far_off(w, took, shortlist->makespan))
        return VERDICT_DRIFT;
    w->phase = MONITOR_ON;
    w->usual = took;
    if (!may_try)
        return VERDICT_KEEP;
    list_trials(w, took, promising(took, shortlist->makespan), shortlist, choice);
    if (w->count == 1)
        return VERDICT_KEEP;
    w->phase = MONITOR_TRIAL;
    return try_next(w, 1, choice);
}

/* Whether the data were there before members asked for them. */
static bool is_ahead(const struct trial *t)
{
    return t->took < t->makespan / 1000 / AHEAD;
}

/* The fastest plan; the first one, unless another is significantly faster. A plan for which the
 * data arrived early is compared only with others like it. */
static int quickest(const struct monitor *w)
{
    int64_t first = w->trials[0].took;
    int64_t limit = first / 100 * (first < brief_operation ? BETTER_PERCENT : BETTER_LONG_PERCENT);
    int best = 0;
    for (int i = 1; i < w->count; i++)
        if (w->trials[i].took < limit && is_ahead(&w->trials[i]) == is_ahead(&w->trials[0])) {
            best = i;
            limit = w->trials[i].took;
        }
    return best;
}

/* Whether the first plan may have been disturbed, so that another one only seems slightly faster.
 * Then it is measured again. */
static bool is_doubtful(const struct monitor *w, int best)
{
    return w->at > 0 && best > 0 && w->trials[best].took > w->trials[0].took / 100 * SURE_PERCENT;
}

/* The trials have ended, and the best plan is followed from the next operation on. */
static enum verdict end_trials(struct monitor *w, int best, struct choice *choice)
{
    w->phase = w->again ? MONITOR_FIRST : MONITOR_ON;
    w->again = false;
    w->usual = w->trials[best].took;
    bool other = !choice_same(choice, &w->trials[best].choice);
    *choice = w->trials[best].choice;
    return other ? VERDICT_SWITCH : VERDICT_KEEP;
}

/* The end of a window of one trial. A first, short window that is not clearly slower is followed by
 * a long one. Plan 0 is measured a second time if another one is only slightly faster. */
static enum verdict end_trial(struct monitor *w, int64_t took, struct choice *choice)
{
    int64_t first = w->trials[0].took;
    if (w->look && took < first / 100 * LOOK_PERCENT) {
        w->look = false;
        w->trial = trial_of(w, first) - NEED_LOOK;
        return VERDICT_KEEP;
    }
    bool again = w->at == 0;
    /* Of two measurements of the first plan the shorter one counts. */
    if (!again || took < first)
        w->trials[w->at].took = took;
    if (!again && w->at + 1 < w->count)
        return try_next(w, w->at + 1, choice);
    int best = quickest(w);
    return is_doubtful(w, best) ? try_next(w, 0, choice) : end_trials(w, best, choice);
}

enum verdict monitor_agreed(struct monitor *w, int64_t took, const struct shortlist *shortlist,
                            bool may_try, struct choice *choice)
{
    w->seen = 0;
    forget(w);
    if (took == 0)
        return VERDICT_KEEP; /* none of its operations has ended */
    if (w->phase == MONITOR_FIRST)
        return end_first(w, took, shortlist, may_try, choice);
    if (w->phase == MONITOR_TRIAL)
        return end_trial(w, took, choice);
    int64_t known = shortlist->makespan / 1000;
    known = w->usual > known ? w->usual : known;
    if (took > DRIFT * known + drift_slack)
        return VERDICT_DRIFT;
    /* The normal time follows improvements slowly, so that one lucky window does not cause alarms.
     */
    if (took < w->usual)
        w->usual -= (w->usual - took) / 4;
    return VERDICT_KEEP;
}

void monitor_calm(struct monitor *w, int64_t nanoseconds)
{
    w->usual = nanoseconds;
    w->patience = w->patience < PATIENCE_MOST ? 2 * w->patience : PATIENCE_MOST;
    w->need = 2 * w->need < NEED_MOST ? 2 * w->need : NEED_MOST;
}
