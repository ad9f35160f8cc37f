/* leaders.c - total exchange between groups by their leaders, without a single root (Lowekamp and
 * Beguelin 1995, section 7, leave that open: "having all subnets or a fraction of subnets perform
 * the data exchange").
 *
 * A message for a rank of the same subnet goes straight. All messages from one subnet to another
 * travel as one: members give theirs to a leader, the leader sends them to a leader of the other
 * subnet, who hands them out. Each subnet has `arity` leaders, and each of them works for some of
 * the other subnets, so no port has to carry everything: with c subnets of k ranks a leader takes
 * about (c - 1) k / arity parts from outside, where a tree's root takes (c k)^2. Leaders are those
 * from whom the way to the next subnet and back is shortest.
 *
 * With more levels than subnets (levels.h), the same on each: messages for another site are bundled
 * by site, those for another subnet of the site by subnet.
 *
 *     messages   k (arity + k) in and for each subnet, and c (c - 1) between subnets, instead of
 *                (c k)^2 - c k: for short messages, and for ways that are slow to start on
 *     bytes      what goes to other subnets is sent three times, once on the way between them
 *
 * Cost: O(n^2) time and memory.
 */
#include "planners/planners.h"

#include "model/levels.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>

struct desk {
    const struct problem *problem;
    int64_t bytes; /* of the messages by which ways are compared */
    struct plan *plan;
    struct levels l;
    int *leader;        /* [(start[group] + part) * arity + i]: of the part, best first */
    int *start;         /* [group]: its parts in leader */
    int *blocks;        /* scratch: as many as go from one part to another, or concern one rank */
    int count;          /* of them */
    struct arena arena; /* of the arrays */
};

/* Calls for everything in a group that is not a leaf. */
typedef void part_step(struct desk *d, int group, int part);

static int size_of(const struct desk *d, const struct level_group *g, int part)
{
    int begin, end;
    levels_part(&d->l, g, part, &begin, &end);
    return end - begin;
}

static int leaders_of(const struct desk *d, const struct level_group *g, int part)
{
    int size = size_of(d, g, part);
    return size < d->problem->arity ? size : d->problem->arity;
}

/* Which of a part's leaders works for another part. */
static int desk_for(const struct desk *d, const struct level_group *g, int part, int other)
{
    return (other - (other > part)) % leaders_of(d, g, part);
}

static int leader_at(const struct desk *d, int group, int part, int i)
{
    return d->leader[(size_t)(d->start[group] + part) * (size_t)d->problem->arity + (size_t)i];
}

/* ---- who leads ---------------------------------------------------------------------------------
 */

/* There and back between a rank and the first rank of the next part. */
static hn_time way_out(const struct desk *d, const struct level_group *g, int part, int rank)
{
    const struct model *model = d->problem->model;
    int begin, end;
    levels_part(&d->l, g, (part + 1) % g->parts, &begin, &end);
    int other = d->l.member[begin];
    return model_deliver(model, rank, other, d->bytes) +
           model_deliver(model, other, rank, d->bytes);
}

struct applicant {
    hn_time way;
    int place;
};

static int by_way(const void *a_, const void *b_)
{
    const struct applicant *a = a_, *b = b_;
    if (a->way != b->way)
        return a->way < b->way ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void choose_leaders(struct desk *d, int group, int part, struct applicant *a)
{
    const struct level_group *g = &d->l.group[group];
    int begin, end;
    levels_part(&d->l, g, part, &begin, &end);
    for (int i = begin; i < end; i++)
        a[i - begin] = (struct applicant){way_out(d, g, part, d->l.member[i]), i};
    qsort(a, (size_t)(end - begin), sizeof *a, by_way);
    int *leader = &d->leader[(size_t)(d->start[group] + part) * (size_t)d->problem->arity];
    for (int i = 0; i < leaders_of(d, g, part); i++)
        leader[i] = d->l.member[a[i].place];
}

/* ---- bundles -----------------------------------------------------------------------------------
 */

/* Adds to the bundle everything from one run of members to another. */
static void add(struct desk *d, int from, int from_end, int to, int to_end)
{
    int n = d->l.ranks;
    for (int i = from; i < from_end; i++)
        for (int k = to; k < to_end; k++)
            d->blocks[d->count++] = d->l.member[i] * n + d->l.member[k];
}

/* One end of the message with the bundle; the other end finds the same blocks again. */
static void post(struct desk *d, int rank, enum plan_kind kind, int peer)
{
    if (rank != peer)
        plan_step(d->plan, rank, kind, peer, plan_list(d->plan, d->blocks, d->count), d->count);
    d->count = 0;
}

/* What the member at a place has for the parts that a leader of its own works for (out), or gets
 * from them. */
static void bundle_of_member(struct desk *d, const struct level_group *g, int part, int desk,
                             int place, bool out)
{
    int begin, end;
    for (int other = 0; other < g->parts; other++) {
        if (other == part || desk_for(d, g, part, other) != desk)
            continue;
        levels_part(&d->l, g, other, &begin, &end);
        if (out)
            add(d, place, place + 1, begin, end);
        else
            add(d, begin, end, place, place + 1);
    }
}

static void bundle_between(struct desk *d, const struct level_group *g, int from, int to)
{
    int from_begin, from_end, to_begin, to_end;
    levels_part(&d->l, g, from, &from_begin, &from_end);
    levels_part(&d->l, g, to, &to_begin, &to_end);
    add(d, from_begin, from_end, to_begin, to_end);
}

/* ---- steps -------------------------------------------------------------------------------------
 */

/* One end of all messages between the members of a part and their leaders: `at_leader`, the
 * leaders' end; `out`, on the way out. */
static void meet(struct desk *d, int group, int part, bool out, bool at_leader)
{
    const struct level_group *g = &d->l.group[group];
    enum plan_kind kind = out != at_leader ? PLAN_SEND : PLAN_RECV;
    int begin, end;
    levels_part(&d->l, g, part, &begin, &end);
    for (int desk = 0; desk < leaders_of(d, g, part); desk++)
        for (int place = begin; place < end; place++) {
            int leader = leader_at(d, group, part, desk), member = d->l.member[place];
            bundle_of_member(d, g, part, desk, place, out);
            if (d->count > 0)
                post(d, at_leader ? leader : member, kind, at_leader ? member : leader);
        }
}

/* The ends at one part of all messages between it and the others. */
static void trade(struct desk *d, int group, int part, bool send)
{
    const struct level_group *g = &d->l.group[group];
    for (int i = 1; i < g->parts; i++) {
        int other = (part + (send ? i : g->parts - i)) % g->parts;
        int own = leader_at(d, group, part, desk_for(d, g, part, other));
        int theirs = leader_at(d, group, other, desk_for(d, g, other, part));
        bundle_between(d, g, send ? part : other, send ? other : part);
        post(d, own, send ? PLAN_SEND : PLAN_RECV, theirs);
    }
}

static void hand_in(struct desk *d, int group, int part)
{
    meet(d, group, part, true, false);
}

static void collect(struct desk *d, int group, int part)
{
    meet(d, group, part, true, true);
}

static void send_out(struct desk *d, int group, int part)
{
    trade(d, group, part, true);
}

static void hand_out(struct desk *d, int group, int part)
{
    trade(d, group, part, false);
    meet(d, group, part, false, true);
}

static void take(struct desk *d, int group, int part)
{
    meet(d, group, part, false, false);
}

static void in_all_groups(struct desk *d, part_step *step)
{
    for (int group = 0; group < d->l.count; group++)
        for (int part = 0; !d->l.group[group].leaf && part < d->l.group[group].parts; part++)
            step(d, group, part);
}

/* One end of the messages inside the smallest groups. */
static void exchange_inside(struct desk *d, enum plan_kind kind)
{
    for (int group = 0; group < d->l.count; group++) {
        const struct level_group *g = &d->l.group[group];
        if (g->leaf)
            planner_exchange_ends(&d->l.member[g->begin], g->parts, d->l.ranks, kind, d->plan);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

static int begin(struct desk *d)
{
    int error = levels_begin(&d->l, d->problem->model, NULL);
    size_t n = (size_t)d->problem->model->ranks, parts = n + (size_t)d->l.count;
    if (error)
        return error;
    struct applicant *a = arena_array(&d->arena, n, sizeof *a);
    d->leader = arena_array(&d->arena, parts * (size_t)d->problem->arity, sizeof *d->leader);
    d->start = arena_array(&d->arena, (size_t)d->l.count, sizeof *d->start);
    d->blocks = arena_array(&d->arena, n * n, sizeof *d->blocks);
    bool ok = !d->arena.failed;
    for (int group = 0, at = 0; group < d->l.count && ok; group++) {
        d->start[group] = at;
        at += d->l.group[group].parts;
        for (int part = 0; !d->l.group[group].leaf && part < d->l.group[group].parts; part++)
            choose_leaders(d, group, part, a);
    }
    return ok ? HN_OK : HN_ENOMEM;
}

/* Everybody sends and receives the kinds of messages in this one order, so that nobody waits in a
 * circle even where a send waits for its receiver. What is inside a subnet is received while the
 * bundles are on their way. */
static void write_steps(struct desk *d)
{
    in_all_groups(d, hand_in);
    in_all_groups(d, collect);
    exchange_inside(d, PLAN_SEND);
    in_all_groups(d, send_out);
    exchange_inside(d, PLAN_RECV);
    in_all_groups(d, hand_out);
    in_all_groups(d, take);
}

void planner_leaders(const struct problem *problem, struct plan *plan)
{
    struct desk d = {.problem = problem, .bytes = problem_bytes(problem), .plan = plan};
    int error = begin(&d);
    plan_cut(plan, problem->req, 0);
    if (error)
        plan_fail(plan, error);
    else
        write_steps(&d);
    levels_end(&d.l);
    arena_free(&d.arena);
}
