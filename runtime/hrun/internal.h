/* internal.h - what programs may use of hrun: all of it (hrun.h), and the ways in which it starts
 * programs on hosts, with which hbench starts other systems' jobs.
 */
#pragma once

#include "hnowd/guardian.h"
#include "hrun/hrun.h"
#include "hrun/hosts/launch.h"
