/* ops_mpi.c - hbench's collective operations, by MPI (started by peer.c).
 *
 *     mpiexec -n N hbench-mpich-ops OPERATION:BYTES:WINDOW:WARM:COUNT ...
 *
 * Rank 0 prints one line a sample: "OPERATION BYTES SECONDS", and "done".  A sample is what
 * single.h says: rank 0 names a moment of its clock, all sleep until then, do the operation once,
 * and the time ends when the last one is done; a sample of which somebody heard too late is taken
 * again.  Clocks are compared as in common_clock.c, by the quickest of some round trips.  WINDOW
 * means nothing here.
 */
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { TAG_CLOCK = 1, TAG_MOMENT, TAG_DONE, ASKED = 30 };
static const int64_t over = -1, lead_least = 1000000, lead_most = INT64_C(20000000000);

struct data {
    int rank, size, count; /* elements that each rank contributes */
    MPI_Datatype type;
    void *in, *out;
    int *counts;
};

/* ---- the operations ---- */

static void run_barrier(struct data *d)
{
    (void)d;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run_bcast(struct data *d)
{
    MPI_Bcast(d->out, d->count, d->type, 0, MPI_COMM_WORLD);
}

static void run_scatter(struct data *d)
{
    MPI_Scatter(d->in, d->count, d->type, d->out, d->count, d->type, 0, MPI_COMM_WORLD);
}

static void run_gather(struct data *d)
{
    MPI_Gather(d->in, d->count, d->type, d->out, d->count, d->type, 0, MPI_COMM_WORLD);
}

static void run_reduce(struct data *d)
{
    MPI_Reduce(d->in, d->out, d->count, d->type, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void run_allreduce(struct data *d)
{
    MPI_Allreduce(d->in, d->out, d->count, d->type, MPI_SUM, MPI_COMM_WORLD);
}

static void run_allgather(struct data *d)
{
    MPI_Allgather(d->in, d->count, d->type, d->out, d->count, d->type, MPI_COMM_WORLD);
}

static void run_allgatherv(struct data *d)
{
    MPI_Allgatherv(d->in, d->count, d->type, d->out, d->counts, d->counts + d->size, d->type,
                   MPI_COMM_WORLD);
}

static void run_alltoall(struct data *d)
{
    MPI_Alltoall(d->in, d->count, d->type, d->out, d->count, d->type, MPI_COMM_WORLD);
}

static void run_reduce_scatter(struct data *d)
{
    MPI_Reduce_scatter_block(d->in, d->out, d->count, d->type, MPI_SUM, MPI_COMM_WORLD);
}

static void run_scan(struct data *d)
{
    MPI_Scan(d->in, d->out, d->count, d->type, MPI_SUM, MPI_COMM_WORLD);
}

static void run_exscan(struct data *d)
{
    MPI_Exscan(d->in, d->out, d->count, d->type, MPI_SUM, MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    int sums;
    void (*run)(struct data *d);
} operations[] = {
    {"barrier", 0, run_barrier},     {"bcast", 0, run_bcast},
    {"scatter", 0, run_scatter},     {"gather", 0, run_gather},
    {"reduce", 1, run_reduce},       {"allreduce", 1, run_allreduce},
    {"allgather", 0, run_allgather}, {"allgatherv", 0, run_allgatherv},
    {"alltoall", 0, run_alltoall},   {"reduce_scatter", 1, run_reduce_scatter},
    {"scan", 1, run_scan},           {"exscan", 1, run_exscan},
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

/* offset[r]: the clock of rank r less that of rank 0, at rank 0. */
static void compare_clocks(int rank, int size, int64_t *offset)
{
    for (int other = 1; other < size; other++) {
        int64_t best = INT64_MAX;
        for (int i = 0; i < ASKED && (rank == 0 || rank == other); i++) {
            int64_t asked = now(), told = asked, heard;
            if (rank == other) {
                MPI_Recv(&told, 0, MPI_INT64_T, 0, TAG_CLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                told = now();
                MPI_Send(&told, 1, MPI_INT64_T, 0, TAG_CLOCK, MPI_COMM_WORLD);
                continue;
            }
            MPI_Send(&told, 0, MPI_INT64_T, other, TAG_CLOCK, MPI_COMM_WORLD);
            MPI_Recv(&told, 1, MPI_INT64_T, other, TAG_CLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            heard = now();
            if (heard - asked < best) {
                best = heard - asked;
                offset[other] = told - asked - best / 2;
            }
        }
    }
}

static void sleep_until(int64_t moment)
{
    struct timespec t = {moment / 1000000000, moment % 1000000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        continue;
}

/* ---- single operations ---- */

struct report {
    int64_t heard, done;
};

static struct report perform(const struct operation *o, struct data *d, int64_t moment)
{
    struct report r = {.heard = now()};

    sleep_until(moment);
    o->run(d);
    r.done = now();
    return r;
}

static void follow(const struct operation *o, struct data *d)
{
    for (;;) {
        int64_t moment;
        struct report r;
        MPI_Recv(&moment, 1, MPI_INT64_T, 0, TAG_MOMENT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (moment == over)
            return;
        r = perform(o, d, moment);
        MPI_Send(&r, 2, MPI_INT64_T, 0, TAG_DONE, MPI_COMM_WORLD);
    }
}

static void tell(const struct data *d, const int64_t *offset, int64_t moment)
{
    for (int other = 1; other < d->size; other++) {
        int64_t there = moment == over ? over : moment + offset[other];
        MPI_Send(&there, 1, MPI_INT64_T, other, TAG_MOMENT, MPI_COMM_WORLD);
    }
}

/* One sample in seconds; below 0: somebody heard too late. */
static double take(const struct operation *o, struct data *d, const int64_t *offset, int64_t lead)
{
    int64_t moment = now() + lead;
    struct report all;

    tell(d, offset, moment);
    all = perform(o, d, moment);
    for (int other = 1; other < d->size; other++) {
        struct report r;
        MPI_Recv(&r, 2, MPI_INT64_T, other, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        r.heard -= offset[other];
        r.done -= offset[other];
        all.heard = r.heard > all.heard ? r.heard : all.heard;
        all.done = r.done > all.done ? r.done : all.done;
    }
    return all.heard <= moment ? (double)(all.done - moment) * 1e-9 : -1;
}

static void lead(const struct operation *o, struct data *d, const int64_t *offset, int64_t bytes,
                 int warm, int count)
{
    int64_t ahead = lead_least;

    for (int i = -warm; i < count;) {
        double took = take(o, d, offset, ahead);
        if (took < 0 && (ahead *= 2) > lead_most)
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (took >= 0 && ahead - ahead / 16 > lead_least)
            ahead -= ahead / 16;
        if (took >= 0 && i++ >= 0)
            printf("%s %lld %.9f\n", o->name, (long long)bytes, took);
    }
    tell(d, offset, over);
}

/* ---- a case ---- */

/* Doubles where sums want numbers, as hbench has them; bytes else. */
static void fill(struct data *d, const struct operation *o, int64_t bytes)
{
    int doubles = o->sums && bytes % (int64_t)sizeof(double) == 0;
    size_t all = (size_t)bytes * (size_t)d->size + 1;

    d->type = doubles ? MPI_DOUBLE : o->sums ? MPI_UINT8_T : MPI_BYTE;
    d->count = (int)(doubles ? bytes / (int64_t)sizeof(double) : bytes);
    d->in = calloc(1, all);
    d->out = calloc(1, all);
    d->counts = calloc(2 * (size_t)d->size, sizeof *d->counts);
    if (!d->in || !d->out || !d->counts)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < d->size; r++) {
        d->counts[r] = d->count;
        d->counts[d->size + r] = r * d->count;
    }
}

static void run(struct data *d, const char *text, const int64_t *offset)
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

/* MPICH over UCX mostly waits for ever for its connections to be closed, so it is left without:
 * when all are done, and what was printed is on its way.  Its launcher may call that a failure; the
 * last line says that it was none. */
static void leave(int rank)
{
    static const struct timespec rest = {0, 300000000};

    if (rank == 0)
        printf("done\n");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef MPICH_VERSION
    nanosleep(&rest, NULL);
    _exit(0);
#else
    (void)rest;
    MPI_Finalize();
#endif
}

int main(int argc, char **argv)
{
    struct data d;
    int64_t *offset;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.size);
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    offset = calloc((size_t)d.size, sizeof *offset);
    if (!offset)
        MPI_Abort(MPI_COMM_WORLD, 1);
    compare_clocks(d.rank, d.size, offset);
    for (int i = 1; i < argc; i++)
        run(&d, argv[i], offset);
    free(offset);
    leave(d.rank);
    return 0;
}
