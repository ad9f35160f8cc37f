/* hplan.h - what the parts of the tool hplan share: its options, what is planned, and its printed
 * forms. */
#pragma once

#include "hplan_trace.h"
#include "coll/internal.h"

#include "runtime/internal.h"

#include <stdio.h>

/* Files to draw into, - for stdout; NULL: not wanted. */
struct pictures {
    const char *timing, *map;
};

struct options {
    const char *net, *op, *root, *to, *messages, *plan, *model, *vector, *bench, *ablation, *study,
        *output, *trace;
    struct pictures pictures;
    int64_t bytes, seed;           /* seed -1: not given */
    int64_t runs, sources, fanout; /* 0: not given */
    bool json, list;
};

static inline uint64_t options_seed(const struct options *o)
{
    return o->seed < 0 ? 1 : (uint64_t)o->seed;
}

/* The operation to plan, and its network. */
struct task {
    const char *op; /* as it is called: a multicast is planned as a broadcast among its members */
    hn_net *net;
    struct request req;
    struct model model;
    const char **names; /* [rank]: host */
    int *host;          /* [rank] */
    int *rank;          /* [host]; -1: takes no part */
    struct multicast_message *messages;
    bool *wants; /* of all messages */
};
/* Reads the network file and, from the options, the request. Returns 0, or the exit status after a
 * complaint; task_free() in every case. */
int task_read(const struct options *o, const char *path, int64_t bytes, struct task *task);
void task_free(struct task *task);
/* The messages of a multiple multicast: those of -messages, or random ones. Likewise. */
int task_messages(const struct options *o, int64_t bytes, struct task *task);
/* Marks the hosts of a list by names, ranges of names (n[1-4]), numbers, ranges of numbers (1-3),
 * or `all`. NULL, or the first of its words that is none of these, allocated from arena. */
const char *task_hosts(const hn_net *net, const char *list, struct arena *arena, bool *marked);

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
    const struct task *task;
    const char *model;        /* its name on the command line */
    struct outcome *outcomes; /* the best first */
    int count;
};

/* The model of that name (-model) for ranks on these hosts of a network, and whether there is one.
 */
bool hplan_model_is_known(const char *name);
void hplan_model(const char *name, const hn_net *net, const int *host, int ranks,
                 struct model *model);

bool prints_pictures(const struct pictures *pictures);
/* Draws the first plan; measured: times to be shown beside the predicted ones, or NULL. Returns the
 * exit status, after a complaint. */
int draw_pictures(const struct pictures *pictures, const struct answer *answer,
                  const struct timing *measured);
/* The same with what a trace says of the plan, and a line on that to `report` (NULL: none). */
int draw_measured(const struct pictures *pictures, const struct answer *answer,
                  const struct trace *trace, FILE *report);

/* One line on standard error; returns 2, the exit status for wrong usage and bad input. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

void print_answer(const struct answer *answer, FILE *file);
void print_answer_json(const struct answer *answer, FILE *file);
void print_planners(FILE *file);
void print_planners_json(FILE *file);
