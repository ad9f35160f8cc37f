/* clean.c - sanitises foreign text; see clean.h.  Cost: O(bytes). */
#include "base/clean.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of the printable UTF-8 sequence that begins here; 0: there is none. */
static size_t clean_sequence(const unsigned char *text)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* smaller code points have a shorter sequence */
    } kinds[] = {{0x80, 0, 0x20}, {0xe0, 0xc0, 0xa0}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t more = 0; more < sizeof kinds / sizeof *kinds; more++) {
        if ((text[0] & kinds[more].mask) != kinds[more].lead)
            continue;
        uint32_t letter = text[0] & (unsigned char)~kinds[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            letter = letter << 6 | (text[i] & 0x3f);
        }
        return letter >= kinds[more].least && letter != 0x7f && letter <= 0x10ffff ? more + 1 : 0;
    }
    return 0;
}

/* In place: each invalid byte becomes one ?, so the text never becomes longer. */
void clean_text(char *text)
{
    unsigned char *at = (unsigned char *)text;
    while (*at) {
        size_t n = clean_sequence(at);
        if (n == 0)
            *at = '?';
        at += n > 0 ? n : 1;
    }
}
