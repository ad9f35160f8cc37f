/* json.c - a reader of JSON (json.h; RFC 8259), by recursive descent. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

static const char *blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *digits(const char *at, bool *good)
{
    size_t n = strspn(at, "0123456789");

    *good &= n > 0;
    return at + n;
}

static const char *number(const char *at, bool *good)
{
    at += *at == '-';
    *good &= at[0] != '0' || at[1] < '0' || at[1] > '9';
    at = digits(at, good);
    if (*at == '.')
        at = digits(at + 1, good);
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        at = digits(at, good);
    }
    return at;
}

static const char *string(const char *at, bool *good)
{
    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < ' ') {
            *good = false;
            return at;
        }
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u')
            for (int i = 0; i < 4 && *good; i++)
                *good = at[1] != '\0' && strchr("0123456789abcdefABCDEF", *++at);
        else
            *good &= *at != '\0' && strchr("\"\\/bfnrt", *at);
        if (!*good)
            return at;
    }
    return at + 1;
}

static const char *word(const char *at, bool *good)
{
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    *good = false;
    return at;
}

static const char *value(const char *at, int deep, bool *good);

/* An object or an array, up to behind its end. */
static const char *several(const char *at, char end, int deep, bool *good)
{
    at = blanks(at + 1);
    if (*at == end)
        return at + 1;
    for (;; at = blanks(at + 1)) {
        if (end == '}') {
            *good &= *at == '"';
            at = *good ? blanks(string(at, good)) : at;
            *good &= *good && *at == ':';
            at = *good ? blanks(at + 1) : at;
        }
        at = *good ? blanks(value(at, deep, good)) : at;
        if (!*good || *at != ',')
            break;
    }
    *good &= *at == end;
    return at + *good;
}

static const char *value(const char *at, int deep, bool *good)
{
    if (deep == DEEPEST)
        *good = false;
    else if (*at == '{' || *at == '[')
        return several(at, *at == '{' ? '}' : ']', deep + 1, good);
    else if (*at == '"')
        return string(at, good);
    else if (*at == '-' || (*at >= '0' && *at <= '9'))
        return number(at, good);
    else
        return word(at, good);
    return at;
}

bool json_check(const char *text, size_t *where)
{
    bool good = true;
    const char *end = value(blanks(text), 0, &good);

    end = good ? blanks(end) : end;
    *where = (size_t)(end - text);
    return good && *end == '\0';
}

/* ---- a way through ---- */

static const char *behind(const char *at)
{
    bool good = true;

    return blanks(value(at, 0, &good));
}

const char *json_member(const char *object, const char *key)
{
    size_t length = strlen(key);

    if (!object || *object != '{')
        return NULL;
    for (const char *at = blanks(object + 1); *at == '"';) {
        const char *found = behind(at);
        bool same = strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
        found = blanks(found + 1);
        if (same)
            return found;
        at = behind(found);
        at = *at == ',' ? blanks(at + 1) : at;
    }
    return NULL;
}

const char *json_first(const char *array)
{
    const char *at = array && *array == '[' ? blanks(array + 1) : NULL;

    return at && *at != ']' ? at : NULL;
}

const char *json_next(const char *from)
{
    const char *at = from ? behind(from) : NULL;

    return at && *at == ',' ? blanks(at + 1) : NULL;
}

bool json_word(const char *from, char *out, size_t size)
{
    bool good = true;
    size_t length;

    if (!from || *from != '"')
        return false;
    length = (size_t)(string(from, &good) - from) - 2;
    length = length < size ? length : size - 1;
    memcpy(out, from + 1, length);
    out[length] = '\0';
    return true;
}

double json_number(const char *from)
{
    return from ? strtod(from, NULL) : 0;
}
