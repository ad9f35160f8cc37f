/* mpi_object.h - objects of MPI, and validation of handles.
 *
 * Objects of a kind are in one range of addresses, in slots of equal size that are reused and never
 * unmapped.  So any number that a program passes as a handle can be validated without reading
 * unmapped memory: it must be the address of a slot that contains an object of that kind.  A handle
 * includes a count of the slot's uses (modulo GENERATIONS), so that a handle of a freed object is
 * not taken for the next object in its slot.  The slot's index in its range and this count form the
 * object's number in Fortran.
 *
 * References are counted: one for each handle of the program, and one for each object, list or
 * operation that needs the object. At zero the registered function frees what the object owns.
 * Objects are made and freed by any thread; the counts are atomic. Their contents are not
 * protected here.
 */
#pragma once

#include "mpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind selects the range of addresses, and thereby the type that an address may be cast to.
 * OBJECT_NONE marks a free slot, so a stale handle fails the comparison of kinds. */
enum object_kind {
    OBJECT_NONE, /* a free slot */
    OBJECT_COMM,
    OBJECT_TYPE,
    OBJECT_GROUP,
    OBJECT_OP,
    OBJECT_REQUEST,
    OBJECT_INFO,
    OBJECT_ERRHANDLER,
    OBJECT_MESSAGE,
    OBJECT_KEYVAL,
    OBJECT_WIN,
    OBJECT_FILE,
    OBJECT_SESSION,
    OBJECT_KINDS
};

/* A handle of any kind: an integer or an address, like the ABI's communicators. */
typedef __typeof__(_Generic((MPI_Comm)0, int : 0, default : (void *)0)) mpi_handle;

/* File handles are addresses in every ABI. The casts go through intptr_t, because a handle may be
 * an int that is narrower than an address. */
#define HANDLE_OF_FILE(file)      ((mpi_handle)(intptr_t)(file))
#define HANDLE_AS(Handle, handle) ((Handle)(intptr_t)(handle))

/* A handle for error texts, printed with %p. */
static inline void *handle_shown(mpi_handle handle)
{
    uintptr_t value = (uintptr_t)handle;

    return (void *)(sizeof handle < sizeof value ? value & UINT32_MAX : value);
}

/* Every object begins with this. */
struct object {
    void *first; /* for an ABI whose handles are addresses of pointers: the object itself */
    enum object_kind kind;
    /* The counts change atomically, except where one thread is the only user. */
    int references;           /* handles, and other users of the object */
    int handles;              /* number of the program's handles; at 0 the object is not found any
                                 more */
    bool named;               /* predefined; never freed */
    unsigned char generation; /* of the slot */
    mpi_handle handle;        /* the program's handle */
    struct object *next;      /* in the list of free slots */
};

/* Uses of a slot that handles distinguish: addresses of objects have that many spare values. */
enum { GENERATIONS = _Alignof(struct object) };

/* The address of an object plus its generation. */
static inline void *object_address(struct object *o)
{
    return (char *)o + o->generation;
}

/* Must be called before any other function. */
void object_setup(void);

/* Makes an object of a kind, zeroed, with one reference and the handle of handle_new().  NULL: out
 * of memory. */
void *object_new(enum object_kind kind);
/* The same, but uninitialised. */
void *object_new_unset(enum object_kind kind);
/* Registers what else to free with an object of a kind; called when its last reference is
 * dropped. */
void object_when_freed(enum object_kind kind, void (*release)(void *object));
/* Add and drop a reference.  Predefined objects are not counted, because they are never freed. */
static inline void object_hold(void *object)
{
    struct object *o = object;

    if (!o->named)
        __atomic_fetch_add(&o->references, 1, __ATOMIC_RELAXED);
}
void object_drop_counted(void *object);
static inline void object_drop(void *object)
{
    if (!((struct object *)object)->named)
        object_drop_counted(object);
}

/* Add and remove a handle of the program (a predefined object keeps its handle). */
void object_hold_handle(void *object);
void object_retire(void *object);

/* The range of objects of a kind; `used` is the number of bytes ever used. */
struct object_place {
    char *base;
    size_t used;
};
extern struct object_place object_places[OBJECT_KINDS];

/* Returns the object at object_address(), with or without a handle; NULL: none. The offset is
 * unsigned, so that an address below the range is rejected by the same comparison. The remainder of
 * the division by GENERATIONS is the generation; the quotient is the object. A slot is read only
 * below `used`, where the memory is mapped, and an address between two slots fails the test of
 * `first`. Costs O(1), and takes no lock: a program that frees an object while it uses it is
 * erroneous. */
static inline struct object *object_in_slot(enum object_kind kind, const void *address)
{
    const struct object_place *p = &object_places[kind];
    size_t at = (size_t)((uintptr_t)address - (uintptr_t)p->base);

    if (at >= p->used)
        return NULL;
    struct object *o = (struct object *)(p->base + at / GENERATIONS * GENERATIONS);
    return o->first == o && o->kind == kind && o->generation == at % GENERATIONS ? o : NULL;
}

/* The same for an object with a handle; NULL: none of that kind. */
static inline void *object_at(enum object_kind kind, const void *address)
{
    struct object *o = object_in_slot(kind, address);

    return o && o->handles > 0 ? o : NULL;
}

/* An object's number, from 1 on, and the reverse (NULL: none). */
int object_number(const void *object);
void *object_of_number(enum object_kind kind, int number);
/* The same for an object that has no handle, but is still referenced. */
void *object_used(enum object_kind kind, int number);
/* Calls visit for all objects of a kind. */
void object_for_each(enum object_kind kind, void (*visit)(void *object));
