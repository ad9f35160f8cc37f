/* hplan_messages.c - the messages of a multiple multicast: from a file, or random.
 *
 * A line of the file is one message: its source host, and
 *
 *     to=LIST      its destinations, as in -to: h1,h2  n[1-4]  3-7  all
 *     bytes=SIZE   its size, as in -bytes (default: that of -bytes)
 *
 * The source may be in the list, as it is in `all`, but does not send to itself. Random messages
 * have different sources while there are enough hosts, and the given number of destinations each.
 *
 * The number of destinations of all messages together is limited by WANTS_MOST. Errors name file
 * and line; for random messages "-sources" and the number of the message.
 */
#include "hplan.h"

#include "study/dice.h"

#include "hnow.h"
#include "hnow_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* WANTS_MOST: messages times hosts, one byte each. 256 MB; growth by doubling may take up to twice
 * as much. */
enum { MESSAGES_MOST = 1 << 16, WANTS_MOST = 1 << 28 };

/* Returns 1, not 2: a lack of memory is no fault of the input. */
static int out_of_memory(void)
{
    complain("out of memory");
    return 1;
}

/* Makes room for one more message; NULL after printing an error. */
static struct multicast_message *add_message(struct task *task, const char *file, int line)
{
    size_t count = (size_t)task->req.message_count, ranks = (size_t)task->req.ranks;
    if (count >= MESSAGES_MOST || (count + 1) * ranks > WANTS_MOST) {
        complain("%s:%d: more than %zu messages among %zu hosts: plan for fewer", file, line, count,
                 ranks);
        return NULL;
    }
    /* Pointers to messages and rows are therefore not kept by callers beyond the next call. */
    if ((count & (count - 1)) == 0) { /* the array grows by doubling */
        size_t room = count ? 2 * count : 1;
        if (!ARRAY_ROOM(task->messages, room) || !ARRAY_ROOM(task->wants, room * ranks)) {
            out_of_memory();
            return NULL;
        }
    }
    memset(&task->wants[count * ranks], 0, ranks * sizeof *task->wants);
    /* -1: the line has not named its source yet. */
    task->messages[count] = (struct multicast_message){.source = -1};
    task->req.message_count++;
    return &task->messages[count];
}

/* [host] of this message; the ranks of a multiple multicast are all hosts of the network. */
static bool *wants_of(const struct task *task, int message)
{
    return &task->wants[(size_t)message * (size_t)task->req.ranks];
}

/* ---- from a file ------------------------------------------------------------------------ */

/* State of reading a file.  `arena` has the words of task_hosts(), until the end. For error
 * messages, with the number of the line. */
struct reader {
    const char *path;
    struct task *task;
    struct arena arena;
    bool sized; /* the line has bytes= already */
};

/* Prints an error with file and line.  Returns the exit status. `word` is quoted if it is not NULL;
 * `advice` begins with its separator. */
static int refuse(const struct line *line, const struct reader *r, const char *what,
                  const char *word, const char *advice)
{
    char quoted[LINES_QUOTED];
    return complain("%s:%d: %s%s%s", r->path, line->number, what,
                    word ? lines_quote(quoted, word) : "", advice);
}

/* Takes one word of a line for message m: the source, bytes= or to=. */
static int read_word(struct reader *r, const struct line *line, const struct word *word,
                     struct multicast_message *m)
{
    struct task *task = r->task;
    /* The row of the newest message, which is the one of this line. */
    bool *wants = wants_of(task, task->req.message_count - 1);
    if (!word->key) {
        if (m->source >= 0)
            return refuse(line, r, "a second source: ", word->value, ": give each its own line");
        /* A source that is not the first word is accepted too. A name only: numbers would be
         * ambiguous beside a host called 7. */
        m->source = hn_net_host_index(task->net, word->value);
        return m->source < 0 ? refuse(line, r, "no host of the network is called ", word->value,
                                      ": begin the line with the host that sends")
                             : 0;
    }
    if (strcmp(word->key, "bytes") == 0) {
        if (r->sized)
            return refuse(line, r, "a second bytes=", word->value, ": leave one out");
        r->sized = true;
        return options_size(word->value, INT64_MAX, &m->bytes)
                   ? 0
                   : refuse(line, r, "bytes=", word->value,
                            ": not a size: give a whole number of bytes, or K, M, G of them");
    }
    if (strcmp(word->key, "to"))
        return refuse(line, r, "unknown key ", word->key, ": give to=LIST and bytes=SIZE");
    /* Several to= of one line add up. */
    const char *stranger = task_hosts(task->net, word->value, &r->arena, wants);
    return stranger ? refuse(line, r, "no host of the network is called ", stranger,
                             ": give names, numbers, ranges of these, or all")
                    : 0;
}

/* One line is one message.  Its destinations may be given in several to=. */
static int read_line(struct reader *r, const struct line *line, int64_t bytes)
{
    struct multicast_message *m = add_message(r->task, r->path, line->number);
    int status = m ? 0 : 1;
    /* bytes= belongs to one line. */
    r->sized = false;
    if (m)
        m->bytes = bytes;
    for (int i = 0; i < line->count && !status; i++)
        status = read_word(r, line, &line->word[i], m);
    if (!status && m->source < 0)
        status = refuse(line, r, "a message without a source", NULL,
                        ": begin the line with the host that sends");
    if (status)
        return status;
    bool *wants = wants_of(r->task, r->task->req.message_count - 1);
    /* `all` includes the source. */
    wants[m->source] = false;
    /* An empty list is refused here, since a message without destinations has no plan. */
    return memchr(wants, true, (size_t)r->task->req.ranks)
               ? 0
               : refuse(line, r, "a message to nobody", NULL, ": give to=HOST,HOST,...");
}

/* The exit status of the first wrong line is that of the file. Stops at the first wrong line; the
 * messages before it remain in the task, which is freed as a whole. */
static int read_messages(const char *path, int64_t bytes, struct task *task)
{
    struct reader r = {.path = path, .task = task};
    struct lines lines;
    struct line line;
    char *text;
    size_t length;
    int status = 0, more;
    if (lines_load(path, &text, &length))
        return complain("%s", hn_error_text());
    lines_open(&lines, path, text, length);
    /* -1 of lines_next() is a syntax error such as an open quote. */
    while (!status && (more = lines_next(&lines, &r.arena, &line)) != 0)
        status = more < 0 ? complain("%s", hn_error_text()) : read_line(&r, &line, bytes);
    if (!status && task->req.message_count == 0)
        status = complain("%s: no messages: give lines as HOST to=HOST,HOST bytes=SIZE", path);
    arena_free(&r.arena);
    free(text);
    return status;
}

/* ---- random messages -------------------------------------------------------------------- */

/* Swaps a random entry from index `at` on to that index, and returns it. Sources are drawn n at a
 * time, as a random permutation. Each use shuffles only as far as it draws (Fisher and Yates),
 * so drawing k of n costs O(k). */
static int draw_one(struct dice *dice, int *hosts, int at, int count)
{
    int other = (int)dice_range(dice, at, count - 1), drawn = hosts[other];
    hosts[other] = hosts[at];
    return hosts[at] = drawn;
}

/* Draws the messages of -sources.  Equal seeds give equal messages. */
static int draw_messages(const struct options *o, int64_t bytes, struct task *task)
{
    /* The generator's state is all of its randomness; it is not shared with other uses of -seed. */
    struct dice dice = {options_seed(o)};
    int n = task->req.ranks, status = 0;
    int64_t fanout = o->fanout ? o->fanout : n - 1;
    if (fanout >= n)
        return complain("-fanout %" PRId64 ": there are %d other hosts: give at most so many",
                        fanout, n - 1);
    int *source = malloc((size_t)n * sizeof *source), *other = malloc((size_t)n * sizeof *other);
    if (!source || !other)
        status = out_of_memory();
    /* other[] keeps the order that earlier draws have left: also a permutation, so no entry occurs
     * twice in a message. */
    for (int i = 0; i < n && !status; i++)
        source[i] = other[i] = i;
    for (int64_t k = 0; k < o->sources && !status; k++) {
        /* k + 1 is the number for an error message about the limit of sources. */
        struct multicast_message *m = add_message(task, "-sources", (int)k + 1);
        if (!m) {
            status = 1;
            break;
        }
        /* After n messages each host has been a source once, and a new permutation begins. */
        m->source = draw_one(&dice, source, (int)(k % n), n);
        m->bytes = bytes;
        /* The source is skipped if it is drawn, hence fanout + 1 draws at most. */
        for (int64_t left = fanout, i = 0; left > 0; i++) {
            int to = draw_one(&dice, other, (int)i, n);
            left -= to != m->source;
            wants_of(task, (int)k)[to] = to != m->source;
        }
    }
    free(source);
    free(other);
    return status;
}

/* Ranks are hosts here, in the order of the file. */
int task_messages(const struct options *o, int64_t bytes, struct task *task)
{
    int status;
    if (!o->messages == !o->sources)
        return complain("-op multimulticast: which messages: give -messages FILE, or -sources N "
                        "[-fanout K] for random ones");
    if (o->sources && task->req.ranks < 2)
        return complain("%s: has one host: random messages need two", o->net);
    status = o->messages ? read_messages(o->messages, bytes, task) : draw_messages(o, bytes, task);
    /* Pointers into the array of destinations are valid only after it has its final size. */
    for (int k = 0; k < task->req.message_count; k++)
        /* wants may have moved with each message that was added. */
        task->messages[k].wants = wants_of(task, k);
    task->req.messages = task->messages;
    return status;
}
