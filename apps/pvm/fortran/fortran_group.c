/* fortran_group.c - named groups that tasks join.
 *
 * Trailing blanks are no part of a group's name, so a name in Fortran and one in C denote the
 * same group. Instances start at 0, as in C, and not at 1.
 *
 * A name of blanks is an empty one: PvmNullGroup.
 */
#include "fortran.h"

/* The first member gets instance 0, as in C. PvmDupGroup: the task is a member already. */
SUBROUTINE(pvmfjoingroup, const char *group, int *instance, size_t length)
{
    char *name = TEXT(group, length);

    *instance = pvm_joingroup(name);
}

/* info is PvmOk, or an error such as PvmNotInGroup. */
SUBROUTINE(pvmflvgroup, const char *group, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_lvgroup(name);
}

/* PvmNoGroup: no task is in the group. */
SUBROUTINE(pvmfgsize, const char *group, int *size, size_t length)
{
    char *name = TEXT(group, length);

    *size = pvm_gsize(name);
}

/* PvmNoInst: the instance has no member. */
SUBROUTINE(pvmfgettid, const char *group, const int *instance, int *tid, size_t length)
{
    char *name = TEXT(group, length);

    *tid = pvm_gettid(name, *instance);
}

/* With tid -1, instance is the lowest free one. */
SUBROUTINE(pvmfgetinst, const char *group, const int *tid, int *instance, size_t length)
{
    char *name = TEXT(group, length);

    *instance = pvm_getinst(name, *tid);
}

/* count -1: all members. All callers must pass the same count. */
SUBROUTINE(pvmfbarrier, const char *group, const int *count, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_barrier(name, *count);
}

/* Sends the current buffer to all members but the caller. */
SUBROUTINE(pvmfbcast, const char *group, const int *tag, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_bcast(name, *tag);
}

/* info is the number of members, or an error. */
SUBROUTINE(pvmffreezegroup, const char *group, const int *count, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_freezegroup(name, *count);
}
