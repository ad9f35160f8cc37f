/* facts.c - the facts about a request and its network, and the predicates of planners (planner.h).
 */
#include "model/cluster.h"
#include "model/bottleneck.h"
#include "model/levels.h"
#include "planners/planner.h"
#include "planners/planners.h"

enum {
    RANKS_ALIKE = 16,   /* ranks: packed trees also among equal hosts */
    RANKS_SLOW = 12,    /* up to so many ranks, planners for slow connections are always tried */
    PIECE_LEAST = 1024, /* bytes: more messages of shorter pieces gain nothing */
    BLOCK_LEAST = 4096, /* bytes a rank, if many share a core: see suits_long_blocks() */
};

/* Whether latency dominates, so that ranks should have many messages in progress. Short pieces gain
 * nothing from more messages; with several subnets their shared routes are the limit. */
static bool is_latency_bound(const struct facts *f, int64_t bytes)
{
    int64_t piece = request_parts(f->req) == 1 ? bytes / f->req->ranks : bytes;
    return !f->subnets && piece >= PIECE_LEAST && bottleneck_is_latency(f->model, piece);
}

/* bytes: those of a choice without segments. */
struct facts facts_of(const struct request *req, const struct model *model, bool thorough,
                      bool stage)
{
    struct facts f = {.req = req, .model = model, .thorough = thorough, .stage = stage};
    int64_t bytes = choice_bytes(&(struct choice){0}, req);
    f.subnets = clusters_many(model);
    f.nested = levels_nested(model);
    f.slow_connections = (thorough && req->ranks <= RANKS_SLOW) || bottleneck_is_connection(model);
    f.latency_bound = !stage && is_latency_bound(&f, bytes);
    f.unequal = bottleneck_varies(model, bytes);
    f.multicasts = model_multicasts_any(model);
    f.crowded = model_ranks_per_core(model) > 1;
    return f;
}

bool suits_subnets(const struct facts *f)
{
    return f->subnets;
}

bool suits_groups(const struct facts *f)
{
    return f->subnets || f->nested;
}

bool suits_slow_connections(const struct facts *f)
{
    return f->slow_connections || f->latency_bound || (f->thorough && !f->stage);
}

/* A reply that carries the acknowledgement saves a packet on a bus. On a switch this saves nothing:
 * `replies` takes 1.2 to 1.3 times as long as `direct` (all-to-all of 1 KB on lan8 and hnow8m). */
bool suits_bus(const struct facts *f)
{
    int rank = f->req->ranks - 1;
    while (rank > 0 && !model_on_bus(f->model, rank))
        rank--;
    return model_on_bus(f->model, rank);
}

bool suits_unequal(const struct facts *f)
{
    return f->thorough || f->unequal;
}

/* Whether the network is many equal hosts of one switch. There chains, relays and shares are as
 * good as packed trees, and a detour costs more than it saves (32 equal hosts: neither was the best
 * of any operation and size). */
static bool are_alike(const struct facts *f)
{
    return f->req->ranks > RANKS_ALIKE && !suits_groups(f) && !f->unequal && !f->slow_connections &&
           !model_on_bus(f->model, 0);
}

bool suits_forest(const struct facts *f)
{
    return !f->thorough || !are_alike(f);
}

bool suits_packing(const struct facts *f)
{
    return (f->thorough && !are_alike(f)) || f->subnets || f->unequal;
}

bool suits_detours(const struct facts *f)
{
    return (f->thorough && !are_alike(f)) || (f->subnets && f->unequal);
}

/* Ranks that share cores start late when they send short blocks to all others. Measured with eight
 * ranks on a machine of two cores: the exchange of 1 KB messages started after a millisecond. An
 * allreduce of 8 KB by cast_shares, predicted to take 3.1 ms, took 5.1 ms; by halving and
 * cast_allgather 4.7 ms. For 64 KB both took the same time, for 256 KB 67 and 73 ms. */
bool suits_long_blocks(const struct facts *f)
{
    return !f->crowded || request_part_bytes(f->req, 0) / f->req->ranks >= BLOCK_LEAST;
}

bool suits_cut_slow_connections(const struct facts *f)
{
    return f->slow_connections;
}

bool likely_relays(const struct facts *f)
{
    return f->slow_connections || f->latency_bound;
}

bool likely_shares(const struct facts *f)
{
    return f->unequal && !f->subnets;
}
