/* mpi_side.h - one side of a collective operation: what a member gives, or what it gets.
 *
 * A side is one block of data or several, by ranks or neighbours.  It is noted as the call has it,
 * and opened once it is known that the member needs it: then there are buffers and counts as hnow
 * takes them.  Data that lies in memory as it travels is not copied.
 */
#pragma once

#include "communicator/mpi_comm.h"
#include "datatype/mpi_type.h"

/* A list of a call: of ints, of addresses or of counts. */
struct call_list {
    const void *items; /* NULL: there is none */
    size_t width;      /* bytes of an item */
};
#define CALL_LIST(list) ((struct call_list){(list), sizeof *(list)})

static inline MPI_Count call_list_at(const struct call_list *list, size_t i)
{
    if (list->width == sizeof(int))
        return ((const int *)list->items)[i];
    return ((const int64_t *)list->items)[i];
}

struct coll_side {
    /* as the call has it */
    const void *buffer;
    MPI_Count count; /* of a block, without a list */
    struct call_list counts, displs;
    MPI_Datatype handle;
    const MPI_Datatype *handles; /* of each block, whose displacement is then in bytes */

    /* when it is open */
    bool in_place; /* the data is on the other side */
    size_t blocks;
    struct mpi_type *type, **types;
    char *data;                /* the program's, or `owned` */
    hn_type unit;              /* type of hnow of all blocks ... */
    size_t n;                  /* ... and its elements in each, without a list */
    size_t *elements, *places; /* by block: how many, and where from `data` on: in elements, with a
                                  list of types in bytes */
    hn_type *units;            /* with a list of types */
    void *owned;               /* packed data, or NULL */
};

/* Looks at what the call says of so many blocks.  MPI_SUCCESS, or what error_on() has said; then,
 * too, side_close(). */
int side_open(struct coll_side *s, size_t blocks, struct mpi_comm *c, const char *call);
/* Packs what the program's buffer holds (again, for a persistent operation): HN_OK or an error. */
int side_fill(struct coll_side *s);
/* Copies received data to its place in the program's buffer: as wire_get(). */
int side_empty(struct coll_side *s);
void side_close(struct coll_side *s);
/* Bytes of all blocks, and of block i. */
size_t side_bytes(const struct coll_side *s);
size_t side_block_bytes(const struct coll_side *s, size_t i);
/* Whether two blocks are in the same place of the program's memory. */
bool side_is_same(const struct coll_side *a, size_t i, const struct coll_side *b, size_t j);
/* Counts bytes instead of elements. */
void side_as_bytes(struct coll_side *s);
