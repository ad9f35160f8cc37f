/* operation.c - the meaning of each operation, as a table (operation.h says how it is read). */
#include "plan/operation.h"

#include "hnow.h"

#include <string.h>

/* Which ranks a part concerns.  OWNER: part r is that of rank r.  SOURCE, DESTINATION: part i n + k
 * goes from i to k.  LATER: all but rank 0.  SENDER, LISTED: those of a message. */
enum who {
    WHO_ROOT,
    WHO_ALL,
    WHO_OWNER,
    WHO_SOURCE,
    WHO_DESTINATION,
    WHO_LATER,
    WHO_SENDER,
    WHO_LISTED
};
/* How the data are divided: one part for all, one for each rank, for each pair, or for each
 * message. */
enum parts { PARTS_ONE, PARTS_RANKS, PARTS_PAIRS, PARTS_MESSAGES };

/* Who contributes to a part, and who wants it, for each operation. */
static const struct {
    const char *name, *alias;
    enum parts parts;
    enum who from, to;
} operations[OP_COUNT] = {
    [OP_BCAST] = {"bcast", "broadcast", PARTS_ONE, WHO_ROOT, WHO_ALL},
    [OP_BARRIER] = {"barrier", "barrier", PARTS_ONE, WHO_ALL, WHO_ALL},
    [OP_REDUCE] = {"reduce", "reduce", PARTS_ONE, WHO_ALL, WHO_ROOT},
    [OP_ALLREDUCE] = {"allreduce", "all-reduce", PARTS_ONE, WHO_ALL, WHO_ALL},
    [OP_SCATTER] = {"scatter", "scatterv", PARTS_RANKS, WHO_ROOT, WHO_OWNER},
    [OP_GATHER] = {"gather", "gatherv", PARTS_RANKS, WHO_OWNER, WHO_ROOT},
    [OP_ALLGATHER] = {"allgather", "all-gather", PARTS_RANKS, WHO_OWNER, WHO_ALL},
    [OP_ALLGATHERV] = {"allgatherv", "all-gatherv", PARTS_RANKS, WHO_OWNER, WHO_ALL},
    [OP_ALLTOALL] = {"alltoall", "alltoallv", PARTS_PAIRS, WHO_SOURCE, WHO_DESTINATION},
    [OP_REDUCE_SCATTER] = {"reduce_scatter", "reduce-scatter", PARTS_RANKS, WHO_ALL, WHO_OWNER},
    [OP_SCAN] = {"scan", "scan", PARTS_ONE, WHO_ALL, WHO_ALL},
    [OP_EXSCAN] = {"exscan", "exscan", PARTS_ONE, WHO_ALL, WHO_LATER},
    [OP_MULTIMULTICAST] = {"multimulticast", "multiple-multicast", PARTS_MESSAGES, WHO_SENDER,
                           WHO_LISTED},
};

enum operation operation_named(const char *name)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (strcmp(name, operations[op].name) == 0 || strcmp(name, operations[op].alias) == 0)
            return (enum operation)op;
    return OP_COUNT;
}

const char *operation_name(enum operation op)
{
    return operations[op].name;
}

bool operation_rooted(enum operation op)
{
    return operations[op].from == WHO_ROOT || operations[op].to == WHO_ROOT;
}

int request_parts(const struct request *req)
{
    switch (operations[req->op].parts) {
    case PARTS_ONE:
        return 1;
    case PARTS_RANKS:
        return req->ranks;
    case PARTS_MESSAGES:
        return req->messages ? req->message_count : 0;
    default:
        return req->ranks * req->ranks;
    }
}

int64_t request_part_bytes(const struct request *req, int part)
{
    if (req->op == OP_BARRIER)
        return 0;
    if (req->messages)
        return req->messages[part].bytes;
    return req->sizes ? req->sizes[part] : req->bytes;
}

/* Whether a part concerns a rank in this role. */
static bool concerns(const struct request *req, enum who who, int rank, int part)
{
    switch (who) {
    case WHO_ROOT:
        return rank == req->root;
    case WHO_ALL:
        return true;
    case WHO_OWNER:
        return rank == part;
    case WHO_SOURCE:
        return rank == part / req->ranks;
    case WHO_LATER:
        return rank > 0;
    case WHO_SENDER:
        return rank == req->messages[part].source;
    case WHO_LISTED:
        return req->messages[part].wants[rank];
    default:
        return rank == part % req->ranks;
    }
}

bool request_contributes(const struct request *req, int rank, int part)
{
    return concerns(req, operations[req->op].from, rank, part);
}

bool request_wants(const struct request *req, int rank, int part)
{
    return concerns(req, operations[req->op].to, rank, part);
}

/* A range of ranks that includes all concerned ones; one rank where the role has one. */
static void concerned(const struct request *req, enum who who, int part, int *first, int *count)
{
    int n = req->ranks;
    bool one = who != WHO_ALL && who != WHO_LATER && who != WHO_LISTED;
    *first = who == WHO_ROOT          ? req->root
             : who == WHO_OWNER       ? part
             : who == WHO_SOURCE      ? part / n
             : who == WHO_DESTINATION ? part % n
             : who == WHO_SENDER      ? req->messages[part].source
                                      : 0;
    *count = one ? 1 : n;
}

void request_contributors(const struct request *req, int part, int *first, int *count)
{
    concerned(req, operations[req->op].from, part, first, count);
}

void request_wanters(const struct request *req, int part, int *first, int *count)
{
    concerned(req, operations[req->op].to, part, first, count);
}

/* The parts to which a rank contributes, as a range that may include others. */
void request_contributed(const struct request *req, int rank, int *first, int *count)
{
    enum who from = operations[req->op].from;
    bool all = from == WHO_ALL || from == WHO_SENDER || (from == WHO_ROOT && rank == req->root);
    *first = from == WHO_OWNER ? rank : from == WHO_SOURCE ? rank * req->ranks : 0;
    *count = from == WHO_OWNER ? 1 : from == WHO_SOURCE ? req->ranks : all ? request_parts(req) : 0;
}

/* The prefix operations give each rank another result for the same part. */
bool request_same_for_all(const struct request *req)
{
    return req->op != OP_SCAN && req->op != OP_EXSCAN;
}

/* Whether `to` needs the contribution of `from`: of a prefix operation only those before it. */
bool request_needs(const struct request *req, int to, int from, int part)
{
    if (req->op == OP_SCAN)
        return from <= to;
    if (req->op == OP_EXSCAN)
        return from < to;
    return request_wants(req, to, part) && request_contributes(req, from, part);
}

/* Each destination of each message counts once. */
int request_deliveries(const struct request *req)
{
    int count = 0;
    for (int k = 0; k < req->message_count; k++)
        for (int rank = 0; rank < req->ranks; rank++)
            count += req->messages[k].wants[rank];
    return count;
}

bool request_combines(const struct request *req)
{
    return operations[req->op].from == WHO_ALL;
}

static int refuse(const char **what, const char *why)
{
    *what = why;
    return HN_EARG;
}

static int check_messages(const struct request *req, const char **what)
{
    if (!req->messages || req->message_count < 1)
        return refuse(what, "a multiple multicast needs messages");
    for (int k = 0; k < req->message_count; k++) {
        const struct multicast_message *m = &req->messages[k];
        if (m->source < 0 || m->source >= req->ranks)
            return refuse(what, "the source of a message is no member");
        if (m->wants[m->source])
            return refuse(what, "the source of a message is among its destinations");
    }
    return HN_OK;
}

int request_check(const struct request *req, const char **what)
{
    if (req->op >= OP_COUNT)
        return refuse(what, "there is no such operation");
    if (req->ranks < 1)
        return refuse(what, "a collective operation needs a member");
    if (req->root < 0 || req->root >= req->ranks)
        return refuse(what, "the root is no member");
    if (req->grain < 1)
        return refuse(what, "the size of an element must be positive");
    if (operations[req->op].parts == PARTS_PAIRS && req->ranks > 16384)
        return refuse(what, "too many members for an operation with a part for every pair");
    if (operations[req->op].parts == PARTS_MESSAGES && check_messages(req, what))
        return HN_EARG;
    int64_t total = 0;
    for (int part = 0; part < request_parts(req); part++) {
        int64_t bytes = request_part_bytes(req, part);
        if (bytes < 0 || bytes % req->grain != 0)
            return refuse(what, "a size is negative or no multiple of the element's");
        /* A quarter of the range: sums of a few totals cannot overflow. */
        if (bytes > INT64_MAX / 4 - total)
            return refuse(what, "the sizes are too large");
        total += bytes;
    }
    return HN_OK;
}
