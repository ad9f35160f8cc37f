/* measurement_state.h - what the parts of a measurement share; private to measure/. */
#pragma once

#include "measure/coordinator.h"
#include "measure/measurement.h"
#include "measure/rounds.h"
#include "runtime/internal.h"
#include "thresholds.h"

enum { MEASUREMENT_GAPS = 4 }; /* small and large messages, in and out */

/* Times of small messages, ns; HN_TIME_MOST: unknown. */
struct measurement_times {
    int64_t *page;  /* [a * n + b]: best time of 1 KiB */
    int64_t *small; /* the same of 1 B */
    bool *final;    /* [a * n + b], a < b: the last pass found nothing better */
    /* [group * n + group]: the least times between two subnets, of 1 B and 1 KiB; HN_TIME_MOST
     * where they are uncertain */
    int64_t *floor[2];
    int64_t *least; /* [n * n]: scratch memory */
};

/* The largest message that was sent: [a * n + b]. */
struct measurement_rates {
    int64_t *large; /* ps per byte; 0: none was sent */
    int64_t *bytes; /* its size, */
    int64_t *best;  /* and its time, including the answer */
};

/* [rank]: ps per byte at the host's port, of small and large messages, in and out, and the possible
 * error; 0: not measured. */
struct measurement_ports {
    int64_t *gap[MEASUREMENT_GAPS], *doubt[MEASUREMENT_GAPS];
};

/* Scratch memory for the pairs and jobs of a part; nothing in it outlives the part. */
struct measurement_list {
    int *busy; /* for rounds_next() */
    struct rounds_pair *pair, *zones;
    int *chosen;
    struct job *job;
    int pairs;
};

/* All state of rank 0 during a measurement. The parts run one after the other, in one thread.
 * Tables for pairs have n * n entries and are symmetric where times are halves of round trips. */
struct measurement {
    const struct measurement_plan *plan;
    struct coordinator coordinator;
    struct arena room; /* of all tables below */
    int n;
    struct measurement_times times;
    struct measurement_rates rates;
    struct measurement_ports ports;
    struct measurement_list list;
    int *group;       /* [rank]: subnet */
    int *site;        /* [group] */
    bool *bus;        /* [group] */
    int64_t *machine; /* [rank]: equal for hosts that share one; 0: unknown */
    int64_t *cores;   /* [rank]: of its machine; 0: unknown */
    bool *known;      /* [rank]: the file has its costs; not measured again */
    int groups, sites;
    int near_width, far_width; /* pairs pinged concurrently; 0: not known yet */
    int routes_width;          /* the same for larger messages between the most distant units */
    int tests;                 /* number of tests so far */
    int done, total;           /* for the progress bar */
};

/* Allocates the tables for n hosts: HN_OK or HN_ENOMEM. */
int measurement_begin(struct measurement *m, const struct measurement_plan *plan, int n);
void measurement_free(struct measurement *m);
void measurement_progress(struct measurement *m, const char *what);
/* Prints a sample without a time: a fact about two hosts. */
void measurement_state_fact(const struct measurement *m, enum sample_kind kind, int from, int to,
                            int64_t bytes, enum sample_about about);
static inline bool measurement_is_present(const struct measurement *m, int rank)
{
    return coordinator_is_present(&m->coordinator, rank);
}
/* True if both are present, not both known, and not cut from each other. */
bool measurement_is_wanted(const struct measurement *m, int a, int b);
/* True if both belong to one site: the route between them is no wide-area link. */
bool measurement_is_near(const struct measurement *m, int a, int b);
/* Milliseconds to wait for a message of that size: several times its expected time. */
int64_t measurement_patience(const struct measurement *m, int a, int b, int64_t bytes);
/* Returns member number `index` (modulo their number) of a group, among those present; -1: none. */
int measurement_member(const struct measurement *m, int group, int index);
int measurement_group_size(const struct measurement *m, int group);
/* Returns a member of a unit: of a site if there are sites, else of a group.  Members of different
 * groups come first. -1: there is no such member. */
int measurement_unit_member(const struct measurement *m, bool by_site, int unit, int index);
/* The least cost per byte (ps) of a host's routes to (from) others of its own subnet; 0:
 * unknown. */
int64_t measurement_near_cost(const struct measurement *m, int host, bool out);

/* The parts, in their order; each in the file of its name. */
void measure_first_pings(struct measurement *m);
void measure_pings(struct measurement *m, int pass);
/* Measures again pairs that may have been disturbed, and those they are compared with.  Returns
 * true if another pass is worthwhile: there were some, of few hosts. */
bool measure_doubtful(struct measurement *m);
void measure_rates_inside(struct measurement *m);
/* Splits subnets that consist of several switches.  Returns true if there is one.  Runs after the
 * rates inside, which must be measured again then. */
bool measure_switches(struct measurement *m);
void measure_rates_between(struct measurement *m);
void measure_media(struct measurement *m);
void measure_shared(struct measurement *m);
void measure_machines(struct measurement *m);
void measure_hosts(struct measurement *m);
void measure_multicast(struct measurement *m);
