/* vector_multicast.c - instances of kind multicast: messages with any sources, destinations and
 * lengths. */
#include "vector.h"

#include "hnow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Multiplied by PARTS_MOST, a length is still below 2^63. */
static const double LENGTH_MOST = (int64_t)1 << 40;
static const int64_t PARTS_MOST = 1000000; /* lengths have up to six decimals */

/* ---- reading ---------------------------------------------------------------------------- */

/* `wants` has a row of n for each message, which message[k].wants points to. */
struct messages {
    struct multicast_message *message; /* their bytes are lengths times `parts` */
    double *length;                    /* [message], as in the file */
    int64_t parts;
    bool *wants;
    int count, deliveries;
    int64_t longest;
};

/* The time of all deliveries one after the other. Each of the three costs counts with its largest
 * constant and largest rate, so no schedule can take longer. One more, so that the result is not 0
 * without deliveries. */
static double most_time(const struct messages *messages, double *const raw[6], int n)
{
    double most = 0;
    /* k: the constants at even, the rates at odd indices of raw. */
    for (int k = 0; k < 6; k += 2) {
        int count = k == 2 ? n * n : n;
        most +=
            vector_most(raw[k], count) + vector_most(raw[k + 1], count) * (double)messages->longest;
    }
    return most * (messages->deliveries + 1);
}

/* raw: Sc, Sm, Xc, Xm, Rc, Rm, of the file. The table's rates multiply parts of bytes (divide()).
 */
static void fill_table(const struct vector *v, double *const raw[6], struct table *table)
{
    int n = v->n;
    for (int i = 0; i < n * n; i++) {
        table->constant[TABLE_SEND][i] = vector_scaled(v, raw[0][i / n]);
        table->per_byte[TABLE_SEND][i] = vector_scaled(v, raw[1][i / n]);
        table->constant[TABLE_TRAVEL][i] = vector_scaled(v, raw[2][i]);
        table->per_byte[TABLE_TRAVEL][i] = vector_scaled(v, raw[3][i]);
        table->constant[TABLE_RECV][i] = vector_scaled(v, raw[4][i % n]);
        table->per_byte[TABLE_RECV][i] = vector_scaled(v, raw[5][i % n]);
    }
}

/* Converts costs per byte to costs per part of a byte. Done before the scale is determined, so the
 * quotients are scaled as well. */
static void divide(double *const raw[6], int n, int64_t parts)
{
    for (int k = 1; k < 6; k += 2)
        for (int i = 0; raw[k] && i < (k == 3 ? n * n : n); i++)
            raw[k][i] /= (double)parts;
}

/* Reads constant and per-byte costs, scaled to integers. */
static struct table *read_table(struct vector *v, const struct messages *messages)
{
    int n = v->n, cells = n * n, count = 0;
    double *raw[6] = {vector_numbers(v, "Sc", n),   vector_numbers(v, "Sm", n),
                      vector_matrix(v, "Xc", n, n), vector_matrix(v, "Xm", n, n),
                      vector_numbers(v, "Rc", n),   vector_numbers(v, "Rm", n)};
    /* Room for six matrices; four of the six are rows. */
    double *all = vector_array(v, (size_t)(6 * cells), sizeof *all);
    struct table *table = table_new(n);
    if (!table)
        v->error = HN_ENOMEM;
    divide(raw, n, messages->parts);
    for (int k = 0; k < 6 && !v->error; k++)
        /* The diagonal counts as well: in this kind it is part of the scale. */
        for (int i = 0; i < (k == 2 || k == 3 ? cells : n); i++)
            all[count++] = raw[k][i];
    if (!v->error)
        v->scale = vector_scale(v, all, count, most_time(messages, raw, n));
    if (!v->error)
        fill_table(v, raw, table);
    return table;
}

/* A node's number; -1: invalid. */
static int read_node(const struct vector *v, json_object *o)
{
    int64_t node;
    return vector_whole(o, &node) && node >= 0 && node < v->n ? (int)node : -1;
}

/* Each mistake is reported with its place. Only the first is kept, so reading may continue. */
static void read_message(struct vector *v, json_object *o, struct messages *messages)
{
    json_object *source = NULL, *length = NULL, *to = NULL;
    int k = messages->count++;
    /* Rows do not move: their number is known before. */
    bool *wants = &messages->wants[k * v->n];
    if (!json_object_object_get_ex(o, "source", &source) ||
        !json_object_object_get_ex(o, "length", &length) ||
        !json_object_object_get_ex(o, "destinations", &to))
        vector_fail(v, "input.messages[%d]: give source, length and destinations", k);
    int from = read_node(v, source);
    if (from < 0)
        vector_fail(v, "input.messages[%d].source: give a node, 0 to %d", k, v->n - 1);
    if (!vector_number(length, &messages->length[k]) || messages->length[k] > LENGTH_MOST)
        vector_fail(v, "input.messages[%d].length: give a number, 0 to %.0f", k, LENGTH_MOST);
    if (!json_object_is_type(to, json_type_array))
        vector_fail(v, "input.messages[%d].destinations: give a list of nodes", k);
    /* The bytes follow in count_bytes(), when the unit of all lengths is known. */
    messages->message[k] = (struct multicast_message){.source = from, .wants = wants};
    for (size_t i = 0; !v->error && i < json_object_array_length(to); i++) {
        int node = read_node(v, json_object_array_get_idx(to, i));
        if (node < 0 || node == from || wants[node])
            vector_fail(v,
                        "input.messages[%d].destinations[%zu]: give a node, 0 to %d, not the "
                        "source, and once",
                        k, i, v->n - 1);
        else
            wants[node] = true;
        /* Also counts wrong ones, which end the instance anyway. */
        messages->deliveries++;
    }
}

/* The planners use whole bytes: if lengths have decimals, a planner's byte is a part of the
 * file's. */
static void count_bytes(struct vector *v, struct messages *messages)
{
    const double *length = messages->length;
    /* The least power of ten, so that numbers stay small and rates lose little. */
    messages->parts = 1;
    while (messages->parts < PARTS_MOST &&
           !vector_are_whole(length, messages->count, (double)messages->parts))
        messages->parts *= 10;
    if (!vector_are_whole(length, messages->count, (double)messages->parts))
        vector_fail(v, "input.messages: lengths of more than six decimals: give them in a smaller "
                       "unit, and costs per byte likewise");
    for (int k = 0; k < messages->count && !v->error; k++) {
        int64_t bytes = llround(length[k] * (double)messages->parts);
        messages->message[k].bytes = bytes;
        messages->longest = bytes > messages->longest ? bytes : messages->longest;
    }
}

/* At least one entry is allocated, so that no array is NULL without an error. The limit on messages
 * is that on ranks: wants[] is their product, 4 MB. */
static void read_messages(struct vector *v, struct messages *messages)
{
    json_object *list = vector_list(v, "messages");
    size_t count = list ? json_object_array_length(list) : 0;
    if (count > VECTOR_RANKS_MOST)
        vector_fail(v, "input.messages: %zu: give at most %d", count, VECTOR_RANKS_MOST);
    messages->message = vector_array(v, count + 1, sizeof *messages->message);
    messages->length = vector_array(v, count + 1, sizeof *messages->length);
    messages->wants = vector_array(v, (count + 1) * (size_t)v->n, sizeof *messages->wants);
    for (size_t k = 0; k < count && !v->error; k++)
        read_message(v, json_object_array_get_idx(list, k), messages);
    if (!v->error)
        count_bytes(v, messages);
}

/* ---- the answer ------------------------------------------------------------------------- */

/* The decisions in the order in which the algorithm made them: [message, from, to]. */
static json_object *order_of(const struct multicast *m)
{
    json_object *order = json_object_new_array();
    for (int i = 0; i < m->decision_count; i++) {
        const struct multicast_decision *d = &m->order[i];
        json_object_array_add(order, vector_ints((const int[]){d->message, d->from, d->to}, 3));
    }
    return order;
}

/* One line of a node's task list. `peer` is the other end. */
struct task_row {
    struct timed begin; /* with its place in the list */
    hn_time end;
    int node, peer, message;
    bool sends;
};

/* [kind, peer, message, begin, end], with times in the file's unit. */
static json_object *task_json(const struct vector *v, const struct task_row *t)
{
    json_object *row = json_object_new_array();
    json_object_array_add(row, json_object_new_string(t->sends ? "send" : "recv"));
    json_object_array_add(row, json_object_new_int(t->peer));
    json_object_array_add(row, json_object_new_int(t->message));
    json_object_array_add(row, vector_json(v, t->begin.time));
    json_object_array_add(row, vector_json(v, t->end));
    return row;
}

/* The task list of each node, sorted by begin. */
static json_object *tasks_of(struct vector *v, const struct multicast *m)
{
    json_object *tasks = json_object_new_array();
    struct task_row *rows = vector_array(v, 2 * (size_t)m->decision_count + 1, sizeof *rows);
    int count = 0;
    if (!rows)
        return tasks;
    for (int i = 0; i < m->decision_count; i++) {
        const struct multicast_decision *d = &m->order[i];
        hn_time sent = d->send_begin + multicast_send(m, d->message, d->from);
        /* A receive is listed with the time in which the node is busy, not with its wait. */
        hn_time recv_begin = d->recv_end - multicast_recv(m, d->message, d->to);
        rows[count] =
            (struct task_row){{d->send_begin, count}, sent, d->from, d->to, d->message, true};
        count++;
        rows[count] =
            (struct task_row){{recv_begin, count}, d->recv_end, d->to, d->from, d->message, false};
        count++;
    }
    /* Tasks that begin together keep the order of decisions. timed_ascending() needs the struct's
     * first member to be its key. */
    qsort(rows, (size_t)count, sizeof *rows, timed_ascending);
    /* O(nodes * decisions), little beside the algorithms. */
    for (int node = 0; node < m->nodes; node++) {
        json_object *list = json_object_new_array();
        for (int i = 0; i < count; i++)
            if (rows[i].node == node)
                json_object_array_add(list, task_json(v, &rows[i]));
        json_object_array_add(tasks, list);
    }
    return tasks;
}

/* Runs all algorithms in the order of their table. HN_EPLAN: the algorithm does not serve an
 * instance of this size. */
static void run_all(struct vector *v, struct multicast *m, json_object *answer)
{
    json_object *algorithms = json_object_new_object();
    hn_time best = INT64_MAX;
    bool optimal = false;
    const char *name = NULL;
    /* Two bounds: that of Wu's equation 2, and coll's own (multicast_bound.c). */
    json_object_object_add(answer, "lower_bound_eq2", vector_json(v, multicast_bound_eq2(m)));
    json_object_object_add(answer, "lower_bound", vector_json(v, multicast_bound(m)));
    json_object_object_add(answer, "algorithms", algorithms);
    for (int i = 0; i < multicast_algorithm_count && !v->error; i++) {
        v->error = multicast_algorithms[i].run(m);
        if (v->error == HN_EPLAN) {
            v->error = HN_OK;
            continue;
        }
        if (v->error)
            return;
        optimal = optimal || strcmp(multicast_algorithms[i].name, "exact") == 0;
        json_object *entry = json_object_new_object();
        json_object_object_add(entry, "makespan", vector_json(v, m->makespan));
        json_object_object_add(entry, "order", order_of(m));
        json_object_object_add(entry, "tasks", tasks_of(v, m));
        json_object_object_add(algorithms, multicast_algorithms[i].name, entry);
        if (m->makespan < best) {
            best = m->makespan;
            name = multicast_algorithms[i].name;
        }
    }
    /* `name` is set, as some algorithm serves every instance. */
    json_object_object_add(algorithms, "auto",
                           json_object_get(json_object_object_get(algorithms, name)));
    /* A makespan equal to the bound is the optimum, too. */
    json_object_object_add(answer, optimal || best == multicast_bound(m) ? "optimum" : "best_known",
                           vector_json(v, best));
}

/* The messages come first: the unit of bytes (parts) and the longest message determine the scale of
 * the costs. */
int vector_multicast(struct vector *v, json_object *answer)
{
    struct messages messages = {0};
    struct table *table = NULL;
    struct model model;
    struct multicast m = {0};
    v->n = vector_int(v, "n", 1, VECTOR_RANKS_MOST);
    if (!v->error)
        read_messages(v, &messages);
    if (!v->error)
        table = read_table(v, &messages);
    if (!v->error) {
        model_of_table(&model, table, PORT_NONBLOCKING);
        v->error = multicast_begin(&m, &model, messages.message, messages.count);
        if (!v->error)
            run_all(v, &m, answer);
        multicast_end(&m);
    }
    table_free(table);
    return v->error;
}
