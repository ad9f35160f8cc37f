/* options.c - table-driven parsing of command lines; see options.h.
 *
 * Tables have some 30 rows and command lines some 10 options, so each search is linear.  Values of
 * strings are not copied: they point into argv, which must live as long as the tool's struct.
 */
#include "base/options.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of an option: skips one or two dashes. */
static const char *options_name(const char *word)
{
    return word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
}

static bool options_is(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

/* The name is not terminated: it may be followed by = and a value. */
static const struct option_row *options_in(const struct option_row *row, size_t n, const char *name,
                                           size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (options_is(row[i].name, name, length))
            return &row[i];
    return NULL;
}

/* A tool's own options first, then their other names, then those of other programs. */
static const struct option_row *options_find(const struct option_table *table, const char *name,
                                             size_t length)
{
    const struct option_row *row = options_in(table->row, table->n, name, length);
    if (!row)
        row = options_in(table->alias, table->aliases, name, length);
    return row ? row : options_in(table->habit, table->habits, name, length);
}

/* The hint for exactly this word; NULL: none. */
static const struct option_hint *options_hint(const struct option_table *table, const char *name,
                                              size_t length)
{
    for (size_t i = 0; i < table->hints; i++)
        if (options_is(table->hint[i].word, name, length))
            return &table->hint[i];
    return NULL;
}

/* The minimum number of letters to change, insert or delete that turns a (n letters) into b (m
 * letters): Levenshtein, Soviet Physics Doklady 10, 707 (1966).  Longer words count as completely
 * different. */
static size_t options_distance(const char *a, size_t n, const char *b, size_t m)
{
    enum { LONGEST = 24 }; /* letters; the longest option has 20 */
    size_t row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    /* Only one row of the table of distances is kept.  `corner` is the entry above and to the
     * left. */
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = corner + (a[i - 1] != b[j - 1]);
            best = best < row[j] + 1 ? best : row[j] + 1;
            best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

/* The option that an unknown word may have meant: a hint's, or the one with the nearest spelling,
 * which differs in less than half of the letters.  NULL: there is none. */
static const struct option_row *options_meant(const struct option_table *table, const char *name,
                                              size_t length)
{
    const struct option_row *best = NULL;
    size_t least = (length + 1) / 2;
    const struct option_hint *hint = options_hint(table, name, length);
    if (hint)
        return options_find(table, hint->name, strlen(hint->name));
    for (size_t i = 0; i < table->n; i++) {
        const char *other = table->row[i].name;
        size_t d = options_distance(name, length, other, strlen(other));
        if (d < least) {
            least = d;
            best = &table->row[i];
        }
    }
    return best;
}

/* Sets the error text for a word that is no option: the hint's sentence, a similar option, or the
 * way to the list. */
static int options_unknown(const struct option_table *table, const char *word, const char *name,
                           size_t length)
{
    const struct option_hint *hint = options_hint(table, name, length);
    if (hint && hint->how)
        return error_set(HN_EARG, "there is no option '%s': %s", word, hint->how);
    const struct option_row *meant = options_meant(table, name, length);
    if (!meant)
        return error_set(HN_EARG, "there is no option '%s': %s -help lists them", word,
                         table->tool);
    return error_set(HN_EARG, "there is no option '%s': did you mean -%s? %s -help lists all", word,
                     meant->name, table->tool);
}

/* Stores an integer of any size, or a bool. */
static int options_put(const struct option_row *row, void *to, int64_t n)
{
    int8_t byte = (int8_t)n;
    int32_t word = (int32_t)n;
    char *member = (char *)to + row->at;
    if (row->size == sizeof byte)
        memcpy(member, &byte, sizeof byte);
    else if (row->size == sizeof word)
        memcpy(member, &word, sizeof word);
    else
        memcpy(member, &n, sizeof n);
    return HN_OK;
}

/* The text of options_number() is replaced by one that names the option. */
static int options_put_number(const struct option_row *row, void *to, const char *value)
{
    long n = 0;
    if (options_number(value, row->least, row->most, &n) == HN_OK)
        return options_put(row, to, n);
    if (row->most == LONG_MAX)
        return error_set(HN_EARG, "-%s %s: give a whole number from %ld on", row->name, value,
                         row->least);
    return error_set(HN_EARG, "-%s %s: give a whole number from %ld to %ld", row->name, value,
                     row->least, row->most);
}

/* strtod() also accepts inf and nan, which are rejected. */
static int options_put_real(const struct option_row *row, void *to, const char *value)
{
    char *end;
    double x = strtod(value, &end);
    if (end == value || *end || !isfinite(x) || x < 0 || (row->least && !(x > 0)))
        return error_set(HN_EARG, "-%s %s: give a number %s", row->name, value,
                         row->least ? "above 0" : "that is not negative");
    memcpy((char *)to + row->at, &x, sizeof x);
    return HN_OK;
}

/* Stores the index of the word in the row's list. */
static int options_put_word(const struct option_row *row, void *to, const char *value)
{
    size_t length = strlen(value);
    int64_t index = 0;
    for (const char *at = row->words; *at; index++) {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, value, n) == 0)
            return options_put(row, to, index);
        at += n + (at[n] == ' ');
    }
    return error_set(HN_EARG, "-%s %s: give one of: %s", row->name, value, row->words);
}

int options_note(char **lines, const char *name, const char *value, const char *why)
{
    char *more;
    if (asprintf(&more, "%s-%s%s%s has no effect: %s\n", *lines ? *lines : "", name,
                 value ? " " : "", value ? value : "", why) < 0)
        return error_set(HN_ENOMEM, "out of memory");
    free(*lines);
    *lines = more;
    return HN_OK;
}

/* The only place that knows the kinds.  Whether a value is needed was checked before. */
int options_store(const struct option_row *row, void *to, const char *value)
{
    switch (row->kind) {
    case OPTION_KEEPS_TEXT:
        memcpy((char *)to + row->at, &value, sizeof value);
        return value[0] ? HN_OK
                        : error_set(HN_EARG, "-%s needs a value: -%s %s", row->name, row->name,
                                    row->argument);
    case OPTION_KEEPS_NUMBER:
        return options_put_number(row, to, value);
    case OPTION_KEEPS_REAL:
        return options_put_real(row, to, value);
    case OPTION_KEEPS_WORD:
        return options_put_word(row, to, value);
    case OPTION_IS_NOTED:
        return options_note((char **)((char *)to + row->at), row->name, value, row->words);
    case OPTION_SETS:
        return options_put(row, to, 1);
    case OPTION_TAKES:
        break;
    }
    return row->take(to, value);
}

/* Parses a value of two words: the second one is argv[*at], unless the first one contains both.
 * take() must copy the text, which is freed here. */
static int options_take_pair(const struct option_row *row, int argc, char *const *argv, int *at,
                             const char *name, void *to)
{
    size_t length = strlen(name);
    if (strchr(name, '='))
        return options_store(row, to, name);
    if (*at >= argc)
        return error_set(HN_EARG, "-%s needs two values: -%s %s", row->name, row->name,
                         row->argument);
    const char *value = argv[(*at)++];
    char *both = malloc(length + strlen(value) + 2);
    if (!both)
        return error_set(HN_ENOMEM, "out of memory");
    memcpy(both, name, length);
    both[length] = '=';
    strcpy(both + length + 1, value);
    int error = options_store(row, to, both);
    free(both);
    return error;
}

/* Parses the option argv[*at] and its value; advances *at. */
static int options_take(const struct option_table *table, int argc, char *const *argv, int *at,
                        void *to)
{
    const char *word = argv[*at];
    const char *name = options_name(word);
    /* The value is behind = in the same word, or else the next word.  It may begin with a dash
     * then. */
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    const struct option_row *row = options_find(table, name, length);
    if (!row)
        return options_unknown(table, word, name, length);
    if (!row->argument && value)
        return error_set(HN_EARG, "-%s takes no value, but '%s' was given: leave it out", row->name,
                         value);
    if (row->argument && !value) {
        if (*at + 1 >= argc)
            return error_set(HN_EARG, "-%s needs a value: -%s %s", row->name, row->name,
                             row->argument);
        value = argv[++*at];
    }
    ++*at;
    return row->pair ? options_take_pair(row, argc, argv, at, value, to)
                     : options_store(row, to, value);
}

/* Counts as options_take() would advance, without storing anything. */
int options_words(const struct option_table *table, int argc, char *const *argv)
{
    const char *name = options_name(argv[0]), *value = strchr(name, '=');
    const struct option_row *row = options_find(table, name, strcspn(name, "="));
    int n = 1;
    if (!row)
        return 0;
    if (row->argument && !value && n < argc)
        value = argv[n++];
    if (row->pair && value && !strchr(value + (n == 1), '=') && n < argc)
        n++;
    return n;
}

/* A word "-" alone is no option.  Later options overwrite earlier ones.  Returns the index of the
 * first word that is no option, a positive code for help or version, or an error.  The tool's
 * struct may be partly filled after an error. */
int options_parse(const struct option_table *table, int argc, char *const *argv, void *to)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1] != 0) {
        const char *name = options_name(argv[at]);
        if (strcmp(argv[at], "--") == 0)
            return at + 1;
        if (strcmp(name, "h") == 0 || strcmp(name, "help") == 0)
            return OPTIONS_HELP;
        if (strcmp(name, "version") == 0)
            return OPTIONS_VERSION;
        int error = options_take(table, argc, argv, &at, to);
        if (error)
            return error;
    }
    return at;
}

/* Descriptions begin at column 26, or behind one blank if the option is longer. */
void options_help(const struct option_table *table, FILE *out)
{
    fprintf(out, "usage: %s\n%s\n\n", table->usage, table->about);
    for (size_t i = 0; i < table->n; i++) {
        const struct option_row *row = &table->row[i];
        const char *help = row->help;
        int n = fprintf(out, "  -%s %s", row->name, row->argument ? row->argument : "");
        for (;;) {
            int length = (int)strcspn(help, "\n");
            fprintf(out, "%*s%.*s\n", n < 26 ? 26 - n : 1, "", length, help);
            if (!help[length])
                break;
            help += length + 1;
            n = 0;
        }
    }
    for (size_t i = 0; i < table->aliases; i++)
        fprintf(out, "%s -%s (-%s)%s", i == 0 ? "  other names:" : "", table->alias[i].name,
                table->alias[i].help, i + 1 < table->aliases ? "," : "\n");
    fprintf(out, "  -h, -help               this text\n  -version                the version\n");
}

int options_number(const char *value, long lo, long hi, long *number)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < lo || n > hi)
        return error_set(HN_EARG, "'%s' is no whole number from %ld to %ld", value, lo, hi);
    *number = n;
    return HN_OK;
}

/* The limit is shifted instead of the number, which might overflow. */
bool options_size(const char *text, int64_t most, int64_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || errno)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if ((*end && !unit) || (unit && end[1]) || n > (unsigned long long)most >> shift)
        return false;
    *bytes = (int64_t)(n << shift);
    return true;
}
