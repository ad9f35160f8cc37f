/* test_parting.c - a member cannot begin a send, or has no memory for an operation: who waits for
 * its messages is notified at once, not when it asks (open_table.h), which gives another error, and
 * the others are not disturbed. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 3, MOST = 1000, PASSERS = 4, LARGE = 70001 };

static const hn_group *world;
static int me, fails;                /* the send that is to fail: 1: the next one, 0: none */
static _Thread_local size_t refused; /* there is no memory for a block of this size; 0: for all */

int __real_hn_isend(hn_tid, int, const void *, size_t, hn_type, hn_request **);
int __wrap_hn_isend(hn_tid, int, const void *, size_t, hn_type, hn_request **);

/* What all calls of hn_isend() reach here (the linker's --wrap). */
int __wrap_hn_isend(hn_tid to, int tag, const void *data, size_t count, hn_type type,
                    hn_request **request)
{
    if (fails > 0 && --fails == 0)
        return HN_ENOMEM;
    return __real_hn_isend(to, tag, data, count, type, request);
}

void *__real_malloc(size_t);
void *__wrap_malloc(size_t);

void *__wrap_malloc(size_t size)
{
    return size > 0 && size == refused ? NULL : __real_malloc(size);
}

/* Rank 0's send to rank 1, its first one, fails. */
static void check(int error)
{
    fails = 0;
    job_check(error == (me == 2 ? HN_OK : HN_ENOMEM));
    job_check(me != 1 || strstr(hn_error_text(), "has ended it with an error: "));
}

static hn_topology *others(void)
{
    static const int to[TASKS][2] = {{1, 2}, {0, 2}, {0, 1}};
    hn_topology *made;
    job_check(hn_topology_graph(world, to[me], NULL, 2, &made) == HN_OK);
    return made;
}

static void all_forms(const hn_topology *topology, size_t count, hn_type type)
{
    static uint8_t in[MOST], out[TASKS * MOST];
    hn_request *request;
    fails = me == 0;
    check(hn_neighbour_allgather(in, count, out, type, topology));
    fails = me == 0;
    job_check(hn_ineighbour_allgather(in, count, out, type, topology, &request) == HN_OK);
    check(hn_wait(request, NULL));
    job_check(hn_neighbour_allgather_init(in, count, out, type, topology, &request) == HN_OK);
    fails = me == 0;
    job_check(hn_start(request) == HN_OK);
    check(hn_wait(request, NULL));
    job_check(hn_request_free(request) == HN_OK);
}

static void typed_blocks(void)
{
    size_t counts[TASKS], places[TASKS];
    hn_type types[TASKS];
    int64_t in[TASKS] = {0}, out[TASKS];
    for (int i = 0; i < TASKS; i++) {
        counts[i] = 1;
        places[i] = (size_t)i * sizeof *in;
        types[i] = HN_INT64;
    }
    fails = me == 0 ? 2 : 0; /* its first send is to itself */
    check(hn_alltoallw(in, counts, places, types, out, counts, places, types, world));
}

static _Bool one_send_fails(void)
{
    world = hn_world();
    me = hn_rank();
    hn_topology *topology = others();
    all_forms(topology, 1, HN_INT);    /* shorter than a termination notice */
    all_forms(topology, 16, HN_BYTE);  /* as long, and of a type that takes it */
    all_forms(topology, 100, HN_CHAR); /* longer */
    all_forms(topology, 100, HN_DOUBLE);
    all_forms(topology, 1, HN_PACKED); /* which a termination notice must not be taken for */
    all_forms(topology, 16, HN_PACKED);
    all_forms(topology, 100, HN_PACKED);
    typed_blocks();
    hn_topology_free(topology);
    return hn_barrier(world) == HN_OK;
}

Test(parting, receiver_of_a_failed_send)
{
    cr_assert_eq(job_run(TASKS, 30, one_send_fails), 0);
}

/* ---- no memory for what passes through, or for a copy ------------------------------------------
 */

/* In a binomial tree rank 2 passes on what rank 3 has for the root. */
static void check_passing(int error)
{
    refused = 0;
    job_check(error == (me == 0 || me == 2 ? HN_ENOMEM : HN_OK));
    job_check(me != 2 || strcmp(hn_error_text(), "gather: out of memory") == 0);
    job_check(me != 0 || strstr(hn_error_text(), "has ended it with an error: "));
}

static _Bool no_room_to_pass(void)
{
    static uint8_t in[LARGE], out[PASSERS * LARGE];
    hn_request *request;
    world = hn_world();
    me = hn_rank();
    job_check(hn_set_plan(world, "binomial") == HN_OK);
    refused = me == 2 ? LARGE + 1 : 0;
    check_passing(hn_gather(in, LARGE, out, HN_BYTE, 0, world));
    refused = me == 2 ? LARGE + 1 : 0;
    job_check(hn_igather(in, LARGE, out, HN_BYTE, 0, world, &request) == HN_OK);
    check_passing(hn_wait(request, NULL));
    return hn_gather(in, LARGE, out, HN_BYTE, 0, world) == HN_OK;
}

Test(parting, no_room_for_what_passes_through)
{
    cr_assert_eq(job_run(PASSERS, 30, no_room_to_pass), 0);
}

static _Bool no_room_to_copy(void)
{
    static uint8_t out[TASKS * LARGE];
    size_t counts[TASKS], places[TASKS];
    hn_type types[TASKS];
    world = hn_world();
    me = hn_rank();
    for (int i = 0; i < TASKS; i++) {
        counts[i] = LARGE;
        places[i] = (size_t)i * LARGE;
        types[i] = HN_BYTE;
    }
    refused = me == 1 ? TASKS * LARGE + 1 : 0;
    int error = hn_alltoallw(HN_IN_PLACE, NULL, NULL, NULL, out, counts, places, types, world);
    refused = 0;
    job_check(error == HN_ENOMEM);
    job_check(!strstr(hn_error_text(), "has ended it with an error: ") == (me == 1));
    return hn_barrier(world) == HN_OK;
}

Test(parting, no_room_for_a_copy)
{
    cr_assert_eq(job_run(TASKS, 30, no_room_to_copy), 0);
}
