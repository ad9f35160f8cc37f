/* mpi_attribute.c - attribute keys, and lists of attributes (mpi_attribute.h).
 *
 * Each object has a list of values, the newest first; they are deleted in the same order.
 *
 * A key is an object without a handle of the program: its number is all that programs see. It
 * lives as long as the program has not freed it, or an attribute refers to it.
 * No lock is taken: MPI leaves concurrent changes of one object's attributes to the program.
 */
#include "object/mpi_attribute.h"

#include <stdlib.h>

/* First key number for programs, above the predefined keys. Predefined keys are far below, or far
 * above as those of MPICH, which have high bits set. */
enum { KEYVAL_FIRST = 0x10000 };

/* The number of the object, moved above the predefined keys; it is equal for C and Fortran. */
int attribute_key(const struct mpi_keyval *k)
{
    return KEYVAL_FIRST + object_number(k);
}

/* Uses object_used(): a freed key remains valid in calls on objects that still have its
 * attribute. */
struct mpi_keyval *attribute_keyval_of(enum object_kind of, int keyval)
{
    struct mpi_keyval *k = object_used(OBJECT_KEYVAL, keyval - KEYVAL_FIRST);

    /* A communicator's key is no key for a window, although numbers are common to all kinds. */
    return k && k->of == of ? k : NULL;
}

/* Unlike attribute_keyval_of(), NULL for a key that the program has freed. */
struct mpi_keyval *attribute_key_at(int keyval)
{
    return object_of_number(OBJECT_KEYVAL, keyval - KEYVAL_FIRST);
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* The link to the attribute, to be changed or taken out; to NULL: there is none. */
struct mpi_attribute **attribute_find(struct mpi_attribute **list, const struct mpi_keyval *k)
{
    while (*list && (*list)->keyval != k)
        list = &(*list)->next;
    return list;
}

/* The function may set and delete other attributes of the object. Therefore the attribute is
 * unlinked before the call. On failure it is inserted at the front, because its old place may no
 * longer exist. */
int attribute_delete_one(struct mpi_attribute **list, struct mpi_attribute **at, mpi_handle handle)
{
    struct mpi_attribute *a = *at;
    int error;

    *at = a->next;
    error = attribute_call_delete(a, handle);
    if (error != MPI_SUCCESS) {
        a->next = *list;
        *list = a;
        return error;
    }
    /* The key is freed here if the program has freed it before and this was its last use. */
    object_drop(a->keyval);
    free(a);
    return MPI_SUCCESS;
}

/* MPI 4.1, 11.2.4 prescribes the order, newest first, for MPI_COMM_SELF at MPI_Finalize(). Here it
 * holds for all objects. */
int attribute_delete_all(mpi_handle handle, struct mpi_attribute **list)
{
    int error = MPI_SUCCESS;

    /* A delete function may add attributes; these are deleted, too. */
    while (*list && error == MPI_SUCCESS)
        error = attribute_delete_one(list, list, handle);
    return error;
}

/* Newest first. False: out of memory. */
bool attribute_add(struct mpi_attribute **list, struct mpi_keyval *k, struct attribute_value value)
{
    struct mpi_attribute *a = malloc(sizeof *a);

    if (!a)
        return false;
    *a = (struct mpi_attribute){*list, k, value};
    object_hold(k);
    *list = a;
    return true;
}

/* The copy has the order of the original. On an error the copies made so far stay in *to; the
 * caller deletes them with the new object. `to` advances over the copy, so that the next one is
 * appended behind it. */
int attribute_copy_all(mpi_handle from_handle, struct mpi_attribute *from,
                       struct mpi_attribute **to)
{
    for (; from; from = from->next) {
        struct attribute_value value = from->value;
        int flag, error = attribute_call_copy(from, from_handle, &value, &flag);

        if (error != MPI_SUCCESS)
            return error;
        /* The copy function has declined: the duplicate does not get this attribute. */
        if (!flag)
            continue;
        if (!attribute_add(to, from->keyval, value))
            return MPI_ERR_NO_MEM;
        to = &(*to)->next;
    }
    return MPI_SUCCESS;
}
