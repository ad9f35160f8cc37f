/* campaign.c - the order of the measurements, on rank 0.
 *
 * 1. A first round trip of every pair, in rounds of disjoint pairs: who is near whom, roughly.
 * 2. ECO's passes: near pairs one at a time, because pairs on one machine room's wires (or, in
 * tests, on one machine's processors) disturb each other; far pairs side by side, as long as they
 * do not lie between the same two groups of hosts.
 * 3. Larger messages, both ways: between neighbours in a group, and two pairs between any two
 *    groups; as large as the way carries in message_ms.
 * 4. In each group two neighbours send to each other at once: a bus or a switch?
 * 5. Consecutive sends from each host to its nearest ones, and from these to it at once.
 * 6. The compute kernel on each host.
 *
 * Steps: O(p) rounds where hosts are far from each other, O(p^2) short ones where they are near.  A
 * task that is lost is left out from then on.
 */
#include "campaign.h"
#include "conduct.h"
#include "rounds.h"
#include "subnet.h"

#include <stdlib.h>

enum { SMALL = 1, PAGE = 1024, NEAREST = 3, BETWEEN = 2 };
static const int64_t near_ns = 2000000; /* 1 KiB in less than this: the hosts are near */

static const int64_t sizes[] = {4096, 16384, 131072, EXPERIMENT_BYTES};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct campaign {
    const struct campaign_plan *plan;
    struct conductor conductor;
    int n;
    int64_t *page; /* [a * n + b]: best time of 1 KiB, HN_TIME_MOST when unknown */
    int *group;    /* [rank] */
    int *busy;     /* for rounds_next() */
    struct rounds_pair *pair;
    int *chosen;
    struct job *job;
    int pairs, done, total;
};

static void progress(struct campaign *c, const char *what)
{
    if (c->done < c->total)
        c->done++;
    conduct_progress(&c->conductor, c->done, c->total, what);
}

/* ---- round trips -------------------------------------------------------------------------- */

static struct job ping_job(int from, int to, int64_t bytes, int64_t repeats)
{
    return (struct job){
        .leader = from,
        .order = {.kind = EXPERIMENT_PING,
                  .bytes = bytes,
                  .reply = bytes,
                  .repeats = repeats,
                  .budget_ns = 20000000,
                  .peers = 1,
                  .peer = {to}},
        .follow = EXPERIMENT_ECHO,
        .sample = {.kind = SAMPLE_PING, .from = from, .to = to, .bytes = bytes},
        .parts = 2,
    };
}

static void remember(struct campaign *c, const struct job *job)
{
    int a = job->sample.from, b = job->sample.to;
    int64_t *page = &c->page[a * c->n + b];
    if (job->sample.count && job->sample.bytes == PAGE && job->sample.best < *page)
        c->page[b * c->n + a] = *page = job->sample.best;
}

/* Small messages, then 1 KiB, between the pairs at c->chosen, at the same time. */
static void ping_pairs(struct campaign *c, int count, int64_t repeats)
{
    static const int64_t lengths[] = {SMALL, PAGE};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &c->pair[c->chosen[i]];
            c->job[i] = ping_job(pair->from, pair->to, lengths[k], repeats);
        }
        conduct(&c->conductor, c->job, count);
        for (int i = 0; i < count; i++)
            remember(c, &c->job[i]);
    }
}

static void first_pings(struct campaign *c)
{
    for (int round = 0; round < rounds_count(c->n); round++) {
        int count = 0;
        for (int from = 0; from < c->n; from++) {
            int to = rounds_partner(c->n, round, from);
            if (to < from)
                continue;
            c->pair[count] = (struct rounds_pair){.from = from, .to = to};
            c->chosen[count] = count;
            count++;
        }
        ping_pairs(c, count, 3);
        progress(c, "first round trips");
    }
}

static bool is_near(const struct campaign *c, int a, int b)
{
    return c->page[a * c->n + b] < near_ns;
}

/* All pairs a < b that are near, or all that are not. */
static void list_pairs(struct campaign *c, bool near)
{
    c->pairs = 0;
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            if (is_near(c, a, b) == near)
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
}

static void ping_pass(struct campaign *c)
{
    list_pairs(c, true);
    for (int i = 0; i < c->pairs; i++) {
        c->chosen[0] = i;
        ping_pairs(c, 1, 10);
        if (i % c->n == 0)
            progress(c, "round trips");
    }
    list_pairs(c, false);
    for (int count; (count = rounds_next(c->pair, c->pairs, c->n, c->group, c->busy, c->chosen));) {
        ping_pairs(c, count, 10);
        progress(c, "far round trips");
    }
}

/* ---- larger messages ---------------------------------------------------------------------- */

static void add_pair(struct campaign *c, int from, int to)
{
    c->pair[c->pairs++] = (struct rounds_pair){.from = from, .to = to};
    c->pair[c->pairs++] = (struct rounds_pair){.from = to, .to = from};
}

/* Member number `index` of a group (counted around), -1 when the group is empty. */
static int member(const struct campaign *c, int group, int index)
{
    int count = 0;
    for (int i = 0; i < c->n; i++)
        count += c->group[i] == group;
    if (!count)
        return -1;
    index %= count;
    for (int i = 0; i < c->n; i++)
        if (c->group[i] == group && index-- == 0)
            return i;
    return -1;
}

static int group_size(const struct campaign *c, int group)
{
    int count = 0;
    for (int i = 0; i < c->n; i++)
        count += c->group[i] == group;
    return count;
}

/* Each host with the next and the one after it, around its group. */
static void list_neighbours(struct campaign *c, int group)
{
    int size = group_size(c, group);
    for (int i = 0; i < size; i++)
        for (int step = 1; step <= BETWEEN && 2 * step <= size; step++)
            if (2 * step < size || i < step)
                add_pair(c, member(c, group, i), member(c, group, i + step));
}

static void list_ways(struct campaign *c, int groups)
{
    c->pairs = 0;
    for (int a = 0; a < groups; a++) {
        list_neighbours(c, a);
        for (int b = a + 1; b < groups; b++) {
            int x = group_size(c, a), y = group_size(c, b), most = x > y ? x : y;
            for (int i = 0; i < BETWEEN && i < most; i++)
                add_pair(c, member(c, a, i), member(c, b, i));
        }
    }
}

/* How long the next size would take, from the time of the last one. */
static bool is_short(const struct campaign *c, int64_t time, int64_t bytes, int64_t next)
{
    int64_t limit = (int64_t)c->plan->message_ms * 1000000;
    return time > 0 && time / 1000 * (next / 1024) / (bytes / 1024) < limit / 1000;
}

/* Messages to a host that answers with one byte. */
static struct job way_job(const struct campaign *c, int from, int to, int64_t bytes,
                          int64_t repeats)
{
    struct job job = ping_job(from, to, bytes, repeats);
    job.order.reply = 1;
    job.order.budget_ns = (int64_t)c->plan->message_ms * repeats * 500000;
    job.sample.kind = SAMPLE_WAY;
    job.parts = 1;
    return job;
}

/* Ever larger messages on the chosen ways; each goes on as long as the next is expected to arrive
 * in time.  The first size is sent once even where it takes longer. */
static void measure_ways(struct campaign *c, int count)
{
    for (int size = 0; size < SIZES && count > 0; size++) {
        int going_on = 0;
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &c->pair[c->chosen[i]];
            c->job[i] = way_job(c, pair->from, pair->to, sizes[size], 3);
        }
        conduct(&c->conductor, c->job, count);
        for (int i = 0; i < count; i++)
            if (c->job[i].sample.count && size + 1 < SIZES &&
                is_short(c, c->job[i].sample.best, sizes[size], sizes[size + 1]))
                c->chosen[going_on++] = c->chosen[i];
        count = going_on;
    }
}

static void measure_all_ways(struct campaign *c, int groups)
{
    list_ways(c, groups);
    for (int i = 0; i < c->pairs; i++) {
        if (!is_near(c, c->pair[i].from, c->pair[i].to))
            continue;
        c->pair[i].taken = true;
        c->chosen[0] = i;
        measure_ways(c, 1);
        if (i % 4 == 0)
            progress(c, "large messages");
    }
    for (int count; (count = rounds_next(c->pair, c->pairs, c->n, c->group, c->busy, c->chosen));) {
        measure_ways(c, count);
        progress(c, "large messages");
    }
}

/* ---- hosts -------------------------------------------------------------------------------- */

/* The nearest hosts of one, at most NEAREST, and none twice as far as the first: what is measured
 * is the host's port, not a far one's link. */
static int nearest(const struct campaign *c, int host, int64_t *near)
{
    int count = 0;
    for (; count < NEAREST; count++) {
        int64_t limit = count ? 2 * c->page[host * c->n + near[0]] : INT64_MAX;
        int best = -1;
        for (int i = 0; i < c->n; i++) {
            bool taken = i == host || c->conductor.lost[i];
            for (int k = 0; k < count; k++)
                taken |= near[k] == i;
            if (!taken && (best < 0 || c->page[host * c->n + i] < c->page[host * c->n + best]))
                best = i;
        }
        if (best < 0 || c->page[host * c->n + best] > limit)
            break;
        near[count] = best;
    }
    return count;
}

/* A message that takes a few milliseconds: long against all constants, short for twenty of it. */
static int64_t port_message(const struct campaign *c, int host, int64_t peer)
{
    int64_t time = c->page[host * c->n + peer], bytes = 65536;
    while (bytes > PAGE && time / 1000 * (bytes / PAGE) > 8000)
        bytes /= 4;
    return bytes;
}

static void measure_ports(struct campaign *c, int host, const struct experiment *order)
{
    int near = (int)order->peers;
    struct job job = {.leader = host, .order = *order, .parts = 1};
    job.order.kind = EXPERIMENT_OUT;
    job.follow = EXPERIMENT_SINK;
    job.sample =
        (struct sample){.kind = SAMPLE_OUT, .from = host, .to = near, .bytes = order->bytes};
    conduct(&c->conductor, &job, 1);
    job.order.kind = EXPERIMENT_IN;
    job.follow = EXPERIMENT_SOURCE;
    job.sample =
        (struct sample){.kind = SAMPLE_IN, .from = near, .to = host, .bytes = order->bytes};
    conduct(&c->conductor, &job, 1);
}

static void measure_host(struct campaign *c, int host)
{
    struct experiment order = {.repeats = 40, .budget_ns = 40000000};
    struct job compute = {.leader = host,
                          .order = {.kind = EXPERIMENT_COMPUTE, .repeats = 3},
                          .follow = EXPERIMENT_QUIT,
                          .sample = {.kind = SAMPLE_SPEED, .from = host},
                          .parts = 1};
    order.peers = nearest(c, host, order.peer);
    if (order.peers > 0) {
        const int64_t bytes[] = {SMALL, PAGE, port_message(c, host, order.peer[0])};
        for (int i = 0; i < 3; i++) {
            order.bytes = bytes[i];
            if (i == 0 || bytes[i] > bytes[i - 1])
                measure_ports(c, host, &order);
        }
    }
    conduct(&c->conductor, &compute, 1);
    progress(c, "hosts");
}

/* ---- media -------------------------------------------------------------------------------- */

/* A message of some milliseconds, so that the wire's time outweighs everything else; one way first,
 * as often and as fast, in sizes that grow until it takes long enough. */
static void measure_medium(struct campaign *c, int group)
{
    int from = member(c, group, 0), to = member(c, group, 1);
    if (group_size(c, group) < 2)
        return;
    struct job job;
    for (int64_t bytes = 4096; bytes <= EXPERIMENT_BYTES; bytes *= 4) {
        job = way_job(c, from, to, bytes, 7);
        conduct(&c->conductor, &job, 1);
        if (!job.sample.count || job.sample.median > 4000000)
            break;
    }
    job.order.kind = EXPERIMENT_BOTH;
    job.follow = EXPERIMENT_OTHER;
    job.sample.kind = SAMPLE_BOTH;
    conduct(&c->conductor, &job, 1);
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Steps of a pass, roughly: a progress line each. */
static int steps_of_pass(const struct campaign *c)
{
    int near = 0;
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            near += is_near(c, a, b);
    return near / c->n + (2 * near < c->n * (c->n - 1) ? rounds_count(c->n) : 0) + 1;
}

static void run(struct campaign *c)
{
    int passes = c->plan->passes, rounds = rounds_count(c->n);
    c->total = rounds * (2 + passes) + c->n;
    first_pings(c);
    int groups = subnet_partition(c->n, c->page, 200000, c->group);
    if (groups < 0)
        return;
    c->total = rounds + passes * steps_of_pass(c) + (c->plan->quick ? 0 : c->n + rounds);
    for (int pass = 0; pass < passes; pass++)
        ping_pass(c);
    if (c->plan->quick)
        return;
    measure_all_ways(c, groups);
    for (int group = 0; group < groups; group++)
        measure_medium(c, group);
    for (int host = 0; host < c->n; host++)
        measure_host(c, host);
}

static int command(const struct campaign_plan *plan, unsigned char *buffer, FILE *out)
{
    struct campaign c = {.plan = plan, .n = hn_size()};
    size_t n = (size_t)c.n;
    int status = 1;
    c.page = malloc(n * n * sizeof *c.page);
    c.group = calloc(n, sizeof *c.group);
    c.busy = calloc(rounds_scratch(n), sizeof *c.busy);
    c.pair = calloc(n * n * BETWEEN + 1, sizeof *c.pair);
    c.chosen = calloc(n * n * BETWEEN + 1, sizeof *c.chosen);
    c.job = calloc(n, sizeof *c.job);
    if (c.page && c.group && c.busy && c.pair && c.chosen && c.job &&
        conduct_begin(&c.conductor, c.n, buffer, out) == HN_OK) {
        for (size_t i = 0; i < n * n; i++)
            c.page[i] = HN_TIME_MOST;
        run(&c);
        conduct_end(&c.conductor);
        status = 0;
    }
    free(c.page);
    free(c.group);
    free(c.busy);
    free(c.pair);
    free(c.chosen);
    free(c.job);
    return status;
}

int campaign_task(const struct campaign_plan *plan, FILE *out)
{
    unsigned char *buffer = calloc(1, EXPERIMENT_BYTES);
    if (!buffer)
        return 1;
    hn_context before = hn_set_context(CONDUCT_CONTEXT);
    int status = hn_rank() == 0 ? command(plan, buffer, out) : conduct_serve(buffer);
    hn_set_context(before);
    free(buffer);
    return status;
}
