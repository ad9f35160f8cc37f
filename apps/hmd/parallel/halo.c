/* halo.c - see halo.h.
 *
 * On P = R x C tasks, a task's pairs involve N/R atoms in its rows and at most N/C in its columns.
 * So a step sends and receives about 6 N (1/R + 1/C) doubles, where `atom` has 6 N (1 - 1/P), but
 * in P - 1 messages each way, which no plan can shorten. It is faster if bandwidth is the
 * bottleneck, or if the system is so large that a task only sees near atoms.
 */
#include "halo.h"

#include <string.h>

#include "mem.h"

/* The last divisor up to the square root is the number of columns. */
int halo_rows(int size)
{
    int columns = 1;
    for (int k = 2; k <= size / k; k++)
        if (size % k == 0)
            columns = k;
    return size / columns;
}

void halo_init(struct halo *x, struct comm *comm, const int *block)
{
    *x = (struct halo){.comm = comm, .block = block};
    x->give = mem_new((size_t)comm->size, sizeof *x->give);
    x->take = mem_new((size_t)comm->size, sizeof *x->take);
}

void halo_free(struct halo *x)
{
    void *all[] = {x->give, x->take, x->given, x->taken, x->out, x->in};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
    memset(x, 0, sizeof *x);
}

/* Lists the needed atoms of other tasks, in rank order, and their number for each task. */
static void halo_wish(struct halo *x, const unsigned char *need, int *wish)
{
    x->ntaken = 0;
    mem_grow(&x->taken, &x->taken_room, 1, sizeof *x->taken);
    for (int r = 0; r < x->comm->size; r++) {
        wish[r] = 0;
        for (int i = x->block[r]; i < x->block[r + 1]; i++) {
            /* The own block is here already. */
            if (r == x->comm->rank || !need[i])
                continue;
            mem_grow(&x->taken, &x->taken_room, x->ntaken + 1, sizeof *x->taken);
            x->taken[x->ntaken++] = i;
            wish[r]++;
        }
        x->take[r] = 3 * (size_t)wish[r];
    }
}

/* Two collective operations: the numbers of atoms, then their indices. */
int halo_plan(struct halo *x, const unsigned char *need, struct err *e)
{
    int size = x->comm->size, *wish = mem_new(2 * (size_t)size, sizeof *wish), *asked = wish + size;
    halo_wish(x, need, wish);
    int status = comm_counts(x->comm, wish, asked, e);
    x->ngiven = 0;
    for (int r = 0; r < size; r++) {
        x->give[r] = 3 * (size_t)asked[r];
        x->ngiven += (size_t)asked[r];
    }
    mem_grow(&x->given, &x->given_room, x->ngiven + 1, sizeof *x->given);
    /* Coordinates go one way and forces the other, in the same memory. */
    size_t most = 3 * (x->ngiven > x->ntaken ? x->ngiven : x->ntaken);
    mem_grow(&x->out, &x->out_room, most + 1, sizeof *x->out);
    mem_grow(&x->in, &x->in_room, most + 1, sizeof *x->in);
    if (!status)
        status = comm_lists(x->comm, x->taken, wish, x->given, asked, e);
    mem_free(wish);
    return status;
}

/* Other atoms of `coordinates` keep old values, which this task does not use. */
int halo_coordinates(struct halo *x, double *coordinates, struct err *e)
{
    for (size_t k = 0; k < x->ngiven; k++)
        memcpy(x->out + 3 * k, coordinates + 3 * (size_t)x->given[k], 3 * sizeof *x->out);
    int status = comm_swap(x->comm, x->out, x->give, x->in, x->take, e);
    for (size_t k = 0; !status && k < x->ntaken; k++)
        memcpy(coordinates + 3 * (size_t)x->taken[k], x->in + 3 * k, 3 * sizeof *x->in);
    return status;
}

/* Rank order makes the sum reproducible. The roles of give and take are exchanged. */
int halo_forces(struct halo *x, const double *f, double *own, struct err *e)
{
    int rank = x->comm->rank, first = x->block[rank];
    size_t n = 3 * (size_t)(x->block[rank + 1] - first), at = 0;
    for (size_t k = 0; k < x->ntaken; k++)
        memcpy(x->out + 3 * k, f + 3 * (size_t)x->taken[k], 3 * sizeof *x->out);
    int status = comm_swap(x->comm, x->out, x->take, x->in, x->give, e);
    if (status)
        return status;
    memset(own, 0, n * sizeof *own);
    for (int r = 0; r < x->comm->size; r++) {
        for (size_t k = 0; r == rank && k < n; k++)
            own[k] += f[3 * (size_t)first + k];
        /* The parts of the other tasks, one after the other. */
        for (size_t end = at + x->give[r] / 3; at < end; at++)
            for (size_t k = 0; k < 3; k++)
                own[3 * (size_t)(x->given[at] - first) + k] += x->in[3 * at + k];
    }
    return 0;
}
