/* p2p.h - hbench p2p's loops in other people's words: what all peers have in common.
 *
 *     START hbench-PEER latency:BYTES:WINDOW:WARM:COUNT stream:... rate:...
 *
 * Rank 0 prints one line a sample: "latency BYTES SECONDS".  What is measured is what ../p2p.c
 * says.  p2p.c has the loops; p2p_mpi.c and p2p_pvm.c main() and what is below.
 */
#pragma once

enum { P2P_WINDOW = 64 }; /* messages at once, as in OSU's benchmarks */

/* Provided by each peer: messages between ranks 0 and 1. */
void p2p_send(int to, const char *data, int bytes);
void p2p_receive(int from, char *data, int bytes);
/* As many messages under way at once; `pour` may come back before the other side has them. */
void p2p_pour(int to, const char *data, int bytes, int window);
void p2p_drain(int from, char *data, int bytes, int window);

/* All cases of the command line, by ranks 0 and 1.  0: no memory. */
int p2p_measure(int rank, int argc, char **argv);
