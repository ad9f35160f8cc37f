/* console_words.c - the console's aliases and variables, and echo; see console.h. */
#include "console.h"
#include "hnow_verbs.h"
#include "apps/pvm/export_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIASES = 64 }; /* maximum number; one more is an error */

/* Both texts are allocated; an unused entry has a NULL name. */
static struct alias {
    char *name, *text;
} aliases[ALIASES];

/* Returns the alias with that name or, for NULL, an unused entry; NULL: none. */
static struct alias *find(const char *name, size_t length)
{
    for (int i = 0; i < ALIASES; i++) {
        const char *own = aliases[i].name;
        if (name ? own && strlen(own) == length && strncmp(own, name, length) == 0 : !own)
            return &aliases[i];
    }
    return NULL;
}

static void forget(struct alias *alias)
{
    free(alias->name);
    free(alias->text);
    *alias = (struct alias){0};
}

/* Joins words with blanks; the caller frees the result. NULL: out of memory. */
static char *joined(char **words, int n)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    for (int i = 0; out && i < n; i++)
        fprintf(out, "%s%s", i ? " " : "", words[i]);
    return out && fclose(out) == 0 ? text : NULL;
}

/* Prints one alias, or all (NULL). */
static int list(const char *name)
{
    int shown = 0;

    for (int i = 0; i < ALIASES; i++)
        if (aliases[i].name && (!name || strcmp(name, aliases[i].name) == 0))
            shown += printf("%s %s\n", aliases[i].name, aliases[i].text) > 0;
    return name && !shown ? hnow_fail("no such alias") : 0;
}

/* The old text is freed only when the new one is complete, so an alias survives a lack of
 * memory. */
int console_alias(int argc, char **argv)
{
    if (argc < 3)
        return list(argc == 2 ? argv[1] : NULL);
    struct alias made = {strdup(argv[1]), joined(argv + 2, argc - 2)};
    struct alias *place = find(argv[1], strlen(argv[1]));
    if (!place)
        place = find(NULL, 0);
    if (place && made.name && made.text) {
        forget(place);
        *place = made;
        return 0;
    }
    forget(&made);
    return hnow_fail(place ? "out of memory" : "there are 64 aliases: 'unalias' takes one back");
}

int console_unalias(int argc, char **argv)
{
    int status = argc < 2 ? hnow_fail("usage: unalias NAME...") : 0;

    for (int i = 1; i < argc; i++) {
        struct alias *alias = find(argv[i], strlen(argv[i]));
        if (alias)
            forget(alias);
        else
            status = hnow_fail("no such alias");
    }
    return status;
}

/* Aliases are not expanded recursively, so there are no endless loops.  A line without memory for
 * its expansion is returned as it is. */
char *console_expand(char *line)
{
    size_t blanks = strspn(line, " \t"), length = strcspn(line + blanks, " \t\n");
    const struct alias *alias = find(line + blanks, length);
    char *expanded;

    if (!alias || asprintf(&expanded, "%s%s", alias->text, line + blanks + length) < 0)
        return line;
    free(line);
    return expanded;
}

/* Changes this process's environment, which jobs inherit. */
int console_setenv(int argc, char **argv)
{
    if (argc > 3)
        return hnow_fail("usage: setenv [NAME [VALUE]]");
    if (argc == 3)
        return setenv(argv[1], argv[2], 1) ? hnow_fail("setenv: the name is not valid") : 0;
    if (argc == 2 && !getenv(argv[1]))
        return hnow_fail("no such variable");
    if (argc == 2)
        printf("%s=%s\n", argv[1], getenv(argv[1]));
    for (char **one = environ; argc == 1 && *one; one++)
        puts(*one);
    return 0;
}

int console_echo(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s%s", i > 1 ? " " : "", argv[i]);
    putchar('\n');
    return 0;
}

/* ---- PVM's variables and options ------------------------------------------------------------- */

int console_export(int argc, char **argv)
{
    const char *list = getenv("PVM_EXPORT");
    int status = 0;

    if (argc < 2)
        printf("PVM_EXPORT=%s\n", list ? list : "");
    for (int i = 1; i < argc && !status; i++)
        if (!export_list_edit(argv[i], strcmp(argv[0], "export") == 0))
            status = hnow_fail("out of memory");
    return status;
}

int console_options(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("the console is no task: programs set options by pvm_setopt()");
    return 0;
}
