/* script_write.c - WRITE: coordinates, the structure, and titles (CHARMM's io.doc).
 *
 *   WRITE COOR CARD|PDB NAME file   WRITE PSF CARD NAME file   WRITE TITLE UNIT n
 *
 * The last is how inputs make tables: "* @i ?ENER" in a loop, a line each time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "script_run.h"

/* The unit that the command names, or -1. */
static long write_unit(const struct script *s)
{
    long unit = -1;
    for (int k = 1; k + 1 < s->l.word.n; k++)
        if (script_is(s, k, "UNIT") && text_long(s->l.word.at[k + 1], &unit))
            return unit;
    return -1;
}

/* WRITE TITLE: the lines of the title that follows, names replaced and without their asterisks; to
 * a unit they are added behind what it has since OPEN. */
static int write_title(struct script *s)
{
    const char *path;
    char text[SCRIPT_LINE], name[SCRIPT_NAME];
    int status = script_file(s, 2, &path);
    long unit = write_unit(s);
    if (status)
        return status;
    int more = unit >= 0 && s->written[unit];
    FILE *file = s->comm->rank ? NULL : fopen(path, more ? "a" : "w");
    if (unit >= 0)
        s->written[unit] = 1;
    while (!status && s->l.t.pos < s->l.t.end && *s->l.t.pos == '*') {
        const char *line = text_line(&s->l.t) + 1;
        line += strspn(line, " \t");
        if (script_line_replace(&s->l, line, text, sizeof text, name) != 1) {
            s->at = 1;
            status = script_bad(s, "a name in these lines stands for nothing, or one is too long");
        } else if (*line && file)
            fprintf(file, "%s\n", text);
    }
    int lost = !s->comm->rank && (!file || ferror(file));
    if ((file && fclose(file)) || lost) {
        status = err_set(s->e, ERR_RUN, "%s: cannot be written: %s", path, strerror(errno));
        s->e->mine = 1;
    }
    return script_blame(s, status);
}

int script_write(struct script *s)
{
    const char *path;
    s->at = 1;
    if (script_is(s, 1, "TITLE"))
        return write_title(s);
    int pdb = script_is(s, 2, "PDB"), psf = script_is(s, 1, "PSF");
    if (!(psf || script_is(s, 1, "COORDINATES")) || !((pdb && !psf) || script_is(s, 2, "CARD")))
        return script_bad(s, "hmd has WRITE COOR CARD|PDB, WRITE PSF CARD and WRITE TITLE, each "
                             "with NAME ... or UNIT n");
    int status = script_file(s, 3, &path);
    if (!status)
        status = script_load(s);
    if (!status && psf && s->session.in.psf.nlonepair)
        return script_bad(s, "hmd does not write structures with lone pairs");
    if (!status && psf && s->comm->rank == 0)
        status = psf_write(path, &s->session.in.psf, s->e);
    else if (!status && !psf)
        status = session_write(&s->session, path, pdb, s->e);
    s->e->mine = status != 0;
    return script_blame(s, status);
}
