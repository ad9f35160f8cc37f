/* comm.h - all message passing of hmd.
 *
 * hmd uses replicated data, like CHARMM (parallel.doc): every task has all coordinates and computes
 * its share of all forces.  So a step needs two collective operations, a reduce-scatter of forces
 * and an allgather of blocks (PME: two more transpositions), and reading a file needs a broadcast.
 * The plans of coll determine the routes.  With -decomp replicated all tasks get the whole sum of
 * forces, as in the program measured in ECO's paper.  Without hrun this is a job of one task.
 *
 * Each function is collective: all tasks call it in the same order, and it blocks until its part is
 * done.  They return 0, or ERR_RUN with the message in *e.
 */
#pragma once

#include <stddef.h>

#include "err.h"
#include "hnow.h"

/* One for the task. `seconds` is the difference that timers subtract from computing. */
struct comm {
    int rank, size;
    double seconds; /* spent in these functions, for all steps so far */
    int replicated; /* sums of forces go completely to all tasks, instead of one block to each */
    double *whole;  /* such a sum, of whole_room numbers */
    size_t whole_room;
    hn_group *sums; /* the group whose plan sums follow; NULL: the world */
};

/* Enrols the task; without hrun it is a job of its own. */
int comm_start(struct comm *c, struct err *e);
/* Leaves the job; no function may be called afterwards. */
void comm_stop(struct comm *c);
/* Waits until all tasks have called this. */
void comm_meet(struct comm *c);
/* Waits briefly for the first task to call this: it may not know that there is a reason. */
void comm_await_first(struct comm *c);

/* Sets the plan of the collectives below; sums of forces follow the plan after a comma, if any:
 * NAME[,NAME].  NULL: hrun's plan.  ERR_INPUT if there is no such plan. */
int comm_plan(struct comm *c, const char *plan, struct err *e);

/* Reads a file on rank 0 and broadcasts its text: *data (mem_free) has *length bytes and a
 * terminating 0.  ERR_INPUT if it cannot be read. */
int comm_file(struct comm *c, const char *path, char **data, size_t *length, struct err *e);

/* Reduce-scatter: task r gets the counts[r] elements of its block of the sum of all tasks' `in` in
 * out; blocks are in rank order. */
int comm_reduce(struct comm *c, const double *in, double *out, const size_t *counts, struct err *e);

/* Broadcasts v[n] from rank 0. */
int comm_broadcast(struct comm *c, double *v, size_t n, struct err *e);

/* Allreduce: v[n] becomes its sum over the tasks. */
int comm_sum(struct comm *c, double *v, size_t n, struct err *e);

/* Alltoall: count elements from in + r * count go to task r; those from task r are stored at out +
 * r * count. */
int comm_transpose(struct comm *c, const double *in, double *out, size_t count, struct err *e);

/* Allgatherv: task r owns counts[r] elements of v from first[r] on; afterwards all tasks have
 * all. */
int comm_gather(struct comm *c, double *v, const size_t *counts, const size_t *first,
                struct err *e);

/* Allgather: rows of `width` numbers, one of each task. */
int comm_rows(struct comm *c, double *rows, size_t width, struct err *e);

/* The tasks on a ring along the network (ECO's, which Dome used for load balancing): ring[k] is the
 * rank at place k. */
int comm_ring(struct comm *c, int *ring, struct err *e);
