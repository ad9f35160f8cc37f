/* hplan.h - what the parts of the tool hplan share: its options and its printed forms. */
#ifndef HNOW_COLL_HPLAN_H
#define HNOW_COLL_HPLAN_H

#include "hplan_trace.h"
#include "planner.h"

#include <stdio.h>

/* One plan of the output. */
struct outcome {
    const char *role; /* what it is shown for, where there are several kinds; else NULL */
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    hn_time bound;
    double planning_time; /* seconds */
};

/* All of the output. */
struct answer {
    const struct request *req;
    const char *model;        /* its name on the command line */
    const char *const *names; /* [rank]: host */
    struct outcome *outcomes; /* the best first */
    int count;
};

/* -replan: the plan for a network as it was, and what can be done now that it has changed. */
struct change {
    const struct answer *before; /* of one plan */
    struct answer *after;        /* gets the new plan, the old one kept, and one from scratch */
    const hn_net *old_net, *net;
    const struct model *model; /* of today */
};
/* Makes the plans of `after` (room for 3), that from scratch by the name of the old plan or by
 * `auto`; they must be checked. HN_OK or an error. */
int replan_answer(const struct change *change, bool by_name);
void print_change(const struct change *change, FILE *file);
void print_change_json(const struct change *change, FILE *file);

/* The model of that name (-model) for all hosts of a network, and whether there is one. */
bool hplan_model_is_known(const char *name);
void hplan_model(const char *name, const hn_net *net, struct model *model);

/* Files to draw into, - for stdout; NULL: not wanted. */
struct pictures {
    const char *timing, *map;
};
bool prints_pictures(const struct pictures *pictures);
/* Draws the first plan; measured: times to be shown beside the predicted ones, or NULL. Returns the
 * exit status, after a complaint. */
int draw_pictures(const struct pictures *pictures, const struct answer *answer, const hn_net *net,
                  const struct timing *measured);
/* The same with what a trace says of the plan, and a line on that to `report` (NULL: none). */
int draw_measured(const struct pictures *pictures, const struct answer *answer, const hn_net *net,
                  const struct trace *trace, FILE *report);

/* One line on standard error; returns 2, the exit status for wrong usage and bad input. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

void print_answer(const struct answer *answer, FILE *file);
void print_answer_json(const struct answer *answer, FILE *file);
void print_planners(FILE *file);
void print_planners_json(FILE *file);
/* A string of JSON. */
void print_string(const char *text, FILE *file);

#endif
