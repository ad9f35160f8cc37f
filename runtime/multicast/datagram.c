/* datagram.c - encodes, encrypts and decodes datagrams (layout: datagram.h).
 *
 * The cipher works in place and detached: the mac is behind the content.  A datagram that is not
 * encrypted passes everything as additional data, with an empty text.  So both kinds use one code
 * path.
 */
#include "multicast/datagram.h"

#include "base/bytes.h"

#include <assert.h>
#include <sodium.h>

enum { AT_SENDER = 4, AT_NUMBER = 8 }; /* bytes: offsets in the layout of datagram.h */
static_assert(crypto_aead_chacha20poly1305_ietf_NPUBBYTES == DATAGRAM_HEAD - AT_SENDER,
              "sender and number are the nonce");
static_assert(crypto_aead_chacha20poly1305_ietf_ABYTES == DATAGRAM_MAC &&
                  crypto_aead_chacha20poly1305_ietf_KEYBYTES == DATAGRAM_KEY,
              "a datagram has room for the cipher's mac");

/* The position is cut to 48 bits (DATAGRAM_POSITIONS). */
void datagram_target(uint8_t *out, int i, hn_tid tid, uint64_t position)
{
    uint8_t *at = out + DATAGRAM_HEAD + i * DATAGRAM_TARGET;

    bytes_put32(at, (uint32_t)tid);
    bytes_put32(at + 4, (uint32_t)position);
    bytes_put16(at + 8, (uint16_t)(position >> 32));
}

/* Number of bytes before the mac that are authenticated but not encrypted. */
static size_t plain_bytes(const struct datagram *d, size_t bytes)
{
    return d->sealed ? datagram_before(d) : bytes;
}

/* The buffer must have room for DATAGRAM_MAC bytes behind the content. */
size_t datagram_close(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *out,
                      size_t bytes)
{
    size_t all = datagram_before(d) + bytes, plain = plain_bytes(d, all);

    bytes_put16(out, DATAGRAM_MAGIC);
    out[2] = d->kind | (d->sealed ? DATAGRAM_SEALED : 0);
    out[3] = d->count;
    bytes_put32(out + AT_SENDER, (uint32_t)d->from);
    bytes_put64(out + AT_NUMBER, d->number);
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(out + plain, out + all, NULL, out + plain,
                                                       all - plain, out, plain, NULL,
                                                       out + AT_SENDER, key);
    return all + DATAGRAM_MAC;
}

/* Checks only that all offsets are inside the datagram.  Nothing may be believed before
 * datagram_open(). */
bool datagram_parse(const uint8_t *in, size_t bytes, struct datagram *d)
{
    if (bytes < DATAGRAM_HEAD || bytes_get16(in) != DATAGRAM_MAGIC)
        return false;
    *d = (struct datagram){.kind = in[2] & (uint8_t)~DATAGRAM_SEALED,
                           .sealed = in[2] & DATAGRAM_SEALED,
                           .count = in[3],
                           .from = (hn_tid)bytes_get32(in + AT_SENDER),
                           .number = bytes_get64(in + AT_NUMBER)};
    return d->count >= 1 && d->count <= DATAGRAM_TARGETS &&
           bytes >= datagram_before(d) + DATAGRAM_MAC;
}

/* Called before decryption, so a datagram for others costs O(targets) and no cryptography. */
bool datagram_position(const uint8_t *in, const struct datagram *d, hn_tid tid, uint64_t *position)
{
    for (int i = 0; i < d->count; i++) {
        const uint8_t *at = in + DATAGRAM_HEAD + i * DATAGRAM_TARGET;
        if ((hn_tid)bytes_get32(at) == tid) {
            *position = bytes_get32(at + 4) | (uint64_t)bytes_get16(at + 8) << 32;
            return true;
        }
    }
    return false;
}

/* False: it is forged, damaged, or from a task with another key.  *left: bytes of content. */
bool datagram_open(const uint8_t key[DATAGRAM_KEY], const struct datagram *d, uint8_t *in,
                   size_t bytes, size_t *left)
{
    size_t all = bytes - DATAGRAM_MAC, plain = plain_bytes(d, all);

    *left = all - datagram_before(d);
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(in + plain, NULL, in + plain,
                                                              all - plain, in + all, in, plain,
                                                              in + AT_SENDER, key) == 0;
}
