/* derive_alike.c - equal costs for equal hosts.
 *
 * Measured costs of equal hosts differ only by noise.  Hosts of one subnet whose computing speeds
 * agree within a quarter are of one kind.  Of their costs, those within a tenth of each other get
 * their median.
 *
 * W: round trips in quick succession find both sides awake, and their minimum is the time of the
 * route.  A program's task mostly sleeps when a message arrives.  So hprobe also measures round
 * trips after a period of sleep; their median less the pair's minimum awake is the sample of a
 * host.  Hosts of similar speed (within a factor of two) get the first quartile of their samples:
 * other work on a machine delays wake-ups by far, but the minimum of eight is too small for most.
 *
 * Two limits exclude disturbed samples.  W is at most four times the minimum of the sample, because
 * medians of 60 ms were seen where others woke after 40 us.  And if even the minimum is half a
 * millisecond longer than awake, something blocked the route (once a whole 10 Mb/s bed had W = 6.8
 * ms).
 */
#include "derive/derivation.h"
#include "derive/values.h"

#include <stddef.h>
#include <stdlib.h>

/* True if the speeds of two hosts differ by no more than that part. */
static bool are_as_fast(const struct derivation *d, int a, int b, int64_t part)
{
    int64_t x = d->cost[a].speed, y = d->cost[b].speed;
    return a == b || (x > 0 && y > 0 && x <= y + y / part && y <= x + x / part);
}

/* Of one kind: near each other and equally fast. */
static bool are_alike(const struct derivation *d, int a, int b)
{
    return d->subnet_of[a] == d->subnet_of[b] && are_as_fast(d, a, b, ALIKE_SPEED_PART);
}

/* A cost of hosts, and by how much it may differ besides a tenth. */
struct joined {
    size_t field;
    int64_t blur;
    bool least; /* not the median: at most what each host's own routes allow */
};

/* room: scratch memory for 2 n numbers. */
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
        /* The file's costs of known hosts are kept, but count for the others. */
        if (d->previous && d->previous->known[i])
            continue;
        *(int64_t *)((char *)&d->cost[i] + joined->field) = joined->least ? near[0] : middle;
    }
}

/* W in nanoseconds; negative: the sample is not usable. */
static int64_t wake_of(const struct derivation *d, const struct sample *s)
{
    if (s->kind != SAMPLE_WAKE || !s->count || s->from >= d->n || s->to >= d->n)
        return -1;
    const struct series *pair = &d->pair[s->from * d->n + s->to];
    if (pair->count == 0)
        return -1;
    /* Both directions of the awake round trip are subtracted from the one after sleep. */
    int64_t more = s->median - 2 * pair->point[0].ns, least = s->best - 2 * pair->point[0].ns;
    if (least > WAKE_HELD_UP_NS)
        return -1;
    least = least > WAKE_LEAST_NS ? least : WAKE_LEAST_NS;
    more = more < WAKE_MOST_TIMES * least ? more : WAKE_MOST_TIMES * least;
    return more > 0 ? more : 0;
}

/* room: scratch memory for n numbers. */
static void find_wakes(struct derivation *d, int64_t *room)
{
    const struct samples *samples = d->input.samples;
    for (int host = 0; host < d->n; host++) {
        int count = 0;
        if (d->previous && d->previous->known[host])
            continue;
        /* a file's W stands beside new samples: it was derived from many */
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

int derive_alike_costs(struct derivation *d)
{
    /* Costs per byte of S and R are limited by each host's routes (derive_costs.c).  A median could
     * exceed that limit and make X negative, so the least of alike hosts counts. */
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
    find_wakes(d, room);
    free(room);
    return HN_OK;
}
