/* radix.c - estimates the best radix (radix.h). Every stage takes one latency, and every message
 * the time for which it occupies its rank and connection, and MESSAGE_PRICE (selection.h). */
#include "planners/radix.h"

#include "select/selection.h"

/* A radix that is always tried: if a message travels while the next one is sent, the gain exceeds
 * the estimate. */
enum { USUAL = 4 };

static int stages_of(int ranks, int radix)
{
    int stages = 0;
    for (int64_t reached = 1; reached < ranks; reached *= radix)
        stages++;
    return stages;
}

int radix_messages(int ranks, int radix)
{
    int messages = 0;
    for (int64_t s = 1; s < ranks; s *= radix)
        messages += (ranks - 1) / s < radix - 1 ? (int)((ranks - 1) / s) : radix - 1;
    return messages;
}

/* Time for which a message occupies its slower rank and, beyond a latency, the connection. */
static hn_time occupied(const struct model *model, int from, int to, int64_t bytes)
{
    struct cost cost = model_cost(model, from, to, bytes);
    hn_time end = cost.send > cost.recv ? cost.send : cost.recv;
    return end + model_deliver(model, from, to, bytes) - model_deliver(model, from, to, 0);
}

/* The best radix for the route from the first rank to the last one, which is the longest if ranks
 * are sorted by site. */
static int likely_radix(const struct model *model, const struct request *req, int most)
{
    int last = req->ranks - 1, best = 2;
    if (last == 0)
        return best;
    int64_t bytes = request_part_bytes(req, 0);
    hn_time latency = model_deliver(model, 0, last, 0),
            each = MESSAGE_PRICE + occupied(model, 0, last, bytes);
    hn_time least = INT64_MAX;
    for (int radix = 2; radix <= most && radix <= req->ranks; radix++) {
        hn_time time =
            stages_of(req->ranks, radix) * latency + radix_messages(req->ranks, radix) * each;
        if (time <= least) { /* of equal ones the largest: its messages overlap more */
            least = time;
            best = radix;
        }
    }
    return best;
}

/* Goes to the next radix that is tried.  A quick search tries only the likely one and the usual
 * one.  Beyond arity_most the caller ends. */
void radix_next(struct choice *choice, bool quick, const struct request *req,
                const struct model *model)
{
    const struct planner *planner = choice->planner;
    int next = choice->arity + 1;
    if (quick && planner->staged) {
        int likely = likely_radix(model, req, planner->arity_most);
        while (next <= planner->arity_most && next != likely && next != USUAL)
            next++;
    }
    choice->arity = next;
}
