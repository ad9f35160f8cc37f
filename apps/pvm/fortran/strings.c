/* strings.c - character data of Fortran: padded with blanks, not terminated by zero.
 *
 * Only trailing blanks are dropped, as Fortran itself ignores them in comparisons. Blanks that a
 * C program has at the end of a name cannot be expressed.
 */
#include "fortran.h"

/* A text of blanks has length 0. */
size_t fortran_length(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

/* The variable has no terminating zero. A text that is too long loses its end without an error. */
void fortran_fill(char *text, size_t length, const char *from)
{
    size_t n = strnlen(from, length);

    memcpy(text, from, n);
    memset(text + n, ' ', length - n);
}
