/* command_scheme.c - combines options, parameter file and box into the scheme for pairs, see
 * hmd_command.h.
 *
 * Options and parameter file are merged before (param_options_merge()).  Here names become kinds,
 * defaults are set, and contradictions are found: between distances, with the width of the box, and
 * with Ewald's sum.  Messages name the script's words or the options, as the user gave them.
 */
#include <stdio.h>
#include <string.h>

#include "hmd_command.h"
#include "ewald.h"

/* Used by input.c, too, which makes the box. */
int command_bad_box(const struct command *o, struct err *e)
{
    return err_set(
        e, ERR_INPUT,
        "-box: there is no box with angles of %g, %g and %g degrees: each has to be less "
        "than the sum of the others, and all together less than 360",
        o->pairs.angle[0], o->pairs.angle[1], o->pairs.angle[2]);
}

/* Checks that no atom interacts with two images of another one. The width of the box, not its
 * lengths, is what counts in a skewed box. */
static int command_room(const struct command *o, double off, struct err *e)
{
    struct cell cell;
    if (!cell_make(&cell, o->pairs.box, o->pairs.angle))
        return command_bad_box(o, e);
    if (cell_width(&cell) >= 2 * off)
        return 0;
    return err_set(e, ERR_INPUT,
                   "%s: a width of %g is less than twice the cut-off of %g Angstrom: take a larger "
                   "box or a smaller %s",
                   o->input ? "CRYSTAL" : "-box", cell_width(&cell), off,
                   o->input ? "CTOFNB" : "-ctofnb");
}

/* Empty names mean shift and vswitch. Distances are in Angstrom. */
int command_scheme(const struct command *o, const struct param_options *all, struct scheme *scheme,
                   double *cutnb, struct err *e)
{
    char elec[sizeof all->elec + 1];
    const char *vdw = all->vdw[0] ? all->vdw : "vswitch";
    double off = all->ctofnb;
    snprintf(elec, sizeof elec, "%s%s", all->dielectric == PARAM_RDIE ? "r" : "",
             all->elec[0] ? all->elec : "shift");
    if (param_options_check(all, !o->pairs.nocutoff, e))
        return ERR_INPUT;
    /* All pairs: there is nothing to switch. */
    if (o->pairs.nocutoff) {
        *scheme = scheme_none();
        if (all->dielectric == PARAM_RDIE)
            scheme->elec = SCHEME_ELEC_RTRUNCATE;
        *cutnb = scheme->roff;
        return 0;
    }
    /* word is empty, LRC or NOLRC. */
    if (all->given[PARAM_LRC].word[0] == 'L' && !(o->pairs.box[0] > 0))
        return err_set(
            e, ERR_INPUT,
            "%s: LRC: the correction for pairs beyond the cut-off needs a density, so a box: "
            "give one, or write NOLRC",
            all->given[PARAM_LRC].where);
    if (scheme_elec_of(elec) < 0)
        return err_set(e, ERR_INPUT,
                       "%s: %s with RDIE: hmd does not compute these electrostatics: change the "
                       "file, or say -elec " COMMAND_ELECS,
                       all->elec_where, all->elec);
    *cutnb = all->cutnb;
    /* Pairs are listed farther than they interact, so that a list serves several steps. */
    if (off <= 0 || *cutnb < off || all->ctonnb > off)
        return err_set(e, ERR_INPUT,
                       "cut-offs cutnb %g, ctofnb %g, ctonnb %g: expected cutnb >= ctofnb >= "
                       "ctonnb and ctofnb > 0",
                       *cutnb, off, all->ctonnb);
    /* Without a box there are no images to exclude. */
    if (o->pairs.box[0] > 0 && command_room(o, off, e))
        return ERR_INPUT;
    *scheme = scheme_make((enum scheme_elec)scheme_elec_of(elec),
                          (enum scheme_vdw)scheme_vdw_of(vdw), off, all->ctonnb);
    /* A script may set them for a later command, so that is no error. */
    if (scheme->elec != SCHEME_ELEC_EWALD && !o->input && command_wants_ewald(o))
        return err_set(e, ERR_INPUT,
                       "-kappa, -ftol, -fft, -order: they mean nothing for -elec %s: say -elec "
                       "ewald or pme",
                       elec);
    if (scheme->elec != SCHEME_ELEC_EWALD)
        return 0;
    scheme->ewald =
        (struct scheme_ewald){.bare = all->qcor == 0,
                              .pme = strcmp(elec, "pme") == 0,
                              .kappa = all->kappa,
                              .order = (int)all->order,
                              .grid = {(int)all->fft[0], (int)all->fft[1], (int)all->fft[2]}};
    /* CHARMM's default where the script gives a grid; otherwise ewald_choose() takes 6. */
    if (scheme->ewald.order == 0 && o->input && all->fft[0] > 0)
        scheme->ewald.order = COMMAND_ORDER;
    return ewald_choose(&scheme->ewald, o->pairs.box, off, o->pairs.ftol, e);
}
