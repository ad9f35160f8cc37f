/* share.h - cutting n things into contiguous parts, one a task, by the tasks' speeds. */
#pragma once

struct share {
    int size;           /* tasks */
    const double *part; /* relative speeds, by rank; NULL: all are equal */
    const int *ring;    /* ranks in the order in which their parts stand; NULL: by rank */
};

/* The rank whose part is at a place, and what it is. */
static inline int share_rank(const struct share *s, int place)
{
    return s->ring ? s->ring[place] : place;
}

static inline double share_at(const struct share *s, int place)
{
    return s->part ? s->part[share_rank(s, place)] : 1;
}

static inline int share_place(const struct share *s, int rank)
{
    int place = 0;
    while (share_rank(s, place) != rank)
        place++;
    return place;
}

/* Things *first ... *last-1 of n are task `rank`'s.  Every task that asks with the same numbers
 * gets parts that fit together. */
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
