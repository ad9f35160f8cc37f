/* options.c - reads a command line by a table of options. */
#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void print_help(const struct options *options)
{
    printf("usage: %s\n\n", options->synopsis);
    for (const struct option *row = options->table; row->name; row++) {
        char left[64];
        snprintf(left, sizeof left, "-%s %s", row->name, row->argument ? row->argument : "");
        printf("  %-22s %s\n", left, row->help);
    }
    printf("  %-22s %s\n  %-22s %s\n", "-h, --help", "this text", "--version", "the version");
}

int options_wrong(const struct options *options, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s: ", options->tool);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
    return OPTIONS_WRONG;
}

static int find(const struct options *options, const char *name, size_t length)
{
    for (int i = 0; options->table[i].name; i++)
        if (strlen(options->table[i].name) == length &&
            memcmp(options->table[i].name, name, length) == 0)
            return i;
    return -1;
}

static int take_value(struct options *options, const struct option *option, char *equals)
{
    options->value = NULL;
    if (!option->argument)
        return equals ? options_wrong(options, "-%s takes no value: leave =%s out", option->name,
                                      equals + 1)
                      : 0;
    if (equals)
        options->value = equals + 1;
    else if (options->at < options->argc)
        options->value = options->argv[options->at++];
    else
        return options_wrong(options, "-%s needs a value: give -%s %s", option->name, option->name,
                             option->argument);
    return 0;
}

int options_next(struct options *options)
{
    if (options->at >= options->argc)
        return OPTIONS_END;
    char *word = options->argv[options->at];
    if (*word != '-' || !word[1])
        return OPTIONS_END;
    options->at++;
    if (strcmp(word, "--") == 0)
        return OPTIONS_END;
    char *name = word + 1 + (word[1] == '-'), *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    int found = find(options, name, length);
    if (found >= 0)
        return take_value(options, &options->table[found], equals) < 0 ? OPTIONS_WRONG : found;
    if (strcmp(name, "h") == 0 || strcmp(name, "help") == 0) {
        print_help(options);
        return OPTIONS_DONE;
    }
    if (strcmp(name, "version") == 0) {
        printf("%s %s\n", options->tool, HNOW_VERSION);
        return OPTIONS_DONE;
    }
    return options_wrong(options, "unknown option %s: see %s --help", word, options->tool);
}
