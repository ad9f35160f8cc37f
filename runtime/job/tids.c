/* tids.c - records the tids that this task knows (tids.h).
 *
 * Each look-up is O(1).  The memory is 4 bytes for each possible host, and a byte for each task of
 * hosts on which some task has ended.
 */
#include "job/tids.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int tids_init(struct tids *k)
{
    k->below = calloc(TIDS_HOSTS, sizeof *k->below);
    k->ends = calloc(TIDS_HOSTS, sizeof *k->ends);
    return k->below && k->ends ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

void tids_clear(struct tids *k)
{
    for (uint32_t host = 0; host < k->hosts; host++) /* later entries are not initialised */
        free(k->ends[host].how);
    free(k->ends);
    free(k->below);
    *k = (struct tids){0};
}

/* Lock-free: sends and receives of several threads may record tids at the same time.  Keeps the
 * maximum. */
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

/* The table of a host doubles when it is too short.  Without memory the end is forgotten, and a
 * later message asks hrun. */
void tids_end(struct tids *k, hn_tid tid, enum tids_end how)
{
    uint32_t host = control_host((uint32_t)tid) % TIDS_HOSTS;
    struct tids_ends *ends = &k->ends[host];
    uint32_t serial = control_serial((uint32_t)tid), size = 2 * serial + 64;

    if (serial >= ends->size) {
        if (!ARRAY_ROOM(ends->how, size))
            return;
        memset(ends->how + ends->size, TIDS_LIVES, size - ends->size);
        ends->size = size;
        if (k->hosts <= host)
            k->hosts = host + 1;
    }
    ends->how[serial] = (uint8_t)how;
}

enum tids_end tids_end_of(const struct tids *k, hn_tid tid)
{
    const struct tids_ends *ends = &k->ends[control_host((uint32_t)tid) % TIDS_HOSTS];
    uint32_t serial = control_serial((uint32_t)tid);

    return serial < ends->size ? ends->how[serial] : TIDS_LIVES;
}
