/* mpi_counts.h - counts in the program's memory: int in one form of a call, MPI_Count or MPI_Aint
 * in the other (mpi_forms.h). Calls with lists of counts exist in two forms. Instead of two
 * copies of each function, both forms pass this struct; the width is found at run time, by one
 * comparison an element. */
#pragma once

#include "mpi.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A list of counts, or the place of one. */
struct counts {
    void *at;
    size_t size; /* bytes of each */
};
/* A null list gives a null `at`, which callers test. */
#define COUNTS(list) ((struct counts){(void *)(list), sizeof *(list)})

/* Element i of a list. memcpy() reads it, because the list may be of any integer type of that size.
 * C's aliasing rules forbid to read it through a pointer to int64_t. */
static inline MPI_Count counts_get(struct counts c, MPI_Count i)
{
    const char *at = (const char *)c.at + (size_t)i * c.size;
    int narrow;
    int64_t wide;

    if (c.size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* A value that does not fit into an int is stored as MPI_UNDEFINED. MPI 4.1, 5.1.5 and 3.2.5
 * prescribe MPI_UNDEFINED for sizes and counts beyond int. */
static inline void counts_put(struct counts c, MPI_Count value)
{
    int narrow = value > INT_MAX ? MPI_UNDEFINED : (int)value;
    int64_t wide = value;

    memcpy(c.at, c.size == sizeof narrow ? (void *)&narrow : (void *)&wide, c.size);
}
