/* experiment.c - ping-pong, both directions at once, consecutive sends, many senders to one, rounds
 * of a set of co-located hosts, multicasts, and a compute kernel.
 *
 * Ping-pong and consecutive sends are Banikazemi's (section 2.1); the minimum of several is ECO's
 * (section 3).  Consecutive sends go to different receivers in turn, so they show how fast the
 * sender can send, not how fast one receiver can receive.  As our sends return before the message
 * has left, the time is taken until all receivers have everything: a long series less a short one,
 * divided by the difference in messages.  Receiving is measured in the same way.  The first byte of
 * a message informs the receiver how the experiment continues.
 */
#include "measure/experiment.h"
#include "runtime/internal.h"
#include "job/internal.h"
#include "derive/values.h"
#include "thresholds.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The first byte of each message. MORE: another message follows. SERIES_ENDS: the end of a series
 * is to be acknowledged. LAST: the experiment ends. */
enum more { LAST, MORE, SERIES_ENDS };

static hn_tid tid_of(int64_t rank)
{
    return hn_group_tid(hn_world(), (int)rank);
}

static bool send_to(const struct experiment *order, int64_t rank, unsigned char *buffer,
                    int64_t bytes)
{
    return hn_send(tid_of(rank), (int)order->tag, buffer, (size_t)bytes, HN_BYTE) == HN_OK;
}

static bool receive_from(const struct experiment *order, int64_t rank, unsigned char *buffer)
{
    return hn_recv_timeout(tid_of(rank), (int)order->tag, buffer, EXPERIMENT_BYTES, HN_BYTE,
                           (int)order->patience_ms, NULL) == HN_OK;
}

static bool send_bytes(const struct experiment *order, int64_t peer, unsigned char *buffer,
                       int64_t bytes, enum more more)
{
    buffer[0] = (unsigned char)more;
    return send_to(order, order->peer[peer], buffer, bytes);
}

/* Receives one message from that peer. */
static bool receive(const struct experiment *order, int64_t peer, unsigned char *buffer)
{
    return receive_from(order, order->peer[peer], buffer);
}

/* Without any time the outcome keeps the count 0: the experiment has failed. */
static void conclude(struct outcome *outcome, int64_t *time, int64_t count)
{
    if (count == 0)
        return;
    outcome->median = values_middle(time, count);
    outcome->best = time[0];
    outcome->count = count;
}

/* The arrays of times have EXPERIMENT_REPEATS entries, so more repetitions are not made. */
static int64_t limited(int64_t repeats)
{
    return int64_smaller(repeats, EXPERIMENT_REPEATS);
}

/* ---- ping-pong ---------------------------------------------------------------------------- */

/* The three smallest times so far; when they agree, more pings would give nothing new. */
struct least {
    int64_t time[3];
};
static const struct least nothing_yet = {{INT64_MAX, INT64_MAX, INT64_MAX}};

/* Keeps the three smallest times, ascending. */
static void least_take(struct least *least, int64_t time)
{
    for (int i = 0; i < 3; i++)
        if (time < least->time[i]) {
            int64_t larger = least->time[i];
            least->time[i] = time;
            time = larger;
        }
}

/* Three, not two: two equal times may both be delayed by the same tick of a scheduler. */
static bool least_agree(const struct least *least, int64_t tolerance)
{
    return least->time[2] < INT64_MAX &&
           least->time[2] - least->time[0] <= least->time[0] / 1000 * tolerance;
}

/* When two tasks send to each other in step, a delay in one round shortens the next. */
static int64_t mean_of_neighbours(int64_t *time, int64_t count)
{
    for (int64_t i = 0; i + 1 < count; i++)
        time[i] = (time[i] + time[i + 1]) / 2;
    return count > 1 ? count - 1 : count;
}

/* An interrupted sleep is shorter, which does no harm. */
static void sleep_for(int64_t ns)
{
    struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&t, NULL);
}

/* Pauses before each ping.  The longer the last one took, the longer the route needs to recover (a
 * token bucket fills up again); buckets hold no more than a few milliseconds. */
static bool pause_before(const struct experiment *order, unsigned char *buffer, int64_t last)
{
    if (!order->pause_ns)
        return true;
    sleep_for(order->pause_ns + int64_smaller(last, 4 * order->pause_ns));
    return !order->awake || (send_bytes(order, 0, buffer, 1, MORE) && receive(order, 0, buffer));
}

/* Also the leader's part of EXPERIMENT_BOTH. A failed send or receive ends it without a result. */
static void ping(const struct experiment *order, unsigned char *buffer, struct outcome *outcome)
{
    int64_t time[EXPERIMENT_REPEATS], count = 0, repeats = limited(order->repeats);
    int64_t begin = clock_now(), before = begin;
    struct least least = nothing_yet;
    struct observation seen;
    for (bool more = true; more; count++) {
        /* The peer must know before the last message that it is the last, so this is decided in
         * advance. */
        more = count + 1 < repeats && before - begin < order->budget_ns &&
               !least_agree(&least, order->tolerance);
        if (!pause_before(order, buffer, count ? time[count - 1] : 0))
            return;
        if (order->pause_ns)
            before = clock_now();
        if (!send_bytes(order, 0, buffer, order->bytes, more ? MORE : LAST) ||
            !receive(order, 0, buffer))
            return;
        int64_t after = clock_now();
        time[count] = after - before;
        least_take(&least, time[count]);
        before = after;
    }
    bool both = order->kind == EXPERIMENT_BOTH;
    if (both)
        count = mean_of_neighbours(time, count);
    conclude(outcome, time, count);
    if (!both && order->reply == order->bytes && least.time[2] < INT64_MAX)
        outcome->best = least.time[1]; /* a single time that is faster than all others is an
                                          accident */
    /* measured hosts are different ones, so their connection is TCP, or leads to the agent */
    outcome->relayed = observe_route(tid_of(order->peer[0]), &seen) == HN_ELINK;
}

/* Returns what the leader's first byte says, so that both end together. */
static void echo(const struct experiment *order, unsigned char *buffer)
{
    do {
        if (!receive(order, 0, buffer))
            return;
    } while (send_bytes(order, 0, buffer, order->reply, (enum more)buffer[0]) && buffer[0] != LAST);
}

/* ---- both directions at once -------------------------------------------------------------- */

/* A wire that carries one transfer at a time needs twice as long for two.  Sends do not block, so
 * both sides send, then receive, which keeps them in step; the leader does the same as in a
 * ping. */
static void other(const struct experiment *order, unsigned char *buffer)
{
    do {
        if (!send_bytes(order, 0, buffer, order->bytes, MORE) || !receive(order, 0, buffer))
            return;
    } while (buffer[0] == MORE);
}

/* ---- consecutive sends -------------------------------------------------------------------- */

/* Time until `each` messages to every peer have arrived; 0: a peer is lost. *calls is the part
 * until the last send returned. */
static int64_t send_series(const struct experiment *order, unsigned char *buffer, int64_t each,
                           enum more at_end, int64_t *calls)
{
    int64_t begin = clock_now();
    for (int64_t k = 1; k <= each; k++)
        for (int64_t i = 0; i < order->peers; i++)
            if (!send_bytes(order, i, buffer, order->bytes, k < each ? MORE : at_end))
                return 0;
    *calls = clock_now() - begin;
    for (int64_t i = 0; i < order->peers; i++)
        if (!receive(order, i, buffer))
            return 0;
    return clock_now() - begin;
}

/* Time from asking all peers for `each` messages until all have arrived; 0: a peer is lost.  The
 * time between the first and the last message would omit those that arrived together with the
 * first. */
static int64_t take_series(const struct experiment *order, unsigned char *buffer, int64_t each,
                           enum more at_end, int64_t *calls)
{
    int64_t begin = clock_now();
    *calls = 0;
    for (int64_t i = 0; i < order->peers; i++)
        if (!send_bytes(order, i, buffer, 1, at_end))
            return 0;
    for (int64_t k = 0; k < each; k++)
        for (int64_t i = 0; i < order->peers; i++)
            if (!receive(order, i, buffer))
                return 0;
    return clock_now() - begin;
}

typedef int64_t series_function(const struct experiment *order, unsigned char *buffer, int64_t each,
                                enum more at_end, int64_t *calls);

/* How far the three smallest times are apart; if there are fewer, the maximum. */
static int64_t least_spread(const struct least *least)
{
    return least->time[2] < INT64_MAX ? least->time[2] - least->time[0] : least->time[0];
}

/* Long series less short ones, by the minimum of each.  A disturbed series makes the difference too
 * large or too small.  So the experiment continues for some budgets while the best series of either
 * length do not agree, and finally reports how far apart they are. */
static void gap_of(const struct experiment *order, unsigned char *buffer, struct outcome *outcome)
{
    series_function *run = order->kind == EXPERIMENT_OUT ? send_series : take_series;
    int64_t begin = clock_now(), repeats = limited(order->repeats), count = 0;
    int64_t quickest = INT64_MAX, calls;
    struct least few = nothing_yet, many = nothing_yet;
    for (bool more = true; more; count++) {
        bool stable = least_agree(&few, order->tolerance) && least_agree(&many, order->tolerance);
        int64_t budget = stable ? order->budget_ns : EXPERIMENT_UNSTABLE * order->budget_ns;
        more = count + 1 < repeats && clock_now() - begin < budget;
        int64_t time = run(order, buffer, 1, SERIES_ENDS, &calls);
        if (!time)
            return;
        least_take(&few, time);
        time = run(order, buffer, 1 + EXPERIMENT_SERIES, more ? SERIES_ENDS : LAST, &calls);
        if (!time)
            return;
        least_take(&many, time);
        quickest = int64_smaller(quickest, calls);
    }
    int64_t messages = order->peers * EXPERIMENT_SERIES;
    /* Both series begin with the same costs, which the difference removes. */
    int64_t gap = (many.time[0] - few.time[0]) / messages;
    int64_t wrong = (least_spread(&few) + least_spread(&many)) / messages;
    if (gap <= 0) { /* the short series were delayed, by at least as much */
        wrong -= gap;
        gap = 1;
    }
    outcome->best = gap;
    outcome->median = gap + wrong;
    outcome->send = quickest / (order->peers * (1 + EXPERIMENT_SERIES)) + 1;
    outcome->count = count;
}

/* Acknowledges the end of each series. Only the ends, because an acknowledgement of each message
 * would take the receiver's time, and the sender's port would seem slower. */
static void sink(const struct experiment *order, unsigned char *buffer)
{
    do {
        if (!receive(order, 0, buffer))
            return;
    } while (buffer[0] == MORE ||
             (buffer[0] == SERIES_ENDS && send_bytes(order, 0, buffer, 1, SERIES_ENDS)));
    send_bytes(order, 0, buffer, 1, LAST);
}

/* ---- many to one -------------------------------------------------------------------------- */

/* Sends a short series and a long one in turn, on request. The leader asks for each series by a
 * message of one byte. */
static void source(const struct experiment *order, unsigned char *buffer)
{
    enum more last = SERIES_ENDS;
    for (int64_t each = 1; last != LAST; each = each == 1 ? 1 + EXPERIMENT_SERIES : 1) {
        if (!receive(order, 0, buffer))
            return;
        last = (enum more)buffer[0];
        for (int64_t k = 0; k < each; k++)
            if (!send_bytes(order, 0, buffer, order->bytes, MORE))
                return;
    }
}

/* ---- rounds ---- */

/* The members are the leader, then the peers. */
static int64_t member(const struct experiment *order, int64_t i)
{
    i %= order->peers + 1;
    return i == 0 ? order->leader : order->peer[i - 1];
}

/* All sends come before the receives, as hn_send() does not wait for the receiver. */
static bool one_round(const struct experiment *order, unsigned char *buffer, int64_t own)
{
    for (int64_t d = 1; d <= order->reach; d++)
        if (!send_to(order, member(order, own + d), buffer, order->bytes))
            return false;
    for (int64_t d = 1; d <= order->reach; d++)
        if (!receive_from(order, member(order, own + order->peers + 1 - d), buffer))
            return false;
    return true;
}

/* Takes the mean, since some members run ahead while others wait; the first round only
 * synchronises. */
static void rounds(const struct experiment *order, unsigned char *buffer, struct outcome *outcome)
{
    int64_t begin = 0, own = 0, repeats = limited(order->repeats);
    while (member(order, own) != hn_rank())
        own++;
    for (int64_t k = -1; k < repeats; k++) {
        if (k == 0)
            begin = clock_now();
        if (!one_round(order, buffer, own))
            return;
    }
    outcome->best = outcome->median = (clock_now() - begin) / repeats + 1;
    outcome->count = repeats;
}

/* The peers do the same as the leader, whose time counts. */
static void take_part(const struct experiment *order, unsigned char *buffer)
{
    struct outcome ignored;
    rounds(order, buffer, &ignored);
}

/* ---- multicasts --------------------------------------------------------------------------- */

/* hosts[rank]: 1 for each task to reach; becomes 1 for each task reached. Blocks until all have
 * answered, or the patience ends. */
static void send_multicast(const struct experiment *order, unsigned char *hosts)
{
    size_t n = (size_t)order->bytes;
    hn_tid *to = malloc(n * sizeof *to);
    char *reached = calloc(n, sizeof *reached);
    int count = 0;
    for (size_t rank = 0; to && rank < n; rank++)
        if (hosts[rank])
            to[count++] = tid_of((int64_t)rank);
    bool sent =
        to && reached && hn_multicast_reach(to, count, (int)order->patience_ms, reached) >= 0;
    count = 0;
    for (size_t rank = 0; rank < n; rank++)
        if (hosts[rank])
            hosts[rank] = sent && reached[count++] == 1;
    free(to);
    free(reached);
}

/* The lists of hosts go through rank 0, since orders have a fixed size.  `told`: this task is not
 * rank 0, and gets the list by a message. */
static void reach(const struct experiment *order, unsigned char *hosts, struct outcome *outcome)
{
    hn_tid first = tid_of(0);
    bool told = hn_rank() != 0;
    size_t n = (size_t)order->bytes;
    if (told && hn_recv(first, (int)order->tag, hosts, n, HN_BYTE, NULL) != HN_OK)
        return;
    send_multicast(order, hosts);
    if (told && hn_send(first, (int)order->tag, hosts, n, HN_BYTE) != HN_OK)
        return;
    outcome->best = outcome->median = outcome->count = 1;
}

/* ---- computing ---------------------------------------------------------------------------- */

/* Dependent multiplications and additions on a small array, like a loop over forces; about a
 * millisecond on a machine of 2020. */
static double kernel(void)
{
    double x[64], sum = 0;
    for (int i = 0; i < 64; i++)
        x[i] = 1 + i / 64.0;
    for (int round = 0; round < 8000; round++)
        for (int i = 0; i < 64; i++) {
            x[i] = x[i] * 0.999999 + 1e-6 / x[(i + 17) % 64];
            sum += x[i];
        }
    return sum;
}

/* Stops when the three fastest runs agree. */
static void compute(const struct experiment *order, unsigned char *buffer, struct outcome *outcome)
{
    (void)buffer;
    int64_t time[EXPERIMENT_REPEATS], count = 0, repeats = limited(order->repeats);
    struct least least = nothing_yet;
    for (; count < repeats && !least_agree(&least, order->tolerance); count++) {
        int64_t begin = clock_now();
        double sum = kernel();
        __asm__ volatile("" : : "g"(&sum) : "memory"); /* the compiler must not remove the kernel */
        time[count] = clock_now() - begin;
        least_take(&least, time[count]);
    }
    conclude(outcome, time, count);
}

/* ---- presence ----------------------------------------------------------------------------- */

/* Hosts on one machine have the same boot id.  They are one host if they also have the same network
 * namespace, because containers are separate hosts. 0: the system does not provide it. */
static void report_identity(const struct experiment *order, unsigned char *buffer,
                            struct outcome *outcome)
{
    (void)order, (void)buffer;
    char boot[64] = "";
    struct stat network;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    bool known = file && fgets(boot, sizeof boot, file) && stat("/proc/self/ns/net", &network) == 0;
    if (file)
        fclose(file);
    outcome->count = 1;
    /* Two FNV hashes: of the boot id, and of it with the network namespace. */
    outcome->steal_time = steal_time_now();
    if (!known)
        return;
    uint64_t machine = 0, host = (uint64_t)network.st_ino;
    for (const char *at = boot; *at; at++) {
        machine = (machine ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        host = (host ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    outcome->best = (int64_t)(host >> 1 | 1);
    outcome->median = (int64_t)(machine >> 1 | 1);
    outcome->send = sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* What the leader does, and what its peers do. */
static const struct {
    void (*lead)(const struct experiment *order, unsigned char *buffer, struct outcome *outcome);
    void (*follow)(const struct experiment *order, unsigned char *buffer);
} parts[EXPERIMENT_KINDS] = {
    [EXPERIMENT_PING] = {ping, echo},
    [EXPERIMENT_BOTH] = {ping, other}, /* the peer's first message is already on its way */
    [EXPERIMENT_OUT] = {gap_of, sink},
    [EXPERIMENT_IN] = {gap_of, source},
    [EXPERIMENT_ROUNDS] = {rounds, take_part},
    [EXPERIMENT_COMPUTE] = {compute, NULL},
    [EXPERIMENT_HERE] = {report_identity, NULL},
    [EXPERIMENT_REACH] = {reach, NULL},
};

/* An order of an unknown kind comes from another version of the program. It is ignored, and its
 * leader reports a failure. */
void experiment_run(const struct experiment *order, unsigned char *buffer, struct outcome *outcome)
{
    bool leads = order->leader == hn_rank();
    *outcome = (struct outcome){.tag = order->tag};
    if (order->kind < 0 || order->kind >= EXPERIMENT_KINDS)
        return;
    if (leads && parts[order->kind].lead)
        parts[order->kind].lead(order, buffer, outcome);
    else if (!leads && parts[order->kind].follow)
        parts[order->kind].follow(order, buffer);
}
