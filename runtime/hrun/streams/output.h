/* output.h - merges many tasks' output into one descriptor, in whole lines.  No I/O.
 *
 * Each task and stream is a source.  A source that has begun a line owns the output until the line
 * ends, so that lines of any length stay whole.  The others wait meanwhile, and their agents stop
 * reading them when their credit is used up.  A line that ends in \r, to be overwritten, does not
 * keep the output.  A source also loses the output if its line does not continue for
 * OUTPUT_PATIENCE and others want to write.
 *
 * With tags, each line begins with the tag of its source, and a line end is inserted after another
 * source's unfinished line.  Without tags no byte is added.  Memory: the sources' credit,
 * OUTPUT_READY bytes and one piece.
 */
#pragma once

#include "base/list.h"
#include "base/pack.h"

/* Bytes prepared for writing: the capacity of a Linux pipe. */
enum { OUTPUT_READY = 64 * 1024 };
#define OUTPUT_PATIENCE 1.0 /* seconds; longer than a busy machine delays a writing task */

/* Embedded in its user's struct.  `held` is bounded by the credit that the user has given. */
struct output_source {
    struct list_node node; /* on output->waiting while it has data and not the output */
    struct pack held;
    bool over; /* nothing follows */
    char *tag; /* NULL: none */
    /* n bytes were consumed: more may be sent. */
    void (*credit)(struct output_source *source, size_t n);
};

/* The merged stream.  It refers to sources, which must not be freed before output_forget() permits
 * it. */
struct output {
    struct list_node waiting;
    struct output_source *owner; /* has begun a line */
    struct output_source *last;  /* the last one that wrote */
    bool mid_line;               /* the last byte written was no line end */
    struct pack ready;           /* bytes to write */
};

void output_init(struct output *output);
void output_free(struct output *output);
void output_source_init(struct output_source *source, char *tag,
                        void (*credit)(struct output_source *source, size_t n));
void output_source_free(struct output_source *source);

/* Whether everything from the source was consumed and nothing follows.  Then output has no
 * reference to it, and it may be freed. */
bool output_forget(struct output *output, const struct output_source *source);

/* Bytes of the source have arrived; they are copied. */
void output_add(struct output *output, struct output_source *source, const void *data, size_t n);
void output_source_ended(struct output *output, struct output_source *source);
/* Fills output->ready as far as useful.  The caller writes from it and removes what was written. */
void output_fill(struct output *output);
/* Whether others wait for a line to continue.  Then the caller calls output_impatient() after
 * OUTPUT_PATIENCE, unless data was added or a source has ended meanwhile. */
bool output_is_waiting(const struct output *output);
void output_impatient(struct output *output);
