/* hello.c - every task prints its rank and host; a collective operation adds up the ranks.
 *
 *     hrun -np 4 hello
 */
#include <hnow_coll.h>
#include <stdio.h>

int main(void)
{
    hn_set_errors(HN_ERRORS_FATAL); /* a call that fails prints its error and ends the job */
    hn_enrol();
    int rank = hn_rank(), sum = 0;
    /* Returns in all tasks, each with the same sum. */
    hn_allreduce(&rank, &sum, 1, HN_INT, HN_SUM, hn_world());
    printf("rank %d of %d on %s: the ranks add up to %d\n", rank, hn_size(), hn_host_of(hn_mytid()),
           sum);
    return hn_exit();
}
