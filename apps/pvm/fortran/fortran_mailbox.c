/* fortran_mailbox.c - mailboxes: messages stored under names.
 *
 * Trailing blanks are no part of a name. Values are ordinary messages, which a program packs
 * with pvmfpack() and unpacks with pvmfunpack().
 *
 * The older calls for entries of one integer have no subroutines here.
 */
#include "fortran.h"

#include <stdbool.h>

/* index is the entry's index, or an error. */
SUBROUTINE(pvmfputinfo, const char *name, const int *buffer, const int *flags, int *index,
           size_t length)
{
    char *class = TEXT(name, length);

    *index = pvm_putinfo(class, *buffer, *flags);
}

/* buffer becomes the current receive buffer. PvmNotFound: there is no such entry. */
SUBROUTINE(pvmfrecvinfo, const char *name, const int *index, const int *flags, int *buffer,
           size_t length)
{
    char *class = TEXT(name, length);

    *buffer = pvm_recvinfo(class, *index, *flags);
}

/* info is the index of the entry, or an error. The flags have no meaning. */
SUBROUTINE(pvmfdelinfo, const char *name, const int *index, const int *flags, int *info,
           size_t length)
{
    char *class = TEXT(name, length);

    *info = pvm_delinfo(class, *index, *flags);
}

/* ---- the list, one name per call ---------------------------------------------------------- */

/* What pvm_getmboxinfo() has returned, and the name that comes next. */
static struct {
    struct pvmmboxinfo *classes;
    int n, next; /* n 0: not yet fetched */
} listed;

/* Fetches the list anew. PvmNotFound: it is empty. */
static int begin(char *pattern)
{
    int result = pvm_getmboxinfo(pattern, &listed.n, &listed.classes);

    listed.next = 0;
    if (result < 0)
        listed.n = 0;
    return result == PvmOk && listed.n == 0 ? PvmNotFound : result;
}

/* After the last one, the next call fetches the list again. */
static int next_class(char *pattern, bool again)
{
    if (again || listed.n == 0)
        return begin(pattern);
    if (listed.next < listed.n)
        return PvmOk;
    listed.n = 0;
    return PvmNotFound;
}

/* index, owner and flags have as many elements as a name has entries.  The first call returns the
 * first name; a call after the last one returns PvmNotFound.  PVM restarts if the count of names is
 * -1, its manual says if info is -1. */
SUBROUTINE(pvmfgetmboxinfo, const char *pattern, char *name, int *names, int *entries, int *index,
           int *owner, int *flags, int *info, size_t pattern_length, size_t name_length)
{
    char *words = TEXT(pattern, pattern_length);
    const struct pvmmboxinfo *class;

    *info = next_class(words, *names == -1 || *info == -1);
    *names = listed.n;
    /* The other arguments are unchanged then. */
    if (*info < 0)
        return;
    class = &listed.classes[listed.next++];
    *entries = class->mi_nentries;
    /* The caller must have room for all entries of a name: their number is not an argument. */
    for (int i = 0; i < *entries; i++) {
        index[i] = class->mi_indices[i];
        owner[i] = class->mi_owners[i];
        flags[i] = class->mi_flags[i];
    }
    fortran_fill(name, name_length, class->mi_name);
}
