/* test_parting.c - an exchange between neighbours in which one send cannot be begun: its receiver
 * is notified at once, not when it asks (open_table.h), and the others are not disturbed. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 3, MOST = 1000 };

static const hn_group *world;
static int me, fails; /* the send that is to fail: 1: the next one, 0: none */

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
    all_forms(topology, 1, HN_INT);    /* shorter than a farewell */
    all_forms(topology, 16, HN_BYTE);  /* as long, and of a type that takes it */
    all_forms(topology, 100, HN_CHAR); /* longer */
    all_forms(topology, 100, HN_DOUBLE);
    all_forms(topology, 1, HN_PACKED); /* which a farewell must not be taken for */
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
