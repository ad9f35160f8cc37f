/*
 * Reads what the wires of a bed are, as the hosts tool writes it on the emulator's standard input:
 *
 *   medium bus|switch|link RATE DELAY_NS JITTER_NS QUEUE_BYTES LOSS_PPM COLLISIONS(0|1)
 *   port NAMESPACE INTERFACE SEND_NS SEND_PS RECEIVE_NS RECEIVE_PS      of the last medium
 *
 * People write topology files (../README.md); this form is between the two programs only.
 */
#pragma once

#include "wire.h"

#include <stdio.h>

/* Called for each port, in order of their numbers. False ends the reading. */
typedef bool config_port(void *context, int port, const char *netns, const char *interface);

/* Fills W from IN. False: *LINE is the line that cannot be understood (0: out of memory) or at
 * which on_port failed. */
bool config_read(FILE *in, struct wire *w, config_port *on_port, void *context, int *line);
