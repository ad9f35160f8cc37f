/* mpi_group.h - groups: arrays of tasks, indexed by rank. */
#pragma once

#include "hnow.h"
#include "mpi_call.h"

struct mpi_group {
    struct object object;
    int size;
    int rank;     /* of the caller, or MPI_UNDEFINED */
    hn_tid *tids; /* by rank */
    int *places;  /* hash table of ranks by tid; -1: empty slot */
    int mask;     /* size of the table less one */
};

void group_setup(void);
OBJECT_OF(group, MPI_Group, OBJECT_GROUP)
/* Makes a group of these tasks; copies tids.  NULL: out of memory. */
struct mpi_group *group_new(const hn_tid *tids, int size);
/* Lists the members of both; the caller frees the list.  NULL: out of memory. */
hn_tid *group_join(const struct mpi_group *first, const struct mpi_group *second);
/* Returns the rank of a task, or MPI_UNDEFINED. */
int group_rank_of(const struct mpi_group *g, hn_tid tid);
/* MPI_IDENT: the same members in the same order; MPI_SIMILAR: in another order; MPI_UNEQUAL. */
int group_compare(const struct mpi_group *a, const struct mpi_group *b);
