/* energy_report.c - see energy_report.h.
 *
 * Columns and names of lines are fixed, as programs that read CHARMM's logs find numbers by
 * position. Only rank 0 has `active` set; all others compute nothing here. Energies are kcal/mol,
 * times ps.
 */
#include "energy_report.h"

#include <stdio.h>

#include "kernel.h"
#include "velocity.h"

static const char report_rule[] =
    " ----------       ---------    ---------    ---------    ---------    ---------";

/* r refers to o, which must outlive it. */
void report_open(struct report *r, const struct command *o, int rank)
{
    *r = (struct report){.command = o, .active = rank == 0};
    progress_open(&r->progress, o->output.progress);
}

/* The parameters of the sum, as they were chosen, not as they were given. */
static void report_ewald(const struct scheme_ewald *w)
{
    printf(", kappa %.5g", w->kappa);
    if (w->pme)
        printf(", PME order %d on %d x %d x %d", w->order, w->grid[0], w->grid[1], w->grid[2]);
    else
        printf(", waves to %d, %d, %d", w->waves[0], w->waves[1], w->waves[2]);
}

/* Prints nothing without a box. Lengths in Angstrom, angles in degrees. */
static void report_box(const struct cell *c)
{
    double length[3], angle[3];
    if (c->box[0] <= 0)
        return;
    cell_angles(c, length, angle);
    printf(", box %g x %g x %g", length[0], length[1], length[2]);
    if (cell_tilted(c))
        printf(", angles %g, %g, %g", angle[0], angle[1], angle[2]);
}

/* Sets what the later lines depend on, on every task; prints on one. All of it is one line for the
 * scheme, preceded by lines for what is unusual. */
void report_system(struct report *r, const struct system *s, const struct scheme *scheme,
                   double cutnb, const struct constrain *constrain, int tasks)
{
    r->ewald = scheme->elec == SCHEME_ELEC_EWALD;
    r->restrained = s->held.nanchor + s->held.ntwist > 0;
    r->boxed = s->cell.box[0] > 0;
    if (!r->active || r->command->output.json)
        return;
    printf("hmd: %d atoms, %d bonds, %d angles, %d Urey-Bradley, %d dihedral and %d improper "
           "terms, %d cross terms, %d 1-4 pairs\n",
           s->natom, s->term.nbond, s->term.nangle, s->term.nurey, s->term.ndihedral,
           s->term.nimproper, s->term.ncross, s->term.npair14);
    if (s->held.nfrozen || s->held.nanchor)
        printf("hmd: %d of the atoms are fixed, %d restrained\n", s->held.nfrozen, s->held.nanchor);
    if (s->held.ntwist)
        printf("hmd: %d dihedral angles are restrained\n", s->held.ntwist);
    if (s->nlonepair)
        printf("hmd: %d of the atoms are lone pairs, which their hosts carry\n", s->nlonepair);
    if (r->command->pairs.nocutoff)
        printf("hmd: no cut-off");
    else
        printf("hmd: elec %s, vdw %s, ctonnb %g ctofnb %g cutnb %g", scheme_elec_name(scheme->elec),
               scheme_vdw_name(scheme->vdw), scheme->ron, scheme->roff, cutnb);
    report_box(&s->cell);
    if (scheme->elec == SCHEME_ELEC_EWALD)
        report_ewald(&scheme->ewald);
    if (constrain->pairs)
        printf(", %d bonds kept", constrain->pairs);
    printf("; %d task%s, kernel %s\n", tasks, tasks > 1 ? "s" : "", kernel_name());
    fflush(stdout);
}

/* Prints numbers in CHARMM's columns.  A number that is too wide gets fewer decimals, or finally an
 * exponent. CHARMM's columns have `width` characters, with a blank in front. The columns never
 * touch, so a reader by words works as well. */
static void report_row(const char *key, int width, const double *v, int n)
{
    char text[340];
    printf("%s", key);
    for (int k = 0; k < n; k++) {
        int places = 5;
        while (places >= 0 &&
               snprintf(text, sizeof text, "%*.*f", width - 1, places, v[k]) > width - 1)
            places--;
        /* Not even the whole number fits. */
        if (places < 0)
            snprintf(text, sizeof text, "%*.4e", width - 1, v[k]);
        printf(" %s", text);
    }
}

/* ---- CHARMM's lines ----------------------------------------------------------------------- */

/* Headers are printed before the first sample and before averages. dyna: of dynamics, else of a
 * single energy. */
static void report_headers(const char *key, int dyna, int ewald, int restrained)
{
    if (dyna)
        printf("%s DYN: Step         Time      TOTEner        TOTKe       ENERgy  TEMPerature\n",
               key);
    else
        printf("%s ENR:  Eval#     ENERgy      Delta-E         GRMS\n", key);
    printf("%s INTERN:          BONDs       ANGLes       UREY-b    DIHEdrals    IMPRopers\n", key);
    printf("%s CROSS:           CMAPs        PMF1D        PMF2D        PRIMO\n", key);
    printf("%s EXTERN:        VDWaals         ELEC       HBONds          ASP         USER\n", key);
    if (restrained)
        printf("%s CONSTR:       HARMonic    CDIHedral          CIC     RESDistance       NOE\n",
               key);
    if (ewald)
        printf("%s EWALD:          EWKSum       EWSElf       EWEXcl       EWQCor       EWUTil\n",
               key);
    printf("%s PRESS:            VIRE         VIRI       PRESSE       PRESSI       VOLUme\n", key);
    printf("%s\n", report_rule);
}

/* section: such as "INTERN>". n numbers, of which the missing ones are not printed. */
static void report_line(const char *key, const char *section, const double v[5], int n)
{
    char head[32];
    snprintf(head, sizeof head, "%s %-7s", key, section);
    report_row(head, 13, v, n);
    printf("\n");
}

/* Empty columns are terms that hmd does not have; they are 0. Rows without a meaning here are left
 * out where CHARMM leaves them out, too. */
static void report_terms(const char *key, const struct sample *s, int ewald, int restrained)
{
    const double *t = s->term;
    report_line(
        key, "INTERN>",
        (double[]){t[ENERGY_BOND], t[ENERGY_ANGL], t[ENERGY_UREY], t[ENERGY_DIHE], t[ENERGY_IMPR]},
        5);
    report_line(key, "CROSS>", (double[5]){t[ENERGY_CMAP]}, 4);
    report_line(key, "EXTERN>", (double[5]){t[ENERGY_VDW], t[ENERGY_ELEC]}, 5);
    if (restrained)
        report_line(key, "CONSTR>", (double[5]){t[ENERGY_HARM], t[ENERGY_CDIH]}, 5);
    if (ewald)
        report_line(key, "EWALD>",
                    (double[5]){t[ENERGY_EWKS], t[ENERGY_EWSE], t[ENERGY_EWEX], t[ENERGY_EWQC]}, 5);
    printf("%s\n", report_rule);
}

/* CHARMM's VIRI is a third of x dE/dx, so minus a third of our virial; here all of it is
 * internal. The first and third column are of external forces. */
static void report_pressure(const char *key, const struct sample *s)
{
    report_line(key, "PRESS>", (double[5]){0, -s->virial / 3, 0, s->pressure, s->volume}, 5);
    printf("%s\n", report_rule);
}

/* One sample in all of its lines. key: DYNA, ENER, AVER or FLUC. */
static void report_lines(const struct report *r, const char *key, const struct sample *s,
                         int headers)
{
    int dyna = r->command->run.nstep > 0;
    const double dynamics[] = {s->time, s->tote, s->totk, s->ener, s->temp};
    const double energy[] = {s->ener, 0, s->grms};
    char head[32];
    if (headers)
        report_headers(key, dyna, r->ewald, r->restrained);
    snprintf(head, sizeof head, "%s>%9ld", key, s->step);
    report_row(head, 13, dyna ? dynamics : energy, dyna ? 5 : 3);
    printf("\n");
    report_terms(key, s, r->ewald, r->restrained);
    if (r->boxed)
        report_pressure(key, s);
    fflush(stdout);
}

void report_minimise(void *report, const struct sample *s, double change, double step)
{
    struct report *r = report;
    if (!r->active || r->command->output.json)
        return;
    if (!r->headers++)
        printf("MINI MIN: Cycle      ENERgy      Delta-E         GRMS    Step-size\n");
    char head[32];
    snprintf(head, sizeof head, "MINI>%9ld", s->step);
    report_row(head, 13, (double[]){s->ener, change, s->grms}, 3);
    printf("%13.8f\n", step);
    report_terms("MINI", s, r->ewald, r->restrained);
    fflush(stdout);
}

/* ---- progress ----------------------------------------------------------------------------- */

/* timest is in ps, so 1e-3 ns. */
static double report_ns_per_day(long steps, double timest, double seconds)
{
    return seconds > 0 ? (double)steps * timest * 1e-3 / seconds * 86400 : 0;
}

/* The clock starts at the first sample, after the first neighbour list. done counts from the first
 * step, as a continued run begins at another number. */
static void report_progress(struct report *r, const struct sample *s)
{
    const struct command *o = r->command;
    long done = s->step - r->first;
    if (done == 0)
        r->progress.start = timers_now();
    double spent = timers_now() - r->progress.start;
    const struct progress_now now = {
        .step = s->step,
        .done = done,
        .steps = o->run.nstep,
        .ns_per_day = report_ns_per_day(done, o->run.timest, spent),
        .left = done ? spent / (double)done * (double)(o->run.nstep - done) : 0,
        .temperature = s->temp,
        .energy = s->tote};
    progress_show(&r->progress, &now);
}

/* Samples in between only feed the averages and the progress. The first and the last step are
 * always printed. */
void report_sample(void *report, const struct sample *s)
{
    struct report *r = report;
    const struct command *o = r->command;
    if (!r->active)
        return;
    if (!o->output.json && (s->step % o->output.nprint == 0 || s->step == r->first ||
                            s->step == r->first + o->run.nstep)) {
        progress_clear(&r->progress);
        report_lines(r, o->run.nstep ? "DYNA" : "ENER", s, !r->headers++);
    }
    report_progress(r, s);
}

/* ---- summary ------------------------------------------------------------------------------ */

/* CHARMM's averages and fluctuations, of all samples. The headers are repeated, as in CHARMM. */
static void report_averages(const struct report *r, const struct samples *samples)
{
    struct sample v[2];
    static const char *const key[2] = {"AVER", "FLUC"};
    static const char *const title[2] = {"AVERAGES FOR THE LAST", "RMS FLUCTUATIONS FOR"};
    samples_mean(samples, &v[0], &v[1]);
    v[1].virial = -v[1].virial; /* its opposite is printed; a fluctuation has no sign */
    for (int k = 0; k < 2; k++) {
        v[k].step = samples->at[samples->n - 1].step;
        v[k].time = samples->at[samples->n - 1].time;
        printf("\n * * * %s %8ld  STEPS\n", title[k], r->command->run.nstep);
        report_lines(r, key[k], &v[k], 1);
    }
}

/* Results of a run for the document.  There ELEC is all of the electrostatics, whatever the scheme,
 * and CHARMM's VIRI replaces the virial.  Averages are computed for this form, too, because
 * fluctuations are not additive. */
enum { REPORT_FIRST, REPORT_LAST, REPORT_AVERAGE, REPORT_FLUCTUATION, REPORT_COLUMNS };
/* The columns of the final table: first, last, average and fluctuation. */
struct report_outcome {
    struct sample all[REPORT_COLUMNS];
    double real[REPORT_COLUMNS]; /* ELEC_REAL */
};

/* The number of samples is in `step` of the last two. */
static void report_columns(const struct samples *s, struct sample column[REPORT_COLUMNS])
{
    column[REPORT_FIRST] = s->at[0];
    column[REPORT_LAST] = s->at[s->n - 1];
    samples_mean(s, &column[REPORT_AVERAGE], &column[REPORT_FLUCTUATION]);
    column[REPORT_AVERAGE].step = column[REPORT_FLUCTUATION].step = (long)s->n;
}

/* For JSON and the table: ELEC with the parts EWKS, EWSE, EWEX and EWQC. Samples are copied and
 * changed one by one, and their statistics made anew. */
static void report_outcome(const struct samples *from, struct report_outcome *o)
{
    struct samples to = {0};
    struct sample plain[REPORT_COLUMNS];
    report_columns(from, plain);
    for (int c = 0; c < REPORT_COLUMNS; c++)
        o->real[c] = plain[c].term[ENERGY_ELEC];
    for (size_t i = 0; i < from->n; i++) {
        struct sample one = from->at[i];
        /* EWKS to EWQC follow ELEC in the enumeration. */
        for (int k = ENERGY_ELEC + 1; k <= ENERGY_EWQC; k++)
            one.term[ENERGY_ELEC] += one.term[k];
        /* CHARMM's VIRI: minus a third of the sum of x f. */
        one.virial /= -3;
        samples_add(&to, &one);
    }
    report_columns(&to, o->all);
    samples_free(&to);
}

/* Prints the work of each task, 1 being a fair share, in the order of the ring. */
static void report_shares(const struct timers *t, int tasks)
{
    printf("shares of the work, along the ring:");
    for (int k = 0; k < tasks; k++)
        printf(" %d:%.2f", t->ring[k], t->share[t->ring[k]]);
    printf("\n");
}

static const char *const report_parts[TIMERS_PARTS] = {"step", "force", "list",
                                                       "comm", "wait",  "rest"};

/* Prints the distribution of time in a step: over the tasks, and each part's mean share. Times are
 * for one step, in ms; shares are of the mean step. */
static void report_times(const struct report *r, const struct timers *t, int tasks)
{
    double n = (double)t->steps, step = t->mean[TIMERS_STEP];
    printf("\nspeed: %.3f ns/day, %.2f steps/s\n",
           report_ns_per_day(t->steps, r->command->run.timest, step), n / step);
    printf(
        "TIME STEP:  ms of a step, of the tasks: least         mean         most        share\n");
    for (int k = 0; k < TIMERS_PARTS; k++)
        printf("TIME> %-26s%13.4f%13.4f%13.4f%12.1f%%\n",
               k == TIMERS_LIST ? "  of it list (neighbours)" : report_parts[k],
               1e3 * t->least[k] / n, 1e3 * t->mean[k] / n, 1e3 * t->most[k] / n,
               100 * t->mean[k] / step);
    printf("lists: %ld of neighbours, a new one every %.1f steps\n", t->lists,
           t->lists ? n / (double)t->lists : n);
    if (r->command->parallel.balance)
        report_shares(t, tasks);
}

/* One column of the outcome as a JSON object; no comma follows it. */
static void report_json_sample(const char *name, const struct report_outcome *o, int column)
{
    const struct sample *s = &o->all[column];
    printf("\"%s\":{\"ELEC_REAL\":%.17g,", name, o->real[column]);
    for (int k = 0; k < ENERGY_TERMS; k++)
        printf("\"%s\":%.17g,", energy_names[k], s->term[k]);
    printf("\"ENER\":%.17g,\"TOTE\":%.17g,\"TOTK\":%.17g,\"TEMP\":%.17g,\"GRMS\":%.17g,"
           "\"CONS\":%.17g,\"VIRI\":%.17g,\"PRESSI\":%.17g,\"PIXX\":%.17g,\"PIYY\":%.17g,"
           "\"PIZZ\":%.17g,\"VOLU\":%.17g,\"step\":%ld}",
           s->ener, s->tote, s->totk, s->temp, s->grms, s->conserved, s->virial, s->pressure,
           s->axis[0], s->axis[1], s->axis[2], s->volume, s->step);
}

/* Numbers have 17 digits, so that a reader gets the same bits. The document is one line, and the
 * only output then. */
static void report_json(const struct report *r, const struct system *s,
                        const struct samples *samples, const struct timers *t, int tasks)
{
    struct report_outcome outcome;
    report_outcome(samples, &outcome);
    double n = t->steps ? (double)t->steps : 1;
    printf("{\"atoms\":%d,\"steps\":%ld,\"tasks\":%d,", s->natom, r->command->run.nstep, tasks);
    /* "ener" is the original name of "last" Both names are in use by programs. */
    static const char *const names[] = {"ener", "last", "first", "average", "fluctuation"};
    static const int columns[] = {REPORT_LAST, REPORT_LAST, REPORT_FIRST, REPORT_AVERAGE,
                                  REPORT_FLUCTUATION};
    for (int k = 0; k < 5; k++) {
        printf("%s", k ? "," : "");
        report_json_sample(names[k], &outcome, columns[k]);
    }
    if (samples_drift_known(samples))
        printf(",\"drift\":%.17g", samples_drift(samples));
    else
        printf(",\"drift\":null");
    printf(",\"ns_per_day\":%.9g,\"steps_per_s\":%.9g,\"time\":{\"lists\":%ld",
           report_ns_per_day(t->steps, r->command->run.timest, t->mean[TIMERS_STEP]),
           t->mean[TIMERS_STEP] > 0 ? (double)t->steps / t->mean[TIMERS_STEP] : 0, t->lists);
    for (int k = 0; k < TIMERS_PARTS; k++)
        printf(",\"%s\":%.9g,\"%s_least\":%.9g,\"%s_most\":%.9g", report_parts[k], t->mean[k] / n,
               report_parts[k], t->least[k] / n, report_parts[k], t->most[k] / n);
    printf("},\"kernel\":\"%s\",\"shares\":[", kernel_name());
    for (int k = 0; k < tasks; k++)
        printf("%s%.6g", k ? "," : "", t->share[k]);
    printf("],\"ring\":[");
    for (int k = 0; k < tasks; k++)
        printf("%s%d", k ? "," : "", t->ring[k]);
    printf("]}\n");
}

/* Energy is not conserved with Langevin's dynamics or with the barostat. With a Nose thermostat it
 * is the extended energy that is conserved. */
static void report_drift(const struct system *s, const struct samples *samples,
                         enum thermostat_kind kind, int pressed)
{
    const char *what = kind == THERMOSTAT_NOSE ? "CONS" : "TOTE";
    double drift = samples_drift(samples), kt = VELOCITY_KB * samples->at[samples->n - 1].temp;
    if (kind == THERMOSTAT_LANGEVIN || pressed)
        return;
    if (!samples_drift_known(samples))
        printf("\ndrift of %s: not computed, since the run is shorter than %g ps\n", what,
               SAMPLES_LEAST_PS);
    else
        printf("\ndrift of %s: %+.6f kcal/mol/ps, %+.3g kT/ns for each degree of freedom (least "
               "squares over %zu samples, %d degrees of freedom)\n",
               what, drift, kt > 0 ? 1000 * drift / kt / system_freedom(s) : 0, samples->n,
               system_freedom(s));
}

/* After a single energy only the JSON document is printed. Otherwise the summary follows, unless
 * only one energy was computed. */
void report_end(struct report *r, const struct system *s, const struct samples *samples,
                const struct timers *times, int tasks)
{
    if (r->active && r->command->output.json)
        report_json(r, s, samples, times, tasks);
    if (!r->active || r->command->output.json || r->command->run.nstep == 0)
        return;
    report_averages(r, samples);
    report_drift(s, samples, r->command->run.thermostat.kind, r->command->run.barostat.on);
    report_times(r, times, tasks);
}
