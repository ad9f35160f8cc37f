/* internal.h - what other rooms may use of probe besides its public header, hnow_net.h.
 *
 * That is: arithmetic on model times, small statistics, the partition into subnets, the pLogP view
 * of a network, the media between two hosts, and drawings of a network.
 */
#pragma once

#include "derive/subnet.h"
#include "derive/values.h"
#include "net/net_media.h"
#include "net/net_show.h"
#include "net/plogp.h"
#include "net/wide.h"
