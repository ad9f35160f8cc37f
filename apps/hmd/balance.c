/* balance.c - see balance.h.
 *
 * Each task's part of every list is a contiguous range, the ranges stand in the order of ranks, so
 * what one task gives up its neighbours in the ring of ranks take: borders shift (Dome's balancing
 * on ECO's ring, Lowekamp & Beguelin 1995, section 5).  There, neighbours compare their times and
 * the differences take many rounds to even out.  Here all tasks know all times, since those travel
 * with the coordinates, and each border is put where it would come to rest: shares in proportion to
 * share / time, the speed seen (time: timers_busy(); what of it does not shift, like handling
 * messages, is evened out in a few rounds).  Three quarters of the way are gone at once, so that a
 * single bad measurement does not throw the work about, and differences of a few percent are left
 * alone. Cost: O(tasks) at each new neighbour list, no message.
 */
#include "balance.h"

#include <math.h>
#include <string.h>

#include "mem.h"

enum { BALANCE_STEPS = 5 };               /* fewer say too little */
static const double balance_close = 1.04; /* slowest over mean: good enough */
static const double balance_least = 0.02; /* of a fair share: everyone stays measurable */
static const double balance_stride = 0.75;

void balance_init(struct balance *b, int size)
{
    b->size = size;
    b->steps = 0;
    b->share = mem_new((size_t)size, sizeof(double));
    b->spent = mem_new((size_t)size, sizeof(double));
    for (int r = 0; r < size; r++)
        b->share[r] = 1;
}

void balance_free(struct balance *b)
{
    mem_free(b->share);
    mem_free(b->spent);
    memset(b, 0, sizeof *b);
}

void balance_note(struct balance *b, const double *seconds)
{
    for (int r = 0; r < b->size; r++)
        b->spent[r] += seconds[r];
    b->steps++;
}

int balance_shift(struct balance *b)
{
    double most = 0, mean = 0, speeds = 0, sum = 0;
    if (b->steps < BALANCE_STEPS)
        return 0;
    for (int r = 0; r < b->size; r++) {
        b->spent[r] = fmax(b->spent[r], 1e-9);
        most = fmax(most, b->spent[r]);
        mean += b->spent[r] / b->size;
        speeds += b->share[r] / b->spent[r];
    }
    int shifts = most > balance_close * mean;
    for (int r = 0; r < b->size && shifts; r++) {
        double aim = b->share[r] / b->spent[r] / speeds * b->size;
        b->share[r] = fmax(b->share[r] + balance_stride * (aim - b->share[r]), balance_least);
    }
    for (int r = 0; r < b->size; r++)
        sum += b->share[r];
    for (int r = 0; r < b->size; r++) {
        b->share[r] *= b->size / sum;
        b->spent[r] = 0;
    }
    b->steps = 0;
    return shifts;
}
