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

/* ---- asking about plans ---------------------------------------------------------------------
 *
 * A plan is written NAME[:ARITY][/SEGMENT BYTES], as hplan prints it. */

/* Name of the i-th planner (`hplan -list`); NULL: there are no more. */
HN_API const char *hn_planner_name(int i);

/* Which plan the group's operations follow from now on, where it serves them, instead of hrun's
 * -plan; NULL: that one again. All members call it at the same place between operations. HN_EARG:
 * no such plan. */
HN_API int hn_set_plan(const hn_group *group, const char *plan);

typedef struct hn_forecast {
    char plan[64];
    hn_time makespan;    /* from the moment when all members begin until the last one is done */
    hn_time lower_bound; /* no plan that cuts the data so is faster; 0: unknown */
    int measured;        /* 1: the network is that of hrun's network file; 0: it is a guess */
} hn_forecast;

/* What the model says about an operation ("bcast", "allgather", ...) on `count` elements (of each
 * member, as in the calls above). plan: NULL, the one that the operation would follow now; a plan;
 * or NAME*, the planner at its best. Any member may ask, alone; takes as long as the planning.
 * HN_EPLAN: that plan does not serve the operation. */
HN_API int hn_forecast_plan(const hn_group *group, const char *operation, size_t count,
                            hn_type type, int root, const char *plan, hn_forecast *forecast);

#ifdef __cplusplus
}
#endif
#endif
