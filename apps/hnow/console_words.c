/* console_words.c - the console's aliases and variables, and echo; see console.h. */
#include "console.h"
#include "hnow_verbs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIASES = 64, WORDS = 64 };

static struct alias {
    char *name, *word[WORDS];
    int n;
} aliases[ALIASES];

static struct alias *find(const char *name)
{
    for (int i = 0; i < ALIASES; i++)
        if (aliases[i].name && strcmp(aliases[i].name, name) == 0)
            return &aliases[i];
    return NULL;
}

static void forget(struct alias *alias)
{
    for (int i = 0; i < alias->n; i++)
        free(alias->word[i]);
    free(alias->name);
    *alias = (struct alias){0};
}

static void print(const struct alias *alias)
{
    printf("%s", alias->name);
    for (int i = 0; i < alias->n; i++)
        printf(" %s", alias->word[i]);
    putchar('\n');
}

static int list(void)
{
    for (int i = 0; i < ALIASES; i++)
        if (aliases[i].name)
            print(&aliases[i]);
    return 0;
}

static bool define(struct alias *alias, char **words, int n)
{
    alias->name = strdup(words[0]);
    for (; alias->name && alias->n < n - 1; alias->n++)
        if (!(alias->word[alias->n] = strdup(words[alias->n + 1])))
            break;
    return alias->name && alias->n == n - 1;
}

int console_alias(int argc, char **argv)
{
    struct alias *alias = argc > 1 ? find(argv[1]) : NULL;

    if (argc == 1)
        return list();
    if (argc == 2 && !alias)
        return hnow_fail("no such alias");
    if (argc == 2)
        return print(alias), 0;
    if (argc - 2 > WORDS)
        return hnow_fail("alias: too many words");
    if (alias)
        forget(alias);
    for (alias = aliases; alias < aliases + ALIASES && alias->name;)
        alias++;
    if (alias == aliases + ALIASES)
        return hnow_fail("alias: there are 64 already: 'unalias' takes one back");
    if (define(alias, argv + 1, argc - 1))
        return 0;
    forget(alias);
    return hnow_fail("out of memory");
}

int console_unalias(int argc, char **argv)
{
    int status = argc < 2 ? hnow_fail("usage: unalias NAME...") : 0;

    for (int i = 1; i < argc; i++) {
        struct alias *alias = find(argv[i]);
        if (alias)
            forget(alias);
        else
            status = hnow_fail("no such alias");
    }
    return status;
}

/* An alias of an alias is not looked for: none can be endless. */
int console_expand(char **words, int n, int room)
{
    const struct alias *alias = n > 0 ? find(words[0]) : NULL;

    if (!alias || n - 1 + alias->n >= room)
        return n;
    memmove(words + alias->n, words + 1, (size_t)n * sizeof *words); /* with the NULL behind them */
    memcpy(words, alias->word, (size_t)alias->n * sizeof *words);
    return n - 1 + alias->n;
}

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
