/* neighbourhood.c - operations between neighbours: one message to each and one from each, all at
 * the same time. hn_alltoallw() is the case in which all members are neighbours.
 *
 * Receives are posted first, then sends; the operation ends when all are done (activity.h). Blocks
 * arrive from a neighbour in the order in which it sends them. Receives are posted in the order
 * that the topology expects.
 *
 * Failures: wrong arguments are reported before anything is posted. After that all messages are
 * waited for, and the first failure is returned; messages of failed members end by themselves. If a
 * send fails, its receiver gets a termination notice instead (termination.h). If there is no memory
 * for a copy of the data to be sent, all receivers get one.
 *
 * A persistent operation keeps its arguments and its tag, and posts again at each start. In place
 * (alltoallw only), blocks are copied before they are sent, since received blocks replace them.
 */
#include "wire/topology.h"

#include "wire/call.h"
#include "wire/operation_tag.h"
#include "wire/termination.h"
#include "wire/executor_receive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One direction: block i is counts[i] (or count) elements at places[i] bytes (or displs[i]
 * elements, or distance * i elements). */
struct side {
    uint8_t *data;
    const int *ranks; /* NULL: 0, 1, ... */
    const int *order; /* order of posting; NULL: as listed */
    int blocks;
    size_t count, distance;
    const size_t *counts, *displs, *places;
    bool listed; /* required, since there are blocks */
    hn_type type;
    const hn_type *types;
    bool lacks; /* a required list is missing */
};

struct exchange {
    struct activity activity;
    enum kind kind;
    const char *name; /* of that */
    const hn_group *group;
    const hn_topology *topology; /* of the neighbours; NULL: the whole group */
    struct group_state *state;
    struct slot slot;
    struct side in, out;   /* data sent, data received */
    bool persistent;       /* it can be started repeatedly, ... */
    bool broken;           /* ... unless messages of a failed start may be left */
    bool waited;           /* the call blocks, and traces all of it itself */
    bool in_place;         /* the data to be sent are in `out`, until they are copied */
    bool starved;          /* no memory for that copy */
    uint8_t *copy;         /* in place: copies of the blocks, one after the other, ... */
    size_t *copied;        /* ... each at this offset */
    hn_request **requests; /* of the sends, then of the receives; NULL: none */
    int count, ended;      /* number of requests, 0 before they are posted; number done */
    bool parted;           /* the next request is a termination notice */
    uint8_t termination[TERMINATION_SIZE];
};

static hn_type type_of(const struct side *s, int i)
{
    return s->types ? s->types[i] : s->type;
}

static size_t count_of(const struct side *s, int i)
{
    return s->counts ? s->counts[i] : s->count;
}

/* Positions are in bytes, in elements, or equal distances. NULL without a buffer. */
static void *block_of(const struct side *s, int i)
{
    size_t element = hn_type_size(type_of(s, i));
    size_t at = s->places   ? s->places[i]
                : s->displs ? s->displs[i] * element
                            : s->distance * (size_t)i * element;
    return s->data ? s->data + at : NULL;
}

static size_t bytes_of(const struct side *s, int i)
{
    return count_of(s, i) * hn_type_size(type_of(s, i));
}

static int rank_of(const struct side *s, int i)
{
    return s->ranks ? s->ranks[i] : i;
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Checks one direction. Blocks for HN_NOBODY need no buffer, as they are never sent. */
static int check_side(const struct exchange *e, const struct side *s)
{
    if (s->lacks && s->blocks > 0)
        return error_set(HN_EARG, "%s: no list of counts, places or types", e->name);
    if (s->data == HN_IN_PLACE)
        return error_set(HN_EARG, "%s: blocks cannot be in place", e->name);
    if (s->listed && s->blocks > 0 && (!s->counts || (!s->displs && !s->places)))
        return error_set(HN_EARG, "%s: no counts or no places", e->name);
    for (int i = 0; i < s->blocks; i++) {
        size_t size = hn_type_size(type_of(s, i)), bytes;
        if (size == 0)
            return error_set(HN_EARG, "%s: 0x%x is not a type", e->name, (unsigned)type_of(s, i));
        /* PTRDIFF_MAX: a longer object cannot exist. */
        if (__builtin_mul_overflow(count_of(s, i), size, &bytes) || bytes > PTRDIFF_MAX)
            return error_set(HN_EARG, "%s: a block is larger than memory", e->name);
        if (bytes > 0 && !s->data && rank_of(s, i) != HN_NOBODY)
            return error_set(HN_EARG, "%s: no buffer", e->name);
        if (rank_of(s, i) != HN_NOBODY && !memory_spans(block_of(s, i), count_of(s, i), size))
            return error_set(HN_EARG, "%s: a count is too large: its buffer ends before", e->name);
    }
    return HN_OK;
}

/* Allocates memory for blocks that are sent from where others are received. Missing memory is no
 * error here: the receivers get termination notices instead of data. */
static int make_room(struct exchange *e)
{
    size_t total = 0;
    e->in = e->out;
    e->copied = calloc((size_t)e->out.blocks + 1, sizeof *e->copied);
    for (int i = 0; i < e->out.blocks && e->copied; i++) {
        e->copied[i] = total;
        if (__builtin_add_overflow(total, bytes_of(&e->out, i), &total))
            return error_set(HN_EARG, "%s: the blocks are larger than memory", e->name);
    }
    e->copy = malloc(total + 1);
    e->starved = !e->copied || !e->copy;
    e->in.data = e->copy;
    e->in.places = e->copied;
    return HN_OK;
}

/* A member is gone. The exchange takes its slot all the same, so that members that wait for this
 * one in it are notified. */
static int refuse_dead(struct exchange *e, hn_tid dead)
{
    open_table_refuse(group_state_table(e->state), &e->slot, e->kind, 0, dead);
    return call_name_dead(e->name, dead);
}

/* Takes the slot and checks everything. After an error nothing is posted, and members that wait for
 * this one are notified. */
static int open_exchange(struct exchange *e)
{
    if (!e->group)
        return error_set(HN_EARG, "%s: no group, or no topology", e->name);
    hn_tid dead = hn_group_dead(e->group);
    int error = dead < 0 ? (int)dead : group_state_get(e->group, &e->state);
    if (!error && dead)
        return refuse_dead(e, dead);
    if (!error)
        error = check_side(e, &e->in);
    if (!error)
        error = check_side(e, &e->out);
    if (!error && e->in_place)
        error = make_room(e);
    e->requests = calloc((size_t)(e->in.blocks + e->out.blocks) + 1, sizeof *e->requests);
    if (!error && !e->requests)
        error = error_set(HN_ENOMEM, "%s: out of memory", e->name);
    if (error && e->state) /* the slot is taken all the same */
        open_table_mistake(group_state_table(e->state), &e->slot, e->kind, 0, error);
    if (error)
        return error;
    open_table_step(group_state_table(e->state), &e->slot, e->kind, 0);
    return HN_OK;
}

/* ---- going on --------------------------------------------------------------------------- */

/* The block of a request, and its side. */
static int block_at(const struct exchange *e, int at, const struct side **side)
{
    const struct side *s = *side = at < e->in.blocks ? &e->in : &e->out;
    int i = s == &e->in ? at : at - e->in.blocks;
    return s->order ? s->order[i] : i;
}

/* Posts the send or receive of a request. HN_NOBODY: the mesh ends there, and no request exists. */
static int post_block(struct exchange *e, int at)
{
    const struct side *s;
    int i = block_at(e, at, &s);
    if (rank_of(s, i) == HN_NOBODY)
        return HN_OK;
    hn_tid tid = group_state_tids(e->state)[rank_of(s, i)];
    hn_request **request = &e->requests[at];
    return s == &e->in
               ? hn_isend(tid, e->slot.tag, block_of(s, i), count_of(s, i), type_of(s, i), request)
               : hn_irecv(tid, e->slot.tag, block_of(s, i), count_of(s, i), type_of(s, i), request);
}

/* A send has failed: sends its receiver a termination notice instead. true: that is in progress. A
 * receiver that is gone needs none. */
static bool part(struct exchange *e, int at, int error)
{
    const struct side *s;
    int i = block_at(e, at, &s);
    if (error == HN_OK || error == HN_EDEAD || s != &e->in)
        return false;
    termination_put(e->termination, hn_mytid(), error);
    hn_context before = hn_set_context(group_state_context(e->state));
    bool begun =
        hn_isend(group_state_tids(e->state)[rank_of(s, i)], e->slot.tag, e->termination,
                 TERMINATION_SIZE, termination_type(type_of(s, i)), &e->requests[at]) == HN_OK;
    hn_set_context(before);
    return begun;
}

/* Handles a message that may have arrived instead of block i: it is already in place, or (after
 * `error`) still to be received. Data of 16 bytes may be taken for a notice only if they begin with
 * the mark of one. */
static int take_instead(struct exchange *e, hn_tid from, int i, int error)
{
    uint8_t message[TERMINATION_SIZE];
    hn_tid who;
    int received = HN_OK;
    /* Without an error the receive has put the notice into the block. */
    if (!error) {
        memcpy(message, block_of(&e->out, i), sizeof message);
    } else {
        hn_context before = hn_set_context(group_state_context(e->state));
        received = hn_recv(from, e->slot.tag, message, sizeof message,
                           termination_type(type_of(&e->out, i)), NULL);
        hn_set_context(before);
    }
    /* If it was no notice, the original error of the receive counts. */
    if (received || !termination_read(message, sizeof message, &who, &error))
        return received ? received : error;
    return argument_error_name(
        e->kind, executor_termination(group_state_table(e->state), e->slot.tag, who, error));
}

/* Ends the next request, which is done. */
static int end_block(struct exchange *e)
{
    const struct side *s;
    int i = block_at(e, e->ended, &s);
    hn_info info = {0};
    int error = hn_wait(e->requests[e->ended], &info);
    e->requests[e->ended] = NULL;
    if (s == &e->out && info.count == TERMINATION_SIZE &&
        executor_is_wrapped(error, &info, type_of(s, i)))
        error = take_instead(e, info.from, i, error);
    return error;
}

/* Keeps the first error and its text. A death is noted for the group, so that later calls fail at
 * once. */
static void note(struct exchange *e, int error)
{
    if (!error || e->activity.request.result)
        return;
    if (error == HN_EARG)
        error = argument_error_name(e->kind,
                                    open_table_explain(group_state_table(e->state), e->slot.tag));
    hn_tid dead = 0;
    if (error == HN_EDEAD)
        dead = failure_met(e->group, open_table_dead(group_state_table(e->state), e->slot.tag));
    if (dead > 0) /* nobody waits for this member's data but for a later start */
        open_table_met_end(group_state_table(e->state), e->slot.tag, dead);
    /* After an error other than a death some messages of this start may never be received. */
    e->broken |= error != HN_EDEAD;
    e->activity.request.result = dead > 0 ? call_name_dead(e->name, dead) : error;
    snprintf(e->activity.text, sizeof e->activity.text, "%s", hn_error_text());
}

/* Posts everything. Errors of single messages are noted; the others are posted all the same. */
static void post(struct exchange *e)
{
    /* In place, all blocks are copied before any receive is posted. */
    for (int i = 0; e->in_place && !e->starved && i < e->in.blocks; i++)
        if (bytes_of(&e->out, i) > 0)
            memcpy(block_of(&e->in, i), block_of(&e->out, i), bytes_of(&e->out, i));
    hn_context before = hn_set_context(group_state_context(e->state));
    e->count = e->in.blocks + e->out.blocks;
    memset(e->requests, 0, (size_t)e->count * sizeof *e->requests);
    for (int i = 0; i < e->count; i++) {
        int at = (i + e->in.blocks) % e->count; /* receives first */
        int error =
            e->starved ? error_set(HN_ENOMEM, "%s: out of memory", e->name) : post_block(e, at);
        note(e, error);
        part(e, at, error);
    }
    hn_set_context(before);
}

/* true: all messages are done. Requests are ended in order; those that are done early wait for
 * their turn. */
static bool move_on(struct exchange *e)
{
    if (e->count == 0)
        post(e);
    while (e->ended < e->count) {
        e->activity.awaits = e->requests[e->ended];
        if (e->activity.awaits && !request_try_complete(e->activity.awaits))
            return false;
        int error = e->activity.awaits ? end_block(e) : HN_OK;
        note(e, error);
        /* The notice occupies the request of the failed send, and is waited for once. */
        e->parted = !e->parted && part(e, e->ended, error);
        e->ended += !e->parted;
    }
    /* A persistent exchange stays open for the next start. */
    if (!e->persistent || e->broken || e->activity.request.result == HN_EDEAD)
        open_table_left(&e->slot, e->activity.request.result);
    return true;
}

static bool advance(struct activity *activity)
{
    struct exchange *e = (struct exchange *)activity;
    if (e->waited)
        return move_on(e);
    struct trace_span outer = trace_enter(e->name, NULL);
    bool over = move_on(e);
    trace_leave(&outer);
    return over;
}

static void explain(const struct activity *activity, struct wait_reason *reason)
{
    const struct exchange *e = (const struct exchange *)activity;
    reason->operation = e->name;
    reason->number = operation_tag_number(e->slot.tag);
    reason->step = (unsigned)e->ended;
}

static void release(struct activity *activity)
{
    struct exchange *e = (struct exchange *)activity;
    activity_forget(activity);
    if (e->persistent)
        open_table_left(&e->slot, OPEN_TABLE_GIVEN_UP);
    for (int i = e->ended; i < e->count; i++) /* for a task that has left its job */
        free(e->requests[i]);
    free(e->requests);
    free(e->copy);
    free(e->copied);
    topology_release(e->topology);
    group_let_go(e->group);
    free(e);
}

/* Prepares a persistent exchange for its next start. HN_EDEAD or HN_ESTATE: it cannot start. */
static int rewind_exchange(struct activity *activity)
{
    struct exchange *e = (struct exchange *)activity;
    hn_tid dead = hn_group_dead(e->group);
    e->count = e->ended = 0;
    e->parted = false;
    if (dead)
        return dead > 0 ? refuse_dead(e, dead) : dead;
    return e->broken ? call_name_broken(e->name) : HN_OK;
}

/* Copies the arguments and takes the slot. Holds the topology and the group until release(). */
static int make(const struct exchange *arguments, bool persistent, struct exchange **made)
{
    struct exchange *e = malloc(sizeof *e);
    if (!e)
        return error_set(HN_ENOMEM, "out of memory");
    *e = *arguments;
    e->persistent = e->slot.persistent = persistent;
    e->activity = (struct activity){.advance = advance,
                                    .rewind = persistent ? rewind_exchange : NULL,
                                    .explain = explain,
                                    .release = release};
    int error = activity_init(&e->activity);
    if (error) {
        free(e);
        return error;
    }
    /* From here on release() frees everything, also after an error. */
    topology_hold(e->topology);
    group_hold(e->group);
    error = open_exchange(e);
    if (error)
        release(&e->activity);
    else
        *made = e;
    return error;
}

/* No place for the request. The call counts all the same. */
static int refuse(const struct exchange *arguments, bool persistent)
{
    struct slot slot = {.persistent = persistent};
    int error = error_set(HN_EARG, "%s: no place for the request", arguments->name);
    return call_close(arguments->group, &slot, arguments->kind, error);
}

/* The request belongs to the caller from success on. */
static int start(const struct exchange *arguments, hn_request **request)
{
    struct exchange *e;
    int error = request ? make(arguments, false, &e) : refuse(arguments, false);
    if (error)
        return error;
    error = activity_start(&e->activity);
    if (error)
        release(&e->activity);
    else
        *request = &e->activity.request;
    return error;
}

static int keep(const struct exchange *arguments, hn_request **request)
{
    struct exchange *e;
    int error = request ? make(arguments, true, &e) : refuse(arguments, true);
    if (!error)
        *request = &e->activity.request;
    return error;
}

/* Blocks. `waited` makes the trace one entry of the calling thread. */
static int run(const struct exchange *arguments)
{
    struct exchange waited = *arguments;
    struct trace_span outer = trace_enter(arguments->name, NULL);
    hn_request *request;
    waited.waited = true;
    int error = start(&waited, &request);
    if (!error)
        error = hn_wait(request, NULL);
    trace_leave(&outer);
    return error;
}

/* ---- the operations --------------------------------------------------------------------- */

#define FORMS(name, parameters, expression)                                                        \
    FORMS_OF(struct exchange, run, start, keep, name, LIST(parameters), expression)

/* Blocks of `count` elements each between neighbours. */
static struct exchange between(enum kind kind, const void *in, size_t count, void *out,
                               hn_type type, const hn_topology *t)
{
    struct exchange e = {
        .kind = kind, .name = kind_name(kind), .group = hn_topology_group(t), .topology = t};
    if (!t)
        return e;
    e.in = (struct side){.data = (uint8_t *)in,
                         .ranks = t->to,
                         .blocks = t->to_count,
                         .count = count,
                         .distance = count,
                         .type = type};
    e.out = e.in;
    e.out.data = out;
    e.out.ranks = t->from;
    e.out.order = t->expect;
    e.out.blocks = t->from_count;
    return e;
}

/* All get the same block: with a distance of 0 all blocks are at the same address. */
static struct exchange to_all(struct exchange e)
{
    e.in.distance = 0;
    return e;
}

/* The lists are required only if there are blocks (check_side()). */
static void list(struct side *s, const size_t *counts, const size_t *displs)
{
    s->listed = true;
    s->counts = counts;
    s->displs = displs;
    s->lacks = !counts || !displs;
}

/* Blocks of different sizes received (sent). */
static struct exchange coming(struct exchange e, const size_t *counts, const size_t *displs)
{
    list(&e.out, counts, displs);
    return e;
}

static struct exchange going(struct exchange e, const size_t *counts, const size_t *displs)
{
    list(&e.in, counts, displs);
    return e;
}

/* With a type and a position for every block. */
static struct exchange typed(struct exchange e, const size_t *in_counts, const size_t *in_places,
                             const hn_type *in_types, const size_t *counts, const size_t *places,
                             const hn_type *types)
{
    e.in.listed = e.out.listed = true;
    e.in.counts = in_counts;
    e.in.places = in_places;
    e.in.types = in_types;
    e.out.counts = counts;
    e.out.places = places;
    e.out.types = types;
    e.in.lacks = !in_counts || !in_places || !in_types;
    e.out.lacks = !counts || !places || !types;
    return e;
}

/* All members are neighbours of each other, and of themselves. In place `in` has no blocks until
 * make_room() has made copies. */
static struct exchange among(const void *in, void *out, const hn_group *group)
{
    struct exchange e = {.kind = KIND_ALLTOALLW, .name = kind_name(KIND_ALLTOALLW), .group = group};
    e.in_place = in == HN_IN_PLACE;
    e.in.data = e.in_place ? NULL : (uint8_t *)in;
    e.out.data = out;
    e.out.blocks = group ? hn_group_size(group) : 0;
    e.in.blocks = e.in_place ? 0 : e.out.blocks;
    return e;
}

FORMS(neighbour_allgather,
      LIST(const void *in, size_t count, void *out, hn_type type, const hn_topology *topology),
      to_all(between(KIND_NEIGHBOUR_ALLGATHER, in, count, out, type, topology)))

FORMS(neighbour_allgatherv,
      LIST(const void *in, size_t count, void *out, const size_t *counts, const size_t *displs,
           hn_type type, const hn_topology *topology),
      coming(to_all(between(KIND_NEIGHBOUR_ALLGATHERV, in, count, out, type, topology)), counts,
             displs))

FORMS(neighbour_alltoall,
      LIST(const void *in, size_t count, void *out, hn_type type, const hn_topology *topology),
      between(KIND_NEIGHBOUR_ALLTOALL, in, count, out, type, topology))

FORMS(neighbour_alltoallv,
      LIST(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
           const size_t *counts, const size_t *displs, hn_type type, const hn_topology *topology),
      going(coming(between(KIND_NEIGHBOUR_ALLTOALLV, in, 0, out, type, topology), counts, displs),
            in_counts, in_displs))

FORMS(neighbour_alltoallw,
      LIST(const void *in, const size_t *in_counts, const size_t *in_places,
           const hn_type *in_types, void *out, const size_t *counts, const size_t *places,
           const hn_type *types, const hn_topology *topology),
      typed(between(KIND_NEIGHBOUR_ALLTOALLW, in, 0, out, 0, topology), in_counts, in_places,
            in_types, counts, places, types))

FORMS(alltoallw,
      LIST(const void *in, const size_t *in_counts, const size_t *in_places,
           const hn_type *in_types, void *out, const size_t *counts, const size_t *places,
           const hn_type *types, const hn_group *group),
      typed(among(in, out, group), in_counts, in_places, in_types, counts, places, types))
