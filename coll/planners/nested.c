/* nested.c - allreduce, allgather and reduce_scatter level by level: inside the subnets, then
 * between them, and so on for machines and sites (our own, for any number of levels and parts of
 * any size; the two-level form with equal parts is known from MagPIe, Kielmann and others 1999, and
 * from clusters of multiprocessors).
 *
 * The data lie in pieces. In every group each piece has an owner, a rank of one of its parts. Going
 * up, from the smallest groups to the whole: a piece has been combined inside every part, where the
 * part's owner has it; the owners hand it to the one of them who owns it in the group. Going down,
 * it takes the same ways back.
 *
 *     reduce_scatter   up; a part of the data belongs to its rank in all groups that the rank is in
 *     allgather(v)     down
 *     allreduce        up and down; pieces are cut so that every rank owns the same
 *
 * So a part of c sends (c - 1) / c of the data out of itself once (once and back for allreduce),
 * all of its members sharing that, and slow ways carry the least that they can. Inside the smallest
 * groups a piece goes round, from rank to rank in the order of ECO's ring, combined at each. Above,
 * it goes straight to the owner, who combines what comes: more messages, but no row of latencies.
 *
 * Combined in the order of the levels, so not for operators that do not commute.
 *
 * Cost: memory for P pieces and g groups g P, P <= PIECES_EACH n; messages 2 (k - 1) for each of k
 * ranks in a smallest group, and above as many as different owners meet.
 */
#include "planners/planners.h"

#include "model/levels.h"
#include "model/array_grow.h"
#include "planners/topology_map.h"

#include "hnow.h"

#include <stdlib.h>

enum { PIECES_EACH = 4 }; /* of an allreduce where groups differ in size, for each rank */

struct transfer {
    int step, from, to, piece;
};

struct nest {
    const struct request *req;
    struct plan *plan;
    struct levels l;
    int pieces;
    int *owner;             /* [group * pieces + piece]: a rank */
    int *home;              /* the same: the part that it is in */
    int *place;             /* [rank]: in l.member */
    int64_t *load;          /* [rank]: bytes that it owns in the group that is looked at */
    struct transfer *moves; /* those of which messages are to be made */
    int count, room;
    int *list;          /* [pieces] */
    struct arena arena; /* of all arrays but moves */
};

/* ---- owners ------------------------------------------------------------------------------------
 */

/* Who has a piece of a part of a group. */
static int part_owner(const struct nest *nest, const struct level_group *g, int part, int piece)
{
    return g->leaf ? nest->l.member[g->begin + part]
                   : nest->owner[(size_t)(g->first + part) * (size_t)nest->pieces + (size_t)piece];
}

/* The part that a rank is in; -1: it is not in the group. */
static int part_of(const struct nest *nest, const struct level_group *g, int rank)
{
    int place = nest->place[rank], begin, end;
    if (place < g->begin || place >= g->end)
        return -1;
    for (int i = 0;; i++) {
        levels_part(&nest->l, g, i, &begin, &end);
        if (place < end)
            return i;
    }
}

/* The part whose owner has the least so far. */
static int least_loaded(const struct nest *nest, const struct level_group *g, int piece)
{
    int best = 0;
    for (int i = 1; i < g->parts; i++)
        if (nest->load[part_owner(nest, g, i, piece)] <
            nest->load[part_owner(nest, g, best, piece)])
            best = i;
    return best;
}

/* Owners in a group, when those in its parts are known. What belongs to a rank is the rank's. */
static void choose_owners(struct nest *nest, int which)
{
    const struct level_group *g = &nest->l.group[which];
    size_t row = (size_t)which * (size_t)nest->pieces;
    for (int i = g->begin; i < g->end; i++)
        nest->load[nest->l.member[i]] = 0;
    for (int piece = 0; piece < nest->pieces; piece++) {
        int part = nest->req->op == OP_ALLREDUCE ? -1 : part_of(nest, g, piece);
        int home = part >= 0 ? part : least_loaded(nest, g, piece);
        int owner = part_owner(nest, g, home, piece);
        nest->home[row + (size_t)piece] = home;
        nest->owner[row + (size_t)piece] = owner;
        nest->load[owner] += nest->plan->blocks[piece].bytes + 1;
    }
}

/* ---- steps -------------------------------------------------------------------------------------
 */

static void move(struct nest *nest, int step, int from, int to, int piece)
{
    if (!ARRAY_GROW(nest->moves, nest->count, nest->room, nest->pieces)) {
        plan_fail(nest->plan, HN_ENOMEM);
        return;
    }
    nest->moves[nest->count++] = (struct transfer){step, from, to, piece};
}

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

static int by_ends(const void *a_, const void *b_)
{
    const struct transfer *a = a_, *b = b_;
    int order = compare(a->step, b->step);
    order = order ? order : compare(a->from, b->from);
    order = order ? order : compare(a->to, b->to);
    return order ? order : compare(a->piece, b->piece);
}

/* The moves from i on that are one message; their pieces go to the list. */
static int bundle(const struct nest *nest, int i, int *count)
{
    const struct transfer *m = nest->moves, *first = &m[i];
    *count = 0;
    for (; i < nest->count && m[i].step == first->step && m[i].from == first->from &&
           m[i].to == first->to;
         i++)
        nest->list[(*count)++] = m[i].piece;
    return i;
}

/* Makes messages of the moves, one for all pieces between two ranks in a step. Every rank sends,
 * and then receives. */
static void make_messages(struct nest *nest, enum plan_kind kind)
{
    int count;
    if (nest->count > 1)
        qsort(nest->moves, (size_t)nest->count, sizeof *nest->moves, by_ends);
    for (int i = 0, end = 0; i < nest->count; i = end) {
        struct transfer *m = &nest->moves[i];
        end = bundle(nest, i, &count);
        m->piece = plan_list(nest->plan, nest->list, count); /* from now on: the list */
        plan_step(nest->plan, m->from, PLAN_SEND, m->to, m->piece, count);
    }
    for (int i = 0, end = 0; i < nest->count; i = end) {
        struct transfer *m = &nest->moves[i];
        end = bundle(nest, i, &count);
        plan_step(nest->plan, m->to, kind, m->from, m->piece, count);
    }
    nest->count = 0;
}

/* Every piece one part on: up from the part behind its home round to the home, down from the home.
 */
static void turn(struct nest *nest, const struct level_group *g, const int *home, int step, bool up)
{
    for (int piece = 0; piece < nest->pieces; piece++) {
        int part = (home[piece] + step + up) % g->parts;
        move(nest, step, part_owner(nest, g, part, piece),
             part_owner(nest, g, (part + 1) % g->parts, piece), piece);
    }
}

/* Every piece straight to its home from the part so many behind it, or back. */
static void jump(struct nest *nest, const struct level_group *g, const int *home, int step, bool up)
{
    for (int piece = 0; piece < nest->pieces; piece++) {
        int far = part_owner(nest, g, (home[piece] + step + 1) % g->parts, piece);
        int near = part_owner(nest, g, home[piece], piece);
        move(nest, step, up ? far : near, up ? near : far, piece);
    }
}

/* All of a group, up or down. */
static void carry(struct nest *nest, int which, bool up)
{
    const struct level_group *g = &nest->l.group[which];
    const int *home = nest->home + (size_t)which * (size_t)nest->pieces;
    enum plan_kind kind = up ? PLAN_FOLD_LEFT : PLAN_RECV;
    for (int step = 0; step < g->parts - 1; step++) {
        if (!g->leaf) {
            jump(nest, g, home, step, up);
            continue;
        }
        turn(nest, g, home, step, up);
        make_messages(nest, kind);
    }
    make_messages(nest, kind);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

/* Whether the groups are alike on every level, so that n pieces can be shared fairly. */
static bool is_even(const struct levels *l)
{
    const struct level_group *last = &l->group[0];
    for (int i = 1; i < l->count; i++) {
        if (l->group[i].depth == last->depth && l->group[i].parts != last->parts)
            return false;
        last = &l->group[i];
    }
    return true;
}

static void cut(struct nest *nest)
{
    int n = nest->req->ranks;
    nest->pieces = n;
    if (nest->req->op != OP_ALLREDUCE) {
        plan_cut(nest->plan, nest->req, 0);
        return;
    }
    nest->pieces = is_even(&nest->l) ? n : PIECES_EACH * n;
    plan_cut_pieces(nest->plan, nest->req, nest->pieces);
}

/* Members and parts stand in the order of ECO's ring. */
static int begin(struct nest *nest, const struct model *model)
{
    size_t n = (size_t)model->ranks;
    int *tour = malloc(n * sizeof *tour);
    int error = tour ? topology_tour(model, tour) : HN_ENOMEM;
    if (!error)
        error = levels_begin(&nest->l, model, tour);
    free(tour);
    if (error)
        return error;
    cut(nest);
    if (nest->plan->block_count != nest->pieces) /* the plan knows why */
        return HN_EPLAN;
    size_t pieces = (size_t)nest->pieces, groups = (size_t)nest->l.count;
    ARENA_ARRAYS(&nest->arena, groups * pieces, nest->owner, nest->home);
    ARENA_ARRAYS(&nest->arena, n, nest->place, nest->load);
    nest->list = arena_array(&nest->arena, pieces, sizeof *nest->list);
    if (nest->arena.failed)
        return HN_ENOMEM;
    for (int i = 0; i < nest->l.ranks; i++)
        nest->place[nest->l.member[i]] = i;
    return HN_OK;
}

static void end(struct nest *nest)
{
    levels_end(&nest->l);
    arena_free(&nest->arena);
    free(nest->moves);
}

void planner_levels_direct(const struct problem *problem, struct plan *plan)
{
    struct nest nest = {.req = problem->req, .plan = plan};
    enum operation op = problem->req->op;
    int error = begin(&nest, problem->model);
    if (error)
        plan_fail(plan, error);
    /* Parts come after the groups that they are of. */
    for (int g = nest.l.count - 1; g >= 0 && !error; g--)
        choose_owners(&nest, g);
    for (int g = nest.l.count - 1; g >= 0 && !error; g--)
        if (op == OP_ALLREDUCE || op == OP_REDUCE_SCATTER)
            carry(&nest, g, true);
    for (int g = 0; g < nest.l.count && !error; g++)
        if (op != OP_REDUCE_SCATTER)
            carry(&nest, g, false);
    end(&nest);
}
