/* script_settings.c - commands that describe the simulation: READ, OPEN, CRYSTAL, NBONDS, SHAKE,
 * SKIPE.
 *
 * They fill in the fields of the command line (struct command). None of them computes: files are
 * read when a command needs the molecule (script_state.c), so the order of settings among
 * themselves does not matter. READ of parts of the coordinates is the exception. s->changed marks
 * that the molecule must be made again. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "restart_charmm.h"
#include "script_run.h"

/* READ RTF, READ PARA: without APPEND the file replaces earlier ones (io.doc). list has
 * COMMAND_FILES entries, of which *n are used. */
static int script_add(struct script *s, const char **list, int *n, const char *path)
{
    if (!script_has(s, "APPEND"))
        *n = 0;
    if (*n == COMMAND_FILES)
        return script_bad(s, "too many files");
    list[(*n)++] = path;
    return 0;
}

/* Words of READ other than the file.  Formats, and CHARMM's atom matching, have no effect, because
 * hmd matches by name; any other word would request something different. s->at runs over the words
 * after the kind of file. */
static int script_read_words(struct script *s)
{
    static const char harmless[] =
        "CARD FORMATTED FREE FLEX PDB OFFICIAL XPLOR RESID COMPARISON DYNR CURRENT DELTA VEL "
        "VELOCITIES INITIALIZE";
    int parameters = script_is(s, 1, "RTF") || script_is(s, 1, "PARAMETER");
    /* Words of a selection are left to script_select(). */
    for (s->at = 2; s->at < s->l.word.n && !script_is(s, s->at, "SELECTION"); s->at++) {
        if (script_is(s, s->at, "NAME") || script_is(s, s->at, "UNIT"))
            s->at++;
        else if (script_is(s, s->at, "FILE"))
            return script_bad(s, "hmd reads text, as CARD or PDB; what is binary, CHARMM can "
                                 "write so");
        else if (script_is(s, s->at, "APPEND") && !parameters)
            return script_bad(s, "hmd has one structure, and one set of coordinates for it: leave "
                                 "this word out");
        else if (!script_is(s, s->at, "APPEND") && !text_among(script_word(s, s->at), harmless))
            return script_bad(s, "READ takes CARD, PDB, FLEX, RESI, NAME and a file, or UNIT and a "
                                 "number: hmd does not know this word");
    }
    return 0;
}

/* Atoms without coordinates have no positions. (When no file gave coordinates before.) */
static void script_nowhere(struct script *s)
{
    struct input *in = &s->session.in;
    for (int i = 0; !s->placed && !s->o.files.crd && !s->o.files.pdb && i < 3 * in->psf.natom; i++)
        in->x[i] = COOR_UNKNOWN;
}

/* READ COOR DYNR CURR|DELT|VEL: reads coordinates from a part of CHARMM's restart file. to: the set
 * that gets the numbers; set: the atoms, NULL for all. */
static int script_read_restart(struct script *s, const char *path, const struct coor_set *to,
                               const unsigned char *set)
{
    enum restart_part part = script_has(s, "DELTA") ? RESTART_MOVES
                             : script_has(s, "VEL") || script_has(s, "VELOCITIES")
                                 ? RESTART_VELOCITIES
                                 : RESTART_PLACES;
    struct restart_charmm r = {0};
    struct text t;
    char *data = NULL;
    size_t length;
    /* All tasks get the text, so all parse it and fail alike. */
    int natom = s->session.in.psf.natom, status = comm_file(s->comm, path, &data, &length, s->e);
    if (!status) {
        text_open(&t, path, data, length);
        status = restart_charmm_is(&t) ? restart_charmm_read(&r, &t, natom, s->e)
                                       : err_set(s->e, ERR_INPUT,
                                                 "%s: it does not begin with REST: DYNR is for "
                                                 "CHARMM's restart files",
                                                 path);
    }
    for (int i = 0; !status && i < 3 * natom; i++)
        if (!set || set[i / 3])
            to->x[i] = r.part[part][i];
    restart_charmm_free(&r);
    mem_free(data);
    return status;
}

/* READ COOR ... COMP, DYNR, or of some atoms is executed at once.  INIT: selected atoms lose their
 * positions before. Everything else of READ only notes the file, which is read when it is
 * needed. Reading at once needs the structure, so PSF and parameters must be named before. */
static int script_read_now(struct script *s, const char *path)
{
    struct input *in = &s->session.in;
    struct coor_set to;
    unsigned char *set = NULL;
    int status = script_load_structure(s), comp = script_has(s, "COMPARISON");
    if (!status && script_selects(s))
        status = script_select(s, &set);
    if (status)
        return script_blame(s, status);
    if (comp)
        script_compare(s);
    else
        script_nowhere(s);
    /* COMP reads into the second set; the main set then keeps its positions. */
    to = comp ? s->compare : (struct coor_set){in->x, in->w};
    for (int i = 0; set && script_has(s, "INITIALIZE") && i < 3 * in->psf.natom; i++)
        to.x[i] = set[i / 3] ? COOR_UNKNOWN : to.x[i];
    status = script_has(s, "DYNR")
                 ? script_read_restart(s, path, &to, set)
                 : input_coordinates(in, path, script_has(s, "PDB"), &to, set, s->comm, s->e);
    /* Coordinates of the main set are there. */
    s->placed |= !status && !comp;
    mem_free(set);
    return script_blame(s, status);
}

int script_read(struct script *s)
{
    const char *path;
    s->at = 1;
    if (script_is(s, 1, "SEQUENCE"))
        return script_bad(s, "hmd does not build structures: make the PSF with CHARMM, CHARMM-GUI "
                             "or psfgen, and READ PSF");
    /* The file is found first: errors of words would hide a missing file. */
    int status = script_file(s, 2, &path);
    if (!status)
        status = script_read_words(s);
    if (status)
        return status;
    if (script_is(s, 1, "COORDINATES") &&
        (script_has(s, "COMPARISON") || script_has(s, "DYNR") || script_selects(s)))
        return script_read_now(s, path);
    /* From here on the file is only noted. */
    s->changed = 1;
    if (script_is(s, 1, "RTF"))
        return script_add(s, s->o.files.top, &s->o.files.ntop, path);
    if (script_is(s, 1, "PARAMETER")) {
        status = script_add(s, s->o.files.par, &s->o.files.npar, path);
        s->o.files.names_n[s->o.files.npar - 1] = 0; /* a stream's, before */
        return status;
    }
    if (script_is(s, 1, "PSF")) {
        s->o.files.psf = path;
        /* SCALAR's numbers and DELETE's marks belong to the atoms of the former file. */
        s->o.atoms.charge = s->o.atoms.mass = NULL; /* the file's apply again */
        mem_free(s->gone);
        s->gone = NULL;
        s->o.atoms.gone = NULL;
        return 0;
    }
    s->at = 1;
    if (!script_is(s, 1, "COORDINATES"))
        return script_bad(s, "hmd reads RTF, PARA, PSF and COOR: write READ COOR CARD NAME ...");
    /* The last READ COOR counts, whichever format it has. */
    s->o.files.pdb = script_has(s, "PDB") ? path : NULL;
    s->o.files.crd = s->o.files.pdb ? NULL : path;
    s->new_coordinates = 1;
    return 0;
}

/* A file to be written is tried at once, so that the error names this line. Reading files is not
 * tried here: the command that reads reports its own line. */
int script_open(struct script *s)
{
    const char *path = NULL;
    long unit = -1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        if (script_is(s, s->at, "UNIT") && script_count(s, &unit))
            return ERR_INPUT;
        if (script_is(s, s->at, "NAME") && s->at + 1 < s->l.raw.n)
            path = script_name(s, s->at + 1);
    }
    s->at = 0;
    if (!path || unit < 0 || unit >= SCRIPT_UNITS)
        return script_bad(s, "expected UNIT with a number from 0 to 999, and NAME with a file");
    s->units.path[unit] = path;
    /* GET starts at the begin of the file again. */
    s->units.got[unit] = 0;
    /* With APPEND even the first title is appended. */
    s->units.written[unit] = script_has(s, "APPEND");
    int output = s->units.written[unit] || script_has(s, "WRITE");
    /* Only rank 0 writes, so only it can fail. */
    s->e->mine = output && s->comm->rank == 0 && err_try(path, s->e);
    return s->e->mine ? script_blame(s, ERR_RUN) : 0;
}

/* CHARMM's crystal types: equal lengths, and the angles, 0 if they may be chosen. The form decides
 * which lengths a barostat may change separately. */
struct script_lattice {
    const char *name;
    int equal; /* number of equal lengths, from the first on */
    double angle[3];
    enum barostat_form form; /* lengths that change together under pressure */
};
static const double script_octa = 109.4712206344907; /* acos(-1/3); people write 109.47 */

/* An angle of 0 is free. The number is how many lengths, from the first on, are equal. NULL:
 * CRYSTAL has another word there. */
static const struct script_lattice *script_lattice(const struct script *s)
{
    static const struct script_lattice all[] = {
        {"CUBIC", 3, {90, 90, 90}},
        {"TETRAGONAL", 2, {90, 90, 90}, BAROSTAT_LAYERS},
        {"ORTHORHOMBIC", 1, {90, 90, 90}, BAROSTAT_AXES},
        {"MONOCLINIC", 1, {90, 0, 90}},
        {"TRICLINIC", 1, {0, 0, 0}},
        {"HEXAGONAL", 2, {90, 90, 120}, BAROSTAT_LAYERS},
        {"RHOMBOHEDRAL", 3, {0, 0, 0}},
        {"OCTAHEDRAL", 3, {script_octa, script_octa, script_octa}},
        {"RHDO", 3, {60, 90, 60}}};
    /* RHDO is the rhombic dodecahedron. */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (script_is(s, 2, all[i].name))
            return &all[i];
    return NULL;
}

static const char crystal_symmetry[] = "hmd has no symmetry inside of the box: build all of its "
                                       "molecules (one asymmetric unit for each "
                                       "operation), and write CRYSTAL BUILD NOPER 0";

/* CRYSTAL READ: the file has SYMMETRY, the operations in brackets, END, and then the images that
 * CHARMM makes of the box, which hmd determines itself. Blanks are removed before operations are
 * compared. */
static int crystal_read(struct script *s)
/* Only operations other than the identity are errors. */
{
    const char *path;
    char *data = NULL, line[SCRIPT_LINE];
    size_t length;
    struct text t;
    int first, status = script_file(s, 2, &path);
    if (!status)
        status = script_blame(s, comm_file(s->comm, path, &data, &length, s->e));
    if (status)
        return status;
    text_open(&t, path, data, length);
    while (!status && text_command(&t, line, sizeof line, &first) > 0) {
        size_t n = 0;
        for (const char *c = line; *c; c++)
            if (!isspace((unsigned char)*c))
                /* Files have "(X, Y, Z)" in either case. */
                line[n++] = (char)toupper((unsigned char)*c);
        line[n] = 0;
        if (line[0] == '(' && strcmp(line, "(X,Y,Z)"))
            status = err_set(s->e, ERR_INPUT, "%s:%d: %s: %s", path, first, line, crystal_symmetry);
    }
    mem_free(data);
    return status;
}

/* CRYSTAL except DEFINE: images of the whole box are always used, and no others. */
static int crystal_other(struct script *s)
{
    double operations;
    s->at = 1;
    if (script_is(s, 1, "FREE")) {
        /* No box: lengths 0, and right angles. */
        const double none[6] = {0, 0, 0, 90, 90, 90};
        memcpy(s->o.pairs.box, none, sizeof s->o.pairs.box);
        memcpy(s->o.pairs.angle, none + 3, sizeof s->o.pairs.angle);
        s->changed = 1;
        return 0;
    }
    /* BUILD takes a cutoff and NOPER n; only the number of operations can change results. */
    for (int at = 2; script_is(s, 1, "BUILD") && at + 1 < s->l.word.n; at++)
        if (script_is(s, at, "NOPERATIONS") && text_double(s->l.word.at[at + 1], &operations) &&
            operations != 0)
            return script_bad(s, crystal_symmetry);
    if (script_is(s, 1, "READ"))
        return crystal_read(s);
    if (script_is(s, 1, "BUILD") || script_is(s, 1, "PRINT"))
        return 0;
    return script_bad(s, "CRYSTAL takes DEFINE, BUILD, READ, PRINT and FREE");
}

/* Angles may differ from the exact ones by 0.005 degrees, as people round them; then the exact ones
 * are used. CRYSTAL DEFINE type a b c alpha beta gamma. */
int script_crystal(struct script *s)
{
    double v[6];
    struct cell cell;
    if (!script_is(s, 1, "DEFINE"))
        return crystal_other(s);
    const struct script_lattice *lattice = script_lattice(s);
    int good = lattice != NULL;
    for (int k = 0; k < 6; k++)
        good &= k + 3 < s->l.word.n && text_double(s->l.word.at[k + 3], &v[k]);
    for (int k = 0; good && k < 3; k++) {
        /* Lengths that must be equal. */
        good &= k >= lattice->equal || v[k] == v[0];
        good &= lattice->angle[k] == 0 || fabs(v[k + 3] - lattice->angle[k]) < 5e-3;
        v[k + 3] = lattice->angle[k] > 0 ? lattice->angle[k] : v[k + 3];
    }
    s->at = 2;
    /* cell_make() refuses angles that no box has. */
    if (!good || !cell_make(&cell, v, v + 3))
        return script_bad(s,
                          "expected CUBIC, TETR, ORTH, MONO, TRIC, HEXA, RHOM, OCTA or RHDO, three "
                          "lengths and three angles that belong to it");
    memcpy(s->o.pairs.box, v, sizeof s->o.pairs.box);
    memcpy(s->o.pairs.angle, v + 3, sizeof s->o.pairs.angle);
    s->o.run.barostat.form = lattice->form;
    s->changed = 1;
    script_box_results(s, &cell);
    return 0;
}

/* The settings hold until changed. Files are read again, as exclusions and lists may depend on
 * them. */
int script_nbonds(struct script *s)
{
    return script_keys(s, 1, NULL, 0);
}

/* WATER and a residue name: rigid water is recognised by its bonds. The word and the name are
 * dropped, as nothing depends on them. */
static void shake_water(struct script *s)
{
    for (int at = 1; at + 1 < s->l.word.n; at++)
        if (script_is(s, at, "WATER"))
            script_line_cut(&s->l, at, at + 1);
}

/* Removes the selections from the words: SHAKE then constrains only bonds between an atom of the
 * first one and one of the second (or of the first). */
static int shake_select(struct script *s)
{
    unsigned char *set[2] = {NULL, NULL};
    int n = 0, status = 0;
    /* With one selection, both atoms of a bond must be in it. */
    for (; n < 2 && !status && script_selects(s); n++)
        status = script_select(s, &set[n]);
    if (!status)
        script_atoms_tie(s, set[0], n ? set[n - 1] : NULL);
    mem_free(set[0]);
    mem_free(set[1]);
    return status;
}

/* Without PARA the lengths are those of the coordinates, as in CHARMM. A change of lengths needs
 * the files again, because the system has lost its own. The kind of SHAKE holds from now on,
 * without MINI or DYNA being run here. */
int script_shake(struct script *s)
{
    int kind = CONSTRAIN_NONE, parameters = 0;
    long ignored;
    const struct script_key key[] = {{"OFF", .flag = &kind, .is = CONSTRAIN_NONE},
                                     {"BONH", .flag = &kind, .is = CONSTRAIN_HYDROGEN},
                                     {"BONDS", .flag = &kind, .is = CONSTRAIN_BONDS},
                                     {"TOL", .real = &s->o.run.shaketol},
                                     {"TOLERANCE", .real = &s->o.run.shaketol},
                                     {"PARAMETERS", .flag = &parameters, .is = 1},
                                     {"FAST"},
                                     {"NOFAST"},
                                     {"MAIN"},
                                     {"MXITER", .count = &ignored}};
    if (shake_select(s))
        return ERR_INPUT;
    shake_water(s);
    /* A SHAKE line may contain no words of NONBONDED, unlike DYNA and MINI. */
    if (script_only_keys(s, 1, key, sizeof key / sizeof *key,
                         "SHAKE takes BONH, BOND, OFF, TOL x, PARA, FAST, WATER and up to two "
                         "selections"))
        return ERR_INPUT;
    s->o.run.shake = (enum constrain_kind)kind;
    s->changed |= s->atoms.nlength > 0; /* the parameters' lengths apply again */
    s->atoms.nlength = 0;
    /* Lengths of the parameters need no coordinates. */
    if (kind == CONSTRAIN_NONE || parameters)
        return 0;
    int status = script_ready(s);
    if (!status)
        script_atoms_measure(s);
    return script_blame(s, status);
}

/* SKIPE [INCL|EXCL] terms, ALL, NONE: INCL (default) adds the following terms to the list of
 * omitted ones, EXCL removes them.  The list persists between commands. Terms are those of
 * system_skip, by their CHARMM names (command_skip()). */
int script_skipe(struct script *s)
{
    struct system_skip *skip = &s->o.pairs.skip;
    int leave = 1;
    s->changed = 1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int all = script_is(s, s->at, "ALL"), excluded = script_is(s, s->at, "EXCLUDE");
        int *flag = command_skip(skip, script_word(s, s->at));
        if (flag)
            *flag = leave;
        else if (excluded || script_is(s, s->at, "INCLUDE"))
            leave = !excluded;
        else if (all || script_is(s, s->at, "NONE")) {
            /* ALL after INCL omits all; NONE after EXCL, too. */
            int on = all == leave;
            *skip = (struct system_skip){on, on, on, on, on, on, on, on, on, on};
        } else
            return script_unknown_word(
                s, "SKIPE takes ALL, NONE, INCL, EXCL, and BOND ANGL UREY DIHE IMPR "
                   "CMAP VDW ELEC HARM CDIH");
    }
    return 0;
}
