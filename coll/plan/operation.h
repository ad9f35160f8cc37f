/* operation.h - what a plan has to achieve: an operation, its members, its sizes.
 *
 * All operations have one form: the data consists of `parts`; some ranks contribute to a part, and
 * some ranks want the complete part.
 *
 *     operation       parts  contributed by   wanted by
 *     bcast           1      the root         all
 *     barrier         1      all (0 bytes)    all
 *     reduce          1      all              the root
 *     allreduce       1      all              all
 *     scatter(v)      n      the root         part r by rank r
 *     gather(v)       n      part r by r      the root
 *     allgather(v)    n      part r by r      all
 *     alltoall(v)     n * n  part s*n+d by s  part s*n+d by d
 *     reduce_scatter  n      all              part r by rank r
 *     scan            1      all              all: rank r the contributions of 0 ... r
 *     exscan          1      all              all but 0: rank r the contributions of 0 ... r - 1
 *     multimulticast  any    the source of    the destinations of
 *                            message p        message p (Wu: multiple multicast)
 *
 * Planners, checker, lower bounds and executor use only these functions. So most of their code does
 * not depend on the operation.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Operations of plans.  Variants with different sizes have no number of their own (request.sizes),
 * except ALLGATHERV.  kind.h begins with the same numbers. */
enum operation {
    OP_BCAST,
    OP_BARRIER,
    OP_REDUCE,
    OP_ALLREDUCE,
    OP_SCATTER,
    OP_GATHER,
    OP_ALLGATHER,
    OP_ALLGATHERV,
    OP_ALLTOALL,
    OP_REDUCE_SCATTER,
    OP_SCAN,
    OP_EXSCAN,
    OP_MULTIMULTICAST,
    OP_COUNT
};

#define OP_BIT(op) (1u << (op))

/* A message of a multiple multicast. */
struct multicast_message {
    int source;
    int64_t bytes;
    const bool *wants; /* [rank]: it is a destination; the source is none */
};

/* A request does not change while plans are made for it. The arrays belong to its creator. */
struct request {
    enum operation op;
    int ranks;            /* members, >= 1 */
    int root;             /* of rooted operations; else 0 */
    int64_t bytes;        /* of every part, if sizes is NULL */
    const int64_t *sizes; /* or the size of each part; owned by the caller */
    int64_t grain;        /* parts are cut at multiples of this (the element), >= 1 */
    bool ordered;         /* the operator does not commute: combine in the order of ranks */
    const struct multicast_message *messages; /* the parts of a multiple multicast; the caller's */
    int message_count;
    bool steady; /* results are rounded, so all calls must follow one plan and give equal bits */
};

/* The operation of this name on the command line ("bcast", also "broadcast"), or OP_COUNT. */
enum operation operation_named(const char *name);
const char *operation_name(enum operation op);
bool operation_rooted(enum operation op);

/* HN_OK, or HN_EARG when a number is out of range or the sum of sizes overflows; *what then says
 * which. */
int request_check(const struct request *req, const char **what);

/* Number of parts, and the size of one in bytes. */
int request_parts(const struct request *req);
int64_t request_part_bytes(const struct request *req, int part);
/* Whether `rank` contributes to (wants) `part`. */
bool request_contributes(const struct request *req, int rank, int part);
bool request_wants(const struct request *req, int rank, int part);
/* The ranks first ... first + count - 1 include all that contribute to (want) a part; some of them
 * may not. */
void request_contributors(const struct request *req, int part, int *first, int *count);
void request_wanters(const struct request *req, int part, int *first, int *count);
/* The parts to which a rank can contribute: first ... first + count - 1. */
void request_contributed(const struct request *req, int rank, int *first, int *count);
/* Whether the value of `part` that `to` wants includes the contribution of `from`. */
bool request_needs(const struct request *req, int to, int from, int part);
/* Whether all ranks that want a part want the same contributions; false for scans. */
bool request_same_for_all(const struct request *req);
/* Number of (message, destination) pairs of a multiple multicast. */
int request_deliveries(const struct request *req);
/* Whether parts are combined from several contributions. */
bool request_combines(const struct request *req);
