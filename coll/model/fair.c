/* fair.c - max-min fair rates by water-filling, recomputed only where they can have changed.
 *
 * A channel whose users together want no more than its capacity limits no user. So the rate of a
 * user depends on that of another one only through a chain of overloaded channels. When a user
 * comes or goes, the rates in that neighbourhood are computed again, and all others stay.
 *
 * In the neighbourhood: take the smaller of the lowest own rate and the lowest share that a channel
 * has for each of its users. Fix the users concerned at that rate, and repeat with what is left
 * (Bertsekas and Gallager, Data Networks, section 6.5.2). In integers, rounded down.
 */
#include "model/fair.h"

#include "model/array_grow.h"

#include "probe/internal.h"

#include <stdlib.h>

/* A user's entry in the list of a channel's users: user * HN_WAY_MOST + index on its route. */
typedef int64_t place;

/* Entries of users that have never joined, or have left, have limit -1 and are in no list. */
struct user {
    int64_t own, rate;
    int count, shares;
    int limit; /* the channel that limits it; -1: it has its own rate */
    bool fixed;
    unsigned seen;
    struct {
        int channel;
        hn_per_byte per_byte;
        place next, before; /* -1: none */
        /* Its entries in the lists of its channels. Doubly linked, so that leaving costs O(route).
         */
    } on[HN_WAY_MOST];
};

/* In parts of `unit`: a user takes its rate times its per_byte. `wanted` is the sum over all users
 * of own rate times per_byte, which decides whether the channel can limit anyone. `used` is the
 * same with actual rates. */
struct channel {
    int64_t capacity, left, used;
    wide wanted;
    place first;
    int64_t total;   /* per_byte of all its users together, times their shares, */
    int64_t unfixed; /* and of those that are not fixed */
    int64_t share;   /* capacity for each share; -1: to be recomputed */
    unsigned seen;
};

/* An entry of wishes[]: a user's own rate. */
struct wish {
    int64_t own; /* for each share */
    int user;
};

struct fair {
    struct channel *channels;
    struct user *users;
    int user_room;
    unsigned round; /* stamp: seen in this round, so in the neighbourhood */
    int *near;      /* its users */
    int near_count;
    int *crowded; /* its channels */
    int crowded_count;
    int64_t work;
    struct wish *wishes; /* own rates of users that are not fixed, and perhaps of others */
    int wish_count;
};

struct fair *fair_new(int channels)
{
    struct fair *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->channels = calloc((size_t)channels + 1, sizeof *f->channels);
    f->crowded = malloc(((size_t)channels + 1) * sizeof *f->crowded);
    if (!f->channels || !f->crowded) {
        fair_free(f);
        return NULL;
    }
    for (int i = 0; i < channels; i++)
        f->channels[i].first = -1;
    return f;
}

void fair_free(struct fair *f)
{
    if (!f)
        return;
    free(f->channels);
    free(f->users);
    free(f->near);
    free(f->crowded);
    free(f->wishes);
    free(f);
}

/* ---- lists ------------------------------------------------------------------------------ */

/* Room for one more user. near[] and wishes[] have an entry for each user at most. */
static bool make_room(struct fair *f, int user)
{
    if (user < f->user_room)
        return true;
    int room = user + 1 > 2 * f->user_room ? user + 64 : 2 * f->user_room;
    if (!ARRAY_ROOM(f->users, room) || !ARRAY_ROOM(f->near, room) || !ARRAY_ROOM(f->wishes, room))
        return false;
    for (int i = f->user_room; i < room; i++)
        f->users[i] = (struct user){.limit = -1};
    f->user_room = room;
    return true;
}

static void set_next(struct fair *f, int channel, place before, place next)
{
    if (before < 0)
        f->channels[channel].first = next;
    else
        f->users[before / HN_WAY_MOST].on[before % HN_WAY_MOST].next = next;
}

/* Adds a user to the list of a channel and to its sums. */
static void enlist(struct fair *f, int user, int i, int channel)
{
    struct channel *c = &f->channels[channel];
    place here = (place)user * HN_WAY_MOST + i;
    f->users[user].on[i].channel = channel;
    f->users[user].on[i].next = c->first;
    f->users[user].on[i].before = -1;
    if (c->first >= 0)
        f->users[c->first / HN_WAY_MOST].on[c->first % HN_WAY_MOST].before = here;
    c->first = here;
    c->total += f->users[user].on[i].per_byte * f->users[user].shares;
    c->wanted =
        wide_plus(c->wanted, wide_product(f->users[user].own, f->users[user].on[i].per_byte));
}

/* Removes it, and the capacity that it used. */
static void strike(struct fair *f, int user, int i)
{
    int channel = f->users[user].on[i].channel;
    place next = f->users[user].on[i].next, before = f->users[user].on[i].before;
    set_next(f, channel, before, next);
    if (next >= 0)
        f->users[next / HN_WAY_MOST].on[next % HN_WAY_MOST].before = before;
    hn_per_byte per_byte = f->users[user].on[i].per_byte;
    f->channels[channel].wanted =
        wide_minus(f->channels[channel].wanted, wide_product(f->users[user].own, per_byte));
    f->channels[channel].used -= f->users[user].rate * per_byte;
    f->channels[channel].total -= per_byte * f->users[user].shares;
}

/* Only an overloaded channel makes users depend on each other. */
static bool overloaded(const struct channel *c)
{
    return wide_less(wide_of(c->capacity), c->wanted);
}

/* ---- the neighbourhood ------------------------------------------------------------------ */

/* Each user is added once a round. Its rate is computed again, so it is not fixed. */
static void add_user(struct fair *f, int user)
{
    if (f->users[user].seen == f->round)
        return;
    f->users[user].seen = f->round;
    f->users[user].fixed = false;
    f->near[f->near_count++] = user;
}

/* All users of a channel depend on each other if it is overloaded. */
static void add_users_of(struct fair *f, int channel)
{
    for (place p = f->channels[channel].first; p >= 0;
         p = f->users[p / HN_WAY_MOST].on[p % HN_WAY_MOST].next)
        add_user(f, (int)(p / HN_WAY_MOST));
}

/* Extends the neighbourhood from its present users to all that depend on them. near[] is the queue
 * of the traversal. A channel is examined once a round. */
static void spread(struct fair *f)
{
    for (int i = 0; i < f->near_count; i++) {
        const struct user *u = &f->users[f->near[i]];
        for (int k = 0; k < u->count; k++) {
            struct channel *c = &f->channels[u->on[k].channel];
            if (c->seen == f->round || !overloaded(c))
                continue;
            c->seen = f->round;
            c->left = c->capacity;
            c->unfixed = c->total; /* all its users will be near */
            c->share = -1;
            f->crowded[f->crowded_count++] = u->on[k].channel;
            add_users_of(f, u->on[k].channel);
        }
    }
}

/* ---- rates ------------------------------------------------------------------------------ */

/* Fixes the rate of a user and takes it from all its channels, near or not. At least 1: a rate of 0
 * would never end. */
static void fix(struct fair *f, int user, int64_t rate, int limit)
{
    struct user *u = &f->users[user];
    int64_t before = u->rate;
    u->limit = limit;
    u->rate = rate > 0 ? rate : 1;
    u->fixed = true;
    for (int i = 0; i < u->count; i++) {
        struct channel *c = &f->channels[u->on[i].channel];
        hn_per_byte per_byte = u->on[i].per_byte;
        int64_t taken;
        /* What would remain is less than a rate of 1 takes; then all is taken. */
        bool all = __builtin_mul_overflow(u->rate, per_byte, &taken) || taken > c->left - per_byte;
        c->left -= all ? c->left : taken;
        c->used += (u->rate - before) * per_byte;
        c->unfixed -= per_byte * u->shares;
        c->share = -1;
    }
}

/* The share of each user that is not fixed in what a channel has left; INT64_MAX: there is none. */
static int64_t share_of(struct channel *c)
{
    if (c->share < 0)
        c->share = c->unfixed > 0 ? c->left / c->unfixed : INT64_MAX;
    return c->share;
}

/* The channel with the lowest share for its users, and that share; -1: all are fixed. Linear, since
 * few channels are overloaded at a time. */
static int bottleneck(const struct fair *f, int64_t *share)
{
    int found = -1;
    *share = INT64_MAX;
    for (int i = 0; i < f->crowded_count; i++) {
        int64_t own = share_of(&f->channels[f->crowded[i]]);
        if (own < *share) {
            *share = own;
            found = f->crowded[i];
        }
    }
    return found;
}

/* These users are limited by the channel, each by its shares. */
static void fix_all_of(struct fair *f, int channel, int64_t share)
{
    for (place p = f->channels[channel].first; p >= 0;
         p = f->users[p / HN_WAY_MOST].on[p % HN_WAY_MOST].next)
        if (!f->users[p / HN_WAY_MOST].fixed)
            fix(f, (int)(p / HN_WAY_MOST), share * f->users[p / HN_WAY_MOST].shares, channel);
}

/* Lists the own rates of all users; returns the lowest. */
static int64_t list_wishes(struct fair *f)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < f->near_count; i++) {
        const struct user *u = &f->users[f->near[i]];
        /* Rounded up, so that a user is not fixed below its own rate. */
        int64_t own = u->own / u->shares + (u->own % u->shares > 0);
        f->wishes[i] = (struct wish){own, f->near[i]};
        least = own < least ? own : least;
    }
    f->wish_count = f->near_count;
    return least;
}

/* Fixes the users whose own rate is at most `share`, and removes all fixed ones from the list;
 * *least receives the lowest own rate of the others. Returns whether any was fixed. */
static bool fix_modest(struct fair *f, int64_t share, int64_t *least)
{
    int kept = 0, listed = f->wish_count;
    bool any = false;
    *least = INT64_MAX;
    for (int i = 0; i < listed; i++) {
        struct wish wish = f->wishes[i];
        if (f->users[wish.user].fixed)
            continue;
        if (wish.own <= share) {
            fix(f, wish.user, f->users[wish.user].own, -1);
            any = true;
            continue;
        }
        *least = wish.own < *least ? wish.own : *least;
        /* The list shrinks in place: later rounds do not see fixed users. */
        f->wishes[kept++] = wish;
    }
    f->wish_count = kept;
    return any;
}

/* Water-filling: users that want less than the lowest share get what they want. Otherwise the users
 * of that channel get the share. Each round fixes at least one user. */
static void fill(struct fair *f)
{
    int64_t share = 0, least = list_wishes(f);
    f->work += f->near_count;
    int channel;
    while ((channel = bottleneck(f, &share)) >= 0)
        if (share < least || !fix_modest(f, share, &least))
            fix_all_of(f, channel, share);
    fix_modest(f, INT64_MAX, &least); /* users on no overloaded channel */
}

static void begin_round(struct fair *f)
{
    f->round++;
    f->near_count = f->crowded_count = 0;
}

/* The user alone begins the neighbourhood; all others are found from it. */
bool fair_join(struct fair *f, int user, int64_t own, int shares, const hn_channel *route,
               int count, int64_t unit)
{
    if (!make_room(f, user))
        return false;
    f->users[user] = (struct user){.own = own, .count = count, .shares = shares};
    for (int i = 0; i < count; i++) {
        f->channels[route[i].id].capacity = unit;
        f->users[user].on[i].per_byte = route[i].per_byte > 0 ? route[i].per_byte : 1;
        enlist(f, user, i, route[i].id);
    }
    begin_round(f);
    add_user(f, user);
    spread(f);
    fill(f);
    return true;
}

/* Users of channels that were overloaded before can get more now. */
void fair_leave(struct fair *f, int user)
{
    begin_round(f);
    f->users[user].limit = -1;
    for (int i = 0; i < f->users[user].count; i++) {
        int channel = f->users[user].on[i].channel;
        bool crowded = overloaded(&f->channels[channel]);
        strike(f, user, i);
        if (crowded)
            add_users_of(f, channel);
    }
    spread(f);
    fill(f);
}

/* As a new user, but its own rate stays. */
void fair_change(struct fair *f, int user, int shares)
{
    struct user *u = &f->users[user];
    for (int i = 0; i < u->count; i++)
        f->channels[u->on[i].channel].total += u->on[i].per_byte * (shares - u->shares);
    u->shares = shares;
    begin_round(f);
    add_user(f, user);
    spread(f);
    fill(f);
}

const int *fair_changed(const struct fair *f, int *count)
{
    *count = f->near_count;
    return f->near;
}

int64_t fair_rate(const struct fair *f, int user)
{
    return f->users[user].rate;
}

int fair_limit(const struct fair *f, int user)
{
    return user < f->user_room ? f->users[user].limit : -1;
}

/* The user of a place; -1: none. */
static int user_at(place p)
{
    return p < 0 ? -1 : (int)(p / HN_WAY_MOST);
}

int fair_first(const struct fair *f, int channel)
{
    const struct channel *c = &f->channels[channel];
    return overloaded(c) ? user_at(c->first) : -1;
}

/* The list is that of the channel, in which a user occurs once. */
int fair_next(const struct fair *f, int channel, int user)
{
    const struct user *u = &f->users[user];
    for (int i = 0; i < u->count; i++)
        if (u->on[i].channel == channel)
            return user_at(u->on[i].next);
    return -1;
}

int64_t fair_unused(const struct fair *f, int channel)
{
    const struct channel *c = &f->channels[channel];
    return c->capacity > c->used ? c->capacity - c->used : 0;
}

int64_t fair_work(const struct fair *f)
{
    return f->work;
}
