/* previous.h - what a network file states already when hosts have been added to it: only the new
 * ones are measured, and the file's model and the samples of these become one model.
 */
#pragma once

#include "derive/fit.h"
#include "net/net.h"

#include <stdbool.h>

struct previous {
    const hn_net *net;
    const int *host;   /* [rank]: its number there */
    const bool *known; /* [rank]: the file has its costs */
};

/* Whether the file states costs of host[rank], for each rank; the number of those.  0 when the file
 * knows all of them, too: then they are measured again. */
int previous_hosts(const hn_net *net, const int *host, int n, bool *known);

/* The pair is stated: both are known, and they are two.  previous may be NULL. */
bool previous_states(const struct previous *previous, int from, int to);

/* T of a pair that is stated, when the receiver is awake. */
struct fit_line previous_route(const struct previous *previous, int from, int to);

/* Own time of sends and receives of 1 KiB of a known host, in nanoseconds. */
int64_t previous_own_time(const struct previous *previous, int rank);
