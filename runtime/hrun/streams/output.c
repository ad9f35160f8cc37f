/* output.c - merges many tasks' output into one descriptor, in whole lines; see output.h.
 *
 * Each source holds its own bytes until they are taken; `ready` has what is to be written next.  An
 * owner is the source whose line is not finished: others wait for it, but not longer than
 * OUTPUT_PATIENCE.  The credit of a source is returned when its bytes are taken, so a source never
 * holds more than its credit.
 */
#include "hrun/streams/output.h"

#include <stdlib.h>
#include <string.h>

void output_init(struct output *output)
{
    *output = (struct output){0};
    list_init(&output->waiting);
}

void output_free(struct output *output)
{
    pack_free(&output->ready);
}

void output_source_init(struct output_source *source, char *tag,
                        void (*credit)(struct output_source *source, size_t n))
{
    *source = (struct output_source){.tag = tag, .credit = credit};
    list_init(&source->node);
}

void output_source_free(struct output_source *source)
{
    list_remove(&source->node);
    pack_free(&source->held);
    free(source->tag);
}

/* Behind the next line end, or behind the last byte. */
static const uint8_t *output_line_end(const uint8_t *data, size_t n)
{
    const uint8_t *end = memchr(data, '\n', n);
    return end ? end + 1 : data + n;
}

/* A tag is inserted only at the beginning of a line, so a line that continues has one. */
static void output_tagged(struct output *output, const char *tag, const uint8_t *data, size_t n)
{
    const uint8_t *end = data + n;
    while (data < end) {
        const uint8_t *next = output_line_end(data, (size_t)(end - data));
        if (!output->mid_line)
            pack_raw(&output->ready, tag, strlen(tag));
        pack_raw(&output->ready, data, (size_t)(next - data));
        output->mid_line = next[-1] != '\n';
        data = next;
    }
}

/* Moves everything that the source has to the output. */
static void output_take(struct output *output, struct output_source *source)
{
    size_t n = source->held.length;
    /* With tags, a line that another source has left unfinished is ended first. */
    if (output->mid_line && output->last != source && source->tag) {
        pack_u8(&output->ready, '\n');
        output->mid_line = false;
    }
    if (source->tag)
        output_tagged(output, source->tag, source->held.data, n);
    else
        pack_raw(&output->ready, source->held.data, n);
    uint8_t end = source->held.data[n - 1];
    output->mid_line = end != '\n';
    output->last = source;
    /* a line that ends in \r will be overwritten (progress), so others need not wait for its end */
    output->owner = output->mid_line && end != '\r' && !source->over ? source : NULL;
    source->held.length = 0;
    list_remove(&source->node);
    source->credit(source, n);
}

/* The owner of an unfinished line first, else the first source that waits.  Stops when there is
 * enough for the next writes.  Sources take turns in the order of their last data. */
void output_fill(struct output *output)
{
    while (output->ready.length < OUTPUT_READY) {
        struct output_source *owner = output->owner;
        if (owner && owner->held.length > 0)
            output_take(output, owner);
        else if (!owner && !list_empty(&output->waiting))
            output_take(output, list_entry(output->waiting.next, struct output_source, node));
        else
            return;
    }
}

/* The source moves to the end of the queue; its older bytes are not lost, as they are written
 * together. */
void output_add(struct output *output, struct output_source *source, const void *data, size_t n)
{
    if (n == 0)
        return;
    pack_raw(&source->held, data, n);
    list_remove(&source->node);
    list_append(&output->waiting, &source->node);
}

/* Its unfinished line, if written completely, no longer blocks others. */
void output_source_ended(struct output *output, struct output_source *source)
{
    source->over = true;
    if (output->owner == source && source->held.length == 0)
        output->owner = NULL;
}

/* False: it still has bytes, or may get some.  A source may only be freed after it was
 * forgotten. */
bool output_forget(struct output *output, const struct output_source *source)
{
    if (!source->over || source->held.length > 0 || output->owner == source)
        return false;
    if (output->last == source)
        output->last = NULL;
    return true;
}

bool output_is_waiting(const struct output *output)
{
    return output->owner && output->owner->held.length == 0 && !list_empty(&output->waiting);
}

void output_impatient(struct output *output)
{
    output->owner = NULL;
}
