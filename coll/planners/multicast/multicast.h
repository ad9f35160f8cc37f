/* multicast.h - multiple multicast: messages of any sources, to any destinations, of any lengths
 * (Wu, section 3).
 *
 * An algorithm makes decisions, one after the other: message k goes from i, which has it, to j,
 * which wants it. Only the source and the destinations of a message forward it. Sends are
 * nonblocking, receives blocking: a send occupies its node for S, and the message arrives S + X
 * after its start. A receive begins when the message has arrived and the node is free, and takes R.
 *
 * Append-only algorithms put each new task at the end of a node's list. Preemptive algorithms put a
 * send before planned receives that it need not wait for (Wu, section 5).
 */
#pragma once

#include "model/model.h"
#include "plan/operation.h"

#include "runtime/internal.h"

/* Most deliveries (pairs of message and destination) for multicast_exact(): its time grows
 * exponentially with them. */
enum { EXACT_DELIVERIES_MOST = 8 };

/* One delivery. Its times, in ps, are set by multicast_decide(). */
struct multicast_decision {
    int message, from, to;
    hn_time send_begin, recv_end; /* the send occupies [send_begin, send_begin + S], the receive the
                                     R before recv_end */
};

/* A receive in a node's task list. */
struct multicast_span {
    hn_time begin, end;
};

/* The state that multicast_undo() restores. */
struct multicast_before {
    hn_time sent, makespan;
    int hint;
};

/* The state of a schedule under construction. Decisions are appended and undone like a stack. Times
 * follow from the decisions alone. */
struct multicast {
    int nodes, messages;
    const struct multicast_message *message;
    bool preemptive;
    /* Costs by message (all bytes of it): S [k * nodes + i], R the same, X by length class. */
    hn_time *send, *recv;
    hn_time *travel; /* [class * nodes * nodes + i * nodes + j] */
    int *class_of;   /* [message] */
    int longest;     /* a message of maximum length */
    /* Result of the decisions so far. */
    bool *has;         /* [k * nodes + i] */
    hn_time *has_from; /* end of i's receive of k; 0 at the source */
    int missing;       /* (message, destination) pairs not served yet */
    int *missing_of;   /* [node] */
    hn_time *sent; /* [node]: end of its last send; append-only: time at which the node is free */
    struct multicast_span *receives; /* [node * messages + ...]: in order */
    int *receive_count;              /* [node] */
    int *receive_hint;               /* [node]: receives before this one end before `sent` */
    struct multicast_decision *order;
    struct multicast_before *before; /* [decision]: state before it */
    int decision_count;
    hn_time makespan;
    struct arena arena; /* of the arrays */
};

/* Prepares a state without decisions; the messages must outlive it. HN_OK or HN_ENOMEM; call
 * multicast_end() in either case. */
int multicast_begin(struct multicast *m, const struct model *model,
                    const struct multicast_message *messages, int count);
void multicast_end(struct multicast *m);
/* Removes all decisions; later ones are append-only or preemptive. */
void multicast_clear(struct multicast *m, bool preemptive);

/* The time (ps) at which j would have received k from i. */
hn_time multicast_complete(const struct multicast *m, int k, int i, int j);
/* Decides that i sends k to j. */
void multicast_decide(struct multicast *m, int k, int i, int j);
/* Undoes all but the first `count` decisions. O(1) for each. */
void multicast_undo(struct multicast *m, int count);

/* S: how long node i is occupied by sending message k, in ps. */
static inline hn_time multicast_send(const struct multicast *m, int k, int i)
{
    return m->send[(size_t)k * (size_t)m->nodes + (size_t)i];
}

/* R: how long node i is occupied by receiving message k, in ps. */
static inline hn_time multicast_recv(const struct multicast *m, int k, int i)
{
    return m->recv[(size_t)k * (size_t)m->nodes + (size_t)i];
}

/* X: from the end of the send to the arrival, in ps; messages of equal length share it. */
static inline hn_time multicast_travel(const struct multicast *m, int k, int i, int j)
{
    size_t n = (size_t)m->nodes;
    return m->travel[((size_t)m->class_of[k] * n + (size_t)i) * n + (size_t)j];
}

static inline bool multicast_has(const struct multicast *m, int k, int i)
{
    return m->has[(size_t)k * (size_t)m->nodes + (size_t)i];
}

static inline bool multicast_misses(const struct multicast *m, int k, int i)
{
    return m->message[k].wants[i] && !multicast_has(m, k, i);
}

/* The value of Wu's equation 2 (ps), which is a lower bound only if all messages have equal length;
 * and its repaired form, which is always one. -1: out of memory. */
hn_time multicast_bound_eq2(const struct multicast *m);
hn_time multicast_bound(const struct multicast *m);

/* A row of the table. run() leaves its schedule in m, whatever was there before. */
struct multicast_algorithm {
    const char *name, *source;
    int (*run)(struct multicast *m); /* HN_OK; HN_ENOMEM; HN_EPLAN: not served */
};
extern const struct multicast_algorithm multicast_algorithms[];
extern const int multicast_algorithm_count;
