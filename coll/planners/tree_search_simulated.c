/* tree_search_simulated.c - our own: the best tree of all planners, improved by moves that are
 * evaluated by simulation.
 *
 * tree_search.c computes the makespan of a tree without simulation, if each edge carries one
 * message and only ports are shared. If media are shared, or edges carry several or different
 * messages, a simulation is needed. It takes a thousand times as long, so there are fewer moves.
 * The search starts from the best tree of all planners, and its result is never worse.
 *
 * Instead of a simulation, an estimate may judge a tree (pipeline.h). Then the order of children
 * does not matter, and there are more moves.
 *
 * A tree consists of places, each of which has a rank. A move puts a place with its subtree
 * elsewhere, or exchanges the ranks of two places, including the root's if the operation has no
 * root. Half of the moves change the path to the rank that ends last. A worse tree is accepted if
 * it is later by less than a random time, which decreases (simulated annealing). Each round starts
 * from the best tree.
 *
 * The amount of simulation is limited, not the time, and the random numbers are deterministic. So
 * all members of a group find the same tree.
 */
#include "planners/pipeline.h"
#include "planners/planners.h"
#include "planners/random_number.h"

#include "plan/check.h"
#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MOST = 1 << 16, /* simulated steps, at most: sends and receives, ... */
    RATES_STEP = 40,      /* ... computed rates of shared routes that take as long as one step */
    JUDGED_MOST = 12000,  /* most trees evaluated by a judge */
    ROUNDS = 8, /* with simulation; a judge has fewer and longer rounds, which find more */
    JUDGED_ROUNDS = 4,
    FAR = 2,       /* no search if the best start is later than this multiple of the limit ... */
    RANKS_FEW = 24 /* ... and there are more ranks than this; with fewer a search is short */
};

/* A tree as lists of places. Trees are compared as shapes and converted only to be simulated;
 * `next` links the children of one parent in sending order. */
struct shape {
    int *rank;                  /* [place]; place 0 has the root */
    int *parent, *first, *next; /* [place]: lists of children in sending order end with -1 */
    hn_time time;
    int last; /* the place whose rank ends last */
};

/* Estimates the makespan of a tree, given by its root and every rank's parent. */
struct tree_judge {
    hn_time (*time)(void *self, int root, const int *parent);
    void *self;
};

/* State of one search. The three shapes are exchanged by their pointers, so `now`, `trial` and
 * `best` are always different ones. */
struct trees {
    const struct problem *problem;
    int n;
    struct shape shape[3], *now, *trial, *best;
    const struct tree_judge *judge; /* NULL: simulation */
    int *above;                     /* [rank]: its parent, for the judge */
    bool rooted;
    int64_t steps; /* left for simulation */
    uint64_t random;
};

static void copy(const struct trees *t, const struct shape *from, struct shape *to)
{
    size_t bytes = (size_t)t->n * sizeof(int);
    memcpy(to->rank, from->rank, bytes);
    memcpy(to->parent, from->parent, bytes);
    memcpy(to->first, from->first, bytes);
    memcpy(to->next, from->next, bytes);
    to->time = from->time;
    to->last = from->last;
}

/* ---- evaluation ------------------------------------------------------------------------- */

/* Returns the tree of a shape, with its edges in preorder; the caller frees it. NULL: out of
 * memory. */
static struct tree *tree_of(const struct trees *t, const struct shape *shape)
{
    struct tree *tree = tree_new(t->n, shape->rank[0]);
    int *queue = malloc((size_t)t->n * sizeof *queue), count = 1;
    if (!tree || !queue) {
        tree_free(tree);
        free(queue);
        return NULL;
    }
    queue[0] = 0;
    for (int i = 0; i < count; i++)
        for (int child = shape->first[queue[i]]; child >= 0; child = shape->next[child]) {
            tree_add(tree, shape->rank[queue[i]], shape->rank[child]);
            queue[count++] = child;
        }
    free(queue);
    return tree;
}

/* Makes the plan of a shape. For ordered operands it is checked: HN_EPLAN if the tree combines them
 * in the wrong order. The caller frees *plan in either case. */
static int plan_of(const struct trees *t, const struct shape *shape, struct plan **plan)
{
    struct check_fault fault;
    const struct request *req = t->problem->req;
    struct tree *tree = tree_of(t, shape);
    *plan = plan_new(t->n);
    int error = tree && *plan ? tree_finish(tree) : HN_ENOMEM;
    if (!error) {
        tree_plan(tree, req, t->problem->segment, *plan);
        error = plan_finish(*plan);
    }
    if (!error && req->ordered && request_combines(req))
        error = plan_check(*plan, req, &fault);
    tree_free(tree);
    return error;
}

/* The place of the rank that ends last. Half of the moves change the path to it. */
static int last_place(const struct trees *t, const struct shape *shape, const hn_time *done)
{
    int last = 0;
    for (int place = 1; place < t->n; place++)
        if (done[shape->rank[place]] > done[shape->rank[last]])
            last = place;
    return last;
}

/* Simulates a plan within the work that is left. HN_OK or an error. */
static int simulate(struct trees *t, const struct plan *plan, hn_time limit, struct timing *timing)
{
    /* The first simulation has no limit of work, so that there is always a best tree. */
    int64_t most = t->steps > 0 ? t->steps * RATES_STEP : 0, left = most;
    bool first = t->best->time == INT64_MAX;
    int error = plan_simulate_within(plan, t->problem->model, limit, first ? NULL : &left, timing);
    /* Steps and recomputed rates are charged in the same unit. */
    t->steps -= plan->first[t->n] + (most - left) / RATES_STEP;
    return error;
}

/* Evaluates a shape by the judge. It counts as one unit, and its last rank is unknown. */
static int judge(struct trees *t, struct shape *shape)
{
    for (int place = 0; place < t->n; place++)
        t->above[shape->rank[place]] = place > 0 ? shape->rank[shape->parent[place]] : -1;
    shape->time = t->judge->time(t->judge->self, shape->rank[0], t->above);
    shape->last = 0; /* unknown */
    t->steps--;
    return HN_OK;
}

/* Computes the makespan of a shape into shape->time. INT64_MAX: later than `limit`, operands out of
 * order, or no work left. These are no errors; other errors are returned. */
static int evaluate(struct trees *t, struct shape *shape, hn_time limit)
{
    if (t->judge)
        return judge(t, shape);
    struct timing timing = {0};
    struct plan *plan = NULL;
    int error = plan_of(t, shape, &plan);
    shape->time = INT64_MAX;
    if (!error)
        error = simulate(t, plan, limit, &timing);
    if (!error) {
        shape->time = timing.makespan;
        shape->last = timing.makespan < INT64_MAX ? last_place(t, shape, timing.done) : 0;
    }
    timing_free(&timing);
    plan_free(plan);
    return error == HN_EPLAN ? HN_OK : error;
}

/* ---- where it begins -------------------------------------------------------------------- */

/* Converts a tree to a shape: places are in the order in which ranks were added to the tree. */
static void load(const struct trees *t, const struct tree *tree, struct shape *shape)
{
    int *place = shape->next; /* [rank], until the children are linked */
    for (int i = 0; i < t->n; i++) {
        shape->rank[i] = tree->order[i];
        place[tree->order[i]] = i;
        shape->parent[i] = i > 0 ? place[tree->parent[tree->order[i]]] : -1;
        shape->first[i] = -1;
    }
    for (int i = 0; i < t->n; i++)
        shape->next[i] = -1;
    /* Backward, so that prepending keeps the children in sending order. */
    for (int i = t->n - 1; i > 0; i--) {
        shape->next[i] = shape->first[shape->parent[i]];
        shape->first[shape->parent[i]] = i;
    }
}

/* Simulates a tree and stores it if it is the best so far. HN_OK or an error. */
static int try_tree(struct trees *t, const struct tree *tree)
{
    load(t, tree, t->trial);
    int error = evaluate(t, t->trial, t->best->time);
    if (!error && t->trial->time < t->best->time)
        copy(t, t->trial, t->best);
    return error;
}

/* Tries the tree of one planner and arity. A planner that refuses the problem is left out. */
static int try_planner(struct trees *t, const struct planner *planner, int arity)
{
    struct problem problem = *t->problem;
    struct tree *tree = tree_new(t->n, problem.req->root);
    int error = tree ? HN_OK : HN_ENOMEM;
    problem.arity = arity;
    if (!error)
        error = planner->tree(&problem, tree);
    if (!error)
        error = try_tree(t, tree);
    tree_free(tree);
    return error == HN_EPLAN ? HN_OK : error;
}

/* Whether the search starts from the tree of a planner. Trees for multicasts make no sense without
 * multicasts. */
static bool starts_from(const struct trees *t, const struct planner *planner)
{
    return planner->tree && !planner->search && !planner->multicasts &&
           planner_serves(planner, t->problem->req);
}

static int try_planners(struct trees *t)
{
    int error = HN_OK;
    for (int i = 0; i < planner_count && !error; i++)
        for (int arity = planners[i].arity;
             arity <= planners[i].arity_most && starts_from(t, &planners[i]) && !error; arity++)
            error = try_planner(t, &planners[i], arity);
    return error;
}

/* ---- moves ------------------------------------------------------------------------------ */

/* Whether a place is in the subtree of `top`, which includes `top` itself. */
static bool is_below(const struct shape *shape, int place, int top)
{
    while (place >= 0 && place != top)
        place = shape->parent[place];
    return place == top;
}

/* Moves a place with its subtree below another one, as the child that is served after `skip`
 * others, or last. `parent` must not be in the subtree of the place. */
static void hang(struct shape *shape, int place, int parent, int skip)
{
    int *link = &shape->first[shape->parent[place]];
    while (*link != place)
        link = &shape->next[*link];
    *link = shape->next[place];
    link = &shape->first[parent];
    for (; skip > 0 && *link >= 0; skip--)
        link = &shape->next[*link];
    shape->next[place] = *link;
    *link = place;
    shape->parent[place] = parent;
}

/* Draws a place other than the root's; with probability 1/2 one on the path to the last rank. */
static int draw_place(struct trees *t)
{
    /* last is 0 if it is unknown or the root itself ends last; then any place is drawn. */
    int place = t->now->last, depth = 0;
    if (place == 0 || random_number(&t->random, 2))
        return 1 + random_number(&t->random, t->n - 1);
    for (int up = place; up != 0; up = t->now->parent[up])
        depth++;
    for (int up = random_number(&t->random, depth); up > 0; up--)
        place = t->now->parent[place];
    return place;
}

/* Applies a random move to the trial shape; false: the move drawn is impossible. */
static bool move(struct trees *t)
{
    struct shape *shape = t->trial;
    int place = draw_place(t), other = random_number(&t->random, t->n),
        served = random_number(&t->random, 4);
    /* Judges ignore the order of children, so case 1 is drawn for simulations only. */
    switch (t->judge ? 2 * random_number(&t->random, 2) : random_number(&t->random, 3)) {
    case 0: /* swap */
        if (other == place || (other == 0 && t->rooted))
            /* The root of a rooted operation keeps its rank. */
            return false;
        int rank = shape->rank[place];
        shape->rank[place] = shape->rank[other];
        shape->rank[other] = rank;
        return true;
    case 1: /* another position among its siblings, or a level up; judges ignore positions */
        other = shape->parent[place];
        if (random_number(&t->random, 2) && other > 0)
            other = shape->parent[other];
        break;
    default:
        break;
    }
    if (is_below(shape, other, place))
        return false;
    hang(shape, place, other, served < 3 ? served : t->n);
    /* One of four moves makes the subtree the last child; the others place it among the first
     * three. */
    return true;
}

/* Makes a random move of the present tree and continues from it if it is not too late. An
 * impossible move costs a step as well, so that the search ends. */
static int try_move(struct trees *t, hn_time slack)
{
    copy(t, t->now, t->trial);
    if (!move(t)) {
        t->steps--;
        return HN_OK;
    }
    hn_time limit = t->now->time + slack;
    int error = evaluate(t, t->trial, limit);
    if (error || t->trial->time > limit)
        return error;
    /* The trial shape becomes the present one by an exchange of pointers. */
    struct shape *kept = t->trial;
    t->trial = t->now;
    t->now = kept;
    if (kept->time < t->best->time)
        copy(t, kept, t->best);
    return HN_OK;
}

/* A round: the allowed loss decreases from 1/share of the makespan to 0. HN_OK or an error. */
static int anneal(struct trees *t, int share, int64_t steps)
{
    int error = HN_OK;
    int64_t end = t->steps - steps;
    copy(t, t->best, t->now);
    hn_time hottest = t->best->time / share;
    while (t->steps > end && !error) {
        hn_time slack = wide_ratio(hottest, t->steps - end, steps);
        error = try_move(t, wide_ratio(slack, random_number(&t->random, 1 << 10), 1 << 10));
    }
    return error;
}

/* Rounds with a different largest loss, each with the same part of the remaining work. */
static int search(struct trees *t)
{
    static const int simulated[] = {100, 20, 8}, judged[] = {50, 10, 4};
    const int *shares = t->judge ? judged : simulated;
    int error = HN_OK, rounds = t->judge ? JUDGED_ROUNDS : ROUNDS;
    int64_t each = t->steps / rounds;
    for (int round = 0; round < rounds && each > 0 && !error; round++)
        error = anneal(t, shares[round % 3], each);
    return error;
}

/* ---- the planner ------------------------------------------------------------------------ */

/* Memory, in arrays of n integers: the shapes `now`, `trial` and `best` have four lists each (rank,
 * parent, first, next); the last array is `above`. */
enum { SHAPES = 3, LISTS = 4, ROOM = SHAPES * LISTS + 1 };

static void begin(struct trees *t, const struct problem *problem, int *room)
{
    int n = problem->req->ranks;
    *t = (struct trees){.problem = problem, .n = n, .random = 1};
    t->rooted = operation_rooted(problem->req->op);
    for (int i = 0; i < SHAPES; i++, room += LISTS * n)
        t->shape[i] = (struct shape){.rank = room,
                                     .parent = room + n,
                                     .first = room + 2 * n,
                                     .next = room + 3 * n,
                                     .time = INT64_MAX};
    t->above = room;
    t->now = &t->shape[0];
    t->trial = &t->shape[1];
    t->best = &t->shape[2];
}

/* Unless the operation has a root of its own, the tree may have another one. */
static int store(const struct trees *t, struct tree *tree)
{
    struct tree *found = tree_of(t, t->best);
    if (!found)
        return HN_ENOMEM;
    tree->root = tree->order[0] = found->root;
    for (int i = 1; i < t->n; i++)
        tree_add(tree, found->parent[found->order[i]], found->order[i]);
    tree_free(found);
    return HN_OK;
}

/* Only a broadcast has one message of the same size on each edge in the port models. Other
 * operations have two directions or different sizes. */
bool planner_needs_simulation(const struct problem *problem)
{
    const struct request *req = problem->req;
    return req->op != OP_BCAST || problem->model->port == PORT_MEDIA;
}

/* Allocates the arrays of a search; the caller frees *room in either case. */
static int begin_trees(struct trees *t, const struct problem *problem, int64_t steps, int **room)
{
    *room = malloc((size_t)problem->req->ranks * ROOM * sizeof **room);
    if (!*room)
        return HN_ENOMEM;
    begin(t, problem, *room);
    t->steps = steps;
    return HN_OK;
}

/* Improves the best tree so far and adds its edges to `tree`. HN_OK or an error. */
static int finish(struct trees *t, struct tree *tree)
{
    int error = t->best->time == INT64_MAX ? HN_EPLAN : HN_OK;
    if (!error && t->n > 2)
        error = search(t);
    return error ? error : store(t, tree);
}

/* Whether a search is not worth its time: the best tree of all planners takes more than FAR times
 * as long as problem.limit. On networks of very different costs moves saved more than half. */
static bool is_hopeless(const struct trees *t)
{
    hn_time limit = t->problem->limit;
    return limit > 0 && t->n > RANKS_FEW && t->best->time < INT64_MAX &&
           t->best->time / FAR > limit;
}

/* Evaluates the tree of the caller's function, which counts as one more start. */
static int try_start(struct trees *t, int (*start)(const struct problem *, struct tree *))
{
    struct tree *tree = tree_new(t->n, t->problem->req->root);
    int error = tree ? start(t->problem, tree) : HN_ENOMEM;
    if (!error)
        error = try_tree(t, tree);
    tree_free(tree);
    return error;
}

/* Searches from the trees of all planners and of `start`. With a judge its estimates decide;
 * otherwise the simulation. `tree` receives the edges of the best tree. */
static int search_from(const struct problem *problem, const struct tree_judge *judge, int64_t steps,
                       int (*start)(const struct problem *, struct tree *), struct tree *tree)
{
    struct trees t;
    int *room = NULL, error = begin_trees(&t, problem, steps, &room);
    t.judge = judge;
    if (!error)
        error = try_planners(&t);
    if (!error && !judge && is_hopeless(&t))
        error = store(&t, tree);
    else if (!error) {
        error = try_start(&t, start);
        if (!error)
            error = finish(&t, tree);
    }
    free(room);
    return error;
}

int planner_improve(const struct problem *problem,
                    int (*start)(const struct problem *, struct tree *), struct tree *tree)
{
    return search_from(problem, NULL, STEPS_MOST, start, tree);
}

/* After the search the children of every rank get the best order for one segment. */
int planner_pipeline(const struct problem *problem, struct tree *tree)
{
    struct pipeline p;
    struct tree_judge judge = {pipeline_time, &p};
    struct tree *found = tree_new(tree->ranks, tree->root);
    int error = pipeline_begin(&p, problem);
    if (!error)
        error = found ? search_from(problem, &judge, JUDGED_MOST, pipeline_path, found) : HN_ENOMEM;
    if (!error)
        /* The estimate ignores the order of children; broadcast_sort() chooses it for one segment.
         */
        error = tree_finish(found);
    if (!error) {
        tree->root = tree->order[0] = found->root;
        error = broadcast_sort(&p.b, found, tree);
    }
    pipeline_end(&p);
    tree_free(found);
    return error;
}
