/* pack.c - encodes and decodes values; see pack.h. */
#include "base/pack.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

void pack_free(struct pack *pack)
{
    free(pack->data);
    *pack = (struct pack){0};
}

/* Doubles the buffer, so that appending n bytes costs O(n) in all.  Sizes near the end of the
 * address space fail. */
static bool pack_grow(struct pack *pack, size_t n)
{
    size_t capacity = pack->capacity ? pack->capacity : 256;
    if (n > SIZE_MAX / 4 || pack->length > SIZE_MAX / 4)
        return false;
    while (capacity - pack->length < n)
        capacity *= 2;
    uint8_t *data = realloc(pack->data, capacity);
    if (!data)
        return false;
    pack->data = data;
    pack->capacity = capacity;
    return true;
}

/* Also for n = 0 the result is not NULL, as there is always some buffer. */
uint8_t *pack_room(struct pack *pack, size_t n)
{
    if (pack->failed)
        return NULL;
    if ((!pack->data || pack->capacity - pack->length < n) && !pack_grow(pack, n)) {
        pack->failed = true;
        return NULL;
    }
    return pack->data + pack->length;
}

void pack_added(struct pack *pack, size_t n)
{
    pack->length += n;
}

void pack_drop(struct pack *pack, size_t n)
{
    pack->length -= n;
    if (n > 0 && pack->length > 0)
        memmove(pack->data, pack->data + n, pack->length);
}

/* Every moved byte is paid for by a removed one, since the rest is never longer than the removed
 * part. */
void pack_gone(struct pack *pack, size_t *gone, size_t n)
{
    *gone += n;
    if (*gone < pack->length - *gone)
        return;
    pack_drop(pack, *gone);
    *gone = 0;
}

/* One function for each width; a failed writer ignores the value. */
#define PACK_NUMBER(bits)                                                                          \
    void pack_u##bits(struct pack *pack, uint##bits##_t value)                                     \
    {                                                                                              \
        uint8_t *to = pack_room(pack, sizeof value);                                               \
        if (!to)                                                                                   \
            return;                                                                                \
        bytes_put##bits(to, value);                                                                \
        pack->length += sizeof value;                                                              \
    }
PACK_NUMBER(16)
PACK_NUMBER(32)
PACK_NUMBER(64)

void pack_u8(struct pack *pack, uint8_t value)
{
    pack_raw(pack, &value, 1);
}

void pack_raw(struct pack *pack, const void *data, size_t n)
{
    uint8_t *to = pack_room(pack, n);
    if (!to || n == 0)
        return;
    memcpy(to, data, n);
    pack->length += n;
}

/* A length that does not fit into the field fails, as a lack of memory does. */
void pack_blob(struct pack *pack, const void *data, size_t n)
{
    if (n > UINT32_MAX) {
        pack->failed = true;
        return;
    }
    pack_u32(pack, (uint32_t)n);
    pack_raw(pack, data, n);
}

void pack_str(struct pack *pack, const char *text)
{
    const char *known = text ? text : "";
    pack_blob(pack, known, strlen(known));
    pack_u8(pack, 0);
}

struct unpack unpack_from(const void *data, size_t length)
{
    return (struct unpack){.data = data, .length = length};
}

/* `at` never exceeds `length`, so the subtraction cannot wrap.  Even n = 0 fails after an earlier
 * failure. */
const uint8_t *unpack_raw(struct unpack *unpack, size_t n)
{
    if (unpack->failed || unpack->length - unpack->at < n) {
        unpack->failed = true;
        return NULL;
    }
    const uint8_t *from = unpack->data + unpack->at;
    unpack->at += n;
    return from;
}

uint8_t unpack_u8(struct unpack *unpack)
{
    const uint8_t *from = unpack_raw(unpack, 1);
    return from ? *from : 0;
}

#define UNPACK_NUMBER(bits)                                                                        \
    uint##bits##_t unpack_u##bits(struct unpack *unpack)                                           \
    {                                                                                              \
        const uint8_t *from = unpack_raw(unpack, bits / 8);                                        \
        return from ? bytes_get##bits(from) : 0;                                                   \
    }
UNPACK_NUMBER(16)
UNPACK_NUMBER(32)
UNPACK_NUMBER(64)

const uint8_t *unpack_blob(struct unpack *unpack, size_t *n)
{
    *n = unpack_u32(unpack);
    const uint8_t *from = unpack_raw(unpack, *n);
    if (!from)
        *n = 0;
    return from;
}

/* A 0 inside the text is an error: the reader would see less than its sender has packed. */
const char *unpack_str(struct unpack *unpack)
{
    size_t n;
    const uint8_t *text = unpack_blob(unpack, &n);
    const uint8_t *end = unpack_raw(unpack, 1);
    if (!text || !end || *end != 0 || (n > 0 && memchr(text, 0, n))) {
        unpack->failed = true;
        return "";
    }
    return (const char *)text;
}

/* The division cannot overflow, unlike n * least. */
uint32_t unpack_count(struct unpack *unpack, size_t least)
{
    uint32_t n = unpack_u32(unpack);
    if (least > 0 && (unpack->length - unpack->at) / least < n)
        unpack->failed = true;
    return unpack->failed ? 0 : n;
}

bool unpack_done(const struct unpack *unpack)
{
    return !unpack->failed && unpack->at == unpack->length;
}
