/* overlap.c - computing while a collective operation goes on by itself.
 *
 *     hrun -np 4 overlap
 *
 * Every task adds up 8 MB of numbers with all others, first waiting for it, then computing
 * meanwhile, and says how much of the operation's time the computing has hidden.
 */
#include <hnow_coll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 1 << 20, ROUNDS = 5, AMOUNT = 20000000 };

/* Ends the task, and so the job, when a call has failed. */
static void check(int error, const char *what)
{
    if (error != HN_OK) {
        fprintf(stderr, "overlap: %s: %s\n", what, hn_error_text());
        exit(1);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Some work that needs no other task. */
static double compute(int from)
{
    double x = 0;
    for (int i = from; i <= AMOUNT; i++)
        x += 1.0 / i / i;
    return x;
}

int main(void)
{
    static double mine[COUNT], sum[COUNT];
    double alone = 0, waiting = 0, together = 0, x = 0, start;
    hn_request *request;

    check(hn_enrol(), "hn_enrol");
    for (int i = 0; i < COUNT; i++)
        mine[i] = hn_rank() + i;
    for (int round = 0; round < ROUNDS; round++) {
        check(hn_barrier(hn_world()), "hn_barrier");
        start = seconds();
        x += compute(1 + round);
        alone += seconds() - start;

        check(hn_barrier(hn_world()), "hn_barrier");
        start = seconds();
        check(hn_allreduce(mine, sum, COUNT, HN_DOUBLE, HN_SUM, hn_world()), "hn_allreduce");
        waiting += seconds() - start;

        check(hn_barrier(hn_world()), "hn_barrier");
        start = seconds();
        check(hn_iallreduce(mine, sum, COUNT, HN_DOUBLE, HN_SUM, hn_world(), &request),
              "hn_iallreduce");
        x += compute(1 + round);
        check(hn_wait(request, NULL), "hn_wait");
        together += seconds() - start;
    }
    if (hn_rank() == 0)
        printf("computing %.3f s, adding up %.3f s, both at the same time %.3f s (%.4f)\n",
               alone / ROUNDS, waiting / ROUNDS, together / ROUNDS, x);
    check(hn_exit(), "hn_exit");
    return 0;
}
