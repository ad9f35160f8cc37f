/* scan_routes.h - where in a network the prefixes of a scan are combined, and which ranks forward
 * them.
 *
 * Consecutive ranks in one of the outermost groups (levels.h) form a *run*; its last rank, the
 * *head*, has the sum of the run. Prefix p is the sum of the runs 0 ... p. A head gets it by the
 * fastest of:
 *
 *     as a relay    it has prefix p - 1, and receives the sum of run p from head p
 *     as head p     it has prefix p - 1, and its own sum
 *     otherwise     it receives prefix p from another head that has it
 *
 * These are shortest paths, computed for one prefix after the other. Finally only the routes that
 * some rank needs are kept: prefix r - 1 at run r.
 */
#pragma once

#include "planners/planner.h"

#include "runtime/internal.h"

/* Which heads may be relays. */
enum scan_relays {
    RELAYS_ONE = 1, /* one: the head that completes all prefixes first */
    RELAYS_GROUPS,  /* that one, and one in each of the other outermost groups */
    RELAYS_ALL
};

/* Values of from[] other than the head from which a prefix is received: the head needs no prefix,
 * or computes it itself. */
enum { SCAN_NEVER = -1, SCAN_ADDS = -2 };

struct scan_routes {
    int runs;
    int *first, *last; /* [run]: its ranks first ... last; `last` is the head */
    int *group;        /* [run]: its outermost group */
    int *from;         /* [prefix * runs + head]: a head, SCAN_NEVER or SCAN_ADDS */
    int *source; /* [run], from 1 on: the head that sends prefix run - 1 to its first rank; if that
                    rank is the head, see `from` */
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; call scan_routes_end() in either case. O(ranks + runs^3). */
int scan_routes_begin(struct scan_routes *r, const struct problem *problem,
                      enum scan_relays relays);
void scan_routes_end(struct scan_routes *r);

static inline int scan_route(const struct scan_routes *r, int prefix, int head)
{
    return r->from[(size_t)prefix * (size_t)r->runs + (size_t)head];
}

/* Whether a head gets this prefix or a later one. */
static inline bool scan_routes_later(const struct scan_routes *r, int prefix, int head)
{
    for (; prefix < r->runs; prefix++)
        if (scan_route(r, prefix, head) != SCAN_NEVER)
            return true;
    return false;
}
