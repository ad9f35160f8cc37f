/* test_match.c - which message goes to which receive: random posts, arrivals, ends and handlers
 * against a model that is as plain as the rules (match.h).
 *
 * The model keeps what waits in arrays, in order of time, and searches them from the front.  After
 * every event both have the same receives and messages in the same queues, the same results, and
 * each receive that is served has the elements of the message that the model gave it. */
#include "base/type.h"
#include "match/match.h"
#include "random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

enum {
    SENDERS = 4,
    TAGS = 3,
    MOST = 24,
    ELEMENTS = 40,
    STEPS = 400,
    HISTORIES = 400,
    HANDLERS = 3
};

static const hn_type types[] = {HN_BYTE, HN_INT, HN_LONG};
static const hn_context contexts[] = {0, 0x10000};

/* What the model knows of a receive. */
struct receive {
    struct hn_request request;
    char data[ELEMENTS * sizeof(long)];
    int message; /* that it has claimed; 0: none */
    int result;  /* as the model says; 1: not done */
    bool used;
};

/* And of a message; it has a number from 1 on. */
struct message {
    hn_tid from;
    int tag;
    hn_context context;
    hn_type type;
    size_t count;
    bool big_endian, dropped;
    size_t total, got;
    int receive, handler; /* that have it; -1: none */
    struct inbound *in;   /* while it arrives */
    uint8_t bytes[ELEMENTS * sizeof(long)];
};

struct list {
    int n, of[MOST * STEPS];
};

struct model {
    struct match match;
    struct receive receive[MOST];
    struct message message[STEPS + 1];
    struct match_handler handler[HANDLERS];
    bool handles[HANDLERS];
    int messages;
    struct list posted, unexpected, handled, handlers;
    uint64_t state, seed;
};
static struct model it;

static int draw(int n)
{
    return (int)random_below(&it.state, (unsigned)n);
}

static void append(struct list *l, int x)
{
    l->of[l->n++] = x;
}

static void prepend(struct list *l, int x)
{
    memmove(l->of + 1, l->of, (size_t)l->n++ * sizeof *l->of);
    l->of[0] = x;
}

static bool take_out(struct list *l, int x)
{
    for (int i = 0; i < l->n; i++)
        if (l->of[i] == x) {
            memmove(l->of + i, l->of + i + 1, (size_t)(--l->n - i) * sizeof *l->of);
            return true;
        }
    return false;
}

/* ---- the model's rules -------------------------------------------------------------------- */

static bool wanted(hn_tid from, int tag, hn_context context, const struct message *m)
{
    return (from == HN_ANY || from == m->from) && (tag == HN_ANY || tag == m->tag) &&
           context == m->context;
}

static bool matches(const struct hn_request *r, const struct message *m)
{
    return wanted(r->from, r->tag, r->context, m);
}

static int fits(const struct hn_request *r, const struct message *m)
{
    bool both_bytes = r->type == HN_BYTE && m->type == HN_BYTE;
    if (m->total > 0 && !both_bytes && (r->type == HN_BYTE || m->type == HN_BYTE))
        return HN_ETYPE;
    return m->count > r->count ? HN_ETRUNC : HN_OK;
}

static void finish(int receive, int result)
{
    it.receive[receive].result = result;
}

static void give(int number, int receive)
{
    it.message[number].receive = receive;
    it.receive[receive].message = number;
}

/* The first receive that matches and fits; those before it that match fail. */
static int first_posted(const struct message *m)
{
    for (int i = 0; i < it.posted.n;) {
        int r = it.posted.of[i];
        if (!matches(&it.receive[r].request, m)) {
            i++;
            continue;
        }
        take_out(&it.posted, r);
        if (fits(&it.receive[r].request, m) == HN_OK)
            return r;
        finish(r, fits(&it.receive[r].request, m));
    }
    return -1;
}

static int first_handler(const struct message *m)
{
    for (int i = 0; i < it.handlers.n; i++) {
        const struct match_handler *h = &it.handler[it.handlers.of[i]];
        if (wanted(h->from, h->tag, h->context, m))
            return it.handlers.of[i];
    }
    return -1;
}

static int first_unexpected(const struct hn_request *r)
{
    for (int i = 0; i < it.unexpected.n; i++) {
        const struct message *m = &it.message[it.unexpected.of[i]];
        if (matches(r, m) && (!r->whole || m->got == m->total))
            return it.unexpected.of[i];
    }
    return 0;
}

static void model_begins(int number)
{
    struct message *m = &it.message[number];
    m->receive = -1;
    m->handler = first_handler(m);
    if (m->handler >= 0) {
        append(&it.handled, number);
        return;
    }
    int r = first_posted(m);
    if (r >= 0)
        give(number, r);
    else
        append(&it.unexpected, number);
}

static void model_is_whole(int number)
{
    struct message *m = &it.message[number];
    if (m->receive < 0 && m->handler < 0 && !m->dropped) {
        int r = first_posted(m);
        if (r >= 0) {
            take_out(&it.unexpected, number);
            give(number, r);
        }
    }
    if (m->receive >= 0)
        finish(m->receive, HN_OK);
    else if (m->handler >= 0 && it.handler[m->handler].drops)
        take_out(&it.handled, number);
}

static bool model_serves(int receive)
{
    int number = first_unexpected(&it.receive[receive].request);
    if (!number)
        return false;
    struct message *m = &it.message[number];
    int fit = fits(&it.receive[receive].request, m);
    if (fit != HN_OK) {
        finish(receive, fit);
        return true;
    }
    take_out(&it.unexpected, number);
    give(number, receive);
    if (m->got == m->total)
        finish(receive, HN_OK);
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

static int value_of(int number, size_t element)
{
    return (number * 7 + (int)element) % 100;
}

static void fill(struct message *m, int number)
{
    size_t size = hn_type_size(m->type);
    for (size_t i = 0; i < m->count; i++) {
        uint8_t *at = m->bytes + i * size;
        memset(at, 0, size);
        at[m->big_endian ? size - 1 : 0] = (uint8_t)value_of(number, i);
    }
}

static void check_elements(int receive)
{
    const struct receive *r = &it.receive[receive];
    const struct message *m = &it.message[r->message];
    cr_assert_eq(r->request.number, (uint64_t)r->message, "seed %llu", (unsigned long long)it.seed);
    for (size_t i = 0; i < m->count; i++) {
        long value = r->request.type == HN_BYTE  ? ((const unsigned char *)r->data)[i]
                     : r->request.type == HN_INT ? ((const int *)r->data)[i]
                                                 : ((const long *)r->data)[i];
        cr_assert_eq(value, value_of(r->message, i), "seed %llu: element %zu of message %d",
                     (unsigned long long)it.seed, i, r->message);
    }
}

static bool arrives_from(hn_tid from)
{
    for (int i = 1; i <= it.messages; i++)
        if (it.message[i].in && it.message[i].from == from)
            return true;
    return false;
}

/* A new message of a sender of which none is arriving; 0: all senders are at it. */
static int new_message(void)
{
    int from = 1 + draw(SENDERS);
    if (arrives_from(from) || it.messages == STEPS)
        return 0;
    int number = ++it.messages;
    struct message *m = &it.message[number];
    *m = (struct message){.from = from,
                          .tag = draw(TAGS),
                          .context = contexts[draw(2)],
                          .type = types[draw(3)],
                          .count = (size_t)draw(ELEMENTS),
                          .big_endian = draw(2),
                          .receive = -1,
                          .handler = -1};
    m->total = m->count * hn_type_size(m->type);
    fill(m, number);
    return number;
}

static struct frame frame_for(const struct message *m)
{
    return (struct frame){.kind = FRAME_MSG,
                          .flags = m->big_endian ? FRAME_BIG_ENDIAN : 0,
                          .type = (uint16_t)m->type,
                          .context = m->context,
                          .tag = m->tag,
                          .length = (uint32_t)m->total,
                          .total = m->total};
}

static void arrive_whole(void)
{
    int number = new_message();
    if (!number)
        return;
    struct message *m = &it.message[number];
    struct frame f = frame_for(m);
    model_begins(number);
    m->got = m->total;
    model_is_whole(number);
    cr_assert_eq(match_whole(&it.match, m->from, &f, (uint64_t)number, m->bytes), HN_OK);
}

static void begin(void)
{
    int number = new_message();
    struct message *m = &it.message[number];
    if (!number || m->total == 0) {
        it.messages -= number > 0;
        return;
    }
    struct frame f = frame_for(m);
    model_begins(number);
    m->in = match_begin(&it.match, m->from, &f);
    cr_assert(m->in);
    m->in->number = (uint64_t)number;
}

/* One of the messages that are arriving; 0: there is none. */
static int some_arriving(void)
{
    int start = it.messages ? draw(it.messages) : 0;
    for (int i = 0; i < it.messages; i++) {
        int number = 1 + (start + i) % it.messages;
        if (it.message[number].in)
            return number;
    }
    return 0;
}

static void go_on(void)
{
    int number = some_arriving();
    struct message *m = &it.message[number];
    if (!number)
        return;
    size_t part = 1 + (size_t)draw((int)(m->total - m->got));
    cr_assert(match_make_room(&it.match, m->in, part));
    memcpy(m->in->data + m->in->got, m->bytes + m->got, part);
    m->in->got += part;
    m->got += part;
    if (m->got < m->total)
        return;
    struct inbound *in = m->in;
    m->in = NULL;
    model_is_whole(number);
    match_complete(&it.match, in);
}

static void abort_one(void)
{
    int number = some_arriving(), result = draw(2) ? HN_EDEAD : HN_ELINK;
    struct message *m = &it.message[number];
    if (!number)
        return;
    take_out(&it.unexpected, number);
    take_out(&it.handled, number);
    if (m->receive >= 0) {
        it.receive[m->receive].message = 0;
        if (result != HN_EDEAD || it.receive[m->receive].request.from != HN_ANY)
            finish(m->receive, result);
        else if (!model_serves(m->receive))
            prepend(&it.posted, m->receive);
    }
    match_abort(&it.match, m->in, result);
    m->in = NULL;
}

/* ---- receives ----------------------------------------------------------------------------- */

static void post(void)
{
    int r = draw(MOST);
    struct receive *v = &it.receive[r];
    if (v->used && v->result == 1)
        return;
    *v = (struct receive){.used = true, .result = 1};
    request_init(&v->request);
    v->request.from = draw(3) ? 1 + draw(SENDERS) : HN_ANY;
    v->request.tag = draw(3) ? draw(TAGS) : HN_ANY;
    v->request.context = contexts[draw(2)];
    v->request.type = types[draw(3)];
    v->request.count = draw(4) ? ELEMENTS : (size_t)draw(ELEMENTS);
    v->request.data = v->data;
    v->request.whole = draw(4) == 0;
    if (!model_serves(r))
        append(&it.posted, r);
    match_post(&it.match, &v->request);
}

/* Taken back: it is as if it had never been. */
static void forget(int r)
{
    it.receive[r].used = false;
    it.receive[r].message = 0;
}

static void cancel(void)
{
    int r = draw(MOST);
    if (!it.receive[r].used)
        return;
    bool was_posted = take_out(&it.posted, r);
    cr_assert_eq(match_cancel(&it.match, &it.receive[r].request), was_posted);
    if (was_posted)
        forget(r);
}

static void release(void)
{
    int r = draw(MOST), number = it.receive[r].message;
    struct message *m = &it.message[number];
    if (!it.receive[r].used)
        return;
    bool arriving = it.receive[r].result == 1 && number > 0;
    if (arriving) {
        m->receive = -1;
        int other = first_posted(m);
        if (other >= 0)
            give(number, other);
        else
            prepend(&it.unexpected, number);
    }
    cr_assert_eq(match_release(&it.match, &it.receive[r].request), arriving);
    if (arriving)
        forget(r);
}

static void fail_posted(bool (*which)(const struct hn_request *r, int x), int x, int result)
{
    for (int i = 0; i < it.posted.n;) {
        int r = it.posted.of[i];
        if (which(&it.receive[r].request, x)) {
            take_out(&it.posted, r);
            finish(r, result);
        } else {
            i++;
        }
    }
}

static bool is_from(const struct hn_request *r, int from)
{
    return r->from == from;
}

static bool is_in(const struct hn_request *r, int context)
{
    return r->context == contexts[context];
}

static void fail_some(void)
{
    int from = 1 + draw(SENDERS), context = draw(2);
    if (draw(2)) {
        fail_posted(is_from, from, HN_EDEAD);
        match_sender_ended(&it.match, from, HN_EDEAD);
    } else {
        fail_posted(is_in, context, HN_EDEAD);
        match_fail_context(&it.match, contexts[context], from, HN_EDEAD);
    }
}

/* ---- handlers and messages for nobody ----------------------------------------------------- */

static void add_handler(void)
{
    int h = draw(HANDLERS);
    struct match_handler *handler = &it.handler[h];
    if (it.handles[h])
        return;
    *handler = (struct match_handler){.from = draw(2) ? 1 + draw(SENDERS) : HN_ANY,
                                      .tag = draw(2) ? draw(TAGS) : HN_ANY,
                                      .context = contexts[draw(2)],
                                      .drops = draw(4) == 0};
    it.handles[h] = true;
    append(&it.handlers, h);
    for (int i = 0; i < it.unexpected.n;) {
        int number = it.unexpected.of[i];
        struct message *m = &it.message[number];
        if (!wanted(handler->from, handler->tag, handler->context, m)) {
            i++;
            continue;
        }
        take_out(&it.unexpected, number);
        append(&it.handled, number);
        m->handler = h;
        if (m->got == m->total)
            model_is_whole(number);
    }
    match_add_handler(&it.match, handler);
}

static void remove_handler(void)
{
    int h = draw(HANDLERS);
    if (!it.handles[h])
        return;
    it.handles[h] = false;
    take_out(&it.handlers, h);
    for (int i = 0; i < it.handled.n;) {
        int number = it.handled.of[i];
        struct message *m = &it.message[number];
        if (m->handler != h || (m->handler = first_handler(m)) >= 0) {
            i++;
            continue;
        }
        take_out(&it.handled, number);
        int r = first_posted(m);
        if (r >= 0)
            give(number, r);
        else
            append(&it.unexpected, number);
        if (r >= 0 && m->got == m->total)
            finish(r, HN_OK);
    }
    match_remove_handler(&it.match, &it.handler[h]);
}

static void handle(void)
{
    int first = 0;
    for (int i = 0; i < it.handled.n && !first; i++)
        if (it.message[it.handled.of[i]].got == it.message[it.handled.of[i]].total)
            first = it.handled.of[i];
    struct inbound *in = match_first_handled(&it.match);
    cr_assert_eq(in ? in->number : 0, (uint64_t)first, "seed %llu", (unsigned long long)it.seed);
    if (!in)
        return;
    take_out(&it.handled, first);
    match_drop(&it.match, in);
}

static void drop(void)
{
    if (it.unexpected.n == 0)
        return;
    int number = it.unexpected.of[draw(it.unexpected.n)];
    list_for_each_safe (n, &it.match.unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (in->number == (uint64_t)number)
            match_drop_unexpected(&it.match, in);
    }
    take_out(&it.unexpected, number);
    it.message[number].dropped = true;
}

/* ---- comparing ---------------------------------------------------------------------------- */

static void compare_messages(struct list_node *queue, const struct list *expected, const char *name)
{
    int i = 0;
    list_for_each (n, queue) {
        uint64_t number = list_entry(n, struct inbound, node)->number;
        cr_assert(i < expected->n && number == (uint64_t)expected->of[i],
                  "seed %llu: message %llu at place %d of the %s", (unsigned long long)it.seed,
                  (unsigned long long)number, i, name);
        i++;
    }
    cr_assert_eq(i, expected->n, "seed %llu: %d messages are %s, not %d",
                 (unsigned long long)it.seed, i, name, expected->n);
}

static void compare_receives(void)
{
    int i = 0;
    list_for_each (n, &it.match.posted) {
        cr_assert(i < it.posted.n && list_entry(n, struct hn_request, node) ==
                                         &it.receive[it.posted.of[i]].request,
                  "seed %llu: place %d of the posted receives", (unsigned long long)it.seed, i);
        i++;
    }
    cr_assert_eq(i, it.posted.n, "seed %llu", (unsigned long long)it.seed);
    for (int r = 0; r < MOST; r++) {
        struct receive *v = &it.receive[r];
        if (!v->used)
            continue;
        cr_assert_eq(v->request.done, v->result != 1, "seed %llu: receive %d",
                     (unsigned long long)it.seed, r);
        cr_assert(!v->request.done || v->request.result == v->result,
                  "seed %llu: receive %d has %d, not %d", (unsigned long long)it.seed, r,
                  v->request.result, v->result);
        if (v->request.done && v->result == HN_OK)
            check_elements(r);
    }
}

static void play(uint64_t seed)
{
    static void (*const events[])(void) = {arrive_whole, arrive_whole, begin,       go_on,
                                           go_on,        post,         post,        post,
                                           cancel,       release,      abort_one,   fail_some,
                                           handle,       drop,         add_handler, remove_handler};
    memset(&it, 0, sizeof it);
    it.seed = it.state = seed;
    match_init(&it.match);
    if (seed % 2) { /* as after searches of long queues */
        match_index_make(&it.match.posted_index);
        match_index_make(&it.match.unexpected_index);
    }
    for (int step = 0; step < STEPS; step++) {
        events[draw(sizeof events / sizeof *events)]();
        compare_messages(&it.match.unexpected, &it.unexpected, "unexpected");
        compare_messages(&it.match.handled, &it.handled, "handled");
        compare_receives();
    }
    for (int number; (number = some_arriving()); it.message[number].in = NULL)
        match_abort(&it.match, it.message[number].in, HN_ESTATE);
    match_clear(&it.match);
    cr_assert_eq(it.match.incoming, 0, "seed %llu: %zu bytes are still counted",
                 (unsigned long long)seed, it.match.incoming);
    for (int r = 0; r < MOST; r++)
        cr_assert(!it.receive[r].used || it.receive[r].request.done);
}

Test(match, as_the_rules_say)
{
    for (uint64_t seed = random_seed(), last = seed + HISTORIES; seed < last; seed++)
        play(seed);
}

/* ---- long queues -------------------------------------------------------------------------- */

/* With searches from the head, each of the two tests below would pass 8 * 10^10 entries.  The limit
 * is on processor time, because other programs may run beside the test. */
enum { LONG_QUEUE = 400000, LONG_CPU = 30 /* s */ };

static void begin_long(struct match *m)
{
    cr_assert_eq(setrlimit(RLIMIT_CPU, &(struct rlimit){LONG_CPU, LONG_CPU}), 0);
    match_init(m);
}

static void post_tag(struct match *m, struct hn_request *r, int tag, int *into)
{
    request_init(r);
    r->from = 1;
    r->tag = tag;
    r->data = into;
    r->count = 1;
    r->type = HN_INT;
    match_post(m, r);
}

static void arrive_tag(struct match *m, int tag)
{
    match_put(m, &(hn_info){.from = 1, .tag = tag, .type = HN_INT, .count = 1}, 0, &tag);
}

Test(match, many_unexpected_messages_in_reverse_order)
{
    struct match m;
    int served = 0;
    begin_long(&m);
    for (int tag = 0; tag < LONG_QUEUE; tag++)
        arrive_tag(&m, tag);
    for (int tag = LONG_QUEUE - 1; tag >= 0; tag--) {
        struct hn_request r;
        int got = -1;
        post_tag(&m, &r, tag, &got);
        served += r.done && got == tag;
    }
    cr_expect_eq(served, LONG_QUEUE);
    match_clear(&m);
}

Test(match, many_posted_receives_in_reverse_order)
{
    struct match m;
    struct hn_request *r = malloc(LONG_QUEUE * sizeof *r);
    int *got = malloc(LONG_QUEUE * sizeof *got);
    int served = 0;
    begin_long(&m);
    for (int tag = 0; tag < LONG_QUEUE; tag++)
        post_tag(&m, &r[tag], tag, &got[tag]);
    for (int tag = LONG_QUEUE - 1; tag >= 0; tag--) {
        arrive_tag(&m, tag);
        served += r[tag].done && got[tag] == tag;
    }
    cr_expect_eq(served, LONG_QUEUE);
    match_clear(&m);
    free(got);
    free(r);
}
