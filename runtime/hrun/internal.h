/* internal.h - what programs may use of hrun: all of it (hrun.h), and the ways in which it starts
 * programs on hosts, with which hbench starts other systems' jobs.
 */
#ifndef HNOW_HRUN_INTERNAL_H
#define HNOW_HRUN_INTERNAL_H

#include "hnowd/guardian.h"
#include "hrun/hrun.h"
#include "hrun/hosts/launch.h"

#endif
