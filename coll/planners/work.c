/* work.c - estimates the work of planning (work.h). The constants are ps, measured with
 * `hplan -bench speed` on a processor of 2020. */
#include "planners/work.h"

#include "planners/planners.h"
#include "planners/radix.h"

static const hn_time message = 500000, /* a message, if only ports are shared; */
    shared_message = 100000,           /* if media are shared, instead this ... */
    shared_rank = 30000,               /* ... and this for each rank that may share them, ... */
    shared_most = 1000000,             /* ... but at most this */
    pair = 20000,                      /* a pair examined by a planner */
    exchange = 2000000,                /* ordering a message of a total exchange */
    member = 2000000,                  /* a rank of a group in which a tree is grown by pairs */
    look = 10000,                      /* a holder of a message examined in a multiple multicast */
    name = 250,                        /* a block listed in a message */
    improvement = 1000000000000;       /* a search among many ranks */

/* Whether messages share media: then rates are computed for each message. */
static bool has_wires(const struct model *model)
{
    const hn_net *net = model_net(model);
    hn_channel route[HN_WAY_MOST];
    for (int rank = 1; net && rank < model->ranks; rank++) {
        int from = model_host(model, 0), to = model_host(model, rank);
        int ports = (hn_net_host(net, from)->send_gap > 0) + (hn_net_host(net, to)->recv_gap > 0);
        if (model_route(model, 0, rank, route) > ports)
            return true;
    }
    return false;
}

hn_time work_message(const struct model *model)
{
    hn_time shared = shared_message + model->ranks * shared_rank;
    if (!has_wires(model))
        return message;
    return shared < shared_most ? shared : shared_most;
}

int64_t work_messages(const struct choice *choice, const struct request *req)
{
    int64_t n = req->ranks, bytes = request_part_bytes(req, 0), messages = n;
    if (choice->planner->staged)
        return n * radix_messages(req->ranks, choice->arity);
    if (choice->segment > 0)
        messages *= bytes / choice->segment + 1;
    if (!choice->planner->tree)
        messages *= choice->segment > 0 ? 2 : n;
    return req->op == OP_ALLREDUCE && choice->planner->tree ? 2 * messages : messages;
}

hn_time groups_cost(const struct choice *choice, const struct request *req)
{
    (void)choice;
    return req->ranks * member;
}

hn_time exchange_cost_of(const struct choice *choice, const struct request *req)
{
    (void)choice;
    return (hn_time)req->ranks * req->ranks * exchange;
}

/* Work of multicast_search.c, which is limited by moves, each of which repeats all decisions, and
 * by examined holders. */
static hn_time work_messages_search(const struct request *req)
{
    const int64_t moves = 40000, most = 40000000, each = 100000;
    int64_t n = req->ranks;
    int64_t looks = moves * (n * request_parts(req) / 16 + 2 * (int64_t)request_deliveries(req));
    return (looks < most ? looks : most) * each;
}

hn_time work_pairs(int ranks)
{
    return (hn_time)ranks * ranks * pair;
}

hn_time multicast_cost(const struct choice *choice, const struct request *req)
{
    if (req->op != OP_MULTIMULTICAST)
        return 0;
    hn_time first = (hn_time)request_deliveries(req) * request_parts(req) * req->ranks * look;
    return first + (choice->planner->search > 0 ? work_messages_search(req) : 0);
}

hn_time work_search(const struct choice *choice, const struct request *req)
{
    const struct planner *planner = choice->planner;
    int64_t n = req->ranks;
    hn_time work = planner->candidate.cost ? planner->candidate.cost(choice, req) : 0;
    work += planner->pairs ? work_pairs(req->ranks) : 0;
    /* On a chain every message lists half of all parts, on average. */
    work += request_parts(req) > 1 && choice->arity == 1 ? n * n * name : 0;
    if (planner->search > 0 && !req->messages)
        work += n <= WORK_RANKS_FREE ? n * planner->search : improvement;
    return work;
}

hn_time work_patience(int ranks)
{
    const hn_time second = 1000000000000; /* ps */
    if (ranks <= WORK_RANKS_FREE)
        return INT64_MAX;
    return ranks <= WORK_RANKS_SOME ? 5 * second : second / 10 * 7 + ranks * 2 * member;
}
