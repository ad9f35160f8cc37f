/* pack.h - encodes and decodes values; the only encoding in the control plane.
 *
 * All integers are little-endian and unaligned, so that hosts of any byte order understand each
 * other.  A string is its length (u32, without the NUL), its bytes and a NUL, so that a reader can
 * use it in place.  A blob is its length (u32) and its bytes.
 *
 * Writer and reader both latch their first failure: out of memory, or data that end early, or a
 * string without its NUL.  After that, writes are ignored and reads return 0 and "".  So a caller
 * encodes or decodes a whole message and checks `failed` once.  Cost: O(bytes); the writer's buffer
 * doubles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The writer.  A struct of zeros is empty; pack_free() frees the memory. */
struct pack {
    uint8_t *data;
    size_t length;   /* bytes written */
    size_t capacity; /* bytes allocated */
    bool failed;     /* out of memory: the content is incomplete */
};

void pack_free(struct pack *pack);
/* Makes room for n more bytes and returns its address; NULL after a failure.  The caller fills them
 * and calls pack_added(). */
uint8_t *pack_room(struct pack *pack, size_t n);
void pack_added(struct pack *pack, size_t n);
/* Removes the first n bytes (n <= length) and moves the rest down. */
void pack_drop(struct pack *pack, size_t n);
/* The same for consumers that remove one part after the other: n more bytes after *gone, which it
 * advances.  The rest moves only when it is not longer than the removed part, so the cost is O(1) a
 * byte. */
void pack_gone(struct pack *pack, size_t *gone, size_t n);

void pack_u8(struct pack *pack, uint8_t value);
void pack_u16(struct pack *pack, uint16_t value);
void pack_u32(struct pack *pack, uint32_t value);
void pack_u64(struct pack *pack, uint64_t value);
void pack_raw(struct pack *pack, const void *data, size_t n);  /* only the bytes */
void pack_blob(struct pack *pack, const void *data, size_t n); /* length and bytes */
void pack_str(struct pack *pack, const char *text);            /* NULL is written as "" */

/* The reader.  Refers to the caller's memory, which must exist as long as the decoded values are
 * used. */
struct unpack {
    const uint8_t *data;
    size_t length;
    size_t at;   /* next byte to read */
    bool failed; /* the data were too short or malformed */
};

struct unpack unpack_from(const void *data, size_t length);
uint8_t unpack_u8(struct unpack *unpack);
uint16_t unpack_u16(struct unpack *unpack);
uint32_t unpack_u32(struct unpack *unpack);
uint64_t unpack_u64(struct unpack *unpack);
/* n bytes in place; NULL: there are fewer. */
const uint8_t *unpack_raw(struct unpack *unpack, size_t n);
/* A blob in place, its length in *n; NULL and 0 after a failure. */
const uint8_t *unpack_blob(struct unpack *unpack, size_t *n);
/* A string in place, with its NUL; "" after a failure, never NULL. */
const char *unpack_str(struct unpack *unpack);
/* The count of a list whose elements have at least `least` bytes each.  Fails and returns 0 if the
 * rest is too short for so many.  So the count can safely be used to allocate. */
uint32_t unpack_count(struct unpack *unpack, size_t least);
/* Whether everything was read without a failure. */
bool unpack_done(const struct unpack *unpack);
