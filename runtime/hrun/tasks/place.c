/* place.c - placement of ranks on hosts; see place.h.
 *
 * All functions are pure: the same hosts and options always give the same placement.  Names are
 * found by a linear search, since a map is short and is read at most twice. Standby hosts are in
 * the list, but not usable.
 */
#include "hrun/tasks/place.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_MOST = 1 << 20 }; /* ranks in a map */

/* The index of the host with that name, which is not terminated; -1: none. */
static int place_find(const struct place_host *hosts, int nhosts, const char *name, size_t length)
{
    for (int i = 0; i < nhosts; i++)
        if (strlen(hosts[i].name) == length && strncmp(hosts[i].name, name, length) == 0)
            return i;
    return -1;
}

/* Appends a host several times.  The comparison is written so that it cannot overflow. Entries are
 * hosts' indices. */
static int place_repeat(struct place_map *map, int host, long times)
{
    if (times > PLACE_MOST - map->n)
        return error_set(HN_EARG, "-map names more than %d ranks", PLACE_MOST);
    if (!ARRAY_ROOM(map->host, map->n + times))
        return error_set(HN_ENOMEM, "out of memory");
    while (times-- > 0)
        map->host[map->n++] = host;
    return HN_OK;
}

/* Parses a word of `length` bytes: a name, or a name and a number after its last '*' or ':'.  The
 * whole word is tried as a name first, because an IPv6 address may end like a name with a
 * number. More than seven digits are no number of ranks. */
static int place_word(const char *word, size_t length, const struct place_host *hosts, int nhosts,
                      struct place_map *map)
{
    long times = 1;
    int host = place_find(hosts, nhosts, word, length);
    if (host < 0) {
        size_t n = length;
        while (n > 0 && word[n - 1] >= '0' && word[n - 1] <= '9')
            n--;
        if (n > 1 && n < length && length - n <= 7 && (word[n - 1] == '*' || word[n - 1] == ':')) {
            times = strtol(word + n, NULL, 10);
            host = place_find(hosts, nhosts, word, n - 1);
        }
    }
    if (host < 0 || !hosts[host].usable)
        return error_set(HN_EARG,
                         "-map: '%.*s' is no host of this job: name hosts as in the hosts "
                         "file, with *N for N ranks",
                         (int)length, word);
    if (times < 1)
        return error_set(HN_EARG, "-map: '%.*s': the number must be at least 1", (int)length, word);
    return place_repeat(map, host, times);
}

/* On an error the map is empty and owns nothing. An empty text, or an empty word between commas, is
 * an unknown name. */
int place_read_map(const char *text, const struct place_host *hosts, int nhosts,
                   struct place_map *map)
{
    *map = (struct place_map){0};
    for (;;) {
        size_t n = strcspn(text, ",");
        int error = place_word(text, n, hosts, nhosts, map);
        if (error) {
            free(map->host);
            *map = (struct place_map){0};
            return error;
        }
        if (!text[n])
            return HN_OK;
        text += n + 1;
    }
}

/* The first hosts get one core more if the cores do not divide evenly.  At least one core, even
 * with more hosts than cores. n > 0; i from 0. */
int place_share(int cores, int given, int n, int i)
{
    int left = cores > given ? cores - given : 0, share = left / n + (i < left % n);
    return share > 0 ? share : 1;
}

/* A long, because many hosts with many slots exceed an int. */
long place_slots(const struct place_host *hosts, int nhosts)
{
    long sum = 0;
    for (int i = 0; i < nhosts; i++)
        if (hosts[i].usable)
            sum += hosts[i].slots;
    return sum;
}

/* O(n), and a walk over the hosts for each round in which all become full.  Without a map, at least
 * one host must be usable and have a slot, or the search for a place would not end. slots of a
 * usable host are at least 1. */
void place_ranks(const struct place_host *hosts, int nhosts, const struct place_map *map, int n,
                 int *host)
{
    int at = 0, used = 0;
    for (int rank = 0; rank < n; rank++) {
        if (map) {
            host[rank] = map->host[rank % map->n];
            continue;
        }
        /* From the last host the search continues with the first, for a further round. */
        while (!hosts[at].usable || used >= hosts[at].slots) {
            at = (at + 1) % nhosts;
            used = 0;
        }
        host[rank] = at;
        used++;
    }
}
