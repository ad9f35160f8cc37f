/* sync.h - finds the beginning of the control protocol in the output of a remote shell.
 *
 * Login shells print greetings.  So the agent begins with a line of its own, "\nHNOWD <version>\n"
 * (a version begins with a digit), and hrun skips everything before it, up to a limit.  No I/O.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* SYNC_LIMIT: bytes of the longest greeting.  SYNC_LINE: bytes stored of a line, for messages. */
enum { SYNC_LIMIT = 64 * 1024, SYNC_LINE = 128 };

/* Zero it before the first use. */
struct sync {
    char line[SYNC_LINE]; /* the current line, truncated; at the end the version */
    size_t length;        /* bytes of that line before truncation */
    size_t skipped;       /* bytes of all lines before it */
    char said[SYNC_LINE]; /* the last of those that was not empty, truncated */
};

/* Begins the agent's line. */
#define SYNC_WORD "HNOWD "

/* The last bytes that are not the agent's line, for the message if it never arrives; "": none. */
const char *sync_said(struct sync *sync);

/* Whether an unfinished line is a prompt that somebody must answer: it ends with a question mark,
 * or mentions a password, a key or the like.  Pure function. */
bool sync_asks(const char *line, size_t length);

/* Processes n more bytes. 1: the line is complete, sync->line is the version, and *used is the
 * number of bytes up to its end. 0: not yet; all bytes were used.  HN_EPROTO: more than SYNC_LIMIT
 * bytes without it. */
int sync_feed(struct sync *sync, const char *data, size_t n, size_t *used);
