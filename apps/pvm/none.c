/* none.c - what has no counterpart in hnow, and what PVM has without telling. */
#include "vm.h"

#include <time.h>

int pvmdebmask; /* of no effect */

int pvm_getfds(int **descriptors)
{
    (void)descriptors;
    return VM_CALL(PvmNotImpl);
}

int pvm_reg_hoster(void)
{
    return VM_CALL(PvmNotImpl);
}

int pvm_reg_rm(struct pvmhostinfo **info)
{
    (void)info;
    return VM_CALL(PvmNotImpl);
}

int pvm_reg_tasker(void)
{
    return VM_CALL(PvmNotImpl);
}

int pvm_reg_tracer(int tid, int tag, int output_tid, int output_tag, char *mask, int buffer,
                   int options)
{
    (void)tid;
    (void)tag;
    (void)output_tid;
    (void)output_tag;
    (void)mask;
    (void)buffer;
    (void)options;
    return VM_CALL(PvmNotImpl);
}

int pvm_tickle(int count, int *arguments, int *results, int *words)
{
    (void)count;
    (void)arguments;
    (void)results;
    (void)words;
    return VM_CALL(PvmNotImpl);
}

int pvm_getnoresets(int **tids, int *count)
{
    (void)tids;
    (void)count;
    return VM_CALL(PvmNotImpl);
}

char *pvm_version(void)
{
    return (char *)PVM_VER;
}

int pvmsleep(int seconds)
{
    struct timespec left = {.tv_sec = seconds};

    return seconds > 0 ? nanosleep(&left, NULL) : 0;
}

void pvmgetclock(struct timeval *now)
{
    gettimeofday(now, NULL);
}
