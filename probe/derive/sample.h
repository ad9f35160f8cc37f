/* sample.h - the raw results of measuring.
 *
 * Tasks measure, rank 0 prints one line for each sample, and hprobe reads the lines.  So raw
 * results can be kept, inspected and evaluated again.  A sample names its subject explicitly; it
 * does not depend on the samples around it.
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>
#include <stdio.h>

/* Kinds of samples.  All times are per message, in nanoseconds. */
enum sample_kind {
    SAMPLE_PING, /* from -> to, bytes, answered by as many: half the round trip; best is the second
                    smallest of three or more */
    SAMPLE_WAY,  /* from -> to, bytes, answered by one byte: the whole round trip */
    SAMPLE_OUT,  /* from one host to at_once others in turn (the first is `to`): time between the
                    starts of two messages; median - best: possible error */
    SAMPLE_SEND, /* the same: duration of the send call */
    SAMPLE_IN,   /* to one host from at_once others (the first is `from`): as OUT, for receives */
    SAMPLE_TOGETHER, /* one of at_once concurrent transfers, each as WAY; about a bus: from and to
                        send to each other until both have received all; the mean of two */
    SAMPLE_SWITCH,   /* host from is on the switch whose first host is `to` */
    SAMPLE_SPEED,    /* time of the compute kernel on host from */
    SAMPLE_WAKE,     /* from -> to, which slept before; answered: the whole round trip */
    SAMPLE_ON,       /* host from is on the same machine as host to, the first one there; bytes:
                        cores */
    SAMPLE_RING,     /* at_once hosts of a subnet (first ones: from, to) each send to the next one,
                        repeatedly, while all sets of co-located hosts of their machine do so: time
                        per message of the set; alone: a round of the first two */
    SAMPLE_ALL,      /* as RING, but each sends to all others */
    SAMPLE_REACH,    /* a multicast of host from reached host to */
    SAMPLE_KINDS
};

/* The subject of a sample. */
enum sample_about {
    ABOUT_PAIR,    /* the route between the hosts */
    ABOUT_HOST,    /* its processor, or its port */
    ABOUT_BUS,     /* the wire of a subnet */
    ABOUT_LINK,    /* the link between two subnets, or sites */
    ABOUT_UPLINK,  /* the way out of, or into, a subnet or site that all of the transfers use */
    ABOUT_LINE,    /* an inner line, the only one that all of the transfers cross */
    ABOUT_MACHINE, /* processors that hosts share */
    ABOUT_SUBNET,  /* its members, and the reach of a multicast */
    SAMPLE_ABOUTS
};

struct sample {
    enum sample_kind kind;
    int from, to; /* ranks */
    int64_t bytes;
    int64_t best; /* smallest */
    int64_t median;
    int count; /* number of single measurements; 0: failed, best and median are undefined */
    enum sample_about about;
    int at_once;   /* concurrent transfers, or hosts: 1 or more */
    int test;      /* number of a test: its concurrent transfers are consecutive samples; 0: none.
                      If a test is repeated by PING, the larger time counts */
    int64_t alone; /* best time of the same transfer alone; 0: unknown, or this sample is it */
};

struct samples {
    int count;
    struct sample *sample;
};

/* HN_OK or HN_ENOMEM. */
int samples_add(struct samples *samples, const struct sample *sample);
void samples_free(struct samples *samples);

/* Prints "sample KIND from to bytes best median count at_once ABOUT test alone". */
void sample_print(const struct sample *sample, FILE *file);
/* Returns false if the line is no sample of a network of n hosts. */
bool sample_parse(const char *line, int n, struct sample *sample);
