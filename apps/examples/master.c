/* master.c - a master distributes work to tasks that it has spawned; one of them fails.
 *
 *     hrun -on-failure notify -np 1 master
 *
 * Each worker computes squares.  Worker 1 kills itself during its first piece.  The master is
 * notified and gives the piece to another worker, so the sum is still correct.
 *
 * The same program is master and worker: a task with a parent works. -on-failure notify keeps
 * the job alive when a task fails; without it the job would end.
 */
#include <hnow.h>
#include <signal.h>
#include <stdio.h>

enum { TAG_WORK = 1, TAG_RESULT, TAG_ENDED, NONE = -1 };
enum { WORKERS = 4, PIECES = 40 }; /* ten pieces per worker, so that faster workers get more */

static int work(void)
{
    /* A worker whose master has ended must end as well. */
    hn_set_errors(HN_ERRORS_FATAL);
    for (int piece;;) {
        hn_recv(hn_parent(), TAG_WORK, &piece, 1, HN_INT, NULL);
        if (piece == NONE)
            return hn_exit();
        if (hn_rank() == 1)
            raise(SIGKILL); /* the failure that this example survives */
        int64_t result[2] = {piece, (int64_t)piece * piece};
        hn_send(hn_parent(), TAG_RESULT, result, 2, HN_INT64);
    }
}

static hn_tid workers[WORKERS];
static int assigned[WORKERS];           /* the piece that each worker computes; NONE: idle */
static int todo[PIECES], left = PIECES; /* pieces not yet assigned */

/* The task must be a worker that has not ended. */
static int index_of(hn_tid tid)
{
    int i = 0;
    while (workers[i] != tid)
        i++;
    return i;
}

/* Gives a worker the next piece, if there is one.  The error of a send to a failed worker is
 * ignored: its termination notice follows, and then the piece is assigned again. */
static void assign(int worker)
{
    assigned[worker] = left > 0 ? todo[--left] : NONE;
    if (assigned[worker] != NONE)
        hn_send(workers[worker], TAG_WORK, &assigned[worker], 1, HN_INT);
}

/* A worker has ended: another worker gets its piece. */
static void replace_worker(int worker, int status)
{
    printf("worker %d has ended with status %d; piece %d is done again\n", worker, status,
           assigned[worker]);
    workers[worker] = 0;
    if (assigned[worker] != NONE)
        todo[left++] = assigned[worker];
    /* An idle worker would not ask for work, since it has sent its last result. */
    for (int i = 0; i < WORKERS && left > 0; i++)
        if (workers[i] != 0 && assigned[i] == NONE)
            assign(i);
}

/* Receives results and termination notices, whichever arrives first, until all pieces are done. */
static int64_t collect_results(void)
{
    int64_t sum = 0;
    for (int done = 0; done < PIECES;) {
        int64_t result[2];
        int status;
        hn_info info;
        /* A probe first, because the two kinds of messages have different types. */
        if (hn_probe(HN_ANY, HN_ANY, &info) != HN_OK)
            hn_abort(1, hn_error_text()); /* no worker is left */
        if (info.tag == TAG_ENDED) {
            hn_recv(info.from, TAG_ENDED, &status, 1, HN_INT, NULL);
            replace_worker(index_of(info.from), status);
        } else {
            hn_recv(info.from, TAG_RESULT, result, 2, HN_INT64, NULL);
            sum += result[1];
            done++;
            assign(index_of(info.from));
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (hn_enrol() != HN_OK || argc > 1)
        return fprintf(stderr, "master: %s\n", hn_error_text()), 1;
    if (hn_parent() > 0)
        return work();
    if (hn_spawn(argv[0], NULL, WORKERS, NULL, workers) != WORKERS)
        hn_abort(1, hn_error_text());
    /* A worker that has ended before this call is reported, too. */
    hn_notify(HN_TASK_EXIT, workers, WORKERS, TAG_ENDED);
    for (int i = 0; i < PIECES; i++)
        todo[i] = i;
    for (int i = 0; i < WORKERS; i++)
        assign(i);
    printf("the sum of the squares is %lld\n", (long long)collect_results());
    /* The end of the workers that are left. */
    for (int i = 0, none = NONE; i < WORKERS; i++)
        if (workers[i] != 0)
            hn_send(workers[i], TAG_WORK, &none, 1, HN_INT);
    return hn_exit();
}
