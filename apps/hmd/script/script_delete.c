/* script_delete.c - DELETE ATOM SELE ... END (CHARMM's struct.doc).
 *
 * The PSF file is read again, without the deleted atoms (psf_delete()); positions, velocities,
 * weights and COOR's second set are kept for the others.  Other settings of single atoms would have
 * to be made again, so DELETE is rejected if there are any, except that named selections are
 * dropped. Cost: a reading of all files, and a compaction of the arrays.
 */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* Returns why atoms cannot be deleted; NULL: they can. The first reason counts. */
static const char *delete_refused(const struct script *s, const unsigned char *set)
{
    const struct script_atoms *a = &s->atoms;
    int left = 0;
    for (int i = 0; i < a->natom; i++)
        left += !set[i];
    if (!left)
        return "no atom would be left";
    /* Lists by atom would not fit afterwards. */
    if (a->nanchor || a->ntwist || a->frozen)
        return "atoms are restrained or fixed: DELETE comes before CONS";
    if (a->charge || a->mass || a->friction || a->nlength || a->nloose)
        return "SHAKE or SCALAR CHARGE, MASS or FBETA was said of atoms: DELETE comes before them";
    return psf_left_alone(&s->session.in.psf, set) >= 0
               ? "a lone pair would lose a host: delete both, .BYRES. helps"
               : NULL;
}

/* Marks them by their index in the file, from which some are already deleted. s->gone counts atoms
 * of the file, set those of the present structure. set is in the numbering of the present
 * structure. */
static void delete_mark(struct script *s, const unsigned char *set)
{
    int natom = s->session.in.psf.natom, file = 0;
    if (!s->gone)
        s->gone = mem_new((size_t)natom, 1);
    for (int i = 0; i < natom; i++, file++) {
        /* Atoms of the file that are deleted already have no counterpart in the structure. */
        while (s->gone[file])
            file++;
        s->gone[file] = set[i];
    }
    s->o.atoms.gone = s->gone;
}

/* Compacts an array with `width` numbers per atom. In place: an element never moves upwards. */
static void delete_numbers(double *v, int width, const unsigned char *set, int natom)
{
    int to = 0;
    for (int i = 0; i < natom; i++)
        if (!set[i])
            memmove(v + (size_t)width * (size_t)to++, v + (size_t)width * (size_t)i,
                    (size_t)width * sizeof *v);
}

/* Reads the structure again; the remaining atoms keep their positions. The arrays are taken out of
 * the session before it is loaded again, and put back compacted. The session owns the arrays again
 * after a success; otherwise they are freed, and the run ends. */
static int delete_from(struct script *s, const unsigned char *set)
{
    /* Taken out as well, since another number of atoms would clear it. */
    struct input *in = &s->session.in, old = {.x = in->x, .v = in->v, .w = in->w};
    struct coor_set compare = s->compare;
    int natom = in->psf.natom;
    delete_mark(s, set);
    /* Positions are in memory from now on, not in a file. */
    s->placed |= s->o.files.crd || s->o.files.pdb;
    s->o.files.crd = s->o.files.pdb = NULL;
    in->x = in->v = in->w = NULL;
    s->compare = (struct coor_set){NULL, NULL};
    s->changed = s->new_coordinates = 1;
    int status = script_blame(s, script_load_structure(s));
    delete_numbers(old.x, 3, set, natom);
    delete_numbers(old.v, 3, set, natom);
    delete_numbers(old.w, 1, set, natom);
    /* The new structure is the old one without the marked atoms, in the same order. */
    size_t left = (size_t)in->psf.natom;
    if (!status) {
        memcpy(in->x, old.x, 3 * left * sizeof *old.x);
        memcpy(in->v, old.v, 3 * left * sizeof *old.v);
        memcpy(in->w, old.w, left * sizeof *old.w);
    }
    mem_free(old.x);
    mem_free(old.v);
    mem_free(old.w);
    if (compare.x) {
        delete_numbers(compare.x, 3, set, natom);
        delete_numbers(compare.w, 1, set, natom);
    }
    s->compare = compare;
    return status;
}

/* DELETE ATOM with a selection of none is no error. It changes the structure of the session only,
 * not the PSF file. */
int script_delete(struct script *s)
{
    unsigned char *set = NULL;
    s->at = 1;
    if (!script_is(s, 1, "ATOM") || !script_selects(s))
        return script_bad(s, "hmd deletes atoms: DELETE ATOM SELE ... END; terms alone, never");
    int status = script_select(s, &set), chosen = 0;
    if (status)
        return status;
    s->at = 2;
    /* SORT is accepted: the lists are in order in any case. */
    const char *why = s->l.word.n > 2 + script_is(s, 2, "SORT") ? "DELETE ATOM takes SELE ... END"
                                                                : delete_refused(s, set);
    s->at = why && s->l.word.n > 2 ? 2 : 0;
    for (int i = 0; i < s->atoms.natom; i++)
        chosen += set[i];
    if (why)
        status = script_bad(s, why);
    else if (chosen)
        status = delete_from(s, set);
    if (!status && s->comm->rank == 0)
        printf(" DELTIC> %6d atoms deleted, %6d left\n", chosen, s->session.in.psf.natom);
    mem_free(set);
    return status;
}
