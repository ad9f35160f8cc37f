/* auto.h - the best of all planners. */
#pragma once

#include "planners/planner.h"
#include "model/simulate.h"

/* `auto`: makes and simulates every choice that suits the request, and keeps the best, the first
 * one among equals. With `only`, the choices of that planner alone. timing may be NULL; otherwise
 * the caller frees it. HN_EPLAN: nobody serves the request. */
int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing);
/* The same without some planners ([planner]), neither for the request nor for a stage of it. */
int planner_best_without(const struct request *req, const struct model *model, const bool *left_out,
                         struct choice *choice, struct plan **plan, struct timing *timing);
/* What a choice was made from. */
enum {
    CANDIDATE_CLASSES = 5,
    CANDIDATES_BY_KIND = 2 * CANDIDATE_CLASSES, /* of the one and the other kind of each class */
    CANDIDATE_PLANNERS = 4,
    CANDIDATES = CANDIDATES_BY_KIND + CANDIDATE_PLANNERS
};
struct shortlist {
    int planners, plans; /* that took part */
    bool complete;       /* none was left out for want of time */
    hn_time makespan;    /* of the best */
    /* The best with one, up to 2, up to 8, up to 32 messages a rank, and with more: a model that is
     * wrong about the cost of a message is wrong about which of these is best.  Then the same of
     * those that multicast: it may be wrong about all of them.  The last CANDIDATE_PLANNERS: the
     * best by other planners than the one that was chosen, the quickest first, since it may be
     * wrong about other things.  planner NULL: none that takes up to LATE_MOST times as long as the
     * best.
     */
    struct candidate {
        struct choice choice;
        hn_time makespan;
    } candidates[CANDIDATES];
};
/* The same for operations that wait for their plan: without those that are there for comparison;
 * of plans that promise about the same, one of fewer messages (auto_price.c); and with no more work
 * than half of what the best takes, `calls` times over (and where members share cores, that divided
 * among them).  So who tries again when the number of calls has doubled, and says a quarter of it,
 * has planned for a quarter of the time that the operations took, and comes to know all.  The work
 * is estimated, by integers: all members leave out the same.  entries may be NULL. */
int planner_best_quick(const struct request *req, const struct model *model, int64_t calls,
                       struct choice *choice, struct plan **plan, struct timing *timing,
                       struct shortlist *shortlist);
/* The same for who has asked before, for fewer calls, and got `known`, which nothing worse replaces
 * (NULL or planner NULL: nothing is known). */
int planner_best_again(const struct request *req, const struct model *model, int64_t calls,
                       const struct candidate *known, struct choice *choice, struct plan **plan,
                       struct timing *timing, struct shortlist *shortlist);
/* The same with so much work (ps, as estimated). */
int planner_best_within(const struct request *req, const struct model *model, hn_time work,
                        struct choice *choice, struct plan **plan, struct timing *timing);
enum { CALLS_ALL = INT32_MAX }; /* nothing is left out */
