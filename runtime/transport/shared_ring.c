/* shared_ring.c - copies into and out of a ring in shared memory (ring.h).
 *
 * Each side keeps a copy of the other side's position (`other`).  It reads the shared one only when
 * the copy shows no room, or no data.  So in a long transfer a position crosses between the cores
 * once for several copies, not for each one.
 */
#include "transport/ring.h"

#include "match/cache.h"

#include <string.h>

/* LINE: bytes of a cache line.  AHEAD: lines of a small message with its header.  PEEK: lines of a
 * burst of small messages, which are matched in the ring. */
enum { LINE = 64, AHEAD = 4, PEEK = 16 };

void ring_init(struct ring *r, struct ring_shared *shared, uint8_t *data)
{
    *r = (struct ring){.shared = shared, .data = data, .window = RING_SMALL};
}

static size_t least(size_t a, size_t b, size_t c)
{
    a = a < b ? a : b;
    return a < c ? a : c;
}

/* ---- the writer --------------------------------------------------------------------------- */

/* Bytes that can be written now.  The acquire load orders the reader's copies before the writer's
 * next stores into the same bytes.  A tail beyond our own position makes `used` huge and yields no
 * room: a hostile reader stops only its own stream. */
static size_t room_of(struct ring *r)
{
    uint64_t used = r->at - r->other;

    if (used >= r->window) {
        r->other = atomic_load_explicit(&r->shared->tail, memory_order_acquire);
        used = r->at - r->other;
    }
    return used < r->window ? r->window - used : 0;
}

bool ring_is_empty(const struct ring *r)
{
    return atomic_load_explicit(&r->shared->tail, memory_order_acquire) == r->at;
}

/* Enlarges the window if necessary. False: nothing can be written until the ring is empty. A byte's
 * place is its position modulo the window, so no byte may be in the ring when the window
 * changes. */
static bool grow(struct ring *r)
{
    if (!ring_is_empty(r))
        return false;
    r->other = r->at;
    r->window = RING_FULL;
    return true;
}

/* The cache lines that are written next belong to the other side, which has read them.  Prefetches
 * them while there is other work. */
static void fetch_ahead(const struct ring *r, uint64_t from)
{
    for (unsigned line = 0; line < AHEAD; line++)
        cache_fetch_to_write(r->data + ((from + line * LINE) & (r->window - 1)));
}

/* Makes everything up to `at` readable.  The release store of `head` also publishes the data and
 * the window. */
static void publish(struct ring *r)
{
    atomic_store_explicit(&r->shared->window, r->window, memory_order_relaxed);
    atomic_store_explicit(&r->shared->head, r->at, memory_order_release);
}

/* Copies in parts that end at RING_PART bytes, at the end of the window, or at the end of the room.
 * `hidden` counts bytes that were copied and not published yet. */
size_t ring_put(struct ring *r, const struct iovec *iov, int n, uint64_t more, bool may_grow)
{
    size_t done = 0, hidden = 0;

    /* Nothing is written while the ring is not empty.  Otherwise the growth would be postponed for
     * as long as bytes keep coming. */
    if (may_grow && more > r->window && r->window < RING_FULL && !grow(r))
        return 0;
    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < iov[i].iov_len;) {
            uint64_t from = r->at & (r->window - 1);
            size_t part = least(iov[i].iov_len - k, room_of(r), r->window - from);

            part = part < RING_PART ? part : RING_PART;
            /* The ring is full.  What was copied since the last part is published, as the caller
             * may not come back soon. */
            if (part == 0) {
                if (hidden > 0)
                    publish(r);
                return done;
            }
            fetch_ahead(r, from + part);
            memcpy(r->data + from, (const uint8_t *)iov[i].iov_base + k, part);
            k += part;
            r->at += part;
            done += part;
            hidden += part;
            /* Publishing smaller copies one by one would move the line of `head` to the reader for
             * each of them. */
            if (hidden >= RING_PART) {
                publish(r);
                hidden = 0;
            }
        }
    }
    if (hidden > 0)
        publish(r);
    return done;
}

/* No loop and no wrap: the fast path of one small frame.  A frame that would wrap uses ring_put()
 * instead. */
bool ring_put_whole(struct ring *r, const void *bytes, size_t n)
{
    uint64_t from = r->at & (r->window - 1);

    if (n > r->window - from || n > room_of(r))
        return false;
    fetch_ahead(r, from + n);
    memcpy(r->data + from, bytes, n);
    r->at += n;
    publish(r);
    return true;
}

/* ---- the reader --------------------------------------------------------------------------- */

/* Bytes that can be read now. The writer stores `window` before `head` (publish()), and changes it
 * only while the ring is empty. So the value that is read after `head` holds for all bytes before
 * `head`. */
static size_t available(struct ring *r)
{
    if (r->other == r->at) {
        r->other = atomic_load_explicit(&r->shared->head, memory_order_acquire);
        if (r->other != r->at)
            r->window = atomic_load_explicit(&r->shared->window, memory_order_relaxed);
    }
    uint64_t there = r->other - r->at;
    /* Both values come from the other side.  With this check no index leaves the data, whatever
     * they are. */
    if ((r->window != RING_SMALL && r->window != RING_FULL) || there > r->window)
        return RING_BROKEN;
    return there;
}

/* Sequentially consistent, as it is also the last check before a side sleeps (doorbell.h). */
bool ring_has_data(const struct ring *r)
{
    return r->other != r->at || atomic_load(&r->shared->head) != r->at;
}

/* The mirror image of ring_put(): parts of at most RING_PART bytes, each given back to the writer
 * at once. */
size_t ring_get(struct ring *r, const struct iovec *iov, int n)
{
    size_t done = 0;

    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < iov[i].iov_len;) {
            size_t there = available(r);
            uint64_t from = r->at & (r->window - 1);
            size_t part = least(iov[i].iov_len - k, there, r->window - from);

            if (there == RING_BROKEN)
                return RING_BROKEN;
            if (part == 0)
                return done;
            part = part < RING_PART ? part : RING_PART;
            memcpy((uint8_t *)iov[i].iov_base + k, r->data + from, part);
            k += part;
            r->at += part;
            done += part;
            /* after each part, so that the writer fills it while the next one is copied */
            atomic_store_explicit(&r->shared->tail, r->at, memory_order_release);
        }
    }
    return done;
}

/* Prefetches the lines behind the first one, because the reader parses small messages in place one
 * after the other.  The processor's own prefetcher does not follow them across short copies. */
const uint8_t *ring_peek(struct ring *r, size_t *bytes)
{
    size_t there = available(r);
    uint64_t from = r->at & (r->window - 1);

    if (there == RING_BROKEN) {
        *bytes = RING_BROKEN;
        return NULL;
    }
    there = there < r->window - from ? there : r->window - from;
    for (size_t line = LINE; line < there && line < PEEK * LINE; line += LINE)
        __builtin_prefetch(r->data + from + line);
    *bytes = there;
    return r->data + from;
}

void ring_skip(struct ring *r, size_t bytes)
{
    r->at += bytes;
    atomic_store_explicit(&r->shared->tail, r->at, memory_order_release);
}
