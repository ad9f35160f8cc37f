/* mpi_info.h - info objects: lists of keys and values.
 *
 * MPI 4.1, chapter 10. The number of keys is small, so lists are searched linearly. An object that
 * keeps hints (communicator, window, file) owns an info object without a program's handle to it.
 * Access is not locked: a program must not change an object while another thread uses it.
 */
#pragma once

#include "object/mpi_error.h"

struct info_entry;

struct mpi_info {
    struct object object;
    struct info_entry *first;
};

/* Makes MPI_INFO_ENV; needs handle_bind() and object_new(). */
void info_setup(void);
OBJECT_OF(info, MPI_Info, OBJECT_INFO)
/* Returns MPI_SUCCESS for an info object and MPI_INFO_NULL; else reports an error on c (NULL: on
 * none). */
int info_check(struct mpi_comm *c, MPI_Info handle, const char *call);
/* Returns a copy (of NULL: an empty object); NULL: out of memory. */
struct mpi_info *info_copy(const struct mpi_info *info);
/* Returns a copy for the program, with the kinds of memory that MPI accepts; NULL: out of memory.
 */
struct mpi_info *info_shown(const struct mpi_info *info);
/* Copies the entries whose keys begin with `prefix` from info into *kept, which is made if it is
 * NULL.  Returns false if out of memory. */
bool info_take(struct mpi_info **kept, const struct mpi_info *info, const char *prefix);
/* Returns the value of a key, owned by the object, or NULL. info may be NULL. The pointer is valid
 * until the key is set or deleted, or the object freed. */
const char *info_value(struct mpi_info *info, const char *key);
