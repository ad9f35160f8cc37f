/* collectives.c - the public collective operations: each one names its arguments; call.c carries
 * them out, or request.c, when the caller does not wait.
 *
 * FORMS() makes the three public functions of an operation of an expression for its call.
 */
#include "wire/call.h"

#define FORMS(name, parameters, expression)                                                        \
    FORMS_OF(struct call, call_run, call_post, call_keep, name, LIST(parameters), expression)

/* The operations that move a part for each member from or to the root, or to all.  Operations
 * without a root have 0. */
static struct call move(enum operation op, const void *in, void *out, size_t count, hn_type type,
                        int root, const hn_group *group)
{
    return (struct call){.op = op,
                         .kind = kind_of(op, false),
                         .group = group,
                         .in = in,
                         .out = out,
                         .count = count,
                         .type = type,
                         .root = root};
}

/* The same with parts of different sizes. */
static struct call vector(struct call call, const size_t *counts, const size_t *displs)
{
    call.lists.vector = true;
    call.kind = kind_of(call.op, true);
    call.lists.counts = counts;
    call.lists.displs = displs;
    return call;
}

/* The operations that combine. */
static struct call combine(enum operation op, const void *in, void *out, size_t count, hn_type type,
                           hn_op rule, int root, const hn_group *group)
{
    struct call call = move(op, in, out, count, type, root, group);
    call.rule = rule;
    return call;
}

FORMS(barrier, LIST(const hn_group *group), move(OP_BARRIER, NULL, NULL, 0, HN_BYTE, 0, group))

FORMS(bcast, LIST(void *data, size_t count, hn_type type, int root, const hn_group *group),
      move(OP_BCAST, NULL, data, count, type, root, group))

/* `to` marks a multicast to a list, so an empty list needs an address, too. -1: the list is
 * missing. */
static struct call multicast(struct call call, const int *to, int n)
{
    static const int nobody[1];
    call.targets.to = to ? to : nobody;
    call.targets.to_count = to || n == 0 ? n : -1;
    return call;
}

FORMS(bcast_to,
      LIST(void *data, size_t count, hn_type type, int root, const int *to, int n,
           const hn_group *group),
      multicast(move(OP_BCAST, NULL, data, count, type, root, group), to, n))

/* The messages are read at the beginning of the call; the list is not used afterwards. */
static struct call multicasts(const hn_multicast_message *messages, int n, hn_type type,
                              const hn_group *group)
{
    struct call call = move(OP_MULTIMULTICAST, NULL, NULL, 0, type, 0, group);
    call.targets.multi = (struct multimulticast){.listed = messages, .count = n};
    return call;
}

FORMS(multimulticast,
      LIST(const hn_multicast_message *messages, int n, hn_type type, const hn_group *group),
      multicasts(messages, n, type, group))

FORMS(scatter,
      LIST(const void *in, size_t count, void *out, hn_type type, int root, const hn_group *group),
      move(OP_SCATTER, in, out, count, type, root, group))

FORMS(scatterv,
      LIST(const void *in, const size_t *counts, const size_t *displs, void *out, size_t count,
           hn_type type, int root, const hn_group *group),
      vector(move(OP_SCATTER, in, out, count, type, root, group), counts, displs))

FORMS(gather,
      LIST(const void *in, size_t count, void *out, hn_type type, int root, const hn_group *group),
      move(OP_GATHER, in, out, count, type, root, group))

FORMS(gatherv,
      LIST(const void *in, size_t count, void *out, const size_t *counts, const size_t *displs,
           hn_type type, int root, const hn_group *group),
      vector(move(OP_GATHER, in, out, count, type, root, group), counts, displs))

FORMS(allgather, LIST(const void *in, size_t count, void *out, hn_type type, const hn_group *group),
      move(OP_ALLGATHER, in, out, count, type, 0, group))

FORMS(allgatherv,
      LIST(const void *in, void *out, const size_t *counts, const size_t *displs, hn_type type,
           const hn_group *group),
      vector(move(OP_ALLGATHERV, in, out, 0, type, 0, group), counts, displs))

FORMS(alltoall, LIST(const void *in, size_t count, void *out, hn_type type, const hn_group *group),
      move(OP_ALLTOALL, in, out, count, type, 0, group))

/* The sizes of what is sent; in place, those of what is received. */
static struct call sending(struct call call, const size_t *counts, const size_t *displs)
{
    bool in_place = call.in == HN_IN_PLACE;
    call.lists.in_counts = in_place ? call.lists.counts : counts;
    call.lists.in_displs = in_place ? call.lists.displs : displs;
    return call;
}

FORMS(alltoallv,
      LIST(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
           const size_t *counts, const size_t *displs, hn_type type, const hn_group *group),
      sending(vector(move(OP_ALLTOALL, in, out, 0, type, 0, group), counts, displs), in_counts,
              in_displs))

FORMS(reduce,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
           const hn_group *group),
      combine(OP_REDUCE, in, out, count, type, op, root, group))

FORMS(allreduce,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      combine(OP_ALLREDUCE, in, out, count, type, op, 0, group))

FORMS(scan,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      combine(OP_SCAN, in, out, count, type, op, 0, group))

FORMS(exscan,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      combine(OP_EXSCAN, in, out, count, type, op, 0, group))

FORMS(reduce_scatter_block,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      combine(OP_REDUCE_SCATTER, in, out, count, type, op, 0, group))

FORMS(reduce_scatter,
      LIST(const void *in, void *out, const size_t *counts, hn_type type, hn_op op,
           const hn_group *group),
      vector(combine(OP_REDUCE_SCATTER, in, out, 0, type, op, 0, group), counts, NULL))
