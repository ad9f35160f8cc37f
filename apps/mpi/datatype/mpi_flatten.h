/* mpi_flatten.h - makes a type's lists of blocks and units (mpi_type.h).
 *
 * flatten_begin(), then flatten_add() for each part or flatten_rows() once, then flatten_end().
 * False: out of memory; the type is then only good for flatten_free().
 */
#pragma once

#include "datatype/mpi_type.h"

void flatten_begin(struct mpi_type *t);
/* Adds n elements of a type, one behind the other, from the place `at` on. */
bool flatten_add(struct mpi_type *t, MPI_Aint at, size_t n, const struct mpi_type *child);
/* `rows` rows of n elements, at distances of `stride` bytes: all that the type is made of. */
bool flatten_rows(struct mpi_type *t, size_t rows, MPI_Aint stride, size_t n,
                  const struct mpi_type *child);
/* `padded`: the extent is rounded up to the alignment of the elements, as for a struct of C. */
void flatten_end(struct mpi_type *t, bool padded);
/* The bounds are these, whatever the data's. */
void flatten_bounds(struct mpi_type *t, MPI_Aint lb, MPI_Aint extent);
/* A basic element. */
void flatten_basic(struct mpi_type *t, const struct mpi_basic *basic);
void flatten_free(struct mpi_type *t);

/* ---- recipes -------------------------------------------------------------------------------- */

/* Appends what a constructor was given.  A count is an int in the small form of a call; a
 * displacement in bytes is an address in it. */
bool recipe_int(struct type_recipe *r, int value);
bool recipe_address(struct type_recipe *r, MPI_Aint value);
bool recipe_count(struct type_recipe *r, MPI_Count value);
bool recipe_type(struct type_recipe *r, struct mpi_type *t); /* holds it */
void recipe_free(struct type_recipe *r);
