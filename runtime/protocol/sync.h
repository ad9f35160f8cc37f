/* sync.h - finding the beginning of the control protocol in what a remote shell prints.
 *
 * Login shells print greetings.  The agent therefore begins with a line of its own,
 * "\nHNOWD <version>\n" (a version begins with a digit), and hrun skips everything before it, up to
 * a limit.  No I/O.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* SYNC_LIMIT: bytes of the longest greeting.  SYNC_LINE: bytes kept of a line, to quote it. */
enum { SYNC_LIMIT = 64 * 1024, SYNC_LINE = 128 };

/* All zero at the start. */
struct sync {
    char line[SYNC_LINE]; /* the line being read, cut to size; at the end the version */
    size_t length;        /* bytes of that line, also those that were cut */
    size_t skipped;       /* bytes of all lines before it */
    char said[SYNC_LINE]; /* the last of those that was not empty, cut to size */
};

/* The line itself, for the agent. */
#define SYNC_WORD "HNOWD "

/* The last bytes that came and are not the line, for the report if it never comes; "": none. */
const char *sync_said(struct sync *sync);

/* Whether a line that has begun and does not continue is a question that somebody is to answer: it
 * ends with a question mark, or speaks of what programs wait for (a password, a key).  Pure. */
bool sync_asks(const char *line, size_t length);

/* Looks at n more bytes.  1: the line is complete, sync->line is the version and *used says how
 * many of the bytes belong to it and what was before; 0: not yet (all are used); HN_EPROTO: more
 * than SYNC_LIMIT bytes without it. */
int sync_feed(struct sync *sync, const char *data, size_t n, size_t *used);
