/* coor_match.c - finds the atoms of a coordinate file in the structure, see coor.h.
 *
 * There are three keys by name; the first one that identifies all atoms of the file is used.  They
 * are: segment, residue number and atom name; residue number, residue name and atom name (files
 * without segments); order of residues and atom name within them (residue numbers that wrap around
 * at 9999, as in PDB files).
 *
 * If none does (names that repeat in a residue, or were changed by another program), atoms are
 * matched by their order, as in NAMD and CHARMM's READ COOR, if this is plausible: the counts are
 * equal, both files have an atom of the same element with compatible names at each index, and no
 * name of the file belongs to another index.
 *
 * Lone pairs may be missing in the file: they are constructed from their hosts.
 *
 * Cost: linear, with a hash table of names.
 *
 * A file that fits by none is an error, never a guess: a wrong order of atoms would run without
 * notice.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "coor.h"
#include "mem.h"

/* Angstrom.  Beyond, a float, as in a DCD file, is not exact to 0.1. (A float has 24 bits: 1e6 *
 * 2^-24 is 0.06.) */
static const double COOR_MOST = 1e6;
enum coor_key { COOR_SEGMENT, COOR_RESIDUE, COOR_ORDER, COOR_KEYS };

/* Points into the structure or the file; nothing is copied. The comparisons of a key use only some
 * of the names. */
struct coor_names { /* an atom's names, from either file */
    const char *segid, *resid, *resname, *name;
    int residue; /* sequence number of the residue in its file */
};

/* Open addressing over the structure's atoms by one key; rebuilt for each key that is tried. At
 * least twice as many slots as atoms. It refers to the structure, so it is valid as long as that.
 */
struct coor_index {
    const struct psf *psf;
    const int *residue; /* of each atom of the structure */
    enum coor_key key;
    int *slot;
    size_t slots;
    int ambiguous; /* two atoms of the structure have the same key: */
    int twin;      /* one of them */
};

/* FNV-1a; the separator keeps "AB" + "C" apart from "A" + "BC". Mixes a text into a hash. */
static uint64_t coor_mix(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return (h ^ '|') * 1099511628211u;
}

/* FNV's constants. Only names that the key compares count. */
static uint64_t coor_hash(enum coor_key key, const struct coor_names *a)
{
    uint64_t h = coor_mix(1469598103934665603u, a->name);
    if (key == COOR_ORDER)
        return coor_mix((h ^ (uint64_t)a->residue) * 1099511628211u, a->resname);
    return coor_mix(coor_mix(h, a->resid), key == COOR_SEGMENT ? a->segid : a->resname);
}

/* The same fields as in the hash. */
static int coor_same(enum coor_key key, const struct coor_names *a, const struct coor_names *b)
{
    if (strcmp(a->name, b->name))
        return 0;
    if (key == COOR_ORDER)
        return a->residue == b->residue && strcmp(a->resname, b->resname) == 0;
    return strcmp(a->resid, b->resid) == 0 &&
           strcmp(key == COOR_SEGMENT ? a->segid : a->resname,
                  key == COOR_SEGMENT ? b->segid : b->resname) == 0;
}

static struct coor_names coor_psf_names(const struct psf *psf, const int *residue, int i)
{
    const struct psf_atom *a = &psf->atom[i];
    return (struct coor_names){a->segid, a->resid, a->resname, a->name, residue[i]};
}

/* Returns the slot of a key, or the empty slot where it belongs. The table always has an empty
 * slot, which ends the search. */
static size_t coor_slot(const struct coor_index *x, const struct coor_names *a)
{
    uint64_t h = coor_hash(x->key, a);
    size_t s = (size_t)(h ^ h >> 31) & (x->slots - 1);
    while (x->slot[s] >= 0) {
        struct coor_names b = coor_psf_names(x->psf, x->residue, x->slot[s]);
        if (coor_same(x->key, a, &b))
            break;
        s = (s + 1) & (x->slots - 1);
    }
    return s;
}

/* After it, `ambiguous` says that the key cannot be used for all atoms. */
static void coor_index(struct coor_index *x, enum coor_key key)
{
    x->key = key;
    x->ambiguous = 0;
    /* All bytes 0xff: every slot -1. */
    memset(x->slot, 0xff, x->slots * sizeof *x->slot);
    for (int i = 0; i < x->psf->natom; i++) {
        struct coor_names a = coor_psf_names(x->psf, x->residue, i);
        size_t s = coor_slot(x, &a);
        /* Another atom has the same names. */
        if (x->slot[s] >= 0) {
            x->ambiguous = 1;
            x->twin = i;
        }
        /* The last atom of the key wins; the table is not used for taking if `ambiguous`. */
        x->slot[s] = i;
    }
}

/* Numbers the residues of both files; a new one begins where segment, number or name changes.
 * of_file and of_psf are zero at first, so numbers start at 0. */
static void coor_residues(const struct coor_file *c, const struct psf *psf, int *of_file,
                          int *of_psf)
{
    for (size_t i = 1; i < c->n; i++) {
        const struct coor_atom *a = &c->atom[i - 1], *b = &c->atom[i];
        of_file[i] = of_file[i - 1] + (strcmp(a->segid, b->segid) || strcmp(a->resid, b->resid) ||
                                       strcmp(a->resname, b->resname));
    }
    for (int i = 1; i < psf->natom; i++)
        of_psf[i] = of_psf[i - 1] + psf_residue_begins(psf, i);
}

/* -1: the structure has no atom with this key. residue[] is that of the file. */
static int coor_find(const struct coor_index *x, const struct coor_file *c, size_t k,
                     const int *residue)
{
    const struct coor_atom *a = &c->atom[k];
    struct coor_names n = {a->segid, a->resid, a->resname, a->name, residue[k]};
    return x->slot[coor_slot(x, &n)];
}

/* Returns how many atoms of the file this key identifies uniquely. line[i] is the line in which
 * atom i was found, 0: not yet. It counts only: nothing is copied. */
static size_t coor_try(struct coor_index *x, const struct coor_file *c, const int *residue,
                       int *line)
{
    size_t found = 0;
    memset(line, 0, (size_t)x->psf->natom * sizeof *line);
    for (size_t k = 0; k < c->n; k++) {
        int i = coor_find(x, c, k, residue);
        /* A second line for the same atom does not count as found. */
        if (i < 0 || line[i])
            continue;
        line[i] = c->atom[k].line;
        found++;
    }
    return x->ambiguous ? 0 : found;
}

/* Positions, and the weight if there is room for it. */
static void coor_put(const struct coor_set *to, int i, const struct coor_atom *a)
{
    memcpy(to->x + 3 * (size_t)i, a->x, sizeof a->x);
    if (to->w)
        to->w[i] = a->weight;
}

/* Reports the first atom of the structure that is missing in the file. Lone pairs may be missing.
 */
static int coor_missing(const struct coor_index *x, size_t n, const char *file, const int *line,
                        struct err *e)
{
    for (int i = 0; i < x->psf->natom; i++)
        if (!line[i] && !x->psf->atom[i].lonepair) {
            const struct psf_atom *a = &x->psf->atom[i];
            return err_set(e, ERR_INPUT,
                           "%s: no coordinates for atom %d of the PSF (%s %s %s %s): the file has "
                           "%zu atoms, the PSF %d",
                           file, i + 1, a->segid, a->resname, a->resid, a->name, n, x->psf->natom);
        }
    return 0;
}

static int coor_atom_bad(const struct coor_atom *a, const char *file, const char *why,
                         struct err *e)
{
    return err_set(e, ERR_INPUT, "%s:%d: atom %s %s %s %s is %s", file, a->line, a->segid,
                   a->resname, a->resid, a->name, why);
}

/* Copies the coordinates.  All atoms must be present and belong to the structure; of chosen atoms
 * those present are copied, with a note about the others. note: a text for the user, set only
 * without an error. */
static int coor_take(const struct coor_index *x, const struct coor_file *c, const int *residue,
                     const char *file, const unsigned char *chosen, const struct coor_set *to,
                     struct err *note, struct err *e)
{
    int *line = mem_new((size_t)x->psf->natom, sizeof *line), status = 0, lacking = 0;
    size_t strange = 0;
    /* With a selection, atoms of the file that the structure lacks are only counted. (A file may be
     * one of a larger system.) */
    for (size_t k = 0; !status && k < c->n; k++) {
        const struct coor_atom *a = &c->atom[k];
        int i = coor_find(x, c, k, residue);
        strange += i < 0;
        if (i < 0 && !chosen)
            status = coor_atom_bad(a, file, "not in the PSF: do the two files belong together?", e);
        if (i < 0 || (chosen && !chosen[i]))
            continue;
        /* Also if both lines agree: a file with repeated atoms is damaged. */
        if (line[i]) {
            char twice[48];
            snprintf(twice, sizeof twice, "there twice, first in line %d", line[i]);
            status = coor_atom_bad(a, file, twice, e);
        }
        line[i] = a->line;
        coor_put(to, i, a);
    }
    for (int i = 0; chosen && i < x->psf->natom; i++)
        lacking += chosen[i] && !line[i];
    /* Nothing may be missing, since the rest of the molecule would have no positions. */
    if (!status && !chosen)
        status = coor_missing(x, c->n, file, line, e);
    else if (strange || lacking)
        err_set(note, 0,
                "%s: %zu of its %zu atoms are not in the PSF, %d of the selected atoms are not in "
                "the file: these stay as they are",
                file, strange, c->n, lacking);
    mem_free(line);
    return status;
}

/* ---- by order ------------------------------------------------------------------------------ */

/* True if one of the two is a prefix of the other: "OH2" and "O", "MO01" and "MO". Both must be
 * non-empty. */
static int coor_prefix(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    return n && m && strncmp(a, b, n < m ? n : m) == 0;
}

/* The first letter; old PDB files write HB1 as "1HB". 0, the final one, if there is none. */
static char coor_element(const char *name)
{
    return name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/* Programs rename atoms, but keep their first letters or the residue's name. */
static int coor_goes_with(const struct coor_atom *a, const struct psf_atom *p)
{
    return coor_element(a->name) == coor_element(p->name) &&
           (coor_prefix(a->name, p->name) || strcmp(a->resname, p->resname) == 0);
}

/* Lists the structure's atoms in the order expected in the file: all, or all but the lone pairs.
 * Returns their number; 0 if neither matches that of the file. place[k] is the atom of the
 * structure at index k of the file. */
static size_t coor_places(const struct psf *psf, size_t n, int *place)
{
    size_t all = (size_t)psf->natom, found = 0;
    for (int i = 0; i < psf->natom; i++)
        if (n == all || !psf->atom[i].lonepair)
            place[found++] = i;
    return found == n ? n : 0;
}

/* Returns the first atom of the file that cannot be the one at its index, or c->n. The table is
 * made for COOR_ORDER, whose key repeats least in large systems. */
static size_t coor_against(struct coor_index *x, const struct coor_file *c, const int *residue,
                           const int *place)
{
    coor_index(x, COOR_ORDER);
    for (size_t k = 0; k < c->n; k++) {
        const struct coor_atom *a = &c->atom[k];
        struct coor_names n = {a->segid, a->resid, a->resname, a->name, residue[k]};
        struct coor_names here = coor_psf_names(x->psf, x->residue, place[k]);
        if (!coor_goes_with(a, &x->psf->atom[place[k]]) ||
            /* The file's atom has the name of another atom of the structure: the orders differ. */
            (coor_find(x, c, k, residue) >= 0 && !coor_same(COOR_ORDER, &n, &here)))
            return k;
    }
    return c->n;
}

/* Explains why names were not sufficient: two of the structure's are equal, or the first one that
 * differs. place[] is that of the taken order, so index k of the file is at place[k]. */
static void coor_explain(const struct coor_index *x, const struct coor_file *c, const int *place,
                         const char *file, struct err *note)
{
    /* The last of the equal ones that the index has found. */
    const struct psf_atom *p = &x->psf->atom[x->twin];
    size_t k = 0;
    while (k + 1 < c->n && strcmp(c->atom[k].name, x->psf->atom[place[k]].name) == 0 &&
           strcmp(c->atom[k].resname, x->psf->atom[place[k]].resname) == 0)
        k++;
    if (x->ambiguous)
        err_set(note, 0,
                "%s: atoms are taken in the order of the PSF, which has more than one %s "
                "%s %s %s",
                file, p->segid, p->resname, p->resid, p->name);
    else
        err_set(note, 0,
                "%s:%d: atoms are taken in the order of the PSF: %s %s is called %s %s "
                "there",
                file, c->atom[k].line, c->atom[k].resname, c->atom[k].name,
                x->psf->atom[place[k]].resname, x->psf->atom[place[k]].name);
}

/* Matches atoms by order.  Returns 1; or 0 if that is not plausible, with the reason if the
 * structure's names leave no other choice. Nothing is copied unless all atoms fit. On 0 the text is
 * in *e. */
static int coor_take_places(struct coor_index *x, const struct coor_file *c, const int *residue,
                            const char *file, const struct coor_set *to, struct err *note,
                            struct err *e)
{
    int *place = mem_new((size_t)x->psf->natom, sizeof *place);
    size_t n = coor_places(x->psf, c->n, place), k = n ? coor_against(x, c, residue, place) : 0;
    /* The atom for the message: where the orders differ, or one of those with equal names. */
    const struct psf_atom *p = &x->psf->atom[n ? place[k < n ? k : 0] : x->twin];
    /* k is the first atom that does not fit. */
    int taken = n > 0 && k == n;
    if (taken)
        coor_explain(x, c, place, file, note);
    else if (n)
        err_set(e, ERR_INPUT,
                "%s:%d: atom %s %s %s %s is where the PSF has %s %s %s %s: do the two files "
                "belong together?",
                file, c->atom[k].line, c->atom[k].segid, c->atom[k].resname, c->atom[k].resid,
                c->atom[k].name, p->segid, p->resname, p->resid, p->name);
    else
        err_set(e, ERR_INPUT,
                "%s: the file has %zu atoms, the PSF %d, more than one of them %s %s %s %s: give "
                "all atoms, in the order of the PSF",
                file, c->n, x->psf->natom, p->segid, p->resname, p->resid, p->name);
    for (k = 0; taken && k < n; k++)
        coor_put(to, place[k], &c->atom[k]);
    mem_free(place);
    return taken;
}

/* ---- choice of the method ------------------------------------------------------------------ */

/* Returns the key that identifies most of the file's atoms; *most is their number. Stops at the
 * first key that identifies all atoms. The table is left with the last key that was tried. */
static enum coor_key coor_best(struct coor_index *x, const struct coor_file *c, const int *residue,
                               size_t *most)
{
    int *line = mem_new((size_t)x->psf->natom, sizeof *line);
    enum coor_key best = COOR_SEGMENT;
    *most = 0;
    /* Keys are tried from the strictest to the loosest. */
    for (enum coor_key key = 0; key < COOR_KEYS && *most < c->n; key++) {
        coor_index(x, key);
        size_t found = coor_try(x, c, residue, line);
        /* Of equal ones, the first. */
        best = found > *most ? key : best;
        *most = found > *most ? found : *most;
    }
    mem_free(line);
    return best;
}

/* Uses the key that identifies most atoms.  If it does not identify all, and all are required,
 * tries their order. With a selection the order says nothing, as the file may have other atoms. */
static int coor_choose(struct coor_index *x, const struct coor_file *c, const int *residue,
                       const char *file, const unsigned char *chosen, const struct coor_set *to,
                       struct err *note, struct err *e)
{
    size_t most;
    enum coor_key best = coor_best(x, c, residue, &most);
    if (chosen && most == 0)
        return err_set(e, ERR_INPUT,
                       "%s: none of its %zu atoms is in the PSF, by segment or residue, number and "
                       "name: do the two files belong together?",
                       file, c->n);
    if (!chosen && most < c->n && coor_take_places(x, c, residue, file, to, note, e))
        return 0;
    /* The index is made again for the best key, as later ones may have replaced it. */
    coor_index(x, best);
    return x->ambiguous && !chosen ? ERR_INPUT
                                   : coor_take(x, c, residue, file, chosen, to, note, e);
}

/* CHARMM writes 9999 for atoms without coordinates; distant atoms lose digits. Lone pairs are
 * placed by their hosts, so they need no coordinates. The limits also catch NAN, which is not near.
 */
int coor_check(const struct psf *psf, const char *where, const double *x, struct err *e)
{
    for (int i = 0; i < psf->natom; i++, x += 3) {
        const struct psf_atom *a = &psf->atom[i];
        int near = fabs(x[0]) <= COOR_MOST && fabs(x[1]) <= COOR_MOST && fabs(x[2]) <= COOR_MOST;
        int unknown = x[0] == COOR_UNKNOWN && x[1] == COOR_UNKNOWN && x[2] == COOR_UNKNOWN;
        if (!a->lonepair && (unknown || !near))
            return err_set(e, ERR_INPUT, "%s: atom %s %s %s %s is at %g, %g, %g: %s", where,
                           a->segid, a->resname, a->resid, a->name, x[0], x[1], x[2],
                           unknown ? "that is CHARMM's mark of an atom without a place: build it "
                                     "first (IC BUILD, HBUILD)"
                                   : "too far away to be computed: is the file damaged?");
    }
    return 0;
}

/* O(atoms) time and memory. If atoms are selected, the others are not checked. */
int coor_match(const struct coor_file *c, const struct psf *psf, const char *file,
               const unsigned char *chosen, const struct coor_set *to, struct err *note,
               struct err *e)
{
    int *of_file = mem_new(c->n, sizeof(int)), *of_psf = mem_new((size_t)psf->natom, sizeof(int));
    struct coor_index index = {.psf = psf, .residue = of_psf, .slots = 16};
    /* At most half full, so that probes are short. A power of two, for the mask in coor_slot(). */
    while (index.slots < 2 * (size_t)psf->natom)
        index.slots *= 2;
    index.slot = mem_new(index.slots, sizeof(int));
    coor_residues(c, psf, of_file, of_psf);
    int status = coor_choose(&index, c, of_file, file, chosen, to, note, e);
    if (!status && !chosen)
        status = coor_check(psf, file, to->x, e);
    mem_free(index.slot);
    mem_free(of_file);
    mem_free(of_psf);
    return status;
}

/* An empty field is 0. Returns 0 if it is no number. (PDB and CRD: the field may be blank.) */
int coor_weight_read(const char *word, struct coor_atom *a)
{
    a->weight = 0;
    return !*word || text_double(word, &a->weight);
}

void coor_free(struct coor_file *c)
{
    mem_free(c->atom);
    memset(c, 0, sizeof *c);
}
