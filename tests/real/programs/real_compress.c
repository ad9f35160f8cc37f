/* real_compress.c - all-gathers and broadcasts of text or of noise, checked and timed:
 * real_compress text|noise COUNT
 *
 * Rank 0 prints the median time of COUNT broadcasts of 128 KiB, in milliseconds.  Before,
 * two allgathers of doubles are checked, whose parts are deflated, too: a blocking one, and one
 * that is received in the background.
 */
#include "hnow.h"
#include "hnow_coll.h"
#include "timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 128 << 10, DOUBLES = 4 << 10, MOST = 1000 };

/* Byte i of the data of one broadcast. */
static char byte_of(int is_noise, int round, unsigned i)
{
    unsigned x = (i + 1) * 2654435761u ^ (unsigned)round * 40503u;
    x = (x ^ x >> 15) * 2246822519u;
    return (char)(is_noise ? (x ^ x >> 13) >> 3 : 'a' + (i / 8 + (unsigned)round) % 23);
}

static int gather(double *all, int waits)
{
    hn_request *request;
    if (waits)
        return hn_allgather(HN_IN_PLACE, DOUBLES, all, HN_DOUBLE, hn_world());
    int error = hn_iallgather(HN_IN_PLACE, DOUBLES, all, HN_DOUBLE, hn_world(), &request);
    return error ? error : hn_wait(request, NULL);
}

static int gather_doubles(int waits)
{
    int n = hn_size();
    double *all = malloc((size_t)n * DOUBLES * sizeof *all);
    for (int i = 0; i < DOUBLES; i++)
        all[hn_rank() * DOUBLES + i] = hn_rank() + i % 16 / 16.0;
    int good = !gather(all, waits);
    for (int i = 0; i < n * DOUBLES && good; i++)
        good = all[i] == i / DOUBLES + i % DOUBLES % 16 / 16.0;
    free(all);
    return good;
}

int main(int argc, char **argv)
{
    static double took[MOST];
    static char data[BYTES];
    int is_noise = argc > 1 && strcmp(argv[1], "noise") == 0, count = argc > 2 ? atoi(argv[2]) : 0;
    if (count < 1 || count > MOST || hn_enrol())
        return 2;
    if (!gather_doubles(1) || !gather_doubles(0))
        return 1;
    for (int round = 0; round < count; round++) {
        for (unsigned i = 0; i < BYTES; i++)
            data[i] = hn_rank() == 0 ? byte_of(is_noise, round, i) : '\0';
        if (hn_barrier(hn_world()))
            return 1;
        double begun = now();
        if (hn_bcast(data, BYTES, HN_CHAR, 0, hn_world()) || hn_barrier(hn_world()))
            return 1;
        took[round] = now() - begun;
        for (unsigned i = 0; i < BYTES; i++)
            if (data[i] != byte_of(is_noise, round, i))
                return 1;
    }
    if (hn_rank() == 0)
        printf("median %.1f\n", median_of(took, count));
    return hn_exit() != HN_OK;
}
