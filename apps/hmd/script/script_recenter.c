/* script_recenter.c - where the atoms of a frame stand in its box (CHARMM's images.doc,
 * dynamc.doc):
 *
 *   IMAGE BYATOM|BYRESIDUE|BYSEGMENT|FIXED [XCEN x YCEN y ZCEN z] [SELE ... END]
 *   MERGE ... RECENTER       MERGE ... UNFOLD
 *
 * hmd keeps no images, so IMAGE says only what RECENTER moves as a whole: each atom, residue or
 * segment to where its centre is nearest to that of MERGE's second selection.  UNFOLD undoes what
 * such moves did in a trajectory: an atom goes on by the shortest way from where it was in the
 * frame before.  In either case by whole vectors of the frame's box.
 */
#include <string.h>

#include "mem.h"
#include "script_frames.h"
#include "vec.h"

enum centring { CENTRE_FIXED, CENTRE_ATOM, CENTRE_RESIDUE, CENTRE_SEGMENT };

int script_image(struct script *s)
{
    static const struct {
        const char *name;
        enum centring centring;
    } row[] = {{"FIXED", CENTRE_FIXED},
               {"BYATOM", CENTRE_ATOM},
               {"BYRESIDUE", CENTRE_RESIDUE},
               {"BYSEGMENT", CENTRE_SEGMENT}};
    struct script_atoms *a = &s->atoms;
    unsigned char *set = NULL;
    size_t k = 0;
    while (k < sizeof row / sizeof *row && !script_is(s, 1, row[k].name))
        k++;
    if (k == sizeof row / sizeof *row) /* how images are made: they always are */
        return 0;
    int status = script_select(s, &set);
    if (!status && !a->centring)
        a->centring = mem_new((size_t)a->natom, 1);
    for (int i = 0; !status && i < a->natom; i++)
        a->centring[i] = set[i] ? (unsigned char)row[k].centring : a->centring[i];
    mem_free(set);
    return status;
}

/* ---- RECENTER -------------------------------------------------------------------------------- */

/* The first atom behind those that move together with atom i. */
static int recenter_end(const struct script *s, int i)
{
    const struct psf *p = &s->session.in.psf;
    const unsigned char *centring = s->atoms.centring;
    int end = i + 1;
    while (end < p->natom && centring[end] == centring[i] && centring[i] >= CENTRE_RESIDUE &&
           (centring[i] == CENTRE_RESIDUE ? !psf_residue_begins(p, end)
                                          : !strcmp(p->atom[end].segid, p->atom[i].segid)))
        end++;
    return end;
}

/* Moves the atoms first ... end - 1 to the image whose centre is nearest to `to`. */
static void recenter_unit(const struct cell *c, double *x, int first, int end, const double to[3])
{
    double d[3] = {-to[0], -to[1], -to[2]}, v[3];
    for (int i = first; i < end; i++)
        vec_add(d, 1.0 / (end - first), x + 3 * (size_t)i);
    cell_closest(c, d, v);
    for (int i = first; i < end; i++)
        vec_add(x + 3 * (size_t)i, -1, v);
}

void recenter_frame(const struct script *s, const unsigned char *set, double *x)
{
    int natom = s->session.in.psf.natom;
    double centre[3] = {0}, n = 0;
    for (int i = 0; i < natom; i++)
        n += set[i];
    for (int i = 0; i < natom; i++)
        vec_add(centre, set[i] / n, x + 3 * (size_t)i);
    for (int i = 0, end; i < natom; i = end) {
        end = recenter_end(s, i);
        if (s->atoms.centring[i] != CENTRE_FIXED)
            recenter_unit(&s->session.in.system.cell, x, i, end, centre);
    }
}

int recenter_check(struct script *s, const struct script_fit *fit)
{
    int some = 0;
    s->at = 0;
    if ((fit->recenter || fit->unfold) && s->session.in.system.cell.box[0] <= 0)
        return script_bad(s, "RECENTER and UNFOLD need a box: CRYSTAL DEFINE comes first");
    if (!fit->recenter)
        return 0;
    if (fit->unfold)
        return script_bad(s, "RECENTER and UNFOLD undo each other: leave one of them out");
    for (int i = 0; s->atoms.centring && i < s->atoms.natom; i++)
        some |= s->atoms.centring[i] != CENTRE_FIXED;
    if (!some)
        return script_bad(s, "IMAGE BYRES SELE ... END, or BYSEG, says what RECENTER moves: it "
                             "comes first");
    for (int i = 0; i < s->atoms.natom; i++)
        if (fit->set[i])
            return 0;
    return script_bad(s, "the second selection, around which RECENTER puts the others, has no "
                         "atoms");
}

/* ---- UNFOLD ---------------------------------------------------------------------------------- */

void unfold_frame(const struct script *s, double *before, int first, double *x)
{
    size_t n = 3 * (size_t)s->session.in.psf.natom;
    for (size_t i = 0; !first && i < n; i += 3) {
        double d[3], v[3];
        for (int k = 0; k < 3; k++)
            d[k] = x[i + (size_t)k] - before[i + (size_t)k];
        cell_closest(&s->session.in.system.cell, d, v);
        vec_add(x + i, -1, v);
    }
    memcpy(before, x, n * sizeof *x);
}
