/* psf_write.c - writes a structure file in the EXT form, which CHARMM, VMD and others read.
 *
 * The flag XPLOR is set if the structure has named types. Sections without data in hmd (lone pairs)
 * are empty, and all atoms are in one group.
 *
 * Numbers of atoms in the file are from 1. A structure that was read and written again has the same
 * terms in the same order. Donors without hydrogen are written as 0.
 */
#include <stdio.h>

#include "psf.h"
#include "runtime/internal.h"

enum { WRITE_LINE = 8, WRITE_ANGLES = 9 }; /* numbers per line */

/* The last column is 1 for fixed atoms. Charges have six decimals, masses five. */
static void write_atoms(const struct psf *psf, int named, FILE *file)
{
    fprintf(file, "%10d !NATOM\n", psf->natom);
    for (int i = 0; i < psf->natom; i++) {
        const struct psf_atom *a = &psf->atom[i];
        fprintf(file, "%10d %-8s %-8s %-8s %-8s ", i + 1, a->segid, a->resid, a->resname, a->name);
        if (named)
            fprintf(file, "%-6s", a->type);
        else
            fprintf(file, "%4ld", a->type_number);
        fprintf(file, " %14.6f%14.5f%8d\n", a->charge, a->mass, a->fixed);
    }
}

/* Writes numbers that count from 0, several per line; if there are none, a blank line. Every
 * section ends with a blank line, as readers expect. */
static void write_numbers(const int *number, size_t n, int line, FILE *file)
{
    for (size_t k = 0; k < n; k++)
        fprintf(file, "%10d%s", number[k] + 1, (k + 1) % (size_t)line && k + 1 < n ? "" : "\n");
    if (n == 0)
        fputc('\n', file);
    fputc('\n', file);
}

/* mark: the section's name, with CHARMM's explanation. */
static void write_terms(const struct psf_terms *t, int atoms, const char *mark, FILE *file)
{
    fprintf(file, "%10d %s\n", t->count, mark);
    write_numbers(t->atom, (size_t)t->count * (size_t)atoms, atoms == 3 ? WRITE_ANGLES : WRITE_LINE,
                  file);
}

/* The partners, then for each atom the number of partners up to and including its own. The pairs
 * must be sorted by their first atom, as psf_read() makes them. */
static void write_excluded(const struct psf *psf, FILE *file)
{
    const struct psf_terms *x = &psf->excluded;
    fprintf(file, "%10d !NNB\n", x->count);
    for (int k = 0; k < x->count; k++)
        fprintf(file, "%10d%s", x->atom[2 * k + 1] + 1,
                (k + 1) % WRITE_LINE && k + 1 < x->count ? "" : "\n");
    fputc('\n', file);
    for (int i = 0, k = 0; i < psf->natom; i++) {
        /* The pairs of this atom. */
        while (k < x->count && x->atom[2 * k] == i)
            k++;
        fprintf(file, "%10d%s", k, (i + 1) % WRITE_LINE && i + 1 < psf->natom ? "" : "\n");
    }
    fputc('\n', file);
}

/* CHARMM reads groups, but hmd has none: one for all atoms. Sections that programs require are
 * written even if empty. */
static void write_sections(const struct psf *psf, int named, FILE *file)
{
    fprintf(file, "PSF EXT%s%s\n\n%10d !NTITLE\n* WRITTEN BY HMD\n\n",
            psf->cross.count ? " CMAP" : "", named ? " XPLOR" : "", 1);
    write_atoms(psf, named, file);
    fputc('\n', file);
    write_terms(&psf->bond, 2, "!NBOND: bonds", file);
    write_terms(&psf->angle, 3, "!NTHETA: angles", file);
    write_terms(&psf->dihedral, 4, "!NPHI: dihedrals", file);
    write_terms(&psf->improper, 4, "!NIMPHI: impropers", file);
    write_terms(&psf->donor, 2, "!NDON: donors", file);
    write_terms(&psf->acceptor, 2, "!NACC: acceptors", file);
    write_excluded(psf, file);
    fprintf(file, "%10d%10d !NGRP NST2\n%10d%10d%10d\n\n", 1, 0, 0, 0, 0);
    if (psf->cross.count)
        write_terms(&psf->cross, 8, "!NCRTERM: cross-terms", file);
}

/* Types are names if all atoms have one. Rank 0 only. The file is replaced when it is complete. */
int psf_write(const char *path, const struct psf *psf, struct err *e)
{
    struct replacement out;
    FILE *file = err_create(&out, path, e);
    int named = 1;
    if (!file)
        return ERR_RUN;
    for (int i = 0; i < psf->natom; i++)
        named &= psf->atom[i].type[0] != 0;
    write_sections(psf, named, file);
    return err_close(&out, e);
}
