/* compose.h - plans made of other plans: an operation done by one that does more, or by two, one
 * after the other.
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
 * So what MPI's users expect of a library (Traff, Gropp and Thakur, "Self-consistent MPI
 * performance guidelines", 2010), that no operation takes longer than others that do the same,
 * holds for who looks at the best composed plans too, whatever the planners of the stages are.
 */
#pragma once

#include "planners/planner.h"

/* What one stage of a composed choice has to do. */
struct stage_request {
    struct request req;
    int64_t *sizes; /* that req refers to; or NULL */
};

/* HN_OK or HN_ENOMEM; stage_request_end() in every case. */
int stage_request_begin(struct stage_request *s, const struct request *req,
                        const struct choice *choice, int stage);
void stage_request_end(struct stage_request *s);

/* Makes a plan for the request that does what the first plan does, then what the second does (NULL:
 * there is none): finished plans for the stage_requests. What nobody needs is left out. Every rank
 * begins with the second as soon as its part in the first lets it: blocks that are done continue
 * while others still come. The steps of the two are put in order by playing them in the model,
 * without shared media. HN_OK and a finished plan, or HN_ENOMEM. Cost: O(s log n) for s steps, and
 * the blocks that they name. */
int compose(const struct request *req, const struct model *model, const struct plan *first,
            const struct plan *second, struct plan **plan);
