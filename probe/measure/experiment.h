/* experiment.h - the measurements themselves, as the tasks of hprobe carry them out.
 *
 * Rank 0 sends orders.  A task does its part of the experiment with its peers, and the leader
 * reports to rank 0.  A task whose peers fail, or exceed the order's patience, abandons the
 * experiment and waits for the next order.  So a dead or hanging host spoils only its own
 * experiments.  Times are of CLOCK_MONOTONIC, so setting the clock has no effect.
 */
#pragma once

#include "hnow.h"
#include "measure/steal_time.h"

#include <stdbool.h>

/* Limits of an order, for array and buffer sizes.  EXPERIMENT_PEERS: hosts that compete at a time;
 * larger subnets and machines are measured in several parts.  EXPERIMENT_BYTES: LARGEST_BYTES.
 * EXPERIMENT_REPEATS: ten times the most that thresholds.h asks for. */
enum { EXPERIMENT_PEERS = 8, EXPERIMENT_BYTES = 1 << 20, EXPERIMENT_REPEATS = 1000 };

/* What the leader does, and then what its peers do.  The leader reports to rank 0. */
enum experiment_kind {
    EXPERIMENT_QUIT,    /* no experiment: the task ends */
    EXPERIMENT_PING,    /* messages of `bytes` to peer[0], each answered by `reply` bytes */
    EXPERIMENT_BOTH,    /* it and peer[0] send `bytes` to each other at the same time */
    EXPERIMENT_OUT,     /* messages to all peers in turn, as fast as the port takes them */
    EXPERIMENT_IN,      /* receives messages that all peers send at once */
    EXPERIMENT_ROUNDS,  /* it and all peers send to the next `reach` of them each, then receive as
                           many, `repeats` times */
    EXPERIMENT_COMPUTE, /* runs the compute kernel */
    EXPERIMENT_HERE,    /* reports its presence and its machine */
    EXPERIMENT_REACH,   /* sends a multicast, and reports which tasks received it */
    EXPERIMENT_KINDS
};

/* Sent as 64-bit integers, so that tasks on different architectures understand each other. */
struct experiment {
    int64_t kind;
    int64_t tag; /* of the experiment's messages; unique */
    int64_t bytes, reply;
    int64_t repeats;     /* at most */
    int64_t budget_ns;   /* no repetition begins after this time; OUT and IN: after four times this,
                            while their best times do not agree */
    int64_t pause_ns;    /* pings: both sides sleep this long before each one, */
    int64_t awake;       /* then exchange a byte, so that both are awake */
    int64_t tolerance;   /* pings and kernels end when the three best times agree within so many
                            thousandths; 0: never */
    int64_t patience_ms; /* a task that waits longer for a message abandons the experiment */
    int64_t leader;      /* rank; all other tasks with the order are its peers */
    int64_t reach;       /* of ROUNDS */
    int64_t peers;
    int64_t peer[EXPERIMENT_PEERS]; /* ranks */
};
enum { EXPERIMENT_WORDS = sizeof(struct experiment) / sizeof(int64_t) };

/* The report of a leader; count is 0 if the experiment failed. */
struct outcome {
    int64_t tag;          /* of the order */
    int64_t best, median; /* nanoseconds per message, see sample.h; EXPERIMENT_HERE: host,
                             machine */
    int64_t send;         /* EXPERIMENT_OUT: duration of hn_send(); EXPERIMENT_HERE: cores */
    int64_t count;
    int64_t
        relayed; /* EXPERIMENT_PING: agents relay the messages, as no connection could be made */
    struct steal_time steal_time; /* EXPERIMENT_HERE: until now */
};
enum { OUTCOME_WORDS = sizeof(struct outcome) / sizeof(int64_t) };

/* Carries out this task's part. buffer has EXPERIMENT_BYTES.  Leaders fill in *outcome.
 *
 * EXPERIMENT_REACH also uses `bytes` bytes, one for each rank.  Rank 0 sends, with the order's tag,
 * 1 for each task to reach.  Before the outcome it receives 1 for each task reached.  If rank 0
 * itself leads, buffer holds both. */
void experiment_run(const struct experiment *order, unsigned char *buffer, struct outcome *outcome);
