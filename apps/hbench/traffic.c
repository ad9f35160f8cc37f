/* traffic.c - generates ambient traffic (traffic.h).
 *
 * Normal case: a task sends DATA to its partner whenever one is due and fewer than WINDOW are
 * unanswered, and an ANSWER for each DATA it receives.  STOP from task 0 ends DATA; when all have
 * been answered, DONE goes to task 0, with the number of bytes.  The partner's DATA may still
 * arrive, so a task answers until END, which task 0 sends after DONE from all.
 *
 * No task waits for another one without answering: a task in wait() receives any message. So the
 * ring of partners cannot block itself, however slow the network is.
 */
#include "traffic.h"

#include "clock.h"
#include "fail.h"
#include "hnow.h"
#include "order.h"

#include <stdlib.h>

/* PACKET: bytes that fit in an Ethernet packet with their headers.  WINDOW: unanswered packets; a
 * congested network queues no more of one task. */
enum { PACKET = 1400, WINDOW = 16, CONTEXT = 0x7a1c0 };
enum tag { DATA, ANSWER, STOP, DONE, END };

/* State of a task that generates traffic. */
struct generator {
    hn_tid partner;
    int64_t gap, due; /* ns */
    int64_t sent;     /* bytes */
    int unanswered;
    /* Set by STOP, by sending DONE, and by END. */
    bool stopped, said, ended;
};

/* Chooses the partner of each of tasks 1 ... n - 1: the next one on a random ring. On a ring
 * everyone sends to one task and receives from one, so no task's port limits the others'
 * traffic. */
static bool choose_partner(uint64_t seed, hn_tid *partner)
{
    size_t n = (size_t)hn_size() - 1, *ring = calloc(n + 1, sizeof *ring);

    if (!ring)
        return fail("memory", "no room for the order of traffic");
    order_shuffle(ring, n, &seed);
    /* All tasks shuffle with the same seed, so they agree without a message. */
    for (size_t i = 0; i < n; i++)
        if (ring[i] + 1 == (size_t)hn_rank())
            *partner = hn_group_tid(hn_world(), (int)ring[(i + 1) % n] + 1);
    free(ring);
    return true;
}

/* hn_send() copies what the network does not take at once, so it does not block here. */
static bool put(hn_tid to, enum tag tag, const void *data, size_t count, hn_type type)
{
    return hn_send(to, tag, data, count, type) == HN_OK || fail_hn("hn_send");
}

/* Sends the packets that are due. */
static bool send_due(struct generator *g)
{
    static const char packet[PACKET];

    while (!g->stopped && g->unanswered < WINDOW && g->due <= clock_now()) {
        if (!put(g->partner, DATA, packet, PACKET, HN_BYTE))
            return false;
        g->unanswered++;
        g->sent += PACKET;
        /* From the planned time and not from now, so that the rate is kept on average. */
        g->due += g->gap;
    }
    /* packets that the network could not take are not made up for */
    if (g->due < clock_now() - WINDOW * g->gap)
        g->due = clock_now();
    return true;
}

/* Answers packets, counts answers, and takes orders.  DONE is sent once, as soon as traffic has
 * been stopped and no packet is unanswered. */
static bool receive(struct generator *g, const hn_info *info)
{
    if (info->tag == DATA)
        return put(info->from, ANSWER, NULL, 0, HN_BYTE);
    g->unanswered -= info->tag == ANSWER;
    g->stopped |= info->tag == STOP;
    g->ended |= info->tag == END;
    /* DONE is due when the last own packet has been answered. */
    if (!g->stopped || g->said || g->unanswered > 0)
        return true;
    g->said = true;
    return put(hn_group_tid(hn_world(), 0), DONE, &g->sent, 1, HN_INT64);
}

/* Waits for a message until the next packet is due. */
static bool wait(struct generator *g)
{
    /* Milliseconds are rounded up: a wait of 0 before the time is due would be a busy loop. */
    char packet[PACKET];
    int64_t until = g->due - clock_now();
    /* -1: nothing is to be sent before a message arrives. */
    int ms = g->stopped || g->unanswered >= WINDOW ? -1
             : until > 0                           ? (int)(until / 1000000) + 1
                                                   : 0;
    hn_info info;
    int error = ms < 0 ? hn_recv(HN_ANY, HN_ANY, packet, PACKET, HN_BYTE, &info)
                       : hn_recv_timeout(HN_ANY, HN_ANY, packet, PACKET, HN_BYTE, ms, &info);

    if (error == HN_ETIMEOUT)
        return true;
    return error == HN_OK ? receive(g, &info) : fail_hn("hn_recv");
}

/* A context of its own keeps packets apart from messages of other benchmarks, so that any message
 * can be received without a look at its sender. */
bool traffic_make(int64_t rate, uint64_t seed)
{
    /* The gap is the time between two packets at the given rate. */
    struct generator g = {.gap = INT64_C(1000000000) * PACKET / rate, .due = clock_now()};
    hn_context before = hn_set_context(CONTEXT);
    bool good = choose_partner(seed, &g.partner);

    while (good && !g.ended)
        good = send_due(&g) && wait(&g);
    hn_set_context(before);
    return good;
}

static bool send_all(enum tag tag)
{
    for (int rank = 1; rank < hn_size(); rank++)
        if (!put(hn_group_tid(hn_world(), rank), tag, NULL, 0, HN_BYTE))
            return false;
    return true;
}

/* Called by task 0.  A packet can still be answered after DONE of its sender's partner, because all
 * tasks answer until END. */
bool traffic_stop(int64_t *sent)
{
    hn_context before = hn_set_context(CONTEXT);
    bool good = send_all(STOP);

    *sent = 0;
    for (int rank = 1; good && rank < hn_size(); rank++) {
        int64_t bytes;
        /* In the order of ranks; the others keep answering meanwhile. */
        good = hn_recv(hn_group_tid(hn_world(), rank), DONE, &bytes, 1, HN_INT64, NULL) == HN_OK ||
               fail_hn("hn_recv");
        *sent += good ? bytes : 0;
    }
    good = good && send_all(END);
    hn_set_context(before);
    return good;
}
