/* argument_error.c - error texts for calls that do not match (argument_error.h). */
#include "wire/argument_error.h"

#include "job/internal.h"
#include "runtime/internal.h"

#include <stdio.h>

/* The call as the program wrote it, with the suffix of its persistent form. */
static void describe_call(const struct called *called, char *text, size_t room)
{
    const char *init = called->persistent ? "_init" : "";
    if (kind_rooted(called->kind))
        snprintf(text, room, "%s%s with root %d", kind_name(called->kind), init, called->root);
    else
        snprintf(text, room, "%s%s", kind_name(called->kind), init);
}

/* Steps of one call count as equal, as do their roots and forms. */
static bool same(const struct called *a, const struct called *b)
{
    return kind_call(a->kind) == kind_call(b->kind) && a->root == b->root &&
           a->persistent == b->persistent;
}

bool argument_error_over_plans(const struct argument_error *d, const struct called *here)
{
    return same(&d->called, here) && (d->known == IS_KNOWN || d->known == IS_ENDED);
}

/* The other member's operation is the same, but will not continue. */
static int explain_end(const struct argument_error *d, const char *host)
{
    switch (d->known) {
    case IS_FORGOTTEN:
        return error_set(HN_EARG,
                         "task %d on host %s has begun many operations since: the members do not "
                         "call the same ones",
                         d->other, host);
    case IS_FREED:
        return error_set(HN_EARG, "task %d on host %s has freed its group", d->other, host);
    case IS_FAILED:
        if (d->error == OPEN_TABLE_GIVEN_UP)
            return error_set(HN_EARG, "task %d on host %s has freed its request", d->other, host);
        return error_set(d->error == HN_EDEAD ? HN_EDEAD : HN_EARG,
                         "task %d on host %s has ended it with an error: %s", d->other, host,
                         hn_strerror(d->error));
    default:
        return error_set(HN_EARG,
                         "task %d on host %s %s the operation by another plan: its counts, or "
                         "operations before, are not the same%s",
                         d->other, host, d->known == IS_ENDED ? "has ended" : "is in",
                         d->own ? ", perhaps since a call of this task has failed before" : "");
    }
}

/* Different calls are described side by side; for equal ones the reason is another. */
int argument_error_explain(const struct argument_error *d, const struct called *called)
{
    char here[64], there[64];
    const char *host = tids_host(d->other);
    if (d->known == IS_FORGOTTEN || d->known == IS_FREED || same(&d->called, called))
        return explain_end(d, host);
    describe_call(called, here, sizeof here);
    describe_call(&d->called, there, sizeof there);
    return error_set(HN_EARG, "task %d on host %s has called %s where this one called %s", d->other,
                     host, there, here);
}

/* The text is copied, since error_set() writes to the same buffer. */
int argument_error_name(enum kind kind, int error)
{
    char text[256];
    snprintf(text, sizeof text, "%s", hn_error_text());
    return error_set(error, "%s: %s", kind_name(kind), text);
}
