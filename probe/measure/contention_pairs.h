/* contention_pairs.h - which transfers are tried at the same time; private to measure/. */
#pragma once

#include "measure/measurement_state.h"

/* What lies between: sites, or the subnets of each site, or all subnets where sites are no level of
 * their own. */
struct contention_level {
    bool by_site, apart; /* apart: subnets of different sites are none of this level's business */
    int units;
    bool *narrow; /* [unit]: two ways out of it, or into it, have been found to share something */
};

/* Two routes, of different hosts. */
struct contention_pair {
    int from[2], to[2];      /* ranks */
    enum sample_about about; /* what they are to tell of: a link, an uplink, or a line */
    uint64_t lines;          /* that one of them crosses, as far as the distances tell; bits */
    bool taken;
};

/* At most so many, where there are so many subnets. */
static inline size_t contention_pairs_most(const struct measurement *m)
{
    return (size_t)m->groups * (size_t)m->groups + 1;
}

/* The unit of a host; whether what is between two units is this level's business. */
int contention_unit(const struct measurement *m, const struct contention_level *level, int host);
bool contention_is_between(const struct measurement *m, const struct contention_level *level, int a,
                           int b);

/* Stores the contention pairs of a level and returns their number. */
int contention_pairs(const struct measurement *m, const struct contention_level *level,
                     struct contention_pair *list);

/* All hosts of a unit, or as many as fit an order, send out of it at once: finds uplinks that two
 * do not fill.  Of units that are not narrow already. */
void measure_uplinks(struct measurement *m, const struct contention_level *level);
