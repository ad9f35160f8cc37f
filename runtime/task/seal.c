/* seal.c - records of an encrypted connection (layout and keys: seal.h). */
#include "seal.h"

#include "bytes.h"
#include "error.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct seal_way {
    uint8_t key[SEAL_KEY];
    uint64_t records;
    size_t from, to; /* what there is in bytes[] */
    uint8_t bytes[SEAL_RECORD];
};

struct seal {
    struct seal_way out, in;
};

struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY])
{
    struct seal *seal = malloc(sizeof *seal);

    if (!seal)
        return NULL;
    seal->out.records = seal->in.records = 0;
    seal->out.from = seal->out.to = seal->in.from = seal->in.to = 0;
    memcpy(seal->out.key, out_key, SEAL_KEY);
    memcpy(seal->in.key, in_key, SEAL_KEY);
    return seal;
}

void seal_free(struct seal *seal)
{
    if (!seal)
        return;
    sodium_memzero(seal->out.key, SEAL_KEY);
    sodium_memzero(seal->in.key, SEAL_KEY);
    free(seal);
}

typedef uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];

static void next_nonce(struct seal_way *way, nonce number)
{
    memset(number, 0, sizeof(nonce));
    bytes_put64(number, way->records++);
}

/* ---- out ----------------------------------------------------------------------------------- */

size_t seal_close(struct seal *seal, const struct iovec *iov, int n)
{
    struct seal_way *way = &seal->out;
    uint8_t *plain = way->bytes + SEAL_HEAD;
    size_t length = 0;
    nonce number;

    for (int i = 0; i < n && length < SEAL_PLAIN; i++) {
        size_t left = SEAL_PLAIN - length, part = iov[i].iov_len < left ? iov[i].iov_len : left;
        memcpy(plain + length, iov[i].iov_base, part);
        length += part;
    }
    if (length == 0)
        return 0;
    bytes_put32(way->bytes, (uint32_t)length);
    next_nonce(way, number);
    crypto_aead_chacha20poly1305_ietf_encrypt(plain, NULL, plain, length, way->bytes, SEAL_HEAD,
                                              NULL, number, way->key);
    way->from = 0;
    way->to = SEAL_HEAD + length + SEAL_PROOF;
    return length;
}

const uint8_t *seal_waiting(const struct seal *seal, size_t *length)
{
    const struct seal_way *way = &seal->out;

    *length = way->to - way->from;
    return *length > 0 ? way->bytes + way->from : NULL;
}

void seal_written(struct seal *seal, size_t bytes)
{
    seal->out.from += bytes;
}

/* ---- in ------------------------------------------------------------------------------------ */

uint8_t *seal_room(struct seal *seal, size_t *size)
{
    struct seal_way *way = &seal->in;

    memmove(way->bytes, way->bytes + way->from, way->to - way->from);
    way->to -= way->from;
    way->from = 0;
    *size = SEAL_RECORD - way->to;
    return way->bytes + way->to;
}

void seal_came(struct seal *seal, size_t bytes)
{
    seal->in.to += bytes;
}

int seal_open(struct seal *seal, const uint8_t **plain, size_t *length)
{
    struct seal_way *way = &seal->in;
    uint8_t *record = way->bytes + way->from, *text = record + SEAL_HEAD;
    size_t there = way->to - way->from;
    nonce number;

    if (there < SEAL_HEAD)
        return 0;
    *length = bytes_get32(record);
    if (*length == 0 || *length > SEAL_PLAIN)
        return error_set(HN_EPROTO, "a sealed record of %zu bytes", *length);
    if (there < SEAL_HEAD + *length + SEAL_PROOF)
        return 0;
    next_nonce(way, number);
    if (crypto_aead_chacha20poly1305_ietf_decrypt(text, NULL, NULL, text, *length + SEAL_PROOF,
                                                  record, SEAL_HEAD, number, way->key) != 0)
        return error_set(HN_EPROTO, "a sealed record that the other side has not sent");
    way->from += SEAL_HEAD + *length + SEAL_PROOF;
    *plain = text;
    return 1;
}
