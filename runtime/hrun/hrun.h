/* hrun.h - hrun, but for what it does not know: networks and plans. */
#pragma once

#include "hrun/hrun_options.h"

/* Runs a job as the command line says; its exit status. */
int hrun_main(int argc, char **argv, const struct hrun_checks *checks);
