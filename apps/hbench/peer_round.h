/* peer_round.h - peers on the hosts of this job, one round of measuring at a time.
 *
 * Their launchers get as many processes on each host as hnow has tasks there, and reach the hosts
 * by the ssh that the hosts file names.  Hosts that are really network namespaces of one machine
 * are told to keep to TCP, and where these have fewer processors than tasks, peers have to wait as
 * hnow's tasks do (peers/polite.c), or they would only measure how they wait for each other.
 */
#pragma once

#include "peer.h"

#include <limits.h>
#include <stdbool.h>

struct peer_round {
    struct peer_choice peer[PEERS_MOST];
    char *command[PEERS_MOST]; /* owned */
    bool failed[PEERS_MOST];   /* it is not asked again */
    int peers;
    int fd;                /* the script by which they reach the hosts, -1: there is none; ... */
    char script[PATH_MAX]; /* ... its path */
};

/* Called by all tasks.  Peers get as many processes as the first so many ranks, on their hosts.
 * suffix: of the names of the peers' programs (peer.h), or NULL.  False: failed, and said why;
 * close it also then. */
bool peer_round_open(struct peer_round *round, const struct peer_choice *peer, int peers, int ranks,
                     const char *suffix);
/* Task 0, while the others sleep: all cases by each peer.  A peer that fails is left out from then
 * on, with a word. */
void peer_round_measure(struct peer_round *round, const struct peer_case *cases, size_t n,
                        struct results *results);
void peer_round_close(struct peer_round *round);
