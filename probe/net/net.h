/* net.h - what a network model is made of; private to the probe room.
 *
 * Costs are stated on four levels (pair of hosts, subnet or link, link of sites, uplinks); nothing
 * is multiplied out, so a model is as large as its file.
 */
#pragma once

#include "runtime/internal.h"
#include "net/pairs.h"

struct net_host {
    struct host_line
        line; /* what the hosts file says; strings belong to net->hosts or net->arena */
    hn_host_cost cost;
    int subnet;
    int machine; /* index into net->machine; -1: its own */
};

/* A machine that several hosts share. */
struct net_machine {
    char *name;
    hn_machine_cost cost;
    int hosts; /* how many */
};

struct net_subnet {
    char *name;
    hn_medium medium;
    int site; /* index into net->site, -1: none */
    int count;
    int *host;         /* malloced, ascending */
    hn_pair_cost cost; /* between its members */
    hn_per_byte wire;  /* of a bus; 0: as cost.per_byte */
    hn_time message;   /* of a bus: each message */
    hn_pair_cost uplink;
    bool has_cost, has_uplink;
    bool multicast;   /* one datagram reaches all members */
    uint64_t line[2]; /* the lines at whose near, and far, end it is; bits */
};

struct net_site {
    char *name;
    hn_pair_cost uplink;
    bool has_uplink;
    uint64_t line[2];
};

/* Lines that routes between several subnets or sites share (net_lines.c). */
enum { NET_LINES_MOST = 64 };
struct net_line {
    char *name;
    hn_per_byte per_byte;
};

/* When and how it was measured; NULL and 0 where nothing is known. */
struct net_origin {
    char *measured; /* time, ISO 8601 */
    char *by;       /* tool and version */
    int passes;
    char *missing;     /* hosts and pairs of hosts (a:b) that could not be measured */
    char *relayed;     /* pairs whose messages the agents carry: no connection could be made */
    int64_t tolerance; /* millionths */
    /* Relative errors of the model against what it was made of, millionths: root of the mean square
     * over all ways and sizes, and the largest. */
    int64_t residual, worst;
};

struct hn_net {
    int n;
    struct net_host *host;
    struct names names;  /* of hosts */
    struct hosts *hosts; /* the file it was read from, or NULL */
    struct arena arena;  /* names given later */
    struct pairs pairs;  /* of hosts */
    struct pairs links;  /* of subnets */
    struct pairs trunks; /* of sites */
    int nsubnet, nsite, nmachine, nline;
    struct net_subnet *subnet;
    struct net_site *site;
    struct net_machine *machine;
    struct net_line *line;
    struct net_origin origin;
};

/* A model of the hosts in a file; takes them over, also when it fails. */
int net_from_hosts(struct hosts *hosts, hn_net **net);
/* The same with what the file says about costs and subnets. */
int net_from_file(struct hosts *hosts, hn_net **net);
/* Adds a subnet without members: its index, or HN_ENOMEM.  The caller sets the members' .subnet and
 * calls net_regroup(), which makes the lists of members and removes subnets without any. */
int net_append_subnet(hn_net *net, const char *name, hn_medium medium);
int net_regroup(hn_net *net);
/* Adds a machine that nobody is on: its index, HN_ENOMEM, or HN_EARG (the name). */
int net_append_machine(hn_net *net, const char *name, hn_machine_cost cost);
/* After hosts' .machine have been set. */
void net_count_machines(hn_net *net);
/* Every host is on a machine of its own again. */
void net_forget_machines(hn_net *net);
/* Forgets all costs of routes; hosts, subnets and their names stay. */
void net_forget_routes(hn_net *net);
/* Its index, or HN_EARG. */
int net_find_site(const hn_net *net, const char *name);
static inline bool net_same_cost(const hn_pair_cost *a, const hn_pair_cost *b)
{
    return a->latency == b->latency && a->per_byte == b->per_byte &&
           a->first_bytes == b->first_bytes && a->first_per_byte == b->first_per_byte;
}
/* S + X + R: when the receiver is awake. */
hn_time net_time_awake(const hn_net *net, int from, int to, int64_t bytes);
/* The statement whose wire transfers between two subnets share: theirs, or their sites'; NULL:
 * there is none. */
const struct pair *net_wired_link(const hn_net *net, int from, int to);
/* The lines on the route from one subnet to another, as bits; direction 0: from their near ends to
 * their far ones, 1: the other way. */
uint64_t net_lines(const hn_net *net, int here, int there, int direction);
/* The names of the subnets, then sites, at the near (0) or far (1) end of a line, one a call: *next
 * is 0 before the first one; NULL: there are no more. */
const char *net_line_end(const hn_net *net, int line, int end, int *next);
void net_forget_lines(hn_net *net);
/* Cost between members of a subnet; where it states none, its first two hosts tell. */
hn_pair_cost net_inside(const hn_net *net, int subnet);
/* Between members of two subnets: the middle one, by its cost a byte, of their first three routes.
 */
hn_pair_cost net_between(const hn_net *net, int a, int b);
/* The one version of the network file that is read and written.  A file without a version, as
 * people write it, is of this one. */
enum { NET_VERSION = 5 };
/* Writes the model as text; equal models give equal text.  HN_OK or
 * HN_ENOMEM; a failed write shows in ferror(). */
int net_print(const hn_net *net, FILE *file);
