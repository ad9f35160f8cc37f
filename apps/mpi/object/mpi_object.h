/* mpi_object.h - objects of MPI, and whether a handle is one.
 *
 * Objects of a kind lie in one range of addresses, in slots of equal size that are used again and
 * never given back.  So any number that a program passes as a handle can be judged without reading
 * memory that may not be there: is it the address of a slot, and is there an object of that kind
 * in it?  A handle counts how often the slot was used (modulo GENERATIONS), so that one of a freed
 * object is not taken for the next object in its slot.  The slot's place in its range and this
 * count are the object's number in Fortran.
 */
#pragma once

#include "mpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* A handle of any kind: an integer or an address, as the front has communicators. */
typedef __typeof__(_Generic((MPI_Comm)0, int : 0, default : (void *)0)) mpi_handle;

/* Handles of files are addresses in every front. */
#define HANDLE_OF_FILE(file)      ((mpi_handle)(intptr_t)(file))
#define HANDLE_AS(Handle, handle) ((Handle)(intptr_t)(handle))

/* As texts of errors show a handle, with %p. */
static inline void *handle_shown(mpi_handle handle)
{
    uintptr_t value = (uintptr_t)handle;

    return (void *)(sizeof handle < sizeof value ? value & UINT32_MAX : value);
}

/* Every object begins with this. */
struct object {
    void *first; /* for a front whose handles are addresses of pointers: the object itself */
    enum object_kind kind;
    int references;           /* handles, and what else uses the object */
    int handles;              /* how many the program has; without one it is not found any more */
    bool named;               /* one of MPI's own: no program frees it */
    unsigned char generation; /* of the slot */
    mpi_handle handle;        /* what the program knows it by */
    struct object *next;      /* of the free slots */
};

/* Uses of a slot that handles distinguish: as many as addresses of objects have bits to spare. */
enum { GENERATIONS = _Alignof(struct object) };

/* The address of an object with its generation. */
static inline void *object_address(struct object *o)
{
    return (char *)o + o->generation;
}

/* Before any other call. */
void object_setup(void);

/* A new object of a kind, all else zero, with one reference and handle_new()'s handle.  NULL: out
 * of memory. */
void *object_new(enum object_kind kind);
/* The same, but nothing is zero. */
void *object_new_unset(enum object_kind kind);
/* Each kind says what else is to be freed with an object: called when its last reference goes. */
void object_when_freed(enum object_kind kind, void (*release)(void *object));
/* One more reference, and one less.  Those of MPI's own objects are not counted: they are never
 * freed. */
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

/* The program gets one more handle, and gives one up (an object of MPI's own keeps its handle). */
void object_hold_handle(void *object);
void object_retire(void *object);

/* Where objects of a kind are: so many bytes have ever been used. */
struct object_place {
    char *base;
    size_t used;
};
extern struct object_place object_places[OBJECT_KINDS];

/* The object of object_address(), whether it has a handle or not; NULL: there is none. */
static inline struct object *object_in_slot(enum object_kind kind, const void *address)
{
    const struct object_place *p = &object_places[kind];
    size_t at = (size_t)((uintptr_t)address - (uintptr_t)p->base);

    if (at >= p->used)
        return NULL;
    struct object *o = (struct object *)(p->base + at / GENERATIONS * GENERATIONS);
    return o->first == o && o->kind == kind && o->generation == at % GENERATIONS ? o : NULL;
}

/* The same with a handle, or NULL when there is none of that kind. */
static inline void *object_at(enum object_kind kind, const void *address)
{
    struct object *o = object_in_slot(kind, address);

    return o && o->handles > 0 ? o : NULL;
}

/* An object's number, from 1 on, and back (NULL: there is none). */
int object_number(const void *object);
void *object_of_number(enum object_kind kind, int number);
/* The same of an object without a handle that something else still uses. */
void *object_used(enum object_kind kind, int number);
/* Calls visit for all objects of a kind. */
void object_for_each(enum object_kind kind, void (*visit)(void *object));
