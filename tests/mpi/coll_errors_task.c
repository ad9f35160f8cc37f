/* coll_errors_task.c - mistakes in collective operations of MPI: each gives an error of its class,
 * whose text names the call and the communicator, and the next operation is right. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(const char *what, int error, int class, const char *word)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int got, length;

    MPI_Error_class(error, &got);
    MPI_Error_string(error, text, &length);
    if (got == class && strstr(text, word))
        return;
    printf("%s: class %d instead of %d, %s\n", what, got, class, text);
    wrong++;
}

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static MPI_Comm c;
static int rank, size, data[4], more[64];

static void wrong_roots_and_counts(void)
{
    MPI_Request request;

    expect("negative count", MPI_Bcast(data, -1, MPI_INT, 0, c), MPI_ERR_COUNT,
           "MPI_Bcast on ours");
    expect("root", MPI_Bcast(data, 1, MPI_INT, size, c), MPI_ERR_ROOT, "root");
    expect("root of a nonblocking one", MPI_Ibcast(data, 1, MPI_INT, -7, c, &request), MPI_ERR_ROOT,
           "MPI_Ibcast");
    expect("no type", MPI_Bcast(data, 1, MPI_DATATYPE_NULL, 0, c), MPI_ERR_TYPE, "DATATYPE_NULL");
}

static void wrong_types(void)
{
    MPI_Datatype raw, freed;

    MPI_Type_contiguous(2, MPI_INT, &raw);
    expect("not committed", MPI_Bcast(data, 1, raw, 0, c), MPI_ERR_TYPE, "committed");
    freed = raw;
    MPI_Type_free(&raw);
    expect("freed type", MPI_Bcast(data, 1, freed, 0, c), MPI_ERR_TYPE, "freed");
}

static void wrong_operators_and_buffers(void)
{
    MPI_Op op;

    expect("no buffer", MPI_Allreduce(data, NULL, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER,
           "buffer");
    expect("operator", MPI_Allreduce(data, more, 1, MPI_DOUBLE, MPI_BAND, c), MPI_ERR_OP,
           "MPI_DOUBLE");
    expect("no operator", MPI_Allreduce(data, more, 1, MPI_INT, MPI_OP_NULL, c), MPI_ERR_OP,
           "MPI_OP_NULL");
    MPI_Op_create(sum, 1, &op);
    MPI_Op freed_op = op;
    MPI_Op_free(&op);
    expect("freed operator", MPI_Allreduce(data, more, 1, MPI_INT, freed_op, c), MPI_ERR_OP,
           "freed");
    expect("in place at a root", MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, c), MPI_ERR_BUFFER,
           "IN_PLACE");
}

static void wrong_lists_and_topologies(void)
{
    int counts[64] = {0}, places[64] = {0};
    MPI_Comm ring;

    expect("no list", MPI_Allgatherv(data, 0, MPI_INT, more, NULL, places, MPI_INT, c), MPI_ERR_ARG,
           "list");
    counts[0] = -3;
    expect("negative count in a list",
           MPI_Allgatherv(data, 0, MPI_INT, more, counts, places, MPI_INT, c), MPI_ERR_COUNT, "-3");
    counts[0] = 0;
    expect("longer than expected", MPI_Allgather(data, 4, MPI_INT, more, 1, MPI_INT, c),
           MPI_ERR_TRUNCATE, "bytes");
    expect("no topology", MPI_Neighbor_allgather(data, 1, MPI_INT, more, 1, MPI_INT, c),
           MPI_ERR_TOPOLOGY, "topology");
    expect("mesh", MPI_Cart_create(c, 1, (int[]){size + 1}, (int[]){0}, 0, &ring), MPI_ERR_DIMS,
           "mesh");
}

/* What a member gives itself is where it gets it. */
static void same_buffers(void)
{
    MPI_Request request;

    expect("sum in itself", MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER,
           "same");
    expect("sum here", MPI_Reduce_local(data, data, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "same");
    expect("exchange", MPI_Ialltoall(more, 2, MPI_INT, more, 2, MPI_INT, c, &request),
           MPI_ERR_BUFFER, "same");
    expect("own block", MPI_Allgather(&more[rank], 1, MPI_INT, more, 1, MPI_INT, c), MPI_ERR_BUFFER,
           "same");
}

/* Only the root is wrong: what follows is right again. */
static void one_is_wrong(void)
{
    int error = MPI_Gather(data, 4, MPI_INT, more, rank == 0 ? 1 : 4, MPI_INT, 0, c);

    if (rank == 0)
        expect("less than the caller's own", error, MPI_ERR_TRUNCATE, "MPI_Gather");
}

/* Only rank 0 is wrong, and the others would wait for it: all get an error, and the next operation
 * is right. */
static void first_is_wrong(void)
{
    int count = rank == 0 ? -1 : 1, list[64] = {0};
    MPI_Op op = rank == 0 ? MPI_OP_NULL : MPI_SUM;
    MPI_Comm own;

    list[1] = count;
    MPI_Comm_dup(c, &own);
    for (int i = 0; i < 5; i++) {
        MPI_Request r = MPI_REQUEST_NULL;
        int error = i == 0   ? MPI_Allreduce(data, more, count, MPI_INT, MPI_SUM, own)
                    : i == 1 ? MPI_Allreduce(data, more, 1, MPI_INT, op, own)
                    : i == 2 ? MPI_Bcast(rank == 0 ? MPI_IN_PLACE : data, 1, MPI_INT, 0, own)
                    : i == 3 ? MPI_Ibcast(data, count, MPI_INT, 0, own, &r)
                             : MPI_Allgatherv(data, 0, MPI_INT, more, list, list, MPI_INT, own);
        if (error == MPI_SUCCESS)
            error = MPI_Wait(&r, MPI_STATUS_IGNORE);
        int sum = 1, next = MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, own);
        if ((error == MPI_SUCCESS && size > 1) || next != MPI_SUCCESS || sum != size) {
            printf("rank %d: call %d, wrong at rank 0: %d, then %d\n", rank, i, error, next);
            wrong++;
        }
    }
    MPI_Comm_free(&own);
}

static void wrong_communicators(void)
{
    MPI_Comm gone;

    MPI_Comm_dup(c, &gone);
    MPI_Comm handle = gone;
    MPI_Comm_free(&gone);
    expect("freed communicator", MPI_Barrier(handle), MPI_ERR_COMM, "freed");
    expect("no communicator", MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM, "MPI_COMM_NULL");
    expect("some number", MPI_Barrier((MPI_Comm)(void *)0x123456789), MPI_ERR_COMM, "communicator");
}

/* Operations go on after all this; counts that do not agree are found by the member concerned. */
static void afterwards(void)
{
    MPI_Comm gone;
    int n;

    n = 1;
    if (MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, c) || n != size) {
        printf("the next operation: %d instead of %d\n", n, size);
        wrong++;
    }
    /* Counts that do not agree: the member that gets less says so. */
    MPI_Comm_dup(c, &gone);
    int error = MPI_Bcast(more, rank == 0 ? 8 : 4, MPI_INT, 0, gone);
    if (rank == size - 1 && size > 1)
        expect("another count than the root's", error, MPI_ERR_TRUNCATE, "MPI_Bcast");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_name(c, "ours");
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    wrong_roots_and_counts();
    wrong_types();
    wrong_operators_and_buffers();
    wrong_lists_and_topologies();
    wrong_communicators();
    same_buffers();
    one_is_wrong();
    first_is_wrong();
    afterwards();
    MPI_Barrier(c);
    if (rank == 0)
        printf(wrong ? "wrong\n" : "right\n");
    MPI_Finalize();
    return wrong;
}
