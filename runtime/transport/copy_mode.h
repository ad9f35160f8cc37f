/* copy_mode.h - how large messages between two tasks on one host are copied, as learned from how
 * long they took.
 *
 *      through the ring   two processors copy at the same time and out of their caches (ring.h).
 *                         Faster where they share a cache and nothing else needs them
 *      read across        the reader copies once, alone (cross_read.h).  Faster where the
 *                         processors are far apart, or the writer has no processor just now
 *
 * Which one is faster here and now can only be measured.  The reader measures each message, from
 * its header to its last byte, and publishes the mode that the next ones shall use.
 *
 * Sizes are put into classes, a factor of 4 each, because caches have sizes.  Each class uses the
 * mode with the lower mean.  From time to time COPY_MODE_MEASURED messages try the other mode:
 * after COPY_MODE_SOON messages at first, then each time after twice as many as long as it is not
 * better, up to COPY_MODE_SELDOM.  The first message after a change does not count, because it
 * shares its time with those before it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPY_MODE_LEAST = 64 << 10 /* smaller messages always pass through the ring */ };
/* The last class is from 64 MiB on, larger than caches.  Messages of a measurement: one that
 * something else holds up does not decide alone.  In the end 0.4 % of messages try the mode that is
 * worse. */
enum { COPY_MODE_CLASSES = 6, COPY_MODE_MEASURED = 4, COPY_MODE_SOON = 8, COPY_MODE_SELDOM = 1024 };

struct copy_mode_class {
    uint64_t cost[2]; /* ps a byte, through the ring and fetched: moving means; 0: not known */
    bool fetch;       /* which mode messages shall take, and ... */
    bool trying;      /* ... whether only to see how that is */
    bool last;        /* in which mode the last one came, and ... */
    unsigned run;     /* ... how many before it in a row */
    unsigned left;    /* messages until the other mode is tried */
    unsigned period;  /* how many it was the last time */
};

struct copy_mode {
    struct copy_mode_class class[COPY_MODE_CLASSES];
};

/* The class of a message of so many bytes, COPY_MODE_LEAST or more. */
int copy_mode_class(size_t bytes);
/* A message has arrived in that mode in so many nanoseconds. */
void copy_mode_note(struct copy_mode *w, size_t bytes, bool fetched, uint64_t ns);
/* The classes whose next message shall be fetched, a bit each. */
uint32_t copy_mode_fetches(const struct copy_mode *w);
