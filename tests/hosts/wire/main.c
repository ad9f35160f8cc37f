/*
 * hosts-wire: the link emulator of one bed. Started by the hosts tool; reads the wires on standard
 * input (config.h), makes a TAP interface for each port, writes the line "ready" and then carries
 * frames until it is ended by a signal; the interfaces go with it.
 *
 * One thread, one epoll: a descriptor a port, and one timer set to the moment of the next event of
 * the wires (wire.h). Idle, it sleeps; busy, it costs some 20 us of a core for each frame. It asks
 * for real-time priority: a wire does not get slower when the hosts compute.
 *
 * Waking up takes 20 to 50 us on a virtual machine, half of what a small round trip on a fast wire
 * may last, so it is allowed for. The timer is set early by the median of how late it went off so
 * far (carrier.lead). A frame that woke us up is taken to have been sent as much earlier, though
 * not before we went to sleep, for then it was not there yet.
 */
#include "config.h"
#include "tap.h"
#include "wire.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS = 64,            /* taken from epoll at once */
    FRAMES = 32,            /* taken from one port before the others have their turn */
    LEAD_STEP_NS = 1000,    /* the lead follows its median in such steps */
    LEAD_MAX_NS = 80000,    /* a machine that is later than this is only busy */
    PRIORITY = 10,          /* among real-time processes: low */
    TIMER = WIRE_MAX_PORTS, /* epoll's mark of the timer; ports are below */
};

#define NS_PER_S 1000000000ull

struct carrier {
    struct wire *wire;
    int epoll, timer;
    int tap[WIRE_MAX_PORTS];
    uint64_t timer_at; /* the event it is set for; WIRE_NEVER: not set */
    uint64_t lead;     /* ns that it is set earlier */
    uint64_t slept;    /* when we last went to sleep */
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* A host whose interface is down, or too slow to take frames, loses them as with a real wire. */
static void carrier_give(void *context, int port, const uint8_t *data, size_t length)
{
    struct carrier *c = context;
    ssize_t written = write(c->tap[port], data, length);
    (void)written;
}

static bool carrier_watch(struct carrier *c, int descriptor, uint32_t mark)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = mark};
    return epoll_ctl(c->epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static bool carrier_port(void *context, int port, const char *netns, const char *interface)
{
    struct carrier *c = context;
    uint8_t address[WIRE_ADDRESS_BYTES];
    wire_address(port, address);
    c->tap[port] = tap_open(netns, interface, address);
    if (c->tap[port] >= 0 && carrier_watch(c, c->tap[port], (uint32_t)port))
        return true;
    fprintf(stderr, "hosts-wire: %s in namespace %s: %s\n", interface, netns, strerror(errno));
    return false;
}

static void carrier_take_frames(struct carrier *c, int port)
{
    uint8_t frame[WIRE_MAX_FRAME];
    uint64_t now = now_ns(), sent = now - c->lead < c->slept ? c->slept : now - c->lead;
    for (int i = 0; i < FRAMES; i++) {
        ssize_t length = read(c->tap[port], frame, sizeof frame);
        if (length <= 0)
            return;
        wire_send(c->wire, port, sent, frame, (size_t)length);
    }
}

static void carrier_set_timer(struct carrier *c)
{
    uint64_t next = wire_next(c->wire);
    if (next == c->timer_at)
        return;
    c->timer_at = next;
    struct itimerspec when = {0};
    uint64_t at = next - c->lead;
    if (next != WIRE_NEVER)
        when.it_value = (struct timespec){(time_t)(at / NS_PER_S), (long)(at % NS_PER_S)};
    timerfd_settime(c->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* The timer has gone off: learn from how late that was, and let it be set anew. */
static void carrier_timer(struct carrier *c, uint64_t now)
{
    if (now < c->timer_at && c->lead >= LEAD_STEP_NS)
        c->lead -= LEAD_STEP_NS;
    else if (now > c->timer_at && c->lead < LEAD_MAX_NS)
        c->lead += LEAD_STEP_NS;
    c->timer_at = 0;
}

/* Does not return unless epoll fails. */
static void carrier_run(struct carrier *c)
{
    struct epoll_event event[EVENTS];
    for (;;) {
        c->slept = now_ns();
        int count = epoll_wait(c->epoll, event, EVENTS, -1);
        if (count < 0 && errno != EINTR)
            return;
        uint64_t now = now_ns();
        wire_run(c->wire, now + c->lead);
        for (int i = 0; i < count; i++)
            if (event[i].data.u32 == TIMER)
                carrier_timer(c, now);
            else
                carrier_take_frames(c, (int)event[i].data.u32);
        wire_run(c->wire, now_ns() + c->lead);
        carrier_set_timer(c);
    }
}

/* Without the right to it (no real-time share in this cgroup) the highest niceness must do. */
static void carrier_hurry(void)
{
    struct sched_param parameter = {.sched_priority = PRIORITY};
    if (sched_setscheduler(0, SCHED_FIFO, &parameter) != 0)
        setpriority(PRIO_PROCESS, 0, -20);
}

static bool carrier_start(struct carrier *c, uint64_t seed)
{
    c->wire = wire_new(carrier_give, c, seed);
    c->epoll = epoll_create1(EPOLL_CLOEXEC);
    c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    c->timer_at = WIRE_NEVER;
    c->lead = LEAD_MAX_NS / 4;
    if (c->wire && c->epoll >= 0 && c->timer >= 0 && carrier_watch(c, c->timer, TIMER))
        return true;
    fprintf(stderr, "hosts-wire: cannot start: %s\n", strerror(errno));
    return false;
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        fprintf(stderr, "usage: hosts-wire [SEED] < WIRES\n");
        return 2;
    }
    static struct carrier c; /* as large as all ports: too large for a stack */
    int line;
    if (!carrier_start(&c, argc == 2 ? strtoull(argv[1], NULL, 10) : 1))
        return 1;
    if (!config_read(stdin, c.wire, carrier_port, &c, &line)) {
        fprintf(stderr, "hosts-wire: line %d of its input cannot be set up\n", line);
        return 2;
    }
    carrier_hurry();
    puts("ready");
    fclose(stdout);
    carrier_run(&c);
    fprintf(stderr, "hosts-wire: epoll: %s\n", strerror(errno));
    return 1;
}
