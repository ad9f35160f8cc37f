/* mpi_attribute.h - attributes of communicators and datatypes. */
#ifndef MPI_ATTRIBUTE_H
#define MPI_ATTRIBUTE_H

#include "mpi_error.h"

struct mpi_keyval {
    struct object object;
    enum object_kind of;
    void *copy, *discard; /* functions, as the kind has them */
    void *extra;
    bool fortran; /* they are of Fortran: mpi_fortran.h */
};

struct mpi_attribute {
    struct mpi_attribute *next; /* the one set before */
    struct mpi_keyval *keyval;
    void *value;
};

/* Values of MPI_COMM_WORLD's own attributes, once there is one; MPI_APPNUM's is given. */
void attribute_start(int appnum);
/* Copies attributes for a duplicate, as their copy functions will: MPI_SUCCESS or a function's
 * error. */
int attribute_copy_all(void *from_handle, struct mpi_attribute *from, struct mpi_attribute **to);
/* Deletes all, the last one set first: MPI_SUCCESS or the error of a function, with which the rest
 * stay. */
int attribute_delete_all(void *handle, struct mpi_attribute **list);

#endif
