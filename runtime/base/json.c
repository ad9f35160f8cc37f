/* json.c - writes JSON strings (json.h). */
#include "base/json.h"

#include "base/clean.h"

/* An invalid byte becomes one U+FFFD, and parsing continues behind it.  Errors of writing stay in
 * ferror().  Control characters are escaped, all others are written as UTF-8. */
void json_text(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    putc('"', file);
    while (*at) {
        uint32_t letter;
        size_t n = clean_character(at, &letter);
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
