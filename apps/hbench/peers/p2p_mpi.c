/* p2p_mpi.c - the messages of MPI libraries, for hbench p2p (p2p.h).
 *
 *     mpiexec -n 2 hbench-mpich latency:BYTES:WINDOW:WARM:COUNT stream:... rate:...
 */
#include "p2p.h"

#include <mpi.h>

enum { TAG = 1 };

void p2p_send(int to, const char *data, int bytes)
{
    MPI_Send(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

void p2p_receive(int from, char *data, int bytes)
{
    MPI_Recv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void p2p_pour(int to, const char *data, int bytes, int window)
{
    MPI_Request r[P2P_WINDOW];
    MPI_Status status[P2P_WINDOW];

    for (int i = 0; i < window; i++)
        MPI_Isend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &r[i]);
    MPI_Waitall(window, r, status);
}

void p2p_drain(int from, char *data, int bytes, int window)
{
    MPI_Request r[P2P_WINDOW];
    MPI_Status status[P2P_WINDOW];

    for (int i = 0; i < window; i++)
        MPI_Irecv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &r[i]);
    MPI_Waitall(window, r, status);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2 || !p2p_measure(rank, argc, argv))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
