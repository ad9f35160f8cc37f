/* plan.h - the one representation of how a collective operation is carried out.
 *
 * The data of an operation is cut into numbered blocks. Every participant keeps one value of each
 * block (at first its own contribution, or nothing) and has an ordered list of steps:
 *
 *     SEND        the values of these blocks to a peer; continues when its start-up is over
 *     RECV        values from a peer, which replace one's own; waits for them
 *     FOLD_LEFT   values from a peer, combined as (incoming) o (own)
 *     FOLD_RIGHT  values from a peer, combined as (own) o (incoming)
 *
 * The k-th send from i to j meets the k-th receive at j from i. What a rank sends to itself it
 * keeps for that receive, while its block takes another value; that costs nothing, and is no
 * message. Nothing else happens: planners make this type; checker, simulator, drawer and executor
 * read it.
 *
 * Inside a subnet whose network carries multicasts, one SEND may go to several peers at once: then
 * the sends behind the first one, of the same blocks, are `joined` to it (plan_join()). On a
 * network without multicasts these are single messages.
 *
 * Making one: plan_new(), plan_cut() into blocks, then plan_message() for every message in an order
 * in which they can happen (each call appends a step to both participants' lists; plan_step()
 * appends to one list only), last plan_finish(). The first failure sticks, and plan_finish()
 * reports it, so that planners need not check every call.
 *
 * Memory: 20 bytes a step, and a block list shared by the sender and the receiver of a message.
 */
#pragma once

#include "plan/operation.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum plan_kind { PLAN_SEND, PLAN_RECV, PLAN_FOLD_LEFT, PLAN_FOLD_RIGHT };

struct plan_step {
    int32_t peer;  /* rank at the other end */
    int32_t list;  /* the blocks are plan->lists[list ... list + count - 1] */
    int32_t count; /* >= 0 */
    int32_t match; /* index of the other end's step; -1: there is none */
    uint8_t kind;  /* enum plan_kind */
    bool joined;   /* of a SEND: it goes out together with the one before (plan_join()) */
};

/* A block is a piece of one part of the operation's data. */
struct plan_block {
    int64_t offset; /* in the part, in bytes */
    int64_t bytes;
    int32_t part;
};

/* Bytes: a composed planner, and two stages with a segment size each. */
enum { PLAN_NAME_ROOM = 80 };

struct plan_draft; /* steps in the order in which they were appended */

struct plan {
    int ranks;
    int block_count;
    struct plan_block *blocks;
    int *part_first;           /* blocks of part p: part_first[p] ... part_first[p + 1] - 1 */
    int32_t *lists;            /* block numbers; begins with 0, 1, ..., block_count - 1 */
    int32_t *first;            /* steps of rank r: first[r] ... first[r + 1] - 1 */
    struct plan_step *steps;   /* in the order of ranks */
    char name[PLAN_NAME_ROOM]; /* as choice_text() writes it; "": made by hand */
    int64_t segment;           /* size at which parts were cut; 0: not cut */
    uint32_t mark; /* of plan and request, where operations follow it (lane.c); 0: none */
    struct plan_draft *draft;
    atomic_uint holders; /* besides its maker, who shares it: plan_hold() */
};

struct plan *plan_new(int ranks); /* NULL: out of memory */
/* Gives it up; the last one who does frees it. */
void plan_free(struct plan *plan);
/* Takes one more reference. */
void plan_hold(struct plan *plan);

/* Cuts every part of the request into blocks of at most `segment` bytes (0: one block a part). */
void plan_cut(struct plan *plan, const struct request *req, int64_t segment);
/* Cuts every part into `pieces` blocks whose sizes differ by at most one grain. */
void plan_cut_pieces(struct plan *plan, const struct request *req, int pieces);
/* Cuts every part at those of the positions that lie in it: bytes from the beginning of the first
 * part, whole grains, ascending. */
void plan_cut_at(struct plan *plan, const struct request *req, const int64_t *at, int count);

/* A list of blocks for the calls below; keeps a copy. */
int plan_list(struct plan *plan, const int *blocks, int count);
/* Appends a message: SEND to `from`'s list, `kind` to `to`'s. The blocks are consecutive ones, or a
 * list. */
void plan_message(struct plan *plan, int from, int to, enum plan_kind kind, int block, int count);
void plan_message_list(struct plan *plan, int from, int to, enum plan_kind kind, int list,
                       int count);
/* Joins the step appended last, a send, to the one of its rank before it: of the same list, to
 * another rank. */
void plan_join(struct plan *plan);
/* Appends one step to the list of `rank` only. */
void plan_step(struct plan *plan, int rank, enum plan_kind kind, int peer, int list, int count);

/* Notes an error that plan_finish() shall report, when it is the first. */
void plan_fail(struct plan *plan, int error);

/* Sorts the steps by rank and matches sends with receives. HN_OK, HN_ENOMEM, or HN_EPLAN when a
 * call before was not valid. */
int plan_finish(struct plan *plan);

/* Of a finished plan: bytes of the message of a step; number of messages. */
int64_t plan_step_bytes(const struct plan *plan, const struct plan_step *step);
int plan_message_count(const struct plan *plan);
/* The cost of sending them, in quarters of a message: each receiver of a multicast but the first
 * costs about a quarter of what a message to it alone would. */
int64_t plan_message_quarters(const struct plan *plan);
/* A number that plans of the same steps have in common, and others hardly ever. */
uint64_t plan_hash(const struct plan *plan);
/* The how manyth of the messages that a rank sends one right after the other to different ranks
 * this step's is; a multicast is one.  At most 64. */
int plan_step_turn(const struct plan *plan, int rank, const struct plan_step *step);
/* The most blocks that any part was cut into. */
int plan_segments(const struct plan *plan);
