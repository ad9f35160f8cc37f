/* record.h - parses the syntax of the @ lines of a network file; net_read.c gives them meaning.
 *
 *     @network version=5 [measured=TIME] [by=TOOL] [passes=N] [tolerance=F]
 *                  [residual=F] [worst=F] [missing=WORDS] [relayed=WORDS]
 *     @subnet NAME hosts=LIST [medium=bus|switch|unknown] [multicast=yes|no] [latency_us=T]
 *                  [ns_per_byte=T] [wire_ns_per_byte=W] [message_us=T] [site=SITE]
 *     @uplink SUBNET|SITE [latency_us=T] [ns_per_byte=T]
 *     @link   SUBNET|SITE SUBNET|SITE [latency_us=T] [ns_per_byte=T] [wire_ns_per_byte=W]
 *                  [way=both|one]
 *     @pair   HOST HOST [latency_us=T] [ns_per_byte=T] [way=both|one]
 *     @line   NAME near=LIST far=LIST ns_per_byte=T
 *     @machine NAME hosts=LIST [message_us=T] [ns_per_byte=T] [cores=N]
 *
 * Every line that allows a latency also allows first_bytes=N first_ns_per_byte=T.
 */
#pragma once

#include "hnow_net.h"
#include "runtime/internal.h"

/* Kinds of @ lines.  Those up to RECORD_SUBNET are read first (net_read.c): others name subnets. */
enum record_kind {
    RECORD_NETWORK,
    /* The names as written in the file are in record.c, as are the number of bare words after each.
     */
    RECORD_SUBNET,
    RECORD_UPLINK,
    RECORD_LINK,
    RECORD_PAIR,
    RECORD_MACHINE,
    RECORD_LINE,
    RECORD_KINDS
};

/* Keys of all kinds.  A key has the same meaning and limits in each kind that allows it (record.c).
 */
enum record_key {
    /* @network: the file's version, and how it was measured. */
    RECORD_VERSION,
    RECORD_MEASURED,
    RECORD_BY,
    RECORD_PASSES,
    RECORD_TOLERANCE,
    /* @subnet; RECORD_HOSTS also in @machine. */
    RECORD_HOSTS,
    RECORD_MEDIUM,
    RECORD_MULTICAST,
    RECORD_SITE,
    /* The cost of a message; LATENCY is stored in picoseconds, PER_BYTE, WIRE and FIRST_PER_BYTE in
     * femtoseconds a byte. These are the millionths of the file's units, so no unit is converted.
     */
    RECORD_LATENCY,
    RECORD_PER_BYTE,
    RECORD_WIRE,
    RECORD_FIRST_BYTES,
    RECORD_FIRST_PER_BYTE,
    /* More keys of @network: errors of the model, and what the measurement lacks. */
    RECORD_RESIDUAL,
    RECORD_WORST,
    RECORD_MISSING,
    RECORD_RELAYED,
    /* @link and @pair: one direction, or both. */
    RECORD_WAY,
    /* @machine; MESSAGE also in @subnet. */
    RECORD_MESSAGE,
    RECORD_QUEUED,
    RECORD_CORES,
    /* @line: the two ends. */
    RECORD_NEAR,
    RECORD_FAR,
    RECORD_KEYS
};

/* One parsed line; its words belong to the text of the file. */
struct record {
    const char *file; /* for error messages */
    int line;
    enum record_kind kind;
    char *name[2];            /* the bare words after the kind */
    char *value[RECORD_KEYS]; /* NULL: not given */
};

/* All of these return HN_OK, or HN_ESYNTAX with an error text "FILE:LINE: ...". */

/* Parses a line. Unknown kinds and keys, repeated keys and a wrong number of names are errors. */
int record_read(const char *file, const struct line *line, struct record *record);
/* Reads the number of a key, within the limits of its row; 0 if not given. */
int record_number(const struct record *record, enum record_key key, int64_t *value);
/* Reads latency_us, ns_per_byte, first_bytes, first_ns_per_byte and wire_ns_per_byte; 0 if not
 * given. */
int record_cost(const struct record *record, hn_pair_cost *cost, hn_per_byte *wire);
/* Reads a decimal number of at most limit millionths. *value is unchanged if text is NULL. */
int record_decimal(const char *file, int line, const char *key, const char *text, int64_t limit,
                   int64_t *value);
/* Stores the index of the key's value among words (separated by blanks); 0 if the key is not
 * given. */
int record_choice(const struct record *record, enum record_key key, const char *words, int *choice);

/* The cost keys of a host's line, indexed by enum hosts_model_key, and the field that each one
 * sets. */
extern const struct record_host_key {
    const char *name;
    size_t place; /* offset in hn_host_cost */
    int64_t limit;
} record_host_keys[HOSTS_MODEL_COUNT];
static inline int64_t *record_host_cost(hn_host_cost *cost, int key)
{
    return (int64_t *)(void *)((char *)cost + record_host_keys[key].place);
}

/* The names as written in a file. */
const char *record_kind_name(enum record_kind kind);
const char *record_key_name(enum record_key key);
