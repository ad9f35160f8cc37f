/* sync.c - finds the beginning of the control protocol; see sync.h.
 *
 * A login shell may print anything before the agent starts.  Lines are compared with the sync word;
 * of the others the last one is kept for messages.  Bytes behind SYNC_LINE of a line are counted
 * and dropped.
 */
#include "protocol/sync.h"

#include "hnow.h"

#include <ctype.h>
#include <string.h>

/* Stores a line that is not empty, for messages. */
static void sync_note(struct sync *sync)
{
    size_t n = sync->length < SYNC_LINE ? sync->length : SYNC_LINE - 1;
    while (n > 0 && isspace((unsigned char)sync->line[n - 1]))
        n--;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++) /* a terminal must show control characters, not execute them */
        sync->said[i] = iscntrl((unsigned char)sync->line[i]) ? '?' : sync->line[i];
    sync->said[n] = 0;
}

/* The line is complete.  If it is the agent's, the version stays in sync->line. */
static int sync_line(struct sync *sync)
{
    size_t word = strlen(SYNC_WORD);
    size_t n = sync->length;
    if (n > 0 && n < SYNC_LINE && sync->line[n - 1] == '\r')
        n--;
    if (n < SYNC_LINE && n > word && memcmp(sync->line, SYNC_WORD, word) == 0 &&
        isdigit((unsigned char)sync->line[word])) {
        memmove(sync->line, sync->line + word, n - word);
        sync->line[n - word] = 0;
        return 1;
    }
    sync_note(sync);
    sync->skipped += sync->length + 1;
    sync->length = 0;
    return 0;
}

const char *sync_said(struct sync *sync)
{
    sync_note(sync); /* a prompt is an unfinished line */
    return sync->said;
}

/* Looks at the last SYNC_LINE bytes of an unfinished line.  A line that ends in a question mark
 * asks, too. */
bool sync_asks(const char *line, size_t length)
{
    static const char *const words[] = {"password", "passphrase", "passcode", "verification code",
                                        "yes/no",   "[y/n",       "(y/n",     "press ",
                                        "hit ",     "continue",   "pin:",     "login:"};
    char text[SYNC_LINE];
    size_t n = length < SYNC_LINE ? length : SYNC_LINE - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = (char)tolower((unsigned char)line[length - n + i]);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = 0;
    bool asks = n > 0 && text[n - 1] == '?';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        asks |= strstr(text, words[i]) != NULL;
    return asks;
}

/* 1: the sync line is complete, and *used bytes of the data belong to it or precede it.  0: all
 * were used.  HN_EPROTO: too much other output. */
int sync_feed(struct sync *sync, const char *data, size_t n, size_t *used)
{
    for (size_t i = 0; i < n; i++) {
        if (data[i] == '\n') {
            if (sync_line(sync)) {
                *used = i + 1;
                return 1;
            }
        } else {
            if (sync->length < SYNC_LINE)
                sync->line[sync->length] = data[i];
            sync->length++;
        }
        if (sync->skipped + sync->length > SYNC_LIMIT)
            return HN_EPROTO;
    }
    *used = n;
    return 0;
}
