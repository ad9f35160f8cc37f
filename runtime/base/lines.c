/* lines.c - divides a text into lines and words, without interpreting them.
 *
 * One pass, O(length).  The words of a line are unquoted into one block of arena memory, which is
 * no longer than the line.  Key and value are the two halves of the same string.
 */
#include "base/lines.h"
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Letters, digits and _ are allowed in a key.  With any other character before =, it is a bare
 * word. */
static bool is_key(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void lines_open(struct lines *lines, const char *name, const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark, which some editors write */
    size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    *lines = (struct lines){.name = name, .at = text + skip, .end = text + length};
}

/* Copies the word at *at to *store, without its quotes, and advances both.  A quote may begin and
 * end within a word, as in key="a b".  There is always room: each quote or backslash is one
 * character less in the copy, and the 0 replaces the blank. */
static int take_word(const struct lines *lines, const char **at, const char *end, char **store)
{
    char *out = *store;
    bool quoted = false;
    const char *c = *at;
    for (; c < end && (quoted || !is_blank(*c)); c++) {
        if (*c == '"')
            quoted = !quoted;
        else if (quoted && *c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            *out++ = *++c;
        else
            *out++ = *c;
    }
    if (quoted)
        return lines_error(lines->name, lines->number,
                           "a quote is not closed: put \" at the end of the value");
    *out++ = 0;
    *at = c;
    *store = out;
    return HN_OK;
}

/* Divides the word at its first = if a key precedes it; quotes have been removed before. */
static void split_word(struct word *word, char *text)
{
    char *c = text;
    while (is_key(*c))
        c++;
    *word = (struct word){.value = text};
    if (c > text && *c == '=') {
        *c = 0;
        *word = (struct word){.key = text, .value = c + 1};
    }
}

/* An upper bound of the number of words: quoted blanks count, too. */
static int count_words(const char *at, const char *end)
{
    int count = 0;
    for (; at < end; at++)
        count += !is_blank(*at) && (at + 1 == end || is_blank(at[1]));
    return count;
}

/* Rejects control characters, which are signs of a binary file, but accepts all bytes above 127,
 * such as UTF-8. */
static int check_line(const struct lines *lines, const char *at, const char *end)
{
    if (end - at > LINES_LONGEST)
        return lines_error(lines->name, lines->number,
                           "the line is longer than %d bytes: is it the right file?",
                           LINES_LONGEST);
    for (; at < end; at++)
        if (((unsigned char)*at < ' ' && !is_blank(*at)) || *at == 127)
            return lines_error(lines->name, lines->number,
                               "the line holds byte %d, which is not text: is it the right file?",
                               (unsigned char)*at);
    return HN_OK;
}

/* The words are stored without gaps, one after the other.  A # begins a comment only at the
 * beginning of a word, so names may contain one. */
static int cut_line(const struct lines *lines, const char *at, const char *end, struct arena *arena,
                    struct line *line)
{
    int room = count_words(at, end);
    *line = (struct line){.number = lines->number};
    if (room == 0)
        return HN_OK;
    char *store = arena_alloc(arena, (size_t)(end - at) + 1);
    line->word = arena_alloc(arena, (size_t)room * sizeof *line->word);
    if (!store || !line->word)
        return error_set(HN_ENOMEM, "no memory for line %d of %s", lines->number, lines->name);
    for (;;) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            return HN_OK;
        char *text = store;
        int code = take_word(lines, &at, end, &store);
        if (code < 0)
            return code;
        split_word(&line->word[line->count++], text);
    }
}

/* Lines are numbered from 1, empty ones included.  An error concerns the present line; the reader
 * is then behind it. */
int lines_next(struct lines *lines, struct arena *arena, struct line *line)
{
    line->count = 0;
    while (lines->at < lines->end) {
        const char *at = lines->at;
        const char *end = memchr(at, '\n', (size_t)(lines->end - at));
        if (!end)
            end = lines->end;
        lines->at = end < lines->end ? end + 1 : end;
        lines->number++;
        while (at < end && is_blank(*at))
            at++;
        int code = check_line(lines, at, end);
        if (code == HN_OK && at < end && *at != '#')
            code = cut_line(lines, at, end, arena, line);
        if (code < 0)
            return code;
        if (line->count > 0)
            return 1;
    }
    return 0;
}

/* Reads until the end, doubling the buffer, because a pipe has no known size. */
static int load_stream(const char *path, FILE *file, char **text, size_t *length)
{
    for (size_t used = 0, size = 1 << 16;; size *= 2) {
        char *larger = realloc(*text, size + 1);
        if (!larger)
            return error_set(HN_ENOMEM, "%s: no memory for %zu bytes", path, size);
        *text = larger;
        used += fread(larger + used, 1, size - used, file);
        if (ferror(file))
            return error_set(HN_ESYS, "%s: %s", path, strerror(errno));
        if (used > LINES_FILE)
            return lines_error(path, 0, "longer than %d bytes: is it the right file?", LINES_FILE);
        if (used < size) {
            larger[used] = 0;
            *length = used;
            return HN_OK;
        }
    }
}

/* Blocks while a pipe has no end.  On an error nothing must be freed. */
int lines_load(const char *path, char **text, size_t *length)
{
    *text = NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(HN_ESYS, "%s: %s", path, strerror(errno));
    int code = load_stream(path, file, text, length);
    fclose(file);
    if (code < 0) {
        free(*text);
        *text = NULL;
    }
    return code;
}

int lines_error(const char *name, int number, const char *format, ...)
{
    char text[768];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (number == 0)
        return error_set(HN_ESYNTAX, "%s: %s", name, text);
    return error_set(HN_ESYNTAX, "%s:%d: %s", name, number, text);
}

/* An empty value needs quotes, too, as it would be no word otherwise. */
void lines_write(FILE *file, const char *value)
{
    if (*value && !strpbrk(value, " \t\r\"#")) {
        fputs(value, file);
        return;
    }
    putc('"', file);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            putc('\\', file);
        putc(*value, file);
    }
    putc('"', file);
}

const char *lines_quote(char quoted[LINES_QUOTED], const char *text)
{
    size_t n = 0;
    for (; text[n] && n < LINES_QUOTED - 4; n++)
        quoted[n] = text[n] >= ' ' && text[n] < 127 ? text[n] : '?';
    memcpy(quoted + n, text[n] ? "..." : "", text[n] ? 4 : 1);
    return quoted;
}
