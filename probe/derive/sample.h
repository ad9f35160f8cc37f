/* sample.h - what was measured, before anything is made of it.
 *
 * Tasks measure, rank 0 prints a line for each sample, hprobe reads the lines: so the raw numbers
 * can be kept, looked at and evaluated again.  A sample says what it measured: nobody has to find
 * out from which samples stand beside it.
 */
#pragma once

#include "hnow_net.h"

#include <stdbool.h>
#include <stdio.h>

/* How it was measured.  All times are per message, in nanoseconds. */
enum sample_kind {
    SAMPLE_PING, /* from -> to, bytes, answered by as many: half the round trip; its best is the
                    second smallest of three or more */
    SAMPLE_WAY,  /* from -> to, bytes, answered by one byte: the whole round trip */
    SAMPLE_OUT,  /* from one host to at_once others in turn (the first is `to`): between the
                    starts of two messages; median less best: by how much it may be wrong */
    SAMPLE_SEND, /* the same: how long the call of a send took */
    SAMPLE_IN,   /* to one host from at_once others (the first is `from`): as OUT, of receives */
    SAMPLE_TOGETHER, /* one of at_once transfers at the same time, each as WAY; about a bus: from
                        and to send to each other, until both have all; a mean of two */
    SAMPLE_SWITCH,   /* host from is on the switch whose first host is `to` */
    SAMPLE_SPEED,    /* of host from: time of the compute kernel */
    SAMPLE_WAKE,     /* from -> to, which has slept for a while; answered: the whole round trip */
    SAMPLE_ON,    /* host from is on one machine with host to, the first one there; bytes: cores */
    SAMPLE_RING,  /* at_once hosts of a subnet, the first of which are from and to, send to the
                     next of them each, again and again, while all sets of co-located hosts of their
                     machine do so:  a message of the set; alone: a round of the first two */
    SAMPLE_ALL,   /* the same, each to all others */
    SAMPLE_REACH, /* a multicast of host from has reached host to */
    SAMPLE_KINDS
};

/* The subject of a sample. */
enum sample_about {
    ABOUT_PAIR,   /* the route from one host to the other */
    ABOUT_HOST,   /* its processor, or its port */
    ABOUT_BUS,    /* the wire of a subnet */
    ABOUT_LINK,   /* what is between two subnets, or sites */
    ABOUT_UPLINK, /* the way out of, or into, a subnet, or a site: that all of the transfers have */
    ABOUT_LINE,   /* a line in the middle: the only one that all of the transfers cross */
    ABOUT_MACHINE, /* processors that hosts share */
    ABOUT_SUBNET,  /* who is in it, and whom a multicast reaches there */
    SAMPLE_ABOUTS
};

struct sample {
    enum sample_kind kind;
    int from, to; /* ranks */
    int64_t bytes;
    int64_t best; /* smallest */
    int64_t median;
    int count; /* of single measurements; 0: it failed, best and median mean nothing */
    enum sample_about about;
    int at_once;   /* how many transfers, or hosts, at the same time: 1 or more */
    int test;      /* those that went at the same time follow one another and have a number of their
                       own; 0: there are none.  Of a PING: the larger one counts */
    int64_t alone; /* best time of the same transfer alone; 0: unknown, or this is it */
};

struct samples {
    int count;
    struct sample *sample;
};

/* HN_OK or HN_ENOMEM. */
int samples_add(struct samples *samples, const struct sample *sample);
void samples_free(struct samples *samples);

/* One line, "sample KIND from to bytes best median count at_once ABOUT test alone". */
void sample_print(const struct sample *sample, FILE *file);
/* False when the line is no sample of a network of n hosts. */
bool sample_parse(const char *line, int n, struct sample *sample);
