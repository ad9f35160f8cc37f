/* hbench_overlap.c - the overlap of a transfer with computation.
 *
 * The leading task measures one transfer and one computation of about equal duration, each alone
 * and both together:
 *
 *     overlap-send   hn_isend, compute, hn_wait; the other task waits in hn_recv
 *     overlap-recv   hn_irecv, compute, hn_wait; the other task sends on request
 *
 *     share = 1 - (together - computing) / transfer
 *
 * with medians.  If other programs use the cores, such times say little, so there is a second
 * share, of processor time:
 *
 *     share_cpu = 1 - (cpu together + time in hn_wait - cpu of computing) / transfer
 *
 * where cpu is the processor time of all threads of the computing task.  In the same turns, during
 * the same computation, a thread of the task moves as many bytes over a plain socket (mover.h):
 * what a program could achieve without hnow on these hosts.
 *
 * 1: the transfer costs the computing task nothing. 0: the task might as well have waited.
 * Negative: the two slow each other down.  The computation is a fixed number of operations, not a
 * duration, so it shows what the transfer takes from it.  If both tasks and their networks share
 * the cores of one host, moving the bytes uses the cores that compute, and 1 cannot be reached.
 *
 * The other task does no work of its own: it waits for a step, sends or receives, and waits
 * again. So all times are taken by one task, with one clock.
 */
#include "bench.h"

#include "clock.h"
#include "fail.h"
#include "mover.h"
#include "order.h"
#include "raw_tcp.h"
#include "step.h"
#include "wire.h"

#include <inttypes.h>
#include <math.h>

enum { TAG_GO = 7200 };
/* Maximum and minimum samples of each part, within case_seconds; TRIES: transfers whose median
 * determines the duration of the computation. */
enum { MOST = 40, LEAST = 5, TRIES = 5 };
enum what { SEND, RECV };
/* The parts of one turn, in shuffled order.  Those from RAW_ALONE on use the plain socket, and are
 * left out without one. */
enum part { COMPUTE, ALONE, TOGETHER, RAW_ALONE, RAW_TOGETHER, PARTS };
static const double case_seconds = 1.0; /* for the three parts together */
static const char *const names[] = {[SEND] = "overlap-send", [RECV] = "overlap-recv"};
static const char raw_thread[] = "raw-thread"; /* name of the plain socket among the peers */

/* State of a task: its partner, and in the leading one the thread. */
struct overlap {
    struct pair pair;
    struct mover mover; /* not started: there is no plain socket */
};

/* ---- computing ---- */

/* A chain of dependent operations: no memory accesses, no instruction-level parallelism. */
static double compute(uint64_t operations)
{
    /* volatile keeps the compiler from computing the result in advance, or not at all. */
    volatile double seed = 0.5;
    double x = seed;

    for (uint64_t i = 0; i < operations; i++)
        x = x * 0.999999 + 1e-6;
    return seed = x;
}

/* Operations per second, the best of a few tries. A duration would not do: a computation that is
 * slowed down would then do less work, and still end in time. */
static double compute_speed(void)
{
    const uint64_t operations = 1000000; /* a few cycles each: within a time slice of the
                                            scheduler */
    double best = INFINITY;

    for (int i = 0; i < 10; i++) {
        int64_t start = clock_now();
        compute(operations);
        /* The least disturbed try. */
        best = fmin(best, clock_since(start));
    }
    return (double)operations / best;
}

/* ---- the other task ---- */

/* The other task receives only on request, so that a transfer never begins before the leading
 * task's clock. */
static bool go(hn_tid to)
{
    return hn_send(to, TAG_GO, NULL, 0, HN_BYTE) == HN_OK || fail_hn("hn_send");
}

/* An empty message: the other task is ready to receive, or may send now. */
static bool wait_go(hn_tid from)
{
    return hn_recv(from, TAG_GO, NULL, 0, HN_BYTE, NULL) == HN_OK || fail_hn("hn_recv");
}

/* As the leading task does; hn_send() would copy what the network does not take at once. */
static bool send_whole(const struct pair *p, size_t bytes)
{
    hn_request *request;

    if (hn_isend(p->other, WIRE_TAG, p->out, bytes, HN_BYTE, &request) != HN_OK)
        return fail_hn("hn_isend");
    /* Returns when the data has been handed to the network, as the leading task's wait does. */
    return hn_wait(request, NULL) == HN_OK || fail_hn("hn_wait");
}

/* A socket has no acknowledgement of its own: one byte from the receiver informs the sender's
 * thread that everything has arrived. */
static bool serve(void *pair, const struct step *s)
{
    const struct wire *wire = &wires[s->wire];
    struct pair *p = pair;
    size_t bytes = (size_t)s->bytes;
    bool raw = s->wire != WIRE_HNOW;

    /* Named from the leading task's side: it receives, so this one sends. */
    if (s->what == RECV)
        return wait_go(p->other) && (raw ? wire->put(p, bytes) : send_whole(p, bytes));
    return go(p->other) && wire->take(p, bytes) && (!raw || wire->put(p, 1));
}

/* ---- the leading task ---- */

/* Duration of one part, and the time in which the task computed or waited. */
struct took {
    /* Both in seconds; busy is what a program could not use otherwise. */
    double seconds, busy;
};

/* Begins a transfer: by hnow (*request), or (NULL) by the thread. */
static bool begin(struct overlap *o, enum what what, size_t bytes, hn_request **request)
{
    struct pair *p = &o->pair;
    int error = HN_OK;

    if (!request)
        mover_begin(&o->mover, what == SEND, bytes);
    else if (what == SEND)
        error = hn_isend(p->other, WIRE_TAG, p->out, bytes, HN_BYTE, request);
    else
        error = hn_irecv(p->other, WIRE_TAG, p->in, bytes, HN_BYTE, request);
    if (error != HN_OK)
        return fail_hn(what == SEND ? "hn_isend" : "hn_irecv");
    /* The receive is posted before the other task is asked to send. */
    return what == SEND || go(p->other);
}

/* Waits until the transfer is complete: by hnow, or (no request) by the thread. */
static bool end(struct overlap *o, hn_request *request)
{
    /* The thread reports its own errors. */
    if (!request)
        return mover_end(&o->mover);
    return hn_wait(request, NULL) == HN_OK || fail_hn("hn_wait");
}

/* One transfer with `operations` of computation. */
static bool transfer(struct overlap *o, enum what what, bool raw, size_t bytes, uint64_t operations,
                     struct took *took)
{
    struct step s = {
        .what = what, .wire = raw ? WIRE_BLOCKING : WIRE_HNOW, .bytes = (int64_t)bytes};
    hn_request *request = NULL;
    int64_t start, waits;

    if (!step_send(o->pair.other, &s) || (what == SEND && !wait_go(o->pair.other)))
        return false;
    /* Processor time counts only until the wait.  In hn_wait() a task may sleep or spin, and either
     * way it cannot compute, so this time counts in full. */
    double cpu = clock_cpu();
    start = clock_now();
    /* hn_isend() may take time itself; that is part of the transfer's cost. */
    if (!begin(o, what, bytes, raw ? NULL : &request))
        return false;
    if (operations > 0)
        compute(operations);
    cpu = clock_cpu() - cpu;
    waits = clock_now();
    if (!end(o, request))
        return false;
    *took = (struct took){clock_since(start), cpu + clock_since(waits)};
    return true;
}

struct part_samples {
    /* The same number of each. */
    struct samples seconds, busy;
};

static void part_samples_free(struct part_samples *s)
{
    samples_free(&s->seconds);
    samples_free(&s->busy);
}

/* One sample of one part. */
static bool take_part(struct overlap *o, enum what what, enum part part, size_t bytes,
                      uint64_t operations, struct part_samples *to)
{
    struct took took = {0};

    if (part == COMPUTE) {
        double cpu = clock_cpu();
        int64_t start = clock_now();
        /* The reference: the same work without any transfer. */
        compute(operations);
        took = (struct took){clock_since(start), clock_cpu() - cpu};
    } else if (!transfer(o, what, part >= RAW_ALONE, bytes,
                         part == ALONE || part == RAW_ALONE ? 0 : operations, &took)) {
        return false;
    }
    /* There is room: measure() has reserved it. */
    samples_add(&to->seconds, took.seconds);
    samples_add(&to->busy, took.busy);
    return true;
}

/* Takes `count` turns.  Each turn has one sample of every part, so a change of the machine's load
 * affects all parts alike. */
static bool measure(struct overlap *o, enum what what, size_t bytes, uint64_t operations, int count,
                    uint64_t *seed, struct part_samples samples[PARTS])
{
    /* Parts of the plain socket are the last ones, so that they can be left out. */
    size_t parts = o->mover.started ? PARTS : RAW_ALONE;

    for (int part = 0; part < PARTS; part++)
        if (!samples_reserve(&samples[part].seconds, (size_t)count) ||
            !samples_reserve(&samples[part].busy, (size_t)count))
            return fail("memory", "no room for the samples");
    /* The seed changes with each shuffle, hence the order differs from turn to turn. */
    for (int i = 0; i < count; i++) {
        size_t order[PARTS];
        order_shuffle(order, parts, seed);
        for (size_t k = 0; k < parts; k++)
            if (!take_part(o, what, (enum part)order[k], bytes, operations, &samples[order[k]]))
                return false;
    }
    return true;
}

/* Makes the result of a transfer alone and with computation; takes the latter's samples. */
static bool conclude(struct results *results, enum what what, const char *peer, int64_t bytes,
                     const struct part_samples *compute, const struct part_samples *alone,
                     struct part_samples *together)
{
    struct result *r = results_add(results, names[what], peer, bytes, 0);
    struct stats computing, moving, both, busy, busy_both;

    if (!r || !samples_stats(&compute->seconds, &computing) ||
        !samples_stats(&compute->busy, &busy) || !samples_stats(&alone->seconds, &moving) ||
        !samples_stats(&together->seconds, &both) || !samples_stats(&together->busy, &busy_both))
        return fail("memory", "no room for the results");
    /* Moved, not copied: the caller frees an empty list. */
    r->samples = together->seconds;
    together->seconds = (struct samples){0};
    /* Medians of all parts, for the table and for readers of the JSON document. */
    result_extra(r, "transfer", moving.median);
    result_extra(r, "compute", computing.median);
    result_extra(r, "share", 1 - (both.median - computing.median) / moving.median);
    result_extra(r, "share_cpu", 1 - (busy_both.median - busy.median) / moving.median);
    return true;
}

/* Duration of the transfer alone: the median of a few. */
static bool try_transfer(struct overlap *o, enum what what, int64_t bytes, double *seconds)
{
    /* On the stack, so these samples need not be freed. */
    double room[TRIES];
    struct samples tries = {.at = room, .room = TRIES};
    struct stats stats;

    for (int i = 0; i < TRIES; i++) {
        struct took once = {0};
        if (!transfer(o, what, false, (size_t)bytes, 0, &once))
            return false;
        samples_add(&tries, once.seconds);
    }
    if (!samples_stats(&tries, &stats))
        return fail("memory", "no room for the samples");
    *seconds = stats.median;
    return true;
}

/* One size, one side: the computation is made as long as the transfer. With a shorter computation
 * even a perfect overlap could not hide the transfer; with a longer one a poor overlap would not
 * show. */
static bool overlap(struct overlap *o, struct results *results, enum what what, int64_t bytes,
                    const struct command *c, double speed)
{
    struct part_samples samples[PARTS] = {0};
    uint64_t seed = c->seed;
    double seconds = 0;
    int64_t count = c->iters;

    if (!try_transfer(o, what, bytes, &seconds))
        return false;
    /* Three parts each take about as long as the transfer. */
    if (count == 0)
        count = (int64_t)fmin(MOST, fmax(LEAST, case_seconds / (3 * seconds)));
    /* At least one operation, also for transfers that take no time. */
    bool good = measure(o, what, (size_t)bytes, (uint64_t)(seconds * speed) + 1, (int)count, &seed,
                        samples) &&
                conclude(results, what, NULL, bytes, &samples[COMPUTE], &samples[ALONE],
                         &samples[TOGETHER]) &&
                (!o->mover.started || conclude(results, what, raw_thread, bytes, &samples[COMPUTE],
                                               &samples[RAW_ALONE], &samples[RAW_TOGETHER]));
    for (int part = 0; part < PARTS; part++)
        part_samples_free(&samples[part]);
    return good;
}

/* Task 0.  The speed is measured once, so the computation of every size is based on the same speed.
 */
static bool lead(struct overlap *o, const struct command *c, struct results *results,
                 const int64_t *bytes, int sizes)
{
    struct step last = {.what = STEP_END};
    double speed = compute_speed();

    if (o->pair.raw >= 0 && !mover_start(&o->mover, &o->pair))
        return false;
    /* Both sides of a size follow each other, and see the same machine. */
    for (int i = 0; i < sizes; i++)
        if (!overlap(o, results, SEND, bytes[i], c, speed) ||
            !overlap(o, results, RECV, bytes[i], c, speed))
            return false;
    return step_send(o->pair.other, &last);
}

static bool run(const struct command *c, struct results *results)
{
    static const int64_t usual[] = {65536, 1048576, 16777216, 67108864};
    const int64_t *bytes = c->sizes ? c->bytes : usual;
    int sizes = c->sizes ? c->sizes : (int)(sizeof usual / sizeof usual[0]);
    int rank = hn_rank();
    struct overlap o = {0};

    /* Only two tasks are needed. */
    if (rank > 1)
        return true;
    hn_tid other = hn_group_tid(hn_world(), 1 - rank);
    bool good =
        pair_open(&o.pair, other, sizes_largest(bytes, sizes)) &&
        raw_tcp_open(other, rank == 0, &o.pair.raw) &&
        (rank == 0 ? lead(&o, c, results, bytes, sizes) : step_follow(other, serve, &o.pair));
    if (good)
        mover_stop(&o.mover); /* else it may wait for ever, and the task ends now */
    pair_close(&o.pair);
    return good;
}

/* ---- table ---- */

static void print_shares(const struct results *all, const struct result *r)
{
    /* NULL without a plain socket: then the columns are left out. */
    const struct result *raw = results_find(all, r->bench, raw_thread, r->bytes);

    printf("  %-12s %10" PRId64 " %10.3f %10.3f %10.3f %7.2f %7.2f", r->bench, r->bytes,
           result_extra_of(r, "transfer") * 1e3, result_extra_of(r, "compute") * 1e3,
           result_median(r) * 1e3, result_extra_of(r, "share"), result_extra_of(r, "share_cpu"));
    if (raw)
        printf(" %10.3f %7.2f %7.2f", result_extra_of(raw, "transfer") * 1e3,
               result_extra_of(raw, "share"), result_extra_of(raw, "share_cpu"));
    putchar('\n');
}

static void print(const struct results *all)
{
    printf("# hnow overlap: share of a transfer hidden behind computing, 1: all of it (ms); raw: "
           "a thread with a plain socket\n");
    printf("# %-12s %10s %10s %10s %10s %7s %7s %10s %7s %7s\n", "Side", "Size", "transfer",
           "computing", "together", "share", "of cpu", "raw", "share", "of cpu");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];

        if (!r->peer)
            print_shares(all, r);
    }
}

const struct bench bench_overlap = {
    "overlap",
    "share of a transfer hidden behind computing, at the sender and at the receiver",
    " bytes iters ",
    2,
    run,
    print};
