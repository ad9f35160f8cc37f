/* multicast.c - instances of kind multicast: messages of any sources, destinations and lengths. */
#include "vector.h"

#include "../multicast.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading -----------------------------------------------------------------------------------
 */

/* The costs, constants and per byte, scaled to integers. */
static struct table *read_table(struct vector *v)
{
    int n = v->n, cells = n * n;
    double *raw[6] = {vector_numbers(v, "Sc", n),   vector_numbers(v, "Sm", n),
                      vector_matrix(v, "Xc", n, n), vector_matrix(v, "Xm", n, n),
                      vector_numbers(v, "Rc", n),   vector_numbers(v, "Rm", n)};
    double *all = malloc((size_t)(6 * cells) * sizeof *all);
    struct table *table = table_new(n);
    if (!all || !table)
        v->error = HN_ENOMEM;
    int count = 0;
    for (int k = 0; k < 6 && !v->error; k++)
        for (int i = 0; i < (k == 2 || k == 3 ? cells : n); i++)
            all[count++] = raw[k][i];
    if (!v->error)
        v->scale = vector_scale(all, count, 1e8);
    for (int i = 0; i < cells && !v->error; i++) {
        table->constant[TABLE_SEND][i] = vector_scaled(v, raw[0][i / n]);
        table->per_byte[TABLE_SEND][i] = vector_scaled(v, raw[1][i / n]);
        table->constant[TABLE_TRAVEL][i] = vector_scaled(v, raw[2][i]);
        table->per_byte[TABLE_TRAVEL][i] = vector_scaled(v, raw[3][i]);
        table->constant[TABLE_RECV][i] = vector_scaled(v, raw[4][i % n]);
        table->per_byte[TABLE_RECV][i] = vector_scaled(v, raw[5][i % n]);
    }
    for (int k = 0; k < 6; k++)
        free(raw[k]);
    free(all);
    return table;
}

static bool read_message(struct vector *v, json_object *o, struct multicast_message *message,
                         bool *wants)
{
    json_object *source = NULL, *length = NULL, *to = NULL;
    if (!json_object_object_get_ex(o, "source", &source) ||
        !json_object_object_get_ex(o, "length", &length) ||
        !json_object_object_get_ex(o, "destinations", &to) ||
        !json_object_is_type(to, json_type_array))
        return false;
    *message = (struct multicast_message){json_object_get_int(source),
                                          json_object_get_int64(length), wants};
    if (message->source < 0 || message->source >= v->n || message->bytes < 0 ||
        message->bytes > INT32_MAX)
        return false;
    for (size_t i = 0; i < json_object_array_length(to); i++) {
        int node = json_object_get_int(json_object_array_get_idx(to, i));
        if (node < 0 || node >= v->n || node == message->source || wants[node])
            return false;
        wants[node] = true;
    }
    return true;
}

/* ---- the answer --------------------------------------------------------------------------------
 */

static json_object *order_of(const struct multicast *m)
{
    json_object *order = json_object_new_array();
    for (int i = 0; i < m->decision_count; i++) {
        json_object *row = json_object_new_array();
        json_object_array_add(row, json_object_new_int(m->order[i].message));
        json_object_array_add(row, json_object_new_int(m->order[i].from));
        json_object_array_add(row, json_object_new_int(m->order[i].to));
        json_object_array_add(order, row);
    }
    return order;
}

struct task_row {
    hn_time begin, end;
    int node, peer, message, place;
    bool sends;
};

static int by_begin(const void *a, const void *b)
{
    const struct task_row *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->place - y->place;
}

static json_object *task_json(const struct vector *v, const struct task_row *t)
{
    json_object *row = json_object_new_array();
    json_object_array_add(row, json_object_new_string(t->sends ? "send" : "recv"));
    json_object_array_add(row, json_object_new_int(t->peer));
    json_object_array_add(row, json_object_new_int(t->message));
    json_object_array_add(row, vector_json(v, t->begin));
    json_object_array_add(row, vector_json(v, t->end));
    return row;
}

/* The task list of each node, sorted by begin. */
static json_object *tasks_of(struct vector *v, const struct multicast *m)
{
    json_object *tasks = json_object_new_array();
    struct task_row *rows = malloc((2 * (size_t)m->decision_count + 1) * sizeof *rows);
    int count = 0;
    if (!rows) {
        v->error = HN_ENOMEM;
        return tasks;
    }
    for (int i = 0; i < m->decision_count; i++) {
        const struct multicast_decision *d = &m->order[i];
        rows[count] =
            (struct task_row){d->send_begin, d->send_begin + multicast_send(m, d->message, d->from),
                              d->from,       d->to,
                              d->message,    count,
                              true};
        count++;
        rows[count] = (struct task_row){d->recv_end - multicast_recv(m, d->message, d->to),
                                        d->recv_end,
                                        d->to,
                                        d->from,
                                        d->message,
                                        count,
                                        false};
        count++;
    }
    qsort(rows, (size_t)count, sizeof *rows, by_begin);
    for (int node = 0; node < m->nodes; node++) {
        json_object *list = json_object_new_array();
        for (int i = 0; i < count; i++)
            if (rows[i].node == node)
                json_object_array_add(list, task_json(v, &rows[i]));
        json_object_array_add(tasks, list);
    }
    free(rows);
    return tasks;
}

static void run_all(struct vector *v, struct multicast *m, json_object *answer)
{
    json_object *algorithms = json_object_new_object();
    hn_time best = INT64_MAX;
    bool optimal = false;
    const char *name = NULL;
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
        optimal = optimal || !strcmp(multicast_algorithms[i].name, "exact");
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
    json_object_object_add(algorithms, "auto",
                           json_object_get(json_object_object_get(algorithms, name)));
    json_object_object_add(answer, optimal || best == multicast_bound(m) ? "optimum" : "best_known",
                           vector_json(v, best));
}

static void solve(struct vector *v, const struct table *table, json_object *list,
                  json_object *answer)
{
    size_t count = json_object_array_length(list);
    struct multicast_message *messages = calloc(count + 1, sizeof *messages);
    bool *wants = calloc((count + 1) * (size_t)v->n, sizeof *wants);
    struct model model;
    struct multicast m = {0};
    model_of_table(&model, table, PORT_NONBLOCKING);
    if (!messages || !wants)
        v->error = HN_ENOMEM;
    for (size_t k = 0; k < count && !v->error; k++)
        if (!read_message(v, json_object_array_get_idx(list, k), &messages[k],
                          &wants[k * (size_t)v->n]))
            vector_fail(v, "input.messages[%zu]: give source, length and destinations below %d", k,
                        v->n);
    if (!v->error) {
        v->error = multicast_begin(&m, &model, messages, (int)count);
        if (!v->error)
            run_all(v, &m, answer);
        multicast_end(&m);
    }
    free(messages);
    free(wants);
}

int vector_multicast(struct vector *v, json_object *answer)
{
    json_object *list = NULL;
    v->n = vector_int(v, "n", 1, VECTOR_RANKS_MOST);
    if (v->error)
        return v->error;
    struct table *table = read_table(v);
    if (!json_object_object_get_ex(v->input, "messages", &list) ||
        !json_object_is_type(list, json_type_array) ||
        json_object_array_length(list) > VECTOR_RANKS_MOST)
        vector_fail(v, "input.messages: missing, or no list");
    if (!v->error)
        solve(v, table, list, answer);
    table_free(table);
    return v->error;
}
