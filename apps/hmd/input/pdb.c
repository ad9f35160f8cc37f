/* pdb.c - coordinates from PDB files, as CHARMM, VMD and NAMD write them.
 *
 * Fixed columns (wwPDB format 3.3; CHARMM and NAMD use four letters for the residue and columns
 * 73-76 for the segment): atom 13-16, residue 18-21, chain 22, number 23-26 with insertion code 27,
 * x y z 31-54, segment 73-76.
 *
 * Numbers of atoms are ignored when reading, since they wrap at 99999. Only the first model of a
 * file with several is read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coor.h"
#include "mem.h"
#include "runtime/internal.h"

/* Without a segment the chain is used in its place. The line may be shorter than its columns:
 * missing fields are empty. Element and charge are not used. */
static int pdb_atom(const char *line, struct text *t, struct coor_atom *a, struct err *e)
{
    char word[16];
    memset(a, 0, sizeof *a);
    a->line = t->line;
    text_columns(line, 12, 4, a->name);
    text_columns(line, 17, 4, a->resname);
    /* Five columns: the number and the insertion code are one name, such as 27A. */
    text_columns(line, 22, 5, a->resid);
    text_columns(line, 72, 4, a->segid);
    if (!a->segid[0])
        text_columns(line, 21, 1, a->segid);
    text_upper(a->name);
    text_upper(a->resname);
    text_upper(a->resid);
    text_upper(a->segid);
    /* The temperature factor is the weight. */
    text_columns(line, 60, 6, word);
    if (!coor_weight_read(word, a))
        return err_set(e, ERR_INPUT,
                       "%s:%d: the temperature factor of atom %s %s %s is '%s', no number", t->name,
                       t->line, a->resname, a->resid, a->name, word);
    for (int k = 0; k < 3; k++) {
        text_columns(line, 30 + 8 * (size_t)k, 8, word);
        if (!text_double(word, &a->x[k]))
            return err_set(e, ERR_INPUT,
                           "%s:%d: coordinate %c of atom %s %s %s is '%s', no finite number",
                           t->name, t->line, 'x' + k, a->resname, a->resid, a->name, word);
    }
    return 0;
}

/* An END before the first atom does not count: some files begin with one. ENDMDL is matched by its
 * first three letters. */
int pdb_read(struct coor_file *c, struct text *t, struct err *e)
{
    char *line;
    int status = 0;
    memset(c, 0, sizeof *c);
    while (!status && (line = text_line(t))) {
        if (strncmp(line, "END", 3) == 0 && c->n)
            break;
        /* Other records are not needed: the PSF has the structure. */
        if (strncmp(line, "ATOM", 4) && strncmp(line, "HETATM", 6))
            continue;
        status = pdb_atom(line, t, mem_add(&c->atom, c->n++, sizeof *c->atom), e);
    }
    if (!status && !c->n)
        status = err_set(e, ERR_INPUT, "%s: no ATOM line in this PDB file", t->name);
    return status;
}

/* Range of an eight-column field with three decimals. The limits are those of rounding to three
 * decimals. */
static const double PDB_LEAST = -999.9995, PDB_MOST = 9999.9995;

/* An atom outside that range would shift the rest of its line. Checked before the file is opened,
 * so an older file is not lost. */
static int pdb_fits(const char *path, const struct psf *psf, const double *x,
                    const unsigned char *chosen, struct err *e)
{
    for (int i = 0; i < psf->natom; i++, x += 3) {
        const struct psf_atom *a = &psf->atom[i];
        for (int k = 0; k < 3 && (!chosen || chosen[i]); k++)
            if (!(x[k] > PDB_LEAST && x[k] < PDB_MOST))
                return err_set(e, ERR_RUN,
                               "%s: atom %s %s %s %s is at %g, %g, %g, for which a PDB has no "
                               "room: write a CRD",
                               path, a->segid, a->resname, a->resid, a->name, x[0], x[1], x[2]);
    }
    return 0;
}

/* Limits a weight to the width of its columns. The field has six columns with two decimals. */
static double pdb_weight(const struct coor_set *set, int i)
{
    return set->w ? fmax(-99.99, fmin(999.99, set->w[i])) : 0;
}

/* Four-letter names begin one column earlier, as in other programs' files; residue numbers with
 * five digits use the column of the insertion code, as in CHARMM. Atom numbers beyond 99999 wrap.
 * Occupancy is 1, and the weight is the temperature factor. The box is written if there is one, for
 * programs that read CRYST1. */
int pdb_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, const struct cell *cell, struct err *e)
{
    double a[3], angle[3];
    int n = 0;
    struct replacement out;
    FILE *file = pdb_fits(path, psf, set->x, chosen, e) ? NULL : err_create(&out, path, e);
    if (!file)
        return ERR_RUN;
    fprintf(file, "REMARK WRITTEN BY HMD\n");
    /* Also without a box, where the angles are not used. */
    cell_angles(cell, a, angle);
    if (cell->box[0] > 0)
        fprintf(file, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1\n", a[0], a[1], a[2],
                angle[0], angle[1], angle[2]);
    for (int i = 0; i < psf->natom; i++) {
        const struct psf_atom *p = &psf->atom[i];
        const double *x = set->x + 3 * (size_t)i;
        if (chosen && !chosen[i])
            continue;
        fprintf(file, "ATOM  %5d %s%-*.4s %-4.4s %*.5s%s   %8.3f%8.3f%8.3f%6.2f%6.2f      %-4.4s\n",
                ++n % 100000, strlen(p->name) < 4 ? " " : "", strlen(p->name) < 4 ? 3 : 4, p->name,
                p->resname, strlen(p->resid) < 5 ? 4 : 5, p->resid, strlen(p->resid) < 5 ? " " : "",
                x[0], x[1], x[2], 1.0, pdb_weight(set, i), p->segid);
    }
    fprintf(file, "END\n");
    return err_close(&out, e);
}
