/* measurement_state.h - what the parts of a measurement share; private to measure/. */
#pragma once

#include "measure/coordinator.h"
#include "measure/measurement.h"
#include "measure/rounds.h"
#include "runtime/internal.h"
#include "thresholds.h"

enum { MEASUREMENT_GAPS = 4 }; /* small and large messages, in and out */

/* Of small messages, ns; HN_TIME_MOST: unknown. */
struct measurement_times {
    int64_t *page;  /* [a * n + b]: best time of 1 KiB */
    int64_t *small; /* the same of 1 B */
    bool *settled;  /* [a * n + b], a < b: the last pass has found nothing better */
    /* [group * n + group]: the least times, 1 B and 1 KiB, between two subnets; HN_TIME_MOST where
     * they are not sure */
    int64_t *floor[2];
    int64_t *least; /* [n * n]: for whoever looks for them */
};

/* Of the largest message that was sent: [a * n + b]. */
struct measurement_rates {
    int64_t *large; /* ps a byte; 0: none was sent */
    int64_t *bytes; /* its size, */
    int64_t *best;  /* and its time, answer included */
};

/* [rank]: ps a byte of messages that its port takes in, and out, small and large ones; 0: was not
 * measured; and by how much that may be wrong. */
struct measurement_ports {
    int64_t *gap[MEASUREMENT_GAPS], *doubt[MEASUREMENT_GAPS];
};

/* Room for the pairs and jobs of a part; no part keeps anything there for another. */
struct measurement_list {
    int *busy; /* for rounds_next() */
    struct rounds_pair *pair, *zones;
    int *chosen;
    struct job *job;
    int pairs;
};

struct measurement {
    const struct measurement_plan *plan;
    struct coordinator coordinator;
    struct arena room; /* of what follows */
    int n;
    struct measurement_times times;
    struct measurement_rates rates;
    struct measurement_ports ports;
    struct measurement_list list;
    int *group;       /* [rank]: subnet */
    int *site;        /* [group] */
    bool *bus;        /* [group] */
    int64_t *machine; /* [rank]: equal where hosts share one; 0: unknown */
    int64_t *cores;   /* [rank]: of its machine; 0: unknown */
    bool *known;      /* [rank]: the file has its costs; not measured again */
    int groups, sites;
    int near_width, far_width; /* pairs pinged at the same time; 0: not known yet */
    int routes_width;          /* the same of larger messages, between the farthest units */
    int tests;                 /* numbers that were given to tests */
    int done, total;           /* for the progress bar */
};

/* Room for n hosts, nothing known yet: HN_OK or HN_ENOMEM. */
int measurement_begin(struct measurement *m, const struct measurement_plan *plan, int n);
void measurement_free(struct measurement *m);
void measurement_progress(struct measurement *m, const char *what);
/* Prints a sample that is no time: a fact of two hosts. */
void measurement_state_fact(const struct measurement *m, enum sample_kind kind, int from, int to,
                            int64_t bytes, enum sample_about about);
static inline bool measurement_is_there(const struct measurement *m, int rank)
{
    return coordinator_is_there(&m->coordinator, rank);
}
/* Both are there, not both known, and nothing is cut between them. */
bool measurement_is_wanted(const struct measurement *m, int a, int b);
/* Of one site: what is between them is a machine room's, not a wide-area link. */
bool measurement_is_near(const struct measurement *m, int a, int b);
/* Milliseconds in which a message of that size ought to have arrived, several times over. */
int64_t measurement_patience(const struct measurement *m, int a, int b, int64_t bytes);
/* Member number `index` of a group (counted around) that is there; -1 when there is none. */
int measurement_member(const struct measurement *m, int group, int index);
int measurement_group_size(const struct measurement *m, int group);
/* Member of a unit: a site's where there are sites, else a group's; from different groups as far
 * as possible.  -1: it has no such member. */
int measurement_unit_member(const struct measurement *m, bool by_site, int unit, int index);
/* The least cost a byte (ps) of a host's routes to (from) others of its own subnet; 0: none is
 * known.
 */
int64_t measurement_near_cost(const struct measurement *m, int host, bool out);

/* The parts, in their order; each in the file of its name. */
void measure_first_pings(struct measurement *m);
void measure_pings(struct measurement *m, int pass);
/* Pairs that may have been disturbed, and what they are compared with, anew; whether to look once
 * more in any case: there were some, of few hosts. */
bool measure_doubtful(struct measurement *m);
void measure_rates_inside(struct measurement *m);
/* Subnets that hold several switches come apart; whether there is one.  After the rates inside, and
 * these have to be measured again where it is so. */
bool measure_switches(struct measurement *m);
void measure_rates_between(struct measurement *m);
void measure_media(struct measurement *m);
void measure_shared(struct measurement *m);
void measure_machines(struct measurement *m);
void measure_hosts(struct measurement *m);
void measure_multicast(struct measurement *m);
