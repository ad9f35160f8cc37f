/* campaign_machines.c - what messages take of a machine that several hosts share.
 *
 * Containers, virtual machines and namespaces share processors, and what emulates wires between
 * them.  Pairs of neighbours exchange messages again and again, first one pair alone, then all
 * pairs of the machine at once: if that takes longer, the machine is what they wait for, and then
 * it is busy with messages all the time.  Once with one byte, there and back, so that each message
 * wakes its receiver, as it does in an operation; again with a message of a few packets, which what
 * emulates the wires has to hold back and let go; and with one that takes a millisecond or two, in
 * both directions at the same time.  On a bus one pair only sends, since two would wait for the
 * wire.  Cost: O(hosts) short series, and as many at once.
 */
#include "campaign_state.h"

#include <stdlib.h>

enum { TRIALS = 4, REPEATS = EXPERIMENT_REPEATS, LARGE_LEAST = CAMPAIGN_LARGE, LARGE_MOST = 65536 };
static const int64_t budget_ns = 15000000, large_ns = 2000000;

static struct job exchange(const struct campaign *c, int from, int to, int64_t bytes)
{
    bool small = bytes <= CAMPAIGN_LARGE;
    return (struct job){.leader = from,
                        .order = {.kind = small ? EXPERIMENT_PING : EXPERIMENT_BOTH,
                                  .bytes = bytes,
                                  .reply = bytes,
                                  .repeats = REPEATS,
                                  .budget_ns = budget_ns,
                                  .patience_ms = campaign_patience(c, from, to, bytes),
                                  .peers = 1,
                                  .peer = {to}},
                        .follow = small ? EXPERIMENT_ECHO : EXPERIMENT_OTHER,
                        .sample = {SAMPLE_ALONE, from, to, bytes, 0, 0, 0},
                        .parts = 1};
}

/* Whether two hosts may send to each other while others do: on a bus they would wait for its wire,
 * so that it has one pair only, and far away for a link. */
static bool suits(const struct campaign *c, int from, int to, bool same)
{
    int a = c->group[from], b = c->group[to];
    if (!campaign_is_there(c, to) || c->machine[to] != c->machine[from] || c->busy[to] ||
        conduct_is_cut(&c->conductor, from, to))
        return false;
    return same ? a == b : !c->bus[a] && !c->bus[b] && campaign_is_near(c, from, to);
}

static void take_pair(struct campaign *c, int from, int to, int *count)
{
    c->pair[(*count)++] = (struct rounds_pair){.from = from, .to = to};
    for (int i = 0; i < c->n; i++)
        c->busy[i] |=
            i == from || i == to || (c->bus[c->group[from]] && c->group[i] == c->group[from]);
}

/* Disjoint pairs of neighbours on a machine; their number, at c->pair.  First those of one subnet,
 * then what is left. */
static int list_pairs(struct campaign *c, int64_t machine)
{
    int count = 0;
    for (int i = 0; i < c->n; i++)
        c->busy[i] = c->machine[i] != machine || !campaign_is_there(c, i);
    for (int same = 1; same >= 0; same--)
        for (int from = 0; from < c->n; from++)
            for (int to = from + 1; to < c->n && !c->busy[from]; to++)
                if (suits(c, from, to, same))
                    take_pair(c, from, to, &count);
    for (int i = 0; i < c->n; i++)
        c->busy[i] = 0;
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

/* All jobs at once, a few times: other programs make a crowd slower, nothing makes it faster, so
 * the quickest one counts. */
static void conduct_crowd(struct campaign *c, int count)
{
    struct sample *best = calloc((size_t)count, sizeof *best);
    double most = 0;
    for (int trial = 0; best && trial < TRIALS; trial++) {
        double rate = 0;
        conduct(&c->conductor, c->job, count);
        for (int i = 0; i < count; i++)
            rate += c->job[i].sample.count ? 1 / (double)c->job[i].sample.median : 0;
        for (int i = 0; rate > most && i < count; i++)
            best[i] = c->job[i].sample;
        most = rate > most ? rate : most;
    }
    for (int i = 0; most > 0 && i < count; i++)
        sample_print(&best[i], c->conductor.out);
    free(best);
}

/* Messages of one size: each pair alone, then all at once. */
static void crowd(struct campaign *c, int pairs, int64_t bytes)
{
    for (int i = 0; i < pairs; i++) {
        c->job[i] = exchange(c, c->pair[i].from, c->pair[i].to, bytes);
        conduct(&c->conductor, &c->job[i], 1);
    }
    for (int i = 0; i < pairs; i++) {
        c->job[i].sample.kind = SAMPLE_CROWD;
        c->job[i].silent = true;
    }
    conduct_crowd(c, pairs);
}

static void crowds(struct campaign *c, int pairs)
{
    int64_t large = LARGE_MOST;
    for (int i = 0; i < pairs; i++) {
        int64_t most = large_message(c, c->pair[i].from, c->pair[i].to);
        large = most < large ? most : large;
    }
    crowd(c, pairs, CAMPAIGN_SMALL);
    if (large > CAMPAIGN_LARGE)
        crowd(c, pairs, CAMPAIGN_LARGE);
    if (large > 0)
        crowd(c, pairs, large);
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
                sample_print(&(struct sample){SAMPLE_ON, host, first, c->cores[host], 1, 1, 1},
                             c->conductor.out);
        crowds(c, pairs);
        campaign_progress(c, "machines");
    }
}
