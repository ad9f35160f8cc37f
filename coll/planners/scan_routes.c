/* scan_routes.c - the shortest paths of prefixes (scan_routes.h).
 *
 * Times are estimates: every message takes its time without contention, and a relay receives from
 * one run after the other. For each prefix in turn, Dijkstra's algorithm (1959) over the heads
 * starts from those that can add the next run themselves.
 *
 * There is no deadlock even if ports do one transfer at a time and senders wait for receivers.
 * Relays send and receive everything in the order of prefixes and segments. A head sends the sum of
 * its run before anything else, for all segments. So a relay may send other relays only prefixes
 * from its own run on, and none with segments, unless it is *early*: then no head adds its run, and
 * all receive the prefix. Heads that are not relays send no prefixes, and no head waits for them.
 */
#include "planners/scan_routes.h"

#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>

/* The work of scan_routes_begin(). found[] has routes of all prefixes to all heads; only those that
 * are needed are copied to r->from. */
struct finding {
    struct scan_routes *r;
    const struct problem *problem;
    int64_t bytes;    /* bytes of a message */
    bool *relay;      /* [head] */
    bool *early;      /* [head]: relays that may send early prefixes */
    hn_time *deliver; /* [from * runs + to] between heads */
    hn_time *recv;    /* [from * runs + to] */
    hn_time *ready;   /* [head]: time at which it has the sum of its run */
    hn_time *time;    /* [head]: time at which it has the present prefix */
    bool *final;      /* [head]: its time is final (Dijkstra) */
    int *found;       /* [prefix * runs + head]: as r->from, also for prefixes that no rank needs */
    struct arena arena; /* of the arrays */
};

/* Index in an array of runs * runs. */
static size_t place(const struct finding *f, int row, int column)
{
    return (size_t)row * (size_t)f->r->runs + (size_t)column;
}

/* ---- runs ------------------------------------------------------------------------------- */

/* Sets label[rank] to the rank's outermost group. HN_OK or HN_ENOMEM. */
static int label_ranks(const struct model *model, int *label)
{
    struct levels l;
    int error = levels_begin(&l, model, NULL), begin, end;
    for (int part = 0; !error && part < l.group[0].parts; part++) {
        levels_part(&l, &l.group[0], part, &begin, &end);
        for (int i = begin; i < end; i++)
            label[l.member[i]] = part;
    }
    levels_end(&l);
    return error;
}

/* A run ends where the group changes. HN_OK or HN_ENOMEM. */
static int find_runs(struct scan_routes *r, const struct model *model)
{
    int n = model->ranks, *label = malloc((size_t)n * sizeof *label), error = HN_ENOMEM;
    ARENA_ARRAYS(&r->arena, (size_t)n, r->first, r->last, r->group);
    if (label && !r->arena.failed)
        error = label_ranks(model, label);
    for (int rank = 0; rank < n && !error; rank++) {
        if (rank == 0 || label[rank] != label[rank - 1]) {
            r->first[r->runs] = rank;
            r->group[r->runs++] = label[rank];
        }
        r->last[r->runs - 1] = rank;
    }
    free(label);
    return error;
}

/* ---- times ------------------------------------------------------------------------------ */

/* Times of messages between the heads, and the time at which each has the sum of its run. */
static void find_times(struct finding *f)
{
    const struct scan_routes *r = f->r;
    const struct model *model = f->problem->model;
    for (int i = 0; i < r->runs; i++) {
        for (int k = 0; k < r->runs; k++) {
            struct cost c = {0};
            if (i != k)
                c = model_cost(model, r->last[i], r->last[k], f->bytes);
            f->deliver[place(f, i, k)] = c.send + c.travel + c.recv;
            f->recv[place(f, i, k)] = c.recv;
        }
        f->ready[i] = 0; /* the run is combined at doubling distances */
        for (int s = 1; s <= r->last[i] - r->first[i]; s *= 2)
            f->ready[i] += model_deliver(model, r->first[i], r->last[i], f->bytes);
    }
}

/* Time at which the last head has its prefix if this head combines everything. It receives the sums
 * in the order of runs, and sends each prefix as soon as it is complete. */
static hn_time time_by_relay(const struct finding *f, int relay)
{
    hn_time known = 0, end = 0;
    for (int i = 0; i < f->r->runs; i++) {
        end = time_later(end, i > 0 ? known + f->deliver[place(f, relay, i)] : 0);
        known = time_later(known + f->recv[place(f, i, relay)],
                           f->ready[i] + f->deliver[place(f, i, relay)]);
    }
    return end;
}

/* Of equal times the lowest head. */
static int best_relay(const struct finding *f)
{
    int best = 0;
    hn_time least = INT64_MAX;
    for (int head = 0; head < f->r->runs; head++) {
        hn_time time = time_by_relay(f, head);
        if (time < least) {
            least = time;
            best = head;
        }
    }
    return best;
}

/* Chooses the first run of each group, but in the central group the best run, which is early. With
 * segments all relays are early, since they could not send each other anything otherwise. */
static void choose_relays(struct finding *f, enum scan_relays relays)
{
    const struct scan_routes *r = f->r;
    int best = best_relay(f);
    for (int i = 0; i < r->runs; i++) {
        bool first = relays == RELAYS_GROUPS && r->group[i] != r->group[best];
        for (int k = 0; k < i; k++)
            first = first && r->group[k] != r->group[i];
        f->relay[i] = relays == RELAYS_ALL || i == best || first;
        f->early[i] = relays != RELAYS_ALL && (i == best || (first && f->problem->segment > 0));
    }
}

/* ---- ways ------------------------------------------------------------------------------- */

/* Sets the times of the heads that add the run themselves, from f->time of the preceding prefix. */
static void add_run(struct finding *f, int run)
{
    for (int head = 0; head < f->r->runs; head++) {
        hn_time before = run > 0 ? f->time[head] : 0, time = INT64_MAX;
        if (head == run && before < INT64_MAX)
            time = time_later(before, f->ready[run]);
        else if (f->relay[head] && !f->early[run] && before < INT64_MAX)
            time = time_later(before + f->recv[place(f, run, head)],
                              f->ready[run] + f->deliver[place(f, run, head)]);
        f->time[head] = time;
        f->found[place(f, run, head)] = time < INT64_MAX ? SCAN_ADDS : SCAN_NEVER;
        f->final[head] = false;
    }
}

static int next_head(const struct finding *f)
{
    int next = -1;
    for (int head = 0; head < f->r->runs; head++)
        if (!f->final[head] && f->time[head] < INT64_MAX &&
            (next < 0 || f->time[head] < f->time[next]))
            next = head;
    return next;
}

static bool may_send(const struct finding *f, int prefix, int from, int to)
{
    bool in_order = prefix >= from && f->problem->segment <= 0;
    return f->relay[from] && to != prefix && (!f->relay[to] || f->early[from] || in_order);
}

/* Finds from which head every other head receives the prefix (Dijkstra). */
static void send_prefix(struct finding *f, int prefix)
{
    for (int head = next_head(f); head >= 0; head = next_head(f)) {
        f->final[head] = true;
        for (int to = 0; to < f->r->runs; to++) {
            hn_time time = f->time[head] + f->deliver[place(f, head, to)];
            if (f->final[to] || !may_send(f, prefix, head, to) || time >= f->time[to])
                continue;
            f->time[to] = time;
            f->found[place(f, prefix, to)] = head;
        }
    }
}

/* The head that can first send the preceding prefix to the first rank of a run. */
static void find_source(struct finding *f, int run)
{
    hn_time least = INT64_MAX;
    for (int head = 0; head < f->r->runs; head++) {
        if (f->time[head] == INT64_MAX)
            continue;
        hn_time time = f->time[head] + model_deliver(f->problem->model, f->r->last[head],
                                                     f->r->first[run], f->bytes);
        if (time < least) {
            least = time;
            f->r->source[run] = head;
        }
    }
}

/* Marks all routes that are needed for a head to get a prefix. */
static void need(struct finding *f, int prefix, int head)
{
    struct scan_routes *r = f->r;
    while (prefix >= 0 && scan_route(r, prefix, head) == SCAN_NEVER) {
        int from = r->from[place(f, prefix, head)] = f->found[place(f, prefix, head)];
        if (from == SCAN_ADDS)
            prefix--;
        else
            head = from;
    }
}

static void find_routes(struct finding *f)
{
    struct scan_routes *r = f->r;
    for (size_t i = 0; i < place(f, r->runs, 0); i++)
        r->from[i] = SCAN_NEVER;
    for (int run = 0; run + 1 < r->runs; run++) {
        add_run(f, run);
        send_prefix(f, run);
        find_source(f, run + 1);
    }
    /* A run of one rank is its own head, which needs the prefix.  Else its first rank gets the
     * prefix from source[run], which must have it. */
    for (int run = 1; run < r->runs; run++)
        if (r->first[run] == r->last[run])
            need(f, run - 1, run);
        else
            need(f, run - 1, r->source[run]);
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool room(struct finding *f)
{
    size_t n = (size_t)f->r->runs;
    ARENA_ARRAYS(&f->arena, n, f->relay, f->early, f->ready, f->time, f->final);
    ARENA_ARRAYS(&f->arena, n * n, f->deliver, f->recv, f->found);
    f->r->from = arena_array(&f->r->arena, n * n, sizeof *f->r->from);
    f->r->source = arena_array(&f->r->arena, n, sizeof *f->r->source);
    return !f->arena.failed && !f->r->arena.failed;
}

static void finding_end(struct finding *f)
{
    arena_free(&f->arena);
}

int scan_routes_begin(struct scan_routes *r, const struct problem *problem, enum scan_relays relays)
{
    struct finding f = {.r = r, .problem = problem, .bytes = problem_bytes(problem)};
    *r = (struct scan_routes){0};
    int error = find_runs(r, problem->model);
    if (!error && !room(&f))
        error = HN_ENOMEM;
    if (!error) {
        find_times(&f);
        choose_relays(&f, relays);
        find_routes(&f);
    }
    finding_end(&f);
    return error;
}

void scan_routes_end(struct scan_routes *r)
{
    arena_free(&r->arena);
}
