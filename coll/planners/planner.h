/* planner.h - planners: pure functions from (request, model) to a plan, in one table.
 *
 * A new heuristic is one function, one row in planner_rows.h and one file in planners/. A planner
 * grows a tree, which serves all operations of tree.h, or writes the steps of the plan, or combines
 * the plans of other operations.
 */
#pragma once

#include "model/matrix.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/operation.h"
#include "model/simulate.h"
#include "plan/tree.h"

enum { STAGES = 2 };

struct stage_memo;

/* The input of a planner. */
struct problem {
    const struct request *req;
    const struct model *model;
    int64_t segment; /* cut the data into pieces of at most this many bytes; 0: do not cut */
    int arity;       /* of k-ary trees */
    const struct matrix *matrix; /* delivery times of a whole part; NULL: too many ranks, or the
                                    planner does not need pairs */
    hn_time limit; /* searches far above it may stop (problem_is_hopeless()); 0: no limit */
    struct stage_memo *stages; /* plans of stages made before; NULL: none are kept */
};

/* Whether a search that has done 1 / PROBLEM_PART of its work may stop. `found`, its best time so
 * far for so many `cells` (segments times ranks), is more than 1 / PROBLEM_FAR above the limit; the
 * rest of a search hardly ever improves that much. Small searches always run to their end. */
enum { PROBLEM_PART = 8, PROBLEM_FAR = 5, PROBLEM_CELLS_FEW = 128 };
static inline bool problem_is_hopeless(const struct problem *problem, int cells, hn_time found)
{
    hn_time limit = problem->limit;
    return limit > 0 && cells > PROBLEM_CELLS_FEW && found - found / PROBLEM_FAR > limit;
}

/* The message size for which pairs are compared: a segment, or the mean part. */
int64_t problem_bytes(const struct problem *problem);

/* Facts about a request and its network, which decide whether a planner suits. They are computed
 * once for each selection (facts_of()), since some of them compare all pairs of hosts. */
struct facts {
    const struct request *req;
    const struct model *model;
    bool thorough; /* there is time: a planner suits if it is possible, not only if it is likely */
    bool stage;    /* for a stage of a composed plan */
    bool subnets;  /* there are several subnets */
    bool nested;   /* there are groups (levels.h) besides the subnets */
    bool slow_connections; /* connections are slower than the ports of their hosts (bottleneck.h) */
    bool latency_bound; /* a message travels at least as long as it occupies ranks (bottleneck.h) */
    bool unequal;       /* ports or media differ in speed (bottleneck.h) */
    bool multicasts;    /* some subnets carry multicasts */
    bool crowded;       /* many ranks share a core */
};

struct exchange;
struct multicast;

struct choice;

/* How `auto` treats a planner. By default a planner suits everywhere, has the cost of its messages
 * only, and no priority. */
struct candidacy {
    bool baseline; /* for comparison, or hardly ever the best: not tried while an operation waits
                      for its plan */
    bool (*suits)(const struct facts *facts);     /* whether it is worth trying; NULL: always ... */
    bool (*suits_cut)(const struct facts *facts); /* ... and whether with segments */
    /* Work of the search for its messages, before any is made (work.h). */
    hn_time (*cost)(const struct choice *choice, const struct request *req);
    /* While an operation waits, planners are tried in ascending order of these, with whole or cut
     * data, if `likely` holds; then those without priority (0). */
    int first, first_cut;
    bool (*likely)(const struct facts *facts);
    bool bulk;      /* made for long data, for which it is tried before all others */
    bool pieces;    /* `first_cut` begins with segments of 1 / ranks of the data */
    bool pipelines; /* depends on segments: tried with them even if it is slow without */
    /* Of a composed planner: stages that are tried first, as "A,B" after a mark; ends with NULL. */
    const char *const *usual;
};

/* Marks: at rank 0 (no mark), at the central rank of the network, for long data only. */
enum usual { USUAL_ALWAYS = '\0', USUAL_MIDDLE = '@', USUAL_BULK = '+' };

static inline enum usual usual_mark(const char *stages)
{
    return *stages == USUAL_MIDDLE || *stages == USUAL_BULK ? (enum usual) * stages : USUAL_ALWAYS;
}

/* A row of the table of planners; constant data. Exactly one of `composed`, `exchange`,
 * `multicast`, `tree` and `plan` determines how a plan is made. */
struct planner {
    const char *name;
    const char *source;  /* paper and section */
    unsigned operations; /* OP_BIT()s of the operations that it serves */
    int arity;           /* default of problem.arity; 0: it has none */
    int arity_most;      /* `auto` tries arity ... arity_most */
    int ranks_most;      /* 0: any number */
    struct candidacy candidate;
    bool pairs;      /* needs problem.matrix */
    bool multicasts; /* sends multicasts: refuses networks without a subnet that carries them */
    bool eager; /* its plans have no deadlock only if sends do not wait for their receivers, unless
                   the model has blocking sends */
    hn_time search; /* work of a search, in ps for each rank. Searches are tried after the other
                       planners, and while an operation waits only if time is left; 0: no search */
    bool staged;    /* its arity is a radix: a larger one gives fewer stages of more messages */
    bool segments;  /* can use problem.segment, for operations of one part */
    bool composed;  /* its plans are made of other plans (compose.h) ... */
    enum operation stages[STAGES];         /* ... for these operations; OP_COUNT: no second one */
    int (*exchange)(struct exchange *x);   /* total exchanges: the heuristic (total_exchange.h) */
    int (*multicast)(struct multicast *m); /* multiple multicasts: the algorithm (multicast.h) */
    int deliveries_most; /* ... and the most deliveries that it accepts; 0: any number */
    /* Otherwise one of these two. `tree` adds n - 1 edges to a tree of the root alone and returns
     * HN_OK or an error. `plan` writes the steps, and reports errors by plan_fail(). */
    int (*tree)(const struct problem *problem, struct tree *tree);
    void (*plan)(const struct problem *problem, struct plan *plan);
};

/* A planner with its parameters. */
struct tuning {
    const struct planner *planner;
    int arity;
    int64_t segment;
};

/* The text form is NAME[:ARITY][/SEGMENT], as in "kary:4/65536". For a composed planner it is
 * NAME[@ROOT][:A,B], where A and B are the planners of its stages, as in
 * "gather+bcast@2:flat,kary:4/65536". Without A,B each stage follows its default plan. */
struct choice {
    const struct planner *planner;
    int arity;
    int64_t segment;
    /* Of a composed planner: */
    struct tuning stage[STAGES]; /* planner NULL: the default plan */
    int root;                    /* root of its stages, if the operation itself has none */
};
enum { CHOICE_TEXT_ROOM = PLAN_NAME_ROOM };

extern const struct planner planners[];
extern const int planner_count;

/* The planner of this name, or NULL. */
const struct planner *planner_named(const char *name);
/* Whether it serves the operation and number of ranks. It may still refuse ordered operands. */
bool planner_serves(const struct planner *planner, const struct request *req);
/* Whether it can plan for this network: multicasts need a subnet that carries them. */
bool planner_can(const struct planner *planner, const struct model *model);
/* Whether `auto` should try it, given these facts. */
bool planner_suits(const struct planner *planner, const struct facts *facts);
/* Computes the facts of a request; `thorough` and `stage` as above. */
struct facts facts_of(const struct request *req, const struct model *model, bool thorough,
                      bool stage);
/* Of a composed planner: number of stages; whether the root of the stages can be chosen. */
int planner_stages(const struct planner *planner);
bool planner_roots(const struct planner *planner);
/* Parses the text form. HN_OK, or HN_EARG: no such planner, or a parameter that it does not have.
 */
int choice_parse(const char *text, struct choice *choice);
/* Parses the first name of a list "NAME,NAME". Names of composed plans contain commas themselves.
 * So the first name is the longest prefix of the list that is a name and ends at a comma or at the
 * end. Returns its length; 0: there is none. */
size_t choice_first(const char *text, struct choice *choice);
bool choice_same(const struct choice *a, const struct choice *b);
/* Writes the text form, truncated to `size` bytes; returns text. */
const char *choice_text(const struct choice *choice, char *text, size_t size);

/* Makes the plan. Returns HN_OK and a finished plan, which the caller frees with plan_free();
 * HN_ENOMEM; or HN_EPLAN if the planner does not serve the request (operation, number of ranks, or
 * ordered operands). */
int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan);
/* As choice_plan(), with the limit and the stages of a problem. A matrix must be one for
 * choice_bytes() bytes; NULL: it is computed if the planner needs one. */
int choice_plan_with(const struct choice *choice, struct problem problem, struct plan **plan);
/* The last plans of stages (of composed plans) whose planners search for long. Composed plans of a
 * request have many stages in common, and the selection of a stage's planner has made their plans
 * before. All belong to one request and one model, so operation and root determine the request of a
 * stage. Initialized to zeros. */
enum { STAGE_PLANS = 64 };
struct stage_memo {
    /* A plan, and what it was made for.  Each entry holds a reference to its plan. */
    struct stage_made {
        enum operation op;
        int root;
        struct choice choice;
        struct plan *plan; /* NULL: unused */
    } made[STAGE_PLANS];
    unsigned count;
};
void stage_memo_free(struct stage_memo *memo);
/* As choice_plan_with() for a stage, but takes the plan from problem.stages, or keeps it there. */
int choice_plan_stage(const struct choice *choice, struct problem problem, struct plan **plan);
/* The message size for which a choice compares pairs: the segment, or the mean size of a part. */
int64_t choice_bytes(const struct choice *choice, const struct request *req);
