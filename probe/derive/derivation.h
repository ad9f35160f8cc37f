/* derivation.h - state and steps of deriving a model; private to derive/. */
#pragma once

#include "derive/derive.h"
#include "derive/fit.h"
#include "derive/previous.h"
#include "thresholds.h"
#include "derive/bisections.h"
#include "runtime/internal.h"

/* Message sizes of a pair that the fit uses; further ones are ignored. hprobe measures seven: 1 B,
 * 1 KiB, and five for the rate (measure_rates.c). */
enum { DERIVATION_POINTS = 12 };

/* The times of one pair, or of one host's sends or receives, by size. */
struct series {
    int count;
    struct fit_point point[DERIVATION_POINTS]; /* ascending bytes */
    int64_t doubt[DERIVATION_POINTS];          /* possible error of each */
};

/* A line between several units (subnets, or sites) at either end. */
struct derivation_line {
    bool by_site;
    int count[2], unit[2][BISECTIONS_UNITS];
    hn_per_byte wire;
};

/* What is derived from what: the arguments of derive_model(). */
struct derivation_input {
    hn_net *net;
    const int *host; /* [rank] */
    const struct samples *samples;
    int64_t tolerance;
};

/* All tables of one derivation. Each step reads what earlier ones have set (see the list below).
 * Times are in nanoseconds as long as they are samples, and in picoseconds in costs. */
struct derivation {
    int n;
    struct derivation_input input;
    struct arena room;               /* of all tables except .line */
    const struct previous *previous; /* NULL: no previous model */
    struct series *pair;             /* [from * n + to] */
    struct series *out, *send, *in;  /* [rank]: sends, send calls, receives */
    struct fit_line *route;          /* T of each pair; residual < 0: unknown */
    hn_host_cost *cost;
    int *subnet_of;  /* [rank] */
    int *site_of;    /* [subnet] */
    int64_t *matrix; /* times of a single byte; set when subnets are known */
    int subnets, sites;
    /* Rates of shared links, 0: none. [subnet * subnets + subnet], [site * sites + site]. */
    hn_per_byte *wire, *trunk;
    hn_per_byte *uplink, *site_uplink; /* [subnet], [site] */
    struct derivation_line *line;
    int lines;
    hn_medium *medium; /* [subnet] */
    hn_time *message;  /* [subnet]: of a bus, its time for each message */
};

/* Allocates the tables for n hosts: HN_OK or HN_ENOMEM.  Call derivation_end() in both cases. */
int derivation_begin(struct derivation *d, int n);
void derivation_end(struct derivation *d);

static inline bool derivation_has_large(const struct series *series)
{
    return series->count > 0 && series->point[series->count - 1].bytes > PAGE_BYTES;
}

/* Sites are a separate level if there are fewer of them than subnets. */
static inline bool derivation_by_site(const struct derivation *d)
{
    return d->sites > 1 && d->sites < d->subnets;
}

/* Returns the subnet of a rank, or its site. */
static inline int derivation_unit(const struct derivation *d, bool by_site, int rank)
{
    return by_site ? d->site_of[d->subnet_of[rank]] : d->subnet_of[rank];
}

/* True if the rate of a pair was measured, or the file defines it. */
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

/* X of a pair: T less S and R. */
hn_pair_cost derivation_rest(const struct derivation *d, int from, int to);

/* The time of a single byte in nanoseconds; HN_TIME_MOST / 1000 where unknown. */
int64_t derivation_small_time(const struct derivation *d, int from, int to);
/* Adds a copy, replacing a line between the same units.  Returns HN_OK or HN_ENOMEM. */
int derivation_add_line(struct derivation *d, const struct derivation_line *line);

/* These copy what a previous file defines for known hosts: labels of hosts that have none (see
 * switches_split()); .medium and .message; .wire ... .line.  They do nothing without a file. */
void derive_previous_switches(const struct derivation *d, int *label);
void derive_previous_media(struct derivation *d);
int derive_previous_shared(struct derivation *d);

/* The steps, in this order.  They return HN_OK or HN_ENOMEM.  The comment names the fields that a
 * step sets. */
int derive_lines(struct derivation *d); /* .route */
int derive_media(struct derivation *d); /* .medium */
int derive_costs(struct derivation *d); /* .cost, .message */
/* Sets equal costs for hosts that are alike, and W (.cost[].wake). */
int derive_alike_costs(struct derivation *d);
int derive_shared(struct derivation *d); /* .wire ... .line */
int derive_statements(struct derivation *d);
/* Adds @machine statements for hosts that share one. */
int derive_machines(struct derivation *d);
/* Finds which subnets carry multicasts. */
int derive_multicast(struct derivation *d);

/* Computes the errors of the finished model. */
void derive_errors(const struct derivation *d, struct derive_notes *notes);
