/* spread.h - the positions of an operation's elements in the caller's buffers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct call;

/* `parts` parts of `count` adjacent elements each; or part i has counts[i] elements from element
 * displs[i] on. */
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

/* Number of elements from the first to the last one used; SIZE_MAX: overflow. */
size_t spread_extent(const struct spread *s);

/* The elements that the operation reads at this member, and those that it may write or read in
 * place. */
struct spread spread_in(const struct call *call);
struct spread spread_out(const struct call *call);

/* Whether the caller's buffers can be as long as its counts (memory.h). To be called before the
 * sizes are used, but after the group state and the type are set. */
bool spread_fits(const struct call *call);
