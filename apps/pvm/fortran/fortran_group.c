/* fortran_group.c - named groups that tasks join. */
#include "fortran.h"

/* The first member gets instance 0, as in C. */
SUBROUTINE(pvmfjoingroup, const char *group, int *instance, size_t length)
{
    char *name = TEXT(group, length);

    *instance = pvm_joingroup(name);
}

SUBROUTINE(pvmflvgroup, const char *group, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_lvgroup(name);
}

SUBROUTINE(pvmfgsize, const char *group, int *size, size_t length)
{
    char *name = TEXT(group, length);

    *size = pvm_gsize(name);
}

SUBROUTINE(pvmfgettid, const char *group, const int *instance, int *tid, size_t length)
{
    char *name = TEXT(group, length);

    *tid = pvm_gettid(name, *instance);
}

SUBROUTINE(pvmfgetinst, const char *group, const int *tid, int *instance, size_t length)
{
    char *name = TEXT(group, length);

    *instance = pvm_getinst(name, *tid);
}

/* count -1: all members. */
SUBROUTINE(pvmfbarrier, const char *group, const int *count, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_barrier(name, *count);
}

SUBROUTINE(pvmfbcast, const char *group, const int *tag, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_bcast(name, *tag);
}

SUBROUTINE(pvmffreezegroup, const char *group, const int *count, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_freezegroup(name, *count);
}
