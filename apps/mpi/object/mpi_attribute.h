/* mpi_attribute.h - attributes of communicators, datatypes and windows. */
#pragma once

#include "object/mpi_error.h"

/* A language sees the values that another one has set: C sees addresses of integers, Fortran sees
 * addresses as integers. */
enum language { LANGUAGE_C, LANGUAGE_FORTRAN, LANGUAGE_MPI1 /* Fortran's INTEGERs */ };

struct attribute_value {
    enum language language; /* that has set it, and says which one it is */
    union {
        void *pointer;
        MPI_Aint address;
        MPI_Fint integer;
    };
};
/* A value as C and as Fortran has it. */
void *attribute_pointer(struct attribute_value *value);
MPI_Aint attribute_integer(const struct attribute_value *value);

/* Functions of another library that call a key's functions for it. */
typedef int copy_caller(void *function, mpi_handle handle, int keyval, void *extra, int type,
                        void *value, void **copy, int *flag);
typedef int delete_caller(void *function, mpi_handle handle, int keyval, int type, void *value,
                          void *extra);

struct mpi_keyval {
    struct object object;
    enum object_kind of;
    void *copy, *discard; /* functions, as the kind has them */
    void *extra;          /* in Fortran an integer */
    enum language language;
    copy_caller *copy_caller; /* NULL: they are called directly */
    delete_caller *delete_caller;
};

struct mpi_attribute {
    struct mpi_attribute *next; /* the one set before */
    struct mpi_keyval *keyval;
    struct attribute_value value;
};

/* The key of a number; NULL: there is none for this kind.  A key that was freed is good as long as
 * there are attributes under it. */
struct mpi_keyval *attribute_keyval_of(enum object_kind of, int keyval);
/* The place of an attribute in a list, or the list's end. */
struct mpi_attribute **attribute_find(struct mpi_attribute **list, const struct mpi_keyval *k);
/* Puts one first; false: no memory. */
bool attribute_add(struct mpi_attribute **list, struct mpi_keyval *k, struct attribute_value value);
/* Takes one out of its list, calls its function, and frees it: MPI_SUCCESS, or the function's
 * error, with which it is first in the list. */
int attribute_delete_one(struct mpi_attribute **list, struct mpi_attribute **at, mpi_handle handle);
/* The number of a key, and the key of one, of any kind, that the program has; NULL: it has none. */
int attribute_key(const struct mpi_keyval *k);
struct mpi_keyval *attribute_key_at(int keyval);
/* The calls of MPI for values of any language; *value is NULL when the object has none. */
int attribute_put_Comm(MPI_Comm comm, int keyval, struct attribute_value value, const char *call);
int attribute_get_Comm(MPI_Comm comm, int keyval, struct attribute_value **value, const char *call);
int attribute_put_Type(MPI_Datatype type, int keyval, struct attribute_value value,
                       const char *call);
int attribute_get_Type(MPI_Datatype type, int keyval, struct attribute_value **value,
                       const char *call);
int attribute_put_Win(MPI_Win win, int keyval, struct attribute_value value, const char *call);
int attribute_get_Win(MPI_Win win, int keyval, struct attribute_value **value, const char *call);
/* Call the key's functions: MPI_SUCCESS or their error.  Without a copy, flag is 0. */
int attribute_call_copy(struct mpi_attribute *from, mpi_handle handle,
                        struct attribute_value *value, int *flag);
int attribute_call_delete(struct mpi_attribute *a, mpi_handle handle);

/* Values of MPI_COMM_WORLD's own attributes, once there is one; MPI_APPNUM's is given. */
void attribute_start(int appnum);
/* Copies attributes for a duplicate, as their copy functions will: MPI_SUCCESS or a function's
 * error. */
int attribute_copy_all(mpi_handle from_handle, struct mpi_attribute *from,
                       struct mpi_attribute **to);
/* Deletes all, the last one set first: MPI_SUCCESS or the error of a function, with which the rest
 * stay. */
int attribute_delete_all(mpi_handle handle, struct mpi_attribute **list);
