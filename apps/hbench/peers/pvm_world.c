/* pvm_world.c - see pvm_world.h.
 *
 * Rank 0 is started by hbench-pvmexec and spawns the others, host by host, so ranks are in the
 * order of the places.  It then sends all tids to all. */
#include "pvm_world.h"

#include <pvm3.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* LIFE: seconds after which a task without a pvmd ends itself; no round takes longer. */
enum { TAG = 1, LIFE = 320 };
const char PVM_PLACES[] = "HBENCH_PVM_PLACES";

_Noreturn void pvm_world_fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

void pvm_world_check(int result, const char *call)
{
    if (result >= 0)
        return;
    /* PVM's own text, on standard error. */
    pvm_perror((char *)call);
    exit(1);
}

int pvm_places_next(const char **places, char name[PVM_HOST_NAME], int *count)
{
    int length = 0;

    /* %n: the length of what was read, without the comma. */
    if (sscanf(*places, "%255[^:]:%d%n", name, count, &length) != 2 || *count < 1)
        return 0;
    *places += length;
    *places += **places == ',';
    return 1;
}

/* ---- starting the others ---- */

/* The sum of all places. */
static int count_ranks(const char *places)
{
    char name[PVM_HOST_NAME];
    int size = 0, count;

    while (pvm_places_next(&places, name, &count))
        size += count;
    return size;
}

/* Host by host; on the first one rank 0 runs already.  The tids are stored in the order of ranks.
 */
static void spawn_all(struct pvm_world *w, const char *places, char **argv)
{
    char self[PATH_MAX] = "", name[PVM_HOST_NAME];
    int next = 1, count, first = 1;

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        pvm_world_fail("/proc/self/exe cannot be read");
    for (; pvm_places_next(&places, name, &count); first = 0) {
        /* Rank 0 is one of the first host's tasks. */
        int wanted = count - first;
        /* Only the first host may have no further task. */
        if (wanted > 0 &&
            pvm_spawn(self, argv + 1, PvmTaskHost, name, wanted, w->tid + next) != wanted)
            pvm_world_fail("pvm_spawn could not start all tasks");
        next += wanted;
    }
}

static void lead(struct pvm_world *w, char **argv)
{
    const char *places = getenv(PVM_PLACES);

    w->size = places ? count_ranks(places) : 0;
    w->tid = calloc((size_t)w->size + 1, sizeof *w->tid);
    if (w->size == 0 || !w->tid)
        pvm_world_fail("start it by hbench-pvmexec");
    /* spawn_all() adds the others behind it. */
    w->tid[0] = pvm_mytid();
    spawn_all(w, places, argv);
    /* There is no other task to receive the list. */
    if (w->size == 1)
        return;
    /* PvmDataRaw: no conversion, since all run the same program. */
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&w->size, 1, 1);
    pvm_pkint(w->tid, w->size, 1);
    pvm_world_check(pvm_mcast(w->tid + 1, w->size - 1, TAG), "pvm_mcast");
}

/* Its rank is the place of its own tid in the list. */
static void follow(struct pvm_world *w)
{
    /* The only message of the parent before measurements begin. */
    pvm_world_check(pvm_recv(pvm_parent(), TAG), "pvm_recv");
    pvm_world_check(pvm_upkint(&w->size, 1, 1), "pvm_upkint");
    /* The message has all tids, also those of this task and its parent. */
    w->tid = calloc((size_t)w->size, sizeof *w->tid);
    if (!w->tid)
        pvm_world_fail("no memory");
    pvm_world_check(pvm_upkint(w->tid, w->size, 1), "pvm_upkint");
    while (w->rank < w->size && w->tid[w->rank] != pvm_mytid())
        w->rank++;
}

void pvm_world_open(struct pvm_world *w, char **argv)
{
    *w = (struct pvm_world){0};
    /* A task whose pvmd has been killed must not stay behind. */
    alarm(LIFE);
    pvm_world_check(pvm_mytid(), "pvm_mytid");
    /* Messages do not pass the daemons, as MPI's do not pass the launcher. */
    pvm_setopt(PvmRoute, PvmRouteDirect);
    /* A task without a parent was started by hbench-pvmexec. */
    if (pvm_parent() < 0)
        lead(w, argv);
    else
        follow(w);
}

/* ---- messages ---- */

void pvm_world_send(const struct pvm_world *w, int to, const void *data, int bytes)
{
    pvm_world_check(pvm_initsend(PvmDataInPlace), "pvm_initsend");
    /* In place: PVM reads the data during pvm_send(). */
    pvm_world_check(pvm_pkbyte((char *)data, bytes, 1), "pvm_pkbyte");
    pvm_world_check(pvm_send(w->tid[to], TAG), "pvm_send");
}

/* pvm_upkbyte() copies out of PVM's buffer; there is no receive in place. */
void pvm_world_receive(const struct pvm_world *w, int from, void *data, int bytes)
{
    pvm_world_check(pvm_recv(w->tid[from], TAG), "pvm_recv");
    pvm_world_check(pvm_upkbyte(data, bytes, 1), "pvm_upkbyte");
}

/* A task that has sent with PvmDataInPlace over a direct route may exit: all data has been sent.
 * Rank 0 waits for all others, because hbench-pvmexec ends them with its pvmd. */
void pvm_world_close(struct pvm_world *w)
{
    char done = 0;

    if (w->rank > 0)
        pvm_world_send(w, 0, &done, 1);
    for (int other = 1; w->rank == 0 && other < w->size; other++)
        pvm_world_receive(w, other, &done, 1);
    pvm_exit();
    free(w->tid);
}
