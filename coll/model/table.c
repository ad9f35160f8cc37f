/* table.c - models written out. */
#include "model/table.h"

#include <stdlib.h>

struct table *table_new(int ranks)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    size_t n = (size_t)ranks;
    table->ranks = ranks;
    for (int i = 0; i < TABLE_COSTS; i++) {
        ARENA_ARRAYS(&table->arena, n * n, table->constant[i], table->per_byte[i]);
    }
    table->local = arena_array(&table->arena, n, sizeof *table->local);
    if (table->arena.failed) {
        table_free(table);
        return NULL;
    }
    return table;
}

void table_free(struct table *table)
{
    if (table)
        arena_free(&table->arena);
    free(table);
}

/* Costs in ps: a constant part, and one in proportion to the bytes. */
static struct cost table_cost(const struct model *model, int from, int to, int64_t bytes)
{
    const struct table *t = model->data;
    size_t at = (size_t)from * (size_t)t->ranks + (size_t)to;
    hn_time cost[TABLE_COSTS];
    for (int i = 0; i < TABLE_COSTS; i++)
        cost[i] = t->constant[i][at] + t->per_byte[i][at] * bytes;
    return (struct cost){cost[TABLE_SEND], cost[TABLE_TRAVEL], cost[TABLE_RECV]};
}

static hn_time table_local(const struct model *model, int rank)
{
    const struct table *t = model->data;
    return t->local[rank];
}

void model_of_table(struct model *model, const struct table *table, enum port port)
{
    *model = (struct model){.ranks = table->ranks,
                            .port = port,
                            .cost = table_cost,
                            .local = table_local,
                            .data = table};
}
