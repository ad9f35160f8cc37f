/* numbers.c - sends numbers with hnow's messages (numbers.h). */
#include "numbers.h"

#include "fail.h"
#include "hnow.h"

#include <string.h>

/* A tag of its own: numbers are exchanged between messages of the measured operation. */
enum { TAG_NUMBERS = 7300 };

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

int numbers_size(void)
{
    return hn_size();
}

/* Tasks on one host read the same clock. */
int numbers_clock(int rank)
{
    const char *host = hn_host_of(task(rank));

    /* O(rank), which matters for no job that hbench measures. */
    for (int other = 0; host && other < rank; other++) {
        const char *there = hn_host_of(task(other));
        if (there && strcmp(host, there) == 0)
            return other;
    }
    return rank;
}

/* hnow converts byte order between unlike hosts. */
bool numbers_send(int to, const int64_t *numbers, int n)
{
    return hn_send(task(to), TAG_NUMBERS, numbers, (size_t)n, HN_INT64) == HN_OK ||
           fail_hn("hn_send");
}

/* Blocks until the numbers have arrived. */
bool numbers_receive(int from, int64_t *numbers, int n)
{
    return hn_recv(task(from), TAG_NUMBERS, numbers, (size_t)n, HN_INT64, NULL) == HN_OK ||
           fail_hn("hn_recv");
}
