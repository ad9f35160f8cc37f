/* message_task.c - MPI's rules of matching, between neighbours in a ring: message_task */
#include "mpi_check.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 200, LARGE = 1 << 20 };

static int rank, size, to, from;
static MPI_Comm comm;
static int never; /* received */

/* Messages of one sender and tag do not overtake each other, whatever takes them. */
static void order(void)
{
    MPI_Request posted[MANY], out[MANY];
    MPI_Status status;
    int in[MANY], data[MANY];

    for (int i = 0; i < MANY; i++) {
        in[i] = -1;
        data[i] = i;
        OK(MPI_Irecv(&in[i], 1, MPI_INT, i % 3 ? from : MPI_ANY_SOURCE, i % 2 ? 5 : MPI_ANY_TAG,
                     comm, &posted[i]));
    }
    for (int i = 0; i < MANY; i++)
        OK(i % 2 ? MPI_Isend(&data[i], 1, MPI_INT, to, 5, comm, &out[i])
                 : MPI_Issend(&data[i], 1, MPI_INT, to, 5, comm, &out[i]));
    for (int left = MANY; left > 0; left--) {
        int i;
        OK(MPI_Waitany(MANY, posted, &i, &status));
        CHECK(in[i] == i && status.MPI_SOURCE == from && status.MPI_TAG == 5);
    }
    OK(MPI_Waitall(MANY, out, MPI_STATUSES_IGNORE));
}

/* A wildcard takes messages of its communicator only; tags are chosen among what has come. */
static void contexts(void)
{
    MPI_Comm other;
    MPI_Status status;
    int a = 1, b = 2, c = 3, in = 0;

    OK(MPI_Comm_dup(comm, &other));
    OK(MPI_Send(&a, 1, MPI_INT, to, 1, other));
    OK(MPI_Send(&b, 1, MPI_INT, to, 2, comm));
    OK(MPI_Send(&c, 1, MPI_INT, to, 3, comm));
    OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, &status));
    CHECK(in == 3);
    OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    CHECK(in == 2 && status.MPI_TAG == 2);
    OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &status));
    CHECK(in == 1 && status.MPI_TAG == 1);
    OK(MPI_Comm_free(&other));
    CHECK(other == MPI_COMM_NULL);
}

/* A message that is too long is an error of its receive, and no other's. */
static void truncation(void)
{
    int data[4] = {1, 2, 3, 4}, in[3] = {0, 0, -1}, class, n;
    MPI_Request posted[2];
    MPI_Status status[2];

    OK(MPI_Irecv(in, 2, MPI_INT, from, 1, comm, &posted[0]));
    OK(MPI_Irecv(in + 2, 1, MPI_INT, from, 1, comm, &posted[1]));
    OK(MPI_Barrier(comm));
    OK(MPI_Send(data, 4, MPI_INT, to, 1, comm));
    OK(MPI_Send(data, 1, MPI_INT, to, 1, comm));
    CHECK(MPI_Waitall(2, posted, status) == MPI_ERR_IN_STATUS);
    OK(MPI_Error_class(status[0].MPI_ERROR, &class));
    CHECK(class == MPI_ERR_TRUNCATE && status[1].MPI_ERROR == MPI_SUCCESS && in[2] == 1);
    OK(MPI_Send(data, 4, MPI_INT, to, 1, comm));
    OK(MPI_Error_class(MPI_Recv(in, 1, MPI_INT, from, 1, comm, &status[0]), &class));
    CHECK(class == MPI_ERR_TRUNCATE && in[0] == 1);
    OK(MPI_Send(data, 3, MPI_INT, to, 1, comm));
    OK(MPI_Recv(in, 3, MPI_INT, from, 1, comm, &status[0]));
    OK(MPI_Get_count(&status[0], MPI_INT, &n));
    CHECK(n == 3);
    OK(MPI_Get_count(&status[0], MPI_DOUBLE, &n));
    CHECK(n == MPI_UNDEFINED);
}

static void probes(void)
{
    double data[3] = {1, 2, 3}, in[3];
    MPI_Message message, none;
    MPI_Status status;
    int n, flag;

    OK(MPI_Iprobe(from, 99, comm, &flag, &status));
    CHECK(!flag);
    OK(MPI_Send(data, 3, MPI_DOUBLE, to, 7, comm));
    OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
    OK(MPI_Get_count(&status, MPI_DOUBLE, &n));
    CHECK(n == 3 && status.MPI_SOURCE == from && status.MPI_TAG == 7);
    OK(MPI_Mprobe(from, 7, comm, &message, &status));
    OK(MPI_Improbe(from, 7, comm, &flag, &none, &status));
    CHECK(!flag);
    OK(MPI_Mrecv(in, 3, MPI_DOUBLE, &message, &status));
    CHECK(in[2] == 3 && message == MPI_MESSAGE_NULL);
    OK(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, to, 8, comm)); /* as MPICH takes it */
    OK(MPI_Mprobe(from, 8, comm, &message, &status));
    OK(MPI_Mrecv(NULL, 0, MPI_BYTE, &message, &status));
}

/* A matched message that is too long is an error of the wait for it. */
static void matched_and_truncated(void)
{
    double data[3] = {1, 2, 3}, in[3] = {0, 0, 0};
    MPI_Message message;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int class, n;

    OK(MPI_Send(data, 3, MPI_DOUBLE, to, 17, comm));
    OK(MPI_Mprobe(from, 17, comm, &message, &status));
    OK(MPI_Imrecv(in, 1, MPI_DOUBLE, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL && request != MPI_REQUEST_NULL);
    OK(MPI_Error_class(MPI_Wait(&request, &status), &class));
    OK(MPI_Get_count(&status, MPI_DOUBLE, &n));
    CHECK(class == MPI_ERR_TRUNCATE && n == 1 && in[0] == 1 && in[1] == 0);
}

static void nobody(void)
{
    MPI_Status status;
    MPI_Request request;
    int n, x = 0;

    OK(MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm));
    OK(MPI_Bsend(&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm)); /* without a buffer */
    OK(MPI_Ibsend(&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &status));
    OK(MPI_Get_count(&status, MPI_INT, &n));
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && n == 0);
    OK(MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request));
    OK(MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && request == MPI_REQUEST_NULL);
    OK(MPI_Wait(&request, &status));
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE);
}

static void persistent(void)
{
    MPI_Request r[2];
    int out = 0, in;

    OK(MPI_Ssend_init(&out, 1, MPI_INT, to, 4, comm, &r[0]));
    OK(MPI_Recv_init(&in, 1, MPI_INT, from, 4, comm, &r[1]));
    for (int i = 0; i < 20; i++) {
        out = 100 * rank + i;
        OK(MPI_Startall(2, r));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK(in == 100 * from + i && r[0] != MPI_REQUEST_NULL);
    }
    OK(MPI_Request_free(&r[0]));
    OK(MPI_Request_free(&r[1]));
}

static void cancelled(void)
{
    MPI_Request r;
    MPI_Status status;
    int x = 0, flag;

    OK(MPI_Irecv(&x, 1, MPI_INT, from, 66, comm, &r));
    OK(MPI_Cancel(&r));
    OK(MPI_Wait(&r, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    x = 9;
    OK(MPI_Sendrecv_replace(&x, 1, MPI_INT, to, 6, from, 6, comm, &status));
    OK(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag && x == 9);
}

static int cancel_calls[2]; /* of requests that were not complete, and that were */

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    OK(MPI_Status_set_elements(status, MPI_BYTE, 0));
    return MPI_SUCCESS;
}

static int end(void *extra)
{
    if (extra)
        ++*(int *)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    cancel_calls[complete != 0]++;
    return complete ? MPI_ERR_PENDING : MPI_SUCCESS;
}

/* The program is asked to cancel a generalized request, and MPI_Cancel() returns what it says. */
static void generalized(void)
{
    MPI_Request r;

    OK(MPI_Grequest_start(query, end, cancel, NULL, &r));
    OK(MPI_Cancel(&r));
    OK(MPI_Grequest_complete(r));
    CHECK(MPI_Cancel(&r) == MPI_ERR_PENDING);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(cancel_calls[0] == 1 && cancel_calls[1] == 1);
}

static void *complete(void *request)
{
    usleep(50000); /* MPI_Waitany() waits by then */
    OK(MPI_Grequest_complete(*(MPI_Request *)request));
    return NULL;
}

/* A generalized request ends MPI_Waitany() beside a receive that gets no message. */
static void generalized_among_others(void)
{
    MPI_Request r[2];
    pthread_t thread;
    int index;

    OK(MPI_Irecv(&never, 1, MPI_INT, from, 67, comm, &r[0]));
    OK(MPI_Grequest_start(query, end, cancel, NULL, &r[1]));
    CHECK(pthread_create(&thread, NULL, complete, &r[1]) == 0);
    OK(MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE));
    CHECK(index == 1);
    pthread_join(thread, NULL);
    OK(MPI_Cancel(&r[0]));
    OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
}

/* A generalized request may be freed before the program completes it, or after. */
static void generalized_and_freed(void)
{
    MPI_Request r, handle;
    int ended = 0;

    OK(MPI_Grequest_start(query, end, cancel, &ended, &r));
    handle = r;
    OK(MPI_Request_free(&handle));
    CHECK(handle == MPI_REQUEST_NULL && ended == 0);
    OK(MPI_Grequest_complete(r));
    CHECK(ended == 1);
    OK(MPI_Grequest_start(query, end, cancel, &ended, &r));
    OK(MPI_Grequest_complete(r));
    CHECK(ended == 1);
    OK(MPI_Request_free(&r));
    CHECK(ended == 2);
}

static int fail_to_free(void *extra)
{
    return *(int *)extra;
}

/* Calls that end a generalized request return the error of its free function. */
static void generalized_and_failing(void)
{
    MPI_Request r[2];
    MPI_Status status[2];
    int code = MPI_ERR_IO, index;

    for (int way = 0; way < 5; way++) {
        OK(MPI_Grequest_start(query, fail_to_free, cancel, &code, &r[0]));
        r[1] = r[0];
        if (way == 1)
            OK(MPI_Request_free(&r[1]));
        if (way == 1)
            CHECK(MPI_Grequest_complete(r[0]) == code);
        else
            OK(MPI_Grequest_complete(r[0]));
        r[1] = MPI_REQUEST_NULL;
        if (way == 0)
            CHECK(MPI_Request_free(&r[0]) == code);
        else if (way == 2)
            CHECK(MPI_Wait(&r[0], MPI_STATUS_IGNORE) == code);
        else if (way == 3)
            CHECK(MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE) == code && index == 0);
        else if (way == 4)
            CHECK(MPI_Waitall(2, r, status) == MPI_ERR_IN_STATUS && status[0].MPI_ERROR == code &&
                  status[1].MPI_ERROR == MPI_SUCCESS);
    }
}

static int query_seven(void *extra, MPI_Status *status)
{
    status->MPI_TAG = 7;
    return query(extra, status);
}

/* Queries that end no request ask the program, too. */
static void generalized_and_queried(void)
{
    MPI_Request r;
    MPI_Status status[4];
    int flag, index, n;

    OK(MPI_Grequest_start(query_seven, end, cancel, NULL, &r));
    OK(MPI_Grequest_complete(r));
    OK(MPI_Request_get_status(r, &flag, &status[0]));
    OK(MPI_Request_get_status_all(1, &r, &flag, &status[1]));
    OK(MPI_Request_get_status_any(1, &r, &index, &flag, &status[2]));
    OK(MPI_Request_get_status_some(1, &r, &n, &index, &status[3]));
    for (int i = 0; i < 4; i++)
        CHECK(status[i].MPI_TAG == 7);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

/* Sends that were freed before their end arrive; a receive that was freed and gets no message keeps
 * nobody from MPI_Finalize(). */
static void freed(void)
{
    MPI_Request r;
    int out[MANY], in;

    for (int i = 0; i < MANY; i++) {
        out[i] = i;
        OK(MPI_Issend(&out[i], 1, MPI_INT, to, 11, comm, &r));
        OK(MPI_Request_free(&r));
        CHECK(r == MPI_REQUEST_NULL);
    }
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Recv(&in, 1, MPI_INT, from, 11, comm, MPI_STATUS_IGNORE));
        CHECK(in == i);
    }
    OK(MPI_Irecv(&never, 1, MPI_INT, from, 12, comm, &r));
    OK(MPI_Request_free(&r));
    OK(MPI_Barrier(comm));
}

/* Short sends are over when their call returns; each has a request like any other. */
static void short_sends(void)
{
    enum { SHORT = 4 };
    MPI_Request r[SHORT];
    MPI_Status status[SHORT];
    int in, n, at, list[SHORT], flag;

    OK(MPI_Isend(&rank, 1, MPI_INT, to, 13, comm, r));
    OK(MPI_Request_free(r));
    CHECK(r[0] == MPI_REQUEST_NULL);
    OK(MPI_Isend(&rank, 1, MPI_INT, to, 13, comm, r));
    OK(MPI_Request_get_status(r[0], &flag, status));
    CHECK(flag && r[0] != MPI_REQUEST_NULL);
    OK(MPI_Cancel(r));
    OK(MPI_Wait(r, status));
    OK(MPI_Test_cancelled(status, &flag));
    CHECK(!flag && r[0] == MPI_REQUEST_NULL);
    for (int i = 0; i < SHORT; i++)
        OK(MPI_Isend(&rank, 1, MPI_INT, to, 13, comm, &r[i]));
    OK(MPI_Waitany(SHORT, r, &at, status));
    CHECK(at >= 0 && at < SHORT && r[at] == MPI_REQUEST_NULL);
    OK(MPI_Waitsome(SHORT, r, &n, list, status));
    CHECK(n == SHORT - 1);
    OK(MPI_Testall(SHORT, r, &flag, status));
    CHECK(flag);
    for (int i = 0; i < 2 + SHORT; i++) {
        OK(MPI_Recv(&in, 1, MPI_INT, from, 13, comm, MPI_STATUS_IGNORE));
        CHECK(in == from);
    }
}

/* Long messages in both directions at once, as MPI_INT and received as bytes, too. */
static void large(void)
{
    int *out = malloc(LARGE * sizeof *out), *in = calloc(LARGE, sizeof *in);
    MPI_Status status;
    int n;

    for (int i = 0; i < LARGE; i++)
        out[i] = i ^ rank;
    OK(MPI_Sendrecv(out, LARGE, MPI_INT, to, 1, in, LARGE * (int)sizeof *in, MPI_BYTE, from, 1,
                    comm, &status));
    OK(MPI_Get_count(&status, MPI_BYTE, &n));
    CHECK(n == LARGE * (int)sizeof *in && in[LARGE - 1] == ((LARGE - 1) ^ from));
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    order();
    contexts();
    truncation();
    probes();
    matched_and_truncated();
    nobody();
    persistent();
    cancelled();
    generalized();
    generalized_among_others();
    generalized_and_freed();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    generalized_and_failing();
    generalized_and_queried();
    freed();
    short_sends();
    large();
    return all_right();
}
