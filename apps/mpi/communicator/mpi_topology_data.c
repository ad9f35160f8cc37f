/* mpi_topology_data.c - memory management of virtual topologies (mpi_topology.h). Apart from the
 * calls, because communicators are freed in places that know no topologies. The count of
 * references is atomic: communicators may be freed in any thread. */
#include "communicator/mpi_topology.h"

#include <stdlib.h>
#include <string.h>

struct mpi_topology *topology_new(int kind)
{
    struct mpi_topology *t = calloc(1, sizeof *t);

    if (t) {
        /* The creator's, which topology_attach() passes to a communicator. */
        t->references = 1;
        t->kind = kind;
    }
    return t;
}

/* Duplicates of a communicator share one topology, which never changes. */
struct mpi_topology *topology_share(struct mpi_topology *t)
{
    if (t)
        __atomic_fetch_add(&t->references, 1, __ATOMIC_RELAXED);
    return t;
}

/* Ignores NULL. */
void topology_drop(struct mpi_topology *t)
{
    if (!t || __atomic_sub_fetch(&t->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    /* Lists that a kind of topology does not have are NULL. */
    free(t->from);
    free(t->to);
    free(t->from_weights);
    free(t->to_weights);
    free(t->dims);
    free(t->periods);
    free(t->coords);
    free(t->index);
    free(t->edges);
    free(t);
}

/* Never NULL for an empty list, unless out of memory. */
int *topology_list(const int *list, size_t n)
{
    int *copy = malloc((n + 1) * sizeof *copy);

    if (copy && n > 0)
        memcpy(copy, list, n * sizeof *copy);
    return copy;
}
