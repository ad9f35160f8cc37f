/* mpi_info.h - info objects: lists of keys and values. */
#ifndef MPI_INFO_H
#define MPI_INFO_H

#include "mpi_error.h"

struct info_entry;

struct mpi_info {
    struct object object;
    struct info_entry *first;
};

void info_setup(void);
struct mpi_info *info_of(MPI_Info handle);
/* A copy (of NULL: an empty one); NULL: out of memory. */
struct mpi_info *info_copy(const struct mpi_info *info);
/* The value of a key, or NULL; info may be NULL.  It belongs to the object. */
const char *info_value(struct mpi_info *info, const char *key);

#endif
