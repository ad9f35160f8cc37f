/* multimulticast.h - hn_multimulticast(): the messages of one call, as its caller lists them and as
 * planners see them (operation.h).
 *
 * All members must list the same messages.  They compare digests of their lists first, as the ...v
 * forms of other operations send their counts round: a member whose list is wrong, or differs from
 * that of rank 0, ends the call with HN_EARG at every member, before anything is planned.
 */
#pragma once

#include "hnow_coll.h"
#include "plan/operation.h"

#include <stdbool.h>
#include <stdint.h>

struct call;

struct multimulticast {
    const hn_multicast_message *listed; /* the caller's; not used after call_open() */
    int count;                          /* as the caller says */

    struct multicast_message *messages; /* the same for planners, at least one; NULL: none */
    void **data;                        /* [message]: the caller's buffer */
    const char *fault;                  /* what is wrong with the list; NULL: nothing */
    int fault_at;                       /* in which message; -1: in the list as a whole */
};

/* Reads a list for a group of so many members, of which the caller is number `rank` (-1: its
 * buffers are not checked).  A mistake in it is no error, but m->fault.  HN_OK or HN_ENOMEM;
 * multimulticast_end() in every case. */
int multimulticast_read(struct multimulticast *m, int ranks, int rank, hn_type type);
void multimulticast_end(struct multimulticast *m);
/* HN_EARG with its text when the list is wrong. */
int multimulticast_check(const struct multimulticast *m);

/* The steps of a call (call.c): reads the list and puts the digest into call->room.shared; compares
 * the digests of all members. */
int multimulticast_open(struct call *call);
int multimulticast_agree(const struct call *call);
/* How many numbers of 64 bits a member's digest has. */
enum { MULTIMULTICAST_DIGEST = 4 };

/* For layout.c: HN_OK or HN_ENOMEM.  For widen.c (widen.h), of the messages that the caller sends
 * or gets. */
int multimulticast_lay_out(struct call *call);
int multimulticast_widen_in(struct call *call);
int multimulticast_widen_out(const struct call *call);

/* Plans made before are found by their messages (plan_order.c), decisions by what these have in
 * common (choices.c).  A copy is one piece of memory, to be given back with free(); NULL: no
 * memory. */
struct multicast_message *multimulticast_copy(const struct request *req);
bool multimulticast_same(const struct request *a, const struct request *b);
/* Of sources, destinations and magnitudes of lengths.  Requests of one hash may follow one
 * decision, so that a collision costs time at most. */
uint32_t multimulticast_hash(const struct request *req);
