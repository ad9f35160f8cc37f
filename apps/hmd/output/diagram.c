/* diagram.c - see diagram.h.
 *
 * The first task chooses the step; all tell theirs in one gathering of fixed rows of doubles; the
 * clocks are compared then and there, so their drift since the step was done does not matter: two
 * quartzes drift apart by some ten microseconds a second.
 */
#include "diagram.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

enum {
    DIAGRAM_HEAD = 3, /* numbers: diagram_pack() */
    DIAGRAM_SPAN = 4,
    DIAGRAM_ROW = DIAGRAM_HEAD + DIAGRAM_SPAN * TIMELINE_SPANS
};

const char *const diagram_kinds[TIMELINE_KINDS] = {"reduce", "gather", "sum", "transpose",
                                                   "exchange"};

double diagram_last(const struct timeline_step *steps, int tasks, int k)
{
    double last = 0;
    for (int r = 0; r < tasks; r++)
        if (k < steps[r].spans)
            last = fmax(last, steps[r].span[k].begin);
    return last;
}

static void diagram_pack(const struct timeline_step *s, double *row)
{
    const double head[DIAGRAM_HEAD] = {s->begin, s->end, s->spans};
    memcpy(row, head, sizeof head);
    for (int k = 0; k < s->spans; k++) {
        const struct timeline_span *p = &s->span[k];
        const double span[DIAGRAM_SPAN] = {(double)p->kind, p->bytes, p->begin, p->end};
        memcpy(row + DIAGRAM_HEAD + DIAGRAM_SPAN * k, span, sizeof span);
    }
}

static void diagram_unpack(const double *row, struct timeline_step *s)
{
    *s = (struct timeline_step){.begin = row[0], .end = row[1], .spans = (int)row[2]};
    for (int k = 0; k < s->spans; k++) {
        const double *p = row + DIAGRAM_HEAD + DIAGRAM_SPAN * k;
        s->span[k] = (struct timeline_span){(enum timeline_kind)p[0], p[1], p[2], p[3]};
    }
}

/* All tasks' records of step n to all. */
static int diagram_collect(struct comm *c, const struct timeline *t, long n,
                           struct timeline_step *all, struct err *e)
{
    size_t size = (size_t)c->size;
    double *rows = mem_new(size * DIAGRAM_ROW, sizeof *rows);
    const struct timeline_step *own = timeline_find(t, n);
    if (own)
        diagram_pack(own, rows + DIAGRAM_ROW * (size_t)c->rank);
    int status = comm_rows(c, rows, DIAGRAM_ROW, e);
    for (size_t r = 0; r < size; r++)
        diagram_unpack(rows + DIAGRAM_ROW * r, &all[r]);
    mem_free(rows);
    return status;
}

static void diagram_shift(struct timeline_step *s, double by)
{
    s->begin += by;
    s->end += by;
    for (int k = 0; k < s->spans; k++) {
        s->span[k].begin += by;
        s->span[k].end += by;
    }
}

/* Everything on the first task's clock, from the moment when the first one began. */
static void diagram_align(struct diagram *t, const double *offset)
{
    double first = HUGE_VAL;
    for (int r = 0; r < t->tasks; r++) {
        diagram_shift(&t->measured[r], -offset[r]);
        first = fmin(first, t->measured[r].begin);
    }
    for (int r = 0; r < t->tasks; r++)
        diagram_shift(&t->measured[r], -first);
}

static void diagram_spans(const struct timeline_step *s, FILE *file)
{
    double at = s->begin;
    for (int k = 0; k < s->spans; k++) {
        const struct timeline_span *p = &s->span[k];
        fprintf(file,
                "{\"what\":\"compute\",\"begin\":%.9f,\"end\":%.9f},"
                "{\"what\":\"%s\",\"begin\":%.9f,\"end\":%.9f},",
                at, p->begin, diagram_kinds[p->kind], p->begin, p->end);
        at = p->end;
    }
    fprintf(file, "{\"what\":\"compute\",\"begin\":%.9f,\"end\":%.9f}", at, s->end);
}

static void diagram_print(const struct diagram *t, FILE *file)
{
    fprintf(file, "{\"step\":%ld,\"tasks\":%d,\"clock_error\":%.9f,\"stated\":%s,\"plans\":{",
            t->step, t->tasks, t->clock_error, t->stated ? "true" : "false");
    for (int k = 0, n = 0; k < TIMELINE_KINDS; k++)
        if (t->plan[k][0])
            fprintf(file, "%s\"%s\":\"%s\"", n++ ? "," : "", diagram_kinds[k], t->plan[k]);
    fprintf(file, "},\"lanes\":[\n");
    for (int r = 0; r < t->tasks; r++) {
        fprintf(file, "{\"task\":%d,\"host\":\"%s\",\"measured\":[", r, t->host[r]);
        diagram_spans(&t->measured[r], file);
        fprintf(file, "],\n \"predicted\":[");
        diagram_spans(&t->predicted[r], file);
        fprintf(file, "]}%s\n", r + 1 < t->tasks ? "," : "");
    }
    fprintf(file, "]}\n");
}

static int diagram_file(const struct diagram *t, const char *path, struct err *e)
{
    size_t n = strlen(path);
    FILE *file = err_create(path, e);
    if (!file)
        return ERR_RUN;
    (n >= 5 && strcmp(path + n - 5, ".json") == 0 ? diagram_print : diagram_draw)(t, file);
    return err_close(file, path, e);
}

int diagram_write(struct comm *c, const struct timeline *t, const char *path, struct err *e)
{
    size_t size = (size_t)c->size;
    struct diagram g = {.tasks = c->size};
    double n = (double)timeline_typical(t), *offset = mem_new(size, sizeof *offset);
    g.measured = mem_new(2 * size, sizeof *g.measured);
    g.predicted = g.measured + size;
    g.host = mem_new(size, sizeof *g.host);
    int status = comm_tell(c, &n, 1, e);
    g.step = (long)n;
    if (!status)
        status = diagram_collect(c, t, g.step, g.measured, e);
    if (!status)
        status = comm_clocks(c, offset, &g.clock_error, e);
    if (!status && c->rank == 0) {
        diagram_align(&g, offset);
        for (int r = 0; r < c->size; r++)
            g.host[r] = comm_host(c, r);
        diagram_predict(&g, c);
        status = diagram_file(&g, path, e);
    }
    mem_free(offset);
    mem_free(g.measured);
    mem_free(g.host);
    return status;
}
