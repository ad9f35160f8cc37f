/* mpi_type.h - datatypes.
 *
 * A type is flattened once, when it is made, into two lists.
 *
 * Blocks describe where its bytes are, in type map order: rows of equal blocks at equal distances.
 * The whole list is repeated `times` times at distances of `stride`.  Packing and unpacking iterate
 * over this list.
 *
 * Units describe what its bytes are: runs of equal basic elements.  The whole list is repeated
 * `repeats` times.  Conversion to and from other machines iterates over this list.
 *
 * A type whose bytes are contiguous is dense: its data needs no packing.  A type of equal basic
 * elements travels as a type of hnow; all others travel as bytes (mpi_pack.h).
 *
 * Memory and time follow the number of entries, not of elements: a vector of a million equal blocks
 * has one entry. An irregular list (MPI_Type_indexed()) has one for each block that does not
 * continue the previous one. Types are immutable once made, except for `committed`, name and
 * attributes, so they are read without a lock.
 *
 * Errors about types have no communicator of their own. A type is named in texts by its name,
 * which the program may set.
 */
#pragma once

#include "hnow.h"
#include "object/mpi_error.h"

struct mpi_attribute;

/* A basic element of MPI. The table of these is static (mpi_type.c), so pointers to it may be
 * compared. */
struct mpi_basic {
    hn_type hn;      /* HN_BYTE: no type of hnow, never converted */
    size_t size;     /* bytes in memory */
    size_t external; /* bytes in external32 */
    /* As in a C struct here, for the padding of types made with MPI_Type_create_struct(). */
    size_t align;
    /* C: bytes; I, U: signed and unsigned integers; L, M: signed and unsigned long; W: wide
     * characters; B: logical; F, Z: real and complex numbers. */
    char sort;
};

/* The i-th block begins at `at` + i * `stride`. A single block has count 1, and its stride is not
 * used. */
struct type_block {
    MPI_Aint at;     /* displacement of the first block */
    size_t bytes;    /* of one block */
    size_t count;    /* number of blocks */
    MPI_Aint stride; /* distance of blocks in bytes */
};

/* A run of equal basic elements. */
struct type_unit {
    const struct mpi_basic *basic;
    /* At least 1. */
    size_t count;
};

/* The constructor and its arguments, for MPI_Type_get_contents(). Kept because a program may decode
 * a datatype (MPI 4.1, 5.1.13). The arguments are returned in the order of that section's tables.
 * The lists are owned; each type in type_list holds a reference. */
struct type_recipe {
    /* MPI_COMBINER_... */
    int combiner;
    size_t ints, addresses, counts, types;
    int *int_list;
    MPI_Aint *address_list;
    /* Empty unless the type was made with the form for large counts. */
    MPI_Count *count_list;
    struct mpi_type **type_list;
};

/* Bounds are byte displacements (MPI 4.1, 5.1.7 and 5.1.8): lb and ub determine the extent and
 * include gaps; true_lb and true_ub enclose the data only. For count > 1, element i lies at i *
 * extent. A type without data has no blocks and no units. */
struct mpi_type {
    struct object object;
    MPI_Count size; /* bytes of data */
    MPI_Aint lb, ub, true_lb, true_ub;
    size_t align; /* largest alignment of its basic elements */
    bool committed, dense;
    bool fixed_bounds; /* lb and ub were set by MPI_Type_create_resized() */
    hn_type unit;      /* hnow's type of the elements if all are equal, else HN_BYTE */
    size_t elements;   /* basic elements in total */

    /* The list of blocks, and its repetition; times is 1 if it is not repeated. */
    struct type_block *blocks;
    size_t block_count;
    size_t times;
    MPI_Aint stride;

    /* The list of units, and its repetition; repeats is 1 if it is not repeated. */
    struct type_unit *units;
    size_t unit_count;
    size_t repeats;

    struct type_recipe recipe;
    struct mpi_attribute *attributes;
    char name[MPI_MAX_OBJECT_NAME];
};

/* Makes the predefined types. */
void type_setup(void);
OBJECT_OF(type, MPI_Datatype, OBJECT_TYPE)

/* Maps a basic element to a number that is equal in all tasks, and back. */
int type_basic_number(const struct mpi_basic *basic);
const struct mpi_basic *type_basic(int64_t number);
/* Returns the predefined type of a basic element. */
struct mpi_type *type_of_basic(const struct mpi_basic *basic);

/* True for a type that has the same number in all tasks.  MPI_Type_create_f90_...() makes others,
 * which are named, too. */
static inline bool type_is_predefined(const struct mpi_type *t)
{
    return t->object.named && t->recipe.combiner == MPI_COMBINER_NAMED;
}

/* Distance of two consecutive elements; may be 0 or negative. */
static inline MPI_Aint type_extent(const struct mpi_type *t)
{
    return t->ub - t->lb;
}

/* True if `count` elements are contiguous in memory. A dense type with a larger extent, such as a
 * resized one, is contiguous only as a single element. */
static inline bool type_is_plain(const struct mpi_type *t, size_t count)
{
    return t->dense && (count <= 1 || type_extent(t) == t->size);
}

/* Returns a handle's type for communication.  For an invalid or uncommitted type, returns NULL, and
 * *error is the code of error_on(). */
int type_no_data(struct mpi_comm *c, MPI_Datatype handle, const char *call);
static inline struct mpi_type *type_for_data(struct mpi_comm *c, MPI_Datatype handle,
                                             const char *call, int *error)
{
    struct mpi_type *t = type_of(handle);

    if (t && t->committed)
        return t;
    *error = type_no_data(c, handle, call);
    return NULL;
}
