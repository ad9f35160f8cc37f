/* swarm.h - segments that go wherever they are missing, played: private to swarm*.c.
 *
 * Played by the blocking one-port model. Whenever ports are free, the best pair of a free sender
 * and a free receiver that lacks something of the sender's begins, until there is none: then ports
 * wait rather than use ways that are too dear.
 */
#ifndef HNOW_COLL_SWARM_H
#define HNOW_COLL_SWARM_H

#include "played.h"

#include <stdbool.h>
#include <stdint.h>

/* What is preferred, how much, in a play. */
struct swarm_rules {
    int waste;    /* a way may be dearer than the receiver's cheapest one by so many 1024ths */
    int aversion; /* dear ways count less: by the power of this */
    int spread;   /* who has little yet and a dear send port is served first, in 16ths */
    int bundle;   /* the most segments of a message ... */
    int ramp;     /* ... and the part of what the receiver has, or lacks, that it may be */
};

enum { SWARM_PRICE_BITS = 26 };

struct swarm {
    int n, root, blocks, words;
    hn_time *start, *each; /* [from * n + to]: of a message, and of every segment in it */
    /* To be set before a play: */
    struct swarm_rules rules;
    int64_t *price; /* [rank]: of its send port, [n + rank]: of its receive port; 1 ... 2^26 */
    bool *good;     /* [from * n + to]: a way that is used, however dear it is */
    /* What has been played, in the order of the events; transfer i carries sent[list ...]. */
    struct played *done;
    int *events, *sent;
    int count, event_count, sent_count;
    /* While it is played. */
    hn_time now;
    int64_t *worth; /* [from * n + to]: 2^20 for the cheapest way to the receiver; less than 0: too
                       dear */
    int *weight;    /* [rank]: 1024 for the one whose segments take longest */
    uint64_t *holds, *lacks; /* [rank * words ...]: blocks; lacks: they are not under way either */
    int *held;               /* [rank]: how many it does not lack */
    int *copies;             /* [block]: how many ranks do not lack it */
    hn_time *out, *in;       /* [rank]: when its ports are free */
    int *ready;              /* the senders that are free and have something, in order */
    int *receiving;          /* [rank]: the transfer that its receive port is busy with; -1: none */
};

/* HN_OK or HN_ENOMEM; swarm_end() in every case. */
int swarm_begin(struct swarm *s, int ranks, int root, int blocks);
void swarm_end(struct swarm *s);

/* Plays; returns when the last transfer ends. For k segments and n ranks O(k n (n + k / 64)), where
 * few ports are free at a time. */
hn_time swarm_play(struct swarm *s);

#endif
