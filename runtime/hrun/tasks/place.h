/* place.h - placement: which rank runs on which host. Pure functions of the hosts' slots and the
 * user's options.
 *
 * Indices of hosts are those of the job. No function prints or keeps anything.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The properties of a host that placement uses. */
struct place_host {
    const char *name;
    int slots;   /* > 0 */
    bool usable; /* false for standby hosts */
};

/* The names of -map, one entry for each rank. */
struct place_map {
    int *host; /* indices of hosts */
    int n;
};

/* Parses "h1,h2*3,h1:2": a list of host names, each with an optional repeat count.  HN_OK, and the
 * caller frees map->host; or HN_EARG with hn_error_text() naming the word. */
int place_read_map(const char *text, const struct place_host *hosts, int nhosts,
                   struct place_map *map);

/* Slots of the i-th of n hosts that are names of one machine without given slots.  They share its
 * cores, minus the slots given to its other names, in equal parts; at least one. */
int place_share(int cores, int given, int n, int i);

/* Sum of the usable hosts' slots. */
long place_slots(const struct place_host *hosts, int nhosts);

/* Fills host[0 ... n-1] with indices of hosts.  With a map: along the map, cyclically.  Without:
 * hosts in order up to their slots, and from the first one again when all are full.  There must be
 * a usable host. */
void place_ranks(const struct place_host *hosts, int nhosts, const struct place_map *map, int n,
                 int *host);
