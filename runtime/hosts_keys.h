/* hosts_keys.h - the key=value words of a host's line. */
#pragma once

#include "hosts.h"

#include <stdint.h>

/* A line while its keys are being read. */
struct hosts_keys {
    const char *file; /* for messages */
    struct arena *arena;
    struct host_line *line; /* holds the defaults, which a key overrides */
    uint32_t seen;          /* the keys that this line gave, by their place in the table */
};

/* Takes one key: unknown, double or bad ones are HN_ESYNTAX.  value must live as long as the line.
 */
int hosts_keys_set(struct hosts_keys *keys, const char *key, char *value);
/* Takes all words behind the first. */
int hosts_keys_line(struct hosts_keys *keys, const struct line *words);
