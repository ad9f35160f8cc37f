/* fortran_host.c - the hosts of the job: properties, adding and deleting.
 *
 * PVM's Fortran interface has no structures, so lists are delivered one host per call, and
 * hosts are added and deleted one by one. The position in the list is that of the process: two
 * threads must not read it at the same time.
 */
#include "fortran.h"

/* ---- the list, one host per call ---------------------------------------------------------- */

/* The position in the list of the host that comes next. */
static int next;

/* Asks for the list each time, at no cost: other calls may free it when the hosts have changed. */
SUBROUTINE(pvmfconfig, int *count, int *kinds, int *tid, char *name, char *arch, int *speed,
           int *info, size_t name_length, size_t arch_length)
{
    struct pvmhostinfo *host;
    int restart = *count == -1;

    *info = pvm_config(count, kinds, &host);
    if (*info < 0)
        return;
    *info = FORTRAN_LISTED;
    /* Hosts may have gone. There is at least one host, that of the caller. */
    if (restart || next >= *count)
        next = 0;
    host += next++;
    /* Hosts that are added now do not extend a list that has been read to its end. */
    if (next == *count)
        next = 0;
    *tid = host->hi_tid;
    *speed = host->hi_speed;
    /* Longer texts are truncated. */
    fortran_fill(name, name_length, host->hi_name);
    fortran_fill(arch, arch_length, host->hi_arch);
}

/* ---- one host ----------------------------------------------------------------------------- */

/* PvmOk: the host takes part. PvmNoHost: it does not. The name must be exact, without aliases. */
SUBROUTINE(pvmfmstat, const char *host, int *status, size_t length)
{
    char *name = TEXT(host, length);

    *status = pvm_mstat(name);
}

/* code is equal for architectures whose data look alike in memory. */
SUBROUTINE(pvmfarchcode, const char *arch, int *code, size_t length)
{
    char *name = TEXT(arch, length);

    *code = pvm_archcode(name);
}

/* Returns the result for the one host, unless the whole call failed. */
static int change(int (*function)(char **, int, int *), char *host)
{
    /* The result is the number of hosts, which is 0 or 1. */
    int outcome, result = function(&host, 1, &outcome);

    return result < 0 ? result : outcome;
}

/* info is the host's tid, or an error. */
SUBROUTINE(pvmfaddhost, const char *host, int *info, size_t length)
{
    char *name = TEXT(host, length);

    *info = change(pvm_addhosts, name);
}

/* info is PvmOk, or an error. */
SUBROUTINE(pvmfdelhost, const char *host, int *info, size_t length)
{
    char *name = TEXT(host, length);

    *info = change(pvm_delhosts, name);
}

/* The clock of a host, and its difference, in seconds and microseconds. They are 0 after an
 * error. */
SUBROUTINE(pvmfhostsync, const int *host, int *seconds, int *microseconds, int *delta_seconds,
           int *delta_microseconds, int *info)
{
    /* In Fortran all four numbers are always wanted. */
    struct timeval clock = {0}, delta = {0};

    *info = pvm_hostsync(*host, &clock, &delta);
    *seconds = (int)clock.tv_sec;
    *microseconds = (int)clock.tv_usec;
    *delta_seconds = (int)delta.tv_sec;
    *delta_microseconds = (int)delta.tv_usec;
}

/* ---- all hosts ---------------------------------------------------------------------------- */

/* The arguments are for a daemon, but none is started. */
SUBROUTINE(pvmfstartpvmd, const char *arguments, const int *block, int *info, size_t length)
{
    (void)arguments;
    (void)length;
    *info = pvm_start_pvmd(0, NULL, *block);
}

/* The caller ends, too, so the call usually does not return. */
SUBROUTINE(pvmfhalt, int *info)
{
    *info = pvm_halt();
}
