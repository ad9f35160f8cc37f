/* widen.c - copies with wide elements, and back (why: widen.h). */
#include "widen.h"

#include "call.h"

#include "error.h"
#include "type.h"

#include <stdlib.h>
#include <string.h>

/* Where elements stand in a buffer: `parts` parts of `count` elements each, one behind the other;
 * or part i has counts[i], which begin at displs[i]. */
struct spread {
    size_t parts, count;
    const size_t *counts, *displs;
};

static struct spread in_a_row(size_t count)
{
    return (struct spread){.parts = 1, .count = count};
}

static struct spread of_all(const struct call *call, const size_t *counts, const size_t *displs)
{
    return (struct spread){(size_t)call->req.ranks, call->count, call->vector ? counts : NULL,
                           call->vector ? displs : NULL};
}

static size_t begin_of(const struct spread *s, size_t part)
{
    return s->displs ? s->displs[part] : s->count * part;
}

static size_t count_of(const struct spread *s, size_t part)
{
    return s->counts ? s->counts[part] : s->count;
}

/* The elements from the first one of the buffer to the last one. */
static size_t extent_of(const struct spread *s)
{
    size_t extent = 0;
    for (size_t i = 0; i < s->parts; i++)
        if (count_of(s, i) > 0 && begin_of(s, i) + count_of(s, i) > extent)
            extent = begin_of(s, i) + count_of(s, i);
    return extent;
}

static struct spread nothing(void)
{
    return (struct spread){0};
}

/* What a reduce_scatter combines: its counts are those of neighbours in memory. */
static size_t scattered(const struct call *call)
{
    size_t total = call->vector ? 0 : call->count * (size_t)call->req.ranks;
    for (int i = 0; call->vector && i < call->req.ranks; i++)
        total += call->counts[i];
    return total;
}

static struct spread in_spread(const struct call *call)
{
    switch (call->op) {
    case OP_BCAST:
    case OP_BARRIER:
        return nothing();
    case OP_SCATTER:
        return call->x.rank == call->root ? of_all(call, call->counts, call->displs) : nothing();
    case OP_ALLTOALL:
        return of_all(call, call->in_counts, call->in_displs);
    case OP_ALLGATHERV:
        return in_a_row(call->counts[call->x.rank]);
    case OP_REDUCE_SCATTER:
        return in_a_row(scattered(call));
    default:
        return in_a_row(call->count);
    }
}

/* All that the operation may write, or read in place. */
static struct spread out_spread(const struct call *call)
{
    bool in_place = call->widened.in == HN_IN_PLACE, at_root = call->x.rank == call->root;
    switch (call->op) {
    case OP_BARRIER:
        return nothing();
    case OP_REDUCE:
        return at_root || in_place ? in_a_row(call->count) : nothing();
    case OP_EXSCAN:
        return call->x.rank > 0 || in_place ? in_a_row(call->count) : nothing();
    case OP_GATHER:
        return at_root ? of_all(call, call->counts, call->displs) : nothing();
    case OP_ALLGATHER:
    case OP_ALLGATHERV:
    case OP_ALLTOALL:
        return of_all(call, call->counts, call->displs);
    case OP_REDUCE_SCATTER:
        return in_a_row(in_place       ? scattered(call)
                        : call->vector ? call->counts[call->x.rank]
                                       : call->count);
    default:
        return in_a_row(call->count);
    }
}

void widen_open(struct call *call)
{
    hn_type carried = type_carried(call->type);
    if (carried == call->type)
        return;
    call->widened = (struct widened){.type = call->type, .in = call->in, .out = call->out};
    call->type = carried;
}

/* The copy of a buffer: *copy, where there is one already, or a new one. */
static int widen(const struct call *call, const void *buffer, const struct spread *s,
                 uint8_t **copy)
{
    size_t wide = type_size(call->type), narrow = type_size(call->widened.type), bytes;
    if (!*copy && (__builtin_mul_overflow(extent_of(s), wide, &bytes) || bytes > PTRDIFF_MAX - 1))
        return HN_ENOMEM;
    if (!*copy && !(*copy = malloc(bytes + 1)))
        return HN_ENOMEM;
    for (size_t i = 0; i < s->parts; i++)
        type_convert((const uint8_t *)buffer + begin_of(s, i) * narrow, call->widened.type,
                     type_machine_is_big_endian(), *copy + begin_of(s, i) * wide, call->type,
                     count_of(s, i));
    return HN_OK;
}

/* What has a place and is not in place. */
static bool is_buffer(const void *buffer)
{
    return buffer && buffer != HN_IN_PLACE;
}

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
        in = in_spread(call);
        error = widen(call, w->in, &in, &w->in_copy);
        call->in = w->in_copy;
    }
    if (!error && is_buffer(w->out)) {
        out = out_spread(call);
        error = widen(call, w->out, &out, &w->out_copy);
        call->out = w->out_copy;
    }
    return error;
}

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
    s = call->op == OP_MULTIMULTICAST ? nothing() : out_spread(call);
    for (size_t i = 0; i < s.parts && !error; i++)
        error = type_convert(
            w->out_copy + begin_of(&s, i) * wide, call->type, type_machine_is_big_endian(),
            (uint8_t *)w->out + begin_of(&s, i) * narrow, w->type, count_of(&s, i));
    return error ? error_set(error, "%s: a number does not fit into a long of %zu bytes",
                             operation_name(call->op), narrow)
                 : HN_OK;
}

void widen_end(struct call *call)
{
    free(call->widened.in_copy);
    free(call->widened.out_copy);
}
