/* choices.c - chooses plans for a group: by name, by default, or by the model.
 *
 * All members make the same choice. It depends only on the network file, the request, integers, and
 * the number of calls. Cost: a look-up; now and then a planner_best_again().
 */
#include "wire/choices.h"

#include "model/bounds/bound.h"
#include "job/internal.h"
#include "wire/multimulticast.h"
#include "planners/defaults.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* Most members for which plans are made on a guessed network. */
enum { AUTO_UNMEASURED = 12 };
/* Ranks a core from which a star is used for short operations. 6 to 64 tasks on two cores: a star
 * takes 0.55 to 0.85 of the time of the best tree; 4 tasks: up to twice as long. */
enum { STAR_RANKS_PER_CORE = 3 };
/* If more ranks share the cores of one host, operations of up to 2^SHORT_CLASS bytes begin with a
 * default plan. Each member would plan for itself, all at the same time, which takes longer than
 * such an operation (64 tasks on two cores: 4 to 14 ms besides 4 to 8). */
enum { SHORT_CLASS = 16 };
/* A choice made once and for all may take as long as one operation (half of two). If the operation
 * is long: as four, since the estimate is then too high by about as much. */
enum { STEADY_CALLS = 2, STEADY_CALLS_LONG = 8 };
static const hn_time long_operation = 100000000000; /* ps */
/* A repeated selection is given this part of the calls so far. So all planning together takes a
 * quarter of the operations' time (and half of the first one's). */
enum { CALLS_EACH = 4 };
/* A plan within this part of the lower bound is good enough: searching on costs more than it is
 * likely to save. This is checked from the second selection on, since the first one often lacks the
 * time to simulate all plans. */
enum { BOUND_SHARE = 16 };

int choices_class(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    int class = 0;
    while (class < 62 && (int64_t)1 << class < bytes)
        class ++;
    return class;
}

/* The largest of `count` values over their mean, as a power of two; 0: less than twice. */
static int excess(int64_t largest, int64_t total, int64_t count)
{
    int64_t mean = (total + count - 1) / count;
    int power = 0;
    while (mean > 0 && (largest / mean) >> power > 1)
        power++;
    return power;
}

/* Bytes that a rank sends or receives in a total exchange; in other operations, its part. */
static int64_t load_of(const struct request *req, int rank, bool receives)
{
    int64_t load = 0, n = req->ranks;
    if (request_parts(req) == n)
        return request_part_bytes(req, rank);
    for (int64_t peer = 0; peer < n; peer++)
        load += request_part_bytes(req, (int)(receives ? peer * n + rank : rank * n + peer));
    return load;
}

/* If sizes differ, the best plan depends on how much, and on a rank that has more than half of all
 * bytes. For a multiple multicast it depends on the lists. 0: sizes are equal. The result packs
 * three numbers: unevenness of parts (below 64), of ranks (below 64), and the dominant rank. */
static int shape_of(const struct request *req)
{
    int64_t largest = 0, total = 0, parts = request_parts(req);
    int dominant = 0, lopsided = 0;
    if (!req->sizes)
        return 0;
    if (req->messages)
        return 1 + (int)(multimulticast_hash(req) >> 2);
    for (int part = 0; part < parts; part++) {
        int64_t bytes = request_part_bytes(req, part);
        total += bytes;
        largest = bytes > largest ? bytes : largest;
    }
    for (int side = 0; side < 2; side++)
        /* [side]: what a rank sends, then what it receives. */
        for (int rank = 0; rank < req->ranks; rank++) {
            int64_t load = load_of(req, rank, side);
            int power = excess(load, total, req->ranks);
            lopsided = power > lopsided ? power : lopsided;
            dominant = load > total / 2 ? 1 + 2 * rank + side : dominant;
        }
    return 1 + excess(largest, total, parts) + 64 * lopsided + 4096 * dominant;
}

/* The memory of decisions is kept for those that follow. */
void choices_forget(struct choices *choices)
{
    memset(choices->first, 0, sizeof choices->first);
    choices->count = 0;
}

void choices_free(struct choices *choices)
{
    for (int i = 0; i < CHOICES; i++)
        free(choices->kept[i]);
    *choices = (struct choices){0};
}

/* Decisions by the model are made anew at their next call; those by name or rule remain. */
void choices_renew(struct choices *choices)
{
    for (int i = 0; i < choices->count; i++) {
        struct decision *d = choices->kept[i];
        d->monitor = (struct monitor){0};
        d->best = (struct choice){0};
        if (d->why == WHY_BEST)
            d->again = 0;
    }
}

/* The first of the names that serves the operation, on this network, for so many ranks. */
static bool decide_by_name(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    for (int i = 0; now->names && i < now->names->count; i++) {
        const struct choice *named = &now->names->choice[i];
        if (planner_serves(named->planner, req) && planner_can(named->planner, now->model) &&
            named->root < req->ranks) {
            d->choice = *named;
            d->why = WHY_NAME;
            return true;
        }
    }
    return false;
}

/* The time of a short operation of many tasks on few cores depends on the number of wake-ups, which
 * the model does not contain. */
static bool choose_star(const struct circumstances *now, const struct request *req,
                        struct decision *d)
{
    return now->model->ranks_per_core >= STAR_RANKS_PER_CORE &&
           defaults_choose_star(req, &d->choice);
}

static bool choose_by_rule(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    return choose_star(now, req, d) ||
           (model_ranks_per_core(now->model) > 1 && defaults_choose_few(req, &d->choice)) ||
           defaults_choose(req, false, &d->choice);
}

/* Uses a default plan if the network has not been measured and planning would take longer than the
 * operation, or could not consider what matters. */
static bool decide_by_rule(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    d->why = WHY_RULE;
    return !now->measured &&
           (req->ranks > AUTO_UNMEASURED ? choose_by_rule(now, req, d) : choose_star(now, req, d));
}

/* Whether this is a rounded sum, which keeps one plan, and a long operation. */
static bool is_chosen_long(const struct request *req, const struct decision *d)
{
    return req->steady && d->calls == 0 && d->shortlist.makespan >= long_operation;
}

/* The number of operations for which planning may take half of the time. More calls so far promise
 * more calls to come. */
static int64_t worth(const struct request *req, const struct decision *d)
{
    if (is_chosen_long(req, d))
        return STEADY_CALLS_LONG;
    if (d->calls == 0)
        return req->steady ? STEADY_CALLS : 1;
    if (d->calls >= CALLS_ALL)
        return CALLS_ALL;
    return d->calls < 2 * CALLS_EACH ? 1 : d->calls / CALLS_EACH;
}

/* The call at which more may be tried: twice as many as now. */
static int64_t next_time(const struct decision *d)
{
    return 2 * (d->calls > 0 ? d->calls : CALLS_EACH);
}

/* Continues the selection from what is known: the best choice and its prediction. */
static int choose(const struct circumstances *now, const struct request *req, struct decision *d,
                  struct choice *best)
{
    struct plan *plan;
    /* The plan is made again later for its exact request (plan_order.c). */
    struct candidate known = {*best, d->shortlist.makespan};
    int error = planner_best_again(req, now->model, worth(req, d), &known, best, &plan, NULL,
                                   &d->shortlist);
    plan_free(plan);
    return error;
}

/* Whether there are new candidates that may be better in reality. */
static bool has_new_candidate(const struct shortlist *before, const struct shortlist *now)
{
    for (int i = 0; i < CANDIDATES; i++) {
        bool known = !now->candidates[i].choice.planner;
        for (int k = 0; k < CANDIDATES; k++)
            known |= before->candidates[k].choice.planner &&
                     choice_same(&before->candidates[k].choice, &now->candidates[i].choice);
        if (!known)
            return true;
    }
    return false;
}

/* If the data go to all ranks, computing the bound would take longer than planning. */
static bool is_near_bound(const struct circumstances *now, const struct request *req,
                          const struct decision *d)
{
    hn_time bound = request_parts(req) > 1 ? lower_bound(req, now->model, true) : 0;
    return d->shortlist.makespan - bound <= bound / BOUND_SHARE;
}

static bool is_final(const struct circumstances *now, const struct request *req,
                     const struct decision *d)
{
    return d->shortlist.complete || req->steady || (d->calls > 0 && is_near_bound(now, req, d));
}

/* Chooses, the first time for this group perhaps what another group has found. A long rounded sum
 * is selected twice, since the second selection knows how long it takes. */
static int recall_or_choose(const struct circumstances *now, const struct request *req,
                            struct decision *d, struct choice *best)
{
    struct first_choices *first = d->calls == 0 && !best->planner ? now->first : NULL;
    if (first && first_choices_find(first, req, best, &d->shortlist))
        return HN_OK;
    int error = choose(now, req, d, best);
    if (!error && is_chosen_long(req, d) && !d->shortlist.complete)
        error = choose(now, req, d, best);
    if (first && !error)
        first_choices_keep(first, req, best, &d->shortlist);
    return error;
}

/* Selects by simulation as far as time permits; the first plan shows how much that is. */
static int decide_by_model(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    struct choice best = d->best;
    struct shortlist before = d->shortlist;
    uint64_t begun = engine_now();
    d->why = WHY_BEST;
    int error = recall_or_choose(now, req, d, &best);
    /* The model prefers another plan than before, so the measurements of the old one are obsolete.
     */
    if (!d->best.planner || !choice_same(&best, &d->best)) {
        d->choice = d->best = best;
        d->monitor = (struct monitor){0};
    } else if (req->sizes) {
        d->monitor = (struct monitor){0}; /* its times are those of another request */
    } else if (has_new_candidate(&before, &d->shortlist)) {
        monitor_again(&d->monitor);
    }
    monitor_planned(&d->monitor);
    d->took += (int64_t)(engine_now() - begun);
    /* After an error no further selection is tried. */
    d->again = error || is_final(now, req, d) ? INT64_MAX : next_time(d);
    return error;
}

/* The first choice of members on one host, until a selection pays. A rounded sum keeps it. false:
 * does not apply. */
static bool decide_at_first(const struct circumstances *now, const struct request *req,
                            struct decision *d)
{
    if (d->calls > 0 || now->model->ranks_per_core <= 1 || req->ranks <= AUTO_UNMEASURED ||
        choices_class(req) > SHORT_CLASS || !choose_by_rule(now, req, d))
        return false;
    d->why = WHY_FIRST;
    d->again = req->steady ? INT64_MAX : next_time(d);
    return true;
}

static int decide(const struct circumstances *now, const struct request *req, struct decision *d)
{
    d->again = INT64_MAX;
    if (decide_by_name(now, req, d) || decide_by_rule(now, req, d) || decide_at_first(now, req, d))
        return HN_OK;
    return decide_by_model(now, req, d);
}

/* ---- those that are kept -----------------------------------------------------------------------
 *
 * In buckets by a hash; when all are used, the one that was called least recently goes.  Only calls
 * count as use, since all members make the same ones.
 */

static struct decision new_decision(const struct request *req)
{
    return (struct decision){.op = req->op,
                             .root = req->root,
                             .class = choices_class(req),
                             .shape = shape_of(req),
                             .ordered = req->ordered,
                             .steady = req->steady};
}

static bool same_key(const struct decision *a, const struct decision *b)
{
    return a->op == b->op && a->root == b->root && a->class == b->class && a->shape == b->shape &&
           a->ordered == b->ordered && a->steady == b->steady;
}

/* Enums and indices are hashed as numbers, so all hosts compute the same bucket. */
static int *bucket_of(struct choices *choices, const struct decision *key)
{
    const unsigned part[] = {(unsigned)key->op,    (unsigned)key->root, (unsigned)key->class,
                             (unsigned)key->shape, key->ordered,        key->steady};
    unsigned hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        hash = (hash ^ part[i]) * 16777619u;
    return &choices->first[(hash ^ hash >> 16) % CHOICES];
}

static struct decision *find(struct choices *choices, const struct decision *key)
{
    int at = *bucket_of(choices, key);
    while (at && !same_key(choices->kept[at - 1], key))
        at = choices->kept[at - 1]->next;
    return at ? choices->kept[at - 1] : NULL;
}

/* Drops the least recently used decision; returns its index. */
static int give_up_oldest(struct choices *choices)
{
    int oldest = 0;
    for (int i = 1; i < CHOICES; i++)
        if (choices->kept[i]->used < choices->kept[oldest]->used)
            oldest = i;
    int *at = bucket_of(choices, choices->kept[oldest]);
    while (*at != oldest + 1)
        at = &choices->kept[*at - 1]->next;
    *at = choices->kept[oldest]->next;
    return oldest;
}

/* NULL: out of memory. The entry of a dropped decision is reused, since pointers to it are valid
 * until then only. */
static struct decision *keep(struct choices *choices, const struct decision *made)
{
    int place = choices->count < CHOICES ? choices->count : give_up_oldest(choices);
    struct decision **kept = &choices->kept[place];
    if (!*kept)
        *kept = malloc(sizeof **kept);
    if (!*kept)
        return NULL;
    int *bucket = bucket_of(choices, made);
    **kept = *made;
    (*kept)->next = *bucket;
    *bucket = place + 1;
    choices->count += choices->count < CHOICES;
    return *kept;
}

int choices_find(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision)
{
    struct decision made = new_decision(req);
    int error = HN_OK;
    *decision = find(choices, &made);
    if (!*decision) {
        error = decide(now, req, &made);
        *decision = error ? NULL : keep(choices, &made);
    }
    if (!error && !*decision)
        error = HN_ENOMEM;
    if (!error)
        /* Only successful calls count as use. */
        (*decision)->used = ++choices->calls;
    return error;
}

struct decision *choices_kept(struct choices *choices, const struct request *req)
{
    struct decision key = new_decision(req);
    return find(choices, &key);
}

/* Simulates the end of all selections without changing the decision: as if it had been called
 * CALLS_ALL times. */
int choices_foresee(struct choices *choices, const struct circumstances *now,
                    const struct request *req, struct decision *decision)
{
    const struct decision *kept = choices_kept(choices, req);
    if (kept && kept->again == INT64_MAX) {
        *decision = *kept;
        return HN_OK;
    }
    *decision = (struct decision){.calls = CALLS_ALL, .took = kept ? kept->took : 0};
    int error = decide(now, req, decision);
    /* The measured choice counts, if the model agrees with the one that was measured. */
    if (!error && kept && choice_same(&kept->best, &decision->best))
        *decision = *kept;
    return error;
}

int choices_call(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision, bool *changed)
{
    *changed = false;
    int error = choices_find(choices, now, req, decision);
    struct decision *d = *decision;
    /* Counts the call. From call `again` on the selection continues with more time. */
    if (error || ++d->calls < d->again)
        return error;
    struct choice before = d->choice;
    error = decide_by_model(now, req, d);
    *changed = !choice_same(&before, &d->choice);
    /* A changed plan is logged again. */
    d->logged = d->logged && !*changed;
    return error;
}
