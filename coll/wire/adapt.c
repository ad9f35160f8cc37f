/* adapt.c - agreement, measurement and new plans (adapt.h).
 *
 * An agreement has up to four stages; usually the first one is the last:
 *
 *     AGREE      an allreduce of 16 bytes: the time of the window
 *     PROBE      after an alarm, or when slow routes are due: measures routes
 *     REPORT     an allreduce of the measurements
 *     OVER
 *
 * Failures: if a member has ended, the stage ends with HN_EDEAD at all others, as in any operation
 * of the group. A member that has made a call with wrong arguments has begun fewer operations, and
 * agrees one operation later than the others. Then all members fail, and never agree again.
 *
 * Cost: an agreement takes at most a fiftieth of the predicted time of its window; for measurements
 * see route_probe.h and model_update.h.
 */
#include "wire/adapt.h"

#include "job/internal.h"
#include "wire/history.h"

#include "hnow_coll.h"

#include <stdlib.h>
#include <string.h>

enum stage { AGREE, PROBE, REPORT, OVER };
enum { WATCHED_FROM = 32 }; /* calls; or when all plans have been tried */

bool adapt_is_wanted(void)
{
    const char *text = getenv("HNOW_ADAPT");
    return !text || strcmp(text, "0") != 0;
}

bool adapt_wants_sums(void)
{
    const char *text = getenv("HNOW_ADAPT");
    return text && strcmp(text, "sums") == 0;
}

void adapt_init(struct adapt *adapt, const struct model *stated, bool on)
{
    *adapt = (struct adapt){.on = on};
    model_update_init(&adapt->model_update, stated);
}

void adapt_free(struct adapt *adapt)
{
    plan_free(adapt->agreement);
    model_update_free(&adapt->model_update);
}

/* ---- watching --------------------------------------------------------------------------- */

/* Makes the plan by which members exchange `count` numbers. It is for the network of the file, so
 * that all members have the same one, whatever they have measured. HN_OK or an error. */
static int plan_report(const struct model *model, int count, struct plan **plan, hn_time *time)
{
    struct request req = {
        .op = OP_ALLREDUCE, .ranks = model->ranks, .bytes = 8 * (int64_t)count, .grain = 8};
    struct choice choice;
    struct shortlist shortlist;
    int error = planner_best_quick(&req, model, 1, &choice, plan, NULL, &shortlist);
    if (!error)
        *time = shortlist.makespan;
    return error;
}

/* Before that, plans change too often. Decisions by name or rule are not compared with a
 * prediction. */
static bool is_watched(const struct adapt *adapt, const struct decision *d)
{
    return adapt->on && d->why == WHY_BEST && (d->again == INT64_MAX || d->calls >= WATCHED_FROM);
}

bool adapt_count(struct adapt *adapt, struct decision *d)
{
    /* The plan of the agreement is made once, for the model of the file. */
    const struct model *stated = adapt->model_update.stated;
    if (!is_watched(adapt, d))
        return false;
    if (!adapt->agreement && plan_report(stated, 2, &adapt->agreement, &adapt->agreeing))
        return false; /* out of memory: then no member has a plan to follow, either */
    if (d->monitor.phase == MONITOR_OFF)
        /* The first window begins with this operation. */
        monitor_begin(&d->monitor, adapt->agreeing, d->shortlist.makespan);
    return monitor_count(&d->monitor);
}

void adapt_note(struct adapt *adapt, struct decision *d, int64_t nanoseconds)
{
    if (is_watched(adapt, d))
        monitor_note(&d->monitor, nanoseconds);
}

/* ---- exchanging numbers ------------------------------------------------------------------ */

/* Starts the exchange; each number becomes its maximum over all members. `numbers` must remain
 * valid until it has ended. HN_OK or an error of executor_begin(). */
static int report_begin(struct agreement *s, struct plan *plan, int64_t *numbers)
{
    s->x = (struct execution){.plan = plan,
                              .tids = s->tids,
                              .rank = s->rank,
                              .tag = s->tag,
                              .type = HN_INT64,
                              .data = (uint8_t *)numbers,
                              .table = s->table,
                              .fold = &s->fold};
    s->begun = engine_now();
    int error = fold_find(HN_MAX, HN_INT64, &s->fold);
    if (!error)
        error = executor_begin(&s->executor, &s->x);
    s->executor.waits = s->waits;
    return error;
}

/* An exchange that blocks ends in one call. */
static int report_continue(struct agreement *s)
{
    int error = executor_continue(&s->executor);
    s->awaits = s->executor.awaits;
    if (error == EXECUTOR_WAITS)
        return error;
    executor_free(&s->executor);
    s->executor = (struct executor){0};
    return error;
}

/* A persistent operation has its own adaptation, used by one thread at a time, and no lock. */
static void lock(const struct agreement *s)
{
    if (s->guard)
        pthread_mutex_lock(s->guard);
}

static void unlock(const struct agreement *s)
{
    if (s->guard)
        pthread_mutex_unlock(s->guard);
}

/* ---- agreeing --------------------------------------------------------------------------- */

/* Two numbers: the time of the window at this member, and minus the time of the last agreement. The
 * maximum of the latter is minus the shortest time. */
static int begin_agreement(struct agreement *s)
{
    lock(s);
    s->reported[0] = monitor_time(&s->decision->monitor);
    unlock(s);
    /* The shortest time counts: an early member also waits for the others' operations. */
    s->reported[1] = s->adapt->took ? -s->adapt->took : INT64_MIN;
    return report_begin(s, s->adapt->agreement, s->reported);
}

/* Lists the trials of the decision and their times, for `hrun -v`. */
static void log_times(const struct agreement *s)
{
    const struct decision *d = s->decision;
    const struct monitor *w = &d->monitor;
    char text[200] = "", name[CHOICE_TEXT_ROOM];
    size_t used = 0;
    for (int i = 0; i < w->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3f ms", i ? ", " : "",
                                 choice_text(&w->trials[i].choice, name, sizeof name),
                                 (double)w->trials[i].took / 1e6);
    history_log(s->history, "%s up to %lld bytes: measured %s: plan %s", operation_name(d->op),
                1LL << d->class, text, choice_text(&d->choice, name, sizeof name));
}

/* The verdict of the agreed time of the window. All members compute it from the same numbers. With
 * the lock. */
static enum verdict judge(struct agreement *s)
{
    struct decision *d = s->decision;
    struct monitor *w = &d->monitor;
    int64_t agreeing = (int64_t)(engine_now() - s->begun), took = s->reported[0];
    bool tried = w->phase == MONITOR_TRIAL;
    /* An agreement that took long was disturbed, so the shortest time so far is kept. */
    s->adapt->took = s->adapt->took && s->adapt->took < agreeing ? s->adapt->took : agreeing;
    w->checked = s->adapt->checked;
    /* The budget for measurements grows by the time of the whole window. */
    model_update_pass(&s->adapt->model_update, took * w->seen);
    /* INT64_MIN: no member has measured an agreement yet. */
    monitor_pace(w, s->reported[1] > INT64_MIN ? -s->reported[1] : 0, took);
    enum verdict verdict = monitor_agreed(w, took, &d->shortlist, !d->steady, &d->choice);
    if (tried && w->phase == MONITOR_ON)
        log_times(s);
    return verdict;
}

/* Starts measurements of all routes, the slow ones, or one (route_probe.h). HN_OK or an error; then
 * the agreement fails at this member. */
static int begin_probe(struct agreement *s, int only)
{
    const struct model_update *o = &s->adapt->model_update;
    drift_free(&s->drift); /* of the measurement of one route */
    int error = model_update_routes(o, &s->drift);
    s->only = only;
    route_probe_free(&s->probe);
    s->probe = (struct route_probe){.model = o->stated,
                                    .drift = &s->drift,
                                    .tids = s->tids,
                                    .rank = s->rank,
                                    .tag = s->tag,
                                    .waits = s->waits};
    s->begun = engine_now();
    s->stage = PROBE;
    return error ? error : route_probe_begin(&s->probe, only);
}

/* Continues with what the verdict asks for: a new plan, or measurements within their budget. */
static int end_agreement(struct agreement *s)
{
    const struct model_update *o = &s->adapt->model_update;
    int route;
    lock(s);
    enum verdict verdict = judge(s);
    unlock(s);
    s->stage = OVER;
    if (verdict == VERDICT_SWITCH)
        s->outcome = AGREED_PLAN;
    if (verdict == VERDICT_DRIFT)
        return model_update_may_look(o) ? begin_probe(s, ROUTES_ALL) : HN_OK;
    if (verdict == VERDICT_KEEP && model_update_should_visit(o, &route))
        return begin_probe(s, route);
    return HN_OK;
}

/* ---- measuring -------------------------------------------------------------------------- */

enum { NUMBERS_PER_ROUTE = 2 }; /* factor and extra delay */

/* Reports the routes that this member has measured, and the time that the measurements took. A
 * route is measured by the rank at its beginning only. The others report 0 for it, which is never
 * the maximum. */
static int begin_report(struct agreement *s)
{
    int count = NUMBERS_PER_ROUTE * s->drift.count + 1;
    hn_time unused;
    free(s->measured);
    s->measured = calloc((size_t)count, sizeof *s->measured);
    if (!s->measured)
        return HN_ENOMEM;
    for (int i = 0; i < s->drift.count; i++)
        if (s->drift.routes[i].from == s->rank && (s->only < 0 || s->only == i)) {
            s->measured[NUMBERS_PER_ROUTE * i] = s->drift.routes[i].factor;
            s->measured[NUMBERS_PER_ROUTE * i + 1] = s->drift.routes[i].late;
        }
    s->measured[count - 1] = (int64_t)(engine_now() - s->begun);
    s->stage = REPORT;
    plan_free(s->plan);
    /* The number of routes depends on the network only, so all members make the same plan. */
    s->plan = NULL;
    int error = plan_report(s->adapt->model_update.stated, count, &s->plan, &unused);
    return error ? error : report_begin(s, s->plan, s->measured);
}

static const char *host_of(const struct agreement *s, int rank)
{
    const char *name = hn_host_of(s->tids[rank]);
    return name ? name : "?";
}

/* The route that is slowest in comparison with the file is named. */
static void log_change(const struct agreement *s)
{
    const struct model_update *o = &s->adapt->model_update;
    int64_t ratio;
    const struct drift_route *worst = drift_worst(o->stated, &o->drift, &ratio);
    if (worst)
        history_log(s->history,
                    "the network has changed: from %s to %s messages take %.1f times as long as "
                    "its file says: plans are made anew",
                    host_of(s, worst->from), host_of(s, worst->to), (double)ratio / DRIFT_NONE);
    else
        history_log(s->history, "the network is as its file says again: plans are made anew");
}

/* Duration of the measurements, as agreed. */
static int64_t measuring_took(const struct agreement *s)
{
    return s->measured[NUMBERS_PER_ROUTE * s->drift.count];
}

/* A single route was measured. If it has changed, the other slow routes are measured as well. */
static int end_visit(struct agreement *s)
{
    struct model_update *o = &s->adapt->model_update;
    lock(s);
    bool look = model_update_visited(o, &s->drift.routes[s->only], s->only) &&
                model_update_may_look_again(o, measuring_took(s));
    unlock(s);
    s->stage = OVER;
    return look ? begin_probe(s, ROUTES_SLOW) : HN_OK;
}

/* Applies what has been measured. Without a change the alarm was false: the time of the window is
 * now the normal one. */
static int end_probe(struct agreement *s)
{
    struct monitor *w = &s->decision->monitor;
    bool moved;
    int error = model_update_measured(&s->adapt->model_update, &s->drift, s->tids,
                                      s->only == ROUTES_SLOW, measuring_took(s), s->guard, &moved);
    lock(s);
    s->adapt->checked = true;
    if (!error && !moved && s->only == ROUTES_ALL && w->phase == MONITOR_ON)
        monitor_calm(w, s->reported[0]);
    unlock(s);
    s->stage = OVER;
    if (error || !moved)
        return error;
    s->outcome = AGREED_NETWORK;
    log_change(s);
    return HN_OK;
}

static int end_report(struct agreement *s)
{
    for (int i = 0; i < s->drift.count; i++) {
        s->drift.routes[i].factor = s->measured[NUMBERS_PER_ROUTE * i];
        s->drift.routes[i].late = s->measured[NUMBERS_PER_ROUTE * i + 1];
    }
    return s->only >= 0 ? end_visit(s) : end_probe(s);
}

/* ---- all stages ------------------------------------------------------------------------- */

/* Performs one stage, or its next part. Each stage sets the next one. */
static int advance(struct agreement *s)
{
    int error = HN_OK;
    switch ((enum stage)s->stage) {
    case AGREE:
        if (!s->x.plan)
            error = begin_agreement(s);
        if (!error)
            error = report_continue(s);
        return error ? error : end_agreement(s);
    case PROBE:
        error = route_probe_continue(&s->probe);
        s->awaits = s->probe.awaits;
        return error ? error : begin_report(s);
    case REPORT:
        error = report_continue(s);
        return error ? error : end_report(s);
    default:
        return HN_OK;
    }
}

int agreement_continue(struct agreement *s)
{
    int error = HN_OK;
    while (!error && s->stage != OVER)
        error = advance(s);
    /* After other errors members no longer count alike, so they stop agreeing. A death ends the
     * group anyway. */
    if (error && error != EXECUTOR_WAITS && error != HN_EDEAD) {
        s->outcome = AGREED_NEVER;
        history_log(s->history, "%s: plans do not follow the network any more: %s",
                    operation_name(s->decision->op), hn_strerror(error));
    }
    return error;
}

void agreement_free(struct agreement *s)
{
    executor_free(&s->executor);
    route_probe_free(&s->probe);
    drift_free(&s->drift);
    plan_free(s->plan);
    free(s->measured);
}
