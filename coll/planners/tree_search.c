/* tree_search.c - our own: the best greedy tree, improved by simulated annealing (Kirkpatrick,
 * Gelatt and Vecchi 1983).
 *
 * Only the shape of the tree is searched, since the best order of each rank's children is known
 * (tails.h). The makespan alone does not guide the search: in a good tree many ranks end at nearly
 * the same time, so a move that improves one of them does not change it. So the search has a target
 * time slightly below the best makespan, and minimizes the lateness: the sum over all ranks of the
 * time by which they end after the target. If it is 0, there is a new best tree and a new target.
 *
 * A move changes a rank on the path to a late one. It moves the rank with its subtree below another
 * rank, usually a near one, or exchanges it with another rank. A worse tree is accepted if the
 * lateness grows by less than a random number, exponentially distributed with the temperature as
 * mean. Every round starts from the best tree, with another initial temperature: low ones improve
 * the tree, high ones leave its neighbourhood. For whole messages among many ranks there are a few
 * long rounds in addition.
 *
 * If media are shared or edges carry several messages, tree_search_simulated.c continues with the
 * result.
 *
 * The number of moves is limited, not the time, and the random numbers are deterministic. So all
 * members of a group find the same tree.
 *
 * Cost: ROUNDS * moves() moves of O(depth * children + ranks on the paths to late ones).
 */
#include "planners/planners.h"

#include "planners/tails.h"

#include "hnow.h"
#include "probe/internal.h"

#include <string.h>

enum {
    ROUNDS = 120,        /* each starts from the best tree so far */
    MOVES_PAIR = 8,      /* in a round, for each pair of ranks, ... */
    MOVES_EACH = 200,    /* ... or for each rank, if that is less; */
    MOVES_ALL = 1 << 20, /* times ranks, at most: moves take longer with many ranks */
    NEAR = 8,            /* nearest senders kept for each rank */
    LONG_ROUNDS = 2,     /* for LONG_LEAST ... LONG_MOST ranks, each with LONG rounds' moves, */
    LONG_LEAST = 56,
    LONG_MOST = 128,   /* which more than doubles the moves; with more ranks they take too long */
    LONG = 75,         /* 5.3 % below the best heuristic, 4.6 % without (GUSTO, 64 ranks) */
    LONG_SHARE = 15,   /* ... starting at this part of the makespan */
    STEP = 2000,       /* the target is below the makespan by this part of it */
    START_SHARE = 4,   /* part of the rounds if tree_search_simulated.c continues */
    SEGMENTS_SHARE = 8 /* part of the moves for trees of segments: see moves() */
};

/* The lateness of a tree. If the computation stopped at a limit, sum exceeds it and the list is
 * incomplete. */
struct late {
    hn_time sum;
    int count, *rank; /* ranks that are late */
};

/* State of one search. `t` holds the present tree, whose lateness is *now. The other element of
 * late[] receives that of the next tree, so a rejected move needs no recomputation of *now. */
struct search {
    struct broadcast b;
    struct tails t;
    hn_time aim;
    hn_time *have;             /* [rank]: time at which it has the message */
    int *stack;                /* stack of a traversal */
    struct late late[2], *now; /* of the tree, and workspace for the next one */
    int *near;                 /* [rank * NEAR + ...]: nearest senders, in order */
    uint64_t random;
    int *best; /* [rank]: its parent in the best tree */
    hn_time least;
    struct arena arena; /* of the arrays */
};

/* A linear congruential generator; only the upper half of its state is random enough. */
static uint32_t roll(struct search *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->random >> 32);
}

/* A number in [0, n) without a division. */
static int below(struct search *s, int n)
{
    return (int)((uint64_t)roll(s) * (uint64_t)n >> 32);
}

/* `mean` times an exponentially distributed number (base 2, linear between powers). Leading zeros
 * give the integer part of -log2(x), and the bits after the first one the fraction. Integers only,
 * so that all members draw the same number. */
static hn_time exponential(struct search *s, hn_time mean)
{
    uint32_t x = roll(s) | 1;
    int zeros = __builtin_clz(x);
    int64_t rest = (x << zeros & INT32_MAX) >> 11; /* of 2^20 */
    return wide_ratio(mean, ((int64_t)zeros << 20) + (1 << 20) - rest, 1 << 20);
}

/* ---- lateness --------------------------------------------------------------------------- */

/* Computes the times of a late rank's children, or of a rank on the path to one; returns when it
 * has sent and done everything. */
static hn_time serve(struct search *s, int rank, int *top)
{
    hn_time time = s->have[rank];
    for (int child = s->t.first[rank]; child >= 0; child = s->t.next[child]) {
        size_t at = broadcast_at(&s->b, rank, child);
        /* Only subtrees that contain a late rank are visited: tail is the longest time below a
         * child. */
        s->have[child] = time + s->b.deliver[at];
        time += s->b.busy[at];
        if (s->have[child] + s->t.tail[child] > s->aim)
            s->stack[(*top)++] = child;
    }
    return time + s->b.local[rank];
}

/* Finds the late ranks; stops when the lateness exceeds `limit`. The traversal visits only subtrees
 * with late ranks, so it is short when few ranks are late. */
static void find_late(struct search *s, struct late *late, hn_time limit)
{
    int top = 0, root = s->t.root;
    late->sum = late->count = 0;
    s->have[root] = 0;
    if (s->t.tail[root] > s->aim)
        s->stack[top++] = root;
    while (top > 0 && late->sum <= limit) {
        int rank = s->stack[--top];
        hn_time end = serve(s, rank, &top);
        if (end <= s->aim)
            continue;
        late->sum += end - s->aim;
        late->rank[late->count++] = rank;
    }
}

/* ---- moves ------------------------------------------------------------------------------ */

enum kind { HANG, SWAP, NOTHING };

/* A change of the tree that can be undone: for HANG, `parent` is where the rank was before. */
struct move {
    enum kind kind;
    int rank, other; /* HANG: the new parent */
    int parent;      /* HANG: the old one */
};

/* Applies a move; tails.h keeps the children of the changed parents in their best order. */
static void make(struct search *s, struct move m)
{
    if (m.kind == HANG)
        tails_hang(&s->t, m.rank, m.other);
    else
        tails_swap(&s->t, m.rank, m.other);
}

/* A swap is its own inverse; a hang is undone by hanging the rank below its old parent. */
static void take_back(struct search *s, struct move m)
{
    if (m.kind == HANG)
        m.other = m.parent;
    make(s, m);
}

/* A rank on the path from the root to a late one; not the root. */
static int on_late_path(struct search *s)
{
    const int *parent = s->t.parent;
    int rank = s->now->rank[below(s, s->now->count)], depth = 0;
    if (rank == s->t.root) /* its sends are late: fewer of them would help */
        return s->t.first[rank];
    for (int here = rank; here != s->t.root; here = parent[here])
        depth++;
    for (int up = below(s, depth); up > 0; up--)
        rank = parent[rank];
    return rank;
}

/* Draws a move for a rank: a third of them exchange it with any rank, a third move it below any
 * rank, a third below one of its nearest senders. NOTHING: the move drawn is impossible. */
static struct move draw_move(struct search *s, int rank)
{
    const int *parent = s->t.parent;
    int any = below(s, s->t.n), kind = below(s, 3);
    /* A parent and its child cannot be exchanged: their edge would point to itself. */
    if (kind == 0 && any != s->t.root && any != rank && parent[any] != rank && parent[rank] != any)
        return (struct move){SWAP, rank, any, parent[rank]};
    int above = kind == 1 ? any : s->near[rank * NEAR + below(s, NEAR)];
    if (above == parent[rank] || tails_is_below(&s->t, above, rank))
        return (struct move){.kind = NOTHING};
    return (struct move){HANG, rank, above, parent[rank]};
}

/* Tries a move, and keeps it if the lateness grows by at most `slack`. */
static void try_move(struct search *s, hn_time slack)
{
    struct late *next = s->now == s->late ? s->late + 1 : s->late;
    int rank = on_late_path(s);
    /* Without late ranks there is no path to change. */
    struct move m = rank < 0 ? (struct move){.kind = NOTHING} : draw_move(s, rank);
    if (m.kind == NOTHING)
        return;
    hn_time limit = s->now->sum + slack;
    make(s, m);
    find_late(s, next, limit);
    if (next->sum <= limit)
        s->now = next;
    else
        take_back(s, m);
}

/* ---- the search ------------------------------------------------------------------------- */

/* Records a new best tree, in which no rank is late, and sets a new target. The new target is below
 * the makespan, so at least one rank is late again. */
static void note_best(struct search *s)
{
    s->least = s->t.tail[s->t.root];
    memcpy(s->best, s->t.parent, (size_t)s->t.n * sizeof *s->best);
    s->aim = s->least - s->least / STEP - 1;
    find_late(s, s->now, INT64_MAX);
}

/* A round: the temperature falls from a share of the makespan to 0 over the first three
 * quarters. */
static void anneal(struct search *s, int share, int moves)
{
    hn_time hottest = s->least / share;
    for (int i = 0; i < moves && s->now->count > 0; i++) {
        int64_t heat = (int64_t)moves * 3 / 4 - i;
        try_move(s, heat > 0 ? exponential(s, wide_ratio(hottest, heat, moves)) : 0);
        if (s->now->count == 0)
            note_best(s);
    }
}

/* Searches from the loaded tree. Small shares of the makespan improve it; large ones leave it. */
static void search(struct search *s, int rounds, int moves)
{
    static const int shares[] = {100, 30, 15, 8, 4};
    s->now = s->late;
    note_best(s);
    for (int round = 0; round < rounds; round++) {
        tails_load(&s->t, s->best);
        find_late(s, s->now, INT64_MAX);
        anneal(s, shares[round % 5], moves);
    }
    tails_load(&s->t, s->best);
}

/* A few long rounds from the best tree, for whole messages among many ranks. LONG says what they
 * gain. */
static void search_long(struct search *s, int moves)
{
    for (int round = 0; round < LONG_ROUNDS; round++) {
        find_late(s, s->now, INT64_MAX);
        anneal(s, LONG_SHARE, LONG * moves);
        tails_load(&s->t, s->best);
    }
}

/* Whether the data are sent in several segments, so that edges carry several messages. */
static bool is_cut(const struct problem *problem)
{
    return problem->segment > 0 && problem->segment < request_part_bytes(problem->req, 0);
}

/* Number of moves of a round. With segments the makespan of the first one is a rough estimate, so
 * there are fewer. */
static int moves(const struct search *s, const struct problem *problem)
{
    int n = s->t.n, few = n < MOVES_EACH / MOVES_PAIR ? MOVES_PAIR * n * n : MOVES_EACH * n;
    int count = few < MOVES_ALL / n ? few : MOVES_ALL / n;
    return is_cut(problem) ? count / SEGMENTS_SHARE : count;
}

/* Loads the best of the greedy trees from which the search may start. Their own orders of children
 * are dropped, since tails.h computes the best ones. HN_OK or an error. */
static int load_best_start(struct search *s, const struct problem *problem)
{
    static int (*const starts[])(const struct problem *, struct tree *) = {
        planner_ecef,      planner_ecef_la,   planner_ecef_la_avg, planner_ecef_la_avg_ab,
        planner_ecef_la_T, planner_bottom_up, planner_fnf,         planner_flat};
    s->least = INT64_MAX;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct tree *tree = tree_new(s->t.n, s->t.root);
        int error = tree ? starts[i](problem, tree) : HN_ENOMEM;
        if (!error)
            tails_load(&s->t, tree->parent);
        /* The root's tail is the makespan. */
        if (!error && s->t.tail[s->t.root] < s->least) {
            s->least = s->t.tail[s->t.root];
            memcpy(s->best, tree->parent, (size_t)s->t.n * sizeof *s->best);
        }
        tree_free(tree);
        if (error)
            return error;
    }
    tails_load(&s->t, s->best);
    return HN_OK;
}

/* Lists the nearest senders of each rank; with few ranks, some of them several times. */
static void find_near(struct search *s)
{
    for (int to = 0; to < s->t.n; to++) {
        int *near = &s->near[to * NEAR], count = 0;
        for (int from = 0; from < s->t.n; from++) {
            if (from == to)
                continue;
            /* Insertion into a sorted list of at most NEAR senders; farther ones fall off its end.
             */
            int i = count < NEAR ? count++ : NEAR;
            hn_time time = s->b.deliver[broadcast_at(&s->b, from, to)];
            for (; i > 0 && time < s->b.deliver[broadcast_at(&s->b, near[i - 1], to)]; i--)
                if (i < NEAR)
                    near[i] = near[i - 1];
            if (i < NEAR)
                near[i] = from;
        }
        for (int i = count; i < NEAR; i++)
            near[i] = count > 0 ? near[i % count] : s->t.root;
    }
}

/* Allocates and prepares a search. The caller calls end() in either case. */
static int begin(struct search *s, const struct problem *problem)
{
    *s = (struct search){.random = 1};
    int error = broadcast_begin(&s->b, problem);
    if (error)
        return error;
    size_t n = (size_t)s->b.ranks;
    error = tails_begin(&s->t, &s->b);
    ARENA_ARRAYS(&s->arena, n, s->have, s->stack, s->best);
    s->near = arena_array(&s->arena, n * NEAR, sizeof *s->near);
    ARENA_ARRAYS(&s->arena, n, s->late[0].rank, s->late[1].rank);
    if (error || s->arena.failed)
        return HN_ENOMEM;
    find_near(s);
    return HN_OK;
}

static void end(struct search *s)
{
    tails_end(&s->t);
    broadcast_end(&s->b);
    arena_free(&s->arena);
}

/* Searches under the assumption that each edge carries one message and no medium is shared. */
static int search_reckoned(const struct problem *problem, int rounds, struct tree *tree)
{
    struct search s;
    int error = begin(&s, problem);
    if (!error)
        error = load_best_start(&s, problem);
    if (!error) {
        /* With segments the makespan is a rough estimate (moves()), so there are no long rounds. */
        search(&s, rounds, moves(&s, problem));
        if (s.t.n >= LONG_LEAST && s.t.n <= LONG_MOST && !is_cut(problem) && rounds == ROUNDS)
            search_long(&s, moves(&s, problem));
        tails_store(&s.t, tree);
    }
    end(&s);
    return error;
}

/* Makes the first tree of a search by simulation; with segments a part of the work is enough. */
static int search_start(const struct problem *problem, struct tree *tree)
{
    return search_reckoned(problem, is_cut(problem) ? ROUNDS / START_SHARE : ROUNDS, tree);
}

int planner_search(const struct problem *problem, struct tree *tree)
{
    return planner_needs_simulation(problem) ? planner_improve(problem, search_start, tree)
                                             : search_reckoned(problem, ROUNDS, tree);
}
