/* vector_broadcast.c - instances of kind broadcast: one message, one root, costs in three forms.
 *
 *     model      busy (sender)    deliver (until the receiver has it)    local
 *     blocking   cost             cost                                   0
 *     plogp      g                g + L                                  T
 *     sxr        S_i              S_i + X_ij + R_j                       0
 *
 * Trees are compared by coll's evaluation of broadcasts, not by the simulation: the vectors are
 * about the papers' formulae. Every planner that makes trees runs, so the answer grows by itself
 * with a new planner.
 */
#include "vector.h"

#include <string.h>

/* The costs as read from an instance, before they are put in a table. All are in the file's units.
 * Cells are by row, from * n + to; those that the model lacks are 0. */
struct raw {
    double *send, *travel, *recv, *local; /* n * n, n * n, n * n, n */
};

/* The three costs of each pair are computed for the one message length, as planners here have a
 * message without size. */
static void read_sxr(struct vector *v, struct raw *raw)
{
    int n = v->n;
    double length = vector_amount(v, "message_length"); /* it is only multiplied */
    double *sc = vector_numbers(v, "Sc", n), *sm = vector_numbers(v, "Sm", n);
    double *rc = vector_numbers(v, "Rc", n), *rm = vector_numbers(v, "Rm", n);
    double *xc = vector_matrix(v, "Xc", n, n), *xm = vector_matrix(v, "Xm", n, n);
    for (int i = 0; i < n * n && !v->error; i++) {
        raw->send[i] = sc[i / n] + sm[i / n] * length;
        raw->travel[i] = xc[i] + xm[i] * length;
        raw->recv[i] = rc[i % n] + rm[i % n] * length;
    }
}

/* Reads the costs of one of the three models.  Those that a model does not have are 0. */
static void read_costs(struct vector *v, struct raw *raw)
{
    int n = v->n;
    size_t cells = (size_t)n * (size_t)n;
    const char *model = vector_text(v, "model");
    /* The first matrix is the sender's cost in each model, under another name. */
    *raw = (struct raw){0};
    if (strcmp(model, "blocking") == 0)
        raw->send = vector_matrix(v, "cost", n, n);
    else if (strcmp(model, "plogp") == 0)
        raw->send = vector_matrix(v, "g", n, n);
    else
        raw->send = vector_array(v, cells, sizeof *raw->send);
    raw->travel = strcmp(model, "plogp") ? vector_array(v, cells, sizeof *raw->travel)
                                         : vector_matrix(v, "L", n, n);
    raw->local = strcmp(model, "plogp") ? vector_array(v, (size_t)n, sizeof *raw->local)
                                        : vector_numbers(v, "T", n);
    raw->recv = vector_array(v, cells, sizeof *raw->recv);
    /* After an error some arrays may be NULL. */
    if (v->error)
        return;
    if (strcmp(model, "sxr") == 0)
        read_sxr(v, raw);
    else if (strcmp(model, "plogp") && strcmp(model, "blocking"))
        vector_fail(v, "input.model: \"%.20s\": give blocking, plogp or sxr", model);
}

/* The costs as integers. NULL after an error. The caller frees it. */
static struct table *make_table(struct vector *v, const struct raw *raw)
{
    int cells = v->n * v->n;
    const double *all[] = {raw->send, raw->travel, raw->recv, raw->local};
    /* Room for three matrices and a row, which is no longer than a matrix. */
    double *numbers = vector_array(v, (size_t)(4 * cells), sizeof *numbers);
    struct table *table = numbers ? table_new(v->n) : NULL;
    int count = 0;
    if (!table) {
        v->error = HN_ENOMEM;
        return NULL;
    }
    /* The diagonal of the matrices is not used, and may be of any size; it is left out of the
     * scale. k = 3 is local[], which has no diagonal. A single rank has nothing but its diagonal,
     * which must give a scale. */
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < (k == 3 ? v->n : cells); i++)
            if (k == 3 || v->n == 1 || i / v->n != i % v->n)
                numbers[count++] = all[k][i];
    /* No broadcast takes longer than all its messages one after the other. The factor 4 covers
     * send, travel, receive and local time of each. */
    v->scale = vector_scale(v, numbers, count, 4.0 * v->n * vector_most(numbers, count));
    /* Diagonal cells that exceed the range are cut off by vector_scaled(). */
    for (int k = 0; k < TABLE_COSTS; k++)
        for (int i = 0; i < cells; i++)
            table->constant[k][i] = vector_scaled(v, all[k][i]);
    for (int i = 0; i < v->n; i++)
        table->local[i] = vector_scaled(v, raw->local[i]);
    return table;
}

/* ---- the answer ------------------------------------------------------------------------- */

/* Executes the tree in the order in which it grew. A row is [from, to, begin, arrival]. tree->order
 * has parents before their children. */
static json_object *schedule_of(struct vector *v, const struct broadcast *b,
                                const struct tree *tree)
{
    json_object *schedule = json_object_new_array();
    hn_time *ready = vector_array(v, (size_t)v->n, sizeof *ready);
    for (int i = 1; i < v->n && ready; i++) {
        int to = tree->order[i], from = tree->parent[to];
        json_object *row = json_object_new_array();
        ready[to] = ready[from] + b->deliver[broadcast_at(b, from, to)];
        json_object_array_add(row, json_object_new_int(from));
        json_object_array_add(row, json_object_new_int(to));
        json_object_array_add(row, vector_json(v, ready[from]));
        json_object_array_add(row, vector_json(v, ready[to]));
        json_object_array_add(schedule, row);
        /* The sender's next message may begin after this one's busy time. */
        ready[from] += b->busy[broadcast_at(b, from, to)];
    }
    return schedule;
}

/* A matrix as nested lists, with 0 on its diagonal. */
static json_object *rows_of(const struct vector *v, const hn_time *cells)
{
    json_object *rows = json_object_new_array();
    for (int i = 0; i < v->n; i++) {
        json_object *row = json_object_new_array();
        for (int k = 0; k < v->n; k++)
            json_object_array_add(row, vector_json(v, i == k ? 0 : cells[i * v->n + k]));
        json_object_array_add(rows, row);
    }
    return rows;
}

/* Adds the values that planners derive from the costs, for a comparison with other implementations.
 */
static void add_derived(const struct vector *v, const struct problem *problem,
                        const struct broadcast *b, json_object *answer)
{
    json_object *derived = json_object_new_object();
    json_object *local = json_object_new_array(), *node = json_object_new_array();
    for (int i = 0; i < v->n; i++) {
        /* The node cost by which fastest-node-first orders nodes: what a node needs to serve all
         * others. */
        hn_time sum = 0;
        for (int k = 0; k < v->n; k++)
            sum += i == k ? 0 : b->busy[broadcast_at(b, i, k)];
        /* in this model S does not depend on the receiver */
        if (strcmp(json_object_get_string(json_object_object_get(v->input, "model")), "sxr") == 0)
            sum = model_cost(problem->model, i, (i + 1) % v->n, 0).send;
        json_object_array_add(local, vector_json(v, b->local[i]));
        json_object_array_add(node, vector_json(v, sum));
    }
    json_object_object_add(derived, "busy", rows_of(v, b->busy));
    json_object_object_add(derived, "deliver", rows_of(v, b->deliver));
    json_object_object_add(derived, "local", local);
    json_object_object_add(derived, "node_cost", node);
    json_object_object_add(answer, "derived", derived);
}

/* Runs one planner. Returns its makespan, or -1 if it does not support the instance. The planner's
 * tree is evaluated with the costs of the instance; `problem` itself is not changed. */
static hn_time add_algorithm(struct vector *v, const struct problem *problem,
                             const struct broadcast *b, const struct planner *planner,
                             json_object *algorithms)
{
    struct tree *tree = tree_new(v->n, problem->req->root);
    struct problem own = *problem;
    /* A planner of k-ary trees has its own arity. */
    own.arity = planner->arity;
    /* HN_EPLAN: the planner does not serve this instance, such as a search that is too large. */
    int error = tree ? planner->tree(&own, tree) : HN_ENOMEM;
    hn_time makespan = error ? -1 : broadcast_makespan(b, tree);
    if (!error) {
        json_object *entry = json_object_new_object();
        json_object_object_add(entry, "makespan", vector_json(v, makespan));
        json_object_object_add(entry, "schedule", schedule_of(v, b, tree));
        json_object_object_add(algorithms, planner->name, entry);
    } else if (error != HN_EPLAN) {
        v->error = error;
    }
    tree_free(tree);
    return makespan;
}

/* Runs every planner of trees that serves the request. */
static int run_all(struct vector *v, const struct problem *problem, const struct broadcast *b,
                   json_object *answer)
{
    json_object *algorithms = json_object_new_object();
    const struct planner *best = NULL;
    hn_time least = -1;
    bool exact = false;
    for (int i = 0; i < planner_count && !v->error; i++) {
        /* Planners that make plans instead of trees need data and blocks, and are left out. */
        if (!planners[i].tree || !planner_serves(&planners[i], problem->req))
            continue;
        hn_time makespan = add_algorithm(v, problem, b, &planners[i], algorithms);
        exact = exact || strcmp(planners[i].name, "exact") == 0;
        if (makespan >= 0 && (least < 0 || makespan < least)) {
            least = makespan;
            best = &planners[i];
        }
    }
    /* `auto` is a second reference to the best planner's entry. */
    if (best)
        /* The answer's object owns one reference each. */
        json_object_object_add(algorithms, "auto",
                               json_object_get(json_object_object_get(algorithms, best->name)));
    json_object_object_add(answer, "lower_bound",
                           vector_json(v, broadcast_bound(problem->req, problem->model)));
    json_object_object_add(answer, "algorithms", algorithms);
    json_object_object_add(answer, "best_known", vector_json(v, least));
    /* `exact` does not serve large instances; without its entry there is no proof of the optimum.
     */
    if (exact)
        /* The least of all is the exact planner's makespan, as none can be below it. */
        json_object_object_add(answer, "optimum", vector_json(v, least));
    return v->error;
}

/* The message has no length of its own: a file gives the costs of whole messages, or length and
 * rates. */
int vector_broadcast(struct vector *v, json_object *answer)
{
    struct raw raw = {0};
    struct table *table = NULL;
    struct model model;
    struct broadcast b = {0};
    v->n = vector_int(v, "n", 1, VECTOR_RANKS_MOST);
    /* Without bytes: the costs are those of the whole message. */
    struct request req = {.op = OP_BCAST, .ranks = v->n, .grain = 1};
    req.root = vector_int(v, "root", 0, v->n - 1);
    struct problem problem = {.req = &req, .model = &model};
    if (!v->error)
        read_costs(v, &raw);
    if (!v->error)
        table = make_table(v, &raw);
    if (!v->error) {
        bool blocking = strcmp(vector_text(v, "model"), "blocking") == 0;
        model_of_table(&model, table, blocking ? PORT_BLOCKING : PORT_NONBLOCKING);
        /* broadcast_begin() reads the times of the message from the matrix, and fails without one.
         */
        struct matrix *matrix = matrix_new(&model, 0);
        problem.matrix = matrix;
        v->error = broadcast_begin(&b, &problem);
        if (!v->error) {
            add_derived(v, &problem, &b, answer);
            run_all(v, &problem, &b, answer);
        }
        broadcast_end(&b);
        matrix_free(matrix);
    }
    table_free(table);
    return v->error;
}
