/* mpi_pack.h - data of any type to and from consecutive bytes. */
#pragma once

#include "datatype/mpi_external.h"
#include "datatype/mpi_type.h"

#include <stdlib.h>

/* Packs `count` elements of a type into out, which has room for count * size bytes. */
void pack_type(const struct mpi_type *t, size_t count, const void *data, void *out);
/* Unpacks `bytes` bytes, at most count * size. */
void unpack_type(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes);

/* Whether the job's machines differ: then a type of several basic types, and packed data, travel in
 * external form (mpi_external.h).  All tasks know it alike, since hrun's hosts are known to all. */
extern bool wire_is_mixed;
void wire_setup(void);

/* How data of a type travels: as elements of one type of hnow, in so many bytes.  Where it travels
 * in external form, that type is HN_BYTE, and hnow converts nothing. */
bool wire_is_external(const struct mpi_type *t);
size_t wire_size(const struct mpi_type *t, size_t count);
/* How many elements of that type they are. */
static inline size_t wire_count(const struct mpi_type *t, size_t count)
{
    if (t->unit != HN_BYTE)
        return count * t->elements;
    return wire_is_mixed ? wire_size(t, count) : count * (size_t)t->size;
}
/* Whether it travels as it lies in memory. */
static inline bool wire_is_plain(const struct mpi_type *t, size_t count)
{
    return type_is_plain(t, count) && !(wire_is_mixed && wire_is_external(t));
}
/* Packs it as it travels, and unpacks `bytes` bytes, at most wire_size(t, count): HN_OK, HN_ENOMEM,
 * or HN_ETYPE when a value does not fit this machine's type. */
int wire_put(const struct mpi_type *t, size_t count, const void *data, void *out);
int wire_get(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes);

/* The same data as it travels: as elements of one type of hnow.  A plain type is data itself
 * (`data` points into the program's buffer, `owned` is NULL), others are packed into memory that
 * wire_free() gives back. */
struct wire {
    void *data;   /* of the program, or owned */
    size_t count; /* of elements of type */
    hn_type type;
    void *owned;
};
/* Memory into which is received: nothing in it yet.  False: out of memory. */
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
/* Packs what is sent.  False: out of memory. */
static inline bool wire_pack(struct wire *w, const struct mpi_type *t, size_t count,
                             const void *data)
{
    return wire_room(w, t, count, (void *)data) &&
           (!w->owned || wire_put(t, count, data, w->owned) == HN_OK);
}
/* Copies `got` received elements of type `sent` to their place in the program's buffer: as
 * wire_get(). */
int wire_unpack(struct wire *w, const struct mpi_type *t, size_t count, void *data, size_t got,
                hn_type sent);
static inline void wire_free(struct wire *w)
{
    if (w->owned)
        free(w->owned);
    w->owned = NULL;
}
