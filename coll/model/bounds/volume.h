/* volume.h - the bytes that an operation must move into and out of a set of ranks.
 *
 * In any plan, the data that members of the set want and cannot compute among themselves must enter
 * the set. What other ranks want of theirs must leave it.
 */
#pragma once

#include "plan/operation.h"

struct volume {
    const struct request *req;
    int64_t total;      /* bytes of all parts */
    int64_t *row, *col; /* if each pair has a part: sums by source, by destination */
};

struct crossing {
    int64_t in, out;
};

/* HN_OK or HN_ENOMEM; call volume_end() in either case. O(parts). */
int volume_begin(struct volume *v, const struct request *req);
void volume_end(struct volume *v);

/* The set is given by its members, ascending. O(count); O(count^2) if each pair has a part;
 * O(messages * ranks) for a multiple multicast. */
struct crossing volume_crossing(const struct volume *v, const int *members, int count);
