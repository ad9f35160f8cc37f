/* internal.h - what the other rooms may use of the probe room besides its public header,
 * hnow_net.h: arithmetic for model times, small statistics, the partition into subnets, pLogP's
 * view of a network, the media between its hosts, and the pictures of one.
 */
#pragma once

#include "derive/subnet.h"
#include "derive/values.h"
#include "net/net_media.h"
#include "net/net_show.h"
#include "net/plogp.h"
#include "net/wide.h"
