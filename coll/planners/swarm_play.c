/* swarm_play.c - who sends what to whom next, where everybody may send everything. */
#include "swarm.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 64,
    CHEAPEST = 1 << 20, /* worth of the cheapest way */
    ONE = 1024,
    SPREAD_MOST = 1 << 18
};

/* ---- what ways are worth -----------------------------------------------------------------------
 */

/* A segment with its part of a message's start. */
static hn_time cost_of(const struct swarm *s, int from, int to)
{
    int e = from * s->n + to;
    return s->each[e] + s->start[e] / s->rules.bundle;
}

/* What a segment costs on its way; those who take in little can be served by dear senders: the
 * prices of send ports count five eighths. */
static int64_t toll(const struct swarm *s, int from, int to)
{
    return wide_ratio(cost_of(s, from, to), s->price[from] / 8 * 5 + s->price[s->n + to] + 1,
                      INT64_C(1) << SWARM_PRICE_BITS);
}

static void value_ways(struct swarm *s, int to)
{
    int64_t least = INT64_MAX;
    for (int from = 0; from < s->n; from++)
        if (from != to && toll(s, from, to) < least)
            least = toll(s, from, to);
    for (int from = 0; from < s->n; from++) {
        if (from == to)
            continue;
        int64_t ratio = wide_ratio(toll(s, from, to) + 1, ONE, least + 1), worth = CHEAPEST;
        for (int i = 0; i < s->rules.aversion; i++)
            worth = wide_ratio(worth, ONE, ratio);
        s->worth[from * s->n + to] =
            !s->good[from * s->n + to] && ratio > ONE + s->rules.waste ? -worth - 1 : worth;
    }
}

/* How long everybody takes for a segment, at best, beside the slowest. */
static void weigh_ranks(struct swarm *s)
{
    hn_time most = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int to = 0; to < s->n; to++) {
            hn_time least = INT64_MAX;
            for (int from = 0; from < s->n; from++)
                if (from != to && cost_of(s, from, to) < least)
                    least = cost_of(s, from, to);
            if (to == s->root || s->n == 1)
                continue;
            most = least > most ? least : most;
            s->weight[to] = (int)wide_ratio(least, ONE, most);
        }
}

static void prepare(struct swarm *s)
{
    size_t words = (size_t)s->n * (size_t)s->words;
    s->now = 0;
    s->count = s->event_count = s->sent_count = 0;
    memset(s->holds, 0, words * sizeof *s->holds);
    memset(s->lacks, 0, words * sizeof *s->lacks);
    for (int block = 0; block < s->blocks; block++)
        s->copies[block] = 0;
    for (int rank = 0; rank < s->n; rank++) {
        uint64_t *set = rank == s->root ? s->holds : s->lacks;
        for (int block = 0; block < s->blocks; block++)
            set[rank * s->words + block / WORD] |= UINT64_C(1) << block % WORD;
        s->held[rank] = rank == s->root ? s->blocks : 0;
        s->out[rank] = s->in[rank] = 0;
        s->receiving[rank] = -1;
        value_ways(s, rank);
    }
    weigh_ranks(s);
}

/* ---- choosing ----------------------------------------------------------------------------------
 */

/* How much a free receiver should be served: by what it lacks, and by what others may get from it.
 */
static int64_t need(const struct swarm *s, int to)
{
    int64_t left = 1 + (int64_t)s->weight[to] * (s->blocks - s->held[to]) / s->blocks; /* <= 1025 */
    int64_t spread = (s->price[to] >> (SWARM_PRICE_BITS - 10)) * s->rules.spread * s->blocks /
                     (1 + s->held[to]) / ONE;
    return left * left * (16 + (spread < SPREAD_MOST ? spread : SPREAD_MOST));
}

static bool has_something(const struct swarm *s, int from, int to)
{
    uint64_t both = 0;
    for (int i = 0; i < s->words && !both; i++)
        both = s->holds[from * s->words + i] & s->lacks[to * s->words + i];
    return both != 0;
}

/* Lists the senders that are free and have something; returns their number. */
static int list_ready(const struct swarm *s)
{
    int count = 0;
    for (int rank = 0; rank < s->n; rank++) {
        bool has = s->held[rank] > 1 || (s->held[rank] == 1 && s->receiving[rank] < 0);
        if (has && s->out[rank] <= s->now)
            s->ready[count++] = rank;
    }
    return count;
}

/* The best pair that can begin now; false: there is none. dear: any way will do. The first segment
 * of a rank may come any way. */
static bool choose_pair(const struct swarm *s, bool dear, int *from, int *to)
{
    int64_t best = -1;
    int ready = list_ready(s);
    for (int j = 0; j < s->n; j++) {
        if (s->receiving[j] >= 0 || s->held[j] == s->blocks)
            continue;
        int64_t needed = need(s, j);
        for (int k = 0; k < ready; k++) {
            int i = s->ready[k];
            if (i == j)
                continue;
            int64_t worth = s->worth[i * s->n + j];
            if (worth < 0 && !dear && s->held[j] > 0)
                continue;
            int64_t score = needed * (worth < 0 ? -worth - 1 : worth);
            if (score > best && has_something(s, i, j)) {
                best = score;
                *from = i;
                *to = j;
            }
        }
    }
    return best >= 0;
}

/* Of what the sender has and the receiver lacks, the segment that fewest have; -1: there is none.
 */
static int rarest(const struct swarm *s, int from, int to)
{
    int best = -1;
    for (int i = 0; i < s->words; i++) {
        uint64_t set = s->holds[from * s->words + i] & s->lacks[to * s->words + i];
        for (; set; set &= set - 1) {
            int block = i * WORD + __builtin_ctzll(set);
            if (best < 0 || s->copies[block] < s->copies[best])
                best = block;
        }
    }
    return best;
}

/* ---- playing -----------------------------------------------------------------------------------
 */

/* At the beginning and at the end messages are small, so that nobody waits for them. */
static void begin_transfer(struct swarm *s, int from, int to)
{
    int has = s->held[to], lacks = s->blocks - has, first = s->sent_count;
    int room = 1 + (has < lacks ? has : lacks) / s->rules.ramp;
    room = room < s->rules.bundle ? room : s->rules.bundle;
    for (int block; room > 0 && (block = rarest(s, from, to)) >= 0; room--) {
        s->lacks[to * s->words + block / WORD] &= ~(UINT64_C(1) << block % WORD);
        s->copies[block]++;
        s->held[to]++;
        s->sent[s->sent_count++] = block;
    }
    int count = s->sent_count - first, e = from * s->n + to;
    hn_time end = s->now + s->start[e] + s->each[e] * count;
    s->out[from] = s->in[to] = end;
    s->receiving[to] = s->count;
    s->events[s->event_count++] = 2 * s->count + PLAYED_BEGINS;
    s->done[s->count++] = (struct played){from, to, first, count, end};
}

/* Whether something began. When nothing is under way, and everybody waits for a cheap way, any way
 * will do. */
static bool begin_transfers(struct swarm *s)
{
    int before = s->count, from, to;
    bool idle = true;
    while (choose_pair(s, false, &from, &to))
        begin_transfer(s, from, to);
    for (int rank = 0; rank < s->n; rank++)
        idle = idle && s->receiving[rank] < 0;
    if (idle && choose_pair(s, true, &from, &to))
        begin_transfer(s, from, to);
    return s->count > before;
}

/* Those who have got segments can send them on. */
static void end_transfers(struct swarm *s)
{
    for (int rank = 0; rank < s->n; rank++) {
        int i = s->receiving[rank];
        if (i < 0 || s->done[i].end > s->now)
            continue;
        s->receiving[rank] = -1;
        s->events[s->event_count++] = 2 * i + PLAYED_ENDS;
        for (int k = 0; k < s->done[i].count; k++) {
            int block = s->sent[s->done[i].list + k];
            s->holds[rank * s->words + block / WORD] |= UINT64_C(1) << block % WORD;
        }
    }
}

static hn_time next_event(const struct swarm *s)
{
    hn_time next = INT64_MAX;
    for (int rank = 0; rank < s->n; rank++)
        if (s->in[rank] > s->now && s->in[rank] < next)
            next = s->in[rank];
    return next;
}

hn_time swarm_play(struct swarm *s)
{
    hn_time last = 0;
    prepare(s);
    for (; s->now < INT64_MAX; s->now = next_event(s)) {
        last = s->now;
        do /* again: some take no time */
            end_transfers(s);
        while (begin_transfers(s));
    }
    return last;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

int swarm_begin(struct swarm *s, int ranks, int root, int blocks)
{
    size_t n = (size_t)ranks, cells = n * (size_t)blocks;
    *s = (struct swarm){.n = ranks, .root = root, .blocks = blocks};
    s->words = (blocks + WORD - 1) / WORD;
    s->start = calloc(n * n, sizeof *s->start);
    s->each = calloc(n * n, sizeof *s->each);
    s->price = malloc(2 * n * sizeof *s->price);
    s->good = calloc(n * n, sizeof *s->good);
    s->done = malloc(cells * sizeof *s->done);
    s->events = malloc(2 * cells * sizeof *s->events);
    s->sent = malloc(cells * sizeof *s->sent);
    s->worth = malloc(n * n * sizeof *s->worth);
    s->weight = calloc(n, sizeof *s->weight);
    s->holds = malloc(n * (size_t)s->words * sizeof *s->holds);
    s->lacks = malloc(n * (size_t)s->words * sizeof *s->lacks);
    s->held = malloc(n * sizeof *s->held);
    s->copies = malloc((size_t)blocks * sizeof *s->copies);
    s->out = malloc(n * sizeof *s->out);
    s->in = malloc(n * sizeof *s->in);
    s->receiving = malloc(n * sizeof *s->receiving);
    s->ready = malloc(n * sizeof *s->ready);
    bool there = s->start && s->each && s->price && s->good && s->done && s->events && s->sent &&
                 s->worth && s->weight && s->holds && s->lacks && s->held && s->copies && s->out &&
                 s->in && s->receiving && s->ready;
    return there ? HN_OK : HN_ENOMEM;
}

void swarm_end(struct swarm *s)
{
    free(s->start);
    free(s->each);
    free(s->price);
    free(s->good);
    free(s->done);
    free(s->events);
    free(s->sent);
    free(s->worth);
    free(s->weight);
    free(s->holds);
    free(s->lacks);
    free(s->held);
    free(s->copies);
    free(s->out);
    free(s->in);
    free(s->receiving);
    free(s->ready);
}
