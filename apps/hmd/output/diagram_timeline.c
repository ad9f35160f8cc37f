/* diagram_timeline.c - see timeline.h. */
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum { TIMELINE_KEPT = 256 }; /* the last steps, among which the typical one is looked for */

void timeline_init(struct timeline *t)
{
    t->step = mem_new(TIMELINE_KEPT, sizeof *t->step);
    t->noted = 0;
}

void timeline_free(struct timeline *t)
{
    mem_free(t->step);
    memset(t, 0, sizeof *t);
}

void timeline_begin(struct timeline *t, long n, double now)
{
    t->step[t->noted % TIMELINE_KEPT] = (struct timeline_step){.n = n, .begin = now};
}

void timeline_note(struct timeline *t, enum timeline_kind kind, size_t bytes, double begin,
                   double end)
{
    struct timeline_step *s = &t->step[t->noted % TIMELINE_KEPT];
    if (s->spans < TIMELINE_SPANS)
        s->span[s->spans++] = (struct timeline_span){kind, (double)bytes, begin, end};
}

void timeline_end(struct timeline *t, int plain, double now)
{
    struct timeline_step *s = &t->step[t->noted++ % TIMELINE_KEPT];
    s->plain = plain;
    s->end = now;
}

static size_t timeline_count(const struct timeline *t)
{
    return t->noted < TIMELINE_KEPT ? t->noted : TIMELINE_KEPT;
}

static int timeline_shorter(const void *a, const void *b)
{
    const struct timeline_step *const *p = a, *const *q = b;
    double x = (*p)->end - (*p)->begin, y = (*q)->end - (*q)->begin;
    return (x > y) - (x < y);
}

long timeline_typical(const struct timeline *t)
{
    const struct timeline_step *all[TIMELINE_KEPT];
    size_t n = 0;
    for (int plain = 1; n == 0 && plain >= 0; plain--)
        for (size_t i = 0; i < timeline_count(t); i++)
            if (t->step[i].plain || !plain)
                all[n++] = &t->step[i];
    if (n == 0)
        return -1;
    qsort(all, n, sizeof *all, timeline_shorter);
    return all[n / 2]->n;
}

const struct timeline_step *timeline_find(const struct timeline *t, long n)
{
    for (size_t i = 0; i < timeline_count(t); i++)
        if (t->step[i].n == n)
            return &t->step[i];
    return NULL;
}
