/* seal.c - records of an encrypted connection (layout and keys: seal.h). */
#include "transport/seal.h"

#include "base/bytes.h"
#include "base/error.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Bytes from LONG on, or a whole record, are sealed where they stand; what is less is gathered. */
enum { LONG = 16 << 10 };

/* Bytes of a short record: at 0.6 ns a byte and 0.3 us a record, each end takes 3 us for one, which
 * are 4 % of the time that it has on a wire of 1 Gb/s, and its head and proof 0.5 %. */
enum { SHORTEST = 4 << 10 };

/* More pieces are small messages that have been collected; two large ones have four. */
enum { MANY = 4 };

/* A record that comes has room behind the one before it, so that it need not be moved. */
enum { ROOM = 2 * SEAL_RECORD };

struct seal_direction {
    crypto_aead_aes256gcm_state aes; /* what is made of the key, when AES is used */
    uint8_t key[SEAL_KEY];
    uint64_t records;
    size_t from, to; /* what there is in the bytes */
};

struct seal {
    struct seal_direction out, in;
    bool aes;
    size_t burst; /* bytes sealed since there was nothing more to seal */
    uint8_t out_bytes[SEAL_RECORD], in_bytes[ROOM];
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

static void init_direction(struct seal_direction *direction, const uint8_t key[SEAL_KEY], bool aes)
{
    direction->records = 0;
    direction->from = direction->to = 0;
    memcpy(direction->key, key, SEAL_KEY);
    if (aes)
        crypto_aead_aes256gcm_beforenm(&direction->aes, key);
}

struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY], bool aes)
{
    struct seal *seal = malloc(sizeof *seal);

    if (!seal)
        return NULL;
    seal->aes = aes;
    seal->burst = 0;
    init_direction(&seal->out, out_key, aes);
    init_direction(&seal->in, in_key, aes);
    return seal;
}

static void wipe_direction(struct seal_direction *direction)
{
    sodium_memzero(direction->key, SEAL_KEY);
    sodium_memzero(&direction->aes, sizeof direction->aes);
}

void seal_free(struct seal *seal)
{
    if (!seal)
        return;
    wipe_direction(&seal->out);
    wipe_direction(&seal->in);
    free(seal);
}

static void renew_key(struct seal_direction *direction, bool aes)
{
    static const char what[] = "hnow: the key that follows";
    uint8_t next[SEAL_KEY];

    crypto_generichash(next, sizeof next, (const uint8_t *)what, sizeof what - 1, direction->key,
                       SEAL_KEY);
    memcpy(direction->key, next, SEAL_KEY);
    sodium_memzero(next, sizeof next);
    if (aes)
        crypto_aead_aes256gcm_beforenm(&direction->aes, direction->key);
}

/* Of the next record, for which the key may be another one. */
static void next_nonce(struct seal_direction *direction, bool aes, nonce number)
{
    if (direction->records > 0 && direction->records % SEAL_LIFE == 0)
        renew_key(direction, aes);
    memset(number, 0, sizeof(nonce));
    bytes_put64(number, direction->records++);
}

/* ---- out ----------------------------------------------------------------------------------- */

/* Appends the record of length bytes, which may stand already where their cipher will. */
static void append_record(struct seal *seal, const uint8_t *plain, size_t length)
{
    struct seal_direction *direction = &seal->out;
    uint8_t *head = seal->out_bytes + direction->to, *text = head + SEAL_HEAD;
    nonce number;

    bytes_put32(head, (uint32_t)length);
    next_nonce(direction, seal->aes, number);
    if (seal->aes)
        crypto_aead_aes256gcm_encrypt_afternm(text, NULL, plain, length, head, SEAL_HEAD, NULL,
                                              number, &direction->aes);
    else
        crypto_aead_chacha20poly1305_ietf_encrypt(text, NULL, plain, length, head, SEAL_HEAD, NULL,
                                                  number, direction->key);
    direction->to += SEAL_HEAD + length + SEAL_PROOF;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies the first bytes of what is given, at most so many. */
static size_t gather(uint8_t *plain, size_t most, const struct iovec *iov, int n)
{
    size_t length = 0;

    for (int i = 0; i < n && length < most; i++) {
        size_t part = least(iov[i].iov_len, most - length);
        memcpy(plain + length, iov[i].iov_base, part);
        length += part;
    }
    return length;
}

/* The sender seals a record while those before it are on the wire, and the receiver opens it when
 * all of it is there.  So what is sent at one time begins with short records and ends with short
 * ones, and neither of them keeps the other waiting for long.  Many small messages are no matter of
 * latency. */
static size_t record_size(const struct seal *seal, size_t pending, int pieces)
{
    size_t size = least(seal->burst > SHORTEST ? seal->burst : SHORTEST,
                        pending / 2 > SHORTEST ? pending / 2 : SHORTEST);

    return pieces > MANY ? SEAL_PLAIN : least(size, SEAL_PLAIN);
}

size_t seal_close(struct seal *seal, const struct iovec *iov, int n)
{
    uint8_t *room = seal->out_bytes + SEAL_HEAD;
    size_t pending = 0, size;

    for (int i = 0; i < n; i++)
        pending += iov[i].iov_len;
    if (pending == 0)
        return 0;
    size = record_size(seal, pending, n);
    seal->out.from = seal->out.to = 0;
    if (iov[0].iov_len >= least(size, LONG)) {
        size = least(size, iov[0].iov_len);
        append_record(seal, iov[0].iov_base, size);
    } else {
        size = gather(room, least(size, LONG), iov, n);
        append_record(seal, room, size);
    }
    seal->burst = size < pending ? seal->burst + size : 0;
    return size;
}

const uint8_t *seal_waiting(const struct seal *seal, size_t *length)
{
    const struct seal_direction *direction = &seal->out;

    *length = direction->to - direction->from;
    return *length > 0 ? seal->out_bytes + direction->from : NULL;
}

void seal_written(struct seal *seal, size_t bytes)
{
    seal->out.from += bytes;
}

/* ---- in ------------------------------------------------------------------------------------ */

/* Of the long record that is coming only its rest is wanted: the next one then begins in front. */
uint8_t *seal_room(struct seal *seal, size_t *size)
{
    struct seal_direction *direction = &seal->in;
    uint8_t *first = seal->in_bytes + direction->from;
    size_t there = direction->to - direction->from, whole = SEAL_RECORD;
    bool known = there >= SEAL_HEAD;

    if (known)
        whole = SEAL_HEAD + bytes_get32(first) + SEAL_PROOF;
    if (there == 0 || direction->from + whole > ROOM) {
        memmove(seal->in_bytes, first, there);
        direction->from = 0;
        direction->to = there;
    }
    *size = known && whole >= LONG ? whole - there : ROOM - direction->to;
    return seal->in_bytes + direction->to;
}

void seal_came(struct seal *seal, size_t bytes)
{
    seal->in.to += bytes;
}

/* Opens a record of length bytes in place: false when it is not what the other side has sealed. */
static bool decrypt(struct seal_direction *direction, bool aes, uint8_t *record, size_t length)
{
    uint8_t *text = record + SEAL_HEAD;
    nonce number;

    next_nonce(direction, aes, number);
    if (aes)
        return crypto_aead_aes256gcm_decrypt_afternm(text, NULL, NULL, text, length + SEAL_PROOF,
                                                     record, SEAL_HEAD, number,
                                                     &direction->aes) == 0;
    return crypto_aead_chacha20poly1305_ietf_decrypt(text, NULL, NULL, text, length + SEAL_PROOF,
                                                     record, SEAL_HEAD, number,
                                                     direction->key) == 0;
}

int seal_open(struct seal *seal, const uint8_t **plain, size_t *length)
{
    struct seal_direction *direction = &seal->in;
    uint8_t *record = seal->in_bytes + direction->from;
    size_t there = direction->to - direction->from;

    if (there < SEAL_HEAD)
        return 0;
    *length = bytes_get32(record);
    if (*length == 0 || *length > SEAL_PLAIN)
        return error_set(HN_EPROTO, "a sealed record of %zu bytes", *length);
    if (there < SEAL_HEAD + *length + SEAL_PROOF)
        return 0;
    if (!decrypt(direction, seal->aes, record, *length))
        return error_set(HN_EPROTO, "a sealed record that the other side has not sent");
    direction->from += SEAL_HEAD + *length + SEAL_PROOF;
    *plain = record + SEAL_HEAD;
    return 1;
}
