/* internal.h - the parts of hrun that programs may use: hrun itself (hrun.h), and starting programs
 * on hosts, which hbench uses for jobs of other systems. */
#pragma once

#include "hnowd/guardian.h"
#include "hrun/hrun.h"
#include "hrun/hosts/launch.h"
