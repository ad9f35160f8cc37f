/* previous.h - the model of an existing network file to which hosts have been added.
 *
 * hprobe measures only the new hosts. The file's model and the new samples together give one model.
 */
#pragma once

#include "derive/fit.h"
#include "net/net.h"

#include <stdbool.h>

struct previous {
    const hn_net *net;
    const int *host;   /* [rank]: its number in that model */
    const bool *known; /* [rank]: the file has its costs */
};

/* Sets known[rank] if the file has costs of host[rank]. Returns the number of known hosts, or 0 if
 * the file knows all hosts: then all are measured again. */
int previous_hosts(const hn_net *net, const int *host, int n, bool *known);

/* True if the file defines the pair: two different known hosts. previous may be NULL. */
bool previous_states(const struct previous *previous, int from, int to);

/* T of a pair that the file defines, for a receiver that is awake. */
struct fit_line previous_route(const struct previous *previous, int from, int to);

/* The time of a known host for a send and a receive of 1 KiB, each taken as S, in nanoseconds. */
int64_t previous_own_time(const struct previous *previous, int rank);
