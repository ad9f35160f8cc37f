/* command_scheme.c - combines options, parameter file and box into the scheme for pairs, see
 * hmd_command.h. */
#include <stdio.h>
#include <string.h>

#include "hmd_command.h"
#include "ewald.h"

/* The three distances: as given, else from the parameter file, else CHARMM's 14, 12, 10. Those not
 * given differ from given ones by CHARMM's usual 2 Angstrom. */
static void command_distances(const struct command *o, const struct param_options *f, double *nb,
                              double *off, double *on)
{
    int given = o->pairs.cutnb >= 0 || o->pairs.ctofnb >= 0;
    *off = o->pairs.ctofnb >= 0  ? o->pairs.ctofnb
           : o->pairs.cutnb >= 0 ? o->pairs.cutnb - 2
           : f->ctofnb > 0       ? f->ctofnb
                                 : 12;
    *nb = o->pairs.cutnb >= 0 ? o->pairs.cutnb : !given && f->cutnb > 0 ? f->cutnb : *off + 2;
    *on = o->pairs.ctonnb >= 0 ? o->pairs.ctonnb : !given && f->ctonnb > 0 ? f->ctonnb : *off - 2;
    *on = *on < 0 ? 0 : *on;
}

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
    double width[3];
    if (!cell_make(&cell, o->pairs.box, o->pairs.angle))
        return command_bad_box(o, e);
    cell_widths(&cell, width);
    for (int k = 0; k < 3; k++)
        /* Otherwise two images of one atom would be within the cut-off. */
        if (width[k] < 2 * off)
            return err_set(
                e, ERR_INPUT,
                "%s: a width of %g is less than twice the cut-off of %g Angstrom: take a "
                "larger box or a smaller %s",
                o->input ? "CRYSTAL" : "-box", width[k], off, o->input ? "CTOFNB" : "-ctofnb");
    return 0;
}

/* The name of the requested electrostatics; with RDIE, "r" and the name of the cut-off. */
static const char *command_elec(const struct command *o, const struct param_options *file,
                                char said[sizeof file->elec + 1])
{
    const char *cut = file->elec[0] ? file->elec : "shift";
    if (o->pairs.elec)
        return o->pairs.elec;
    if (file->dielectric != PARAM_RDIE)
        return cut;
    snprintf(said, sizeof file->elec + 1, "r%s", cut);
    return said;
}

int command_scheme(const struct command *o, const struct param_options *file, struct scheme *scheme,
                   double *cutnb, struct err *e)
{
    char said[sizeof file->elec + 1];
    const char *elec = command_elec(o, file, said);
    const char *vdw = o->pairs.vdw ? o->pairs.vdw : file->vdw[0] ? file->vdw : "vswitch";
    double off, on;
    if (param_options_check(file, !o->pairs.nocutoff, e))
        return ERR_INPUT;
    /* All pairs: there is nothing to switch. */
    if (o->pairs.nocutoff) {
        *scheme = scheme_none();
        if (file->dielectric == PARAM_RDIE)
            scheme->elec = SCHEME_ELEC_RTRUNCATE;
        *cutnb = scheme->roff;
        return 0;
    }
    if (file->given[PARAM_LRC].word[0] == 'L' && !(o->pairs.box[0] > 0))
        return err_set(
            e, ERR_INPUT,
            "%s: LRC: the correction for pairs beyond the cut-off needs a density, so a box: "
            "give one, or write NOLRC",
            file->given[PARAM_LRC].where);
    if (scheme_elec_of(elec) < 0)
        return err_set(
            e, ERR_INPUT,
            "%s: %s%s: hmd does not compute these electrostatics: change the file, or say "
            "-elec " COMMAND_ELECS,
            file->elec_where, file->elec, file->dielectric == PARAM_RDIE ? " with RDIE" : "");
    command_distances(o, file, cutnb, &off, &on);
    if (off <= 0 || *cutnb < off || on > off)
        return err_set(e, ERR_INPUT,
                       "cut-offs cutnb %g, ctofnb %g, ctonnb %g: expected cutnb >= ctofnb >= "
                       "ctonnb and ctofnb > 0",
                       *cutnb, off, on);
    if (o->pairs.box[0] > 0 && command_room(o, off, e))
        return ERR_INPUT;
    *scheme = scheme_make((enum scheme_elec)scheme_elec_of(elec),
                          (enum scheme_vdw)scheme_vdw_of(vdw), off, on);
    if (scheme->elec != SCHEME_ELEC_EWALD && command_wants_ewald(o))
        return err_set(e, ERR_INPUT,
                       "-kappa, -ftol, -fft, -order: they mean nothing for -elec %s: say -elec "
                       "ewald or pme",
                       elec);
    if (scheme->elec != SCHEME_ELEC_EWALD)
        return 0;
    /* Options precede words of the parameter files; 0 is chosen by ewald_choose(). */
    scheme->ewald.bare = file->qcor == 0;
    scheme->ewald.pme = strcmp(elec, "pme") == 0;
    scheme->ewald.kappa = o->pairs.kappa > 0 ? o->pairs.kappa : file->kappa;
    scheme->ewald.order = (int)(o->pairs.order > 0 ? o->pairs.order : (long)file->order);
    for (int k = 0; k < 3; k++)
        scheme->ewald.grid[k] = (int)(o->pairs.fft[k] > 0 ? o->pairs.fft[k] : (long)file->fft[k]);
    return ewald_choose(&scheme->ewald, o->pairs.box, off, o->pairs.ftol, e);
}
