/* edge_first.c - FEF and ECF for many messages (Wu, sections 4.1 and 4.2): the next decision is the
 * triple (message, holder, receiver) of the smallest value; ties are broken by message, then
 * sender, then receiver.
 *
 * The value is S + X + R for FEF, and the time at which the receive would be complete for ECF. The
 * value of a triple never decreases. So for each (message, receiver) the value of the best holder
 * is stored as a lower bound, and only candidates for the minimum are computed again. Cost: about
 * O(messages * nodes) for each decision, instead of that times the number of holders.
 */
#include "planners/multicast/algorithms.h"

#include "hnow.h"

#include <stdlib.h>

/* The lower bound of a (message, receiver) pair. It is exact if `known` is the present number of
 * decisions. */
struct bound {
    hn_time value;
    int from;  /* the holder with this value */
    int known; /* number of decisions when it was computed */
};

/* The value of a triple: message k, holder i, receiver j. */
typedef hn_time value_function(const struct multicast *m, int k, int i, int j);

/* FEF: what the delivery would take if both nodes were idle. */
static hn_time edge_value(const struct multicast *m, int k, int i, int j)
{
    return multicast_send(m, k, i) + multicast_travel(m, k, i, j) + multicast_recv(m, k, j);
}

/* Computes the best holder of a message for a receiver, and its value. Of equal values the holder
 * with the lowest number. O(nodes). */
static struct bound look(const struct multicast *m, value_function *value, int k, int j)
{
    struct bound best = {INT64_MAX, -1, m->decision_count};
    for (int i = 0; i < m->nodes; i++) {
        if (!multicast_has(m, k, i))
            continue;
        hn_time v = value(m, k, i, j);
        if (v < best.value) {
            best.value = v;
            best.from = i;
        }
    }
    return best;
}

/* The next decision: recomputes the smallest bounds until the smallest one is up to date. The
 * caller knows that some delivery is missing. */
static struct multicast_decision next(const struct multicast *m, value_function *value,
                                      struct bound *bounds)
{
    for (;;) {
        struct multicast_decision best = {-1, -1, -1, 0, 0};
        hn_time least = INT64_MAX;
        bool looked = false;
        /* The smallest bound is found first; only bounds equal to it are computed again. */
        for (int k = 0; k < m->messages; k++)
            for (int j = 0; j < m->nodes; j++)
                if (multicast_misses(m, k, j) && bounds[k * m->nodes + j].value < least)
                    least = bounds[k * m->nodes + j].value;
        for (int k = 0; k < m->messages; k++)
            for (int j = 0; j < m->nodes; j++) {
                struct bound *b = &bounds[k * m->nodes + j];
                if (!multicast_misses(m, k, j) || b->value != least)
                    continue;
                if (b->known != m->decision_count) {
                    *b = look(m, value, k, j);
                    looked = looked || b->value != least;
                }
                /* Of equal bounds the lowest message, then its lowest sender, then the lowest
                 * receiver: the loops ascend. */
                if (b->value == least &&
                    (best.message < 0 || (k == best.message && b->from < best.from)))
                    best = (struct multicast_decision){k, b->from, j, 0, 0};
            }
        /* A bound that has grown may have been the only one with this value: then search again. */
        if (best.message >= 0 || !looked)
            return best;
    }
}

/* HN_OK or HN_ENOMEM. The values of triples never decrease, except by a new holder. Each decision
 * lowers m->missing, so the loop ends. */
static int run(struct multicast *m, value_function *value, bool preemptive)
{
    int n = m->nodes;
    struct bound *bounds = calloc((size_t)m->messages * (size_t)n + 1, sizeof *bounds);
    if (!bounds)
        return HN_ENOMEM;
    multicast_clear(m, preemptive);
    /* Bounds start exact. */
    for (int k = 0; k < m->messages; k++)
        for (int j = 0; j < n; j++)
            bounds[k * n + j] = look(m, value, k, j);
    while (m->missing > 0) {
        struct multicast_decision d = next(m, value, bounds);
        multicast_decide(m, d.message, d.from, d.to);
        /* A new holder may be better than the earlier ones. */
        for (int j = 0; j < n; j++)
            if (multicast_misses(m, d.message, j)) {
                hn_time v = value(m, d.message, d.to, j);
                struct bound *b = &bounds[d.message * n + j];
                if (v < b->value)
                    *b = (struct bound){v, d.to, -1};
            }
    }
    free(bounds);
    return HN_OK;
}

/* The values do not depend on the decisions, only on the holders. */
int multicast_fef(struct multicast *m)
{
    return run(m, edge_value, false);
}

/* The value of a triple is the time at which the receiver would have the message. */
int multicast_ecf(struct multicast *m)
{
    return run(m, multicast_complete, false);
}

int multicast_ecf_preempt(struct multicast *m)
{
    return run(m, multicast_complete, true);
}
