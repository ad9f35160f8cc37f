/* clock_task.c - two tasks whose hosts' clocks may be anything: clock_task
 *
 * They compare their clocks twice, with messages in between whose way is timed by both clocks: no
 * message may arrive before it was sent, by more than the error that the comparison tells.  A wait
 * with a limit ends by it.  Rank 0 prints "offset SECONDS", rounded, of the other's clock.
 */
#include "check.h"
#include "base/clock.h"
#include "hnow_net.h"

#include <stdio.h>

enum { TAG = 1, ROUNDS = 50, NOTHING = 2, WAIT_MS = 50 };

/* Each tells the other when it sends; what its own clock showed at the arrival, translated, is not
 * before that. */
static void exchange(hn_tid other, const hn_clock *clock)
{
    for (int i = 0; i < ROUNDS; i++) {
        int64_t sent = clock_now(), error;
        CHECK(hn_send(other, TAG, &sent, 1, HN_INT64) == HN_OK);
        CHECK(hn_recv(other, TAG, &sent, 1, HN_INT64, NULL) == HN_OK);
        int64_t arrived = hn_clock_there(clock, clock_now(), &error);
        CHECK(arrived >= sent - error);
        CHECK(error < INT64_C(1000000000));
    }
}

int main(void)
{
    hn_clock clock = {0};
    char byte;
    CHECK(hn_enrol() == HN_OK);
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    for (int i = 0; i < 2; i++) {
        CHECK(hn_clock_compare(other, &clock) == HN_OK);
        exchange(other, &clock);
    }
    int64_t begin = clock_now();
    CHECK(hn_recv_timeout(other, NOTHING, &byte, 1, HN_BYTE, WAIT_MS, NULL) == HN_ETIMEOUT);
    CHECK(clock_now() - begin >= WAIT_MS * INT64_C(1000000));
    /* A task that left here would end the other's wait early. */
    CHECK(hn_send(other, TAG, "", 1, HN_BYTE) == HN_OK);
    CHECK(hn_recv(other, TAG, &byte, 1, HN_BYTE, NULL) == HN_OK);
    if (hn_rank() == 0)
        printf("offset %lld\n", (long long)((clock.offset + 500000000) / 1000000000));
    return hn_exit() == HN_OK ? 0 : 1;
}
