/* pingpong.h - ping-pongs and streams between two tasks, over any wire.
 *
 * hnow's messages, plain sockets and the messages of peers are all timed by these loops, so that
 * only the wire differs.  This file does not need hnow, because peers' programs are built from it.
 */
#pragma once

#include "samples.h"

#include <stdbool.h>
#include <stdint.h>

enum { PINGPONG_WINDOW = 64 }; /* concurrent messages, as in OSU's benchmarks */

/* What a wire needs to know of the two tasks; each wire defines it. */
struct pair;

/* Each transfers `bytes` bytes, or `window` (<= PINGPONG_WINDOW) messages of `bytes` bytes.  They
 * return false after printing an error. */
struct wire {
    const char *peer; /* its name in results; NULL: hnow itself */
    bool (*put)(struct pair *p, size_t bytes);
    bool (*take)(struct pair *p, size_t bytes);
    bool (*burst)(struct pair *p, size_t bytes, int window); /* returns when all were received */
    bool (*drain)(struct pair *p, size_t bytes, int window);
};

struct pingpong {
    bool latency; /* round trips of single messages; else windows of messages, one way */
    /* Of one message. */
    size_t bytes;
    int window;
    int64_t warm, count; /* discarded samples, samples */
};

/* The first task: takes the samples, for which there must be room.  A sample is half a round trip,
 * or the time of a window from the first send until its acknowledgement, per message. */
bool pingpong_lead(const struct wire *w, struct pair *p, const struct pingpong *c,
                   struct samples *samples);
/* The second task. */
bool pingpong_follow(const struct wire *w, struct pair *p, const struct pingpong *c);
