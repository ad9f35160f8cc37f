/* vector_exchange.c - instances of kind exchange: a message of individual cost from every rank to
 * every rank. Costs are times; messages have no size here. The model is the blocking one: an event
 * occupies the sender's out port and the receiver's in port.
 */
#include "vector.h"
#include "exchange_exact.h"

#include "hnow.h"

#include <string.h>

/* Rows of [from, to, begin, end]. In the order in which the heuristic placed them, which need not
 * be that of their begins. */
static json_object *schedule_of(const struct vector *v, const struct exchange *x)
{
    json_object *schedule = json_object_new_array();
    for (int i = 0; i < x->count; i++) {
        json_object *row = json_object_new_array();
        json_object_array_add(row, json_object_new_int(x->events[i].from));
        json_object_array_add(row, json_object_new_int(x->events[i].to));
        json_object_array_add(row, vector_json(v, x->events[i].start));
        json_object_array_add(row, vector_json(v, x->events[i].end));
        json_object_array_add(schedule, row);
    }
    return schedule;
}

/* permutations[step][i]: the receiver of rank i in that step. A rank that has itself sends nothing
 * in that step. */
static json_object *permutations_of(const struct exchange *x)
{
    json_object *steps = json_object_new_array();
    for (int step = 0; step < x->ranks; step++) {
        json_object *row = json_object_new_array();
        for (int i = 0; i < x->ranks; i++)
            json_object_array_add(row, json_object_new_int(x->permutations[step * x->ranks + i]));
        json_object_array_add(steps, row);
    }
    return steps;
}

/* Runs one heuristic. Returns its makespan. */
static hn_time add_heuristic(struct vector *v, const struct exchange_heuristic *h,
                             struct exchange *x, json_object *algorithms)
{
    json_object *entry = json_object_new_object();
    /* Each heuristic starts from an empty schedule. */
    v->error = h->run(x);
    if (v->error) {
        json_object_put(entry);
        return INT64_MAX;
    }
    hn_time makespan = x->makespan;
    json_object_object_add(entry, "makespan", vector_json(v, makespan));
    json_object_object_add(entry, "schedule", schedule_of(v, x));
    /* Matchings have steps.  In addition the time is computed in which a receiver serves first the
     * message that can begin first (exchange_fcfs()). exchange_fcfs() replaces the schedule, which
     * is why the makespan was stored before. */
    if (strstr(h->name, "matching")) {
        json_object_object_add(entry, "unique", json_object_new_boolean(x->unique));
        json_object_object_add(entry, "permutations", permutations_of(x));
        v->error = exchange_fcfs(x);
        json_object_object_add(entry, "fcfs_makespan", vector_json(v, x->makespan));
    }
    json_object_object_add(algorithms, h->name, entry);
    return makespan;
}

/* Returns true if the best result is proven to be the optimum; then adds it as an entry. HN_EPLAN
 * of the search is no error: there is no proof then, and no entry. */
static bool add_exact(struct vector *v, struct exchange *x, json_object *algorithms, hn_time *best,
                      const char **name)
{
    static const struct exchange_heuristic exact = {"exact", "", exchange_exact};
    if (v->error)
        return false;
    hn_time makespan = add_heuristic(v, &exact, x, algorithms);
    bool optimal = !v->error;
    if (v->error == HN_EPLAN)
        v->error = HN_OK;
    if (optimal && makespan < *best) {
        *best = makespan;
        *name = exact.name;
    }
    return optimal;
}

/* "optimum" is present only with a proof, else "best_known". */
static void run_all(struct vector *v, struct exchange *x, json_object *answer)
{
    json_object *algorithms = json_object_new_object();
    hn_time best = INT64_MAX;
    const char *name = NULL;
    json_object_object_add(answer, "lower_bound", vector_json(v, exchange_bound(x)));
    json_object_object_add(answer, "algorithms", algorithms);
    for (int i = 0; i < exchange_heuristic_count && !v->error; i++) {
        hn_time makespan = add_heuristic(v, &exchange_heuristics[i], x, algorithms);
        if (makespan < best) {
            best = makespan;
            name = exchange_heuristics[i].name;
        }
    }
    bool optimal = add_exact(v, x, algorithms, &best, &name);
    if (v->error)
        return;
    /* The best entry once more, by reference. */
    json_object_object_add(algorithms, "auto",
                           json_object_get(json_object_object_get(algorithms, name)));
    json_object_object_add(answer, optimal ? "optimum" : "best_known", vector_json(v, best));
}

/* n^2 costs are read before the scale is known. */
int vector_exchange(struct vector *v, json_object *answer)
{
    struct exchange x = {0};
    v->n = vector_int(v, "n", 1, VECTOR_RANKS_MOST);
    size_t cells = (size_t)v->n * (size_t)v->n;
    double *raw = v->error ? NULL : vector_matrix(v, "cost", v->n, v->n);
    /* Allocated also after an error, which only wastes memory. */
    hn_time *cost = vector_array(v, cells, sizeof *cost);
    if (!v->error) {
        /* No schedule takes longer than all messages one after the other. */
        v->scale = vector_scale(v, raw, (int)cells, (double)cells * vector_most(raw, (int)cells));
        for (size_t i = 0; i < cells; i++)
            cost[i] = vector_scaled(v, raw[i]);
        if (!v->error)
            v->error = exchange_begin(&x, v->n, cost);
        if (!v->error)
            run_all(v, &x, answer);
        exchange_end(&x);
    }
    return v->error;
}
