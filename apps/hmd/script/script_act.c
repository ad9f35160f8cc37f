/* script_act.c - commands that compute: ENERGY, MINIMIZE, DYNAMICS.
 *
 * Each command copies the settings, changes the copy by its words, and runs the operation on the
 * session's coordinates (dynamc.doc, minimiz.doc). Words that hmd cannot follow are errors.
 *
 * Settings that a command changes for itself are in the copy; those that hold for later commands,
 * such as the words of NBONDS, are written back to s->o explicitly. All tasks run the same
 * commands, so a failure of one is a failure of all.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script_run.h"
#include "velocity.h"

/* Sets ?ENER etc. for the following commands, from session.last. Names longer than four letters are
 * those that scripts in use contain. */
static void act_results(struct script *s)
{
    const struct sample *v = &s->session.last;
    const struct script_number row[] = {
        {"?ENER", v->ener},    {"?TOTE", v->tote},     {"?TOTK", v->totk},
        {"?TEMP", v->temp},    {"?GRMS", v->grms},     {"?TIME", v->time},
        {"?VOLU", v->volume},  {"?PRSI", v->pressure}, {"?VOLUME", v->volume},
        {"?PIXX", v->axis[0]}, {"?PIYY", v->axis[1]},  {"?PIZZ", v->axis[2]}};
    script_results(s, row, sizeof row / sizeof *row);
    for (int k = 0; k < ENERGY_TERMS; k++) {
        char name[8];
        snprintf(name, sizeof name, "?%s", energy_names[k]);
        script_result(s, name, v->term[k]);
    }
    script_box_results(s, &s->session.in.system.cell);
}

/* An energy is a run of 0 steps. */
int script_energy(struct script *s)
{
    const struct script_key key[] = {{"PRINT"}, {"NOUPDATE"}}; /* both are default */
    if (script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    int status = script_ready(s);
    struct command o = s->o;
    o.run.nstep = 0;
    /* Negative: the velocities are not drawn again. */
    o.run.firstt = -1;
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    if (!status)
        act_results(s);
    return script_blame(s, status);
}

/* The default is CONJ, as in minimiz.doc. NPRINT 0 or less reports the first and last step only.
 * STEP, TOLGRD and TOLENR keep their defaults from the command line. */
int script_minimise(struct script *s)
{
    struct command o = s->o;
    int method = MINIMISE_CONJ;
    long ignored;
    double unused; /* internal parameters of CHARMM's minimisers */
    /* Every step is reported unless NPRINT says otherwise. */
    o.output.nprint = 1;
    const struct script_key key[] = {{"SD", .flag = &method, .is = MINIMISE_SD},
                                     {"CONJUGATE", .flag = &method, .is = MINIMISE_CONJ},
                                     {"NSTEP", .count = &o.minimise.nmini},
                                     {"NPRINT", .count = &o.output.nprint},
                                     {"TOLGRD", .real = &o.minimise.tolgrd},
                                     {"ABNR", .flag = &method, .is = MINIMISE_ABNR},
                                     {"TOLENR", .real = &o.minimise.tolenr},
                                     {"STEP", .real = &o.minimise.ministep},
                                     /* How often CHARMM updates lists. hmd's lists are valid at
                                      * each step, whatever the number. */
                                     {"INBFRQ", .count = &ignored},
                                     {"IHBFRQ", .count = &ignored},
                                     {"TOLSTEP", .real = &unused},
                                     {"TOLITR", .count = &ignored},
                                     {"MINDIM", .count = &ignored},
                                     {"EIGRNG", .real = &unused},
                                     {"STPLIM", .real = &unused},
                                     {"NCGCYC", .count = &ignored},
                                     {"PCUT", .real = &unused},
                                     {"STRICT", .real = &unused},
                                     {"FMEM", .real = &unused},
                                     {"NOUPDATE"},
                                     {"PRTMIN", .count = &ignored}};
    s->at = 1;
    if (script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 0;
    if (o.minimise.ministep <= 0)
        return script_bad(s, "expected a STEP above 0");
    /* Words of a NONBONDED line belong to s->o, as they hold for later commands. */
    o.pairs.nonbonded = s->o.pairs.nonbonded;
    o.minimise.mini = (enum minimise_method)method;
    o.minimise.nmini = o.minimise.nmini < 0 ? 0 : o.minimise.nmini;
    /* One more than all steps: then only the first and the last are reported. */
    o.output.nprint = o.output.nprint < 1 ? o.minimise.nmini + 1 : o.output.nprint;
    int status = script_ready(s);
    if (!status)
        status = session_minimise(&s->session, &o, s->e);
    if (!status)
        act_results(s);
    return script_blame(s, status);
}

/* Words of a DYNAMICS command, in addition to struct command. Values that mean "not given" are
 * impossible ones, so that each default can be chosen later. */
struct script_dynamics {
    int restart, nose, langevin;
    double tstruc;                                   /* < 0: not given */
    double tbath, rbuf, fbeta;                       /* fbeta < 0: SCALAR's values */
    double mass, piston[3], along[3], ramp, tension; /* PMASS, PMXX ..., PRXX ..., PREFI; HUGE_VAL:
                                                        not given */
    int surface;
    double echeck;                                                       /* HUGE_VAL: not given */
    long iunvel, nsavv, assign, window, scale, single, velocities, seed; /* seed < 0: not given */
};

/* ISEED has several numbers since c36: the first one is used. hmd has one generator. The further
 * numbers are removed from the words. */
static void script_seed(struct script *s)
{
    int at = 1, more;
    long number;
    while (at < s->l.word.n && !script_is(s, at, "ISEED"))
        at++;
    at += 2;
    for (more = 0; at + more < s->l.word.n && text_long(s->l.word.at[at + more], &number);)
        more++;
    if (more)
        /* All but the first number, which stays behind ISEED. */
        script_line_cut(&s->l, at, at + more - 1);
}

/* Rejects words of DYNAMICS that must not be combined, or are not allowed here. Messages name the
 * command itself (s->at 0). */
static int script_check_dynamics(struct script *s, const struct command *o,
                                 const struct script_dynamics *d)
{
    s->at = 0;
    if (d->nose && d->langevin)
        return script_bad(s, "NOSE and LANG: give one of them");
    if (d->scale != 0)
        return script_bad(s,
                          "ISCALE: velocities are not scaled at the start: leave it out, or give "
                          "FIRSTT");
    if (d->velocities < 0)
        return script_bad(s, "IASVEL: velocities are drawn from Gauss's distribution, IASVEL 1, or "
                             "are those of COOR's second set, IASVEL 0");
    if (d->single != 0 && d->assign == 0 &&
        (o->run.heat.rise_every > 0 || o->run.heat.keep_every > 0))
        return script_bad(s, "ISCVEL: velocities are scaled by one factor: ISCVEL 0, or IASORS 1");
    if (d->rbuf != 0)
        return script_bad(s, "RBUF: friction acts on all atoms here, as with RBUF 0.0");
    if (d->iunvel >= 0 && d->nsavv > 0)
        return script_bad(s, "IUNVEL: hmd writes no velocities: IUNVEL -1, or NSAVV 0; a restart "
                             "file has them");
    if (d->restart && !o->files.restart)
        return script_bad(s, "RESTART: give the file with IUNREA");
    return 0;
}

/* Words without a meaning here, with their numbers: how often CHARMM updates its lists, prints sums
 * or writes files that hmd does not have.  No result depends on them, so inputs need not be
 * changed. The numbers are read and forgotten, so that a missing one is still an error. */
static int script_dynamics_passed(struct script *s)
{
    double real;
    long count;
    int flag;
    /* All results go to three variables that nothing reads. */
    const struct script_key key[] = {
        {"PGAMMA", .real = &real},   {"TMASS", .real = &real},    {"IPRFRQ", .count = &count},
        {"SCALE", .real = &real},    {"IXTFRQ", .count = &count}, {"KUNIT", .count = &count},
        {"INBFRQ", .count = &count}, {"IMGFRQ", .count = &count}, {"IHBFRQ", .count = &count},
        {"ILBFRQ", .count = &count}, {"IUNOS", .count = &count},  {"RSTN", .flag = &flag, .is = 1},
        {"QREF", .real = &real},     {"NCYC", .count = &count},   {"NSNOS", .count = &count}};
    return script_cut_keys(s, 1, key, sizeof key / sizeof *key);
}

/* Words for temperature and pressure. The words are removed, and the rest is left to the caller. */
static int script_dynamics_ensemble(struct script *s, struct command *o, struct script_dynamics *d)
{
    const struct script_key key[] = {{"CPT", .flag = &o->run.barostat.on, .is = 1},
                                     {"PCONSTANT", .flag = &o->run.barostat.on, .is = 1},
                                     {"PINTERNAL", .flag = &o->run.barostat.on, .is = 1},
                                     {"PREFERENCE", .real = &o->run.barostat.pref},
                                     {"PREFINITIAL", .real = &d->ramp},
                                     {"PREFFINAL", .real = &d->ramp},
                                     {"PMASS", .real = &d->mass},
                                     {"PMXX", .real = &d->piston[0]},
                                     {"PMYY", .real = &d->piston[1]},
                                     {"PMZZ", .real = &d->piston[2]},
                                     {"PRXX", .real = &d->along[0]},
                                     {"PRYY", .real = &d->along[1]},
                                     {"PRZZ", .real = &d->along[2]},
                                     {"SURFACE", .flag = &d->surface, .is = 1},
                                     {"TENSION", .real = &d->tension},
                                     {"TAUP", .real = &o->run.barostat.tau},
                                     {"COMPRESS", .real = &o->run.barostat.beta},
                                     {"HOOVER", .flag = &d->nose, .is = 1},
                                     {"REFT", .real = &o->run.thermostat.kelvin},
                                     {"NOSE", .flag = &d->nose, .is = 1},
                                     {"TREF", .real = &o->run.thermostat.kelvin},
                                     {"TAUNOSE", .real = &o->run.thermostat.tau},
                                     {"LANGEVIN", .flag = &d->langevin, .is = 1},
                                     {"TBATH", .real = &d->tbath},
                                     {"FBETA", .real = &d->fbeta},
                                     {"RBUF", .real = &d->rbuf},
                                     {"IHTFRQ", .count = &o->run.heat.rise_every},
                                     {"IEQFRQ", .count = &o->run.heat.keep_every},
                                     {"TEMINC", .real = &o->run.heat.rise},
                                     {"FINALT", .real = &o->run.heat.last},
                                     {"TWINDL", .real = &o->run.heat.low},
                                     {"TWINDH", .real = &o->run.heat.high},
                                     {"IASORS", .count = &d->assign},
                                     {"IASVEL", .count = &d->velocities},
                                     {"ISCVEL", .count = &d->single},
                                     {"TSTRUCT", .real = &d->tstruc},
                                     {"TOL", .real = &o->run.shaketol},
                                     {"ISCALE", .count = &d->scale},
                                     {"ICHECW", .count = &d->window}};
    return script_cut_keys(s, 1, key, sizeof key / sizeof *key);
}

/* All words of DYNAMICS, which are too many for one table: two functions first remove theirs, and
 * the rest may be words of a NONBONDED line.  Words with the same first four letters are in one
 * table, which distinguishes them. The order of the calls matters: a word that an earlier function
 * takes is not seen by a later one. */
static int script_dynamics_keys(struct script *s, struct command *o, struct script_dynamics *d)
{
    const struct script_key key[] = {{"LEAP"}, /* these give the same trajectory: integrate.h */
                                     {"VVER"},
                                     {"VERLET"},
                                     {"ORIGINAL"},
                                     {"NEW"},
                                     {"START", .flag = &d->restart, .is = 0},
                                     {"STRT", .flag = &d->restart, .is = 0},
                                     {"RESTART", .flag = &d->restart, .is = 1},
                                     {"NSTEP", .count = &o->run.nstep},
                                     {"TIMESTEP", .real = &o->run.timest},
                                     {"FIRSTT", .real = &o->run.firstt},
                                     {"ISEED", .count = &d->seed},
                                     {"NPRINT", .count = &o->output.nprint},
                                     {"NSAVC", .count = &o->output.nsavc},
                                     {"NSAVV", .count = &d->nsavv},
                                     {"IUNVEL", .count = &d->iunvel},
                                     {"ISVFRQ", .count = &o->output.isvfrq},
                                     {"NTRFRQ", .count = &o->run.ntrfrq},
                                     {"ECHECK", .real = &d->echeck},
                                     {"IUNREA", .unit = &o->files.restart},
                                     {"IUNWRI", .unit = &o->output.save},
                                     {"IUNCRD", .unit = &o->output.dcd}};
    /* ISEED first, because its further numbers would be unknown words. */
    script_seed(s);
    if (script_dynamics_passed(s) || script_dynamics_ensemble(s, o, d) ||
        script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    return script_check_dynamics(s, o, d);
}

/* Without ISEED a further run has other random numbers, as in CHARMM, whose generator continues:
 * the same friction noise again and again would drive the system.  A run that is continued has its
 * own numbers by its steps. The seed is kept in s->o, so it continues over all DYNA of the script.
 */
static void script_take_seed(struct script *s, struct command *o, const struct script_dynamics *d)
{
    if (d->seed >= 0)
        o->run.iseed = d->seed;
    else if (s->runs > 0 && !d->restart)
        /* LONG_MAX is followed by 1, since a seed is at least 0. */
        o->run.iseed = s->o.run.iseed % LONG_MAX + 1;
    s->o.run.iseed = o->run.iseed;
    s->runs++;
}

/* Velocities to start with: drawn at dynamc.doc's Tassign, since a structure that is equilibrated
 * at TSTRUC takes up half of the energy above it; or those in COOR's second set. */
static int script_velocities(struct script *s, struct command *o, const struct script_dynamics *d)
{
    struct input *in = &s->session.in;
    double first = o->run.firstt;
    /* Tassign = 1.25 FIRSTT without TSTRUCT, else 2 FIRSTT - TSTRUCT, but no negative temperature.
     */
    o->run.firstt = d->tstruc < 0 ? 1.25 * first : fmax(2 * first - d->tstruc, 0);
    if (d->velocities != 0 || d->restart)
        return 0;
    /* -1: velocities are given, not drawn. */
    o->run.firstt = -1;
    if (!s->compare.x || coor_check(&in->psf, "IASVEL 0: COOR's second set", s->compare.x, s->e))
        return s->compare.x ? ERR_INPUT
                            : script_bad(s, "IASVEL 0: no velocities: READ COOR COMP comes first");
    memcpy(in->v, s->compare.x, 3 * (size_t)in->psf.natom * sizeof *in->v);
    /* With NTRFRQ the start has no motion as a whole, either. */
    if (o->run.ntrfrq > 0)
        velocity_rest(&in->system, in->x, in->v);
    return 0;
}

/* As in CHARMM, DYNA leaves the last velocities in COOR's second set. The set is made if there is
 * none. Its weights stay. */
static void script_keep_velocities(struct script *s)
{
    const struct input *in = &s->session.in;
    script_compare(s);
    memcpy(s->compare.x, in->v, 3 * (size_t)in->psf.natom * sizeof *in->v);
}

/* Heating and equilibration, with CHARMM's rules for what the command does not specify. FINALT must
 * be reachable: TEMINC has the sign of the way from FIRSTT. */
static int script_heat(struct script *s, struct command *o, const struct script_dynamics *d)
{
    struct heat *h = &o->run.heat;
    h->first = o->run.firstt;
    h->assign = d->assign != 0;
    h->window = d->window != 0;
    /* Neither heating nor equilibration. */
    if (h->rise_every <= 0 && h->keep_every <= 0)
        return 0;
    if (d->nose || d->langevin)
        return script_bad(s, "IHTFRQ or IEQFRQ, and a thermostat: give one of them");
    if (h->last < 0 || (h->rise_every > 0 && (h->last - h->first) * h->rise < 0))
        return script_bad(s, "FINALT cannot be reached from FIRSTT by steps of TEMINC");
    return 0;
}

/* Pressures along the axes, and fixed lengths; in layers x and y change together. PMXX 0 keeps this
 * length constant. If all are constant there is no barostat. Pressures are differences from PREF
 * (more[]); a length is constant (still[]) if its piston has no mass. */
static int script_pressures(struct script *s, struct command *o, const struct script_dynamics *d)
{
    struct barostat *b = &o->run.barostat;
    /* SURFACE changes the normal length apart from the other two. The crystal's lattice decides
     * which lengths may change; CRYSTAL has set the form. */
    if (d->surface && b->form == BAROSTAT_AXES)
        b->form = BAROSTAT_LAYERS;
    for (int k = 0; k < 3; k++) {
        b->more[k] = d->along[k] < HUGE_VAL ? d->along[k] - b->pref : 0;
        b->still[k] = (d->piston[k] < HUGE_VAL ? d->piston[k] : d->mass) == 0;
    }
    /* In layers the lengths along x and y stay equal. */
    if (b->form == BAROSTAT_LAYERS)
        b->still[0] = b->still[1] = b->still[0] || b->still[1];
    s->at = 0;
    if (d->ramp < HUGE_VAL)
        return script_bad(s, "PREFI, PREFF: the pressure does not change during a run: give PREF");
    if (d->tension != 0)
        return script_bad(s, "hmd has no surface tension: TENSION 0.0, or PRXX, PRYY and PRZZ");
    if (b->form == BAROSTAT_WHOLE && (b->still[0] != b->still[1] || b->still[0] != b->still[2]))
        return script_bad(s, "this crystal's lengths change together: all of PMXX, PMYY and PMZZ "
                             "are 0, or none");
    /* Constant volume. TAUP and the like have no effect then. */
    if (b->still[0] && b->still[1] && b->still[2])
        b->on = 0;
    return 0;
}

/* Values that follow from others, and checks. After this nothing in *o means "not given". Errors of
 * numbers that depend on each other are found here. */
static int script_settle(struct script *s, struct command *o, const struct script_dynamics *d)
{
    o->pairs.nonbonded = s->o.pairs.nonbonded;
    if (d->langevin && d->tbath >= 0)
        o->run.thermostat.kelvin = d->tbath;
    else if (o->run.thermostat.kelvin < 0)
        /* For a run without heating FINALT is the default of dynamc.doc. */
        o->run.thermostat.kelvin = o->run.heat.last; /* dynamc.doc: FINALT */
    o->run.thermostat.gamma = fmax(d->fbeta, 0);     /* without SCALAR FBETA there is no friction */
    o->run.thermostat.kind = d->nose       ? THERMOSTAT_NOSE
                             : d->langevin ? THERMOSTAT_LANGEVIN
                                           : o->run.thermostat.kind;
    /* The seed advances even if a check below fails, which ends the script in any case. */
    script_take_seed(s, o, d);
    o->output.nprint = o->output.nprint < 1 ? o->run.nstep + 1 : o->output.nprint;
    o->output.isvfrq = o->output.isvfrq < 0 ? 0 : o->output.isvfrq;
    o->run.ntrfrq = o->run.ntrfrq < 0 ? 0 : o->run.ntrfrq;
    o->run.echeck_every = d->echeck < HUGE_VAL ? 1 : o->run.echeck_every;
    o->run.echeck = d->echeck < HUGE_VAL ? d->echeck : o->run.echeck;
    o->files.restart = d->restart ? o->files.restart : NULL;
    o->output.dcd = o->output.nsavc > 0 ? o->output.dcd : NULL;
    o->output.nsavc = o->output.nsavc < 1 ? 1 : o->output.nsavc;
    /* The path is compared as a pointer: each OPEN makes a new text, even for the same name. */
    if (o->output.dcd && o->output.dcd == s->dcd)
        return script_bad(
            s, "IUNCRD: the file has the trajectory of the DYNA before, which has closed "
               "it: OPEN another one");
    if (o->run.nstep < 0 || o->run.barostat.tau <= 0 || o->run.barostat.beta <= 0)
        return script_bad(s, "expected NSTEP, TAUP and COMPRESS above 0");
    if (d->nose && (o->run.thermostat.tau <= 0 || o->run.thermostat.kelvin <= 0))
        return script_bad(s, "expected TAUNOSE, and TREF of NOSE or REFT of HOOVER, above 0");
    return script_blame(s, command_check_step(o->run.timest, "TIMESTEP", s->e));
}

/* Words of DYNAMICS hold for this command only; others start from their defaults again. The order
 * is: words, heating, pressures, checks; then files are read, velocities prepared, and the steps
 * run. */
int script_dynamics(struct script *s)
{
    struct command o = s->o;
    struct script_dynamics d = {.tstruc = -1,
                                .tbath = -1,
                                .fbeta = -1,
                                .window = 1,
                                .velocities = 1,
                                .iunvel = -1,
                                .seed = -1,
                                .mass = HUGE_VAL,
                                .ramp = HUGE_VAL,
                                .echeck = HUGE_VAL,
                                .piston = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                .along = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    /* Defaults of dynamc.doc: FINALT 298, TEMINC 5, TWINDL -10, TWINDH 10. */
    o.run.heat = (struct heat){.last = 298, .rise = 5, .low = -10, .high = 10};
    o.run.nstep = 100;
    o.run.firstt = 0;
    o.run.thermostat.kelvin = -1;
    o.output.nprint = o.output.nsavc = 10;
    o.run.barostat.pref = 1;
    if (script_dynamics_keys(s, &o, &d) || script_heat(s, &o, &d) || script_pressures(s, &o, &d) ||
        script_settle(s, &o, &d))
        return ERR_INPUT;
    /* A restart file brings its own coordinates. */
    int status = o.files.restart ? script_load_structure(s) : script_ready(s);
    /* SCALAR's friction counts only without FBETA. */
    o.run.thermostat.friction = d.fbeta >= 0 ? NULL : s->atoms.friction;
    if (!status)
        status = script_velocities(s, &o, &d);
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    if (!status) {
        act_results(s);
        script_keep_velocities(s);
    }
    /* A run has made positions, whether a file gave them or the restart. */
    s->placed |= !status;
    s->dcd = o.output.dcd ? o.output.dcd : s->dcd;
    /* A barostat may have changed the box: later commands start from it. */
    double cosine[3];
    /* cell_form() writes the lengths into the settings, where a reload of files finds them. */
    cell_form(&s->session.in.system.cell, s->o.pairs.box, cosine);
    return script_blame(s, status);
}
