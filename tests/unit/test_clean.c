/* test_clean.c - nothing that a terminal obeys is left of a text, and what it shows stays. */
#include "base/clean.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *wanted)
{
    char copy[200];
    strcpy(copy, text);
    clean_text(copy);
    cr_assert_str_eq(copy, wanted);
}

Test(clean, keeps_what_is_shown)
{
    becomes("", "");
    becomes("host h1: 100 %, ~ \\ \"quoted\"", "host h1: 100 %, ~ \\ \"quoted\"");
    becomes("gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x90\x9d \xc2\xa0",
            "gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x90\x9d \xc2\xa0");
}

Test(clean, replaces_what_is_obeyed)
{
    becomes("\033[2J\033]0;title\007", "?[2J?]0;title?");
    becomes("a\rb\nc\td\x7f", "a?b?c?d?");
    becomes("\x9b"
            "2J",
            "?2J"); /* CSI as one byte */
    becomes("\xc2\x9b"
            "2J",
            "??2J");                          /* ... and as UTF-8 */
    becomes("\xc0\x9b\xe0\x80\x9b", "?????"); /* sequences that are too long hide it */
    becomes("\xe2\x82", "??");
    becomes("\xf4\x90\x80\x80", "????");
}

/* Whatever comes: no control character stays, in whatever encoding a terminal reads. */
Test(clean, random_bytes)
{
    const char *seed = getenv("HNOW_SEED");
    srand(seed ? (unsigned)atoi(seed) : 1);
    for (int round = 0; round < 20000; round++) {
        char text[40];
        size_t n = (size_t)rand() % (sizeof text - 1);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(1 + rand() % 255);
        text[n] = 0;
        clean_text(text);
        cr_assert_eq(strlen(text), n);
        for (size_t i = 0; i < n; i++) {
            unsigned char c = (unsigned char)text[i];
            cr_assert(c >= 0x20 && c != 0x7f, "round %d", round);
            cr_assert(c != 0xc2 || (unsigned char)text[i + 1] >= 0xa0, "round %d", round);
        }
    }
}
