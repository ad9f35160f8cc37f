/* team.c - groups, their networks and their plans.
 *
 * The network is that of job_net.h.  Choices (choices.h) hold for a size class, plans for exact
 * sizes; the least recently used plan is given up.
 *
 * A group's team is kept with the group, in its second context. Operations of some members
 * (hn_bcast_to) have teams of their own, which hang on that of the group and share its third
 * context; their tags begin with a hash of the list, so that those of different lists rarely meet,
 * and where they do, the order of messages still tells them apart.
 *
 * Memory: teams go with their group; plans when the cache and all operations that follow them have
 * given them up. A lock guards the making of teams; each has one for its choices and plans, which
 * the caller of an operation and the background thread may need at the same time.
 */
#include "team.h"

#include "adapt.h"
#include "choices.h"
#include "compress.h"
#include "engine.h"
#include "error.h"
#include "job_net.h"
#include "journal.h"
#include "turn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS = 64 };

struct cached_plan {
    struct request req; /* sizes is a copy of its own */
    struct plan *plan;
    hn_time predicted; /* when this member has done its part; 0: unknown */
    uint64_t used;     /* clock of the last use */
};

struct team {
    struct team *parts; /* of a group: teams of some of its members */
    struct team *next;  /* of the same group, among those */
    int size, rank;
    hn_tid *tids;
    hn_context context;
    unsigned mark;         /* of some members: the upper half of their tags */
    unsigned operations;   /* so far */
    unsigned lasting;      /* operations that have a tag for good */
    pthread_mutex_t guard; /* of what follows the model */
    hn_net *net;
    int *host;     /* [rank] */
    bool measured; /* net is the job's network file */
    struct model model;
    bool named, forced; /* follow the job's -plan, or rather `force`, where they serve */
    struct names names, force;
    struct cached_plan plans[PLANS];
    struct choices choices;        /* without `force`: kept while that holds */
    struct choices forced_choices; /* with it */
    uint64_t clock;
    struct journal *journal; /* rank 0's, when wanted; else NULL */
    struct adapt adapt;      /* and the model as the network has become */
    struct turns turns;
    struct compress *compress; /* NULL: messages always go as they are */
    bool deflates;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

const struct model *team_model(const struct team *team)
{
    return &team->adapt.outlook.now;
}

const struct model *team_stated(const struct team *team)
{
    return &team->model;
}

/* Requests with sizes may be planned by the background thread, while others change the model: they
 * keep to the network file. */
static const struct model *model_for(const struct team *team, const struct request *req)
{
    return req->sizes ? &team->model : team_model(team);
}

bool team_measured(const struct team *team)
{
    return team->measured;
}

/* The numbers of operations: those that come once in the lower half, lasting ones in the upper. */
static unsigned numbers(const struct team *team)
{
    return team->mark ? 0x8000u : 0x40000000u;
}

int team_next_tag(struct team *team, bool lasting)
{
    unsigned half = numbers(team);
    pthread_mutex_lock(&team->guard);
    unsigned number = (lasting ? team->lasting++ : team->operations++) % half;
    pthread_mutex_unlock(&team->guard);
    return (int)(team->mark << 16 | (lasting ? half : 0) | number);
}

unsigned team_number_of(const struct team *team, int tag)
{
    return (unsigned)tag % numbers(team);
}

/* ---- making a team -----------------------------------------------------------------------------
 */

static void forget_plan(struct cached_plan *entry)
{
    free((void *)entry->req.sizes);
    plan_free(entry->plan);
    *entry = (struct cached_plan){0};
}

static void team_free(struct team *team)
{
    if (!team)
        return;
    journal_close(team->journal);
    compress_free(team->compress);
    for (int i = 0; i < PLANS; i++)
        forget_plan(&team->plans[i]);
    pthread_mutex_destroy(&team->guard);
    adapt_free(&team->adapt);
    turns_free(&team->turns);
    hn_net_free(team->net);
    free(team->tids);
    free(team->host);
    free(team);
}

/* A group's team and those that hang on it. */
static void team_release(void *thing)
{
    struct team *team = thing;
    for (struct team *part = team->parts, *next; part; part = next) {
        next = part->next;
        team_free(part);
    }
    team_free(team);
}

static bool same_members(const struct team *team, const hn_tid *tids, int size)
{
    return team->size == size && !memcmp(team->tids, tids, (size_t)size * sizeof *tids);
}

/* 15 bits that depend on the members; never 0. */
static unsigned mark_of(const hn_tid *tids, int size)
{
    uint32_t hash = 2166136261u;
    for (int rank = 0; rank < size; rank++)
        hash = (hash ^ (uint32_t)tids[rank]) * 16777619u;
    return 1 + (hash ^ hash >> 15) % 0x7fff;
}

/* The job's -plan, which is asked for once. */
static bool names_of_job(struct names *names)
{
    const char *text;
    size_t length;
    return !hn_job_text("plan", &text, &length) && length > 0 && !names_parse(text, names);
}

/* The team takes the list. */
static int team_make(hn_tid *tids, int size, int rank, hn_context context, struct team **made)
{
    struct team *team = calloc(1, sizeof *team);
    *made = team;
    if (!team) {
        free(tids);
        return HN_ENOMEM;
    }
    pthread_mutex_init(&team->guard, NULL);
    turns_init(&team->turns);
    team->size = size;
    team->rank = rank;
    team->tids = tids;
    team->context = context;
    team->host = malloc((size_t)size * sizeof *team->host);
    if (!team->host)
        return HN_ENOMEM;
    team->net = job_net_read(tids, size, team->host);
    team->measured = team->net != NULL;
    if (!team->measured)
        team->net = job_net_guess(tids, size, team->host);
    if (!team->net)
        return HN_ENOMEM;
    model_of_net(&team->model, team->net, team->host, size, PORT_MEDIA);
    team->named = names_of_job(&team->names);
    if (rank == 0)
        team->journal = journal_open(size);
    if (team->measured && size > 1)
        team->compress = compress_new(size);
    team->deflates = true;
    adapt_init(&team->adapt, &team->model, team->measured && size > 1 && adapt_is_wanted());
    return HN_OK;
}

/* A new team of a group: kept with it. */
static int team_of_group(const hn_group *group, struct team **made)
{
    int rank = hn_group_rank(group, hn_mytid()), size = hn_group_size(group);
    if (rank < 0)
        return rank;
    hn_tid *tids = malloc((size_t)size * sizeof *tids);
    if (!tids)
        return HN_ENOMEM;
    for (int i = 0; i < size; i++)
        tids[i] = hn_group_tid(group, i);
    int error = team_make(tids, size, rank, hn_group_context(group) + 1, made);
    if (!error)
        error = hn_group_keep(group, &team_key, *made, team_release);
    if (error)
        team_free(*made);
    return error;
}

int team_get(const hn_group *group, struct team **found)
{
    int error = HN_OK;
    pthread_mutex_lock(&lock);
    *found = hn_group_kept(group, &team_key);
    if (!*found)
        error = team_of_group(group, found);
    pthread_mutex_unlock(&lock);
    return error;
}

/* The team of some members of a group, of which the caller is number `rank`; takes the list. */
static int team_of_some(struct team *whole, hn_tid *tids, int size, int rank, struct team **found)
{
    int error = HN_OK;
    pthread_mutex_lock(&lock);
    struct team *team = whole->parts;
    while (team && !same_members(team, tids, size))
        team = team->next;
    if (team) {
        free(tids);
    } else {
        error = team_make(tids, size, rank, whole->context + 1, &team);
        if (error) {
            team_free(team);
            team = NULL;
        } else {
            team->mark = mark_of(tids, size);
            team->next = whole->parts;
            whole->parts = team;
        }
    }
    pthread_mutex_unlock(&lock);
    *found = team;
    return error;
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

int team_get_some(const hn_group *group, int root, const int *to, int n, struct team **found)
{
    int count = 0, me = -1;
    struct team *whole;
    int error = team_get(group, &whole);
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
        return team_of_some(whole, tids, count, me, found);
    free(tids);
    return error_set(HN_EARG, "the list of members holds %s",
                     good ? "all but the caller" : "a rank twice, or one of no member");
}

/* ---- choosing ----------------------------------------------------------------------------------
 */

/* The choices forced upon the team, or the job's -plan; NULL: neither. */
static const struct names *names_of(const struct team *team)
{
    return team->forced ? &team->force : team->named ? &team->names : NULL;
}

static struct choices *choices_of(struct team *team)
{
    return team->forced ? &team->forced_choices : &team->choices;
}

static int choose(struct team *team, const struct request *req, struct choice *choice)
{
    struct circumstances now = {model_for(team, req), team->measured, names_of(team)};
    struct decision decision;
    int error = choices_foresee(choices_of(team), &now, req, &decision);
    if (!error)
        *choice = decision.choice;
    return error;
}

int team_choose(struct team *team, const struct request *req, struct choice *choice)
{
    pthread_mutex_lock(&team->guard);
    int error = choose(team, req, choice);
    pthread_mutex_unlock(&team->guard);
    return error;
}

/* ---- plans -------------------------------------------------------------------------------------
 */

static bool same_request(const struct request *a, const struct request *b)
{
    if (a->op != b->op || a->root != b->root || a->grain != b->grain || a->ordered != b->ordered ||
        a->steady != b->steady || !a->sizes != !b->sizes)
        return false;
    if (!a->sizes)
        return a->bytes == b->bytes;
    return !memcmp(a->sizes, b->sizes, (size_t)request_parts(a) * sizeof *a->sizes);
}

void team_force(struct team *team, const struct names *names)
{
    pthread_mutex_lock(&team->guard);
    team->forced = names != NULL;
    if (names)
        team->force = *names;
    choices_forget(&team->forced_choices);
    for (int i = 0; i < PLANS; i++)
        forget_plan(&team->plans[i]);
    pthread_mutex_unlock(&team->guard);
}

/* The entry that holds the request, or else the one to put it into: an empty or the oldest one. */
static struct cached_plan *find_plan(struct team *team, const struct request *req)
{
    struct cached_plan *oldest = &team->plans[0];
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &team->plans[i];
        if (c->plan && same_request(&c->req, req))
            return c;
        if (c->used < oldest->used)
            oldest = c;
    }
    forget_plan(oldest);
    return oldest;
}

static int copy_request(const struct request *req, struct request *copy)
{
    *copy = *req;
    if (!req->sizes)
        return HN_OK;
    size_t size = (size_t)request_parts(req) * sizeof *req->sizes;
    int64_t *sizes = malloc(size);
    if (!sizes)
        return HN_ENOMEM;
    memcpy(sizes, req->sizes, size);
    copy->sizes = sizes;
    return HN_OK;
}

/* When this member will have done its part, as far as the model knows. */
static hn_time predict(const struct team *team, const struct plan *plan)
{
    struct timing timing = {0};
    hn_time done = plan_simulate(plan, team_model(team), &timing) ? 0 : timing.done[team->rank];
    timing_free(&timing);
    return done;
}

/* A choice may fail where another size or operator let it pass: then what is best here is taken. */
static int make_plan(struct team *team, const struct request *req, struct decision *decision,
                     struct cached_plan *entry)
{
    struct choice choice = decision->choice;
    int error = copy_request(req, &entry->req);
    if (!error)
        error = choice_plan(&choice, req, model_for(team, req), &entry->plan);
    if (error == HN_EPLAN)
        error = planner_best_quick(req, model_for(team, req), 1, &choice, &entry->plan, NULL, NULL);
    if (error)
        return error;
    choice_text(&choice, entry->plan->name, sizeof entry->plan->name);
    if (team->journal) {
        journal_chosen(team->journal, req, model_for(team, req), decision);
        entry->predicted = predict(team, entry->plan);
    }
    return HN_OK;
}

/* A decision has changed: plans that follow the one before go. */
static void forget_plans_of(struct team *team, const struct decision *d)
{
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &team->plans[i];
        if (c->plan && c->req.op == d->op && c->req.root == d->root &&
            c->req.ordered == d->ordered && c->req.steady == d->steady &&
            choices_class(&c->req) == d->class)
            forget_plan(c);
    }
}

/* The entry with the plan for a request, made if there is none. */
static int follow(struct team *team, const struct request *req, struct cached_plan **entry,
                  struct decision **settles)
{
    struct circumstances now = {model_for(team, req), team->measured, names_of(team)};
    struct decision *decision;
    bool changed;
    *entry = find_plan(team, req);
    if (req->sizes && (*entry)->plan)
        return HN_OK; /* decided for this very request (choices.h) */
    int error = choices_call(choices_of(team), &now, req, &decision, &changed);
    if (error)
        return error;
    if (changed)
        forget_plans_of(team, decision);
    if (!(*entry)->plan)
        error = make_plan(team, req, decision, *entry);
    if (!error && settles && !req->sizes && adapt_count(&team->adapt, decision))
        *settles = decision;
    return error;
}

int team_plan(struct team *team, const struct request *req, struct plan **plan,
              struct decision **settles)
{
    struct cached_plan *entry;
    if (settles)
        *settles = NULL;
    pthread_mutex_lock(&team->guard);
    int error = follow(team, req, &entry, settles);
    if (!error) {
        entry->used = ++team->clock;
        plan_hold(entry->plan);
        *plan = entry->plan;
    }
    pthread_mutex_unlock(&team->guard);
    return error;
}

uint64_t team_now(void)
{
    return engine_now();
}

void team_note(struct team *team, const struct plan *plan, uint64_t begun)
{
    int64_t took = (int64_t)(engine_now() - begun);
    if (!team->journal && !team->adapt.on)
        return;
    pthread_mutex_lock(&team->guard);
    for (int i = 0; i < PLANS; i++) {
        const struct cached_plan *c = &team->plans[i];
        if (c->plan != plan)
            continue;
        journal_measured(team->journal, c->req.op, choices_class(&c->req), plan->name, c->predicted,
                         took);
        struct decision *d = c->req.sizes ? NULL : choices_kept(choices_of(team), &c->req);
        if (d)
            adapt_note(&team->adapt, d, took);
    }
    pthread_mutex_unlock(&team->guard);
}

/* ---- following the network (adapt.h) -----------------------------------------------------------
 */

struct turns *team_turns(struct team *team)
{
    return &team->turns;
}

struct settling team_settling(struct team *team, struct decision *decision, int tag)
{
    return (struct settling){.adapt = &team->adapt,
                             .decision = decision,
                             .tids = team->tids,
                             .rank = team->rank,
                             .tag = tag,
                             .guard = &team->guard,
                             .journal = team->journal};
}

/* All plans are to be made anew. */
static void renew(struct team *team)
{
    choices_renew(&team->choices);
    choices_renew(&team->forced_choices);
    for (int i = 0; i < PLANS; i++)
        forget_plan(&team->plans[i]);
}

void team_settled(struct team *team, const struct settling *settling)
{
    pthread_mutex_lock(&team->guard);
    if (settling->outcome == SETTLED_NETWORK)
        renew(team);
    else if (settling->outcome == SETTLED_PLAN)
        forget_plans_of(team, settling->decision);
    pthread_mutex_unlock(&team->guard);
}

void team_adapt(struct team *team, bool on)
{
    struct turn turn = {0};
    if (on == team->adapt.on || !team->measured)
        return;
    if (!turn_take(&team->turns, &turn))
        turn_pass(&turn);
    pthread_mutex_lock(&team->guard);
    adapt_free(&team->adapt);
    adapt_init(&team->adapt, &team->model, on && team->size > 1);
    renew(team);
    pthread_mutex_unlock(&team->guard);
}

int team_decision(struct team *team, const struct request *req, struct decision *decision)
{
    pthread_mutex_lock(&team->guard);
    const struct decision *kept = req->sizes ? NULL : choices_kept(choices_of(team), req);
    if (kept)
        *decision = *kept;
    pthread_mutex_unlock(&team->guard);
    return kept ? HN_OK : HN_EPLAN;
}

bool team_adapts(const struct team *team)
{
    return team->adapt.on;
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
