/* formulae.c - instances of kind formulae: closed formulae for point-to-point, broadcast, scatter
 * and gather on nodes of several types (Banikazemi, sections 2 and 4).
 *
 * No plan is chosen here, so numbers are used as they are in the file, without scaling.
 *
 * Costs are in the file's units, sizes in its unit of length; the formulae only multiply and add.
 * Rounding errors are those of double, some units of the last place.
 */
#include "vector.h"

#include <math.h>
#include <stdlib.h>

/* An instance, with one message size at a time. */
struct formulae {
    struct vector *v;
    double (*node)[4]; /* [rank]: Sc, Sm, Rc, Rm */
    double xc, xm;
    double m; /* the message size */
};

/* S = Sc + Sm * m. */
static double send_of(const struct formulae *f, int i)
{
    return f->node[i][0] + f->node[i][1] * f->m;
}

/* R = Rc + Rm * m, of the receiver. */
static double recv_of(const struct formulae *f, int i)
{
    return f->node[i][2] + f->node[i][3] * f->m;
}

/* X = Xc + Xm * m, equal for all pairs: nodes differ, the network does not. */
static double travel_of(const struct formulae *f)
{
    return f->xc + f->xm * f->m;
}

/* m is an integer in the answer wherever it was one in the file. */
static json_object *entry_new(const struct formulae *f)
{
    json_object *entry = json_object_new_object();
    json_object_object_add(entry, "m",
                           f->m == nearbyint(f->m) && f->m < 9e15
                               ? json_object_new_int64((int64_t)f->m)
                               : json_object_new_double(f->m));
    return entry;
}

/* A matrix of times between all pairs, 0 on its diagonal. */
static json_object *point_to_point(const struct formulae *f)
{
    json_object *entry = entry_new(f), *rows = json_object_new_array();
    for (int i = 0; i < f->v->n; i++) {
        json_object *row = json_object_new_array();
        for (int j = 0; j < f->v->n; j++)
            json_object_array_add(
                row,
                json_object_new_double(i == j ? 0 : send_of(f, i) + travel_of(f) + recv_of(f, j)));
        json_object_array_add(rows, row);
    }
    json_object_object_add(entry, "T", rows);
    return entry;
}

/* Computes the times of all descendants of `parent`; a node that is reached twice, or not at all,
 * is an error. time[] is -1 for nodes not reached yet, so it also detects two parents. The depth of
 * the recursion is at most n. */
static void descend(const struct formulae *f, json_object *tree, int parent, double *time)
{
    json_object *children = json_object_array_get_idx(tree, (size_t)parent);
    if (!json_object_is_type(children, json_type_array)) {
        vector_fail(f->v, "input.trees: node %d has no list of children", parent);
        return;
    }
    for (size_t i = 0; i < json_object_array_length(children) && !f->v->error; i++) {
        json_object *o = json_object_array_get_idx(children, i);
        int64_t child;
        if (!vector_whole(o, &child) || child < 1 || child >= f->v->n || time[child] >= 0) {
            vector_fail(f->v, "input.trees: child %d of node %d is none, or has two parents",
                        (int)child, parent);
            return;
        }
        /* The i-th send of the parent (from 1) ends after i times S. */
        time[child] = time[parent] + (double)(i + 1) * send_of(f, parent) + travel_of(f) +
                      recv_of(f, (int)child);
        descend(f, tree, (int)child, time);
    }
}

/* The i-th child of a node waits for i sends of it (section 4).  T_recv is the time when a node has
 * the message. */
static json_object *broadcast(const struct formulae *f, const char *name, json_object *tree)
{
    int n = f->v->n;
    double *time = vector_array(f->v, (size_t)n, sizeof *time), last = 0;
    json_object *entry = entry_new(f), *times = json_object_new_array();
    if (!json_object_is_type(tree, json_type_array) || json_object_array_length(tree) != (size_t)n)
        vector_fail(f->v, "input.trees.%.40s: not %d lists", name, n);
    /* The loop is skipped after an error, when `time` may be NULL. */
    for (int i = 0; i < n && !f->v->error; i++)
        /* -1: not reached yet. */
        time[i] = i == 0 ? 0 : -1;
    if (!f->v->error)
        descend(f, tree, 0, time);
    for (int i = 0; i < n && !f->v->error; i++) {
        /* Every node is in the tree, or the completion would say less than it promises. */
        if (time[i] < 0)
            vector_fail(f->v, "input.trees.%.40s: node %d is not in the tree", name, i);
        json_object_array_add(times, json_object_new_double(time[i]));
        last = fmax(last, time[i]);
    }
    json_object_object_add(entry, "tree", json_object_new_string(name));
    json_object_object_add(entry, "T_recv", times);
    json_object_object_add(entry, "completion", json_object_new_double(last));
    return entry;
}

/* The root sends to one node after the other. Its i-th message leaves after i times S, as in a
 * star. */
static json_object *scatter(const struct formulae *f)
{
    json_object *entry = entry_new(f);
    double last = 0;
    for (int j = 1; j < f->v->n; j++)
        last = fmax(last, j * send_of(f, 0) + travel_of(f) + recv_of(f, j));
    json_object_object_add(entry, "completion", json_object_new_double(last));
    return entry;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Messages reach the root in the order in which their senders are ready. `ready` times alone
 * decide, since all messages are equally long. Each message travels alone on the way to the root,
 * and the root's R follows. */
static json_object *gather(const struct formulae *f)
{
    json_object *entry = entry_new(f);
    double t = 0, *sends = vector_array(f->v, (size_t)f->v->n, sizeof *sends);
    for (int i = 1; sends && i < f->v->n; i++)
        sends[i - 1] = send_of(f, i);
    if (sends)
        qsort(sends, (size_t)f->v->n - 1, sizeof *sends, ascending);
    /* The i-th message travels behind those before it, one travel time each. */
    for (int i = 1; sends && i < f->v->n; i++)
        t = fmax(t, sends[i - 1] + i * travel_of(f)) + recv_of(f, 0);
    json_object_object_add(entry, "completion", json_object_new_double(t));
    return entry;
}

/* For each size: an entry of every formula, and one of every tree. */
static void answer_all(struct formulae *f, json_object *answer)
{
    json_object *list = vector_list(f->v, "sizes"), *trees = NULL;
    json_object *lists[4];
    static const char *const names[] = {"point_to_point", "broadcast", "scatter", "gather"};
    int count = list ? (int)json_object_array_length(list) : 0;
    double *sizes = vector_numbers(f->v, "sizes", count);
    /* A file without trees needs an empty object, so that a misspelt key is an error. */
    if (!json_object_object_get_ex(f->v->input, "trees", &trees) ||
        !json_object_is_type(trees, json_type_object))
        vector_fail(f->v, "input.trees: missing, or no object");
    for (int i = 0; i < 4; i++)
        json_object_object_add(answer, names[i], lists[i] = json_object_new_array());
    for (int i = 0; i < count && !f->v->error; i++) {
        f->m = sizes[i];
        json_object_array_add(lists[0], point_to_point(f));
        /* Each tree has a name, which identifies it in the answer. */
        json_object_object_foreach(trees, name, tree)
            json_object_array_add(lists[1], broadcast(f, name, tree));
        json_object_array_add(lists[2], scatter(f));
        json_object_array_add(lists[3], gather(f));
    }
}

/* Reads the four numbers of a type. False: the table has no such type, or its row is no four
 * numbers. */
static bool read_type(json_object *table, const char *type, double node[4])
{
    json_object *row = NULL;
    return json_object_object_get_ex(table, type, &row) && vector_row(row, node, 4);
}

/* A node is given by its type, and a type by its four numbers in `table`. */
int vector_formulae(struct vector *v, json_object *answer)
{
    struct formulae f = {.v = v, .xc = vector_amount(v, "Xc"), .xm = vector_amount(v, "Xm")};
    json_object *types = vector_list(v, "types"), *table = NULL;
    size_t count = types ? json_object_array_length(types) : 0;
    /* n is that of the list; an instance of this kind has no member "n". */
    if (!v->error && (count < 1 || count > VECTOR_RANKS_MOST))
        return vector_fail(v, "input.types: give 1 to %d nodes", VECTOR_RANKS_MOST);
    v->n = (int)count;
    f.node = vector_array(v, count + 1, sizeof *f.node);
    json_object_object_get_ex(v->input, "table", &table);
    for (size_t i = 0; i < count && !v->error; i++) {
        const char *type = json_object_get_string(json_object_array_get_idx(types, i));
        if (!type || !json_object_is_type(table, json_type_object) ||
            !read_type(table, type, f.node[i]))
            vector_fail(v, "input.table: no four numbers of at least 0 for type %.40s",
                        type ? type : "null");
    }
    if (!v->error)
        answer_all(&f, answer);
    return v->error;
}
