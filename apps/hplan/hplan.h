/* hplan.h - shared by the parts of hplan: options, tasks, and output.
 *
 * hplan.c has the command line and the planning. hplan_task.c and hplan_messages.c make the
 * request; hplan_print.c, hplan_draw.c and hplan_trace.c show the result. The planners, the
 * simulation and the bounds are coll's.
 *
 * Functions that print an error return the exit status for it: 2 for input, 1 for failures.
 */
#pragma once

#include "hplan_trace.h"
#include "coll/internal.h"

#include "runtime/internal.h"

#include <stdio.h>

/* Output files of drawings, - for stdout; NULL: none. */
struct pictures {
    const char *timing, *map;
};

/* The command line.  The texts belong to argv; NULL: not given. */
struct options {
    const char *net, *op, *root, *to, *messages, *plan, *model, *vector, *bench, *ablation, *study,
        *output, *trace;
    struct pictures pictures;
    int64_t bytes, seed;           /* seed -1: not given */
    int64_t runs, sources, fanout; /* 0: not given */
    bool json, list;
};

/* Seed 1 unless -seed is given, so that two runs without it are equal. */
static inline uint64_t options_seed(const struct options *o)
{
    return o->seed < 0 ? 1 : (uint64_t)o->seed;
}

/* The operation to plan, and its network.  task_read() makes it, and everything in it lives until
 * task_free(). The request's ranks are positions in names[] and host[]. The model refers to host[],
 * and the request to messages[], so a task must not be copied. */
struct task {
    const char *op; /* as requested: a multicast is planned as a broadcast among its members */
    hn_net *net;
    struct request req;
    struct model model;
    const char **names; /* [rank]: host */
    int *host;          /* [rank] */
    int *rank;          /* [host]; -1: not a rank */
    /* With wants, of a multiple multicast only: message k's destinations are a row of wants. */
    struct multicast_message *messages;
    bool *wants; /* [message * hosts + host] */
};
/* Reads the network file and makes the request from the options. Returns 0, or the exit status
 * after printing an error; call task_free() in both cases. bytes: -bytes. `path` is used in
 * messages. */
int task_read(const struct options *o, const char *path, int64_t bytes, struct task *task);
void task_free(struct task *task);
/* Makes the messages of a multiple multicast: those of -messages, or random ones. Returns as
 * task_read(). */
int task_messages(const struct options *o, int64_t bytes, struct task *task);
/* Marks the hosts in a list of names, ranges of names (n[1-4]), numbers, ranges of numbers (1-3),
 * or `all`. Returns NULL, or the first invalid word, allocated from arena. Marks are added to those
 * that are already set. Names are looked up before numbers. `all` includes the source. */
const char *task_hosts(const hn_net *net, const char *list, struct arena *arena, bool *marked);

/* One plan of the output. It owns plan and timing. All zero until the plan is made. */
struct outcome {
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    /* Lower bound of the makespan for any plan of this kind: whole messages, or segments. */
    hn_time bound;
    double planning_time; /* seconds */
};

/* The whole output. The task is the caller's; outcomes has room for one plan of each planner. */
struct answer {
    const struct task *task;
    const char *model;        /* its name in -model */
    struct outcome *outcomes; /* best first */
    int count;
};

/* hplan_model_is_known(): true if there is a model of that name (-model). hplan_model(): makes it
 * for ranks on these hosts of a network. */
bool hplan_model_is_known(const char *name);
void hplan_model(const char *name, const hn_net *net, const int *host, int ranks,
                 struct model *model);

/* True if a picture goes to stdout, so that no table may be printed there. */
bool prints_pictures(const struct pictures *pictures);
/* Draws the first plan; measured: times to show beside the predicted ones, or NULL. Returns the
 * exit status after printing an error. */
int draw_pictures(const struct pictures *pictures, const struct answer *answer,
                  const struct timing *measured);
/* The same with the measured times of a trace; prints a line about these to `report` (NULL:
 * none). */
int draw_measured(const struct pictures *pictures, const struct answer *answer,
                  const struct trace *trace, FILE *report);

/* Prints one line on standard error. Returns 2, the exit status for wrong usage and bad input. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Output to a file, in the order of the outcomes.  They do not fail: the stream keeps its errors.
 */
void print_answer(const struct answer *answer, FILE *file);
void print_answer_json(const struct answer *answer, FILE *file);
void print_planners(FILE *file);
void print_planners_json(FILE *file);
