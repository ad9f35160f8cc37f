/* mpi_type.h - datatypes.
 *
 * A type is flattened once, when it is made, into two lists:
 *
 * - blocks: where its bytes lie, in the order of the type map: rows of equal blocks at equal
 *   distances.  All of it is repeated `times` times at distances of `stride`.  Packing and
 * unpacking run through this list.
 * - units: what its bytes are: runs of equal basic elements, the whole repeated `repeats` times.
 *   Conversion to and from other machines runs through this one.
 *
 * A type whose bytes lie together without a gap is dense: its data needs no packing.  A type of
 * equal basic elements has a type of hnow, and travels as such; all others travel as bytes
 * (mpi_pack.h).
 */
#pragma once

#include "hnow.h"
#include "object/mpi_error.h"

struct mpi_attribute;

/* One of MPI's basic elements. */
struct mpi_basic {
    hn_type hn;      /* HN_BYTE: has none in hnow, and is never converted */
    size_t size;     /* bytes here ... */
    size_t external; /* ... and in external32 */
    size_t align;
    /* C: bytes; I, U: integers with and without sign; L, M: long ones; B: logical; F, Z: real and
     * complex numbers. */
    char sort;
};

struct type_block {
    MPI_Aint at;     /* of the first block */
    size_t bytes;    /* of a block */
    size_t count;    /* of blocks, at distances of ... */
    MPI_Aint stride; /* ... so many bytes */
};

struct type_unit {
    const struct mpi_basic *basic;
    size_t count;
};

/* How a type was made: MPI_Type_get_contents(). */
struct type_recipe {
    int combiner;
    size_t ints, addresses, counts, types;
    int *int_list;
    MPI_Aint *address_list;
    MPI_Count *count_list;
    struct mpi_type **type_list;
};

struct mpi_type {
    struct object object;
    MPI_Count size; /* bytes of data */
    MPI_Aint lb, ub, true_lb, true_ub;
    size_t align; /* largest of its basic elements */
    bool committed, dense;
    bool fixed_bounds; /* lb and ub were set by MPI_Type_create_resized() */
    hn_type unit;      /* of its elements when all are alike, else HN_BYTE */
    size_t elements;   /* basic ones, in all */

    struct type_block *blocks;
    size_t block_count;
    size_t times;
    MPI_Aint stride;

    struct type_unit *units;
    size_t unit_count;
    size_t repeats;

    struct type_recipe recipe;
    struct mpi_attribute *attributes;
    char name[MPI_MAX_OBJECT_NAME];
};

void type_setup(void);
OBJECT_OF(type, MPI_Datatype, OBJECT_TYPE)

/* A basic element's number, which is the same in all tasks, and back. */
int type_basic_number(const struct mpi_basic *basic);
const struct mpi_basic *type_basic(int64_t number);

static inline MPI_Aint type_extent(const struct mpi_type *t)
{
    return t->ub - t->lb;
}

/* Whether `count` elements of it lie in memory as they travel. */
static inline bool type_is_plain(const struct mpi_type *t, size_t count)
{
    return t->dense && (count <= 1 || type_extent(t) == t->size);
}

/* A handle's type for communication: NULL, and *error what error_on() has said, when it is none or
 * not committed. */
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
