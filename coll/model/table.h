/* table.h - a model with explicit cost matrices: one for each of S, X and R.
 *
 * Used for networks that have no network file: test vectors and the random networks of studies.
 * Costs are constant + per_byte * bytes, in any unit.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

enum table_cost { TABLE_SEND, TABLE_TRAVEL, TABLE_RECV, TABLE_COSTS };

struct table {
    int ranks;
    int64_t *constant[TABLE_COSTS]; /* [from * ranks + to] */
    int64_t *per_byte[TABLE_COSTS];
    hn_time *local;     /* [rank] */
    struct arena arena; /* of the arrays */
};

/* All costs 0. NULL: out of memory. */
struct table *table_new(int ranks);
void table_free(struct table *table);
/* Sets up a model that uses the table, which must outlive it. */
void model_of_table(struct model *model, const struct table *table, enum port port);
