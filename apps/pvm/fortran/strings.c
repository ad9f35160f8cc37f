/* strings.c - character data of Fortran: padded with blanks, not terminated by zero. */
#include "fortran.h"

/* A text of blanks has length 0. */
size_t fortran_length(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

/* The variable has no terminating zero. */
void fortran_fill(char *text, size_t length, const char *from)
{
    size_t n = strnlen(from, length);

    memcpy(text, from, n);
    memset(text + n, ' ', length - n);
}
