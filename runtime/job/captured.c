/* captured.c - the captured output of other tasks: requests, and processing by line.
 *
 * hrun forwards what a task has written as soon as its agent has it: mostly whole lines, or the
 * beginning of one.  An unfinished line is stored here for each stream of each task.  A whole line
 * becomes a message, or is written to the file.  A line that grows too long is divided into pieces.
 * The limit is CAPTURED_LINE bytes for a message, and CAPTURED_FILE_LINE for a file, where pieces
 * of several tasks would mix.  Processed bytes are acknowledged, and only then can as many follow.
 * While the inbox is full, they are not acknowledged.  So a program that does not receive slows
 * down the tasks that write.
 *
 * Cost: one message, or one write, for each line.
 */
#include "job/captured.h"

#include "base/array.h"
#include "base/error.h"
#include "job/question.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <stdlib.h>
#include <string.h>

/* Maximum bytes stored of a stream; CAPTURED_FILE_LINE only bounds memory. */
enum { CAPTURED_LINE = HN_LINE_MAX, CAPTURED_FILE_LINE = 16 << 20 };

/* One output stream of a task. */
struct captured_stream {
    struct list_node node;
    hn_tid tid;
    unsigned stream;  /* 1 or 2 */
    struct pack held; /* an unfinished line */
    size_t searched;  /* bytes of it that contain no line end */
    size_t owed;      /* bytes processed and not acknowledged */
};

void captured_init(struct captured *captured)
{
    *captured = (struct captured){0};
    list_init(&captured->streams);
}

static void stream_free(struct captured_stream *s)
{
    list_remove(&s->node);
    pack_free(&s->held);
    free(s);
}

/* Files of the program are not closed here. */
void captured_clear(struct captured *captured)
{
    list_for_each_safe (n, &captured->streams)
        stream_free(list_entry(n, struct captured_stream, node));
    free(captured->place);
}

/* ---- taking ------------------------------------------------------------------------------- */

/* Makes the entry at the first output.  NULL: out of memory, and this output is lost.
 * O(streams). */
static struct captured_stream *stream_of(struct captured *captured, hn_tid tid, unsigned stream)
{
    struct captured_stream *s;

    list_for_each (n, &captured->streams) {
        s = list_entry(n, struct captured_stream, node);
        if (s->tid == tid && s->stream == stream)
            return s;
    }
    s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->tid = tid;
    s->stream = stream;
    list_append(&captured->streams, &s->node);
    return s;
}

/* Delivers a line, or a piece of one. n = 0: the end of the stream.  The tid and the host precede
 * each line in a file, as with hrun -tag-output. */
static void deliver(struct task *t, const struct captured_place *place, hn_tid tid,
                    const uint8_t *text, size_t n)
{
    hn_info info = {.from = tid, .tag = place->tag, .type = HN_CHAR, .count = n};
    const char *host = agent_host_name(t, control_host((uint32_t)tid));

    if (!place->file) {
        match_put(&t->match, &info, place->context, text);
    } else if (n > 0) {
        fprintf(place->file, "[t%d@%s] ", tid, host ? host : "?");
        fwrite(text, 1, n, place->file);
        if (text[n - 1] != '\n')
            fputc('\n', place->file);
    }
}

/* Bytes of the first line with its end, or of a piece of `limit` bytes; 0: the line is
 * incomplete. */
static size_t line_length(struct captured_stream *s, size_t limit)
{
    const struct pack *held = &s->held;
    size_t most = held->length < limit ? held->length : limit, from = s->searched;
    const uint8_t *end = most > from ? memchr(held->data + from, '\n', most - from) : NULL;

    s->searched = 0;
    if (end)
        return (size_t)(end - held->data) + 1;
    if (most == limit)
        return limit;
    s->searched = most;
    return 0;
}

/* Acknowledges processed bytes.  If that cannot be sent now, the next call does it. */
static void acknowledge(struct task *t, struct captured_stream *s)
{
    if (s->owed > 0 &&
        agent_put(t, CONTROL_CAPTURED_ACK, 0u, (unsigned)s->tid, s->stream, (unsigned)s->owed))
        s->owed = 0;
}

/* Delivers all lines that are complete, then acknowledges.  The rest waits in s->held for the next
 * frame. */
static void take_output(struct task *t, const struct captured_place *place,
                        struct captured_stream *s, const uint8_t *data, size_t n)
{
    size_t line, limit = place->file ? CAPTURED_FILE_LINE : CAPTURED_LINE;

    pack_raw(&s->held, data, n);
    s->owed += n;
    while ((line = line_length(s, limit)) > 0) {
        deliver(t, place, s->tid, s->held.data, line);
        pack_drop(&s->held, line);
    }
    if (place->file)
        fflush(place->file);
    /* Messages count as unexpected ones: hrun's window then holds the output back
     * (captured_resume()). */
    if (place->file || !peer_inbox_is_full(t, NULL))
        acknowledge(t, s);
    else
        t->peers.paused = true;
}

/* The end of a stream ends its last line. */
static void take_end(struct task *t, const struct captured_place *place, hn_tid tid)
{
    list_for_each_safe (n, &t->captured.streams) {
        struct captured_stream *s = list_entry(n, struct captured_stream, node);
        if (s->tid != tid)
            continue;
        if (s->held.length > 0)
            deliver(t, place, tid, s->held.data, s->held.length);
        stream_free(s);
    }
    deliver(t, place, tid, NULL, 0);
    if (place->file)
        fflush(place->file);
}

/* Stream 0 announces the end of the task's output.  A number that was never assigned is ignored. */
void captured_receive(struct task *t, struct unpack *fields)
{
    uint32_t number = unpack_u32(fields);
    hn_tid tid = (hn_tid)unpack_u32(fields);
    unsigned stream = unpack_u8(fields);
    size_t n;
    const uint8_t *data = unpack_blob(fields, &n);
    struct captured_stream *s;

    if (number == 0 || number > t->captured.places)
        return;
    if (stream == 0)
        take_end(t, &t->captured.place[number - 1], tid);
    else if ((s = stream_of(&t->captured, tid, stream)))
        take_output(t, &t->captured.place[number - 1], s, data, n);
}

void captured_resume(struct task *t)
{
    list_for_each (n, &t->captured.streams)
        acknowledge(t, list_entry(n, struct captured_stream, node));
}

/* ---- asking ------------------------------------------------------------------------------- */

/* The number of a new destination; 0: out of memory. */
static uint32_t place_new(struct captured *captured, const struct captured_place *place)
{
    if (!ARRAY_ROOM(captured->place, captured->places + 1))
        return 0;
    captured->place[captured->places++] = *place;
    return captured->places;
}

/* place NULL: ends the capturing. */
static int catch_output(const hn_tid *tids, int n, const struct captured_place *place)
{
    struct question q;
    uint32_t number = 0;
    int result;

    if (n < 0 || (n > 0 && !tids))
        return error_set(HN_EARG, "give a list of tasks, or NULL and 0");
    for (int i = 0; i < n && task_get() && task_get()->agent.fd >= 0; i++)
        if ((result = tids_check(task_get(), tids[i])) != HN_OK)
            return result;
    result = question_begin(&q, CONTROL_CAPTURE_ASK);
    if (result == HN_OK && place && (number = place_new(&q.task->captured, place)) == 0)
        q.error = error_set(HN_ENOMEM, "out of memory");
    pack_u32(&q.out, number);
    pack_u8(&q.out, place && place->file);
    question_add_tids(&q, tids, n);
    return question_done(&q);
}

int hn_catch_output(const hn_tid *tids, int n, int tag)
{
    hn_context context = hn_set_context(0);

    hn_set_context(context);
    if (tag < 0)
        return error_set(HN_EARG, "tag %d is negative", tag);
    return catch_output(tids, n, &(struct captured_place){.tag = tag, .context = context});
}

int hn_catch_output_file(const hn_tid *tids, int n, FILE *file)
{
    return catch_output(tids, n, file ? &(struct captured_place){.file = file} : NULL);
}

/* hrun answers when all output for files has been sent to this task. */
void captured_finish(struct task *t)
{
    struct question q;

    if (t->captured.places == 0)
        return;
    question_begin(&q, CONTROL_CAPTURE_END);
    question_done(&q);
}
