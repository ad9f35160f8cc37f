/* mpi_front.h - MPI programs: finds which binary interface they need, and hnow's library for it. */
#pragma once

#include "hnowd/spawn.h"

#include <stdbool.h>

/* Environment variable that passes hrun -mpi to agents: openmpi, mpich, abi or none. */
#define MPI_FRONT_VARIABLE "HNOW_MPI"

/* Whether a value of hrun -mpi is valid. */
bool mpi_front_known(const char *name);

/* Finds the library directory that the program at `path` needs first; the caller frees it.  NULL:
 * none.
 *   wanted   the value of HNOW_MPI, or NULL: the program's file decides (needed.h)
 *   search   the program's LD_LIBRARY_PATH, or NULL
 *   library  becomes the name of the program's MPI library, or NULL: it needs none
 * NULL with a *library: hnow's own one is not installed next to this process. */
char *mpi_front_directory(const char *path, const char *wanted, const char *search,
                          const char **library);

/* Puts hnow's library before the one that the program was linked with, by LD_LIBRARY_PATH in its
 * environment, if HNOW_MPI or the program's file requires it.  *note, which the caller frees,
 * reports that, or is NULL.  HN_OK, or an error with hn_error_text(). */
int mpi_front_prepare(struct spawn_program *program, char **note);
