/* output.h - many tasks' output on one descriptor, lines whole.  No I/O.
 *
 * Each task and stream is a source.  A source that has begun a line keeps the output until the line
 * ends, so that lines of any length stay whole; the others wait meanwhile (their agents stop
 * reading them when their credit is used up); but not for one that ends in \r, which is there to be
 * written over.  Only when the line does not continue for some time and
 * others want to write does it lose the output.
 *
 * With tags, each line begins with the tag of its source, and a line end is put in where another
 * source's unfinished line is before it; without tags not a byte is added.  Memory: what the
 * sources' credit allows, and OUTPUT_READY bytes and one piece.
 */
#pragma once

#include "base/list.h"
#include "base/pack.h"

/* Bytes that are made ready to be written: what a pipe of Linux holds. */
enum { OUTPUT_READY = 64 * 1024 };
#define OUTPUT_PATIENCE 1.0 /* seconds; longer than a busy machine lets a writing task wait */

struct output_source {
    struct list_node node; /* on output->waiting while it has data and not the output */
    struct pack held;
    bool over; /* nothing follows */
    char *tag; /* NULL: none */
    /* n bytes have been taken: more may be sent. */
    void (*credit)(struct output_source *source, size_t n);
};

struct output {
    struct list_node waiting;
    struct output_source *owner; /* has begun a line */
    struct output_source *last;  /* wrote last */
    bool mid_line;               /* what was written last was no line end */
    struct pack ready;           /* to be written */
};

void output_init(struct output *output);
void output_free(struct output *output);
void output_source_init(struct output_source *source, char *tag,
                        void (*credit)(struct output_source *source, size_t n));
void output_source_free(struct output_source *source);

/* Whether all that the source had has been taken and nothing follows; then it is forgotten, and may
 * be freed. */
bool output_forget(struct output *output, const struct output_source *source);

void output_add(struct output *output, struct output_source *source, const void *data, size_t n);
void output_over(struct output *output, struct output_source *source);
/* Fills output->ready as far as it should be; the caller writes from it and drops what is written.
 */
void output_fill(struct output *output);
/* True when others wait for a line to continue: then output_impatient() is to be called after
 * OUTPUT_PATIENCE, unless anything was added or has ended before. */
bool output_is_waiting(const struct output *output);
void output_impatient(struct output *output);
