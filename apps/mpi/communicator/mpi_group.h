/* mpi_group.h - groups: lists of tasks by rank. */
#pragma once

#include "hnow.h"
#include "mpi_call.h"

struct mpi_group {
    struct object object;
    int size;
    int rank;     /* the caller's, or MPI_UNDEFINED */
    hn_tid *tids; /* by rank */
    int *places;  /* ranks by hash of the tid, -1 where there is none ... */
    int mask;     /* ... places less one */
};

void group_setup(void);
OBJECT_OF(group, MPI_Group, OBJECT_GROUP)
/* A group of these tasks, which are copied.  NULL: out of memory. */
struct mpi_group *group_new(const hn_tid *tids, int size);
/* The rank of a task, or MPI_UNDEFINED. */
int group_rank_of(const struct mpi_group *g, hn_tid tid);
