/* p2p.h - the loops of hbench p2p for peers: what all of them share.
 *
 *     START hbench-PEER latency:BYTES:WINDOW:WARM:COUNT stream:... rate:...
 *
 * Rank 0 prints one line for each sample: "latency BYTES SECONDS". ../hbench_p2p.c defines the
 * measurements. p2p.c has the loops; p2p_mpi.c and p2p_pvm.c have main() and the functions below.
 */
#pragma once

enum { P2P_WINDOW = 64 }; /* concurrent messages, as in OSU's benchmarks */

/* Provided by each peer: messages between ranks 0 and 1. */
void p2p_send(int to, const char *data, int bytes);
void p2p_receive(int from, char *data, int bytes);
/* Send and receive `window` concurrent messages; p2p_pour() may return before they are received. */
void p2p_pour(int to, const char *data, int bytes, int window);
void p2p_drain(int from, char *data, int bytes, int window);

/* Runs all cases of the command line, in ranks 0 and 1.  Returns 0 if out of memory. */
int p2p_measure(int rank, int argc, char **argv);
