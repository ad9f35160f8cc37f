/* replay.h - accepts each numbered datagram of a sender once: the replay window of IPsec and DTLS.
 *
 * Every datagram of a sender has a unique 64-bit number.  The receiver keeps a window of numbers
 * below the highest one that it has accepted, with one bit each.  A number is accepted once.  A
 * number below the window is never accepted; so late a datagram counts as lost.
 *
 * Source: RFC 4303, section 3.4.3.  The bits form a ring of words, so that none is shifted (RFC
 * 6479).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bits.  A sender has at most CAST_WINDOW bytes in flight to a receiver: 90 of the shortest
 * datagrams.  The window holds ten times as many, because numbers are also used for other
 * receivers. */
enum { REPLAY_WORD = 64, REPLAY_WORDS = 16, REPLAY_WINDOW = (REPLAY_WORDS - 1) * REPLAY_WORD };

/* One sender's window.  The receiver keeps it for each connection, and calls replay_start() anew
 * for the next one. */
struct replay {
    uint64_t first;              /* lower numbers are not accepted */
    uint64_t top;                /* the highest word that contains an accepted number */
    uint64_t seen[REPLAY_WORDS]; /* a bit for each number: word w is in seen[w % REPLAY_WORDS] */
};

/* Accepts numbers from `first` on. */
void replay_start(struct replay *r, uint64_t first);
/* Whether the number is new; records it as used.  Only for authenticated numbers. */
bool replay_accept(struct replay *r, uint64_t number);
