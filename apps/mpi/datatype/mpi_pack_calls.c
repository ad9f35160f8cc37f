/* mpi_pack_calls.c - MPI_Pack(), MPI_Unpack(), and the same for external32.
 *
 * Packed data is in native format, so that it can be received with the type that was packed (MPI
 * allows that).  In a job of unlike machines it is in the wire format of mixed types.
 *
 * MPI 4.1, 5.2 (native) and 5.3 (external32). The position is a byte offset that each call
 * advances. MPI_Pack_size() returns the exact size, without a header, so the sizes of several packs
 * may be added.
 *
 * Each call runs in two steps: check_comm() or check_external() finds the type and the form;
 * convert() or answer_size() does the rest. A communicator only decides whether machines differ,
 * and who gets errors.
 */
#include "communicator/mpi_comm.h"
#include "datatype/mpi_external.h"
#include "datatype/mpi_pack.h"
#include "object/mpi_counts.h"

#include <stdlib.h>

/* Arguments of a call. */
struct packing {
    struct mpi_comm *c; /* NULL: external32 */
    /* Need not be committed to ask for its size; convert() demands it. */
    const struct mpi_type *t;
    size_t count;
    enum external_form form;
    bool native; /* no conversion */
};

/* The common part of both checks. Both forms accept a count of 0, and a type without data. */
static int check(struct packing *p, struct mpi_comm *c, MPI_Datatype datatype, MPI_Count count,
                 const char *call)
{
    p->c = c;
    p->t = type_of(datatype);
    if (!p->t)
        return error_no_type(c, datatype, call);
    if (count < 0)
        return error_on(c, MPI_ERR_COUNT, call, "the count %lld is negative", (long long)count);
    p->count = (size_t)count;
    return MPI_SUCCESS;
}

/* MPI_Pack(): the form of messages, so that it may be sent as MPI_PACKED. */
static int check_comm(struct packing *p, MPI_Comm comm, MPI_Datatype datatype, MPI_Count count,
                      const char *call)
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, call);
    /* In a mixed job even a single basic type is packed externally: the receiver of MPI_PACKED
     * gets bytes, which hnow does not convert. */
    p->native = !wire_is_mixed;
    p->form = EXTERNAL_WIRE;
    return check(p, c, datatype, count, call);
}

/* MPI 4.1, 5.3. */
static int check_external(struct packing *p, const char *representation, MPI_Datatype datatype,
                          MPI_Count count, const char *call)
{
    /* "internal" and "native" are representations of files, and not of these calls. */
    if (!representation || strcmp(representation, "external32") != 0)
        return error_on(NULL, MPI_ERR_ARG, call, "the only representation is external32");
    p->native = false;
    p->form = EXTERNAL_32;
    return check(p, NULL, datatype, count, call);
}

/* Basic elements of all `count` elements together. */
static size_t elements_of(const struct packing *p)
{
    return p->count * p->t->elements;
}

/* Exact. The standard would allow an upper bound. */
static MPI_Count size_of(const struct packing *p)
{
    return p->native ? (MPI_Count)p->count * p->t->size
                     : (MPI_Count)external_size(p->t, elements_of(p), p->form);
}

/* Checks that the buffer has that many bytes after the position.  A derived type may contain
 * addresses, so data may be NULL. The comparison is written as a difference, so that a large
 * position cannot overflow. */
static int check_room(const struct packing *p, const void *data, const void *packed, MPI_Count room,
                      MPI_Count position, const char *call)
{
    int error;

    /* Reports types that are not committed. */
    if (!type_for_data(p->c, p->t->object.handle, call, &error))
        return error;
    if (p->count > 0 && (!packed || (!data && p->t->object.named)))
        return error_on(p->c, MPI_ERR_BUFFER, call, "there is no buffer for %zu elements",
                        p->count);
    /* The first comparisons make room - position valid for the last one. */
    if (position < 0 || room < 0 || position > room || size_of(p) > room - position)
        return error_on(p->c, MPI_ERR_TRUNCATE, call,
                        "%lld bytes from %lld on are not in a buffer of %lld",
                        (long long)size_of(p), (long long)position, (long long)room);
    return MPI_SUCCESS;
}

/* One text for both: these are the only results of the calls. */
static int no_position(struct mpi_comm *c, const char *call)
{
    return error_on(c, MPI_ERR_ARG, call, "there is no position, or no place for the size");
}

/* MPI_UNDEFINED in the int form if the size does not fit. */
static int answer_size(const struct packing *p, struct counts size, const char *call)
{
    if (!size.at)
        return no_position(p->c, call);
    counts_put(size, size_of(p));
    return MPI_SUCCESS;
}

/* Packs data into a buffer, or unpacks it, from the position on, which it advances. */
static int convert(const struct packing *p, bool unpacks, void *data, char *buffer, MPI_Count room,
                   struct counts position, const char *call)
{
    if (!position.at)
        return no_position(p->c, call);
    MPI_Count from = counts_get(position, 0);
    size_t bytes = p->count * (size_t)p->t->size;
    int error = check_room(p, data, buffer, room, from, call);

    if (error != MPI_SUCCESS)
        return error;
    /* Without conversion the packed bytes are directly in the program's buffer; otherwise they go
     * through a temporary native copy, in either direction. */
    char *at = buffer + from, *native = p->native ? at : malloc(bytes + 1);
    if (!p->native && !native)
        return error_on(p->c, MPI_ERR_NO_MEM, call, "out of memory");
    /* Into the buffer itself if native. */
    if (!unpacks)
        pack_type(p->t, p->count, data, native);
    if (!p->native && !(unpacks ? external_get(p->t, elements_of(p), p->form, at, native)
                                : external_put(p->t, elements_of(p), p->form, native, at)))
        error = error_on(p->c, MPI_ERR_CONVERSION, call, "a value does not fit");
    /* After a conversion error the values are stored as far as they fit, and the position advances
     * all the same. */
    if (unpacks)
        unpack_type(p->t, p->count, data, native, bytes);
    if (!p->native)
        free(native);
    /* Stored even after an error of conversion, as the data was consumed. */
    counts_put(position, from + size_of(p));
    return error;
}

#define MPI_FORMS "datatype/mpi_pack_forms.h"
#include "mpi_forms.h"
