/* script_say.c - commands that say what there is: READ, OPEN, CRYSTAL, NBONDS, SHAKE, SKIPE.  They
 * fill in what the command line would say (struct command). */
#include <string.h>

#include "script_run.h"

static int script_add(struct script *s, const char **list, int *n, const char *path)
{
    if (*n == COMMAND_FILES)
        return script_bad(s, "too many files");
    list[(*n)++] = path;
    return 0;
}

int script_read(struct script *s)
{
    const char *path;
    int status = script_file(s, 2, &path);
    if (status)
        return status;
    s->changed = 1;
    if (script_is(s, 1, "RTF"))
        return script_add(s, s->o.top, &s->o.ntop, path);
    if (script_is(s, 1, "PARAMETER"))
        return script_add(s, s->o.par, &s->o.npar, path);
    if (script_is(s, 1, "PSF")) {
        s->o.psf = path;
        return 0;
    }
    s->at = 1;
    if (!script_is(s, 1, "COORDINATES"))
        return script_bad(s, "hmd reads RTF, PARA, PSF and COOR: write READ COOR CARD NAME ...");
    s->o.pdb = script_is(s, 2, "PDB") ? path : NULL;
    s->o.crd = s->o.pdb ? NULL : path;
    s->new_coordinates = 1;
    return 0;
}

int script_open(struct script *s)
{
    const char *path = NULL;
    long unit = -1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        if (script_is(s, s->at, "UNIT") && script_count(s, &unit))
            return ERR_INPUT;
        if (script_is(s, s->at, "NAME") && s->at + 1 < s->l.raw.n)
            path = script_keep(s, s->l.raw.at[s->at + 1]);
    }
    s->at = 0;
    if (!path || unit < 0 || unit >= SCRIPT_UNITS)
        return script_bad(s, "expected UNIT with a number from 0 to 99, and NAME with a file");
    s->unit[unit] = script_keep(s, path);
    return 0;
}

int script_crystal(struct script *s)
{
    double v[6];
    if (!script_is(s, 1, "DEFINE"))
        return 0; /* BUILD and the like: images are always made */
    static const char *const shape[3] = {"CUBIC", "TETRAGONAL", "ORTHORHOMBIC"};
    int known = 0;
    for (int k = 0; k < 3; k++)
        known |= script_is(s, 2, shape[k]);
    for (int k = 0; k < 6; k++)
        known &= k + 3 < s->l.word.n && text_double(s->l.word.at[k + 3], &v[k]);
    s->at = 2;
    if (!known || v[0] <= 0 || v[1] <= 0 || v[2] <= 0 || v[3] != 90 || v[4] != 90 || v[5] != 90)
        return script_bad(s, "expected CUBIC, TETRAGONAL or ORTHORHOMBIC, three lengths and 90.0 "
                             "three times: hmd computes boxes with right angles");
    memcpy(s->o.box, v, sizeof s->o.box);
    s->changed = 1;
    return 0;
}

int script_nbonds(struct script *s)
{
    return script_keys(s, 1, NULL, 0);
}

int script_shake(struct script *s)
{
    int kind = CONSTRAIN_NONE;
    const struct script_key key[] = {{"OFF", .flag = &kind, .is = CONSTRAIN_NONE},
                                     {"BONH", .flag = &kind, .is = CONSTRAIN_HYDROGEN},
                                     {"BONDS", .flag = &kind, .is = CONSTRAIN_BONDS},
                                     {"TOL", .real = &s->o.shaketol},
                                     {"TOLERANCE", .real = &s->o.shaketol},
                                     {"PARAMETERS"},
                                     {"FAST"}};
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "SHAKE takes BONH, BOND, OFF, TOL x and PARA");
    }
    s->o.shake = (enum constrain_kind)kind;
    return 0;
}

int script_skipe(struct script *s)
{
    struct system_skip *skip = &s->o.skip;
    const struct script_key key[] = {{"BONDS", .flag = &skip->bond, .is = 1},
                                     {"ANGLES", .flag = &skip->angle, .is = 1},
                                     {"UREYB", .flag = &skip->urey, .is = 1},
                                     {"DIHEDRALS", .flag = &skip->dihedral, .is = 1},
                                     {"IMPROPERS", .flag = &skip->improper, .is = 1},
                                     {"CMAPS", .flag = &skip->cmap, .is = 1},
                                     {"VDW", .flag = &skip->vdw, .is = 1},
                                     {"ELECTROSTATICS", .flag = &skip->elec, .is = 1}};
    memset(skip, 0, sizeof *skip);
    s->changed = 1;
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int found = script_is(s, s->at, "NONE");
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "SKIPE takes BOND ANGL UREY DIHE IMPR CMAP VDW ELEC or NONE");
    }
    return 0;
}
