/* datagram.c - writing, sealing and taking apart datagrams (layout: datagram.h). */
#include "datagram.h"

#include "bytes.h"

#include <sodium.h>
#include <string.h>

enum { AT_MAC = 16, MAC = 8 };

void datagram_key(const uint8_t *secret, size_t bytes, uint8_t key[DATAGRAM_KEY])
{
    static const uint8_t what[] = "key of datagrams";

    crypto_generichash(key, DATAGRAM_KEY, what, sizeof what - 1, secret, bytes);
}

size_t datagram_begin(const struct datagram *d, uint8_t out[DATAGRAM_BEFORE])
{
    bytes_put16(out, DATAGRAM_MAGIC);
    out[2] = d->kind;
    out[3] = d->count;
    bytes_put32(out + 4, (uint32_t)d->from);
    bytes_put64(out + 8, d->number);
    return datagram_before(d);
}

void datagram_target(uint8_t *out, int i, hn_tid tid, uint64_t place)
{
    uint8_t *at = out + DATAGRAM_HEAD + i * DATAGRAM_TARGET;

    bytes_put32(at, (uint32_t)tid);
    bytes_put32(at + 4, (uint32_t)place);
    bytes_put16(at + 8, (uint16_t)(place >> 32));
}

/* The mac of what begins with `in`; of two more pieces after what stands before the frame. */
static void make_mac(const uint8_t key[DATAGRAM_KEY], const uint8_t *in, size_t before,
                     const void *head, size_t head_bytes, const void *payload, size_t payload_bytes,
                     uint8_t mac[crypto_onetimeauth_BYTES])
{
    uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
    uint8_t once[crypto_onetimeauth_KEYBYTES];
    crypto_onetimeauth_state s;

    memcpy(nonce, in + 4, sizeof nonce); /* sender and number */
    crypto_stream_chacha20_ietf(once, sizeof once, nonce, key);
    crypto_onetimeauth_init(&s, once);
    crypto_onetimeauth_update(&s, in, AT_MAC);
    crypto_onetimeauth_update(&s, in + DATAGRAM_HEAD, before - DATAGRAM_HEAD);
    crypto_onetimeauth_update(&s, head, head_bytes);
    crypto_onetimeauth_update(&s, payload, payload_bytes);
    crypto_onetimeauth_final(&s, mac);
    sodium_memzero(once, sizeof once);
}

void datagram_seal(const uint8_t key[DATAGRAM_KEY], uint8_t *out, const void *head,
                   size_t head_bytes, const void *payload, size_t payload_bytes)
{
    uint8_t mac[crypto_onetimeauth_BYTES];
    size_t before = DATAGRAM_HEAD + (size_t)out[3] * DATAGRAM_TARGET;

    make_mac(key, out, before, head, head_bytes, payload, payload_bytes, mac);
    memcpy(out + AT_MAC, mac, MAC);
}

bool datagram_open(const uint8_t key[DATAGRAM_KEY], const uint8_t *in, size_t bytes,
                   struct datagram *d)
{
    uint8_t mac[crypto_onetimeauth_BYTES];
    size_t before;

    if (bytes < DATAGRAM_HEAD || bytes_get16(in) != DATAGRAM_MAGIC)
        return false;
    *d = (struct datagram){.kind = in[2],
                           .count = in[3],
                           .from = (hn_tid)bytes_get32(in + 4),
                           .number = bytes_get64(in + 8)};
    before = datagram_before(d);
    if (d->count < 1 || d->count > DATAGRAM_TARGETS || bytes < before)
        return false;
    make_mac(key, in, before, in + before, bytes - before, NULL, 0, mac);
    return sodium_memcmp(mac, in + AT_MAC, MAC) == 0;
}

bool datagram_place(const uint8_t *in, const struct datagram *d, hn_tid tid, uint64_t *place)
{
    for (int i = 0; i < d->count; i++) {
        const uint8_t *at = in + DATAGRAM_HEAD + i * DATAGRAM_TARGET;
        if ((hn_tid)bytes_get32(at) == tid) {
            *place = bytes_get32(at + 4) | (uint64_t)bytes_get16(at + 8) << 32;
            return true;
        }
    }
    return false;
}
