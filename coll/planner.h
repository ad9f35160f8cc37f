/* planner.h - planners: small pure functions from (request, model) to a plan, in one table.
 *
 * A new heuristic is one function, one table row in planner.c and one file in planners/.  A planner
 * either grows a tree (and then serves all operations of tree.h) or writes the plan itself.
 */
#ifndef HNOW_COLL_PLANNER_H
#define HNOW_COLL_PLANNER_H

#include "model.h"
#include "plan.h"
#include "operation.h"
#include "simulate.h"
#include "tree.h"

/* What a planner is given. */
struct problem {
    const struct request *req;
    const struct model *model;
    int64_t segment; /* cut the data into pieces of at most so many bytes; 0: do not */
    int arity;       /* of k-ary trees */
};

struct planner {
    const char *name;
    const char *source;  /* paper and section */
    unsigned operations; /* OP_BIT()s it serves */
    int arity;           /* what problem.arity is when nobody says; 0: it has none */
    bool segments;       /* whether it can use problem.segment, for operations of one part */
    /* One of the two. `tree` adds n - 1 edges; it returns HN_OK or HN_ENOMEM. */
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
/* Reads NAME[:ARITY][/SEGMENT]. HN_EARG: no such planner, or a parameter it does not have. */
int choice_parse(const char *text, struct choice *choice);
/* Writes the text form; returns text. */
const char *choice_text(const struct choice *choice, char *text, size_t size);

/* Makes the plan. HN_OK and a finished plan; HN_EPLAN when the planner does not serve the request
 * (operation, or the order of combining); HN_ENOMEM. */
int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan);

/* Calls visit for every choice that suits the request, in the order of the table, each with every
 * useful parameter, until it returns an error. */
int planner_each(const struct request *req, int (*visit)(const struct choice *choice, void *data),
                 void *data);

/* `auto`: makes and simulates every such choice (of one planner, unless `only` is NULL), and keeps
 * the best, the first one among equals. timing may be NULL; otherwise the caller frees it.
 * HN_EPLAN: nobody serves the request. */
int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing);

#endif
