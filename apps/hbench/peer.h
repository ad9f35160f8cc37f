/* peer.h - other people's message passing, measured in the same run as hnow's.
 *
 * A peer is a program with the same loops (peers/), built where its compiler is installed, and the
 * command that starts it: hbench's task 0 runs it while the others wait, and reads what it has
 * measured from its output.
 */
#pragma once

#include "result.h"

#include <stdbool.h>

/* Peers of a run: more are an error.  Bytes of a word of their command lines, in quotes. */
enum { PEERS_MOST = 4, PEER_WORD = 64 };
#define PEERS_KNOWN "mpich", "openmpi", "pvm" /* their names */

struct peer_choice {
    const char *name;    /* one of PEERS_KNOWN */
    const char *command; /* what starts its processes; NULL: peer_round.h makes the usual one */
    const char *suffix;  /* its program is hbench-NAME and this; NULL: nothing more */
};

/* One case of a peer: the words of peers/p2p.h and peers/ops.h. */
struct peer_case {
    const char *bench;
    int64_t bytes, window, warm, count;
};

/* Whether there is a peer of that name, of so many letters; else NULL, else its name for good. */
const char *peer_known(const char *name, size_t length);
/* Runs all cases and adds their samples to the results of the peer.  False: failed, and said why.
 */
bool peer_measure(const struct peer_choice *peer, const struct peer_case *cases, size_t n,
                  struct results *results);
