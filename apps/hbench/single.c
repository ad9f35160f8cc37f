/* single.c - single operations at agreed times (single.h). A sample consists of three messages
 * to and from each task, all outside of the measured time: the announcement before, the report
 * afterwards. Reports are gathered one after the other; that is the pause between two samples. */
#include "single.h"

#include "clock.h"
#include "fail.h"
#include "numbers.h"

/* No moment of a clock is negative. */
enum { OVER = -1 };
/* ns from the announcement of a time to that time.  The lead is doubled if a task is informed too
 * late; beyond lead_most the benchmark fails. */
static const int64_t lead_least = 1000000, lead_most = INT64_C(20000000000);

/* What a task reports about one operation. */
struct report {
    int64_t informed, begun, done; /* by the task's own clock, ns */
};
enum { REPORT_WORDS = sizeof(struct report) / sizeof(int64_t) };

/* Times are taken around the operation only; the report is sent after the last of them. */
static bool perform(int64_t moment, bool (*run)(void *data), void *data, struct report *r)
{
    r->informed = clock_now();
    /* Later than the moment if this task could not run in time. */
    r->begun = common_clock_await(moment);
    if (!run(data))
        return false;
    r->done = clock_now();
    return true;
}

bool single_follow(bool (*run)(void *data), void *data)
{
    for (;;) {
        struct report r;
        int64_t moment;

        if (!numbers_receive(0, &moment, 1))
            return false;
        /* The number of operations is not sent: task 0 repeats those that began late. */
        if (moment == OVER)
            return true;
        if (!perform(moment, run, data, &r) || !numbers_send(0, &r.informed, REPORT_WORDS))
            return false;
    }
}

/* Sends all others a time of rank 0's clock, or OVER. */
static bool announce(const struct single *s, int64_t moment)
{
    for (int rank = 1; rank < numbers_size(); rank++) {
        /* A moment in that task's own clock, so it needs no offsets. */
        int64_t there = moment == OVER ? OVER : moment + s->clock.offset[rank];
        if (!numbers_send(rank, &there, 1))
            return false;
    }
    return true;
}

/* The greater of two times. */
static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Computes the latest of all tasks' times in `all`, by task 0's clock; *first: when the first one
 * began. */
static bool gather(const struct single *s, struct report *all, int64_t *first)
{
    *first = all->begun;
    for (int rank = 1; rank < numbers_size(); rank++) {
        int64_t offset = s->clock.offset[rank];
        /* `all` begins as task 0's own report, which needs no offset. */
        struct report r;
        /* In the order of ranks: reports of faster tasks wait in their queues. */
        if (!numbers_receive(rank, &r.informed, REPORT_WORDS))
            return false;
        all->informed = later(all->informed, r.informed - offset);
        all->begun = later(all->begun, r.begun - offset);
        *first = r.begun - offset < *first ? r.begun - offset : *first;
        all->done = later(all->done, r.done - offset);
    }
    return true;
}

/* Takes one sample, or none if a task was informed too late: its late begin would not be the
 * operation's fault. The lead is as short as possible, because tasks sleep during it: a cool cache
 * and a slow clock of the processor would be measured, too. */
static bool take(struct single *s, bool (*run)(void *data), void *data, bool *taken)
{
    int64_t moment = clock_now() + s->lead, first;
    struct report all;

    if (!announce(s, moment) || !perform(moment, run, data, &all) || !gather(s, &all, &first))
        return false;
    /* A task that received the announcement after the moment began late for that reason alone. */
    *taken = all.informed <= moment;
    if (*taken) {
        s->lead = later(lead_least, s->lead - s->lead / 16); /* the lead shrinks slowly once the
                                                                machine is less busy */
        samples_add(s->samples, (double)(all.done - moment) * 1e-9);
        if (s->begins)
            samples_add(s->begins, (double)(all.begun - moment) * 1e-9);
        if (s->since)
            samples_add(s->since, (double)(all.done - first) * 1e-9);
        return true;
    }
    /* After a few samples the lead fits the number of tasks and the load. */
    s->lead *= 2;
    return s->lead <= lead_most || fail("clock", "the tasks do not hear in time when to begin");
}

bool single_lead(struct single *s, int64_t count, bool (*run)(void *data), void *data)
{
    struct samples *const wanted[] = {s->samples, s->begins, s->since};

    for (int i = 0; i < 3; i++)
        /* No allocation happens while samples are taken. */
        if (wanted[i] && !samples_reserve(wanted[i], (size_t)count))
            return fail("memory", "no room for the samples");
    /* Samples that were not taken are repeated; take() fails before this would go on for ever. */
    while (count > 0) {
        bool taken;
        if (!take(s, run, data, &taken))
            return false;
        count -= taken;
    }
    return announce(s, OVER);
}
