/* bind.c - assigns parameters to the terms of a structure, see system.h.
 *
 * First the types: names are looked up, and numbers are resolved by the MASS lines.  Two files may
 * use a number for different types; then the mass decides, and after that the residue's own atom
 * list.  Then each list of terms.  A missing parameter is an error that names the term, its atoms
 * with their types, and the files that were searched.
 *
 * Terms are stored with their numbers, so the parameters are not needed any more when the system is
 * made. A term whose energy is skipped (SKIPE) gets no entry, apart from bonds, which SHAKE may
 * need. Cost: O(atoms + terms), and O(types^2) for the pairs of types that occur.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmap.h"
#include "lonepair.h"
#include "mem.h"
#include "scheme.h"
#include "system.h"

/* On the stack of system_make(). Everything but `type` belongs to the caller; the first error ends
 * the work. */
struct bind {
    struct system *s;
    const struct psf *psf;
    struct param *p;
    const struct system_skip *skip;
    struct err *e;
    int *type; /* of each atom, as index in p */
};

/* ---- types -------------------------------------------------------------------------------- */

/* The type that the residue's block in an RTF assigns to this atom, or PARAM_X. Later definitions
 * of a residue win. PARAM_X: the residue or the atom is in no topology file. */
static int bind_residue_type(const struct bind *b, const struct psf_atom *a)
{
    for (size_t i = b->p->types.nresidue_atom; i-- > 0;) {
        const struct param_residue_atom *r = &b->p->types.residue_atom[i];
        if (strcmp(r->resname, a->resname) == 0 && strcmp(r->name, a->name) == 0)
            return r->type;
    }
    return PARAM_X;
}

/* Types with the same number are distinguished by masses that differ by more than 2 %. *type is
 * PARAM_X after an error. */
static int bind_number(struct bind *b, const struct psf_atom *a, int *type)
{
    const struct param *p = b->p;
    int found = PARAM_X, own = PARAM_X, several = 0;
    for (size_t i = 0; i < p->types.nnumber; i++) {
        const struct param_number *n = &p->types.number[i];
        /* A second line with the same type is no conflict. found keeps the last one: later files
         * have priority where masses agree. */
        if (n->number != a->type_number || n->type == found)
            continue;
        if (n->mass > 0 && fabs(n->mass - a->mass) > 0.02 * a->mass)
            continue;
        /* Two different types are left by the mass. */
        several |= found != PARAM_X;
        found = n->type;
    }
    /* The residue's topology decides. */
    if (several)
        own = bind_residue_type(b, a);
    *type = own != PARAM_X ? own : found;
    if (several && own == PARAM_X)
        return err_set(b->e, ERR_INPUT,
                       "%s:%d: type number %ld of atom %s %s %s means different types in %s: use "
                       "an XPLOR PSF, which has names",
                       b->psf->file, a->line, a->type_number, a->resname, a->resid, a->name,
                       p->files);
    if (found == PARAM_X)
        return err_set(b->e, ERR_INPUT,
                       "%s:%d: no MASS line for type number %ld (mass %g) of atom %s %s %s in %s: "
                       "add the topology file with -top",
                       b->psf->file, a->line, a->type_number, a->mass, a->resname, a->resid,
                       a->name, p->files);
    return 0;
}

/* Names of types, or their numbers in a PSF without names. After this all types are known by index,
 * whichever form the PSF has. */
static int bind_types(struct bind *b)
{
    int status = 0;
    b->type = mem_new((size_t)b->psf->natom, sizeof(int));
    for (int i = 0; !status && i < b->psf->natom; i++) {
        const struct psf_atom *a = &b->psf->atom[i];
        if (a->type[0])
            b->type[i] = param_type_of(b->p, a->type);
        else
            status = bind_number(b, a, &b->type[i]);
        if (!status && b->type[i] == PARAM_X)
            status =
                /* A wildcard cannot be an atom's type. */
                err_set(b->e, ERR_INPUT, "%s:%d: X is no type for an atom", b->psf->file, a->line);
    }
    return status;
}

/* ---- terms -------------------------------------------------------------------------------- */

/* Names the atoms and their types. Atoms and types that do not fit into the text are cut off. */
static int bind_missing(const struct bind *b, const char *term, const int *atom, int n)
{
    char who[320] = "", types[96] = "";
    for (int i = 0; i < n; i++) {
        const struct psf_atom *a = &b->psf->atom[atom[i]];
        size_t u = strlen(who), v = strlen(types);
        snprintf(who + u, sizeof who - u, "%s%s %s %s %s", i ? " - " : "", a->segid, a->resname,
                 a->resid, a->name);
        snprintf(types + v, sizeof types - v, "%s%s", i ? " " : "",
                 b->p->types.type[b->type[atom[i]]].name);
    }
    return err_set(b->e, ERR_INPUT,
                   "%s: no %s parameters for types %s (%s) in %s: add the file with -par",
                   b->psf->file, term, types, who, b->p->files);
}

/* A bond to a lone pair needs no parameters and is no constraint. tie[] has all bonds that SHAKE
 * may constrain, bond[] those with a force. */
static int bind_bonds(struct bind *b)
{
    /* Both lists get room for all bonds of the PSF; unused entries cost little. */
    const struct psf_terms *t = &b->psf->bond;
    b->s->term.bond = mem_new((size_t)t->count, sizeof *b->s->term.bond);
    b->s->term.tie = mem_new((size_t)t->count, sizeof *b->s->term.tie);
    for (int i = 0; i < t->count; i++) {
        const int *at = t->atom + 2 * i;
        const struct param_term *q = param_bond(b->p, b->type[at[0]], b->type[at[1]]);
        /* One end is a lone pair. */
        int carried = b->psf->atom[at[0]].lonepair || b->psf->atom[at[1]].lonepair;
        /* Without its force a bond needs no parameters, but then it cannot be constrained, either.
         */
        if (!q && (b->skip->bond || carried))
            continue;
        if (!q)
            return bind_missing(b, "bond", at, 2);
        if (!carried)
            b->s->term.tie[b->s->term.ntie++] = (struct system_tie){at[0], at[1], q->v[1]};
        if (q->v[0] != 0 && !b->skip->bond) /* the H-H bond of TIP3P has no force */
            b->s->term.bond[b->s->term.nbond++] =
                (struct system_bond){at[0], at[1], q->v[0], q->v[1]};
    }
    return 0;
}

/* Angles in radians from here on. Urey-Bradley terms use the outer atoms. The force constants stay
 * in kcal/mol/rad^2. */
static int bind_angles(struct bind *b)
{
    const struct psf_terms *t = &b->psf->angle;
    struct system *s = b->s;
    s->term.angle = mem_new((size_t)t->count, sizeof *s->term.angle);
    s->term.urey = mem_new((size_t)t->count, sizeof *s->term.urey);
    /* If both kinds are skipped, no parameter is looked up, so none can be missing. */
    for (int i = 0; i < t->count && !(b->skip->angle && b->skip->urey); i++) {
        const int *at = t->atom + 3 * i;
        const struct param_term *q =
            param_angle(b->p, b->type[at[0]], b->type[at[1]], b->type[at[2]]);
        if (!q)
            return bind_missing(b, "angle", at, 3);
        if (!b->skip->angle)
            s->term.angle[s->term.nangle++] =
                (struct system_angle){at[0], at[1], at[2], q->v[0], q->v[1] * M_PI / 180};
        /* Most angles have no such term. */
        if (q->v[2] != 0 && !b->skip->urey)
            s->term.urey[s->term.nurey++] = (struct system_bond){at[0], at[2], q->v[2], q->v[3]};
    }
    return 0;
}

/* Adds all cosines of one quadruple; `first` is in table.  A multiplicity of 0 behind others is a
 * constant, as in CHARMM (io.doc: Ryckaert and Bellemans' potential). n and *list grow by one for
 * each cosine. */
static void bind_torsion(struct system_torsion **list, int *n, const int *at,
                         const struct param_table *table, const struct param_term *first)
{
    for (const struct param_term *q = first; q; q = q->next < 0 ? NULL : &table->term[q->next]) {
        struct system_torsion *t = mem_add(list, (size_t)(*n)++, sizeof *t);
        /* -1 marks the constant; a multiplicity of 0 alone is a harmonic term. */
        int n0 = q->n == 0 && q != first ? -1 : q->n;
        *t = (struct system_torsion){at[0], at[1], at[2], at[3], n0, q->v[0], q->v[1] * M_PI / 180};
    }
}

/* Each cosine is a term of its own. improper: the list of impropers, which has its own parameters
 * and wildcards. */
static int bind_torsions(struct bind *b, int improper)
{
    struct system *s = b->s;
    const struct psf_terms *t = improper ? &b->psf->improper : &b->psf->dihedral;
    for (int i = 0; i < t->count; i++) {
        const int *at = t->atom + 4 * i;
        const int key[4] = {b->type[at[0]], b->type[at[1]], b->type[at[2]], b->type[at[3]]};
        const struct param_term *q =
            improper ? param_improper(b->p, key) : param_dihedral(b->p, key);
        /* No wildcard matches either. */
        if (!q)
            return bind_missing(b, improper ? "improper" : "dihedral", at, 4);
        if (improper)
            bind_torsion(&s->term.improper, &s->term.nimproper, at, &b->p->improper, q);
        else
            bind_torsion(&s->term.dihedral, &s->term.ndihedral, at, &b->p->dihedral, q);
    }
    return 0;
}

/* Returns the system's copy of a map of the force field, which is made at its first use. Maps that
 * no term uses are not prepared. number[]: of each map of the force field, its number in the
 * system; -1: none yet. */
static int bind_map(struct bind *b, const struct param_cmap *map, int *number)
{
    struct system *s = b->s;
    size_t k = (size_t)(map - b->p->maps.cmap);
    if (number[k] < 0) {
        number[k] = s->term.nmap;
        s->term.map[s->term.nmap].n = map->n;
        s->term.map[s->term.nmap++].value = cmap_prepare(map->grid, map->n);
    }
    return number[k];
}

/* Cross terms (CMAP): the types of both dihedrals decide the map, without wildcards. */
static int bind_crosses(struct bind *b)
{
    const struct psf_terms *t = &b->psf->cross;
    struct system *s = b->s;
    int *number = mem_new(b->p->maps.ncmap, sizeof(int));
    int status = 0;
    /* All -1: the map has no number yet. */
    memset(number, 0xff, b->p->maps.ncmap * sizeof(int));
    s->term.cross = mem_new((size_t)t->count, sizeof *s->term.cross);
    s->term.map = mem_new(b->p->maps.ncmap, sizeof *s->term.map);
    for (int i = 0; !status && i < t->count; i++) {
        /* Atoms 0 to 3 are the first dihedral, 4 to 7 the second. */
        const int *at = t->atom + 8 * i;
        int key[8];
        for (int k = 0; k < 8; k++)
            key[k] = b->type[at[k]];
        const struct param_cmap *map = param_cmap_of(b->p, key);
        if (!map) {
            status = bind_missing(b, "CMAP", at, 8);
            break;
        }
        memcpy(s->term.cross[s->term.ncross].atom, at, sizeof key);
        s->term.cross[s->term.ncross++].map = bind_map(b, map, number);
    }
    mem_free(number);
    return status;
}

/* ---- Lennard-Jones and charges ------------------------------------------------------------ */

/* A = eps Rmin^12 and B = 2 eps Rmin^6. The energy of a pair is A / r^12 - B / r^6. */
static void bind_ab(double eps, double rmin, double *a, double *b)
{
    double r3 = rmin * rmin * rmin, r6 = r3 * r3;
    *a = eps * r6 * r6;
    *b = 2 * eps * r6;
}

/* Computes A and B of a pair of types, ordinary or 1-4.  Returns true if the pair is special: Rmin
 * is not the sum. f: NBFIX of this pair; NULL: none. is14: a 1-4 pair, for which both kinds of line
 * may have own values. */
static int bind_pair(const struct bind *b, const struct param_lj *i, const struct param_lj *j,
                     const struct param_nbfix *f, int is14, double *pa, double *pb)
{
    /* GEOM: Rmin is a geometric mean, not a sum. */
    int geometric = b->p->options.given[PARAM_GEOM].word[0] == 'G';
    double ri = is14 ? i->rmin2_14 : i->rmin2, rj = is14 ? j->rmin2_14 : j->rmin2;
    if (f)
        bind_ab(is14 ? f->eps14 : f->eps, is14 ? f->rmin14 : f->rmin, pa, pb);
    else
        bind_ab(sqrt(is14 ? i->eps14 * j->eps14 : i->eps * j->eps),
                geometric ? 2 * sqrt(fabs(ri * rj)) : ri + rj, pa, pb);
    /* Kernels combine ordinary pairs from the atoms' own values, and look special ones up. */
    return f || (geometric && ri != rj);
}

/* Numbers the types that occur, in order of appearance; stores their type numbers in `used` and
 * their parameter lines in `line`. Only types that occur need parameters. The table then is small:
 * ntype^2 pairs. line[] is by number of the occurring type, used[] has its number in the force
 * field. */
static int bind_lj_types(struct bind *b, int *used, const struct param_lj **line)
{
    struct system *s = b->s;
    int *number = mem_new(b->p->types.ntype, sizeof(int));
    int status = 0;
    memset(number, 0xff, b->p->types.ntype * sizeof(int));
    for (int i = 0; !status && i < s->natom; i++) {
        int t = b->type[i];
        if (number[t] < 0) {
            /* By name, as lines may have wildcards; each type is looked up once. */
            const struct param_lj *lj = param_lj_of(b->p, b->p->types.type[t].name);
            if (!lj)
                status = bind_missing(b, "Lennard-Jones (NONBONDED)", &i, 1);
            else if (lj->raw_eps > 0)
                status = err_set(b->e, ERR_INPUT,
                                 "%s: the Lennard-Jones line of type %s (line %d) has a positive "
                                 "eps (Slater and Kirkwood's form), which hmd does not compute: "
                                 "write eps below 0 and Rmin/2",
                                 b->p->files, lj->name, lj->line);
            if (status)
                break;
            number[t] = s->lj.ntype;
            line[s->lj.ntype] = lj;
            used[s->lj.ntype++] = t;
        }
        s->lj.type[i] = number[t];
        /* Ordinary pairs multiply the two square roots. */
        s->lj.sqrt_eps[i] = b->skip->vdw ? 0 : sqrt(line[number[t]]->eps);
        s->lj.rmin2[i] = line[number[t]]->rmin2;
    }
    mem_free(number);
    return status;
}

/* Computes A and B of all pairs of types, and for 1-4 pairs. Both tables have ntype^2 entries, for
 * both orders of a pair. */
static void bind_tables(struct bind *b, const int *used, const struct param_lj *const *line)
{
    struct system *s = b->s;
    size_t n = (size_t)s->lj.ntype;
    unsigned char *special = mem_new(n, 1);
    double *a14 = mem_new(2 * n * n, sizeof *a14), *b14 = a14 + n * n;
    s->lj.a = mem_new(n * n, sizeof(double));
    s->lj.b = mem_new(n * n, sizeof(double));
    /* `special` marks a type if any of its pairs needs the table. With VDW skipped all entries stay
     * 0. */
    for (size_t i = 0; i < n && !b->skip->vdw; i++)
        for (size_t j = 0, k = i * n; j < n; j++, k++) {
            const struct param_nbfix *f = param_nbfix_of(b->p, b->p->types.type[used[i]].name,
                                                         b->p->types.type[used[j]].name);
            special[i] |=
                (unsigned char)bind_pair(b, line[i], line[j], f, 0, &s->lj.a[k], &s->lj.b[k]);
            bind_pair(b, line[i], line[j], f, 1, &a14[k], &b14[k]);
        }
    /* An atom whose type is special is computed from the table in all of its pairs. */
    for (int i = 0; i < s->natom; i++)
        s->lj.special[i] = special[s->lj.type[i]];
    /* The parameters of the list that system_exclude() has made. */
    for (int k = 0; k < s->term.npair14; k++) {
        struct system_pair14 *q = &s->term.pair14[k];
        size_t pair = (size_t)s->lj.type[q->i] * n + (size_t)s->lj.type[q->j];
        q->a = a14[pair];
        q->b = b14[pair];
        q->qq = s->charge[q->i] * s->charge[q->j] * b->p->options.e14fac;
    }
    mem_free(a14);
    mem_free(special);
}

/* LRC: sums A and B over all pairs of atoms, each twice, and of each atom with itself. O(types^2),
 * not O(atoms^2). Each pair of types counts for both orders, as in the double sum over atoms. */
static void bind_tail(struct system *s)
{
    double *count = mem_new((size_t)s->lj.ntype, sizeof *count);
    for (int i = 0; i < s->natom; i++)
        count[s->lj.type[i]]++;
    for (int k = 0; k < s->lj.ntype * s->lj.ntype; k++) {
        double n = count[k / s->lj.ntype] * count[k % s->lj.ntype];
        s->lj.tail_a += n * s->lj.a[k];
        s->lj.tail_b += n * s->lj.b[k];
    }
    mem_free(count);
}

/* Needs the 1-4 pairs, hence system_exclude() before. */
static int bind_nonbonded(struct bind *b)
{
    struct system *s = b->s;
    const struct param_options *o = &b->p->options;
    size_t n = (size_t)s->natom;
    s->lj.type = mem_new(n, sizeof(int));
    s->lj.sqrt_eps = mem_new(n, sizeof(double));
    s->lj.rmin2 = mem_new(n, sizeof(double));
    s->lj.special = mem_new(n, 1);
    int *used = mem_new(b->p->types.ntype, sizeof(int));
    const struct param_lj **line = mem_new(b->p->types.ntype, sizeof *line);
    for (int i = 0; i < s->natom; i++) {
        s->mass[i] = b->psf->atom[i].mass;
        /* So the product of two charges is an energy times a length, in kcal/mol Angstrom. */
        s->charge[i] = b->skip->elec ? 0 : b->psf->atom[i].charge * sqrt(SCHEME_COULOMB / o->eps);
    }
    int status = bind_lj_types(b, used, line);
    if (!status)
        bind_tables(b, used, line);
    /* Only with LRC is the correction of the cut-off tail computed. */
    if (!status && o->given[PARAM_LRC].word[0] == 'L')
        bind_tail(s);
    mem_free(used);
    mem_free(line);
    return status;
}

/* ---- the whole system --------------------------------------------------------------------- */

/* The PSF must outlive the system, which refers to its fixed atoms. p may be freed afterwards. Call
 * system_free() also after an error. */
int system_make(struct system *s, const struct psf *psf, struct param *p,
                const struct system_skip *skip, const double box[3], struct err *e)
{
    struct bind b = {.s = s, .psf = psf, .p = p, .skip = skip, .e = e};
    memset(s, 0, sizeof *s);
    s->natom = psf->natom;
    s->held.frozen = psf->fixed;
    s->held.nfrozen = psf->nfixed;
    /* A right-angled box at first; the caller sets the angles. */
    cell_right(&s->cell, box);
    s->mass = mem_new((size_t)s->natom, sizeof(double));
    s->charge = mem_new((size_t)s->natom, sizeof(double));
    /* Each step uses the types; the first error skips all others. */
    int status = bind_types(&b);
    if (!status)
        status = bind_bonds(&b);
    if (!status)
        status = bind_angles(&b);
    if (!status && !skip->dihedral)
        status = bind_torsions(&b, 0);
    if (!status && !skip->improper)
        status = bind_torsions(&b, 1);
    if (!status && !skip->cmap)
        status = bind_crosses(&b);
    if (!status) {
        /* Lone pairs precede the exclusions, which 1-4 parameters then follow. */
        lonepair_bind(s, psf);
        /* NBXMOD decides how far exclusions reach. */
        system_exclude(s, psf, (int)p->options.nbxmod);
        status = bind_nonbonded(&b);
    }
    mem_free(b.type);
    return status;
}

/* Nothing holds the system in space, so its overall motion can be removed. (Only fixed and
 * harmonically restrained atoms hold it; dihedral restraints turn with it.) */
int system_floats(const struct system *s)
{
    return s->held.nfrozen == 0 && s->held.nanchor == 0;
}

/* At least 1, so that a temperature is always defined. */
int system_freedom(const struct system *s)
{
    /* In a box only translation is removed; free in space also rotation. */
    int whole = !system_floats(s) ? 0 : s->cell.box[0] > 0 ? 3 : 6;
    /* Each constraint takes one degree of freedom. */
    int n = 3 * (s->natom - s->nlonepair - s->held.nfrozen) - whole - s->fixed;
    return n > 1 ? n : 1;
}

int system_frozen(const struct system *s, int atom)
{
    return s->held.frozen && s->held.frozen[atom];
}

/* Costs nothing without frozen atoms. f begins with the force of atom `first`. */
void system_hold(const struct system *s, double *f, int first, int last)
{
    for (int i = first; s->held.frozen && i < last; i++)
        if (s->held.frozen[i])
            memset(f + 3 * (size_t)(i - first), 0, 3 * sizeof *f);
}

/* Also after a failed system_make(), and twice. */
void system_free(struct system *s)
{
    for (int i = 0; i < s->term.nmap; i++)
        mem_free(s->term.map[i].value);
    void *all[] = {s->mass,          s->charge,         s->lj.sqrt_eps,    s->lj.rmin2,
                   s->lj.type,       s->lj.special,     s->term.tie,       s->lj.a,
                   s->lj.b,          s->term.bond,      s->term.urey,      s->term.angle,
                   s->term.dihedral, s->term.improper,  s->term.cross,     s->term.map,
                   s->term.pair14,   s->excluded,       s->excluded_first, s->lonepair,
                   s->lonepair_host, s->lonepair_weight};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
    memset(s, 0, sizeof *s);
}
