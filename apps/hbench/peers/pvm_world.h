/* pvm_world.h - the tasks of a program under hbench-pvmexec, numbered as MPI numbers its ranks.
 *
 * Rank 0 is started by hbench-pvmexec and starts the others by pvm_spawn, as many on each host as
 * HBENCH_PVM_PLACES says ("h1:2,h2:1", in the order of ranks; rank 0 is the first).  Messages go by
 * direct routes, and are sent from where they are (PvmDataInPlace): PVM's quickest way.  What fails
 * ends the task with a line on standard error; the others end with their pvmd.
 */
#pragma once

extern const char PVM_PLACES[]; /* the variable's name */
enum { PVM_HOST_NAME = 256 };

struct pvm_world {
    int rank, size;
    int *tid; /* [size] */
};

void pvm_world_open(struct pvm_world *world, char **argv);
/* Bytes to and from a rank, in order. */
void pvm_world_send(const struct pvm_world *world, int to, const void *data, int bytes);
void pvm_world_receive(const struct pvm_world *world, int from, void *data, int bytes);
/* After this nobody waits for the rank any more; rank 0 returns last. */
void pvm_world_close(struct pvm_world *world);

_Noreturn void pvm_world_fail(const char *what);
/* Ends the task when a call of PVM's has failed. */
void pvm_world_check(int result, const char *call);

/* "NAME:COUNT" at *places, which then points behind it; 0: there is none. */
int pvm_places_next(const char **places, char name[PVM_HOST_NAME], int *count);
