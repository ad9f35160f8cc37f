/* bound_spread.c - how soon the data of one rank can be everywhere, and those of all ranks in one
 * place.
 */
#include "model/bounds/bounds.h"

#include <stdlib.h>

/* ---- copies ----------------------------------------------------------------------------- */

/* Copy by copy, the sender that is free first sends: a queue of old senders and one of new ones,
 * both ordered by time. No heap is needed, since both queues are ascending by themselves. */
bool bound_copy_times(hn_time busy, hn_time deliver, int count, hn_time *copies)
{
    hn_time *again = malloc(((size_t)count + 2) * sizeof *again);
    int again_first = 0, again_end = 1, fresh = 0;
    if (!again)
        return false;
    again[0] = 0;
    for (int made = 0; made < count; made++) {
        hn_time start;
        if (fresh < made && (again_first == again_end || copies[fresh] < again[again_first]))
            start = copies[fresh++];
        else
            start = again[again_first++];
        /* The new owner is a sender from then on, and the old one after its send. */
        copies[made] = start + deliver;
        again[again_end++] = start + busy;
    }
    free(again);
    return true;
}

/* Minima over all routes for one size. Each is taken separately, so no real route need have all. */
struct cheapest bound_cheapest(const struct bounding *b, int64_t bytes)
{
    struct zones *z = b->zones;
    const hn_time most = INT64_MAX;
    struct cheapest least = {most, most, most, {most, most, most}, most};
    zones_set_bytes(z, bytes);
    for (int from = 0; from < z->c.count; from++)
        for (int to = 0; to < z->c.count; to++) {
            if (!zones_linked(z, from, to))
                continue;
            struct cost c = zones_cost(z, from, to);
            hn_time out = bound_port_time(b->model, c, false);
            least.out = int64_smaller(least.out, out);
            least.in = int64_smaller(least.in, bound_port_time(b->model, c, true));
            least.deliver = int64_smaller(least.deliver, c.send + c.travel + c.recv);
            least.each.send = int64_smaller(least.each.send, c.send);
            least.each.travel = int64_smaller(least.each.travel, c.travel);
            least.each.recv = int64_smaller(least.each.recv, c.recv);
            /* The root's own send is known, so its extra time over its zone counts. */
            if (from == z->c.of[b->req->root])
                least.root = int64_smaller(least.root, out + zones_extra_send(z, b->req->root));
        }
    return least;
}

/* No broadcast of whole messages is faster than one in which every edge has the lowest cost; the
 * last copies go to the ranks with the shortest local parts. And the root must send once. */
hn_time bound_by_copies(const struct bounding *b)
{
    int n = b->req->ranks, root_rank = b->req->root;
    hn_time bound = 0;
    struct cheapest least = bound_cheapest(b, request_part_bytes(b->req, 0));
    hn_time *copies = malloc((size_t)n * sizeof *copies),
            *local = malloc((size_t)n * sizeof *local);
    if (copies && local && bound_copy_times(least.out, least.deliver, n - 1, copies)) {
        int count = 0;
        for (int rank = 0; rank < n; rank++)
            if (rank != root_rank)
                local[count++] = model_local(b->model, rank);
        values_sort(local, count);
        for (int k = 0; k < count; k++)
            /* The earliest copy goes to the rank with the longest local part. */
            bound = int64_larger(bound, copies[k] + local[count - 1 - k]);
    }
    free(copies);
    free(local);
    return int64_larger(bound, least.root + model_local(b->model, root_rank));
}

/* ---- spreading and collecting ----------------------------------------------------------- */

/* Data that one rank has and all want reach one more rank with each send of a rank that has them,
 * however they are cut: consider their first byte, with the cost of an empty message. In reverse,
 * the number of contributions that a rank can have at time t is at most what it had when it began
 * its last receive, plus what the sender had when it began to send: K(t) = K(t - R) + K(t - S - X -
 * R). That is a broadcast backwards, with receives in place of sends. */
hn_time bound_by_knowledge(const struct bounding *b)
{
    enum operation op = b->req->op;
    int n = b->req->ranks;
    bool spreads = op != OP_REDUCE && op != OP_GATHER,
         collects = op != OP_BCAST && op != OP_SCATTER;
    if (op == OP_MULTIMULTICAST)
        return 0;
    hn_time bound = 0, *times = malloc((size_t)n * sizeof *times);
    bool whole = !b->cut && request_parts(b->req) == 1;
    struct cheapest least = bound_cheapest(b, whole ? request_part_bytes(b->req, 0) : 0);
    if (times && spreads && bound_copy_times(least.out, least.deliver, n - 1, times))
        bound = times[n - 2];
    if (times && collects && bound_copy_times(least.in, least.deliver, n - 1, times))
        bound = int64_larger(bound, times[n - 2]);
    free(times);
    return bound;
}
