/* script.c - see script.h.
 *
 * A file is read line by line as CHARMM does it: '*' begins a title, '!' a comment, a '-' at the
 * end joins the next line, @NAME is what SET has given NAME; words may be cut to four letters.
 * Commands fill in what the command line would say (struct command) and ENERGY, MINIMIZE and
 * DYNAMICS act on it; files are read when the first of them comes, and again when something has
 * changed.  In the end there is one way of doing things, with two ways of asking for it.
 *
 * READ RTF|PARA|PSF|COOR, STREAM, OPEN, CRYSTAL, NBONDS, SHAKE, SKIPE, ENERGY, MINIMIZE, DYNAMICS,
 * WRITE COOR, SET, STOP.  A command or a word that is not known ends the run: passed over, it would
 * give another simulation than the one asked for.  Source: CHARMM's io.doc, dynamc.doc,
 * minimiz.doc.
 */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "script_line.h"
#include "session.h"

enum { SCRIPT_UNITS = 100 };

struct script {
    struct command o;
    struct session session;
    struct err *e;
    struct script_line l;
    int at;                   /* the word being looked at */
    char *unit[SCRIPT_UNITS]; /* files that OPEN has given numbers */
    char **kept;              /* texts that o points to */
    size_t nkept, kept_room;
    int changed, new_coordinates, stop; /* since files were read last */
};

static int script_bad(struct script *s, const char *why)
{
    int at = s->at < s->l.raw.n ? s->at : s->l.raw.n - 1;
    return err_set(s->e, ERR_INPUT, "%s:%d: %s: %s", s->l.t.name, s->l.first, s->l.raw.at[at], why);
}

/* A copy that lives as long as the script. */
static char *script_keep(struct script *s, const char *text)
{
    size_t n = strlen(text) + 1;
    mem_grow(&s->kept, &s->kept_room, s->nkept + 1, sizeof *s->kept);
    s->kept[s->nkept] = mem_new(n, 1);
    memcpy(s->kept[s->nkept], text, n);
    return s->kept[s->nkept++];
}

/* ---- words -------------------------------------------------------------------------------- */

static int script_is(const struct script *s, int at, const char *key)
{
    size_t least = strlen(key) < 4 ? strlen(key) : 4;
    return at < s->l.word.n && text_key(s->l.word.at[at], key, least);
}

static int script_real(struct script *s, double *v)
{
    if (s->at + 1 < s->l.word.n && text_double(s->l.word.at[s->at + 1], v)) {
        s->at++;
        return 0;
    }
    return script_bad(s, "expected a number behind it");
}

static int script_count(struct script *s, long *v)
{
    if (s->at + 1 < s->l.word.n && text_long(s->l.word.at[s->at + 1], v) && *v >= -1) {
        s->at++;
        return 0;
    }
    return script_bad(s, "expected a whole number behind it");
}

/* The file behind "NAME file" or "UNIT n" somewhere from word `from` on. */
static int script_file(struct script *s, int from, const char **path)
{
    for (s->at = from; s->at + 1 < s->l.word.n; s->at++) {
        long unit;
        if (script_is(s, s->at, "NAME")) {
            char *name = s->l.raw.at[s->at + 1];
            size_t n = strlen(name);
            if (n > 1 && name[0] == '"' && name[n - 1] == '"') {
                name[n - 1] = 0;
                name++;
            }
            *path = script_keep(s, name);
            return 0;
        }
        if (!script_is(s, s->at, "UNIT"))
            continue;
        if (script_count(s, &unit))
            return ERR_INPUT;
        if (unit < 0 || unit >= SCRIPT_UNITS || !s->unit[unit])
            return script_bad(s, "no OPEN command has given this unit a file");
        *path = s->unit[unit];
        return 0;
    }
    s->at = 0;
    return script_bad(s, "expected NAME and a file, or UNIT and a number that OPEN has given");
}

/* What a keyword sets. */
struct script_key {
    const char *name;
    double *real;
    long *count;
    int *flag, is; /* *flag = is */
    const char **unit;
};

/* Takes the keyword at the word at hand; *found: it was one of these. */
static int script_key(struct script *s, const struct script_key *key, size_t n, int *found)
{
    for (size_t k = 0; k < n && !*found; k++) {
        long number;
        if (!script_is(s, s->at, key[k].name))
            continue;
        *found = 1;
        if (key[k].real && script_real(s, key[k].real))
            return ERR_INPUT;
        if (key[k].count && script_count(s, key[k].count))
            return ERR_INPUT;
        if (key[k].flag)
            *key[k].flag = key[k].is;
        if (!key[k].unit)
            continue;
        if (script_count(s, &number))
            return ERR_INPUT;
        if (number < 0)
            continue; /* CHARMM's way to say: none */
        if (number >= SCRIPT_UNITS || !s->unit[number])
            return script_bad(s, "no OPEN command has given this unit a file");
        *key[k].unit = s->unit[number];
    }
    return 0;
}

/* All words from `from` on: keywords of the command, or words of a NONBONDED line. */
static int script_keys(struct script *s, int from, const struct script_key *key, size_t n)
{
    struct words rest = {.n = 0};
    for (s->at = from; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, n, &found))
            return ERR_INPUT;
        if (!found)
            rest.at[rest.n++] = s->l.word.at[s->at];
    }
    s->changed |= rest.n > 0;
    return rest.n == 0
               ? 0
               : param_options_words(&s->o.nonbonded, &rest, 0, s->l.t.name, s->l.first, s->e);
}

/* ---- commands that say what there is ----------------------------------------------------------
 */

static int script_add(struct script *s, const char **list, int *n, const char *path)
{
    if (*n == COMMAND_FILES)
        return script_bad(s, "too many files");
    list[(*n)++] = path;
    return 0;
}

static int script_read(struct script *s)
{
    const char *path;
    int status = script_file(s, 2, &path);
    if (status)
        return status;
    s->changed = 1;
    if (script_is(s, 1, "RTF"))
        return script_add(s, s->o.top, &s->o.ntop, path);
    if (script_is(s, 1, "PARAMETER"))
        return script_add(s, s->o.par, &s->o.npar, path);
    if (script_is(s, 1, "PSF")) {
        s->o.psf = path;
        return 0;
    }
    s->at = 1;
    if (!script_is(s, 1, "COORDINATES"))
        return script_bad(s, "hmd reads RTF, PARA, PSF and COOR: write READ COOR CARD NAME ...");
    s->o.pdb = script_is(s, 2, "PDB") ? path : NULL;
    s->o.crd = s->o.pdb ? NULL : path;
    s->new_coordinates = 1;
    return 0;
}

static int script_stream(struct script *s)
{
    if (s->l.raw.n != 2)
        return script_bad(s, "expected a file with RTF and parameter sections");
    s->changed = 1;
    return script_add(s, s->o.par, &s->o.npar, script_keep(s, s->l.raw.at[1]));
}

static int script_open(struct script *s)
{
    const char *path = NULL;
    long unit = -1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        if (script_is(s, s->at, "UNIT") && script_count(s, &unit))
            return ERR_INPUT;
        if (script_is(s, s->at, "NAME") && s->at + 1 < s->l.raw.n)
            path = script_keep(s, s->l.raw.at[s->at + 1]);
    }
    s->at = 0;
    if (!path || unit < 0 || unit >= SCRIPT_UNITS)
        return script_bad(s, "expected UNIT with a number from 0 to 99, and NAME with a file");
    s->unit[unit] = script_keep(s, path);
    return 0;
}

static int script_crystal(struct script *s)
{
    double v[6];
    if (!script_is(s, 1, "DEFINE"))
        return 0; /* BUILD and the like: images are always made */
    static const char *const shape[3] = {"CUBIC", "TETRAGONAL", "ORTHORHOMBIC"};
    int known = 0;
    for (int k = 0; k < 3; k++)
        known |= script_is(s, 2, shape[k]);
    for (int k = 0; k < 6; k++)
        known &= k + 3 < s->l.word.n && text_double(s->l.word.at[k + 3], &v[k]);
    s->at = 2;
    if (!known || v[0] <= 0 || v[1] <= 0 || v[2] <= 0 || v[3] != 90 || v[4] != 90 || v[5] != 90)
        return script_bad(s, "expected CUBIC, TETRAGONAL or ORTHORHOMBIC, three lengths and 90.0 "
                             "three times: hmd computes boxes with right angles");
    memcpy(s->o.box, v, sizeof s->o.box);
    s->changed = 1;
    return 0;
}

static int script_nbonds(struct script *s)
{
    return script_keys(s, 1, NULL, 0);
}

static int script_shake(struct script *s)
{
    int kind = CONSTRAIN_NONE;
    const struct script_key key[] = {{"OFF", .flag = &kind, .is = CONSTRAIN_NONE},
                                     {"BONH", .flag = &kind, .is = CONSTRAIN_HYDROGEN},
                                     {"BONDS", .flag = &kind, .is = CONSTRAIN_BONDS},
                                     {"TOL", .real = &s->o.shaketol},
                                     {"TOLERANCE", .real = &s->o.shaketol},
                                     {"PARAMETERS"},
                                     {"FAST"}};
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "SHAKE takes BONH, BOND, OFF, TOL x and PARA");
    }
    s->o.shake = (enum constrain_kind)kind;
    return 0;
}

static int script_skipe(struct script *s)
{
    struct system_skip *skip = &s->o.skip;
    const struct script_key key[] = {{"BONDS", .flag = &skip->bond, .is = 1},
                                     {"ANGLES", .flag = &skip->angle, .is = 1},
                                     {"UREYB", .flag = &skip->urey, .is = 1},
                                     {"DIHEDRALS", .flag = &skip->dihedral, .is = 1},
                                     {"IMPROPERS", .flag = &skip->improper, .is = 1},
                                     {"CMAPS", .flag = &skip->cmap, .is = 1},
                                     {"VDW", .flag = &skip->vdw, .is = 1},
                                     {"ELECTROSTATICS", .flag = &skip->elec, .is = 1}};
    memset(skip, 0, sizeof *skip);
    s->changed = 1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int found = script_is(s, s->at, "NONE");
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "SKIPE takes BOND ANGL UREY DIHE IMPR CMAP VDW ELEC or NONE");
    }
    return 0;
}

static int script_set_name(struct script *s)
{
    const struct words *raw = &s->l.raw;
    if (raw->n < 3)
        return script_bad(s, "expected a name and what it stands for");
    const char *value = raw->at[!strcmp(raw->at[2], "=") && raw->n > 3 ? 3 : 2];
    return script_line_set(&s->l, s->l.word.at[1], value)
               ? 0
               : script_bad(s, "too many names are set, or one is too long");
}

static int script_ignore(struct script *s)
{
    (void)s;
    return 0;
}

static int script_stop(struct script *s)
{
    s->stop = 1;
    return 0;
}

/* ---- commands that act ------------------------------------------------------------------------
 */

/* Puts file and line before a message that has none of the script. */
static int script_blame(struct script *s, int status)
{
    char text[sizeof s->e->text];
    if (status && s->e->text[0] && strncmp(s->e->text, s->l.t.name, strlen(s->l.t.name))) {
        memcpy(text, s->e->text, sizeof text);
        err_set(s->e, status, "%s:%d: %s", s->l.t.name, s->l.first, text);
    }
    return status;
}

/* Reads the files when something has changed; coordinates that were moved stay. */
static int script_load(struct script *s)
{
    struct session *n = &s->session;
    double *x = NULL, *v = NULL;
    size_t bytes = 0;
    if (!s->changed && n->loaded)
        return 0;
    int status = command_check(&s->o, s->e);
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

static int script_energy(struct script *s)
{
    if (script_keys(s, 1, NULL, 0))
        return ERR_INPUT;
    int status = script_load(s);
    struct command o = s->o;
    o.nstep = 0;
    o.firstt = -1;
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    return script_blame(s, status);
}

static int script_minimise(struct script *s)
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
    return script_blame(s, status);
}

/* What a DYNAMICS command says, beside struct command. */
struct script_dynamics {
    int restart, nose, langevin, ignored_flag;
    double ignored_real, qref, tbath, finalt;
    long ignored;
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
                                     {"CPT", .flag = &d->ignored_flag, .is = 1},
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
    if (d->ignored_flag)
        return script_bad(s, "CPT: hmd has no constant pressure");
    if (d->nose && d->langevin)
        return script_bad(s, "NOSE and LANG: give one of them");
    if (d->restart && !d->iunrea)
        return script_bad(s, "RESTART: give the file with IUNREA");
    return 0;
}

static int script_dynamics(struct script *s)
{
    struct command o = s->o;
    struct script_dynamics d = {.tbath = -1};
    o.nstep = 100;
    o.firstt = -1;
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
    if (o.nstep < 0 || o.timest <= 0)
        return script_bad(s, "expected NSTEP and TIMESTEP above 0");
    int status = script_load(s);
    if (!status)
        status = session_dynamics(&s->session, &o, s->e);
    return script_blame(s, status);
}

static int script_write(struct script *s)
{
    const char *path;
    s->at = 1;
    if (!script_is(s, 1, "COORDINATES") || !script_is(s, 2, "CARD"))
        return script_bad(s, "hmd writes coordinates as cards: WRITE COOR CARD NAME ...");
    int status = script_file(s, 3, &path);
    if (!status)
        status = script_load(s);
    if (!status)
        status = session_write(&s->session, path, 0, s->e);
    s->e->mine = status != 0;
    return script_blame(s, status);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(struct script *s);
} script_commands[] = {
    {"READ", script_read},         {"STREAM", script_stream},   {"OPEN", script_open},
    {"CLOSE", script_ignore},      {"CRYSTAL", script_crystal}, {"IMAGE", script_ignore},
    {"NBONDS", script_nbonds},     {"UPDATE", script_nbonds},   {"SHAKE", script_shake},
    {"SKIPE", script_skipe},       {"ENERGY", script_energy},   {"MINIMIZE", script_minimise},
    {"DYNAMICS", script_dynamics}, {"WRITE", script_write},     {"SET", script_set_name},
    {"STOP", script_stop},         {"END", script_stop},        {"BOMLEV", script_ignore},
    {"BOMBLEV", script_ignore},    {"PRNLEV", script_ignore},   {"WRNLEV", script_ignore},
    {"FASTER", script_ignore},     {"IOFORMAT", script_ignore}};

static int script_command(struct script *s)
{
    s->at = 0;
    if (s->l.raw.n == TEXT_WORDS)
        return script_bad(s, "the command has too many words");
    for (size_t k = 0; k < sizeof script_commands / sizeof *script_commands; k++)
        if (script_is(s, 0, script_commands[k].name))
            return script_commands[k].run(s);
    return script_bad(s, "hmd has no such command: docs/hmd.md lists those it knows");
}

int script_run(const struct command *o, struct comm *comm, struct err *e)
{
    struct script *s = mem_new(1, sizeof *s);
    char *data = NULL;
    size_t length;
    s->o = *o;
    s->e = e;
    s->session.comm = comm;
    s->changed = 1;
    int status = comm_file(comm, o->input, &data, &length, e);
    if (!status)
        text_open(&s->l.t, o->input, data, length);
    while (!status && !s->stop && script_line_next(&s->l, e, &status))
        status = script_command(s);
    session_free(&s->session);
    for (size_t i = 0; i < s->nkept; i++)
        mem_free(s->kept[i]);
    mem_free(s->kept);
    mem_free(data);
    mem_free(s);
    return status;
}
