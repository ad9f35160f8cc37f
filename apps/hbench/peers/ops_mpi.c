/* ops_mpi.c - the collective operations of MPI libraries, for hbench (ops.h).
 *
 *     mpiexec -n N hbench-mpich-ops OPERATION:BYTES:WINDOW:WARM:COUNT ...
 */
#include "ops.h"

#include "../numbers.h"

#include <mpi.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1 };

static MPI_Datatype element(const struct ops_data *d)
{
    return d->doubles ? MPI_DOUBLE : MPI_UINT8_T;
}

/* ---- the operations ---- */

void ops_barrier(struct ops_data *d)
{
    (void)d;
    MPI_Barrier(MPI_COMM_WORLD);
}

void ops_bcast(struct ops_data *d)
{
    MPI_Bcast(d->out, d->count, element(d), 0, MPI_COMM_WORLD);
}

void ops_scatter(struct ops_data *d)
{
    MPI_Scatter(d->in, d->count, element(d), d->out, d->count, element(d), 0, MPI_COMM_WORLD);
}

void ops_gather(struct ops_data *d)
{
    MPI_Gather(d->in, d->count, element(d), d->out, d->count, element(d), 0, MPI_COMM_WORLD);
}

void ops_reduce(struct ops_data *d)
{
    MPI_Reduce(d->in, d->out, d->count, element(d), MPI_SUM, 0, MPI_COMM_WORLD);
}

void ops_allreduce(struct ops_data *d)
{
    MPI_Allreduce(d->in, d->out, d->count, element(d), MPI_SUM, MPI_COMM_WORLD);
}

void ops_allgather(struct ops_data *d)
{
    MPI_Allgather(d->in, d->count, element(d), d->out, d->count, element(d), MPI_COMM_WORLD);
}

void ops_allgatherv(struct ops_data *d)
{
    MPI_Allgatherv(d->in, d->count, element(d), d->out, d->counts, d->counts + d->size, element(d),
                   MPI_COMM_WORLD);
}

void ops_alltoall(struct ops_data *d)
{
    MPI_Alltoall(d->in, d->count, element(d), d->out, d->count, element(d), MPI_COMM_WORLD);
}

void ops_reduce_scatter(struct ops_data *d)
{
    MPI_Reduce_scatter_block(d->in, d->out, d->count, element(d), MPI_SUM, MPI_COMM_WORLD);
}

void ops_scan(struct ops_data *d)
{
    MPI_Scan(d->in, d->out, d->count, element(d), MPI_SUM, MPI_COMM_WORLD);
}

void ops_exscan(struct ops_data *d)
{
    MPI_Exscan(d->in, d->out, d->count, element(d), MPI_SUM, MPI_COMM_WORLD);
}

/* ---- messages ---- */

int numbers_size(void)
{
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

int numbers_clock(int rank)
{
    return rank;
}

bool numbers_send(int to, const int64_t *numbers, int n)
{
    return MPI_Send(numbers, n, MPI_INT64_T, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

bool numbers_receive(int from, int64_t *numbers, int n)
{
    return MPI_Recv(numbers, n, MPI_INT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

/* MPICH over UCX mostly waits for ever for its connections to be closed, so it is left without:
 * when all are done, and what was printed is on its way.  Its launcher may call that a failure; the
 * last line says that it was none. */
static void leave(int rank)
{
    static const struct timespec rest = {0, 300000000};

    if (rank == 0)
        printf("done\n");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef MPICH_VERSION
    nanosleep(&rest, NULL);
    _exit(0);
#else
    (void)rest;
    MPI_Finalize();
#endif
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!ops_measure(rank, numbers_size(), argc, argv))
        MPI_Abort(MPI_COMM_WORLD, 1);
    leave(rank);
    return 0;
}
