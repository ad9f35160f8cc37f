/* sample.h - what was measured, before anything is made of it.
 *
 * Tasks measure, rank 0 prints a line for each sample, hprobe reads the lines: so the raw numbers
 * can be kept, looked at and evaluated again.
 */
#ifndef HNOW_SAMPLE_H
#define HNOW_SAMPLE_H

#include "hnow_net.h"

#include <stdbool.h>
#include <stdio.h>

/* All times are per message, in nanoseconds. */
enum sample_kind {
    SAMPLE_PING,    /* from -> to, bytes, answered by as many: half the round trip */
    SAMPLE_WAY,     /* from -> to, bytes, answered by one byte: the whole round trip */
    SAMPLE_OUT,     /* from one host to `to` others in turn: between the starts of two messages;
                       median less best: by how much it may be wrong */
    SAMPLE_SEND,    /* the same: how long the call of a send took */
    SAMPLE_IN,      /* to one host from `from` others at once: the same, of its receives */
    SAMPLE_BOTH,    /* from and to send to each other at once: until both have all; a mean of two */
    SAMPLE_SHARED,  /* two of them: as WAY, at the same time as the other one */
    SAMPLE_OUTFLOW, /* several of them: the same, out of one subnet, or site */
    SAMPLE_WITHIN,  /* after them: the same of their hosts, within their subnets */
    SAMPLE_RACK,    /* host from is of the rack whose first host is `to` */
    SAMPLE_SPEED,   /* of host from: time of the compute kernel */
    SAMPLE_WAKE,    /* from -> to, which has slept for a while; answered: the whole round trip */
    SAMPLE_ON,    /* host from is on one machine with host to, the first one there; bytes: cores */
    SAMPLE_ALONE, /* from and to send to each other again and again: a round */
    SAMPLE_RING,  /* from and `to` - 1 others of its subnet send to the next of them each, again and
                     again, while all crowds of their machine do so: a message of the crowd */
    SAMPLE_ALL,   /* the same, each to all others */
    SAMPLE_REACH, /* a multicast of host from has come to host to */
    SAMPLE_KINDS
};

struct sample {
    enum sample_kind kind;
    int from, to;
    int64_t bytes;
    int64_t best; /* smallest */
    int64_t median;
    int count; /* of single measurements; 0: it failed, best and median mean nothing */
};

struct samples {
    int count, room;
    struct sample *sample;
};

/* HN_OK or HN_ENOMEM. */
int samples_add(struct samples *samples, const struct sample *sample);
void samples_free(struct samples *samples);

/* One line, "sample KIND from to bytes best median count". */
void sample_print(const struct sample *sample, FILE *file);
/* False when the line is no sample of a network of n hosts. */
bool sample_parse(const char *line, int n, struct sample *sample);

#endif
