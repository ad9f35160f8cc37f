/* Where a job hangs, in words: who waits for the same is one line, and what cannot match is named.
 */
#include "hnow.h"
#include "hrun/diagnosis/stall.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void say(void *user, const char *line)
{
    strcat(user, line);
    strcat(user, "\n");
}

static void check(struct stall_wait *waits, size_t n, const char *wanted)
{
    char text[10000] = "";
    cr_assert_eq(stall_report(waits, n, say, text), HN_OK);
    cr_assert_str_eq(text, wanted, "%s", text);
}

static struct stall_wait receive(stall_name who, stall_name peer, uint32_t tag, uint32_t seconds)
{
    return (struct stall_wait){.who = who,
                               .kind = CONTROL_WAIT_RECV,
                               .peer = peer,
                               .tag = tag,
                               .milliseconds = seconds * 1000 + 7,
                               .operation = ""};
}

static struct stall_wait inside(stall_name who, char *operation, uint32_t number, uint32_t step,
                                stall_name peer)
{
    struct stall_wait wait = receive(who, peer, number, 12);
    wait.context = 0x4001;
    wait.operation = operation;
    wait.number = number;
    wait.step = step;
    return wait;
}

Test(stall, who_waits_for_the_same_is_one_line)
{
    struct stall_wait waits[] = {
        receive(5, 7, 3, 12), receive(0, 7, 3, 12),
        receive(1, 7, 3, 14), {.who = 7, .kind = STALL_COMPUTES, .operation = ""},
        receive(2, 7, 3, 12), receive(3, 7, 4, 0)};
    check(waits, 6,
          "ranks 0-2,5: receive from rank 7, tag 3, for 12-14 s\n"
          "rank 3: receive from rank 7, tag 4, for less than 1 s\n"
          "rank 7: computes (not inside hnow)\n");
}

Test(stall, any_spawned_threads_and_contexts)
{
    struct stall_wait any = receive(1, STALL_ANYONE, UINT32_MAX, 2), other = receive(1, 0, 1, 2);
    other.context = 0x20000;
    struct stall_wait waits[] = {any,
                                 other,
                                 receive(STALL_TID + 9, 0, 1, 2),
                                 receive(0, STALL_TID + 8, 1, 2),
                                 {.who = 4, .kind = STALL_SILENT, .operation = ""},
                                 {.who = 5, .kind = STALL_SILENT, .operation = ""},
                                 {.who = 6, .kind = CONTROL_WAIT_EXIT, .operation = ""},
                                 {.who = STALL_TID + 3, .kind = STALL_STRANGER, .operation = ""}};
    check(waits, 8,
          "rank 0: receive from task 8, tag 1, for 2 s\n"
          "rank 1: receive from any task, any tag, for 2 s\n"
          "rank 1: receive from rank 0, tag 1 in context 0x20000, for 2 s\n"
          "ranks 4,5: does not answer: stopped, or its host hangs\n"
          "rank 6: hn_exit(): wait until all messages have arrived, for less than 1 s\n"
          "task 3: runs, has not enrolled\n"
          "task 9: receive from rank 0, tag 1, for 2 s\n");
}

Test(stall, operations_with_number_and_step)
{
    struct stall_wait waits[8];
    for (int i = 0; i < 7; i++)
        waits[i] = inside(i, "allreduce", 11, 2, 7);
    waits[7] = (struct stall_wait){.who = 7, .kind = STALL_COMPUTES, .operation = ""};
    check(
        waits, 8,
        "ranks 0-6: in allreduce (number 12 of its group), step 3: receive from rank 7, for 12 s\n"
        "rank 7: computes (not inside hnow)\n");
}

Test(stall, operations_that_cannot_match_are_named)
{
    struct stall_wait waits[4];
    for (int i = 0; i < 4; i++)
        waits[i] = inside(i, i == 3 ? "barrier" : "bcast", 4, 0, i == 3 ? 2 : 0);
    waits[3].tag ^= 1 << 25; /* tags say what an operation is */
    check(waits, 4,
          "ranks 0-2: in bcast (number 5 of its group), step 1: receive from rank 0, for 12 s\n"
          "rank 3: in barrier (number 5 of its group), step 1: receive from rank 2, for 12 s\n"
          "mismatch: operation number 5 of one group is bcast in ranks 0-2, barrier in rank 3\n");
    waits[3].context++; /* another group: all is well */
    char text[1000] = "";
    cr_assert_eq(stall_report(waits, 4, say, text), HN_OK);
    cr_assert_not(strstr(text, "mismatch"));
}

Test(stall, what_hrun_has_not_answered_is_said)
{
    struct stall_wait waits[4];
    for (int i = 0; i < 4; i++)
        waits[i] =
            (struct stall_wait){.who = i,
                                .kind = CONTROL_WAIT_HRUN,
                                .milliseconds = 5000,
                                .operation = "",
                                .question = i < 2   ? "barrier of group \"g\": 2 of 3 have arrived"
                                            : i < 3 ? ""
                                                    : NULL};
    check(waits, 4,
          "ranks 0,1: barrier of group \"g\": 2 of 3 have arrived, for 5 s\n"
          "ranks 2,3: wait for hrun's answer, or for what was asked of it, for 5 s\n");
}

Test(stall, many_lines_become_few)
{
    struct stall_wait waits[64];
    for (int i = 0; i < 64; i++)
        waits[i] = inside(i, "allgather", 0, (uint32_t)i % 7, (i + 63) % 64);
    check(waits, 64,
          "ranks 0-63: in allgather (number 1 of its group), steps 1-7: receive from ranks 0-63, "
          "for 12 s\n");
    for (int i = 0; i < 64; i++)
        waits[i] = receive(i, (i + 63) % 64, 5, 3);
    check(waits, 64, "ranks 0-63: receive from ranks 0-63, tag 5, for 3 s\n");
}
