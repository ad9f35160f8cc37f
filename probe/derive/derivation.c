/* derivation.c - allocates the state of a derivation, and answers queries about it. */
#include "derive/derivation.h"

#include <stdlib.h>
#include <string.h>

/* Room for n hosts; all of it is zeroed. */
int derivation_begin(struct derivation *d, int n)
{
    size_t hosts = (size_t)n, pairs = hosts * hosts;
    struct arena *room = &d->room;
    *d = (struct derivation){.n = n};
    ARENA_ARRAYS(room, pairs, d->pair, d->route, d->matrix, d->wire, d->trunk);
    ARENA_ARRAYS(room, hosts, d->out, d->send, d->in, d->cost, d->subnet_of, d->site_of, d->uplink,
                 d->site_uplink);
    ARENA_ARRAYS(room, hosts, d->medium, d->message);
    return room->failed ? error_set(HN_ENOMEM, "no memory for the samples of %d hosts", n) : HN_OK;
}

void derivation_end(struct derivation *d)
{
    free(d->line);
    arena_free(&d->room);
}

/* Nanoseconds of the smallest message.  A quarter of the range for an unknown pair: it compares as
 * very far, and sums do not overflow. */
int64_t derivation_small_time(const struct derivation *d, int from, int to)
{
    const struct series *series = &d->pair[from * d->n + to];
    if (previous_states(d->previous, from, to)) {
        struct fit_line route = previous_route(d->previous, from, to);
        return (int64_t)fit_time(&route, 1) + 1;
    }
    return series->count ? series->point[0].ns : INT64_MAX / 4;
}

static bool are_same(const struct derivation_line *a, const struct derivation_line *b, int end)
{
    return a->count[end] == b->count[end] &&
           memcmp(a->unit[end], b->unit[end], (size_t)a->count[end] * sizeof *a->unit[end]) == 0;
}

/* Adds a line.  One between the same ends replaces the earlier one. */
int derivation_add_line(struct derivation *d, const struct derivation_line *line)
{
    int at = 0;
    while (at < d->lines && !(d->line[at].by_site == line->by_site &&
                              are_same(&d->line[at], line, 0) && are_same(&d->line[at], line, 1)))
        at++;
    if (at == d->lines) {
        if (!ARRAY_ROOM(d->line, at + 1))
            return error_set(HN_ENOMEM, "no memory for the lines of %d hosts", d->n);
        d->lines++;
    }
    d->line[at] = *line;
    return HN_OK;
}
