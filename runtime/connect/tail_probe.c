/* tail_probe.c - checks connections for lost last packets (tail_probe.h). */
#include "connect/tail_probe.h"

#include "match/observe.h"
#include "job/task.h"

/* SILENT: ms without an acknowledgement before the first tail probe, doubled for each further
 * one. */
enum { SILENT = 4, TAIL_PROBES = 3 };

/* Nanoseconds for which a path counts as lossy after a loss. */
#define LOSSY UINT64_C(60000000000)

static void on_look(struct ev_loop *loop, ev_timer *w, int events);

void tail_probe_init(struct task *t)
{
    ev_init(&t->peers.look, on_look);
    t->peers.look.data = t;
}

void tail_probe_clear(struct task *t)
{
    ev_timer_stop(t->engine.loop, &t->peers.look);
}

/* A spurious retransmission counts as a loss until the other side reports it.  So only a new
 * maximum of the count is a loss. */
static void note_losses(struct peer *p, const struct flight *f)
{
    if (f->lost > p->loss.packets_lost) {
        p->task->peers.lossy = p->loss.lossy = engine_now() + LOSSY;
        p->loss.packets_lost = f->lost;
    }
    if (f->confirmed != p->loss.confirmed)
        p->loss.tail_probes = 0;
    p->loss.confirmed = f->confirmed;
}

/* Whether the last bytes should have been acknowledged by now. */
static bool is_overdue(const struct peer *p, const struct flight *f)
{
    uint32_t wait = (uint32_t)SILENT << p->loss.tail_probes, rounds = f->round_trip_us / 500;

    return f->any && f->all && f->silent_ms >= (wait > rounds ? wait : rounds);
}

/* Stops watching when everything has arrived, or after TAIL_PROBES probes.  Then TCP's own timer
 * repairs the loss.  A full socket needs no probe, as further packets follow anyway. */
static bool look(struct peer *p)
{
    struct flight f;

    if (!p->loss.unsure)
        return true;
    p->loss.unsure = observe_flight(p, &f);
    if (p->loss.unsure)
        note_losses(p, &f);
    p->loss.unsure = p->loss.unsure && f.any && p->loss.tail_probes < TAIL_PROBES;
    if (!p->loss.unsure)
        return true;
    if (is_overdue(p, &f) && !ev_is_active(&p->writable)) {
        p->loss.tail_probes++;
        link_probe_tail(&p->link);
        peer_write(p);
    }
    tail_probe_later(p->task);
    return true;
}

static void on_look(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop, (void)events;
    peer_all(w->data, look);
}
