/* planner.h - planners: small pure functions from (request, model) to a plan, in one table.
 *
 * A new heuristic is one function, one row in planner_rows.h and one file in planners/.  A planner
 * either grows a tree (and then serves all operations of tree.h), or writes the plan itself, or is
 * made of operations that others plan.
 */
#pragma once

#include "model/matrix.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/operation.h"
#include "model/simulate.h"
#include "plan/tree.h"

enum { STAGES = 2 };

/* What a planner is given. */
struct problem {
    const struct request *req;
    const struct model *model;
    int64_t segment;             /* cut the data into pieces of at most so many bytes; 0: do not */
    int arity;                   /* of k-ary trees */
    const struct matrix *matrix; /* delivery times of a whole part; NULL: too many ranks, or the
                                    planner does not look at pairs */
    hn_time
        limit; /* a search that is far from it with a part of its work done may end; 0: none may */
};

/* Whether a search that has done a part of its work (1 / PROBLEM_PART) may end, since nothing that
 * it finds will be in time: of so many `cells` (segments times ranks), what is left of it hardly
 * ever brings so much. Few of them are little work, and all of it is done. */
enum { PROBLEM_PART = 8, PROBLEM_FAR = 5, PROBLEM_CELLS_FEW = 128 };
static inline bool problem_is_hopeless(const struct problem *problem, int cells, hn_time found)
{
    hn_time limit = problem->limit;
    return limit > 0 && cells > PROBLEM_CELLS_FEW && found - found / PROBLEM_FAR > limit;
}

/* The message size for which pairs are to be compared: a segment, or the mean part. */
int64_t problem_bytes(const struct problem *problem);

/* What `auto` knows of a request and its network when it asks planners whether they suit. */
struct facts {
    const struct request *req;
    const struct model *model;
    bool thorough;         /* there is time: a planner need only be possible, not likely */
    bool stage;            /* of a composed plan */
    bool subnets;          /* more than one */
    bool nested;           /* groups (levels.h) that are not just the subnets */
    bool slow_connections; /* connections are slower than the ports of their hosts (bottleneck.h) */
    bool latency_bound; /* a message is on its way for as long as it keeps ranks busy, or longer */
    bool unequal;       /* ports or media are not equally fast (bottleneck.h) */
    bool multicasts;    /* some subnets carry multicasts */
    bool crowded;       /* many ranks share a core */
};

struct exchange;
struct multicast;

struct choice;

/* What a planner says to `auto`. All may be left out: a planner that suits everywhere, costs its
 * messages alone, and waits for its turn. */
struct candidacy {
    bool baseline; /* it is there for comparison, or hardly ever the best: operations that wait for
                      their plan do without it */
    bool (*suits)(const struct facts *facts);     /* where it is worth trying, ... */
    bool (*suits_cut)(const struct facts *facts); /* ... and there, where in segments */
    /* What looking for its messages takes, before any is made (work.h). */
    hn_time (*cost)(const struct choice *choice, const struct request *req);
    /* When an operation waits, these are tried before all others, in this order, whole or cut into
     * segments, where they are likely to be good. */
    int first, first_cut;
    bool (*likely)(const struct facts *facts);
    bool bulk;      /* made for long data: there, it is tried before all others */
    bool pieces;    /* `first_cut` begins with segments that are a rank's share */
    bool pipelines; /* lives on segments: is tried with them, however late it is without */
    /* Of a composed planner: stages that are tried first, as "A,B" behind a mark, ended by NULL. */
    const char *const *usual;
};

/* The marks: at rank 0 (no mark), at the middle rank of the network, and for long data only. */
enum usual { USUAL_ALWAYS = '\0', USUAL_MIDDLE = '@', USUAL_BULK = '+' };

static inline enum usual usual_mark(const char *stages)
{
    return *stages == USUAL_MIDDLE || *stages == USUAL_BULK ? (enum usual) * stages : USUAL_ALWAYS;
}

struct planner {
    const char *name;
    const char *source;  /* paper and section */
    unsigned operations; /* OP_BIT()s it serves */
    int arity;           /* what problem.arity is when nobody says; 0: it has none */
    int arity_most;      /* auto tries arity ... arity_most */
    int ranks_most;      /* 0: any number */
    struct candidacy candidate;
    bool pairs;      /* whether it needs problem.matrix */
    bool multicasts; /* it multicasts: refuses networks of which no subnet does */
    bool eager; /* its plans rely on sends that do not wait for their receivers, unless the model
                   says that they do */
    hn_time search; /* a search that takes so long a rank: made after the other planners, for
                       waiting operations when there is time; 0: it is none */
    bool staged;    /* its arity is a radix: the larger it is, the fewer stages of more messages */
    bool segments;  /* whether it can use problem.segment, for operations of one part */
    bool composed;  /* its plans are made of others (compose.h) ... */
    enum operation stages[STAGES];       /* ... of these operations; OP_COUNT: there is no second */
    int (*exchange)(struct exchange *x); /* of total exchanges: the heuristic (total_exchange.h) */
    int (*multicast)(struct multicast *m); /* of multiple multicasts: the algorithm (multicast.h) */
    int deliveries_most;                   /* ... and how many it takes; 0: any number */
    /* Of the others, for all other operations, one of the two. `tree` adds n - 1 edges; it returns
     * HN_OK or an error. */
    int (*tree)(const struct problem *problem, struct tree *tree);
    void (*plan)(const struct problem *problem, struct plan *plan);
};

/* A planner with its parameters. */
struct tuning {
    const struct planner *planner;
    int arity;
    int64_t segment;
};

/* The text form is NAME[:ARITY][/SEGMENT], as "kary:4/65536"; of a composed planner
 * NAME[@ROOT][:A,B], where A and B are those of its stages, as "gather+bcast@2:flat,kary:4/65536"
 * (without: the rule of thumb of each). */
struct choice {
    const struct planner *planner;
    int arity;
    int64_t segment;
    /* Of a composed planner: */
    struct tuning stage[STAGES]; /* planner NULL: the rule of thumb */
    int root;                    /* of its stages, where the operation itself has none */
};
enum { CHOICE_TEXT_ROOM = PLAN_NAME_ROOM };

extern const struct planner planners[];
extern const int planner_count;

/* NULL: no planner of that name. */
const struct planner *planner_named(const char *name);
/* Whether it plans such requests at all (it may still refuse to combine in order). */
bool planner_serves(const struct planner *planner, const struct request *req);
/* Whether it plans for this network: what multicasts needs a subnet that carries it. */
bool planner_can(const struct planner *planner, const struct model *model);
/* Whether auto should try it where these are the facts. */
bool planner_suits(const struct planner *planner, const struct facts *facts);
/* The facts of a request; `thorough`, `stage` as above. */
struct facts facts_of(const struct request *req, const struct model *model, bool thorough,
                      bool stage);
/* Of a composed planner: how many stages it has, and whether their root is a matter of choice. */
int planner_stages(const struct planner *planner);
bool planner_roots(const struct planner *planner);
/* Reads the text form. HN_EARG: no such planner, or a parameter it does not have. */
int choice_parse(const char *text, struct choice *choice);
/* Reads the first name of a list "NAME,NAME". Names of composed plans hold a comma themselves, so
 * it is the longest beginning of the list that is a name and ends at a comma or with the list; its
 * length, 0: there is none. */
size_t choice_first(const char *text, struct choice *choice);
bool choice_same(const struct choice *a, const struct choice *b);
/* Writes the text form; returns text. */
const char *choice_text(const struct choice *choice, char *text, size_t size);

/* Makes the plan. HN_OK and a finished plan; HN_EPLAN when the planner does not serve the request
 * (operation, number of ranks, or the order of combining); HN_ENOMEM. */
int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan);
/* The same with a matrix for choice_bytes(), when the planner needs one, and with problem.limit. */
int choice_plan_with(const struct choice *choice, const struct request *req,
                     const struct model *model, const struct matrix *matrix, hn_time limit,
                     struct plan **plan);
/* The message size for which a choice looks at pairs: the segment, or the mean size of a part. */
int64_t choice_bytes(const struct choice *choice, const struct request *req);
