/* pvm_catchout.c - redirects the output of children: to a file of the program (pvm_catchout()), or
 * to the caller in messages (PvmOutputTid).
 *
 * hnow writes whole lines, each prefixed with "[tTID@HOST] ", to a stdio stream of this library.
 * The stream replaces the prefix by PVM's, "[tTID] " with the number in hexadecimal digits, or by
 * nothing (PvmShowTids 0), and passes the rest on.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* One redirection. The lines of all its children come through one stream. */
struct caught {
    FILE *stream; /* of this library, for hnow */
    FILE *file;   /* the program's */
    char head[300];
    size_t n; /* bytes of the prefix so far */
    bool in_line;
    struct caught *next;
};

/* Children spawned earlier keep their streams until the end. */
static struct caught *streams;
static bool catching; /* also redirect the output of children spawned later */

/* A prefix that cannot be read is left out. */
static void put_head(const struct caught *c)
{
    int tid;

    if (vm_option(PvmShowTids) && sscanf(c->head, "[t%d@", &tid) == 1)
        fprintf(c->file, "[t%x] ", (unsigned)tid);
}

/* Consumes bytes of the prefix.  Returns their number. */
static size_t take_head(struct caught *c, const char *text, size_t size)
{
    size_t n = 0;

    while (n < size && !c->in_line) {
        char last = text[n++];
        if (c->n < sizeof c->head - 1)
            c->head[c->n++] = last;
        /* The prefix ends with a blank; a longer one is cut. */
        if (last == ' ' || c->n == sizeof c->head - 1) {
            c->head[c->n] = 0;
            put_head(c);
            c->n = 0;
            c->in_line = true;
        }
    }
    return n;
}

/* The file is locked, so that lines of several streams are not mixed. */
static ssize_t write_line(void *cookie, const char *text, size_t size)
{
    struct caught *c = cookie;
    size_t n = 0;

    flockfile(c->file);
    while (n < size) {
        const char *end;
        size_t length;
        n += take_head(c, text + n, size - n);
        end = memchr(text + n, '\n', size - n);
        length = end ? (size_t)(end - (text + n)) + 1 : size - n;
        fwrite(text + n, 1, length, c->file);
        n += length;
        /* After a line end, a prefix follows. */
        c->in_line = c->in_line && !end;
    }
    fflush(c->file);
    funlockfile(c->file);
    return (ssize_t)size;
}

/* Line buffered, so that output appears as it is written. */
static struct caught *open_stream(FILE *file)
{
    struct caught *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->file = file;
    c->stream = fopencookie(c, "w", (cookie_io_functions_t){.write = write_line});
    if (!c->stream) {
        free(c);
        return NULL;
    }
    setvbuf(c->stream, NULL, _IOLBF, BUFSIZ);
    c->next = streams;
    streams = c;
    return c;
}

/* Each call with a file makes a stream, also for the same file. */
static int catch_output(FILE *file)
{
    struct caught *c = file ? open_stream(file) : NULL;

    if (file && !c)
        return PvmNoMem;
    catching = file != NULL;
    return vm_result(hn_catch_output_file(NULL, 0, c ? c->stream : NULL));
}

/* Has no effect on children that are running. The file must be open until pvm_exit(). */
int pvm_catchout(FILE *file)
{
    return VM_CALL(catch_output(file));
}

static int told = -1; /* tag of the messages with output; -1: there were none */

/* Replaces pvm_catchout(), and the reverse: the later call counts. */
void vm_output_to(bool caller, int tag)
{
    if (caller)
        hn_catch_output(NULL, 0, told = tag);
    else
        hn_catch_output_file(NULL, 0, NULL);
}

/* In the form of PVM: tid, length, text. If out of memory, it stays a line. */
void vm_output_convert(struct vm_buffer *buffer, const hn_info *info)
{
    int n = (int)info->count;
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

/* From now on hrun prints the output of new children. */
static void let_go(void)
{
    hn_task_info *tasks;
    int n;

    if (hn_tasks(&tasks, &n) != HN_OK)
        return;
    for (int i = 0; i < n; i++)
        if (tasks[i].parent == hn_mytid())
            hn_catch_output_file(&tasks[i].tid, 1, NULL);
    free(tasks);
}

/* hn_exit() waits for the last line of the children; pvm_exit() does so only while output is being
 * redirected.  Afterwards no child writes any more. */
int vm_leave(bool pauses)
{
    int result;

    if (streams && !catching)
        let_go();
    if (catching)
        catch_output(NULL);
    result = vm_result(pauses ? hn_pause() : hn_exit());
    /* Output of children has ended. */
    while (streams) {
        struct caught *c = streams;
        streams = c->next;
        fclose(c->stream);
        free(c);
    }
    return result;
}
