/* multimulticast.c - lists of messages: checked, compared among the members, and copied
 * (multimulticast.h).
 *
 * A digest is BLAKE2b (256 bits) of what all members must agree about: the type, and of each
 * message the source, the length and the set of destinations.  A member whose own list is wrong
 * sends a digest of ones instead.
 *
 * Cost: O(messages * members) bytes and operations; one allgather of 32 bytes a member.
 */
#include "wire/multimulticast.h"

#include "wire/argument_error.h"
#include "wire/call.h"

#include "runtime/internal.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { DIGEST_BYTES = 8 * MULTIMULTICAST_DIGEST }; /* of so many u64 */

/* ---- reading ---------------------------------------------------------------------------- */

/* Allocates messages, with their sets of destinations behind them; NULL: out of memory. One block
 * of memory, so that free(messages) frees all. The sets are arrays of bool, which need no
 * alignment. */
static struct multicast_message *new_messages(int count, int ranks)
{
    size_t each = sizeof(struct multicast_message) + (size_t)ranks, bytes;
    if (__builtin_mul_overflow(each, (size_t)count, &bytes))
        return NULL;
    struct multicast_message *messages = calloc(1, bytes);
    bool *wants = messages ? (bool *)(messages + count) : NULL;
    for (int k = 0; k < count && messages; k++)
        messages[k].wants = wants + (size_t)k * (size_t)ranks;
    return messages;
}

/* Returns what is wrong, or NULL. wants[] must be all false. */
static const char *read_destinations(const hn_multicast_message *from, int ranks, bool *wants)
{
    if (from->n < 0 || from->n >= ranks)
        return "the number of its destinations is not from 0 to the number of other members";
    if (from->n > 0 && !from->to)
        return "it has no list of destinations";
    for (int i = 0; i < from->n; i++) {
        int to = from->to[i];
        if (to < 0 || to >= ranks)
            return "a destination is not a rank in the group";
        if (to == from->source || wants[to])
            return "a rank is twice among its source and destinations";
        wants[to] = true;
    }
    return NULL;
}

/* Reads one message of the caller's list.  Returns what is wrong, or NULL. */
static const char *read_message(const hn_multicast_message *from, int ranks, hn_type type,
                                struct multicast_message *message)
{
    bool *wants = (bool *)message->wants;
    if (from->source < 0 || from->source >= ranks)
        return "its source is not a rank in the group";
    message->source = from->source;
    /* A longer object cannot exist. */
    if (__builtin_mul_overflow(from->count, hn_type_size(type), &message->bytes) ||
        message->bytes > PTRDIFF_MAX)
        return "its count is too large";
    return read_destinations(from, ranks, wants);
}

static bool sends(const struct multicast_message *message, int rank, int destinations)
{
    return message->source == rank && destinations > 0;
}

/* Describes what is wrong with the buffer of a message, if the caller needs one. Only buffers that
 * this member uses are examined: those of other members' messages may be NULL. */
static const char *check_buffer(const struct multimulticast *m, int k, int rank, hn_type type)
{
    const struct multicast_message *message = &m->messages[k];
    const void *data = m->listed[k].data;
    bool uses = rank >= 0 && (sends(message, rank, m->listed[k].n) || message->wants[rank]);
    if (!uses || message->bytes == 0)
        return NULL;
    if (!data || data == HN_IN_PLACE)
        return "the caller has no buffer for it";
    return memory_spans(data, m->listed[k].count, hn_type_size(type))
               ? NULL
               : "its count is too large: the caller's buffer ends before";
}

int multimulticast_read(struct multimulticast *m, int ranks, int rank, hn_type type)
{
    m->fault_at = -1;
    m->fault = m->count < 0                 ? "the number of messages is negative"
               : m->count > 0 && !m->listed ? "there is no list of messages"
                                            : NULL;
    if (m->fault)
        return HN_OK;
    /* An empty list counts as one message of 0 bytes without destinations. */
    int room = m->count > 0 ? m->count : 1;
    m->messages = new_messages(room, ranks);
    m->data = calloc((size_t)room, sizeof *m->data);
    if (!m->messages || !m->data)
        return HN_ENOMEM;
    /* The first fault ends the reading; the text names its message. */
    for (int k = 0; k < m->count && !m->fault; k++) {
        m->fault_at = k;
        m->fault = read_message(&m->listed[k], ranks, type, &m->messages[k]);
        if (!m->fault)
            m->fault = check_buffer(m, k, rank, type);
        m->data[k] = m->listed[k].data == HN_IN_PLACE ? NULL : m->listed[k].data;
    }
    return HN_OK;
}

/* After an error of reading, too.  The caller's list is not freed. */
void multimulticast_end(struct multimulticast *m)
{
    free(m->messages);
    free(m->data);
}

int multimulticast_check(const struct multimulticast *m)
{
    if (!m->fault)
        return HN_OK;
    return m->fault_at < 0 ? error_set(HN_EARG, "%s", m->fault)
                           : error_set(HN_EARG, "message %d: %s", m->fault_at, m->fault);
}

/* ---- comparing -------------------------------------------------------------------------- */

static void hash_number(crypto_generichash_state *state, int64_t number)
{
    uint8_t bytes[8];
    bytes_put64(bytes, (uint64_t)number);
    crypto_generichash_update(state, bytes, sizeof bytes);
}

/* The digest is of the sets, not of the lists: the order of destinations is of no importance. */
static void put_digest(const struct multimulticast *m, int ranks, hn_type type,
                       uint64_t digest[MULTIMULTICAST_DIGEST])
{
    crypto_generichash_state state;
    uint8_t bytes[DIGEST_BYTES];
    crypto_generichash_init(&state, NULL, 0, sizeof bytes);
    hash_number(&state, type);
    hash_number(&state, m->count);
    for (int k = 0; k < m->count; k++) {
        /* Numbers of fixed size and byte order, so that machines of all kinds compute equal
         * digests. */
        hash_number(&state, m->messages[k].source);
        hash_number(&state, m->messages[k].bytes);
        crypto_generichash_update(&state, (const uint8_t *)m->messages[k].wants, (size_t)ranks);
    }
    crypto_generichash_final(&state, bytes, sizeof bytes);
    for (int i = 0; i < MULTIMULTICAST_DIGEST; i++)
        digest[i] = bytes_get64(bytes + 8 * i);
}

/* Prepares the exchange of digests. Sizes are taken from this member's own list, and are used only
 * if all lists are equal. */
int multimulticast_open(struct call *call)
{
    struct multimulticast *m = &call->targets.multi;
    int ranks = call->req.ranks;
    if (multimulticast_read(m, ranks, call->x.rank, call->type))
        return HN_ENOMEM;
    call->req.messages = m->fault ? NULL : m->messages;
    call->req.message_count = m->fault ? 0 : m->count > 0 ? m->count : 1;
    call->room.sizes = calloc((size_t)call->req.message_count + 1, sizeof *call->room.sizes);
    call->room.shared = calloc((size_t)ranks * MULTIMULTICAST_DIGEST, sizeof *call->room.shared);
    if (!call->room.sizes || !call->room.shared)
        return HN_ENOMEM;
    call->req.sizes = call->room.sizes;
    for (int k = 0; k < call->req.message_count; k++)
        call->room.sizes[k] = m->messages[k].bytes;
    uint64_t *mine = call->room.shared + (size_t)call->x.rank * MULTIMULTICAST_DIGEST;
    /* A wrong list is announced by a digest of ones, so that all members fail alike. */
    if (m->fault)
        memset(mine, 0xff, DIGEST_BYTES);
    else
        put_digest(m, ranks, call->type, mine);
    return HN_OK;
}

static const uint64_t *digest_of(const struct call *call, int rank)
{
    return call->room.shared + (size_t)rank * MULTIMULTICAST_DIGEST;
}

static bool same_digest(const struct call *call, int a, int b)
{
    return memcmp(digest_of(call, a), digest_of(call, b), DIGEST_BYTES) == 0;
}

static bool is_faulty(const struct call *call, int rank)
{
    const uint64_t *digest = digest_of(call, rank);
    bool ones = true;
    for (int i = 0; i < MULTIMULTICAST_DIGEST; i++)
        ones = ones && digest[i] == UINT64_MAX;
    return ones;
}

/* The first member whose list most members have.  O(members^2) comparisons, only after an error. */
static int most_common(const struct call *call)
{
    int best = 0, most = 0;
    for (int rank = 0; rank < call->req.ranks; rank++) {
        int count = 0;
        for (int other = 0; other < call->req.ranks; other++)
            count += same_digest(call, rank, other);
        best = count > most ? rank : best;
        most = count > most ? count : most;
    }
    return best;
}

/* Sets the error. All members name the same member. reference: a member with the list of most
 * members; -1: the list of `rank` is wrong. */
static int blame(const struct call *call, int rank, int reference)
{
    const char *name = kind_name(call->kind), *host = tids_host(call->x.tids[rank]);
    if (rank != call->x.rank)
        return error_set(HN_EARG, "%s: task %d on host %s (rank %d) %s", name, call->x.tids[rank],
                         host, rank,
                         reference < 0 ? "has ended it with an error: an argument is not valid"
                                       : "lists other messages than most members");
    if (reference < 0)
        return argument_error_name(call->kind, multimulticast_check(&call->targets.multi));
    return error_set(HN_EARG, "%s: rank %d and most members list other messages than the caller",
                     name, reference);
}

/* A wrong list counts before a different one. Without either, all lists equal that of rank 0. */
int multimulticast_agree(const struct call *call)
{
    int differs = -1;
    for (int rank = 0; rank < call->req.ranks; rank++) {
        if (is_faulty(call, rank))
            return blame(call, rank, -1);
        differs = differs < 0 && !same_digest(call, rank, 0) ? rank : differs;
    }
    if (differs < 0)
        return HN_OK;
    int reference = most_common(call);
    /* If rank 0 itself differs from most members, it is named. */
    return blame(call, reference == 0 ? differs : 0, reference);
}

/* ---- buffers ---------------------------------------------------------------------------- */

/* Only messages of the caller need a buffer; others pass through. */
static bool is_own(const struct call *call, int k)
{
    const struct multicast_message *message = &call->req.messages[k];
    return message->source == call->x.rank || message->wants[call->x.rank];
}

/* Bytes of all messages that the caller sends or receives. Buffers of more bytes than the address
 * space cannot exist. */
static size_t own_bytes(const struct call *call)
{
    size_t total = 0;
    for (int k = 0; k < call->req.message_count; k++)
        total += is_own(call, k) ? (size_t)call->room.sizes[k] : 0;
    return total;
}

/* With widened elements all own messages are in one copy, one after the other. */
int multimulticast_lay_out(struct call *call)
{
    uint8_t *copy = call->widened.out_copy;
    for (int k = 0; k < call->req.message_count; k++) {
        if (!is_own(call, k))
            continue;
        call->room.places[k] = call->widened.type ? copy : call->targets.multi.data[k];
        if (call->widened.type)
            copy += call->room.sizes[k];
    }
    return HN_OK;
}

/* Converts between the caller's buffers and the copy: sent data, or (back) received data. */
static int convert(const struct call *call, bool back)
{
    hn_type narrow = call->widened.type, wide = call->type;
    bool big = type_machine_is_big_endian();
    uint8_t *copy = call->widened.out_copy;
    int error = HN_OK;
    for (int k = 0; k < call->req.message_count && !error; k++) {
        size_t count = (size_t)call->room.sizes[k] / type_size(wide);
        bool sent = call->req.messages[k].source == call->x.rank;
        if (!is_own(call, k))
            continue;
        if (back && !sent)
            error = type_convert(copy, wide, big, call->targets.multi.data[k], narrow, count);
        else if (!back && sent && call->targets.multi.data[k])
            error = type_convert(call->targets.multi.data[k], narrow, big, copy, wide, count);
        copy += call->room.sizes[k];
    }
    return error;
}

int multimulticast_widen_in(struct call *call)
{
    if (!call->widened.out_copy)
        call->widened.out_copy = malloc(own_bytes(call) + 1);
    return call->widened.out_copy ? convert(call, false) : HN_ENOMEM;
}

int multimulticast_widen_out(const struct call *call)
{
    return convert(call, true);
}

/* ---- messages of requests --------------------------------------------------------------- */

/* The source array `wants` of a copy is its own, so it is set again after the structures are
 * copied. */
struct multicast_message *multimulticast_copy(const struct request *req)
{
    struct multicast_message *copy = new_messages(req->message_count, req->ranks);
    for (int k = 0; k < req->message_count && copy; k++) {
        const bool *wants = copy[k].wants;
        memcpy((bool *)wants, req->messages[k].wants, (size_t)req->ranks);
        copy[k] = req->messages[k];
        copy[k].wants = wants;
    }
    return copy;
}

bool multimulticast_same(const struct request *a, const struct request *b)
{
    bool same = a->message_count == b->message_count;
    for (int k = 0; k < a->message_count && same; k++) {
        const struct multicast_message *one = &a->messages[k], *other = &b->messages[k];
        same = one->source == other->source && one->bytes == other->bytes &&
               memcmp(one->wants, other->wants, (size_t)a->ranks) == 0;
    }
    return same;
}

/* FNV-1a */
static uint32_t mix(uint32_t hash, uint32_t value)
{
    return (hash ^ value) * 16777619u;
}

uint32_t multimulticast_hash(const struct request *req)
{
    uint32_t hash = mix(2166136261u, (uint32_t)req->message_count);
    for (int k = 0; k < req->message_count; k++) {
        /* Lengths of the same magnitude share a decision, as for other operations. */
        uint32_t magnitude = 0;
        while (req->messages[k].bytes >> magnitude > 0)
            magnitude++;
        hash = mix(mix(hash, (uint32_t)req->messages[k].source), magnitude);
        for (int rank = 0; rank < req->ranks; rank++)
            hash = mix(hash, req->messages[k].wants[rank]);
    }
    return hash;
}
