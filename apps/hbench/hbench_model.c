/* hbench_model.c - compares the network model with measured times.
 *
 * One-way times between every two tasks, in both directions and by size: predicted by hrun's
 * network file (S + X + W + R), and measured under the conditions of programs, in which the
 * receiver sleeps when the message arrives.  So before each message both sides sleep for a
 * millisecond, and as long as the last message took, up to four milliseconds more.  A sample is the
 * median of a few round trips with a one-byte answer, less half of the minimum round trip of two
 * awake tasks.  All routes are measured in two passes.  The mean counts, and the difference shows
 * the variation of the network itself, which no file can predict.  The network file is not
 * modified; for an old one the errors show how far the network has drifted.
 *
 * Pairs are measured one at a time.  A size predicted to take longer than a quarter of a second on
 * a route is skipped there.
 *
 * Task 0 leads: it sends a step to the sender and the receiver of a route, and gets the time in
 * a message. The other tasks wait for their next step, and thus disturb nothing. O(n * n) routes
 * are measured, so the time grows with the square of the number of hosts.
 */
#include "bench.h"

#include "clock.h"
#include "fail.h"
#include "hnow_net.h"
#include "step.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { TAG_DATA = 7600, TAG_ANSWER, TAG_TIMES };
/* Round trips of a route and size: at least LEAST, up to REPEATS within case_seconds.  PASSES over
 * all routes. */
enum { REPEATS = 11, LEAST = 3, PASSES = 2 };
static const double case_seconds = 0.015; /* for a route and size: 16 hosts and six sizes take 43
                                             s */
static const double longest = 0.25;       /* seconds: sizes predicted to take longer are skipped */
static const int64_t sleep_ns = 1000000;  /* before each message, see above */
static const int64_t default_sizes[] = {1, 1024, 16384, 65536, 262144, 1048576};
enum { DEFAULT_SIZES = sizeof default_sizes / sizeof *default_sizes };
static const char way_name[] = "model";

/* State of a task; `net`, `host` and `small` are used by task 0. */
struct model {
    hn_net *net;
    int *host; /* [rank] */
    char *buffer;
    double *small; /* [from * n + to]: one-way time of 1 byte between awake tasks, seconds */
    int n;
};

/* A step is one route: .what is from * n + to; .count is 1 if both sides sleep before each
 * message. */
static int64_t from_of(const struct step *s)
{
    return s->what / hn_size();
}

static int64_t to_of(const struct step *s)
{
    return s->what % hn_size();
}

/* Ranks of the world; steps have them as int64_t. */
static hn_tid task(int64_t rank)
{
    return hn_group_tid(hn_world(), (int)rank);
}

/* ---- both ends of a route ---- */

/* One round trip; the first byte says whether another one follows. */
static bool round_trip(struct model *m, const struct step *s, bool more)
{
    hn_tid to = task(to_of(s));

    m->buffer[0] = more;
    /* The receiver's answer is one byte, whatever the size of the message. */
    return (hn_send(to, TAG_DATA, m->buffer, (size_t)s->bytes, HN_BYTE) == HN_OK &&
            hn_recv(to, TAG_ANSWER, m->buffer, 1, HN_BYTE, NULL) == HN_OK) ||
           fail_hn("message");
}

/* At least so long; the scheduler may add to it. */
static void sleep_for(int64_t ns)
{
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

/* Makes several round trips after a warm-up.  Returns their minimum or, if the receiver must be
 * woken, their median. */
static bool measure(struct model *m, const struct step *s, double *time)
{
    double times[REPEATS], last = 0;
    int64_t begin = clock_now();
    int count = 0;
    for (bool more = true; more; count++) {
        if (s->count)
            sleep_for(sleep_ns + (int64_t)(fmin(last, 4e-3) * 1e9));
        int64_t start = clock_now();
        /* The other side must know with the message whether it is the last one. */
        more = count < LEAST || (count < REPEATS && clock_since(begin) < case_seconds);
        if (!round_trip(m, s, more))
            return false;
        last = clock_since(start);
        /* The first round trip is the warm-up. */
        if (count > 0)
            times[count - 1] = last;
    }
    /* Minimum for awake tasks, as disturbances only add time; median for sleepers, whose waking
     * varies. */
    qsort(times, (size_t)count - 1, sizeof *times, samples_by_value);
    *time = times[s->count ? (count - 1) / 2 : 0];
    return true;
}

/* Sends one byte back for each message, until a message says that it is the last. */
static bool answer(struct model *m, const struct step *s)
{
    hn_tid from = task(from_of(s));

    do {
        if (hn_recv(from, TAG_DATA, m->buffer, (size_t)s->bytes, HN_BYTE, NULL) != HN_OK ||
            hn_send(from, TAG_ANSWER, m->buffer, 1, HN_BYTE) != HN_OK)
            return fail_hn("message");
        /* The first byte of each message; the answer's own byte is not read. */
    } while (m->buffer[0]);
    return true;
}

/* Takes this task's part in a route: its begin or its end. */
static bool obey(struct model *m, const struct step *s, double *time)
{
    return hn_rank() == from_of(s) ? measure(m, s, time) : answer(m, s);
}

/* The measuring task reports to task 0 when the route is finished.  The report is sent after the
 * last round trip, so it disturbs none. */
static bool serve(void *model, const struct step *s)
{
    double time;

    return obey(model, s, &time) &&
           (hn_rank() != from_of(s) || hn_send(task(0), TAG_TIMES, &time, 1, HN_DOUBLE) == HN_OK ||
            fail_hn("hn_send"));
}

/* ---- task 0 ---- */

/* Seconds of a round trip with a small answer. */
static bool take(struct model *m, const struct step *s, double *time)
{
    int64_t from = from_of(s), to = to_of(s);

    /* Both ends get the step; if task 0 is one of them, it plays its part itself. */
    if ((from != 0 && !step_send(task(from), s)) || (to != 0 && !step_send(task(to), s)))
        return false;
    if ((from == 0 || to == 0) && !obey(m, s, time))
        return false;
    /* Only the sender has measured. */
    return from == 0 || hn_recv(task(from), TAG_TIMES, time, 1, HN_DOUBLE, NULL) == HN_OK ||
           fail_hn("hn_recv");
}

/* The file's time is in picoseconds (hnow_net.h). */
static double predicted(const struct model *m, const struct step *s)
{
    /* Hosts, not ranks: the file does not know tasks. */
    return (double)hn_net_time(m->net, m->host[from_of(s)], m->host[to_of(s)], s->bytes) * 1e-12;
}

/* Measures half round trips, so both directions are equal. The answer of one byte finds its
 * receiver awake, which has just sent. So half a round trip of two awake tasks is subtracted, and
 * what remains is one way to a sleeper. */
static bool take_small(struct model *m)
{
    for (int from = 0; from < m->n; from++)
        for (int to = from + 1; to < m->n; to++) {
            /* Without .count neither side sleeps. */
            struct step s = {.what = from * m->n + to, .bytes = 1};
            double *small = &m->small[s.what];
            if (!take(m, &s, small))
                return false;
            *small /= 2;
            m->small[to * m->n + from] = *small;
        }
    return true;
}

/* What remains is one way to a sleeping receiver; see take_small(). */
static bool measure_route(struct model *m, const struct step *s, double *time)
{
    if (!take(m, s, time))
        return false;
    *time -= m->small[s->what];
    return true;
}

/* Measures all routes with one message size; seconds[route] stays 0 for those that take too
 * long. */
static bool measure_routes(struct model *m, int64_t bytes, double *seconds)
{
    bool good = true;
    for (int64_t route = 0; good && route < m->n * m->n; route++) {
        struct step s = {.what = route, .bytes = bytes, .count = 1};
        /* Routes that are predicted to take too long keep 0, and compare() skips them. */
        if (from_of(&s) != to_of(&s) && predicted(m, &s) <= longest)
            good = measure_route(m, &s, &seconds[route]);
    }
    return good;
}

/* Sorts the errors, and adds them as name_median, name_p90, name_max.  count > 0. */
static void add_spread(struct result *r, const char *const name[3], double *error, size_t count)
{
    /* Ranks in the sorted list: median, nine tenths, maximum. */
    const size_t at[3] = {count / 2, count * 9 / 10, count - 1};
    qsort(error, count, sizeof *error, samples_by_value);
    for (int i = 0; i < 3; i++)
        result_extra(r, name[i], error[at[i]]);
}

/* Adds a size's times, errors and differences between the two passes.  Routes with the time 0 were
 * skipped.
 *
 * room: scratch memory for twice as many values as there are routes. */
static void compare(const struct model *m, struct result *r, double *const seconds[PASSES],
                    double *room)
{
    static const char *const error_names[] = {"error_median", "error_p90", "error_max"},
                             *const repeat_names[] = {"repeat_median", "repeat_p90", "repeat_max"};
    /* Two lists in one block of memory, each as long as there are routes. */
    double *error = room, *repeat = room + m->n * m->n;
    size_t count = 0;
    /* An error is relative to the measured time: 1 means that the prediction is twice as long. */
    for (int64_t route = 0; route < m->n * m->n; route++) {
        struct step s = {.what = route, .bytes = r->bytes};
        double first = seconds[0][route], second = seconds[1][route], time = (first + second) / 2;
        if (first == 0)
            continue;
        samples_add(&r->samples, time);
        error[count] = fabs(predicted(m, &s) / time - 1);
        repeat[count++] = fabs(second / first - 1);
    }
    if (count) {
        add_spread(r, error_names, error, count);
        add_spread(r, repeat_names, repeat, count);
    }
}

/* Measures one size.  The two passes visit all routes in the same order, so the time between two
 * measurements of a route is about the same everywhere. */
static bool measure_size(struct model *m, struct results *results, int64_t bytes)
{
    size_t most = (size_t)m->n * (size_t)m->n;
    /* One allocation: two passes of times, and the two scratch arrays of compare(). */
    double *room = calloc((PASSES + 2) * most, sizeof *room);
    double *const seconds[PASSES] = {room, room + most};
    struct result *r = results_add(results, way_name, NULL, bytes, most);
    bool good = r && (room || fail("memory", "no room for the times"));
    /* Pass 2 begins when all routes of pass 1 are done. */
    for (int pass = 0; good && pass < PASSES; pass++)
        good = measure_routes(m, bytes, seconds[pass]);
    if (good)
        compare(m, r, seconds, room + PASSES * most);
    free(room);
    return good;
}

static bool lead(struct model *m, const struct command *o, struct results *results)
{
    struct step end = {.what = STEP_END};
    /* One byte comes first in any case: its errors are those of the fixed costs. */
    bool good = take_small(m) && measure_size(m, results, 1);
    for (int i = 0; good && i < (o->sizes ? o->sizes : DEFAULT_SIZES); i++) {
        int64_t bytes = o->sizes ? o->bytes[i] : default_sizes[i];
        /* One byte was measured already. */
        if (bytes > 1)
            good = measure_size(m, results, bytes);
    }
    return good && step_send_all(&end);
}

/* ---- the whole ---- */

/* Reads the network file of the job. */
static int read_net(hn_net **net)
{
    const char *text;
    size_t length;
    int error = hn_job_text("hosts", &text, &length);
    return error ? error : hn_net_parse("the network file", text, length, net);
}

/* Without costs in the network file every task refuses, before any of them sends. */
static bool suits(const struct command *o, char *wrong, size_t room)
{
    hn_net *net = NULL;
    bool good = read_net(&net) == HN_OK && hn_net_has_costs(net);
    (void)o;
    if (!good)
        snprintf(wrong, room,
                 "model: there is nothing to compare with: give a network file: hprobe -hosts FILE "
                 "-o lab.net, then hrun -hosts lab.net");
    /* run() reads it again: suits() has no memory between the two. */
    hn_net_free(net);
    return good;
}

/* Each rank's host in the file.  A host that the file does not name is an error: it has no
 * predictions. */
static bool model_begin(struct model *m, const struct command *o)
{
    *m = (struct model){.n = hn_size()};
    if (read_net(&m->net) != HN_OK)
        return fail_hn("model");
    /* One buffer serves all messages of this task. */
    int64_t largest =
        o->sizes ? sizes_largest(o->bytes, o->sizes) : default_sizes[DEFAULT_SIZES - 1];
    m->host = calloc((size_t)m->n, sizeof *m->host);
    m->small = calloc((size_t)m->n * (size_t)m->n, sizeof *m->small);
    m->buffer = calloc(1, (size_t)(largest > 0 ? largest : 1));
    if (!m->host || !m->small || !m->buffer)
        return fail("memory", "no room for the messages");
    for (int rank = 0; rank < m->n; rank++) {
        const char *name = hn_host_of(task(rank));
        m->host[rank] = name ? hn_net_host_index(m->net, name) : -1;
        if (m->host[rank] < 0)
            return fail("model", "a task runs on a host that the network file does not know");
    }
    return true;
}

static bool run(const struct command *o, struct results *results)
{
    struct model m;
    bool good = model_begin(&m, o) &&
                (hn_rank() == 0 ? lead(&m, o, results) : step_follow(task(0), serve, &m));
    /* All of these accept NULL, after a failure in model_begin(). */
    hn_net_free(m.net);
    free(m.host);
    free(m.small);
    free(m.buffer);
    return good;
}

static void print_routes(const struct result *r)
{
    static const char *const names[] = {"error_median",  "error_p90",  "error_max",
                                        "repeat_median", "repeat_p90", "repeat_max"};
    printf("%10" PRId64 " %6zu %12.3f", r->bytes, r->samples.count, result_median(r) * 1e3);
    /* Per cent; errors first, then differences between the passes. */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf("%*.0f %%", i % 3 ? 8 : 9, 100 * result_extra_of(r, names[i]));
    printf("\n");
}

static void print(const struct results *all)
{
    printf("# predictions of the network file and measurements of %d tasks: one-way times,\n"
           "# relative errors, and relative differences of a second measurement\n"
           "# %8s %6s %12s %10s %9s %9s %10s %9s %9s\n",
           hn_size(), "Size", "routes", "median, ms", "error 50%", "90%", "max", "repeat 50%",
           "90%", "max");
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].samples.count)
            print_routes(&all->at[i]);
}

const struct bench bench_model = {
    "model", "times predicted by the network file and measured", " bytes ", 2, run, print, suits};
