/* options.c - hbench's command line, from one table of options. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_natural(const char *text, int64_t high, int64_t *value, const char **end)
{
    char *stop;
    unsigned long long n;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    n = strtoull(text, &stop, 10);
    if (errno != 0 || n > (unsigned long long)high)
        return false;
    *value = (int64_t)n;
    *end = stop;
    return true;
}

bool options_size(const char *text, int64_t *bytes)
{
    static const char units[] = "KMG";
    const int64_t limit = INT64_C(1) << 40;
    const char *unit;
    int shift;

    if (!read_natural(text, limit, bytes, &text))
        return false;
    if (*text == '\0')
        return true;
    unit = strchr(units, *text);
    if (!unit || text[1] != '\0')
        return false;
    shift = 10 * (int)(unit - units + 1);
    if (*bytes > limit >> shift)
        return false;
    *bytes <<= shift;
    return true;
}

int64_t sizes_largest(const int64_t *bytes, int n)
{
    int64_t largest = 0;

    for (int i = 0; i < n; i++)
        largest = bytes[i] > largest ? bytes[i] : largest;
    return largest;
}

static bool set_bytes(struct options *o, const char *value)
{
    while (*value != '\0') {
        size_t length = strcspn(value, ",");
        char word[32];

        if (length >= sizeof word || o->sizes == OPTIONS_SIZES)
            return false;
        memcpy(word, value, length);
        word[length] = '\0';
        if (!options_size(word, &o->bytes[o->sizes++]))
            return false;
        value += length;
        if (*value == ',' && *++value == '\0')
            return false;
    }
    return o->sizes > 0;
}

static bool set_iters(struct options *o, const char *value)
{
    const char *end;

    return read_natural(value, 100000000, &o->iters, &end) && *end == '\0' && o->iters > 0;
}

static bool set_seed(struct options *o, const char *value)
{
    const char *end;
    int64_t seed;

    if (!read_natural(value, INT64_MAX, &seed, &end) || *end != '\0')
        return false;
    o->seed = (uint64_t)seed;
    return true;
}

static bool set_plan(struct options *o, const char *value)
{
    o->plan = value;
    return *value != '\0';
}

static bool set_samples(struct options *o, const char *value)
{
    o->samples = value;
    return *value != '\0';
}

static bool set_json(struct options *o, const char *value)
{
    (void)value;
    return o->json = true;
}

static bool set_help(struct options *o, const char *value)
{
    (void)value;
    return o->help = true;
}

static bool set_version(struct options *o, const char *value)
{
    (void)value;
    return o->version = true;
}

static const struct option {
    const char *name;
    const char *value; /* what its value is called, NULL: it has none */
    bool (*set)(struct options *o, const char *value);
    const char *help;
} table[] = {
    {"bytes", "LIST", set_bytes, "sizes, separated by commas; K, M, G are powers of 1024"},
    {"iters", "N", set_iters, "samples of each case (default: what fits into its time)"},
    {"plan", "NAME|all", set_plan, "the plan that an operation follows, or each that serves it"},
    {"samples", "FILE", set_samples, "write every single measurement to FILE (CSV)"},
    {"seed", "N", set_seed, "seed of the order in which cases are measured (default 1)"},
    {"json", NULL, set_json, "one JSON document instead of tables"},
    {"help", NULL, set_help, "this text"},
    {"h", NULL, set_help, NULL},
    {"version", NULL, set_version, "the version"},
};

enum { OPTIONS = sizeof table / sizeof table[0] };

static const struct option *option_named(const char *word)
{
    word += word[1] == '-' ? 2 : 1;
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(table[i].name, word) == 0)
            return &table[i];
    return NULL;
}

/* Takes argv[i] and its value; returns the next i, 0 when it is wrong. */
static int take_option(struct options *o, int argc, char **argv, int i, char *wrong, size_t room)
{
    const struct option *option = option_named(argv[i]);
    const char *value = NULL;

    if (!option) {
        snprintf(wrong, room, "there is no option %s: hbench -help lists them", argv[i]);
        return 0;
    }
    if (option->value) {
        if (++i == argc) {
            snprintf(wrong, room, "%s lacks its value: -%s %s", argv[i - 1], option->name,
                     option->value);
            return 0;
        }
        value = argv[i];
    }
    if (!option->set(o, value)) {
        snprintf(wrong, room, "'%s' is no value for -%s %s: %s", value, option->name, option->value,
                 option->help);
        return 0;
    }
    return i + 1;
}

bool options_read(struct options *o, int argc, char **argv, char *wrong, size_t room)
{
    *o = (struct options){.seed = 1};
    for (int i = 1; i < argc;) {
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            i = take_option(o, argc, argv, i, wrong, room);
            if (i == 0)
                return false;
        } else if (o->bench) {
            snprintf(wrong, room, "one benchmark at a time: '%s' or '%s'", o->bench, argv[i]);
            return false;
        } else {
            o->bench = argv[i++];
        }
    }
    if (!o->bench && !o->help && !o->version)
        snprintf(wrong, room, "which benchmark? hbench -help lists them");
    return o->bench || o->help || o->version;
}

void options_print(FILE *out)
{
    for (int i = 0; i < OPTIONS; i++)
        if (table[i].help)
            fprintf(out, "  -%s%s%-*s %s\n", table[i].name, table[i].value ? " " : "",
                    17 - (int)strlen(table[i].name) - (table[i].value != NULL),
                    table[i].value ? table[i].value : "", table[i].help);
}
