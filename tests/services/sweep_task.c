/* sweep_task.c - members that die anywhere in any collective operation: sweep_task SEED
 *
 * In each round some members of the group, drawn from the seed, are about to die: one, two at about
 * the same time, the root, or one and another one while the others make their group anew.  All
 * carry out one operation, also drawn, in one of its three forms, again and again, until at some
 * moment the victims are killed.  Every other member must get HN_EDEAD, with the name of a victim;
 * then they shrink the group until they are among themselves and begin the next round.  Each of
 * those that are left in the end prints "LEFT left".  Where it hangs, hrun's -timeout says so; the
 * seed replays the choices, though not the moment of death to the microsecond.
 */
#include "check.h"
#include "hnow_coll.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { LEFT = 3, MOST = 64, BYTES_MOST = 300000, VICTIMS = 2 };

/* ---- the operations ---- */

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static int64_t *in, *out;
static size_t each, counts[MOST], displs[MOST]; /* elements of every member */
static int root;
static const hn_group *group;

#define OPERATION(name, ...)                                                                       \
    static int do_##name(enum form form, hn_request **request)                                     \
    {                                                                                              \
        return form == BLOCKING      ? hn_##name(__VA_ARGS__)                                      \
               : form == NONBLOCKING ? hn_i##name(__VA_ARGS__, request)                            \
                                     : hn_##name##_init(__VA_ARGS__, request);                     \
    }

OPERATION(barrier, group)
OPERATION(bcast, out, each, HN_INT64, root, group)
OPERATION(scatter, in, each, out, HN_INT64, root, group)
OPERATION(scatterv, in, counts, displs, out, each, HN_INT64, root, group)
OPERATION(gather, in, each, out, HN_INT64, root, group)
OPERATION(gatherv, in, each, out, counts, displs, HN_INT64, root, group)
OPERATION(allgather, in, each, out, HN_INT64, group)
OPERATION(allgatherv, in, out, counts, displs, HN_INT64, group)
OPERATION(alltoall, in, each, out, HN_INT64, group)
OPERATION(alltoallv, in, counts, displs, out, counts, displs, HN_INT64, group)
OPERATION(reduce, in, out, each, HN_INT64, HN_SUM, root, group)
OPERATION(allreduce, in, out, each, HN_INT64, HN_SUM, group)
OPERATION(reduce_scatter_block, in, out, each, HN_INT64, HN_MAX, group)
OPERATION(reduce_scatter, in, out, counts, HN_INT64, HN_MAX, group)
OPERATION(scan, in, out, each, HN_INT64, HN_SUM, group)
OPERATION(exscan, in, out, each, HN_INT64, HN_SUM, group)

static const struct {
    const char *name;
    int (*run)(enum form form, hn_request **request);
} operations[] = {
    {"barrier", do_barrier},     {"bcast", do_bcast},
    {"scatter", do_scatter},     {"scatterv", do_scatterv},
    {"gather", do_gather},       {"gatherv", do_gatherv},
    {"allgather", do_allgather}, {"allgatherv", do_allgatherv},
    {"alltoall", do_alltoall},   {"alltoallv", do_alltoallv},
    {"reduce", do_reduce},       {"allreduce", do_allreduce},
    {"scan", do_scan},           {"reduce_scatter_block", do_reduce_scatter_block},
    {"exscan", do_exscan},       {"reduce_scatter", do_reduce_scatter},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Again and again; the error that ends it. */
static int repeat(int operation, enum form form)
{
    hn_request *request = NULL;
    int error = HN_OK;
    if (form == PERSISTENT)
        error = operations[operation].run(form, &request);
    while (!error) {
        error = form == PERSISTENT ? hn_start(request) : operations[operation].run(form, &request);
        if (!error && form != BLOCKING)
            error = hn_wait(request, NULL);
    }
    if (form == PERSISTENT && request) {
        char said[300];
        snprintf(said, sizeof said, "%s", hn_error_text());
        CHECK(hn_request_free(request) == HN_OK && strcmp(said, hn_error_text()) == 0);
    }
    return error;
}

/* ---- a round ---- */

static uint64_t dice;

static int draw(int sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)sides);
}

struct round {
    int operation;
    enum form form;
    hn_tid victim[VICTIMS]; /* 0: none */
    int delay[VICTIMS];     /* microseconds */
    bool in_shrinking;      /* the second one dies there */
};

/* The same at all members. */
static struct round draw_round(void)
{
    static const int sizes[] = {8, 3000, BYTES_MOST};
    int size = hn_group_size(group), bytes = sizes[draw(3)], way = draw(4);
    struct round r = {.operation = draw(OPERATIONS), .form = (enum form)draw(FORMS)};
    root = draw(size);
    each = (size_t)(bytes / size / 8 + 1);
    for (int i = 0; i < size; i++) {
        counts[i] = each;
        displs[i] = (size_t)i * each;
    }
    int first = way == 0 ? root : draw(size);
    r.victim[0] = hn_group_tid(group, first);
    if (way >= 2 && size > LEFT + 1)
        r.victim[1] = hn_group_tid(group, (first + 1 + draw(size - 1)) % size);
    r.in_shrinking = way == 3;
    for (int i = 0; i < VICTIMS; i++)
        r.delay[i] = 1 + draw(draw(2) ? 300 : 20000);
    return r;
}

static void die(int signo)
{
    (void)signo;
    raise(SIGKILL);
}

static void die_in(int microseconds)
{
    struct itimerval timer = {.it_value = {0, microseconds}};
    signal(SIGALRM, die);
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* Nobody dies before everybody has begun the round. */
static void begin(const struct round *r)
{
    hn_context before = hn_set_context(hn_group_context(group));
    hn_tid me = hn_mytid();
    for (int i = 0; i < VICTIMS; i++)
        if (r->victim[i] && r->victim[i] != me)
            CHECK(hn_send(r->victim[i], 1, NULL, 0, HN_INT) == HN_OK);
    for (int i = 0; i < VICTIMS; i++)
        for (int k = 1; r->victim[i] == me && k < hn_group_size(group); k++)
            CHECK(hn_recv(HN_ANY, 1, NULL, 0, HN_INT, NULL) == HN_OK);
    hn_set_context(before);
}

/* A victim's part: it does as the others do, until it is dead. */
static void play_victim(const struct round *r, int number)
{
    bool late = number > 0 && r->in_shrinking;
    hn_group *smaller;
    if (!late)
        die_in(r->delay[number]);
    repeat(r->operation, r->form);
    if (late) {
        die_in(r->delay[number]);
        hn_group_shrink(group, &smaller);
    }
    for (;;)
        pause();
}

static void check_named(const struct round *r)
{
    char one[40], other[40];
    snprintf(one, sizeof one, "task %d on host ", r->victim[0]);
    snprintf(other, sizeof other, "task %d on host ", r->victim[1]);
    CHECK(strstr(hn_error_text(), one) || strstr(hn_error_text(), other));
}

/* Until those who live are among themselves. */
static void shrink(int size)
{
    for (;;) {
        hn_group *smaller;
        CHECK(hn_group_shrink(group, &smaller) == HN_OK);
        if (group != hn_world())
            hn_group_free((hn_group *)group);
        group = smaller;
        int error = hn_barrier(group);
        CHECK(error == HN_OK || error == HN_EDEAD);
        CHECK(hn_group_size(group) >= size);
        if (!error && hn_group_size(group) == size)
            return;
    }
}

static void play(const struct round *r)
{
    int size = hn_group_size(group) - 1 - (r->victim[1] > 0);
    hn_tid me = hn_mytid();
    begin(r);
    for (int i = 0; i < VICTIMS; i++)
        if (r->victim[i] == me)
            play_victim(r, i);
    CHECK(repeat(r->operation, r->form) == HN_EDEAD);
    check_named(r);
    shrink(size);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    dice = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
    group = hn_world();
    in = calloc(BYTES_MOST / 8 + MOST, sizeof *in);
    out = calloc(BYTES_MOST / 8 + MOST, sizeof *out);
    CHECK(in && out && hn_size() <= MOST);
    while (hn_group_size(group) > LEFT) {
        struct round r = draw_round();
        if (hn_group_rank(group, hn_mytid()) == 0)
            fprintf(stderr, "sweep: %d: %s, form %d, %zu elements, %d and %d die%s\n",
                    hn_group_size(group), operations[r.operation].name, (int)r.form, each,
                    r.victim[0], r.victim[1],
                    r.in_shrinking ? ", the second one in shrinking" : "");
        play(&r);
    }
    printf("%d left\n", hn_group_size(group));
    free(in);
    free(out);
    return hn_exit() != HN_OK;
}
