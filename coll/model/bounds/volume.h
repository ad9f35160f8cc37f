/* volume.h - how many bytes an operation must move into and out of a set of ranks.
 *
 * Whatever a plan does, what the members of a set want and cannot make among themselves must cross
 * into the set, and what others want of them must cross out of it.
 */
#pragma once

#include "plan/operation.h"

struct volume {
    const struct request *req;
    int64_t total;      /* bytes of all parts */
    int64_t *row, *col; /* of operations with a part for each pair: by source, by destination */
};

struct crossing {
    int64_t in, out;
};

/* HN_OK or HN_ENOMEM; volume_end() in every case. O(parts). */
int volume_begin(struct volume *v, const struct request *req);
void volume_end(struct volume *v);

/* The set is given by its members, ascending. O(count), O(count^2) with a part for each pair,
 * O(messages * ranks) of a multiple multicast. */
struct crossing volume_crossing(const struct volume *v, const int *members, int count);
