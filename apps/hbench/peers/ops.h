/* ops.h - hbench's collective operations in other people's words: what all peers have in common.
 *
 *     START hbench-PEER-ops OPERATION:BYTES:WINDOW:WARM:COUNT ...
 *
 * Rank 0 prints one line a sample: "OPERATION BYTES SECONDS".  A sample is what single.h says: rank
 * 0 names a moment of its clock, all sleep until then, do the operation once, and the time ends
 * when the last one is done; a sample of which somebody heard too late is taken again.  Clocks are
 * compared as in common_clock.c, by the quickest of some round trips.  WINDOW means nothing here.
 *
 * ops.c has the measuring; ops_mpi.c and ops_pvm.c the operations, main(), and what is below.
 */
#ifndef HBENCH_OPS_H
#define HBENCH_OPS_H

#include <stdint.h>

struct ops_data {
    int rank, size;
    int count;   /* elements that each rank contributes */
    int doubles; /* they are doubles; else bytes */
    void *in, *out;
    int *counts; /* [size], and behind them their displacements */
};

/* What a peer provides.  Messages between two ranks stay in order. */
void ops_send(int to, const int64_t *numbers, int n);
void ops_receive(int from, int64_t *numbers, int n);
_Noreturn void ops_fail(const char *why);
void ops_barrier(struct ops_data *d);
void ops_bcast(struct ops_data *d);
void ops_scatter(struct ops_data *d);
void ops_gather(struct ops_data *d);
void ops_reduce(struct ops_data *d);
void ops_allreduce(struct ops_data *d);
void ops_allgather(struct ops_data *d);
void ops_allgatherv(struct ops_data *d);
void ops_alltoall(struct ops_data *d);
void ops_reduce_scatter(struct ops_data *d);
void ops_scan(struct ops_data *d);
void ops_exscan(struct ops_data *d);

/* All cases of the command line. */
void ops_measure(int rank, int size, int argc, char **argv);

#endif
