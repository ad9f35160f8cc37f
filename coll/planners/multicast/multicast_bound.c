/* multicast_bound.c - lower bounds for multiple multicast (Wu, equation 2, and its repair).
 *
 * L(k, i) is the length of the shortest path of message k to node i, through nodes that may forward
 * it. A node cannot end the receive of k before L(k, i), and it receives one message at a time. Wu
 * sorts the receives of a node by L: each ends at max(end of the previous one + R, L). If messages
 * differ in length, another order may be faster, so the result can exceed the optimum. The order of
 * L - R, the earliest starts of the receives, is always the fastest, so it gives a lower bound.
 * Cost: O(messages * nodes^2).
 */
#include "planners/multicast/multicast.h"

#include "model/timed.h"

#include <stdlib.h>

/* A receive of a node: when it can end at the earliest, and how long it takes. The key determines
 * the order of service. */
struct due {
    struct timed key; /* of a message */
    hn_time path, takes;
};

/* Shortest paths of one message to all nodes that may have it. O(n^2). Dijkstra's algorithm without
 * a heap: the graph is complete. Nodes that do not want the message are never reached. */
static void paths_of(const struct multicast *m, int k, hn_time *path, bool *done)
{
    const struct multicast_message *message = &m->message[k];
    for (int i = 0; i < m->nodes; i++) {
        path[i] = i == message->source ? 0 : INT64_MAX;
        done[i] = i != message->source && !message->wants[i];
    }
    for (;;) {
        int next = -1;
        for (int i = 0; i < m->nodes; i++)
            if (!done[i] && (next < 0 || path[i] < path[next]))
                next = i;
        if (next < 0)
            return;
        done[next] = true;
        for (int j = 0; j < m->nodes; j++) {
            /* A whole delivery, as if both nodes were idle. */
            hn_time edge = multicast_send(m, k, next) + multicast_travel(m, k, next, j) +
                           multicast_recv(m, k, j);
            if (!done[j] && path[next] + edge < path[j])
                path[j] = path[next] + edge;
        }
    }
}

/* The end of a node's last receive if receives are executed in the order of their keys. dues is
 * sorted in place. */
static hn_time serve(struct due *dues, int count)
{
    hn_time end = 0;
    qsort(dues, (size_t)count, sizeof *dues, timed_ascending);
    for (int i = 0; i < count; i++) {
        end += dues[i].takes;
        end = i == 0 || end < dues[i].path ? dues[i].path : end;
    }
    return end;
}

/* The largest of all nodes. -1: out of memory. repaired: by L - R, else by L as in equation 2. */
static hn_time bound(const struct multicast *m, bool repaired)
{
    size_t n = (size_t)m->nodes;
    hn_time *paths = malloc((n * (size_t)m->messages + 1) * sizeof *paths), bound = 0;
    bool *done = malloc(n * sizeof *done);
    struct due *dues = malloc(((size_t)m->messages + 1) * sizeof *dues);
    bool ok = paths && done && dues;
    for (int k = 0; ok && k < m->messages; k++)
        paths_of(m, k, &paths[(size_t)k * n], done);
    /* Each node receives its messages one after the other, none before its shortest path allows. */
    for (int i = 0; ok && i < m->nodes; i++) {
        int count = 0;
        for (int k = 0; k < m->messages; k++) {
            hn_time path = paths[(size_t)k * n + (size_t)i], takes = multicast_recv(m, k, i);
            if (m->message[k].wants[i])
                dues[count++] = (struct due){{repaired ? path - takes : path, k}, path, takes};
        }
        hn_time end = serve(dues, count);
        bound = end > bound ? end : bound;
    }
    free(paths);
    free(done);
    free(dues);
    return ok ? bound : -1;
}

hn_time multicast_bound_eq2(const struct multicast *m)
{
    return bound(m, false);
}

hn_time multicast_bound(const struct multicast *m)
{
    return bound(m, true);
}
