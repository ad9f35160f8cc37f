/* ops.h - hbench's collective operations in other people's words: what all peers have in common.
 *
 *     START hbench-PEER-ops OPERATION:BYTES:WINDOW:WARM:COUNT ...
 *
 * Rank 0 prints one line a sample: "OPERATION BYTES SECONDS".  It is taken by hbench's own single.c
 * and common_clock.c, over the peer's messages.  WINDOW means nothing here.
 *
 * ops.c has the cases; ops_mpi.c and ops_pvm.c the operations, main(), and numbers.h's messages.
 */
#pragma once

#include <stdbool.h>

struct ops_data {
    int rank, size;
    int count;   /* elements that each rank contributes */
    int doubles; /* they are doubles; else bytes */
    void *in, *out;
    int *counts; /* [size], and behind them their displacements */
};

/* Provided by each peer, beside numbers.h. */
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

/* All cases of the command line.  False: it failed, and said why. */
bool ops_measure(int rank, int size, int argc, char **argv);
