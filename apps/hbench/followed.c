/* followed.c - see followed.h.  Cost of a call: linear in the number of different plans, which is
 * small. */
#include "followed.h"

#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called for each measured call, outside of the timed part. */
bool followed_note(struct followed *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->plans[i].name, name) == 0) {
            f->plans[i].calls++;
            return true;
        }
    if (!ARRAY_ROOM(f->plans, f->count + 1))
        return false;
    /* The name is copied: it belongs to the caller's stack. */
    f->plans[f->count] = (struct followed_plan){.calls = 1};
    snprintf(f->plans[f->count++].name, sizeof f->plans->name, "%s", name);
    return true;
}

/* The first element needs no comparison; without any the result is NULL. */
const char *followed_most(const struct followed *f)
{
    const struct followed_plan *most = f->plans;

    for (size_t i = 1; i < f->count; i++)
        most = f->plans[i].calls > most->calls ? &f->plans[i] : most;
    return most ? most->name : NULL;
}

void followed_free(struct followed *f)
{
    free(f->plans);
    /* It may be used again. */
    *f = (struct followed){0};
}
