/* copy_mode.h - selects how large messages between two tasks on one host are copied, by
 * measurement.
 *
 *      through the ring   two processors copy at the same time and out of their caches (ring.h).
 *                         Faster where they share a cache and nothing else needs them
 *      read across        the reader copies once, alone (cross_read.h).  Faster where the
 *                         processors are far apart, or the writer has no processor just now
 *
 * Which mode is faster can only be measured.  The reader measures each message, from its header to
 * its last byte, and publishes the mode for the next ones.
 *
 * Messages are grouped into size classes by factors of 4, because caches have sizes.  Each class
 * uses the mode with the lower mean.  From time to time COPY_MODE_MEASURED messages try the other
 * mode: first after COPY_MODE_SOON messages.  The interval doubles while the other mode is not
 * better, up to COPY_MODE_SELDOM.  The first message after a change does not count, because it
 * overlaps with earlier ones.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPY_MODE_LEAST = 64 << 10 /* bytes; smaller messages always use the ring */ };
/* The last class begins at 64 MiB, which is more than caches have.  COPY_MODE_MEASURED: more than
 * one message, because a single one may be delayed by something else.  In the long run 0.4 % of the
 * messages try the slower mode. */
enum { COPY_MODE_CLASSES = 6, COPY_MODE_MEASURED = 4, COPY_MODE_SOON = 8, COPY_MODE_SELDOM = 1024 };

/* State of one size class.  Zeros are a valid start: the ring is used, and the other mode is tried
 * after the first COPY_MODE_MEASURED messages. */
struct copy_mode_class {
    uint64_t cost[2]; /* ps a byte, moving means: through the ring, read across; 0: unknown */
    bool fetch;       /* the mode of the next messages: read across */
    bool trying;      /* that mode is only being tried */
    bool last;        /* the last message was read across */
    unsigned run;     /* messages before it in the same mode */
    unsigned left;    /* messages until the other mode is tried */
    unsigned period;  /* the last such interval */
};

/* Of one connection and one direction.  The reader owns it; the writer sees only the mask of
 * copy_mode_fetches(). */
struct copy_mode {
    struct copy_mode_class class[COPY_MODE_CLASSES];
};

/* The size class of a message of at least COPY_MODE_LEAST bytes. */
int copy_mode_class(size_t bytes);
/* A message arrived in that mode and took so many nanoseconds. */
void copy_mode_note(struct copy_mode *w, size_t bytes, bool fetched, uint64_t ns);
/* Bit mask of the classes whose next message should be read across. */
uint32_t copy_mode_fetches(const struct copy_mode *w);
