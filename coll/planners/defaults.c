/* defaults.c - default plans for a network that has not been measured.
 *
 * `auto` compares planners by simulation. For many ranks that takes longer than the operation, and
 * without measured costs it compares guesses. So jobs of many tasks on an unmeasured network use
 * the usual plans of MPI libraries (Thakur, Rabenseifner and Gropp 2005): trees and doubling for
 * short data, where start-ups dominate; rings and pipelines for long data, where bytes dominate.
 * Reductions of medium length use reduce_scatter and gather (Rabenseifner 2004), since filling a
 * pipeline takes too long. Cost: O(1).
 */
#include "planners/defaults.h"

/* The first row of the operation that has room for the data is used.  A row after a composed
 * planner serves requests that must not be composed. */
static const struct {
    enum operation op;
    int64_t bytes; /* most bytes of all data */
    const char *plan;
} rules[] = {
    {OP_BARRIER, INT64_MAX, "dissemination"},
    {OP_BCAST, 64 << 10, "binomial"},
    {OP_BCAST, INT64_MAX, "chain/65536"},
    {OP_REDUCE, 32 << 10, "binomial"},
    {OP_REDUCE, 512 << 10, "reduce_scatter+gather:halving,binomial"},
    {OP_REDUCE, 64 << 10, "binomial"},
    {OP_REDUCE, INT64_MAX, "chain/65536"},
    {OP_ALLREDUCE, 16 << 10, "doubling"},
    {OP_ALLREDUCE, INT64_MAX, "ring"},
    {OP_SCATTER, INT64_MAX, "binomial"},
    {OP_GATHER, INT64_MAX, "binomial"},
    {OP_ALLGATHER, 64 << 10, "doubling"},
    {OP_ALLGATHER, INT64_MAX, "ring"},
    {OP_ALLGATHERV, 64 << 10, "doubling"},
    {OP_ALLGATHERV, INT64_MAX, "ring"},
    {OP_ALLTOALL, 64 << 10, "bruck"},
    {OP_ALLTOALL, INT64_MAX, "caterpillar"},
    {OP_REDUCE_SCATTER, 64 << 10, "halving"},
    {OP_REDUCE_SCATTER, INT64_MAX, "ring"},
    {OP_SCAN, INT64_MAX, "scan_doubling"},
    {OP_EXSCAN, INT64_MAX, "scan_doubling"},
    {OP_MULTIMULTICAST, INT64_MAX, "subnets_messages"},
};

/* Bytes of all parts together. */
static int64_t bytes_of(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    return bytes;
}

/* Most bytes for the plan with the fewest messages. Among 16 to 64 tasks on two cores, a tree takes
 * a third to a fifth of the time of a ring for 64 KiB, and the same time for 1 MiB. */
enum { FEW_MOST = 512 << 10 };

/* Most segments * ranks with up to 32 ranks, whose planning takes less than 0.1 s (work.c); most
 * segments with more ranks. */
enum { SEGMENTS_AND_RANKS = 1 << 17, SEGMENTS_MOST = 1 << 12 };

/* Most bytes for a star, whose root copies and combines all contributions itself. */
enum { STAR_MOST = 1024 };

static bool collects(const struct request *req)
{
    return req->op == OP_BARRIER || req->op == OP_ALLREDUCE || req->op == OP_REDUCE;
}

bool defaults_choose_star(const struct request *req, struct choice *choice)
{
    return collects(req) && !req->ordered && bytes_of(req) <= STAR_MOST &&
           choice_parse("flat", choice) == HN_OK;
}

bool defaults_choose_few(const struct request *req, struct choice *choice)
{
    return collects(req) && !req->ordered && bytes_of(req) <= FEW_MOST &&
           choice_parse("binomial", choice) == HN_OK;
}

/* Makes the segments of long data longer, so that their number is limited. Planning more of them
 * would take more time than they save, and more memory. */
static void limit_segments(const struct request *req, int64_t bytes, struct choice *choice)
{
    int64_t most = SEGMENTS_AND_RANKS / req->ranks;
    if (most < SEGMENTS_MOST)
        most = SEGMENTS_MOST;
    while (choice->segment > 0 && bytes / choice->segment > most)
        choice->segment *= 2;
}

bool defaults_choose(const struct request *req, bool plain, struct choice *choice)
{
    int64_t bytes = bytes_of(req);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].op == req->op && bytes <= rules[i].bytes &&
            choice_parse(rules[i].plan, choice) == HN_OK && planner_serves(choice->planner, req) &&
            !(plain && choice->planner->composed)) {
            limit_segments(req, bytes, choice);
            return true;
        }
    return false;
}
