/* energy_report.h - what hmd prints: CHARMM's energy lines, progress, the end of the run, JSON.
 *
 * Only rank 0 prints.  Lines and headers are CHARMM's (printe.src's output), so that scripts that
 * read its log files can read ours.
 */
#pragma once

#include "constrain.h"
#include "pairlist.h"
#include "hmd_command.h"
#include "progress.h"
#include "energy_samples.h"
#include "scheme.h"
#include "system.h"
#include "timers.h"

struct report {
    const struct command *command;
    int active;     /* this task prints */
    long first;     /* number of the run's first step */
    int headers;    /* printed already */
    int ewald;      /* with lines for Ewald's sum */
    int restrained; /* with lines for restraints */
    struct progress progress;
};

void report_open(struct report *r, const struct command *o, int rank);
/* Describes the system and the scheme before a computation. */
void report_system(struct report *r, const struct system *s, const struct scheme *scheme,
                   double cutnb, const struct constrain *constrain, int tasks);
/* A sample: its lines when it is due, and progress. Given to dynamics as its report function. */
void report_sample(void *report, const struct sample *sample);
/* A step of minimisation: CHARMM's lines. Given to minimise as its report function. */
void report_minimise(void *report, const struct sample *sample, double change, double step);
/* The end: averages, drift, speed, where the time went; with -json the document instead. */
void report_end(struct report *r, const struct system *s, const struct samples *samples,
                const struct timers *times, int tasks);
