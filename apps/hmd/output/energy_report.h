/* energy_report.h - hmd's output: CHARMM's energy lines, progress, summary, JSON.
 *
 * Only rank 0 prints.  Lines and headers are CHARMM's (printe.src), so that scripts for its log
 * files can read hmd's.
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

/* On the stack of one operation. Tasks that do not print have it, too, with `active` 0. */
struct report {
    const struct command *command;
    int active;     /* 1: this task prints */
    long first;     /* number of the run's first step */
    int headers;    /* printed already */
    int ewald;      /* print lines for Ewald's sum */
    int restrained; /* print lines for restraints */
    int boxed;      /* print lines for the pressure */
    struct progress progress;
};

void report_open(struct report *r, const struct command *o, int rank);
/* Describes the system and the scheme before a computation. */
void report_system(struct report *r, const struct system *s, const struct scheme *scheme,
                   double cutnb, const struct constrain *constrain, int tasks);
/* Prints a sample when it is due, and progress.  The report function of dynamics. */
void report_sample(void *report, const struct sample *sample);
/* Prints a step of minimisation in CHARMM's format.  The report function of minimise. */
void report_minimise(void *report, const struct sample *sample, double change, double step);
/* Prints the summary: averages, drift, speed, timing; with -json the document instead. */
void report_end(struct report *r, const struct system *s, const struct samples *samples,
                const struct timers *times, int tasks);
