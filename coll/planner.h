/* planner.h - planners: small pure functions from (request, model) to a plan, in one table.
 *
 * A new heuristic is one function, one table row in planner.c and one file in planners/.  A planner
 * either grows a tree (and then serves all operations of tree.h) or writes the plan itself.
 */
#ifndef HNOW_COLL_PLANNER_H
#define HNOW_COLL_PLANNER_H

#include "matrix.h"
#include "model.h"
#include "plan.h"
#include "operation.h"
#include "simulate.h"
#include "tree.h"

/* What a planner is given. */
struct problem {
    const struct request *req;
    const struct model *model;
    int64_t segment;             /* cut the data into pieces of at most so many bytes; 0: do not */
    int arity;                   /* of k-ary trees */
    const struct matrix *matrix; /* delivery times of a whole part; NULL: too many ranks, or the
                                    planner does not look at pairs */
};

/* The message size for which pairs are to be compared: a segment, or the mean part. */
int64_t problem_bytes(const struct problem *problem);

struct planner {
    const char *name;
    const char *source;  /* paper and section */
    unsigned operations; /* OP_BIT()s it serves */
    int arity;           /* what problem.arity is when nobody says; 0: it has none */
    int arity_most;      /* auto tries arity ... arity_most */
    int ranks_most;      /* 0: any number */
    bool pairs;          /* whether it needs problem.matrix */
    bool subnets;        /* is another planner where there is only one subnet: auto leaves it out */
    bool slow;           /* takes longer than most operations: not for plans made while they wait */
    bool segments;       /* whether it can use problem.segment, for operations of one part */
    /* One of the two. `tree` adds n - 1 edges; it returns HN_OK or an error. */
    int (*tree)(const struct problem *problem, struct tree *tree);
    void (*plan)(const struct problem *problem, struct plan *plan);
};

/* A planner with its parameters; the text form is NAME[:ARITY][/SEGMENT], as "kary:4/65536". */
struct choice {
    const struct planner *planner;
    int arity;
    int64_t segment;
};

extern const struct planner planners[];
extern const int planner_count;

/* NULL: no planner of that name. */
const struct planner *planner_named(const char *name);
/* Whether it plans such requests at all (it may still refuse to combine in order). */
bool planner_serves(const struct planner *planner, const struct request *req);
/* Reads NAME[:ARITY][/SEGMENT]. HN_EARG: no such planner, or a parameter it does not have. */
int choice_parse(const char *text, struct choice *choice);
/* Writes the text form; returns text. */
const char *choice_text(const struct choice *choice, char *text, size_t size);

/* Makes the plan. HN_OK and a finished plan; HN_EPLAN when the planner does not serve the request
 * (operation, number of ranks, or the order of combining); HN_ENOMEM. */
int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan);
/* The same with a matrix for choice_bytes() (NULL: one is made when the planner needs it). */
int choice_plan_with(const struct choice *choice, const struct request *req,
                     const struct model *model, const struct matrix *matrix, struct plan **plan);
/* The message size for which a choice looks at pairs: the segment, or the mean size of a part. */
int64_t choice_bytes(const struct choice *choice, const struct request *req);

#endif
