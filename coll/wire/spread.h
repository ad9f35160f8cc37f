/* spread.h - where the elements of an operation stand in the caller's buffers, as its arguments
 * say.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct call;

/* `parts` parts of `count` elements each, one behind the other; or part i has counts[i], which
 * begin at displs[i]. */
struct spread {
    size_t parts, count;
    const size_t *counts, *displs;
};

static inline size_t spread_begin(const struct spread *s, size_t part)
{
    return s->displs ? s->displs[part] : s->count * part;
}

static inline size_t spread_count(const struct spread *s, size_t part)
{
    return s->counts ? s->counts[part] : s->count;
}

/* The elements from the first one of the buffer to the last one; SIZE_MAX: too many to count. */
size_t spread_extent(const struct spread *s);

/* Of what the operation reads, and of all that it may write, or read in place, at this member. */
struct spread spread_in(const struct call *call);
struct spread spread_out(const struct call *call);

/* Whether the caller's buffers can be as long as its counts say (memory.h).  For an operation whose
 * group state and type are known, before anything is made of its sizes. */
bool spread_fits(const struct call *call);
