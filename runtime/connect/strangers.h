/* strangers.h - counts refused connections by source, in bounded memory.
 *
 * hrun is notified of a source's first attempt, again whenever the count has doubled, and of the
 * rest at the end.  So there are few messages, however many attempts there are.  Sources beyond
 * STRANGERS_SOURCES are counted together, as "others".
 */
#pragma once

/* Sources: enough for the neighbours in a subnet and a scanner.  Bytes: an IPv6 address with its
 * scope has 61. */
enum { STRANGERS_SOURCES = 32, STRANGERS_TEXT = 64 };

/* A source and its refused connections.  `reported` counts those that hrun was notified of. */
struct stranger {
    char source[STRANGERS_TEXT]; /* an address, a network, or "user 1000" */
    const char *why;             /* why the last connection was refused; a constant string */
    unsigned count, reported;
};

/* A table of one listener.  Entries are never removed, so a source keeps its count for the whole
 * job. */
struct strangers {
    struct stranger of[STRANGERS_SOURCES + 1];
    unsigned n;
};

/* The entry of a source, which is new if its count is 0. */
struct stranger *strangers_of(struct strangers *s, const char *source);
/* Counts an attempt.  Returns the entry if hrun must be notified of it now, else NULL. */
struct stranger *strangers_note(struct strangers *s, const char *source, const char *why);
/* The next entry with attempts that were not reported to hrun; NULL: there is none. */
struct stranger *strangers_rest(struct strangers *s);
/* Returns the number of attempts that were not reported, and records them as reported. */
unsigned strangers_reported(struct stranger *one);
