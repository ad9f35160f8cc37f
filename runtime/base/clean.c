/* clean.c - sanitises foreign text; see clean.h.  Cost: O(bytes). */
#include "base/clean.h"

#include <stdbool.h>

size_t clean_character(const unsigned char *text, uint32_t *letter)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* smaller code points have a shorter sequence */
    } kinds[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    size_t more = 0;
    while (more < sizeof kinds / sizeof *kinds && (text[0] & kinds[more].mask) != kinds[more].lead)
        more++;
    if (more == sizeof kinds / sizeof *kinds)
        return 0;
    *letter = text[0] & (unsigned char)~kinds[more].mask;
    for (size_t i = 1; i <= more; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *letter = *letter << 6 | (text[i] & 0x3f);
    }
    bool half = *letter >= 0xd800 && *letter < 0xe000; /* of a pair, in UTF-16 */
    return *letter < kinds[more].least || half || *letter > 0x10ffff ? 0 : more + 1;
}

/* In place: each invalid byte becomes one ?, so the text never becomes longer. */
void clean_text(char *text)
{
    unsigned char *at = (unsigned char *)text;
    while (*at) {
        uint32_t letter;
        size_t n = clean_character(at, &letter);
        bool prints = n > 0 && letter >= 0x20 && (letter < 0x7f || letter >= 0xa0);
        if (!prints)
            *at = '?';
        at += prints ? n : 1;
    }
}
