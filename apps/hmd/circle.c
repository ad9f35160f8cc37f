/* circle.c - see circle.h.
 *
 * ECO's ring topology (Lowekamp & Beguelin 1995, section 5.3 and Figure 3c), which Dome used for
 * its load balancing: from rank 0 always to the nearest task that is not in the ring yet, first on
 * the same host, then in the same subnet, then anywhere; near is what the network file says that a
 * small message there and one back cost.  Without a network file tasks stand by hosts and ranks.
 * The first task works it out, O(P^2), and tells the others.
 */
#include "circle.h"

#include <string.h>

#include "hnow_net.h"
#include "mem.h"

enum { CIRCLE_BYTES = 64 }; /* of the messages that neighbours would exchange */

struct circle {
    int size;
    const hn_net *net; /* NULL: unknown */
    const char **name; /* of each rank's host */
    int *host;         /* its number in the model, or negative */
};

/* 0: on one host, 1: in one subnet, 2: elsewhere. */
static int circle_apart(const struct circle *c, int a, int b)
{
    int i = c->host[a], j = c->host[b];
    if (c->name[a] && c->name[b] && !strcmp(c->name[a], c->name[b]))
        return 0;
    return i >= 0 && j >= 0 && hn_net_subnet_of(c->net, i) == hn_net_subnet_of(c->net, j) ? 1 : 2;
}

static hn_time circle_cost(const struct circle *c, int a, int b)
{
    int i = c->host[a], j = c->host[b];
    if (i < 0 || j < 0)
        return 0;
    return hn_net_time(c->net, i, j, CIRCLE_BYTES) + hn_net_time(c->net, j, i, CIRCLE_BYTES);
}

static int circle_nearer(const struct circle *c, int from, int a, int than)
{
    int apart = circle_apart(c, from, a) - circle_apart(c, from, than);
    return apart ? apart < 0 : circle_cost(c, from, a) < circle_cost(c, from, than);
}

static void circle_walk(const struct circle *c, int *ring)
{
    for (int r = 0; r < c->size; r++)
        ring[r] = r;
    for (int k = 1; k < c->size; k++) {
        int best = k;
        for (int i = k + 1; i < c->size; i++)
            if (circle_nearer(c, ring[k - 1], ring[i], ring[best]))
                best = i;
        int next = ring[best]; /* the others keep their order, so that equals go by rank */
        memmove(ring + k + 1, ring + k, (size_t)(best - k) * sizeof *ring);
        ring[k] = next;
    }
}

static void circle_find(int size, int *ring)
{
    hn_directory *directory = NULL;
    struct circle c = {.size = size};
    c.name = mem_new((size_t)size, sizeof *c.name);
    c.host = mem_new((size_t)size, sizeof *c.host);
    if (hn_directory_open(&directory) == HN_OK)
        c.net = hn_directory_net(directory);
    for (int r = 0; r < size; r++) {
        c.name[r] = hn_host_of(hn_group_tid(hn_world(), r));
        c.host[r] = c.net && c.name[r] ? hn_net_host_index(c.net, c.name[r]) : -1;
    }
    circle_walk(&c, ring);
    hn_directory_free(directory);
    mem_free(c.name);
    mem_free(c.host);
}

int circle_of_tasks(struct comm *c, int *ring, struct err *e)
{
    double *told = mem_new((size_t)c->size, sizeof *told);
    if (c->rank == 0)
        circle_find(c->size, ring);
    for (int k = 0; k < c->size; k++)
        told[k] = ring[k];
    int status = comm_tell(c, told, (size_t)c->size, e);
    for (int k = 0; k < c->size; k++)
        ring[k] = (int)told[k];
    mem_free(told);
    return status;
}
