/* no_memory_operations.c - collective operations of which task 0 alone has no memory. */
#include "check.h"
#include "hnow_coll.h"
#include "no_memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The others notice after a second or two that task 0 takes no part: not at every allocation. */
enum { NTH_FACTOR = 4 };

static hn_group *group;
enum { N = 40 };
static int a[3 * N], b[3 * N];

static int barrier(void)
{
    return hn_barrier(group);
}
static int bcast(void)
{
    return hn_bcast(a, N, HN_INT, 0, group);
}
static int scatter(void)
{
    return hn_scatter(a, N, b, HN_INT, 0, group);
}
static int gather(void)
{
    return hn_gather(a, N, b, HN_INT, 0, group);
}
static int allgather(void)
{
    return hn_allgather(a, N, b, HN_INT, group);
}
static int alltoall(void)
{
    return hn_alltoall(a, N, b, HN_INT, group);
}
static int reduce(void)
{
    return hn_reduce(a, b, N, HN_INT, HN_SUM, 0, group);
}
static int allreduce(void)
{
    return hn_allreduce(a, b, N, HN_INT, HN_SUM, group);
}
static int scan(void)
{
    return hn_scan(a, b, N, HN_INT, HN_SUM, group);
}
static int reduce_scatter(void)
{
    return hn_reduce_scatter_block(a, b, N, HN_INT, HN_SUM, group);
}
static int multimulticast(void)
{
    int to[] = {1, 2};
    hn_multicast_message m = {.source = 0, .to = to, .n = 2, .data = a, .count = N};
    return hn_multimulticast(&m, 1, HN_INT, group);
}
static int split(void)
{
    hn_group *g = NULL;
    int result = hn_group_split(group, 0, 0, &g);
    if (result == HN_OK)
        hn_group_free(g);
    return result;
}
static int ring(void)
{
    hn_topology *t = NULL;
    int result = hn_topology_ring(group, &t);
    if (result == HN_OK)
        hn_topology_free(t);
    return result;
}

static const struct what operations[] = {
    CASE(barrier),        CASE(bcast),  CASE(scatter),   CASE(gather), CASE(allgather),
    CASE(alltoall),       CASE(reduce), CASE(allreduce), CASE(scan),   CASE(reduce_scatter),
    CASE(multimulticast), CASE(split),  CASE(ring),
};

/* All make a new group and call the operation; only task 0 may lack memory.  The others may get an
 * error then, but they get something. */
static int together(int (*f)(void))
{
    int result, more = 0;
    starved = false;
    CHECK(hn_group_from_ranks(hn_world(), (int[]){0, 1, 2}, 3, &group) == HN_OK);
    if (hn_rank() == 0)
        TRY(f());
    else
        result = f();
    hn_group_free(group);
    if (hn_rank() > 0) {
        CHECK(hn_send(hn_group_tid(hn_world(), 0), GO, &result, 1, HN_INT) == HN_OK);
        CHECK(hn_recv(hn_group_tid(hn_world(), 0), GO, &more, 1, HN_INT, NULL) == HN_OK);
        return more;
    }
    more = starved && nth < NTH_MOST;
    for (int r = 1; r < hn_size(); r++) {
        int theirs;
        CHECK(hn_recv(hn_group_tid(hn_world(), r), GO, &theirs, 1, HN_INT, NULL) == HN_OK);
        if (theirs != HN_OK && result == HN_OK)
            fprintf(stderr, "%s: allocation %u: task %d has %d\n", current, nth, r, theirs);
        CHECK(theirs == HN_OK || result != HN_OK);
        CHECK(hn_send(hn_group_tid(hn_world(), r), GO, &more, 1, HN_INT) == HN_OK);
    }
    CHECK(good(result));
    return more;
}

void starve_operations(const char *only)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        current = operations[i].name;
        if (only && strcmp(only, current) != 0)
            continue;
        for (int all = 0; all < 2; all++) {
            on = all == 1;
            nth = 1;
            do
                alarm(CASE_TIME);
            while (together(operations[i].f) && (nth *= NTH_FACTOR));
        }
    }
}
