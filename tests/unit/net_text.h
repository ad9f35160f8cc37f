/* net_text.h - network files as texts, for tests of the model and of its file. */
#pragma once

#include "net/net.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A network that has something of most kinds. */
static const char lab[] =
    "@network version=5 measured=2026-11-21T03:00:00Z by=\"hprobe 0.1\" "
    "passes=5 tolerance=0.2\n"
    "a1 send_us=40 send_ns_per_byte=50 recv_us=80 recv_ns_per_byte=30 "
    "wake_us=15.5 speed=1.25 addr=10.0.0.1 slots=2\n"
    "a2\nb1\nb2\nc1\nd1\n"
    "@pair a1 b1 latency_us=7.000001 ns_per_byte=0.5\n"
    "@pair d1 a1 latency_us=9 ns_per_byte=1 way=one\n"
    "@link east west latency_us=1000 ns_per_byte=100 wire_ns_per_byte=100\n"
    "@link a b latency_us=50 ns_per_byte=10\n"
    "@subnet a hosts=a[1-2] medium=bus latency_us=5 ns_per_byte=800 message_us=4 site=east\n"
    "@subnet b hosts=b1,b2 medium=switch latency_us=4 ns_per_byte=80 site=east\n"
    "@subnet c hosts=c1 site=west\n"
    "@uplink a latency_us=20 ns_per_byte=90\n"
    "@uplink net latency_us=30 ns_per_byte=70\n";

/* The caller frees the network. */
static inline hn_net *net_of(const char *text)
{
    hn_net *net;
    int code = hn_net_parse("lab", text, strlen(text), &net);
    cr_assert_eq(code, HN_OK, "%s", hn_error_text());
    return net;
}

/* The caller frees the text. */
static inline char *text_of(const hn_net *net)
{
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    cr_assert_eq(net_print(net, file), HN_OK);
    cr_assert_eq(fclose(file), 0);
    return text;
}
