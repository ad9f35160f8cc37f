/* measurement.c - the order of the measurements, on rank 0.
 *
 * 0. Who is there, and which names mean the same machine (the second one is left out).
 * 1. A first round trip of every pair, self-timed: who is near whom, roughly.
 * 2. ECO's passes over all pairs, as many at the same time as do not disturb one another.
 * 3. Larger messages, both ways: between neighbours in a subnet; between all of its hosts at once,
 *    which tells switches apart that are joined by a cable; two pairs between any two subnets.
 * 4. In each subnet two neighbours send to each other at once: a bus or a switch?  Then two
 *    transfers between the same two subnets or sites, and two out of the same one: shared links.
 * 5. Consecutive sends from each host to its nearest ones, and from these to it at once.
 * 6. The compute kernel on each host.
 * 7. Where hosts share a machine: messages of all its hosts at once.
 * 8. A multicast from each host: whom does it reach?
 *
 * Each part has a file of its own.  Steps: O(p) rounds when pairs do not disturb each other, else
 * up to O(p^2) short ones.  A task that is lost is left out from then on.
 */
#include "measure/measurement_state.h"
#include "derive/known.h"
#include "derive/site.h"
#include "derive/subnet.h"

#include <stdlib.h>

void campaign_progress(struct campaign *c, const char *what)
{
    if (c->done < c->total)
        c->done++;
    conduct_progress(&c->conductor, c->done, c->total, what);
}

bool campaign_is_wanted(const struct campaign *c, int a, int b)
{
    return campaign_is_there(c, a) && campaign_is_there(c, b) && !(c->known[a] && c->known[b]) &&
           !conduct_is_cut(&c->conductor, a, b);
}

bool campaign_is_near(const struct campaign *c, int a, int b)
{
    return c->site[c->group[a]] == c->site[c->group[b]];
}

int64_t campaign_patience(const struct campaign *c, int a, int b, int64_t bytes)
{
    int64_t page = c->page[a * c->n + b], per_byte = c->large[a * c->n + b]; /* ns; ps */
    if (page >= HN_TIME_MOST)
        return CAMPAIGN_CLEAR;
    if (!per_byte)
        per_byte = page * 1000 / CAMPAIGN_PAGE;
    int64_t ms = 1500 + (page + per_byte * bytes / 1000) / 100000;
    return ms < 120000 ? ms : 120000;
}

int campaign_member(const struct campaign *c, int group, int index)
{
    int size = campaign_group_size(c, group);
    if (size == 0)
        return -1;
    index %= size;
    for (int i = 0; i < c->n; i++)
        if (c->group[i] == group && campaign_is_there(c, i) && index-- == 0)
            return i;
    return -1;
}

int campaign_group_size(const struct campaign *c, int group)
{
    int size = 0;
    for (int i = 0; i < c->n; i++)
        size += c->group[i] == group && campaign_is_there(c, i);
    return size;
}

/* ---- how many at the same time ------------------------------------------------------------ */

enum { PROBES = 4, FAR_PROBES = 2, PROBE_REPEATS = 12 };
static const int64_t slack_ns = 2000; /* a pair; what a clock and a scheduler blur */

/* Sum of the best times of the first pairs; negative: one of them failed. */
static int64_t sum_of(const struct job *job, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (!job[i].sample.count)
            return -1;
        sum += job[i].sample.best;
    }
    return sum;
}

int campaign_width(struct campaign *c, int count,
                   struct job (*make)(const struct campaign *c, int from, int to, int64_t bytes,
                                      int64_t repeats),
                   int64_t bytes)
{
    struct job alone[PROBES];
    const struct rounds_pair *first = &c->pair[c->chosen[0]];
    int most = campaign_is_near(c, first->from, first->to) ? PROBES : FAR_PROBES;
    int probes = count < most ? count : most;
    for (int i = 0; i < probes; i++) {
        const struct rounds_pair *pair = &c->pair[c->chosen[i]];
        alone[i] = make(c, pair->from, pair->to, bytes, PROBE_REPEATS);
        alone[i].silent = true;
        conduct(&c->conductor, &alone[i], 1);
    }
    for (int width = count; width > 1; width /= 2) {
        for (int i = 0; i < width; i++) {
            const struct rounds_pair *pair = &c->pair[c->chosen[i]];
            c->job[i] = make(c, pair->from, pair->to, bytes, PROBE_REPEATS);
            c->job[i].silent = true;
        }
        conduct(&c->conductor, c->job, width);
        int seen = width < probes ? width : probes;
        int64_t together = sum_of(c->job, seen), limit = sum_of(alone, seen);
        if (together >= 0 && limit >= 0 && together <= limit + limit / 16 + seen * slack_ns)
            return width;
    }
    return 1;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void call_roll(struct campaign *c)
{
    int64_t *host = c->large; /* not used yet */
    conduct_roll_call(&c->conductor, host, c->machine, c->cores);
    for (int b = 0; b < c->n && !c->plan->twins; b++)
        for (int a = 0; a < b; a++)
            if (host[b] && host[a] == host[b] && campaign_is_there(c, b))
                conduct_dismiss(&c->conductor, b, a);
    for (int i = 0; i < c->n; i++)
        host[i] = 0;
}

/* Subnets and sites as far as they are known; false: out of memory. */
static bool partition(struct campaign *c)
{
    c->groups = subnet_partition_measured(c->n, c->page, 200000, c->group);
    if (c->groups >= 0)
        c->sites = site_partition(c->n, c->small, c->groups, c->group, c->site);
    return c->groups >= 0 && c->sites >= 0;
}

/* Times that the job's hosts file, a network file, states already. */
static void fill_known(struct campaign *c, const hn_net *net, const int *host)
{
    for (int a = 0; a < c->n; a++)
        for (int b = 0; b < c->n; b++)
            if (a != b && c->known[a] && c->known[b]) {
                int at = a * c->n + b;
                c->page[at] = hn_net_time(net, host[a], host[b], CAMPAIGN_PAGE) / 1000 + 1;
                c->small[at] = hn_net_time(net, host[a], host[b], CAMPAIGN_SMALL) / 1000 + 1;
                c->large[at] = hn_net_pair(net, host[a], host[b]).per_byte / 1000 + 1;
            }
}

static void find_known(struct campaign *c)
{
    const char *text;
    size_t length;
    hn_net *net = NULL;
    int *host = calloc((size_t)c->n, sizeof *host);
    bool good = host && hn_job_text("hosts", &text, &length) == HN_OK && length > 0 &&
                hn_net_parse("hosts", text, length, &net) == HN_OK;
    for (int rank = 0; good && rank < c->n; rank++) {
        const char *name = hn_host_of(hn_group_tid(hn_world(), rank));
        host[rank] = name ? hn_net_host_index(net, name) : -1;
        good = host[rank] >= 0;
    }
    if (good && known_hosts(net, host, c->n, c->known) > 0)
        fill_known(c, net, host);
    hn_net_free(net);
    free(host);
}

/* What disturbs a machine may last for longer than the pings of a pair. */
enum { DOUBTS = 4 };

static void run(struct campaign *c)
{
    int passes = c->plan->passes, rounds = rounds_count(c->n);
    c->total = rounds * (1 + passes) + c->n;
    call_roll(c);
    find_known(c);
    campaign_first_pings(c);
    if (!partition(c))
        return;
    for (int pass = 0; pass < passes; pass++)
        campaign_pings(c, pass);
    if (!partition(c))
        return;
    bool better = true;
    for (int again = 0; again < DOUBTS && better; again++) {
        better = campaign_doubtful(c);
        if (!partition(c))
            return;
    }
    campaign_ways(c);
    if (!c->plan->quick) {
        campaign_media(c);
        campaign_shared(c);
        campaign_machines(c);
        campaign_hosts(c);
    }
    campaign_reach(c);
}

static int begin(struct campaign *c, unsigned char *buffer, FILE *out)
{
    size_t n = (size_t)c->n, most = n * n * 4 + 1; /* pairs: two between any two, both ways */
    c->page = malloc(n * n * sizeof *c->page);
    c->small = malloc(n * n * sizeof *c->small);
    c->settled = calloc(n * n, sizeof *c->settled);
    c->floor[0] = calloc(n * n, sizeof *c->floor[0]);
    c->floor[1] = calloc(n * n, sizeof *c->floor[1]);
    c->least = calloc(n * n, sizeof *c->least);
    c->large = calloc(n * n, sizeof *c->large);
    c->bytes = calloc(n * n, sizeof *c->bytes);
    c->best = calloc(n * n, sizeof *c->best);
    bool gaps = true;
    for (int i = 0; i < CAMPAIGN_GAPS; i++)
        gaps &= (c->gap[i] = calloc(n, sizeof *c->gap[i])) != NULL &&
                (c->doubt[i] = calloc(n, sizeof *c->doubt[i])) != NULL;
    c->group = calloc(n, sizeof *c->group);
    c->site = calloc(n, sizeof *c->site);
    c->known = calloc(n, sizeof *c->known);
    c->machine = calloc(n, sizeof *c->machine);
    c->cores = calloc(n, sizeof *c->cores);
    c->bus = calloc(n, sizeof *c->bus);
    c->busy = calloc(rounds_scratch(n), sizeof *c->busy);
    c->pair = calloc(most, sizeof *c->pair);
    c->zones = calloc(most, sizeof *c->zones);
    c->chosen = calloc(most, sizeof *c->chosen);
    c->job = calloc(CAMPAIGN_AHEAD * n + 1, sizeof *c->job); /* n/2 pairs, two sizes each */
    if (!c->page || !c->small || !c->settled || !c->floor[0] || !c->floor[1] || !c->least ||
        !c->large || !c->bytes || !c->best || !gaps || !c->group || !c->site || !c->known ||
        !c->machine || !c->cores || !c->bus || !c->busy || !c->pair || !c->zones || !c->chosen ||
        !c->job)
        return HN_ENOMEM;
    for (size_t i = 0; i < n * n; i++)
        c->page[i] = c->small[i] = HN_TIME_MOST;
    return conduct_begin(&c->conductor, c->n, buffer, out);
}

static int command(const struct campaign_plan *plan, unsigned char *buffer, FILE *out)
{
    struct campaign c = {.plan = plan, .n = hn_size()};
    int status = 1;
    if (begin(&c, buffer, out) == HN_OK) {
        run(&c);
        conduct_end(&c.conductor);
        status = 0;
    }
    free(c.page);
    free(c.small);
    free(c.settled);
    free(c.floor[0]);
    free(c.floor[1]);
    free(c.least);
    free(c.large);
    free(c.bytes);
    free(c.best);
    for (int i = 0; i < CAMPAIGN_GAPS; i++) {
        free(c.gap[i]);
        free(c.doubt[i]);
    }
    free(c.group);
    free(c.site);
    free(c.known);
    free(c.machine);
    free(c.cores);
    free(c.bus);
    free(c.busy);
    free(c.pair);
    free(c.zones);
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
