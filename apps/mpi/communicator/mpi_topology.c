/* mpi_topology.c - virtual topologies (mpi_topology.h): neighbourhood collectives.
 *
 * They are sends and receives between neighbours, all posted at once (mpi_coll.h); no planner is
 * involved, since each member knows its own neighbours only.
 *
 * A communicator has at most one topology, which is set when it is made. Meshes and graphs
 * differ in how their neighbours are found (mpi_cart.c, mpi_graph.c); here they are two lists of
 * ranks.
 */
#include "communicator/mpi_topology.h"

#include "collective/mpi_coll.h"

/* Sets *c in any case. NULL: *error has been reported. */
struct mpi_topology *topology_of(MPI_Comm comm, int kind, struct mpi_comm **c, const char *call,
                                 int *error)
{
    *c = comm_of(comm);
    /* Each kind has calls of its own, which reject the other kinds. */
    if (*c && (*c)->topology && (*c)->topology->kind == kind)
        return (*c)->topology;
    *error =
        *c ? error_on(*c, MPI_ERR_TOPOLOGY, call, "the communicator has no topology of that kind")
           : error_no_comm(comm, call);
    return NULL;
}

/* The last step of all calls that make a topology. The communicator is complete already. */
int topology_attach(struct mpi_comm *c, struct mpi_comm *made, struct mpi_topology *t,
                    MPI_Comm *newcomm, const char *call)
{
    if (!t) {
        object_retire(made);
        return error_on(c, MPI_ERR_NO_MEM, call, "out of memory");
    }
    made->topology = t;
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. MPI_UNDEFINED: the communicator has no topology. */
MPI_DEFINE(int, Topo_test, (MPI_Comm comm, int *status))
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    if (!status)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no result");
    *status = c->topology ? c->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* ---- neighbourhood collectives --------------------------------------------------------------- */

/* False: no topology, which the caller reports. */
bool neighbour_counts(const struct mpi_comm *c, size_t *from, size_t *to)
{
    if (!c->topology)
        return false;
    *from = (size_t)c->topology->from_count;
    *to = (size_t)c->topology->to_count;
    return true;
}

/* The direction of a message for a block. In a mesh a message goes to the block of the opposite
 * direction. In a graph the first message from a task goes to its first block, and so on. Both ends
 * then use the same tag. Without it, a periodic dimension of size 2 would mix up the two messages
 * between the same tasks. For other graphs the order of sending matches the order of receiving. */
static int direction_of(const struct mpi_topology *t, int block, bool sent)
{
    return t->kind == MPI_CART ? (sent ? block ^ 1 : block) : 0;
}

/* A gather sends the same block to all neighbours. Blocks of neighbours that do not exist stay
 * unchanged (MPI 4.1, 8.6). */
static int post(struct collective *k, size_t i, bool sends)
{
    const struct mpi_topology *t = k->c->topology;
    /* What a member sends is the operation's input, what it receives is its output. */
    const struct coll_side *s = sends ? &k->in : &k->out;
    size_t block = sends && k->kind == COLL_NEIGHBOUR_GATHER ? 0 : i;
    size_t n = s->elements ? s->elements[block] : s->n;
    hn_type type = s->types ? s->units[block] : s->unit;
    char *data = side_block(s, block);
    int rank = sends ? t->to[i] : t->from[i];

    if (rank == MPI_PROC_NULL)
        return HN_OK;
    return coll_post(k, sends, k->c->group->tids[rank], direction_of(t, (int)i, sends), data, n,
                     type);
}

/* Receives are posted before sends, so that arriving data goes directly into the program's
 * buffers. */
int neighbour_begin(struct collective *k)
{
    const struct mpi_topology *t = k->c->topology;
    int result = HN_OK;

    /* Room for all requests at once, so that posting cannot fail for memory later. */
    if (!coll_post_room(k, (size_t)t->from_count + (size_t)t->to_count))
        return HN_ENOMEM;
    for (int i = 0; i < t->from_count && result == HN_OK; i++)
        result = post(k, (size_t)i, false);
    for (int i = 0; i < t->to_count && result == HN_OK; i++)
        result = post(k, (size_t)i, true);
    return result;
}
