/* Messages between two tasks of one host come in the order in which they were sent, whichever way
 * each of them takes: small ones have one of their own (slot_queue.h) beside the ring of the
 * others. */
#include "hnow.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROUNDS = 200000, MOST = 5, ROOM = 300 };

/* Before a round begins all has been received, so the first message finds both ways free while the
 * other task is looking for it. */
static _Bool in_turns(void)
{
    uint64_t state = random_seed();
    unsigned char data[ROOM];
    hn_tid other = hn_group_tid(hn_world(), !hn_rank());
    for (int round = 0; round < ROUNDS; round++) {
        int count = 2 + (int)random_below(&state, MOST - 1);
        for (int i = 0; i < count; i++) {
            size_t bytes = random_below(&state, 2) ? 8 : ROOM;
            hn_info info;
            if (round % 2 == hn_rank()) {
                memset(data, i, bytes);
                job_check(hn_send(other, 1, data, bytes, HN_BYTE) == HN_OK);
            } else {
                job_check(hn_recv(other, 1, data, ROOM, HN_BYTE, &info) == HN_OK);
                job_check(info.count == bytes && data[0] == i && data[bytes - 1] == i);
            }
        }
    }
    return 1;
}

Test(order, small_messages_and_others)
{
    cr_assert_eq(job_run(2, 60, in_turns), 0, "HNOW_SEED=%llu", (unsigned long long)random_seed());
}
