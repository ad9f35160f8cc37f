/* test_set_up.c - how connections of tasks come about, on machines in memory (sim.h): two to five
 * tasks send to each other, all at once or one after the other; dial.c, set_up.c, listen.c,
 * relay.c, peer.c and what they use run as they are.  Addresses lead nowhere, or to a task of
 * another job; firewalls drop or refuse connections, in one direction or in both; first packets are
 * lost; connections break behind any byte; strangers knock; a task wants several sockets to another
 * one, before there is a connection or in its middle. Whatever happens,
 *
 *     every message arrives once, in order, where there is a way: direct, called back, or, where
 *     neither is open, relayed;
 *     where there is none, the sender gets HN_ELINK, and hrun one report;
 *     in the end each pair that has talked has one connection, which both ends call the same, or
 * none; no descriptor, no timer and no connection set-up is left.
 *
 * A history that fails prints its seed; HNOW_SEED replays from it, HNOW_HISTORIES says how many,
 * HNOW_TALK prints what happens.
 *
 * Long: ten thousand histories.
 */
#include "connect/local.h"
#include "connect/mtu.h"
#include "connect/tail_probe.h"
#include "connect/relay.h"
#include "job/task.h"
#include "sim.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sodium.h>
#include <unistd.h>

enum { HISTORIES = 10000, MOST = 5, MESSAGES = 4, MORE_MESSAGES = 40, CONTEXT = 7, SIZE = 900 };

/* A task, and what it has sent and received. */
struct actor {
    struct task task;
    struct sim_process *process;
    double enrols, next_at;
    int to_send[MOST], sent[MOST], received[MOST];
    int opened[MOST];   /* connections so far */
    int faults[MOST];   /* reports to hrun that a task cannot be reached */
    bool relayed[MOST]; /* reached through the relay */
};

/* The agent of a host, as far as it relays. */
struct agent_of_host {
    struct sim_process *process;
    struct channel up;
    struct relay relay;
    struct control_decoder out; /* what it says to hrun */
};

static struct {
    int n, hosts;
    bool relays, breaks, crossing, loses;
    bool parallel; /* tasks want several sockets */
    bool alike;    /* hosts have addresses that others have, too: they lead to other tasks */
    struct actor actor[MOST];
    struct agent_of_host agent[MOST];
    uint8_t secret[CONTROL_SECRET];
    unsigned listed[MOST][MOST]; /* whether a task knows the address of another one */
} plot;

static struct actor *actor_of(const struct task *t)
{
    return (struct actor *)((char *)t - offsetof(struct actor, task));
}

static int index_of(hn_tid tid)
{
    return (int)control_serial((uint32_t)tid) - 1;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Message k of one to another is told by its bytes. */
static size_t fill(uint8_t data[SIZE], int from, int to, int k)
{
    size_t n = (size_t)(from * 7919 + to * 104729 + k * 331) % SIZE;
    for (size_t i = 0; i < n; i++)
        data[i] = (uint8_t)(i + (size_t)(31 * k + 7 * from + to));
    return n;
}

/* As mtu.c, when it has seen that one socket is slow. */
static void widen(struct peer *p)
{
    bool fresh = p->dial.rate.sockets.wanted == 0;
    p->dial.rate.sockets.wanted = 2 + sim_below(4);
    if (p->state == PEER_OPEN && p->transport == &transport_parallel)
        dial_join(&p->dial, p->fd, p->dial.rate.sockets.wanted);
    else if (p->state == PEER_OPEN && fresh)
        peer_break(p);
}

static void send_next(struct actor *a, int to)
{
    uint8_t data[SIZE];
    int me = index_of(a->task.tid), k = a->sent[to]++;
    struct peer *p = peer_get(&a->task, plot.actor[to].task.tid);
    hn_info info = {.tag = 1, .type = HN_BYTE, .count = fill(data, me, to, k)};
    sim_talk("task %d sends message %d to %d", me, k, to);
    if (p->failed)
        return;
    if (plot.parallel && sim_below(4) == 0)
        widen(p);
    if (link_send_copy(&p->link, &info, CONTEXT, data) != HN_OK)
        sim_fail("a message cannot be sent: %s", hn_error_text());
    peer_flush(p);
}

/* Takes what has come from another one. */
static void receive_from(struct actor *a, int from)
{
    uint8_t data[SIZE], expected[SIZE];
    int me = index_of(a->task.tid);
    hn_tid tid = plot.actor[from].task.tid;
    const struct inbound *in;
    while ((in = match_find(&a->task.match, tid, HN_ANY, CONTEXT, false)) && in->got == in->total) {
        struct hn_request r = {.from = tid,
                               .tag = HN_ANY,
                               .context = CONTEXT,
                               .data = data,
                               .count = sizeof data,
                               .type = HN_BYTE};
        list_init(&r.node);
        match_post(&a->task.match, &r);
        size_t n = fill(expected, from, me, a->received[from]);
        if (!r.done || r.result != HN_OK || r.info.count != n || memcmp(data, expected, n) != 0)
            sim_fail("task %d gets another message %d from task %d", me, a->received[from], from);
        a->received[from]++;
    }
}

static void act(struct sim_process *process)
{
    struct actor *a = process->state;
    int to = (int)sim_below((unsigned)plot.n);
    for (int i = 0; i < plot.n && a->sent[to] == a->to_send[to]; i++)
        to = (to + 1) % plot.n;
    for (unsigned n = plot.parallel ? 1 + sim_below(20) : 1; n > 0; n--)
        if (a->sent[to] < a->to_send[to])
            send_next(a, to);
    a->next_at = sim_now() + (sim_below(3) ? sim_between(0, 0.5) : sim_between(0, 3));
}

static bool has_more(const struct actor *a)
{
    for (int i = 0; i < plot.n; i++)
        if (a->sent[i] < a->to_send[i])
            return true;
    return false;
}

static void offers(struct sim_process *process)
{
    struct actor *a = process->state;
    if (has_more(a))
        sim_offer(process, act, a->next_at);
}

static void after(struct sim_process *process)
{
    for (int i = 0; i < plot.n; i++)
        receive_from(process->state, i);
}

/* ---- what agents and hrun do ------------------------------------------------------------------
 */

bool __wrap_agent_put(struct task *t, enum control_kind kind, ...);
bool __wrap_descriptors_for_loop(void);
bool __wrap_descriptors_for_loop(void)
{
    return true;
}

static void pack_address(struct pack *list, unsigned host, unsigned port)
{
    uint8_t ip[4] = {10, 0, 0, (uint8_t)(host + 1)};
    pack_u8(list, 4);
    pack_blob(list, ip, sizeof ip);
    pack_u16(list, (uint16_t)port);
    pack_u32(list, 0);
}

/* The answer: addresses of which some lead nowhere, and the one that does may be missing. */
static void on_answer(void *arg, int of)
{
    struct actor *a = arg;
    const struct actor *other = &plot.actor[of];
    struct pack list = {0};
    int me = index_of(a->task.tid);
    unsigned port = other->task.door.listener.ports.port;
    unsigned before = plot.alike ? 2 : sim_below(3);
    unsigned host = (unsigned)other->process->host->number;
    pack_u32(&list, before + plot.listed[me][of]);
    for (unsigned i = 0; i < before; i++) {
        const struct actor *wrong = &plot.actor[sim_below((unsigned)plot.n)];
        if ((plot.alike ? i == 1 : sim_below(2)) && wrong != other)
            pack_address(&list, (unsigned)wrong->process->host->number,
                         wrong->task.door.listener.ports.port);
        else
            pack_address(&list, plot.alike || sim_below(2) ? 200 : host, 1 + sim_below(100));
    }
    if (plot.listed[me][of])
        pack_address(&list, host, port);
    struct unpack in = unpack_from(list.data, list.length);
    sim_self = a->process;
    dial_addresses(&peer_get(&a->task, other->task.tid)->dial, &in);
    after(a->process);
    sim_self = NULL;
    pack_free(&list);
}

static void on_lookup(struct task *t, hn_tid tid)
{
    int of = index_of(tid);
    double wait = fmax(0, plot.actor[of].enrols - sim_now());
    sim_after(wait + sim_between(0.0001, sim_below(2) ? 0.001 : 0.2), on_answer, actor_of(t), of);
}

static void on_fault(struct task *t, hn_tid tid, enum control_fault fault, const char *text)
{
    sim_talk("task %d reports of %d (%d): %s", index_of(t->tid), index_of(tid), (int)fault, text);
    if (fault == CONTROL_FAULT_RELAYED) {
        actor_of(t)->relayed[index_of(tid)] = true;
        return;
    }
    if (fault != CONTROL_FAULT_REACH)
        sim_fail("task %d reports fault %d", index_of(t->tid), (int)fault);
    actor_of(t)->faults[index_of(tid)]++;
}

bool __wrap_agent_put(struct task *t, enum control_kind kind, ...)
{
    va_list fields;
    va_start(fields, kind);
    if (kind == CONTROL_KNOCKED) {
        const char *source = va_arg(fields, const char *);
        unsigned attempts = va_arg(fields, unsigned);
        sim_talk("task %d was knocked at %u times by %s: %s", index_of(t->tid), attempts, source,
                 va_arg(fields, const char *));
    } else {
        hn_tid tid = (hn_tid)va_arg(fields, unsigned);
        if (kind == CONTROL_LOOKUP) {
            on_lookup(t, tid);
        } else {
            unsigned fault = va_arg(fields, unsigned);
            on_fault(t, tid, (enum control_fault)fault, va_arg(fields, const char *));
        }
    }
    va_end(fields);
    return true;
}

/* ---- relays -----------------------------------------------------------------------------------
 */

struct passed {
    struct agent_of_host *to;
    size_t length;
    uint8_t bytes[];
};
static struct passed *passing[MOST][MOST][4096]; /* in their order */
static unsigned first_passing[MOST][MOST], last_passing[MOST][MOST];

static void on_passed(void *arg, int from)
{
    struct agent_of_host *to = arg;
    int host = to->process->host->number;
    struct passed *p = passing[from][host][first_passing[from][host]++ % 4096];
    sim_self = to->process;
    channel_feed(&to->up, p->bytes, p->length);
    sim_self = NULL;
    free(p);
}

/* As hrun: the frame goes to the host that it names, with the one that it comes from in its place.
 */
static void pass_on(int from, struct control_frame *frame)
{
    struct unpack in = frame->payload;
    uint32_t host = unpack_u32(&in);
    struct pack out = {0};
    size_t begun = control_begin(&out, frame->kind);
    pack_u32(&out, (uint32_t)from);
    pack_raw(&out, in.data + in.at, in.length - in.at);
    control_end(&out, begun);
    if (host >= (uint32_t)plot.hosts)
        sim_fail("a relay names host %u", host);
    struct passed *p = malloc(sizeof *p + out.length);
    *p = (struct passed){.to = &plot.agent[host], .length = out.length};
    memcpy(p->bytes, out.data, out.length);
    passing[from][host][last_passing[from][host]++ % 4096] = p;
    sim_after(sim_net.line[from][host].delay + 0.001, on_passed, p->to, from);
    pack_free(&out);
}

static void forward(struct channel *channel, const void *data, size_t n)
{
    struct agent_of_host *agent = (void *)((char *)channel - offsetof(struct agent_of_host, up));
    struct control_frame frame;
    control_feed(&agent->out, data, n);
    while (control_next(&agent->out, &frame) == 1)
        if (frame.kind >= CONTROL_RELAY_OPEN && frame.kind <= CONTROL_RELAY_CLOSE)
            pass_on(agent->process->host->number, &frame);
}

static void on_frame(struct channel *channel, struct control_frame *frame)
{
    struct agent_of_host *agent = (void *)((char *)channel - offsetof(struct agent_of_host, up));
    relay_frame(&agent->relay, frame);
}

static void on_end(struct channel *channel, const char *why)
{
    (void)channel;
    sim_fail("an agent's channel ends: %s", why ? why : "end of file");
}

static void begin_agent(int host)
{
    static const struct channel_events events = {.frame = on_frame, .ended = on_end};
    struct agent_of_host *agent = &plot.agent[host];
    agent->process = sim_process(SIM_AGENT, &sim_hosts[host], NULL);
    sim_self = agent->process;
    sim_self->loop = sim_loop_new(sim_self);
    channel_open_forwarded(&agent->up, sim_self->loop, forward, &events);
    relay_open(&agent->relay, &agent->up, (uint32_t)host, plot.secret);
    sim_self = NULL;
}

/* ---- strangers --------------------------------------------------------------------------------
 */

/* Somebody connects to a task and says nothing, or something. */
static void on_stranger(void *arg, int value)
{
    const struct actor *a = &plot.actor[sim_below((unsigned)plot.n)];
    struct sockaddr_in6 to = {.sin6_family = AF_INET6};
    (void)arg, (void)value;
    to.sin6_addr.s6_addr[10] = to.sin6_addr.s6_addr[11] = 0xff;
    to.sin6_addr.s6_addr[12] = 10;
    to.sin6_addr.s6_addr[15] = (uint8_t)(a->process->host->number + 1);
    to.sin6_port = htons(a->task.door.listener.ports.port);
    sim_self = sim_process(SIM_STRANGER, &sim_hosts[sim_below((unsigned)plot.hosts)], NULL);
    int fd = socket(AF_INET6, SOCK_STREAM, 0), error;
    socklen_t size = sizeof error;
    connect(fd, (struct sockaddr *)&to, sizeof to);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    for (unsigned n = sim_below(4) ? sim_below(300) : 0; n > 0; n--) {
        uint8_t byte = (uint8_t)sim_below(256);
        send(fd, &byte, 1, 0);
    }
    if (sim_below(2))
        close(fd);
    sim_self = NULL;
}

/* ---- a history --------------------------------------------------------------------------------
 */

static void nothing(struct peer *p)
{
    (void)p;
}

static void opened(struct peer *p)
{
    sim_talk("task %d has a connection to task %d", index_of(p->task->tid), index_of(p->link.peer));
    actor_of(p->task)->opened[index_of(p->link.peer)]++;
}

static void over(struct peer *p, int result)
{
    sim_talk("task %d gives task %d up: %d", index_of(p->task->tid), index_of(p->link.peer),
             result);
    if (result != HN_ELINK)
        sim_fail("task %d fails with %d", index_of(p->task->tid), result);
}

static void begin_task(int i, int host)
{
    static const struct peer_events events = {opened, nothing, nothing, over};
    struct actor *a = &plot.actor[i];
    struct task *t = &a->task;
    *a = (struct actor){.enrols = 0};
    a->process = sim_process(SIM_TASK, &sim_hosts[host], NULL);
    a->process->state = a;
    a->process->offers = offers;
    a->process->after = after;
    a->enrols = sim_now() + (sim_below(2) ? 0 : sim_between(0, 1));
    a->next_at = plot.crossing ? 1 : a->enrols + sim_between(0, 1);
    t->tid = (hn_tid)control_tid((uint32_t)host, (uint32_t)i + 1);
    memcpy(t->secret, plot.secret, sizeof t->secret);
    sim_self = a->process;
    sim_self->loop = sim_loop_new(sim_self);
    listener_init(t);
    t->agent.wide = true;
    t->agent.ports = t->agent.iface = "";
    t->limits.outbox_limit = t->limits.inbox_limit = (size_t)1 << 30;
    t->door.encrypt = sim_below(4) == 0;
    list_init(&t->others.notifications);
    list_init(&t->groups);
    cast_init(t);
    match_init(&t->match);
    if (engine_init(&t->engine) || tids_init(&t->tids) || peer_table_init(t, &events))
        sim_fail("%s", hn_error_text());
    tail_probe_init(t);
    mtu_init(t);
    if (listener_open(t))
        sim_fail("%s", hn_error_text());
    listener_start(t);
    sim_self = NULL;
}

static void draw_plot(void)
{
    static const double delays[] = {0, 0.0001, 0.01, 0.1};
    static const char *const paths[] = {"unix", "tcp", "relay"};
    memset(&plot, 0, sizeof plot);
    plot.n = 2 + (int)sim_below(sim_below(3) ? 2 : MOST - 1);
    plot.hosts = 1 + (int)sim_below((unsigned)plot.n);
    plot.relays = sim_below(3) > 0;
    plot.breaks = sim_below(3) == 0;
    plot.crossing = sim_below(2);
    plot.alike = sim_below(4) == 0;
    plot.loses = !plot.alike && !plot.breaks && sim_below(3) == 0;
    plot.parallel = sim_below(4) == 0;
    sim_nhosts = plot.hosts;
    memset(plot.secret, 1 + (int)sim_below(200), sizeof plot.secret);
    sim_net_begin();
    sim_net.fuses = plot.breaks ? sim_below(4) : 0; /* a round may take 6 s of PEER_PATIENCE */
    sim_net.narrow = plot.parallel;
    bool walls = sim_below(2);
    for (int i = 0; i < plot.hosts; i++) {
        sim_hosts[i] = (struct sim_host){.number = i};
        for (int k = 0; k < plot.hosts; k++) {
            sim_net.line[i][k].delay =
                k < i ? sim_net.line[k][i].delay : delays[plot.alike ? 3 : sim_below(4)];
            sim_net.way[i][k] = walls && sim_below(2) ? 1 + sim_below(2) : SIM_OPEN;
            bool loses = plot.loses && (k > i || sim_net.losses[k][i] == 0); /* one way */
            sim_net.losses[i][k] = loses ? sim_below(DIAL_AGAIN) : 0;
        }
    }
    setenv("HNOW_LOCAL", paths[plot.relays ? sim_below(3) : sim_below(2)], 1);
}

static void draw_messages(void)
{
    for (int i = 0; i < plot.n; i++)
        for (int k = 0; k < plot.n; k++) {
            unsigned most = plot.parallel ? MORE_MESSAGES : MESSAGES;
            plot.actor[i].to_send[k] = i != k && sim_below(3) ? (int)sim_below(most) : 0;
            plot.listed[i][k] = sim_below(plot.alike ? 3 : 8) > 0;
        }
}

/* ---- what has to be true ----------------------------------------------------------------------
 */

static bool same_host(int i, int k)
{
    return plot.actor[i].process->host == plot.actor[k].process->host;
}

static enum sim_way way(int i, int k)
{
    return sim_net.way[plot.actor[i].process->host->number][plot.actor[k].process->host->number];
}

/* Whether what this one dials gets there. */
static bool reaches(int i, int k)
{
    bool local = same_host(i, k) && local_choice() <= LOCAL_UNIX;
    bool open = same_host(i, k) || way(i, k) == SIM_OPEN;
    return local || plot.relays || (plot.listed[i][k] && open && local_choice() != LOCAL_RELAY);
}

/* A few lost packets are no reason for a relay. */
static bool is_relayed_in_vain(int i, int k)
{
    return plot.actor[i].relayed[k] && !plot.breaks && !plot.alike && plot.listed[i][k] &&
           local_choice() != LOCAL_RELAY && way(i, k) == SIM_OPEN && way(k, i) == SIM_OPEN;
}

static void check_messages(int i, int k)
{
    const struct actor *from = &plot.actor[i], *to = &plot.actor[k];
    const struct peer *p = peer_find((struct task *)&from->task, to->task.tid);
    if (from->to_send[k] == 0)
        return;
    if (p->failed && (reaches(i, k) || p->failed != HN_ELINK))
        sim_fail("task %d gives task %d up, which it can reach", i, k);
    if (p->failed && from->faults[k] > 1)
        sim_fail("task %d reports %d times that task %d cannot be reached", i, from->faults[k], k);
    if (!p->failed && to->received[i] != from->sent[k])
        sim_fail("of %d messages from task %d to task %d %d have come", from->sent[k], i, k,
                 to->received[i]);
    if (!p->failed && !link_all_acknowledged(&p->link))
        sim_fail("task %d does not know what task %d has received", i, k);
    if (is_relayed_in_vain(i, k))
        sim_fail("task %d reaches task %d through the relay, and the direct way is open", i, k);
    if (p->failed && p->state != PEER_IDLE)
        sim_fail("task %d has given task %d up, and goes on", i, k);
}

/* Both ends of a pair think the same of it. */
static void check_pair(int i, int k)
{
    const struct peer *p = peer_find(&plot.actor[i].task, plot.actor[k].task.tid);
    const struct peer *q = peer_find(&plot.actor[k].task, plot.actor[i].task.tid);
    bool open = p && p->state == PEER_OPEN, other = q && q->state == PEER_OPEN;
    if (open != other)
        sim_fail("task %d has %s connection to task %d, which has %s", i, open ? "a" : "no", k,
                 other ? "one" : "none");
    if (!plot.breaks && !plot.parallel && plot.actor[i].opened[k] > 1)
        sim_fail("task %d has had %d connections to task %d", i, plot.actor[i].opened[k], k);
    if (p && p->state == PEER_DIALLING)
        sim_fail("task %d still dials task %d", i, k);
    if (open && p->dial.addresses > 0 && !plot.relays && !sim_are_joined(p->fd, q->fd))
        sim_fail("tasks %d and %d have two connections", i, k);
    if (p && !list_empty(&p->dial.set_ups))
        sim_fail("task %d still sets up a connection to task %d", i, k);
}

/* Nothing is open but the connections and where it listens. */
static void check_task(int i)
{
    struct task *t = &plot.actor[i].task;
    int open = 0;
    for (int k = 0; k < plot.n; k++) {
        const struct peer *p = peer_find(t, plot.actor[k].task.tid);
        for (unsigned s = 0; p && p->state == PEER_OPEN && parallel_socket(p, s) >= 0; s++)
            open++;
    }
    int expected = open + (int)t->door.listener.ports.count +
                   (t->door.listener.ports.reserve >= 0) + (t->door.listener.local_fd >= 0);
    if (!list_empty(&t->door.listener.set_ups))
        sim_fail("task %d still waits for somebody who has knocked", i);
    if (sim_descriptors(plot.actor[i].process) != expected)
        sim_fail("task %d has %d descriptors instead of %d", i,
                 sim_descriptors(plot.actor[i].process), expected);
}

static void end_task(int i)
{
    struct task *t = &plot.actor[i].task;
    sim_self = plot.actor[i].process;
    listener_close(t);
    cast_clear(t);
    tail_probe_clear(t);
    mtu_clear(t);
    peer_table_clear(t);
    match_clear(&t->match);
    tids_clear(&t->tids);
    engine_destroy(&t->engine);
    sim_self = NULL;
    if (sim_descriptors(plot.actor[i].process) > 0)
        sim_fail("task %d leaves %d descriptors open", i, sim_descriptors(plot.actor[i].process));
}

static void end_agent(int host)
{
    struct agent_of_host *agent = &plot.agent[host];
    sim_self = agent->process;
    relay_close(&agent->relay);
    channel_close(&agent->up);
    sim_self = NULL;
    if (sim_descriptors(agent->process) > 0)
        sim_fail("the relay of host %d leaves %d descriptors open", host,
                 sim_descriptors(agent->process));
}

/* All that can be sent has been, and nobody waits for anything any more. */
#define SETTLED (3. + PEER_PATIENCE + 2 * DIAL_TIMEOUT + 20) /* seconds, at the most */

static void play(uint64_t seed)
{
    sim_begin(seed);
    sim_processes = NULL;
    memset(first_passing, 0, sizeof first_passing);
    memset(last_passing, 0, sizeof last_passing);
    draw_plot();
    for (int i = 0; i < plot.hosts && plot.relays; i++)
        begin_agent(i);
    for (int i = 0; i < plot.n; i++)
        begin_task(i, i < plot.hosts ? i : (int)sim_below((unsigned)plot.hosts));
    draw_messages();
    for (unsigned n = sim_below(3) ? 0 : sim_below(6); n > 0; n--)
        sim_after(sim_between(0, 3), on_stranger, NULL, 0);
    while (sim_now() < SETTLED && sim_step())
        ;
    for (int i = 0; i < plot.n; i++)
        for (int k = 0; k < plot.n; k++)
            if (i != k) {
                check_messages(i, k);
                check_pair(i, k);
            }
    for (int i = 0; i < plot.n; i++)
        check_task(i);
    for (int i = 0; i < plot.n; i++)
        end_task(i);
    for (int i = 0; i < plot.hosts && plot.relays; i++)
        end_agent(i);
}

Test(set_up, one_connection_a_pair_or_an_error)
{
    uint64_t failed = sim_play(HISTORIES, play);
    cr_assert_eq(failed, 0, "HNOW_SEED=%llu HNOW_HISTORIES=1 fails", (unsigned long long)failed);
}
