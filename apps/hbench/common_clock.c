/* common_clock.c - compares clocks by messages (common_clock.h). Rank 0 asks, the others answer
 * in a loop, until it sends 0. Nothing else is exchanged at this time, so the messages need no
 * tags of their own. Cost: at least LEAST round trips a host. */
#include "common_clock.h"

#include "clock.h"
#include "fail.h"
#include "numbers.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* Queries to one rank, of which the fastest counts: it was delayed least. More than LEAST
 * queries are only made within `patience`, so slow routes cost little time. */
enum { MOST = 30, LEAST = 5 };
static const int64_t awake = 50000;  /* ns before a point in time: a sleeper wakes up within this
                                        time */
static const double patience = 0.25; /* seconds for more than LEAST queries to one rank */

/* The other side of a comparison: answers with its time, until rank 0 needs no more. */
bool common_clock_answer(void)
{
    for (;;) {
        /* The time is read after the query has arrived, and before anything else. */
        int64_t more, now;

        if (!numbers_receive(0, &more, 1))
            return false;
        if (!more)
            return true;
        now = clock_now();
        if (!numbers_send(0, &now, 1))
            return false;
    }
}

/* ---- rank 0 ---- */

/* Measures the offset of one rank's clock, and half the fastest round trip. */
static bool compare(int rank, int64_t *offset, int64_t *error)
{
    const int64_t more = 1;
    int64_t begin = clock_now();

    *error = INT64_MAX;
    /* The clock was read in the middle of the round trip, plus or minus half of it, whatever the
     * two directions took. */
    for (int i = 0; i < LEAST || (i < MOST && clock_since(begin) < patience); i++) {
        int64_t asked = clock_now(), answer, received;

        if (!numbers_send(rank, &more, 1) || !numbers_receive(rank, &answer, 1))
            return false;
        /* The answer is one number, so sending time hardly depends on its size. */
        received = clock_now();
        if ((received - asked + 1) / 2 < *error) {
            *error = (received - asked + 1) / 2;
            *offset = answer - asked - (received - asked) / 2;
        }
    }
    return true;
}

/* Tasks of one host read one clock, so only its first task is asked. */
static bool compare_rank(struct common_clock *c, int rank, int64_t *error)
{
    const int64_t no_more = 0;
    /* The host's first task has a lower rank, so its offset is known already. */
    int first = numbers_clock(rank);
    int64_t before = c->offset[rank];

    *error = 0;
    if (first < rank)
        c->offset[rank] = c->offset[first];
    else if (!compare(rank, &c->offset[rank], error))
        return false;
    if (c->compared) /* drift of the clocks since then */
        *error += llabs(c->offset[rank] - before);
    /* Sent to every rank, also to those that were not asked: all of them wait in
     * common_clock_answer(). */
    return numbers_send(rank, &no_more, 1);
}

/* error is the worst of all comparisons so far, since earlier samples used earlier offsets. */
bool common_clock_compare(struct common_clock *c)
{
    int64_t worst = 0;

    if (!c->offset && !(c->offset = calloc((size_t)numbers_size(), sizeof *c->offset)))
        return fail("memory", "no room for the clocks");
    /* One after the other: simultaneous queries would delay each other. */
    for (int rank = 1; rank < numbers_size(); rank++) {
        int64_t error;
        if (!compare_rank(c, rank, &error))
            return false;
        worst = error > worst ? error : worst;
    }
    c->compared = true;
    c->error = worst > c->error ? worst : c->error;
    return true;
}

void common_clock_free(struct common_clock *c)
{
    free(c->offset);
    /* The next comparison starts anew, without a drift. */
    *c = (struct common_clock){0};
}

/* ---- waiting for a point in time ---- */

/* nanosleep() may be late by the timer slack of 50 us, which is set to the least.  The rest of the
 * time is spent awake: the scheduler would need as long again to run a sleeper. */
int64_t common_clock_await(int64_t until)
{
    int64_t wake = until - awake, now;
    /* A moment that has passed already ends the sleep at once. */
    struct timespec t = {wake / 1000000000, wake % 1000000000};

    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    /* Signals interrupt the sleep; the absolute time makes repeating harmless. */
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        continue;
    while ((now = clock_now()) < until)
        continue;
    return now;
}
