/* hplan.h - what the parts of the tool hplan share: its options and its printed forms. */
#ifndef HNOW_COLL_HPLAN_H
#define HNOW_COLL_HPLAN_H

#include "planner.h"

#include <stdio.h>

/* One plan of the output. */
struct outcome {
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

void print_answer(const struct answer *answer, FILE *file);
void print_answer_json(const struct answer *answer, FILE *file);
void print_planners(FILE *file);
void print_planners_json(FILE *file);

#endif
