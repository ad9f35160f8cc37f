/* adapt.c - agreeing, measuring, making plans anew (adapt.h).
 *
 * Cost: agreeing is an allreduce of 8 bytes, at most a fiftieth of the time of the operations of
 * its window, in the model.  Measuring, after a drift only, takes two long messages for each way of
 * drift_ways(), one way after the other, since they may share wires.
 */
#include "adapt.h"

#include "drift.h"
#include "engine.h"
#include "journal.h"
#include "team.h"

#include "hnow_coll.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2, BYTES_MOST = 256 << 10 };

bool adapt_is_wanted(void)
{
    const char *text = getenv("HNOW_ADAPT");
    return !text || strcmp(text, "0") != 0;
}

/* What the members take to tell each other, once. */
static hn_time agreement_of(struct adapt *adapt, const struct model *model)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = model->ranks, .bytes = 8, .grain = 8};
    struct choice choice;
    struct plan *plan;
    struct entries entries;
    if (adapt->agreement == 0 &&
        planner_best_quick(&req, model, 1, &choice, &plan, NULL, &entries) == HN_OK) {
        adapt->agreement = entries.makespan;
        plan_free(plan);
    }
    return adapt->agreement;
}

void adapt_note(struct adapt *adapt, const struct model *model, struct decision *d,
                int64_t nanoseconds)
{
    if (!adapt->on || adapt->busy || d->why != WHY_BEST || d->again < INT64_MAX ||
        d->op == OP_BARRIER)
        return;
    if (d->lookout.phase == LOOKOUT_OFF)
        lookout_begin(&d->lookout, agreement_of(adapt, model), d->entries.makespan);
    if (lookout_note(&d->lookout, nanoseconds))
        adapt->due = d;
}

/* ---- measuring ---------------------------------------------------------------------------------
 */

struct survey {
    struct team *team;
    hn_tid other;
    int tag;
    uint8_t *bytes;
};

/* The least time until a message of so many bytes has been answered by one byte. */
static int measure(const struct survey *s, int64_t bytes, int64_t *least)
{
    int error = HN_OK;
    *least = INT64_MAX;
    for (int i = 0; i < ROUNDS && !error; i++) {
        uint64_t begun = engine_now();
        error = hn_send(s->other, s->tag, s->bytes, (size_t)bytes, HN_BYTE);
        if (!error)
            error = hn_recv(s->other, s->tag, s->bytes, 1, HN_BYTE, NULL);
        int64_t took = (int64_t)(engine_now() - begun);
        *least = took < *least ? took : *least;
    }
    return error;
}

static int answer(const struct survey *s, int64_t bytes)
{
    int error = HN_OK;
    for (int i = 0; i < ROUNDS && !error; i++) {
        error = hn_recv(s->other, s->tag, s->bytes, (size_t)bytes, HN_BYTE, NULL);
        if (!error)
            error = hn_send(s->other, s->tag, s->bytes, 1, HN_BYTE);
    }
    return error;
}

/* This member's part in the measurement of one way. */
static int survey_way(struct survey *s, struct drift_way *way)
{
    bool sends = way->from == team_rank(s->team), answers = way->to == team_rank(s->team);
    int64_t small = 0, large = 0;
    if (!sends && !answers)
        return HN_OK;
    s->other = team_tids(s->team)[sends ? way->to : way->from];
    int error = sends ? measure(s, 1, &small) : answer(s, 1);
    if (!error)
        error = sends ? measure(s, way->bytes, &large) : answer(s, way->bytes);
    if (sends && !error)
        way->factor = drift_factor(team_model(s->team), way, large - small / 2);
    return error;
}

/* All ways, one after the other; at the end everybody knows all factors. */
static int survey(struct team *team, const hn_group *group, struct drift *drift)
{
    struct survey s = {
        .team = team, .tag = team_next_tag(team, false), .bytes = calloc(1, BYTES_MOST)};
    int64_t *factors = calloc((size_t)drift->count, sizeof *factors);
    int error = s.bytes && factors ? HN_OK : HN_ENOMEM;
    for (int i = 0; i < drift->count && !error; i++) {
        hn_context before = hn_set_context(team_context(team));
        error = survey_way(&s, &drift->ways[i]);
        hn_set_context(before);
        if (!error)
            error = hn_barrier(group);
        factors[i] = drift->ways[i].factor;
    }
    if (!error)
        error = hn_allreduce(HN_IN_PLACE, factors, (size_t)drift->count, HN_INT64, HN_MAX, group);
    for (int i = 0; i < drift->count && !error; i++)
        drift->ways[i].factor = factors[i];
    free(factors);
    free(s.bytes);
    return error;
}

/* ---- deciding ----------------------------------------------------------------------------------
 */

static void tell_worst(const struct team *team, const struct drift_way *worst)
{
    const char *from = hn_host_of(team_tids(team)[worst->from]),
               *to = hn_host_of(team_tids(team)[worst->to]);
    journal_say(
        team_journal(team),
        "the network has changed: from %s to %s messages take %.1f times as long as its file "
        "says: plans are made anew",
        from ? from : "?", to ? to : "?", (double)worst->factor / DRIFT_NONE);
}

/* An operation takes much longer than it did: why?  Plans are made anew when the network is not
 * what they were made for. */
static int look_at_network(struct team *team, const hn_group *group, struct lookout *lookout,
                           int64_t took)
{
    struct drift drift;
    bool had_changed = team_restate(team);
    int error = drift_ways(team_model(team), &drift);
    if (error)
        return error;
    if (drift.count > 0)
        error = survey(team, group, &drift);
    bool has_changed = drift.count > 0 && drift_worst(&drift)->factor > DRIFT_NONE;
    if (!error && has_changed)
        tell_worst(team, drift_worst(&drift));
    if (!error && (has_changed || had_changed))
        error = team_change(team, &drift);
    else if (!error && lookout->phase == LOOKOUT_ON)
        lookout_calm(lookout, took);
    drift_free(&drift);
    return error;
}

static void tell_times(const struct team *team, const struct decision *d)
{
    char text[200] = "", name[64];
    size_t used = 0;
    const struct lookout *w = &d->lookout;
    for (int i = 0; i < w->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3f ms", i ? ", " : "",
                                 choice_text(&w->trials[i].choice, name, sizeof name),
                                 (double)w->trials[i].took / 1e6);
    journal_say(team_journal(team), "%s up to %lld bytes: measured %s: plan %s",
                operation_name(d->op), 1LL << d->class, text,
                choice_text(&d->choice, name, sizeof name));
}

static int settle(struct adapt *adapt, struct team *team, const hn_group *group, struct decision *d)
{
    /* The least of the second: who is early waits for the others' operations, too. */
    int64_t told[2] = {d->lookout.least, adapt->took ? -adapt->took : INT64_MIN}, took;
    bool tried = d->lookout.phase == LOOKOUT_TRIAL;
    uint64_t begun = engine_now();
    int error = hn_allreduce(HN_IN_PLACE, told, 2, HN_INT64, HN_MAX, group);
    if (error)
        return error;
    d->lookout.surveyed = adapt->surveyed;
    int64_t agreeing = (int64_t)(engine_now() - begun);
    adapt->took = adapt->took && adapt->took < agreeing ? adapt->took : agreeing;
    took = told[0];
    lookout_pace(&d->lookout, told[1] > INT64_MIN ? -told[1] : 0, took);
    enum verdict verdict = lookout_agreed(&d->lookout, took, &d->entries, !d->steady, &d->choice);
    if (tried && d->lookout.phase == LOOKOUT_ON)
        tell_times(team, d);
    adapt->surveyed = adapt->surveyed || verdict == VERDICT_DRIFT;
    if (verdict == VERDICT_DRIFT)
        return look_at_network(team, group, &d->lookout, took);
    if (verdict == VERDICT_SWITCH)
        team_decision_changed(team, d);
    return HN_OK;
}

int adapt_settle(struct adapt *adapt, struct team *team, const hn_group *group)
{
    struct decision *d = adapt->due;
    if (!d)
        return HN_OK;
    adapt->due = NULL;
    adapt->busy = true;
    int error = settle(adapt, team, group, d);
    adapt->busy = false;
    return error;
}
