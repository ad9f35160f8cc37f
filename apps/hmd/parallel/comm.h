/* comm.h - all message passing of hmd.
 *
 * hmd keeps replicated data, as CHARMM does (parallel.doc): every task holds all coordinates and
 * computes its share of all forces.  So a step needs two collective operations, a reduce-scatter of
 * forces and a gathering of blocks (PME: two transpositions besides), and reading a file needs a
 * broadcast; what travels on which way is decided by the plans of the coll room.  With -decomp
 * force (halo.h) tasks send each other directly what the other needs, with -decomp replicated
 * all get the whole sum of forces, as in the program that ECO's paper measured.  Started without
 * hrun this is a job of one task.
 *
 * Each function is called by all tasks in the same order and blocks until its part is done.  They
 * return 0, or ERR_RUN with the message in *e.
 */
#pragma once

#include <stddef.h>

#include "err.h"
#include "hnow.h"

struct comm {
    int rank, size;
    double seconds; /* spent in the functions for every step so far */
    int replicated; /* sums of forces go to all tasks whole, not to each its block */
    double *whole;  /* such a sum; whole_room numbers */
    size_t whole_room;
    hn_group *sums; /* the group whose plan sums follow; NULL: as everything else */
};

int comm_start(struct comm *c, struct err *e);
void comm_stop(struct comm *c);
/* Waits until all tasks have arrived here. */
void comm_meet(struct comm *c);
/* Waits until the first task has arrived here, but not for long: it may not know that there is a
 * reason. */
void comm_await_first(struct comm *c);

/* The collectives below follow this plan from now on, sums of forces that behind a comma, if there
 * is one: NAME[,NAME]; NULL: the one that hrun was told.  ERR_INPUT when there is no such plan. */
int comm_plan(struct comm *c, const char *plan, struct err *e);

/* The text of a file that rank 0 can read, on all tasks: *data (mem_free) has *length bytes and a 0
 * behind them.  ERR_INPUT when it cannot be read. */
int comm_file(struct comm *c, const char *path, char **data, size_t *length, struct err *e);

/* The sum of all tasks' `in` is cut into blocks, in the order of ranks: task r gets the counts[r]
 * elements of its block into out. */
int comm_reduce(struct comm *c, const double *in, double *out, const size_t *counts, struct err *e);

/* v[n] becomes rank 0's. */
int comm_broadcast(struct comm *c, double *v, size_t n, struct err *e);

/* v[n] becomes its sum over the tasks. */
int comm_sum(struct comm *c, double *v, size_t n, struct err *e);

/* count elements from in + r * count go to task r; those that it sends come to out + r * count. */
int comm_transpose(struct comm *c, const double *in, double *out, size_t count, struct err *e);

/* Task r owns counts[r] elements of v from first[r] on; afterwards all tasks have all. */
int comm_gather(struct comm *c, double *v, const size_t *counts, const size_t *first,
                struct err *e);

/* Rows of so many numbers, one of each task: afterwards all tasks have all. */
int comm_rows(struct comm *c, double *rows, size_t width, struct err *e);

/* Task r is told out[r], and in[r] is what it told this one. */
int comm_counts(struct comm *c, const int *out, int *in, struct err *e);
/* The lists `out` of the tasks, one behind the other (out_count[r] numbers for task r), come to
 * stand in `in` (in_count[r] from task r). */
int comm_lists(struct comm *c, const int *out, const int *out_count, int *in, const int *in_count,
               struct err *e);
/* The same with doubles and directly from task to task: those who have nothing for each other send
 * nothing.  Nothing is for a task itself. */
int comm_swap(struct comm *c, const double *out, const size_t *out_count, double *in,
              const size_t *in_count, struct err *e);

/* The tasks as they stand on a ring along the network (ECO's, which Dome used for its load
 * balancing): ring[k] is the rank at place k. */
int comm_ring(struct comm *c, int *ring, struct err *e);
