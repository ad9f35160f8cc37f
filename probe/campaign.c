/* campaign.c - the order of the measurements.
 *
 * 1. Ping-pong of every pair with a small message and with 1 KiB (ECO: one pair at a time, the
 *    whole repeated in several passes).  The 1 KiB times say who is near whom.
 * 2. Larger messages for every ordered pair, as large as the link carries in message_ms.
 * 3. Consecutive sends from each host to its nearest ones, and from these to it at once.
 * 4. The compute kernel on each host.
 *
 * Cost: O(p^2) experiments.  A task that is lost is left out from then on.
 */
#include "campaign.h"
#include "experiment.h"
#include "rounds.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG_ORDER = 1, TAG_OUTCOME = 2, TAG_FIRST = 16 };
enum { CONTEXT = 0x4850 }; /* below 0x10000: hnow's own */
enum { SMALL = 1, PAGE = 1024, NEAR = 3 };

static const int64_t sizes[] = {16384, 131072, EXPERIMENT_BYTES};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct campaign {
    const struct campaign_plan *plan;
    FILE *out;
    int n;
    int64_t tag;
    unsigned char *buffer;
    bool *lost; /* [rank] */
    struct samples samples;
    int done, total; /* steps, for the progress lines */
};

/* ---- one experiment ----------------------------------------------------------------------- */

static void give_order(struct campaign *c, int rank, struct experiment *order)
{
    if (rank != 0 && hn_send(hn_group_tid(hn_world(), rank), TAG_ORDER, order, EXPERIMENT_WORDS,
                             HN_INT64) != HN_OK)
        c->lost[rank] = true;
}

static void fetch_outcome(struct campaign *c, int leader, struct outcome *outcome)
{
    if (hn_recv(hn_group_tid(hn_world(), leader), TAG_OUTCOME, outcome, OUTCOME_WORDS, HN_INT64,
                NULL) == HN_OK)
        return;
    c->lost[leader] = true;
    outcome->count = 0;
}

static bool all_there(const struct campaign *c, int leader, const struct experiment *order)
{
    for (int64_t i = 0; i < order->peers; i++)
        if (c->lost[order->peer[i]])
            return false;
    return !c->lost[leader];
}

/* Orders the leader and its peers, and waits for the outcome. */
static struct outcome conduct(struct campaign *c, int leader, struct experiment order,
                              enum experiment_kind follow)
{
    struct outcome outcome = {0}, ignored;
    struct experiment following = order;
    bool follows = false;
    if (!all_there(c, leader, &order))
        return outcome;
    order.tag = following.tag = c->tag++;
    following.kind = follow;
    following.peers = 1;
    following.peer[0] = leader;
    for (int64_t i = 0; i < order.peers; i++) {
        give_order(c, (int)order.peer[i], &following);
        follows |= order.peer[i] == 0;
    }
    give_order(c, leader, &order);
    if (leader == 0)
        experiment_run(&order, c->buffer, &outcome);
    else if (follows)
        experiment_run(&following, c->buffer, &ignored);
    if (leader != 0)
        fetch_outcome(c, leader, &outcome);
    return outcome;
}

/* Prints and keeps the sample; times are divided by `parts`. */
static int64_t record(struct campaign *c, struct sample sample, struct outcome outcome, int parts)
{
    sample.best = outcome.best / parts;
    sample.median = outcome.median / parts;
    sample.count = (int)outcome.count;
    sample_print(&sample, c->out);
    return samples_add(&c->samples, &sample) == HN_OK && sample.count ? sample.best : 0;
}

static void progress(struct campaign *c, const char *what)
{
    fprintf(c->out, "progress %d %d %s\n", ++c->done, c->total, what);
    fflush(c->out);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static void ping_pair(struct campaign *c, int from, int to, int64_t bytes, int64_t repeats)
{
    struct experiment order = {.kind = EXPERIMENT_PING,
                               .bytes = bytes,
                               .reply = bytes,
                               .repeats = repeats,
                               .budget_ns = 20000000,
                               .peers = 1,
                               .peer = {to}};
    struct outcome outcome = conduct(c, from, order, EXPERIMENT_ECHO);
    record(c, (struct sample){.kind = SAMPLE_PING, .from = from, .to = to, .bytes = bytes}, outcome,
           2);
}

static void ping_all(struct campaign *c, const char *what)
{
    for (int round = 0; round < rounds_count(c->n); round++) {
        for (int from = 0; from < c->n; from++) {
            int to = rounds_partner(c->n, round, from);
            if (to < from)
                continue;
            ping_pair(c, from, to, SMALL, 12);
            ping_pair(c, from, to, PAGE, 8);
        }
        progress(c, what);
    }
}

/* Larger and larger messages, as long as the next is expected to arrive in time. */
static void measure_way(struct campaign *c, int from, int to)
{
    const struct sample *page =
        samples_find(&c->samples, SAMPLE_PING, from < to ? from : to, from < to ? to : from, PAGE);
    int64_t limit = (int64_t)c->plan->message_ms * 1000000,
            time = page && page->count ? page->best : 0;
    int64_t bytes = PAGE;
    for (int i = 0; i < SIZES && time > 0; i++) {
        if (i > 0 && time > limit / (sizes[i] / bytes))
            return;
        struct experiment order = {.kind = EXPERIMENT_PING,
                                   .bytes = sizes[i],
                                   .reply = 1,
                                   .repeats = 3,
                                   .budget_ns = limit,
                                   .peers = 1,
                                   .peer = {to}};
        struct sample sample = {.kind = SAMPLE_WAY, .from = from, .to = to, .bytes = sizes[i]};
        bytes = sizes[i];
        time = record(c, sample, conduct(c, from, order, EXPERIMENT_ECHO), 1);
    }
}

static void measure_ways(struct campaign *c)
{
    for (int round = 0; round < rounds_count(c->n); round++) {
        for (int from = 0; from < c->n; from++) {
            int to = rounds_partner(c->n, round, from);
            if (to >= 0)
                measure_way(c, from, to);
        }
        progress(c, "large messages");
    }
}

/* ---- hosts -------------------------------------------------------------------------------- */

static int64_t distance(const struct campaign *c, int a, int b)
{
    const struct sample *s =
        samples_find(&c->samples, SAMPLE_PING, a < b ? a : b, a < b ? b : a, PAGE);
    return s && s->count ? s->best : INT64_MAX;
}

/* The nearest hosts of one, at most NEAR. */
static int nearest(const struct campaign *c, int host, int64_t *near)
{
    int count = 0;
    for (; count < NEAR; count++) {
        int best = -1;
        for (int i = 0; i < c->n; i++) {
            bool taken = i == host || c->lost[i];
            for (int k = 0; k < count; k++)
                taken |= near[k] == i;
            if (!taken && (best < 0 || distance(c, host, i) < distance(c, host, best)))
                best = i;
        }
        if (best < 0)
            break;
        near[count] = best;
    }
    return count;
}

/* The largest message that its link has carried. */
static int64_t largest(const struct campaign *c, int host, int64_t peer)
{
    for (int i = SIZES - 2; i >= 0; i--) { /* several are under way: not the very largest */
        const struct sample *s = samples_find(&c->samples, SAMPLE_WAY, host, (int)peer, sizes[i]);
        if (s && s->count)
            return sizes[i];
    }
    return PAGE;
}

static void measure_ports(struct campaign *c, int host, struct experiment order)
{
    int near = (int)order.peers;
    struct sample away = {.kind = SAMPLE_OUT, .from = host, .to = near, .bytes = order.bytes};
    struct sample here = {.kind = SAMPLE_IN, .from = near, .to = host, .bytes = order.bytes};
    order.kind = EXPERIMENT_OUT;
    struct outcome outcome = conduct(c, host, order, EXPERIMENT_SINK);
    record(c, away, outcome, 1);
    away.kind = SAMPLE_SEND;
    outcome.best = outcome.median = outcome.send;
    record(c, away, outcome, 1);
    order.kind = EXPERIMENT_IN;
    record(c, here, conduct(c, host, order, EXPERIMENT_SOURCE), 1);
}

static void measure_host(struct campaign *c, int host)
{
    struct experiment order = {.repeats = 6, .budget_ns = (int64_t)c->plan->message_ms * 2000000};
    struct experiment compute = {.kind = EXPERIMENT_COMPUTE, .repeats = 3};
    struct sample speed = {.kind = SAMPLE_SPEED, .from = host};
    order.peers = nearest(c, host, order.peer);
    if (order.peers > 0) {
        const int64_t bytes[] = {SMALL, PAGE, largest(c, host, order.peer[0])};
        for (int i = 0; i < 3; i++) {
            order.bytes = bytes[i];
            if (i == 0 || bytes[i] > bytes[i - 1])
                measure_ports(c, host, order);
        }
    }
    record(c, speed, conduct(c, host, compute, EXPERIMENT_QUIT), 1);
    progress(c, "hosts");
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void campaign_run(struct campaign *c)
{
    int rounds = rounds_count(c->n), passes = c->plan->passes;
    c->total = passes * rounds + (c->plan->quick ? 0 : rounds + c->n);
    for (int pass = 0; pass < passes; pass++)
        ping_all(c, "round trips");
    if (c->plan->quick)
        return;
    measure_ways(c);
    for (int host = 0; host < c->n; host++)
        measure_host(c, host);
}

static void dismiss(struct campaign *c)
{
    struct experiment quit = {.kind = EXPERIMENT_QUIT};
    for (int rank = 1; rank < c->n; rank++)
        if (!c->lost[rank])
            give_order(c, rank, &quit);
}

static int command(const struct campaign_plan *plan, unsigned char *buffer, FILE *out)
{
    struct campaign c = {
        .plan = plan, .out = out, .n = hn_size(), .tag = TAG_FIRST, .buffer = buffer};
    c.lost = calloc((size_t)c.n, sizeof *c.lost);
    if (!c.lost)
        return 1;
    campaign_run(&c);
    dismiss(&c);
    for (int rank = 0; rank < c.n; rank++)
        if (c.lost[rank])
            fprintf(out, "lost %d\n", rank);
    fputs("end\n", out);
    fflush(out);
    samples_free(&c.samples);
    free(c.lost);
    return 0;
}

/* Until rank 0 says quit, or is lost. */
static int serve(unsigned char *buffer)
{
    const hn_tid chief = hn_group_tid(hn_world(), 0);
    struct experiment order;
    struct outcome outcome;
    static const unsigned leaders = 1u << EXPERIMENT_PING | 1u << EXPERIMENT_OUT |
                                    1u << EXPERIMENT_IN | 1u << EXPERIMENT_COMPUTE;
    for (;;) {
        if (hn_recv(chief, TAG_ORDER, &order, EXPERIMENT_WORDS, HN_INT64, NULL) != HN_OK)
            return 1;
        if (order.kind == EXPERIMENT_QUIT)
            return 0;
        experiment_run(&order, buffer, &outcome);
        if (leaders >> order.kind & 1 &&
            hn_send(chief, TAG_OUTCOME, &outcome, OUTCOME_WORDS, HN_INT64) != HN_OK)
            return 1;
    }
}

int campaign_task(const struct campaign_plan *plan, FILE *out)
{
    unsigned char *buffer = calloc(1, EXPERIMENT_BYTES);
    if (!buffer)
        return 1;
    hn_context before = hn_set_context(CONTEXT);
    int status = hn_rank() == 0 ? command(plan, buffer, out) : serve(buffer);
    hn_set_context(before);
    free(buffer);
    return status;
}
