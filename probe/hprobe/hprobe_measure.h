/* hprobe_measure.h - `hprobe -hosts`: measuring a network. */
#pragma once

#include "measure/measurement.h"

#include <stdint.h>

struct measure_request {
    const char *hosts; /* as hrun takes it */
    const char *out;   /* the network file; NULL: standard output */
    const char *raw;   /* where the samples go; NULL: nowhere */
    int64_t tolerance; /* millionths */
    bool json;         /* print the model on standard output as JSON */
    struct measurement_plan plan;
};

/* Measures and writes: an exit status.  What goes wrong is said on stderr. */
int measure_network(const struct measure_request *request);
/* The same program as a task of the job that measure_network() starts: an exit status. */
int measure_as_task(const struct measurement_plan *plan);
