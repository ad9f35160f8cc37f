/* no_memory_groups.c - what one task does with groups, names and plans without memory. */
#include "check.h"
#include "hnow_coll.h"
#include "no_memory.h"

#include <stdlib.h>
#include <string.h>

static int group_from_tids(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_from_tids(&self, 1, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_new(void)
{
    hn_context context;
    hn_group *g;
    int result;
    CHECK(hn_context_new(&context) == HN_OK);
    if (TRY(hn_group_new(&self, 1, context, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_shrink(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_shrink(alone, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_split(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_split(alone, 0, 0, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static void nothing(void *thing)
{
    (void)thing;
}

static int group_keep(void)
{
    hn_group *g;
    int result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    TRY(hn_group_keep(g, &nth, &on, nothing));
    hn_group_free(g);
    return result;
}

static int join(void)
{
    int result;
    TRY(hn_join("a group"));
    if (result >= 0)
        CHECK(hn_leave("a group") == HN_OK);
    else
        hn_leave("a group"); /* hrun may have heard of it, or not */
    return result >= 0 ? HN_OK : result;
}

static int joined(void)
{
    hn_tid *tids;
    hn_group *g = NULL;
    int n, result;
    CHECK(hn_join("another") >= 0);
    if (TRY(hn_joined_members("another", &tids, &n)) == HN_OK)
        free(tids);
    if (result == HN_OK)
        TRY(hn_joined_barrier("another", 1));
    if (result == HN_OK)
        TRY(hn_joined_multicast("another", 1, out, 8, HN_BYTE));
    if (result == HN_OK && TRY(hn_joined_freeze("another", 1, &g)) == HN_OK)
        hn_group_free(g);
    CHECK(hn_leave("another") == HN_OK);
    return result;
}

static int name_put(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_name_put("a name", 0, 0, b));
    hn_buffer_free(b);
    return result >= 0 ? HN_OK : result;
}

static int name_get(void)
{
    hn_buffer *b = filled_buffer();
    hn_name_info *list;
    int n, result;
    CHECK(hn_name_put("a name", 0, 0, b) == 0);
    if (TRY(hn_name_get("a name", 0, 0, 0, b, NULL)) == HN_OK &&
        TRY(hn_name_list("*", &list, &n)) == HN_OK)
        free(list);
    if (result == HN_OK)
        TRY(hn_name_delete("a name", 0));
    hn_name_delete("a name", 0);
    hn_buffer_free(b);
    return result;
}

static void add(const void *left, const void *right, void *sum, size_t n, hn_type type, void *data)
{
    (void)type;
    (void)data;
    for (size_t i = 0; i < n; i++)
        ((int *)sum)[i] = ((const int *)left)[i] + ((const int *)right)[i];
}

static int op_new(void)
{
    hn_op op;
    int result;
    if (TRY(hn_op_new(add, NULL, 1, 1, &op)) == HN_OK)
        CHECK(hn_op_free(op) == HN_OK);
    return result;
}

static int topologies(void)
{
    hn_group *g; /* a new one: what a failed operation leaves behind stays with its group */
    hn_topology *t;
    int sizes[2] = {1, 1}, result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    if (TRY(hn_topology_ring(g, &t)) == HN_OK)
        hn_topology_free(t);
    if (result == HN_OK && TRY(hn_topology_mesh(g, 2, sizes, NULL, &t)) == HN_OK)
        hn_topology_free(t);
    if (result == HN_OK && TRY(hn_topology_graph(g, NULL, NULL, 0, &t)) == HN_OK)
        hn_topology_free(t);
    hn_group_free(g);
    return result;
}

static int forecast(void)
{
    hn_forecast f;
    int result;
    return TRY(hn_forecast_plan(hn_world(), "bcast", 1000, HN_INT, 0, "binomial", &f));
}

static int set_plan(void)
{
    hn_group *g;
    int result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    TRY(hn_set_plan(g, "chain"));
    if (result == HN_OK)
        TRY(hn_coll_adapt(g, 1));
    if (result == HN_OK)
        TRY(hn_coll_compress(g, 1));
    hn_group_free(g);
    return result;
}

static int persistent(void)
{
    hn_request *r = NULL;
    int result;
    TRY(hn_allreduce_init(in, out, 8, HN_INT, HN_SUM, alone, &r));
    if (result != HN_OK)
        return result;
    if (TRY(hn_start(r)) == HN_OK)
        result = hn_wait(r, NULL); /* it has begun, without memory for its steps */
    CHECK(result == HN_OK || result == HN_ENOMEM);
    CHECK(hn_request_free(r) == HN_OK);
    return result;
}

const struct what group_calls[] = {
    CASE(group_from_tids), CASE(group_new),  CASE(group_shrink), CASE(group_split),
    CASE(group_keep),      CASE(join),       CASE(joined),       CASE(name_put),
    CASE(name_get),        CASE(op_new),     CASE(topologies),   CASE(forecast),
    CASE(set_plan),        CASE(persistent), {NULL, NULL},
};
