/* replay.h - which of a sender's numbered datagrams are new: the replay window of IPsec and DTLS.
 *
 * Every datagram of a sender has a number of 64 bits, which is used once.  The receiver keeps a
 * window of numbers below the highest one that it has accepted, and a bit for each of them.  A
 * number is accepted once.  One from below the window is never accepted: a datagram so late counts
 * as lost.
 *
 * Source: RFC 4303, section 3.4.3; the bits stand in a ring of words, so that none is shifted
 * (RFC 6479).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A sender has at most CAST_WINDOW bytes under way to a receiver: 90 of the shortest datagrams. The
 * window holds ten times as many, as others of its datagrams go to other receivers. */
enum { REPLAY_WORD = 64, REPLAY_WORDS = 16, REPLAY_WINDOW = (REPLAY_WORDS - 1) * REPLAY_WORD };

struct replay {
    uint64_t first;              /* numbers below it are not accepted */
    uint64_t top;                /* the highest word with a number that was accepted */
    uint64_t seen[REPLAY_WORDS]; /* a bit for each number: word w is in seen[w % REPLAY_WORDS] */
};

/* From now on, numbers from `first` on are new. */
void replay_start(struct replay *r, uint64_t first);
/* Whether the number is new; from now on it is not.  Only for numbers that are authentic. */
bool replay_accept(struct replay *r, uint64_t number);
