/* vector_topology.c - instances of kind topology: ECO's partition and ring, and the trees of
 * section 6, in the blocking model.
 *
 * An answer has: partitions for each tolerance with ring, the minimum spanning tree, the time of a
 * butterfly exchange, and trees for each root. Costs are symmetric only by chance, so distances are
 * means of both directions where an undirected one is needed.
 */
#include "vector.h"

#include "hnow.h"
#include "probe/internal.h"

#include <math.h>
#include <string.h>

enum { OPTIMUM_RANKS_MOST = 8 }; /* the exact search is exponential */

/* An instance, and what was computed from it so far. Members are filled from top to bottom; `first`
 * lives until solve() ends, `trees` belongs to the answer. */
struct topology {
    struct vector *v;
    hn_time *cost;
    struct problem problem;
    struct broadcast b;
    struct clusters first; /* of the first tolerance */
    int arity;
    json_object *mst; /* edges given with the input; NULL: none */
    json_object *trees;
};

/* ---- partitions ------------------------------------------------------------------------- */

/* The members of each cluster, as lists. */
static json_object *members_of(const struct clusters *c)
{
    json_object *subnets = json_object_new_array();
    for (int i = 0; i < c->count; i++)
        json_object_array_add(subnets,
                              vector_ints(&c->member[c->first[i]], c->first[i + 1] - c->first[i]));
    return subnets;
}

/* The mean of both directions. */
static hn_time weight(const struct topology *t, int a, int b)
{
    /* The sum is even by the choice of the scale, so the half is exact. */
    size_t n = (size_t)t->v->n;
    return (t->cost[(size_t)a * n + (size_t)b] + t->cost[(size_t)b * n + (size_t)a]) / 2;
}

/* ECO's ring (Figure 3c): from rank 0 always to the nearest unvisited rank, inside the cluster as
 * long as possible. The distance is the smaller of cost[i][j] and cost[j][i]. O(n^2). tour[] is a
 * permutation at all times: visited ranks come first. */
static void find_tour(const struct clusters *c, const hn_time *cost, int *tour)
{
    int n = c->ranks;
    for (int i = 0; i < n; i++)
        tour[i] = i;
    for (int place = 1; place < n; place++) {
        /* `home`: the candidate is in the cluster of the rank before it. */
        int here = tour[place - 1], best = -1;
        bool best_home = false;
        hn_time least = 0;
        for (int i = place; i < n; i++) {
            int rank = tour[i];
            bool home = c->of[rank] == c->of[here];
            hn_time away = cost[(size_t)here * (size_t)n + (size_t)rank] +
                           cost[(size_t)rank * (size_t)n + (size_t)here];
            /* Of equal distances the lower rank is taken, so the tour is unique. */
            bool nearer = away < least || (best >= 0 && away == least && rank < tour[best]);
            /* In the own cluster first, whatever the distance; the cluster is left when it is
             * empty. */
            if (best < 0 || home > best_home || (home == best_home && nearer)) {
                best = i;
                best_home = home;
                least = away;
            }
        }
        int next = tour[best];
        tour[best] = tour[place];
        tour[place] = next;
    }
}

/* Adds the ring, its length, and how often it leaves a cluster. */
static void add_ring(const struct topology *t, const struct clusters *c, json_object *entry)
{
    int n = t->v->n, crossings = 0, *tour = vector_array(t->v, (size_t)n, sizeof *tour);
    hn_time length = 0;
    if (!tour)
        return;
    find_tour(c, t->cost, tour);
    /* A ring: the last rank is followed by the first. */
    for (int i = 0; i < n; i++) {
        int next = tour[(i + 1) % n];
        length += weight(t, tour[i], next);
        crossings += c->of[tour[i]] != c->of[next];
    }
    json_object_object_add(entry, "ring", vector_ints(tour, n));
    json_object_object_add(entry, "ring_cost", vector_json(t->v, length));
    json_object_object_add(entry, "ring_crossings", json_object_new_int(crossings));
}

/* Adds the partitions for one tolerance; keeps the first one. */
static void add_partition(struct topology *t, double tolerance, json_object *partitions)
{
    struct clusters c = {0};
    int *label = vector_array(t->v, (size_t)t->v->n, sizeof *label);
    int count = HN_ENOMEM;
    if (label)
        /* A tolerance of the file is a fraction; subnet_partition() takes millionths. Labels are 0
         * ... count - 1; count is negative on an error. */
        count = subnet_partition(t->v->n, t->cost, llrint(tolerance * 1e6), label);
    t->v->error = count < 0 ? count : clusters_begin(&c, t->v->n, label, count);
    if (!t->v->error) {
        json_object *entry = json_object_new_object();
        json_object_object_add(entry, "tolerance", json_object_new_double(tolerance));
        json_object_object_add(entry, "subnets", members_of(&c));
        add_ring(t, &c, entry);
        json_object_array_add(partitions, entry);
    }
    /* The first partition is kept for the trees, and freed by solve(). */
    if (t->v->error || t->first.ranks)
        clusters_end(&c);
    else
        t->first = c;
}

/* Adds one entry for each tolerance of the input. */
static void add_partitions(struct topology *t, json_object *answer)
{
    json_object *list = vector_list(t->v, "tolerances"), *partitions = json_object_new_array();
    json_object_object_add(answer, "partitions", partitions);
    int count = list ? (int)json_object_array_length(list) : 0;
    /* The entries are checked there for being numbers of at least 0. */
    double *tolerances = vector_numbers(t->v, "tolerances", count);
    if (!t->v->error && count == 0)
        vector_fail(t->v, "input.tolerances: empty: give at least one");
    for (int i = 0; i < count && !t->v->error; i++)
        if (tolerances[i] > 1000)
            vector_fail(t->v, "input.tolerances[%d]: give at most 1000", i);
        else
            add_partition(t, tolerances[i], partitions);
}

/* ---- trees ------------------------------------------------------------------------------ */

/* Lists of children, by rank. */
static json_object *children_of(const struct tree *tree)
{
    json_object *rows = json_object_new_array();
    /* tree_finish() has filled child[] and first[]. */
    for (int rank = 0; rank < tree->ranks; rank++)
        json_object_array_add(rows, vector_ints(&tree->child[tree->first[rank]],
                                                tree->first[rank + 1] - tree->first[rank]));
    return rows;
}

/* Appends a complete tree. show: `children` is null for the exact tree, since several may be
 * optimum. */
static void add_tree(struct topology *t, const char *name, struct tree *tree, bool show)
{
    /* Children are also sorted in the best order for this tree, since the order of ECO's is given.
     */
    struct tree *sorted = tree_new(tree->ranks, tree->root);
    t->v->error = sorted ? tree_finish(tree) : HN_ENOMEM;
    if (!t->v->error)
        t->v->error = broadcast_sort(&t->b, tree, sorted);
    if (!t->v->error) {
        json_object *entry = json_object_new_object();
        json_object_object_add(entry, "root", json_object_new_int(tree->root));
        json_object_object_add(entry, "tree", json_object_new_string(name));
        json_object_object_add(entry, "children", show ? children_of(tree) : NULL);
        json_object_object_add(entry, "makespan",
                               vector_json(t->v, broadcast_makespan(&t->b, tree)));
        json_object_object_add(entry, "makespan_reordered",
                               vector_json(t->v, broadcast_makespan(&t->b, sorted)));
        json_object_array_add(t->trees, entry);
    }
    tree_free(sorted);
}

/* The leader of a cluster: the root in its own cluster, in others the member with the cheapest edge
 * from the root. The edge from the root is directed. O(members). */
static int leader_of(const struct topology *t, int cluster, int root)
{
    const struct clusters *c = &t->first;
    const hn_time *reach = &t->cost[(size_t)root * (size_t)t->v->n];
    int leader = c->member[c->first[cluster]];
    for (int m = c->first[cluster] + 1; m < c->first[cluster + 1]; m++)
        if (reach[c->member[m]] < reach[leader])
            leader = c->member[m];
    return c->of[root] == cluster ? root : leader;
}

/* ECO's tree (section 5) on the first partition: the root serves the leaders of the other clusters;
 * inside a cluster, a balanced tree over the leader and the other members in ascending order. */
static int grow_eco(const struct topology *t, struct tree *tree)
{
    const struct clusters *c = &t->first;
    int *host = vector_array(t->v, (size_t)tree->ranks, sizeof *host);
    for (int i = 0; host && i < c->count; i++)
        /* Leaders of other clusters before the root's own members: long edges first. */
        if (i != c->of[tree->root])
            tree_add(tree, tree->root, leader_of(t, i, tree->root));
    for (int i = 0; host && i < c->count; i++) {
        int count = 1;
        host[0] = leader_of(t, i, tree->root);
        for (int m = c->first[i]; m < c->first[i + 1]; m++)
            if (c->member[m] != host[0])
                host[count++] = c->member[m];
        for (int k = 1; k < count; k++)
            /* Child k of a balanced tree of this arity, by position, as in a heap. */
            tree_add(tree, host[(k - 1) / t->arity], host[k]);
    }
    return t->v->error;
}

/* Reads a pair of hosts.  Returns false if it is none. */
static bool read_edge(const struct topology *t, json_object *pair, struct span_edge *edge)
{
    if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
        return false;
    /* A missing number is 0 to json-c; the check below is of the range only. */
    edge->a = json_object_get_int(json_object_array_get_idx(pair, 0));
    edge->b = json_object_get_int(json_object_array_get_idx(pair, 1));
    return edge->a >= 0 && edge->a < t->v->n && edge->b >= 0 && edge->b < t->v->n;
}

/* The spanning tree of mst_edges, from the root.  The input may give one to compare trees where
 * several spanning trees have the same weight. */
static int grow_given(const struct topology *t, struct tree *tree)
{
    int count = (int)json_object_array_length(t->mst);
    struct span_edge *edges = vector_array(t->v, (size_t)count + 1, sizeof *edges);
    /* vector_array() may have failed. */
    int error = t->v->error;
    for (int i = 0; i < count && !error; i++)
        if (!read_edge(t, json_object_array_get_idx(t->mst, (size_t)i), &edges[i]))
            error = vector_fail(t->v, "input.mst_edges[%d]: not two hosts below %d", i, t->v->n);
    if (!error && spanning_hang(edges, count, tree) == HN_EPLAN)
        error = vector_fail(t->v, "input.mst_edges: not all hosts are joined");
    return error;
}

/* Adds all trees from one root.  b is computed once, and used for every root. planner->tree() reads
 * the root from req, broadcast_makespan() from b. */
static void add_trees(struct topology *t, int root)
{
    static const char *const names[] = {"binary",    "kary", "star", "chain",     "binomial",
                                        "butterfly", "mst",  "eco",  "given_mst", "optimum"};
    struct request req = {.op = OP_BCAST, .ranks = t->v->n, .root = root, .grain = 1};
    t->problem.req = &req;
    t->b.root = root;
    for (size_t i = 0; i < sizeof names / sizeof *names && !t->v->error; i++) {
        bool eco = strcmp(names[i], "eco") == 0, given = strcmp(names[i], "given_mst") == 0;
        bool optimum = strcmp(names[i], "optimum") == 0;
        /* These two exist only for some instances. */
        if ((given && !t->mst) || (optimum && t->v->n > OPTIMUM_RANKS_MOST))
            continue;
        struct tree *tree = tree_new(t->v->n, root);
        /* "eco" and "given_mst" are no planners of trees; planner is not used for them. */
        const struct planner *planner = planner_named(optimum ? "exact" : names[i]);
        t->problem.arity = strcmp(names[i], "kary") == 0 ? t->arity : planner ? planner->arity : 0;
        t->v->error = !tree   ? HN_ENOMEM
                      : eco   ? grow_eco(t, tree)
                      : given ? grow_given(t, tree)
                              : planner->tree(&t->problem, tree);
        if (!t->v->error)
            add_tree(t, names[i], tree, !optimum);
        tree_free(tree);
    }
}

/* ---- the rest --------------------------------------------------------------------------- */

/* The minimum spanning tree, which is that of Kruskal's algorithm, and its weight, by the mean of
 * both directions.  Weights of edges are sums of both. n - 1 edges. */
static void add_spanning(struct topology *t, json_object *answer)
{
    int n = t->v->n;
    struct span_edge *edges = vector_array(t->v, (size_t)n, sizeof *edges);
    json_object *list = json_object_new_array();
    hn_time sum = 0;
    t->v->error = edges ? spanning_edges(n, t->cost, edges) : HN_ENOMEM;
    for (int i = 0; i < n - 1 && !t->v->error; i++) {
        json_object_array_add(list, vector_ints((const int[]){edges[i].a, edges[i].b}, 2));
        sum += edges[i].weight / 2;
    }
    json_object_object_add(answer, "kruskal_edges", list);
    json_object_object_add(answer, "kruskal_weight", vector_json(t->v, sum));
}

/* One stage of the exchange: both ends are busy until the slower direction is done. q is a power of
 * two and s one below it; time[] is when each rank is ready. */
static void exchange_stage(const struct topology *t, int q, int s, hn_time *time)
{
    size_t n = (size_t)t->v->n;
    for (int r = 0; r < q; r++) {
        int o = r ^ s;
        if (o < r)
            continue;
        hn_time takes =
            time_later(t->cost[(size_t)r * n + (size_t)o], t->cost[(size_t)o * n + (size_t)r]);
        time[r] = time[o] = time_later(time[r], time[o]) + takes;
    }
}

/* Butterfly exchange; ranks beyond the largest power of two take part through a partner. */
static void add_exchange(struct topology *t, json_object *answer)
{
    int n = t->v->n, q = 1;
    size_t row = (size_t)n;
    hn_time *time = vector_array(t->v, row, sizeof *time), end = 0;
    if (!time)
        return;
    while (q * 2 <= n)
        q *= 2;
    /* q: the largest power of two that is not above n.  Ranks from q on hand their data to a
     * partner before, and receive the result after it. time[] of both becomes the end of that
     * message. */
    for (int r = q; r < n; r++)
        time[r] = time[r - q] = t->cost[(size_t)r * row + (size_t)(r - q)];
    for (int s = 1; s < q; s *= 2)
        exchange_stage(t, q, s, time);
    for (int r = 0; r < n; r++)
        /* The result's way back to the ranks beyond q. */
        end = time_later(end, r < q ? time[r]
                                    : time[r - q] + t->cost[(size_t)(r - q) * row + (size_t)r]);
    json_object_object_add(answer, "butterfly_exchange", vector_json(t->v, end));
}

/* Adds the trees of every root in the input. A wrong root ends the instance, with the entries of
 * earlier roots dropped. */
static void add_all_trees(struct topology *t, json_object *answer)
{
    json_object *list = vector_list(t->v, "roots");
    t->trees = json_object_new_array();
    json_object_object_add(answer, "trees", t->trees);
    for (size_t i = 0; list && i < json_object_array_length(list) && !t->v->error; i++) {
        json_object *o = json_object_array_get_idx(list, i);
        int64_t root;
        if (!vector_whole(o, &root) || root < 0 || root >= t->v->n)
            vector_fail(t->v, "input.roots[%zu]: no host below %d", i, t->v->n);
        else
            add_trees(t, (int)root);
    }
}

/* Reads the costs, scaled so that the mean of two is an integer. */
static struct table *read_table(struct vector *v)
{
    size_t cells = (size_t)v->n * (size_t)v->n;
    double *raw = vector_matrix(v, "cost", v->n, v->n);
    struct table *table = v->error ? NULL : table_new(v->n);
    if (!v->error && !table)
        v->error = HN_ENOMEM;
    if (!v->error) {
        /* Half of a scaled number is an integer, since the scale is doubled; the other factors
         * leave room for sums. The factor 16 n: a tour and trees add up to n costs of both
         * directions. */
        v->scale = 2 * vector_scale(v, raw, (int)cells, 16.0 * v->n * vector_most(raw, (int)cells));
        for (size_t i = 0; i < cells; i++)
            /* The diagonal is 0 whatever the file says. */
            table->constant[TABLE_SEND][i] =
                i % ((size_t)v->n + 1) == 0 ? 0 : vector_scaled(v, raw[i]);
    }
    return table;
}

/* Each part needs those before: trees use the first partition. */
static void solve(struct topology *t, struct table *table, json_object *answer)
{
    struct model model;
    model_of_table(&model, table, PORT_BLOCKING);
    struct matrix *matrix = matrix_new(&model, 0);
    /* The request changes for each root; this one is for the parts without a root. */
    struct request req = {.op = OP_BCAST, .ranks = t->v->n, .grain = 1};
    t->cost = table->constant[TABLE_SEND];
    t->problem = (struct problem){.req = &req, .model = &model, .matrix = matrix};
    t->v->error = matrix ? broadcast_begin(&t->b, &t->problem) : HN_ENOMEM;
    if (!t->v->error)
        add_partitions(t, answer);
    if (!t->v->error)
        add_spanning(t, answer);
    if (!t->v->error)
        add_exchange(t, answer);
    if (!t->v->error)
        add_all_trees(t, answer);
    broadcast_end(&t->b);
    clusters_end(&t->first);
    matrix_free(matrix);
}

/* "mst_edges" is optional; every other member must be there. */
int vector_topology(struct vector *v, json_object *answer)
{
    struct topology t = {.v = v};
    v->n = vector_int(v, "n", 1, VECTOR_RANKS_MOST);
    t.arity = vector_int(v, "k", 1, VECTOR_RANKS_MOST);
    struct table *table = v->error ? NULL : read_table(v);
    if (json_object_object_get_ex(v->input, "mst_edges", &t.mst) &&
        !json_object_is_type(t.mst, json_type_array))
        vector_fail(v, "input.mst_edges: no list");
    if (!v->error)
        solve(&t, table, answer);
    table_free(table);
    return v->error;
}
