/* mpi_group.h - groups: arrays of tasks, indexed by rank.
 *
 * MPI 4.1, 7.3. A group is immutable and local; no messages are needed to make one. It needs some
 * 12 to 20 bytes for each member.
 *
 * Ranks of messages become tasks by tids[rank]; the sender of a message becomes a rank by the
 * hash table. Since nothing changes, both are read without a lock.
 */
#pragma once

#include "hnow.h"
#include "mpi_call.h"

/* Freed with its last reference: communicators and windows hold theirs. */
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
/* Makes a group of these tasks; copies tids.  NULL: out of memory. tids must be different from each
 * other. The caller need not be a member. */
struct mpi_group *group_new(const hn_tid *tids, int size);
/* Lists the members of both; the caller frees the list.  NULL: out of memory. Those of `first` come
 * first; a task in both is listed twice. */
hn_tid *group_join(const struct mpi_group *first, const struct mpi_group *second);
/* Returns the rank of a task, or MPI_UNDEFINED. O(1) on average; needed for each message from
 * MPI_ANY_SOURCE. */
int group_rank_of(const struct mpi_group *g, hn_tid tid);
/* MPI_IDENT: the same members in the same order; MPI_SIMILAR: in another order; MPI_UNEQUAL. */
int group_compare(const struct mpi_group *a, const struct mpi_group *b);
