/* plogp.h - the gap g(m) of a subnet, and how long a broadcast in it takes: pLogP's parameters as
 * functions of the message's size (Barchet-Steffenel and Mounie 2006, section 3), from a model. */
#pragma once

#include "hnow_net.h"

/* The sizes that are shown. */
enum { PLOGP_SIZES = 5 };
extern const int64_t plogp_sizes[PLOGP_SIZES];

/* g(m) from one host to another: the least time between the starts of two messages of m bytes. */
hn_time plogp_gap(const hn_net *net, int from, int to, int64_t bytes);
/* T(m) of a subnet: the broadcast of m bytes from its first host to the others by a binomial tree.
 * 0 when it has one host; HN_ENOMEM. */
hn_time plogp_broadcast(const hn_net *net, int subnet, int64_t bytes);
