/* test_multimulticast.c - hn_multimulticast() on real tasks (job.h): random lists by every planner,
 * in every form, against what the sources have; many at once on a network file whose plans are
 * tried; lists that are wrong, or not the same everywhere, which every member is told at once. */
#include "forms.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "planners/planner.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MOST = 9, MESSAGES_MOST = 12, COUNT_MOST = 40000, ROUNDS = 60, FLIGHT = 5 };

static const hn_group *world;
static int me, n;

/* Messages of one operation, with a buffer of this member's for each. */
struct lists {
    int count;
    hn_multicast_message message[MESSAGES_MOST];
    int to[MESSAGES_MOST][TASKS_MOST];
    int64_t salt;
    hn_type type;
    hn_request *request;
};

static uint8_t byte_of(const struct lists *l, int k, size_t i)
{
    return (uint8_t)((uint64_t)(l->salt + 31 * k + 1) * 0x9e3779b97f4a7c15u >> (i % 50));
}

/* The elements of a message are small whole numbers, which every type holds. */
static void put(const struct lists *l, int k, uint8_t *data, size_t bytes)
{
    size_t size = hn_type_size(l->type);
    for (size_t i = 0; i < bytes; i++)
        data[i] = i % size == 0 ? byte_of(l, k, i / size) & 0x7f : 0;
}

static bool wants(const struct lists *l, int k, int rank)
{
    for (int i = 0; i < l->message[k].n; i++)
        if (l->message[k].to[i] == rank)
            return true;
    return false;
}

static size_t bytes_of(const struct lists *l, int k)
{
    return l->message[k].count * hn_type_size(l->type);
}

/* Alike at all members, but for the order of destinations and the buffers. */
static void draw(struct lists *l, uint64_t *state)
{
    static const hn_type types[] = {HN_BYTE, HN_INT32, HN_INT64, HN_TYPE(HN_CLASS_LONG, 4)};
    int density = 1 + (int)random_below(state, 4);
    l->count = (int)random_below(state, MESSAGES_MOST + 1);
    l->type = types[random_below(state, 4)];
    l->salt = random_below(state, 1 << 30);
    for (int k = 0; k < l->count; k++) {
        hn_multicast_message *m = &l->message[k];
        int64_t most = random_below(state, 8) ? 300 : COUNT_MOST;
        *m = (hn_multicast_message){.source = (int)random_below(state, n),
                                    .to = l->to[k],
                                    .count = (size_t)random_below(state, most)};
        for (int rank = 0; rank < n; rank++)
            if (rank != m->source && random_below(state, 4) < density)
                l->to[k][m->n++] = rank;
        if (m->n > 1 && me % 2) { /* a set, whose order is each member's own */
            int first = l->to[k][0];
            l->to[k][0] = l->to[k][m->n - 1];
            l->to[k][m->n - 1] = first;
        }
    }
}

/* A buffer where the caller needs one, and none elsewhere. */
static void give_buffers(struct lists *l)
{
    for (int k = 0; k < l->count; k++) {
        hn_multicast_message *m = &l->message[k];
        size_t bytes = bytes_of(l, k);
        bool sends = m->source == me && m->n > 0;
        if (!sends && !wants(l, k, me))
            continue;
        m->data = malloc(bytes + 1);
        memset(m->data, 0xee, bytes + 1);
        if (sends)
            put(l, k, m->data, bytes);
    }
}

static void check_buffers(struct lists *l)
{
    for (int k = 0; k < l->count; k++) {
        size_t bytes = bytes_of(l, k);
        uint8_t *data = l->message[k].data, *wanted = malloc(bytes + 1);
        put(l, k, wanted, bytes);
        wanted[bytes] = 0xee;
        job_check(!data || memcmp(data, wanted, bytes + 1) == 0);
        free(wanted);
        free(data);
    }
}

/* ---- right lists -------------------------------------------------------------------------------
 */

static const char *draw_plan(uint64_t *state)
{
    const struct planner *p = &planners[random_below(state, planner_count)];
    bool serves = p->operations & OP_BIT(OP_MULTIMULTICAST);
    return serves && p->search == 0 ? p->name : NULL;
}

static void run_once(uint64_t *state)
{
    struct lists l = {0};
    draw(&l, state);
    enum form form = (enum form)random_below(state, FORMS);
    job_check(hn_set_plan(world, draw_plan(state)) == HN_OK);
    give_buffers(&l);
    int error = FORM(form, multimulticast, l.message, l.count, l.type, world);
    if (error)
        fprintf(stderr, "form %d: %d: %s\n", form, error, hn_error_text());
    job_check(error == HN_OK);
    check_buffers(&l);
}

static _Bool random_lists(void)
{
    uint64_t state = random_seed() * 1000 + (uint64_t)hn_size();
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    for (int i = random_rounds(ROUNDS); i > 0; i--)
        run_once(&state);
    return 1;
}

Test(multimulticast, delivers_what_the_sources_have)
{
    for (int tasks = 1; tasks <= TASKS_MOST; tasks += 2)
        cr_assert_eq(job_run(tasks, 60, random_lists), 0, "%d tasks, HNOW_SEED=%llu", tasks,
                     (unsigned long long)random_seed());
}

/* Several under way, of which every member waits in an order of its own; their lists and their
 * array may be overwritten as soon as they are started. */
static void fly(uint64_t *state, int round)
{
    static struct lists flight[FLIGHT], kept[FLIGHT];
    for (int i = 0; i < FLIGHT; i++) {
        flight[i] = (struct lists){0};
        uint64_t same = 77 + (uint64_t)i; /* every other operation is the same again and again */
        draw(&flight[i], round % 2 ? &same : state);
        give_buffers(&flight[i]);
        kept[i] = flight[i];
        for (int k = 0; k < kept[i].count; k++)
            kept[i].message[k].to = kept[i].to[k];
        job_check(hn_imultimulticast(flight[i].message, flight[i].count, flight[i].type, world,
                                     &kept[i].request) == HN_OK);
        memset(&flight[i], 0x55, sizeof flight[i]);
    }
    for (int i = 0; i < FLIGHT; i++) {
        struct lists *l = &kept[(i * 2 + me) % FLIGHT];
        job_check(hn_wait(l->request, NULL) == HN_OK);
        check_buffers(l);
    }
}

static _Bool many_at_once(void)
{
    uint64_t state = random_seed();
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    for (int i = random_rounds(ROUNDS); i > 0; i--) {
        int64_t sum = 0, one = 1;
        fly(&state, i);
        job_check(hn_allreduce(&one, &sum, 1, HN_INT64, HN_SUM, world) == HN_OK && sum == n);
    }
    return 1;
}

/* Quicker than anything, so that plans are tried. */
static const char quick_text[] =
    "@network version=5\n"
    "* send_us=0.1 recv_us=0.1 send_ns_per_byte=0.01 recv_ns_per_byte=0.01\n"
    "h0\nh1\nh2\n"
    "@subnet a medium=switch latency_us=0.1 ns_per_byte=1 hosts=h0,h1\n"
    "@subnet b medium=switch latency_us=0.1 ns_per_byte=1 hosts=h2\n"
    "@link a b latency_us=1 ns_per_byte=2\n";

Test(multimulticast, many_are_under_way)
{
    cr_assert_eq(job_run_on(6, 3, quick_text, 60, many_at_once), 0, "HNOW_SEED=%llu",
                 (unsigned long long)random_seed());
}

/* A persistent request sends what its buffers hold at each start. */
static _Bool starts_again(void)
{
    const int everyone[] = {1, 2, 3};
    int64_t data[1000];
    hn_multicast_message one = {0, everyone, 3, data, 1000};
    hn_request *request;
    job_check(hn_multimulticast_init(&one, 1, HN_INT64, hn_world(), &request) == HN_OK);
    for (int64_t round = 0; round < 20; round++) {
        for (int i = 0; i < 1000; i++)
            data[i] = hn_rank() == 0 ? round * 1000 + i : -1;
        job_check(hn_start(request) == HN_OK && hn_wait(request, NULL) == HN_OK);
        for (int i = 0; i < 1000; i++)
            job_check(data[i] == round * 1000 + i);
        /* The next round writes into the buffers of who may still send from them. */
        job_check(hn_barrier(hn_world()) == HN_OK);
    }
    job_check(hn_request_free(request) == HN_OK);
    return 1;
}

Test(multimulticast, a_persistent_one_starts_again)
{
    cr_assert_eq(job_run(4, 20, starts_again), 0);
}

/* ---- wrong lists -------------------------------------------------------------------------------
 */

enum mistake {
    SOURCE,
    RANK,
    TWICE,
    SELF,
    NO_LIST,
    MANY,
    BELOW,
    COUNT,
    BUFFER,
    NEGATIVE,
    NO_MESSAGES,
    OWN_MISTAKES, /* those before are seen by the caller alone; in the others its list is right */
    OTHER_SOURCE = OWN_MISTAKES,
    OTHER_LIST,
    OTHER_COUNT,
    OTHER_TYPE,
    OTHER_NUMBER,
    OTHER_ORDER,
    MISTAKES
};

static const int good_to[2][2] = {{1, 2}, {3, 0}};

static int call(enum form form, enum mistake mistake, uint8_t *data)
{
    static int to[2][2], many[] = {0, 2, 3, 1};
    hn_multicast_message m[] = {{0, to[0], 2, data, 64}, {2, to[1], 2, data + 64, 32}};
    memcpy(to, good_to, sizeof to);
    int count = mistake == NEGATIVE ? -1 : mistake == OTHER_NUMBER ? 1 : 2;
    hn_type type = mistake == OTHER_TYPE ? HN_INT8 : HN_BYTE;
    switch (mistake) {
    case SOURCE:
        m[1].source = 4;
        break;
    case RANK:
        to[0][1] = -1;
        break;
    case TWICE:
        to[0][1] = 1;
        break;
    case SELF:
        to[1][0] = 2;
        break;
    case NO_LIST:
        m[0].to = NULL;
        break;
    case MANY:
        m[0] = (hn_multicast_message){0, many, 4, data, 64};
        break;
    case BELOW:
        m[0].n = -1;
        break;
    case COUNT:
        m[1].count = SIZE_MAX;
        break;
    case BUFFER:
        m[0].data = m[1].data = NULL;
        break;
    case OTHER_SOURCE:
        m[0].source = 3;
        break;
    case OTHER_LIST:
        to[0][1] = 3;
        break;
    case OTHER_COUNT:
        m[1].count = 31;
        break;
    case OTHER_ORDER:
        m[0] = (hn_multicast_message){2, to[1], 2, data + 64, 32};
        m[1] = (hn_multicast_message){0, to[0], 2, data, 64};
        break;
    default:
        break;
    }
    return FORM(form, multimulticast, mistake == NO_MESSAGES ? NULL : m, count, type, hn_world());
}

static bool names(hn_tid culprit, const char *text)
{
    char task[32];
    snprintf(task, sizeof task, "task %d ", culprit);
    return strstr(text, task);
}

/* Every member gets HN_EARG, who made the mistake is named, no buffer has been touched, and the
 * next operation is the next one everywhere. */
static void check_mistake(enum form form, enum mistake mistake, int culprit)
{
    uint8_t data[96], before[96];
    memset(data, hn_rank() + 1, sizeof data);
    memcpy(before, data, sizeof data);
    enum mistake mine = hn_rank() == culprit ? mistake : MISTAKES;
    int error = call(form, mine, data);
    const char *text = hn_error_text();
    bool named = hn_rank() == culprit ? !strstr(text, "task ")
                                      : names(hn_group_tid(hn_world(), culprit), text);
    if (error != HN_EARG || !named)
        fprintf(stderr, "rank %d, form %d, mistake %d of %d: %d, %s\n", hn_rank(), form, mistake,
                culprit, error, text);
    job_check(error == HN_EARG && named && memcmp(data, before, sizeof data) == 0);
    job_check(call(form, MISTAKES, data) == HN_OK);
    if (hn_rank() == 1)
        job_check(data[0] == 1 && data[63] == 1 && data[64] == 2);
    if (hn_rank() == 3)
        job_check(data[0] == 4 && data[64] == 3);
}

static _Bool mistakes(void)
{
    for (int mistake = 0; mistake < MISTAKES; mistake++)
        for (int culprit = 0; culprit < 4; culprit++) {
            for (int form = 0; form < FORMS; form++)
                if (random_turn((size_t)(mistake + culprit + form), 3))
                    check_mistake((enum form)form, (enum mistake)mistake, culprit);
        }
    return 1;
}

Test(multimulticast, every_member_is_told_of_a_mistake)
{
    cr_assert_eq(job_run(4, 60, mistakes), 0);
}

/* One member calls something else. */
static _Bool another_operation(void)
{
    uint8_t data[96] = {0};
    int error = hn_rank() == 1 ? hn_barrier(hn_world()) : call(BLOCKING, MISTAKES, data);
    job_check(error == HN_EARG);
    job_check(call(BLOCKING, MISTAKES, data) == HN_OK);
    return 1;
}

Test(multimulticast, another_operation_is_found_out)
{
    cr_assert_eq(job_run(4, 20, another_operation), 0);
}

static _Bool refuses(void)
{
    hn_request *request;
    const int to[] = {1};
    uint8_t data[1];
    hn_multicast_message one = {0, to, 1, data, 1};
    job_check(hn_multimulticast(&one, 1, HN_BYTE, NULL) == HN_EARG);
    job_check(hn_multimulticast(&one, 1, 77, hn_world()) == HN_EARG);
    job_check(hn_imultimulticast(&one, 1, HN_BYTE, hn_world(), NULL) == HN_EARG);
    job_check(hn_multimulticast_init(&one, 1, HN_BYTE, NULL, &request) == HN_EARG);
    return 1;
}

Test(multimulticast, refuses_what_no_group_can_carry_out)
{
    cr_assert_eq(job_run(2, 10, refuses), 0);
}

/* ---- what the model says -----------------------------------------------------------------------
 */

static _Bool forecasts(void)
{
    static const int to[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    hn_multicast_message m[3];
    hn_forecast best, wrp, ecf;
    const hn_group *all = hn_world();
    for (int k = 0; k < 3; k++)
        m[k] = (hn_multicast_message){k, to[k], 2, NULL, 100000};
    if (hn_rank() == 1) {
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, NULL, &best) == HN_OK);
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, "wrp", &wrp) == HN_OK);
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, "ecf", &ecf) == HN_OK);
        job_check(best.measured && best.lower_bound > 0 && best.makespan >= best.lower_bound);
        job_check(best.makespan <= wrp.makespan && best.makespan <= ecf.makespan);
        job_check(strcmp(wrp.plan, "wrp") == 0 && strcmp(ecf.plan, "ecf") == 0);
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, "ring", &best) == HN_EPLAN);
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, "none", &best) == HN_EARG);
        job_check(hn_forecast_multimulticast(all, m, 3, 77, NULL, &best) == HN_EARG);
        m[1].source = 3;
        job_check(hn_forecast_multimulticast(all, m, 3, HN_BYTE, NULL, &best) == HN_EARG);
        job_check(strstr(hn_error_text(), "message 1"));
    }
    return 1;
}

Test(multimulticast, can_be_forecast)
{
    cr_assert_eq(job_run_on(3, 3, quick_text, 10, forecasts), 0);
}
