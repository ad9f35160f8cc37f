/* mpi_pack_calls.c - MPI_Pack(), MPI_Unpack(), and the same for external32.
 *
 * Packed data is in native format, so that it can be received with the type that was packed (MPI
 * allows that).  In a job of unlike machines it is in the wire format of mixed types.
 */
#include "communicator/mpi_comm.h"
#include "datatype/mpi_external.h"
#include "datatype/mpi_pack.h"

#include <limits.h>
#include <stdlib.h>

/* Arguments of a call. */
struct packing {
    struct mpi_comm *c; /* NULL: external32 */
    const struct mpi_type *t;
    size_t count;
    enum external_form form;
    bool native; /* no conversion */
};

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

static int check_comm(struct packing *p, MPI_Comm comm, MPI_Datatype datatype, MPI_Count count,
                      const char *call)
{
    struct mpi_comm *c = comm_of(comm);

    if (!c)
        return error_no_comm(comm, call);
    p->native = !wire_is_mixed;
    p->form = EXTERNAL_WIRE;
    return check(p, c, datatype, count, call);
}

static int check_external(struct packing *p, const char *representation, MPI_Datatype datatype,
                          MPI_Count count, const char *call)
{
    if (!representation || strcmp(representation, "external32") != 0)
        return error_on(NULL, MPI_ERR_ARG, call, "the only representation is external32");
    p->native = false;
    p->form = EXTERNAL_32;
    return check(p, NULL, datatype, count, call);
}

static size_t elements_of(const struct packing *p)
{
    return p->count * p->t->elements;
}

static MPI_Count size_of(const struct packing *p)
{
    return p->native ? (MPI_Count)p->count * p->t->size
                     : (MPI_Count)external_size(p->t, elements_of(p), p->form);
}

/* Checks that the buffer has that many bytes after the position.  A derived type may contain
 * addresses, so data may be NULL. */
static int check_room(const struct packing *p, const void *data, const void *packed, MPI_Count room,
                      MPI_Count position, const char *call)
{
    int error;

    if (!type_for_data(p->c, p->t->object.handle, call, &error))
        return error;
    if (p->count > 0 && (!packed || (!data && p->t->object.named)))
        return error_on(p->c, MPI_ERR_BUFFER, call, "there is no buffer for %zu elements",
                        p->count);
    if (position < 0 || room < 0 || position > room || size_of(p) > room - position)
        return error_on(p->c, MPI_ERR_TRUNCATE, call,
                        "%lld bytes from %lld on are not in a buffer of %lld",
                        (long long)size_of(p), (long long)position, (long long)room);
    return MPI_SUCCESS;
}

static int pack(const struct packing *p, const void *data, char *out, MPI_Count room,
                MPI_Count *position, const char *call)
{
    int error = check_room(p, data, out, room, *position, call);
    void *packed;

    if (error != MPI_SUCCESS)
        return error;
    if (p->native) {
        pack_type(p->t, p->count, data, out + *position);
    } else {
        packed = malloc(p->count * (size_t)p->t->size + 1);
        if (!packed)
            return error_on(p->c, MPI_ERR_NO_MEM, call, "out of memory");
        pack_type(p->t, p->count, data, packed);
        if (!external_put(p->t, elements_of(p), p->form, packed, out + *position))
            error = error_on(p->c, MPI_ERR_CONVERSION, call, "a value does not fit");
        free(packed);
    }
    *position += size_of(p);
    return error;
}

static int unpack(const struct packing *p, const char *in, MPI_Count room, MPI_Count *position,
                  void *data, const char *call)
{
    int error = check_room(p, data, in, room, *position, call);
    size_t bytes = p->count * (size_t)p->t->size;
    void *packed;

    if (error != MPI_SUCCESS)
        return error;
    if (p->native) {
        unpack_type(p->t, p->count, data, in + *position, bytes);
    } else {
        packed = malloc(bytes + 1);
        if (!packed)
            return error_on(p->c, MPI_ERR_NO_MEM, call, "out of memory");
        if (!external_get(p->t, elements_of(p), p->form, in + *position, packed))
            error = error_on(p->c, MPI_ERR_CONVERSION, call, "a value does not fit");
        unpack_type(p->t, p->count, data, packed, bytes);
        free(packed);
    }
    *position += size_of(p);
    return error;
}

static int no_position(struct mpi_comm *c, const char *call)
{
    return error_on(c, MPI_ERR_ARG, call, "there is no position, or no place for the size");
}

#define MPI_FORMS "datatype/mpi_pack_forms.h"
#include "mpi_forms.h"
