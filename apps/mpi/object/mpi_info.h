/* mpi_info.h - info objects: lists of keys and values. */
#pragma once

#include "object/mpi_error.h"

struct info_entry;

struct mpi_info {
    struct object object;
    struct info_entry *first;
};

void info_setup(void);
OBJECT_OF(info, MPI_Info, OBJECT_INFO)
/* MPI_SUCCESS for an info object and MPI_INFO_NULL; else a call's error on c (NULL: on none). */
int info_check(struct mpi_comm *c, MPI_Info handle, const char *call);
/* A copy (of NULL: an empty one); NULL: out of memory. */
struct mpi_info *info_copy(const struct mpi_info *info);
/* Sets in *kept, which is made if it is NULL, what info has under keys that begin with `prefix`.
 * False: out of memory. */
bool info_take(struct mpi_info **kept, const struct mpi_info *info, const char *prefix);
/* The value of a key, or NULL; info may be NULL.  It belongs to the object. */
const char *info_value(struct mpi_info *info, const char *key);
