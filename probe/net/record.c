/* record.c - tables of the kinds of @ lines, and of the keys that each kind allows. A kind and a
 * key are rows of two tables; net_read.c asks for values by enum. So a new key needs one enum
 * constant and one row here. All look-ups are linear: the tables have some 25 rows. */
#include "net/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Larger values are mistakes: passes of a measurement; a thousand times, in millionths. */
enum { PASSES_MOST = 1000000, FRACTION_MOST = 1000000000 };

/* A kind of record. `form` is its shortest valid example, for error messages. */
static const struct kind {
    const char *name;
    int names; /* number of bare words after it */
    const char *form;
} kinds[RECORD_KINDS] = {
    [RECORD_NETWORK] = {"@network", 0, "@network version=5"},
    [RECORD_SUBNET] = {"@subnet", 1, "@subnet NAME hosts=a,b,c"},
    [RECORD_UPLINK] = {"@uplink", 1, "@uplink SUBNET latency_us=T ns_per_byte=T"},
    [RECORD_LINK] = {"@link", 2, "@link SUBNET SUBNET latency_us=T ns_per_byte=T"},
    [RECORD_PAIR] = {"@pair", 2, "@pair HOST HOST latency_us=T ns_per_byte=T"},
    [RECORD_MACHINE] = {"@machine", 1, "@machine NAME hosts=a,b,c message_us=T ns_per_byte=T"},
    [RECORD_LINE] = {"@line", 1, "@line NAME near=a,b far=c,d ns_per_byte=T"},
};

#define IN(kind) (1u << RECORD_##kind)
/* Kinds with the keys of a cost. */
#define COSTS (IN(SUBNET) | IN(UPLINK) | IN(LINK) | IN(PAIR))
/* A key. Its number has the same limit in all kinds that allow it. Texts have limit 0 and are
 * interpreted by net_read.c. */
static const struct key {
    const char *name;
    unsigned kinds;
    int64_t limit; /* of a number: millionths, or of a whole one itself; 0: no number */
    bool whole;    /* the number is at least 1 */
} keys[RECORD_KEYS] = {
    [RECORD_VERSION] = {"version", IN(NETWORK)},
    [RECORD_MEASURED] = {"measured", IN(NETWORK)},
    [RECORD_BY] = {"by", IN(NETWORK)},
    [RECORD_PASSES] = {"passes", IN(NETWORK), PASSES_MOST, true},
    [RECORD_TOLERANCE] = {"tolerance", IN(NETWORK), FRACTION_MOST},
    [RECORD_HOSTS] = {"hosts", IN(SUBNET) | IN(MACHINE)},
    [RECORD_MEDIUM] = {"medium", IN(SUBNET)},
    [RECORD_MULTICAST] = {"multicast", IN(SUBNET)},
    [RECORD_SITE] = {"site", IN(SUBNET)},
    [RECORD_LATENCY] = {"latency_us", COSTS, HN_TIME_MOST},
    [RECORD_PER_BYTE] = {"ns_per_byte", COSTS | IN(MACHINE) | IN(LINE), HN_PER_BYTE_MOST},
    [RECORD_WIRE] = {"wire_ns_per_byte", IN(SUBNET) | IN(LINK), HN_PER_BYTE_MOST},
    [RECORD_FIRST_BYTES] = {"first_bytes", COSTS, HN_FIRST_MOST, true},
    [RECORD_FIRST_PER_BYTE] = {"first_ns_per_byte", COSTS, HN_PER_BYTE_MOST},
    [RECORD_RESIDUAL] = {"residual", IN(NETWORK), FRACTION_MOST},
    [RECORD_WORST] = {"worst", IN(NETWORK), FRACTION_MOST},
    [RECORD_MISSING] = {"missing", IN(NETWORK)},
    [RECORD_RELAYED] = {"relayed", IN(NETWORK)},
    [RECORD_WAY] = {"way", IN(LINK) | IN(PAIR)},
    [RECORD_MESSAGE] = {"message_us", IN(MACHINE) | IN(SUBNET), HN_TIME_MOST},
    [RECORD_QUEUED] = {"queued_us", IN(MACHINE), HN_TIME_MOST},
    [RECORD_CORES] = {"cores", IN(MACHINE), HN_CORES_MOST, true},
    [RECORD_NEAR] = {"near", IN(LINE)},
    [RECORD_FAR] = {"far", IN(LINE)},
};

/* Keys of host lines, with the member of hn_host_cost that each of them sets. */
#define COST(member) offsetof(hn_host_cost, member)
const struct record_host_key record_host_keys[HOSTS_MODEL_COUNT] = {
    [HOSTS_SEND_CONST] = {"send_us", COST(send_const), HN_TIME_MOST},
    [HOSTS_SEND_PER_BYTE] = {"send_ns_per_byte", COST(send_per_byte), HN_PER_BYTE_MOST},
    [HOSTS_RECV_CONST] = {"recv_us", COST(recv_const), HN_TIME_MOST},
    [HOSTS_RECV_PER_BYTE] = {"recv_ns_per_byte", COST(recv_per_byte), HN_PER_BYTE_MOST},
    [HOSTS_SEND_GAP_CONST] = {"send_gap_us", COST(send_gap_const), HN_TIME_MOST},
    [HOSTS_SEND_GAP] = {"send_gap_ns_per_byte", COST(send_gap), HN_PER_BYTE_MOST},
    [HOSTS_RECV_GAP] = {"recv_gap_ns_per_byte", COST(recv_gap), HN_PER_BYTE_MOST},
    [HOSTS_WAKE] = {"wake_us", COST(wake), HN_TIME_MOST},
    [HOSTS_SPEED] = {"speed", COST(speed), HN_TIME_MOST},
};

const char *record_kind_name(enum record_kind kind)
{
    return kinds[kind].name;
}

const char *record_key_name(enum record_key key)
{
    return keys[key].name;
}

/* Appends the names of the kinds, or of the keys of a kind, to an error message. The list may be
 * cut at the end of `room`; snprintf() then returns more than fits, and the loop ends. */
static void list_names(char *list, size_t room, const enum record_kind *kind)
{
    size_t used = 0;
    *list = 0;
    for (int i = 0; i < (kind ? RECORD_KEYS : RECORD_KINDS) && used < room; i++)
        if (!kind || keys[i].kinds & 1u << *kind)
            used += (size_t)snprintf(list + used, room - used, " %s",
                                     kind ? keys[i].name : kinds[i].name);
}

/* Unknown words are errors: a misspelt key must not be ignored. */
static int find_kind(const char *file, const struct line *line, enum record_kind *kind)
{
    char list[128], quoted[LINES_QUOTED];
    for (int i = 0; i < RECORD_KINDS; i++)
        if (strcmp(line->word[0].value, kinds[i].name) == 0) {
            *kind = (enum record_kind)i;
            return HN_OK;
        }
    list_names(list, sizeof list, NULL);
    return lines_error(file, line->number, "unknown record \"%s\": the records are%s",
                       lines_quote(quoted, line->word[0].value), list);
}

/* Sets a value of the record.  The text belongs to the line. */
static int set_key(struct record *record, const struct word *word)
{
    char list[320], quoted[LINES_QUOTED];
    for (int i = 0; i < RECORD_KEYS; i++) {
        /* A key that exists, but not for this kind, gets the same error as an unknown one. */
        if (strcmp(word->key, keys[i].name) != 0 || !(keys[i].kinds & 1u << record->kind))
            continue;
        if (record->value[i])
            return lines_error(record->file, record->line, "%s is given twice: leave one out",
                               keys[i].name);
        record->value[i] = word->value;
        return HN_OK;
    }
    list_names(list, sizeof list, &record->kind);
    return lines_error(record->file, record->line, "unknown key \"%s\": the keys of %s are%s",
                       lines_quote(quoted, word->key), kinds[record->kind].name, list);
}

/* Words with a key are values, others are names. */
int record_read(const char *file, const struct line *line, struct record *record)
{
    int names = 0;
    /* All values NULL: not given. */
    *record = (struct record){.file = file, .line = line->number};
    int code = find_kind(file, line, &record->kind);
    for (int i = 1; code == HN_OK && i < line->count; i++) {
        if (line->word[i].key)
            code = set_key(record, &line->word[i]);
        /* Superfluous names are counted, for the error below, but not stored. */
        else if (names++ < kinds[record->kind].names)
            record->name[names - 1] = line->word[i].value;
    }
    if (code == HN_OK && names != kinds[record->kind].names)
        code = lines_error(file, line->number, "%s has %d names, not %d: write %s",
                           kinds[record->kind].name, kinds[record->kind].names, names,
                           kinds[record->kind].form);
    /* Set by the first error, which names file and line. */
    return code;
}

/* Reads a number with decimals, in millionths. A missing text leaves *value as it is. */
int record_decimal(const char *file, int line, const char *key, const char *text, int64_t limit,
                   int64_t *value)
{
    char quoted[LINES_QUOTED], most[DECIMAL_TEXT];
    if (!text || decimal_parse(text, limit, value))
        return HN_OK;
    return lines_error(file, line, "%s=%s: give a number from 0 to %s with at most six decimals",
                       key, lines_quote(quoted, text), decimal_print(most, limit));
}

/* Missing numbers are 0. */
int record_number(const struct record *record, enum record_key key, int64_t *value)
{
    const struct key *k = &keys[key];
    const char *text = record->value[key];
    char quoted[LINES_QUOTED];
    *value = 0;
    /* Whole numbers begin at 1: leaving the key out is the only way to write 0. */
    if (!k->whole)
        return record_decimal(record->file, record->line, k->name, text, k->limit, value);
    if (!text || decimal_integer(text, 1, k->limit, value))
        return HN_OK;
    return lines_error(record->file, record->line, "%s=%s: give a whole number from 1 to %" PRId64,
                       k->name, lines_quote(quoted, text), k->limit);
}

/* A bend needs both its size and its cost. All numbers that are not given become 0, also *wire for
 * kinds without that key. */
int record_cost(const struct record *record, hn_pair_cost *cost, hn_per_byte *wire)
{
    *cost = (hn_pair_cost){0};
    int code = record_number(record, RECORD_LATENCY, &cost->latency);
    if (code == HN_OK)
        code = record_number(record, RECORD_PER_BYTE, &cost->per_byte);
    if (code == HN_OK)
        code = record_number(record, RECORD_WIRE, wire);
    if (code == HN_OK &&
        !record->value[RECORD_FIRST_BYTES] != !record->value[RECORD_FIRST_PER_BYTE])
        code = lines_error(record->file, record->line,
                           "first_bytes and first_ns_per_byte belong together: give both");
    if (code == HN_OK)
        code = record_number(record, RECORD_FIRST_BYTES, &cost->first_bytes);
    if (code == HN_OK)
        code = record_number(record, RECORD_FIRST_PER_BYTE, &cost->first_per_byte);
    return code;
}

/* The index of the word; words are compared as a whole. */
int record_choice(const struct record *record, enum record_key key, const char *words, int *choice)
{
    const char *value = record->value[key];
    char quoted[LINES_QUOTED];
    *choice = 0;
    if (!value)
        return HN_OK;
    size_t length = strlen(value);
    /* The words are compared in place; the position in the list is the result. */
    for (const char *at = words; *at; ++*choice) {
        size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, value, n) == 0)
            return HN_OK;
        at += n + (at[n] == ' ');
    }
    return lines_error(record->file, record->line, "%s=%s: give one of: %s", keys[key].name,
                       lines_quote(quoted, value), words);
}
