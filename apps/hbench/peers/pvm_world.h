/* pvm_world.h - the tasks of a program under hbench-pvmexec, numbered like MPI ranks.
 *
 * hbench-pvmexec starts rank 0, which starts the others with pvm_spawn, as many on each host as
 * HBENCH_PVM_PLACES specifies ("h1:2,h2:1", in rank order; rank 0 is the first).  Messages use
 * direct routes and PvmDataInPlace, PVM's fastest way.  After an error a task prints a line on
 * standard error and ends; the others end with their pvmd.
 */
#pragma once

extern const char PVM_PLACES[]; /* the variable's name */
enum { PVM_HOST_NAME = 256 };

struct pvm_world {
    int rank, size;
    /* By rank; owned, until pvm_world_close(). */
    int *tid; /* [size] */
};

/* Joins PVM.  Rank 0 starts the others, with its own arguments; they return when they know all
 * tids. */
void pvm_world_open(struct pvm_world *world, char **argv);
/* Send bytes to a rank, and receive them from it, in order. */
void pvm_world_send(const struct pvm_world *world, int to, const void *data, int bytes);
void pvm_world_receive(const struct pvm_world *world, int from, void *data, int bytes);
/* Waits until no task needs this rank any more; rank 0 returns last. */
void pvm_world_close(struct pvm_world *world);

_Noreturn void pvm_world_fail(const char *what);
/* Ends the task if a call of PVM has failed. */
void pvm_world_check(int result, const char *call);

/* Parses "NAME:COUNT" at *places and advances it.  Returns 0 if there is none. */
int pvm_places_next(const char **places, char name[PVM_HOST_NAME], int *count);
