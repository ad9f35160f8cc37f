/* stage.c - the names of staged files: BLAKE2b of their content; see stage.h. */
#include "protocol/stage.h"

#include <sodium.h>
#include <stdlib.h>

enum { STAGE_HASH_BYTES = (STAGE_HASH - 1) / 2 };

struct stage_hash {
    crypto_generichash_state state;
};

/* libsodium's state needs an alignment of 64 bytes, which malloc() does not promise. */
struct stage_hash *stage_hash_begin(void)
{
    struct stage_hash *hash = aligned_alloc(_Alignof(struct stage_hash), sizeof *hash);
    if (hash)
        crypto_generichash_init(&hash->state, NULL, 0, STAGE_HASH_BYTES);
    return hash;
}

void stage_hash_add(struct stage_hash *hash, const void *data, size_t n)
{
    crypto_generichash_update(&hash->state, data, n);
}

/* The text has STAGE_HASH - 1 lower-case digits and a 0. */
void stage_hash_end(struct stage_hash *hash, char text[STAGE_HASH])
{
    uint8_t bytes[STAGE_HASH_BYTES];
    crypto_generichash_final(&hash->state, bytes, sizeof bytes);
    sodium_bin2hex(text, STAGE_HASH, bytes, sizeof bytes);
    free(hash);
}
