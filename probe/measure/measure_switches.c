/* measure_switches.c - detects several switches in one subnet.
 *
 * Two switches joined by a cable, or two racks, may be as near to each other as neighbours, and two
 * transfers may not fill what joins them.  So all hosts of a subnet exchange messages in pairs, in
 * rounds with random pairs.  Pairs across the cable are slower than those within a switch, at the
 * same time.  Rounds in which even the fastest pair is slow show a bus, or a busy machine.  The
 * division that the rounds suggest (switches.h) is accepted if exchanges across, as many at once as
 * there are hosts, are slower than as many exchanges of the same hosts within.
 */
#include "measure/measurement_jobs.h"
#include "measure/contention.h"
#include "derive/switches.h"

struct search {
    struct measurement *m;
    int count, *member; /* ranks */
    int *place;         /* [position in the rounds]: member; shuffled */
    int *part;          /* [member]: the switch that it is at */
    int parts;
    double *slow; /* [a * count + b]: sum over rounds, finally the mean */
    int *rounds;
    int64_t *port;   /* [member]: ps per byte */
    int64_t bytes;   /* of a message */
    uint32_t random; /* state of the generator */
};

/* Times of one round's exchanges, relative to each alone. */
struct spread {
    double least, most, sum;
    int count;
};

/* ---- exchanges ---------------------------------------------------------------------------- */

/* The least cost per byte of a host's routes in its subnet, both directions; 0: unknown. */
static int64_t port_of(const struct measurement *m, int host)
{
    int64_t out = measurement_near_cost(m, host, true), in = measurement_near_cost(m, host, false);
    return !out || !in ? 0 : out > in ? out : in;
}

/* One exchange without pause and repetitions; all exchanges of a round begin together. */
static struct job exchange(const struct search *s, int a, int b)
{
    struct job job = measurement_route_job(s->m, s->member[a], s->member[b], s->bytes, 1);
    job.order.kind = EXPERIMENT_BOTH;
    job.order.pause_ns = 0;
    job.order.tolerance = 0;
    job.sample.about = ABOUT_BUS;
    job.silent = true;
    return job;
}

/* Duration relative to the exchange alone; 0: it failed. */
static double slowness(const struct search *s, int a, int b, const struct sample *sample)
{
    int64_t small = s->m->times.small[s->member[a] * s->m->n + s->member[b]];
    /* The cost of a small message is subtracted, as it is on no cable. */
    int64_t port = s->port[a] > s->port[b] ? s->port[a] : s->port[b];
    double slow = (double)(sample->best - small) * 1000 / ((double)port * (double)s->bytes);
    return !sample->count ? 0 : slow < SWITCH_LONGEST ? slow : SWITCH_LONGEST;
}

/* Pairs of members exchange messages concurrently; records their times. */
static struct spread exchange_all(struct search *s, const int *from, const int *to, int count)
{
    struct spread spread = {0};
    for (int i = 0; i < count; i++)
        s->m->list.job[i] = exchange(s, from[i], to[i]);
    coordinator_run(&s->m->coordinator, s->m->list.job, count);
    for (int i = 0; i < count; i++) {
        double slow = slowness(s, from[i], to[i], &s->m->list.job[i].sample);
        if (slow <= 0)
            continue;
        spread.least = spread.count > 0 && spread.least < slow ? spread.least : slow;
        spread.most = spread.most > slow ? spread.most : slow;
        spread.sum += slow;
        spread.count++;
        /* Symmetric, as exchanges use both directions. */
        s->slow[from[i] * s->count + to[i]] += slow;
        s->slow[to[i] * s->count + from[i]] += slow;
        s->rounds[from[i] * s->count + to[i]]++;
        s->rounds[to[i] * s->count + from[i]]++;
    }
    return spread;
}

/* ---- random rounds ------------------------------------------------------------------------ */

/* In the order of the hosts file, neighbours in the rounds would often be neighbours in a rack, and
 * whole rounds would cross no cable. */
static void shuffle(struct search *s)
{
    for (int i = s->count - 1; i > 0; i--) {
        s->random = s->random * 1664525 + 1013904223; /* the same in every run */
        int k = (int)((s->random >> 8) % (uint32_t)(i + 1)), place = s->place[i];
        s->place[i] = s->place[k];
        s->place[k] = place;
    }
}

/* Each host exchanges with one partner. place[] decides which hosts meet in a round. */
static struct spread random_round(struct search *s, int round)
{
    int from[SWITCH_HOSTS_MOST / 2], to[SWITCH_HOSTS_MOST / 2], count = 0;
    for (int i = 0; i < s->count; i++) {
        int partner = rounds_partner(s->count, round, i);
        if (partner <= i)
            continue;
        from[count] = s->place[i];
        to[count++] = s->place[partner];
    }
    return exchange_all(s, from, to, count);
}

/* Measures rounds until it is clear that there is no difference, or enough is known; false: none.
 */
static bool measure_rounds(struct search *s)
{
    int all = rounds_count(s->count);
    bool quick = false, slow = false, both = false;
    for (int done = 0; done < SWITCH_LOOK || (both && done < SWITCH_TOURNAMENTS * all); done++) {
        if (done % all == 0)
            shuffle(s);
        struct spread spread = random_round(s, done % all);
        quick |= spread.count && spread.least <= SWITCH_NOTICED;
        slow |= spread.most > SWITCH_NOTICED;
        both = quick && slow;
        if (!quick && done + 1 == SWITCH_DULL)
            return false;
    }
    return both;
}

/* A pair's mean over several rounds: in each of them other pairs compete for the cable. */
static int divide(struct search *s)
{
    for (int i = 0; i < s->count * s->count; i++)
        s->slow[i] = s->rounds[i] ? s->slow[i] / s->rounds[i] : 0;
    return switches_divide(s->count, s->slow, s->part);
}

/* ---- confirmation ------------------------------------------------------------------------- */

/* The next member that is (not) in a part, from *index on; -1: none. */
static int next_of(const struct search *s, int part, bool of, int *index)
{
    while (*index < s->count) {
        int at = (*index)++;
        if ((s->part[at] == part) == of)
            return at;
    }
    return -1;
}

/* Pairs a part with the others, as many as possible. */
static int list_across(const struct search *s, int part, int *from, int *to)
{
    int inside = 0, outside = 0, count = 0;
    for (; count < SWITCH_HOSTS_MOST / 2; count++) {
        from[count] = next_of(s, part, true, &inside);
        to[count] = next_of(s, part, false, &outside);
        if (from[count] < 0 || to[count] < 0)
            break;
    }
    return count;
}

/* How much slower exchanges across a part's border are than within, in the mean of some tries. */
static double compare_part(struct search *s, int part)
{
    int from[SWITCH_HOSTS_MOST / 2], to[SWITCH_HOSTS_MOST / 2], first[SWITCH_HOSTS_MOST / 2],
        second[SWITCH_HOSTS_MOST / 2];
    int across = list_across(s, part, from, to);
    int within = rounds_within(from, to, across, s->part, first, second);
    double out = 0, in = 0;
    for (int i = 0; i < SWITCH_TRIES; i++) {
        struct spread x = exchange_all(s, from, to, across);
        struct spread y = exchange_all(s, first, second, within);
        if (!x.count || !y.count)
            continue;
        out += x.sum / x.count;
        in += y.sum / y.count;
        /* Two tries without a clear difference are enough. */
        if (i > 0 && out < SWITCH_DOUBTED * in)
            break;
    }
    return in > 0 ? out / in : 0;
}

/* No part may be as fast across as within, and one must be clearly slower. */
static bool is_confirmed(struct search *s)
{
    bool clear = false;
    for (int part = 0; part < s->parts; part++) {
        double seen = compare_part(s, part);
        if (seen < SWITCH_DOUBTED)
            return false;
        clear |= seen >= SWITCH_BELIEVED;
    }
    return clear;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The first part keeps the subnet's number; the others get new ones. */
static void split(struct search *s)
{
    struct measurement *m = s->m;
    int first[SWITCH_HOSTS_MOST], group = m->group[s->member[0]];
    for (int i = s->count - 1; i >= 0; i--)
        first[s->part[i]] = s->member[i];
    for (int i = 0; i < s->count; i++) {
        int part = s->part[i], to = first[part];
        measurement_state_fact(m, SAMPLE_SWITCH, s->member[i], to, 0, ABOUT_SUBNET);
        if (part > 0)
            m->group[s->member[i]] = m->groups + part - 1;
    }
    for (int part = 1; part < s->parts; part++)
        m->site[m->groups++] = m->site[group];
}

/* Finds the members, if everything needed is known about them. */
static bool find_members(struct search *s, int group)
{
    bool wanted = false;
    s->count = measurement_group_size(s->m, group);
    if (s->count < SWITCH_HOSTS_LEAST || s->count > SWITCH_HOSTS_MOST)
        return false;
    for (int i = 0; i < s->count; i++) {
        s->member[i] = measurement_member(s->m, group, i);
        s->place[i] = i;
        s->port[i] = port_of(s->m, s->member[i]);
        wanted |= !s->m->known[s->member[i]];
        if (!s->port[i])
            return false;
    }
    for (int i = 0; i < s->count * s->count; i++) {
        s->slow[i] = 0;
        s->rounds[i] = 0;
    }
    s->bytes = contention_bytes(s->m, s->member[0], s->member[1]);
    return wanted;
}

static bool search(struct search *s, int group)
{
    if (!find_members(s, group))
        return false;
    bool found = measure_rounds(s) && (s->parts = divide(s)) > 1 && is_confirmed(s);
    if (found)
        split(s);
    measurement_progress(s->m, "switches");
    return found;
}

bool measure_switches(struct measurement *m)
{
    size_t n = (size_t)m->n;
    struct search s = {.m = m, .random = 1};
    struct arena room = {0};
    bool found = false;
    ARENA_ARRAYS(&room, n, s.member, s.place, s.part, s.port);
    ARENA_ARRAYS(&room, n * n, s.slow, s.rounds);
    int groups = m->groups;
    for (int g = 0; g < groups && !room.failed; g++)
        found |= search(&s, g);
    arena_free(&room);
    return found;
}
