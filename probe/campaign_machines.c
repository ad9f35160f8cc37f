/* campaign_machines.c - what messages take of a machine that several hosts share.
 *
 * Containers, virtual machines and namespaces share processors, and what emulates wires between
 * them.  Pairs of neighbours send to each other again and again, first one pair alone, then all
 * pairs of the machine at once: if that takes longer, the machine is what they wait for, and then
 * it is busy with messages all the time.  Once with one byte and once with what takes a millisecond
 * or two.  On a bus one pair only sends, since two would wait for the wire.  Cost: O(hosts) short
 * series, and as many at once.
 */
#include "campaign_state.h"

enum { REPEATS = EXPERIMENT_REPEATS, LARGE_LEAST = 4096, LARGE_MOST = 65536 };
static const int64_t budget_ns = 15000000, large_ns = 2000000;

static struct job exchange(const struct campaign *c, int from, int to, int64_t bytes)
{
    return (struct job){.leader = from,
                        .order = {.kind = EXPERIMENT_BOTH,
                                  .bytes = bytes,
                                  .repeats = REPEATS,
                                  .budget_ns = budget_ns,
                                  .patience_ms = campaign_patience(c, from, to, bytes),
                                  .peers = 1,
                                  .peer = {to}},
                        .follow = EXPERIMENT_OTHER,
                        .sample = {SAMPLE_ALONE, from, to, bytes, 0, 0, 0},
                        .parts = 1};
}

/* The next member of a group on that machine, after host `after`; c->n: there is none. */
static int next_member(const struct campaign *c, int group, int64_t machine, int after)
{
    do
        after++;
    while (after < c->n && (c->group[after] != group || c->machine[after] != machine ||
                            !campaign_is_there(c, after)));
    return after;
}

/* Disjoint pairs of neighbours on a machine; their number, at c->pair. */
static int list_pairs(struct campaign *c, int64_t machine)
{
    int count = 0;
    for (int group = 0; group < c->groups; group++) {
        int from = next_member(c, group, machine, -1), to;
        bool more = true;
        while (more && (to = next_member(c, group, machine, from)) < c->n) {
            if (!conduct_is_cut(&c->conductor, from, to))
                c->pair[count++] = (struct rounds_pair){.from = from, .to = to};
            from = next_member(c, group, machine, to);
            more = !c->bus[group];
        }
    }
    return count;
}

/* What takes a pair large_ns one way; 0: its way is so slow that no machine is slower. */
static int64_t large_message(const struct campaign *c, int from, int to)
{
    int64_t bytes = LARGE_MOST, per_byte = c->large[from * c->n + to];
    while (bytes >= LARGE_LEAST && bytes * per_byte / 1000 > large_ns)
        bytes /= 2;
    return bytes < LARGE_LEAST ? 0 : bytes;
}

static void crowd(struct campaign *c, int pairs, bool large)
{
    for (int i = 0; i < pairs; i++) {
        const struct rounds_pair *pair = &c->pair[i];
        int64_t bytes = large ? large_message(c, pair->from, pair->to) : CAMPAIGN_SMALL;
        c->job[i] = exchange(c, pair->from, pair->to, bytes);
        if (bytes == 0)
            return;
        conduct(&c->conductor, &c->job[i], 1);
    }
    for (int i = 0; i < pairs; i++)
        c->job[i].sample.kind = SAMPLE_CROWD;
    conduct(&c->conductor, c->job, pairs);
}

void campaign_machines(struct campaign *c)
{
    for (int first = 0; first < c->n; first++) {
        int64_t machine = campaign_is_there(c, first) ? c->machine[first] : 0;
        int before = 0;
        while (before < first && c->machine[before] != machine)
            before++;
        int pairs = machine && before == first ? list_pairs(c, machine) : 0;
        if (pairs < 2)
            continue;
        for (int host = first; host < c->n; host++)
            if (c->machine[host] == machine && campaign_is_there(c, host))
                sample_print(&(struct sample){SAMPLE_ON, host, first, 0, 1, 1, 1},
                             c->conductor.out);
        crowd(c, pairs, false);
        crowd(c, pairs, true);
        campaign_progress(c, "machines");
    }
}
