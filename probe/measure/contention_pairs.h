/* contention_pairs.h - chooses the transfers that are tried at the same time; private to
 * measure/. */
#pragma once

#include "measure/measurement_state.h"

/* The units of a level are sites, the subnets of each site, or all subnets if sites are no separate
 * level. */
struct contention_level {
    bool by_site, apart; /* apart: routes between different sites are not of this level */
    int units;
    bool *narrow; /* [unit]: two routes out of it, or into it, were found to share something */
};

/* Two routes with four different end hosts. */
struct contention_pair {
    int from[2], to[2];      /* ranks */
    enum sample_about about; /* their subject: a link, an uplink, or a line */
    uint64_t lines;          /* bit set: lines that one of them crosses, judging by the distances */
    bool taken;
};

/* Upper bound of the number of contention pairs. */
static inline size_t contention_pairs_most(const struct measurement *m)
{
    return (size_t)m->groups * (size_t)m->groups + 1;
}

/* contention_unit(): the unit of a host. contention_is_between(): true if the route between two
 * units belongs to this level. */
int contention_unit(const struct measurement *m, const struct contention_level *level, int host);
bool contention_is_between(const struct measurement *m, const struct contention_level *level, int a,
                           int b);

/* Stores the contention pairs of a level and returns their number. */
int contention_pairs(const struct measurement *m, const struct contention_level *level,
                     struct contention_pair *list);

/* Lets all hosts of a unit, or as many as fit in an order, send out of it at once.  This finds
 * uplinks that two transfers do not fill.  Skips units that are already narrow. */
void measure_uplinks(struct measurement *m, const struct contention_level *level);
