/* hprobe_measure.h - `hprobe -hosts`: measures a network. */
#pragma once

#include "measure/measurement.h"

#include <stdint.h>

/* What the options of `hprobe -hosts` ask for. All texts belong to the caller. */
struct measure_request {
    const char *hosts; /* in hrun's syntax */
    const char *out;   /* the network file; NULL: standard output */
    const char *raw;   /* file for the samples; NULL: none */
    int64_t tolerance; /* millionths */
    bool json;         /* print the model on standard output as JSON */
    bool stage;        /* copy this program to the hosts, as `hrun -stage` */
    struct measurement_plan plan;
};

/* Measures and writes the file.  Prints errors on stderr.  Returns an exit status. */
int measure_network(const struct measure_request *request);
/* Runs the same program as a task of the job that measure_network() starts.  Returns an exit
 * status. */
int measure_as_task(const struct measurement_plan *plan);
