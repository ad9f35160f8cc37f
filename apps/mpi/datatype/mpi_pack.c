/* mpi_pack.c - copies data between a type's blocks and consecutive bytes (mpi_pack.h).
 *
 * One loop serves both directions.  Rows of small blocks, such as columns of matrices, copy
 * elements of a constant size, which the compiler turns into loads and stores.
 *
 * Packing is on the path of every message of a derived type, so its cost is that of the copy:
 * O(bytes) plus O(blocks). Conversion to other machines comes afterwards, in a second pass, and
 * only where machines differ (mpi_external.h).
 */
#include "datatype/mpi_pack.h"

#include <stdlib.h>

/* ---- blocks --------------------------------------------------------------------------------- */

/* The rest of the packed side. The position moves over the packed side, whose bytes are
 * consecutive; the other side is addressed by blocks. `left` ends an unpacking before the last
 * element, if a message was short. */
struct cursor {
    char *packed;
    size_t left; /* bytes */
    bool unpacking;
};

/* The last block of a short message may be cut in the middle. */
static void copy(struct cursor *c, char *at, size_t bytes)
{
    if (bytes > c->left)
        bytes = c->left;
    /* One test instead of two functions: the processor predicts it, as a cursor never changes
     * it. */
    memcpy(c->unpacking ? at : c->packed, c->unpacking ? c->packed : at, bytes);
    c->packed += bytes;
    c->left -= bytes;
}

#define COPY_ROW(size)                                                                             \
    for (size_t i = 0; i < b->count; i++, at += b->stride) {                                       \
        if (c->unpacking)                                                                          \
            memcpy(at, c->packed + i * (size), size);                                              \
        else                                                                                       \
            memcpy(c->packed + i * (size), at, size);                                              \
    }

/* Copies a complete row of blocks of a common size; false: it is no such row. The sizes are those
 * of numbers, complex numbers and triples of doubles (positions of particles). For these, a call of
 * memcpy() for each block would cost more than the copy itself. */
static bool copy_row(struct cursor *c, char *at, const struct type_block *b)
{
    size_t bytes = b->bytes * b->count;

    /* A partial message may end within the row; then blocks are copied one by one. */
    if (bytes > c->left || b->count == 1)
        return false;
    /* A constant size turns memcpy() into one load and one store. Others use the general loop. */
    switch (b->bytes) {
    case 1:
        COPY_ROW(1);
        break;
    case 2:
        COPY_ROW(2);
        break;
    case 4:
        COPY_ROW(4);
        break;
    case 8:
        COPY_ROW(8);
        break;
    case 16:
        COPY_ROW(16);
        break;
    case 24:
        COPY_ROW(24);
        break;
    default:
        return false;
    }
    c->packed += bytes;
    c->left -= bytes;
    return true;
}

/* One entry of the list: a row, or a single block. Stops where a short message ends. */
static void copy_blocks(struct cursor *c, char *at, const struct type_block *b)
{
    if (copy_row(c, at, b))
        return;
    for (size_t i = 0; i < b->count && c->left > 0; i++, at += b->stride)
        copy(c, at, b->bytes);
}

/* One element of the type, in type map order (MPI 4.1, 5.1). */
static void copy_element(struct cursor *c, const struct mpi_type *t, char *element)
{
    /* Once the cursor is empty, the remaining calls copy nothing. */
    for (size_t n = 0; n < t->times; n++, element += t->stride)
        for (size_t k = 0; k < t->block_count; k++)
            copy_blocks(c, element + t->blocks[k].at, &t->blocks[k]);
}

/* Chooses the fastest loop: one memcpy() for contiguous data, one row for dense elements at
 * distances, else element by element. */
static void copy_all(struct cursor *c, const struct mpi_type *t, size_t count, char *data)
{
    if (type_is_plain(t, count)) {
        copy(c, data + t->true_lb, count * (size_t)t->size);
        return;
    }
    if (t->dense) { /* all elements are one row */
        struct type_block b = {t->true_lb, (size_t)t->size, count, type_extent(t)};
        copy_blocks(c, data + b.at, &b);
        return;
    }
    /* A short message ends the loop, so elements that did not arrive cost nothing. */
    for (size_t i = 0; i < count && c->left > 0; i++)
        copy_element(c, t, data + (MPI_Aint)i * type_extent(t));
}

/* `out` must have room for count times the type's size. */
void pack_type(const struct mpi_type *t, size_t count, const void *data, void *out)
{
    struct cursor c = {out, count * (size_t)t->size, false};

    /* Without data the address may be NULL. */
    if (c.left > 0)
        copy_all(&c, t, count, (char *)data);
}

/* `bytes` may end within an element, as after a short read. */
void unpack_type(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes)
{
    /* `in` is only read; the cast serves the common cursor. */
    struct cursor c = {(char *)in, bytes, true};

    if (bytes > 0)
        copy_all(&c, t, count, data);
}

/* ---- wire format ---------------------------------------------------------------------------- */

bool wire_is_mixed;

/* Machines are compared by their class as from uname, such as x86_64. Without a list of hosts the
 * job has one host, and nothing is converted. The list is the caller's to free. */
void wire_setup(void)
{
    hn_host_info *hosts;
    int n;

    if (hn_hosts(&hosts, &n) != HN_OK)
        return;
    /* Conservative: machines of two names are treated as unlike even if their formats agree. */
    for (int i = 1; i < n; i++)
        wire_is_mixed |= strcmp(hosts[i].machine, hosts[0].machine) != 0;
    free(hosts);
}

/* Types of hnow need no external format: hnow converts them. Characters (sort C) are the same bytes
 * on all machines, so a type of MPI_BYTE or MPI_PACKED elements is excluded, too. */
bool wire_is_external(const struct mpi_type *t)
{
    return wire_is_mixed && t->unit == HN_BYTE && t->unit_count > 0 &&
           (t->unit_count > 1 || t->units[0].basic->sort != 'C');
}

/* Bytes of one element of the type between unlike machines. */
static size_t external_bytes(const struct mpi_type *t)
{
    return external_size(t, t->elements, EXTERNAL_WIRE);
}

/* Between different machines, numbers travel in an external form. */
size_t wire_size(const struct mpi_type *t, size_t count)
{
    return count * (wire_is_external(t) ? external_bytes(t) : (size_t)t->size);
}

/* Two passes, because the conversion iterates over packed elements. The + 1 avoids malloc(0), whose
 * NULL would look like a failure. Values that do not fit the wire form cannot occur: it has room
 * for the largest long. */
int wire_put(const struct mpi_type *t, size_t count, const void *data, void *out)
{
    if (!wire_is_external(t)) {
        pack_type(t, count, data, out);
        return HN_OK;
    }
    void *packed = malloc(count * (size_t)t->size + 1);
    if (!packed)
        return HN_ENOMEM;
    /* First native and consecutive, then converted. */
    pack_type(t, count, data, packed);
    external_put(t, count * t->elements, EXTERNAL_WIRE, packed, out);
    free(packed);
    return HN_OK;
}

/* Number of complete basic elements in so many bytes of external format. O(elements of one type)
 * for the incomplete last element; complete ones are divided out. A part of a basic element is not
 * counted. Each step computes a size anew, so the last element costs O(elements * units) of the
 * type. Messages rarely end within an element. */
static size_t elements_in(const struct mpi_type *t, size_t bytes)
{
    size_t whole = external_bytes(t);
    size_t n = bytes / whole * t->elements, k = 0;

    while (k < t->elements && external_size(t, k + 1, EXTERNAL_WIRE) <= bytes % whole)
        k++;
    return n + k;
}

/* Computed from the units, since elements of a type may differ in size. */
size_t pack_bytes(const struct mpi_type *t, size_t elements)
{
    if (t->elements == 0)
        return 0;
    size_t bytes = elements / t->elements * (size_t)t->size;

    elements %= t->elements;
    /* The rest of less than one element, run by run; the list may be repeated (`repeats`). */
    for (size_t k = 0; elements > 0; k = k + 1 < t->unit_count ? k + 1 : 0) {
        size_t n = elements < t->units[k].count ? elements : t->units[k].count;
        bytes += n * t->units[k].basic->size;
        elements -= n;
    }
    return bytes;
}

/* Only complete basic elements are unpacked; the rest of the buffer is unchanged. If a value does
 * not fit, all others are stored nevertheless. */
int wire_get(const struct mpi_type *t, size_t count, void *data, const void *in, size_t bytes)
{
    int result = HN_ENOMEM;

    if (!wire_is_external(t)) {
        unpack_type(t, count, data, in, bytes);
        return HN_OK;
    }
    size_t elements = elements_in(t, bytes);
    void *packed = malloc(count * (size_t)t->size + 1);
    /* The buffer is for the whole room, though less may have arrived. */
    if (packed) {
        result = external_get(t, elements, EXTERNAL_WIRE, in, packed) ? HN_OK : HN_ETYPE;
        unpack_type(t, count, data, packed, pack_bytes(t, elements));
    }
    free(packed);
    return result;
}

/* The amount is limited to the room: the caller reports a truncation. For bytes the sender's
 * element size counts, because the two types may differ. */
int wire_unpack(struct wire *w, const struct mpi_type *t, size_t count, void *data, size_t got,
                hn_type sent)
{
    /* hnow has received into the program's buffer, and converted byte order itself. */
    if (!w->owned)
        return HN_OK;

    size_t most = w->count * hn_type_size(w->type);
    size_t bytes = got * hn_type_size(w->type == HN_BYTE ? sent : w->type);

    return wire_get(t, count, data, w->owned, bytes < most ? bytes : most);
}
