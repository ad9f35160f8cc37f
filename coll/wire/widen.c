/* widen.c - makes copies with wide elements, and writes results back (widen.h). */
#include "wire/widen.h"

#include "wire/call.h"
#include "wire/spread.h"

#include "runtime/internal.h"

#include <stdlib.h>

/* From here on call->type is the wide type, and call->widened.type the program's. */
void widen_open(struct call *call)
{
    hn_type carried = type_carried(call->type);
    if (carried == call->type)
        return;
    call->widened = (struct widened){.type = call->type, .in = call->in, .out = call->out};
    call->type = carried;
}

/* Copies a buffer to *copy, which is allocated if it is NULL. HN_OK or HN_ENOMEM. */
static int widen(const struct call *call, const void *buffer, const struct spread *s,
                 uint8_t **copy)
{
    /* Positions are those of the caller's elements, so the copy has gaps where the buffer has them.
     */
    size_t wide = type_size(call->type), narrow = type_size(call->widened.type), bytes;
    if (!*copy &&
        (__builtin_mul_overflow(spread_extent(s), wide, &bytes) || bytes > PTRDIFF_MAX - 1))
        return HN_ENOMEM;
    if (!*copy && !(*copy = malloc(bytes + 1)))
        return HN_ENOMEM;
    for (size_t i = 0; i < s->parts; i++)
        type_convert((const uint8_t *)buffer + spread_begin(s, i) * narrow, call->widened.type,
                     type_machine_is_big_endian(), *copy + spread_begin(s, i) * wide, call->type,
                     spread_count(s, i));
    return HN_OK;
}

/* Whether the argument is a buffer, not NULL or HN_IN_PLACE. */
static bool is_buffer(const void *buffer)
{
    return buffer && buffer != HN_IN_PLACE;
}

/* Both buffers are copied, since `out` may be read in place. Copies of a persistent call are
 * reused. */
int widen_in(struct call *call)
{
    struct widened *w = &call->widened;
    struct spread in, out;
    int error = HN_OK;
    if (!w->type)
        return HN_OK;
    if (call->op == OP_MULTIMULTICAST)
        return multimulticast_widen_in(call);
    if (is_buffer(w->in)) {
        in = spread_in(call);
        error = widen(call, w->in, &in, &w->in_copy);
        call->in = w->in_copy;
    }
    if (!error && is_buffer(w->out)) {
        out = spread_out(call);
        error = widen(call, w->out, &out, &w->out_copy);
        call->out = w->out_copy;
    }
    return error;
}

/* After success only. HN_ETYPE: a result does not fit into a long of this machine. */
int widen_out(const struct call *call)
{
    const struct widened *w = &call->widened;
    size_t wide = type_size(call->type), narrow = w->type ? type_size(w->type) : 0;
    struct spread s;
    int error = HN_OK;
    if (!w->out_copy)
        return HN_OK;
    if (call->op == OP_MULTIMULTICAST)
        error = multimulticast_widen_out(call);
    s = call->op == OP_MULTIMULTICAST ? (struct spread){0} : spread_out(call);
    for (size_t i = 0; i < s.parts && !error; i++)
        error = type_convert(
            w->out_copy + spread_begin(&s, i) * wide, call->type, type_machine_is_big_endian(),
            (uint8_t *)w->out + spread_begin(&s, i) * narrow, w->type, spread_count(&s, i));
    return error ? error_set(error, "%s: a number does not fit into a long of %zu bytes",
                             operation_name(call->op), narrow)
                 : HN_OK;
}

void widen_end(struct call *call)
{
    free(call->widened.in_copy);
    free(call->widened.out_copy);
}
