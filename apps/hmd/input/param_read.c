/* param_read.c - CHARMM's parameter (PRM), topology (RTF) and stream (STR) files, see param.h.
 *
 * A file is a sequence of lines; '!' begins a comment, a '-' at the end of a line continues it on
 * the next one.  Lines that begin with '*' are a title at the head of a file or section; later '*'
 * is a wildcard, as in a Lennard-Jones line for all types.  A small state machine keeps the mode
 * (commands of a stream, RTF, parameters) and, inside parameters, the section.  A table has one
 * function for each section that reads its lines.
 *
 * A plain file has one mode from its first line, which its contents determine (param_kind).  What
 * follows its END is ignored, as in CHARMM.  A stream is recognised by a line "read rtf" or "read
 * para": param_flow.c executes its other commands, and END returns to the commands.
 *
 * Source: comments of the CHARMM22 and CHARMM36 files; CHARMM's io.doc and parmfile.doc.
 *
 * Errors name the file, the line and what was expected. A term is stored as soon as its line is
 * read; a file with an error therefore leaves some of them, but the run ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "param.h"
#include "param_flow.h"

/* PARAM_ENDED: after END of a plain file. */
enum param_mode { PARAM_COMMANDS, PARAM_RTF, PARAM_PRM, PARAM_ENDED };

/* On the stack of param_read(). `map` points into a list that grows, but only when the next map
 * begins. */
struct param_reader {
    struct param *p;
    struct text *t;
    struct err *e;
    enum param_mode mode;
    int stream; /* END returns to commands */
    int headed; /* the title of the file or section is over */
    struct param_flow *flow;
    int seen; /* contents typical of such files */
    int (*section)(struct param_reader *r, const struct words *w); /* reads the lines of the current
                                                                      section */
    char resname[PSF_NAME];                                        /* RTF: the open RESI */
    struct param_cmap *map;                                        /* CMAP: the grid being filled */
    size_t filled;
    char joined[2048]; /* a line with its continuations */
};

/* Up to three words of the line are quoted. The line number is that of the last line read, for a
 * continued line its end. */
static int param_bad(struct param_reader *r, const char *want, const struct words *w)
{
    return err_set(r->e, ERR_INPUT, "%s:%d: expected %s, found '%s%s%s%s%s'", r->t->name,
                   r->t->line, want, w->n ? w->at[0] : "", w->n > 1 ? " " : "",
                   w->n > 1 ? w->at[1] : "", w->n > 2 ? " " : "", w->n > 2 ? w->at[2] : "");
}

/* Reads the numbers from word `first` on.  Returns their count, at most `most`; -1: one of the
 * words is no number. */
static int param_numbers(const struct words *w, int first, double *v, int most)
{
    int n = 0;
    for (; n < most && first + n < w->n; n++)
        if (!text_double(w->at[first + n], &v[n]))
            return -1;
    return n;
}

/* Makes a term with the first n words as types; other positions of its key are unused. New names of
 * types become types. With n = 0 the caller reports the line, which is too short. */
static struct param_term param_term_new(struct param_reader *r, const struct words *w, int n)
{
    struct param_term t = {.unit = r->p->read.units, .line = r->t->line, .next = -1};
    for (int i = 0; i < 4; i++)
        t.key[i] = i < n ? param_type_of(r->p, w->at[i]) : PARAM_X - 1;
    return t;
}

/* ---- sections of a parameter file --------------------------------------------------------- */

/* The number of a type whose MASS line has -1: the next unused one, as in CHARMM. A type that has a
 * number already keeps it. */
static long param_next_number(const struct param *p, int type)
{
    long most = 0;
    for (size_t i = 0; i < p->types.nnumber; i++) {
        if (p->types.number[i].type == type)
            return p->types.number[i].number;
        most = p->types.number[i].number > most ? p->types.number[i].number : most;
    }
    return most + 1;
}

/* "MASS number type mass [element]", also without the number. Types may also appear first in a
 * parameter line; the mass is added here. The masses of a numeric PSF select among types of one
 * number (bind.c). */
static int param_mass(struct param_reader *r, const struct words *w)
{
    long number = -1;
    double mass;
    /* The place of the type. */
    int at = w->n > 2 && text_long(w->at[1], &number) ? 2 : 1;
    if (w->n < at + 2 || !text_double(w->at[at + 1], &mass) || mass < 0 ||
        strlen(w->at[at]) >= PSF_NAME)
        return param_bad(r, "MASS number type mass", w);
    int type = param_type_of(r->p, w->at[at]);
    if (type == PARAM_X)
        return param_bad(r, "MASS with a type that is not X", w);
    r->p->types.type[type].mass = mass;
    struct param *p = r->p;
    if (at == 2 && number < 0)
        number = param_next_number(p, type);
    /* Numbers may be repeated; bind.c resolves them. */
    struct param_number *known = mem_add(&p->types.number, p->types.nnumber++, sizeof *known);
    *known = (struct param_number){number, type, mass};
    r->seen = 1;
    return 0;
}

/* In the section ATOMS only MASS lines count. */
static int param_atoms_line(struct param_reader *r, const struct words *w)
{
    return text_key(w->at[0], "MASS", 4) ? param_mass(r, w) : 0;
}

/* Kb in kcal/mol/Angstrom^2, without a factor 1/2; b0 in Angstrom. */
static int param_bond_line(struct param_reader *r, const struct words *w)
{
    struct param_term t = param_term_new(r, w, w->n > 1 ? 2 : 0);
    if (param_numbers(w, 2, t.v, 2) < 2)
        /* More words than two numbers are ignored. */
        return param_bad(r, "a bond: type type Kb b0", w);
    param_add(&r->p->bond, &t, 0);
    return 0;
}

/* Two numbers, or four with a Urey-Bradley term. A negative theta0 selects a cosine form in CHARMM.
 */
static int param_angle_line(struct param_reader *r, const struct words *w)
{
    struct param_term t = param_term_new(r, w, w->n > 2 ? 3 : 0);
    int n = param_numbers(w, 3, t.v, 4);
    if ((n != 2 && n != 4) || t.v[1] < 0)
        return param_bad(r,
                         "an angle: type type type Ktheta theta0 [Kub S0], theta0 not below 0 "
                         "(CHARMM's cosine form, which hmd does not compute)",
                         w);
    param_add(&r->p->angle, &t, 0);
    return 0;
}

/* The sign of a multiplicity is ignored. several: the multiplicity must be given, as for dihedrals.
 */
static int param_torsion(struct param_reader *r, const struct words *w, const char *want,
                         struct param_table *table, int several)
{
    struct param_term t = param_term_new(r, w, w->n > 3 ? 4 : 0);
    double v[3];
    int n = param_numbers(w, 4, v, 3);
    if (n == 2) { /* an improper without its multiplicity */
        v[2] = v[1];
        v[1] = 0;
    }
    /* At most 12: larger ones are mistakes, such as a phase in the wrong column. */
    if (n < (several ? 3 : 2) || v[1] != floor(v[1]) || fabs(v[1]) > 12)
        return param_bad(r, want, w);
    t.v[0] = v[0];
    t.n = abs((int)v[1]);
    /* The phase, or the equilibrium angle of an improper. */
    t.v[1] = v[2];
    param_add(table, &t, several);
    return 0;
}

static int param_dihedral_line(struct param_reader *r, const struct words *w)
{
    return param_torsion(r, w, "a dihedral: type type type type Kchi n delta", &r->p->dihedral, 1);
}

/* psi0 in degrees. */
static int param_improper_line(struct param_reader *r, const struct words *w)
{
    return param_torsion(r, w, "an improper: type type type type Kpsi 0 psi0", &r->p->improper, 0);
}

/* "type ignored eps Rmin/2 [ignored eps14 Rmin14/2]" The first and the fourth number are ignored,
 * as in CHARMM. The name may have wildcards, hence no type is made of it. */
static int param_lj_line(struct param_reader *r, const struct words *w)
{
    double v[6];
    int n = param_numbers(w, 1, v, 6);
    struct param_pairs *p = &r->p->pairs;
    struct param_lj lj = {.unit = r->p->read.units, .line = r->t->line}, *kept;
    /* Four or five numbers would be a half 1-4 part. */
    if (n < 3 || n == 4 || n == 5 || !psf_name(lj.name, w->at[0]))
        return param_bad(r, "a Lennard-Jones line: type 0.0 eps Rmin/2 [0.0 eps14 Rmin14/2]", w);
    lj.raw_eps = v[1];
    /* CHARMM's files have negative depths. */
    lj.eps = fabs(v[1]);
    /* Half of Rmin, as CHARMM's files have it. */
    lj.rmin2 = v[2];
    lj.eps14 = n == 6 ? fabs(v[4]) : lj.eps;
    lj.rmin2_14 = n == 6 ? v[5] : lj.rmin2;
    kept = mem_add(&p->lj, p->nlj++, sizeof *kept);
    *kept = lj;
    return 0;
}

/* "type type eps Rmin [eps14 [Rmin14]]" The depth may be negative, as in Lennard-Jones lines. */
static int param_nbfix_line(struct param_reader *r, const struct words *w)
{
    double v[4];
    int n = param_numbers(w, 2, v, 4);
    struct param_pairs *p = &r->p->pairs;
    struct param_nbfix f = {.unit = r->p->read.units, .line = r->t->line}, *kept;
    if (w->n < 2 || n < 2 || !psf_name(f.name[0], w->at[0]) || !psf_name(f.name[1], w->at[1]))
        return param_bad(r, "an NBFIX line: type type eps Rmin [eps14 [Rmin14]]", w);
    for (int i = 0; i < 2; i++) /* CHARMM treats both as wildcards */
        if (strcmp(f.name[i], "X") == 0)
            strcpy(f.name[i], "*");
    f.eps = fabs(v[0]);
    f.rmin = v[1];
    f.eps14 = n > 2 ? fabs(v[2]) : f.eps;
    f.rmin14 = n == 4 ? v[3] : f.rmin;
    kept = mem_add(&p->nbfix, p->nnbfix++, sizeof *kept);
    *kept = f;
    return 0;
}

/* "eight types, n" opens a map; lines of numbers fill it. With an even number 0 degrees is a grid
 * point. The map belongs to the list from here on. */
static int param_cmap_open(struct param_reader *r, const struct words *w)
{
    struct param *p = r->p;
    long n = 0;
    if (w->n < 9 || !text_long(w->at[8], &n) || n < 4 || n > 360 || n % 2)
        return param_bad(r, "a CMAP: eight types and an even number of points a side", w);
    r->map = mem_add(&p->maps.cmap, p->maps.ncmap++, sizeof *r->map);
    for (int i = 0; i < 8; i++)
        r->map->key[i] = param_type_of(p, w->at[i]);
    r->map->n = (int)n;
    r->map->unit = p->read.units;
    r->map->line = r->t->line;
    r->map->grid = mem_new((size_t)(n * n), sizeof(double));
    r->filled = 0;
    return 0;
}

/* Numbers may be distributed over lines in any way. More numbers than the map has are an error, as
 * are words. */
static int param_cmap_line(struct param_reader *r, const struct words *w)
{
    if (!r->map)
        return param_cmap_open(r, w);
    size_t points = (size_t)r->map->n * (size_t)r->map->n;
    for (int i = 0; i < w->n; i++)
        if (r->filled == points || !text_double(w->at[i], &r->map->grid[r->filled++]))
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: '%s' where number %zu of the %zu of a CMAP should be",
                           r->t->name, r->t->line, w->at[i], r->filled, points);
    /* The next line with eight types opens another one. */
    if (r->filled == points)
        r->map = NULL;
    return 0;
}

/* Found at the first line of such a section. */
static int param_group_line(struct param_reader *r, const struct words *w)
{
    return param_bad(r, "no groups of types (EQUIVALENCE), which hmd does not know", w);
}

/* Sections without a meaning for the energy of hmd. */
static int param_ignore_line(struct param_reader *r, const struct words *w)
{
    (void)r;
    (void)w;
    return 0;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Returns 1 if the line opens a section. A type may have the name of a section; numbers behind the
 * word show that it is a line of parameters. *status: an error in the words of a NONBONDED line,
 * whose section is open nevertheless. */
static int param_section_word(struct param_reader *r, const struct words *w, int *status)
{
    static const struct {
        const char *word;
        size_t least;
        int (*line)(struct param_reader *, const struct words *);
    } table[] = {{"ATOMS", 4, param_atoms_line},        {"BONDS", 4, param_bond_line},
                 {"ANGLES", 4, param_angle_line},       {"THETAS", 4, param_angle_line},
                 {"DIHEDRALS", 4, param_dihedral_line}, {"PHI", 3, param_dihedral_line},
                 {"IMPROPERS", 4, param_improper_line}, {"IMPHI", 4, param_improper_line},
                 {"CMAP", 4, param_cmap_line},          {"NONBONDED", 4, param_lj_line},
                 {"NBONDED", 4, param_lj_line},         {"NBFIX", 4, param_nbfix_line},
                 {"HBONDS", 4, param_ignore_line},      {"THOLE", 4, param_ignore_line},
                 {"NBTHOLE", 4, param_ignore_line},     {"EQUIVALENCE", 4, param_group_line},
                 {"PRINT", 5, param_ignore_line}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!text_key(w->at[0], table[i].word, table[i].least))
            continue;
        int options = table[i].line == param_lj_line;
        double number;
        if (w->n > 1 && !options && text_double(w->at[w->n - 1], &number) &&
            table[i].line != param_ignore_line)
            return 0; /* parameters of a type with such a name */
        /* A type called NBON, with the numbers of its line. */
        if (options && w->n > 1 && text_double(w->at[1], &number))
            return 0;
        /* PRINT ON or OFF is a line by itself; the section before continues. */
        if (table[i].line != param_ignore_line || !text_key(w->at[0], "PRINT", 5))
            r->section = table[i].line;
        r->seen = 1;
        *status =
            options ? param_options_words(&r->p->options, w, 1, r->t->name, r->t->line, r->e) : 0;
        return 1;
    }
    return 0;
}

/* Called where a section or the file ends. */
static int param_map_complete(struct param_reader *r)
{
    if (!r->map)
        return 0;
    return err_set(r->e, ERR_INPUT, "%s:%d: a CMAP ends after %zu of its %d numbers", r->t->name,
                   r->t->line, r->filled, r->map->n * r->map->n);
}

/* A line before the first section has no effect. Returns 0 or a status. */
static int param_prm_line(struct param_reader *r, const struct words *w)
{
    int status = 0;
    double number;
    /* Numbers belong to the open map; names of sections end it. */
    if (r->map && text_double(w->at[0], &number))
        return param_cmap_line(r, w);
    /* END closes the section and, in a plain file, everything. */
    if (param_section_word(r, w, &status) || strcmp(w->at[0], "END") == 0) {
        if (param_map_complete(r))
            return ERR_INPUT;
        if (strcmp(w->at[0], "END") == 0)
            r->mode = r->stream ? PARAM_COMMANDS : PARAM_ENDED;
        return status;
    }
    if (text_key(w->at[0], "MASS", 4))
        return param_mass(r, w);
    /* Before a section, lines such as a version are ignored. */
    return r->section ? r->section(r, w) : 0;
}

/* Only MASS, RESI, PRES and ATOM lines are of interest: hmd builds no structures. Patches (PRES)
 * are treated like residues. */
static int param_rtf_line(struct param_reader *r, const struct words *w)
{
    struct param *p = r->p;
    if (strcmp(w->at[0], "END") == 0)
        r->mode = r->stream ? PARAM_COMMANDS : PARAM_ENDED;
    if (text_key(w->at[0], "MASS", 4))
        return param_mass(r, w);
    if ((text_key(w->at[0], "RESIDUE", 4) || text_key(w->at[0], "PRES", 4)) && w->n > 1) {
        r->seen = 1;
        return psf_name(r->resname, w->at[1]) ? 0 : param_bad(r, "a residue name", w);
    }
    /* Other lines of a residue (BOND, IMPR, ...) describe what the PSF already has. */
    if (!text_key(w->at[0], "ATOM", 4) || w->n < 3)
        return 0;
    struct param_residue_atom a, *kept;
    strcpy(a.resname, r->resname);
    if (!psf_name(a.name, w->at[1]) || strlen(w->at[2]) >= PSF_NAME)
        return param_bad(r, "ATOM name type charge", w);
    a.type = param_type_of(p, w->at[2]);
    kept = mem_add(&p->types.residue_atom, p->types.nresidue_atom++, sizeof *kept);
    *kept = a;
    return 0;
}

/* Returns 1 for "read rtf card", "read para card flex". A new part of a stream begins: with its own
 * title, unit and section. */
static int param_read_command(struct param_reader *r, const struct words *w)
{
    if (w->n < 2 || !text_key(w->at[0], "READ", 4))
        return 0;
    int rtf = text_key(w->at[1], "RTF", 3);
    if (!rtf && !text_key(w->at[1], "PARAMETERS", 4))
        return 0;
    r->mode = rtf ? PARAM_RTF : PARAM_PRM;
    r->seen = 1;
    r->section = NULL;
    r->headed = 0;
    r->resname[0] = 0;
    param_unit(r->p, r->t->name);
    return 1;
}

/* Executes the next command of a stream: it opens a section, or ends it. *end: the file ends, or
 * RETURN or STOP does it. */
static int param_command(struct param_reader *r, int *end)
{
    const struct words *w;
    int status = 0;
    if (!param_flow_next(r->flow, r->t, &w, r->e, &status)) {
        *end = 1;
        return status;
    }
    *end = text_key(w->at[0], "RETURN", 4) || text_key(w->at[0], "STOP", 4);
    if (*end || param_read_command(r, w))
        return 0;
    return err_set(r->e, ERR_INPUT,
                   "%s:%d: %s: no command for a file of topology and parameters, where SET, IF and "
                   "the like are known: put it into the input",
                   r->t->name, r->flow->line.first, w->at[0]);
}

/* A section of a stream may end without END, at the end of its block: returns 1 if this line ends
 * it. The map that is open must be complete then. */
static int param_left(struct param_reader *r, const struct words *w, int *status)
{
    if (!param_flow_leaves(r->flow, r->t, w->at[0], r->e, status))
        return 0;
    r->mode = PARAM_COMMANDS;
    if (!*status)
        *status = param_map_complete(r);
    return 1;
}

/* Reads the next line that is not empty, in upper case. 0 at the end, or after an error in *status.
 */
static int param_next(struct param_reader *r, struct words *w, int *status)
{
    int first;
    /* Before the first line '*' is a title; after it, '*' may be the wildcard of a type. */
    r->t->data = r->headed;
    int got = text_command(r->t, r->joined, sizeof r->joined, &first);
    r->t->data = 0;
    r->headed = 1;
    if (got < 0)
        *status = err_set(r->e, ERR_INPUT,
                          "%s:%d: the line with those that it continues is too long: expected at "
                          "most %zu characters",
                          r->t->name, r->t->line, sizeof r->joined - 2);
    if (got <= 0)
        return 0;
    text_upper(r->joined);
    words_split(w, r->joined);
    /* More words than fit may have been cut off. */
    if (w->n == TEXT_WORDS)
        *status = param_bad(r, "fewer words in a line", w);
    return !*status;
}

/* Determines the kind of a file: a stream has a line that begins with READ RTF or READ PARA, a
 * topology file has residues, a parameter file a section of pairs; otherwise it is what the user
 * specified. Looks at the first 63 characters of each line, without changing the text. The first
 * such line decides, except that READ makes it a stream wherever it is. */
static enum param_mode param_kind(const struct text *t, int topology)
{
    char line[64];
    struct words w;
    enum param_mode kind = topology ? PARAM_RTF : PARAM_PRM;
    int known = 0;
    for (const char *s = t->pos; s < t->end;) {
        size_t n = strcspn(s, "\n");
        size_t c = n < sizeof line - 1 ? n : sizeof line - 1;
        memcpy(line, s, c);
        line[c] = 0;
        text_upper(line);
        words_split(&w, line);
        if (w.n > 1 && text_key(w.at[0], "READ", 4) &&
            (text_key(w.at[1], "RTF", 3) || text_key(w.at[1], "PARAMETERS", 4)))
            return PARAM_COMMANDS;
        /* What follows END is another part of a stream. */
        if (known && w.n && strcmp(w.at[0], "END") == 0)
            break;
        int residue = w.n > 2 && (text_key(w.at[0], "RESIDUE", 4) || text_key(w.at[0], "PRES", 4));
        int pairs = w.n && (text_key(w.at[0], "NONBONDED", 4) || text_key(w.at[0], "NBONDED", 4));
        if (!known && (residue || pairs)) {
            kind = residue ? PARAM_RTF : PARAM_PRM;
            known = 1;
        }
        s += n + 1;
    }
    return kind;
}

/* Rows of a file replace those of earlier ones; repeats are reported as warnings. After an error *p
 * is still valid, to be freed. */
int param_read(struct param *p, struct text *t, int topology, struct err *e)
{
    struct param_reader r = {.p = p, .t = t, .e = e};
    struct words w;
    int status = 0, end = 0;
    r.mode = param_kind(t, topology);
    r.stream = r.seen = r.mode == PARAM_COMMANDS;
    param_unit(p, t->name);
    /* The names are listed in messages about missing parameters. */
    size_t used = strlen(p->files);
    snprintf(p->files + used, sizeof p->files - used, "%s%s", used ? ", " : "", t->name);
    if (r.stream)
        r.flow = param_flow_new(p->names, p->nnames, p->types.ntype);
    /* In a stream, "read" may follow a section without END. In a plain file the words READ and
     * ENDIF have no meaning. */
    while (!status && !end && r.mode != PARAM_ENDED) {
        if (r.mode == PARAM_COMMANDS)
            status = param_command(&r, &end);
        else if (!param_next(&r, &w, &status))
            end = 1;
        else if (!r.stream || (!param_read_command(&r, &w) && !param_left(&r, &w, &status)))
            status = (r.mode == PARAM_PRM ? param_prm_line : param_rtf_line)(&r, &w);
    }
    mem_free(r.flow);
    if (!status)
        status = param_map_complete(&r);
    param_repeat(p);
    /* A file of another kind, such as a PSF, would otherwise be read without any effect. */
    if (!status && !r.seen)
        status = err_set(
            e, ERR_INPUT,
            "%s: no types, residues or sections of parameters in it: is it a parameter or topology "
            "file of CHARMM?",
            t->name);
    return status;
}
