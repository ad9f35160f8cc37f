/* bound_channels.c - the time of data that must pass a shared channel (media.h).
 *
 * If a set of ranks can be entered only through a channel, everything that its members want from
 * outside passes it. For disjoint sets this adds up, since a message enters one of them. The same
 * holds for sets that can be left only through it. A bus separates each of its hosts from all
 * others, an uplink its subnet from the rest, the link of two sites one from the other. If a
 * channel isolates c sets from each other, an allreduce passes at least 2 (c - 1) copies: c - 1
 * messages until some rank has all contributions, and one more to each of the other sets.
 *
 * If no single channel separates a site or a subnet, all channels out of it do: its data take at
 * least as long as their rates together allow.
 *
 * Bytes begin to flow after the start-up of a send. After the last of them there are a receive and
 * a latency: the lowest of the routes through the channel.
 *
 * Channels are found on the routes between the subnets, of two hosts in each. So the ports of hosts
 * are left out; they are examined separately. Cost: O(subnets^2 + ranks).
 */
#include "model/bounds/bounds.h"

#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* Limits of subnets. Each channel examines the routes of all pairs from each subnet; each site and
 * subnet sums up all pairs; the table of latencies has 2 MiB, and beyond its limit the lowest
 * latency of all counts. Beyond ZONES_MOST zones no pairs are examined. */
enum { SITES_MOST = 64, CUT_SUBNETS_MOST = 256, TRAVELS_SUBNETS_MOST = 512 };
enum { RATE_BITS = 44 }; /* rates are in bytes per 2^44 fs */

/* The pairs of subnets that use a channel, counted while all routes are examined. Only the counts
 * are kept, not the pairs. */
struct use {
    hn_per_byte per_byte;
    hn_time travel;    /* lowest latency of a route that uses it */
    int pairs;         /* ordered pairs of different subnets; single subnets for routes inside */
    int ends[2];       /* subnets that are an end of all these pairs; -1: none left */
    int in[2], out[2]; /* pairs into (out of) those, from (to) others */
    bool inside[2];
};

struct channels {
    const struct bounding *b;
    const hn_net *net;
    struct clusters subnets; /* of ranks */
    struct clusters hosts;   /* ranks by host */
    int *host;               /* [rank] */
    int *two;                /* [2 * subnet]: ranks on two of its hosts; the same one twice */
    struct use *use;         /* [channel] */
    int *set;                /* workspace: ranks of a set */
    int first_machine; /* number of the first machine's channel, which pairs of hosts do not reveal
                        */
    hn_time head;      /* time before the first byte flows */
    hn_time travel, recv; /* time after the last byte: the lowest latency of all routes, and R */
    hn_time *travels;     /* [subnet * subnets + subnet]: the least latencies; NULL: unknown */
    struct arena arena;   /* of the arrays */
};

/* Without a table of latencies the lowest of all counts. */
static hn_time least_travel(const struct channels *s, int from, int to)
{
    hn_time travel = s->travels ? s->travels[from * s->subnets.count + to] : INT64_MAX;
    return travel < INT64_MAX ? travel : s->travel;
}

/* ---- who uses which channel ------------------------------------------------------------- */

/* Notes that the routes from one subnet to another use the channel. An end that is not common to
 * all pairs is dropped. */
static void note(struct use *use, hn_channel channel, int from, int to, hn_time travel)
{
    if (use->pairs == 0) {
        use->ends[0] = from;
        use->ends[1] = from == to ? -1 : to;
        use->travel = travel;
    }
    use->travel = int64_smaller(use->travel, travel);
    use->per_byte = channel.per_byte;
    use->pairs++;
    for (int i = 0; i < 2; i++) {
        int end = use->ends[i];
        if (end != from && end != to) {
            use->ends[i] = -1;
            continue;
        }
        use->inside[i] = use->inside[i] || from == to;
        use->in[i] += to == end && from != end;
        use->out[i] += from == end && to != end;
    }
}

/* Routes have a few channels, so a linear search is enough. */
static bool contains(const hn_channel *route, int count, int id)
{
    for (int i = 0; i < count; i++)
        if (route[i].id == id)
            return true;
    return false;
}

/* The channels common to all routes from one subnet to another. */
static int common_route(const struct channels *s, int from, int to, hn_channel route[HN_WAY_MOST])
{
    hn_channel other[HN_WAY_MOST];
    const struct model *model = s->b->model;
    int a = s->two[2 * from], b = s->two[2 * to + 1], kept = 0;
    int c = s->two[2 * from + 1], d = s->two[2 * to];
    int count = model_route(model, a, b, route), others = model_route(model, c, d, other);
    for (int i = 0; i < count; i++)
        if (contains(other, others, route[i].id))
            route[kept++] = route[i];
    return kept;
}

/* Two ranks of each subnet, on different hosts if there are any. What is common to the routes of
 * both is not the port of a host. */
static void find_two(struct channels *s)
{
    for (int subnet = 0; subnet < s->subnets.count; subnet++) {
        const int *member = &s->subnets.member[s->subnets.first[subnet]];
        int count = s->subnets.first[subnet + 1] - s->subnets.first[subnet], i = 1;
        while (i < count && s->host[member[i]] == s->host[member[0]])
            i++;
        s->two[2 * subnet] = member[0];
        s->two[2 * subnet + 1] = i < count ? member[i] : member[0];
    }
}

/* Examines the routes of all pairs of subnets, and inside each one. */
static void look(struct channels *s)
{
    hn_channel route[HN_WAY_MOST];
    find_two(s);
    for (int from = 0; from < s->subnets.count; from++)
        for (int to = 0; to < s->subnets.count; to++) {
            int count = common_route(s, from, to, route);
            for (int i = 0; i < count; i++)
                if (route[i].id < s->first_machine)
                    note(&s->use[route[i].id], route[i], from, to, least_travel(s, from, to));
        }
}

/* ---- sets ------------------------------------------------------------------------------- */

/* Bytes into and out of the ranks whose subnet is (is not) in a set of subnets. */
static struct crossing of_subnets(struct channels *s, const bool *chosen, bool yes)
{
    int count = 0;
    for (int rank = 0; rank < s->b->req->ranks; rank++)
        if (chosen[s->subnets.of[rank]] == yes)
            s->set[count++] = rank;
    return volume_crossing(s->b->volume, s->set, count);
}

/* The same for a subnet against all others. */
static struct crossing of_subnet(const struct channels *s, int subnet)
{
    int first = s->subnets.first[subnet];
    return volume_crossing(s->b->volume, &s->subnets.member[first],
                           s->subnets.first[subnet + 1] - first);
}

/* Bytes that pass a channel which isolates a subnet from the rest or, with `each`, its hosts from
 * each other and from the rest. The rest is one more set. */
static int64_t isolated(struct channels *s, int subnet, bool each)
{
    struct crossing sum = of_subnet(s, subnet);
    int64_t in = sum.out, out = sum.in; /* the rest receives what the subnet sends */
    int sets = s->subnets.count > 1;
    int last = -1;
    if (!each) {
        in += sum.in;
        out += sum.out;
        sets++;
    }
    /* Ranks of one host are one set, which is counted at its first rank. */
    for (int m = s->subnets.first[subnet]; each && m < s->subnets.first[subnet + 1]; m++) {
        int unit = s->hosts.of[s->subnets.member[m]], first = s->hosts.first[unit];
        if (s->subnets.member[m] != s->hosts.member[first] || unit == last)
            continue;
        struct crossing c = volume_crossing(s->b->volume, &s->hosts.member[first],
                                            s->hosts.first[unit + 1] - first);
        in += c.in;
        out += c.out;
        sets++;
        last = unit;
    }
    int64_t most = in > out ? in : out;
    /* c sets: 2 (c - 1) copies (see above). */
    int64_t gossip = s->b->req->op == OP_ALLREDUCE ? 2 * (sets - 1) * s->b->volume->total : 0;
    return most > gossip ? most : gossip;
}

/* ---- bytes through a channel ------------------------------------------------------------ */

/* For a channel all of whose routes begin or end in one subnet. If not all of them use it, some
 * data may avoid it. */
static int64_t star(struct channels *s, const struct use *use, int end)
{
    int subnet = use->ends[end], others = s->subnets.count - 1;
    bool in = use->in[end] == others, out = use->out[end] == others;
    if (in && out)
        return others > 0 || use->inside[end] ? isolated(s, subnet, use->inside[end]) : 0;
    struct crossing c = of_subnet(s, subnet);
    return in ? c.in : out ? c.out : 0;
}

/* Marks in reached[] the subnets that one subnet can reach without the channel. Breadth first. */
static void reach_without(const struct channels *s, int channel, int from, bool *reached)
{
    int queue[SITES_MOST], count = 0, subnets = s->subnets.count;
    hn_channel route[HN_WAY_MOST];
    memset(reached, 0, (size_t)subnets * sizeof *reached);
    reached[from] = true;
    queue[count++] = from;
    for (int i = 0; i < count; i++)
        for (int to = 0; to < subnets; to++)
            if (!reached[to] && !contains(route, common_route(s, queue[i], to, route), channel)) {
                reached[to] = true;
                queue[count++] = to;
            }
}

/* For any other channel, such as the link of two sites. The sets that others can reach only through
 * it are the complements of what a subnet reaches without it. Costs O(subnets^3), so only for few.
 */
static int64_t cut_off(struct channels *s, int channel)
{
    bool reached[SITES_MOST];
    int64_t most = 0;
    if (s->subnets.count > SITES_MOST)
        return 0;
    for (int from = 0; from < s->subnets.count; from++) {
        reach_without(s, channel, from, reached);
        /* Every route from the reached subnets to the rest uses the channel. */
        int64_t out = of_subnets(s, reached, true).out, in = of_subnets(s, reached, false).in;
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

/* Bytes that must pass the channel; 0: it can be avoided, or it is unknown. */
static int64_t through(struct channels *s, int channel)
{
    const struct use *use = &s->use[channel];
    /* With fewer routes than this the rest of the network stays connected. */
    if (use->pairs == 0 || use->pairs < s->subnets.count - 1)
        return 0;
    for (int end = 0; end < 2; end++)
        if (use->ends[end] >= 0)
            return star(s, use, end);
    return cut_off(s, channel);
}

/* ---- times ------------------------------------------------------------------------------ */

/* Computes the lowest latencies between the zones of two subnets, INT64_MAX if there is no route.
 * The table exists only for few subnets. */
static void find_travels(struct channels *s)
{
    struct zones *z = s->b->zones;
    size_t cells = (size_t)s->subnets.count * (size_t)s->subnets.count;
    if (s->subnets.count <= TRAVELS_SUBNETS_MOST)
        s->travels = arena_array(&s->arena, cells, sizeof *s->travels);
    for (size_t i = 0; s->travels && i < cells; i++)
        s->travels[i] = INT64_MAX;
    s->travel = INT64_MAX;
    /* Latencies are those of empty messages. */
    zones_set_bytes(z, 0);
    for (int from = 0; from < z->c.count; from++)
        for (int to = 0; to < z->c.count; to++) {
            if (!zones_linked(z, from, to))
                continue;
            hn_time travel = zones_cost(z, from, to).travel;
            s->travel = int64_smaller(s->travel, travel);
            if (!s->travels)
                continue;
            int a = s->subnets.of[z->c.member[z->c.first[from]]];
            int b = s->subnets.of[z->c.member[z->c.first[to]]];
            hn_time *least = &s->travels[a * s->subnets.count + b];
            *least = int64_smaller(*least, travel);
        }
}

/* The cheapest ends of all routes: before the first byte flows, and after the last one. */
static void find_ends(struct channels *s)
{
    struct zones *z = s->b->zones;
    if (z->c.count == 0)
        return;
    /* Without zones head and recv stay 0, which is a valid bound. */
    s->head = s->recv = INT64_MAX;
    zones_set_bytes(z, bound_least_message(s->b));
    for (int from = 0; from < z->c.count; from++)
        for (int to = 0; to < z->c.count; to++) {
            if (!zones_linked(z, from, to))
                continue;
            struct cost c = zones_cost(z, from, to);
            s->head = int64_smaller(s->head, c.send);
            s->recv = int64_smaller(s->recv, c.recv);
        }
    find_travels(s);
}

/* Time of bytes that pass something, behind which there is such a latency. Without bytes nothing
 * has to pass it. */
static hn_time takes(const struct channels *s, int64_t bytes, hn_per_byte per_byte, hn_time travel)
{
    return bytes > 0 ? s->head + bound_product(bytes, per_byte, 1000) + travel + s->recv : 0;
}

/* ---- several channels together ---------------------------------------------------------- */

/* The slowest channel common to all routes from one subnet to another; false: there is none. */
static bool narrowest(const struct channels *s, int from, int to, hn_channel *slowest)
{
    hn_channel route[HN_WAY_MOST];
    int count = common_route(s, from, to, route);
    slowest->per_byte = 0;
    for (int i = 0; i < count; i++)
        if (route[i].id < s->first_machine && route[i].per_byte > slowest->per_byte)
            *slowest = route[i];
    return slowest->per_byte > 0;
}

/* The total rate of the narrowest channels on the routes from the chosen subnets to the others
 * (`out`), or back: each message that crosses uses one of them. *travel: the lowest latency of
 * these routes. 0: for some route none is known. */
static int64_t cut_rate(const struct channels *s, const bool *chosen, bool out, bool *counted,
                        hn_time *travel)
{
    int64_t rate = 0;
    hn_channel c;
    *travel = INT64_MAX;
    memset(counted, 0, (size_t)s->first_machine * sizeof *counted);
    for (int from = 0; from < s->subnets.count; from++)
        for (int to = 0; to < s->subnets.count; to++) {
            if (chosen[from] != out || chosen[to] == out)
                continue;
            if (!narrowest(s, from, to, &c))
                return 0;
            *travel = int64_smaller(*travel, least_travel(s, from, to));
            /* A channel counts once, however many routes use it. Rounded up, since a larger rate is
             * a lower bound. */
            rate += counted[c.id] ? 0 : ((int64_t)1 << RATE_BITS) / c.per_byte + 1;
            counted[c.id] = true;
        }
    return rate;
}

/* For data into and out of a set of whole subnets. */
static hn_time by_cut(struct channels *s, const bool *chosen, bool *counted)
{
    struct crossing in = of_subnets(s, chosen, true), rest = of_subnets(s, chosen, false);
    hn_time bound = 0;
    for (int out = 0; out < 2; out++) {
        int64_t bytes = out ? int64_larger(in.out, rest.in) : int64_larger(in.in, rest.out);
        hn_time travel, flow;
        int64_t rate = bytes > 0 ? cut_rate(s, chosen, out, counted, &travel) : 0;
        if (rate <= 0)
            continue;
        flow = wide_ratio(bytes, (int64_t)1 << RATE_BITS, rate) / 1000;
        bound = int64_larger(bound, s->head + flow + travel + s->recv);
    }
    return bound;
}

/* Chooses the subnets of a group; false: it is only a part of one. */
static bool choose_group(const struct channels *s, const struct levels *l,
                         const struct level_group *group, bool *chosen)
{
    int whole = 0;
    memset(chosen, 0, (size_t)s->subnets.count * sizeof *chosen);
    for (int i = group->begin; i < group->end; i++) {
        int subnet = s->subnets.of[l->member[i]];
        whole += chosen[subnet] ? 0 : s->subnets.first[subnet + 1] - s->subnets.first[subnet];
        chosen[subnet] = true;
    }
    return whole == group->end - group->begin;
}

/* For each site and subnet. */
static hn_time by_cuts(struct channels *s)
{
    struct levels l;
    bool *chosen = malloc((size_t)s->subnets.count * sizeof *chosen);
    bool *counted = malloc((size_t)s->first_machine + 1);
    hn_time bound = 0;
    if (levels_begin(&l, s->b->model, NULL) == HN_OK && chosen && counted)
        for (int i = 1; i < l.count; i++)
            if (choose_group(s, &l, &l.group[i], chosen))
                bound = int64_larger(bound, by_cut(s, chosen, counted));
    levels_end(&l);
    free(chosen);
    free(counted);
    return bound;
}

/* For the ports of hosts that have gaps. */
static hn_time by_ports(const struct channels *s)
{
    hn_time bound = 0;
    for (int unit = 0; unit < s->hosts.count; unit++) {
        int first = s->hosts.first[unit], count = s->hosts.first[unit + 1] - first;
        const hn_host_cost *cost = hn_net_host(s->net, s->host[s->hosts.member[first]]);
        if (cost->send_gap == 0 && cost->recv_gap == 0)
            continue;
        struct crossing c = volume_crossing(s->b->volume, &s->hosts.member[first], count);
        bound = int64_larger(bound, takes(s, c.in, cost->recv_gap, s->travel));
        bound = int64_larger(bound, takes(s, c.out, cost->send_gap, s->travel));
    }
    return bound;
}

/* For each channel on the routes between subnets. */
static hn_time by_wires(struct channels *s)
{
    hn_time bound = 0;
    look(s);
    for (int channel = 0; channel < hn_net_channel_count(s->net); channel++) {
        const struct use *use = &s->use[channel];
        bound = int64_larger(bound, takes(s, through(s, channel), use->per_byte, use->travel));
    }
    return bound;
}

/* The lowest time in which a machine with all its hosts can take the bytes that reach them. Only if
 * all hosts are on this machine: otherwise data may come from outside at other costs. */
static hn_time by_machine(const struct channels *s, int machine)
{
    int64_t in = 0, sets = 0;
    hn_machine_use use[2] = {{0}};
    for (int unit = 0; unit < s->hosts.count; unit++) {
        int first = s->hosts.first[unit], count = s->hosts.first[unit + 1] - first;
        int host = s->host[s->hosts.member[first]];
        if (hn_net_machine_of(s->net, host) != machine)
            continue;
        in += volume_crossing(s->b->volume, &s->hosts.member[first], count).in;
        sets++;
    }
    if (sets < s->hosts.count || sets < 2)
        return 0;
    hn_net_machines(s->net, s->host[s->hosts.member[s->hosts.first[0]]],
                    s->host[s->hosts.member[s->hosts.first[1]]], use);
    int64_t gossip = s->b->req->op == OP_ALLREDUCE ? 2 * (sets - 1) * s->b->volume->total : 0;
    return takes(s, int64_larger(in, gossip), use[0].cost.per_byte, s->travel);
}

/* Groups ranks by host and by subnet. false: out of memory; then there is no bound. */
static bool prepare(struct channels *s)
{
    const struct model *model = s->b->model;
    size_t n = (size_t)model->ranks;
    ARENA_ARRAYS(&s->arena, n, s->host, s->set);
    if (s->arena.failed)
        return false;
    for (int rank = 0; rank < model->ranks; rank++)
        s->host[rank] = model_host(model, rank);
    if (clusters_begin(&s->hosts, model->ranks, s->host, hn_net_size(s->net)) ||
        clusters_of_model(&s->subnets, model))
        return false;
    s->two = arena_array(&s->arena, 2 * (size_t)s->subnets.count, sizeof *s->two);
    s->use = arena_array(&s->arena, (size_t)hn_net_channel_count(s->net) + 1, sizeof *s->use);
    return !s->arena.failed;
}

hn_time bound_by_channels(const struct bounding *b)
{
    struct channels s = {.b = b, .net = model_net(b->model)};
    hn_time bound = 0;
    if (b->model->port != PORT_MEDIA || !s.net)
        return 0;
    if (prepare(&s)) {
        s.first_machine = hn_net_channel_count(s.net) - hn_net_machine_count(s.net);
        find_ends(&s);
        bound = by_ports(&s);
        for (int machine = 0; machine < hn_net_machine_count(s.net); machine++)
            bound = int64_larger(bound, by_machine(&s, machine));
        if (s.subnets.count <= ZONES_MOST)
            bound = int64_larger(bound, by_wires(&s));
        /* Cuts of many subnets would take too long. */
        if (s.subnets.count <= CUT_SUBNETS_MOST)
            bound = int64_larger(bound, by_cuts(&s));
    }
    clusters_end(&s.subnets);
    clusters_end(&s.hosts);
    arena_free(&s.arena);
    return bound;
}
