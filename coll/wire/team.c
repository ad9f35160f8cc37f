/* team.c - groups, their networks and their plans.
 *
 * The network is that of job_net.h; plans are those of two lanes (lane.h).
 *
 * A group's team is kept with the group, in its second context.  The root and the receivers of a
 * multicast to a list are a subset of the group, which is a group of its own (subset.h).
 *
 * Memory: teams go with their group. A lock guards the making of teams (wire_state.h); each has one
 * for its lanes, which the caller of an operation and the background thread may need at the same
 * time.
 */
#include "wire/team.h"

#include "runtime/internal.h"
#include "job/internal.h"
#include "wire/compress.h"
#include "wire/job_net.h"
#include "wire/journal.h"
#include "wire/plan_lane.h"
#include "wire/ledger.h"
#include "wire/wire_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct team {
    struct wire_state *state; /* held */
    int size, rank;
    hn_tid *tids;
    hn_context context;
    struct ledger *ledger; /* what it has begun */
    pthread_mutex_t guard; /* of what follows the model */
    hn_net *guess;         /* of its network; NULL: it is that of the job's file */
    int *host;             /* [rank] */
    bool measured;         /* by that file */
    struct model model;
    bool named, forced; /* follow the job's -plan, or rather `force`, where they serve */
    bool subset;        /* of another group */
    unsigned forcings;  /* how often that has been said; of a subset: of what its group was told */
    struct plan_names names, force;
    struct plan_lane even, uneven; /* all parts of a size; each of its own */
    struct journal *journal;       /* rank 0's, when wanted; else NULL */
    struct compress *compress;     /* NULL: messages always go as they are */
    atomic_bool deflates;
    char followed[PLAN_NAME_ROOM]; /* by the operation that was planned last */
};

static const char team_key; /* under its address a group keeps its team */

int team_size(const struct team *team)
{
    return team->size;
}

int team_rank(const struct team *team)
{
    return team->rank;
}

const hn_tid *team_tids(const struct team *team)
{
    return team->tids;
}

hn_context team_context(const struct team *team)
{
    return team->context;
}

static struct plan_lane *lane_of(struct team *team, const struct request *req)
{
    return req->sizes ? &team->uneven : &team->even;
}

void team_hold_model(struct team *team, struct held_model *held)
{
    pthread_mutex_lock(&team->guard);
    outlook_hold(&team->even.adapt.outlook, held);
    pthread_mutex_unlock(&team->guard);
}

const struct model *team_stated(const struct team *team)
{
    return &team->model;
}

bool team_measured(const struct team *team)
{
    return team->measured;
}

struct ledger *team_ledger(const struct team *team)
{
    return team->ledger;
}

/* ---- making a team -----------------------------------------------------------------------------
 */

static void team_free(struct team *team)
{
    if (!team)
        return;
    journal_close(team->journal);
    compress_free(team->compress);
    ledger_close(team->ledger);
    plan_lane_free(&team->even);
    plan_lane_free(&team->uneven);
    pthread_mutex_destroy(&team->guard);
    hn_net_free(team->guess);
    free(team->tids);
    free(team->host);
    wire_state_let_go(team->state);
    free(team);
}

static hn_context context_of(const hn_group *group)
{
    return hn_group_context(group) + 1;
}

/* The context of the group itself. */
static hn_context whole_of(const struct team *team)
{
    return team->context - 1;
}

static void team_release(void *thing)
{
    struct team *team = thing;
    ledgers_forget(team->state->ledgers, whole_of(team));
    team_free(team);
}

/* The job's -plan. hrun has looked at it, but may be of another version than this library. */
static int take_names_of_job(struct team *team)
{
    const char *text;
    size_t length;
    if (hn_job_text("plan", &text, &length) || length == 0)
        return HN_OK;
    team->named = true;
    return plan_names_parse(text, &team->names);
}

static void make_lane(struct team *team, struct plan_lane *lane)
{
    lane->rank = team->rank;
    lane->measured = team->measured;
    lane->journal = team->journal;
    lane->sums = adapt_wants_sums();
    plan_lane_init(lane, &team->model, team->measured && team->size > 1 && adapt_is_wanted());
}

/* The team takes the list; whole: the team of the group of which it is a subset, or NULL. */
static int team_make(struct wire_state *state, hn_tid *tids, int size, int rank, hn_context context,
                     const struct team *whole, struct team **made)
{
    struct team *team = calloc(1, sizeof *team);
    *made = team;
    if (!team) {
        free(tids);
        return HN_ENOMEM;
    }
    pthread_mutex_init(&team->guard, NULL);
    atomic_fetch_add(&state->holders, 1);
    team->state = state;
    team->size = size;
    team->rank = rank;
    team->tids = tids;
    team->context = context;
    team->subset = whole != NULL;
    team->host = malloc((size_t)size * sizeof *team->host);
    if (!team->host)
        return HN_ENOMEM;
    const hn_net *net;
    int error = job_net_known(&state->net, tids, size, team->host, &net);
    if (error)
        return error;
    team->measured = net != NULL;
    if (!team->measured)
        net = team->guess = job_net_guess(tids, size, team->host);
    if (!net)
        return HN_ENOMEM;
    model_of_net(&team->model, net, team->host, size, PORT_MEDIA);
    team->model.crowd = job_net_crowd(tids, size);
    if (model_casts_any(&team->model))
        cast_expect();
    error = take_names_of_job(team);
    if (error)
        return error;
    if (rank == 0)
        team->journal = journal_open(size);
    if (team->measured && size > 1)
        team->compress = compress_new(size);
    team->deflates = true;
    make_lane(team, &team->even);
    make_lane(team, &team->uneven);
    struct ledger_list list = {.whole = whole ? whole_of(whole) : 0,
                               .root = tids[0],
                               .count = size,
                               .tids = tids,
                               .known = size};
    return ledger_open(state->ledgers, &team->ledger, context, whole ? &list : NULL);
}

/* A new team of a group: kept with it. */
static int team_of_group(struct wire_state *state, const hn_group *group, const struct team *whole,
                         struct team **made)
{
    int rank = hn_group_rank(group, hn_mytid()), size = hn_group_size(group);
    if (rank < 0)
        return rank;
    hn_tid *tids = malloc((size_t)size * sizeof *tids);
    if (!tids)
        return HN_ENOMEM;
    for (int i = 0; i < size; i++)
        tids[i] = hn_group_tid(group, i);
    int error = team_make(state, tids, size, rank, context_of(group), whole, made);
    if (!error)
        error = hn_group_keep(group, &team_key, *made, team_release);
    if (error)
        team_free(*made);
    else
        ledger_born((*made)->ledger, split_parent(group));
    return error;
}

static int find_or_make(const hn_group *group, const struct team *whole, struct team **found)
{
    *found = hn_group_kept(group, &team_key);
    if (*found)
        return HN_OK;
    struct wire_state *state;
    int error = wire_state_hold(&state);
    if (error)
        return error;
    pthread_mutex_lock(&state->making);
    *found = hn_group_kept(group, &team_key); /* another thread may have been first */
    if (!*found)
        error = team_of_group(state, group, whole, found);
    pthread_mutex_unlock(&state->making);
    wire_state_let_go(state);
    return error;
}

int team_get(const hn_group *group, struct team **found)
{
    return find_or_make(group, NULL, found);
}

static void force(struct team *team, const struct plan_names *names)
{
    pthread_mutex_lock(&team->guard);
    team->forced = names != NULL;
    team->forcings += !team->subset;
    if (names)
        team->force = *names;
    plan_lane_force(&team->even, team->forced);
    plan_lane_force(&team->uneven, team->forced);
    pthread_mutex_unlock(&team->guard);
}

/* What hn_set_plan() has said for the group goes for its subsets, too. */
static void follow_whole(struct team *team, struct team *whole)
{
    pthread_mutex_lock(&whole->guard);
    bool forced = whole->forced, other = team->forcings != whole->forcings;
    struct plan_names names = whole->force;
    team->forcings = whole->forcings;
    pthread_mutex_unlock(&whole->guard);
    if (other)
        force(team, forced ? &names : NULL);
}

/* The subset in which the caller's next call with this list is, and its team. */
static int team_of_subset(const hn_group *group, struct team *whole, const hn_tid *tids, int n,
                          struct subset **subset, struct team **found)
{
    bool has = false;
    int error = HN_OK;
    while (!has && !error) {
        error = subset_hold(group, tids, n, subset);
        if (error)
            return error;
        error = find_or_make(subset_group(*subset), whole, found);
        unsigned begun = error ? 0 : ledger_begun((*found)->ledger);
        if (!error)
            error = subset_has_call(group, *subset, begun, &has);
        if (!has || error)
            subset_release(*subset, begun);
    }
    if (error)
        *subset = NULL;
    else
        follow_whole(*found, whole);
    return error;
}

void team_let_go(struct team *team, struct subset *subset)
{
    if (subset)
        subset_release(subset, ledger_begun(team->ledger));
}

/* Puts a member at the end of a list on which it must not stand yet. */
static bool add_member(const hn_group *group, int rank, hn_tid *tids, int *count)
{
    if (rank < 0 || rank >= hn_group_size(group))
        return false;
    hn_tid tid = hn_group_tid(group, rank);
    for (int i = 0; i < *count; i++)
        if (tids[i] == tid)
            return false;
    tids[(*count)++] = tid;
    return true;
}

int team_get_some(const hn_group *group, int root, const int *to, int n, struct subset **subset,
                  struct team **found)
{
    int count = 0, me = -1;
    struct team *whole;
    int error = team_get(group, &whole);
    *subset = NULL;
    if (error)
        return error;
    if (n < 0 || n >= hn_group_size(group))
        return error_set(HN_EARG, "a list of %d members: the group has %d, one is the root", n,
                         hn_group_size(group));
    hn_tid *tids = malloc(((size_t)n + 1) * sizeof *tids);
    if (!tids)
        return HN_ENOMEM;
    bool good = add_member(group, root, tids, &count);
    for (int i = 0; i < n && good; i++)
        good = add_member(group, to[i], tids, &count);
    for (int i = 0; i < count; i++)
        me = tids[i] == hn_mytid() ? i : me;
    if (good && me >= 0)
        error = team_of_subset(group, whole, tids, count, subset, found);
    free(tids);
    if (good && me >= 0)
        return error;
    return error_set(HN_EARG, good ? "the caller is neither the root nor in the list of members"
                                   : "the list of members holds a rank twice, or one of no member");
}

void team_note_stray(const hn_group *group, int root, const int *to, int n, bool lasting, int error,
                     hn_tid dead)
{
    int size = hn_group_size(group);
    struct team *whole;
    if (team_get(group, &whole))
        return;
    hn_tid *tids = malloc((size_t)size * sizeof *tids);
    if (!tids)
        return;
    struct ledger_list list = {.whole = whole_of(whole), .tids = tids};
    if (root >= 0 && root < size)
        list.root = whole->tids[root];
    if (n >= 0 && n < size)
        list.count = n + 1;
    for (int i = 0; i + 1 < list.count; i++)
        if (to[i] >= 0 && to[i] < size)
            tids[list.known++] = whole->tids[to[i]];
    ledgers_stray(whole->state->ledgers, lasting, &list, error, dead);
    free(tids);
}

/* ---- choosing ----------------------------------------------------------------------------------
 */

/* The choices forced upon the team, or the job's -plan; NULL: neither. */
static const struct plan_names *names_of(const struct team *team)
{
    return team->forced ? &team->force : team->named ? &team->names : NULL;
}

int team_choose(struct team *team, const struct request *req, struct choice *choice)
{
    pthread_mutex_lock(&team->guard);
    int error = plan_lane_foresee(lane_of(team, req), names_of(team), req, choice);
    pthread_mutex_unlock(&team->guard);
    return error;
}

int team_plan(struct team *team, const struct request *req, struct plan **plan,
              struct decision **settles)
{
    if (settles)
        *settles = NULL;
    pthread_mutex_lock(&team->guard);
    int error = plan_lane_plan(lane_of(team, req), names_of(team), req, plan, settles);
    if (!error)
        memcpy(team->followed, (*plan)->name, sizeof team->followed);
    pthread_mutex_unlock(&team->guard);
    return error;
}

void team_followed(struct team *team, char name[PLAN_NAME_ROOM])
{
    pthread_mutex_lock(&team->guard);
    memcpy(name, team->followed, sizeof team->followed);
    pthread_mutex_unlock(&team->guard);
}

uint64_t team_now(void)
{
    return engine_now();
}

void team_note(struct team *team, const struct request *req, const struct plan *plan,
               uint64_t begun, bool deflated)
{
    int64_t took = (int64_t)(engine_now() - begun);
    struct plan_lane *lane = lane_of(team, req);
    pthread_mutex_lock(&team->guard);
    if (team->journal || lane->adapt.on)
        plan_lane_note(lane, plan, took, deflated);
    pthread_mutex_unlock(&team->guard);
}

/* ---- following the network (adapt.h) -----------------------------------------------------------
 */

struct turns *team_turns(struct team *team, const struct request *req)
{
    return &lane_of(team, req)->turns;
}

struct settling team_settling(struct team *team, const struct request *req,
                              struct decision *decision, int tag)
{
    return (struct settling){.adapt = &lane_of(team, req)->adapt,
                             .decision = decision,
                             .tids = team->tids,
                             .rank = team->rank,
                             .tag = tag,
                             .ledger = team->ledger,
                             .guard = &team->guard,
                             .journal = team->journal};
}

void team_settled(struct team *team, const struct request *req, const struct settling *settling)
{
    pthread_mutex_lock(&team->guard);
    plan_lane_settled(lane_of(team, req), settling);
    pthread_mutex_unlock(&team->guard);
}

/* All operations begun before have been planned, and what they left to be settled is. */
static void await_turn(struct plan_lane *lane)
{
    struct turn turn = {0};
    if (!turn_take(&lane->turns, &turn))
        turn_pass(&turn);
}

void team_adapt(struct team *team, bool on, bool sums)
{
    struct plan_lane *lanes[] = {&team->even, &team->uneven};
    for (int i = 0; i < 2 && team->measured; i++) {
        await_turn(lanes[i]);
        pthread_mutex_lock(&team->guard);
        plan_lane_adapt(lanes[i], &team->model, on && team->size > 1, sums);
        pthread_mutex_unlock(&team->guard);
    }
}

void team_force(struct team *team, const struct plan_names *names)
{
    await_turn(&team->even);
    await_turn(&team->uneven);
    force(team, names);
}

bool team_is_steady(struct team *team, const struct request *req)
{
    const struct plan_lane *lane = lane_of(team, req);
    pthread_mutex_lock(&team->guard);
    bool changes = lane->sums && lane->adapt.on;
    pthread_mutex_unlock(&team->guard);
    return !changes;
}

struct decision *team_decision(struct team *team, const struct request *req)
{
    struct plan_lane *lane = lane_of(team, req);
    struct decision *copy = NULL;
    pthread_mutex_lock(&team->guard);
    const struct decision *kept = lane->adapt.on ? plan_lane_decision(lane, req) : NULL;
    if (kept)
        copy = malloc(sizeof *copy);
    if (copy)
        *copy = *kept;
    pthread_mutex_unlock(&team->guard);
    return copy;
}

struct compress *team_compress(const struct team *team)
{
    return team->deflates ? team->compress : NULL;
}

void team_set_compress(struct team *team, bool on)
{
    team->deflates = on;
}

struct journal *team_journal(const struct team *team)
{
    return team->journal;
}
