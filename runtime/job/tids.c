/* tids.c - which numbers are tids, as far as this task has heard (tids.h). */
#include "job/tids.h"

#include "base/error.h"

#include <stdlib.h>

int tids_init(struct tids *k)
{
    k->below = calloc(TIDS_HOSTS, sizeof *k->below);
    return k->below ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

void tids_clear(struct tids *k)
{
    free(k->below);
    k->below = NULL;
}

void tids_learn(struct tids *k, hn_tid tid)
{
    uint32_t host = control_host((uint32_t)tid), end = control_serial((uint32_t)tid) + 1, now;

    if (tid <= 0 || host >= TIDS_HOSTS)
        return;
    now = atomic_load(&k->below[host]);
    while (now < end && !atomic_compare_exchange_weak(&k->below[host], &now, end))
        ;
}

void tids_learn_all(struct tids *k, const hn_tid *tids, int n)
{
    for (int i = 0; i < n; i++)
        tids_learn(k, tids[i]);
}
