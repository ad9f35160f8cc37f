/* json.c - writes JSON strings (json.h). */
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

/* Length of the UTF-8 character at text; 0: it is invalid. */
static size_t character(const unsigned char *text)
{
    size_t n = text[0] < 0x80                       ? 1
               : text[0] >= 0xc2 && text[0] < 0xe0  ? 2
               : text[0] >= 0xe0 && text[0] < 0xf0  ? 3
               : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                    : 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = n == 3 && text[0] == 0xe0 && text[1] < 0xa0;
    bool surrogate = n == 3 && text[0] == 0xed && text[1] >= 0xa0;
    bool beyond =
        n == 4 && ((text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90));
    return overlong || surrogate || beyond ? 0 : n;
}

/* An invalid byte becomes one U+FFFD, and parsing continues behind it.  Errors of writing stay in
 * ferror().  Control characters are escaped, all others are written as UTF-8. */
void json_text(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    putc('"', file);
    while (*at) {
        size_t n = character(at);
        if (n == 0)
            fputs("\\ufffd", file);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < ' ' || *at == 0x7f)
            fprintf(file, "\\u%04x", *at);
        else
            fwrite(at, 1, n, file);
        at += n ? n : 1;
    }
    putc('"', file);
}
