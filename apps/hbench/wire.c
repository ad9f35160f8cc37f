/* wire.c - hnow's messages and plain sockets behind a common interface (wire.h). Each wire has
 * four functions with one meaning (pingpong.h), and the loops of pingpong.c do not know which
 * one they time. For sockets the two modes differ only in how a read waits. */
#include "wire.h"

#include "apps/splitmix.h"
#include "fail.h"
#include "raw_tcp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG_DRAINED = WIRE_TAG + 1 };

/* ---- messages ---- */

/* The buffers' contents do not matter, and a reply may overwrite them. */
static bool message_put(struct pair *p, size_t bytes)
{
    return hn_send(p->other, WIRE_TAG, p->out, bytes, HN_BYTE) == HN_OK || fail_hn("hn_send");
}

static bool message_take(struct pair *p, size_t bytes)
{
    return hn_recv(p->other, WIRE_TAG, p->in, bytes, HN_BYTE, NULL) == HN_OK || fail_hn("hn_recv");
}

/* A window of concurrent sends, or receives.  All use the same buffer: the data do not matter here,
 * and a receiver of real data would use several. */
static bool message_window(struct pair *p, size_t bytes, int window, bool sends)
{
    hn_request *requests[PINGPONG_WINDOW];
    bool good = true;
    int n;

    for (n = 0; good && n < window; n++)
        good = sends ? hn_isend(p->other, WIRE_TAG, p->out, bytes, HN_BYTE, &requests[n]) == HN_OK
                     : hn_irecv(p->other, WIRE_TAG, p->in, bytes, HN_BYTE, &requests[n]) == HN_OK;
    if (!good) {
        fail_hn(sends ? "hn_isend" : "hn_irecv");
        n--; /* the last one has not begun */
    }
    /* After an error, too, all requests must end before their buffer is freed. */
    for (int i = 0; i < n; i++)
        if (hn_wait(requests[i], NULL) != HN_OK)
            good = fail_hn("hn_wait");
    return good;
}

/* The answer confirms that the receiver has all messages, not only that they were sent. */
static bool message_burst(struct pair *p, size_t bytes, int window)
{
    return message_window(p, bytes, window, true) &&
           (hn_recv(p->other, TAG_DRAINED, NULL, 0, HN_BYTE, NULL) == HN_OK || fail_hn("hn_recv"));
}

static bool message_drain(struct pair *p, size_t bytes, int window)
{
    /* All receives are posted before the answer, so the next window cannot meet them. */
    return message_window(p, bytes, window, false) &&
           (hn_send(p->other, TAG_DRAINED, NULL, 0, HN_BYTE) == HN_OK || fail_hn("hn_send"));
}

/* ---- plain sockets ---- */

static bool raw_put(struct pair *p, size_t bytes)
{
    return raw_tcp_put(p->raw, p->out, bytes, p->spins);
}

static bool raw_take(struct pair *p, size_t bytes)
{
    return raw_tcp_take(p->raw, p->in, bytes, p->spins);
}

/* Messages have no borders in the stream: the receiver counts bytes. */
static bool raw_burst(struct pair *p, size_t bytes, int window)
{
    char drained;

    for (int i = 0; i < window; i++)
        if (!raw_put(p, bytes))
            return false;
    return raw_tcp_take(p->raw, &drained, 1, p->spins);
}

static bool raw_drain(struct pair *p, size_t bytes, int window)
{
    for (int i = 0; i < window; i++)
        if (!raw_take(p, bytes))
            return false;
    /* The acknowledgement is one byte, after the whole window. */
    return raw_tcp_put(p->raw, "", 1, p->spins);
}

const struct wire wires[WIRES] = {
    [WIRE_HNOW] = {NULL, message_put, message_take, message_burst, message_drain},
    [WIRE_BLOCKING] = {"raw-blocking", raw_put, raw_take, raw_burst, raw_drain},
    [WIRE_SPINNING] = {"raw-spinning", raw_put, raw_take, raw_burst, raw_drain},
};

/* ---- the pair ---- */

/* Random data, in case some layer compresses.  Writing them also maps the pages before anything is
 * measured. */
static char *noise(size_t bytes)
{
    /* Whole pages, so that a copy never touches a page of something else. */
    char *data = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
    uint64_t state = 1;

    for (size_t i = 0; data && i < bytes; i += sizeof state) {
        uint64_t word = splitmix_next(&state);
        memcpy(data + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
    return data;
}

bool pair_open(struct pair *p, hn_tid other, int64_t bytes)
{
    *p = (struct pair){.other = other, .raw = -1};
    /* Both buffers have the same contents; the direction does not matter. */
    p->out = noise((size_t)bytes);
    p->in = noise((size_t)bytes);
    return (p->out && p->in) ||
           fail("memory", "no room for two messages of the largest size: give smaller -bytes");
}

void pair_close(struct pair *p)
{
    if (p->raw >= 0)
        close(p->raw);
    free(p->out);
    free(p->in);
}
