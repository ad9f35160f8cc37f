/* crd.c - CHARMM's coordinate card files (also used for velocities).
 *
 * Titles ("*" lines), then the number of atoms (with EXT for the wide form), then one line per
 * atom: short I5,I5,1X,A4,1X,A4,3F10.5,1X,A4,1X,A4,F10.5, wide
 * I10,I10,2X,A8,2X,A8,3F20.10,2X,A8,2X,A8,F20.10 (CHARMM's io.doc).  Fixed columns are used if they
 * contain numbers, else the words of the line (files edited by hand).  The wide form is written.
 *
 * Reading does not need the structure. Numbers of atoms and residues in the file are ignored,
 * because they are truncated in large files.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "coor.h"
#include "mem.h"
#include "runtime/internal.h"

/* Columns from 0. The narrow form cannot have more than 99999 atoms. */
struct crd_form {
    unsigned char resname, name, x, segid, resid, weight; /* first columns */
    unsigned char text, number;                           /* widths */
};
static const struct crd_form crd_narrow = {11, 16, 20, 51, 56, 60, 4, 10};
static const struct crd_form crd_wide = {22, 32, 40, 102, 112, 120, 8, 20};

/* Names with blanks inside mean that the columns are shifted: then the line is read by words. 0:
 * the line is not of this form; *a is then partly set. */
static int crd_columns(const char *line, const struct crd_form *f, struct coor_atom *a)
{
    char word[32];
    for (int k = 0; k < 3; k++) {
        text_columns(line, (size_t)f->x + (size_t)k * f->number, f->number, word);
        if (!text_double(word, &a->x[k]))
            return 0;
    }
    text_columns(line, f->resname, f->text, a->resname);
    text_columns(line, f->name, f->text, a->name);
    text_columns(line, f->segid, f->text, a->segid);
    text_columns(line, f->resid, f->text, a->resid);
    /* The weight is after the residue number, and may be missing. */
    text_columns(line, f->weight, f->number, word);
    if (!coor_weight_read(word, a))
        return 0;
    /* Without these three names nothing could be matched. A segment may be blank. */
    return a->name[0] && a->resname[0] && a->resid[0] && !strpbrk(a->name, " \t") &&
           !strpbrk(a->resname, " \t") && !strpbrk(a->segid, " \t");
}

/* Word 0 and 1 are the numbers of atom and residue, which are not used. At least nine; the weight
 * is the tenth. 0: no such line. */
static int crd_words(char *line, struct coor_atom *a)
{
    struct words w;
    words_split(&w, line);
    if (w.n < 9)
        return 0;
    for (int k = 0; k < 3; k++)
        if (!text_double(w.at[4 + k], &a->x[k]))
            return 0;
    if (!coor_weight_read(w.n > 9 ? w.at[9] : "", a))
        return 0;
    char *to[4] = {a->resname, a->name, a->segid, a->resid};
    const int from[4] = {2, 3, 7, 8};
    for (int k = 0; k < 4; k++)
        if (!psf_name(to[k], w.at[from[k]]))
            return 0;
    return 1;
}

/* By columns, as CHARMM writes, or by words. Blank lines before it are skipped. The line is cut
 * into words only if the columns fail. */
static int crd_atom(struct text *t, const struct crd_form *f, struct coor_atom *a, struct err *e)
{
    char *line = text_line(t);
    while (!line[strspn(line, " \t\r")] && t->pos < t->end)
        line = text_line(t);
    /* For messages of matching. */
    a->line = t->line;
    if (!crd_columns(line, f, a) && !crd_words(line, a))
        return err_set(e, ERR_INPUT,
                       "%s:%d: no coordinates in this line: expected number, residue number, "
                       "residue, atom, x, y, z (finite), segment, residue number, weight (a "
                       "number, or nothing)",
                       t->name, t->line);
    text_upper(a->resname);
    text_upper(a->name);
    text_upper(a->segid);
    text_upper(a->resid);
    return 0;
}

/* Reads the line with the number of atoms. CHARMM itself switches to the wide form at 100000
 * atoms. The title lines before it begin with an asterisk. */
static int crd_header(struct text *t, const struct crd_form **form, long *count, struct err *e)
{
    char *line;
    struct words w = {.n = 0};
    while ((line = text_line(t))) {
        /* A line of the title. */
        if (*line == '*')
            continue;
        words_split(&w, line);
        if (w.n)
            break;
    }
    /* A quarter of INT_MAX, as coordinates are indexed by 3 * atom. */
    if (w.n == 0 || !text_long(w.at[0], count) || *count < 1 || *count > INT_MAX / 4)
        return err_set(e, ERR_INPUT, "%s:%d: '%s' where a CRD file has its number of atoms",
                       t->name, t->line, w.n ? w.at[0] : "end of file");
    *form =
        (w.n > 1 && strncmp(w.at[1], "EXT", 3) == 0) || *count >= 100000 ? &crd_wide : &crd_narrow;
    return 0;
}

/* The count is only a limit: memory grows with the lines that exist. On an error the caller frees
 * what was read. */
int crd_read(struct coor_file *c, struct text *t, struct err *e)
{
    const struct crd_form *form;
    long count;
    memset(c, 0, sizeof *c);
    int status = crd_header(t, &form, &count, e);
    for (long i = 0; !status && i < count; i++) {
        /* Before memory is added for an atom that is not there. */
        if (t->pos >= t->end)
            return err_set(e, ERR_INPUT,
                           "%s:%d: the file ends after %ld of %ld atoms: is it complete?", t->name,
                           t->line, i, count);
        status = crd_atom(t, form, mem_add(&c->atom, c->n++, sizeof *c->atom), e);
    }
    return status;
}

/* Rank 0 only. The residue number counts from 1 through all segments. The file is replaced when it
 * is complete. Numbers of atoms are those of the file, without atoms that are not chosen. */
int crd_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, struct err *e)
{
    struct replacement out;
    FILE *file = err_create(&out, path, e);
    int residue = 0, n = 0;
    if (!file)
        return ERR_RUN;
    for (int i = 0; i < psf->natom; i++)
        n += !chosen || chosen[i];
    fprintf(file, "* WRITTEN BY HMD\n*\n%10d  EXT\n", n);
    for (int i = n = 0; i < psf->natom; i++) {
        const struct psf_atom *a = &psf->atom[i], *b = i ? a - 1 : NULL;
        /* Residues that are not chosen count as well, so a residue keeps its number. */
        residue += !b || strcmp(a->resid, b->resid) || strcmp(a->segid, b->segid);
        const double *x = set->x + 3 * (size_t)i;
        if (chosen && !chosen[i])
            continue;
        fprintf(file, "%10d%10d  %-8s  %-8s%20.10f%20.10f%20.10f  %-8s  %-8s%20.10f\n", ++n,
                residue, a->resname, a->name, x[0], x[1], x[2], a->segid, a->resid,
                set->w ? set->w[i] : 0);
    }
    return err_close(&out, e);
}
