/* hrun.h - the program hrun, except its checks of networks and plans. */
#pragma once

#include "hrun/hrun_options.h"

/* Runs a job according to the command line, and returns its exit status. */
int hrun_main(int argc, char **argv, const struct hrun_checks *checks);
