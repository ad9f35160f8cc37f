/* hnow_net.h - the public interface of the probe room: the network model and its file.
 *
 * A network model gives the cost of a message between any two hosts (Banikazemi; Wu, equations
 * 1-4). For m bytes the sender is busy for S = send_const + m * send_per_byte. The message travels
 * for X = latency + m * per_byte. The receiver is busy for R = recv_const + m * recv_per_byte. A
 * receiver that sleeps until the message arrives has it later by W, the time to wake it. Times are
 * integers, so that hosts of different architecture compute the same plans. */
#ifndef HNOW_NET_H
#define HNOW_NET_H

#include "hnow.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- costs -------------------------------------------------------------------------------- */

typedef int64_t hn_time;     /* picoseconds */
typedef int64_t hn_per_byte; /* femtoseconds a byte */

typedef struct hn_host_cost {
    hn_time send_const;        /* S: start-up of a send */
    hn_per_byte send_per_byte; /* S: per byte */
    hn_time recv_const;        /* R: constant */
    hn_per_byte recv_per_byte; /* R: per byte */
    int64_t speed; /* computing speed in millionths of the reference host; 0 = unknown */
    /* pLogP's gap, per byte: how fast the host's port can send to, or receive from, several others
     * at once; 0 = not a limit. hn_net_way() describes its effect on transfers. */
    hn_per_byte send_gap, recv_gap;
    /* Time of the port for each message that the host sends, besides its bytes: for hosts that do
     * not prepare a message while the one before it leaves; 0: none. */
    hn_time send_gap_const;
    hn_time wake; /* extra time if the receiving task must be woken */
} hn_host_cost;

typedef struct hn_pair_cost {
    hn_time latency;      /* X: constant, one way */
    hn_per_byte per_byte; /* X: per byte */
    /* The first first_bytes bytes of a message cost first_per_byte each instead. Up to a packet's
     * end, every byte passes one wire after the other; a token bucket lets its first bytes pass at
     * full speed. 0: all bytes cost the same, and first_per_byte is 0, too. */
    int64_t first_bytes;
    hn_per_byte first_per_byte;
} hn_pair_cost;

/* Cost of a message between two hosts of one machine for that machine (its processors, whatever it
 * emulates).  Messages in progress at the same time share it. */
typedef struct hn_machine_cost {
    hn_time message;      /* a message; messages pass one after the other */
    hn_per_byte per_byte; /* its bytes, shared by all messages in progress */
    int64_t cores;        /* of the machine, shared by its hosts; 0: unknown */
    hn_time queued; /* instead of message, while one before it to the same host still passes: that
                     * host is awake; 0: the same */
} hn_machine_cost;

typedef enum hn_medium { HN_MEDIUM_UNKNOWN, HN_MEDIUM_BUS, HN_MEDIUM_SWITCH } hn_medium;

typedef struct hn_net hn_net;

/* Largest costs of a model (about 2.8 hours; 10 ms a byte), so that sums stay far from overflow. */
#define HN_TIME_MOST     INT64_C(10000000000000000)
#define HN_PER_BYTE_MOST INT64_C(10000000000000)
#define HN_FIRST_MOST    (INT64_C(1) << 40) /* first_bytes */
#define HN_CORES_MOST    1000000
/* Longest cost of a message, some ten hours: 256 of them are still a time. */
#define HN_COST_MOST (INT64_MAX >> 8)

/* constant + bytes * per_byte, rounded up to picoseconds, so that pieces never cost less than the
 * whole; at most HN_COST_MOST, also where it is more. bytes >= 0. */
HN_API hn_time hn_cost_time(hn_time constant, hn_per_byte per_byte, int64_t bytes);
/* X of a message of the given size. */
HN_API hn_time hn_way_time(const hn_pair_cost *cost, int64_t bytes);

/* ---- asking ------------------------------------------------------------------------------- */

/* Functions of this part that return a number, a cost or a text take a model that is not NULL and
 * numbers within its counts, which they do not check. None of them blocks. Texts, costs behind a
 * pointer, and lists belong to the model, and are valid until it is changed or freed. */

/* Number of hosts; they are numbered from 0 in the order of the file. */
HN_API int hn_net_size(const hn_net *net);
HN_API const char *hn_net_host_name(const hn_net *net, int host);
HN_API int hn_net_host_index(const hn_net *net, const char *name); /* HN_EARG: no such host */
HN_API const hn_host_cost *hn_net_host(const hn_net *net, int host);
/* Cost of the way from one host to another. O(1). The most specific statement counts: of the pair,
 * of the subnet or the link between two subnets, of the link between their sites, of their uplinks
 * (latencies added, the slower rate). Otherwise, and from a host to itself, 0. */
HN_API hn_pair_cost hn_net_pair(const hn_net *net, int from, int to);
/* Number of (ordered) pairs of hosts with a cost of their own; 0: hosts of one subnet have equal
 * costs. */
HN_API int hn_net_stated_pairs(const hn_net *net);
/* S + X + W + R: from the start of a send until a receiver that was asleep has the message, if no
 * other message is in progress. */
HN_API hn_time hn_net_time(const hn_net *net, int from, int to, int64_t bytes);
/* 1 if the model states any cost, 0 if it only names hosts (a plain hosts file). */
HN_API int hn_net_has_costs(const hn_net *net);

/* Subnets (ECO, Figure 2): every host is in exactly one.  A subnet may belong to a site. */
HN_API int hn_net_subnet_count(const hn_net *net);
HN_API int hn_net_subnet_of(const hn_net *net, int host);
HN_API const char *hn_net_subnet_name(const hn_net *net, int subnet);
HN_API int hn_net_subnet_index(const hn_net *net, const char *name); /* HN_EARG: no such subnet */
HN_API hn_medium hn_net_subnet_medium(const hn_net *net, int subnet);
/* 1: one datagram reaches all other members at once (IP multicast). */
HN_API int hn_net_subnet_multicast(const hn_net *net, int subnet);
/* Members in ascending order; *count is their number. */
HN_API const int *hn_net_subnet_hosts(const hn_net *net, int subnet, int *count);
HN_API const char *hn_net_subnet_site(const hn_net *net, int subnet); /* "": none */

/* Machines: hosts that share one (containers, virtual machines, namespaces). -1: a machine of its
 * own. */
HN_API int hn_net_machine_count(const hn_net *net);
HN_API int hn_net_machine_of(const hn_net *net, int host);
HN_API const char *hn_net_machine_name(const hn_net *net, int machine);
/* Its costs, and the number of hosts on it. */
HN_API const hn_machine_cost *hn_net_machine(const hn_net *net, int machine, int *hosts);
/* Stores in `use` the cost of a message between two hosts for machines that they share with others:
 * all of it on one machine, or half on each of two.  Returns the number of machines; O(1). */
typedef struct hn_machine_use {
    int machine;
    hn_machine_cost cost;
} hn_machine_use;
HN_API int hn_net_machines(const hn_net *net, int from, int to, hn_machine_use use[2]);

/* What transfers compete for. A message occupies all channels on its way from the end of S on; m
 * bytes take m * per_byte of each channel's time. Channels are:
 *     - a host's port, one out and one in, if the host has a gap;
 *     - the wire of a subnet whose medium is a bus;
 *     - the uplink of a subnet or site, one a direction;
 *     - a link between subnets or sites that has a wire, one a direction;
 *     - a line that several of these have in common, one a direction;
 *     - a machine that hosts share: the last hn_net_machine_count() channels.
 */
typedef struct hn_channel {
    int id; /* 0 ... hn_net_channel_count() - 1 */
    hn_per_byte per_byte;
    hn_time message; /* of a bus or a port out: time for each message */
} hn_channel;
/* HN_WAY_MOST: two ports, two buses, two uplinks of subnets and two of sites, a link, two machines,
 * and all lines of a way. */
enum { HN_LINES_MOST = 8, HN_WAY_MOST = 11 + HN_LINES_MOST };
HN_API int hn_net_channel_count(const hn_net *net);
/* Stores the channels between two hosts in the order of the route (lines in that of the file) and
 * returns their number; 0 if nothing on it is shared.  O(1). */
HN_API int hn_net_way(const hn_net *net, int from, int to, hn_channel way[HN_WAY_MOST]);

/* ---- making ------------------------------------------------------------------------------- */

/* A model made by a program: hosts named h1, h2, ..., all costs 0, one subnet "net" of unknown
 * medium. The caller frees it with hn_net_free(). NULL: out of memory, or hosts < 1. */
HN_API hn_net *hn_net_new(int hosts);
/* NULL is allowed. */
HN_API void hn_net_free(hn_net *net);
/* The setters of costs: HN_EARG if a number is negative or too large (see above). */
HN_API int hn_net_set_host(hn_net *net, int host, const hn_host_cost *cost);
HN_API int hn_net_set_pair(hn_net *net, int from, int to,
                           hn_pair_cost cost); /* this direction only */
/* Adds a subnet of the given members, which leave their subnets. An empty subnet is removed, and
 * those after it move up. HN_EARG: the name is taken, or is not a word. */
HN_API int hn_net_add_subnet(hn_net *net, const char *name, hn_medium medium, const int *hosts,
                             int count);
HN_API int hn_net_set_medium(hn_net *net, int subnet, hn_medium medium);
HN_API int hn_net_set_multicast(hn_net *net, int subnet, int multicast); /* 0: no */
/* "" for none. */
HN_API int hn_net_set_site(hn_net *net, int subnet, const char *site);
/* Cost between any two hosts of the subnet. */
HN_API int hn_net_set_subnet_cost(hn_net *net, int subnet, hn_pair_cost cost);
/* The wire of a subnet that is a bus: its time for a byte (0: the cost's per_byte), and for each
 * message besides its bytes (headers, acknowledgements), which is a part of the cost's latency. */
HN_API int hn_net_set_wire(hn_net *net, int subnet, hn_per_byte per_byte, hn_time message);
/* Cost from any host of one subnet to any host of another.  wire: per byte, on the link that all
 * these transfers share; 0: they share nothing. */
HN_API int hn_net_set_link(hn_net *net, int from, int to, hn_pair_cost cost, hn_per_byte wire);
/* The same between sites, for all subnets of theirs that have no link of their own. */
HN_API int hn_net_set_site_link(hn_net *net, const char *from, const char *to, hn_pair_cost cost,
                                hn_per_byte wire);
/* Hosts that share a machine; they leave their machines. HN_EARG: a bad name or host. */
HN_API int hn_net_add_machine(hn_net *net, const char *name, hn_machine_cost cost, const int *hosts,
                              int count);
/* The uplink of a subnet, shared by all transfers that leave it (or, in the other direction, enter
 * it). hn_net_pair() describes its effect on costs. */
HN_API int hn_net_set_uplink(hn_net *net, int subnet, hn_pair_cost cost);
/* The same for a site, for transfers to or from other sites (and subnets without a site). */
HN_API int hn_net_set_site_uplink(hn_net *net, const char *site, hn_pair_cost cost);
/* A line that all transfers from the subnets and sites at one end to those at the other share, each
 * direction separately. A name is a subnet's, or else a site's. It adds no latency. Set subnets and
 * sites before. HN_EARG: a name, a subnet at both ends, more than 64 lines, or more than
 * HN_LINES_MOST on one way. */
HN_API int hn_net_add_line(hn_net *net, const char *name, const char *const *near, int nears,
                           const char *const *far, int fars, hn_per_byte per_byte);

/* ---- the directory of a running job (Bhat, section 3) --------------------------------------- */

/* What a task knows about the network of its job: what the network file states, and what it has
 * measured since. Belongs to one task; calls on one directory must not overlap. */
typedef struct hn_directory hn_directory;

typedef enum hn_source {
    HN_STATED,   /* from the network file */
    HN_SEEN,     /* the rate of this task's own messages */
    HN_REFRESHED /* measured by hn_directory_refresh() */
} hn_source;

typedef struct hn_way_info {
    int host_from, host_to;     /* in the network model; -1: not in it */
    hn_host_cost from, to;      /* costs of the hosts; 0 if unknown */
    hn_pair_cost cost;          /* latency and rate, from the newest source */
    int subnet_from, subnet_to; /* -1: unknown */
    hn_medium medium;           /* of the subnet, when both are in one */
    hn_source source;
    double age;   /* seconds since then; of a file: since the measurement; negative: unknown */
    double drift; /* time of a 64 KiB message now over that of the file; 1: no change; 0: unknown */
} hn_way_info;

/* Reads the network file that was passed to hrun (without one, the directory only has what is
 * measured).  The first call blocks for the agent's answer.  HN_ESTATE: not enrolled. */
HN_API int hn_directory_open(hn_directory **directory);
HN_API void hn_directory_free(hn_directory *directory);
/* The model; belongs to the directory; NULL: there is none. */
HN_API const hn_net *hn_directory_net(const hn_directory *directory);
/* The way between two tasks; from the caller itself, with the rate of its own messages. Never
 * blocks. HN_EARG: no such tasks. */
HN_API int hn_directory_ask(hn_directory *directory, hn_tid from, hn_tid to, hn_way_info *info);
/* Measures the way to another task and back by some messages, now. The other task has to call it
 * for this task at the same time. Blocks, for at most about ten seconds if the other does not
 * (HN_ETIMEOUT). HN_EARG: to oneself. */
HN_API int hn_directory_refresh(hn_directory *directory, hn_tid other);
/* The tasks of the caller's world whose route is slower, or faster, than the file's by a factor (>
 * 1).  Stores up to `most` of their tids and returns their total number.  HN_EARG: factor. */
HN_API int hn_directory_drifted(hn_directory *directory, double factor, hn_tid *tids, int most);

/* ---- clocks ------------------------------------------------------------------------------- */

/* The other task's CLOCK_MONOTONIC compared with the caller's; nanoseconds. */
typedef struct hn_clock {
    int64_t at;         /* of the last comparison, by the caller's clock; 0: there was none */
    int64_t offset;     /* the other's clock minus the caller's, at that time */
    int64_t error;      /* maximum error of the offset */
    double drift;       /* growth of the offset a nanosecond; 0 after one comparison */
    double drift_error; /* its maximum error, as long as the drift is steady */
} hn_clock;

/* Compares the clocks of two tasks; both call it, each for the other, at the same time. The fastest
 * of some round trips counts (Cristian 1989): the error is half of it. *clock is all zero at first;
 * a later call finds the drift, too. Blocks as hn_directory_refresh(). */
HN_API int hn_clock_compare(hn_tid other, hn_clock *clock);
/* The other's clock at a time of the caller's. *error (may be NULL): the maximum error. */
HN_API int64_t hn_clock_there(const hn_clock *clock, int64_t here, int64_t *error);

/* ---- the file ----------------------------------------------------------------------------- */

/* Reads a network file (a hosts file is one without costs). The caller frees *net with
 * hn_net_free(). On failure *net is NULL, and hn_error_text() names file, line and what to do:
 * HN_ESYNTAX, HN_ESYS (the file cannot be read), HN_ENOMEM. */
HN_API int hn_net_read(const char *path, hn_net **net);
/* The same from memory; messages use name for the file. */
HN_API int hn_net_parse(const char *name, const char *text, size_t length, hn_net **net);
/* Writes the model. hn_net_read() of the file gives an equal model. "-" is stdout. An existing file
 * is replaced at the end, in one step. HN_ESYS: it cannot be written. */
HN_API int hn_net_write(const hn_net *net, const char *path);

#ifdef __cplusplus
}
#endif
#endif
