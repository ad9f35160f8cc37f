/* peer_round.h - runs peers on the hosts of this job, one round of measurements at a time.
 *
 * Their launchers start as many processes on each host as hnow has tasks there, and reach the hosts
 * by the ssh of the hosts file.  If the hosts are network namespaces of one machine, peers must use
 * only TCP.  If it has fewer processors than tasks, peers must also sleep while waiting, like
 * hnow's tasks (peers/polite.c); otherwise they would only measure their own polling.
 */
#pragma once

#include "peer.h"

#include <limits.h>
#include <stdbool.h>

struct peer_round {
    struct peer_choice peer[PEERS_MOST];
    char *command[PEERS_MOST]; /* owned */
    bool failed[PEERS_MOST];   /* it is not run again */
    /* At most PEERS_MOST. */
    int peers;
    int fd;                /* the script by which they reach the hosts; -1: none */
    char script[PATH_MAX]; /* path of the script */
};

/* Called by all tasks.  Peers get as many processes as `ranks`, on the hosts of these first ranks.
 * Returns false after printing an error; must be closed in both cases. */
bool peer_round_open(struct peer_round *round, const struct peer_choice *peer, int peers,
                     int ranks);
/* Task 0 runs all cases with each peer, while the others sleep.  A peer that fails is reported and
 * excluded from then on. */
void peer_round_measure(struct peer_round *round, const struct peer_case *cases, size_t n,
                        struct results *results);
void peer_round_close(struct peer_round *round);
