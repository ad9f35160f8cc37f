/* test_requests.c - nonblocking and persistent collectives: many under way on several groups and in
 * several threads, mixed with messages; progress without the caller; the end of a task that has not
 * waited. Real tasks over real sockets (job.h). */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUPS = 4, FLIGHT = 24, ROUNDS = 12, COUNT_MOST = 6000 };

static hn_group *group_of(const int *ranks, int count, unsigned number)
{
    hn_tid tids[JOB_MAX];
    hn_group *group;
    for (int i = 0; i < count; i++)
        tids[i] = hn_group_tid(hn_world(), ranks[i]);
    job_check(hn_group_new(tids, count, 0x40000000 + 4 * number, &group) == HN_OK);
    return group;
}

/* All backwards; those of even rank, and those of odd. NULL: the caller is no member. */
static void make_groups(const hn_group *groups[GROUPS])
{
    int ranks[2][JOB_MAX], count[2] = {0, 0}, back[JOB_MAX], n = hn_size(), odd = hn_rank() % 2;
    for (int r = 0; r < n; r++) {
        ranks[r % 2][count[r % 2]++] = r;
        back[r] = n - 1 - r;
    }
    groups[0] = hn_world();
    groups[1] = group_of(back, n, 1);
    groups[2] = groups[3] = NULL;
    groups[2 + odd] = group_of(ranks[odd], count[odd], 2 + (unsigned)odd);
}

/* ---- one operation, from start to check --------------------------------------------------------
 */

struct operation {
    int kind, root, salt;
    const hn_group *group;
    int rank, size;
    size_t count, counts[JOB_MAX], displs[JOB_MAX];
    int64_t *in, *out;
    hn_request *request;
};
enum { BARRIER, BCAST, ALLREDUCE, SCAN, GATHERV, ALLTOALL, MESSAGE, KINDS };

static int64_t value(const struct operation *o, int rank, size_t i)
{
    return (int64_t)(i * 31) + rank * 1009 + o->salt;
}

/* Each rank sends to the next one and receives from the one before, in one buffer each. */
static int start_message(struct operation *o)
{
    hn_tid next = hn_group_tid(o->group, (o->rank + 1) % o->size);
    hn_tid before = hn_group_tid(o->group, (o->rank + o->size - 1) % o->size);
    hn_context own = hn_set_context(hn_group_context(o->group));
    int error = hn_irecv(before, o->salt, o->out, o->count, HN_INT64, &o->request);
    if (!error)
        error = hn_send(next, o->salt, o->in, o->count, HN_INT64);
    hn_set_context(own);
    return error;
}

static int start(struct operation *o)
{
    switch (o->kind) {
    case BARRIER:
        return hn_ibarrier(o->group, &o->request);
    case BCAST:
        return hn_ibcast(o->rank == o->root ? o->in : o->out, o->count, HN_INT64, o->root, o->group,
                         &o->request);
    case ALLREDUCE:
        return hn_iallreduce(o->in, o->out, o->count, HN_INT64, HN_MAX, o->group, &o->request);
    case SCAN:
        return hn_iscan(o->in, o->out, o->count, HN_INT64, HN_SUM, o->group, &o->request);
    case GATHERV:
        return hn_igatherv(o->in, o->counts[o->rank], o->out, o->counts, o->displs, HN_INT64,
                           o->root, o->group, &o->request);
    case ALLTOALL:
        return hn_ialltoall(o->in, o->count, o->out, HN_INT64, o->group, &o->request);
    default:
        return start_message(o);
    }
}

/* What the i-th element of the result is. */
static int64_t wanted(const struct operation *o, size_t i)
{
    int64_t sum = 0;
    size_t n = (size_t)o->size;
    switch (o->kind) {
    case BCAST:
        return value(o, o->root, i);
    case ALLREDUCE:
        return value(o, o->size - 1, i);
    case SCAN:
        for (int r = 0; r <= o->rank; r++)
            sum += value(o, r, i);
        return sum;
    case MESSAGE:
        return value(o, (o->rank + o->size - 1) % o->size, i);
    default: /* ALLTOALL: element i comes from rank i / count */
        return value(o, (int)(i / o->count),
                     i % o->count + o->count * (size_t)o->rank % (o->count * n));
    }
}

static void check(const struct operation *o)
{
    size_t results = o->kind == BARRIER    ? 0
                     : o->kind == ALLTOALL ? o->count * (size_t)o->size
                                           : o->count;
    if (o->kind == BCAST && o->rank == o->root)
        return;
    for (size_t i = 0; i < results && o->kind != GATHERV; i++)
        job_check(o->out[i] == wanted(o, i));
    for (int r = 0; r < o->size && o->kind == GATHERV && o->rank == o->root; r++)
        for (size_t i = 0; i < o->counts[r]; i++)
            job_check(o->out[o->displs[r] + i] == value(o, r, i));
}

/* All members of the group draw the same. */
static void draw(struct operation *o, const hn_group *group, uint64_t *state, int salt)
{
    *o = (struct operation){.kind = (int)random_below(state, KINDS), .salt = salt, .group = group};
    size_t most = random_below(state, 4) ? 40 : COUNT_MOST, total = 0;
    o->count = (size_t)random_below(state, (int64_t)most);
    int64_t root = random_below(state, 1 << 20);
    if (!group)
        return;
    o->size = hn_group_size(group);
    o->rank = hn_group_rank(group, hn_mytid());
    o->root = (int)(root % o->size);
    for (int r = 0; r < o->size; r++) {
        o->counts[r] = o->count * (size_t)(r % 3) / 2;
        o->displs[r] = total;
        total += o->counts[r];
    }
    size_t room = (o->count + 1) * (size_t)o->size;
    o->in = malloc(room * sizeof *o->in);
    o->out = calloc(room, sizeof *o->out);
    for (size_t i = 0; i < room; i++)
        o->in[i] = value(o, o->rank, i);
}

static void finish(struct operation *o, bool by_test)
{
    int done = 0;
    while (by_test && done == 0)
        done = hn_test(o->request, NULL);
    job_check(by_test ? done == 1 : hn_wait(o->request, NULL) == HN_OK);
    check(o);
    free(o->in);
    free(o->out);
}

/* Starts some, and ends them in an order of the task's own. */
static void fly(const hn_group *const *groups, int count, uint64_t *state, uint64_t *own)
{
    struct operation flight[FLIGHT];
    int left = 0;
    for (int i = 0; i < FLIGHT; i++) {
        const hn_group *group = groups[random_below(state, count)];
        draw(&flight[left], group, state, i);
        if (!group)
            continue;
        job_check(start(&flight[left]) == HN_OK);
        left++;
    }
    while (left > 0) {
        int i = (int)random_below(own, left);
        finish(&flight[i], random_below(own, 8) == 0);
        flight[i] = flight[--left];
    }
}

static _Bool mixes(void)
{
    const hn_group *groups[GROUPS];
    uint64_t state = random_seed(), own = state + (uint64_t)hn_rank();
    make_groups(groups);
    for (int round = 0; round < ROUNDS; round++)
        fly(groups, GROUPS, &state, &own);
    return 1;
}

Test(requests, random_mixes)
{
    for (int n = 1; n <= 7; n += 2)
        cr_assert_eq(job_run(n, 60, mixes), 0, "%d tasks, HNOW_SEED=%llu", n,
                     (unsigned long long)random_seed());
}

/* ---- threads -----------------------------------------------------------------------------------
 */

struct worker {
    pthread_t thread;
    const hn_group *group;
    uint64_t state, own;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    for (int round = 0; round < ROUNDS / 3; round++) {
        int sum = 0, one = 1;
        fly(&w->group, 1, &w->state, &w->own);
        job_check(hn_allreduce(&one, &sum, 1, HN_INT, HN_SUM, w->group) == HN_OK);
        job_check(sum == hn_size());
    }
    return NULL;
}

/* A thread for each group of all tasks, blocking and nonblocking operations in turn. */
static _Bool threads(void)
{
    enum { THREADS = 3 };
    struct worker workers[THREADS];
    int ranks[JOB_MAX];
    for (int r = 0; r < hn_size(); r++)
        ranks[r] = r;
    for (int i = 0; i < THREADS; i++) {
        struct worker *w = &workers[i];
        w->state = random_seed() + (uint64_t)i;
        w->own = w->state * 7 + (uint64_t)hn_rank();
        w->group = group_of(ranks, hn_size(), (unsigned)i + 1);
    }
    for (int i = 0; i < THREADS; i++)
        job_check(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    return 1;
}

Test(requests, threads_with_groups)
{
    cr_assert_eq(job_run(4, 60, threads), 0, "HNOW_SEED=%llu", (unsigned long long)random_seed());
}

/* ---- progress without the caller ---------------------------------------------------------------
 */

static int ends[JOB_MAX][2]; /* a pipe to each rank: those in the middle may go on */

/* Sleeps outside of the library until the rank at the end of the way has everything. */
static void sleep_in_the_middle(bool at_end)
{
    int last = hn_size() - 1, me = hn_rank();
    char go = 1;
    if (me > 0 && me < last)
        job_check(read(ends[me][0], &go, 1) == 1);
    for (int r = 1; at_end && r < last; r++)
        job_check(write(ends[r][1], &go, 1) == 1);
}

/* The one in the middle starts its part and then does not call the library until the last one has
 * got through it what the first one sent; long data and short. */
static _Bool without_caller(void)
{
    enum { LONG = 1 << 19 };
    static int64_t in[LONG], out[LONG];
    int last = hn_size() - 1, me = hn_rank();
    hn_request *request;
    job_check(hn_set_plan(hn_world(), "chain") == HN_OK);
    for (size_t count = 1; count <= LONG; count *= LONG) {
        for (size_t i = 0; i < count; i++) {
            in[i] = me == 0 ? (int64_t)i : 0;
            out[i] = -1;
        }
        job_check(hn_ibcast(in, count, HN_INT64, 0, hn_world(), &request) == HN_OK);
        job_check((me > 0 && me < last) || hn_wait(request, NULL) == HN_OK);
        sleep_in_the_middle(me == last);
        job_check(me == 0 || me == last || hn_wait(request, NULL) == HN_OK);
        for (size_t i = 0; i < count; i++)
            job_check(in[i] == (int64_t)i);
        /* Back to the first one, combined on the way. */
        job_check(hn_ireduce(in, out, count, HN_INT64, HN_SUM, 0, hn_world(), &request) == HN_OK);
        job_check((me > 0 && me < last) || hn_wait(request, NULL) == HN_OK);
        sleep_in_the_middle(me == 0);
        job_check(me == 0 || me == last || hn_wait(request, NULL) == HN_OK);
        for (size_t i = 0; i < count && me == 0; i++)
            job_check(out[i] == (int64_t)i * (last + 1));
    }
    return 1;
}

Test(requests, go_on_without_the_caller)
{
    for (int r = 0; r < JOB_MAX; r++)
        cr_assert_eq(pipe(ends[r]), 0);
    cr_assert_eq(job_run(4, 60, without_caller), 0);
}

/* What has been started is done before a task leaves its job, and nobody need wait for it. */
static _Bool leaves(void)
{
    static int64_t data[3][20000];
    hn_request *request;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 20000; i++)
            data[k][i] = hn_rank() == 0 ? i + k : -1;
    for (int k = 0; k < 3; k++)
        job_check(hn_ibcast(data[k], 20000, HN_INT64, 0, hn_world(), &request) == HN_OK);
    if (hn_rank() == hn_size() - 1)
        job_check(hn_wait(request, NULL) == HN_OK);
    for (int i = 0; i < 20000 && hn_rank() == hn_size() - 1; i++)
        job_check(data[2][i] == i + 2);
    return 1;
}

Test(requests, hn_exit_finishes_them)
{
    cr_assert_eq(job_run(5, 60, leaves), 0);
}

/* ---- persistent --------------------------------------------------------------------------------
 */

enum { LASTING = 3, STARTS = 20 };

/* Several at the same time, started in an order of each member's own, with new data each time. */
static _Bool again_and_again(void)
{
    static int64_t in[LASTING][500], out[LASTING][500 * JOB_MAX];
    int n = hn_size(), me = hn_rank();
    uint64_t own = random_seed() + (uint64_t)me;
    hn_request *requests[LASTING];
    job_check(hn_allreduce_init(in[0], out[0], 500, HN_INT64, HN_SUM, hn_world(), &requests[0]) ==
              HN_OK);
    job_check(hn_bcast_init(in[1], 500, HN_INT64, n - 1, hn_world(), &requests[1]) == HN_OK);
    job_check(hn_allgather_init(in[2], 300, out[2], HN_INT64, hn_world(), &requests[2]) == HN_OK);
    for (int round = 0; round < STARTS; round++) {
        int first = (int)random_below(&own, LASTING);
        for (int k = 0; k < LASTING; k++)
            for (int i = 0; i < 500; i++)
                in[k][i] = me * 1000 + i * round + k;
        for (int k = 0; k < LASTING; k++)
            job_check(hn_start(requests[(first + k) % LASTING]) == HN_OK);
        for (int k = 0; k < LASTING; k++)
            job_check(hn_wait(requests[(first + 2 * k) % LASTING], NULL) == HN_OK);
        for (int i = 0; i < 500; i++) {
            job_check(out[0][i] == 500 * n * (n - 1) + n * i * round);
            job_check(in[1][i] == (n - 1) * 1000 + i * round + 1);
        }
        for (int i = 0; i < 300 * n; i++)
            job_check(out[2][i] == i / 300 * 1000 + i % 300 * round + 2);
    }
    for (int k = 0; k < LASTING; k++)
        job_check(hn_request_free(requests[k]) == HN_OK);
    return 1;
}

Test(requests, persistent_ones)
{
    for (int n = 1; n <= 6; n += 5)
        cr_assert_eq(job_run(n, 60, again_and_again), 0, "%d tasks", n);
}

static _Bool mistakes(void)
{
    int data = 1;
    hn_request *request = NULL, *kept;
    const hn_group *world = hn_world();
    job_check(hn_ibcast(&data, 1, HN_INT, hn_size(), world, &request) == HN_EARG);
    job_check(hn_iallreduce(&data, &data, 1, HN_FLOAT, HN_BAND, world, &request) == HN_ETYPE);
    job_check(hn_ibarrier(NULL, &request) == HN_EARG && !request);
    job_check(hn_barrier_init(world, &kept) == HN_OK);
    job_check(hn_ibarrier(world, &request) == HN_OK);
    job_check(hn_start(request) == HN_EARG && hn_request_free(request) == HN_EARG);
    job_check(hn_wait(request, NULL) == HN_OK);
    job_check(hn_start(NULL) == HN_EARG && hn_test(kept, NULL) == 1);
    if (hn_rank() == 0) { /* it cannot end before the others start */
        job_check(hn_start(kept) == HN_OK && hn_start(kept) == HN_ESTATE);
        job_check(hn_request_free(kept) == HN_ESTATE && hn_test(kept, NULL) == 0);
        job_check(hn_send(hn_group_tid(world, 1), 1, &data, 1, HN_INT) == HN_OK);
    } else {
        job_check(hn_recv(hn_group_tid(world, 0), 1, &data, 1, HN_INT, NULL) == HN_OK);
        job_check(hn_start(kept) == HN_OK);
    }
    job_check(hn_wait(kept, NULL) == HN_OK && hn_request_free(kept) == HN_OK);
    return 1;
}

/* Alone an operation has ended as soon as it is started; it is under way until that was seen. */
static _Bool unseen_ends(void)
{
    hn_request *kept;
    job_check(hn_barrier_init(hn_world(), &kept) == HN_OK);
    for (int round = 0; round < 2; round++) {
        job_check(hn_start(kept) == HN_OK && hn_start(kept) == HN_ESTATE);
        job_check(hn_request_free(kept) == HN_ESTATE && hn_wait(kept, NULL) == HN_OK);
    }
    return hn_request_free(kept) == HN_OK;
}

Test(requests, mistakes_are_told_at_once)
{
    cr_assert_eq(job_run(2, 30, mistakes), 0);
    cr_assert_eq(job_run(1, 30, unseen_ends), 0);
}
