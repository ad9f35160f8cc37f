/* psf.c - reads a PSF, see psf.h.
 *
 * The file is a sequence of sections, each opened by a line "COUNT !NAME" and containing COUNT
 * lines (titles, atoms) or COUNT tuples of integers that flow over lines.  Relevant sections are in
 * a table; all others are skipped line by line.  A count is accepted only if the rest of the file
 * is long enough for it, so that a wrong count cannot allocate excessive memory.
 *
 * Source: CHARMM's psfres.src as described in io.doc.  Cost: one pass over the text.
 *
 * Structures are read by every task from the same text, so all find the same error. Names are
 * converted to upper case, as CHARMM's are.
 */
#include "psf.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

/* On the stack of psf_read(). ext is only noted: columns are separated by blanks in both layouts.
 */
struct psf_reader {
    struct psf *psf;
    struct text *t;
    struct err *e;
    int ext, xplor, cmap;
    int seen_atoms;
    const char *counted; /* the last list, as long as its count specified */
};

/* For damage of a section that has no better explanation. */
static int psf_fail(struct psf_reader *r, const char *what, const char *section)
{
    return err_set(r->e, ERR_INPUT, "%s:%d: %s in section %s of the PSF: is the file complete?",
                   r->t->name, r->t->line, what, section);
}

/* ---- integers that flow over lines -------------------------------------------------------- */

/* Copies the next blank-separated word, counting lines.  0 at the end of the file. Longer words are
 * truncated, and then rejected as numbers. The line number counts line ends, for messages. */
static int psf_word(struct text *t, char *out, size_t room)
{
    size_t n = 0;
    while (t->pos < t->end && isspace((unsigned char)*t->pos))
        t->line += *t->pos++ == '\n';
    while (t->pos < t->end && !isspace((unsigned char)*t->pos)) {
        if (n + 1 < room)
            out[n++] = *t->pos;
        t->pos++;
    }
    out[n] = 0;
    return n > 0;
}

/* Reads n integers, each from low to high. The range is checked here, so that no later code reads
 * beyond an array. Low and high are those of the file, from 1. */
static int psf_integers(struct psf_reader *r, const char *section, int *out, size_t n, long low,
                        long high)
{
    char word[32];
    for (size_t i = 0; i < n; i++) {
        long v;
        if (!psf_word(r->t, word, sizeof word))
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: the file ends after %zu of %zu numbers of section %s of the "
                           "PSF: is the file complete?",
                           r->t->name, r->t->line, i, n, section);
        if (!text_long(word, &v) || v < low || v > high)
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: '%s' where number %zu of %zu of section %s of the PSF should "
                           "be (%ld to %ld): is the count right?",
                           r->t->name, r->t->line + 1, word, i + 1, n, section, low, high);
        out[i] = (int)v;
    }
    return 0;
}

/* Returns an atom that occurs twice among the n of a term; 0 if there is none. (Numbers of the file
 * are from 1, so 0 is free.) */
static int psf_twice(const int *atom, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (atom[i] == atom[j])
                return atom[i];
    return 0;
}

/* Reads a list of terms of `per` atoms each, with numbers from `low` on; 0 means none in donors and
 * acceptors.  No atom may occur twice in a term, except in a cross term, whose two dihedrals share
 * atoms. `angle`: atoms of one part of a term: a cross term consists of two dihedrals. */
static int psf_terms_read(struct psf_reader *r, const char *section, struct psf_terms *terms,
                          int count, int per, int low)
{
    size_t n = (size_t)count * (size_t)per, angle = per < 4 ? (size_t)per : 4;
    terms->count = count;
    terms->atom = mem_new(n, sizeof(int));
    int status = psf_integers(r, section, terms->atom, n, low, r->psf->natom);
    /* Donors may repeat atoms (low 0). */
    for (size_t i = 0; !status && low && i < n; i += angle) {
        int twice = psf_twice(terms->atom + i, (int)angle);
        if (twice)
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: term %zu of section %s of the PSF has atom %d twice: the file "
                           "is damaged, make it anew",
                           r->t->name, r->t->line, i / (size_t)per + 1, section, twice);
    }
    /* From here on atoms count from 0; none is -1. */
    for (size_t i = 0; !status && i < n; i++)
        terms->atom[i]--;
    r->counted = section;
    return status;
}

/* !NNB: the partners, then for each atom the number of partners up to and including its own. natom
 * end positions follow the partners; the last one must equal the count. A pair is stored once, with
 * the atom that lists it first. */
static int psf_exclusions_read(struct psf_reader *r, int count)
{
    int natom = r->psf->natom;
    if (count == 0)
        return 0; /* natom zeros follow, which some programs omit */
    int *partner = mem_new((size_t)count, sizeof(int));
    int *last = mem_new((size_t)natom, sizeof(int));
    int status = psf_integers(r, "!NNB", partner, (size_t)count, 1, natom);
    if (!status)
        /* Running counts, so the last one is the number of all. */
        status = psf_integers(r, "!NNB", last, (size_t)natom, 0, count);
    struct psf_terms *x = &r->psf->excluded;
    x->count = count;
    x->atom = mem_new((size_t)count * 2, sizeof(int));
    for (int i = 0, k = 0; !status && i < natom; i++)
        for (; k < last[i]; k++) {
            x->atom[2 * k] = i;
            x->atom[2 * k + 1] = partner[k] - 1;
        }
    if (!status && last[natom - 1] != count)
        status = psf_fail(r, "the exclusion counts do not add up", "!NNB");
    mem_free(partner);
    mem_free(last);
    return status;
}

/* ---- atoms -------------------------------------------------------------------------------- */

/* Fails without changing out[]. */
int psf_name(char out[PSF_NAME], const char *in)
{
    size_t n = strlen(in);
    if (n >= PSF_NAME)
        return 0;
    memcpy(out, in, n + 1);
    text_upper(out);
    return 1;
}

/* True if the atom line has no segment name: then charge and mass are one word earlier, and the
 * following integer is in the place of the mass. Lines with 8 words and more have a further
 * integer, by which both forms are distinguished. In the full form word 7 is the mass, whose point
 * distinguishes it from that integer. */
static int psf_segment_blank(const struct words *w)
{
    double charge, mass;
    long fixed;
    if (w->n != 7 && (w->n < 8 || w->n % 2 || !text_long(w->at[7], &fixed)))
        return 0;
    return text_double(w->at[5], &charge) && text_double(w->at[6], &mass);
}

/* f[0] to f[6]: segment, residue number, residue, name, type, charge, mass. The first word is the
 * atom's number, which is not used. */
static int psf_atom_read(struct psf_reader *r, struct psf_atom *a, char *line)
{
    struct words w;
    words_split(&w, line);
    char **f = w.at + !psf_segment_blank(&w); /* segment, residue number ... */
    if (w.n < 7 + (f > w.at))
        return psf_fail(r, "an atom line with too few fields", "!NATOM");
    if (!psf_name(a->segid, f > w.at ? f[0] : "") || !psf_name(a->resid, f[1]) ||
        !psf_name(a->resname, f[2]) || !psf_name(a->name, f[3]))
        return psf_fail(r, "a name of more than 15 letters", "!NATOM");
    a->line = r->t->line;
    /* A number stays a number for now: other atoms decide (psf_types()). */
    if ((r->xplor || !text_long(f[4], &a->type_number)) && !psf_name(a->type, f[4]))
        return psf_fail(r, "a type of more than 15 letters", "!NATOM");
    if (!text_double(f[5], &a->charge))
        return psf_fail(r, "an atom whose charge is no number", "!NATOM");
    if (!text_double(f[6], &a->mass) || a->mass < 0)
        return psf_fail(r, "an atom whose mass is no positive number", "!NATOM");
    long move = 0; /* -1 for lone pairs */
    if (w.n > 7 + (f > w.at) && !text_long(f[7], &move))
        return psf_fail(r, "an atom whose last number (whether it is fixed) is none", "!NATOM");
    /* 1 and more: fixed by CONS FIX when the file was written. */
    a->fixed = move > 0;
    return 0;
}

/* If one type is a name all are, including those that look like numbers: VMD writes such files
 * without a keyword in the first line. Numbers then become names with the same digits. */
static void psf_types(struct psf *p)
{
    int named = 0;
    for (int i = 0; i < p->natom; i++)
        named |= p->atom[i].type[0] != 0;
    for (int i = 0; named && i < p->natom; i++)
        if (!p->atom[i].type[0])
            snprintf(p->atom[i].type, PSF_NAME, "%ld", p->atom[i].type_number);
}

/* Room is given for the count, which psf_count() has checked against the rest of the file. */
static int psf_atoms_read(struct psf_reader *r, int count)
{
    if (count == 0)
        return psf_fail(r, "no atoms", "!NATOM");
    r->psf->natom = count;
    r->psf->atom = mem_new((size_t)count, sizeof *r->psf->atom);
    for (int i = 0; i < count; i++) {
        char *line = text_line(r->t);
        if (!line)
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: the file ends after %d of %d atoms: is the file complete?",
                           r->t->name, r->t->line, i, count);
        int status = psf_atom_read(r, &r->psf->atom[i], line);
        if (status)
            return status;
    }
    psf_types(r->psf);
    r->seen_atoms = 1;
    r->counted = "!NATOM";
    return 0;
}

/* ---- lone pairs --------------------------------------------------------------------------- */

/* Reads "hosts pointer F distance angle dihedral": a lone pair.  The pointer refers to a list that
 * follows, with its atom and its hosts. The weight says whether the centre is one of masses. */
static int psf_lonepair_line(struct psf_reader *r, struct psf_lonepair *l, int *pointer)
{
    struct words w = {.n = 0};
    char *line = text_line(r->t);
    long hosts = 0, at = 0;
    if (line)
        words_split(&w, line);
    if (w.n < 6 || !text_long(w.at[0], &hosts) || !text_long(w.at[1], &at) || at < 1 ||
        at > INT_MAX / 2 || hosts < 0 || hosts > r->psf->natom)
        return psf_fail(r, "no numbers of hosts, pointer, weight and three values", "!NUMLP");
    for (int k = 0; k < 3; k++)
        if (!text_double(w.at[3 + k], &l->value[k]))
            return psf_fail(r, "a value that is no number", "!NUMLP");
    if (hosts == 0)
        return err_set(r->e, ERR_INPUT,
                       "%s:%d: a lone pair without hosts (FIXEd), which hmd cannot place: give it "
                       "hosts, or take it out",
                       r->t->name, r->t->line);
    /* A letter, or a letter after a point. */
    int letter = toupper((unsigned char)w.at[2][w.at[2][0] == '.']); /* Fortran: T, .true. */
    if (letter != 'T' && letter != 'F')
        return psf_fail(r, "a weight that is neither T nor F", "!NUMLP");
    l->by_mass = letter == 'T';
    l->hosts = (int)hosts;
    *pointer = (int)at;
    return 0;
}

/* Reads the atoms that the lone pairs' pointers refer to. A pointer is an index, from 1, of the
 * lone pair's own atom; its hosts follow. Every lone pair gets a contiguous range in lonepair_host.
 */
static int psf_lonepair_hosts(struct psf_reader *r, const int *pointer, int listed, const int *list)
{
    struct psf *p = r->psf;
    p->lonepair_host = mem_new((size_t)listed, sizeof(int));
    for (int i = 0; i < p->nlonepair; i++) {
        struct psf_lonepair *l = &p->lonepair[i];
        if (pointer[i] + l->hosts > listed)
            return psf_fail(r, "a pointer behind the list of hosts", "!NUMLP");
        const int *at = list + pointer[i] - 1;
        struct psf_atom *a = &p->atom[at[0] - 1];
        /* `at` begins with the lone pair itself. */
        if (psf_twice(at, l->hosts + 1) || a->lonepair)
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: lone pair %d of the PSF (atom %d) is its own host, has one "
                           "twice, or is there twice: the file is damaged, make it anew",
                           r->t->name, r->t->line, i + 1, at[0]);
        /* Lone pairs have no mass here, whatever the file says. */
        a->lonepair = 1;
        a->mass = 0;
        l->atom = at[0] - 1;
        l->first = p->nlonepair_host;
        for (int k = 1; k <= l->hosts; k++)
            p->lonepair_host[p->nlonepair_host++] = at[k] - 1;
    }
    return 0;
}

/* The lines come first, then one list for all. The sum of hosts is checked against the file's rest
 * before memory is taken for it. */
static int psf_lonepairs_read(struct psf_reader *r, int count)
{
    struct psf *p = r->psf;
    int *pointer = mem_new((size_t)count, sizeof *pointer), *list = NULL, status = 0;
    long listed = 0;
    p->lonepair = mem_new((size_t)count, sizeof *p->lonepair);
    for (; !status && p->nlonepair < count; p->nlonepair++) {
        status = psf_lonepair_line(r, &p->lonepair[p->nlonepair], &pointer[p->nlonepair]);
        /* The lone pair itself is in the list, too. */
        listed += 1 + p->lonepair[p->nlonepair].hosts;
        if (!status && listed > r->t->end - r->t->pos)
            status = psf_fail(r, "more hosts than the rest of the file has room for", "!NUMLP");
    }
    if (!status) {
        list = mem_new((size_t)listed, sizeof *list);
        status = psf_integers(r, "!NUMLP", list, (size_t)listed, 1, p->natom);
    }
    if (!status)
        status = psf_lonepair_hosts(r, pointer, (int)listed, list);
    mem_free(pointer);
    mem_free(list);
    r->counted = "!NUMLP";
    return status;
}

/* Marks atoms that are fixed; lone pairs always follow their hosts. p->fixed stays NULL if none is
 * fixed. Called once, after all sections. */
static void psf_fixed(struct psf *p)
{
    for (int i = 0; i < p->natom; i++) {
        if (!p->atom[i].fixed || p->atom[i].lonepair)
            continue;
        if (!p->fixed)
            p->fixed = mem_new((size_t)p->natom, 1);
        p->fixed[i] = 1;
        p->nfixed++;
    }
}

/* Checks that only lone pairs have no mass, and that only atoms are their hosts. Everything later
 * divides by masses of atoms that are no lone pairs. Lone pairs of lone pairs cannot be placed in
 * one pass. */
static int psf_masses_check(const struct psf *p, struct err *e)
{
    for (int i = 0; i < p->natom; i++) {
        const struct psf_atom *a = &p->atom[i];
        if (a->mass > 0 || a->lonepair)
            continue;
        return err_set(e, ERR_INPUT,
                       "%s:%d: atom %s %s %s has mass 0, but is no lone pair of section !NUMLP: "
                       "give it a mass, or the section",
                       p->file, a->line, a->resname, a->resid, a->name);
    }
    for (int k = 0; k < p->nlonepair_host; k++) {
        const struct psf_atom *a = &p->atom[p->lonepair_host[k]];
        if (a->lonepair)
            return err_set(e, ERR_INPUT,
                           "%s:%d: lone pair %s %s %s is the host of another one, which hmd cannot "
                           "place: give that one atoms for hosts",
                           p->file, a->line, a->resname, a->resid, a->name);
    }
    return 0;
}

/* ---- sections ----------------------------------------------------------------------------- */

/* Titles are counted lines of any text. */
static int psf_titles_skip(struct psf_reader *r, int count)
{
    for (int i = 0; i < count; i++)
        if (!text_line(r->t))
            return psf_fail(r, "the file ends", "!NTITLE");
    return 0;
}

/* Unknown sections are skipped: their lines have no '!' (psf_read()). Names of sections may be
 * followed by words, so only their beginning is compared. */
static int psf_section(struct psf_reader *r, const char *name, int count)
{
    struct psf *p = r->psf;
    const struct {
        const char *name;
        struct psf_terms *terms;
        int per, low;
    } table[] = {{"!NBOND", &p->bond, 2, 1},    {"!NTHETA", &p->angle, 3, 1},
                 {"!NPHI", &p->dihedral, 4, 1}, {"!NIMPHI", &p->improper, 4, 1},
                 {"!NCRTERM", &p->cross, 8, 1}, {"!NDON", &p->donor, 2, 0},
                 {"!NACC", &p->acceptor, 2, 0}};
    if (strncmp(name, "!NTITLE", 7) == 0)
        return psf_titles_skip(r, count);
    if (strncmp(name, "!NATOM", 6) == 0)
        return r->seen_atoms ? psf_fail(r, "a second list of atoms", "!NATOM")
                             : psf_atoms_read(r, count);
    /* Files without lone pairs often have an empty section, which is accepted. */
    if (strncmp(name, "!NUMLP", 6) == 0 && count > 0)
        return r->seen_atoms && !p->lonepair
                   ? psf_lonepairs_read(r, count)
                   : psf_fail(r, "lone pairs before the atoms or a second list", "!NUMLP");
    if (strncmp(name, "!NNB", 4) == 0)
        return r->seen_atoms && !p->excluded.atom
                   ? psf_exclusions_read(r, count)
                   : psf_fail(r, "exclusions before the atoms or a second list", "!NNB");
    if (strncmp(name, "!NUMANISO", 9) == 0 && count > 0)
        return err_set(r->e, ERR_INPUT,
                       "%s:%d: anisotropic polarizabilities, which hmd does not compute: use an "
                       "additive force field",
                       r->t->name, r->t->line);
    /* The other sections are lists of atom numbers. */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strncmp(name, table[i].name, strlen(table[i].name)))
            continue;
        if (!r->seen_atoms || table[i].terms->atom)
            return psf_fail(r, "a list before the atoms or a second one", table[i].name);
        return psf_terms_read(r, table[i].name, table[i].terms, count, table[i].per, table[i].low);
    }
    return 0;
}

/* Reads the count before '!', and checks it: each item takes at least two characters. The position
 * in the text has not moved beyond the line. */
static int psf_count(struct psf_reader *r, char *line, char *mark, int *count)
{
    char word[32];
    long v;
    while (isspace((unsigned char)*line))
        line++;
    size_t n = strcspn(line, " \t!");
    if (n == 0 || n >= sizeof word)
        /* No count, or a word that is too long for one. */
        return psf_fail(r, "no count", mark);
    memcpy(word, line, n);
    word[n] = 0;
    if (!text_long(word, &v) || v < 0)
        return err_set(r->e, ERR_INPUT,
                       "%s:%d: '%s' is no count for section %s: the PSF is damaged", r->t->name,
                       r->t->line, word, mark);
    /* Before memory is allocated for a count that is damaged. */
    if (v > INT_MAX / 16 || v > (r->t->end - r->t->pos) / 2 + 1)
        return err_set(r->e, ERR_INPUT,
                       "%s:%d: section %s should hold %ld entries, more than the rest of the file "
                       "has room for: is the file complete?",
                       r->t->name, r->t->line, mark, v);
    *count = (int)v;
    return 0;
}

/* Words of the first line say how wide the columns are, and what follows. Unknown words are
 * accepted: programs add their own. */
static int psf_header(struct psf_reader *r)
{
    struct words w;
    char *line = text_line(r->t);
    while (line && !line[strspn(line, " \t")])
        line = text_line(r->t);
    if (line) {
        text_upper(line);
        words_split(&w, line);
    }
    if (!line || w.n == 0 || strcmp(w.at[0], "PSF"))
        return err_set(r->e, ERR_INPUT, "%s:%d: no PSF: the first word must be PSF", r->t->name,
                       r->t->line);
    for (int i = 1; i < w.n; i++) {
        r->ext |= strcmp(w.at[i], "EXT") == 0;
        r->cmap |= strcmp(w.at[i], "CMAP") == 0;
        /* NAMD's word also promises names of types. */
        r->xplor |= strcmp(w.at[i], "XPLOR") == 0 || strcmp(w.at[i], "NAMD") == 0;
        if (strcmp(w.at[i], "DRUDE") == 0)
            return err_set(r->e, ERR_INPUT,
                           "%s:%d: a PSF with Drude particles, which hmd cannot move: use an "
                           "additive force field",
                           r->t->name, r->t->line);
    }
    return 0;
}

/* Lines behind a list that are not blank mean that its count is too small. Sections may be in any
 * order after !NATOM. */
int psf_read(struct psf *psf, struct text *t, struct err *e)
{
    memset(psf, 0, sizeof *psf);
    psf->file = t->name;
    struct psf_reader r = {.psf = psf, .t = t, .e = e};
    int status = psf_header(&r);
    char *line;
    while (!status && (line = text_line(t))) {
        char *mark = strchr(line, '!');
        int count = 0;
        /* A counted list has ended, so only blank lines may follow. */
        if (!mark && r.counted && line[strspn(line, " \t\r")])
            return psf_fail(&r, "more than the count says", r.counted);
        if (!mark)
            continue;
        r.counted = NULL;
        text_upper(mark);
        status = psf_count(&r, line, mark, &count);
        if (!status)
            status = psf_section(&r, mark, count);
    }
    /* Empty sections count as read: their lists are not NULL. */
    if (!status && !(r.seen_atoms && psf->bond.atom && psf->angle.atom && psf->dihedral.atom &&
                     psf->improper.atom))
        status = err_set(e, ERR_INPUT,
                         "%s:%d: the PSF ends before all of !NATOM, !NBOND, !NTHETA, !NPHI and "
                         "!NIMPHI have been read: is the file complete?",
                         t->name, t->line);
    if (!status && r.cmap && !psf->cross.atom)
        status = err_set(e, ERR_INPUT,
                         "%s:%d: the first line promises cross terms (CMAP), but the file ends "
                         "before !NCRTERM: is the file complete?",
                         t->name, t->line);
    if (!status)
        psf_fixed(psf);
    return status ? status : psf_masses_check(psf, e);
}

/* Also after an error. */
void psf_free(struct psf *psf)
{
    mem_free(psf->atom);
    mem_free(psf->bond.atom);
    mem_free(psf->angle.atom);
    mem_free(psf->dihedral.atom);
    mem_free(psf->improper.atom);
    mem_free(psf->cross.atom);
    mem_free(psf->excluded.atom);
    mem_free(psf->donor.atom);
    mem_free(psf->acceptor.atom);
    mem_free(psf->lonepair);
    mem_free(psf->lonepair_host);
    mem_free(psf->fixed);
    memset(psf, 0, sizeof *psf);
}

/* A change of any of the three names begins one. */
int psf_residue_begins(const struct psf *psf, int atom)
{
    const struct psf_atom *a = &psf->atom[atom];
    return !atom || strcmp(a->resid, a[-1].resid) || strcmp(a->segid, a[-1].segid) ||
           strcmp(a->resname, a[-1].resname);
}
