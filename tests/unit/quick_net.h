/* quick_net.h - a network file that is wrong, for jobs of five tasks: quicker than anything, so
 * that predictions are never right, and plans are tried and measured all the time; not so quick
 * that they are made in pieces for ever (choices.h). */
#pragma once

static const char quick_net[] =
    "@network version=5\n"
    "* send_us=0.1 recv_us=0.1 send_ns_per_byte=0.01 recv_ns_per_byte=0.01\n"
    "h0\nh1\nh2\n"
    "@subnet a medium=switch latency_us=0.1 ns_per_byte=1 hosts=h0,h1,h2\n";
