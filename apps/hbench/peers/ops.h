/* ops.h - hbench's collective operations for peers: what all of them share.
 *
 *     START hbench-PEER-ops OPERATION:BYTES:WINDOW:WARM:COUNT ...
 *
 * Rank 0 prints one line for each sample: "OPERATION BYTES SECONDS". hbench's own single.c and
 * common_clock.c take it, with the peer's messages.  WINDOW is unused.
 *
 * ops.c has the cases; ops_mpi.c and ops_pvm.c have the operations, main(), and numbers.h's
 * messages.
 */
#pragma once

#include <stdbool.h>

struct ops_data {
    int rank, size;
    int count;   /* elements that each rank contributes */
    int doubles; /* else bytes */
    void *in, *out;
    int *counts; /* [size], followed by their displacements */
};

/* Provided by each peer, in addition to numbers.h. */
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

/* Runs all cases of the command line.  Returns false after printing an error. */
bool ops_measure(int rank, int size, int argc, char **argv);
