/* nested.c - hierarchical allreduce, allgather and reduce_scatter, level by level: inside machines
 * and subnets, between these, and between sites. Our own, for any number of levels and parts of any
 * size; Kielmann and others 1999 (MagPIe) describe two levels of equal parts.
 *
 * The data are cut into pieces. In every group each piece has an owner, a rank of one of the
 * group's parts. Upwards, from the smallest groups to the whole network, a piece has been combined
 * inside every part, and the part's owner holds the result. The owners send it to the owner in the
 * group. Downwards, pieces take the same routes in the opposite direction.
 *
 *     reduce_scatter   Upwards. The owner of a rank's part is this rank, in all its groups.
 *     allgather(v)     Downwards, with the same owners.
 *     allreduce        Both. Pieces are assigned so that all ranks own the same number of bytes.
 *
 * So each of c parts of a group sends (c - 1) / c of the data to other parts once (twice for
 * allreduce), and all its members share that work. This is the minimum for slow routes. In the
 * smallest groups a piece is forwarded around a ring, in the order of ECO's ring, and combined at
 * each rank. In larger groups it is sent directly to the owner, which combines. That takes more
 * messages, but latencies do not add up. It suits long data on networks of several levels.
 *
 * Contributions are combined in the order of the levels, so operators that do not commute are
 * refused.
 *
 * Cost: memory g P for P <= PIECES_EACH n pieces and g groups; 2 (k - 1) messages for each of k
 * ranks in a smallest group, and in larger groups one for each pair of different owners.
 */
#include "planners/planners.h"

#include "model/levels.h"
#include "model/array_grow.h"
#include "planners/topology_map.h"

#include "hnow.h"

#include <stdlib.h>

enum { PIECES_EACH = 4 }; /* pieces for each rank in an allreduce if groups differ in size */

/* One piece that moves from one rank to another in a step of a group. */
struct transfer {
    int step, from, to, piece;
};

/* The owners of all pieces in all groups are chosen first, from the smallest groups outwards. Then
 * steps are written group by group. */
struct nest {
    const struct request *req;
    struct plan *plan;
    struct levels l;
    int pieces;
    int *owner;             /* [group * pieces + piece]: a rank */
    int *home;              /* [group * pieces + piece]: the part that contains the owner */
    int *place;             /* [rank]: its position in l.member */
    int64_t *load;          /* [rank]: bytes that it owns in the present group */
    struct transfer *moves; /* transfers for which no messages have been written yet */
    int count, room;
    int *list;          /* [pieces] */
    struct arena arena; /* of all arrays but moves */
};

/* The owner of a piece in a group is also its owner in one of the group's parts. */
/* ---- owners ----------------------------------------------------------------------------- */

/* The rank that owns a piece in a part of a group. */
static int part_owner(const struct nest *nest, const struct level_group *g, int part, int piece)
{
    return g->leaf ? nest->l.member[g->begin + part]
                   : nest->owner[(size_t)(g->first + part) * (size_t)nest->pieces + (size_t)piece];
}

/* The part that contains a rank; -1: the rank is not in the group. */
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

/* The part whose owner has the fewest bytes so far. */
static int least_loaded(const struct nest *nest, const struct level_group *g, int piece)
{
    int best = 0;
    for (int i = 1; i < g->parts; i++)
        if (nest->load[part_owner(nest, g, i, piece)] <
            nest->load[part_owner(nest, g, best, piece)])
            best = i;
    return best;
}

/* Chooses the owners in a group, after those in its parts. The part of a rank (of operations with a
 * part for each rank) is owned by that rank. Groups are handled after their parts, whose owners are
 * known then. */
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
        /* One byte more, so that empty pieces are distributed, too. */
        nest->load[owner] += nest->plan->blocks[piece].bytes + 1;
    }
}

/* ---- steps ------------------------------------------------------------------------------ */

/* A move is written later, together with others between the same ranks (make_messages()). */
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

/* Lists the pieces of the moves from i on that form one message: same step, sender and receiver.
 * Returns the index after the last of them. */
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

/* Writes the moves as messages, one for all pieces between two ranks in a step. Every rank sends,
 * and then receives. Lists are made in the first pass, and used by both. */
static void make_messages(struct nest *nest, enum plan_kind kind)
{
    int count;
    if (nest->count > 1)
        qsort(nest->moves, (size_t)nest->count, sizeof *nest->moves, by_ends);
    for (int i = 0, end = 0; i < nest->count; i = end) {
        struct transfer *m = &nest->moves[i];
        end = bundle(nest, i, &count);
        m->piece = plan_list(nest->plan, nest->list, count); /* now the index of the list */
        plan_step(nest->plan, m->from, PLAN_SEND, m->to, m->piece, count);
    }
    for (int i = 0, end = 0; i < nest->count; i = end) {
        struct transfer *m = &nest->moves[i];
        end = bundle(nest, i, &count);
        plan_step(nest->plan, m->to, kind, m->from, m->piece, count);
    }
    nest->count = 0;
}

/* A step of the ring: every piece moves to the next part. Upwards it starts at the part after its
 * home and ends at the home; downwards it starts at the home. The ring of the parts; moves between
 * the owners of the piece in each. */
static void ring(struct nest *nest, const struct level_group *g, const int *home, int step, bool up)
{
    for (int piece = 0; piece < nest->pieces; piece++) {
        int part = (home[piece] + step + up) % g->parts;
        move(nest, step, part_owner(nest, g, part, piece),
             part_owner(nest, g, (part + 1) % g->parts, piece), piece);
    }
}

/* Every piece is sent to its home directly from the part that is step + 1 positions after it;
 * downwards in the opposite direction. */
static void star(struct nest *nest, const struct level_group *g, const int *home, int step, bool up)
{
    for (int piece = 0; piece < nest->pieces; piece++) {
        int far = part_owner(nest, g, (home[piece] + step + 1) % g->parts, piece);
        int near = part_owner(nest, g, home[piece], piece);
        move(nest, step, up ? far : near, up ? near : far, piece);
    }
}

/* Writes all messages of a group, upwards or downwards. In larger groups all steps are written
 * together: messages to different owners are independent. */
static void write_group(struct nest *nest, int which, bool up)
{
    const struct level_group *g = &nest->l.group[which];
    const int *home = nest->home + (size_t)which * (size_t)nest->pieces;
    enum plan_kind kind = up ? PLAN_FOLD_LEFT : PLAN_RECV;
    for (int step = 0; step < g->parts - 1; step++) {
        if (!g->leaf) {
            star(nest, g, home, step, up);
            continue;
        }
        ring(nest, g, home, step, up);
        make_messages(nest, kind);
    }
    make_messages(nest, kind);
}

/* ---- the planner ------------------------------------------------------------------------ */

/* Whether all groups of a level have equally many parts, so that n pieces can be assigned evenly.
 */
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

/* In operations with a part for each rank the parts are the pieces. */
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

/* Orders members and parts as in ECO's ring, cuts the data and allocates memory. HN_OK or an error;
 * call end() in either case. */
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
    if (nest->plan->block_count != nest->pieces) /* the plan has failed; it keeps its own error */
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

/* Owners are chosen from the smallest groups outwards. Upwards, small groups come first; downwards,
 * large ones. */
void planner_levels_direct(const struct problem *problem, struct plan *plan)
{
    struct nest nest = {.req = problem->req, .plan = plan};
    enum operation op = problem->req->op;
    int error = begin(&nest, problem->model);
    if (error)
        plan_fail(plan, error);
    /* Parts are listed after their groups. */
    for (int g = nest.l.count - 1; g >= 0 && !error; g--)
        choose_owners(&nest, g);
    for (int g = nest.l.count - 1; g >= 0 && !error; g--)
        if (op == OP_ALLREDUCE || op == OP_REDUCE_SCATTER)
            write_group(&nest, g, true);
    for (int g = 0; g < nest.l.count && !error; g++)
        if (op != OP_REDUCE_SCATTER)
            write_group(&nest, g, false);
    end(&nest);
}
