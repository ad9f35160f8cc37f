/* mpi_cart.c - Cartesian topologies, periodic or not in each dimension.
 *
 * MPI 4.1, 8.5.1, 8.5.2 and 8.5.5 to 8.5.8. Ranks are in row-major order: the last dimension varies
 * fastest. A mesh of no dimensions has one member and no neighbours.
 *
 * A mesh stores sizes, periods, the caller's coordinates and its neighbours. Everything else,
 * such as the rank of any coordinates, is computed from these without a message. Making one
 * costs a split; with reorder, hnow's placement is computed by each member on its own.
 */
#include "collective/mpi_coll.h"
#include "communicator/mpi_topology.h"

#include <stdlib.h>

/* Returns the rank at coordinates, which may be any integers in periodic dimensions; MPI_PROC_NULL:
 * outside. % may be negative in C, hence the addition. Coordinates outside a dimension that is not
 * periodic have no rank. */
static int rank_at(const struct mpi_topology *t, const int *coords)
{
    int rank = 0;

    for (int d = 0; d < t->ndims; d++) {
        int x = coords[d];
        if (t->periods[d])
            x = (x % t->dims[d] + t->dims[d]) % t->dims[d];
        if (x < 0 || x >= t->dims[d])
            return MPI_PROC_NULL;
        /* Horner's scheme in the sizes; x is within the dimension here. */
        rank = rank * t->dims[d] + x;
    }
    return rank;
}

/* Row-major: the last dimension varies fastest. */
static void coords_of(const struct mpi_topology *t, int rank, int *coords)
{
    for (int d = t->ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->dims[d];
        rank /= t->dims[d];
    }
}

/* Returns the rank `distance` away in one dimension.  Thread-safe. The sum is computed in 64 bits,
 * because a program may pass any distance. O(dimensions). */
static int rank_beside(const struct mpi_topology *t, int dimension, int64_t distance)
{
    int size = t->dims[dimension], from = t->coords[dimension], stride = 1;
    int64_t to = from + distance;

    if (t->periods[dimension])
        to = (to % size + size) % size;
    if (to < 0 || to >= size)
        return MPI_PROC_NULL;
    for (int d = dimension + 1; d < t->ndims; d++)
        stride *= t->dims[d];
    /* The own rank, moved by whole strides. No other coordinate changes. */
    return rank_at(t, t->coords) + ((int)to - from) * stride;
}

/* Makes a mesh in which the caller has this rank; NULL: out of memory. Neighbours are in the order
 * of MPI 4.1, 8.6: for each dimension the lower one, then the upper one. */
static struct mpi_topology *mesh_new(int ndims, const int *dims, const int *periods, int rank)
{
    struct mpi_topology *t = topology_new(MPI_CART);
    size_t n = (size_t)ndims;

    if (!t)
        return NULL;
    t->ndims = ndims;
    t->dims = topology_list(dims, n);
    t->periods = topology_list(periods, n);
    /* Only for its length: coords_of() fills it in. */
    t->coords = topology_list(dims, n);
    /* Two neighbours for each dimension; the + 1 avoids malloc(0). */
    t->from = malloc((2 * n + 1) * sizeof *t->from);
    t->to = malloc((2 * n + 1) * sizeof *t->to);
    if (!t->dims || !t->periods || !t->coords || !t->from || !t->to) {
        topology_drop(t);
        return NULL;
    }
    /* Any value but 0 is true. */
    for (int d = 0; d < ndims; d++)
        t->periods[d] = periods[d] != 0;
    coords_of(t, rank, t->coords);
    /* At the edge of a mesh that is not periodic, a neighbour is MPI_PROC_NULL. */
    t->from_count = t->to_count = 2 * ndims;
    /* Neighbours are the same in both directions of messages. */
    for (int d = 0; d < ndims; d++)
        for (int up = 0; up < 2; up++)
            t->from[2 * d + up] = t->to[2 * d + up] = rank_beside(t, d, up ? 1 : -1);
    return t;
}

/* Returns the number of tasks of a mesh.  For an invalid or too large mesh, *error is the code of
 * error_on(). The product is compared after each factor, so that it cannot overflow 64 bits. */
static int mesh_size(struct mpi_comm *c, int ndims, const int *dims, const int *periods,
                     const char *call, int *error)
{
    int64_t n = 1;

    *error = MPI_SUCCESS;
    if (c->remote)
        *error = error_on(c, MPI_ERR_COMM, call, "not for an intercommunicator");
    /* 0 dimensions are valid, and give a mesh of one task. */
    else if (ndims < 0 || (ndims > 0 && (!dims || !periods)))
        *error = error_on(c, MPI_ERR_DIMS, call, "%d dimensions, or no lists of them", ndims);
    for (int d = 0; d < ndims && *error == MPI_SUCCESS; d++) {
        if (dims[d] <= 0)
            *error = error_on(c, MPI_ERR_DIMS, call, "dimension %d has the size %d", d, dims[d]);
        n *= dims[d];
        if (*error == MPI_SUCCESS && n > c->size)
            *error = error_on(c, MPI_ERR_DIMS, call, "the mesh has more than %d tasks", c->size);
    }
    return (int)n;
}

/* Returns the caller's rank in the mesh.  With reorder, hnow places neighbours near each other. All
 * members get the same placement, since hnow computes it from the same network model. c->size marks
 * members outside the mesh. If hnow cannot place the mesh, ranks stay. */
static int mesh_rank(struct mpi_comm *c, int ndims, const int *dims, const int *periods,
                     int reorder)
{
    hn_topology *t = NULL;
    int rank = c->rank;

    if (!reorder || ndims == 0 || ndims > HN_DIMENSIONS_MOST ||
        hn_topology_mesh(c->hn, ndims, dims, periods, &t) != HN_OK)
        return rank;
    /* Without a topology this member has no place in the mesh. */
    rank = t ? hn_group_rank(hn_topology_group(t), hn_mytid()) : c->size;
    hn_topology_free(t);
    return rank;
}

/* Makes a communicator with a mesh, of the members with a colour. MPI_COMM_NULL for members without
 * a place in the mesh. */
static int with_mesh(struct mpi_comm *c, int colour, int key, int ndims, const int *dims,
                     const int *periods, MPI_Comm *newcomm, const char *call)
{
    struct mpi_comm *made;
    int result = comm_split(c, colour, key, &made);

    if (result != HN_OK)
        return error_hn(c, result, call);
    /* A negative colour makes no communicator. */
    *newcomm = MPI_COMM_NULL;
    if (!made)
        return MPI_SUCCESS;
    return topology_attach(c, made, mesh_new(ndims, dims, periods, made->rank), newcomm, call);
}

/* MPI 4.1, 8.5.1. Members beyond the mesh get MPI_COMM_NULL. */
MPI_DEFINE(int, Cart_create,
           (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
            MPI_Comm *newcomm))
{
    struct mpi_comm *c = comm_of(comm);
    int error, n, rank;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    n = mesh_size(c, ndims, dims, periods, MPI_CALL, &error);
    if (error != MPI_SUCCESS)
        return error;
    if (!newcomm)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no place for the communicator");
    rank = mesh_rank(c, ndims, dims, periods, reorder);
    /* The key is the rank in the mesh, so the split orders the members as planned. */
    return with_mesh(c, rank < n ? 0 : -1, rank, ndims, dims, periods, newcomm, MPI_CALL);
}

/* MPI 4.1, 8.5.7. Colour and key are row-major numbers in the dropped and in the kept
 * dimensions. */
MPI_DEFINE(int, Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *newcomm))
{
    struct mpi_comm *c;
    int error, colour = 0, key = 0, n = 0;
    struct mpi_topology *t = topology_of(comm, MPI_CART, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!newcomm || (!remain && t->ndims > 0))
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "no dimensions, or no place for a communicator");
    /* One allocation for both lists. */
    int *dims = malloc(((size_t)t->ndims + 1) * 2 * sizeof *dims), *periods = dims + t->ndims + 1;
    if (!dims)
        return error_on(c, MPI_ERR_NO_MEM, MPI_CALL, "out of memory");
    /* Members with equal coordinates in all dropped dimensions form one mesh. */
    for (int d = 0; d < t->ndims; d++) {
        int *place = remain[d] ? &key : &colour;
        *place = *place * t->dims[d] + t->coords[d];
        if (!remain[d])
            continue;
        dims[n] = t->dims[d];
        periods[n++] = t->periods[d];
    }
    error = with_mesh(c, colour, key, n, dims, periods, newcomm, MPI_CALL);
    free(dims);
    return error;
}

/* Deprecated form of a reordering; ranks stay, as without reorder. */
MPI_DEFINE(int, Cart_map,
           (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank))
{
    struct mpi_comm *c = comm_of(comm);
    int error, n;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    n = mesh_size(c, ndims, dims, periods, MPI_CALL, &error);
    if (error == MPI_SUCCESS && !newrank)
        error = error_on(c, MPI_ERR_ARG, MPI_CALL, "no place for the rank");
    if (error == MPI_SUCCESS)
        /* Members beyond the mesh have no rank in it. */
        *newrank = c->rank < n ? c->rank : MPI_UNDEFINED;
    return error;
}

/* Returns the mesh of a call after checking its result arguments, or NULL and *error.
 * has_places: the call's result arguments are valid. */
static struct mpi_topology *mesh_of(MPI_Comm comm, bool has_places, struct mpi_comm **c,
                                    const char *call, int *error)
{
    struct mpi_topology *t = topology_of(comm, MPI_CART, c, call, error);

    if (!t || has_places)
        return t;
    *error = error_on(*c, MPI_ERR_ARG, call, "no coordinates, or no place for a result");
    return NULL;
}

/* MPI 4.1, 8.5.5. */
MPI_DEFINE(int, Cartdim_get, (MPI_Comm comm, int *ndims))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = mesh_of(comm, ndims, &c, MPI_CALL, &error);

    if (!t)
        return error;
    *ndims = t->ndims;
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. Gives `maxdims` dimensions at most. */
MPI_DEFINE(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t =
        mesh_of(comm, maxdims < 1 || (dims && periods && coords), &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (maxdims < 0)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "room for %d dimensions", maxdims);
    /* More room than dimensions is allowed; the rest is unchanged. */
    for (int d = 0; d < t->ndims && d < maxdims; d++) {
        dims[d] = t->dims[d];
        periods[d] = t->periods[d];
        coords[d] = t->coords[d];
    }
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. Coordinates outside wrap around in periodic dimensions only. */
MPI_DEFINE(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = mesh_of(comm, rank, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (!coords && t->ndims > 0)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "there are no coordinates");
    *rank = rank_at(t, coords);
    /* The result is stored even then, as a program may ignore the error. */
    if (*rank == MPI_PROC_NULL)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "the coordinates are beyond the mesh");
    return MPI_SUCCESS;
}

/* MPI 4.1, 8.5.5. Any member's coordinates, without a message. */
MPI_DEFINE(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = mesh_of(comm, coords || maxdims == 0, &c, MPI_CALL, &error);

    if (!t)
        return error;
    /* All ranks of the communicator are in the mesh. */
    if (rank < 0 || rank >= c->size)
        return error_on(c, MPI_ERR_RANK, MPI_CALL, "%d is no rank below %d", rank, c->size);
    if (maxdims < t->ndims)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "room for %d coordinates of %d", maxdims,
                        t->ndims);
    coords_of(t, rank, coords);
    return MPI_SUCCESS;
}

/* The caller receives from `source` and sends to `dest`; either may be MPI_PROC_NULL. */
MPI_DEFINE(int, Cart_shift,
           (MPI_Comm comm, int direction, int displacement, int *source, int *dest))
{
    struct mpi_comm *c;
    int error;
    struct mpi_topology *t = mesh_of(comm, source && dest, &c, MPI_CALL, &error);

    if (!t)
        return error;
    if (direction < 0 || direction >= t->ndims)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "%d is no dimension below %d", direction,
                        t->ndims);
    /* In a periodic dimension any displacement has a rank. */
    *source = rank_beside(t, direction, -(int64_t)displacement);
    *dest = rank_beside(t, direction, displacement);
    return MPI_SUCCESS;
}

/* ---- sizes of a mesh ------------------------------------------------------------------------ */

/* MPI 4.1, 8.5.2: positive entries are kept, and zeros are replaced by factors that are as close to
 * each other as possible, in non-increasing order. */
MPI_DEFINE(int, Dims_create, (int nnodes, int ndims, int dims[]))
{
    if (nnodes <= 0 || ndims < 0 || (ndims > 0 && !dims))
        return error_on(NULL, MPI_ERR_DIMS, MPI_CALL, "%d tasks in %d dimensions", nnodes, ndims);
    if (ndims == 0)
        return MPI_SUCCESS;
    for (int d = 0; d < ndims; d++)
        if (dims[d] < 0)
            return error_on(NULL, MPI_ERR_DIMS, MPI_CALL, "dimension %d has the size %d", d,
                            dims[d]);
    /* Also reports that nnodes is no multiple of the given sizes. */
    if (hn_mesh_sizes(nnodes, ndims, dims) != HN_OK)
        return error_on(NULL, MPI_ERR_DIMS, MPI_CALL, "%s", hn_error_text());
    return MPI_SUCCESS;
}
