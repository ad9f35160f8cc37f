/* plogp.h - pLogP's parameters derived from a model: the gap g(m) of a subnet, and the time of a
 * broadcast in it.
 *
 * Both are functions of the message size (Barchet-Steffenel and Mounie 2006, section 3). */
#pragma once

#include "hnow_net.h"

/* The sizes that hprobe prints. */
enum { PLOGP_SIZES = 5 };
extern const int64_t plogp_sizes[PLOGP_SIZES];

/* g(m) from one host to another: the minimum time between the starts of two messages of m bytes. It
 * ignores other transfers on the same channels. Always >= 0. */
hn_time plogp_gap(const hn_net *net, int from, int to, int64_t bytes);
/* T(m) of a subnet: a broadcast of m bytes from its first host along a binomial tree. 0 for a
 * subnet of one host. HN_ENOMEM on failure. O(hosts) time and memory. A bus limits it: all messages
 * pass one wire. */
hn_time plogp_broadcast(const hn_net *net, int subnet, int64_t bytes);
