/* seal.c - records of an encrypted connection (layout and keys: seal.h). */
#include "seal.h"

#include "bytes.h"
#include "error.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct seal_way {
    crypto_aead_aes256gcm_state aes; /* what is made of the key, when AES is used */
    uint8_t key[SEAL_KEY];
    uint64_t records;
    size_t from, to; /* what there is in bytes[] */
    uint8_t bytes[SEAL_RECORD];
};

struct seal {
    struct seal_way out, in;
    bool aes;
};

/* Both ciphers have keys, nonces and proofs of the same size. */
typedef uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
static_assert(crypto_aead_aes256gcm_NPUBBYTES == sizeof(nonce) &&
                  crypto_aead_aes256gcm_KEYBYTES == SEAL_KEY &&
                  crypto_aead_aes256gcm_ABYTES == SEAL_PROOF &&
                  crypto_aead_chacha20poly1305_ietf_ABYTES == SEAL_PROOF,
              "a record does not tell the ciphers apart");

bool seal_has_aes(void)
{
    return crypto_aead_aes256gcm_is_available();
}

static void init_way(struct seal_way *way, const uint8_t key[SEAL_KEY], bool aes)
{
    way->records = 0;
    way->from = way->to = 0;
    memcpy(way->key, key, SEAL_KEY);
    if (aes)
        crypto_aead_aes256gcm_beforenm(&way->aes, key);
}

struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY], bool aes)
{
    struct seal *seal = malloc(sizeof *seal);

    if (!seal)
        return NULL;
    seal->aes = aes;
    init_way(&seal->out, out_key, aes);
    init_way(&seal->in, in_key, aes);
    return seal;
}

static void wipe_way(struct seal_way *way)
{
    sodium_memzero(way->key, SEAL_KEY);
    sodium_memzero(&way->aes, sizeof way->aes);
}

void seal_free(struct seal *seal)
{
    if (!seal)
        return;
    wipe_way(&seal->out);
    wipe_way(&seal->in);
    free(seal);
}

static void next_nonce(struct seal_way *way, nonce number)
{
    memset(number, 0, sizeof(nonce));
    bytes_put64(number, way->records++);
}

/* ---- out ----------------------------------------------------------------------------------- */

/* Encrypts the length bytes behind the record's head, and puts the proof behind them. */
static void encrypt(struct seal_way *way, bool aes, size_t length)
{
    uint8_t *head = way->bytes, *text = head + SEAL_HEAD;
    nonce number;

    next_nonce(way, number);
    if (aes)
        crypto_aead_aes256gcm_encrypt_afternm(text, NULL, text, length, head, SEAL_HEAD, NULL,
                                              number, &way->aes);
    else
        crypto_aead_chacha20poly1305_ietf_encrypt(text, NULL, text, length, head, SEAL_HEAD, NULL,
                                                  number, way->key);
}

size_t seal_close(struct seal *seal, const struct iovec *iov, int n)
{
    struct seal_way *way = &seal->out;
    uint8_t *plain = way->bytes + SEAL_HEAD;
    size_t length = 0;

    for (int i = 0; i < n && length < SEAL_PLAIN; i++) {
        size_t left = SEAL_PLAIN - length, part = iov[i].iov_len < left ? iov[i].iov_len : left;
        memcpy(plain + length, iov[i].iov_base, part);
        length += part;
    }
    if (length == 0)
        return 0;
    bytes_put32(way->bytes, (uint32_t)length);
    encrypt(way, seal->aes, length);
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

/* Opens a record of length bytes in place: false when it is not what the other side has sealed. */
static bool decrypt(struct seal_way *way, bool aes, uint8_t *record, size_t length)
{
    uint8_t *text = record + SEAL_HEAD;
    nonce number;

    next_nonce(way, number);
    if (aes)
        return crypto_aead_aes256gcm_decrypt_afternm(text, NULL, NULL, text, length + SEAL_PROOF,
                                                     record, SEAL_HEAD, number, &way->aes) == 0;
    return crypto_aead_chacha20poly1305_ietf_decrypt(text, NULL, NULL, text, length + SEAL_PROOF,
                                                     record, SEAL_HEAD, number, way->key) == 0;
}

int seal_open(struct seal *seal, const uint8_t **plain, size_t *length)
{
    struct seal_way *way = &seal->in;
    uint8_t *record = way->bytes + way->from;
    size_t there = way->to - way->from;

    if (there < SEAL_HEAD)
        return 0;
    *length = bytes_get32(record);
    if (*length == 0 || *length > SEAL_PLAIN)
        return error_set(HN_EPROTO, "a sealed record of %zu bytes", *length);
    if (there < SEAL_HEAD + *length + SEAL_PROOF)
        return 0;
    if (!decrypt(way, seal->aes, record, *length))
        return error_set(HN_EPROTO, "a sealed record that the other side has not sent");
    way->from += SEAL_HEAD + *length + SEAL_PROOF;
    *plain = record + SEAL_HEAD;
    return 1;
}
