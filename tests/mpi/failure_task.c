/* failure_task.c - members that fail: the others revoke, shrink, agree and go on.
 *
 * failure_task collective|receive|any|probe|mprobe: the member VICTIM kills itself while the others
 * are in this.
 * failure_task neighbours: its neighbours in a ring cannot start an operation with it.
 * failure_task inter: it is in the other group of an intercommunicator.
 * failure_task lock-all: locks of the others do not remain after MPI_Win_lock_all() has failed.
 * failure_task window: it holds a lock, and does not take part in the epochs of others.
 * failure_task fatal: the same in collective operations, with MPI_ERRORS_ARE_FATAL.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mpi_check.h"

enum { VICTIM = 3, ROUNDS = 50, DEATH = 20 };

static int rank, size;

static int collective(MPI_Comm comm)
{
    int result = MPI_SUCCESS;

    for (int i = 0; i < ROUNDS && result == MPI_SUCCESS; i++) {
        int sum, one = 1;
        if (rank == VICTIM && i == DEATH)
            raise(SIGKILL);
        result = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    }
    return result;
}

/* Only the neighbour waits for the victim: the others wait for living ones, until one revokes. */
static int receive(MPI_Comm comm)
{
    int got;

    if (rank == VICTIM)
        raise(SIGKILL);
    return MPI_Recv(&got, 1, MPI_INT, rank == VICTIM + 1 ? VICTIM : (rank + 1) % size, 7, comm,
                    MPI_STATUS_IGNORE);
}

static int receive_any(MPI_Comm comm)
{
    int got;

    if (rank == VICTIM)
        raise(SIGKILL);
    return MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE);
}

static int probe(MPI_Comm comm)
{
    if (rank == VICTIM)
        raise(SIGKILL);
    return MPI_Probe(MPI_ANY_SOURCE, 7, comm, MPI_STATUS_IGNORE);
}

static int mprobe(MPI_Comm comm)
{
    MPI_Message message;

    if (rank == VICTIM)
        raise(SIGKILL);
    return MPI_Mprobe(MPI_ANY_SOURCE, 7, comm, &message, MPI_STATUS_IGNORE);
}

/* Rank 0 alone, and all others. There was no collective operation yet. */
static int inter(MPI_Comm comm)
{
    int got, result = MPIX_ERR_PROC_FAILED;
    MPI_Comm side, both;

    MPI_Comm_split(comm, rank > 0, rank, &side);
    CHECK(MPI_Intercomm_create(side, 0, comm, rank > 0 ? 0 : 1, 9, &both) == MPI_SUCCESS);
    MPI_Barrier(comm); /* all have made it */
    if (rank == VICTIM)
        raise(SIGKILL);
    if (rank == 0)
        result = MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, both, MPI_STATUS_IGNORE);
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    return result;
}

/* An operation that fails when it starts has posted some of its packed messages. */
static int neighbours(MPI_Comm comm)
{
    enum { LENGTH = 100000 };
    int period = 1, result;
    int *out = calloc(4 * LENGTH, sizeof *out), *in = calloc(4 * LENGTH, sizeof *in);
    MPI_Datatype spread;
    MPI_Request r;
    MPI_Comm ring;

    CHECK(MPI_Cart_create(comm, 1, &size, &period, 0, &ring) == MPI_SUCCESS);
    MPI_Type_vector(LENGTH, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    for (int i = 0; rank == VICTIM && i < size; i++) /* until all have left the call above */
        if (i != VICTIM)
            MPI_Recv(in, 0, MPI_INT, i, 1, comm, MPI_STATUS_IGNORE);
    if (rank == VICTIM)
        raise(SIGKILL);
    MPI_Send(out, 0, MPI_INT, VICTIM, 1, comm);
    result = MPI_Recv(in, 0, MPI_INT, VICTIM, 1, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3 && abs(rank - VICTIM) == 1; i++)
        CHECK(class_of(MPI_Ineighbor_alltoall(out, 1, spread, in, 1, spread, ring, &r)) ==
              MPIX_ERR_PROC_FAILED);
    free(out);
    free(in);
    MPI_Type_free(&spread);
    MPI_Comm_free(&ring);
    return result;
}

/* Rank 1 waits for rank 0, which takes longer than the time between two looks at failures. */
static void living(MPI_Group all, MPI_Win win)
{
    MPI_Group other;
    int done = 0;

    MPI_Group_incl(all, 1, (int[]){1 - rank}, &other);
    if (rank == 1) {
        CHECK(MPI_Win_start(other, 0, win) == MPI_SUCCESS);
        CHECK(MPI_Win_complete(win) == MPI_SUCCESS);
    } else {
        usleep(300000);
        CHECK(MPI_Win_post(other, 0, win) == MPI_SUCCESS);
        while (!done)
            CHECK(MPI_Win_test(win, &done) == MPI_SUCCESS);
    }
}

/* A test is false until the failure is known, and then an error. */
static int test_until_error(MPI_Win win)
{
    int result, done = 0;

    do
        result = MPI_Win_test(win, &done);
    while (result == MPI_SUCCESS && !done);
    return result;
}

/* Rank 0 waits for the lock at itself, rank 1 from elsewhere; rank 2 waits for a post, all others
 * for the end of an epoch. */
static int window(MPI_Comm comm)
{
    MPI_Group all, victim;
    MPI_Win win;
    int memory = 0;

    CHECK(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm, &win) == MPI_SUCCESS);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, (int[]){VICTIM}, &victim);
    if (rank == VICTIM)
        CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) == MPI_SUCCESS);
    if (rank > VICTIM)
        CHECK(MPI_Win_post(victim, 0, win) == MPI_SUCCESS);
    MPI_Barrier(comm);
    if (rank == VICTIM)
        raise(SIGKILL);
    if (rank < 2) {
        CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) == MPI_SUCCESS);
        CHECK(MPI_Win_unlock(0, win) == MPI_SUCCESS);
        living(all, win);
        return MPIX_ERR_PROC_FAILED;
    }
    return rank == 2       ? MPI_Win_start(victim, 0, win)
           : rank % 2 == 0 ? MPI_Win_wait(win)
                           : test_until_error(win);
}

/* All lock the window as often as they can. */
static int lock_all(MPI_Comm comm)
{
    MPI_Win win;
    int memory = 0, result;

    CHECK(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm, &win) == MPI_SUCCESS);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Barrier(comm);
    if (rank == VICTIM)
        raise(SIGKILL);
    while ((result = MPI_Win_lock_all(0, win)) == MPI_SUCCESS)
        MPI_Win_unlock_all(win);
    CHECK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(0, win) == MPI_SUCCESS);
    return result;
}

static void check_failed(MPI_Comm comm)
{
    MPI_Group failed, all;
    int n, own = 0, victim = -1;

    CHECK(MPIX_Comm_failure_ack(comm) == MPI_SUCCESS);
    CHECK(MPIX_Comm_failure_get_acked(comm, &failed) == MPI_SUCCESS);
    MPI_Comm_group(comm, &all);
    MPI_Group_size(failed, &n);
    CHECK(n == 1);
    MPI_Group_translate_ranks(failed, 1, &own, all, &victim);
    CHECK(victim == VICTIM);
    MPI_Group_free(&failed);
    MPI_Group_free(&all);
}

/* Nonblocking calls on two communicators, begun in another order by every second member, and a
 * blocking one that follows them. */
static void agree_later(MPI_Comm comm, MPI_Comm second)
{
    int flags[3] = {rank == 2 ? 5 : 7, 7, rank == 1 ? 3 : 7}, sum = 0, last = rank == 4 ? 14 : 15;
    MPI_Comm smaller[2];
    MPI_Request r[5];

    for (int i = 0; i < 2; i++) {
        bool first = (i + rank) % 2 == 0;
        MPI_Comm c = first ? comm : second;
        MPI_Request *at = first ? r : r + 3;
        CHECK(MPIX_Comm_iagree(c, first ? flags : flags + 2, at) == MPI_SUCCESS);
        CHECK(MPIX_Comm_ishrink(c, smaller + !first, at + 1) == MPI_SUCCESS);
        if (first)
            CHECK(MPIX_Comm_iagree(c, flags + 1, at + 2) == MPI_SUCCESS);
    }
    CHECK(MPIX_Comm_agree(comm, &last) == MPI_SUCCESS && last == 14);
    CHECK(class_of(MPI_Wait(r + 3, MPI_STATUS_IGNORE)) == MPIX_ERR_PROC_FAILED && flags[2] == 3);
    CHECK(r[3] == MPI_REQUEST_NULL);
    CHECK(MPI_Waitall(5, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(flags[0] == 5 && flags[1] == 7);
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, smaller[i]) == MPI_SUCCESS);
        CHECK(sum == size * (size - 1) / 2 - VICTIM);
        MPI_Comm_free(smaller + i);
    }
}

static void go_on(MPI_Comm comm, MPI_Comm second)
{
    MPI_Comm smaller;
    int revoked = 0, sum = 0, n, flag = rank == 1 ? 6 : 7;

    CHECK(MPIX_Comm_is_revoked(comm, &revoked) == MPI_SUCCESS && revoked);
    CHECK(class_of(MPI_Barrier(comm)) == MPIX_ERR_REVOKED);
    CHECK(class_of(MPI_Send(&n, 1, MPI_INT, 0, 1, comm)) == MPIX_ERR_REVOKED);
    CHECK(class_of(MPIX_Comm_agree(comm, &flag)) == MPIX_ERR_PROC_FAILED && flag == 6);
    check_failed(comm);
    flag = rank == 2 ? 5 : 7;
    CHECK(MPIX_Comm_agree(comm, &flag) == MPI_SUCCESS && flag == 5);
    agree_later(comm, second);
    CHECK(MPIX_Comm_shrink(comm, &smaller) == MPI_SUCCESS);
    MPI_Comm_size(smaller, &n);
    CHECK(n == size - 1);
    CHECK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, smaller) == MPI_SUCCESS);
    CHECK(sum == size * (size - 1) / 2 - VICTIM);
    MPI_Comm_free(&smaller);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, second;
    const char *what = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (strcmp(what, "fatal") != 0)
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_dup(comm, &second);
    MPI_Barrier(comm);
    int result = strcmp(what, "receive") == 0      ? receive(comm)
                 : strcmp(what, "any") == 0        ? receive_any(comm)
                 : strcmp(what, "neighbours") == 0 ? neighbours(comm)
                 : strcmp(what, "window") == 0     ? window(comm)
                 : strcmp(what, "lock-all") == 0   ? lock_all(comm)
                 : strcmp(what, "probe") == 0      ? probe(comm)
                 : strcmp(what, "mprobe") == 0     ? mprobe(comm)
                 : strcmp(what, "inter") == 0      ? inter(comm)
                                                   : collective(comm);
    int class = class_of(result);
    CHECK(class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_PROC_FAILED_PENDING ||
          class == MPIX_ERR_REVOKED);
    MPIX_Comm_revoke(comm);
    go_on(comm, second);
    if (rank == 0)
        printf("%d members went on\n", size - 1);
    MPI_Finalize();
    return 0;
}
