/* mpi_rma.h - accesses to windows: what a call asks for, and how it is done at the memory. */
#pragma once

#include "collective/mpi_operator.h"
#include "window/mpi_win.h"

/* A call's arguments. */
struct rma_data {
    const void *data;
    MPI_Count count;
    MPI_Datatype handle;
    struct mpi_type *type; /* once it is checked */
};
struct rma_call {
    enum service_kind kind;
    MPI_Win win;
    struct rma_data origin, result, compare; /* those that the kind has */
    int rank;
    MPI_Aint at;
    MPI_Count count;
    MPI_Datatype handle; /* of the target */
    MPI_Op op;
    bool has_request; /* of the form that gives one */
    MPI_Request *request;
    const char *call;
};
int rma_do(const struct rma_call *a);

/* One access at the place where the memory is. */
struct access {
    enum service_kind kind;
    char *at;
    const struct mpi_type *type;
    size_t count;
    struct mpi_op *op;     /* of accumulates ... */
    struct mpi_type *base; /* ... on elements of this type of MPI's own */
    pthread_mutex_t *guard;
};
/* Bytes of its data. */
static inline size_t access_bytes(const struct access *a)
{
    return a->count * (size_t)a->type->size;
}
/* Accumulates packed operands (of compare-and-swap: the value to compare with, and then the new
 * one). `fetched`: gets the old values, packed, or NULL.  False: out of memory. */
bool access_update(const struct access *a, const void *operands, void *fetched);

/* The type of MPI's own that all elements of a type have; NULL: they differ. */
struct mpi_type *rma_base_type(const struct mpi_type *t);
/* A type with the same elements that lie together: `block` is its only one. */
struct mpi_type rma_packed_type(const struct mpi_type *t, struct type_block *block);

/* A type as words, for a task that does not have it: how many, and the words. */
size_t rma_describe_size(const struct mpi_type *t);
void rma_describe(const struct mpi_type *t, int64_t *words);
/* Back: a type that is good for packing, freed with flatten_free().  False: out of memory. */
bool rma_described(struct mpi_type *t, const int64_t *words);
