/* collectives.c - the public collective operations, blocking: each one names its arguments and is
 * carried out by call.c. */
#include "call.h"

int hn_barrier(const hn_group *group)
{
    struct call call = {.op = OP_BARRIER, .group = group, .type = HN_BYTE};
    return call_run(&call);
}

int hn_bcast(void *data, size_t count, hn_type type, int root, const hn_group *group)
{
    struct call call = {
        .op = OP_BCAST, .group = group, .out = data, .count = count, .type = type, .root = root};
    return call_run(&call);
}

int hn_bcast_to(void *data, size_t count, hn_type type, int root, const int *to, int n,
                const hn_group *group)
{
    static const int nobody[1];
    struct call call = {.op = OP_BCAST,
                        .group = group,
                        .out = data,
                        .count = count,
                        .type = type,
                        .root = root,
                        .to = to ? to : nobody,
                        .to_count = to || n == 0 ? n : -1};
    return call_run(&call);
}

/* The operations that combine. */
static int combine(enum operation op, const void *in, void *out, size_t count, hn_type type,
                   hn_op rule, int root, const hn_group *group)
{
    struct call call = {.op = op,
                        .group = group,
                        .in = in,
                        .out = out,
                        .count = count,
                        .type = type,
                        .rule = rule,
                        .root = root};
    return call_run(&call);
}

int hn_reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
              const hn_group *group)
{
    return combine(OP_REDUCE, in, out, count, type, op, root, group);
}

int hn_allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                 const hn_group *group)
{
    return combine(OP_ALLREDUCE, in, out, count, type, op, 0, group);
}

int hn_scan(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group)
{
    return combine(OP_SCAN, in, out, count, type, op, 0, group);
}

int hn_exscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
              const hn_group *group)
{
    return combine(OP_EXSCAN, in, out, count, type, op, 0, group);
}

int hn_reduce_scatter_block(const void *in, void *out, size_t count, hn_type type, hn_op op,
                            const hn_group *group)
{
    return combine(OP_REDUCE_SCATTER, in, out, count, type, op, 0, group);
}

/* The operations that move a part for each member from or to the root, or to all. */
static struct call move(enum operation op, const void *in, void *out, size_t count, hn_type type,
                        int root, const hn_group *group)
{
    return (struct call){
        .op = op, .group = group, .in = in, .out = out, .count = count, .type = type, .root = root};
}

/* The same with parts of different sizes. */
static int run_vector(struct call call, const size_t *counts, const size_t *displs)
{
    call.vector = true;
    call.counts = counts;
    call.displs = displs;
    return call_run(&call);
}

int hn_scatter(const void *in, size_t count, void *out, hn_type type, int root,
               const hn_group *group)
{
    struct call call = move(OP_SCATTER, in, out, count, type, root, group);
    return call_run(&call);
}

int hn_scatterv(const void *in, const size_t *counts, const size_t *displs, void *out, size_t count,
                hn_type type, int root, const hn_group *group)
{
    return run_vector(move(OP_SCATTER, in, out, count, type, root, group), counts, displs);
}

int hn_gather(const void *in, size_t count, void *out, hn_type type, int root,
              const hn_group *group)
{
    struct call call = move(OP_GATHER, in, out, count, type, root, group);
    return call_run(&call);
}

int hn_gatherv(const void *in, size_t count, void *out, const size_t *counts, const size_t *displs,
               hn_type type, int root, const hn_group *group)
{
    return run_vector(move(OP_GATHER, in, out, count, type, root, group), counts, displs);
}

int hn_allgather(const void *in, size_t count, void *out, hn_type type, const hn_group *group)
{
    struct call call = move(OP_ALLGATHER, in, out, count, type, 0, group);
    return call_run(&call);
}

int hn_allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                  hn_type type, const hn_group *group)
{
    return run_vector(move(OP_ALLGATHERV, in, out, 0, type, 0, group), counts, displs);
}

int hn_alltoall(const void *in, size_t count, void *out, hn_type type, const hn_group *group)
{
    struct call call = move(OP_ALLTOALL, in, out, count, type, 0, group);
    return call_run(&call);
}

int hn_alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
                 const size_t *counts, const size_t *displs, hn_type type, const hn_group *group)
{
    struct call call = move(OP_ALLTOALL, in, out, 0, type, 0, group);
    bool in_place = in == HN_IN_PLACE;
    call.in_counts = in_place ? counts : in_counts;
    call.in_displs = in_place ? displs : in_displs;
    return run_vector(call, counts, displs);
}

int hn_reduce_scatter(const void *in, void *out, const size_t *counts, hn_type type, hn_op op,
                      const hn_group *group)
{
    struct call call = move(OP_REDUCE_SCATTER, in, out, 0, type, 0, group);
    call.rule = op;
    return run_vector(call, counts, NULL);
}
