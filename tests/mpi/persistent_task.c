/* persistent_task.c - persistent collective operations that are messages: members start them in
 * different orders: persistent_task */
#include "mpi_check.h"

#include <string.h>

enum { OPERATIONS = 16, ROUNDS = 30 };

static int rank, size;

/* Starts all requests, in an order that depends on the member and the round, and waits for them. */
static void start_all(MPI_Request *r, int n, int round)
{
    for (int i = 0; i < n; i++)
        OK(MPI_Start(&r[(rank * 7 + round + (rank % 2 ? n - 1 - i : i)) % n]));
    OK(MPI_Waitall(n, r, MPI_STATUSES_IGNORE));
}

static void free_all(MPI_Request *r, int n)
{
    for (int i = 0; i < n; i++)
        OK(MPI_Request_free(&r[i]));
}

/* What a member gives in an operation of a round. */
static int value(int member, int operation, int round)
{
    return 10000 * round + 100 * operation + member;
}

/* In a ring, which may have one or two members, with the two directions apart. */
static void neighbours(MPI_Comm c, int with_directions)
{
    enum { N = 4 };
    int out[N][2], in[N][2], left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request r[N];

    for (int i = 0; i < N; i++)
        OK(MPI_Neighbor_alltoall_init(out[i], 1, MPI_INT, in[i], 1, MPI_INT, c, MPI_INFO_NULL,
                                      &r[i]));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            out[i][0] = value(rank, i, round);
            out[i][1] = -out[i][0];
        }
        start_all(r, N, round);
        for (int i = 0; i < N && with_directions; i++) /* from the left, what goes to the right */
            CHECK(in[i][0] == -value(left, i, round) && in[i][1] == value(right, i, round));
        for (int i = 0; i < N && !with_directions; i++)
            CHECK(in[i][0] == value(left, i, round) && in[i][1] == -value(left, i, round));
    }
    free_all(r, N);
}

static void rings(void)
{
    int period = 1, left = (rank + size - 1) % size, right = (rank + 1) % size;
    int from[] = {left, left}, to[] = {right, right};
    MPI_Comm c;

    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &c));
    neighbours(c, 1);
    OK(MPI_Comm_free(&c));
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to,
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    neighbours(c, 0);
    OK(MPI_Comm_free(&c));
}

/* ---- between two groups --------------------------------------------------------------------- */

static int side, own, others, index_here; /* of the intercommunicator; ranks in its groups */
static int out[OPERATIONS][64], in[OPERATIONS][64];

/* Sum of a side's values. */
static int sum_of(int of, int n, int operation, int round)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += value(100 * of + i, operation, round);
    return sum;
}

/* Makes each operation twice: the first one is even. */
static void make(MPI_Comm c, int i, MPI_Request *r)
{
    int root = side == 0 ? index_here == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
    int other_root = side == 1 ? index_here == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
    MPI_Info none = MPI_INFO_NULL;

    switch (i / 2) {
    case 0:
        OK(MPI_Allreduce_init(out[i], in[i], 1, MPI_INT, MPI_SUM, c, none, r));
        break;
    case 1:
        OK(MPI_Allgather_init(out[i], 1, MPI_INT, in[i], 1, MPI_INT, c, none, r));
        break;
    case 2:
        OK(MPI_Gather_init(out[i], 1, MPI_INT, in[i], 1, MPI_INT, root, c, none, r));
        break;
    case 3:
        OK(MPI_Scatter_init(out[i], 1, MPI_INT, in[i], 1, MPI_INT, other_root, c, none, r));
        break;
    case 4:
        OK(MPI_Bcast_init(root == MPI_ROOT ? out[i] : in[i], 1, MPI_INT, root, c, none, r));
        break;
    case 5:
        OK(MPI_Reduce_init(out[i], in[i], 1, MPI_INT, MPI_SUM, other_root, c, none, r));
        break;
    case 6:
        OK(MPI_Reduce_scatter_block_init(out[i], in[i], others, MPI_INT, MPI_SUM, c, none, r));
        break;
    default:
        OK(MPI_Barrier_init(c, none, r));
    }
}

static void check(int i, int round)
{
    int first = value(100 * !side, i, round), sum = sum_of(!side, others, i, round);

    switch (i / 2) {
    case 0:
        CHECK(in[i][0] == sum);
        break;
    case 1:
        CHECK(in[i][0] == first && in[i][others - 1] == first + others - 1);
        break;
    case 2:
        CHECK(side == 1 || index_here > 0 || in[i][others - 1] == first + others - 1);
        break;
    case 3:
        CHECK(side == 1 || in[i][0] == first);
        break;
    case 4:
        CHECK(side == 0 || in[i][0] == first);
        break;
    case 5:
        CHECK(side == 0 || index_here > 0 || in[i][0] == sum);
        break;
    case 6:
        CHECK(in[i][0] == sum && in[i][others - 1] == sum);
    }
}

static void groups(void)
{
    MPI_Comm half, c;
    MPI_Request r[OPERATIONS];

    side = rank >= size / 2;
    OK(MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : size / 2, 1, &c));
    OK(MPI_Comm_rank(c, &index_here));
    OK(MPI_Comm_size(c, &own));
    OK(MPI_Comm_remote_size(c, &others));
    for (int i = 0; i < OPERATIONS; i++)
        make(c, i, &r[i]);
    for (int round = 0; round < ROUNDS; round++) {
        memset(in, 0, sizeof in);
        for (int i = 0; i < OPERATIONS; i++)
            for (int k = 0; k < 64; k++)
                out[i][k] = value(100 * side + index_here, i, round);
        start_all(r, OPERATIONS, round);
        for (int i = 0; i < OPERATIONS; i++)
            check(i, round);
    }
    free_all(r, OPERATIONS);
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    rings();
    if (size > 1)
        groups();
    return all_right();
}
