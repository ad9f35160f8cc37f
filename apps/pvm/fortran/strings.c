/* strings.c - text of Fortran's: blanks up to its end instead of a zero byte behind it. */
#include "fortran.h"

size_t fortran_length(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

void fortran_fill(char *text, size_t length, const char *from)
{
    size_t n = strnlen(from, length);

    memcpy(text, from, n);
    memset(text + n, ' ', length - n);
}
