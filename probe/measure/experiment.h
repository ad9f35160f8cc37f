/* experiment.h - the measurements themselves, as the tasks of hprobe carry them out.
 *
 * Rank 0 sends orders; a task does its part of the experiment with its peers, and the one that
 * leads it reports to rank 0.  Whoever loses its peers, or waits for them longer than the order's
 * patience, gives up and waits for the next order, so one dead or hanging host spoils only the
 * experiments that it takes part in.  Times are of CLOCK_MONOTONIC: clocks that are set meanwhile
 * do not matter.
 */
#pragma once

#include "hnow.h"
#include "measure/steal_time.h"

#include <stdbool.h>

/* Limits of an order, by which tasks size their arrays and buffers. EXPERIMENT_PEERS: hosts that
 * compete at a time; subnets and machines with more are measured in several parts.
 * EXPERIMENT_BYTES: LARGEST_BYTES. EXPERIMENT_REPEATS: ten times what thresholds.h asks for at
 * most. */
enum { EXPERIMENT_PEERS = 8, EXPERIMENT_BYTES = 1 << 20, EXPERIMENT_REPEATS = 1000 };

enum experiment_kind {
    EXPERIMENT_QUIT,    /* no experiment: the task ends */
    EXPERIMENT_PING,    /* leads: messages of `bytes` to peer[0], each answered by `reply` bytes */
    EXPERIMENT_ECHO,    /* answers */
    EXPERIMENT_BOTH,    /* leads: peer[0] and it send `bytes` to each other at the same time */
    EXPERIMENT_OTHER,   /* is that peer */
    EXPERIMENT_OUT,     /* leads: messages to all peers in turn, faster than they can go */
    EXPERIMENT_SINK,    /* takes them from peer[0] */
    EXPERIMENT_IN,      /* leads: takes messages that all peers send at once */
    EXPERIMENT_SOURCE,  /* sends them to peer[0] */
    EXPERIMENT_ROUNDS,  /* leads: it and all peers send to the `reach` next ones of them each, and
                           then receive as many, `repeats` times */
    EXPERIMENT_MEMBER,  /* is one of these peers */
    EXPERIMENT_COMPUTE, /* leads: runs the compute kernel */
    EXPERIMENT_HERE,    /* leads: says that it is there, and on which machine */
    EXPERIMENT_REACH,   /* leads: sends a multicast, and says which tasks it has reached */
};

/* Whether a task of this kind reports to rank 0. */
static inline bool experiment_leads(int64_t kind)
{
    return kind == EXPERIMENT_PING || kind == EXPERIMENT_BOTH || kind == EXPERIMENT_OUT ||
           kind == EXPERIMENT_IN || kind == EXPERIMENT_ROUNDS || kind == EXPERIMENT_COMPUTE ||
           kind == EXPERIMENT_HERE || kind == EXPERIMENT_REACH;
}

/* Sent as 64-bit integers. */
struct experiment {
    int64_t kind;
    int64_t tag; /* of the experiment's messages, used by no other */
    int64_t bytes, reply;
    int64_t repeats;     /* at most */
    int64_t budget_ns;   /* no repetition begins after this time; OUT and IN: after four times it,
                            as long as their times have not settled */
    int64_t pause_ns;    /* pings: both sides sleep so long before each of them, */
    int64_t awake;       /* and exchange a byte then, so that both are awake */
    int64_t settle;      /* a time has settled when the three best agree to so many thousandths, and
                            pings and kernels end then; 0: never */
    int64_t patience_ms; /* whoever waits longer than this for a message gives up */
    int64_t leader;      /* rank */
    int64_t reach;       /* of rounds */
    int64_t peers;
    int64_t peer[EXPERIMENT_PEERS]; /* ranks */
};
enum { EXPERIMENT_WORDS = sizeof(struct experiment) / sizeof(int64_t) };

/* The report of a leader; count is 0 when the experiment failed. */
struct outcome {
    int64_t tag;          /* of the order */
    int64_t best, median; /* nanoseconds a message, see sample.h; EXPERIMENT_HERE: host, machine */
    int64_t send;         /* EXPERIMENT_OUT: how long a call of hn_send() took; _HERE: cores */
    int64_t count;
    int64_t
        relayed; /* EXPERIMENT_PING: the agents carry the messages, no connection could be made */
    struct steal_time stolen; /* EXPERIMENT_HERE: until now */
};
enum { OUTCOME_WORDS = sizeof(struct outcome) / sizeof(int64_t) };

/* Does this task's part.  buffer has EXPERIMENT_BYTES.  For leaders *outcome is the result.
 *
 * EXPERIMENT_REACH also has `bytes` bytes, one for each rank: rank 0 sends, with the order's tag,
 * 1 for each task that is to be reached, and gets, before the outcome, 1 for each that was.  When
 * rank 0 leads itself, they come and go in buffer. */
void experiment_run(const struct experiment *order, unsigned char *buffer, struct outcome *outcome);
