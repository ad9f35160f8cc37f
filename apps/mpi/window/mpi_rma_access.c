/* mpi_rma_access.c - accesses at the target: by this process itself, and by the service thread for
 * other members (mpi_rma.h).
 *
 * The thread trusts the members of its job: they have checked ranges. Data of an access that is
 * rejected is received all the same, because it would otherwise stay in the queue.
 *
 * Each request is served to its end before the next one is received. So one origin's accesses
 * happen in the order of sending, and a flush needs no counters: its turn comes after them. The
 * price is that a long put delays the requests of all other origins.
 */
#include "window/mpi_rma.h"

#include "datatype/mpi_flatten.h"

#include <errno.h>
#include <stdlib.h>

/* ---- types ---------------------------------------------------------------------------------- */

/* Follows first children down to a predefined type, then compares every unit with it. Types of
 * MPI_Type_create_f90_...() are named, but have no number, so their basic type is used. */
struct mpi_type *rma_base_type(const struct mpi_type *t)
{
    const struct mpi_type *base = t;

    /* The recipe keeps the types from which a type was made, so this takes one step a nesting
     * level. */
    while (!base->object.named && base->recipe.types > 0)
        base = base->recipe.type_list[0];
    /* A pair type such as MPI_FLOAT_INT has two units; a repetition of it has no more than
     * these. */
    if (!base->object.named || base->unit_count == 0 || t->unit_count > base->unit_count)
        return NULL;
    if (!type_is_predefined(base))
        base = type_of_basic(base->units[0].basic);
    /* An accumulate needs one basic type (MPI 4.1, 12.3.4). */
    for (size_t i = 0; i < t->unit_count; i++)
        if (t->units[i].basic != base->units[i].basic)
            return NULL;
    return (struct mpi_type *)base;
}

/* The same elements without gaps. It refers to *block, and must not be freed. */
struct mpi_type rma_packed_type(const struct mpi_type *t, struct type_block *block)
{
    struct mpi_type packed = *t;

    *block = (struct type_block){0, (size_t)t->size, 1, 0};
    /* One dense block at offset 0; units and element counts stay as in t. */
    packed.lb = packed.true_lb = 0;
    packed.ub = packed.true_ub = t->size;
    packed.dense = true;
    packed.blocks = block;
    packed.block_count = packed.times = 1;
    return packed;
}

/* Words of a serialised type before the blocks and the units. The words are equal for all machines,
 * hence the receiver need not have the same sizes of C types. */
enum {
    WORD_SIZE,
    WORD_LB,
    WORD_UB,
    WORD_TRUE_LB,
    WORD_TRUE_UB,
    WORD_TIMES,
    WORD_STRIDE,
    WORD_BLOCKS,
    WORD_UNITS,
    WORD_REPEATS,
    WORD_ELEMENTS,
    WORD_DENSE,
    /* An hn_type: that of all elements, or HN_BYTE if they differ. */
    WORD_UNIT,
    /* The number of the words above; then follow the words of one block and of one unit. */
    WORDS_HEAD,
    WORDS_BLOCK = 4,
    WORDS_UNIT = 2
};

size_t rma_describe_size(const struct mpi_type *t)
{
    return WORDS_HEAD + WORDS_BLOCK * t->block_count + WORDS_UNIT * t->unit_count;
}

/* A datatype as words, with which the target packs and unpacks. */
void rma_describe(const struct mpi_type *t, int64_t *words)
{
    const int64_t head[WORDS_HEAD] = {t->size,
                                      t->lb,
                                      t->ub,
                                      t->true_lb,
                                      t->true_ub,
                                      (int64_t)t->times,
                                      t->stride,
                                      (int64_t)t->block_count,
                                      (int64_t)t->unit_count,
                                      (int64_t)t->repeats,
                                      (int64_t)t->elements,
                                      t->dense,
                                      t->unit};

    memcpy(words, head, sizeof head);
    words += WORDS_HEAD;
    /* Where the data is, ... */
    for (size_t i = 0; i < t->block_count; i++) {
        const struct type_block *b = &t->blocks[i];
        *words++ = b->at;
        *words++ = (int64_t)b->bytes;
        *words++ = (int64_t)b->count;
        *words++ = b->stride;
    }
    /* ... and of which basic types it consists. */
    for (size_t i = 0; i < t->unit_count; i++) {
        *words++ = type_basic_number(t->units[i].basic);
        *words++ = (int64_t)t->units[i].count;
    }
}

/* The alignment and the recipe are not sent, as packing does not need them. */
bool rma_described(struct mpi_type *t, const int64_t *words)
{
    *t = (struct mpi_type){.size = words[WORD_SIZE],
                           .lb = (MPI_Aint)words[WORD_LB],
                           .ub = (MPI_Aint)words[WORD_UB],
                           .true_lb = (MPI_Aint)words[WORD_TRUE_LB],
                           .true_ub = (MPI_Aint)words[WORD_TRUE_UB],
                           .times = (size_t)words[WORD_TIMES],
                           .stride = (MPI_Aint)words[WORD_STRIDE],
                           .block_count = (size_t)words[WORD_BLOCKS],
                           .unit_count = (size_t)words[WORD_UNITS],
                           .repeats = (size_t)words[WORD_REPEATS],
                           .elements = (size_t)words[WORD_ELEMENTS],
                           .dense = words[WORD_DENSE] != 0,
                           .unit = (hn_type)words[WORD_UNIT]};
    /* One more than needed, so that empty types do not depend on calloc(0). */
    t->blocks = calloc(t->block_count + 1, sizeof *t->blocks);
    t->units = calloc(t->unit_count + 1, sizeof *t->units);
    if (!t->blocks || !t->units) {
        flatten_free(t);
        return false;
    }
    words += WORDS_HEAD;
    for (size_t i = 0; i < t->block_count; i++, words += WORDS_BLOCK)
        t->blocks[i] = (struct type_block){(MPI_Aint)words[0], (size_t)words[1], (size_t)words[2],
                                           (MPI_Aint)words[3]};
    for (size_t i = 0; i < t->unit_count; i++, words += WORDS_UNIT)
        t->units[i] = (struct type_unit){type_basic(words[0]), (size_t)words[1]};
    return true;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* A negative extent places the last element before the first. */
void access_span(const struct access *a, MPI_Aint *low, MPI_Aint *high)
{
    MPI_Aint way = a->count > 0 ? (MPI_Aint)(a->count - 1) * type_extent(a->type) : 0;

    /* The true bounds, as MPI_Type_create_resized() may move lb and ub away from the data. */
    *low = a->type->true_lb + (way < 0 ? way : 0);
    *high = a->type->true_ub + (way > 0 ? way : 0);
}

/* An access without data touches no memory. */
bool access_is_attached(struct mpi_win *w, const struct access *a, char *at)
{
    MPI_Aint low, high;

    if (access_bytes(a) == 0)
        return true;
    access_span(a, &low, &high);
    pthread_mutex_lock(&w->lock);
    bool found = win_has_region(w, at + low, high - low);
    pthread_mutex_unlock(&w->lock);
    return found;
}

/* ---- accumulates ---------------------------------------------------------------------------- */

/* A member that died inside an accumulate leaves the mutex locked and the accumulate incomplete. It
 * is made consistent again, so that other members are not blocked. */
static void guard_lock(pthread_mutex_t *guard)
{
    if (pthread_mutex_lock(guard) == EOWNERDEAD)
        pthread_mutex_consistent(guard);
}

/* Combines packed operands with packed elements. MPI_REPLACE and MPI_NO_OP exist only for
 * accumulates (MPI 4.1, 12.3.4). Elements are the second operand: elements = operands op
 * elements. */
static void combine(const struct access *a, const void *operands, void *elements, size_t bytes)
{
    struct op_use use;

    if (a->op == op_of(MPI_REPLACE)) {
        memcpy(elements, operands, bytes);
        return;
    }
    /* Only the fetch counts; `elements` stays as it is. */
    if (a->op == op_of(MPI_NO_OP) || bytes == 0)
        return;
    /* The origin has checked the operator. */
    if (operator_begin(&use, a->op->object.handle, a->base, NULL, "MPI_Accumulate") == MPI_SUCCESS)
        hn_reduce_local(operands, elements, bytes / hn_type_size(use.unit), use.unit, use.hn);
    operator_end(&use);
}

/* Stores the new value if the old bytes equal the compare value. operands: the compare value, then
 * the new value. Bytes are compared, which suits integers. */
static void swap(const struct access *a, const char *operands, char *elements)
{
    size_t size = (size_t)a->base->size;

    if (memcmp(elements, operands, size) == 0)
        memcpy(elements, operands + size, size);
}

/* Call with the guard held; `fetched` gets the elements before the change. */
static void update(const struct access *a, const void *operands, char *elements, void *fetched)
{
    size_t bytes = access_bytes(a);

    if (fetched)
        memcpy(fetched, elements, bytes);
    if (a->kind == SERVICE_COMPARE_AND_SWAP)
        swap(a, operands, elements);
    else
        combine(a, operands, elements, bytes);
}

/* Atomic for each element: all updates of a member's memory take its guard. False: out of
 * memory. */
bool access_update(const struct access *a, const void *operands, void *fetched)
{
    size_t bytes = access_bytes(a);
    bool plain = type_is_plain(a->type, a->count);

    if (bytes == 0) /* the window may have no memory */
        return true;
    char *elements = plain ? a->at + a->type->true_lb : malloc(bytes + 1);

    if (!elements)
        return false;
    /* The guard covers the whole access and not one element: a lock for each would cost more. */
    guard_lock(a->guard);
    if (!plain)
        pack_type(a->type, a->count, a->at, elements);
    update(a, operands, elements, fetched);
    /* Elements with gaps are packed, combined and stored again while the guard is held. MPI_NO_OP
     * stores nothing. */
    if (!plain && a->op != op_of(MPI_NO_OP))
        unpack_type(a->type, a->count, a->at, elements, bytes);
    pthread_mutex_unlock(a->guard);
    if (!plain)
        free(elements);
    return true;
}

/* ---- requests from other members ------------------------------------------------------------ */

/* A request being served. On the stack of the service thread, for one request. */
struct serving {
    hn_tid from;
    const struct service_message *m;
    struct access a;
    struct mpi_type described;
    struct mpi_win *w;
    int error; /* error class; then the request has no effect */
};

/* Finds the target's type. Predefined types have the same number in all tasks; others arrive as
 * words in a message of their own. */
static bool find_type(struct serving *s)
{
    size_t n = (size_t)s->m->described;
    int64_t *words;
    bool ok;

    if (n == 0) {
        s->a.type = handle_object(OBJECT_TYPE, handle_of_number(OBJECT_TYPE, (int)s->m->type));
        return s->a.type != NULL;
    }
    words = malloc(n * sizeof *words);
    ok = words && service_receive_words(s->from, (int)s->m->id, words, n) == HN_OK &&
         rma_described(&s->described, words);
    free(words);
    /* Freed by win_serve(). */
    s->a.type = &s->described;
    return ok;
}

/* Displacements have been converted to bytes by the origin. In a dynamic window `at` is an absolute
 * address here. */
static void find_memory(struct serving *s)
{
    bool dynamic = s->w->flavor == MPI_WIN_FLAVOR_DYNAMIC;

    s->a.at = dynamic ? (char *)(uintptr_t)s->m->at
                      : s->w->parts[s->w->comm->rank].direct + (MPI_Aint)s->m->at;
    s->a.count = (size_t)s->m->count;
    /* The service thread takes the same guard as processes that reach this memory directly. */
    s->a.guard = s->w->parts[s->w->comm->rank].guard;
    /* Attached regions are known only here. In other windows the origin has checked the range. */
    if (dynamic && !access_is_attached(s->w, &s->a, s->a.at))
        s->error = MPI_ERR_RMA_RANGE;
}

/* Receives data directly into its place if possible. After an error the data is received into no
 * memory, which discards it. */
static void serve_put(struct serving *s)
{
    size_t count = s->error == MPI_SUCCESS ? s->a.count : 0;
    struct wire w;
    hn_info info;

    /* Short data is within the request. */
    if (s->m->bytes >= 0) {
        unpack_type(s->a.type, count, s->a.at, s->m->data, count > 0 ? (size_t)s->m->bytes : 0);
        return;
    }
    /* For contiguous data of a portable type this is the window itself, without a copy. */
    if (!wire_room(&w, s->a.type, count, s->a.at)) {
        s->error = MPI_ERR_NO_MEM;
        w = (struct wire){.type = HN_BYTE};
    }
    /* HN_ETRUNC is expected after an error, when the receive has no room. */
    int result = service_receive_data(s->from, (int)s->m->id, &w, &info);
    if ((result == HN_OK || result == HN_ETRUNC) && count > 0)
        wire_unpack(&w, s->a.type, count, s->a.at, result == HN_OK ? info.count : w.count,
                    result == HN_OK ? info.type : w.type);
    else if (result != HN_OK && count > 0)
        s->error = error_class_hn(result);
    wire_free(&w);
}

/* A reply without elements means that the request was rejected. The access itself is synchronous:
 * when the reply is sent, the memory has been read. */
static void serve_get(struct serving *s)
{
    struct wire w = {.type = HN_BYTE};

    if (s->error == MPI_SUCCESS && !wire_pack(&w, s->a.type, s->a.count, s->a.at)) {
        s->error = MPI_ERR_NO_MEM;
        w = (struct wire){.type = HN_BYTE};
    }
    service_reply(s->from, (int)s->m->id, &w);
    wire_free(&w);
}

/* Receives operands into separate memory; NULL: there are none, or out of memory. One more byte is
 * allocated, so that NULL always means an error. */
static void *receive_operands(struct serving *s, const struct mpi_type *packed, size_t n)
{
    size_t bytes = n * (size_t)packed->size;
    void *operands = calloc(1, bytes + 1);
    struct wire w = {.type = HN_BYTE};
    hn_info info;

    if (s->m->bytes >= 0 && operands)
        memcpy(operands, s->m->data, bytes < SERVICE_INLINE ? bytes : SERVICE_INLINE);
    if (s->m->bytes >= 0)
        return operands;
    if (!operands || !wire_room(&w, packed, n, operands))
        s->error = MPI_ERR_NO_MEM;
    /* Received in any case, so that the message does not remain. */
    if (service_receive_data(s->from, (int)s->m->id, &w, &info) == HN_OK)
        wire_unpack(&w, packed, n, operands, info.count, info.type);
    wire_free(&w);
    return operands;
}

/* The order is fixed by the protocol: operands are received before anything can fail, and a reply
 * is sent in any case if one is awaited. */
static void serve_update(struct serving *s)
{
    struct type_block block;
    struct mpi_type *base =
        handle_object(OBJECT_TYPE, handle_of_number(OBJECT_TYPE, (int)s->m->base));
    struct mpi_op *op = op_of(handle_of_number(OBJECT_OP, (int)s->m->op));
    struct mpi_type packed = rma_packed_type(base, &block);
    size_t n = access_bytes(&s->a) / (size_t)base->size;
    bool has_operands = s->m->kind == SERVICE_COMPARE_AND_SWAP || op != op_of(MPI_NO_OP);
    void *operands = NULL, *fetched = NULL;
    struct wire w = {.type = HN_BYTE};

    s->a.base = base;
    s->a.op = op;
    /* Compare-and-swap has a pair of operands; MPI_NO_OP has none, and no data message follows. */
    if (has_operands)
        operands = receive_operands(s, &packed, s->m->kind == SERVICE_COMPARE_AND_SWAP ? 2 : n);
    /* All kinds but MPI_Accumulate() fetch the old values. The + 1 keeps NULL for errors. */
    if (s->m->kind != SERVICE_ACCUMULATE)
        fetched = malloc(access_bytes(&s->a) + 1);
    if ((has_operands && !operands) || (s->m->kind != SERVICE_ACCUMULATE && !fetched))
        s->error = MPI_ERR_NO_MEM;
    if (s->error == MPI_SUCCESS && !access_update(&s->a, operands, fetched))
        s->error = MPI_ERR_NO_MEM;
    if (fetched && s->error == MPI_SUCCESS && !wire_pack(&w, &packed, n, fetched))
        w = (struct wire){.type = HN_BYTE};
    /* After an error the reply is empty. */
    if (s->m->kind != SERVICE_ACCUMULATE)
        service_reply(s->from, (int)s->m->id, &w);
    wire_free(&w);
    free(operands);
    free(fetched);
}

/* A request for a window that no longer exists is ignored: its origin has ended or failed. An error
 * is stored in the origin's part and reported by its next flush. */
void win_serve(hn_tid from, const struct service_message *m)
{
    struct serving s = {.from = from, .m = m, .a = {.kind = (enum service_kind)m->kind}};

    /* A number has a generation, so that of a freed window does not find its successor. */
    s.w = object_of_number(OBJECT_WIN, (int)m->object);
    if (!s.w || m->rank < 0 || m->rank >= s.w->comm->size)
        return;
    if (m->kind >= SERVICE_FLUSH) {
        win_serve_sync(s.w, from, m);
        return;
    }
    if (find_type(&s)) {
        find_memory(&s);
        if (m->kind == SERVICE_PUT)
            serve_put(&s);
        else if (m->kind == SERVICE_GET)
            serve_get(&s);
        else
            serve_update(&s);
    } else {
        s.error = MPI_ERR_NO_MEM;
        /* The origin waits for it. */
        if (m->kind != SERVICE_PUT && m->kind != SERVICE_ACCUMULATE)
            service_reply(from, (int)m->id, &(struct wire){.type = HN_BYTE});
    }
    /* The last error counts. */
    if (s.error != MPI_SUCCESS)
        s.w->parts[m->rank].fault = s.error;
    flatten_free(&s.described);
}
