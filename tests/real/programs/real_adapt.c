/* real_adapt.c - broadcasts of 256 KiB, one after the other, while the network changes:
 * real_adapt BEFORE AFTER
 *
 * Does BEFORE of them, prints "now" and waits for a line, or the end, of input; does AFTER more.
 * Each is timed at rank 0 until all members are done; the median of the last ten before and of the
 * last ten after is printed, in milliseconds.
 */
#include "hnow.h"
#include "hnow_coll.h"
#include "timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 << 10, LAST = 10, MOST = 1000 };

/* So many broadcasts; false when one brings other data than was sent. */
static int broadcast(char *data, int count, double *median)
{
    static double took[MOST];
    for (int i = 0; i < count; i++) {
        memset(data, hn_rank() == 0 ? 'a' + i % 26 : 0, BYTES);
        if (hn_barrier(hn_world()))
            return 0;
        double begun = now();
        if (hn_bcast(data, BYTES, HN_CHAR, 0, hn_world()) || hn_barrier(hn_world()))
            return 0;
        took[i] = now() - begun;
        if (data[0] != 'a' + i % 26 || data[BYTES - 1] != 'a' + i % 26)
            return 0;
    }
    *median = median_of(took + count - LAST, LAST);
    return 1;
}

int main(int argc, char **argv)
{
    int before = argc > 1 ? atoi(argv[1]) : 0, after = argc > 2 ? atoi(argv[2]) : 0;
    char *data = malloc(BYTES);
    double first, second;
    if (before < LAST || after < LAST || before > MOST || after > MOST || !data || hn_enrol())
        return 2;
    if (!broadcast(data, before, &first))
        return 1;
    if (hn_rank() == 0) {
        printf("now\n");
        fflush(stdout);
        (void)!getchar();
    }
    if (!broadcast(data, after, &second))
        return 1;
    if (hn_rank() == 0)
        printf("before %.1f after %.1f\n", first, second);
    free(data);
    return hn_exit() != HN_OK;
}
