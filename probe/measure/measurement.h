/* measurement.h - what hprobe measures, in which order: rank 0 of its tasks.
 *
 * The other tasks serve(); rank 0 gives orders and writes one line a sample
 * (sample.h) and lines "progress DONE TOTAL TEXT", which hprobe outside the job reads.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct measurement_plan {
    int passes;     /* how often everything is repeated; the minimum counts */
    bool quick;     /* latencies, the rate of one pair for each subnet and link, and multicasts */
    int message_ms; /* messages that take longer than this are not sent */
    bool twins;     /* names of one machine are hosts of their own (for tests on one machine) */
};

/* Does the whole measurement with all tasks of the job, each of which calls this between hn_enrol()
 * and hn_exit().  Rank 0 writes its lines to `out`.  An exit status. */
int measurement_task(const struct measurement_plan *plan, FILE *out);
