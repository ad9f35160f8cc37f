/* strangers.c - counts refused connections by source (rules: strangers.h). */
#include "connect/strangers.h"

#include <stdio.h>
#include <string.h>

struct stranger *strangers_of(struct strangers *s, const char *source)
{
    for (unsigned i = 0; i < s->n; i++)
        if (strcmp(s->of[i].source, source) == 0)
            return &s->of[i];
    if (s->n >= STRANGERS_SOURCES && strcmp(source, "others") != 0)
        return strangers_of(s, "others");
    struct stranger *one = &s->of[s->n++];
    snprintf(one->source, sizeof one->source, "%s", source);
    return one;
}

/* Reports at 1, 2, 4, 8, ... attempts, so a scan causes few messages. */
struct stranger *strangers_note(struct strangers *s, const char *source, const char *why)
{
    struct stranger *one = strangers_of(s, source);

    one->why = why;
    one->count++;
    /* the count is a power of two */
    return (one->count & (one->count - 1)) == 0 ? one : NULL;
}

/* A source with attempts that were not reported; NULL: there is none. */
struct stranger *strangers_rest(struct strangers *s)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->of[i].reported < s->of[i].count)
            return &s->of[i];
    return NULL;
}

unsigned strangers_reported(struct stranger *one)
{
    unsigned n = one->count - one->reported;

    one->reported = one->count;
    return n;
}
