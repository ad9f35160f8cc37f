/* gossip_sim.h - simulates an allgather transfer by transfer: private to gossip.
 *
 * Of all possible next transfers it takes the one that ends first, among equals one of a part that
 * few ranks have. A transfer begins when the sender has the part and everything that it occupies
 * (ports, and the media on its route) is free.
 */
#pragma once

#include "planners/sched.h"
#include "planners/timetable.h"

#include "model/timed.h"

#include "runtime/internal.h"

/* A simulated transfer. */
struct gossip_note {
    struct timed begin; /* with its number in the simulation */
    struct scheduled done;
};

/* One simulation after the other; gossip_simulate() begins with an empty network each time. */
struct gossip_sim {
    int n, blocks;
    const struct plan_block *block;
    struct gossip_note *notes; /* of the last simulation, in the order in which they were chosen */
    int count;
    hn_time *has;   /* [rank * blocks + block]: time at which the rank has it. The caller may change
                       it between simulations */
    uint64_t *kept; /* [rank * words + block / 64]: bit set of the blocks that it has */
    int words;
    struct timetable table;
    int *copies; /* [block] */
    bool fills;
    hn_time *begun, *last; /* [from * n + to]: begin and end of the last transfer */
    hn_time *soonest;      /* [from * n + to]: lower bound on the end of the next transfer */
    int *best;             /* [from]: the receiver with the lowest such bound, */
    hn_time *next;         /* and that bound */
    struct arena arena;    /* of the arrays */
};

/* Prepares a simulation for the blocks of `cut`, which must outlive it. HN_OK or HN_ENOMEM; call
 * gossip_sim_end() in either case. */
int gossip_sim_begin(struct gossip_sim *g, const struct model *model, const struct plan *cut);
void gossip_sim_end(struct gossip_sim *g);

/* Simulates all transfers from the beginning, into notes[]. fills: transfers may use gaps that
 * those chosen before have left. HN_OK or HN_ENOMEM. Cost for b blocks and n ranks: n b transfers;
 * after each, n routes are examined with b blocks each. */
int gossip_simulate(struct gossip_sim *g, bool fills);
