/* mpi_rma.c - accesses to windows, at the origin (mpi_rma.h).
 *
 * Checks follow MPI 4.1, 12.3; their errors are 12.6. A put or accumulate completes locally in its
 * call unless it is long; a get always needs a reply.
 *
 * An access passes three stages. check() finds every error that the origin can see. Then either
 * access_directly() changes mapped memory, or access_by_request() sends the description to the
 * target. start() decides who keeps the data until it may be reused.
 * Nothing here waits for the target. Waiting is the business of flushes and epochs
 * (mpi_win_sync.c, mpi_win_post.c), which find unfinished accesses through win_note() and
 * win_part.touched.
 */
#include "window/mpi_rma.h"

#include <stdlib.h>

/* From this size on, data of a put is sent from the program's buffer, which must not change until a
 * flush.  Shorter data is copied by hn_send(), like messages: see hnow.h. */
enum { BYTES_OWN_REQUEST = 256 * 1024 };

/* A call in progress. The three rma_data are copies, whose types are set as they are checked. */
struct origin {
    const struct rma_call *a;
    struct mpi_win *w;
    struct win_part *part;
    struct access access; /* at the target; `at` is set only if it is direct */
    MPI_Aint at;          /* displacement that the target adds to its address */
    struct rma_data origin, result, compare;
};

/* ---- checks --------------------------------------------------------------------------------- */

/* needed: whether the operation has such an argument at all. Also sets d->type, which stays NULL
 * if there is no such argument: later steps ask for d->type instead of the kind. A null buffer
 * is an error only with a named type, since derived types may hold absolute addresses
 * (MPI_BOTTOM). */
static int check_data(struct origin *o, struct rma_data *d, bool needed, const char *which)
{
    const char *call = o->a->call;
    int error = MPI_SUCCESS;

    if (!needed)
        return MPI_SUCCESS;
    if (d->count < 0)
        return error_win(o->w, MPI_ERR_COUNT, call, "the count %lld of the %s is negative",
                         (long long)d->count, which);
    d->type = type_of(d->handle);
    if (!d->type || !d->type->committed)
        error = error_win(o->w, MPI_ERR_TYPE, call, "the datatype of the %s is %s", which,
                          d->handle == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL"
                          : d->type                      ? "not committed"
                                                         : "none, or has been freed");
    else if (!d->data && d->count > 0 && d->type->object.named)
        error = error_win(o->w, MPI_ERR_BUFFER, call, "there is no buffer for the %s", which);
    return error;
}

/* Any of the three kinds of epochs that MPI 4.1, 12.5 defines for origins. */
static bool has_epoch(const struct mpi_win *w, const struct win_part *p)
{
    return p->locked || w->sync.locked_all || w->sync.fenced || p->started;
}

/* The address 1 passes the check for a buffer: the target's data has no buffer here. */
static int check_target(struct origin *o)
{
    const struct rma_call *a = o->a;
    struct rma_data target = {(void *)1, a->count, a->handle, NULL};
    int error;

    if (a->rank < 0 || a->rank >= o->w->comm->size)
        return error_win(o->w, MPI_ERR_RANK, a->call, "the rank %d is not in 0 ... %d", a->rank,
                         o->w->comm->size - 1);
    error = check_data(o, &target, true, "target");
    if (error != MPI_SUCCESS)
        return error;
    /* The epoch is looked up per target, so the rank must have been checked before. */
    o->part = &o->w->parts[a->rank];
    o->access.type = target.type;
    o->access.count = (size_t)a->count;
    if (!has_epoch(o->w, o->part))
        return error_win(o->w, MPI_ERR_RMA_SYNC, a->call, "no epoch has begun for rank %d",
                         a->rank);
    return MPI_SUCCESS;
}

/* Checks the range of the target's data.  Members know each other's sizes; only the target knows
 * its attached memory. */
static int check_range(struct origin *o)
{
    MPI_Aint low, high;

    /* low and high are relative to the displacement; low may be negative. */
    access_span(&o->access, &low, &high);
    /* The displacement is an address at the target, whose regions are unknown here. */
    if (o->w->flavor == MPI_WIN_FLAVOR_DYNAMIC) {
        o->at = o->a->at;
        return MPI_SUCCESS;
    }
    /* All members know every size and unit since the window was made, so no message is needed. */
    if (o->a->at < 0)
        return error_win(o->w, MPI_ERR_DISP, o->a->call, "the displacement %ld is negative",
                         (long)o->a->at);
    if (o->a->at <= o->part->size / o->part->unit)
        o->at = o->a->at * o->part->unit;
    else
        o->at = o->part->size; /* beyond its end, so that the product cannot overflow */
    if (access_bytes(&o->access) > 0 && (o->at + low < 0 || o->at + high > o->part->size))
        return error_win(o->w, MPI_ERR_RMA_RANGE, o->a->call,
                         "bytes %ld to %ld of the window of rank %d, which has %ld",
                         (long)(o->at + low), (long)(o->at + high - 1), o->a->rank,
                         (long)o->part->size);
    return MPI_SUCCESS;
}

/* Packed size of the data, without gaps. Valid only after check_data() has set the type. */
static size_t bytes_of(const struct rma_data *d)
{
    return (size_t)d->count * (size_t)d->type->size;
}

/* MPI 4.1, 12.3: the data must not exceed what it is stored into; shorter data is accepted. */
static int check_sizes(struct origin *o)
{
    /* A get has no origin data; its result takes the place. */
    const struct rma_data *d = o->origin.type ? &o->origin : &o->result;
    size_t there = access_bytes(&o->access);
    bool into_target = o->a->kind != SERVICE_GET;

    /* Puts and accumulates store into the target, a get stores into the result. */
    if (d->type && (into_target ? bytes_of(d) > there : bytes_of(d) < there))
        return error_win(o->w, MPI_ERR_TRUNCATE, o->a->call, "%zu bytes do not fit into %zu",
                         into_target ? bytes_of(d) : there, into_target ? there : bytes_of(d));
    /* A fetching accumulate has both directions: the old values must fit as well. */
    if (o->result.type && bytes_of(&o->result) < there)
        return error_win(o->w, MPI_ERR_TRUNCATE, o->a->call, "%zu bytes do not fit into %zu", there,
                         bytes_of(&o->result));
    return MPI_SUCCESS;
}

/* MPI 4.1, 12.3.4 names the types for compare-and-swap: integers, logicals, bytes; no real
 * numbers. */
static bool is_swappable(const struct mpi_type *t)
{
    char sort = t->units[0].basic->sort;

    return t->object.named && t->elements == 1 && sort != 'F' && sort != 'Z';
}

/* MPI 4.1, 12.3.4: only predefined operators, and the same base type at both sides. */
static int check_operator(struct origin *o)
{
    const struct rma_call *a = o->a;

    if (a->kind == SERVICE_PUT || a->kind == SERVICE_GET)
        return MPI_SUCCESS;
    /* An origin without bytes has no elements, so its type does not matter. */
    o->access.base = rma_base_type(o->access.type);
    if (!o->access.base || (o->origin.type && bytes_of(&o->origin) > 0 &&
                            rma_base_type(o->origin.type) != o->access.base && a->op != MPI_NO_OP))
        return error_win(o->w, MPI_ERR_TYPE, a->call,
                         "not all elements are of one type of MPI's own");
    if (a->kind == SERVICE_COMPARE_AND_SWAP)
        return is_swappable(o->access.type)
                   ? MPI_SUCCESS
                   : error_win(o->w, MPI_ERR_TYPE, a->call, "%s cannot be swapped",
                               o->access.type->name);
    o->access.op = op_of(a->op);
    if (!o->access.op || !o->access.op->object.named)
        return error_win(o->w, MPI_ERR_OP, a->call, "not one of MPI's own operators");
    if (a->op == MPI_REPLACE || (a->op == MPI_NO_OP && a->kind == SERVICE_GET_ACCUMULATE))
        return MPI_SUCCESS;
    if (o->access.count == 0) /* programs pass MPI_BYTE then, which few operators accept */
        return MPI_SUCCESS;
    return operator_fits(o->access.op, o->access.base)
               ? MPI_SUCCESS
               : error_win(o->w, MPI_ERR_OP, a->call, "the operator means nothing for %s",
                           o->access.base->name);
}

/* Errors that the origin can find itself. Others reach it with the end of the epoch. */
static int check(struct origin *o)
{
    enum service_kind kind = o->a->kind;
    /* Which data an access has follows from its kind. With MPI_NO_OP the origin's arguments are
     * ignored. */
    bool has_result = kind == SERVICE_GET || kind >= SERVICE_GET_ACCUMULATE;
    bool has_origin = kind != SERVICE_GET && o->a->op != MPI_NO_OP;
    /* The target comes first: the later checks compare with its type and its part. */
    int error = check_target(o);

    if (error == MPI_SUCCESS)
        error = check_data(o, &o->origin, has_origin, "origin");
    if (error == MPI_SUCCESS)
        error = check_data(o, &o->result, has_result, "result");
    if (error == MPI_SUCCESS)
        error = check_data(o, &o->compare, kind == SERVICE_COMPARE_AND_SWAP, "comparison");
    if (error == MPI_SUCCESS)
        error = check_operator(o);
    if (error == MPI_SUCCESS)
        error = check_range(o);
    return error == MPI_SUCCESS ? check_sizes(o) : error;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Packed data: the program's own, or a copy, which must be freed. */
struct packed {
    const char *data;
    char *owned;
};

/* Packs d; the element of `first`, if any, precedes it. Returns false without memory. With `first`
 * the data always is a copy, since both parts must be consecutive. */
static bool pack(struct packed *p, const struct rma_data *first, const struct rma_data *d)
{
    size_t head = first && first->type ? bytes_of(first) : 0;

    *p = (struct packed){NULL, NULL};
    /* MPI_NO_OP: the origin's arguments are ignored. */
    if (!d->type)
        return true;
    /* Contiguous data is sent from its place. */
    p->data = (const char *)d->data + d->type->true_lb;
    if (head == 0 && type_is_plain(d->type, (size_t)d->count))
        return true;
    p->data = p->owned = malloc(head + bytes_of(d) + 1);
    if (!p->owned)
        return false;
    if (head > 0)
        pack_type(first->type, (size_t)first->count, first->data, p->owned);
    pack_type(d->type, (size_t)d->count, d->data, p->owned + head);
    return true;
}

/* ---- direct accesses ------------------------------------------------------------------------ */

/* One copy if the origin's data is contiguous. */
static bool put_directly(struct origin *o)
{
    struct packed p;

    if (!pack(&p, NULL, &o->origin))
        return false;
    unpack_type(o->access.type, o->access.count, o->access.at, p.data, bytes_of(&o->origin));
    free(p.owned);
    return true;
}

/* The result's own type may differ from the target's, as long as the elements agree. */
static void store_result(const struct rma_data *d, const void *packed, size_t bytes)
{
    unpack_type(d->type, (size_t)d->count, (void *)d->data, packed, bytes);
}

/* The target's data is packed like an origin's. */
static bool get_directly(struct origin *o)
{
    struct rma_data target = {o->access.at, (MPI_Count)o->access.count, MPI_DATATYPE_NULL,
                              (struct mpi_type *)o->access.type};
    struct packed p;

    if (!pack(&p, NULL, &target))
        return false;
    store_result(&o->result, p.data, access_bytes(&o->access));
    free(p.owned);
    return true;
}

/* The result may be stored in the buffer of the operands. Therefore results go through separate
 * memory; small ones through the stack. */
static bool update_directly(struct origin *o)
{
    char few[SERVICE_INLINE], *fetched = few;
    size_t bytes = access_bytes(&o->access);
    struct packed p;
    bool ok;

    /* Operands in one piece: the compare value, if any, then the origin's data. */
    if (!pack(&p, &o->compare, &o->origin))
        return false;
    if (!o->result.type)
        fetched = NULL;
    else if (bytes > sizeof few)
        fetched = malloc(bytes);
    /* MPI_Accumulate() has no result. */
    ok = (fetched || !o->result.type) && access_update(&o->access, p.data, fetched);
    if (ok && fetched)
        store_result(&o->result, fetched, bytes);
    if (fetched != few)
        free(fetched);
    free(p.owned);
    return ok;
}

/* The access is complete on return, both locally and remotely. */
static int access_directly(struct origin *o)
{
    bool done;

    o->access.kind = o->a->kind;
    /* A dynamic window has absolute addresses. */
    o->access.at =
        o->w->flavor == MPI_WIN_FLAVOR_DYNAMIC ? (char *)(uintptr_t)o->at : o->part->direct + o->at;
    /* Only accumulates take the guard: MPI 4.1, 12.7 leaves concurrent puts and gets undefined. */
    o->access.guard = o->part->guard;
    if (o->a->kind == SERVICE_PUT)
        done = put_directly(o);
    else if (o->a->kind == SERVICE_GET)
        done = get_directly(o);
    else
        done = update_directly(o);
    return done ? HN_OK : HN_ENOMEM;
}

/* An access to this member's own attached memory. Other members' regions are checked by their
 * service threads. */
static int check_own_region(struct origin *o)
{
    if (access_is_attached(o->w, &o->access, (char *)o->at))
        return MPI_SUCCESS;
    return error_win(o->w, MPI_ERR_RMA_RANGE, o->a->call, "memory at %p is not attached",
                     (void *)o->at);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* The reply has arrived; no elements means that the target rejected the access. An access without
 * data has a reply without elements, too, which is no error. */
static void replied(struct mpi_request *r, int result, const hn_info *info)
{
    size_t bytes = r->message.count * (size_t)r->message.type->size;

    /* A failed target ends the receive with an error, which the program finds in its request. */
    r->outcome.error = error_class_hn(result);
    if (result == HN_OK && info->count == 0 && bytes > 0)
        r->outcome.error = MPI_ERR_RMA_RANGE;
    else if (result == HN_OK)
        wire_unpack(&r->wire, r->message.type, r->message.count, r->message.data, info->count,
                    info->type);
}

/* A thread may wait for the request while another one flushes. */
static const struct request_way replying = {.next = replied, .is_shared = true};
static const struct request_way sending = {.is_shared = true};

/* Posts a receive for the reply. The receive is posted before the request is sent, so that the
 * reply goes directly into the buffer. */
static int post_result(struct origin *o, int id, struct mpi_request *r)
{
    const struct rma_data *d = &o->result;

    r->way = &replying;
    r->message = (struct message_plan){(void *)d->data, (size_t)d->count, d->type, 0, 0, 0};
    /* The program may free the type before the reply arrives. The request owns this reference. */
    object_hold(d->type);
    if (!wire_room(&r->wire, d->type, (size_t)d->count, (void *)d->data))
        return HN_ENOMEM;
    return service_post_reply(o->w->comm->group->tids[o->a->rank], id, &r->wire, &r->hn);
}

/* Follows the request at once; the order of messages is that of sending. */
static int send_type(hn_tid to, const struct service_message *m, const struct mpi_type *t)
{
    int64_t *words;
    int result;

    /* A predefined type, which the target knows by its number. */
    if (m->described == 0)
        return HN_OK;
    words = malloc((size_t)m->described * sizeof *words);
    if (!words)
        return HN_ENOMEM;
    rma_describe(t, words);
    result = service_send_words(to, (int)m->id, words, (size_t)m->described);
    free(words);
    return result;
}

/* Packs the two elements of a compare-and-swap. The packed pair passes to *w, which frees it. */
static int pack_operands(struct origin *o, struct wire *w)
{
    struct type_block block;
    struct packed p;
    bool ok;

    if (o->a->kind != SERVICE_COMPARE_AND_SWAP)
        return wire_pack(w, o->origin.type, (size_t)o->origin.count, o->origin.data) ? HN_OK
                                                                                     : HN_ENOMEM;
    if (!pack(&p, &o->compare, &o->origin))
        return HN_ENOMEM;
    /* The pair consists of two elements of one type, compare value first. */
    struct mpi_type packed = rma_packed_type(o->access.base, &block);
    ok = wire_pack(w, &packed, 2, p.data);
    /* w refers to the packed pair, and must free it. */
    if (ok && !w->owned)
        w->owned = p.owned;
    else
        free(p.owned);
    return ok ? HN_OK : HN_ENOMEM;
}

/* Sends the data that follows a request. Long data of a put or accumulate is sent without a copy,
 * and its request is completed by a flush. Shorter data is copied by the send. */
static int send_data(struct origin *o, int id, struct mpi_request *r)
{
    hn_tid to = o->w->comm->group->tids[o->a->rank];
    struct wire w;
    int result = pack_operands(o, &w);

    if (result != HN_OK)
        return result;
    /* A later flush waits for r, which keeps the data. */
    if (r && r->way == &sending && w.count * hn_type_size(w.type) >= BYTES_OWN_REQUEST) {
        r->wire = w;
        return service_start_data(to, id, &r->wire, &r->hn);
    }
    result = service_send_data(to, id, &w);
    wire_free(&w);
    return result;
}

/* Puts small data into the request itself. Not between unlike machines, since inline data is not
 * converted. Returns true if the request needs no further message of data. */
static bool put_inline(struct origin *o, struct service_message *m)
{
    size_t head = o->compare.type ? bytes_of(&o->compare) : 0;

    if (!o->origin.type)
        return true;
    if (wire_is_mixed || head + bytes_of(&o->origin) > SERVICE_INLINE)
        return false;
    if (head > 0)
        pack_type(o->compare.type, 1, o->compare.data, m->data);
    pack_type(o->origin.type, (size_t)o->origin.count, o->origin.data, (char *)m->data + head);
    /* Not negative: the data is in the request. */
    m->bytes = (int64_t)(head + bytes_of(&o->origin));
    return true;
}

/* Up to three messages: the request, the serialised type, the data. Small accesses with a
 * predefined type need only the first. */
static int access_by_request(struct origin *o, struct mpi_request *r)
{
    hn_tid to = o->w->comm->group->tids[o->a->rank];
    const struct mpi_type *t = o->access.type;
    struct service_message m = {.kind = o->a->kind,
                                .object = o->part->number,
                                .id = service_id(),
                                .rank = o->w->comm->rank,
                                .at = o->at,
                                .count = (int64_t)o->access.count};
    int result = HN_OK;

    /* Predefined objects have the same number in every task. */
    if (type_is_predefined(t))
        m.type = handle_number(OBJECT_TYPE, t->object.handle);
    else
        m.described = (int64_t)rma_describe_size(t);
    if (o->access.base)
        m.base = handle_number(OBJECT_TYPE, o->access.base->object.handle);
    if (o->access.op)
        m.op = handle_number(OBJECT_OP, o->access.op->object.handle);
    /* From here on the order of messages is the protocol: the target's thread receives the type
     * before the data, and no other message of this id. */
    bool alone = put_inline(o, &m);
    if (!alone)
        m.bytes = -1;
    if (o->result.type)
        result = post_result(o, (int)m.id, r);
    if (result == HN_OK)
        result = service_send(to, &m);
    if (result == HN_OK)
        result = send_type(to, &m, t);
    if (result == HN_OK && !alone)
        result = send_data(o, (int)m.id, r);
    o->part->touched = true; /* after it was sent: another thread may flush */
    return result;
}

/* ---- the whole access ----------------------------------------------------------------------- */

/* The memory is the caller's own, or shared with it. */
static bool is_direct(const struct origin *o)
{
    return o->part->direct || o->a->rank == o->w->comm->rank;
}

/* After a failure: cancels the receive, as no reply will arrive. */
static void take_back(struct mpi_request *r)
{
    hn_cancel(r->hn);
    hn_wait(r->hn, NULL);
    r->hn = NULL;
}

/* Creates a request if the call returns one, or if the operation continues after it. A request is
 * made for the program, for a reply, or for long data; otherwise the call costs no object. If the
 * access has no request of hnow left, it is complete. */
static int start(struct origin *o)
{
    const struct rma_call *a = o->a;
    bool direct = is_direct(o), data = o->result.type || bytes_of(&o->origin) >= BYTES_OWN_REQUEST;
    struct mpi_request *r = NULL;
    int result;

    if (a->request || (!direct && data)) {
        r = request_begin(o->w->comm, &sending);
        if (!r)
            return HN_ENOMEM;
    }
    /* r is NULL for short puts and accumulates without a request; they are complete at the
     * origin. */
    result = direct ? access_directly(o) : access_by_request(o, r);
    /* The epoch's end must await it. */
    if (r && result == HN_OK && r->hn && !win_note(o->w, r))
        result = HN_ENOMEM;
    /* A reply that arrives later must not be written into the program's buffer. */
    if (r && result != HN_OK && r->hn)
        take_back(r);
    /* Direct and short accesses: the request is complete when the call returns it. */
    if (r && !r->hn)
        request_done(r, MPI_SUCCESS);
    /* The program's handle takes over this reference; otherwise win_note() holds the only one. */
    if (a->request && result == HN_OK)
        *a->request = r->object.handle;
    else if (r)
        object_drop(r);
    return result;
}

/* MPI 4.1, 12.3: an access to MPI_PROC_NULL does nothing, but has a request if the call returns
 * one. */
static int do_nothing(const struct rma_call *a, struct mpi_win *w)
{
    struct mpi_request *r;

    if (!a->request)
        return MPI_SUCCESS;
    r = request_begin(w->comm, &sending);
    if (!r)
        return error_win(w, MPI_ERR_NO_MEM, a->call, "no memory for the request");
    request_done(r, MPI_SUCCESS);
    *a->request = r->object.handle;
    return MPI_SUCCESS;
}

/* All calls of MPI 4.1, 12.3 end here. */
int rma_do(const struct rma_call *a)
{
    struct origin o = {.a = a,
                       .w = win_of(a->win),
                       .origin = a->origin,
                       .result = a->result,
                       .compare = a->compare};
    int error;

    if (!o.w)
        return error_no_win(a->win, a->call);
    if (a->has_request && !a->request)
        return error_win(o.w, MPI_ERR_REQUEST, a->call, "there is no place for the request");
    /* Before all checks, as MPI_PROC_NULL needs neither an epoch nor valid data. */
    if (a->rank == MPI_PROC_NULL)
        return do_nothing(a, o.w);
    error = check(&o);
    if (error == MPI_SUCCESS && o.w->flavor == MPI_WIN_FLAVOR_DYNAMIC && a->rank == o.w->comm->rank)
        error = check_own_region(&o);
    if (error != MPI_SUCCESS)
        return error;
    return ERROR_WIN_HN(o.w, start(&o), a->call);
}
