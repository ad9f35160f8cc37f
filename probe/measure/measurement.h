/* measurement.h - the whole measurement of hprobe, as rank 0 of its tasks runs it.
 *
 * The other tasks serve.  Rank 0 gives orders and writes one line for each sample (sample.h) and
 * lines "progress DONE TOTAL TEXT", which hprobe outside the job reads.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct measurement_plan {
    int passes;     /* repetitions of everything; the minimum counts */
    bool quick;     /* only latencies, one rate for each subnet and link, and multicasts */
    int message_ms; /* messages that take longer are not sent */
    bool twins;     /* names of one machine count as separate hosts (for tests on one machine) */
};

/* Runs the measurement with all tasks of the job.  Each task calls it between hn_enrol() and
 * hn_exit().  Rank 0 writes its lines to `out`. Returns an exit status. */
int measurement_task(const struct measurement_plan *plan, FILE *out);
