/* pack.h - values to bytes and back, the one way in which the control plane writes numbers.
 *
 * All integers are little-endian and unaligned, so that hosts of any byte order understand each
 * other.  A text is its length (u32, without the terminator), its bytes and a NUL, so that a reader
 * may use it in place; a blob is its length (u32) and its bytes.
 *
 * Writer and reader both latch their first failure (out of memory; the data ended too early, a text
 * without its NUL): after it, writes are ignored and reads give 0 and "".  So a caller writes or
 * reads a whole message and looks at `failed` once.  Cost: O(bytes), the writer's buffer doubles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The writer.  All zero is an empty one; pack_free() gives the memory back. */
struct pack {
    uint8_t *data;
    size_t length;   /* bytes written */
    size_t capacity; /* bytes allocated */
    bool failed;     /* out of memory: the content is not complete */
};

void pack_free(struct pack *pack);
/* Makes room for n more bytes and returns where they go (the caller fills them and adds to length
 * itself with pack_added()), or NULL after a failure. */
uint8_t *pack_room(struct pack *pack, size_t n);
void pack_added(struct pack *pack, size_t n);
/* Forgets the first n bytes (n <= length) and moves the others down. */
void pack_drop(struct pack *pack, size_t n);
/* The same where bytes go one part after the other: n more of them, from *gone on, which is moved.
 * What is left does not move for each part, but when it is not more than what has gone. */
void pack_gone(struct pack *pack, size_t *gone, size_t n);

void pack_u8(struct pack *pack, uint8_t value);
void pack_u16(struct pack *pack, uint16_t value);
void pack_u32(struct pack *pack, uint32_t value);
void pack_u64(struct pack *pack, uint64_t value);
void pack_raw(struct pack *pack, const void *data, size_t n);  /* the bytes alone */
void pack_blob(struct pack *pack, const void *data, size_t n); /* length and bytes */
void pack_str(struct pack *pack, const char *text);            /* NULL counts as "" */

/* The reader.  Points into memory of the caller, which must stay as long as what was read is used.
 */
struct unpack {
    const uint8_t *data;
    size_t length;
    size_t at;   /* next byte to read */
    bool failed; /* the data was too short or not well formed */
};

struct unpack unpack_from(const void *data, size_t length);
uint8_t unpack_u8(struct unpack *unpack);
uint16_t unpack_u16(struct unpack *unpack);
uint32_t unpack_u32(struct unpack *unpack);
uint64_t unpack_u64(struct unpack *unpack);
/* n bytes in place, or NULL when there are fewer. */
const uint8_t *unpack_raw(struct unpack *unpack, size_t n);
/* A blob in place, its length in *n; NULL and 0 after a failure. */
const uint8_t *unpack_blob(struct unpack *unpack, size_t *n);
/* A text in place, terminated; "" after a failure, never NULL. */
const char *unpack_str(struct unpack *unpack);
/* The count of a list whose elements take at least `least` bytes each: 0 and a failure when the
 * rest cannot hold so many, so that the count may be used to allocate. */
uint32_t unpack_count(struct unpack *unpack, size_t least);
/* True when everything was read and nothing failed. */
bool unpack_done(const struct unpack *unpack);
