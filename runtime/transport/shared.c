/* shared.c - messages through memory that two tasks share (method: shared.h). */
#include "transport/shared.h"

#include "connect/local.h"
#include "connect/peer.h"
#include "transport/small.h"
#include "job/task.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the mapping looks like: what goes with either direction, first the one from the dialler to
 * the acceptor, and the form; then the data of both rings, then both slot queues. */
enum {
    COUNTERS = 4096,
    LANES = COUNTERS + 2 * RING_FULL,
    MAPPING = LANES + 2 * sizeof(struct slot_memory)
};
struct shared_side {
    struct ring_shared ring;
    struct cross_read_shared cross_read;
};

/* Tasks of one host need not be programs of one machine: an emulator runs others, and a processor
 * of 64 bits those of 32.  Counters stand here in the order of bytes of who made the memory, and at
 * the offsets of its compiler, so it says which these are.  Whoever has others does without. */
struct shared_form {
    uint32_t order, mapping, side, ring, tail, reader, cross_read, loans, slot, data;
};
static const struct shared_form form = {
    .order = 0x01020304,
    .mapping = MAPPING,
    .side = sizeof(struct shared_side),
    .ring = sizeof(struct ring_shared),
    .tail = offsetof(struct ring_shared, tail),
    .reader = offsetof(struct ring_shared, reader),
    .cross_read = offsetof(struct shared_side, cross_read),
    .loans = offsetof(struct cross_read_shared, loans),
    .slot = sizeof(struct slot),
    .data = offsetof(struct slot, data),
};
static_assert(2 * sizeof(struct shared_side) + sizeof form <= COUNTERS, "all of it fits");

/* Unconfirmed bytes from which on the writer looks what has been received: seldom, for the other
 * side's core has to give the line of the cache away each time. */
enum { RECEIPT = 8 << 10 };

/* ---- the memory --------------------------------------------------------------------------- */

static int make_memory(void)
{
    int fd = memfd_create("hnow", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd >= 0 && (ftruncate(fd, MAPPING) < 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Of the right size, and nobody can take it away. */
static bool is_ours(int fd)
{
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);

    return seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(fd, &st) == 0 && st.st_size == MAPPING;
}

/* Counters of 64 bits that a processor cannot write at once are guarded by locks of the C library,
 * and another process has others. */
static bool is_shareable(void)
{
    static const _Atomic uint64_t counter;

    return atomic_is_lock_free(&counter);
}

void shared_unmap(struct shared *s)
{
    if (s->map)
        munmap(s->map, MAPPING);
    s->map = NULL;
}

/* Whoever makes the memory says its form, the other one looks whether it has the same. */
static bool has_our_form(void *map, bool dialler)
{
    void *said = (struct shared_side *)map + 2;

    if (dialler)
        memcpy(said, &form, sizeof form);
    return memcmp(said, &form, sizeof form) == 0;
}

bool shared_map(struct shared *s, int *fd, bool dialler, const uint8_t key[CROSS_READ_KEY])
{
    struct shared_side *side;
    struct slot_memory *lane;
    uint8_t *data;

    *s = (struct shared){0};
    if (!is_shareable())
        return false;
    if (dialler)
        *fd = make_memory();
    if (*fd < 0 || !is_ours(*fd))
        return false;
    s->map = mmap(NULL, MAPPING, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *fd, 0);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        return false;
    }
    if (!has_our_form(s->map, dialler)) {
        shared_unmap(s);
        return false;
    }
    side = s->map;
    data = (uint8_t *)s->map + COUNTERS;
    ring_init(dialler ? &s->out : &s->in, &side[0].ring, data);
    ring_init(dialler ? &s->in : &s->out, &side[1].ring, data + RING_FULL);
    lane = (struct slot_memory *)((uint8_t *)s->map + LANES);
    slot_queue_init(dialler ? &s->slots_out : &s->slots_in, &lane[0]);
    slot_queue_init(dialler ? &s->slots_in : &s->slots_out, &lane[1]);
    s->lender = &side[dialler ? 0 : 1].cross_read;
    s->cross_read.shared = &side[dialler ? 1 : 0].cross_read;
    cross_read_show(s->lender, key);
    return true;
}

/* ---- beginning and ending ----------------------------------------------------------------- */

void shared_wake(struct peer *p)
{
    struct shared *s = &p->shared;

    if (s->map && list_empty(&s->node)) {
        list_append(&p->task->peers.awake, &s->node);
        doorbell_decline(&s->in.shared->reader);
        engine_changed(&p->task->engine);
    }
}

void shared_start(struct peer *p)
{
    struct shared *s = &p->shared;

    list_init(&s->node);
    s->copy_mode = (struct copy_mode){0};
    s->begun = 0;
    p->link.loan.loans = s->lender->loans;
    p->link.loan.lend_least = COPY_MODE_LEAST;
    p->link.loan.fetches = local_choice() <= LOCAL_FETCH && !p->no_cross_reads &&
                           cross_read_try(&s->cross_read, s->cross_read.shared, p->fd);
    s->learns = p->link.loan.fetches && local_choice() == LOCAL_BEST;
    if (p->link.loan.fetches && !s->learns)
        atomic_store(&s->cross_read.shared->fetches, UINT32_MAX);
    atomic_store(&s->in.shared->received, p->link.received);
    doorbell_start(&s->in.shared->reader, p->task->peers.joined);
    doorbell_start(&s->out.shared->writer, p->task->peers.joined);
    shared_wake(p);
}

/* What the other side has received by now. */
static void take_receipt(struct peer *p)
{
    uint64_t received = atomic_load_explicit(&p->shared.out.shared->received, memory_order_acquire);

    if (received > p->link.acked && received <= p->link.written)
        link_acknowledged(&p->link, received);
}

void shared_stop(struct peer *p)
{
    struct shared *s = &p->shared;

    if (!s->map)
        return;
    cross_read_revoke(s->lender);
    take_receipt(p);
    small_reclaim(&p->link, &s->slots_out);
    list_remove(&s->node);
    if (s->large)
        p->task->peers.large--;
    s->stuck = s->large = false;
    shared_unmap(s);
}

/* ---- moving bytes ------------------------------------------------------------------------- */

/* A full socket is full of bells: the other side will come. */
static void ring_doorbell(struct peer *p)
{
    ssize_t n = send(p->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);

    p->task->engine.background.helped++;
    (void)n; /* a broken one is noticed by reading */
}

/* The reader of what we have written gets a bell if it sleeps. */
static void wake_reader(struct peer *p)
{
    struct shared *s = &p->shared;

    if (doorbell_needed(&s->out.shared->reader, &s->to_reader, p->task->peers.joined))
        ring_doorbell(p);
}

/* The same for the writer of what we have read. */
static void wake_writer(struct peer *p)
{
    struct shared *s = &p->shared;

    if (doorbell_needed(&s->in.shared->writer, &s->to_writer, p->task->peers.joined))
        ring_doorbell(p);
}

/* Whether the ring may become large for what there is to write. */
static bool may_grow(struct peer *p, uint64_t more)
{
    struct shared *s = &p->shared;

    if (!s->large && more > RING_SMALL && p->task->peers.large < SHARED_LARGE) {
        s->large = true;
        p->task->peers.large++;
    }
    return s->large;
}

/* Most messages are small, and one at a time. */
static bool write_short(struct peer *p)
{
    size_t n;
    const void *frame = link_short_output(&p->link, &n);

    if (!frame || !ring_put_whole(&p->shared.out, frame, n))
        return false;
    link_short_written(&p->link);
    wake_reader(p);
    return true;
}

void shared_write(struct peer *p)
{
    struct link *l = &p->link;
    struct shared *s = &p->shared;
    struct iovec iov[LINK_IOV];
    bool wrote = false;
    int n;

    if (l->queued - l->acked >= RECEIPT || p->task->peers.acks_wanted > 0)
        take_receipt(p);
    l->told = l->received; /* shared_tell() has told it */
    if (l->queued - l->written >= COPY_MODE_LEAST)
        l->loan.lends = atomic_load_explicit(&s->lender->fetches, memory_order_relaxed);
    s->stuck = false;
    write_short(p);
    while (!s->stuck && link_has_output(l) && (n = link_output(l, iov)) > 0) {
        uint64_t more = l->queued - l->written;
        size_t bytes = ring_put(&s->out, iov, n, more, may_grow(p, more));

        link_written(l, bytes);
        wrote |= bytes > 0;
        s->stuck = bytes == 0;
    }
    if (wrote)
        wake_reader(p);
    if (s->stuck || link_out_of_loans(l) || p->task->peers.acks_wanted > 0)
        shared_wake(p);
}

void shared_tell(struct peer *p)
{
    struct ring_shared *in = p->shared.in.shared;

    if (atomic_load_explicit(&in->received, memory_order_relaxed) != p->link.received)
        atomic_store_explicit(&in->received, p->link.received, memory_order_release);
    wake_writer(p);
}

/* A message has begun, or is whole: notes what it has taken, and tells the writer which way the
 * next ones shall come. */
static void note_copy_mode(struct peer *p, bool begins)
{
    struct shared *s = &p->shared;
    uint64_t now = engine_now();

    if (begins) {
        s->begun = now;
        s->coming = p->link.in.inbound->total;
        s->fetched = p->link.loan.payload_lent;
        return;
    }
    copy_mode_note(&s->copy_mode, s->coming, s->fetched, now - s->begun);
    s->begun = 0;
    atomic_store_explicit(&s->cross_read.shared->fetches, copy_mode_fetches(&s->copy_mode),
                          memory_order_relaxed);
}

/* The payload that comes next is to be fetched: bytes taken, or HN_ELINK. */
static ptrdiff_t fetch(struct peer *p, unsigned place, struct iovec to)
{
    struct ring_shared *in = p->shared.in.shared;
    int result = cross_read_payload(&p->shared.cross_read, place, to);

    if (result != HN_OK) {
        p->no_cross_reads |= result == HN_ESYS;
        return HN_ELINK;
    }
    link_received(&p->link, NULL, to.iov_len);
    atomic_store_explicit(&in->received, p->link.received, memory_order_release);
    return (ptrdiff_t)to.iov_len;
}

/* ---- the slot queue -----------------------------------------------------------------------------
 */

/* After so many small messages the writer looks whether the ring has been read. */
enum { LOOK = 16 };

/* All that went through the ring has arrived, so that the slot queue may follow.  Who has heard
 * from the reader since it looked last, or not looked for long, looks again. */
static bool ring_is_behind(struct peer *p)
{
    struct shared *s = &p->shared;

    if (link_has_pieces(&p->link) && (s->heard != p->link.received || ++s->unlooked >= LOOK)) {
        s->heard = p->link.received;
        s->unlooked = 0;
        take_receipt(p);
    }
    return !link_has_pieces(&p->link);
}

bool shared_put(struct peer *p, const hn_info *info, hn_context context, const void *data,
                size_t bytes)
{
    if (!ring_is_behind(p) ||
        !small_send(&p->link, &p->shared.slots_out, info, context, data, bytes))
        return false;
    wake_reader(p);
    if (p->task->peers.acks_wanted > 0)
        shared_wake(p);
    return true;
}

/* Bytes taken, or as shared_read(). */
static ptrdiff_t take_small(struct peer *p)
{
    struct link *l = &p->link;
    uint64_t before = l->received;
    int result = small_receive(l, &p->shared.slots_in);

    if (l->received != before) {
        atomic_store_explicit(&p->shared.in.shared->received, l->received, memory_order_release);
        slot_queue_notify(
            &p->shared.slots_in); /* behind it: what the slot queue has no more, has arrived */
    }
    return result == HN_OK ? (ptrdiff_t)(l->received - before) : result;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads from the ring: small messages where they stand in it, else what comes next. */
static ptrdiff_t take(struct peer *p)
{
    struct link *l = &p->link;
    struct ring *in = &p->shared.in;
    uint8_t *scratch = p->task->peers.scratch;
    struct iovec iov[2];
    size_t n, there;
    const uint8_t *bytes = ring_peek(in, &there); /* then the slot queue, which may go before it */
    ptrdiff_t beside = take_small(p);
    int result;

    if (beside != 0 || there == 0)
        return beside; /* what comes into the ring now may stand behind what comes into the slot
                          queue */
    result = there == RING_BROKEN ? HN_EPROTO : link_take(l, bytes, there, &n);

    if (result != HN_OK)
        return result;
    if (n > 0) {
        ring_skip(in, n);
        return (ptrdiff_t)n;
    }
    n = ring_get(in, iov, link_input(l, iov, scratch, FRAME_SIZE - l->in.have));
    result = n == RING_BROKEN ? HN_EPROTO : link_received(l, scratch, n);
    return result == HN_OK ? (ptrdiff_t)n : result;
}

ptrdiff_t shared_read(struct peer *p)
{
    struct link *l = &p->link;
    uint64_t messages = l->messages_in;
    struct iovec to;
    unsigned place;
    ptrdiff_t n = link_must_fetch(l, &place, &to) ? fetch(p, place, to) : take(p);

    if (p->shared.begun && (!l->in.inbound || l->messages_in != messages))
        note_copy_mode(p, false);
    if (p->shared.learns && l->messages_in != messages && l->in.inbound &&
        l->in.inbound->total >= COPY_MODE_LEAST)
        note_copy_mode(p, true);
    return n;
}

bool shared_goes_on(const struct peer *p)
{
    const struct ring *in = &p->shared.in;

    return p->link.in.inbound || p->link.in.have > 0 || in->other != in->at;
}

bool shared_take_doorbells(struct peer *p)
{
    char bells[64];
    ssize_t n = recv(p->fd, bells, sizeof bells, MSG_DONTWAIT);

    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* ---- turns -------------------------------------------------------------------------------- */

static bool wants_receipt(const struct peer *p)
{
    return (p->task->peers.acks_wanted > 0 || link_out_of_loans(&p->link)) &&
           !link_all_acknowledged(&p->link);
}

static void ask_for_doorbells(struct peer *p)
{
    struct shared *s = &p->shared;

    doorbell_ask(&s->in.shared->reader);
    if (s->stuck || wants_receipt(p))
        doorbell_ask(&s->out.shared->writer);
}

static bool has_plain_doorbells(const struct peer *p)
{
    return doorbell_is_plain(&p->shared.in.shared->reader) ||
           doorbell_is_plain(&p->shared.out.shared->writer);
}

static void decline_doorbells(struct peer *p)
{
    doorbell_decline(&p->shared.in.shared->reader);
    doorbell_decline(&p->shared.out.shared->writer);
}

/* Whether something has come before the other side could know that it has to ring. */
static bool has_come(struct peer *p)
{
    const struct shared *s = &p->shared;
    struct ring_shared *out = s->out.shared;

    return ring_has_data(&s->in) || small_has_come(&p->link, &s->slots_in) ||
           (s->stuck && atomic_load(&out->tail) != s->out.other) ||
           (wants_receipt(p) && atomic_load(&out->received) != p->link.acked);
}

static struct peer *awake_peer(struct list_node *n)
{
    return list_entry(n, struct peer, shared.node);
}

bool shared_go_to_sleep(struct task *t)
{
    bool plain = false, come = false;

    list_for_each (n, &t->peers.awake)
        ask_for_doorbells(awake_peer(n));
    list_for_each (n, &t->peers.awake)
        plain |= has_plain_doorbells(awake_peer(n));
    if (plain)
        doorbell_barrier();
    list_for_each (n, &t->peers.awake)
        come |= has_come(awake_peer(n));
    list_for_each_safe (n, &t->peers.awake) {
        if (come)
            decline_doorbells(awake_peer(n));
        else
            list_remove(n);
    }
    return !come;
}
