/* fortran_host.c - the hosts of the job: properties, adding and deleting. */
#include "fortran.h"

/* ---- the list, one host per call ---------------------------------------------------------- */

/* What pvm_config() has returned, and the host that comes next. */
static struct {
    struct pvmhostinfo *hosts;
    int n, kinds, next;
} listed;

/* The list is fetched by the first call, and again after the last host. */
SUBROUTINE(pvmfconfig, int *count, int *kinds, int *tid, char *name, char *arch, int *speed,
           int *info, size_t name_length, size_t arch_length)
{
    const struct pvmhostinfo *host;

    if (*count == -1 || listed.next >= listed.n) {
        listed.n = listed.next = 0;
        *info = pvm_config(&listed.n, &listed.kinds, &listed.hosts);
        if (*info < 0)
            return;
    }
    *info = FORTRAN_LISTED;
    *count = listed.n;
    *kinds = listed.kinds;
    host = &listed.hosts[listed.next++];
    *tid = host->hi_tid;
    *speed = host->hi_speed;
    fortran_fill(name, name_length, host->hi_name);
    fortran_fill(arch, arch_length, host->hi_arch);
}

/* ---- one host ----------------------------------------------------------------------------- */

SUBROUTINE(pvmfmstat, const char *host, int *status, size_t length)
{
    char *name = TEXT(host, length);

    *status = pvm_mstat(name);
}

SUBROUTINE(pvmfarchcode, const char *arch, int *code, size_t length)
{
    char *name = TEXT(arch, length);

    *code = pvm_archcode(name);
}

/* Returns the result for the one host, unless the whole call failed. */
static int change(int (*function)(char **, int, int *), char *host)
{
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

/* The clock of a host, and its difference, in seconds and microseconds. */
SUBROUTINE(pvmfhostsync, const int *host, int *seconds, int *microseconds, int *delta_seconds,
           int *delta_microseconds, int *info)
{
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

SUBROUTINE(pvmfhalt, int *info)
{
    *info = pvm_halt();
}
