/* compose.h - plans made of other plans: an operation is executed as one that does more, or as two
 * in sequence.
 *
 *     allreduce        reduce, bcast             reduce_scatter, allgather
 *     bcast            scatter, allgather        as allreduce
 *     reduce           reduce_scatter, gather    as allreduce
 *     reduce_scatter   reduce, scatter           reduce, bcast       as allreduce
 *     allgather(v)     gather, bcast             as allreduce        as alltoall
 *     alltoall         gather, bcast             as allgather        as allreduce
 *     gather           as allgather              as allreduce        as reduce
 *     scatter          as bcast
 *     barrier          reduce, bcast
 *
 * MPI's users expect that no operation takes longer than others that do the same (Traff, Gropp and
 * Thakur, "Self-consistent MPI performance guidelines", 2010). A selection that includes the best
 * composed plans fulfils this, whatever the planners of the stages are.
 */
#pragma once

#include "planners/planner.h"

/* The request of one stage of a composed choice. */
struct stage_request {
    struct request req;
    int64_t *sizes; /* sizes of req, if it needs an array of its own; else NULL */
};

/* Derives the request of a stage (0 or 1). HN_OK or HN_ENOMEM; call stage_request_end() in either
 * case. */
int stage_request_begin(struct stage_request *s, const struct request *req,
                        const struct choice *choice, int stage);
void stage_request_end(struct stage_request *s);

/* Combines two finished plans for the stage requests into one plan for `req`; second may be NULL.
 * Steps whose results no rank needs are left out. A rank begins with the second stage as soon as
 * its steps in the first one allow it, so finished blocks continue while others still arrive. A
 * simulation without shared media gives the order of the steps. Returns HN_OK and a finished plan
 * that the caller frees, or HN_ENOMEM. Cost: O(s log n) for s steps, and the blocks in them. */
int compose(const struct request *req, const struct model *model, const struct plan *first,
            const struct plan *second, struct plan **plan);
