/* script_act.c - commands that act on the molecule: ENERGY, MINIMIZE, DYNAMICS, WRITE.  Files are
 * read when the first of them comes, and again when something has changed. */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* Puts file and line before a message that has none of the script. */
int script_blame(struct script *s, int status)
{
    char text[sizeof s->e->text];
    if (status && s->e->text[0] && strncmp(s->e->text, s->l.t.name, strlen(s->l.t.name))) {
        memcpy(text, s->e->text, sizeof text);
        err_set(s->e, status, "%s:%d: %s", s->l.t.name, s->l.first, text);
    }
    return status;
}

/* What has to be read before anything can be done; NULL: nothing. */
static const char *lacking(const struct command *o)
{
    if (!o->psf)
        return "no structure: READ PSF CARD NAME FILE comes first";
    if (!o->par[0])
        return "no parameters: READ PARA CARD NAME FILE comes first";
    if (!o->restart && !o->crd && !o->pdb)
        return "no coordinates: READ COOR CARD NAME FILE comes first";
    return NULL;
}

/* Reads the files when something has changed; coordinates that were moved stay. */
int script_load(struct script *s)
{
    struct session *n = &s->session;
    double *x = NULL, *v = NULL;
    size_t bytes = 0;
    if (!s->changed && n->loaded)
        return 0;
    const char *lack = lacking(&s->o);
    int status = lack ? err_set(s->e, ERR_INPUT, "%s", lack) : command_check(&s->o, s->e);
    if (status)
        return status;
    if (n->loaded && !s->new_coordinates) {
        bytes = 3 * (size_t)n->in.system.natom * sizeof *x;
        x = n->in.x;
        v = n->in.v;
        n->in.x = n->in.v = NULL;
    }
    status = session_load(n, &s->o, s->e);
    if (!status && bytes == 3 * (size_t)n->in.system.natom * sizeof *x) {
        memcpy(n->in.x, x, bytes);
        memcpy(n->in.v, v, bytes);
    }
    mem_free(x);
    mem_free(v);
    s->changed = s->new_coordinates = 0;
    return status;
}

/* ?ENER and the like for the commands that follow. */
static void script_results(struct script *s)
{
    const struct sample *v = &s->session.last;
    const struct {
        const char *name;
        double v;
    } row[] = {
        {"?ENER", v->ener},   {"?TOTE", v->tote},     {"?TOTK", v->totk},
        {"?TEMP", v->temp},   {"?GRMS", v->grms},     {"?TIME", v->time},
        {"?VOLU", v->volume}, {"?PRSI", v->pressure}, {"?NATOM", s->session.in.system.natom}};
    char text[32], name[8];
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(text, sizeof text, "%.12g", row[k].v);
        script_line_set(&s->l, row[k].name, text);
    }
    for (int k = 0; k < ENERGY_TERMS; k++) {
        snprintf(name, sizeof name, "?%s", energy_names[k]);
        snprintf(text, sizeof text, "%.12g", v->term[k]);
        script_line_set(&s->l, name, text);
    }
}

int script_energy(struct script *s)
{
    if (script_keys(s, 1, NULL, 0))
        return ERR_INPUT;
    int status = script_load(s);
    struct command o = s->o;
    o.nstep = 0;
    o.firstt = -1;
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    if (!status)
        script_results(s);
    return script_blame(s, status);
}

int script_minimise(struct script *s)
{
    struct command o = s->o;
    int method = MINIMISE_SD;
    long ignored;
    const struct script_key key[] = {{"SD", .flag = &method, .is = MINIMISE_SD},
                                     {"CONJUGATE", .flag = &method, .is = MINIMISE_CONJ},
                                     {"NSTEP", .count = &o.nmini},
                                     {"NPRINT", .count = &o.nprint},
                                     {"TOLGRD", .real = &o.tolgrd},
                                     {"ABNR", .flag = &method, .is = MINIMISE_ABNR},
                                     {"TOLENR", .real = &o.tolenr},
                                     {"STEP", .real = &o.ministep},
                                     {"INBFRQ", .count = &ignored},
                                     {"IHBFRQ", .count = &ignored}};
    s->at = 1;
    if (script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    o.nonbonded = s->o.nonbonded;
    o.mini = (enum minimise_method)method;
    o.nmini = o.nmini < 0 ? 0 : o.nmini;
    o.nprint = o.nprint < 1 ? o.nmini + 1 : o.nprint;
    int status = script_load(s);
    if (!status)
        status = session_minimise(&s->session, &o, s->e);
    if (!status)
        script_results(s);
    return script_blame(s, status);
}

/* What a DYNAMICS command says, beside struct command. */
struct script_dynamics {
    int restart, nose, langevin;
    double ignored_real, qref, tbath, finalt;
    long ignored, heat, equilibrate;
    const char *iunrea, *iunwri, *iuncrd;
};

static int script_dynamics_keys(struct script *s, struct command *o, struct script_dynamics *d)
{
    const struct script_key key[] = {{"LEAP", .flag = &o->verlet, .is = 0},
                                     {"VVER", .flag = &o->verlet, .is = 1},
                                     {"VERLET", .flag = &o->verlet, .is = 1},
                                     {"START", .flag = &d->restart, .is = 0},
                                     {"STRT", .flag = &d->restart, .is = 0},
                                     {"RESTART", .flag = &d->restart, .is = 1},
                                     {"CPT", .flag = &o->barostat.on, .is = 1},
                                     {"PCONSTANT", .flag = &o->barostat.on, .is = 1},
                                     {"PINTERNAL", .flag = &o->barostat.on, .is = 1},
                                     {"PREF", .real = &o->barostat.pref},
                                     {"TAUP", .real = &o->barostat.tau},
                                     {"COMPRESS", .real = &o->barostat.beta},
                                     {"PMASS", .real = &d->ignored_real},
                                     {"PGAMMA", .real = &d->ignored_real},
                                     {"HOOVER", .flag = &d->nose, .is = 1},
                                     {"REFT", .real = &o->thermostat.kelvin},
                                     {"TMASS", .real = &d->ignored_real},
                                     {"NSTEP", .count = &o->nstep},
                                     {"TIMESTEP", .real = &o->timest},
                                     {"FIRSTT", .real = &o->firstt},
                                     {"FINALT", .real = &d->finalt},
                                     {"ISEED", .count = &o->iseed},
                                     {"NPRINT", .count = &o->nprint},
                                     {"IPRFRQ", .count = &d->ignored},
                                     {"NSAVC", .count = &o->nsavc},
                                     {"NSAVV", .count = &d->ignored},
                                     {"ISVFRQ", .count = &o->isvfrq},
                                     {"NTRFRQ", .count = &o->ntrfrq},
                                     {"ECHECK", .real = &d->ignored_real},
                                     {"IHTFRQ", .count = &d->heat},
                                     {"IEQFRQ", .count = &d->equilibrate},
                                     {"TEMINC", .real = &d->ignored_real},
                                     {"TSTRUCT", .real = &d->ignored_real},
                                     {"TWINDL", .real = &d->ignored_real},
                                     {"TWINDH", .real = &d->ignored_real},
                                     {"IASORS", .count = &d->ignored},
                                     {"IASVEL", .count = &d->ignored},
                                     {"ISCVEL", .count = &d->ignored},
                                     {"ICHECW", .count = &d->ignored},
                                     {"IUNVEL", .count = &d->ignored},
                                     {"KUNIT", .count = &d->ignored},
                                     {"INBFRQ", .count = &d->ignored},
                                     {"IMGFRQ", .count = &d->ignored},
                                     {"IHBFRQ", .count = &d->ignored},
                                     {"ILBFRQ", .count = &d->ignored},
                                     {"NOSE", .flag = &d->nose, .is = 1},
                                     {"TREF", .real = &o->thermostat.kelvin},
                                     {"TAUNOSE", .real = &o->thermostat.tau},
                                     {"LANGEVIN", .flag = &d->langevin, .is = 1},
                                     {"TBATH", .real = &d->tbath},
                                     {"FBETA", .real = &o->thermostat.gamma},
                                     {"IUNREA", .unit = &d->iunrea},
                                     {"IUNWRI", .unit = &d->iunwri},
                                     {"IUNCRD", .unit = &d->iuncrd}};
    if (script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 0;
    if (d->heat > 0 || d->equilibrate > 0)
        return script_bad(s, "IHTFRQ, IEQFRQ: hmd does not heat by scaling: use NOSE or LANG with "
                             "a temperature, or several DYNA commands in a loop");
    if (d->nose && d->langevin)
        return script_bad(s, "NOSE and LANG: give one of them");
    if (d->restart && !d->iunrea)
        return script_bad(s, "RESTART: give the file with IUNREA");
    return 0;
}

int script_dynamics(struct script *s)
{
    struct command o = s->o;
    struct script_dynamics d = {.tbath = -1};
    o.nstep = 100;
    o.firstt = -1;
    o.barostat.pref = 1;
    if (script_dynamics_keys(s, &o, &d))
        return ERR_INPUT;
    o.nonbonded = s->o.nonbonded;
    o.thermostat.kelvin = d.tbath >= 0 ? d.tbath : o.thermostat.kelvin;
    o.thermostat.kind = d.nose       ? THERMOSTAT_NOSE
                        : d.langevin ? THERMOSTAT_LANGEVIN
                                     : o.thermostat.kind;
    o.nprint = o.nprint < 1 ? o.nstep + 1 : o.nprint;
    o.isvfrq = o.isvfrq < 0 ? 0 : o.isvfrq;
    o.ntrfrq = o.ntrfrq < 0 ? 0 : o.ntrfrq;
    o.restart = d.restart ? d.iunrea : NULL;
    o.save = d.iunwri;
    o.dcd = o.nsavc > 0 ? d.iuncrd : NULL;
    o.nsavc = o.nsavc < 1 ? 1 : o.nsavc;
    if (o.nstep < 0 || o.timest <= 0 || o.barostat.tau <= 0 || o.barostat.beta <= 0)
        return script_bad(s, "expected NSTEP, TIMESTEP, TAUP and COMPRESS above 0");
    int status = script_load(s);
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    if (!status)
        script_results(s);
    double cosine[3];
    cell_form(&s->session.in.system.cell, s->o.box, cosine);
    return script_blame(s, status);
}

int script_write(struct script *s)
{
    const char *path;
    s->at = 1;
    int pdb = script_is(s, 2, "PDB"), psf = script_is(s, 1, "PSF");
    if (!(psf || script_is(s, 1, "COORDINATES")) || !((pdb && !psf) || script_is(s, 2, "CARD")))
        return script_bad(s, "hmd writes WRITE COOR CARD|PDB NAME ..., WRITE PSF CARD NAME ...");
    int status = script_file(s, 3, &path);
    if (!status)
        status = script_load(s);
    if (!status && psf && s->session.in.psf.nlonepair)
        return script_bad(s, "hmd does not write structures with lone pairs");
    if (!status && psf && s->comm->rank == 0)
        status = psf_write(path, &s->session.in.psf, s->e);
    else if (!status && !psf)
        status = session_write(&s->session, path, pdb, s->e);
    s->e->mine = status != 0;
    return script_blame(s, status);
}
