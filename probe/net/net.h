/* net.h - the data structure of a network model; private to the probe room.
 *
 * Costs are defined on four levels: pair of hosts, subnet or link, link of sites, uplinks.  Levels
 * are looked up at each query and never expanded, so a model is as large as its file. Subnets,
 * sites, machines and lines are numbered by position, and other parts refer to these numbers. Only
 * net_regroup() renumbers subnets; sites and machines are only appended.
 *
 * A query reads and never allocates, so several threads may ask one model at the same time. net.c
 * has the costs, net_subnets.c, net_lines.c and net_machines.c have the units that share a medium.
 * net_read.c and net_write.c convert to and from the file.
 */
#pragma once

#include "runtime/internal.h"
#include "net/pairs.h"

/* A host: its line of the hosts file, and what a message costs it. .subnet is always valid, since
 * every host is in exactly one subnet. */
struct net_host {
    struct host_line
        line; /* the host's line in the hosts file; strings belong to net->hosts or net->arena */
    hn_host_cost cost;
    int subnet;
    int machine; /* index into net->machine; -1: not shared */
};

/* A machine that several hosts share. */
struct net_machine {
    char *name;
    hn_machine_cost cost;
    int hosts; /* number of hosts on it */
};

struct net_subnet { /* hosts that are near each other, and what they share */
    char *name;
    hn_medium medium;
    int site; /* index into net->site, -1: none */
    int count;
    int *host;         /* malloced, ascending */
    hn_pair_cost cost; /* between its members */
    hn_per_byte wire;  /* of a bus; 0: same as cost.per_byte */
    hn_time message;   /* of a bus: time for each message */
    hn_pair_cost uplink;
    /* A cost of 0 that is stated differs from a missing one, hence the flags: net_inside() and the
     * writer look at them. */
    bool has_cost, has_uplink;
    bool multicast;   /* one datagram reaches all members */
    uint64_t line[2]; /* bit sets: lines with this subnet at the near, far end */
};

/* A set of subnets that share an uplink or links, for example a campus.  Subnets refer to it by
 * number. */
struct net_site {
    char *name;
    hn_pair_cost uplink;
    bool has_uplink;
    uint64_t line[2];
};

/* Lines shared by routes between several subnets or sites (net_lines.c). */
enum { NET_LINES_MOST = 64 };
struct net_line {
    char *name;
    hn_per_byte per_byte;
};

/* When and how the model was measured; NULL or 0 where unknown. */
struct net_origin {
    char *measured; /* time, ISO 8601 */
    char *by;       /* tool and version */
    int passes;
    char *missing;     /* hosts and pairs of hosts (a:b) that could not be measured */
    char *relayed;     /* pairs whose messages agents relay, as no connection could be made */
    int64_t tolerance; /* millionths */
    /* Relative errors of the model against its samples, in millionths: root mean square over all
     * routes and sizes, and maximum. */
    int64_t residual, worst;
};

/* A network model. All strings belong to the hosts file or to the arena. Functions that change it
 * are not for concurrent use; queries are. */
struct hn_net {
    int n;
    struct net_host *host;
    struct names names;  /* of hosts */
    struct hosts *hosts; /* the file it was read from, or NULL */
    struct arena arena;  /* names added later */
    /* Links and trunks are directed, as pairs are. A link of subnets takes precedence over one of
     * their sites. */
    struct pairs pairs;  /* of hosts */
    struct pairs links;  /* of subnets */
    struct pairs trunks; /* of sites */
    /* Numbers of entries in the four arrays below. They grow by ARRAY_ROOM(), so pointers into them
     * are valid only until the next append. */
    int nsubnet, nsite, nmachine, nline;
    struct net_subnet *subnet;
    struct net_site *site;
    struct net_machine *machine;
    struct net_line *line;
    struct net_origin origin;
};

/* Makes a model of the hosts in a file.  Takes ownership of hosts, also on failure. */
int net_from_hosts(struct hosts *hosts, hn_net **net);
/* The same, with costs and subnets of the file. */
int net_from_file(struct hosts *hosts, hn_net **net);
/* Adds a subnet without members.  Returns its index, or HN_ENOMEM.  The caller sets the members'
 * .subnet and then calls net_regroup(), which rebuilds the member lists and removes empty
 * subnets. */
int net_append_subnet(hn_net *net, const char *name, hn_medium medium);
int net_regroup(hn_net *net);
/* Adds a machine without hosts.  Returns its index, HN_ENOMEM, or HN_EARG for a bad name. */
int net_append_machine(hn_net *net, const char *name, hn_machine_cost cost);
/* Recounts .hosts of all machines; call it after setting the hosts' .machine. */
void net_count_machines(hn_net *net);
/* Removes all machines. */
void net_forget_machines(hn_net *net);
/* Clears all costs of routes; hosts, subnets and their names remain. */
void net_forget_routes(hn_net *net);
/* Returns the site's index, or HN_EARG. */
int net_find_site(const hn_net *net, const char *name);
/* Wires are not compared: they belong to links, and are no part of what one message costs. */
static inline bool net_same_cost(const hn_pair_cost *a, const hn_pair_cost *b)
{
    return a->latency == b->latency && a->per_byte == b->per_byte &&
           a->first_bytes == b->first_bytes && a->first_per_byte == b->first_per_byte;
}
/* S + X + R, for a receiver that is awake. */
hn_time net_time_awake(const hn_net *net, int from, int to, int64_t bytes);
/* Returns the link whose wire transfers between two subnets share: the subnets' own, or their
 * sites'.  NULL: none. */
const struct pair *net_wired_link(const hn_net *net, int from, int to);
/* Returns the lines on the route between two subnets as a bit set. direction 0: from near to far
 * end, 1: the reverse. */
uint64_t net_lines(const hn_net *net, int here, int there, int direction);
/* Iterates over the names at the near (0) or far (1) end of a line: subnets, then sites.  Set *next
 * to 0 before the first call.  NULL: no more names. */
const char *net_line_end(const hn_net *net, int line, int end, int *next);
void net_forget_lines(hn_net *net);
/* Cost between members of a subnet.  A subnet without a cost of its own takes that of its first two
 * hosts. */
hn_pair_cost net_inside(const hn_net *net, int subnet);
/* Cost between members of two subnets: the median, by cost per byte, of their first three
 * routes. */
hn_pair_cost net_between(const hn_net *net, int a, int b);
/* The only version that is read and written.  A file without a version, as people write it, counts
 * as this one. */
enum { NET_VERSION = 5 };
/* Writes the model as text; equal models give equal text.  Returns HN_OK or HN_ENOMEM.  Write
 * errors are left in ferror(). */
int net_print(const hn_net *net, FILE *file);
