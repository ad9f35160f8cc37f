/* hnow_coll.h - the public interface of the coll room: collective operations that follow plans.
 *
 * The semantics are those of MPI-4's chapter on collective communication: every member of the group
 * calls the same operation with matching arguments, in the same order.  Each call blocks until the
 * caller's part is done and its buffers may be used again.  Which plan is followed is decided by
 * the network file that hrun was given (`auto`), or by hrun's -plan.
 */
#ifndef HNOW_COLL_H
#define HNOW_COLL_H

#include "hnow.h"
#include "hnow_net.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reduction operators. */
typedef enum hn_op {
    HN_SUM,
    HN_PROD,
    HN_MIN,
    HN_MAX,
    HN_LAND,
    HN_LOR,
    HN_BAND,
    HN_BOR,
    HN_BXOR
} hn_op;

/* As send buffer: the data already stands in the receive buffer. */
#define HN_IN_PLACE ((const void *)-1)

/* Counts are elements; out buffers must not overlap in buffers.  Ranks are ranks in `group`. */
HN_API int hn_barrier(const hn_group *group);
HN_API int hn_bcast(void *data, size_t count, hn_type type, int root, const hn_group *group);
/* out is used at root only. */
HN_API int hn_reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                     const hn_group *group);
HN_API int hn_allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                        const hn_group *group);
/* out holds size * count elements, in the order of ranks. */
HN_API int hn_allgather(const void *in, size_t count, void *out, hn_type type,
                        const hn_group *group);
/* Member r contributes counts[r] elements, which stand in out from element displs[r] on. */
HN_API int hn_allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                         hn_type type, const hn_group *group);

#ifdef __cplusplus
}
#endif
#endif
