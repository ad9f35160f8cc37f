/* peer.h - other message-passing systems, measured in the same run as hnow.
 *
 * A peer is a program with the same loops (peers/), built if its compiler is installed, and the
 * command that starts it. hbench's task 0 runs it while the others wait, and reads its measurements
 * from its output.
 */
#pragma once

#include "result.h"

#include <stdbool.h>

/* Maximum number of peers of a run; more are an error.  Bytes of a quoted word of their command
 * lines. */
enum { PEERS_MOST = 4, PEER_WORD = 64 };
#define PEERS_KNOWN "mpich", "openmpi", "pvm" /* names */

struct peer_choice {
    const char *name;    /* one of PEERS_KNOWN */
    const char *command; /* command that starts its processes; NULL: peer_round.h makes the default
                            one */
};

/* One case of a peer: see peers/peer_cases.h. */
struct peer_case {
    /* A name without blanks or colons, at most 15 characters. */
    const char *bench;
    int64_t bytes, window, warm, count;
};

/* Returns the static name of the peer with a name of that length; NULL: unknown. */
const char *peer_known(const char *name, size_t length);
/* Runs all cases and adds their samples to the results of the peer.  Returns false after printing
 * an error. */
bool peer_measure(const struct peer_choice *peer, const struct peer_case *cases, size_t n,
                  struct results *results);
