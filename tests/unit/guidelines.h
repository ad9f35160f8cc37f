/* guidelines.h - that no operation takes longer than others which do the same: Traff, Gropp and
 * Thakur, "Self-consistent MPI performance guidelines" (2010).
 */
#pragma once

#include "coll/internal.h"

#include <stddef.h>

extern const int guideline_count;

/* As "allgather <= gather + bcast". */
const char *guideline_text(int i, char *text, size_t size);

/* What `auto` promises for both sides, at most, of all planners that are not slow. Data are of
 * bytes (of each rank, on the left). HN_OK, HN_ENOMEM, or HN_EPLAN when nobody serves one. */
int guideline_sides(int i, const struct model *model, int root, int64_t bytes, hn_time *left,
                    hn_time *right);
