/* derivation.h - what the parts of derive*.c share. */
#pragma once

#include "derive/derive.h"
#include "derive/fit.h"
#include "derive/previous.h"
#include "thresholds.h"
#include "derive/bisections.h"
#include "runtime/internal.h"

/* Message sizes of a pair that the fit takes; more are ignored. hprobe measures seven: 1 B, 1 KiB,
 * and five for the rate (measure_rates.c). */
enum { DERIVATION_POINTS = 12 };

struct series {
    int count;
    struct fit_point point[DERIVATION_POINTS]; /* ascending bytes */
    int64_t doubt[DERIVATION_POINTS];          /* by how much each may be wrong */
};

/* A line between several units (subnets, or sites) at either end. */
struct derivation_line {
    bool by_site;
    int count[2], unit[2][BISECTIONS_UNITS];
    hn_per_byte wire;
};

struct derivation {
    int n;
    struct arena room;               /* of all but .line */
    const struct previous *previous; /* NULL: nothing is known before */
    struct series *pair;             /* [from * n + to] */
    struct series *out, *send, *in;
    struct fit_line *route; /* T of each pair; residual < 0: unknown */
    hn_host_cost *cost;
    int *subnet_of;  /* [rank] */
    int *site_of;    /* [subnet] */
    int64_t *matrix; /* times of a single byte, once there are subnets */
    int subnets, sites;
    /* Of links that transfers share, 0: none: [subnet * subnets + subnet], [site * sites + site] */
    hn_per_byte *wire, *trunk;
    hn_per_byte *uplink, *site_uplink; /* [subnet], [site] */
    struct derivation_line *line;
    int lines;
    hn_medium *medium; /* [subnet] */
    hn_time *message;  /* [subnet]: of a bus, what each message takes of it */
};

/* Room for n hosts, nothing known yet: HN_OK or HN_ENOMEM; also then it has to be ended. */
int derivation_begin(struct derivation *d, int n);
void derivation_end(struct derivation *d);

static inline bool derivation_has_large(const struct series *series)
{
    return series->count > 0 && series->point[series->count - 1].bytes > PAGE_BYTES;
}

/* Sites are a level of their own when there are fewer than subnets. */
static inline bool derivation_by_site(const struct derivation *d)
{
    return d->sites > 1 && d->sites < d->subnets;
}

/* The subnet of a rank, or its site. */
static inline int derivation_unit(const struct derivation *d, bool by_site, int rank)
{
    return by_site ? d->site_of[d->subnet_of[rank]] : d->subnet_of[rank];
}

/* Whether the rate of a pair is known: measured, or stated by the file. */
static inline bool derivation_is_rated(const struct derivation *d, int from, int to)
{
    return derivation_has_large(&d->pair[from * d->n + to]) ||
           previous_states(d->previous, from, to);
}

static inline bool derivation_is_known(const struct derivation *d, int from, int to)
{
    return from != to && d->route[from * d->n + to].residual >= 0;
}

static inline bool derivation_on_bus(const struct derivation *d, int rank)
{
    return d->medium[d->subnet_of[rank]] == HN_MEDIUM_BUS;
}

/* X of a pair: what S and R leave of its T. */
hn_pair_cost derivation_rest(const struct derivation *d, int from, int to);

/* The time of a single byte, nanoseconds; very long where nothing is known. */
int64_t derivation_small_time(const struct derivation *d, int from, int to);
/* Adds a copy; one between the same units as another takes its place.  HN_OK or HN_ENOMEM. */
int derivation_add_line(struct derivation *d, const struct derivation_line *line);

/* What the file states of known hosts, where there is a file: .medium and .message, .wire ...
 * .line, and labels (as of switches_split()) of hosts that have none. */
void derive_previous_switches(const struct derivation *d, int *label);
void derive_previous_media(struct derivation *d);
int derive_previous_shared(struct derivation *d);

/* The steps, in this order.  HN_OK or HN_ENOMEM where something is returned. */
int derive_lines(struct derivation *d);                                 /* .way */
void derive_media(struct derivation *d, const struct samples *samples); /* .medium */
int derive_costs(struct derivation *d);                                 /* .cost, .message */
/* One cost of hosts that are alike; W (.cost[].wake). */
int derive_alike_costs(struct derivation *d, const struct samples *samples);
int derive_shared(struct derivation *d, const struct samples *samples); /* .wire ... .line */
int derive_statements(hn_net *net, const int *host, const struct derivation *d);
/* @machine, of the hosts that share one. */
int derive_machines(hn_net *net, const int *host, int n, const struct samples *samples);
/* Whether the subnets carry multicasts. */
int derive_multicast(hn_net *net, const int *host, const struct derivation *d,
                     const struct samples *samples);
/* Errors of the finished model. */
void derive_errors(const hn_net *net, const int *host, const struct derivation *d,
                   struct derive_notes *notes);
