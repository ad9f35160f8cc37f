/* line.c - our own: all ranks on a line, along which every part goes both ways from its owner.
 *
 *     allgather(v)     in round t place i passes the part of place i - t on to the right, and that
 *                      of place i + t to the left
 *     reduce_scatter   the same backwards in time, combining: sums run towards their owner
 *     allreduce        the data in n pieces: the one, then the other
 *
 * Every part crosses every edge of the line once, in one of its directions.  A subnet of k ranks
 * has k - 1 edges inside, and one more on each side where the line goes on: so a bus carries k
 * parts for each rank of the job where the line ends in it, k + 1 where it passes, while a ring
 * passes everywhere: on ECO's three segments of 3, 3 and 2 hosts 24 messages instead of the
 * ring's 28, which is the least there is for unicast messages.  On links between sites a ring uses
 * one direction, the line both.  On one switch the ring has the smaller load (n - 1 sends, here
 * n + 1).
 *
 * Which subnets are at the ends, and in which order the others are passed, is found by exchanging
 * two of them as long as that makes the busiest channel or rank, and the way along the whole line,
 * shorter.  Cost: O(n) for each of O(c^2) exchanges of c subnets; O(n^2) steps.
 *
 * Sums keep the order of ranks when the line does.
 */
#include "planners/planners.h"

#include "model/cluster.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

enum { SUBNETS_MOST = 24, SWEEPS_MOST = 8 };

struct line {
    const struct problem *problem;
    int n;
    struct clusters c;
    int *order;        /* of the clusters */
    int *place;        /* [place]: rank */
    hn_time *channel;  /* [channel]: how long it is busy */
    hn_time *busy;     /* [rank] */
    int *piece;        /* [place]: its block */
    struct plan *plan; /* in the making */
};

static void lay(struct line *l)
{
    int count = 0;
    for (int i = 0; i < l->c.count; i++)
        for (int k = l->c.first[l->order[i]]; k < l->c.first[l->order[i] + 1]; k++)
            l->place[count++] = l->c.member[k];
}

/* ---- the order of subnets ----------------------------------------------------------------------
 */

/* What a rank owns. */
static int64_t own_bytes(const struct line *l, int rank)
{
    const struct request *req = l->problem->req;
    if (request_parts(req) == 1)
        return request_part_bytes(req, 0) / l->n;
    return request_part_bytes(req, rank);
}

/* Notes what `messages` of so many bytes together occupy; the largest of all so far. */
static hn_time load(struct line *l, int from, int to, int messages, int64_t bytes, hn_time most)
{
    hn_channel way[HN_WAY_MOST];
    struct cost cost = model_cost(l->problem->model, from, to, bytes / messages);
    int count = model_way(l->problem->model, from, to, way);
    for (int i = 0; i < count; i++) {
        hn_time *busy = &l->channel[way[i].id];
        *busy += wide_ratio(bytes, way[i].per_byte, 1000) + messages * way[i].message;
        most = *busy > most ? *busy : most;
    }
    l->busy[from] += messages * cost.send;
    l->busy[to] += messages * cost.recv;
    most = l->busy[from] > most ? l->busy[from] : most;
    return l->busy[to] > most ? l->busy[to] : most;
}

/* About how long all of it takes: what the busiest channel or rank has to do, and the way of one
 * part from end to end. */
static hn_time estimate(struct line *l)
{
    const hn_net *net = model_net(l->problem->model);
    int channels = net ? hn_net_channel_count(net) : 0;
    int64_t total = 0, left = 0, mean = problem_bytes(l->problem);
    hn_time most = 0, way = 0;
    for (int i = 0; i < channels; i++)
        l->channel[i] = 0;
    for (int rank = 0; rank < l->n; rank++) {
        l->busy[rank] = 0;
        total += own_bytes(l, rank);
    }
    lay(l);
    for (int i = 0; i + 1 < l->n; i++) {
        int here = l->place[i], next = l->place[i + 1];
        left += own_bytes(l, here);
        most = load(l, here, next, i + 1, left, most);
        most = load(l, next, here, l->n - 1 - i, total - left, most);
        way += model_deliver(l->problem->model, here, next, mean);
    }
    return most + way;
}

static void exchange(int *order, int a, int b)
{
    int kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

static int size_of(const struct line *l, int at)
{
    return l->c.first[l->order[at] + 1] - l->c.first[l->order[at]];
}

/* Puts the largest of the subnets at `from` ... `to` to one end of these. */
static void largest_to(struct line *l, int from, int to, int end)
{
    int largest = end;
    for (int i = from; i <= to; i++)
        if (size_of(l, i) > size_of(l, largest))
            largest = i;
    exchange(l->order, largest, end);
}

/* From the two largest at the ends on: where two channels are equally busy, no exchange of one
 * makes anything shorter. */
static void arrange(struct line *l)
{
    int last = l->c.count - 1;
    largest_to(l, 0, last, 0);
    largest_to(l, 1, last, last);
    hn_time least = estimate(l), before = INT64_MAX;
    for (int sweep = 0; sweep < SWEEPS_MOST && least < before; sweep++) {
        before = least;
        for (int a = 0; a < l->c.count; a++)
            for (int b = a + 1; b < l->c.count; b++) {
                exchange(l->order, a, b);
                hn_time time = estimate(l);
                if (time < least)
                    least = time;
                else
                    exchange(l->order, a, b);
            }
    }
}

/* ---- the plan ----------------------------------------------------------------------------------
 */

/* A piece goes to the neighbour, or a sum comes from there; `pass` 0 has the sends. */
static void hop(const struct line *l, bool sums, int pass, int from, int to, int piece)
{
    if (to < 0 || to >= l->n || piece < 0 || piece >= l->n)
        return;
    int block = l->piece[piece], sender = sums ? to : from, taker = sums ? from : to;
    enum plan_kind kind = !sums ? PLAN_RECV : sender < taker ? PLAN_FOLD_LEFT : PLAN_FOLD_RIGHT;
    if (pass == 0)
        plan_step(l->plan, l->place[sender], PLAN_SEND, l->place[taker], block, 1);
    else
        plan_step(l->plan, l->place[taker], kind, l->place[sender], block, 1);
}

static void turn(const struct line *l, bool sums, int t)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < l->n; i++) {
            hop(l, sums, pass, i, i + 1, i - t);
            hop(l, sums, pass, i, i - 1, i + t);
        }
}

static void write_plan(struct line *l)
{
    enum operation op = l->problem->req->op;
    if (op == OP_ALLREDUCE)
        plan_cut_pieces(l->plan, l->problem->req, l->n);
    else
        plan_cut(l->plan, l->problem->req, 0);
    for (int i = 0; i < l->n; i++)
        l->piece[i] = op == OP_ALLREDUCE ? i : l->place[i];
    if (request_combines(l->problem->req))
        for (int t = l->n - 2; t >= 0; t--)
            turn(l, true, t);
    if (op != OP_REDUCE_SCATTER)
        for (int t = 0; t < l->n - 1; t++)
            turn(l, false, t);
}

static int begin(struct line *l)
{
    const hn_net *net = model_net(l->problem->model);
    size_t n = (size_t)l->n, channels = net ? (size_t)hn_net_channel_count(net) : 0;
    int error = clusters_of_model(&l->c, l->problem->model);
    if (error)
        return error;
    l->order = malloc((size_t)l->c.count * sizeof *l->order);
    l->place = malloc(n * sizeof *l->place);
    l->piece = malloc(n * sizeof *l->piece);
    l->busy = malloc(n * sizeof *l->busy);
    l->channel = malloc((channels + 1) * sizeof *l->channel);
    if (!l->order || !l->place || !l->piece || !l->busy || !l->channel)
        return HN_ENOMEM;
    for (int i = 0; i < l->c.count; i++)
        l->order[i] = i;
    return HN_OK;
}

void planner_line(const struct problem *problem, struct plan *plan)
{
    struct line l = {.problem = problem, .n = problem->req->ranks, .plan = plan};
    int error = begin(&l);
    if (error) {
        plan_fail(plan, error);
    } else {
        if (l.c.count > 1 && l.c.count <= SUBNETS_MOST)
            arrange(&l);
        lay(&l);
        write_plan(&l);
    }
    clusters_end(&l.c);
    free(l.order);
    free(l.place);
    free(l.piece);
    free(l.busy);
    free(l.channel);
}
