/* mpi_side.h - one side of a collective operation: what a member sends, or what it receives.
 *
 * A side is one block of data or several, by ranks or neighbours.  The arguments of the call are
 * stored first.  The side is opened once it is known that the member needs it: then buffers and
 * counts are in hnow's form.  Data whose layout in memory equals that on the wire is not copied.
 *
 * Counts of hnow are elements of its own types, not of MPI's datatypes: a struct of 3 doubles is 3
 * elements. A type with gaps is packed into memory of the side; its displacements then are the
 * side's own.
 */
#pragma once

#include "communicator/mpi_comm.h"
#include "datatype/mpi_type.h"
#include "object/mpi_counts.h"

/* The first part belongs to the program and must stay valid until the operation ends. The second
 * part is owned by the side. */
struct coll_side {
    /* arguments of the call */
    const void *buffer;
    MPI_Count count; /* of a block, if there is no list */
    struct counts counts, displs;
    MPI_Datatype handle;
    const MPI_Datatype *handles; /* a type for each block; displacements are in bytes then */

    /* set when the side is open */
    bool in_place; /* MPI_IN_PLACE: the data is on the other side */
    size_t blocks;
    struct mpi_type *type, **types;
    char *data;                /* the program's buffer, or `owned` */
    hn_type unit;              /* hnow's type of all blocks */
    size_t n;                  /* and elements of each block, if there is no list */
    size_t *elements, *places; /* [block]: number of elements, and displacement from `data` in
                                  elements (with a list of types: in bytes) */
    hn_type *units;            /* with a list of types */
    void *owned;               /* packed data, or NULL */
};

/* Opens a side of so many blocks: checks the arguments and sets the fields above.  Returns
 * MPI_SUCCESS, or the code of error_on(); side_close() is needed in both cases. c may be NULL for
 * errors that belong to no communicator (MPI_Reduce_local()). */
int side_open(struct coll_side *s, size_t blocks, struct mpi_comm *c, const char *call);
/* Packs the program's data; again for each start of a persistent operation.  Returns HN_OK or an
 * error. */
int side_fill(struct coll_side *s);
/* Unpacks received data into the program's buffer.  Returns as wire_get(). */
int side_empty(struct coll_side *s);
/* May be called twice, and for a side that was never opened. */
void side_close(struct coll_side *s);
/* side_bytes(): bytes of all blocks. side_block_bytes(): bytes of block i. */
size_t side_bytes(const struct coll_side *s);
/* In packed form. */
size_t side_block_bytes(const struct coll_side *s, size_t i);
/* The data of block i. In the program's buffer or in packed memory, wherever the side has its
 * data. */
char *side_block(const struct coll_side *s, size_t i);
/* True if two blocks are at the same address of the program's memory. */
bool side_is_same(const struct coll_side *a, size_t i, const struct coll_side *b, size_t j);
/* Converts counts from elements to bytes. */
void side_as_bytes(struct coll_side *s);
