/* restart_charmm.c - see restart_charmm.h.
 *
 * Parts are found by name, so those that only some of CHARMM's methods and versions write do not
 * matter.  Source: the files themselves, and CHARMM's dynamc.doc; the symmetric matrix of CRYSTAL
 * PARAMETERS is crystl.doc's, in the order xx, xy, yy, xz, yz, zz.
 *
 * Numbers are in columns of fixed width, three to a line.
 */
#include "restart_charmm.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

enum { RESTART_WIDTH = 22 }; /* of a number: D22.15 */

/* The first word of CHARMM's file. */
int restart_charmm_is(const struct text *t)
{
    return strncmp(t->pos, "REST ", 5) == 0;
}

void restart_charmm_free(struct restart_charmm *r)
{
    for (int k = 0; k < RESTART_PARTS; k++)
        mem_free(r->part[k]);
    memset(r, 0, sizeof *r);
}

/* The line is the last one that was read. */
static int charmm_bad(const struct text *t, const char *want, struct err *e)
{
    return err_set(e, ERR_INPUT,
                   "%s:%d: expected %s: is this a restart file of CHARMM, and complete?", t->name,
                   t->line, want);
}

/* Reads one Fortran number: for three-digit exponents Fortran omits the exponent letter. 1.5-101 is
 * 1.5E-101. */
static int charmm_number(char *word, double *v)
{
    char *sign = strpbrk(word + (*word == '-' || *word == '+'), "+-");
    char text[RESTART_WIDTH + 2];
    if (!sign || !isdigit((unsigned char)sign[-1]))
        return text_double(word, v);
    snprintf(text, sizeof text, "%.*sE%s", (int)(sign - word), word, sign);
    return text_double(text, v);
}

/* Reads n numbers (a multiple of 3), three per line, in columns that may touch. */
static int charmm_numbers(struct text *t, double *v, size_t n, struct err *e)
{
    char word[RESTART_WIDTH + 1];
    for (size_t i = 0; i < n; i += 3) {
        const char *line = text_line(t);
        /* By columns, not by words: wide numbers have no blank between them. */
        for (size_t k = 0; k < 3; k++) {
            if (line)
                text_columns(line, k * RESTART_WIDTH, RESTART_WIDTH, word);
            if (!line || !charmm_number(word, &v[i + k]))
                return charmm_bad(t, "three numbers of 22 columns", e);
        }
    }
    return 0;
}

/* Reads "!NATOM,NPRIV,...": the number of atoms, and the step. The line has at least seven counts;
 * only the first two are used. Velocities and moves of another number of atoms would be read
 * without an error, hence the check. */
static int charmm_counts(struct restart_charmm *r, struct text *t, struct err *e)
{
    struct words w = {.n = 0};
    char *line = text_line(t);
    long natom, step;
    if (line)
        words_split(&w, line);
    if (w.n < 7 || !text_long(w.at[0], &natom) || !text_long(w.at[1], &step) || step < 0)
        return charmm_bad(t, "the numbers of atoms and of steps", e);
    if (natom != r->natom)
        return err_set(e, ERR_INPUT,
                       "%s:%d: restart file for %ld atoms, but the structure has %d: take the PSF "
                       "that the run began with",
                       t->name, t->line, natom, r->natom);
    r->step = step;
    return 0;
}

/* The six numbers are the lower triangle, row by row. */
static int charmm_crystal(struct restart_charmm *r, struct text *t, struct err *e)
{
    double m[6];
    if (charmm_numbers(t, m, 6, e))
        return ERR_INPUT;
    r->boxed = 1;
    cell_set(&r->cell, (const double[3]){m[0], m[2], m[5]}, (const double[3]){m[4], m[3], m[1]});
    return r->cell.box[0] > 0 && cell_volume(&r->cell) > 0
               ? 0
               : charmm_bad(t, "a box that has a volume", e);
}

/* Reads the part named in `line`; skips unknown ones. A second part of the same name is skipped. */
static int charmm_part(struct restart_charmm *r, const char *line, struct text *t, struct err *e)
{
    static const char *const names[RESTART_PARTS] = {"!XOLD, YOLD, ZOLD", "!VX, VY, VZ",
                                                     "!X, Y, Z"};
    size_t n = 3 * (size_t)r->natom;
    if (strncmp(line, "!NATOM", 6) == 0)
        return charmm_counts(r, t, e);
    if (strncmp(line, "!CRYSTAL", 8) == 0)
        return charmm_crystal(r, t, e);
    for (int k = 0; k < RESTART_PARTS; k++)
        if (strncmp(line, names[k], strlen(names[k])) == 0 && !r->part[k]) {
            r->part[k] = mem_new(n, sizeof(double));
            return charmm_numbers(t, r->part[k], n, e);
        }
    return 0;
}

/* Sections that hmd does not use are skipped. After an error the caller frees the parts. */
int restart_charmm_read(struct restart_charmm *r, struct text *t, int natom, struct err *e)
{
    char *line;
    int status = 0;
    *r = (struct restart_charmm){.natom = natom, .step = -1};
    while (!status && (line = text_line(t)))
        status = charmm_part(r, line + strspn(line, " "), t, e);
    for (int k = 0; !status && k < RESTART_PARTS; k++)
        if (!r->part[k] || r->step < 0)
            status = charmm_bad(t, "NATOM, XOLD, VX and X with their numbers", e);
    return status;
}
