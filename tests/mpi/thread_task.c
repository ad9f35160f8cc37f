/* thread_task.c - MPI_THREAD_MULTIPLE: threads send to and receive from themselves and those of
 * another rank, each by a tag or a communicator of its own, and all by one tag; they access one
 * window; objects that ended threads have freed are used again: thread_task */
#include "mpi_check.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 300, SHARED = 99 };

static int rank, size;
static MPI_Comm comm[THREADS];

static void *talk(void *arg)
{
    int me = (int)(long)arg, to = (rank + 1) % size, from = (rank + size - 1) % size;

    for (int i = 0; i < ROUNDS; i++) {
        int out[2] = {rank, i}, in[2] = {-1, -1};
        MPI_Request r[2];
        MPI_Status status;
        MPI_Message message;
        MPI_Comm c = i % 2 ? comm[me] : MPI_COMM_WORLD;

        OK(MPI_Irecv(in, 2, MPI_INT, from, me, c, &r[0]));
        OK(i % 3 ? MPI_Isend(out, 2, MPI_INT, to, me, c, &r[1])
                 : MPI_Issend(out, 2, MPI_INT, to, me, c, &r[1]));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK(in[0] == from && in[1] == i);
        /* What was found by a matched probe is taken by nobody else. */
        OK(MPI_Send(out, 1 + i % 2, MPI_INT, to, SHARED, MPI_COMM_WORLD));
        OK(MPI_Mprobe(MPI_ANY_SOURCE, SHARED, MPI_COMM_WORLD, &message, &status));
        int n, m;
        OK(MPI_Get_count(&status, MPI_INT, &n));
        OK(MPI_Mrecv(in, n, MPI_INT, &message, &status));
        OK(MPI_Get_count(&status, MPI_INT, &m));
        CHECK(n == m && in[0] == from);
    }
    return NULL;
}

static MPI_Win win;

/* A thread's flush completes its own accesses, also while another thread flushes. */
static void *count(void *arg)
{
    int me = (int)(long)arg, to = (rank + 1) % size, one = 1;

    for (int i = 0; i < ROUNDS; i++) {
        int before = -1, after = -1;
        MPI_Request r;
        OK(MPI_Fetch_and_op(&one, &before, MPI_INT, to, me, MPI_SUM, win));
        OK(MPI_Win_flush(to, win));
        CHECK(before == i);
        OK(MPI_Rget(&after, 1, MPI_INT, to, me, 1, MPI_INT, win, &r));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK(after == i + 1);
    }
    return NULL;
}

static void run_all(void *(*body)(void *))
{
    pthread_t threads[THREADS];

    for (long i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void count_all(void)
{
    int counters[THREADS] = {0};

    OK(MPI_Win_create(counters, sizeof counters, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD,
                      &win));
    OK(MPI_Win_lock_all(0, win));
    run_all(count);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

enum { BRIEF = 11000, OBJECTS = 100 }; /* in all, more than there can be at the same time */

/* Makes objects, frees all but one of them, and another thread's one. */
static void *make_and_free(void *arg)
{
    MPI_Info *other = arg, infos[OBJECTS];

    for (int i = 0; i < OBJECTS; i++)
        OK(MPI_Info_create(&infos[i]));
    OK(MPI_Info_free(other));
    *other = infos[0];
    for (int i = 1; i < OBJECTS; i++)
        OK(MPI_Info_free(&infos[i]));
    return NULL;
}

static void use_again(void)
{
    pthread_t thread;
    MPI_Info info;

    OK(MPI_Info_create(&info));
    for (int i = 0; i < BRIEF; i++) {
        CHECK(pthread_create(&thread, NULL, make_and_free, &info) == 0);
        pthread_join(thread, NULL);
    }
    OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    int provided;

    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    CHECK(provided == MPI_THREAD_MULTIPLE);
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]));
    run_all(talk);
    count_all();
    if (rank == 0)
        use_again();
    return all_right();
}
