/* share.h - divides n items into contiguous parts, one for each task, by the tasks' speeds.
 *
 * Parts are computed from equal numbers by every task, so no message is needed.
 */
#pragma once

struct share {
    int size;           /* tasks */
    const double *part; /* relative speeds, by rank; NULL: equal */
    const int *ring;    /* ranks in the order of their parts; NULL: rank order */
};

/* The rank whose part is at a place, and its speed. */
static inline int share_rank(const struct share *s, int place)
{
    return s->ring ? s->ring[place] : place;
}

static inline double share_at(const struct share *s, int place)
{
    return s->part ? s->part[share_rank(s, place)] : 1;
}

/* O(tasks); rank must be one of the ring. */
static inline int share_place(const struct share *s, int rank)
{
    int place = 0;
    while (share_rank(s, place) != rank)
        place++;
    return place;
}

/* Items *first ... *last-1 of n belong to task `rank`.  Tasks that pass equal numbers get matching
 * parts. Rounding to the nearest item; the last place ends at n exactly, so that no item is lost.
 * O(tasks). */
static inline void share_part(int n, const struct share *s, int rank, int *first, int *last)
{
    double before = 0, own = 0, all = 0;
    int place = share_place(s, rank);
    if (!s->part) {
        *first = (int)((long)n * place / s->size);
        *last = (int)((long)n * (place + 1) / s->size);
        return;
    }
    for (int k = 0; k < s->size; k++) {
        before += k < place ? share_at(s, k) : 0;
        own += k <= place ? share_at(s, k) : 0;
        all += share_at(s, k);
    }
    *first = (int)(n * before / all + 0.5);
    *last = place == s->size - 1 ? n : (int)(n * own / all + 0.5);
}
