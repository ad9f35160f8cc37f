/* match.c - how messages meet their receives (rules: match.h; queues: match_queue.h).
 *
 * If the receive is posted before its message arrives, the payload is read directly into the
 * receiver's buffer.  The byte order is then converted in place.  Only a conversion of element
 * sizes needs a buffer in between.  If the receive is posted while its message is arriving, the
 * first part is copied and the rest is read directly.
 *
 * Cost: each operation searches a queue from its head, O(queue length), or one bucket of its index
 * if the queue is long (match_index.h).
 *
 * A message passes through these states: described (on the stack), kept (in a queue, or claimed by
 * a receive), complete, freed.  `claim`, `handler` and `dropped` exclude each other.  A message on
 * `unexpected` has none of them.
 */
#include "match/match_queue.h"

#include "base/error.h"
#include "base/type.h"

#include <stdlib.h>
#include <string.h>

void match_init(struct match *m)
{
    list_init(&m->posted);
    list_init(&m->unexpected);
    list_init(&m->probing);
    list_init(&m->handlers);
    list_init(&m->handled);
    list_init(&m->argument_checks);
    m->argument_checker = (struct match_handler){0};
    m->posted_index = m->unexpected_index = (struct match_index){0};
    m->waits = m->closed = false;
    list_init(&m->ssend_acks);
    list_init(&m->due);
    m->ready = 0;
    m->kept = 0;
    m->incoming = m->outgoing = 0;
    m->finished = 0;
    m->pool = (struct pool){0};
    m->outbox = (struct outbox){0};
}

/* Its memory, as far as the limit of the inbox counts it: none if a receive has matched it.  While
 * it arrives, one frame is free: many connections can be inside a message, and the limit must be
 * left for what the task waits for. */
static size_t cost(const struct inbound *in)
{
    if (!in->owned || in->claim || in->dropped)
        return 0;
    if (match_is_whole(in))
        return pool_size(in->room) + pool_size(sizeof *in);
    return in->room > FRAME_PAYLOAD_MAX ? in->room - FRAME_PAYLOAD_MAX : 0;
}

/* Counts it anew, after a change of what cost() looks at. */
static void recount(struct match *m, struct inbound *in)
{
    m->incoming -= in->counted;
    in->counted = cost(in);
    m->incoming += in->counted;
}

/* Frees memory that the message owns; memory in a program's buffer is left alone. */
static void release_data(struct match *m, struct inbound *in)
{
    if (in->owned)
        pool_put(&m->pool, in->data, in->room);
    in->owned = false;
    in->data = NULL;
    recount(m, in);
}

static void inbound_free(struct match *m, struct inbound *in)
{
    release_data(m, in);
    match_dequeue(in);
    pool_put(&m->pool, in, sizeof *in);
}

/* Receives fail first, so that none of the freed messages is still claimed by a posted one. */
void match_clear(struct match *m)
{
    match_fail_all(m, HN_ESTATE);
    list_for_each_safe (n, &m->unexpected)
        inbound_free(m, list_entry(n, struct inbound, node));
    list_for_each_safe (n, &m->handled)
        inbound_free(m, list_entry(n, struct inbound, node));
    list_for_each_safe (n, &m->argument_checks)
        inbound_free(m, list_entry(n, struct inbound, node));
    list_for_each_safe (n, &m->ssend_acks) {
        list_remove(n);
        free(list_entry(n, struct match_ssend_ack, node));
    }
    match_index_free(&m->posted_index);
    match_index_free(&m->unexpected_index);
    pool_clear(&m->pool);
}

/* Handlers are asked in the order in which they were added. */
static struct match_handler *find_handler(const struct match *m, const struct inbound *in)
{
    list_for_each (n, &m->handlers) {
        struct match_handler *h = list_entry(n, struct match_handler, node);
        if (match_wants(h->from, h->tag, h->context, in))
            return h;
    }
    return NULL;
}

/* Whether the bytes can be read directly into the receiver's buffer: their elements have the final
 * size. */
static bool goes_direct(const struct hn_request *r, const struct inbound *in)
{
    if (r->cuts &&
        (in->total > r->count * type_size(r->type) || !type_compatible(in->info.type, r->type)))
        return false;
    return type_size(in->info.type) == type_size(r->type);
}

/* Allocates memory for `bytes` bytes. */
static bool own_data(struct match *m, struct inbound *in, size_t bytes)
{
    in->data = pool_get(&m->pool, bytes);
    if (!in->data)
        return false;
    in->room = bytes;
    in->owned = true;
    recount(m, in);
    return true;
}

/* Bytes that the next frame may complete.  A long message gets memory as it arrives, because a
 * hostile sender may claim any length. */
static size_t bytes_soon(const struct inbound *in)
{
    size_t rest = in->total - in->got;
    return in->got + (rest < FRAME_PAYLOAD_MAX ? rest : FRAME_PAYLOAD_MAX);
}

/* Doubles the memory, so that a message of n bytes is copied O(n) times in all.  Memory in the
 * receiver's buffer needs no room. */
bool match_make_room(struct match *m, struct inbound *in, size_t bytes)
{
    size_t need = in->got + bytes, more = in->total / 2 < in->room ? in->total : 2 * in->room;

    if (!in->owned || need <= in->room)
        return true;
    more = more > need ? more : need;
    uint8_t *grown = realloc(in->data, pool_size(more));
    if (!grown)
        return false;
    in->data = grown;
    in->room = more;
    recount(m, in);
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

/* Assigns each field: see request_init().  The flag that asks for an acknowledgement is no part of
 * the type that the program sees. */
static void describe(struct inbound *in, hn_tid from, const struct frame *f)
{
    list_init(&in->node);
    list_init(&in->same);
    in->info = (hn_info){.from = from,
                         .tag = f->tag,
                         .type = f->type & ~TYPE_ASKS,
                         .count = type_count(f->type, f->total)};
    in->asks = f->type & TYPE_ASKS;
    in->context = f->context;
    in->big_endian = f->flags & FRAME_BIG_ENDIAN;
    in->total = f->total;
    in->got = 0;
    in->number = 0;
    in->data = NULL;
    in->room = in->counted = 0;
    in->owned = false;
    in->dropped = false;
    in->claim = NULL;
    in->handler = NULL;
}

/* Adds a message without a receive to its queue. */
static void enqueue(struct match *m, struct inbound *in)
{
    if (in->handler == &m->argument_checker)
        list_append(&m->argument_checks, &in->node);
    else if (in->handler)
        list_append(&m->handled, &in->node);
    else
        match_enqueue_message(m, in, false);
}

/* Only groups have contexts with argument checks: the world, and those that the job assigns. */
static bool is_argument_check(const struct inbound *in)
{
    return (in->context & MATCH_SSEND_ACK) == 0 &&
           in->context == match_argument_checks(in->context) &&
           (in->context < CONTROL_STEP || in->context >= CONTROL_CONTEXT_FIRST);
}

/* Stores a described message in its queue, with memory for so many of its bytes if it needs any.
 * NULL: out of memory, and its receive fails. */
static struct inbound *keep(struct match *m, const struct inbound *described, size_t bytes)
{
    struct inbound *in = pool_get(&m->pool, sizeof *in);

    if (in) {
        *in = *described;
        list_init(&in->node);
        list_init(&in->same);
        if (in->claim)
            in->claim->arriving = in;
        /* No memory of our own: the connection writes into the receiver's buffer. */
        if (in->claim && goes_direct(in->claim, in)) {
            in->data = in->claim->data;
            return in;
        }
    }
    if (!in || !own_data(m, in, bytes)) {
        if (described->claim)
            request_finish(described->claim, HN_ENOMEM);
        pool_put(&m->pool, in, sizeof *in);
        return NULL;
    }
    /* Only now does the message become visible to receives and probes. */
    if (!in->claim && !in->dropped) {
        enqueue(m, in);
        m->kept++;
    }
    return in;
}

/* Assigns the message to a handler, or to the first receive that matches, or to neither. */
static void assign(struct match *m, struct inbound *in)
{
    in->handler = is_argument_check(in) ? &m->argument_checker : find_handler(m, in);
    if (!in->handler)
        in->claim = match_take_posted(m, in);
    in->dropped = m->closed && !in->handler && !in->claim;
}

/* The receive is chosen when the header arrives.  So a later receive cannot take this message, even
 * if its own message is complete earlier. */
struct inbound *match_begin(struct match *m, hn_tid from, const struct frame *f)
{
    struct inbound in;

    describe(&in, from, f);
    assign(m, &in);
    return keep(m, &in, bytes_soon(&in));
}

/* A receive has matched a message: if the send is synchronous, its acknowledgement is due
 * (ssend_ack.c). */
static void note_taken(struct match *m, const struct inbound *in)
{
    struct match_ssend_ack *ack = in->asks ? malloc(sizeof *ack) : NULL;

    if (!ack)
        return;
    *ack = (struct match_ssend_ack){
        .from = in->info.from, .tag = in->info.tag, .context = in->context};
    list_append(&m->ssend_acks, &ack->node);
}

/* For a receive that truncates: stores as much as there is room for, converted if the types are
 * compatible. */
static int store_cut(const struct hn_request *r, const struct inbound *in, const void *data)
{
    size_t room = r->count * type_size(r->type);
    size_t count = in->info.count < r->count ? in->info.count : r->count;

    if (!type_compatible(in->info.type, r->type)) {
        if (in->total > 0 && room > 0)
            memcpy(r->data, data, in->total < room ? in->total : room);
        return in->total > room ? HN_ETRUNC : HN_OK;
    }
    int result = type_convert(data, in->info.type, in->big_endian, r->data, r->type, count);
    return result == HN_OK && in->info.count > r->count ? HN_ETRUNC : result;
}

/* Completes the receive that has claimed the message, whose bytes are in data. */
static void serve(struct match *m, const struct inbound *in, const void *data)
{
    struct hn_request *r = in->claim;

    m->finished++;
    r->number = in->number;
    note_taken(m, in);
    request_finish(r, r->cuts ? store_cut(r, in, data)
                              : type_convert(data, in->info.type, in->big_endian, r->data, r->type,
                                             in->info.count));
}

/* The fast path of most messages: the first posted receive matches, has room, and needs no
 * conversion.  False: use the general path.  Handlers must be asked first, so with any handler the
 * general path is used. */
static bool serve_at_once(struct match *m, hn_tid from, const struct frame *f, uint64_t number,
                          const void *data)
{
    struct hn_request *r = list_entry(m->posted.next, struct hn_request, node);
    bool big_endian = f->flags & FRAME_BIG_ENDIAN;

    if (list_empty(&m->posted) || !list_empty(&m->handlers) || r->context != f->context ||
        (r->from != from && r->from != HN_ANY) || (r->tag != f->tag && r->tag != HN_ANY) ||
        r->type != f->type || big_endian != type_machine_is_big_endian() ||
        type_count(r->type, f->total) > r->count)
        return false;
    match_unpost(r);
    r->info = (hn_info){
        .from = from, .tag = f->tag, .type = r->type, .count = type_count(r->type, f->total)};
    r->number = number;
    if (f->total > 0)
        memcpy(r->data, data, f->total);
    m->finished++;
    request_finish(r, HN_OK);
    return true;
}

/* If a receive has claimed the message, its bytes are converted from `data` directly, and no struct
 * inbound is allocated. */
int match_whole(struct match *m, hn_tid from, const struct frame *f, uint64_t number,
                const void *data)
{
    struct inbound described, *in;

    if (serve_at_once(m, from, f, number, data))
        return HN_OK;
    describe(&described, from, f);
    described.number = number;
    assign(m, &described);
    if (described.claim) {
        serve(m, &described, data);
        return HN_OK;
    }
    if (described.dropped)
        return HN_OK;
    in = keep(m, &described, described.total);
    if (!in)
        return error_set(HN_ENOMEM, "no memory for a message of %llu bytes",
                         (unsigned long long)f->total);
    if (in->total > 0)
        memcpy(in->data, data, in->total);
    in->got = in->total;
    match_complete(m, in);
    return HN_OK;
}

/* Completes the receive that claimed a message, and frees the message. */
static void deliver(struct match *m, struct inbound *in)
{
    serve(m, in, in->data);
    inbound_free(m, in);
}

/* Copies the received part to the receiver's buffer, where the rest will be read.  Only for
 * messages whose elements have the same size on both sides. */
static void redirect(struct match *m, struct inbound *in)
{
    memcpy(in->claim->data, in->data, in->got);
    release_data(m, in);
    in->data = in->claim->data;
}

/* Assigns a complete or arriving message to a receive. */
static void claim(struct match *m, struct inbound *in, struct hn_request *r)
{
    in->claim = r;
    r->arriving = in;
    recount(m, in);
    if (match_is_whole(in))
        deliver(m, in);
    else if (goes_direct(r, in))
        redirect(m, in);
}

/* Four ends are possible: a receive that waits for whole messages, the receive that claimed it, the
 * end of a dropped message, or a handler's queue. */
void match_complete(struct match *m, struct inbound *in)
{
    struct hn_request *r =
        in->claim || in->handler || in->dropped ? NULL : match_take_posted(m, in);

    recount(m, in);
    if (r) { /* a receive may wait for a complete message */
        match_dequeue(in);
        claim(m, in, r);
    } else if (in->claim) {
        deliver(m, in);
    } else if (in->dropped || (in->handler && in->handler->drops)) {
        inbound_free(m, in);
    } else {
        m->ready += in->handler && in->handler != &m->argument_checker;
    }
}

/* Number 0: no link has carried the message.  For messages that this process makes: to itself,
 * notifications, and captured output. */
int match_put(struct match *m, const hn_info *info, hn_context context, const void *data)
{
    struct frame f = {.kind = FRAME_MSG,
                      .flags = type_machine_is_big_endian() ? FRAME_BIG_ENDIAN : 0,
                      .type = (uint16_t)info->type,
                      .context = context,
                      .tag = info->tag,
                      .total = info->count * type_size(info->type)};

    return match_whole(m, info->from, &f, 0, data);
}

const struct inbound *match_find(struct match *m, hn_tid from, int tag, hn_context context,
                                 bool whole)
{
    return match_first_unexpected(m, from, tag, context, whole);
}

/* Whether one of the unexpected messages is for r; then r is served. */
static bool is_served(struct match *m, struct hn_request *r)
{
    struct inbound *in = match_first_unexpected(m, r->from, r->tag, r->context, r->whole);

    if (!in)
        return false;
    r->info = in->info;
    if (match_fits(r, in) != HN_OK) {
        request_finish(r, match_fits(r, in));
        return true;
    }
    match_dequeue(in);
    claim(m, in, r);
    return true;
}

/* Unexpected messages come first: they are older than whatever will arrive. */
void match_post(struct match *m, struct hn_request *r)
{
    if (is_served(m, r))
        return;
    match_enqueue_receive(m, r, false);
    m->waits |= r->context % CONTROL_STEP != 0;
}

/* If the sender has ended, a receive from any sender gets another message, or returns to the head
 * of the queue. */
void match_abort(struct match *m, struct inbound *in, int result)
{
    struct hn_request *r = in->claim;

    inbound_free(m, in);
    if (!r)
        return;
    r->arriving = NULL;
    if (result != HN_EDEAD || r->from != HN_ANY)
        request_finish(r, result);
    else if (!is_served(m, r))
        match_enqueue_receive(m, r, true); /* it was posted before all receives that wait */
}

/* A receive whose message is arriving is on no list, and cannot be cancelled here. */
bool match_cancel(struct match *m, struct hn_request *r)
{
    bool posted = !list_empty(&r->node) && !r->done;

    (void)m;
    if (posted)
        match_unpost(r);
    return posted;
}

/* The message returns to the unexpected queue, before all others: it arrived before them. */
bool match_release(struct match *m, struct hn_request *r)
{
    struct inbound *in = r->arriving;

    if (r->done || !in)
        return false;
    /* own_data() has overwritten the pointer, so it is restored before the failure is reported. */
    if (!in->owned && !own_data(m, in, bytes_soon(in))) {
        in->data = r->data;
        return false;
    }
    /* What has arrived is in the program's buffer, which it may reuse after this call. */
    if (goes_direct(r, in) && in->got > 0)
        memcpy(in->data, r->data, in->got);
    in->claim = NULL;
    r->arriving = NULL;
    recount(m, in);
    struct hn_request *other = match_take_posted(m, in);
    if (other)
        claim(m, in, other);
    else
        match_enqueue_message(m, in, true);
    return true;
}

static void fail(struct hn_request *r, int result)
{
    match_unpost(r);
    request_finish(r, result);
}

bool match_is_due(const struct match *m, hn_tid from, int tag, hn_context context)
{
    list_for_each (n, &m->due) {
        const struct match_due *due = list_entry(n, struct match_due, node);
        if (context == due->context && (from == HN_ANY || from == due->from) &&
            (tag == HN_ANY || tag == due->tag))
            return true;
    }
    return false;
}

/* `from` may be HN_ANY: then the receives from any sender fail. */
void match_sender_ended(struct match *m, hn_tid from, int result)
{
    list_for_each_safe (n, &m->posted) {
        struct hn_request *r = list_entry(n, struct hn_request, node);
        if (r->from == from &&
            (result != HN_EDEAD || !match_is_due(m, r->from, r->tag, r->context)))
            fail(r, result);
    }
}

/* Receives from any sender get a sender's tid here, because the error text names the task that has
 * failed. */
void match_fail_context(struct match *m, hn_context context, hn_tid from, int result)
{
    list_for_each_safe (n, &m->posted) {
        struct hn_request *r = list_entry(n, struct hn_request, node);
        if (r->context != context)
            continue;
        r->from = from;
        fail(r, result);
    }
}

bool match_is_posted(const struct match *m, hn_tid from, int tag, hn_context context)
{
    list_for_each (n, &m->posted) {
        const struct hn_request *r = list_entry(n, struct hn_request, node);
        if (r->from == from && r->tag == tag && r->context == context)
            return true;
    }
    return false;
}

/* The receives with exactly this sender, tag and context; no wildcards. */
void match_fail_receives(struct match *m, hn_tid from, int tag, hn_context context, int result)
{
    list_for_each_safe (n, &m->posted) {
        struct hn_request *r = list_entry(n, struct hn_request, node);
        if (r->from == from && r->tag == tag && r->context == context)
            fail(r, result);
    }
}

/* The task leaves, or its job ends. */
void match_fail_all(struct match *m, int result)
{
    list_for_each_safe (n, &m->posted)
        fail(list_entry(n, struct hn_request, node), result);
}

/* ---- handlers ----------------------------------------------------------------------------- */

/* Messages keep their order when they move from one queue to the other.  Complete messages count as
 * ready at once; the engine's serve() finds them. */
void match_add_handler(struct match *m, struct match_handler *h)
{
    list_append(&m->handlers, &h->node);
    list_for_each_safe (n, &m->unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (!match_wants(h->from, h->tag, h->context, in))
            continue;
        match_dequeue(in);
        list_append(&m->handled, &in->node);
        in->handler = h;
        if (match_is_whole(in))
            match_complete(m, in);
    }
}

/* Reassigns a message whose handler was removed.  The next handler that wants it, a posted receive,
 * or the queue of unexpected messages. */
static void pass_on(struct match *m, struct inbound *in)
{
    in->handler = find_handler(m, in);
    if (in->handler)
        return;
    m->ready -= match_is_whole(in);
    match_dequeue(in);
    struct hn_request *r = match_take_posted(m, in);
    if (r)
        claim(m, in, r);
    else
        match_enqueue_message(m, in, false);
}

void match_remove_handler(struct match *m, struct match_handler *h)
{
    list_remove(&h->node);
    list_for_each_safe (n, &m->handled) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (in->handler == h)
            pass_on(m, in);
    }
}

/* `ready` avoids the search while all messages on the list are incomplete. */
struct inbound *match_first_handled(struct match *m)
{
    list_for_each (n, &m->handled) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (m->ready > 0 && match_is_whole(in))
            return in;
    }
    return NULL;
}

/* A synchronous send to a handler counts as received now. */
void match_drop(struct match *m, struct inbound *in)
{
    m->ready--;
    note_taken(m, in);
    inbound_free(m, in);
}

/* ---- orphaned messages -------------------------------------------------------------------- */

/* An incomplete message stays allocated, without a queue, until its last byte has arrived. */
void match_drop_unexpected(struct match *m, struct inbound *in)
{
    if (match_is_whole(in)) {
        inbound_free(m, in);
        return;
    }
    match_dequeue(in);
    in->dropped = true;
    recount(m, in);
}

/* From here on messages without a receive are dropped: the task takes no more of them. */
void match_close(struct match *m)
{
    m->closed = true;
    list_for_each_safe (n, &m->unexpected)
        match_drop_unexpected(m, list_entry(n, struct inbound, node));
}

/* ---- argument checks -------------------------------------------------------------------- */

/* O(argument checks on the list), in the order of arrival. */
struct inbound *match_first_argument_check(struct match *m, int least, int most)
{
    list_for_each (n, &m->argument_checks) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (in->info.tag >= least && in->info.tag <= most && match_is_whole(in))
            return in;
    }
    return NULL;
}

void match_drop_argument_check(struct match *m, struct inbound *in)
{
    inbound_free(m, in);
}
