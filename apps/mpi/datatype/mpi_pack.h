/* mpi_pack.h - copies data of any type to and from consecutive bytes.
 *
 * Three layouts are distinguished: the program's memory (blocks with gaps), packed (consecutive,
 * native format), and wire (packed, or converted where machines differ). On equal machines wire and
 * packed are the same, and dense types travel without any copy.
 *
 * hnow converts the byte order of messages of one basic type; external_put()
 * and external_get() convert those of several. Packed data of MPI_Pack() is converted by the
 * task that packs, as its receiver gets plain bytes.
 */
#pragma once

#include "datatype/mpi_external.h"
#include "datatype/mpi_type.h"

#include <stdlib.h>

/* Packs `count` elements of a type into out, which has room for count * size bytes. */
void pack_type(const struct mpi_type *t, size_t count, const void *data, void *out);
/* Unpacks `bytes` bytes, at most count * size. The rest of the elements is left unchanged: a
 * message may be shorter than the receive's buffer. */
void unpack_type(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes);

/* Packed bytes of so many basic elements of a type. */
size_t pack_bytes(const struct mpi_type *t, size_t elements);

/* True if the job's machines differ.  Then types of several basic types, and packed data, travel in
 * external format (mpi_external.h).  The value is equal in all tasks, because all know hrun's
 * hosts. Set once at start by wire_setup(), before any other thread of MPI. */
extern bool wire_is_mixed;
void wire_setup(void);

/* The wire format of a type: elements of one type of hnow. wire_size() is its length in bytes.  In
 * external format that type is HN_BYTE, which hnow does not convert. False in a job of equal
 * machines, and for types of one basic type. */
bool wire_is_external(const struct mpi_type *t);
size_t wire_size(const struct mpi_type *t, size_t count);
/* The number of elements of that type. */
static inline size_t wire_count(const struct mpi_type *t, size_t count)
{
    if (t->unit != HN_BYTE)
        return count * t->elements;
    return wire_is_mixed ? wire_size(t, count) : count * (size_t)t->size;
}
/* True if the wire format equals the layout in memory. */
static inline bool wire_is_plain(const struct mpi_type *t, size_t count)
{
    return type_is_plain(t, count) && !(wire_is_mixed && wire_is_external(t));
}
/* wire_put() packs into wire format; wire_get() unpacks `bytes` bytes, at most wire_size(t,
 * count).  They return HN_OK, HN_ENOMEM, or HN_ETYPE if a value does not fit this machine's
 * type. */
int wire_put(const struct mpi_type *t, size_t count, const void *data, void *out);
int wire_get(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes);

/* Data in wire format.  For a plain type `data` points into the program's buffer and `owned` is
 * NULL.  Other types are packed into `owned`, which wire_free() frees. The life of a struct wire is
 * that of one send or receive; begin with wire_room() or wire_pack() and end with wire_free(). In a
 * receive, `count` is the room and not what arrives. */
struct wire {
    void *data;   /* the program's, or owned */
    size_t count; /* of elements of type */
    hn_type type;
    /* NULL: `data` is the program's. Freed by wire_free(), never by hnow. */
    void *owned;
};
/* Prepares a receive; the memory is uninitialised.  Returns false if out of memory. The data of a
 * dense type begins at its true lower bound, not at the address that the program passes. */
static inline bool wire_room(struct wire *w, const struct mpi_type *t, size_t count, void *data)
{
    w->type = t->unit;
    w->count = wire_count(t, count);
    w->data = (char *)data + t->true_lb;
    w->owned = NULL;
    if (w->count == 0 || wire_is_plain(t, count))
        return true;
    w->data = w->owned = malloc(wire_size(t, count));
    return w->owned != NULL;
}
/* Packs data to send.  Returns false if out of memory. */
static inline bool wire_pack(struct wire *w, const struct mpi_type *t, size_t count,
                             const void *data)
{
    return wire_room(w, t, count, (void *)data) &&
           (!w->owned || wire_put(t, count, data, w->owned) == HN_OK);
}
/* Unpacks `got` received elements of type `sent` into the program's buffer.  Returns as
 * wire_get(). */
int wire_unpack(struct wire *w, const struct mpi_type *t, size_t count, void *data, size_t got,
                hn_type sent);
/* May be called twice. */
static inline void wire_free(struct wire *w)
{
    if (w->owned)
        free(w->owned);
    w->owned = NULL;
}
