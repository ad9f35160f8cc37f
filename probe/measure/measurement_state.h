/* measurement_state.h - what the parts of a campaign share; private to campaign*.c. */
#ifndef HNOW_MEASUREMENT_STATE_H
#define HNOW_MEASUREMENT_STATE_H

#include "measure/measurement.h"
#include "measure/coordinator.h"
#include "measure/rounds.h"

enum { CAMPAIGN_SMALL = 1, CAMPAIGN_PAGE = 1024, CAMPAIGN_LARGE = 4096, CAMPAIGN_GAPS = 4 };
enum { CAMPAIGN_WINDOW = 14480 }; /* bytes that TCP sends before the first answer (RFC 6928) */
enum { CAMPAIGN_AHEAD = 8 };      /* rounds that are ordered before the first one is over */
enum { CAMPAIGN_CLEAR = 10000 };  /* milliseconds to wait where nothing is known yet */

struct campaign {
    const struct campaign_plan *plan;
    struct conductor conductor;
    int n;
    int64_t *page;  /* [a * n + b]: best time of 1 KiB, HN_TIME_MOST when unknown */
    int64_t *small; /* the same of 1 B */
    bool *settled;  /* [a * n + b], a < b: the last pass has found nothing better */
    /* [group * n + group]: the least times, 1 B and 1 KiB, between two subnets; HN_TIME_MOST where
     * they are not sure */
    int64_t *floor[2];
    int64_t *least; /* [n * n]: for whoever looks for them */
    int64_t *large; /* [a * n + b]: ps a byte of the largest message; 0: none was sent */
    int64_t *bytes; /* [a * n + b]: its size, */
    int64_t *best;  /* and its time, answer included */
    /* [rank]: ps a byte of messages that its port takes in, and out, small and large ones; 0: was
     * not measured; and by how much that may be wrong */
    int64_t *gap[CAMPAIGN_GAPS], *doubt[CAMPAIGN_GAPS];
    int *group;       /* [rank]: subnet */
    int *site;        /* [group] */
    bool *bus;        /* [group] */
    int64_t *machine; /* [rank]: equal where hosts share one; 0: unknown */
    int64_t *cores;   /* [rank]: of its machine; 0: unknown */
    int groups, sites;
    int near_width, far_width; /* pairs pinged at the same time; 0: not known yet */
    int ways_width;            /* the same of larger messages, between the farthest units */
    bool *known;               /* [rank]: the file has its costs; not measured again */
    int *busy;                 /* for rounds_next() */
    struct rounds_pair *pair, *zones;
    int *chosen;
    struct job *job;
    int pairs, done, total;
};

void campaign_progress(struct campaign *c, const char *what);
static inline bool campaign_is_there(const struct campaign *c, int rank)
{
    return conduct_is_there(&c->conductor, rank);
}
/* Both are there, not both known, and nothing is cut between them. */
bool campaign_is_wanted(const struct campaign *c, int a, int b);
/* Of one site: what is between them is a machine room's, not a wide-area link. */
bool campaign_is_near(const struct campaign *c, int a, int b);
/* Milliseconds in which a message of that size ought to have arrived, several times over. */
int64_t campaign_patience(const struct campaign *c, int a, int b, int64_t bytes);
/* Member number `index` of a group (counted around) that is there; -1 when there is none. */
int campaign_member(const struct campaign *c, int group, int index);
int campaign_group_size(const struct campaign *c, int group);
/* Member of a unit: a site's where there are sites, else a group's; from different groups as far
 * as possible.  -1: it has no such member. */
int campaign_unit_member(const struct campaign *c, bool by_site, int unit, int index);
/* The least cost a byte (ps) of a host's ways to (from) others of its own subnet; 0: none is known.
 */
int64_t campaign_near_cost(const struct campaign *c, int host, bool out);

/* Round trips of equal messages; messages that are answered by one byte. */
struct job campaign_ping(const struct campaign *c, int from, int to, int64_t bytes,
                         int64_t repeats);
struct job campaign_way(const struct campaign *c, int from, int to, int64_t bytes, int64_t repeats);
/* How many of the first `count` pairs at c->chosen can be measured at the same time without
 * disturbing one another: found by measuring some of them alone and together.  0 < width <= count.
 */
int campaign_width(struct campaign *c, int count,
                   struct job (*make)(const struct campaign *c, int from, int to, int64_t bytes,
                                      int64_t repeats),
                   int64_t bytes);

/* The parts, in their order. */
void campaign_first_pings(struct campaign *c);
void campaign_pings(struct campaign *c, int pass);
/* Pairs that may have been disturbed, once more; whether one is nearer than it seemed. */
bool campaign_doubtful(struct campaign *c);
void campaign_ways(struct campaign *c);
/* Subnets that hold several racks come apart; whether there is one. */
bool campaign_racks(struct campaign *c);
void campaign_media(struct campaign *c);
void campaign_shared(struct campaign *c);
void campaign_machines(struct campaign *c);
void campaign_hosts(struct campaign *c);
void campaign_reach(struct campaign *c);

#endif
