/* line_edit.c - see line_edit.h.
 *
 * The terminal is in raw mode while a line is read, and restored while its verb runs. Keys: Left,
 * Right, Home, End (Ctrl-A, Ctrl-E), Backspace, Delete, Ctrl-U and Ctrl-K (erase to the begin, to
 * the end), Up and Down (history), Tab (completion), Ctrl-C (new line), Ctrl-D (end). A character
 * is a byte: names of hosts and programs are rarely non-ASCII.
 *
 * The line is one static buffer, and the history holds copies: one terminal, one thread.  Input
 * that arrives while a verb runs stays in the terminal's queue.  A line longer than the terminal's
 * width is displayed wrongly, since show() draws one row.
 */
#include "line_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Bytes of a line, as in a terminal's canonical mode; lines of history. */
enum { LINE_MOST = 4096, HISTORY = 200 };
enum key { UP = 256, DOWN, LEFT, RIGHT, HOME, END, DELETE, NO_KEY };

/* `at` is the cursor: a byte's index, at most `length`.  The text has a terminating 0 only when the
 * line is complete. */
static struct {
    char text[LINE_MOST];
    size_t length, at;
} line;

/* Entry k is at k % HISTORY; only the last HISTORY entries exist. */
static struct {
    char *lines[HISTORY]; /* ring buffer */
    unsigned n, at;       /* number of lines so far; the one shown */
} history;

/* ---- keys ------------------------------------------------------------------------------------ */

/* -1: the end of input, or an error. */
static int get_byte(void)
{
    unsigned char byte;

    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

/* Reads the rest of a sequence after ESC [ or ESC O: a letter, or a number and ~. Only the first
 * byte selects the key; the rest is consumed, so that it does not appear in the line.  Escape alone
 * waits for the next byte, since no time limit distinguishes it. */
static int get_sequence(void)
{
    static const struct {
        char byte;
        enum key key;
    } keys[] = {{'A', UP},  {'B', DOWN}, {'C', RIGHT}, {'D', LEFT},  {'H', HOME},
                {'F', END}, {'1', HOME}, {'4', END},   {'3', DELETE}};
    int introducer = get_byte(), byte = introducer == '[' || introducer == 'O' ? get_byte() : -1;
    int last = byte;

    while (last >= '0' && last <= ';') /* a number and its parameters */
        last = get_byte();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].byte == byte)
            return keys[i].key;
    return NO_KEY;
}

static int get_key(void)
{
    int byte = get_byte();

    return byte == 27 ? get_sequence() : byte;
}

/* ---- the line -------------------------------------------------------------------------------- */

/* Draws the prompt and the line over the row, erases what remains of a longer one, and moves the
 * cursor to its column. */
static void show(const char *prompt)
{
    printf("\r%s%.*s\033[K\r\033[%zuC", prompt, (int)line.length, line.text,
           strlen(prompt) + line.at);
    fflush(stdout);
}

static void set_line(const char *text)
{
    line.length = line.at = strnlen(text, LINE_MOST - 1);
    memcpy(line.text, text, line.length);
}

/* Inserts at the cursor; text for which the line has no room is dropped completely. */
static void insert(const char *text, size_t n)
{
    if (line.length + n >= LINE_MOST)
        return;
    memmove(line.text + line.at + n, line.text + line.at, line.length - line.at);
    memcpy(line.text + line.at, text, n);
    line.length += n;
    line.at += n;
}

/* Removes the bytes [from, to) and moves the cursor there. */
static void erase(size_t from, size_t to)
{
    memmove(line.text + from, line.text + to, line.length - to);
    line.length -= to - from;
    line.at = from;
}

/* Completes the text before the cursor with the common prefix of the matching words.  The whole
 * text before the cursor is compared, so only a first word is completed.  A blank follows when a
 * word is complete. */
static void complete(const char *const *words)
{
    const char *found = NULL;
    size_t same = 0;

    for (; *words; words++) {
        if (strncmp(*words, line.text, line.at) != 0)
            continue;
        size_t n = 0;
        while (found && n < same && (*words)[n] == found[n])
            n++;
        same = found ? n : strlen(*words);
        found = *words;
    }
    if (!found)
        return;
    insert(found + line.at, same - line.at);
    if (!found[same] && line.at == line.length && same > 0)
        insert(" ", 1);
}

/* ---- history --------------------------------------------------------------------------------- */

/* Shows the line before (-1) or after (1).  Behind the last one is an empty line; an unfinished
 * line is not kept. */
static void recall(int step)
{
    unsigned oldest = history.n > HISTORY ? history.n - HISTORY : 0,
             at = history.at + (unsigned)step;

    if (step < 0 ? history.at == oldest : history.at == history.n)
        return;
    history.at = at;
    set_line(at == history.n ? "" : history.lines[at % HISTORY]);
}

/* An empty line is not stored.  The oldest one is overwritten when the ring is full. */
static void remember(void)
{
    char *copy = line.length > 0 ? strdup(line.text) : NULL;

    if (copy) {
        free(history.lines[history.n % HISTORY]);
        history.lines[history.n++ % HISTORY] = copy;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

enum outcome { GOES_ON, IS_DONE, IS_ABANDONED, HAS_ENDED };

/* Applies one key to the line.  Control characters are their letter's position in the alphabet. */
static enum outcome edit(int key, const char *const *words)
{
    const char byte = (char)key;

    switch (key) {
    case '\r':
    case '\n':
        return IS_DONE;
    /* The end of input, or an error. */
    case -1:
        return HAS_ENDED;
    case 3: /* Ctrl-C */
        return IS_ABANDONED;
    case 4: /* Ctrl-D */
        if (line.length == 0)
            return HAS_ENDED;
        /* fall through */
    case DELETE:
        if (line.at < line.length)
            erase(line.at, line.at + 1);
        break;
    /* Terminals differ in what Backspace sends: BS or DEL. */
    case 8:
    case 127:
        if (line.at > 0)
            erase(line.at - 1, line.at);
        break;
    case 1:
    case HOME:
        line.at = 0;
        break;
    case 5:
    case END:
        line.at = line.length;
        break;
    case 11: /* Ctrl-K */
        line.length = line.at;
        break;
    case 21: /* Ctrl-U */
        erase(0, line.at);
        break;
    case LEFT:
        line.at -= line.at > 0;
        break;
    case RIGHT:
        line.at += line.at < line.length;
        break;
    case UP:
        recall(-1);
        break;
    case DOWN:
        recall(1);
        break;
    case '\t':
        complete(words);
        break;
    default:
        /* Other control characters, and unknown sequences, have no effect. */
        if (key >= ' ' && key < 256)
            insert(&byte, 1);
    }
    return GOES_ON;
}

static enum outcome edit_line(const char *prompt, const char *const *words)
{
    enum outcome outcome = GOES_ON;

    set_line("");
    history.at = history.n;
    while (outcome == GOES_ON) {
        show(prompt);
        outcome = edit(get_key(), words);
    }
    line.text[line.length] = 0;
    return outcome;
}

/* The terminal's own line editing, echo, signals, and flow control are off, and Enter is not
 * translated.  Output processing stays.  TCSADRAIN waits for output that is still to be written,
 * and keeps keys that are typed ahead. */
bool line_edit(const char *prompt, const char *const *words, const char **text)
{
    struct termios before, raw;
    enum outcome outcome;

    if (tcgetattr(STDIN_FILENO, &before))
        return false;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    do {
        if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw))
            return false;
        outcome = edit_line(prompt, words);
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
        putchar('\n');
    } while (outcome == IS_ABANDONED);
    remember();
    *text = line.text;
    return outcome == IS_DONE;
}
