/* test_mismatch.c - one member of a group calls another operation than the others, also one that
 * takes several steps, or comes again and again: whoever cannot have its result hears whose mistake
 * that was, also where nobody calls anything afterwards; and the next call is the next one
 * everywhere, with right results. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 4, CULPRIT = 1, COUNT = 3, ROUNDS = 6, TAG = 9 };

enum what {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    GATHERV_TO_2, /* another root */
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    ALLREDUCE,
    SPLIT,
    RING,
    GRAPH,
    LASTING_SUM,
    LASTING_GATHERV,
    NEIGHBOURS,
    NEIGHBOURS_V
};

static const struct pair {
    enum what culprits, others;
} pairs[] = {
    {GATHER, GATHERV},
    {GATHERV, GATHER},
    {BARRIER, GATHERV},
    {SCATTER, SCATTERV},
    {SCATTERV, SCATTER},
    {SCATTERV, BARRIER},
    {ALLTOALL, ALLTOALLV},
    {ALLTOALLV, ALLTOALL},
    {ALLGATHER, GATHERV},
    {ALLGATHER, ALLTOALLV},
    {ALLTOALLV, BARRIER},
    {ALLGATHER, RING},
    {ALLREDUCE, RING},
    {SPLIT, RING},
    {GRAPH, RING},
    {RING, ALLTOALLW},
    {SPLIT, ALLGATHER},
    {GATHERV, GATHERV_TO_2},
    {LASTING_SUM, ALLREDUCE},
    {BARRIER, LASTING_SUM},
    {ALLGATHER, LASTING_SUM},
    {GATHERV, LASTING_GATHERV},
    {LASTING_GATHERV, GATHERV},
    {LASTING_SUM, LASTING_GATHERV},
    {NEIGHBOURS, NEIGHBOURS_V},
    {ALLTOALLW, NEIGHBOURS},
    {ALLTOALLV, ALLTOALLW},
    {GRAPH, GATHERV},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static hn_topology *rings[PAIRS]; /* a group of its own for each */

/* ---- the mistakes ------------------------------------------------------------------------------
 */

/* COUNT elements for each member, or between each two. */
struct data {
    size_t counts[MEMBERS], displs[MEMBERS], places[MEMBERS];
    hn_type types[MEMBERS];
    int in[MEMBERS * COUNT], out[MEMBERS * COUNT];
};

static void fill(struct data *d)
{
    *d = (struct data){0};
    for (int i = 0; i < MEMBERS; i++) {
        d->counts[i] = COUNT;
        d->displs[i] = (size_t)(COUNT * i);
        d->places[i] = d->displs[i] * sizeof(int);
        d->types[i] = HN_INT;
    }
}

/* Made, started once, freed. */
static int come_again(enum what what, struct data *d, const hn_group *group)
{
    hn_request *request;
    int error = what == LASTING_SUM
                    ? hn_allreduce_init(d->in, d->out, COUNT, HN_INT, HN_SUM, group, &request)
                    : hn_gatherv_init(d->in, COUNT, d->out, d->counts, d->displs, HN_INT, 0, group,
                                      &request);
    if (error)
        return error;
    error = hn_start(request);
    error = error ? error : hn_wait(request, NULL);
    hn_request_free(request);
    return error;
}

static int make(enum what what, const hn_group *group)
{
    hn_group *part = NULL;
    hn_topology *made = NULL;
    int to[] = {0};
    int error = what == SPLIT  ? hn_group_split(group, 0, 0, &part)
                : what == RING ? hn_topology_ring(group, &made)
                               : hn_topology_graph(group, to, NULL, 1, &made);
    hn_group_free(part);
    hn_topology_free(made);
    return error;
}

static int gatherv(struct data *d, int root, const hn_group *group)
{
    return hn_gatherv(d->in, COUNT, d->out, d->counts, d->displs, HN_INT, root, group);
}

static int exchange(struct data *d, enum what what, const hn_group *group)
{
    if (what == ALLTOALL)
        return hn_alltoall(d->in, COUNT, d->out, HN_INT, group);
    if (what == ALLTOALLV)
        return hn_alltoallv(d->in, d->counts, d->displs, d->out, d->counts, d->displs, HN_INT,
                            group);
    return hn_alltoallw(d->in, d->counts, d->places, d->types, d->out, d->counts, d->places,
                        d->types, group);
}

static int call(enum what what, const hn_topology *ring)
{
    struct data d;
    const hn_group *group = hn_topology_group(ring);
    fill(&d);
    switch (what) {
    case BARRIER:
        return hn_barrier(group);
    case BCAST:
        return hn_bcast(d.in, COUNT, HN_INT, 0, group);
    case GATHER:
        return hn_gather(d.in, COUNT, d.out, HN_INT, 0, group);
    case GATHERV:
    case GATHERV_TO_2:
        return gatherv(&d, what == GATHERV ? 0 : 2, group);
    case SCATTER:
        return hn_scatter(d.in, COUNT, d.out, HN_INT, 0, group);
    case SCATTERV:
        return hn_scatterv(d.in, d.counts, d.displs, d.out, COUNT, HN_INT, 0, group);
    case ALLGATHER:
        return hn_allgather(d.in, COUNT, d.out, HN_INT, group);
    case ALLREDUCE:
        return hn_allreduce(d.in, d.out, COUNT, HN_INT, HN_SUM, group);
    case LASTING_SUM:
    case LASTING_GATHERV:
        return come_again(what, &d, group);
    case NEIGHBOURS:
        return hn_neighbour_allgather(d.in, COUNT, d.out, HN_INT, ring);
    case NEIGHBOURS_V:
        return hn_neighbour_allgatherv(d.in, COUNT, d.out, d.counts, d.displs, HN_INT, ring);
    case SPLIT:
    case RING:
    case GRAPH:
        return make(what, group);
    default:
        return exchange(&d, what, group);
    }
}

/* ---- what follows ------------------------------------------------------------------------------
 */

/* All members of the group have come so far, without a call on it. */
static void meet(const hn_group *group, int tag)
{
    hn_request *requests[MEMBERS];
    for (int i = 0; i < MEMBERS; i++)
        job_check(hn_isend(hn_group_tid(group, i), tag, NULL, 0, HN_INT, &requests[i]) == HN_OK);
    for (int i = 0; i < MEMBERS; i++) {
        job_check(hn_recv(hn_group_tid(group, i), tag, NULL, 0, HN_INT, NULL) == HN_OK);
        job_check(hn_wait(requests[i], NULL) == HN_OK);
    }
}

static void sum(const hn_group *group, int salt)
{
    int mine = hn_group_rank(group, hn_mytid()) + salt, all = 0;
    job_check(hn_allreduce(&mine, &all, 1, HN_INT, HN_SUM, group) == HN_OK);
    job_check(all == MEMBERS * salt + MEMBERS * (MEMBERS - 1) / 2);
}

static void sum_again(const hn_group *group, int salt)
{
    int mine = salt, all = 0;
    hn_request *request;
    job_check(hn_allreduce_init(&mine, &all, 1, HN_INT, HN_SUM, group, &request) == HN_OK);
    job_check(hn_start(request) == HN_OK && hn_wait(request, NULL) == HN_OK);
    job_check(all == MEMBERS * salt);
    job_check(hn_request_free(request) == HN_OK);
}

static void collect(const hn_group *group, int salt)
{
    struct data d;
    int me = hn_group_rank(group, hn_mytid());
    fill(&d);
    for (int i = 0; i < COUNT; i++)
        d.in[i] = salt + COUNT * me + i;
    job_check(gatherv(&d, 2, group) == HN_OK);
    for (int i = 0; i < MEMBERS * COUNT && me == 2; i++)
        job_check(d.out[i] == salt + i);
}

static void go_on(const hn_group *group)
{
    hn_group *part = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        sum(group, 10 * i);
        collect(group, 20 * i);
        sum_again(group, i);
    }
    job_check(hn_group_split(group, 0, 0, &part) == HN_OK);
    sum(part, 7);
    hn_group_free(part);
}

/* ---- one pair after the other would take long --------------------------------------------------
 */

static int errors[PAIRS];

/* Mostly the culprit; where that one has noticed first, whom it has waited for: of two that differ
 * neither knows which of them all others agree with. */
static bool names_a_member(const hn_group *group, const char *text)
{
    for (int rank = 0; rank < hn_group_size(group); rank++) {
        char task[40];
        snprintf(task, sizeof task, "task %d on host ", hn_group_tid(group, rank));
        if (strstr(text, task))
            return true;
    }
    return false;
}

static void *mismatch(void *arg)
{
    const struct pair *pair = arg;
    int i = (int)(pair - pairs);
    const hn_group *group = hn_topology_group(rings[i]);
    bool culprit = hn_group_rank(group, hn_mytid()) == CULPRIT;
    int error = call(culprit ? pair->culprits : pair->others, rings[i]);
    job_check(error == HN_OK || error == HN_EARG);
    job_check(error == HN_OK || culprit || names_a_member(group, hn_error_text()));
    errors[i] = error != HN_OK;
    meet(group, TAG + i);
    go_on(group);
    return NULL;
}

static _Bool all_pairs(void)
{
    pthread_t threads[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        job_check(hn_topology_ring(hn_world(), &rings[i]) == HN_OK);
    for (int i = 0; i < PAIRS; i++)
        pthread_create(&threads[i], NULL, mismatch, (void *)&pairs[i]);
    for (int i = 0; i < PAIRS; i++)
        pthread_join(threads[i], NULL);
    job_check(hn_allreduce(HN_IN_PLACE, errors, PAIRS, HN_INT, HN_SUM, hn_world()) == HN_OK);
    for (int i = 0; i < PAIRS; i++) {
        job_check(errors[i] > 0);
        hn_topology_free(rings[i]);
    }
    return hn_barrier(hn_world()) == HN_OK;
}

Test(mismatch, the_next_call_is_the_next_one)
{
    cr_assert_eq(job_run(MEMBERS, 12, all_pairs), 0);
}

/* ---- groups that have been freed ---------------------------------------------------------------
 */

/* Before any operation, of whatever group: the library has not asked anybody yet. */
static _Bool freed_before_use(void)
{
    hn_tid tids[MEMBERS];
    hn_group *group;
    char freed[80];
    for (int i = 0; i < MEMBERS; i++)
        tids[i] = hn_group_tid(hn_world(), i);
    job_check(hn_group_new(tids, MEMBERS, 0x40000000, &group) == HN_OK);
    if (hn_rank() != CULPRIT) {
        int one = 1, all = 0;
        snprintf(freed, sizeof freed, "task %d on host ", tids[CULPRIT]);
        job_check(hn_allreduce(&one, &all, 1, HN_INT, HN_SUM, group) == HN_EARG);
        job_check(strstr(hn_error_text(), freed));
        job_check(hn_rank() != 0 || strstr(hn_error_text(), "has freed its group"));
    }
    hn_group_free(group);
    meet(hn_world(), TAG);
    sum(hn_world(), 3);
    return 1;
}

Test(mismatch, a_group_freed_before_its_first_operation)
{
    cr_assert_eq(job_run(MEMBERS, 12, freed_before_use), 0);
}

/* ---- counts ------------------------------------------------------------------------------------
 */

static void check_named(int error, int culprit, const char *own, const char *name)
{
    char others[80];
    snprintf(others, sizeof others, "%s: task %d on host ", name,
             hn_group_tid(hn_world(), culprit));
    job_check(error == HN_EARG);
    job_check(strstr(hn_error_text(), hn_rank() == culprit ? own : others));
}

static _Bool bad_counts(void)
{
    struct data d;
    const hn_group *world = hn_world();
    bool root = hn_rank() == 0, culprit = hn_rank() == CULPRIT;
    fill(&d);
    int error = hn_alltoallv(d.in, culprit ? NULL : d.counts, d.displs, d.out, d.counts, d.displs,
                             HN_INT, world);
    check_named(error, CULPRIT, "alltoallv: no counts", "alltoallv");
    error = hn_gatherv(d.in, COUNT, d.out, root ? NULL : d.counts, d.displs, HN_INT, 0, world);
    check_named(error, 0, "gatherv: no counts", "gatherv");
    error = hn_scatterv(d.in, d.counts, root ? NULL : d.displs, d.out, COUNT, HN_INT, 0, world);
    check_named(error, 0, "scatterv: no counts", "scatterv");
    d.counts[2] = culprit ? SIZE_MAX : COUNT;
    error = hn_alltoallv(d.in, d.counts, d.displs, d.out, d.counts, d.displs, HN_INT, world);
    check_named(error, CULPRIT, "alltoallv: a count is too large", "alltoallv");
    go_on(world);
    return 1;
}

Test(mismatch, counts_that_cannot_be)
{
    cr_assert_eq(job_run(MEMBERS, 12, bad_counts), 0);
}

/* ---- no mistake --------------------------------------------------------------------------------
 */

enum { FAR = 150000, COMPUTES = 2500000 }; /* more than half of the numbers that tags have */

/* One member waits for another one that is so many operations behind, and does not come for a
 * while.
 */
static _Bool far_ahead(void)
{
    int value = 0, all_right = 1;
    job_check(hn_barrier(hn_world()) == HN_OK);
    if (hn_rank() > 0)
        usleep(COMPUTES); /* it is asked meanwhile */
    for (int i = 0; i < FAR; i++) {
        value = hn_rank() == 0 ? i : -1;
        all_right &= hn_bcast(&value, 1, HN_INT, 0, hn_world()) == HN_OK && value == i;
    }
    return all_right && hn_barrier(hn_world()) == HN_OK;
}

Test(mismatch, one_is_far_ahead)
{
    cr_assert_eq(job_run(2, 20, far_ahead), 0);
}

/* ---- meshes ------------------------------------------------------------------------------------
 */

/* Two meshes of two nodes in 16 dimensions, which had the same 31-bit hash once. */
static _Bool other_mesh(void)
{
    enum { DIMENSIONS = 16 };
    const struct {
        int longest;
        unsigned periodic;
    } meshes[] = {{12, 0xaadc}, {13, 0xa7a7}};
    int sizes[DIMENSIONS], periodic[DIMENSIONS], which = hn_rank() == CULPRIT;
    hn_topology *t;
    for (int d = 0; d < DIMENSIONS; d++) {
        sizes[d] = d == meshes[which].longest ? 2 : 1;
        periodic[d] = (int)(meshes[which].periodic >> d & 1);
    }
    int error = hn_topology_mesh(hn_world(), DIMENSIONS, sizes, periodic, &t);
    job_check(error == HN_EARG && !t && strstr(hn_error_text(), "task "));
    return hn_barrier(hn_world()) == HN_OK;
}

Test(mismatch, other_mesh)
{
    cr_assert_eq(job_run(MEMBERS, 20, other_mesh), 0);
}
