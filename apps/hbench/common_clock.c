/* common_clock.c - comparing clocks by messages (common_clock.h). */
#include "common_clock.h"

#include "clock.h"
#include "fail.h"
#include "hnow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { TAG_ASK = 7300, TAG_TELL, MOST = 30, LEAST = 5 };
static const int64_t awake = 50000;  /* ns before a moment: a sleeper wakes up within them */
static const double patience = 0.25; /* seconds for more than LEAST questions to one host */

/* ---- the others ---- */

bool common_clock_answer(void)
{
    hn_tid leader = hn_group_tid(hn_world(), 0);
    int32_t more = 1;

    for (;;) {
        int64_t now;

        if (hn_recv(leader, TAG_ASK, &more, 1, HN_INT32, NULL) != HN_OK)
            return fail_hn("hn_recv");
        if (!more)
            return true;
        now = clock_now();
        if (hn_send(leader, TAG_TELL, &now, 1, HN_INT64) != HN_OK)
            return fail_hn("hn_send");
    }
}

/* ---- task 0 ---- */

static bool ask(hn_tid other, int32_t more)
{
    return hn_send(other, TAG_ASK, &more, 1, HN_INT32) == HN_OK || fail_hn("hn_send");
}

/* The offset of one task's clock, and half the quickest round trip. */
static bool compare(hn_tid other, int64_t *offset, int64_t *error)
{
    int64_t begin = clock_now();

    *error = INT64_MAX;
    for (int i = 0; i < LEAST || (i < MOST && clock_since(begin) < patience); i++) {
        int64_t asked = clock_now(), told, heard;

        if (!ask(other, 1))
            return false;
        if (hn_recv(other, TAG_TELL, &told, 1, HN_INT64, NULL) != HN_OK)
            return fail_hn("hn_recv");
        heard = clock_now();
        if ((heard - asked + 1) / 2 < *error) {
            *error = (heard - asked + 1) / 2;
            *offset = told - asked - (heard - asked) / 2;
        }
    }
    return true;
}

/* The first rank on the same host. */
static int first_there(int rank)
{
    const hn_group *world = hn_world();
    const char *host = hn_host_of(hn_group_tid(world, rank));

    for (int other = 0; host && other < rank; other++) {
        const char *there = hn_host_of(hn_group_tid(world, other));
        if (there && strcmp(host, there) == 0)
            return other;
    }
    return rank;
}

static bool compare_rank(struct common_clock *c, int rank, int64_t *error)
{
    hn_tid other = hn_group_tid(hn_world(), rank);
    int first = first_there(rank);
    int64_t before = c->offset[rank];

    *error = 0;
    if (first < rank)
        c->offset[rank] = c->offset[first];
    else if (!compare(other, &c->offset[rank], error))
        return false;
    if (c->compared)
        *error += llabs(c->offset[rank] - before);
    return ask(other, 0);
}

bool common_clock_compare(struct common_clock *c)
{
    int64_t worst = 0;

    if (!c->offset && !(c->offset = calloc((size_t)hn_size(), sizeof *c->offset)))
        return fail("memory", "no room for the clocks");
    for (int rank = 1; rank < hn_size(); rank++) {
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
    *c = (struct common_clock){0};
}

/* ---- waiting for a moment ---- */

int64_t common_clock_await(int64_t until)
{
    int64_t wake = until - awake, now;
    struct timespec t = {wake / 1000000000, wake % 1000000000};

    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        continue;
    while ((now = clock_now()) < until)
        continue;
    return now;
}
