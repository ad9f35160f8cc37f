/* mpi_side.c - one side of a collective operation (mpi_side.h). Two layouts: blocks of one
 * count, which follow each other, and lists of counts and displacements. Each layout is either
 * used in place or packed, as a whole. All sizes are in wire format, which equals the layout in
 * memory between equal machines. */
#include "collective/mpi_side.h"

#include "datatype/mpi_pack.h"

#include <stdlib.h>

/* Packed blocks begin at multiples of this many bytes: the largest alignment of a type. */
enum { SIDE_ALIGN = 16 };

/* In the wire format. A list of types counts in units of its own type for each block. */
size_t side_block_bytes(const struct coll_side *s, size_t i)
{
    if (s->types)
        return s->elements[i] * hn_type_size(s->units[i]);
    return (s->elements ? s->elements[i] : s->n) * hn_type_size(s->unit);
}

/* Places count elements, or bytes if each block has its own type. */
char *side_block(const struct coll_side *s, size_t i)
{
    size_t size = s->types ? 1 : hn_type_size(s->unit);

    return s->data + (s->elements ? s->places[i] : i * s->n) * size;
}

/* MPI 4.1, 6.2.2 forbids overlapping buffers; only equal addresses are detected. */
bool side_is_same(const struct coll_side *a, size_t i, const struct coll_side *b, size_t j)
{
#ifdef OPEN_MPI /* Open MPI accepts such calls, so programs built for it may contain them */
    return false;
#endif
    return side_block(a, i) == side_block(b, j) && side_block_bytes(a, i) > 0 &&
           side_block_bytes(b, j) > 0;
}

size_t side_bytes(const struct coll_side *s)
{
    size_t bytes = 0;

    /* Blocks of one length. */
    if (!s->elements)
        return s->blocks * s->n * hn_type_size(s->unit);
    for (size_t i = 0; i < s->blocks; i++)
        bytes += side_block_bytes(s, i);
    return bytes;
}

/* Only for a side with one type; displacements are converted with the counts. */
void side_as_bytes(struct coll_side *s)
{
    size_t size = hn_type_size(s->unit);

    for (size_t i = 0; s->elements && i < s->blocks; i++) {
        s->elements[i] *= size;
        s->places[i] *= size;
    }
    s->n *= size;
    s->unit = HN_BYTE;
}

/* ---- blocks of one count and type ----------------------------------------------------------- */

/* c NULL: MPI_Reduce_local(). */
static int no_memory(struct mpi_comm *c, const char *call)
{
    return error_on(c, MPI_ERR_NO_MEM, call, "out of memory for the data");
}

static int bad_count(struct mpi_comm *c, const char *call, MPI_Count count)
{
    return error_on(c, MPI_ERR_COUNT, call, "the count %lld is negative", (long long)count);
}

/* Data of a plain type stays in the program's buffer. The product is checked before anything is
 * allocated. A type that begins above address 0 may be relative to MPI_BOTTOM, so its buffer may be
 * NULL. */
static int open_equal(struct coll_side *s, struct mpi_comm *c, const char *call)
{
    size_t bytes;

    if (s->count < 0)
        return bad_count(c, call, s->count);
    s->unit = s->type->unit;
    if (__builtin_mul_overflow((size_t)s->count * s->blocks, wire_size(s->type, 1), &bytes) ||
        bytes > PTRDIFF_MAX)
        return error_on(c, MPI_ERR_COUNT, call, "%lld elements of %lld bytes do not fit in memory",
                        (long long)s->count, (long long)s->type->size);
    s->n = wire_count(s->type, (size_t)s->count);
    /* The first byte of data, which need not be at the buffer's address. */
    s->data = (char *)s->buffer + s->type->true_lb;
    if (bytes > 0 && !s->buffer && s->type->true_lb == 0)
        return error_on(c, MPI_ERR_BUFFER, call, "no buffer for %zu bytes", bytes);
    /* All blocks together must be contiguous, since hnow gets one address and one length. */
    if (bytes == 0 || wire_is_plain(s->type, (size_t)s->count * s->blocks))
        return MPI_SUCCESS;
    s->data = s->owned = malloc(bytes);
    return s->owned ? MPI_SUCCESS : no_memory(c, call);
}

/* ---- blocks with lists ---------------------------------------------------------------------- */

/* Of MPI_Alltoallw(), one for each block; else the only one. */
static struct mpi_type *block_type(const struct coll_side *s, size_t i)
{
    return s->types ? s->types[i] : s->type;
}

/* Displacement of block i in the program's buffer, in bytes. MPI 4.1, 6.8: displacements of
 * MPI_Alltoallw() are in bytes, all others in extents of the type. */
static MPI_Aint block_at(const struct coll_side *s, size_t i)
{
    MPI_Count displ = s->displs.at ? counts_get(s->displs, (MPI_Count)i) : 0;

    return (MPI_Aint)displ * (s->types ? 1 : type_extent(s->type));
}

/* Allocates one piece of memory for all lists. The list with the strictest alignment comes first.
 * side_close() frees it through `elements`. */
static bool make_lists(struct coll_side *s)
{
    /* One more, so that no list is empty. */
    size_t n = s->blocks + 1;
    char *memory = calloc(n, 2 * sizeof(size_t) + sizeof(struct mpi_type *) + sizeof(hn_type));

    s->elements = (size_t *)memory;
    s->places = s->elements + n;
    if (s->handles) {
        s->types = (struct mpi_type **)(s->places + n);
        s->units = (hn_type *)(s->types + n);
    }
    return memory != NULL;
}

/* *plain becomes false as soon as one block has to be packed; then all are packed. */
static int read_block(struct coll_side *s, size_t i, struct mpi_comm *c, const char *call,
                      bool *plain)
{
    MPI_Count count = counts_get(s->counts, (MPI_Count)i);
    struct mpi_type *t = s->type;
    int error;

    if (count < 0)
        return bad_count(c, call, count);
    if (s->handles) { /* an empty block may have no type: MPICH accepts that, and programs rely on
                         it */
        bool typeless = count == 0 && s->handles[i] == MPI_DATATYPE_NULL;
        t = s->types[i] = type_for_data(c, typeless ? MPI_BYTE : s->handles[i], call, &error);
        if (!t)
            return error;
    }
    s->elements[i] = wire_count(t, (size_t)count);
    if (s->units) /* an empty block has no type */
        s->units[i] = s->elements[i] > 0 ? t->unit : HN_BYTE;
    /* Displacements in elements require an extent that is a multiple of the elements. */
    *plain =
        *plain && (count == 0 || t->size == 0 || wire_is_plain(t, s->types ? (size_t)count : 2));
    return MPI_SUCCESS;
}

/* Uses the blocks in the program's buffer, without packing.  `data` begins at the first block, so
 * displacements are not negative, and it is valid also for absolute addresses (MPI_BOTTOM). Two
 * passes: find the lowest block with data, then store distances to it. Empty blocks get 0. */
static void place_in_buffer(struct coll_side *s)
{
    size_t size = s->types ? 1 : hn_type_size(s->unit);
    MPI_Aint first = PTRDIFF_MAX;

    for (size_t i = 0; i < s->blocks; i++) {
        MPI_Aint at = block_at(s, i) + block_type(s, i)->true_lb;
        if (s->elements[i] > 0 && at < first)
            first = at;
    }
    s->data = (char *)s->buffer + (first == PTRDIFF_MAX ? 0 : first);
    for (size_t i = 0; i < s->blocks; i++) {
        MPI_Aint at = block_at(s, i) + block_type(s, i)->true_lb;
        s->places[i] = s->elements[i] > 0 ? (size_t)(at - first) / size : 0;
    }
}

/* Blocks of different types are aligned, since hnow and operators read elements directly. */
static bool place_packed(struct coll_side *s)
{
    size_t size = s->types ? 1 : hn_type_size(s->unit), at = 0;

    for (size_t i = 0; i < s->blocks; i++) {
        s->places[i] = at / size;
        at += side_block_bytes(s, i);
        /* Blocks of one type are aligned anyway: each is a multiple of its elements. */
        if (s->types)
            at = (at + SIDE_ALIGN - 1) / SIDE_ALIGN * SIDE_ALIGN;
    }
    s->data = s->owned = malloc(at + 1);
    return s->owned != NULL;
}

/* Between groups and with a single block, displacements may be missing. */
static int open_lists(struct coll_side *s, struct mpi_comm *c, const char *call)
{
    bool plain = true;

    if (!s->counts.at || (!s->displs.at && s->blocks > 1))
        return error_on(c, MPI_ERR_ARG, call, "no list of counts, or of displacements");
    if (!make_lists(s))
        return no_memory(c, call);
    s->unit = s->type ? s->type->unit : HN_BYTE;
    for (size_t i = 0; i < s->blocks; i++) {
        int error = read_block(s, i, c, call, &plain);
        if (error != MPI_SUCCESS)
            return error;
    }
    if (!s->types && !s->buffer && s->type->true_lb == 0 && side_bytes(s) > 0)
        return error_on(c, MPI_ERR_BUFFER, call, "no buffer for %zu bytes", side_bytes(s));
    /* One block that is not plain is enough to pack all of them. */
    if (plain)
        place_in_buffer(s);
    else if (!place_packed(s))
        return no_memory(c, call);
    return MPI_SUCCESS;
}

/* ---- all blocks ----------------------------------------------------------------------------- */

/* Returns MPI_SUCCESS, or an error that has been reported. side_close() is needed in any case. */
int side_open(struct coll_side *s, size_t blocks, struct mpi_comm *c, const char *call)
{
    int error;

    s->blocks = blocks;
    /* Count and type are not looked at: MPI 4.1, 6.2.1 ignores them. */
    if (s->buffer == MPI_IN_PLACE) {
        s->in_place = true;
        return MPI_SUCCESS;
    }
    if (blocks == 0 && s->counts.size) /* without neighbours there need not be lists */
        return MPI_SUCCESS;
    if (!s->handles && !(s->type = type_for_data(c, s->handle, call, &error)))
        return error;
    error = s->counts.size ? open_lists(s, c, call) : open_equal(s, c, call);
    return error;
}

/* Packs or unpacks every block that is packed. Nothing happens for a side that uses the program's
 * buffer. The number of elements is computed back from the bytes, because the program's counts may
 * be gone by the time of unpacking. */
static int move(struct coll_side *s, bool in)
{
    size_t size = s->types ? 1 : hn_type_size(s->unit);
    int result = HN_OK;

    for (size_t i = 0; s->owned && i < (s->elements ? s->blocks : 1); i++) {
        const struct mpi_type *t = block_type(s, i);
        size_t bytes = s->elements ? side_block_bytes(s, i) : side_bytes(s);
        size_t count = bytes ? bytes / wire_size(t, 1) : 0;
        char *at = (char *)s->buffer + (s->elements ? block_at(s, i) : 0);
        char *packed = (char *)s->owned + (s->elements ? s->places[i] * size : 0);
        int moved = in ? wire_put(t, count, at, packed) : wire_get(t, count, at, packed, bytes);
        /* The first error is returned, but all blocks are moved. */
        if (result == HN_OK)
            result = moved;
    }
    return result;
}

/* Packs the program's data, unless they are sent from their place. */
int side_fill(struct coll_side *s)
{
    return move(s, true);
}

/* Unpacks what has arrived. */
int side_empty(struct coll_side *s)
{
    return move(s, false);
}

void side_close(struct coll_side *s)
{
    free(s->owned);
    free(s->elements);
    s->owned = NULL;
    s->elements = NULL;
}
