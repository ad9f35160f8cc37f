/* mpi_object.c - allocates objects in slots (mpi_object.h).
 *
 * A program that keeps a window of messages in progress makes and frees a request for each.  So
 * every thread caches some slots that it has freed and reuses them, without a lock or an atomic
 * operation.
 *
 * The mapping of a range is made at its first object and is never unmapped. A slot is in exactly
 * one of three states: never used (above `used`), in use, or in one list of free slots. Making and
 * freeing an object cost O(1); a lock is taken only if the thread's cache is empty or full.
 */
#include "object/mpi_object.h"

#include "object/mpi_attribute.h"
#include "communicator/mpi_comm.h"
#include "object/mpi_error.h"
#include "file/mpi_file.h"
#include "communicator/mpi_group.h"
#include "object/mpi_info.h"
#include "collective/mpi_operator.h"
#include "message/mpi_request.h"
#include "process/mpi_session.h"
#include "datatype/mpi_type.h"
#include "window/mpi_win.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Maximum number of objects of a kind.  Only used slots take memory; the rest is reserved address
 * space.  MPICH's handles have 26 bits for this times GENERATIONS. */
enum { SLOTS_MOST = 1 << 20 };

/* Free slots of a kind, reused in FIFO order, so that use of a freed handle is detected for as long
 * as possible. */
struct free_slots {
    struct object *first, *last;
    /* Length of the list; limits a thread's cache to KEPT. */
    unsigned n;
};

/* Read by object_in_slot() without the lock: `base` is set once and `used` only grows. */
struct object_place object_places[OBJECT_KINDS];

/* What is shared by all threads, for each kind. `release` is set at start, before there is a second
 * thread of MPI, and is read without the lock. */
static struct range {
    pthread_mutex_t lock;
    /* Slots that no thread caches. */
    struct free_slots free;
    void (*release)(void *object);
} ranges[OBJECT_KINDS] = {[0 ... OBJECT_KINDS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

/* Bytes of a slot. */
static const size_t sizes[OBJECT_KINDS] = {
    [OBJECT_COMM] = sizeof(struct mpi_comm),
    [OBJECT_TYPE] = sizeof(struct mpi_type),
    [OBJECT_GROUP] = sizeof(struct mpi_group),
    [OBJECT_OP] = sizeof(struct mpi_op),
    [OBJECT_REQUEST] = sizeof(struct mpi_request),
    [OBJECT_INFO] = sizeof(struct mpi_info),
    [OBJECT_ERRHANDLER] = sizeof(struct mpi_errhandler),
    [OBJECT_MESSAGE] = sizeof(struct mpi_message),
    [OBJECT_KEYVAL] = sizeof(struct mpi_keyval),
    [OBJECT_WIN] = sizeof(struct mpi_win),
    [OBJECT_FILE] = sizeof(struct mpi_file),
    [OBJECT_SESSION] = sizeof(struct mpi_session),
};

/* Returns the slot that has been free for the longest time, or NULL. */
static struct object *take(struct free_slots *s)
{
    struct object *o = s->first;

    if (o) {
        /* `last` is left as it is: put() ignores it when the list is empty. */
        s->first = o->next;
        s->n--;
    }
    return o;
}

/* At the end, so that a number is reused as late as possible. */
static void put(struct free_slots *s, struct object *o)
{
    o->next = NULL;
    if (s->first)
        s->last->next = o;
    else
        s->first = o;
    s->last = o;
    s->n++;
}

/* ---- slots cached by threads ---------------------------------------------------------------- */

/* Slots of each kind that a thread caches: as many as hnow caches requests. */
enum { KEPT = 128 };

/* The calling thread's cache, struct free_slots[OBJECT_KINDS], or NULL before it has freed one.  A
 * single pointer fits into static TLS even if the library is loaded late.  This puts all
 * thread-local data of the library there, so none of it is large. */
static _Thread_local struct free_slots *kept __attribute__((tls_model("initial-exec")));
static pthread_key_t key; /* the same, for the end of the thread */

/* The kind is an argument, because a free slot no longer has one. */
static void put_in_range(struct object *o, enum object_kind kind)
{
    struct range *r = &ranges[kind];

    pthread_mutex_lock(&r->lock);
    put(&r->free, o);
    pthread_mutex_unlock(&r->lock);
}

/* Returns the cache of a thread that ends. Runs as the destructor of the thread's key. `kept` is
 * cleared first, so that an object freed by a later destructor of this thread starts a new
 * cache. */
static void put_all_in_range(void *slots)
{
    struct object *o;

    kept = NULL;
    for (enum object_kind kind = 0; kind < OBJECT_KINDS; kind++)
        while ((o = take(&((struct free_slots *)slots)[kind])))
            put_in_range(o, kind);
    free(slots);
}

void object_setup(void)
{
    pthread_key_create(&key, put_all_in_range);
}

/* Frees a slot. The kind is cleared before the slot enters a list, so that its old handle is
 * invalid from here on. Without memory for a cache, or with a full one, the slot is returned to the
 * range. */
static void put_back(struct object *o)
{
    enum object_kind kind = o->kind;

    o->kind = OBJECT_NONE;
    /* The first object that this thread frees. */
    if (!kept) {
        kept = calloc(OBJECT_KINDS, sizeof *kept);
        if (pthread_setspecific(key, kept) != 0) {
            free(kept);
            kept = NULL;
        }
    }
    /* A thread that only frees, while another one makes, fills its cache and then serves the
     * range. */
    if (kept && kept[kind].n < KEPT)
        put(&kept[kind], o);
    else
        put_in_range(o, kind);
}

/* ---- objects -------------------------------------------------------------------------------- */

/* Returns a slot that was never used; call with the range's lock held. MAP_NORESERVE: the kernel
 * reserves no swap for the million slots of a range, and pages are allocated when they are first
 * written. NULL: the address space or the number of slots is exhausted. */
static struct object *fresh(enum object_kind kind)
{
    struct object_place *p = &object_places[kind];

    /* The first object of its kind. Kinds that a program does not use reserve nothing. */
    if (!p->base) {
        void *base = mmap(NULL, SLOTS_MOST * sizes[kind], PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            return NULL;
        p->base = base;
    }
    if (p->used == SLOTS_MOST * sizes[kind])
        return NULL;
    /* Slots are never returned to the system. From here on, object_in_slot() may read the slot;
     * its kind is 0 until it is made. */
    p->used += sizes[kind];
    return (struct object *)(p->base + p->used - sizes[kind]);
}

/* Prefers a freed slot, so that the part of a range in use stays small. */
static struct object *take_from_range(enum object_kind kind)
{
    struct range *r = &ranges[kind];

    pthread_mutex_lock(&r->lock);
    struct object *o = take(&r->free);
    if (!o)
        o = fresh(kind);
    pthread_mutex_unlock(&r->lock);
    return o;
}

/* The header is overwritten completely; only the generation continues from the previous use of the
 * slot. */
void *object_new_unset(enum object_kind kind)
{
    struct object *o = kept ? take(&kept[kind]) : NULL;

    if (!o && !(o = take_from_range(kind)))
        return NULL;
    /* The new generation makes old handles of this slot invalid. */
    *o = (struct object){.first = o,
                         .kind = kind,
                         .references = 1,
                         .handles = 1,
                         .generation = (o->generation + 1) % GENERATIONS};
    o->handle = handle_new(o);
    return o;
}

/* Cleared, except for its head. */
void *object_new(enum object_kind kind)
{
    struct object *o = object_new_unset(kind);

    if (o)
        memset(o + 1, 0, sizes[kind] - sizeof *o);
    return o;
}

/* `release` frees what the object owns; the object itself is reused. */
void object_when_freed(enum object_kind kind, void (*release)(void *object))
{
    ranges[kind].release = release;
}

/* Drops a reference.  Returns true if it was the last one.  If it is the only one, no atomic
 * operation is needed. A thread that reads 1 holds the only reference, so no other thread can add
 * or drop one at the same time. */
static bool is_last(struct object *o)
{
    return __atomic_load_n(&o->references, __ATOMIC_ACQUIRE) == 1 ||
           __atomic_sub_fetch(&o->references, 1, __ATOMIC_ACQ_REL) == 0;
}

/* The function `release` runs while the object still has its kind and handle, because attributes'
 * delete functions get the handle. */
void object_drop_counted(void *object)
{
    struct object *o = object;

    if (!is_last(o))
        return;
    /* Objects that it drops may be of the same kind: recursion is allowed, as no lock is held. */
    if (ranges[o->kind].release)
        ranges[o->kind].release(o);
    put_back(o);
}

/* Each handle holds one reference: by MPI 4.1, 2.5.1, a program may free an object that is still in
 * use. */
void object_hold_handle(void *object)
{
    object_hold(object);
    __atomic_fetch_add(&((struct object *)object)->handles, 1, __ATOMIC_RELAXED);
}

/* From the last handle on, object_at() does not find the object any more, although communication
 * that is under way still references it. With one reference left there is one handle and no other
 * user, and a plain store suffices. */
void object_retire(void *object)
{
    struct object *o = object;

    if (o->named)
        return;
    if (__atomic_load_n(&o->references, __ATOMIC_ACQUIRE) == 1)
        __atomic_store_n(&o->handles, 0, __ATOMIC_RELAXED);
    else
        __atomic_fetch_sub(&o->handles, 1, __ATOMIC_RELAXED);
    /* The reference of the handle. Others keep the object until their operations end. */
    object_drop(o);
}

/* 1 is added so that 0 never is a valid number: Fortran programs that pass an uninitialised 0 are
 * detected. The number fits into an int, because GENERATIONS * SLOTS_MOST does. */
int object_number(const void *object)
{
    const struct object *o = object;
    size_t slot = (size_t)((const char *)object - object_places[o->kind].base) / sizes[o->kind];

    return (int)(o->generation * SLOTS_MOST + slot) + 1;
}

/* Returns the address with its generation; NULL: no object has the number. The address is not
 * validated; the caller passes it to object_in_slot() or object_at(). */
static char *address_of_number(enum object_kind kind, int number)
{
    size_t slot = (size_t)(number - 1) % SLOTS_MOST, generation = (size_t)(number - 1) / SLOTS_MOST;

    return number > 0 && generation < GENERATIONS
               ? object_places[kind].base + slot * sizes[kind] + generation
               : NULL;
}

/* NULL: no live object has that number. */
void *object_of_number(enum object_kind kind, int number)
{
    return object_at(kind, address_of_number(kind, number));
}

/* Also finds objects whose last handle is gone, such as keys that attributes still use. */
void *object_used(enum object_kind kind, int number)
{
    return object_in_slot(kind, address_of_number(kind, number));
}

/* Visits in order of addresses, also objects that have no handle. Objects that other threads make
 * or free meanwhile may be visited or missed. */
void object_for_each(enum object_kind kind, void (*visit)(void *object))
{
    const struct object_place *p = &object_places[kind];

    for (size_t at = 0; at < p->used; at += sizes[kind]) {
        struct object *o = (struct object *)(p->base + at);
        if (o->kind == kind)
            visit(o);
    }
}
