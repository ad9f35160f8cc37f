/* mpi_flatten.h - builds a type's lists of blocks and units (mpi_type.h).
 *
 * Call flatten_begin(), then flatten_add() for each part or flatten_rows() once, then
 * flatten_end().  False means out of memory; then only flatten_free() is allowed.
 *
 * The type of a child is never changed; its lists are copied. So a child may be freed by the
 * program, and its reference in the recipe only serves MPI_Type_get_contents().
 *
 * Recipes are independent of the lists. They record what the program has asked for, and the
 * lists what results from it. Both are part of struct mpi_type, whose owner frees them
 * separately.
 */
#pragma once

#include "datatype/mpi_type.h"

/* For a zeroed type. Afterwards it has no parts, and its bounds are 0. */
void flatten_begin(struct mpi_type *t);
/* Adds n consecutive elements of a type at displacement `at`. n may be 0: such a part affects
 * neither bounds nor alignment. */
bool flatten_add(struct mpi_type *t, MPI_Aint at, size_t n, const struct mpi_type *child);
/* Adds `rows` rows of n elements, `stride` bytes apart, as the only part of the type. It keeps the
 * repetition as numbers, so its cost is independent of `rows`. It is O(n) if the child has several
 * blocks. */
bool flatten_rows(struct mpi_type *t, size_t rows, MPI_Aint stride, size_t n,
                  const struct mpi_type *child);
/* padded: rounds the extent up to the alignment of the elements, as for a C struct. MPI 4.1, 5.1.6:
 * the padding makes arrays of the struct have the distances of a C compiler. */
void flatten_end(struct mpi_type *t, bool padded);
/* Sets the bounds, independent of the data. From then on they are fixed: neither padding nor the
 * bounds of other parts change them. */
void flatten_bounds(struct mpi_type *t, MPI_Aint lb, MPI_Aint extent);
/* A basic element: one block, one unit, and bounds that equal its size. */
void flatten_basic(struct mpi_type *t, const struct mpi_basic *basic);
/* Frees both lists, also after a failure or of a type that was never begun. */
void flatten_free(struct mpi_type *t);

/* ---- recipes -------------------------------------------------------------------------------- */

/* Each appends an argument of a constructor.  In the int form of a call a count is an int, and a
 * displacement in bytes is an address. */
bool recipe_int(struct type_recipe *r, int value);
bool recipe_address(struct type_recipe *r, MPI_Aint value);
bool recipe_count(struct type_recipe *r, MPI_Count value);
bool recipe_type(struct type_recipe *r, struct mpi_type *t); /* holds a reference */
void recipe_free(struct type_recipe *r);
