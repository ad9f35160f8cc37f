/* group_state.c - groups, their networks and their plans.
 *
 * The network is that of job_net.h; plans belong to one of two orders (plan_order.h).
 *
 * A group's state is kept with the group, in its second context. The root and the receivers of a
 * multicast to a list form a subset of the group, which is a group of its own (subset.h).
 *
 * Memory: a state is freed with its group. One lock serializes the creation of states
 * (wire_state.h). Each state has a lock for its orders, which the caller of an operation and the
 * background thread may use at the same time.
 */
#include "wire/group_state.h"

#include "runtime/internal.h"
#include "job/internal.h"
#include "wire/compress.h"
#include "wire/history.h"
#include "wire/member_net.h"
#include "wire/plan_order.h"
#include "wire/open_table.h"
#include "wire/wire_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Kept by its group, in whose second context its messages are sent. `guard` protects the orders,
 * the names and `followed`. All other fields are constant after group_state_make(). */
struct group_state {
    struct wire_state *shared; /* held */
    int rank;
    hn_context context;
    struct open_table *table; /* operations begun */
    pthread_mutex_t guard;    /* protects what depends on the model */
    struct member_net *net;   /* held; its members */
    bool named, forced; /* follow the job's -plan, or `force`, for the operations that they serve */
    bool subset;        /* it is a subset of a group */
    unsigned forcings;  /* number of calls that forced plans */
    struct plan_names names, force;
    struct plan_order even, uneven; /* operations with equal parts; with parts of different sizes */
    struct history *history;        /* rank 0's, if enabled; else NULL */
    struct compress *compress;      /* NULL: messages are never deflated */
    atomic_bool deflates;
    char followed[PLAN_NAME_ROOM]; /* name of the plan of the operation planned last */
};

static const char state_key; /* key under which a group keeps its state */

int group_state_size(const struct group_state *state)
{
    return state->net->size;
}

int group_state_rank(const struct group_state *state)
{
    return state->rank;
}

const hn_tid *group_state_tids(const struct group_state *state)
{
    return state->net->tids;
}

hn_context group_state_context(const struct group_state *state)
{
    return state->context;
}

/* Operations with sizes of their own for each part are planned in the second order. */
static struct plan_order *order_of(struct group_state *state, const struct request *req)
{
    return req->sizes ? &state->uneven : &state->even;
}

/* The model is that of the even order: both orders begin with the same one. */
void group_state_hold_model(struct group_state *state, struct held_model *held)
{
    pthread_mutex_lock(&state->guard);
    model_update_hold(&state->even.adapt.model_update, held);
    pthread_mutex_unlock(&state->guard);
}

const struct model *group_state_stated(const struct group_state *state)
{
    return &state->net->model;
}

bool group_state_measured(const struct group_state *state)
{
    return state->net->measured;
}

struct open_table *group_state_table(const struct group_state *state)
{
    return state->table;
}

/* ---- making a group state --------------------------------------------------------------- */

/* Frees a state, also one that is only partly made. NULL is allowed. */
static void group_state_free(struct group_state *state)
{
    if (!state)
        return;
    history_close(state->history);
    compress_free(state->compress);
    open_table_close(state->table);
    plan_order_free(&state->even);
    plan_order_free(&state->uneven);
    pthread_mutex_destroy(&state->guard);
    member_net_drop(state->shared, state->net);
    wire_state_drop(state->shared);
    free(state);
}

/* A group has two contexts: the first for the program's messages, the next for operations. */
static hn_context context_of(const hn_group *group)
{
    return hn_group_context(group) + 1;
}

/* The context of the group itself. */
static hn_context whole_of(const struct group_state *state)
{
    return state->context - 1;
}

/* Called when the group is freed, in the thread that does so. */
static void group_state_release(void *thing)
{
    struct group_state *state = thing;
    open_tables_forget(state->shared->tables, whole_of(state));
    group_state_free(state);
}

/* Reads the job's -plan. hrun has checked it, but may be of another version than this library. */
static int take_names_of_job(struct group_state *state)
{
    const char *text;
    size_t length;
    if (hn_job_text("plan", &text, &length) || length == 0)
        return HN_OK;
    state->named = true;
    return plan_names_parse(text, &state->names);
}

/* An order follows the network only if that has been measured: without costs every change would be
 * a guess. */
static void make_order(struct group_state *state, struct plan_order *order)
{
    order->rank = state->rank;
    const struct member_net *net = state->net;
    order->measured = net->measured;
    order->first = &state->net->first;
    order->history = state->history;
    order->sums = adapt_wants_sums();
    plan_order_init(order, &net->model, net->measured && net->size > 1 && adapt_is_wanted());
}

/* Makes a state. whole: the state of the group of which it is a subset, or NULL. After an error
 * *made may be incomplete; the caller frees it with group_state_free(). HN_OK or an error. */
static int group_state_make(struct wire_state *shared, const hn_tid *tids, int size, int rank,
                            hn_context context, const struct group_state *whole,
                            struct group_state **made)
{
    struct group_state *state = calloc(1, sizeof *state);
    *made = state;
    if (!state)
        return HN_ENOMEM;
    pthread_mutex_init(&state->guard, NULL);
    atomic_fetch_add(&shared->holders, 1);
    state->shared = shared;
    state->rank = rank;
    state->context = context;
    state->subset = whole != NULL;
    int error = member_net_hold(shared, tids, size, &state->net);
    if (error)
        return error;
    /* Receivers of datagrams must listen before the first multicast is sent. */
    if (model_multicasts_any(&state->net->model))
        cast_expect();
    error = take_names_of_job(state);
    if (error)
        return error;
    if (rank == 0)
        state->history = history_open(size);
    if (state->net->measured && size > 1)
        state->compress = compress_new(size);
    state->deflates = true;
    make_order(state, &state->even);
    make_order(state, &state->uneven);
    struct open_list list = {.whole = whole ? whole_of(whole) : 0,
                             .root = tids[0],
                             .count = size,
                             .tids = state->net->tids,
                             .known = size};
    return open_table_open(shared->tables, &state->table, context, whole ? &list : NULL);
}

/* Makes the state of a group, which the group keeps. */
static int group_state_of_group(struct wire_state *shared, const hn_group *group,
                                const struct group_state *whole, struct group_state **made)
{
    int rank = hn_group_rank(group, hn_mytid()), size = hn_group_size(group);
    if (rank < 0)
        return rank;
    hn_tid *tids = malloc((size_t)size * sizeof *tids);
    /* Tids are copied by member_net_hold(), which may find a network made before. */
    if (!tids)
        return HN_ENOMEM;
    for (int i = 0; i < size; i++)
        tids[i] = hn_group_tid(group, i);
    int error = group_state_make(shared, tids, size, rank, context_of(group), whole, made);
    free(tids);
    /* From here on the group owns the state. */
    if (!error)
        error = hn_group_keep(group, &state_key, *made, group_state_release);
    if (error)
        group_state_free(*made);
    else
        open_table_born((*made)->table, split_parent(group));
    return error;
}

/* Without the lock in the usual case. The lock `making` is held while a state is made, which may
 * take messages from other tasks. */
static int find_or_make(const hn_group *group, const struct group_state *whole,
                        struct group_state **found)
{
    *found = hn_group_kept(group, &state_key);
    if (*found)
        return HN_OK;
    /* Each maker holds the shared state, so that it exists even if another group is freed
     * meanwhile. */
    struct wire_state *shared;
    int error = wire_state_hold(&shared);
    if (error)
        return error;
    pthread_mutex_lock(&shared->making);
    *found = hn_group_kept(group, &state_key); /* another thread may have been faster */
    if (!*found)
        error = group_state_of_group(shared, group, whole, found);
    pthread_mutex_unlock(&shared->making);
    wire_state_drop(shared);
    return error;
}

int group_state_get(const hn_group *group, struct group_state **found)
{
    return find_or_make(group, NULL, found);
}

/* Replaces the names and drops all plans. A subset counts forcings as those of its group. */
static void force(struct group_state *state, const struct plan_names *names)
{
    pthread_mutex_lock(&state->guard);
    state->forced = names != NULL;
    state->forcings += !state->subset;
    if (names)
        state->force = *names;
    plan_order_force(&state->even, state->forced);
    plan_order_force(&state->uneven, state->forced);
    pthread_mutex_unlock(&state->guard);
}

/* A plan set for the group applies to its subsets, too. It is taken over at the next call of the
 * subset, at the same one everywhere, since forcing is collective. */
static void follow_whole(struct group_state *state, struct group_state *whole)
{
    pthread_mutex_lock(&whole->guard);
    bool forced = whole->forced, other = state->forcings != whole->forcings;
    struct plan_names names = whole->force;
    state->forcings = whole->forcings;
    pthread_mutex_unlock(&whole->guard);
    if (other)
        force(state, forced ? &names : NULL);
}

/* Finds the subset of the caller's next call with this list, and its state. A subset may be needed
 * for an earlier call of another thread. So it is released and looked for again until it has the
 * call that is next. */
static int group_state_of_subset(const hn_group *group, struct group_state *whole,
                                 const hn_tid *tids, int n, struct subset **subset,
                                 struct group_state **found)
{
    bool has = false;
    int error = HN_OK;
    while (!has && !error) {
        error = subset_hold(group, tids, n, subset);
        if (error)
            return error;
        error = find_or_make(subset_group(*subset), whole, found);
        /* The subset's next call is identified by the number of calls begun with it. */
        unsigned begun = error ? 0 : open_table_begun((*found)->table);
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

void group_state_drop(struct group_state *state, struct subset *subset)
{
    if (subset)
        subset_release(subset, open_table_begun(state->table));
}

/* Appends a member to a list that must not contain it yet. false: no rank, or a duplicate. */
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

int group_state_get_some(const hn_group *group, int root, const int *to, int n,
                         struct subset **subset, struct group_state **found)
{
    int count = 0, me = -1;
    struct group_state *whole;
    int error = group_state_get(group, &whole);
    *subset = NULL;
    if (error)
        return error;
    /* The list has the receivers besides the root, so at most size - 1. */
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
        error = group_state_of_subset(group, whole, tids, count, subset, found);
    free(tids);
    if (good && me >= 0)
        return error;
    return error_set(HN_EARG, good ? "the caller is neither the root nor in the list of members"
                                   : "the list of members holds a rank twice, or one of no member");
}

/* Only members with valid ranks are recorded; the intended list is unknown anyway. */
void group_state_note_unmatched(const hn_group *group, int root, const int *to, int n,
                                bool persistent, int error, hn_tid dead)
{
    int size = hn_group_size(group);
    struct group_state *whole;
    if (group_state_get(group, &whole))
        return;
    hn_tid *tids = malloc((size_t)size * sizeof *tids);
    if (!tids)
        return;
    struct open_list list = {.whole = whole_of(whole), .tids = tids};
    if (root >= 0 && root < size)
        list.root = whole->net->tids[root];
    if (n >= 0 && n < size)
        list.count = n + 1;
    for (int i = 0; i + 1 < list.count; i++)
        if (to[i] >= 0 && to[i] < size)
            tids[list.known++] = whole->net->tids[to[i]];
    open_tables_unmatched(whole->shared->tables, persistent, &list, error, dead);
    free(tids);
}

/* ---- choosing --------------------------------------------------------------------------- */

/* The choices forced by the program, or the job's -plan; NULL: neither. */
static const struct plan_names *names_of(const struct group_state *state)
{
    return state->forced ? &state->force : state->named ? &state->names : NULL;
}

bool group_state_is_named(const struct group_state *state)
{
    return names_of(state) != NULL;
}

/* The choice that the next operation of this request would follow; nothing is planned. */
int group_state_choose(struct group_state *state, const struct request *req, struct choice *choice)
{
    pthread_mutex_lock(&state->guard);
    int error = plan_order_foresee(order_of(state, req), names_of(state), req, choice);
    pthread_mutex_unlock(&state->guard);
    return error;
}

/* The plan gets a reference for the caller. Its name is remembered for hn_plan_followed(). */
int group_state_plan(struct group_state *state, const struct request *req, struct plan **plan,
                     struct decision **pending)
{
    if (pending)
        *pending = NULL;
    pthread_mutex_lock(&state->guard);
    int error = plan_order_plan(order_of(state, req), names_of(state), req, plan, pending);
    if (!error)
        memcpy(state->followed, (*plan)->name, sizeof state->followed);
    pthread_mutex_unlock(&state->guard);
    return error;
}

void group_state_followed(struct group_state *state, char name[PLAN_NAME_ROOM])
{
    pthread_mutex_lock(&state->guard);
    memcpy(name, state->followed, sizeof state->followed);
    pthread_mutex_unlock(&state->guard);
}

uint64_t group_state_now(void)
{
    return engine_now();
}

/* Without a log and without adaptation nothing is recorded. */
void group_state_note(struct group_state *state, const struct request *req, const struct plan *plan,
                      uint64_t begun, bool deflated)
{
    int64_t took = (int64_t)(engine_now() - begun);
    struct plan_order *order = order_of(state, req);
    pthread_mutex_lock(&state->guard);
    if (state->history || order->adapt.on)
        plan_order_note(order, plan, took, deflated);
    pthread_mutex_unlock(&state->guard);
}

/* ---- following the network (adapt.h) ---------------------------------------------------- */

struct sequence *group_state_sequence(struct group_state *state, const struct request *req)
{
    return &order_of(state, req)->sequence;
}

/* The caller runs the agreement without the lock, which the agreement takes when it needs it. */
struct agreement group_state_agreement(struct group_state *state, const struct request *req,
                                       struct decision *decision, int tag)
{
    return (struct agreement){.adapt = &order_of(state, req)->adapt,
                              .decision = decision,
                              .tids = state->net->tids,
                              .rank = state->rank,
                              .tag = tag,
                              .table = state->table,
                              .guard = &state->guard,
                              .history = state->history};
}

void group_state_agreed(struct group_state *state, const struct request *req,
                        const struct agreement *agreement)
{
    pthread_mutex_lock(&state->guard);
    plan_order_agreed(order_of(state, req), agreement);
    pthread_mutex_unlock(&state->guard);
}

/* Waits until all operations begun before have been planned and agreed. */
static void await_sequence(struct plan_order *order)
{
    struct sequence_entry entry = {0};
    if (!sequence_take(&order->sequence, &entry))
        sequence_pass(&entry);
}

/* Both orders one after the other: operations of one must not wait for those of the other. */
void group_state_adapt(struct group_state *state, bool on, bool sums)
{
    struct plan_order *orders[] = {&state->even, &state->uneven};
    for (int i = 0; i < 2 && state->net->measured; i++) {
        await_sequence(orders[i]);
        pthread_mutex_lock(&state->guard);
        plan_order_adapt(orders[i], &state->net->model, on && state->net->size > 1, sums);
        pthread_mutex_unlock(&state->guard);
    }
}

void group_state_force(struct group_state *state, const struct plan_names *names)
{
    await_sequence(&state->even);
    await_sequence(&state->uneven);
    force(state, names);
}

/* Rounded sums keep their plans unless the user has allowed adaptation for them. */
bool group_state_is_steady(struct group_state *state, const struct request *req)
{
    const struct plan_order *order = order_of(state, req);
    pthread_mutex_lock(&state->guard);
    bool changes = order->sums && order->adapt.on;
    pthread_mutex_unlock(&state->guard);
    return !changes;
}

/* NULL also without memory. Then the persistent operation does not follow the network. */
struct decision *group_state_decision(struct group_state *state, const struct request *req)
{
    struct plan_order *order = order_of(state, req);
    struct decision *copy = NULL;
    pthread_mutex_lock(&state->guard);
    const struct decision *kept = order->adapt.on ? plan_order_decision(order, req) : NULL;
    if (kept)
        copy = malloc(sizeof *copy);
    if (copy)
        *copy = *kept;
    pthread_mutex_unlock(&state->guard);
    return copy;
}

struct compress *group_state_compress(const struct group_state *state)
{
    return state->deflates ? state->compress : NULL;
}

void group_state_set_compress(struct group_state *state, bool on)
{
    state->deflates = on;
}

struct history *group_state_history(const struct group_state *state)
{
    return state->history;
}
