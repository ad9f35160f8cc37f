/* fair.h - max-min fair rates of users that share channels, updated as users come and go.
 *
 * The rate of the slowest user is as large as possible, then that of the next slowest, and so on.
 * No channel exceeds its capacity, and no user exceeds the rate that it has alone. A user may have
 * several shares; then its rate per share counts.
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

struct fair;

/* NULL: out of memory. */
struct fair *fair_new(int channels);
void fair_free(struct fair *fair);

/* A user (numbered from 0) begins to use the channels of its route, with this many shares;
 * fair_leave() ends it.
 *
 * `own`: its rate when it is alone. It takes rate * per_byte of each channel; all users of a
 * channel together take at most `unit`, which must be the same in all calls. per_byte may differ
 * from user to user: a message that leaves a machine uses half as much of it as one that stays
 * inside.
 *
 * Afterwards fair_changed() lists the users whose rates changed, without those that left. false:
 * out of memory. Cost: O(u log u + c * b) for the u users and c channels that are connected through
 * channels with more demand than capacity, b of which are bottlenecks. */
bool fair_join(struct fair *fair, int user, int64_t own, int shares, const hn_channel *route,
               int count, int64_t unit);
void fair_leave(struct fair *fair, int user);
/* Changes the number of shares of a user. */
void fair_change(struct fair *fair, int user, int shares);

/* The users whose rates the last call may have changed; *count receives their number. */
const int *fair_changed(const struct fair *fair, int *count);
int64_t fair_rate(const struct fair *fair, int user);
/* The channel that limits the rate of a user; -1: it has its own rate, or uses no channel. */
int fair_limit(const struct fair *fair, int user);
/* Iterate over the users of a channel that has more demand than capacity. -1: end of the list, or
 * the channel is not such a bottleneck. */
int fair_first(const struct fair *fair, int channel);
int fair_next(const struct fair *fair, int channel, int user);
/* Number of rates computed so far: a measure of the cost of all calls together. */
int64_t fair_work(const struct fair *fair);
/* The unused capacity of a channel in use, in parts of `unit`. */
int64_t fair_unused(const struct fair *fair, int channel);
