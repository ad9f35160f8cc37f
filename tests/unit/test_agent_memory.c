/* test_agent_memory.c - an agent without memory answers hrun all the same. */
#include "hnow.h"
#include "hnowd/hnowd.h"

#include <criterion/criterion.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TASKS = 3 };

static bool fails; /* the next calloc() */

void *__wrap_calloc(size_t n, size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    bool now = fails;
    fails = false;
    return now ? NULL : __real_calloc(n, size);
}

/* A request for so many tasks of the first program. */
static void pack_spawn(struct pack *out)
{
    size_t begun = control_begin(out, CONTROL_SPAWN);
    pack_u32(out, 0);
    pack_u32(out, 0);
    pack_u32(out, TASKS);
    for (uint32_t i = 0; i < TASKS; i++) {
        pack_u32(out, control_tid(0, i + 1));
        pack_u32(out, i);
        pack_u8(out, 0);
    }
    control_end(out, begun);
}

Test(agent_memory, who_spawns_does_not_wait_for_tasks_that_were_not_started)
{
    struct hnowd agent;
    struct control_decoder decoder = {0};
    struct control_frame frame;
    struct pack spawn = {0};
    char said[10000];
    int pair[2], refused = 0;
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    cr_assert(hnowd_begin(&agent, pair[0], pair[0], -1, true, NULL));
    channel_drain(&agent.up, 0);
    cr_assert_gt(read(pair[1], said, sizeof said), 0); /* HELLO */
    pack_spawn(&spawn);
    cr_assert_eq(control_feed(&decoder, spawn.data, spawn.length), HN_OK);
    cr_assert_eq(control_next(&decoder, &frame), 1);
    fails = true;
    hnowd_spawn(&agent, &frame.payload);
    cr_expect_not(fails);
    channel_drain(&agent.up, 0);
    ssize_t n = recv(pair[1], said, sizeof said, MSG_DONTWAIT);
    cr_assert_gt(n, 0, "no answer");
    control_decoder_free(&decoder);
    cr_assert_eq(control_feed(&decoder, said, (size_t)n), HN_OK);
    for (; control_next(&decoder, &frame) == 1; refused++) {
        cr_expect_eq(frame.kind, CONTROL_UNSPAWNED);
        cr_expect_eq(unpack_u32(&frame.payload), control_tid(0, (uint32_t)refused + 1));
        cr_expect_str_eq(unpack_str(&frame.payload), "out of memory");
    }
    cr_expect_eq(refused, TASKS);
    control_decoder_free(&decoder);
    pack_free(&spawn);
}
