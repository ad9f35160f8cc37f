/* forms.h - the three forms of a collective operation behind one name, for tests of all of them:
 *
 *     error = FORM(form, allreduce, in, out, count, type, op, group);
 *
 * is hn_allreduce(), hn_iallreduce() with hn_wait(), or hn_allreduce_init() with a start, an end, a
 * look at the request that rests, and its freeing. */
#pragma once

#include "hnow_coll.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static hn_request *form_request;

static inline int form_ended(int error)
{
    return error ? error : hn_wait(form_request, NULL);
}

static inline int form_lasted(int error)
{
    if (!error)
        error = hn_start(form_request);
    if (!error)
        error = hn_wait(form_request, NULL);
    if (!error) /* at rest */
        error = hn_wait(form_request, NULL);
    return error ? error : hn_request_free(form_request);
}

#define FORM(form, name, ...)                                                                      \
    ((form) == BLOCKING      ? hn_##name(__VA_ARGS__)                                              \
     : (form) == NONBLOCKING ? form_ended(hn_i##name(__VA_ARGS__, &form_request))                  \
                             : form_lasted(hn_##name##_init(__VA_ARGS__, &form_request)))
