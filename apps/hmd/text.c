/* text.c - see text.h.
 *
 * The functions allocate nothing: lines and words are cut in the reader's memory.  A command is put
 * together in the caller's memory, because several lines may belong to it.  Cost: linear in the
 * text.
 */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void text_open(struct text *t, const char *name, char *data, size_t length)
{
    t->name = name;
    int marked =
        length > 2 && memcmp(data, "\xef\xbb\xbf", 3) == 0; /* byte order mark of some editors */
    t->pos = data + 3 * marked;
    t->end = data + length;
    t->line = t->data = 0;
}

/* The last line may lack its line end; *end is 0, so it is terminated all the same. */
char *text_line(struct text *t)
{
    if (t->pos >= t->end)
        return NULL;
    char *line = t->pos;
    char *stop = memchr(line, '\n', (size_t)(t->end - line));
    if (!stop)
        stop = t->end;
    t->pos = stop + 1;
    *stop = 0;
    /* Files of other systems end lines with CR and LF. */
    if (stop > line && stop[-1] == '\r')
        stop[-1] = 0;
    t->line++;
    return line;
}

/* Whether a line has more than blanks. */
static int text_says_something(const char *line)
{
    return line[strspn(line, " \t\r\f\v")] != 0;
}

/* A '-' continues a line only as its last character before a comment. A blank replaces each line
 * end, so words are not joined. */
int text_command(struct text *t, char *out, size_t room, int *first)
{
    char *line;
    size_t used = 0;
    while ((line = text_line(t))) {
        if (*line == '*' && !t->data)
            continue;
        /* CHARMM's comments begin with '!'. Lines of a title begin with '*', unless data may. */
        size_t n = strcspn(line, "!");
        if (line[n] && strspn(line, " \t") == n && used)
            continue; /* a comment inside a continued command */
        line[n] = 0;
        while (n && isspace((unsigned char)line[n - 1]))
            line[--n] = 0;
        int more = n > 0 && line[n - 1] == '-';
        n -= (size_t)more;
        *first = used ? *first : t->line;
        /* Room for a blank and the 0. */
        if (used + n + 2 > room)
            return -1;
        memcpy(out + used, line, n);
        used += n;
        out[used++] = ' ';
        out[used] = 0;
        if (more)
            continue;
        if (text_says_something(out))
            return 1;
        used = 0;
    }
    return used && text_says_something(out); /* a '-' at the end of the file continues nothing */
}

/* Words are cut in place. More than TEXT_WORDS are not counted, so callers treat that number as too
 * many. */
void words_split(struct words *w, char *line)
{
    w->n = 0;
    while (w->n < TEXT_WORDS) {
        while (isspace((unsigned char)*line))
            line++;
        if (!*line)
            return;
        w->at[w->n++] = line;
        while (*line && !isspace((unsigned char)*line))
            line++;
        if (*line)
            *line++ = 0;
    }
}

/* ASCII only, as the program never calls setlocale(). */
void text_upper(char *s)
{
    for (; *s; s++)
        *s = (char)toupper((unsigned char)*s);
}

/* CHARMM compares the first four characters of its words. */
int text_same(const char *word, const char *key)
{
    return strlen(key) < 4 ? strcmp(word, key) == 0 : strncmp(word, key, 4) == 0;
}

/* A key is at most 31 letters long. */
int text_among(const char *word, const char *keys)
{
    while (*keys) {
        char key[32];
        size_t n = strcspn(keys, " ");
        snprintf(key, sizeof key, "%.*s", (int)n, keys);
        if (text_same(word, key))
            return 1;
        keys += n + (keys[n] == ' ');
    }
    return 0;
}

/* An abbreviation of at least `least` characters. */
int text_key(const char *word, const char *key, size_t least)
{
    size_t n = strlen(word);
    return n >= least && n <= strlen(key) && strncmp(word, key, n) == 0;
}

/* One pass over the pattern, with the set of reachable positions in the name. Linear in the product
 * of the lengths, with one bit for each position; names have less than 64 characters. */
int text_match(const char *pattern, const char *name)
{
    size_t n = strlen(name);
    unsigned long at = 1; /* bit k: before character k */
    /* '*': any text, '#': digits, '%': one character, '+': one digit. */
    for (; *pattern && at && n < 64; pattern++) {
        unsigned long next = *pattern == '*' || *pattern == '#' ? at : 0;
        for (size_t k = 0; k < n; k++) {
            int digit = isdigit((unsigned char)name[k]) != 0;
            unsigned long from = *pattern == '*' || *pattern == '#' ? next : at;
            int fits = *pattern == '*' || *pattern == '%'   ? 1
                       : *pattern == '#' || *pattern == '+' ? digit
                                                            : *pattern == name[k];
            next |= fits ? (from >> k & 1) << (k + 1) : 0;
        }
        at = next;
    }
    /* Bit n: the pattern can end where the name ends. */
    return n < 64 && at >> n & 1;
}

/* Hexadecimal numbers, which strtod() accepts, are refused, and so are infinities. Fortran's D is
 * an E. */
int text_double(const char *word, double *value)
{
    char copy[64];
    size_t n = strlen(word);
    if (n == 0 || n >= sizeof copy)
        return 0;
    for (size_t i = 0; i <= n; i++)
        /* With its 0. Fortran writes 1.5D+02. */
        copy[i] = word[i] == 'd' || word[i] == 'D' ? 'E' : word[i];
    char *stop;
    *value = strtod(copy, &stop);
    return !*stop && isfinite(*value) && !strpbrk(copy, "xX");
}

/* The whole word must be a number. */
int text_long(const char *word, long *value)
{
    char *stop;
    errno = 0;
    *value = strtol(word, &stop, 10);
    return *word && !*stop && !errno;
}

/* EQ or .EQ., in either case of letters; -1: none. */
int text_relation(const char *word)
{
    static const char *const names[] = {"EQ", "NE", "GT", "GE", "LT", "LE", "AE"};
    size_t dot = *word == '.';
    for (int k = 0; k < (int)(sizeof names / sizeof *names); k++)
        if (strncasecmp(word + dot, names[k], 2) == 0 &&
            strcmp(word + dot + 2, dot ? "." : "") == 0)
            return k;
    return -1;
}

/* AE compares with a fixed tolerance of 1e-4. */
int text_holds(int relation, double a, double b)
{
    const int holds[] = {a == b, a != b, a > b, a >= b, a < b, a <= b, fabs(a - b) < 1e-4};
    return holds[relation];
}

/* Columns count from 0; tabs are ordinary blanks of one column. */
void text_columns(const char *line, size_t first, size_t width, char *out)
{
    size_t length = strlen(line);
    /* Columns beyond the end of a short line are blank. */
    size_t stop = first + width < length ? first + width : length;
    while (first < stop && isspace((unsigned char)line[first]))
        first++;
    while (stop > first && isspace((unsigned char)line[stop - 1]))
        stop--;
    size_t n = stop > first ? stop - first : 0;
    memcpy(out, line + (n ? first : 0), n);
    out[n] = 0;
}
