/* peer_mpi.c - the messages and collective operations of MPI libraries, for hbench
 * (peer_cases.h).
 *
 *     mpiexec -n N hbench-mpich CASE:BYTES:WINDOW:WARM:COUNT ...
 *
 * Compiled once for each library, with its own mpicc. Errors need no handling:
 * MPI_ERRORS_ARE_FATAL is the default, and the launcher then ends with a failure, which hbench
 * reports. Counts are ints, so sizes end at 2 GiB (peer_cases.c).
 */
#include "peer_cases.h"

#include "../numbers.h"

#include <mpi.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1 };

/* ---- messages between ranks 0 and 1 ---- */

/* Blocking calls, as in programs; the library chooses its protocol by size. */
static bool put(struct pair *p, size_t bytes)
{
    return MPI_Send(p->out, (int)bytes, MPI_BYTE, p->other, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

/* Sender and tag are given, so that no wildcard costs anything. */
static bool take(struct pair *p, size_t bytes)
{
    return MPI_Recv(p->in, (int)bytes, MPI_BYTE, p->other, TAG, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

/* The answer of no bytes shows that all messages have been received. */
static bool burst(struct pair *p, size_t bytes, int window)
{
    MPI_Request r[PINGPONG_WINDOW];
    MPI_Status status[PINGPONG_WINDOW];

    for (int i = 0; i < window; i++)
        MPI_Isend(p->out, (int)bytes, MPI_BYTE, p->other, TAG, MPI_COMM_WORLD, &r[i]);
    /* All sends are in progress at once, like hnow's. */
    return MPI_Waitall(window, r, status) == MPI_SUCCESS && take(p, 0);
}

/* One buffer for all receives: the data is not looked at. */
static bool drain(struct pair *p, size_t bytes, int window)
{
    MPI_Request r[PINGPONG_WINDOW];
    MPI_Status status[PINGPONG_WINDOW];

    for (int i = 0; i < window; i++)
        MPI_Irecv(p->in, (int)bytes, MPI_BYTE, p->other, TAG, MPI_COMM_WORLD, &r[i]);
    return MPI_Waitall(window, r, status) == MPI_SUCCESS && put(p, 0);
}

const struct wire peer_wire = {"mpi", put, take, burst, drain};

/* ---- the operations ---- */

/* Has no data, so the macro below does not fit. */
void ops_barrier(struct ops_data *d)
{
    (void)d;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* MPI_CALL() with these arguments and the world; ELEMENTS: the data of one rank. */
#define OPERATION(name, CALL, ...)                                                                 \
    void ops_##name(struct ops_data *d)                                                            \
    {                                                                                              \
        MPI_##CALL(__VA_ARGS__, MPI_COMM_WORLD);                                                   \
    }
#define ELEMENTS d->count, d->doubles ? MPI_DOUBLE : MPI_UINT8_T
/* Bytes are MPI_UINT8_T, because MPI_BYTE cannot be summed. Each operation is the library's own
 * choice of algorithm. */
OPERATION(bcast, Bcast, d->out, ELEMENTS, 0)
OPERATION(scatter, Scatter, d->in, ELEMENTS, d->out, ELEMENTS, 0)
OPERATION(gather, Gather, d->in, ELEMENTS, d->out, ELEMENTS, 0)
OPERATION(reduce, Reduce, d->in, d->out, ELEMENTS, MPI_SUM, 0)
OPERATION(allreduce, Allreduce, d->in, d->out, ELEMENTS, MPI_SUM)
OPERATION(allgather, Allgather, d->in, ELEMENTS, d->out, ELEMENTS)
OPERATION(allgatherv, Allgatherv, d->in, ELEMENTS, d->out, d->counts, d->counts + d->size,
          d->doubles ? MPI_DOUBLE : MPI_UINT8_T)
OPERATION(alltoall, Alltoall, d->in, ELEMENTS, d->out, ELEMENTS)
OPERATION(reduce_scatter, Reduce_scatter_block, d->in, d->out, ELEMENTS, MPI_SUM)
OPERATION(scan, Scan, d->in, d->out, ELEMENTS, MPI_SUM)
OPERATION(exscan, Exscan, d->in, d->out, ELEMENTS, MPI_SUM)

/* ---- numbers ---- */

int numbers_size(void)
{
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* Unknown: every rank is asked for its clock. */
int numbers_clock(int rank)
{
    return rank;
}

/* The same tag as measured messages: MPI keeps the order of messages between two ranks. */
bool numbers_send(int to, const int64_t *numbers, int n)
{
    return MPI_Send(numbers, n, MPI_INT64_T, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

/* Exactly n numbers are expected; MPI converts them between unlike hosts. */
bool numbers_receive(int from, int64_t *numbers, int n)
{
    return MPI_Recv(numbers, n, MPI_INT64_T, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

/* MPICH over UCX often hangs while its connections are closed.  So its processes exit without that,
 * once all are done and the output is written.  The launcher may report that as a failure; the last
 * line of output shows that it was none. */
static void leave(int rank)
{
    static const struct timespec rest = {0, 300000000};

    /* hbench accepts the run when it has read this line. */
    if (rank == 0)
        printf("done\n");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef MPICH_VERSION
    /* 0.3 s: the others get out of the barrier, and the launcher reads the output. */
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
    /* The error is printed already. */
    if (!peer_measure_all(rank, numbers_size(), argc, argv))
        MPI_Abort(MPI_COMM_WORLD, 1);
    leave(rank);
    return 0;
}
