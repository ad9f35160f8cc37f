/* mpi_spawn.h - tasks started by MPI_Comm_spawn(). The parents' side is complete in mpi_spawn.c.
 * What is declared here is the child's side, for its start. */
#pragma once

#include "communicator/mpi_comm.h"

/* Sent by the parent's root to each task that it has started. Exists only during MPI_Init() of a
 * spawned task. `parent` points into the memory of `world`. */
struct spawned {
    int appnum; /* index of its command in MPI_Comm_spawn_multiple() */
    int size, parents;
    hn_tid *world;                              /* all tasks of the call, by rank */
    hn_tid *parent;                             /* members of the parents' communicator */
    struct comm_contexts contexts, local, both; /* of the world, of its copy, of the
                                                   intercommunicator */
};

/* Called in MPI_Init(): waits for the parent's message. *spawned is NULL for a task that
 * MPI_Comm_spawn() has not started.  Returns HN_OK or an error. */
int spawned_get(struct spawned **spawned);
/* Makes the intercommunicator to the parents.  Returns HN_OK or an error. */
int spawned_meet(const struct spawned *spawned);
/* Ignores NULL. */
void spawned_free(struct spawned *spawned);
