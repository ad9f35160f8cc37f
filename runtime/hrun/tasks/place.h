/* place.h - which rank runs on which host.  Pure functions of the hosts' slots and the user's wish.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A host as placing sees it. */
struct place_host {
    const char *name;
    int slots;   /* > 0 */
    bool usable; /* standby hosts are not */
};

/* The names of -map, one entry a rank. */
struct place_map {
    int *host; /* numbers of hosts */
    int n;
};

/* Reads "h1,h2*3,h1:2": a list of host names, each once or as often as the number says.  HN_OK, or
 * HN_EARG with hn_error_text() naming the word; free(map->host) in the first case. */
int place_read_map(const char *text, const struct place_host *hosts, int nhosts,
                   struct place_map *map);

/* Slots of the i-th of n hosts that are names of one machine and are given none: its cores, without
 * the slots that others of its names are given, in equal parts; at least one. */
int place_share(int cores, int given, int n, int i);

/* Sum of the usable hosts' slots. */
long place_slots(const struct place_host *hosts, int nhosts);

/* Fills host[0 ... n-1] with host numbers: along the map, in a cycle, when it is not NULL; else
 * hosts in their order up to their slots, and from the first one again when all are full.  There
 * must be a usable host. */
void place_ranks(const struct place_host *hosts, int nhosts, const struct place_map *map, int n,
                 int *host);
