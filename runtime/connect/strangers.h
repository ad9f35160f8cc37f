/* strangers.h - refused connections, counted by source in bounded memory.
 *
 * hrun is notified of a source's first attempt, then each time the count has doubled, and of the
 * rest at the end: few messages, however many attempts there are.  Sources beyond STRANGERS_SOURCES
 * are counted together, as "others".
 */
#pragma once

/* Sources: a subnet's neighbours and a scanner.  Bytes: an IPv6 address with its scope has 61. */
enum { STRANGERS_SOURCES = 32, STRANGERS_TEXT = 64 };

struct stranger {
    char source[STRANGERS_TEXT]; /* an address, a network, "user 1000" */
    const char *why;             /* the last connection was refused; a constant */
    unsigned count, reported;
};

struct strangers {
    struct stranger of[STRANGERS_SOURCES + 1];
    unsigned n;
};

/* Counts an attempt.  Returns the entry if hrun is to be notified of it now, else NULL. */
struct stranger *strangers_note(struct strangers *s, const char *source, const char *why);
/* The next entry with attempts that hrun does not know of; NULL: there is none. */
struct stranger *strangers_rest(struct strangers *s);
/* The number of attempts that hrun does not know of yet; from now on it counts as known. */
unsigned strangers_reported(struct stranger *one);
