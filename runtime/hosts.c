/* hosts.c - parses a hosts file to a list of hosts.
 *
 * lines.c divides the text into words. hosts_keys.c parses the words after a host's name.  This
 * file selects the kind of a line by its first word, expands ranges, and joins lines of the same
 * host.  The order of lines is the order of hosts.  Cost: linear in the length of the expanded
 * ranges.
 *
 * All strings and arrays are in the arena of the result, and are freed with it.  Words are divided
 * in place.  An error leaves no result: its text names the file, the line, and what to write
 * instead.
 */
#include "hosts.h"
#include "base/error.h"
#include "hosts_keys.h"
#include "base/names.h"
#include "base/range.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* State of the parser. */
struct reader {
    struct hosts *hosts;
    struct names names; /* of the hosts so far */
    struct host_line defaults;
    int room, record_room;
    bool line_is_slot; /* a line without slots= counts as one slot: see add_slots() */
};

static int no_memory(const struct hosts *hosts)
{
    return error_set(HN_ENOMEM, "no memory for the hosts of %s", hosts->name);
}

/* Makes room for one more element in an array in the arena.  Doubling costs O(n) in all.  The old
 * array stays in the arena. */
static void *grown(struct arena *arena, void *array, int used, int *room, size_t size)
{
    if (used < *room)
        return array;
    *room = *room ? 2 * *room : 16;
    void *larger = arena_alloc(arena, (size_t)*room * size);
    if (larger && used)
        memcpy(larger, array, (size_t)used * size);
    return larger;
}

/* ---- names -------------------------------------------------------------------------------- */

/* A leading dash is not allowed, since launchers would take the name for an option. */
static bool is_name(const char *text)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return *text && *text != '-' && text[strspn(text, allowed)] == 0 &&
           strlen(text) <= RANGE_LONGEST;
}

/* Accepts a scope such as %eth0.  The text is changed for a moment, and restored. */
static bool is_ipv6(char *text)
{
    struct in6_addr address;
    char *scope = strchr(text, '%');
    if (scope)
        *scope = 0;
    bool good = inet_pton(AF_INET6, text, &address) == 1;
    if (scope)
        *scope = '%';
    return good && (!scope || is_name(scope + 1));
}

bool hosts_is_name(const char *text)
{
    char copy[64];
    size_t length = strlen(text);
    if (is_name(text) || length >= sizeof copy)
        return is_name(text);
    memcpy(copy, text, length + 1); /* is_ipv6() modifies it */
    return is_ipv6(copy);
}

/* The first word of a host's line, divided in place. */
struct host_word {
    char *user;  /* NULL: not given */
    char *name;  /* pattern of names, or an IPv6 address */
    char *slots; /* NULL: not given */
    bool literal;
};

/* [ADDRESS] or [ADDRESS]:SLOTS.  The brackets are removed, so that hosts_write() must add them
 * again. */
static int split_literal(const struct hosts *hosts, int number, struct host_word *word)
{
    char quoted[LINES_QUOTED];
    char *end = strchr(word->name, ']');
    if (end && (end[1] == 0 || end[1] == ':')) {
        word->slots = end[1] ? end + 2 : NULL;
        *end = 0;
        word->name++;
        word->literal = true;
        if (is_ipv6(word->name))
            return HN_OK;
    }
    return lines_error(hosts->name, number,
                       "\"%s\" begins with a bracket but is no IPv6 address: write [fe80::1]:4, or "
                       "begin a range's name with a letter",
                       lines_quote(quoted, word->name));
}

/* [USER@]NAME[:SLOTS]; several colons can only be an address without its brackets.  The slots' text
 * is checked later, as a key. */
static int split_host_word(const struct hosts *hosts, int number, char *text,
                           struct host_word *word)
{
    char quoted[LINES_QUOTED];
    char *at = strchr(text, '@');
    *word = (struct host_word){.name = text};
    if (at) {
        *at = 0;
        word->user = text;
        word->name = at + 1;
    }
    if (*word->name == '[')
        return split_literal(hosts, number, word);
    char *colon = strchr(word->name, ':');
    if (colon && strchr(colon + 1, ':'))
        return lines_error(hosts->name, number,
                           "\"%s\" holds several colons: write an IPv6 address in brackets: [%s]",
                           lines_quote(quoted, word->name), quoted);
    if (colon) {
        *colon = 0;
        word->slots = colon + 1;
    }
    return HN_OK;
}

/* ---- hosts -------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two lines are equal except for their slots. */
static bool is_same_host(const struct host_line *a, const struct host_line *b)
{
    bool same = a->port == b->port && a->nenv == b->nenv && a->encrypt == b->encrypt &&
                a->trusted == b->trusted && a->standby == b->standby &&
                is_same_text(a->addr, b->addr) && is_same_text(a->user, b->user) &&
                is_same_text(a->key, b->key) && is_same_text(a->ssh, b->ssh) &&
                is_same_text(a->via, b->via) && is_same_text(a->path, b->path) &&
                is_same_text(a->wdir, b->wdir);
    for (int i = 0; i < a->nenv && same; i++)
        same = is_same_text(a->env[i], b->env[i]);
    for (int i = 0; i < HOSTS_MODEL_COUNT && same; i++)
        same = is_same_text(a->model[i], b->model[i]);
    return same;
}

static int counted_slots(const struct host_line *line)
{
    return line->slots > 0 ? line->slots : 1;
}

/* Adds the slots of another line of a host.  PBS writes its node files this way: a line for each
 * slot.  From here on a line without a number counts as one slot, in the whole file. */
static int add_slots(struct reader *reader, struct host_line *host, const struct host_line *again)
{
    const char *file = reader->hosts->name;
    char quoted[LINES_QUOTED];
    if (!is_same_host(host, again))
        return lines_error(file, again->line_number,
                           "host %s is already defined on line %d with other keys: give both lines "
                           "the same keys, so that their slots add up, or remove one",
                           lines_quote(quoted, again->name), host->line_number);
    if (host->slots == 0 || again->slots == 0)
        reader->line_is_slot = true;
    int slots = counted_slots(host) + counted_slots(again);
    if (slots > HOSTS_SLOTS)
        return lines_error(file, again->line_number, "host %s has more than %d slots in all",
                           lines_quote(quoted, again->name), HOSTS_SLOTS);
    host->slots = slots;
    return HN_OK;
}

/* A name that exists already adds its slots to that host.  Names are found in O(1) by the table.
 * The first line of a host decides its place in the list. */
static int add_host(struct reader *reader, const struct host_line *line)
{
    struct hosts *hosts = reader->hosts;
    struct host_line host = *line;
    char quoted[LINES_QUOTED];
    if (host.addr && !hosts_is_name(host.addr))
        return lines_error(hosts->name, line->line_number,
                           "addr=%s: give a host name or an IP address",
                           lines_quote(quoted, host.addr));
    if (host.via && strcmp(host.via, host.name) == 0)
        host.via = NULL; /* a default only applies to the hosts behind it */
    int other = names_add(&reader->names, host.name, hosts->n);
    if (other >= 0)
        return add_slots(reader, &hosts->line[other], &host);
    if (hosts->n == HOSTS_MOST)
        return lines_error(hosts->name, line->line_number, "more than %d hosts: use fewer",
                           HOSTS_MOST);
    hosts->line = grown(&hosts->arena, hosts->line, hosts->n, &reader->room, sizeof *line);
    if (other == -2 || !hosts->line)
        return no_memory(hosts);
    hosts->line[hosts->n++] = host;
    return HN_OK;
}

/* addr= may be a range that advances with the name's; [fe80::1] is an address, as in a name.
 * `addresses` is empty if all hosts of the line have the same address, or none. */
static int expand_address(struct reader *reader, struct host_line *line, const struct range *names,
                          struct range *addresses)
{
    struct hosts *hosts = reader->hosts;
    *addresses = (struct range){0};
    if (!line->addr || !strchr(line->addr, '['))
        return HN_OK;
    size_t length = strlen(line->addr);
    /* Brackets around an IPv6 address, not a range. */
    if (line->addr[0] == '[' && line->addr[length - 1] == ']' && strchr(line->addr, ':')) {
        line->addr[length - 1] = 0;
        line->addr++;
        return HN_OK;
    }
    const char *wrong = range_expand(line->addr, HOSTS_MOST, &hosts->arena, addresses);
    if (wrong)
        return lines_error(hosts->name, line->line_number, "addr: %s", wrong);
    if (addresses->count != names->count)
        return lines_error(hosts->name, line->line_number,
                           "%d names but %d addresses: make the two ranges equally long",
                           names->count, addresses->count);
    return HN_OK;
}

/* A host for each name of the pattern; names without brackets are ranges of one. */
static int add_range(struct reader *reader, struct host_line *line, const char *pattern)
{
    struct hosts *hosts = reader->hosts;
    struct range names, addresses;
    char quoted[LINES_QUOTED];
    const char *wrong = range_expand(pattern, HOSTS_MOST, &hosts->arena, &names);
    if (wrong)
        return lines_error(hosts->name, line->line_number, "%s: %s", lines_quote(quoted, pattern),
                           wrong);
    int code = expand_address(reader, line, &names, &addresses);
    for (int i = 0; code == HN_OK && i < names.count; i++) {
        line->name = names.name[i];
        if (addresses.count)
            line->addr = addresses.name[i];
        /* Checked after the expansion, since brackets are no part of a name. */
        if (!is_name(line->name))
            return lines_error(hosts->name, line->line_number,
                               "\"%s\" is no host name: use letters, digits, dots and dashes",
                               lines_quote(quoted, line->name));
        code = add_host(reader, line);
    }
    return code;
}

/* Parses the words of a host: its name and its keys.  A line begins as a copy of the defaults so
 * far, so a default applies only to lines behind it. */
static int read_host(struct reader *reader, const struct line *words, bool standby)
{
    struct hosts *hosts = reader->hosts;
    struct hosts_keys keys = {.file = hosts->name, .arena = &hosts->arena};
    struct host_line line = reader->defaults;
    struct host_word word;
    char quoted[LINES_QUOTED];
    line.line_number = words->number;
    line.standby = standby;
    keys.line = &line;
    if (words->word[0].key)
        return lines_error(hosts->name, words->number,
                           "the line begins with %s=: put a host name first",
                           lines_quote(quoted, words->word[0].key));
    int code = split_host_word(hosts, words->number, words->word[0].value, &word);
    if (code == HN_OK && word.user)
        code = hosts_keys_set(&keys, "user", word.user);
    if (code == HN_OK && word.slots)
        code = hosts_keys_set(&keys, "slots", word.slots);
    if (code == HN_OK)
        code = hosts_keys_line(&keys, words);
    if (code < 0)
        return code;
    /* An IPv6 address in brackets is no range. */
    if (!word.literal)
        return add_range(reader, &line, word.name);
    line.name = word.name;
    return add_host(reader, &line);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Several lines of defaults add up: later keys replace earlier ones. */
static int read_defaults(struct reader *reader, const struct line *words)
{
    struct hosts_keys keys = {
        .file = reader->hosts->name, .arena = &reader->hosts->arena, .line = &reader->defaults};
    reader->defaults.line_number = words->number;
    return hosts_keys_line(&keys, words);
}

/* "& name" and "&name" are equivalent. */
static int read_standby(struct reader *reader, struct line *words)
{
    if (words->word[0].value[1])
        words->word[0].value++;
    else if (words->count > 1)
        words->word++, words->count--;
    else
        return lines_error(reader->hosts->name, words->number,
                           "& without a host: put the standby host's name behind it");
    return read_host(reader, words, true);
}

/* Lines that begin with @ belong to the network, which the probe room parses; here they are only
 * kept. */
static int keep_record(struct reader *reader, const struct line *words)
{
    struct hosts *hosts = reader->hosts;
    hosts->record = grown(&hosts->arena, hosts->record, hosts->nrecord, &reader->record_room,
                          sizeof *hosts->record);
    if (!hosts->record)
        return no_memory(hosts);
    hosts->record[hosts->nrecord++] = *words;
    return HN_OK;
}

/* The first word selects the kind of the line. */
static int read_line(struct reader *reader, struct line *words)
{
    const char *first = words->word[0].value;
    if (words->word[0].key)
        return read_host(reader, words, false);
    if (strcmp(first, "*") == 0)
        return read_defaults(reader, words);
    if (*first == '&')
        return read_standby(reader, words);
    if (*first == '@')
        return keep_record(reader, words);
    return read_host(reader, words, false);
}

/* The line of the gateway to a host; NULL: there is no gateway, or it has no line. */
static const struct host_line *gateway_of(const struct reader *reader, const struct host_line *line)
{
    int number = line->via ? names_find(&reader->names, line->via) : -1;
    return number < 0 ? NULL : &reader->hosts->line[number];
}

/* Hosts whose via= form a cycle cannot be reached, nor can hosts behind them.  Only cycles of up to
 * RING hosts are detected; ssh reports longer ones. */
enum { RING = 16 };

/* Follows the gateways of each host: O(hosts x RING). */
static int check_gateways(const struct reader *reader)
{
    const struct hosts *hosts = reader->hosts;
    char one[LINES_QUOTED], other[LINES_QUOTED];
    for (int i = 0; i < hosts->n; i++) {
        const struct host_line *first = &hosts->line[i], *at = gateway_of(reader, first);
        for (int steps = 0; at && at != first && steps < RING; steps++)
            at = gateway_of(reader, at);
        if (at == first)
            return lines_error(hosts->name, first->line_number,
                               "host %s is reached via=%s, which in the end is reached via=%s: one "
                               "of them needs a way of its own",
                               lines_quote(one, first->name), lines_quote(other, first->via),
                               lines_quote(one, first->name));
    }
    return HN_OK;
}

/* Slots and gateways are checked after the last line, because they depend on all of them. */
static int read_text(struct hosts *hosts)
{
    struct reader reader = {.hosts = hosts};
    struct lines lines;
    struct line words;
    lines_open(&lines, hosts->name, hosts->text, hosts->text_length);
    int code = lines_next(&lines, &hosts->arena, &words);
    while (code > 0) {
        code = read_line(&reader, &words);
        if (code == HN_OK)
            code = lines_next(&lines, &hosts->arena, &words);
    }
    if (code == HN_OK && hosts->n == 0)
        code = lines_error(hosts->name, 0, "there is no host in it: write one host name a line");
    /* Some host has several lines: then a line without a number is one slot everywhere. */
    for (int i = 0; i < hosts->n && reader.line_is_slot; i++)
        hosts->line[i].slots = counted_slots(&hosts->line[i]);
    if (code == HN_OK)
        code = check_gateways(&reader);
    names_free(&reader.names);
    return code;
}

/* ---- sources of the text -------------------------------------------------------------------- */

/* Takes ownership of text, even on failure. */
static int parse_owned(const char *name, char *text, size_t length, struct hosts **result)
{
    struct hosts *hosts = calloc(1, sizeof *hosts);
    *result = NULL;
    if (!hosts) {
        free(text);
        return error_set(HN_ENOMEM, "no memory for the hosts of %s", name);
    }
    hosts->text = text;
    hosts->text_length = length;
    hosts->name = arena_strdup(&hosts->arena, name);
    int code = hosts->name ? read_text(hosts) : error_set(HN_ENOMEM, "no memory for %s", name);
    if (code < 0) {
        hosts_free(hosts);
        return code;
    }
    *result = hosts;
    return HN_OK;
}

int hosts_read(const char *path, struct hosts **hosts)
{
    char *text;
    size_t length;
    *hosts = NULL;
    int code = lines_load(path, &text, &length);
    return code < 0 ? code : parse_owned(path, text, length, hosts);
}

/* The text is copied, so the caller may free its own. */
int hosts_parse(const char *name, const char *text, size_t length, struct hosts **hosts)
{
    *hosts = NULL;
    char *copy = malloc(length + 1);
    if (!copy)
        return error_set(HN_ENOMEM, "%s: no memory for %zu bytes", name, length);
    if (length)
        memcpy(copy, text, length);
    copy[length] = 0;
    return parse_owned(name, copy, length, hosts);
}

/* The list becomes a text with a line for each element, so messages and tasks see an ordinary
 * file. */
int hosts_list(const char *list, struct hosts **hosts)
{
    size_t length = strlen(list);
    char quoted[LINES_QUOTED];
    *hosts = NULL;
    if (strpbrk(list, " \t\n\r\"#=*&") || *list == '@' || strstr(list, ",@"))
        return error_set(HN_ESYNTAX,
                         "-hosts: \"%s\" is neither a file nor a list: write names as a,b:4",
                         lines_quote(quoted, list));
    char *text = malloc(length + 2);
    if (!text)
        return error_set(HN_ENOMEM, "-hosts: no memory for %zu bytes", length);
    memcpy(text, list, length + 1);
    for (char *rest = text; range_split(&rest);)
        if (rest)
            rest[-1] = '\n';
    memcpy(text + length, "\n", 2);
    return parse_owned(HOSTS_LISTED, text, length + 1, hosts);
}

/* A name with a slash is always a file.  Without one, an existing file takes precedence over a
 * list. */
int hosts_open(const char *arg, struct hosts **hosts)
{
    if (strchr(arg, '/') || access(arg, F_OK) == 0)
        return hosts_read(arg, hosts);
    return hosts_list(arg, hosts);
}

/* Linear; callers are rare, and the parser's table of names is gone by then. */
int hosts_find(const struct hosts *hosts, const char *name)
{
    for (int i = 0; i < hosts->n; i++)
        if (strcmp(hosts->line[i].name, name) == 0)
            return i;
    return -1;
}

void hosts_free(struct hosts *hosts)
{
    if (!hosts)
        return;
    arena_free(&hosts->arena);
    free(hosts->text);
    free(hosts);
}
