/* partitioned_task.c - partitioned messages between neighbours in a ring: partitioned_task */
#include "mpi_check.h"

#include <pthread.h>
#include <string.h>

enum { ROUNDS = 20, PARTS = 6, EACH = 4, ALL = PARTS * EACH, THREADS = 3, TAG = 5 };

static int rank, size, to, from;
static MPI_Comm comm;
static int out[ALL], in[ALL];

static void fill(int round)
{
    for (int i = 0; i < ALL; i++) {
        out[i] = 10000 * rank + 100 * round + i;
        in[i] = -1;
    }
}

static void check(int round)
{
    for (int i = 0; i < ALL; i++)
        CHECK(in[i] == 10000 * from + 100 * round + i);
}

/* A send and a receive of all data, with other partitions on the two sides. */
static void make_pair(MPI_Request r[2])
{
    OK(MPI_Psend_init(out, PARTS, EACH, MPI_INT, to, TAG, comm, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, PARTS / 2, 2 * EACH, MPI_INT, from, TAG, comm, MPI_INFO_NULL, &r[1]));
}

static void free_all(int n, MPI_Request r[])
{
    for (int i = 0; i < n; i++) {
        OK(MPI_Request_free(&r[i]));
        CHECK(r[i] == MPI_REQUEST_NULL);
    }
}

/* Partitions become ready in any order, by all calls. */
static void rounds(void)
{
    MPI_Request r[2];
    MPI_Status statuses[2];
    int n;

    make_pair(r);
    for (int i = 0; i < ROUNDS; i++) {
        fill(i);
        OK(MPI_Startall(2, r));
        OK(MPI_Pready(5, r[0]));
        OK(MPI_Pready_list(2, (int[]){3, 1}, r[0]));
        OK(MPI_Pready(0, r[0]));
        OK(i % 2 ? MPI_Pready_range(4, 4, r[0]) : MPI_Pready(4, r[0]));
        OK(MPI_Pready_range(2, 2, r[0]));
        OK(MPI_Waitall(2, r, statuses));
        check(i);
        OK(MPI_Get_count(&statuses[1], MPI_INT, &n));
        CHECK(n == ALL && statuses[1].MPI_SOURCE == from && statuses[1].MPI_TAG == TAG);
    }
    free_all(2, r);
}

static void *arrived(void *request)
{
    int flag = 0;

    while (!flag)
        OK(MPI_Parrived(*(MPI_Request *)request, 1, &flag));
    return NULL;
}

/* No partition arrives before the last one is ready. */
static void arrival(void)
{
    MPI_Request r[2];
    int flag;

    make_pair(r);
    OK(MPI_Parrived(r[1], 0, &flag)); /* at rest */
    CHECK(flag);
    OK(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag));
    CHECK(flag);
    for (int i = 0; i < ROUNDS; i++) {
        fill(i);
        OK(MPI_Barrier(comm));
        OK(MPI_Startall(2, r));
        OK(MPI_Pready_range(1, PARTS - 1, r[0]));
        OK(MPI_Parrived(r[1], 2, &flag));
        CHECK(!flag);
        OK(MPI_Barrier(comm));
        OK(MPI_Pready(0, r[0]));
        arrived(&r[1]);
        check(i);
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    }
    free_all(2, r);
}

struct share {
    MPI_Request request;
    int first;
};

static void *make_ready(void *arg)
{
    const struct share *s = arg;

    for (int i = s->first; i < PARTS; i += THREADS)
        OK(MPI_Pready(i, s->request));
    return NULL;
}

/* Some threads fill the message, others look for it, and this one waits for all of it. */
static void threads(void)
{
    MPI_Request r[2];
    pthread_t sending[THREADS], looking[THREADS];
    struct share shares[THREADS];

    make_pair(r);
    for (int i = 0; i < 10 * ROUNDS; i++) {
        fill(i % ROUNDS);
        OK(MPI_Startall(2, r));
        for (int t = 0; t < THREADS; t++) {
            shares[t] = (struct share){r[0], t};
            CHECK(pthread_create(&looking[t], NULL, arrived, &r[1]) == 0);
            CHECK(pthread_create(&sending[t], NULL, make_ready, &shares[t]) == 0);
        }
        if (i % 3 == 0)
            OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        for (int left = 2, at; i % 3 == 1 && left > 0; left--)
            OK(MPI_Waitany(2, r, &at, MPI_STATUS_IGNORE));
        for (int t = 0; t < THREADS; t++) {
            pthread_join(looking[t], NULL);
            pthread_join(sending[t], NULL);
        }
        check(i % ROUNDS);
        OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
        OK(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
    }
    free_all(2, r);
}

/* Requests of one tag match in the order in which they are made, whatever is started first.  Pairs
 * that are freed unused have matched, too, also where the receive is freed before the send is made.
 */
static void matching(void)
{
    enum { PAIRS = 3 };
    MPI_Request r[2 * PAIRS], unused[2];
    int data[2 * PAIRS], x = 7, y = 0;
    MPI_Status status;

    make_pair(unused);
    free_all(2, unused);
    OK(MPI_Precv_init(in, 1, 1, MPI_INT, from, TAG, comm, MPI_INFO_NULL, unused));
    free_all(1, unused);
    OK(MPI_Psend_init(out, 1, 1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, unused));
    free_all(1, unused);
    for (int i = 0; i < PAIRS; i++)
        OK(MPI_Psend_init(&data[i], 1, 1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, &r[i]));
    for (int i = 0; i < PAIRS; i++)
        OK(MPI_Precv_init(&data[PAIRS + i], 1, 1, MPI_INT, from, TAG, comm, MPI_INFO_NULL,
                          &r[PAIRS + i]));
    for (int i = PAIRS - 1; i >= 0; i--) {
        data[i] = 100 * rank + i;
        OK(MPI_Start(&r[i]));
        OK(MPI_Pready(0, r[i]));
    }
    /* Other messages do not match them, whether they have a wildcard or not. */
    OK(MPI_Send(&x, 1, MPI_INT, to, TAG, comm));
    OK(MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    CHECK(y == 7 && status.MPI_TAG == TAG);
    OK(MPI_Startall(PAIRS, r + PAIRS));
    OK(MPI_Waitall(2 * PAIRS, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < PAIRS; i++)
        CHECK(data[PAIRS + i] == 100 * from + i);
    free_all(2 * PAIRS, r);
}

/* No partitions, nobody, and a datatype with gaps. */
static void forms(void)
{
    MPI_Request r[2];
    MPI_Datatype every_other;
    MPI_Status statuses[2];

    OK(MPI_Psend_init(NULL, 0, 9, MPI_INT, to, TAG, comm, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, 2, 0, MPI_INT, from, TAG, comm, MPI_INFO_NULL, &r[1]));
    OK(MPI_Startall(2, r));
    OK(MPI_Waitall(2, r, statuses));
    free_all(2, r);

    OK(MPI_Psend_init(out, 1, 9, MPI_INT, MPI_PROC_NULL, TAG, comm, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, 1, 9, MPI_INT, MPI_PROC_NULL, TAG, comm, MPI_INFO_NULL, &r[1]));
    OK(MPI_Startall(2, r));
    OK(MPI_Pready(0, r[0]));
    OK(MPI_Waitall(2, r, statuses));
    CHECK(statuses[1].MPI_SOURCE == MPI_PROC_NULL);
    free_all(2, r);

    fill(1);
    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &every_other)); /* elements 0 and 2 of four */
    OK(MPI_Type_create_resized(every_other, 0, EACH * sizeof(int), &every_other));
    OK(MPI_Type_commit(&every_other));
    OK(MPI_Psend_init(out, PARTS, 1, every_other, to, TAG, comm, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, 1, 2 * PARTS, MPI_INT, from, TAG, comm, MPI_INFO_NULL, &r[1]));
    OK(MPI_Type_free(&every_other));
    OK(MPI_Startall(2, r));
    OK(MPI_Pready_range(0, PARTS - 1, r[0]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2 * PARTS; i++)
        CHECK(in[i] == 10000 * from + 100 + 2 * i);
    free_all(2, r);
}

#define GIVES(class, call) CHECK(class_of(call) == (class))

static void wrong_calls(void)
{
    MPI_Request r[2], other;
    MPI_Status status;
    int flag;

    GIVES(MPI_ERR_ARG, MPI_Psend_init(out, -1, 1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, r));
    GIVES(MPI_ERR_COUNT, MPI_Psend_init(out, 1, -1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, r));
    GIVES(MPI_ERR_COUNT,
          MPI_Psend_init(out, 9, (MPI_Count)1 << 62, MPI_INT, to, TAG, comm, MPI_INFO_NULL, r));
    GIVES(MPI_ERR_RANK,
          MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, MPI_INFO_NULL, r));
    GIVES(MPI_ERR_TAG,
          MPI_Precv_init(in, 1, 1, MPI_INT, from, MPI_ANY_TAG, comm, MPI_INFO_NULL, r));
    GIVES(MPI_ERR_REQUEST, MPI_Psend_init(out, 1, 1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, NULL));
    make_pair(r);
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, r[0]));
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
    OK(MPI_Start(&r[1]));
    GIVES(MPI_ERR_REQUEST, MPI_Start(&r[1]));
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, r[1]));
    GIVES(MPI_ERR_ARG, MPI_Parrived(r[1], PARTS / 2, &flag));
    GIVES(MPI_ERR_ARG, MPI_Parrived(r[1], 0, NULL));
    OK(MPI_Start(&r[0]));
    GIVES(MPI_ERR_REQUEST, MPI_Parrived(r[0], 0, &flag));
    GIVES(MPI_ERR_ARG, MPI_Pready(PARTS, r[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready(-1, r[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready_list(1, NULL, r[0]));
    OK(MPI_Pready(0, r[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready(0, r[0]));
    GIVES(MPI_ERR_ARG, MPI_Pready_range(PARTS - 1, PARTS, r[0]));
    OK(MPI_Pready_range(1, PARTS - 2, r[0]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    free_all(2, r);

    OK(MPI_Psend_init(out, 2, 1, MPI_INT, to, TAG, comm, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, 1, 1, MPI_INT, from, TAG, comm, MPI_INFO_NULL, &r[1]));
    OK(MPI_Startall(2, r));
    OK(MPI_Pready_range(0, 1, r[0]));
    GIVES(MPI_ERR_TRUNCATE, MPI_Wait(&r[1], &status));
    OK(MPI_Wait(&r[0], &status));
    free_all(2, r);

    OK(MPI_Irecv(in, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &other));
    GIVES(MPI_ERR_REQUEST, MPI_Pready(0, other));
    GIVES(MPI_ERR_REQUEST, MPI_Parrived(other, 0, &flag));
    OK(MPI_Cancel(&other));
    OK(MPI_Wait(&other, &status));
}

/* A send that is freed without its last partition keeps nobody from MPI_Finalize(). */
static void unfinished(void)
{
    MPI_Request r[2];

    make_pair(r);
    OK(MPI_Startall(2, r));
    OK(MPI_Pready(1, r[0]));
    free_all(2, r);
}

static MPI_Request marked;

static void mark_first(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
    OK(MPI_Pready(0, marked));
}

/* An error handler that uses the same request. */
static void handler(void)
{
    MPI_Errhandler marks;
    MPI_Request r[2];

    OK(MPI_Comm_create_errhandler(mark_first, &marks));
    make_pair(r);
    fill(1);
    OK(MPI_Startall(2, r));
    marked = r[0];
    OK(MPI_Comm_set_errhandler(comm, marks));
    CHECK(class_of(MPI_Pready(PARTS, r[0])) == MPI_ERR_ARG);
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Pready_range(1, PARTS - 1, r[0]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    check(1);
    free_all(2, r);
    OK(MPI_Errhandler_free(&marks));
}

int main(int argc, char **argv)
{
    int provided;

    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    rounds();
    arrival();
    threads();
    matching();
    forms();
    wrong_calls();
    handler();
    unfinished();
    return all_right();
}
