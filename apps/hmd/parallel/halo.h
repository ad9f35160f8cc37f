/* halo.h - the data exchanged in a step, by decomposition (hmd -decomp).
 *
 *     atom   CHARMM's method (parallel.doc): every task gets all coordinates (gather to all) and
 *            contributes to all forces (reduce to all, of which each keeps its block).
 *     force  Plimpton's force decomposition (J. Comput. Phys. 117, 1 (1995)): a task computes a
 *            block of the pair matrix, gets only the coordinates that its terms need from their
 *            owners, and returns the forces on them (inspector and executor, as in CHARMM by Hwang
 *            et al.: IEEE Comput. Sci. Eng. 2, 18 (1995)).
 *
 * This file implements the second: the exchange is planned once for each neighbour list.
 */
#pragma once

#include <stddef.h>

#include "comm.h"

/* The plan is valid from one neighbour list to the next; arrays grow and are reused. */
struct halo {
    struct comm *comm;
    const int *block;    /* size + 1: first atoms of the tasks' blocks */
    size_t *give, *take; /* size: numbers sent to, received from each task in an exchange of
                            coordinates */
    int *given, *taken;  /* atoms in rank order: own ones needed by others; others' ones needed
                            here */
    size_t ngiven, ntaken;
    double *out, *in;
    size_t given_room, taken_room, out_room, in_room;
};

/* Rows of the pair matrix for `size` tasks: the larger factor of size = rows * columns, as near to
 * a square as possible. */
int halo_rows(int size);

/* comm and block must remain valid. */
void halo_init(struct halo *x, struct comm *comm, const int *block);
void halo_free(struct halo *x);

/* All tasks announce the atoms that they need (need: one byte per atom). Returns 0, or the status
 * of messages; so do the functions below. */
int halo_plan(struct halo *x, const unsigned char *need, struct err *e);
/* Gets the coordinates (3 * natom) that this task needs from their owners. */
int halo_coordinates(struct halo *x, double *coordinates, struct err *e);
/* Sends the forces f (3 * natom) on other tasks' atoms to these; own[] (of this task's block)
 * becomes the sum over all tasks, in rank order. */
int halo_forces(struct halo *x, const double *f, double *own, struct err *e);
