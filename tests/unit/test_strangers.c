/* test_strangers.c - members that call different operations, by mistake (open_table.h,
 * argument_check.h): none waits for ever, nothing is written beside its room, and who is told that
 * all went well has what the operation says. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"
#include "job/task.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 60, MOST = 8, ROOM = 3000, GUARD = 64 };

enum kind { BARRIER, BCAST, REDUCE, ALLREDUCE, SCATTER, GATHER, ALLGATHER, ALLTOALL, SCAN, KINDS };

/* What a member calls; values are those of its number and the sender's rank. */
struct called {
    enum kind kind;
    int root;
    size_t count;
    bool wide; /* elements of 8 bytes, not 4 */
};

struct operation_run {
    struct called called;
    hn_request *request;
    uint8_t *in, *out;
};

static const hn_group *world;
static int me, n;

static struct called any_call(uint64_t *state)
{
    static const size_t counts[] = {0, 1, 2, 17, 100, ROOM};
    return (struct called){(enum kind)random_below(state, KINDS), (int)random_below(state, n),
                           counts[random_below(state, 6)], random_below(state, 2)};
}

/* Some of a call is another at this member. */
static struct called mistaken(struct called right, uint64_t *state)
{
    struct called other = any_call(state);
    switch (random_below(state, 4)) {
    case 0:
        right.kind = other.kind;
        return right;
    case 1:
        right.root = other.root;
        return right;
    case 2:
        right.count = other.count;
        return right;
    default:
        return other;
    }
}

static size_t room_of(const struct called *c)
{
    bool parts =
        c->kind == SCATTER || c->kind == GATHER || c->kind == ALLGATHER || c->kind == ALLTOALL;
    return c->count * (c->wide ? 8 : 4) * (size_t)(parts ? n : 1);
}

static uint8_t *buffer(const struct called *c, int fill)
{
    uint8_t *data = malloc(room_of(c) + GUARD);
    memset(data, fill, room_of(c) + GUARD);
    return data;
}

static int start(struct operation_run *f)
{
    const struct called *c = &f->called;
    hn_type type = c->wide ? HN_INT64 : HN_INT32;
    switch (c->kind) {
    case BARRIER:
        return hn_ibarrier(world, &f->request);
    case BCAST:
        return hn_ibcast(me == c->root ? f->in : f->out, c->count, type, c->root, world,
                         &f->request);
    case REDUCE:
        return hn_ireduce(f->in, f->out, c->count, type, HN_MAX, c->root, world, &f->request);
    case ALLREDUCE:
        return hn_iallreduce(f->in, f->out, c->count, type, HN_MAX, world, &f->request);
    case SCATTER:
        return hn_iscatter(f->in, c->count, f->out, type, c->root, world, &f->request);
    case GATHER:
        return hn_igather(f->in, c->count, f->out, type, c->root, world, &f->request);
    case ALLGATHER:
        return hn_iallgather(f->in, c->count, f->out, type, world, &f->request);
    case ALLTOALL:
        return hn_ialltoall(f->in, c->count, f->out, type, world, &f->request);
    default:
        return hn_iscan(f->in, f->out, c->count, type, HN_MAX, world, &f->request);
    }
}

static void begin_run(struct operation_run *f)
{
    f->in = buffer(&f->called, me + 1);
    f->out = buffer(&f->called, 0);
    job_check(start(f) == HN_OK);
}

static void check_guards(const struct operation_run *f)
{
    size_t room = room_of(&f->called);
    for (size_t i = room; i < room + GUARD; i++)
        job_check(f->in[i] == me + 1 && f->out[i] == 0);
}

/* Where all have called the same: every member knows what each byte must be. */
static void check_result(const struct operation_run *f)
{
    const struct called *c = &f->called;
    size_t part = c->count * (c->wide ? 8 : 4);
    bool at_root = me == c->root;
    for (size_t i = 0; i < room_of(c); i++) {
        int from = (int)(i / (part ? part : 1)) + 1, got = f->out[i];
        if (c->kind == BCAST && !at_root)
            job_check(got == c->root + 1);
        else if (c->kind == ALLREDUCE || (c->kind == REDUCE && at_root))
            job_check(got == n);
        else if (c->kind == SCATTER && i < part)
            job_check(got == c->root + 1);
        else if (c->kind == ALLGATHER || c->kind == ALLTOALL || (c->kind == GATHER && at_root))
            job_check(got == from);
        else if (c->kind == SCAN)
            job_check(got == me + 1);
    }
}

static bool is_told(int error)
{
    const char *text = hn_error_text();
    return error == HN_ETYPE || (error == HN_ETRUNC && strstr(text, "task")) ||
           (error == HN_EARG && (strstr(text, "task") || strstr(text, "members")));
}

static bool same(const struct called *a, const struct called *b)
{
    return a->kind == b->kind && a->root == b->root && a->count == b->count && a->wide == b->wide;
}

/* All members draw all calls of all, so that each knows which operations all have agreed on. */
static void draw(struct operation_run *runs, bool *agreed, uint64_t *state)
{
    for (int k = 0; k < OPERATIONS; k++) {
        struct called right = any_call(state);
        agreed[k] = true;
        for (int rank = 0; rank < n; rank++) {
            struct called own = random_below(state, n) ? right : mistaken(right, state);
            agreed[k] &= same(&own, &right);
            if (rank == me)
                runs[k].called = own;
        }
    }
}

/* Nobody leaves before all are told; not a barrier, for those would be strangers, too. */
static void leave_together(void)
{
    for (int rank = 0; rank < n; rank++)
        job_check(hn_send(hn_group_tid(world, rank), 1, NULL, 0, HN_BYTE) == HN_OK);
    for (int rank = 0; rank < n; rank++)
        job_check(hn_recv(hn_group_tid(world, rank), 1, NULL, 0, HN_BYTE, NULL) == HN_OK);
}

/* Many at once, most of them with members that have called something else. */
static _Bool at_once(void)
{
    static struct operation_run runs[OPERATIONS];
    static bool agreed[OPERATIONS];
    uint64_t state = random_seed();
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    state += (uint64_t)n;
    job_check(hn_set_plan(world, "binomial") == HN_OK);
    draw(runs, agreed, &state);
    for (int k = 0; k < OPERATIONS; k++)
        begin_run(&runs[k]);
    for (int k = 0; k < OPERATIONS; k++) {
        int error = hn_wait(runs[k].request, NULL);
        job_check(!error || is_told(error));
        check_guards(&runs[k]);
        if (agreed[k])
            job_check(!error), check_result(&runs[k]);
        free(runs[k].in);
        free(runs[k].out);
    }
    leave_together();
    return 1;
}

Test(strangers, two)
{
    cr_assert_eq(job_run(2, 12, at_once), 0);
}

Test(strangers, three)
{
    cr_assert_eq(job_run(3, 12, at_once), 0);
}

Test(strangers, eight)
{
    cr_assert_eq(job_run(8, 12, at_once), 0);
}

/* Each in turn: whoever is told names the other, and what was called there. */
static _Bool in_turn(void)
{
    int64_t in[4] = {1, 2, 3, 4}, out[16] = {0};
    world = hn_world();
    me = hn_rank();
    job_check(hn_set_plan(world, "flat") == HN_OK);
    int error = me == 1 ? hn_bcast(in, 4, HN_INT64, 1, world) : hn_bcast(in, 4, HN_INT64, 0, world);
    job_check(error == HN_OK || is_told(error));
    error = me == 2 ? hn_reduce(in, out, 4, HN_INT64, HN_SUM, 2, world)
                    : hn_bcast(in, 4, HN_INT64, 2, world);
    job_check(error == HN_EARG);
    job_check(strstr(hn_error_text(), me == 2 ? "has called bcast with root 2 where"
                                              : "has called reduce with root 2 where"));
    /* Who skips one is a number behind ever after. */
    if (me != 0)
        job_check(hn_barrier(world) != HN_OK);
    error = hn_allreduce(in, out, 4, HN_INT64, HN_SUM, world);
    return error != HN_OK;
}

Test(strangers, each_is_named)
{
    cr_assert_eq(job_run(3, 30, in_turn), 0);
}

static bool is_asking(void)
{
    bool asks;
    engine_enter(&task_enrolled->engine);
    asks = ev_is_active(&task_enrolled->argument_checks.tick);
    engine_leave(&task_enrolled->engine, false);
    return asks;
}

/* Waiting for messages of the program's own. */
static void grow_calm(void)
{
    while (is_asking())
        job_check(hn_recv_timeout(HN_ANY, 2, NULL, 0, HN_BYTE, 50, NULL) == HN_ETIMEOUT);
}

/* Only who waits in an operation looks at the clock. */
static _Bool now_and_then(void)
{
    hn_request *request;
    world = hn_world();
    n = hn_size();
    for (int round = 0; round < 2; round++) {
        job_check(hn_barrier(world) == HN_OK);
        grow_calm();
        leave_together();
        if (hn_rank() == 0) {
            job_check(hn_ibarrier(world, &request) == HN_OK && is_asking());
            leave_together();
            job_check(hn_wait(request, NULL) == HN_OK);
        } else {
            leave_together();
            job_check(hn_barrier(world) == HN_OK);
        }
    }
    return 1;
}

Test(strangers, nobody_asks_who_does_not_wait)
{
    cr_assert_eq(job_run(2, 12, now_and_then), 0);
}
