/* spread.c - derives the positions of elements from the operation and its arguments (spread.h).
 *
 * With a count that is longer than the buffer, a member would access unmapped memory in the middle
 * of the operation, some members earlier than others. So long buffers are checked before it starts.
 */
#include "wire/spread.h"

#include "wire/call.h"

#include "runtime/internal.h"

/* `count` elements without gaps. */
static struct spread in_a_row(size_t count)
{
    return (struct spread){.parts = 1, .count = count};
}

/* Counts and displacements are used only by the forms whose parts differ. */
static struct spread of_all(const struct call *call, const size_t *counts, const size_t *displs)
{
    return (struct spread){(size_t)call->req.ranks, call->count, call->lists.vector ? counts : NULL,
                           call->lists.vector ? displs : NULL};
}

/* The operation does not use this buffer. */
static struct spread nothing(void)
{
    return (struct spread){0};
}

/* Empty parts do not count, since their displacement may be anything. */
size_t spread_extent(const struct spread *s)
{
    size_t extent = 0, end;
    for (size_t i = 0; i < s->parts; i++) {
        size_t begin = s->displs ? s->displs[i] : 0;
        if (spread_count(s, i) == 0)
            continue;
        if ((!s->displs && __builtin_mul_overflow(s->count, i, &begin)) ||
            __builtin_add_overflow(begin, spread_count(s, i), &end))
            return SIZE_MAX;
        extent = end > extent ? end : extent;
    }
    return extent;
}

/* Number of elements that a reduce_scatter combines, which are contiguous; SIZE_MAX: overflow. */
static size_t scattered(const struct call *call)
{
    size_t total = 0;
    for (int i = 0; i < call->req.ranks; i++)
        if (__builtin_add_overflow(total, call->lists.vector ? call->lists.counts[i] : call->count,
                                   &total))
            return SIZE_MAX;
    return total;
}

/* In the order of what the operation reads: nothing, the root's list, own parts, or all parts. */
struct spread spread_in(const struct call *call)
{
    switch (call->op) {
    case OP_BCAST:
    case OP_BARRIER:
    case OP_MULTIMULTICAST: /* its buffers are those of its messages */
        return nothing();
    case OP_SCATTER:
        return call->x.rank == call->root ? of_all(call, call->lists.counts, call->lists.displs)
                                          : nothing();
    case OP_ALLTOALL:
        return of_all(call, call->lists.in_counts, call->lists.in_displs);
    case OP_ALLGATHERV:
        return in_a_row(call->lists.counts[call->x.rank]);
    case OP_REDUCE_SCATTER:
        return in_a_row(scattered(call));
    default:
        return in_a_row(call->count);
    }
}

/* The caller's buffers, even if call->in and call->out point to copies (widen.h). */
static const void *given_in(const struct call *call)
{
    return call->widened.type ? call->widened.in : call->in;
}

static const void *given_out(const struct call *call)
{
    return call->widened.type ? call->widened.out : call->out;
}

/* In place the output is read as well, so it counts even where nothing is received. */
struct spread spread_out(const struct call *call)
{
    /* The caller's own argument: call->in may be a copy. */
    bool in_place = given_in(call) == HN_IN_PLACE, at_root = call->x.rank == call->root;
    switch (call->op) {
    case OP_BARRIER:
    case OP_MULTIMULTICAST:
        return nothing();
    case OP_REDUCE:
        return at_root || in_place ? in_a_row(call->count) : nothing();
    case OP_EXSCAN:
        return call->x.rank > 0 || in_place ? in_a_row(call->count) : nothing();
    case OP_GATHER:
        return at_root ? of_all(call, call->lists.counts, call->lists.displs) : nothing();
    case OP_ALLGATHER:
    case OP_ALLGATHERV:
    case OP_ALLTOALL:
        return of_all(call, call->lists.counts, call->lists.displs);
    case OP_REDUCE_SCATTER:
        return in_a_row(in_place             ? scattered(call)
                        : call->lists.vector ? call->lists.counts[call->x.rank]
                                             : call->count);
    default:
        return in_a_row(call->count);
    }
}

/* Missing buffers are examined elsewhere (layout.c). */
static bool fits(const struct call *call, const void *buffer, const struct spread *s)
{
    size_t element = hn_type_size(call->widened.type ? call->widened.type : call->type);
    return !buffer || buffer == HN_IN_PLACE || memory_spans(buffer, spread_extent(s), element);
}

bool spread_fits(const struct call *call)
{
    struct spread in = spread_in(call), out = spread_out(call);
    return fits(call, given_in(call), &in) && fits(call, given_out(call), &out);
}
