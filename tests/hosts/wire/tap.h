/*
 * The host's end of a wire: a TAP interface inside the host's namespace. What the host sends there
 * is read here, frame by frame, and the other way round.
 */
#pragma once

#include "wire.h"

/* Make the interface in the namespace NETNS (it goes away when the descriptor is closed), with
 * this hardware address. The descriptor does not block. -1 with errno. */
int tap_open(const char *netns, const char *interface, const uint8_t address[WIRE_ADDRESS_BYTES]);
