/* collectives.c - the public collective operations: each one names its arguments; call.c carries
 * them out, or request.c, when the caller does not wait.
 *
 * A static function makes a call of an operation's arguments, and FORMS() makes the three public
 * functions of it.
 */
#include "wire/call.h"

/* A list of parameters, or arguments, as one argument of a macro. */
#define LIST(...) __VA_ARGS__

/* hn_NAME(), which waits; hn_iNAME(), which does not; hn_NAME_init(), which can be started often.
 */
#define FORMS(name, parameters, arguments)                                                         \
    int hn_##name(parameters)                                                                      \
    {                                                                                              \
        struct call call = name(arguments);                                                        \
        return call_run(&call);                                                                    \
    }                                                                                              \
    int hn_i##name(parameters, hn_request **request)                                               \
    {                                                                                              \
        struct call call = name(arguments);                                                        \
        return call_post(&call, request);                                                          \
    }                                                                                              \
    int hn_##name##_init(parameters, hn_request **request)                                         \
    {                                                                                              \
        struct call call = name(arguments);                                                        \
        return call_keep(&call, request);                                                          \
    }

/* The operations that move a part for each member from or to the root, or to all. */
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

static struct call barrier(const hn_group *group)
{
    return move(OP_BARRIER, NULL, NULL, 0, HN_BYTE, 0, group);
}
FORMS(barrier, LIST(const hn_group *group), LIST(group))

static struct call bcast(void *data, size_t count, hn_type type, int root, const hn_group *group)
{
    return move(OP_BCAST, NULL, data, count, type, root, group);
}
FORMS(bcast, LIST(void *data, size_t count, hn_type type, int root, const hn_group *group),
      LIST(data, count, type, root, group))

static struct call bcast_to(void *data, size_t count, hn_type type, int root, const int *to, int n,
                            const hn_group *group)
{
    static const int nobody[1];
    struct call call = move(OP_BCAST, NULL, data, count, type, root, group);
    call.targets.to = to ? to : nobody;
    call.targets.to_count = to || n == 0 ? n : -1;
    return call;
}
FORMS(bcast_to,
      LIST(void *data, size_t count, hn_type type, int root, const int *to, int n,
           const hn_group *group),
      LIST(data, count, type, root, to, n, group))

static struct call multimulticast(const hn_multicast_message *messages, int n, hn_type type,
                                  const hn_group *group)
{
    struct call call = move(OP_MULTIMULTICAST, NULL, NULL, 0, type, 0, group);
    call.targets.multi = (struct multimulticast){.listed = messages, .count = n};
    return call;
}
FORMS(multimulticast,
      LIST(const hn_multicast_message *messages, int n, hn_type type, const hn_group *group),
      LIST(messages, n, type, group))

static struct call scatter(const void *in, size_t count, void *out, hn_type type, int root,
                           const hn_group *group)
{
    return move(OP_SCATTER, in, out, count, type, root, group);
}
FORMS(scatter,
      LIST(const void *in, size_t count, void *out, hn_type type, int root, const hn_group *group),
      LIST(in, count, out, type, root, group))

static struct call scatterv(const void *in, const size_t *counts, const size_t *displs, void *out,
                            size_t count, hn_type type, int root, const hn_group *group)
{
    return vector(move(OP_SCATTER, in, out, count, type, root, group), counts, displs);
}
FORMS(scatterv,
      LIST(const void *in, const size_t *counts, const size_t *displs, void *out, size_t count,
           hn_type type, int root, const hn_group *group),
      LIST(in, counts, displs, out, count, type, root, group))

static struct call gather(const void *in, size_t count, void *out, hn_type type, int root,
                          const hn_group *group)
{
    return move(OP_GATHER, in, out, count, type, root, group);
}
FORMS(gather,
      LIST(const void *in, size_t count, void *out, hn_type type, int root, const hn_group *group),
      LIST(in, count, out, type, root, group))

static struct call gatherv(const void *in, size_t count, void *out, const size_t *counts,
                           const size_t *displs, hn_type type, int root, const hn_group *group)
{
    return vector(move(OP_GATHER, in, out, count, type, root, group), counts, displs);
}
FORMS(gatherv,
      LIST(const void *in, size_t count, void *out, const size_t *counts, const size_t *displs,
           hn_type type, int root, const hn_group *group),
      LIST(in, count, out, counts, displs, type, root, group))

static struct call allgather(const void *in, size_t count, void *out, hn_type type,
                             const hn_group *group)
{
    return move(OP_ALLGATHER, in, out, count, type, 0, group);
}
FORMS(allgather, LIST(const void *in, size_t count, void *out, hn_type type, const hn_group *group),
      LIST(in, count, out, type, group))

static struct call allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                              hn_type type, const hn_group *group)
{
    return vector(move(OP_ALLGATHERV, in, out, 0, type, 0, group), counts, displs);
}
FORMS(allgatherv,
      LIST(const void *in, void *out, const size_t *counts, const size_t *displs, hn_type type,
           const hn_group *group),
      LIST(in, out, counts, displs, type, group))

static struct call alltoall(const void *in, size_t count, void *out, hn_type type,
                            const hn_group *group)
{
    return move(OP_ALLTOALL, in, out, count, type, 0, group);
}
FORMS(alltoall, LIST(const void *in, size_t count, void *out, hn_type type, const hn_group *group),
      LIST(in, count, out, type, group))

static struct call alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs,
                             void *out, const size_t *counts, const size_t *displs, hn_type type,
                             const hn_group *group)
{
    struct call call = vector(move(OP_ALLTOALL, in, out, 0, type, 0, group), counts, displs);
    bool in_place = in == HN_IN_PLACE;
    call.lists.in_counts = in_place ? counts : in_counts;
    call.lists.in_displs = in_place ? displs : in_displs;
    return call;
}
FORMS(alltoallv,
      LIST(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
           const size_t *counts, const size_t *displs, hn_type type, const hn_group *group),
      LIST(in, in_counts, in_displs, out, counts, displs, type, group))

static struct call reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                          const hn_group *group)
{
    return combine(OP_REDUCE, in, out, count, type, op, root, group);
}
FORMS(reduce,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
           const hn_group *group),
      LIST(in, out, count, type, op, root, group))

static struct call allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                             const hn_group *group)
{
    return combine(OP_ALLREDUCE, in, out, count, type, op, 0, group);
}
FORMS(allreduce,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      LIST(in, out, count, type, op, group))

static struct call scan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                        const hn_group *group)
{
    return combine(OP_SCAN, in, out, count, type, op, 0, group);
}
FORMS(scan,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      LIST(in, out, count, type, op, group))

static struct call exscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                          const hn_group *group)
{
    return combine(OP_EXSCAN, in, out, count, type, op, 0, group);
}
FORMS(exscan,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      LIST(in, out, count, type, op, group))

static struct call reduce_scatter_block(const void *in, void *out, size_t count, hn_type type,
                                        hn_op op, const hn_group *group)
{
    return combine(OP_REDUCE_SCATTER, in, out, count, type, op, 0, group);
}
FORMS(reduce_scatter_block,
      LIST(const void *in, void *out, size_t count, hn_type type, hn_op op, const hn_group *group),
      LIST(in, out, count, type, op, group))

static struct call reduce_scatter(const void *in, void *out, const size_t *counts, hn_type type,
                                  hn_op op, const hn_group *group)
{
    return vector(combine(OP_REDUCE_SCATTER, in, out, 0, type, op, 0, group), counts, NULL);
}
FORMS(reduce_scatter,
      LIST(const void *in, void *out, const size_t *counts, hn_type type, hn_op op,
           const hn_group *group),
      LIST(in, out, counts, type, op, group))
