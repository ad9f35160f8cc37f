/* peer_cases.h - hbench's measurements with a peer's messages: what all peers share.
 *
 *     START hbench-PEER CASE:BYTES:WINDOW:WARM:COUNT ...
 *
 * CASE is latency, stream or rate (../hbench_p2p.c), for two processes, or an operation, for any
 * number; operations ignore WINDOW.  Rank 0 prints one line for each sample: "CASE BYTES SECONDS".
 * hbench's own pingpong.c, single.c and common_clock.c take it, with the peer's messages.
 *
 * peer_cases.c reads the cases; peer_mpi.c and peer_pvm.c have the peer's messages (the wire, and
 * those of numbers.h), its operations, and main().
 */
#pragma once

#include "../pingpong.h"

/* Ranks 0 and 1. */
struct pair {
    int other; /* rank */
    /* Memory of the case, freed after it. */
    char *out, *in;
};
extern const struct wire peer_wire;

struct ops_data {
    int rank, size;
    int count;   /* elements that each rank contributes */
    int doubles; /* else bytes */
    /* A piece for each process, in both directions. */
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
bool peer_measure_all(int rank, int size, int argc, char **argv);
