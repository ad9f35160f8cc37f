/* text_of.h - what the harnesses of hmd's readers share: bytes as the text of a file, which the
 * readers change in place. */
#pragma once

#include "err.h"
#include "mem.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(int holds)
{
    if (!holds)
        abort();
}

/* Opens the bytes as a file; what is returned is to be given to mem_free(). */
static inline char *text_of(const uint8_t *data, size_t size, struct text *t)
{
    char *copy = mem_new(size + 1, 1);
    if (size > 0)
        memcpy(copy, data, size);
    text_open(t, "fuzz", copy, size);
    return copy;
}

/* Accepted without a complaint, or refused with one that says where. */
static inline void outcome(int status, const struct err *e)
{
    demand(status ? status == e->status && strncmp(e->text, "fuzz:", 5) == 0 : !e->text[0]);
}
