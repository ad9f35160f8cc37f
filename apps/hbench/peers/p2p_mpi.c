/* p2p_mpi.c - hbench p2p's loops, with MPI's messages instead of hnow's (started by peer.c).
 *
 *     mpiexec -n 2 hbench-mpich latency:BYTES:WINDOW:WARM:COUNT stream:... rate:...
 *
 * Rank 0 prints one line a sample: "latency BYTES SECONDS".  What is measured is what p2p.c says.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, TAG_DATA = 1, TAG_DRAINED };

struct measure {
    char name[16];
    int bytes, window, warm, count;
};

static char *out, *in;

static double ping(int bytes)
{
    double start = MPI_Wtime();

    MPI_Send(out, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (MPI_Wtime() - start) / 2;
}

static void pong(int bytes)
{
    MPI_Recv(in, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
}

static double pour(int bytes, int window)
{
    MPI_Request r[WINDOW];
    MPI_Status status[WINDOW];
    double start = MPI_Wtime();

    for (int i = 0; i < window; i++)
        MPI_Isend(out, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &r[i]);
    MPI_Waitall(window, r, status);
    MPI_Recv(in, 0, MPI_BYTE, 1, TAG_DRAINED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (MPI_Wtime() - start) / window;
}

static void drain(int bytes, int window)
{
    MPI_Request r[WINDOW];
    MPI_Status status[WINDOW];

    for (int i = 0; i < window; i++)
        MPI_Irecv(in, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &r[i]);
    MPI_Waitall(window, r, status);
    MPI_Send(out, 0, MPI_BYTE, 0, TAG_DRAINED, MPI_COMM_WORLD);
}

static void run(const struct measure *m, int rank)
{
    int latency = strcmp(m->name, "latency") == 0;

    for (int i = -m->warm; i < m->count; i++) {
        double took = 0;

        if (rank == 0)
            took = latency ? ping(m->bytes) : pour(m->bytes, m->window);
        else if (latency)
            pong(m->bytes);
        else
            drain(m->bytes, m->window);
        if (rank == 0 && i >= 0)
            printf("%s %d %.9f\n", m->name, m->bytes, took);
    }
}

/* Memory that has been written, as hbench's: the system maps what has not been to one page of
 * zeros, which is copied out of the nearest cache. */
static char *noise(size_t bytes)
{
    char *data = malloc(bytes + 1);

    for (size_t i = 0; data && i <= bytes; i++)
        data[i] = (char)(i * 2654435761u >> 13);
    return data;
}

static int read_measure(const char *text, struct measure *m)
{
    return sscanf(text, "%15[a-z]:%d:%d:%d:%d", m->name, &m->bytes, &m->window, &m->warm,
                  &m->count) == 5 &&
           m->bytes >= 0 && m->window > 0 && m->window <= WINDOW;
}

int main(int argc, char **argv)
{
    int rank, size, largest = 0;
    struct measure m;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++)
        if (read_measure(argv[i], &m) && m.bytes > largest)
            largest = m.bytes;
    out = noise((size_t)largest);
    in = noise((size_t)largest);
    if (size != 2 || !out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i < argc; i++)
        if (read_measure(argv[i], &m))
            run(&m, rank);
    MPI_Finalize();
    return 0;
}
