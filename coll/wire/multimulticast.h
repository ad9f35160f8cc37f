/* multimulticast.h - hn_multimulticast(): the messages of one call, as listed by the caller and as
 * seen by planners (operation.h).
 *
 * All members must list the same messages. They compare digests of their lists first, as vector
 * operations exchange their counts. If a list is wrong, or differs from that of rank 0, the call
 * ends with HN_EARG at every member before anything is planned.
 */
#pragma once

#include "hnow_coll.h"
#include "plan/operation.h"

#include <stdbool.h>
#include <stdint.h>

struct call;

/* A part of a call, which owns everything but `listed` and the buffers. */
struct multimulticast {
    const hn_multicast_message *listed; /* the caller's list; not used after call_open() */
    int count;                          /* as given by the caller */

    struct multicast_message *messages; /* for planners, at least one; NULL: none */
    void **data;                        /* [message]: the caller's buffer */
    const char *fault;                  /* error in the list; NULL: none */
    int fault_at;                       /* index of that message; -1: the list as a whole */
};

/* Reads a list for a group of so many members. `rank` is the caller's (-1: buffers are not
 * checked). A wrong list is no error here, but sets m->fault. HN_OK or HN_ENOMEM; call
 * multimulticast_end() in either case. */
int multimulticast_read(struct multimulticast *m, int ranks, int rank, hn_type type);
void multimulticast_end(struct multimulticast *m);
/* Returns HN_EARG, with its text, if the list is wrong. */
int multimulticast_check(const struct multimulticast *m);

/* Steps of a call (call.c): reads the list and puts its digest into call->room.shared; compares the
 * digests of all members. */
int multimulticast_open(struct call *call);
int multimulticast_agree(const struct call *call);
/* Length of a digest, in 64-bit numbers. */
enum { MULTIMULTICAST_DIGEST = 4 };

/* For layout.c: HN_OK or HN_ENOMEM. For widen.c: widens (widen.h) the messages that the caller
 * sends (receives). */
int multimulticast_lay_out(struct call *call);
int multimulticast_widen_in(struct call *call);
int multimulticast_widen_out(const struct call *call);

/* Cached plans are found by their messages (plan_order.c), decisions by a hash (choices.c). A copy
 * is one block of memory, to be freed with free(); NULL: out of memory. */
struct multicast_message *multimulticast_copy(const struct request *req);
bool multimulticast_same(const struct request *a, const struct request *b);
/* A hash of sources, destinations and magnitudes of lengths. Requests of equal hash share a
 * decision, so a collision costs only time. */
uint32_t multimulticast_hash(const struct request *req);
