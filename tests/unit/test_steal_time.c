/* Processor time that others take. */
#include "measure/steal_time.h"

#include <criterion/criterion.h>
#include <time.h>

Test(steal_time, the_system_counts_on)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    struct steal_time before = steal_time_now();
    nanosleep(&pause, NULL);
    struct steal_time after = steal_time_now();
    cr_assert_gt(before.all, 0);
    cr_assert_gt(after.all, before.all);
    cr_assert(before.taken >= 0 && after.taken >= before.taken && after.taken <= after.all);
}

Test(steal_time, a_part_in_thousandths)
{
    const struct steal_time begin = {100, 10000}, end = {150, 11000}, unknown = {0, 0};
    cr_expect_eq(steal_time_part(&begin, &end), 50);
    cr_expect_eq(steal_time_part(&begin, &begin), 0);
    cr_expect_eq(steal_time_part(&unknown, &end), 0);
    cr_expect_eq(steal_time_part(&begin, &unknown), 0);
    cr_expect_eq(steal_time_part(&end, &begin), 0, "a host that was started anew");
}
