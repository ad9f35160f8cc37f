/* mpi_rma.h - accesses to windows: arguments of a call, and the access at the target.
 *
 * MPI 4.1, 12.3. An access is checked completely at its origin, apart from the memory of a dynamic
 * window, which only the target knows. Then it is executed directly, or described in a request.
 *
 * The structs mirror these two sides: rma_call is what the program has passed, and access is
 * what happens to the target's memory. Both paths execute the same access, so direct and remote
 * accumulates cannot differ in their results.
 */
#pragma once

#include "collective/mpi_operator.h"
#include "window/mpi_win.h"

/* Arguments of a call. NULL type: the kind of access has no such data. */
struct rma_data {
    const void *data;
    MPI_Count count;
    MPI_Datatype handle;
    struct mpi_type *type; /* set when it is checked */
};
/* On the stack of the call. */
struct rma_call {
    enum service_kind kind;
    MPI_Win win;
    struct rma_data origin, result, compare; /* as far as the kind has them */
    int rank;
    /* In units of the target's window; in a dynamic window an address at the target. */
    MPI_Aint at;
    MPI_Count count;
    MPI_Datatype handle; /* at the target */
    /* MPI_OP_NULL for kinds without an operator. */
    MPI_Op op;
    bool has_request; /* the form that returns a request */
    /* May be NULL although has_request is set: then the call reports an error. */
    MPI_Request *request;
    const char *call;
};
/* Returns MPI_SUCCESS, or the code of error_win(). Does not wait for the target. */
int rma_do(const struct rma_call *a);

/* One access to the target's memory. Used at the target by the service thread, and at the origin
 * for direct accesses. */
struct access {
    enum service_kind kind;
    /* In this process. The type's true_lb is not yet added. */
    char *at;
    const struct mpi_type *type;
    size_t count;
    struct mpi_op *op;     /* of accumulates */
    struct mpi_type *base; /* predefined type of its elements, for accumulates */
    /* Of the target's part, in shared memory if the memory is shared. */
    pthread_mutex_t *guard;
};
/* Bytes of its data. */
static inline size_t access_bytes(const struct access *a)
{
    return a->count * (size_t)a->type->size;
}
/* Its first byte, and its end, relative to its address. */
void access_span(const struct access *a, MPI_Aint *low, MPI_Aint *high);
/* True if all of its data at an address is attached to a dynamic window. */
bool access_is_attached(struct mpi_win *w, const struct access *a, char *at);
/* Accumulates packed operands (for compare-and-swap: the compare value, then the new value).
 * `fetched` receives the old values, packed; may be NULL.  Returns false if out of memory. Atomic
 * for each element with regard to other accumulates, through the guard (MPI 4.1, 12.7.1). */
bool access_update(const struct access *a, const void *operands, void *fetched);

/* Returns the predefined type common to all elements of a type; NULL: they differ. Accumulates need
 * it: MPI 4.1, 12.3.4 demands that all elements are of one predefined type. */
struct mpi_type *rma_base_type(const struct mpi_type *t);
/* Returns a type with the same elements, contiguous; `block` is its only block. It refers to the
 * lists of t, and must not be freed. */
struct mpi_type rma_packed_type(const struct mpi_type *t, struct type_block *block);

/* Serialise a type for a task that does not have it: number of words, and the words. */
size_t rma_describe_size(const struct mpi_type *t);
void rma_describe(const struct mpi_type *t, int64_t *words);
/* Deserialises a type.  It is only good for packing; free it with flatten_free().  Returns false if
 * out of memory. */
bool rma_described(struct mpi_type *t, const int64_t *words);
