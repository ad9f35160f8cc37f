/* balance.c - see balance.h.
 *
 * Each task's part of every list is a contiguous range.  The ranges are in the order of a ring of
 * the tasks (comm_ring()), so a task gives work to its neighbours by shifting boundaries.  A task's
 * time is timers_busy(); its constant part, such as handling messages, is evened out in a few
 * rounds.  All times are sent with the coordinates, so no further message is needed and all tasks
 * compute the same shares: O(tasks) at each new neighbour list.
 *
 *     ring    Dome's balancing on ECO's ring (Lowekamp & Beguelin 1995, section 6.3): neighbours
 *             compare their times, and the boundary between them is moved to where both would take
 *             equally long; first between the tasks at places 0 and 1, 2 and 3, ..., then between
 *             1 and 2, 3 and 4, ...  Sweeps are repeated, with the times predicted for the new
 *             shares, until neighbours agree.  A task only learns from its neighbours, and work
 *             stays near.
 *     global  each boundary is moved to its final position at once: shares in proportion to
 *             share / time, the observed speed.
 *
 * Both go three quarters of the way, so that a single bad measurement does not move too much work,
 * and ignore differences of a few percent.  If the slowest task takes half as long again as
 * necessary, waiting for the next list costs more than making one now; then balance_urgent()
 * requests it.  A few steps on a busy machine may show differences by chance, so the waiting time
 * doubles each time, until a list finds the work well balanced.
 */
#include "balance.h"

#include <math.h>
#include <string.h>

#include "mem.h"

/* Limits, in steps. */
enum {
    BALANCE_STEPS = 5,  /* fewer steps are not significant */
    BALANCE_MOST = 320, /* maximum number of steps before an urgent shift */
};
static const double balance_close = 1.04; /* slowest time over balanced time: good enough */
static const double balance_far = 1.5;    /* ... do not wait for the next list */
static const double balance_least = 0.02; /* of a fair share: every task remains measurable */
static const double balance_stride = 0.75;

/* Shares are relative; all begin equal. */
void balance_init(struct balance *b, int size, enum balance_kind kind)
{
    b->kind = kind;
    b->size = size;
    b->steps = 0;
    b->patience = BALANCE_STEPS;
    b->ring = mem_new((size_t)size, sizeof *b->ring);
    b->share = mem_new((size_t)size, sizeof(double));
    b->spent = mem_new((size_t)size, sizeof(double));
    for (int r = 0; r < size; r++)
        b->share[b->ring[r] = r] = 1;
}

void balance_free(struct balance *b)
{
    mem_free(b->ring);
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

/* ---- the ring ------------------------------------------------------------------------------- */

/* Moves the boundary between two tasks to where both would take equally long. Speeds are items per
 * second: share / time. Returns 1 if the boundary moved. */
static int balance_pair(double *aim, const double *speed, int left, int right)
{
    double both = aim[left] + aim[right], speeds = speed[left] + speed[right];
    double slow = fmax(aim[left] / speed[left], aim[right] / speed[right]);
    if (slow <= balance_close * both / speeds)
        return 0;
    aim[left] = both * speed[left] / speeds;
    aim[right] = both - aim[left];
    return 1;
}

/* Even pairs first, then odd ones, as all tasks could do at the same time. */
static int balance_sweep(const struct balance *b, const double *speed, double *aim)
{
    int shifts = 0;
    for (int half = 0; half < 2; half++)
        for (int k = half; k + 1 < b->size; k += 2)
            shifts |= balance_pair(aim, speed, b->ring[k], b->ring[k + 1]);
    if (b->size > 2) /* where the ring closes */
        shifts |= balance_pair(aim, speed, b->ring[b->size - 1], b->ring[0]);
    return shifts;
}

/* At most `size` sweeps: work crosses one boundary in each. */
static int balance_ring(const struct balance *b, const double *speed, double *aim)
{
    int sweeps = 0;
    memcpy(aim, b->share, (size_t)b->size * sizeof *aim);
    while (sweeps < b->size && balance_sweep(b, speed, aim))
        sweeps++;
    return sweeps > 0;
}

/* ---- global --------------------------------------------------------------------------------- */

/* *aim is always filled; the result only says whether it is worth it. */
static int balance_global(const struct balance *b, const double *speed, double *aim)
{
    double slow = 0, speeds = 0;
    for (int r = 0; r < b->size; r++) {
        slow = fmax(slow, b->share[r] / speed[r]);
        speeds += speed[r];
    }
    for (int r = 0; r < b->size; r++)
        aim[r] = speed[r] / speeds * b->size;
    return slow > balance_close * b->size / speeds;
}

/* Shares are scaled to add up to size again. */
static void balance_approach(struct balance *b, const double *aim)
{
    double sum = 0;
    for (int r = 0; r < b->size; r++) {
        b->share[r] = fmax(b->share[r] + balance_stride * (aim[r] - b->share[r]), balance_least);
        sum += b->share[r];
    }
    for (int r = 0; r < b->size; r++)
        b->share[r] *= b->size / sum;
}

/* b->share / b->spent is the observed speed; the balanced time is size divided by the sum of
 * speeds. */
int balance_urgent(const struct balance *b)
{
    double slow = 0, speeds = 0;
    if (b->kind == BALANCE_NONE || b->steps < b->patience)
        return 0;
    for (int r = 0; r < b->size; r++) {
        slow = fmax(slow, b->spent[r]);
        speeds += b->share[r] / fmax(b->spent[r], 1e-9);
    }
    return slow > balance_far * b->size / speeds;
}

/* Returns whether shares have changed, in which case a new list is due. All tasks decide alike,
 * from the same numbers. */
int balance_shift(struct balance *b)
{
    if (b->kind == BALANCE_NONE || b->steps < BALANCE_STEPS)
        return 0;
    double *speed = mem_new(2 * (size_t)b->size, sizeof *speed), *aim = speed + b->size;
    for (int r = 0; r < b->size; r++) {
        /* Work done in a second; the least time avoids a division by 0. */
        speed[r] = b->share[r] / fmax(b->spent[r], 1e-9);
        b->spent[r] = 0;
    }
    b->steps = 0;
    int shifts =
        b->kind == BALANCE_RING ? balance_ring(b, speed, aim) : balance_global(b, speed, aim);
    if (shifts)
        balance_approach(b, aim);
    b->patience = shifts ? fmin(2 * b->patience, BALANCE_MOST) : BALANCE_STEPS;
    mem_free(speed);
    return shifts;
}
