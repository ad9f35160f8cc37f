/* test_mistakes.c - one member's arguments are wrong: it is told at once, and all others who cannot
 * have their result are told whose mistake that was; nobody waits for ever, also where what they
 * send it is more than its inbox holds; and the next operation is the next one everywhere. */
#include "engine/activity.h"
#include "base/error.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPERATIONS = 70, MOST = 400, TAG = 7 };

enum kind { BCAST, REDUCE, ALLREDUCE, SCATTER, GATHER, ALLGATHER, ALLTOALL, SCAN, GATHERV, KINDS };
enum mistake { NONE, ROOT, TYPE, OPERATOR, BUFFER, MISTAKES };

struct flight {
    enum kind kind;
    int root, culprit; /* ranks; the culprit makes the mistake */
    enum mistake mistake;
    size_t count;
    hn_request *request;
    int64_t *in, *out;
};

static const hn_group *world;
static int me, n;

/* ---- many at once ------------------------------------------------------------------------------
 */

static bool has_root(enum kind kind)
{
    return kind == BCAST || kind == REDUCE || kind == SCATTER || kind == GATHER || kind == GATHERV;
}

static bool combines(enum kind kind)
{
    return kind == REDUCE || kind == ALLREDUCE || kind == SCAN;
}

/* Alike at all members. */
static void draw(struct flight *f, uint64_t *state)
{
    *f = (struct flight){.kind = (enum kind)random_below(state, KINDS),
                         .root = (int)random_below(state, n),
                         .culprit = (int)random_below(state, n),
                         .mistake = (enum mistake)random_below(state, MISTAKES),
                         .count = 1 + (size_t)random_below(state, MOST)};
    if ((f->mistake == ROOT && !has_root(f->kind)) ||
        (f->mistake == OPERATOR && !combines(f->kind)))
        f->mistake = BUFFER;
}

static int start_gatherv(const struct flight *f, const void *in, int root, hn_type type,
                         hn_request **request)
{
    static size_t counts[OPERATIONS * JOB_MAX], displs[OPERATIONS * JOB_MAX], used;
    size_t *own_counts = counts + used, *own_displs = displs + used; /* they stay until the end */
    used += (size_t)n;
    for (int i = 0; i < n; i++) {
        own_counts[i] = f->count;
        own_displs[i] = f->count * (size_t)i;
    }
    return hn_igatherv(in, f->count, f->out, own_counts, own_displs, type, root, world, request);
}

static int start(struct flight *f)
{
    enum mistake mistake = me == f->culprit ? f->mistake : NONE;
    hn_type type = mistake == TYPE ? 77 : HN_INT64;
    hn_op op = mistake == OPERATOR ? (hn_op)12345 : HN_MAX;
    int root = mistake == ROOT ? n + 3 : f->root;
    const void *in = mistake == BUFFER ? NULL : f->in;
    hn_request **request = &f->request;
    switch (f->kind) {
    case BCAST:
        return hn_ibcast(mistake == BUFFER ? NULL : f->out, f->count, type, root, world, request);
    case REDUCE:
        return hn_ireduce(in, f->out, f->count, type, op, root, world, request);
    case ALLREDUCE:
        return hn_iallreduce(in, f->out, f->count, type, op, world, request);
    case SCATTER:
        return hn_iscatter(in, f->count, mistake == BUFFER ? NULL : f->out, type, root, world,
                           request);
    case GATHER:
        return hn_igather(in, f->count, f->out, type, root, world, request);
    case ALLGATHER:
        return hn_iallgather(in, f->count, f->out, type, world, request);
    case ALLTOALL:
        return hn_ialltoall(in, f->count, f->out, type, world, request);
    case SCAN:
        return hn_iscan(in, f->out, f->count, type, op, world, request);
    default:
        return start_gatherv(f, in, root, type, request);
    }
}

/* Whether what this member is to have comes from the culprit. */
static bool depends(const struct flight *f)
{
    if (f->kind == BCAST || f->kind == SCATTER)
        return f->culprit == f->root;
    if (f->kind == GATHERV && f->mistake != BUFFER)
        return true; /* the counts, which go to all */
    if (f->kind == REDUCE || f->kind == GATHER || f->kind == GATHERV)
        return me == f->root;
    return f->kind != SCAN || me > f->culprit;
}

static bool names(const struct flight *f, const char *text)
{
    char task[32];
    snprintf(task, sizeof task, "task %d ", hn_group_tid(world, f->culprit));
    return strstr(text, task);
}

static void check(const struct flight *f, int error)
{
    const char *text = hn_error_text();
    if (f->mistake == NONE)
        job_check(error == HN_OK);
    else if (me == f->culprit)
        job_check(error == (f->mistake == OPERATOR ? HN_ETYPE : HN_EARG) && !strstr(text, "task"));
    else if (error)
        job_check((error == HN_EARG || error == HN_ETYPE) && names(f, text));
    else
        job_check(!depends(f));
}

/* In an order of each member's own. */
static void end_all(struct flight *flights)
{
    for (int i = 0; i < OPERATIONS; i++) {
        struct flight *f = &flights[(i * 11 + me * 13) % OPERATIONS];
        if (f->request)
            check(f, hn_wait(f->request, NULL));
    }
}

static _Bool at_once(void)
{
    static struct flight flights[OPERATIONS];
    uint64_t state = random_seed();
    int64_t sum = 1;
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    state += (uint64_t)n;
    job_check(hn_set_plan(world, "binomial") == HN_OK);
    for (int k = 0; k < OPERATIONS; k++) {
        struct flight *f = &flights[k];
        draw(f, &state);
        f->in = calloc(f->count * (size_t)n, sizeof *f->in);
        f->out = calloc(f->count * (size_t)n, sizeof *f->out);
        int error = start(f);
        job_check(!error == (f->mistake == NONE || me != f->culprit));
        if (error)
            check(f, error);
    }
    end_all(flights);
    for (int k = 0; k < OPERATIONS; k++) {
        free(flights[k].in);
        free(flights[k].out);
    }
    job_check(hn_allreduce(HN_IN_PLACE, &sum, 1, HN_INT64, HN_SUM, world) == HN_OK && sum == n);
    return 1;
}

Test(mistakes, two)
{
    cr_assert_eq(job_run(2, 12, at_once), 0);
}

Test(mistakes, five)
{
    cr_assert_eq(job_run(5, 30, at_once), 0);
}

/* ---- more than the inbox holds -----------------------------------------------------------------
 */

enum { LONG = 1 << 20, SEVERAL = 3 };

static char in[LONG], out[4 * LONG];

/* Rank 0 has other things to do, for which its inbox is needed. */
static void go_on(void)
{
    int from;
    for (int rank = 1; rank < hn_size() && hn_rank() == 0; rank++)
        job_check(hn_recv(HN_ANY, TAG, &from, 1, HN_INT, NULL) == HN_OK);
    from = hn_rank();
    if (hn_rank() > 0)
        job_check(hn_send(hn_group_tid(world, 0), TAG, &from, 1, HN_INT) == HN_OK);
    job_check(hn_barrier(world) == HN_OK);
}

/* What comes meanwhile may still be for an operation that follows. */
static void look_for_a_while(void)
{
    for (int i = 0; i < 100; i++, usleep(1000))
        job_check(hn_iprobe(HN_ANY, TAG, NULL) == 0);
}

static _Bool full(void)
{
    world = hn_world();
    me = hn_rank();
    job_check(hn_set_plan(world, "flat") == HN_OK);
    for (int i = 0; i < SEVERAL; i++) {
        /* It has left. */
        int error = hn_gather(in, LONG, out, HN_CHAR, me == 0 ? -1 : 0, world);
        job_check(me == 0 ? error == HN_EARG : error == HN_OK || strstr(hn_error_text(), "task"));
        go_on();
        /* It is there, without room for what comes. */
        error = hn_gather(in, LONG, me == 0 ? NULL : out, HN_CHAR, 0, world);
        job_check(me == 0 ? error == HN_EARG : error == HN_OK || strstr(hn_error_text(), "task"));
        go_on();
    }
    /* It is in another operation, or two. */
    if (me == 0)
        look_for_a_while();
    int error =
        me == 0 ? hn_bcast(in, 1, HN_CHAR, 0, world) : hn_gather(in, LONG, out, HN_CHAR, 0, world);
    job_check(error == HN_OK);
    error =
        me == 0 ? hn_bcast(in, 1, HN_CHAR, 0, world) : hn_gather(in, LONG, out, HN_CHAR, 0, world);
    job_check(error == HN_OK);
    go_on();
    return 1;
}

static void run_full(const char *path)
{
    setenv("HNOW_LOCAL", path, 1);
    setenv("HNOW_INBOX", "100000", 1);
    int failed = job_run(3, 12, full);
    unsetenv("HNOW_INBOX");
    unsetenv("HNOW_LOCAL");
    cr_assert_eq(failed, 0, "%s", path);
}

Test(mistakes, what_nobody_takes_fills_no_inbox)
{
    for (int i = 0; i < JOB_PATHS; i++)
        run_full(job_paths[i]);
}

/* ---- other forms -------------------------------------------------------------------------------
 */

/* Where it is made, or where it is started. */
static void lasting(hn_op op, bool buffer)
{
    int64_t part = me, sum = 0;
    hn_request *request;
    int error = hn_allreduce_init(buffer ? &part : NULL, &sum, 1, HN_INT64, op, world, &request);
    job_check(!error == (me != 1));
    if (error) {
        job_check(error == (buffer ? HN_ETYPE : HN_EARG));
        return;
    }
    job_check(hn_start(request) == HN_OK);
    job_check(hn_wait(request, NULL) && strstr(hn_error_text(), "task"));
    job_check(hn_request_free(request) == HN_OK);
}

/* What is refused is the caller's again, lists of counts, too. */
static void lists(bool counted, bool buffer)
{
    size_t *counts = malloc(3 * sizeof *counts), *displs = malloc(3 * sizeof *displs);
    int64_t part = me, parts[3];
    hn_request *request;
    for (int i = 0; i < 3; i++) {
        counts[i] = 1;
        displs[i] = (size_t)i;
    }
    int error = hn_igatherv(&part, 1, buffer ? parts : NULL, counted ? counts : NULL, displs,
                            HN_INT64, 1, world, &request);
    job_check(!error == (me != 1));
    memset(counts, 0xff, 3 * sizeof *counts);
    memset(displs, 0xff, 3 * sizeof *displs);
    free(counts);
    free(displs);
    if (!error)
        error = hn_wait(request, NULL);
    job_check(error == HN_EARG || (me != 1 && counted));
}

static void exchange(void)
{
    size_t counts[3] = {1, 1, 1}, places[3] = {0, 8, 16};
    hn_type types[3] = {HN_INT64, HN_INT64, me == 1 ? 77 : HN_INT64};
    int64_t to[3] = {0}, from[3];
    int error = hn_alltoallw(to, counts, places, types, from, counts, places, types, world);
    job_check(error == HN_EARG);
    job_check(me == 1 || strstr(hn_error_text(), "has ended it with an error: "));
}

static _Bool others(void)
{
    world = hn_world();
    me = hn_rank();
    lasting(me == 1 ? (hn_op)12345 : HN_SUM, true);
    lasting(HN_SUM, me != 1);
    lists(true, me != 1);
    lists(me != 1, true);
    job_check(hn_barrier(world) == HN_OK);
    exchange();
    return hn_barrier(world) == HN_OK;
}

Test(mistakes, lasting_and_between_neighbours)
{
    cr_assert_eq(job_run(3, 12, others), 0);
}

/* ---- who leaves instead ------------------------------------------------------------------------
 */

/* Only the next one of the chain meets it gone; who waits for that one hears whom it has met. */
static _Bool left_behind(void)
{
    char task[40];
    world = hn_world();
    me = hn_rank();
    snprintf(task, sizeof task, "task %d on host ", hn_group_tid(world, 0));
    job_check(hn_set_plan(world, "chain") == HN_OK && hn_barrier(world) == HN_OK);
    if (me == 0)
        return 1;
    for (int i = 0; i < 2; i++)
        job_check(hn_bcast(in, LONG, HN_CHAR, 0, world) == HN_EDEAD &&
                  strstr(hn_error_text(), task));
    /* Nobody leaves before the one behind it has heard. */
    if (me + 1 < hn_size())
        job_check(hn_recv(hn_group_tid(world, me + 1), TAG, NULL, 0, HN_INT, NULL) == HN_OK);
    return me == 1 || hn_send(hn_group_tid(world, me - 1), TAG, NULL, 0, HN_INT) == HN_OK;
}

Test(mistakes, one_leaves_instead)
{
    cr_assert_eq(job_run(4, 12, left_behind), 0);
}

/* Nobody asks: whoever meets the end names it to those that wait for it. */
Test(mistakes, one_leaves_and_nobody_asks)
{
    setenv("HNOW_ASK", "0", 1);
    int failed = job_run(4, 12, left_behind);
    unsetenv("HNOW_ASK");
    cr_assert_eq(failed, 0);
}

/* Rank 1 meets the end of rank 0 in one operation, and refuses the next one.  Rank 2 needs nothing
 * of rank 0 in the first, and waits for rank 1 in the next. */
enum later { LATER_BCAST, LATER_LASTING, LATER_LIST, LATER_NEIGHBOURS, LATER_STARTED, LATER_KINDS };
static enum later later;

static hn_topology *line(void)
{
    static const int to[][2] = {{1}, {0, 2}, {1}};
    hn_topology *made;
    job_check(hn_topology_graph(world, to[me], NULL, me == 1 ? 2 : 1, &made) == HN_OK);
    return made;
}

static hn_request *prepare(const hn_topology *neighbours)
{
    hn_request *request = NULL;
    if (later == LATER_LASTING)
        job_check(hn_bcast_init(in, LONG, HN_CHAR, 1, world, &request) == HN_OK);
    if (later == LATER_STARTED)
        job_check(hn_neighbour_allgather_init(&me, 1, out, HN_INT, neighbours, &request) == HN_OK);
    return request;
}

static int started(hn_request *request)
{
    int error = hn_start(request);
    return error ? error : hn_wait(request, NULL);
}

static int first_operation(const hn_topology *neighbours, hn_request *request)
{
    if (later == LATER_STARTED)
        return started(request);
    return later == LATER_NEIGHBOURS ? hn_neighbour_allgather(&me, 1, out, HN_INT, neighbours)
                                     : hn_gather(&me, 1, out, HN_INT, 1, world);
}

static int later_operation(const hn_topology *neighbours, hn_request *request)
{
    static const int list[] = {2};
    if (later == LATER_LIST)
        return hn_bcast_to(in, LONG, HN_CHAR, 1, list, 1, world);
    if (request)
        return started(request);
    return later == LATER_NEIGHBOURS ? hn_neighbour_allgather(&me, 1, out, HN_INT, neighbours)
                                     : hn_bcast(in, LONG, HN_CHAR, 1, world);
}

static _Bool refused_later(void)
{
    world = hn_world();
    me = hn_rank();
    hn_topology *neighbours = line();
    hn_request *request = prepare(neighbours);
    job_check(hn_set_plan(world, "flat") == HN_OK && hn_barrier(world) == HN_OK);
    if (me == 0)
        return 1;
    int error = first_operation(neighbours, request);
    job_check(me == 1 ? error == HN_EDEAD : error == HN_OK);
    job_check(later_operation(neighbours, request) == HN_EDEAD);
    if (me == 2)
        return hn_send(hn_group_tid(world, 1), TAG, NULL, 0, HN_INT) == HN_OK;
    return hn_recv(hn_group_tid(world, 2), TAG, NULL, 0, HN_INT, NULL) == HN_OK;
}

Test(mistakes, refused_after_one_has_left)
{
    for (later = 0; later < LATER_KINDS; later++)
        cr_assert_eq(job_run(3, 12, refused_later), 0, "%d", (int)later);
}

/* ---- numbers begin anew ------------------------------------------------------------------------
 */

enum { ROUND = 1 << 17 }; /* operations that tags tell apart (open_table.c) */

/* What comes late for an operation that has ended with an error is not taken for the one that has
 * its tag a round later. */
static _Bool a_round_later(void)
{
    int64_t mine = 1, all[2] = {0};
    world = hn_world();
    me = hn_rank();
    job_check(hn_set_plan(world, "flat") == HN_OK && hn_barrier(world) == HN_OK);
    if (me == 1)
        usleep(100000);
    int error = hn_gather(&mine, 1, me == 0 ? NULL : all, HN_INT64, 0, world);
    job_check(me == 0 ? error == HN_EARG : error == HN_OK || strstr(hn_error_text(), "task"));
    for (int i = 1; i < ROUND; i++)
        job_check(hn_barrier(world) == HN_OK);
    mine = 2;
    job_check(hn_gather(&mine, 1, all, HN_INT64, 0, world) == HN_OK);
    return me == 1 || (all[0] == 2 && all[1] == 2);
}

Test(mistakes, numbers_begin_anew)
{
    cr_assert_eq(job_run(2, 60, a_round_later), 0);
}

/* ---- texts -------------------------------------------------------------------------------------
 */

static bool fails_besides(struct activity *activity)
{
    activity->request.result = error_set(HN_EDEAD, "besides");
    snprintf(activity->text, sizeof activity->text, "said now");
    return true;
}

/* An operation under way may go on, and fail, in a call that has failed itself. */
static _Bool own_text_stays(void)
{
    static struct activity besides = {.advance = fails_besides, .release = activity_forget};
    job_check(hn_iallreduce(NULL, NULL, 1, 77, HN_SUM, hn_world(), NULL) == HN_EARG);
    char text[ERROR_TEXT];
    snprintf(text, sizeof text, "%s", hn_error_text());
    job_check(activity_init(&besides) == HN_OK && activity_start(&besides) == HN_OK);
    job_check(besides.request.done && text[0] && strcmp(hn_error_text(), text) == 0);
    job_check(hn_wait(&besides.request, NULL) == HN_EDEAD && strstr(hn_error_text(), "said now"));
    return 1;
}

Test(mistakes, what_fails_besides_leaves_the_text)
{
    cr_assert_eq(job_run(1, 12, own_text_stays), 0);
}
