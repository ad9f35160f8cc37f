/* volume.c - bytes across the border of a set of ranks, in closed form for each operation.
 *
 * What ranks outside need from inside must cross the border at least once, whatever the plan.  Sums
 * are combined before they cross, so they count once. */
#include "model/bounds/volume.h"

#include "hnow.h"

#include <stdlib.h>

/* Sums of rows and columns make a set of ranks cost O(count), except for what is inside. */
int volume_begin(struct volume *v, const struct request *req)
{
    int n = req->ranks;
    *v = (struct volume){.req = req};
    if (req->op == OP_ALLTOALL) {
        v->row = calloc((size_t)n, sizeof *v->row);
        v->col = calloc((size_t)n, sizeof *v->col);
        if (!v->row || !v->col)
            return HN_ENOMEM;
    }
    for (int part = 0; part < request_parts(req); part++) {
        int64_t bytes = request_part_bytes(req, part);
        v->total += bytes;
        if (v->row) {
            v->row[part / n] += bytes;
            v->col[part % n] += bytes;
        }
    }
    return HN_OK;
}

void volume_end(struct volume *v)
{
    free(v->row);
    free(v->col);
}

/* Binary search: members are ascending. */
static bool holds(const int *members, int count, int rank)
{
    for (int low = 0, high = count; low < high;) {
        int middle = low + (high - low) / 2;
        if (members[middle] == rank)
            return true;
        if (members[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Bytes of the parts that belong to members: their own in operations with a part for each rank. */
static int64_t own(const struct volume *v, const int *members, int count)
{
    int64_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += request_part_bytes(v->req, members[i]);
    return bytes;
}

/* Parts inside the set cross no border. */
static struct crossing pairs_crossing(const struct volume *v, const int *members, int count)
{
    struct crossing c = {0, 0};
    int64_t inside = 0;
    for (int i = 0; i < count; i++) {
        c.in += v->col[members[i]];
        c.out += v->row[members[i]];
        for (int k = 0; k < count; k++)
            inside += request_part_bytes(v->req, members[i] * v->req->ranks + members[k]);
    }
    return (struct crossing){c.in - inside, c.out - inside};
}

/* For a scan: a rank outside precedes a member, or a member precedes a rank outside. */
static struct crossing scan_crossing(const struct volume *v, const int *members, int count)
{
    bool is_first = members[count - 1] == count - 1; /* the set is 0 ... count - 1 */
    bool is_last = members[0] == v->req->ranks - count;
    return (struct crossing){is_first ? 0 : v->total, is_last ? 0 : v->total};
}

/* A message that some rank on the other side wants crosses once. */
static struct crossing messages_crossing(const struct request *req, const int *members, int count)
{
    struct crossing c = {0, 0};
    for (int k = 0; k < req->message_count; k++) {
        const struct multicast_message *m = &req->messages[k];
        int member = 0;
        bool in = false, out = false;
        for (int rank = 0; rank < req->ranks && !(in && out); rank++) {
            bool inside = member < count && members[member] == rank;
            member += inside;
            in = in || (inside && m->wants[rank]);
            out = out || (!inside && m->wants[rank]);
        }
        bool ours = holds(members, count, m->source);
        c.in += in && !ours ? m->bytes : 0;
        c.out += out && ours ? m->bytes : 0;
    }
    return c;
}

/* The empty set and the set of all ranks have no border. */
struct crossing volume_crossing(const struct volume *v, const int *members, int count)
{
    const struct request *req = v->req;
    if (count == 0 || count == req->ranks)
        return (struct crossing){0, 0};
    bool root = holds(members, count, req->root);
    switch (req->op) {
    /* A broadcast crosses into the set if the root is outside, else out of it.  A reduction does
     * the reverse. */
    case OP_BCAST:
        return (struct crossing){root ? 0 : v->total, root ? v->total : 0};
    case OP_REDUCE:
        return (struct crossing){root ? v->total : 0, root ? 0 : v->total};
    case OP_ALLREDUCE:
        return (struct crossing){v->total, v->total};
    /* In operations with parts, `mine` is what belongs to the members. */
    case OP_SCATTER: {
        int64_t mine = own(v, members, count);
        return (struct crossing){root ? 0 : mine, root ? v->total - mine : 0};
    }
    case OP_GATHER: {
        int64_t mine = own(v, members, count);
        return (struct crossing){root ? v->total - mine : 0, root ? 0 : mine};
    }
    case OP_ALLGATHER:
    case OP_ALLGATHERV: {
        int64_t mine = own(v, members, count);
        return (struct crossing){v->total - mine, mine};
    }
    case OP_REDUCE_SCATTER: {
        int64_t mine = own(v, members, count);
        return (struct crossing){mine, v->total - mine};
    }
    case OP_ALLTOALL:
        return pairs_crossing(v, members, count);
    case OP_SCAN:
    case OP_EXSCAN:
        return scan_crossing(v, members, count);
    case OP_MULTIMULTICAST:
        return messages_crossing(req, members, count);
    default:
        return (struct crossing){0, 0};
    }
}
