/* script_write.c - WRITE: coordinates, the structure, and titles (CHARMM's io.doc).
 *
 *     WRITE COOR CARD|PDB NAME file [COMP] [SELE ... END]   WRITE PSF CARD NAME file
 *     WRITE TITLE UNIT n
 *
 * Inputs use the last one to make tables: "* @i ?ENER" in a loop writes a line each time. Files of
 * WRITE COOR and PSF are replaced as a whole; the old one stays after an error.
 */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "runtime/internal.h"
#include "script_run.h"

/* Writes the lines of the following title, with names replaced and without asterisks. file is NULL
 * on all tasks but the first: they read the lines as well, to stay at the same place. */
static int write_lines(struct script *s, FILE *file)
{
    char text[SCRIPT_LINE], name[SCRIPT_NAME];
    while (s->l.t.pos < s->l.t.end && *s->l.t.pos == '*') {
        /* Behind the asterisk. */
        const char *line = text_line(&s->l.t) + 1;
        line += strspn(line, " \t");
        if (script_line_replace(&s->l, line, text, sizeof text, name) != 1) {
            s->at = 1;
            return script_bad(s, "a name in these lines has no value, or one is too long");
        }
        /* An empty line of the title writes nothing. */
        if (*line && file)
            fprintf(file, "%s\n", text);
    }
    return 0;
}

/* WRITE TITLE: writes the lines of the following title; to a unit they are appended after OPEN. The
 * first title of a unit replaces the file, later ones append. After an error the replaced file is
 * as before. */
static int write_title(struct script *s)
{
    const char *path;
    int status = script_file(s, 2, &path);
    long unit = -1; /* script_file() stops at it */
    if (status)
        return status;
    /* A file by NAME has no unit, and is replaced by each title. */
    if (!script_is(s, s->at, "NAME"))
        text_long(s->l.word.at[s->at], &unit);
    struct replacement out = {0};
    int more = unit >= 0 && s->units.written[unit], first = s->comm->rank == 0, code = HN_OK;
    if (first)
        code = more ? replace_append(&out, path) : replace_open(&out, path);
    /* Also on the tasks that write nothing, so that all know the same. */
    if (unit >= 0)
        s->units.written[unit] = 1;
    status = write_lines(s, out.file);
    if (first)
        code = replace_close(&out, status ? HN_EARG : code);
    /* Only rank 0 knows of this error. */
    if (!status && code) {
        status = err_of(code, s->e);
        s->e->mine = 1;
    }
    return script_blame(s, status);
}

/* Words of WRITE COOR other than the file: which set, and which atoms. s->at ends at the kind of
 * file, which messages then show. */
static int write_words(struct script *s, int *comp)
{
    for (s->at = 2; s->at < s->l.word.n; s->at++) {
        if (script_is(s, s->at, "NAME") || script_is(s, s->at, "UNIT"))
            s->at++;
        else if (script_is(s, s->at, "COMPARISON"))
            *comp = 1;
        else if (!script_is(s, s->at, "OFFICIAL") && !script_is(s, s->at, "EXTENDED") &&
                 !script_is(s, s->at, "CARD") && !script_is(s, s->at, "PDB") &&
                 !script_is(s, s->at, "XPLOR"))
            return script_bad(s, "WRITE takes NAME and a file, or UNIT and a number; for COOR also "
                                 "COMP and SELE ... END");
    }
    s->at = 1;
    return *comp && !s->compare.x ? script_bad(s, "COMP: there is no second set") : 0;
}

/* Without a selection, all atoms. Positions that are unknown are written as 9999. */
static int write_coordinates(struct script *s, int pdb)
{
    const char *path;
    unsigned char *set = NULL;
    int comp = 0, status = script_select(s, &set);
    if (!status)
        status = script_file(s, 2, &path);
    if (!status)
        status = write_words(s, &comp);
    if (!status)
        status = script_load(s);
    if (!status) {
        status = session_write(&s->session, path, pdb, comp ? &s->compare : NULL, set, s->e);
        /* The write happens on rank 0 alone. */
        s->e->mine = status != 0;
    }
    mem_free(set);
    return script_blame(s, status);
}

/* Lone pairs cannot be written, because a section !NUMLP is not supported there. */
static int write_structure(struct script *s)
{
    const char *path;
    int comp = 0, status = script_file(s, 2, &path);
    if (!status)
        status = write_words(s, &comp);
    if (!status)
        status = script_load_structure(s);
    /* A PSF with lone pairs needs that section. */
    if (!status && s->session.in.psf.nlonepair)
        return script_bad(s, "hmd does not write structures with lone pairs");
    if (!status && s->comm->rank == 0) {
        status = psf_write(path, &s->session.in.psf, s->e);
        s->e->mine = status != 0;
    }
    return script_blame(s, status);
}

int script_write(struct script *s)
{
    /* PSF has no PDB form; for coordinates PDB wins over CARD. */
    int pdb = script_has(s, "PDB"), card = script_has(s, "CARD");
    s->at = 1;
    if (script_is(s, 1, "TITLE"))
        return write_title(s);
    if (script_is(s, 1, "PSF") && card && !pdb)
        return write_structure(s);
    if (script_is(s, 1, "COORDINATES") && (pdb || card))
        return write_coordinates(s, pdb);
    return script_bad(s, "hmd has WRITE COOR CARD|PDB, WRITE PSF CARD and WRITE TITLE, each with "
                         "NAME ... or UNIT n");
}
