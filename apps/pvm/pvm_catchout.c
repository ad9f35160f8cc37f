/* pvm_catchout.c - the output of children: in a file of the program (pvm_catchout()), or in
 * messages to the caller (PvmOutputTid).
 *
 * hnow sends each line as a message, and an empty message when the task has ended.  pvm_catchout()
 * has a handler for these in a context of its own.  It writes what PVM writes: "[tTID] " before
 * each line, and lines BEGIN and EOF for each task; PvmShowTids 0: only the lines.  As in PVM, that
 * is done inside the program's own calls.
 *
 * A task's lines arrive in order. Those of different tasks are mixed as they arrive, but a line
 * is never divided, unless it is longer than a message.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

enum { OUTPUT_TAG = 1 }; /* in the context of pvm_catchout() */

/* A task whose output is caught. */
struct writer {
    hn_tid tid;
    bool in_line; /* its last line was too long for one message */
    bool ended;
    struct writer *next;
};

static struct {
    FILE *file;         /* the program's; NULL: output is dropped */
    hn_context context; /* of these messages; 0: pvm_catchout() was not called */
    int handler;
    struct writer *writers;
} caught;

/* ---- writing ------------------------------------------------------------------------------ */

/* A line beyond HN_LINE_MAX comes in several messages. Only the first one gets the prefix, and
 * only the last one a line end. */
static void put(struct writer *w, const char *text, size_t n)
{
    if (!w->in_line && vm_option(PvmShowTids))
        fprintf(caught.file, "[t%x] ", (unsigned)w->tid);
    fwrite(text, 1, n, caught.file);
    w->in_line = n == HN_LINE_MAX && text[n - 1] != '\n';
    if (!w->in_line && text[n - 1] != '\n')
        putc('\n', caught.file);
}

/* An unfinished line is ended first. BEGIN and EOF have no meaning without tids, so PvmShowTids
 * 0 omits them. */
static void put_event(struct writer *w, const char *text)
{
    if (!caught.file)
        return;
    if (w->in_line)
        put(w, "\n", 1);
    if (vm_option(PvmShowTids))
        put(w, text, strlen(text));
}

/* NULL: out of memory. */
static struct writer *writer_of(hn_tid tid)
{
    struct writer *w = caught.writers;

    while (w && w->tid != tid)
        w = w->next;
    if (w || !(w = malloc(sizeof *w)))
        return w;
    *w = (struct writer){.tid = tid, .next = caught.writers};
    caught.writers = w;
    put_event(w, "BEGIN\n");
    return w;
}

/* hnow calls it in a thread that waits in VM_WAIT(), or that already holds the lock. */
static void on_output(const hn_info *info, hn_buffer *message, void *data)
{
    static char line[HN_LINE_MAX];

    (void)data;
    vm_lock();
    /* Output of a new task may arrive before vm_output_begin() knows its tid. */
    struct writer *w = writer_of(info->from);
    if (w && info->count == 0) {
        w->ended = true;
        put_event(w, "EOF\n");
    } else if (w && caught.file && info->count <= sizeof line &&
               hn_unpack(message, line, info->count, HN_CHAR, 1) == HN_OK) {
        put(w, line, info->count);
    }
    vm_unlock();
}

/* Tasks that could not be started have a negative tid, and no output. */
void vm_output_begin(const int *tids, int n)
{
    for (int i = 0; caught.file && i < n; i++)
        if (tids[i] > 0)
            writer_of(tids[i]);
}

/* ---- catching ----------------------------------------------------------------------------- */

/* Gets a context and a handler for output. */
static int prepare(void)
{
    hn_context context, before;
    int result = caught.context ? HN_OK : hn_context_new(&context);

    if (caught.context || result != HN_OK)
        return result;
    before = hn_set_context(context);
    caught.handler = hn_handler_add(HN_ANY, OUTPUT_TAG, on_output, NULL);
    hn_set_context(before);
    if (caught.handler >= 0)
        caught.context = context;
    return caught.handler < 0 ? caught.handler : HN_OK;
}

/* The first call prepares; later ones only replace the file. Children that are running keep the
 * handler, so their output goes to the new file. */
static int catch_output(FILE *file)
{
    int result = file ? prepare() : HN_OK;

    if (result != HN_OK)
        return vm_result(result);
    caught.file = file;
    /* hrun prints the output of children that are spawned from now on. */
    if (!file)
        return vm_result(hn_catch_output_file(NULL, 0, NULL));

    /* hnow sends the lines in the context in which it was requested. */
    hn_context before = hn_set_context(caught.context);
    result = hn_catch_output(NULL, 0, OUTPUT_TAG);
    hn_set_context(before);
    return vm_result(result);
}

/* Output of running children that is not caught yet goes where it did before. That of the others
 * goes to the new file, or nowhere. The file must be open until pvm_exit(). */
int pvm_catchout(FILE *file)
{
    return VM_CALL(catch_output(file));
}

/* ---- messages to the caller --------------------------------------------------------------- */

static int told = -1; /* tag of the messages with output; -1: there were none */

/* Replaces pvm_catchout(), and the reverse: the later call counts. */
void vm_output_to(bool caller, int tag)
{
    /* The tag stays known after output is no longer sent, since messages may be on their way. */
    if (caller)
        hn_catch_output(NULL, 0, told = tag);
    else
        hn_catch_output_file(NULL, 0, NULL);
}

/* In the form of PVM: tid, length, text. If out of memory, it stays a line. */
void vm_output_convert(struct vm_buffer *buffer, const hn_info *info)
{
    int n = (int)info->count;
    /* A packed message has another type, so the program's own messages with this tag are left
     * alone. */
    bool mine = info->tag == told && info->type == HN_CHAR;
    char *line = mine ? malloc(info->count + 1) : NULL;

    if (line && hn_unpack(buffer->data, line, info->count, HN_CHAR, 1) == HN_OK) {
        hn_buffer_clear(buffer->data);
        hn_pack(buffer->data, &info->from, 1, HN_INT, 1);
        hn_pack(buffer->data, &n, 1, HN_INT, 1);
        hn_pack(buffer->data, line, info->count, HN_BYTE, 1);
    }
    free(line);
}

/* ---- leaving ------------------------------------------------------------------------------ */

/* A task counts as running until its EOF has arrived, even if it has ended. */
static bool any_runs(void)
{
    const struct writer *w = caught.writers;

    while (w && w->ended)
        w = w->next;
    return w;
}

/* Receives output until all tasks concerned have ended. */
static void await_end(void)
{
    /* The handler is removed by now, so the messages are received here. */
    hn_buffer *message = hn_buffer_new();
    hn_context before = hn_set_context(caught.context);
    hn_info info;
    int result = message ? HN_OK : HN_ENOMEM;

    while (result == HN_OK && any_runs()) {
        VM_WAIT(result = hn_recv_buffer(HN_ANY, OUTPUT_TAG, -1, message, &info));
        if (result == HN_OK)
            on_output(&info, message, NULL);
    }
    hn_set_context(before);
    hn_buffer_free(message);
}

/* As in PVM, pvm_exit() waits for the end of the tasks whose output is caught, and drops the output
 * of others. */
int vm_leave(bool pauses)
{
    /* The handler first: it would take the messages for which await_end() waits. */
    if (caught.context)
        hn_handler_remove(caught.handler);
    if (caught.file) {
        await_end();
        catch_output(NULL);
    }
    caught.context = 0;
    while (caught.writers) {
        struct writer *w = caught.writers;
        caught.writers = w->next;
        free(w);
    }
    return vm_result(pauses ? hn_pause() : hn_exit());
}
