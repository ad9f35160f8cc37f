/* ops.c - single operations of a peer at agreed moments of one clock; see ops.h. */
#include "ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* As in common_clock.c: so many questions, but no more than the least when they take that long. */
enum { ASKED_MOST = 30, ASKED_LEAST = 5 };
static const int64_t patience = 250000000, over = -1, lead_least = 1000000,
                     lead_most = INT64_C(20000000000);

static const struct operation {
    const char *name;
    int sums;
    void (*run)(struct ops_data *d);
} operations[] = {
    {"barrier", 0, ops_barrier},     {"bcast", 0, ops_bcast},
    {"scatter", 0, ops_scatter},     {"gather", 0, ops_gather},
    {"reduce", 1, ops_reduce},       {"allreduce", 1, ops_allreduce},
    {"allgather", 0, ops_allgather}, {"allgatherv", 0, ops_allgatherv},
    {"alltoall", 0, ops_alltoall},   {"reduce_scatter", 1, ops_reduce_scatter},
    {"scan", 1, ops_scan},           {"exscan", 1, ops_exscan},
};

static const struct operation *operation_named(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

/* ---- one clock ---- */

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The clock of a rank less ours, by the quickest round trip. */
static int64_t ask_clock(int other)
{
    int64_t best = INT64_MAX, offset = 0, begin = now();

    for (int i = 0; i < ASKED_LEAST || (i < ASKED_MOST && now() - begin < patience); i++) {
        int64_t asked = now(), told = asked, heard;
        ops_send(other, &told, 1);
        ops_receive(other, &told, 1);
        heard = now();
        if (heard - asked < best) {
            best = heard - asked;
            offset = told - asked - best / 2;
        }
    }
    ops_send(other, &over, 1);
    return offset;
}

static void answer_clock(void)
{
    for (;;) {
        int64_t told;
        ops_receive(0, &told, 1);
        if (told == over)
            return;
        told = now();
        ops_send(0, &told, 1);
    }
}

/* offset[r]: the clock of rank r less that of rank 0, at rank 0. */
static void compare_clocks(int rank, int size, int64_t *offset)
{
    if (rank > 0)
        answer_clock();
    for (int other = 1; rank == 0 && other < size; other++)
        offset[other] = ask_clock(other);
}

static void sleep_until(int64_t moment)
{
    struct timespec t = {moment / 1000000000, moment % 1000000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        continue;
}

/* ---- single operations ---- */

enum { HEARD, DONE, REPORT }; /* the moments of one rank */

static void perform(const struct operation *o, struct ops_data *d, int64_t moment,
                    int64_t report[REPORT])
{
    report[HEARD] = now();
    sleep_until(moment);
    o->run(d);
    report[DONE] = now();
}

static void follow(const struct operation *o, struct ops_data *d)
{
    for (;;) {
        int64_t moment, report[REPORT];
        ops_receive(0, &moment, 1);
        if (moment == over)
            return;
        perform(o, d, moment, report);
        ops_send(0, report, REPORT);
    }
}

static void tell(const struct ops_data *d, const int64_t *offset, int64_t moment)
{
    for (int other = 1; other < d->size; other++) {
        int64_t there = moment == over ? over : moment + offset[other];
        ops_send(other, &there, 1);
    }
}

/* One sample in seconds; below 0: somebody heard too late. */
static double take(const struct operation *o, struct ops_data *d, const int64_t *offset,
                   int64_t ahead)
{
    int64_t moment = now() + ahead, all[REPORT];

    tell(d, offset, moment);
    perform(o, d, moment, all);
    for (int other = 1; other < d->size; other++) {
        int64_t report[REPORT];
        ops_receive(other, report, REPORT);
        for (int i = 0; i < REPORT; i++)
            if (report[i] - offset[other] > all[i])
                all[i] = report[i] - offset[other];
    }
    return all[HEARD] <= moment ? (double)(all[DONE] - moment) * 1e-9 : -1;
}

static void lead(const struct operation *o, struct ops_data *d, const int64_t *offset,
                 int64_t bytes, int warm, int count)
{
    int64_t ahead = lead_least;

    for (int i = -warm; i < count;) {
        double took = take(o, d, offset, ahead);
        if (took < 0 && (ahead *= 2) > lead_most)
            ops_fail("messages take too long");
        if (took >= 0 && ahead - ahead / 16 > lead_least)
            ahead -= ahead / 16;
        if (took >= 0 && i++ >= 0)
            printf("%s %lld %.9f\n", o->name, (long long)bytes, took);
    }
    tell(d, offset, over);
}

/* ---- a case ---- */

/* Doubles where sums want numbers, as hbench has them; bytes else. */
static void fill(struct ops_data *d, const struct operation *o, int64_t bytes)
{
    size_t all = (size_t)bytes * (size_t)d->size + 1;

    d->doubles = o->sums && bytes % (int64_t)sizeof(double) == 0;
    d->count = (int)(d->doubles ? bytes / (int64_t)sizeof(double) : bytes);
    d->in = calloc(1, all);
    d->out = calloc(1, all);
    d->counts = calloc(2 * (size_t)d->size, sizeof *d->counts);
    if (!d->in || !d->out || !d->counts)
        ops_fail("no memory");
    for (int r = 0; r < d->size; r++) {
        d->counts[r] = d->count;
        d->counts[d->size + r] = r * d->count;
    }
}

static void run(struct ops_data *d, const char *text, const int64_t *offset)
{
    char name[16];
    long long bytes;
    int window, warm, count;
    const struct operation *o;

    if (sscanf(text, "%15[a-z_]:%lld:%d:%d:%d", name, &bytes, &window, &warm, &count) != 5 ||
        !(o = operation_named(name)) || bytes < 0 || bytes > INT32_MAX)
        return;
    fill(d, o, bytes);
    o->run(d);
    if (d->rank == 0)
        lead(o, d, offset, bytes, warm, count);
    else
        follow(o, d);
    free(d->in);
    free(d->out);
    free(d->counts);
}

void ops_measure(int rank, int size, int argc, char **argv)
{
    struct ops_data d = {.rank = rank, .size = size};
    int64_t *offset = calloc((size_t)size, sizeof *offset);

    if (!offset)
        ops_fail("no memory");
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    compare_clocks(rank, size, offset);
    for (int i = 1; i < argc; i++)
        run(&d, argv[i], offset);
    free(offset);
}
