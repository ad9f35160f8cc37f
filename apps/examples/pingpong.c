/* pingpong.c - how long a message takes: task 0 and task 1 send it to and fro.
 *
 *     hrun -np 2 pingpong              (hbench p2p measures this properly)
 */
#include <hnow.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TAG_BALL = 1, ROUNDS = 1000, MOST = 1 << 20 };

static void check(int error, const char *what)
{
    if (error != HN_OK) {
        fprintf(stderr, "pingpong: %s: %s\n", what, hn_error_text());
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* One side of the game: task 0 begins. */
static void play(hn_tid other, void *ball, size_t bytes)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (hn_rank() == 0)
            check(hn_send(other, TAG_BALL, ball, bytes, HN_BYTE), "hn_send");
        check(hn_recv(other, TAG_BALL, ball, bytes, HN_BYTE, NULL), "hn_recv");
        if (hn_rank() == 1)
            check(hn_send(other, TAG_BALL, ball, bytes, HN_BYTE), "hn_send");
    }
}

int main(void)
{
    static char ball[MOST];

    check(hn_enrol(), "hn_enrol");
    if (hn_size() < 2) {
        fprintf(stderr, "pingpong: takes two tasks: hrun -np 2 pingpong\n");
        return 2;
    }
    if (hn_rank() < 2)
        for (size_t bytes = 1; bytes <= MOST; bytes *= 32) {
            double start = now();
            play(hn_group_tid(hn_world(), 1 - hn_rank()), ball, bytes);
            if (hn_rank() == 0)
                printf("%8zu bytes: %8.1f us\n", bytes, (now() - start) / ROUNDS / 2 * 1e6);
        }
    check(hn_exit(), "hn_exit");
    return 0;
}
