/* bound_multicast.c - Wu's bound for multiple multicasts, in the form that always is one
 * (multicast/bound.c): every node has to take in what it misses, nothing of it before a shortest
 * way.
 *
 * It holds for Wu's kind of plan: whole messages, each by itself, passed on by its source and its
 * destinations only. Cost: O(messages * n^2).
 */
#include "model/bounds/bounds.h"

#include "planners/multicast/multicast.h"

#include "hnow.h"

hn_time bound_by_receives(const struct bounding *b)
{
    const struct request *req = b->req;
    struct multicast m;
    if (b->cut || req->op != OP_MULTIMULTICAST)
        return 0;
    int error = multicast_begin(&m, b->model, req->messages, req->message_count);
    hn_time bound = error ? 0 : multicast_bound(&m);
    multicast_end(&m);
    return int64_larger(bound, 0);
}
