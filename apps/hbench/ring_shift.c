/* ring_shift.c - shifts along a ring of tasks (ring_shift.h). */
#include "ring_shift.h"

#include "fail.h"
#include "hnow_coll.h"
#include "order.h"
#include "single.h"

#include <stdlib.h>

enum { TAG_SHIFT = 7900 };

/* One task's part in a shift. */
struct shift {
    hn_tid left, right;
    char *out, *in;
    /* Of each message, in both directions. */
    size_t bytes;
};

/* ---- rings ---- */

bool ring_along(int32_t *ring)
{
    hn_topology *topology;

    if (hn_topology_ring(hn_world(), &topology) != HN_OK)
        return fail_hn("hn_topology_ring");
    for (int i = 0; i < hn_size(); i++)
        /* The topology's group lists tasks in ring order; the benchmark needs ranks of the
         * world. */
        ring[i] = hn_group_rank(hn_world(), hn_group_tid(hn_topology_group(topology), i));
    hn_topology_free(topology);
    return true;
}

bool ring_random(int32_t *ring, uint64_t *seed)
{
    size_t n = (size_t)hn_size(), *order = calloc(n, sizeof *order);

    if (!order)
        return fail("memory", "no room for a ring");
    order_shuffle(order, n, seed);
    /* Ranks travel as HN_INT32. */
    for (size_t i = 0; i < n; i++)
        ring[i] = (int32_t)order[i];
    free(order);
    return true;
}

/* ---- shifts ---- */

/* The receive begins before the send, so no task waits for a partner that is itself sending. */
static bool shift_once(void *data)
{
    struct shift *s = data;
    hn_request *request;

    if (hn_irecv(s->left, TAG_SHIFT, s->in, s->bytes, HN_BYTE, &request) != HN_OK)
        return fail_hn("hn_irecv");
    if (hn_send(s->right, TAG_SHIFT, s->out, s->bytes, HN_BYTE) != HN_OK)
        return fail_hn("hn_send");
    return hn_wait(request, NULL) == HN_OK || fail_hn("hn_wait");
}

static bool shift_open(struct shift *s, const int32_t *ring, int64_t bytes)
{
    int n = hn_size(), at = 0;

    /* Every rank is on the ring exactly once. */
    while (ring[at] != hn_rank())
        at++;
    *s = (struct shift){.left = hn_group_tid(hn_world(), ring[(at + n - 1) % n]),
                        .right = hn_group_tid(hn_world(), ring[(at + 1) % n]),
                        .out = calloc(1, (size_t)bytes + 1),
                        .in = calloc(1, (size_t)bytes + 1),
                        .bytes = (size_t)bytes};
    return (s->out && s->in) || fail("memory", "no room for the messages");
}

static void shift_close(struct shift *s)
{
    free(s->out);
    free(s->in);
}

/* Both sides agree on the ring, and shift once, so that all connections are open. */
static bool shift_begin(struct shift *s, int32_t *ring, int64_t bytes)
{
    if (hn_bcast(ring, (size_t)hn_size(), HN_INT32, 0, hn_world()) != HN_OK)
        return fail_hn("hn_bcast");
    /* The first shift is no sample. */
    return shift_open(s, ring, bytes) && shift_once(s);
}

/* From an agreed moment, because a loop of shifts would become a pipeline: a fast task would
 * already send its next message while others still wait. */
bool ring_shift_lead(int32_t *ring, int64_t bytes, int64_t count, const struct common_clock *clock,
                     struct samples *samples)
{
    /* A copy of the clock's offsets, which stay the caller's. */
    struct single single = {.clock = *clock, .lead = 1000000, .samples = samples};
    struct shift s = {0};
    bool good = shift_begin(&s, ring, bytes) && single_lead(&single, count, shift_once, &s);

    shift_close(&s);
    return good;
}

bool ring_shift_follow(int64_t bytes)
{
    /* Filled by the broadcast in shift_begin(). */
    int32_t *ring = calloc((size_t)hn_size(), sizeof *ring);
    struct shift s = {0};
    bool good = (ring || fail("memory", "no room for a ring")) && shift_begin(&s, ring, bytes) &&
                single_follow(shift_once, &s);

    shift_close(&s);
    free(ring);
    return good;
}
