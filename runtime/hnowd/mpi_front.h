/* mpi_front.h - programs for MPI: which binary interface they need, and where hnow's library for it
 * is. */
#pragma once

#include "hnowd/spawn.h"

#include <stdbool.h>

/* Environment variable by which hrun -mpi reaches agents: openmpi, mpich, abi or none. */
#define MPI_FRONT_VARIABLE "HNOW_MPI"

/* Whether a value of hrun -mpi is one. */
bool mpi_front_known(const char *name);

/* Which library directory the program at `path` needs before all others, to be freed; NULL: none.
 *   wanted   the value of HNOW_MPI, or NULL: the program's file decides (needed.h)
 *   search   LD_LIBRARY_PATH that the program gets, or NULL
 *   library  becomes the name of the MPI library concerned, or NULL: the program needs none
 * NULL with a *library: hnow's own one is not installed beside this process. */
char *mpi_front_directory(const char *path, const char *wanted, const char *search,
                          const char **library);

/* Puts hnow's library before the one that the program was linked with, by LD_LIBRARY_PATH in its
 * environment, if HNOW_MPI there or the program's file says so.  *note, to be freed, says so, and
 * is NULL if nothing was to do. HN_OK, or an error with hn_error_text(). */
int mpi_front_prepare(struct spawn_program *program, char **note);
