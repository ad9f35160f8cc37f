/* test_uneven.c - operations whose parts have sizes of their own, which change from call to call:
 * many under way at the same time, in every task's own order of waiting, on a network file that is
 * wrong, so that plans are tried and the network is measured meanwhile. Real tasks over real
 * sockets (job.h). */
#include "wire/adapt.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"
#include "wire/group_state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 5, FLIGHT = 6, ROUNDS = 250, UNIT = 2000, PARTS = MEMBERS * MEMBERS };
enum kind { GATHERS, SCATTERS, ALLGATHERS, EXCHANGES, SUMS, KINDS };

/* Quicker than anything, so that predictions are never right. */
static const char net_text[] =
    "@network version=5\n"
    "* send_us=0.1 recv_us=0.1 send_ns_per_byte=0.01 recv_ns_per_byte=0.01\n"
    "h0\nh1\nh2\n"
    "@subnet a medium=switch latency_us=0.1 ns_per_byte=1 hosts=h0,h1,h2\n";

/* ---- one operation -----------------------------------------------------------------------------
 */

struct uneven {
    enum kind kind;
    int root;
    int64_t salt;
    size_t sizes[PARTS]; /* [from * MEMBERS + to], or [rank] */
    int64_t in[PARTS * UNIT], out[PARTS * UNIT];
    size_t counts[MEMBERS], displs[MEMBERS], in_counts[MEMBERS], in_displs[MEMBERS];
    hn_request *request;
};

/* Element i of what `from` has for `to` (or for all: 0). */
static int64_t value(const struct uneven *u, int from, int to, size_t i)
{
    return u->salt + 1000003 * from + 5003 * to + (int64_t)i;
}

/* Sizes of parts: the usual ones, or all kinds of others, many of them nothing. */
static void draw(struct uneven *u, uint64_t *shared)
{
    bool usual = random_below(shared, 3) == 0;
    int64_t scale = usual ? 1 : 1 + random_below(shared, UNIT), only = random_below(shared, 3);
    u->kind = usual ? ALLGATHERS : (enum kind)random_below(shared, KINDS);
    u->root = usual ? 0 : (int)random_below(shared, MEMBERS);
    u->salt = random_below(shared, 1 << 20);
    for (int part = 0; part < PARTS; part++) {
        u->sizes[part] = (size_t)random_below(shared, scale);
        if (usual)
            u->sizes[part] = UNIT / 2 + 10 * (size_t)part;
        else if (only == 0 && part % MEMBERS != u->root)
            u->sizes[part] = 0;
    }
}

static void place(const size_t *counts, size_t *displs)
{
    size_t at = 0;
    for (int i = 0; i < MEMBERS; i++) {
        displs[i] = at;
        at += counts[i] + 1; /* a gap */
    }
}

static void fill_parts(struct uneven *u, int64_t *data, const size_t *counts, const size_t *displs)
{
    for (int to = 0; to < MEMBERS; to++)
        for (size_t i = 0; i < counts[to]; i++)
            data[displs[to] + i] = value(u, hn_rank(), to, i);
}

static void prepare(struct uneven *u)
{
    int me = hn_rank();
    for (int i = 0; i < MEMBERS; i++) {
        u->counts[i] = u->kind == EXCHANGES ? u->sizes[i * MEMBERS + me] : u->sizes[i];
        u->in_counts[i] = u->kind == EXCHANGES ? u->sizes[me * MEMBERS + i] : u->sizes[i];
    }
    place(u->counts, u->displs);
    place(u->in_counts, u->in_displs);
    memset(u->out, 0xff, sizeof u->out);
    if (u->kind == EXCHANGES || u->kind == SCATTERS) {
        fill_parts(u, u->in, u->in_counts, u->in_displs);
    } else if (u->kind == SUMS) {
        for (size_t at = 0, to = 0; to < MEMBERS; at += u->counts[to++])
            for (size_t i = 0; i < u->counts[to]; i++)
                u->in[at + i] = value(u, me, (int)to, i);
    } else {
        for (size_t i = 0; i < u->sizes[me]; i++)
            u->in[i] = value(u, me, 0, i);
    }
}

static int start(struct uneven *u)
{
    const hn_group *all = hn_world();
    size_t mine = u->sizes[hn_rank()];
    hn_request **request = &u->request;
    switch (u->kind) {
    case GATHERS:
        return hn_igatherv(u->in, mine, u->out, u->counts, u->displs, HN_INT64, u->root, all,
                           request);
    case SCATTERS:
        return hn_iscatterv(u->in, u->in_counts, u->in_displs, u->out, mine, HN_INT64, u->root, all,
                            request);
    case ALLGATHERS:
        memcpy(u->out + u->displs[hn_rank()], u->in, mine * sizeof *u->in);
        return hn_iallgatherv(HN_IN_PLACE, u->out, u->counts, u->displs, HN_INT64, all, request);
    case EXCHANGES:
        return hn_ialltoallv(u->in, u->in_counts, u->in_displs, u->out, u->counts, u->displs,
                             HN_INT64, all, request);
    default:
        return hn_ireduce_scatter(u->in, u->out, u->counts, HN_INT64, HN_SUM, all, request);
    }
}

static void check(const struct uneven *u)
{
    int me = hn_rank();
    bool one = u->kind == SCATTERS || u->kind == SUMS;
    if (u->kind == GATHERS && me != u->root)
        return;
    for (int from = 0; from < (one ? 1 : MEMBERS); from++) {
        size_t count = one ? u->sizes[me] : u->counts[from];
        const int64_t *got = u->out + (one ? 0 : u->displs[from]);
        for (size_t i = 0; i < count; i++) {
            int64_t wanted = value(u, u->kind == SCATTERS ? u->root : from,
                                   one || u->kind == EXCHANGES ? me : 0, i);
            for (int other = 1; u->kind == SUMS && other < MEMBERS; other++)
                wanted += value(u, other, me, i);
            job_check(got[i] == wanted);
        }
        job_check(got[count] == -1);
    }
}

/* ---- many --------------------------------------------------------------------------------------
 */

static void fly(struct uneven *flight, uint64_t *shared, uint64_t *own)
{
    struct uneven *left[FLIGHT];
    int count = 0;
    for (int i = 0; i < FLIGHT; i++) {
        int64_t sum = 1;
        draw(&flight[i], shared);
        prepare(&flight[i]);
        job_check(start(&flight[i]) == HN_OK);
        left[count++] = &flight[i];
        if (random_below(shared, 4) == 0) /* one of the others in between */
            job_check(hn_allreduce(HN_IN_PLACE, &sum, 1, HN_INT64, HN_SUM, hn_world()) == HN_OK &&
                      sum == MEMBERS);
    }
    while (count > 0) {
        int i = (int)random_below(own, count);
        job_check(hn_wait(left[i]->request, NULL) == HN_OK);
        check(left[i]);
        left[i] = left[--count];
    }
}

/* What the usual sizes follow; no planner: nobody has asked for them yet. */
static struct decision usual_decision(void)
{
    struct decision decision = {0};
    struct group_state *state;
    int64_t sizes[MEMBERS];
    struct request req = {
        .op = OP_ALLGATHERV, .ranks = MEMBERS, .grain = sizeof(int64_t), .sizes = sizes};
    for (int i = 0; i < MEMBERS; i++)
        sizes[i] = (UNIT / 2 + 10 * (int64_t)i) * (int64_t)sizeof(int64_t);
    job_check(group_state_get(hn_world(), &state) == HN_OK);
    struct decision *copy = group_state_decision(state, &req);
    if (copy)
        decision = *copy;
    free(copy);
    return decision;
}

/* All members follow the same plan, and have changed to it at the same operation. */
static void compare(void)
{
    struct decision decision = usual_decision();
    int64_t least[2] = {decision.calls, decision.monitor.usual}, most[2] = {least[0], least[1]};
    char mine[CHOICE_TEXT_ROOM] = "", first[CHOICE_TEXT_ROOM];
    if (decision.choice.planner)
        choice_text(&decision.choice, mine, sizeof mine);
    memcpy(first, mine, sizeof first);
    job_check(hn_bcast(first, sizeof first, HN_CHAR, 0, hn_world()) == HN_OK);
    job_check(strcmp(first, mine) == 0);
    job_check(hn_allreduce(HN_IN_PLACE, least, 2, HN_INT64, HN_MIN, hn_world()) == HN_OK);
    job_check(hn_allreduce(HN_IN_PLACE, most, 2, HN_INT64, HN_MAX, hn_world()) == HN_OK);
    job_check(memcmp(least, most, sizeof least) == 0);
}

static _Bool follows(void)
{
    struct uneven *flight = calloc(FLIGHT, sizeof *flight);
    uint64_t shared = random_seed(), own = shared + (uint64_t)hn_rank();
    bool watched = false;
    job_check(flight != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        fly(flight, &shared, &own);
        watched = watched || usual_decision().monitor.phase == MONITOR_ON;
        if (round % 50 == 0)
            compare();
        if (round == ROUNDS / 2) {
            job_check(hn_coll_adapt(hn_world(), 0) == HN_OK);
            fly(flight, &shared, &own);
            job_check(hn_coll_adapt(hn_world(), 1) == HN_OK);
        }
    }
    compare();
    job_check(watched);
    free(flight);
    return 1;
}

Test(uneven, random_sizes)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, net_text, 60, follows), 0, "HNOW_SEED=%llu",
                 (unsigned long long)random_seed());
}

/* A root whose counts are wrong is told so each time, and settles with the others all the same. */
static _Bool disagrees(void)
{
    enum { OFTEN = 200, COUNT = 8 };
    int64_t in[COUNT] = {0}, out[MEMBERS * COUNT];
    size_t counts[MEMBERS], displs[MEMBERS];
    int told = hn_rank() == 0 ? HN_ETRUNC : HN_OK;
    hn_request *request;
    for (size_t i = 0; i < MEMBERS; i++) {
        counts[i] = i == 1 ? COUNT / 2 : COUNT;
        displs[i] = i * COUNT;
    }
    for (int i = 0; i < OFTEN; i++) {
        job_check(hn_igatherv(in, COUNT, out, counts, displs, HN_INT64, 0, hn_world(), &request) ==
                  HN_OK);
        job_check(hn_wait(request, NULL) == told);
    }
    job_check(hn_gatherv_init(in, COUNT, out, counts, displs, HN_INT64, 0, hn_world(), &request) ==
              HN_OK);
    for (int i = 0; i < OFTEN; i++) {
        job_check(hn_start(request) == HN_OK);
        job_check(hn_wait(request, NULL) == told);
        job_check(!told || strstr(hn_error_text(), "do not agree"));
    }
    return hn_request_free(request) == HN_OK && hn_barrier(hn_world()) == HN_OK;
}

Test(uneven, counts_that_disagree)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, net_text, 12, disagrees), 0);
}
