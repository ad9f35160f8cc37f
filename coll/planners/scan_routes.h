/* scan_routes.h - where in a network the prefixes of a scan are put together, and from where they
 * continue.
 *
 * Ranks that follow each other in one of the outermost groups (levels.h) are a *run*; its last
 * rank, the *head*, has what the run adds up to. Prefix p is that of the runs 0 ... p. A head comes
 * by it
 *
 *     as a relay    it has prefix p - 1, and hears from head p what that run has
 *     as head p     it has prefix p - 1, and has the rest itself
 *     otherwise     another head that has prefix p tells it
 *
 * whichever is sooner: a shortest way, prefix after prefix. Only what somebody needs in the end is
 * kept: prefix r - 1 at the run r.
 */
#pragma once

#include "planners/planner.h"

#include "runtime/internal.h"

/* Which heads may be relays. */
enum scan_relays {
    RELAYS_ONE = 1, /* one, from where all others are soonest told */
    RELAYS_GROUPS,  /* the same, and one in each of the other outermost groups */
    RELAYS_ALL
};

/* How a head comes by a prefix: it is told by the head whose number this is, or ... */
enum { SCAN_NEVER = -1, SCAN_ADDS = -2 };

struct scan_routes {
    int runs;
    int *first, *last; /* [run]: its ranks are first ... last, the head */
    int *group;        /* [run]: the outermost group that it is in */
    int *from;         /* [prefix * runs + head] */
    int *source; /* [run], from 1 on: who tells its first rank prefix run - 1; where that rank is
                    the head, it comes by it as said above */
    struct arena arena; /* of the arrays */
};

/* HN_OK or HN_ENOMEM; scan_routes_end() in every case. O(ranks + runs^3). */
int scan_routes_begin(struct scan_routes *r, const struct problem *problem,
                      enum scan_relays relays);
void scan_routes_end(struct scan_routes *r);

static inline int scan_route(const struct scan_routes *r, int prefix, int head)
{
    return r->from[(size_t)prefix * (size_t)r->runs + (size_t)head];
}

/* Whether a head has this prefix or one after it. */
static inline bool scan_routes_later(const struct scan_routes *r, int prefix, int head)
{
    for (; prefix < r->runs; prefix++)
        if (scan_route(r, prefix, head) != SCAN_NEVER)
            return true;
    return false;
}
