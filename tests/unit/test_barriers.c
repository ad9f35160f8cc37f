/* test_barriers.c - membarrier(2) before a task sleeps: not for doorbells that it does not wait
 * for.
 *
 * A task that is woken for each message relies on no side that omits fences.  That its partner
 * never had to wake it for what it has read counts only while it waits for that.
 */
#include "hnow.h"
#include "job.h"

#include <criterion/criterion.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>

enum { ROUNDS = 60 };

static int barriers;

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    barriers += number == SYS_membarrier && a == MEMBARRIER_CMD_GLOBAL_EXPEDITED;
    return __real_syscall(number, a, b, c, d, e, f);
}

/* Rank 0 waits so long before each message that rank 1 sleeps. */
static _Bool late_messages(void)
{
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    int value = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (hn_rank() == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
            job_check(hn_send(other, 1, &value, 1, HN_INT) == HN_OK);
            job_check(hn_recv(other, 1, &value, 1, HN_INT, NULL) == HN_OK);
        } else {
            job_check(hn_recv(other, 1, &value, 1, HN_INT, NULL) == HN_OK);
            job_check(hn_send(other, 1, &value, 1, HN_INT) == HN_OK);
        }
    }
    if (hn_rank() == 1)
        job_check(barriers < ROUNDS / 4);
    return true;
}

Test(barriers, a_task_that_is_woken_each_time_needs_none)
{
    cr_assert_eq(job_run(2, 30, late_messages), 0);
}
