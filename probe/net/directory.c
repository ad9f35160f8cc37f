/* directory.c - what a task knows about the routes of its job (hnow_net.h; Bhat, section 3).
 *
 * There are three sources, of which the newest counts.  The network file is the first.  The second
 * is the task's own traffic: the kernel keeps its rate (observe.h), so no extra message is sent.
 * The third is a refresh, in which both tasks exchange some messages.  Observed traffic replaces
 * only the cost per byte of a route: round trips of a busy connection include its queues, so they
 * say little about latency.  A drift is reported on request; nothing is replanned here.
 *
 * Cost: a query is O(1), a hash look-up, and one system call for the caller's own routes. The
 * directory belongs to one task. Two hosts may disagree about a route, because each sees its own
 * traffic and refreshes; plans for a group must not depend on it.
 */
#include "job/internal.h"
#include "net/clock_pair.h"
#include "net/net.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The two directions of a refresh; they are in a context of their own (clock_pair.h). */
enum { TAG_DATA = 1, TAG_ANSWER };
/* Round trips with 1 byte, as many as hprobe makes (PING_REPEATS), and with LARGE bytes, fewer
 * because each takes longer; the fastest counts.  LARGE is the size by which hprobe orders routes
 * (TYPICAL_BYTES): with much less the latency hides the rate. */
enum { SMALL_ROUNDS = 10, LARGE_ROUNDS = 4, LARGE = 65536 };
/* PATIENCE_MS: how much later the other task may make its call.  SEEN_IDLE_MS: the kernel's rate of
 * a connection is ignored after ten idle minutes, as the network may have changed. */
enum { PATIENCE_MS = 10000, SEEN_IDLE_MS = 600000 };

/* The result of a refresh. It replaces the file's cost of the route to that task. */
struct refreshed {
    hn_tid task;
    int64_t at; /* clock_now() */
    hn_pair_cost cost;
};

/* The model is NULL if hrun got no file. refreshed[] has at most one entry for each other task. */
struct hn_directory {
    hn_net *net;
    double measured; /* seconds since the epoch; 0: unknown */
    struct refreshed *refreshed;
    int count;
};

/* ---- opening ------------------------------------------------------------------------------ */

/* 0: unknown, or not in the expected form. */
static double time_of_origin(const hn_net *net)
{
    struct tm utc = {0};
    if (!net->origin.measured || !strptime(net->origin.measured, "%Y-%m-%dT%H:%M:%SZ", &utc))
        return 0;
    return (double)timegm(&utc);
}

int hn_directory_open(hn_directory **directory)
{
    REFUSE_NULL(directory);
    const char *text;
    size_t length;
    /* The agent has the text of the file that hrun read, so no host needs the file itself. */
    int code = hn_job_text("hosts", &text, &length);
    if (code < 0)
        return code;
    hn_directory *d = calloc(1, sizeof *d);
    if (!d)
        return error_set(HN_ENOMEM, "no memory for the directory");
    /* A job without a file has an empty directory, which is no error. On an error *directory is not
     * set, so the caller has nothing to free. */
    if (length > 0)
        code = hn_net_parse("the network file", text, length, &d->net);
    if (code < 0) {
        free(d);
        return code;
    }
    if (d->net)
        d->measured = time_of_origin(d->net);
    *directory = d;
    return HN_OK;
}

void hn_directory_free(hn_directory *d)
{
    if (!d)
        return;
    hn_net_free(d->net);
    free(d->refreshed);
    free(d);
}

const hn_net *hn_directory_net(const hn_directory *d)
{
    return d ? d->net : NULL;
}

/* ---- queries ------------------------------------------------------------------------------ */

/* -1: no such task, no model, or the file does not name the task's host. */
static int host_of(const hn_directory *d, hn_tid task)
{
    const char *name = hn_host_of(task);
    int host = name && d->net ? names_find(&d->net->names, name) : -1;
    return host >= 0 ? host : -1;
}

/* Fills in what the file states. Both hosts are in it. */
static void state(const hn_directory *d, hn_way_info *info)
{
    info->from = *hn_net_host(d->net, info->host_from);
    info->to = *hn_net_host(d->net, info->host_to);
    info->cost = hn_net_pair(d->net, info->host_from, info->host_to);
    info->subnet_from = hn_net_subnet_of(d->net, info->host_from);
    info->subnet_to = hn_net_subnet_of(d->net, info->host_to);
    if (info->subnet_from == info->subnet_to)
        info->medium = hn_net_subnet_medium(d->net, info->subnet_from);
    if (d->measured > 0) /* by a clock that may be ahead of this host's */
        info->age = fmax(0, (double)time(NULL) - d->measured);
}

/* Without W: the drift compares two states of the network, in which the receiver is the same. */
static hn_time time_of(const hn_way_info *info, int64_t bytes)
{
    return hn_cost_time(info->from.send_const, info->from.send_per_byte, bytes) +
           hn_way_time(&info->cost, bytes) +
           hn_cost_time(info->to.recv_const, info->to.recv_per_byte, bytes);
}

/* A linear search: a task refreshes few routes. */
static const struct refreshed *find_refreshed(const hn_directory *d, hn_tid task)
{
    for (int i = 0; i < d->count; i++)
        if (d->refreshed[i].task == task)
            return &d->refreshed[i];
    return NULL;
}

/* Uses the rate of the caller's own traffic, if it is newer. The kernel measures what both hosts
 * and the network do to a stream; the hosts' own costs per byte are counted apart, so they are
 * subtracted. */
static void use_observed_rate(hn_way_info *info, hn_tid to)
{
    struct observation seen;
    if (observe_route(to, &seen) != HN_OK || !seen.rate || seen.idle_ms > SEEN_IDLE_MS)
        return;
    double age = (double)seen.idle_ms / 1e3;
    if (info->source == HN_REFRESHED && info->age < age)
        return;
    /* Rates are bytes a second; 1e15 fs are a second. */
    hn_per_byte whole = (hn_per_byte)(1e15 / (double)seen.rate);
    hn_per_byte hosts = info->from.send_per_byte + info->to.recv_per_byte;
    info->cost.per_byte = whole > hosts ? whole - hosts : 0;
    info->source = HN_SEEN;
    info->age = age;
}

int hn_directory_ask(hn_directory *d, hn_tid from, hn_tid to, hn_way_info *info)
{
    REFUSE_NULL(d);
    REFUSE_NULL(info);
    *info = (hn_way_info){.host_from = host_of(d, from),
                          .host_to = host_of(d, to),
                          .subnet_from = -1,
                          .subnet_to = -1,
                          .age = -1};
    /* Unknown tasks are checked after *info is filled, so it has defined values also after HN_EARG.
     */
    if (!hn_host_of(from) || !hn_host_of(to))
        return error_set(HN_EARG, "there is no task %d", hn_host_of(from) ? to : from);
    bool stated = info->host_from >= 0 && info->host_to >= 0 && hn_net_has_costs(d->net);
    if (info->host_from >= 0 && info->host_to >= 0)
        state(d, info);
    /* From the oldest knowledge to the newest: the file, then a refreshed cost, then the rate of
     * messages of this task. Only this task's own routes are refreshed or observed. */
    hn_time before = time_of(info, LARGE);
    const struct refreshed *refreshed = from == hn_mytid() ? find_refreshed(d, to) : NULL;
    if (refreshed) {
        info->cost = refreshed->cost;
        info->source = HN_REFRESHED;
        info->age = (double)(clock_now() - refreshed->at) / 1e9;
    }
    if (from == hn_mytid() && from != to)
        use_observed_rate(info, to);
    /* How much slower a large message is now than the file says. */
    if (stated && before > 0)
        info->drift = (double)time_of(info, LARGE) / (double)before;
    return HN_OK;
}

/* Routes without a drift, because the file states no costs, are left out. */
int hn_directory_drifted(hn_directory *d, double factor, hn_tid *tids, int most)
{
    REFUSE_NULL(d);
    if (!tids && most > 0)
        return error_set(HN_EARG, "no room for %d tids", most);
    int found = 0;
    hn_tid self = hn_mytid();
    if (!(factor > 1))
        return error_set(HN_EARG, "a factor of drift has to be more than 1");
    /* The whole world is looked at, each time: O(tasks) with a system call for each connection. */
    for (int rank = 0; rank < hn_size(); rank++) {
        hn_way_info info;
        hn_tid to = hn_group_tid(hn_world(), rank);
        if (to == self || hn_directory_ask(d, self, to, &info) != HN_OK || info.drift <= 0 ||
            /* Slower by the factor, or faster by it. */
            (info.drift < factor && info.drift * factor > 1))
            continue;
        if (found < most)
            tids[found] = to;
        found++;
    }
    return found;
}

/* ---- refreshing --------------------------------------------------------------------------- */

/* Stores the least of several round trips, in nanoseconds. */
static int measure(hn_tid other, char *buffer, size_t bytes, int rounds, int64_t *least)
{
    *least = INT64_MAX;
    for (int i = 0; i < rounds; i++) {
        /* The clock includes the call of hn_send(), since S is a part of the cost. */
        int64_t begin = clock_now();
        /* For the large message the answer is one byte, so *least is one way with the data and one
         * back. */
        int code = hn_send(other, TAG_DATA, buffer, bytes, HN_BYTE);
        if (code == HN_OK)
            code = hn_recv_timeout(other, TAG_ANSWER, buffer, 1, HN_BYTE, PATIENCE_MS, NULL);
        if (code < 0)
            return code;
        int64_t time = clock_now() - begin;
        *least = time < *least ? time : *least;
    }
    return HN_OK;
}

/* The answer has one byte, so a round trip contains the large message once. */
static int answer(hn_tid other, char *buffer, int rounds)
{
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < rounds; i++) {
        code = hn_recv_timeout(other, TAG_DATA, buffer, LARGE, HN_BYTE, PATIENCE_MS, NULL);
        if (code == HN_OK)
            code = hn_send(other, TAG_ANSWER, buffer, 1, HN_BYTE);
    }
    return code;
}

/* The task with the smaller tid measures first, then the other one. *small is half a round trip of
 * one byte, *large the one-way time of LARGE bytes. The two directions may differ, so each task
 * measures its own. */
static int take_turns(hn_tid other, char *buffer, int64_t *small, int64_t *large)
{
    int code = HN_OK;
    bool first = hn_mytid() < other;
    /* Each task serves in one turn and measures in the other. */
    for (int turn = 0; code == HN_OK && turn < 2; turn++) {
        if (first == (turn == 1)) {
            /* Both sides count the same rounds, so neither needs a message that ends the turn. */
            code = answer(other, buffer, SMALL_ROUNDS + LARGE_ROUNDS);
            continue;
        }
        code = measure(other, buffer, 1, SMALL_ROUNDS, small);
        if (code == HN_OK)
            code = measure(other, buffer, LARGE, LARGE_ROUNDS, large);
        /* The one-byte round trip is symmetric by assumption; its half is also subtracted from the
         * large one. */
        *small /= 2;
        *large -= *small;
    }
    return code;
}

/* Remembers a refreshed cost, in the place of an older one. */
static int keep(hn_directory *d, hn_tid other, hn_pair_cost cost)
{
    struct refreshed *place = (struct refreshed *)find_refreshed(d, other);
    if (!place) {
        if (!ARRAY_ROOM(d->refreshed, d->count + 1))
            return error_set(HN_ENOMEM, "no memory for the directory");
        place = &d->refreshed[d->count++];
    }
    /* The latest refresh counts, so a route has one entry. */
    *place = (struct refreshed){other, clock_now(), cost};
    return HN_OK;
}

/* Returns X: the measured times less the hosts' S and R. Noise may make a difference negative. */
static hn_pair_cost cost_of(const hn_way_info *info, int64_t small, int64_t large)
{
    /* Nanoseconds become picoseconds. Without a model the hosts' costs are 0, and all of the time
     * is X. */
    hn_time latency = small * 1000 - info->from.send_const - info->to.recv_const;
    /* LARGE - 1 more bytes caused the difference of the two times. The second factor 1000 makes
     * femtoseconds. */
    hn_per_byte per_byte = int64_larger(0, large - small) * 1000 / (LARGE - 1) * 1000 -
                           info->from.send_per_byte - info->to.recv_per_byte;
    return (hn_pair_cost){.latency = int64_larger(0, latency),
                          .per_byte = int64_larger(0, per_byte)};
}

int hn_directory_refresh(hn_directory *d, hn_tid other)
{
    REFUSE_NULL(d);
    hn_way_info info;
    int64_t small = 0, large = 0;
    if (other == hn_mytid())
        return error_set(HN_EARG, "there is no way from a task to itself");
    /* hn_directory_ask() also finds out whether the other task exists, before a call blocks for it.
     */
    int code = hn_directory_ask(d, hn_mytid(), other, &info);
    char *buffer = code == HN_OK ? calloc(1, LARGE) : NULL;
    if (code == HN_OK && !buffer)
        code = error_set(HN_ENOMEM, "no memory for messages of %d bytes", LARGE);
    if (code == HN_OK) {
        hn_context before = hn_set_context(DIRECTORY_CONTEXT);
        code = take_turns(other, buffer, &small, &large);
        hn_set_context(before);
    }
    free(buffer);
    return code == HN_OK ? keep(d, other, cost_of(&info, small, large)) : code;
}
