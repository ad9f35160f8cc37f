/* auto.h - the planner `auto`: selects the best plan of all planners by simulation. */
#pragma once

#include "planners/planner.h"
#include "model/simulate.h"

/* Makes and simulates every choice that suits the request, and keeps the best; among equals the
 * first. only: considers this planner alone; NULL: all. timing may be NULL; otherwise the caller
 * frees it. HN_EPLAN: no planner serves the request. */
int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing);
/* The same without the planners marked in left_out[planner]; they are not used in stages either. */
int planner_best_without(const struct request *req, const struct model *model, const bool *left_out,
                         struct choice *choice, struct plan **plan, struct timing *timing);
/* Number of candidates for measurement: see struct shortlist. */
enum {
    CANDIDATE_CLASSES = 5,
    CANDIDATES_BY_KIND = 2 * CANDIDATE_CLASSES, /* for each class: without and with multicasts */
    CANDIDATE_PLANNERS = 4,
    CANDIDATES = CANDIDATES_BY_KIND + CANDIDATE_PLANNERS
};
struct shortlist {
    int planners, plans; /* that were tried */
    bool complete;       /* nothing was left out for lack of time */
    hn_time makespan;    /* of the best plan */
    /* The best plans of other kinds, to be measured if the model turns out to be wrong. By message
     * count: the best with one, up to 2, up to 8, up to 32 messages a rank, and with more, since
     * the model may be wrong about the cost of a message. Then the same for plans that multicast.
     * The last CANDIDATE_PLANNERS: the best of planners other than the chosen one, fastest first.
     * planner NULL: there is none within LATE_MOST times the best makespan. */
    struct candidate {
        struct choice choice;
        hn_time makespan;
    } candidates[CANDIDATES];
};
/* The same for operations that wait for their plan. It leaves out baselines; among plans with about
 * the same makespan it prefers one with fewer messages (auto_price.c). The work is limited to half
 * the makespan of the best plan times `calls`, divided by the ranks per core.
 *
 * A caller that tries again whenever the number of calls has doubled, and passes a quarter of it,
 * spends a quarter of the operations' time on planning and finally tries everything. The work is
 * estimated in integers, so that all members leave out the same choices. shortlist may be NULL. */
int planner_best_quick(const struct request *req, const struct model *model, int64_t calls,
                       struct choice *choice, struct plan **plan, struct timing *timing,
                       struct shortlist *shortlist);
/* The same for a caller that has a result from an earlier call with fewer calls. `known` is
 * replaced only by something better (NULL or planner NULL: no earlier result). */
int planner_best_again(const struct request *req, const struct model *model, int64_t calls,
                       const struct candidate *known, struct choice *choice, struct plan **plan,
                       struct timing *timing, struct shortlist *shortlist);
/* The same with a fixed limit of estimated work, in ps. */
int planner_best_within(const struct request *req, const struct model *model, hn_time work,
                        struct choice *choice, struct plan **plan, struct timing *timing);
enum { CALLS_ALL = INT32_MAX }; /* `calls`: no limit */
