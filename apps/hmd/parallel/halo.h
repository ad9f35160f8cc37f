/* halo.h - what travels in a step, by the way in which the work is cut (hmd -decomp).
 *
 *   atom   CHARMM's way (parallel.doc): every task gets all coordinates (gather-to-all) and gives
 *          its part of all forces (reduce-to-all, of which each keeps its block).
 *   force  Plimpton's force decomposition (J. Comput. Phys. 117, 1 (1995)): a task computes a block
 *          of the matrix of pairs and gets only the coordinates that its terms need, from their
 *          owners, to whom it returns the forces on them (inspector and executor, as Hwang et al.
 *          did it in CHARMM: IEEE Comput. Sci. Eng. 2, 18 (1995)).
 *
 * Here is the second: who needs what is found out once for each neighbour list.
 */
#pragma once

#include <stddef.h>

#include "comm.h"

struct halo {
    struct comm *comm;
    const int *block; /* size + 1: first atoms of the tasks' blocks */
    size_t *give,
        *take;          /* size: numbers sent to, received from each task when coordinates travel */
    int *given, *taken; /* atoms, in the order of tasks: own ones that others need; others' */
    size_t ngiven, ntaken;
    double *out, *in;
    size_t given_room, taken_room, out_room, in_room;
};

/* Rows of the matrix of pairs that `size` tasks cut, the more of the two numbers: size is rows
 * times columns, as nearly a square as can be. */
int halo_rows(int size);

/* comm and block must stay. */
void halo_init(struct halo *x, struct comm *comm, const int *block);
void halo_free(struct halo *x);

/* All tasks tell which atoms they need (need: one byte an atom). 0, or the status of messages, as
 * below. */
int halo_plan(struct halo *x, const unsigned char *need, struct err *e);
/* The coordinates (3 * natom) that this task needs, from their owners. */
int halo_coordinates(struct halo *x, double *coordinates, struct err *e);
/* The forces f (3 * natom) on other tasks' atoms go there; own[] (of this task's block) becomes the
 * sum of all tasks', in the order of ranks. */
int halo_forces(struct halo *x, const double *f, double *own, struct err *e);
