/* fair.h - max-min fair rates of users that share channels, kept up to date as users come and go.
 *
 * All rates together are as large as possible for the slowest user, then for the next, ..., where
 * no channel carries more than its capacity and no user goes faster than it would alone. Users may
 * have more than one share: what counts then is the rate for each share.
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>

struct fair;

/* NULL: out of memory. */
struct fair *fair_new(int channels);
void fair_free(struct fair *fair);

/* A user, numbered from 0, begins (ceases) to use the channels of its way, of which it has so many
 * shares. `own`: its rate when it is alone. Of a channel it takes rate * per_byte, and all users
 * together no more than `unit`, always the same; per_byte may differ from user to user (a message
 * takes half of a machine that it leaves). Afterwards fair_changed() tells whose rates changed,
 * ceasing users left out. false: out of memory. Cost: O(u log u + c * b) for the u users and c
 * channels that depend on each other through channels on which more is wanted than there is, b of
 * which are bottlenecks. */
bool fair_join(struct fair *fair, int user, int64_t own, int shares, const hn_channel *route,
               int count, int64_t unit);
void fair_leave(struct fair *fair, int user);
/* A user has another number of shares from now on. */
void fair_change(struct fair *fair, int user, int shares);

/* The users whose rates may have changed by the last call; *count gets their number. */
const int *fair_changed(const struct fair *fair, int *count);
int64_t fair_rate(const struct fair *fair, int user);
/* The channel for which its rate is no higher; -1: it has its own, or uses nothing. */
int fair_limit(const struct fair *fair, int user);
/* The users of a channel, one after the other, where they want more of it than there is; -1: no
 * more, or that is not so. */
int fair_first(const struct fair *fair, int channel);
int fair_next(const struct fair *fair, int channel, int user);
/* How many users' rates have been found so far: what all calls together have cost. */
int64_t fair_work(const struct fair *fair);
/* The part of a used channel that no user has, in parts of `unit`. */
int64_t fair_unused(const struct fair *fair, int channel);
