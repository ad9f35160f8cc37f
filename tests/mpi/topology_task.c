/* topology_task.c - collectives whose members send and receive different types, and neighbourhoods
 * of members without neighbours: topology_task */
#include "mpi_check.h"

#include <limits.h>

static int rank, size;

/* Each member sends its own type along a ring. */
static MPI_Datatype type_of(int member)
{
    return member % 3 == 2 ? MPI_DOUBLE : MPI_INT;
}

static void ring_of_types(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1, none = 0;
    int out_i = rank, in_i = -1;
    double out_d = rank, in_d = -1;
    const void *out = rank % 3 == 2 ? (void *)&out_d : &out_i;
    void *in = before % 3 == 2 ? (void *)&in_d : &in_i;
    MPI_Comm ring;
    MPI_Request r;

    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &one, 1, &next, &one,
                                      MPI_INFO_NULL, 0, &ring));
    OK(MPI_Neighbor_alltoallv(out, &one, &none, type_of(rank), in, &one, &none, type_of(before),
                              ring));
    CHECK((before % 3 == 2 ? (int)in_d : in_i) == before);
    in_d = in_i = -1;
    OK(MPI_Ineighbor_alltoallv(out, &one, &none, type_of(rank), in, &one, &none, type_of(before),
                               ring, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK((before % 3 == 2 ? (int)in_d : in_i) == before);
    OK(MPI_Comm_free(&ring));
}

/* Rank 0 gives an int to rank 1, and gets a double of each other member. */
static void types_to_all(void)
{
    int *counts = calloc(4 * (size_t)size, sizeof *counts), *displs = counts + size;
    int *none = counts + 2 * size, *out = counts + 3 * size, one = 1, got = -1;
    double *all = calloc((size_t)size, sizeof *all), own = rank + 0.5;

    for (int r = 1; r < size; r++) {
        counts[r] = 1;
        displs[r] = r;
    }
    if (rank == 0) {
        out[size > 1] = size > 1;
        OK(MPI_Alltoallv(&one, out, none, MPI_INT, all, counts, displs, MPI_DOUBLE,
                         MPI_COMM_WORLD));
        for (int r = 1; r < size; r++)
            CHECK(all[r] == r + 0.5);
    } else {
        out[0] = 1;
        counts[0] = rank == 1;
        for (int r = 1; r < size; r++)
            counts[r] = 0;
        OK(MPI_Alltoallv(&own, out, none, MPI_DOUBLE, &got, counts, none, MPI_INT, MPI_COMM_WORLD));
        CHECK(got == (rank == 1 ? 1 : -1));
    }
    free(counts);
    free(all);
}

/* The lists of the first and the last member of a chain are empty. */
static void chain(void)
{
    int next = rank + 1, before = rank - 1, in = rank > 0, out = rank < size - 1;
    int one = 1, none = 0, got = -1;
    MPI_Aint here = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Comm c;

    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, &before, &one, out, &next, &one,
                                      MPI_INFO_NULL, 0, &c));
    OK(MPI_Neighbor_alltoallv(&rank, out ? &one : NULL, out ? &none : NULL, MPI_INT, &got,
                              in ? &one : NULL, in ? &none : NULL, MPI_INT, c));
    CHECK(got == (in ? before : -1));
    got = -1;
    OK(MPI_Neighbor_alltoallw(&rank, out ? &one : NULL, out ? &here : NULL, out ? &type : NULL,
                              &got, in ? &one : NULL, in ? &here : NULL, in ? &type : NULL, c));
    CHECK(got == (in ? before : -1));
    got = -1;
    OK(MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, &got, in ? &one : NULL, in ? &none : NULL,
                               MPI_INT, c));
    CHECK(got == (in ? before : -1));
    OK(MPI_Comm_free(&c));
}

/* The largest distances, in 64 bits. */
static void far_away(void)
{
    int period = 1, source, dest;
    MPI_Comm ring;

    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring));
    OK(MPI_Cart_shift(ring, 0, INT_MIN, &source, &dest));
    CHECK(source == (int)((rank - (long long)INT_MIN) % size));
    CHECK(dest == (int)(((rank + (long long)INT_MIN) % size + size) % size));
    OK(MPI_Comm_free(&ring));
}

int main(int argc, char **argv)
{
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    ring_of_types();
    types_to_all();
    chain();
    far_away();
    return all_right();
}
