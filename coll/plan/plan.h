/* plan.h - the plan of a collective operation: who sends which blocks to whom, in which order.
 *
 * The data of an operation is cut into numbered blocks. Every rank holds one value of each block
 * (its own contribution at first, or nothing) and has an ordered list of steps:
 *
 *     SEND        sends the values of these blocks to a peer; continues after the start-up S
 *     RECV        waits for values from a peer; they replace the rank's own
 *     FOLD_LEFT   waits for values from a peer; own := (incoming) o (own)
 *     FOLD_RIGHT  waits for values from a peer; own := (own) o (incoming)
 *
 * The k-th send from i to j matches the k-th receive at j from i. A send from a rank to itself is
 * no message and costs nothing: the rank keeps the value for the matching receive, even if the
 * block changes in between. Planners make plans; the checker, the simulator, the drawings and the
 * executor only read them.
 *
 * In a subnet that carries multicasts one message may reach several peers. It is a SEND followed by
 * sends of the same blocks that are `joined` to it (plan_join()). On other networks the joined
 * sends are separate messages.
 *
 * To make a plan: plan_new(), a plan_cut...() into blocks, then plan_message() for every message,
 * in an order in which the messages can happen. Each call appends a step to the lists of both
 * ranks; plan_step() appends to one list only. plan_finish() ends it. The first failure sticks
 * until plan_finish() reports it, so planners need not check every call.
 *
 * Memory: 20 bytes a step. The sender and the receiver of a message share its list of blocks.
 */
#pragma once

#include "plan/operation.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum plan_kind { PLAN_SEND, PLAN_RECV, PLAN_FOLD_LEFT, PLAN_FOLD_RIGHT };

/* A step of one rank. Steps of a finished plan never change, so threads may share it. */
struct plan_step {
    int32_t peer;  /* rank at the other end */
    int32_t list;  /* the blocks are plan->lists[list ... list + count - 1] */
    int32_t count; /* >= 0 */
    int32_t match; /* index of the matching step at the peer; -1: none */
    uint8_t kind;  /* enum plan_kind */
    bool joined;   /* of a SEND: one multicast with the send before it (plan_join()) */
};

/* A block is a piece of one part of the operation's data. */
struct plan_block {
    int64_t offset; /* in the part, in bytes */
    int64_t bytes;
    int32_t part;
};

/* Bytes of a plan's name: a composed planner and two stages, each with a segment size. */
enum { PLAN_NAME_ROOM = 80 };

struct plan_draft; /* the steps before plan_finish(), in the order in which they were appended */

/* A plan. Before plan_finish() only `draft` contains steps, and first[] and steps[] are NULL. */
struct plan {
    int ranks;
    int block_count;
    struct plan_block *blocks;
    int *part_first;           /* blocks of part p: part_first[p] ... part_first[p + 1] - 1 */
    int32_t *lists;            /* block numbers; begins with 0, 1, ..., block_count - 1 */
    int32_t *first;            /* steps of rank r: steps[first[r] ... first[r + 1] - 1] */
    struct plan_step *steps;   /* in the order of ranks */
    char name[PLAN_NAME_ROOM]; /* in the form of choice_text(); "": the plan was made by hand */
    int64_t segment;           /* size at which parts were cut; 0: not cut */
    uint32_t mark; /* hash of plan and request, part of a message's tag (plan_order.c); 0: none */
    struct plan_draft *draft;
    atomic_uint holders; /* references besides the first one: plan_hold() */
};

struct plan *plan_new(int ranks); /* NULL: out of memory */
/* Releases one reference; the last one frees the plan. */
void plan_free(struct plan *plan);
/* Takes one more reference. */
void plan_hold(struct plan *plan);

/* Cuts every part of the request into blocks of at most `segment` bytes (0: one block a part). */
void plan_cut(struct plan *plan, const struct request *req, int64_t segment);
/* Cuts every part into `pieces` blocks whose sizes differ by at most one grain. */
void plan_cut_pieces(struct plan *plan, const struct request *req, int pieces);
/* Cuts every part at those positions that lie in it. at[] holds bytes from the beginning of the
 * first part: multiples of the grain, ascending. */
void plan_cut_at(struct plan *plan, const struct request *req, const int64_t *at, int count);

/* Adds a list of blocks for the calls below, which keep its number. The blocks are copied. */
int plan_list(struct plan *plan, const int *blocks, int count);
/* Appends a message: SEND to the list of `from`, `kind` to the list of `to`. Its blocks are `count`
 * consecutive ones from `block` on, or those of a list. */
void plan_message(struct plan *plan, int from, int to, enum plan_kind kind, int block, int count);
void plan_message_list(struct plan *plan, int from, int to, enum plan_kind kind, int list,
                       int count);
/* Joins the step appended last to the step of the same rank before it. Both must be sends of the
 * same list, to different ranks. */
void plan_join(struct plan *plan);
/* Appends one step to the list of `rank` only. The caller appends the matching one. */
void plan_step(struct plan *plan, int rank, enum plan_kind kind, int peer, int list, int count);

/* Records an error for plan_finish(), unless one is recorded already. */
void plan_fail(struct plan *plan, int error);

/* Sorts the steps by rank and matches sends with receives. HN_OK, HN_ENOMEM, or HN_EPLAN when an
 * earlier call had invalid arguments. */
int plan_finish(struct plan *plan);

/* These need a finished plan. Bytes of the message of a step; number of messages. */
int64_t plan_step_bytes(const struct plan *plan, const struct plan_step *step);
int plan_message_count(const struct plan *plan);
/* The sending cost of all messages, in quarters of a message. Each receiver of a multicast but the
 * first costs about a quarter of a message of its own. */
int64_t plan_message_quarters(const struct plan *plan);
/* A hash of all steps: equal plans have equal hashes, others almost never. */
uint64_t plan_hash(const struct plan *plan);
/* Position of a send in its run: messages that a rank sends without a receive in between, each to
 * another rank. A multicast counts once. From 1 on, at most 64. */
int plan_step_position(const struct plan *plan, int rank, const struct plan_step *step);
/* The largest number of blocks of any part. */
int plan_segments(const struct plan *plan);
