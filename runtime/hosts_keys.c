/* hosts_keys.c - the table of the keys of a host's line.
 *
 * A key is a row of the table: its name, the kind of its value, and where the value is stored.
 * hosts_write() uses the same table, so a key cannot be read and then not be written.  `seen` has
 * 32 bits, so the table has at most 32 rows.
 */
#include "hosts_keys.h"
#include "base/decimal.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum kind { KIND_WORD, KIND_TEXT, KIND_SLOTS, KIND_PORT, KIND_ENV, KIND_YES, KIND_MODEL };

/* Words of ssh's command line must not look like an option.  ssh and launchers pass them on to
 * shells, ssh even without quotes (-J), so they have no character that a shell interprets.  In a
 * user's name ssh quotes, and it may be DOMAIN\name. */
#define WORD_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@%:,[]"
#define USER_BYTES WORD_BYTES "/\\"

static const struct key {
    const char *name;
    enum kind kind;
    size_t place; /* offset in struct host_line; of a model key: its number */
} table[] = {{"addr", KIND_WORD, offsetof(struct host_line, addr)},
             {"slots", KIND_SLOTS, 0},
             {"user", KIND_WORD, offsetof(struct host_line, user)},
             {"port", KIND_PORT, 0},
             {"key", KIND_TEXT, offsetof(struct host_line, key)},
             {"ssh", KIND_TEXT, offsetof(struct host_line, ssh)},
             {"via", KIND_WORD, offsetof(struct host_line, via)},
             {"path", KIND_TEXT, offsetof(struct host_line, path)},
             {"wdir", KIND_TEXT, offsetof(struct host_line, wdir)},
             {"env", KIND_ENV, 0},
             {"encrypt", KIND_YES, offsetof(struct host_line, encrypt)},
             {"trusted", KIND_YES, offsetof(struct host_line, trusted)},
#define X(number, text) {text, KIND_MODEL, number},
             HOSTS_MODEL_KEYS(X)
#undef X
};
enum { KEYS = sizeof table / sizeof *table };
enum { ENV_MOST = 1000 }; /* of a host: each is compared with those before it */

/* Keys of PVM's hostfile and of other launchers' files, and the advice in the error message. */
static const struct {
    const char *key, *instead;
} others[] = {
    {"lo", "write user=NAME"},
    {"ep", "write env=PATH=DIR:..., or give the program's whole path"},
    {"dx", "write path=DIR, the directory of hnowd"},
    {"wd", "write wdir=DIR"},
    {"sp", "write speed=S"},
    {"so", "leave it out, ssh logs in with a key and asks for no password"},
    {"bx", "leave it out, start the debugger as the program"},
    {"ip", "write addr=ADDRESS"},
    {"cpu", "write slots=N"},
    {"cpus", "write slots=N"},
    {"ncpus", "write slots=N"},
    {"max_slots", "write slots=N, more tasks than that run only if -np or -ppn says so"},
    {"max-slots", "write slots=N, more tasks than that run only if -np or -ppn says so"},
};

/* The text advises what to write for keys that other launchers know, and lists all keys
 * otherwise. */
static int unknown_key(const struct hosts_keys *keys, const char *key)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].key, key) == 0)
            return lines_error(keys->file, keys->line->line_number, "%s= is no key here: %s", key,
                               others[i].instead);
    char list[256] = "", quoted[LINES_QUOTED];
    size_t used = 0;
    for (size_t i = 0; i < KEYS; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", table[i].name);
    return lines_error(keys->file, keys->line->line_number,
                       "unknown key \"%s\": the keys of a host are%s", lines_quote(quoted, key),
                       list);
}

static int bad_value(const struct hosts_keys *keys, const char *key, const char *value,
                     const char *wanted)
{
    char quoted[LINES_QUOTED];
    return lines_error(keys->file, keys->line->line_number, "%s=%s: give %s", key,
                       lines_quote(quoted, value), wanted);
}

/* A whole number from 1 to `high`. */
static int set_number(struct hosts_keys *keys, const char *key, const char *value, int high,
                      int *place)
{
    int64_t number;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a whole number from 1 to %d", high);
    if (!decimal_integer(value, 1, high, &number))
        return bad_value(keys, key, value, wanted);
    *place = (int)number;
    return HN_OK;
}

/* Values of keys that become words of ssh's command line are restricted to WORD_BYTES. */
static int set_text(struct hosts_keys *keys, const struct key *key, char *value)
{
    if (!*value)
        return bad_value(keys, key->name, value, "a value, or leave the key out");
    bool user = key->place == offsetof(struct host_line, user);
    if (key->kind == KIND_WORD &&
        (*value == '-' || value[strspn(value, user ? USER_BYTES : WORD_BYTES)] ||
         strstr(value, ",-") || strstr(value, "@-")))
        return bad_value(keys, key->name, value,
                         "a name without blanks, a leading - and what a shell interprets");
    memcpy((char *)keys->line + key->place, &value, sizeof value);
    return HN_OK;
}

/* Variables of the defaults precede the line's own.  A variable that is set again replaces the
 * first one. */
static int set_env(struct hosts_keys *keys, char *value)
{
    struct host_line *line = keys->line;
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        return bad_value(keys, "env", value, "env=NAME=VALUE");
    if (line->nenv == ENV_MOST)
        return lines_error(keys->file, line->line_number,
                           "more than %d variables: set them in a script that starts the program",
                           ENV_MOST);
    size_t length = (size_t)(equals - value) + 1;
    char **env = arena_alloc(keys->arena, ((size_t)line->nenv + 1) * sizeof *env);
    if (!env)
        return error_set(HN_ENOMEM, "no memory for the hosts of %s", keys->file);
    int n = 0;
    for (int i = 0; i < line->nenv; i++)
        if (strncmp(line->env[i], value, length) != 0)
            env[n++] = line->env[i];
    env[n++] = value;
    line->env = env;
    line->nenv = n;
    return HN_OK;
}

/* The value is stored as text, because the probe room knows its limits.  It is validated as a
 * number here, where the line number is known.  A default without hosts may be wrong, too. */
static int set_model(struct hosts_keys *keys, const struct key *key, char *value)
{
    int64_t unused;

    if (!decimal_parse(value, INT64_MAX, &unused))
        return bad_value(keys, key->name, value, "a number from 0 on with at most six decimals");
    keys->line->model[key->place] = value;
    keys->line->model_line[key->place] = keys->line->line_number;
    return HN_OK;
}

static int set_yes(struct hosts_keys *keys, const struct key *key, const char *value)
{
    bool yes = strcmp(value, "yes") == 0;

    if (!yes && strcmp(value, "no") != 0)
        return bad_value(keys, key->name, value, "yes or no");
    memcpy((char *)keys->line + key->place, &yes, sizeof yes);
    return HN_OK;
}

/* Values of strings are not copied: they are in the arena, like the words of the line. */
static int set_value(struct hosts_keys *keys, const struct key *key, char *value)
{
    switch (key->kind) {
    case KIND_WORD:
    case KIND_TEXT:
        return set_text(keys, key, value);
    case KIND_SLOTS:
        return set_number(keys, key->name, value, HOSTS_SLOTS, &keys->line->slots);
    case KIND_PORT:
        return set_number(keys, key->name, value, 65535, &keys->line->port);
    case KIND_ENV:
        return set_env(keys, value);
    case KIND_YES:
        return set_yes(keys, key, value);
    case KIND_MODEL:
        return set_model(keys, key, value);
    }
    return HN_OK;
}

/* env= may occur several times, every other key once in a line. */
int hosts_keys_set(struct hosts_keys *keys, const char *key, char *value)
{
    size_t i = 0;
    while (i < KEYS && strcmp(table[i].name, key) != 0)
        i++;
    if (i == KEYS)
        return unknown_key(keys, key);
    uint32_t bit = UINT32_C(1) << i;
    if (keys->seen & bit && table[i].kind != KIND_ENV)
        return lines_error(keys->file, keys->line->line_number,
                           "%s is given twice: leave one out%s", key,
                           table[i].kind == KIND_SLOTS ? " (name:N means slots=N)" : "");
    keys->seen |= bit;
    return set_value(keys, &table[i], value);
}

/* The first word is the host's name, or * for defaults. */
int hosts_keys_line(struct hosts_keys *keys, const struct line *words)
{
    int code = HN_OK;
    char quoted[LINES_QUOTED];
    for (int i = 1; code == HN_OK && i < words->count; i++) {
        const struct word *word = &words->word[i];
        if (word->key) {
            code = hosts_keys_set(keys, word->key, word->value);
        } else if (strchr(word->value, '=')) { /* max-slots=2: no key has a dash */
            word->value[strcspn(word->value, "=")] = 0;
            code = unknown_key(keys, word->value);
        } else {
            code = lines_error(keys->file, words->number,
                               "\"%s\" is not key=value: write one host a line, then its keys",
                               lines_quote(quoted, word->value));
        }
    }
    return code;
}

/* 0 means that the key was not given. */
static void write_number(FILE *file, const char *name, int number)
{
    if (number)
        fprintf(file, " %s=%d", name, number);
}

/* The keys of the model are left out: the probe room writes them. yes is the only value of its kind
 * that is written, since no is the default. */
static void write_key(FILE *file, const struct host_line *line, const struct key *key)
{
    const char *text = NULL;
    bool yes = false;
    switch (key->kind) {
    case KIND_SLOTS:
        write_number(file, key->name, line->slots);
        break;
    case KIND_PORT:
        write_number(file, key->name, line->port);
        break;
    case KIND_ENV:
        for (int i = 0; i < line->nenv; i++) {
            fputs(" env=", file);
            lines_write(file, line->env[i]);
        }
        break;
    case KIND_WORD:
    case KIND_TEXT:
        memcpy(&text, (const char *)line + key->place, sizeof text);
        if (text) {
            fprintf(file, " %s=", key->name);
            lines_write(file, text);
        }
        break;
    case KIND_YES:
        memcpy(&yes, (const char *)line + key->place, sizeof yes);
        if (yes)
            fprintf(file, " %s=yes", key->name);
        break;
    case KIND_MODEL:
        break;
    }
}

/* A name with a colon is an IPv6 address, and needs its brackets again. */
void hosts_write(FILE *file, const struct host_line *line)
{
    bool literal = strchr(line->name, ':');
    fprintf(file, literal ? "%s[%s]" : "%s%s", line->standby ? "& " : "", line->name);
    for (size_t i = 0; i < KEYS; i++)
        write_key(file, line, &table[i]);
}
