/* hosts_keys.h - parses the key=value words of a host's line. */
#pragma once

#include "hosts.h"

#include <stdint.h>

/* A line whose keys are being parsed. */
struct hosts_keys {
    const char *file; /* for messages */
    struct arena *arena;
    struct host_line *line; /* contains the defaults, which a key overrides */
    uint32_t seen;          /* bit mask of the keys in this line, by their index in the table */
};

/* Stores one key: HN_ESYNTAX if it is unknown, duplicate or invalid. value must live as long as the
 * line. */
int hosts_keys_set(struct hosts_keys *keys, const char *key, char *value);
/* Stores the keys of all words except the first. */
int hosts_keys_line(struct hosts_keys *keys, const struct line *words);
