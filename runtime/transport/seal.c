/* seal.c - seals and opens the records of an encrypted connection (layout and keys: seal.h).
 *
 * Both buffers are part of struct seal, so that sealing and opening never allocate.  Plain text
 * never stays in the output buffer: it is encrypted there in place, or from the caller's memory
 * directly.
 */
#include "transport/seal.h"

#include "base/bytes.h"
#include "base/error.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the buffers.  A write costs both ends system calls, packets and wake-ups, more than
 * sealing 4 KiB does.  So a message of 16 KiB is sent at once with its headers, and all received
 * records are read at once. */
enum { OUT = 2 * SEAL_RECORD, ROOM = 4 * SEAL_RECORD };

/* One direction: its key, and the bytes in its buffer.  `records` counts all records under all keys
 * of this direction.  It is both the nonce and the age of the key. */
struct seal_direction {
    crypto_aead_aes256gcm_state aes; /* expanded key, if AES is used */
    uint8_t key[SEAL_KEY];
    uint64_t records;
    size_t from, to; /* range of used bytes in `bytes` */
};

/* Both directions of one connection, of which `in` opens what the other side's `out` has sealed.
 * Some 100 KiB, most of it buffers, so it is allocated only for encrypted connections. */
struct seal {
    struct seal_direction out, in;
    bool aes;
    uint8_t out_bytes[OUT], in_bytes[ROOM];
};

/* Both ciphers have keys, nonces and authentication tags of the same size. */
typedef uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
static_assert(crypto_aead_aes256gcm_NPUBBYTES == sizeof(nonce) &&
                  crypto_aead_aes256gcm_KEYBYTES == SEAL_KEY &&
                  crypto_aead_aes256gcm_ABYTES == SEAL_PROOF &&
                  crypto_aead_chacha20poly1305_ietf_ABYTES == SEAL_PROOF,
              "a record does not tell the ciphers apart");

/* Asks for the processor's instructions; without them libsodium has no AES-GCM. */
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

/* The buffers are not cleared, since only bytes between `from` and `to` are ever read. */
struct seal *seal_new(const uint8_t out_key[SEAL_KEY], const uint8_t in_key[SEAL_KEY], bool aes)
{
    struct seal *seal = malloc(sizeof *seal);

    if (!seal)
        return NULL;
    seal->aes = aes;
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

/* A keyed hash of a constant, with the old key as its key.  It cannot be inverted, so the previous
 * key is gone with the memory that held it. */
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

/* The nonce of the next record; renews the key if it is used up. */
static void next_nonce(struct seal_direction *direction, bool aes, nonce number)
{
    if (direction->records > 0 && direction->records % SEAL_LIFE == 0)
        renew_key(direction, aes);
    memset(number, 0, sizeof(nonce));
    bytes_put64(number, direction->records++);
}

/* ---- out ----------------------------------------------------------------------------------- */

/* Appends the record of a text, which may already be in its place in the buffer. */
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

/* Remaining pieces: n of them, without the first `done` bytes of the first one. */
struct pieces {
    const struct iovec *iov;
    int n;
    size_t done;
};

/* The text of the next record and its length.  It stays in place if one piece contains enough;
 * otherwise it is gathered in `room`. */
static const uint8_t *next_text(struct pieces *pieces, uint8_t *room, size_t *length)
{
    *length = 0;
    while (pieces->n > 0 && *length < SEAL_PLAIN) {
        const uint8_t *piece = (const uint8_t *)pieces->iov->iov_base + pieces->done;
        size_t left = pieces->iov->iov_len - pieces->done, most = SEAL_PLAIN - *length;
        size_t part = left < most ? left : most;

        pieces->done += part;
        if (part == left)
            *pieces = (struct pieces){pieces->iov + 1, pieces->n - 1, 0};
        /* A full record from one piece.  `length` was 0 before, as otherwise less than SEAL_PLAIN
         * would have been wanted. */
        if (part == SEAL_PLAIN) {
            *length = part;
            return piece;
        }
        /* Behind the header's place, so append_record() encrypts the gathered text where it is. */
        memcpy(room + *length, piece, part);
        *length += part;
    }
    return room;
}

/* Fills the output buffer as far as whole records fit.  The buffer is empty before, because the
 * caller has written all (seal_waiting() returned NULL). */
size_t seal_close(struct seal *seal, const struct iovec *iov, int n)
{
    struct seal_direction *direction = &seal->out;
    struct pieces pieces = {iov, n, 0};
    size_t taken = 0, length;

    direction->from = direction->to = 0;
    while (direction->to + SEAL_RECORD <= OUT) {
        uint8_t *room = seal->out_bytes + direction->to + SEAL_HEAD;
        const uint8_t *text = next_text(&pieces, room, &length);

        if (length == 0)
            break;
        append_record(seal, text, length);
        taken += length;
    }
    return taken;
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

/* Moves an incomplete record to the start.  All complete ones were opened before, so less than one
 * record is moved, and room for three remains. */
uint8_t *seal_room(struct seal *seal, size_t *size)
{
    struct seal_direction *direction = &seal->in;
    size_t there = direction->to - direction->from;

    memmove(seal->in_bytes, seal->in_bytes + direction->from, there);
    direction->from = 0;
    direction->to = there;
    *size = ROOM - there;
    return seal->in_bytes + there;
}

/* So many bytes were read to the address from seal_room(). */
void seal_received(struct seal *seal, size_t bytes)
{
    seal->in.to += bytes;
}

/* Opens a record in place.  False: it is not genuine.  The nonce is used up even then, so the
 * connection cannot continue after a forged record. */
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

size_t seal_missing(const struct seal *seal)
{
    size_t there = seal->in.to - seal->in.from;

    if (there < SEAL_HEAD)
        return 0;
    return SEAL_HEAD + bytes_get32(seal->in_bytes + seal->in.from) + SEAL_PROOF - there;
}

/* The plain text replaces the encrypted text in the buffer.  It stays there until seal_room() moves
 * the rest over it. */
int seal_open(struct seal *seal, const uint8_t **plain, size_t *length)
{
    struct seal_direction *direction = &seal->in;
    uint8_t *record = seal->in_bytes + direction->from;
    size_t there = direction->to - direction->from;

    if (there < SEAL_HEAD)
        return 0;
    *length = bytes_get32(record);
    /* Not authenticated yet, but a length beyond the buffer would wait forever for bytes that have
     * no room. */
    if (*length == 0 || *length > SEAL_PLAIN)
        return error_set(HN_EPROTO, "a sealed record of %zu bytes", *length);
    /* The rest of the record is in transit. */
    if (there < SEAL_HEAD + *length + SEAL_PROOF)
        return 0;
    if (!decrypt(direction, seal->aes, record, *length))
        return error_set(HN_EPROTO, "a sealed record that the other side has not sent");
    direction->from += SEAL_HEAD + *length + SEAL_PROOF;
    *plain = record + SEAL_HEAD;
    return 1;
}
