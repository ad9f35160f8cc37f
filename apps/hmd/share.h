/* share.h - cutting n things into contiguous parts, one a task, by the tasks' speeds. */
#ifndef HMD_SHARE_H
#define HMD_SHARE_H

/* Things *first ... *last-1 of n are task `rank`'s.  share[size]: relative speeds, or NULL when all
 * are equal.  Every task that asks with the same numbers gets parts that fit together. */
static inline void share_part(int n, const double *share, int size, int rank, int *first, int *last)
{
    double before = 0, own = 0, all = 0;
    if (!share) {
        *first = (int)((long)n * rank / size);
        *last = (int)((long)n * (rank + 1) / size);
        return;
    }
    for (int r = 0; r < size; r++) {
        before += r < rank ? share[r] : 0;
        own += r <= rank ? share[r] : 0;
        all += share[r];
    }
    *first = (int)(n * before / all + 0.5);
    *last = rank == size - 1 ? n : (int)(n * own / all + 0.5);
}

#endif
