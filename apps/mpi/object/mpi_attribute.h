/* mpi_attribute.h - attributes of communicators, datatypes and windows.
 *
 * MPI 4.1, 7.7 (caching) and 19.3.7 for values across languages. An object owns its list; an
 * attribute holds a reference to its key, so a key outlives MPI_Comm_free_keyval() while it is
 * used. Lists are searched linearly. Callback functions run without a lock held, since they may
 * call MPI.
 */
#pragma once

#include "object/mpi_error.h"

/* A language can read values set by another one: C reads the address of an integer, Fortran reads
 * an address as an integer. */
enum language { LANGUAGE_C, LANGUAGE_FORTRAN, LANGUAGE_MPI1 /* Fortran's INTEGERs */ };

/* The value lives in the attribute, because C code may get a pointer to an integer that Fortran has
 * set. */
struct attribute_value {
    enum language language; /* the language that set it; selects the member below */
    /* C: pointer. Fortran: address. Fortran's routines of MPI-1: integer. */
    union {
        void *pointer;
        MPI_Aint address;
        MPI_Fint integer;
    };
};
/* Return a value in the form of C, and of Fortran. */
void *attribute_pointer(struct attribute_value *value);
MPI_Aint attribute_integer(const struct attribute_value *value);

/* Functions of another library that call a key's functions on its behalf. MPICH's C++ library
 * registers them. */
typedef int copy_caller(void *function, mpi_handle handle, int keyval, void *extra, int type,
                        void *value, void **copy, int *flag);
typedef int delete_caller(void *function, mpi_handle handle, int keyval, int type, void *value,
                          void *extra);

/* A key. Its functions and `extra` belong to the program and must stay valid until the key's last
 * attribute is deleted. `of` restricts it to communicators, datatypes or windows. */
struct mpi_keyval {
    struct object object;
    enum object_kind of;
    /* Or a number from the standard in place of a function: see mpi_attribute_call.c. */
    void *copy, *discard; /* functions, with the types of the kind of object */
    void *extra;          /* an integer in Fortran */
    enum language language;
    copy_caller *copy_caller; /* NULL: the functions are called directly */
    delete_caller *delete_caller;
};

/* One value of one object. The list has at most one entry for a key. */
struct mpi_attribute {
    struct mpi_attribute *next; /* the one set before */
    struct mpi_keyval *keyval;
    struct attribute_value value;
};

/* Returns the key with a number; NULL: there is none for this kind.  A freed key remains valid
 * while attributes use it. */
struct mpi_keyval *attribute_keyval_of(enum object_kind of, int keyval);
/* Returns the link to an attribute in a list, or to the list's end. */
struct mpi_attribute **attribute_find(struct mpi_attribute **list, const struct mpi_keyval *k);
/* Adds an attribute at the front.  Returns false if out of memory. */
bool attribute_add(struct mpi_attribute **list, struct mpi_keyval *k, struct attribute_value value);
/* Removes an attribute, calls its delete function, and frees it.  Returns MPI_SUCCESS, or the
 * function's error; then the attribute is back at the front of the list. */
int attribute_delete_one(struct mpi_attribute **list, struct mpi_attribute **at, mpi_handle handle);
/* attribute_key(): the number of a key. attribute_key_at(): the program's key with a number, of any
 * kind; NULL: none. */
int attribute_key(const struct mpi_keyval *k);
struct mpi_keyval *attribute_key_at(int keyval);
/* The calls of MPI for values of any language; *value is NULL if the object has none. An existing
 * value is first deleted with its delete function (MPI 4.1, 7.7.2). */
int attribute_put_Comm(MPI_Comm comm, int keyval, struct attribute_value value, const char *call);
int attribute_get_Comm(MPI_Comm comm, int keyval, struct attribute_value **value, const char *call);
int attribute_put_Type(MPI_Datatype type, int keyval, struct attribute_value value,
                       const char *call);
int attribute_get_Type(MPI_Datatype type, int keyval, struct attribute_value **value,
                       const char *call);
int attribute_put_Win(MPI_Win win, int keyval, struct attribute_value value, const char *call);
int attribute_get_Win(MPI_Win win, int keyval, struct attribute_value **value, const char *call);
/* Call the key's functions.  Return MPI_SUCCESS or their error. flag is 0 if there is no copy. */
int attribute_call_copy(struct mpi_attribute *from, mpi_handle handle,
                        struct attribute_value *value, int *flag);
int attribute_call_delete(struct mpi_attribute *a, mpi_handle handle);

/* Sets the predefined attributes of MPI_COMM_WORLD; appnum is the value of MPI_APPNUM. */
void attribute_start(int appnum);
/* Copies attributes for a duplicate, if their copy functions agree.  Returns MPI_SUCCESS or a
 * function's error. */
int attribute_copy_all(mpi_handle from_handle, struct mpi_attribute *from,
                       struct mpi_attribute **to);
/* Deletes all, the newest first.  Returns MPI_SUCCESS, or a function's error; then the rest
 * stays. */
int attribute_delete_all(mpi_handle handle, struct mpi_attribute **list);
