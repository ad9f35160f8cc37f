/* hnow_net.h - the public interface of the probe room: the network model and its file.
 *
 * A network model says what a message costs between any two hosts (Banikazemi; Wu, equations 1-4):
 * the sender is busy for S = send_const + m * send_per_byte, the message travels for
 * X = latency + m * per_byte, the receiver is busy for R = recv_const + m * recv_per_byte.  Times are
 * integers, so that hosts of different architecture compute the same plans.
 */
#ifndef HNOW_NET_H
#define HNOW_NET_H

#include "hnow.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t hn_time;     /* picoseconds */
typedef int64_t hn_per_byte; /* femtoseconds a byte */

typedef struct hn_host_cost {
    hn_time send_const;        /* S: start-up of a send */
    hn_per_byte send_per_byte; /* S: per byte */
    hn_time recv_const;        /* R: constant */
    hn_per_byte recv_per_byte; /* R: per byte */
    int64_t speed;             /* computing speed in millionths of the reference host; 0 = unknown */
} hn_host_cost;

typedef struct hn_pair_cost {
    hn_time latency;      /* X: constant, one way */
    hn_per_byte per_byte; /* X: per byte */
} hn_pair_cost;

typedef enum hn_medium { HN_MEDIUM_UNKNOWN, HN_MEDIUM_BUS, HN_MEDIUM_SWITCH } hn_medium;

typedef struct hn_net hn_net;

/* Number of hosts; hosts are numbered from 0 in the order of the file. */
HN_API int hn_net_size(const hn_net *net);
HN_API const char *hn_net_host_name(const hn_net *net, int host);
HN_API int hn_net_host_index(const hn_net *net, const char *name); /* HN_EARG: no such host */
HN_API const hn_host_cost *hn_net_host(const hn_net *net, int host);
/* Cost of the way from one host to another. O(1). */
HN_API hn_pair_cost hn_net_pair(const hn_net *net, int from, int to);

/* Subnets (ECO, Figure 2): every host is in exactly one. */
HN_API int hn_net_subnet_count(const hn_net *net);
HN_API int hn_net_subnet_of(const hn_net *net, int host);
HN_API const char *hn_net_subnet_name(const hn_net *net, int subnet);
HN_API hn_medium hn_net_subnet_medium(const hn_net *net, int subnet);
/* Members in ascending order; *count is their number.  Belongs to the model. */
HN_API const int *hn_net_subnet_hosts(const hn_net *net, int subnet, int *count);

/* A model made by hand: n hosts named h1, h2, ..., all costs 0, one subnet of unknown medium.  NULL: out of
 * memory. */
HN_API hn_net *hn_net_new(int hosts);
HN_API void hn_net_free(hn_net *net);
HN_API int hn_net_set_host_name(hn_net *net, int host, const char *name);
HN_API int hn_net_set_host(hn_net *net, int host, const hn_host_cost *cost);
HN_API int hn_net_set_pair(hn_net *net, int from, int to, hn_pair_cost cost);
/* Adds a subnet of the given members, who leave the ones they were in. */
HN_API int hn_net_add_subnet(hn_net *net, const char *name, hn_medium medium, const int *hosts,
                             int count);

/* Reads a network file (a hosts file is one, without costs).  On failure *net is NULL and
 * hn_error_text() names file, line and what to do. */
HN_API int hn_net_read(const char *path, hn_net **net);
/* The same from memory; name stands for the file in messages. */
HN_API int hn_net_parse(const char *name, const char *text, size_t length, hn_net **net);
/* Writes the model; what hn_net_read() makes of it is equal to *net. "-" is stdout. */
HN_API int hn_net_write(const hn_net *net, const char *path);

#ifdef __cplusplus
}
#endif
#endif
