/* derive_alike.c - equal hosts have equal costs.
 *
 * What is measured of them differs by chance only.  Hosts of one subnet that compute equally fast,
 * by a quarter, are of one kind: of their costs those that are within a tenth of each other get the
 * middle one.
 *
 * W: round trips in quick succession find both sides awake, and their least says what the way
 * takes. A program's task mostly sleeps when a message comes: of round trips after a while of sleep
 * the middle one counts, less the least one of the pair awake; and of all hosts of which
 * none is more than twice as fast as another, that which a quarter of them stay below: what else a
 * machine does wakes tasks later, by far, but the least of eight that differ by half from
 * one second to the next is too little for most. Where everything on a machine was so
 * disturbed (middle ones of 60 ms were seen, where others were awake after 40 us), four times the
 * least of them is the most that is believed; and where even the least took half a millisecond
 * longer than awake, the way was not free (once all of a bed of 10 Mb/s had W = 6.8 ms).
 */
#include "derive/derivation.h"
#include "derive/values.h"
#include "thresholds.h"

#include <stddef.h>
#include <stdlib.h>

/* Whether the faster one is faster by no more than that part. */
static bool are_as_fast(const struct derivation *d, int a, int b, int64_t part)
{
    int64_t x = d->cost[a].speed, y = d->cost[b].speed;
    return a == b || (x > 0 && y > 0 && x <= y + y / part && y <= x + x / part);
}

static bool are_alike(const struct derivation *d, int a, int b)
{
    return d->subnet_of[a] == d->subnet_of[b] && are_as_fast(d, a, b, ALIKE_SPEED_PART);
}

/* A cost that hosts have, and by how much it may differ besides a tenth. */
struct joined {
    size_t field;
    int64_t blur;
    bool least; /* not the middle one: no more than each one's routes have room for */
};

/* room: for twice as many numbers as there are hosts. */
static void join_costs(struct derivation *d, const struct joined *joined, int64_t *room)
{
    int64_t *near = room + d->n;
    for (int i = 0; i < d->n; i++)
        room[i] = *(int64_t *)((char *)&d->cost[i] + joined->field);
    for (int i = 0; i < d->n; i++) {
        int count = 0;
        for (int k = 0; k < d->n; k++) {
            int64_t apart = llabs(room[k] - room[i]);
            if (are_alike(d, i, k) && (apart <= room[i] / ALIKE_PART || apart <= joined->blur))
                near[count++] = room[k];
        }
        int64_t middle = values_middle(near, count);
        if (d->previous && d->previous->known[i])
            continue;
        *(int64_t *)((char *)&d->cost[i] + joined->field) = joined->least ? near[0] : middle;
    }
}

/* Nanoseconds; negative: the sample says nothing. */
static int64_t wake_of(const struct derivation *d, const struct sample *s)
{
    if (s->kind != SAMPLE_WAKE || !s->count || s->from >= d->n || s->to >= d->n)
        return -1;
    const struct series *pair = &d->pair[s->from * d->n + s->to];
    if (pair->count == 0)
        return -1;
    int64_t more = s->median - 2 * pair->point[0].ns, least = s->best - 2 * pair->point[0].ns;
    if (least > WAKE_HELD_UP_NS)
        return -1;
    least = least > WAKE_LEAST_NS ? least : WAKE_LEAST_NS;
    more = more < WAKE_MOST_TIMES * least ? more : WAKE_MOST_TIMES * least;
    return more > 0 ? more : 0;
}

/* room: for a value of each host. */
static void find_wakes(struct derivation *d, const struct samples *samples, int64_t *room)
{
    for (int host = 0; host < d->n; host++) {
        int count = 0;
        if (d->previous && d->previous->known[host])
            continue;
        for (int i = 0; d->previous && i < d->n; i++)
            if (d->previous->known[i] && d->cost[i].wake > 0 && are_as_fast(d, i, host, 1))
                room[count++] = d->cost[i].wake / 1000;
        for (int i = 0; i < samples->count && count < d->n; i++) {
            int64_t wake = wake_of(d, &samples->sample[i]);
            if (wake >= 0 && are_as_fast(d, samples->sample[i].to, host, 1))
                room[count++] = wake;
        }
        values_sort(room, count);
        int64_t wake = count ? room[count / WAKE_QUANTILE] : 0;
        d->cost[host].wake = wake < HN_TIME_MOST / 1000 ? wake * 1000 : 0;
    }
}

int derive_alike_costs(struct derivation *d, const struct samples *samples)
{
    static const struct joined joined[] = {
        {offsetof(hn_host_cost, send_const), ALIKE_CONST_PS, false},
        {offsetof(hn_host_cost, recv_const), ALIKE_CONST_PS, false},
        {offsetof(hn_host_cost, send_per_byte), ALIKE_BYTE_FS, true},
        {offsetof(hn_host_cost, recv_per_byte), ALIKE_BYTE_FS, true},
        {offsetof(hn_host_cost, send_gap), ALIKE_BYTE_FS, false},
        {offsetof(hn_host_cost, send_gap_const), ALIKE_CONST_PS, false},
        {offsetof(hn_host_cost, recv_gap), ALIKE_BYTE_FS, false}};
    int64_t *room = calloc(2 * (size_t)d->n, sizeof *room);
    if (!room)
        return error_set(HN_ENOMEM, "no memory for the costs of %d hosts", d->n);
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        join_costs(d, &joined[i], room);
    find_wakes(d, samples, room);
    free(room);
    return HN_OK;
}
