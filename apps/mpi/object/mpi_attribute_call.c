/* mpi_attribute_call.c - attribute values and callback functions in C and Fortran
 * (mpi_attribute.h).
 *
 * The rules of MPI 4.1, 19.3.7: each language sets values of its own size and reads those of the
 * others by a fixed conversion. Fortran's routines of MPI-1 use INTEGER, those of MPI-2 and later
 * integers of kind MPI_ADDRESS_KIND. Functions of Fortran get every argument by reference, and a
 * logical as an integer.
 *
 * The language of a key decides how its functions are called; the language of a value decides
 * how it is read. The two may differ: a key of C can hold a value that Fortran has set.
 */
#include "object/mpi_attribute.h"

/* Common signature of the functions of all kinds. */
typedef int copy_function(mpi_handle handle, int keyval, void *extra, void *in, void *out,
                          int *flag);
typedef int delete_function(mpi_handle handle, int keyval, void *value, void *extra);
typedef void fortran_copy(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in,
                          MPI_Aint *out, MPI_Fint *flag, MPI_Fint *error);
typedef void fortran_delete(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Aint *extra,
                            MPI_Fint *error);
typedef void mpi1_copy(MPI_Fint *handle, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *in,
                       MPI_Fint *out, MPI_Fint *flag, MPI_Fint *error);
typedef void mpi1_delete(MPI_Fint *handle, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *extra,
                         MPI_Fint *error);

/* Numbers that the standard defines in place of functions. A call through them would crash, so they
 * are tested first. Open MPI's ABI has real functions in their place (openmpi_handles.c). */
enum { NULL_FUNCTION = 0, DUP_FUNCTION = 1 };

/* For integers this is the address of the value in the attribute, valid until the attribute is
 * deleted. */
void *attribute_pointer(struct attribute_value *value)
{
    switch (value->language) {
    case LANGUAGE_FORTRAN:
        return &value->address;
    case LANGUAGE_MPI1:
        return &value->integer;
    default:
        return value->pointer;
    }
}

/* MPI 4.1, 19.3.7: what Fortran sees of a value, whatever language has set it. */
MPI_Aint attribute_integer(const struct attribute_value *value)
{
    switch (value->language) {
    case LANGUAGE_FORTRAN:
        return value->address;
    case LANGUAGE_MPI1:
        return value->integer;
    default:
        return (MPI_Aint)value->pointer;
    }
}

/* The value as another library passes it: an integer in place of a pointer. */
static void *passed(const struct attribute_value *value)
{
    return (void *)attribute_integer(value);
}

/* The reverse of passed(): the value keeps its language. */
static void set_passed(struct attribute_value *value, void *to)
{
    if (value->language == LANGUAGE_MPI1)
        value->integer = (MPI_Fint)(MPI_Aint)to;
    else if (value->language == LANGUAGE_FORTRAN)
        value->address = (MPI_Aint)to;
    else
        value->pointer = to;
}

/* *flag is set also if there is no function to call: a duplicating key copies the value as it is.
 * *value need not be written then: the caller has initialised it with the original. The copy
 * belongs to the language of the copy function, not to that of the original value. */
int attribute_call_copy(struct mpi_attribute *from, mpi_handle handle,
                        struct attribute_value *value, int *flag)
{
    const struct mpi_keyval *k = from->keyval;
    MPI_Fint number = handle_number(k->of, handle), key = attribute_key(k), error = MPI_SUCCESS;
    MPI_Aint extra = (MPI_Aint)k->extra, in = attribute_integer(&from->value), out = in;

    *flag = (uintptr_t)k->copy == DUP_FUNCTION;
    /* Both numbers end here; NULL_FUNCTION leaves *flag 0, so nothing is copied. */
    if ((uintptr_t)k->copy <= DUP_FUNCTION)
        return MPI_SUCCESS;
    switch (k->language) {
    case LANGUAGE_FORTRAN:
        ((fortran_copy *)k->copy)(&number, &key, &extra, &in, &out, flag, &error);
        *value = (struct attribute_value){LANGUAGE_FORTRAN, {.address = out}};
        return error;
    /* Its values are of default integers (MPI 4.1, 19.3.7). */
    case LANGUAGE_MPI1: {
        MPI_Fint out1 = (MPI_Fint)in;
        ((mpi1_copy *)k->copy)(&number, &key, &(MPI_Fint){(MPI_Fint)extra},
                               &(MPI_Fint){(MPI_Fint)in}, &out1, flag, &error);
        *value = (struct attribute_value){LANGUAGE_MPI1, {.integer = out1}};
        return error;
    }
    default:
        /* The 0 is the type of a plain pointer in that library's terms. */
        if (k->copy_caller) {
            *value = from->value;
            void *copy = passed(value);
            error = k->copy_caller(k->copy, handle, key, k->extra, 0, copy, &copy, flag);
            set_passed(value, copy);
            return error;
        }
        /* The function gets the original's pointer, and stores its own through value->pointer. */
        *value = (struct attribute_value){LANGUAGE_C, {.pointer = attribute_pointer(&from->value)}};
        return ((copy_function *)k->copy)(handle, key, k->extra, value->pointer, &value->pointer,
                                          flag);
    }
}

/* The number of a handle is computed even for C, since the object still exists. */
int attribute_call_delete(struct mpi_attribute *a, mpi_handle handle)
{
    const struct mpi_keyval *k = a->keyval;
    MPI_Fint number = handle_number(k->of, handle), key = attribute_key(k), error = MPI_SUCCESS;
    MPI_Aint extra = (MPI_Aint)k->extra, value = attribute_integer(&a->value);

    /* There is no duplicating delete function, so only this number is special. */
    if ((uintptr_t)k->discard == NULL_FUNCTION)
        return MPI_SUCCESS;
    switch (k->language) {
    case LANGUAGE_FORTRAN:
        ((fortran_delete *)k->discard)(&number, &key, &value, &extra, &error);
        return error;
    case LANGUAGE_MPI1:
        ((mpi1_delete *)k->discard)(&number, &key, &(MPI_Fint){(MPI_Fint)value},
                                    &(MPI_Fint){(MPI_Fint)extra}, &error);
        return error;
    default:
        if (k->delete_caller)
            return k->delete_caller(k->discard, handle, key, 0, passed(&a->value), k->extra);
        return ((delete_function *)k->discard)(handle, key, attribute_pointer(&a->value), k->extra);
    }
}
