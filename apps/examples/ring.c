/* ring.c - a token travels once around all tasks, and every task adds its rank.
 *
 *     hrun -np 8 ring
 *
 * One message at a time is in progress, so the time is that of `size` messages one after the
 * other.
 */
#include <hnow.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_TOKEN = 1 };

/* Ends the task, and so the job, if a call has failed. */
static void check(int error, const char *what)
{
    if (error != HN_OK) {
        fprintf(stderr, "ring: %s: %s\n", what, hn_error_text());
        exit(1);
    }
}

int main(void)
{
    check(hn_enrol(), "hn_enrol");
    int rank = hn_rank(), size = hn_size();
    /* With a single task, both neighbours are the task itself. */
    hn_tid next = hn_group_tid(hn_world(), (rank + 1) % size);
    hn_tid before = hn_group_tid(hn_world(), (rank + size - 1) % size);
    int64_t token = 0;

    if (rank == 0)
        /* Task 0 begins, or all would wait for the token. */
        check(hn_send(next, TAG_TOKEN, &token, 1, HN_INT64), "hn_send");
    check(hn_recv(before, TAG_TOKEN, &token, 1, HN_INT64, NULL), "hn_recv");
    token += rank;
    if (rank != 0)
        check(hn_send(next, TAG_TOKEN, &token, 1, HN_INT64), "hn_send");
    else
        printf("the token has been at %d tasks and holds %ld\n", size, (long)token);
    check(hn_exit(), "hn_exit");
    return 0;
}
