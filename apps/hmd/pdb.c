/* pdb.c - coordinates from PDB files, as CHARMM, VMD and NAMD write them.
 *
 * Fixed columns (wwPDB format 3.3; CHARMM and NAMD use four letters for the residue and columns
 * 73-76 for the segment): atom 13-16, residue 18-21, chain 22, number 23-26 with insertion code 27,
 * x y z 31-54, segment 73-76.
 */
#include <string.h>

#include "coor.h"
#include "mem.h"

static int pdb_atom(const char *line, struct text *t, struct coor_atom *a, struct err *e)
{
    char word[16];
    memset(a, 0, sizeof *a);
    a->line = t->line;
    text_columns(line, 12, 4, a->name);
    text_columns(line, 17, 4, a->resname);
    text_columns(line, 22, 5, a->resid);
    text_columns(line, 72, 4, a->segid);
    if (!a->segid[0])
        text_columns(line, 21, 1, a->segid);
    text_upper(a->name);
    text_upper(a->resname);
    text_upper(a->resid);
    text_upper(a->segid);
    for (int k = 0; k < 3; k++) {
        text_columns(line, 30 + 8 * (size_t)k, 8, word);
        if (!text_double(word, &a->x[k]))
            return err_set(e, ERR_INPUT,
                           "%s:%d: coordinate %c of atom %s %s %s is '%s', no finite number",
                           t->name, t->line, 'x' + k, a->resname, a->resid, a->name, word);
    }
    return 0;
}

int pdb_read(struct coor_file *c, struct text *t, struct err *e)
{
    char *line;
    int status = 0;
    memset(c, 0, sizeof *c);
    while (!status && (line = text_line(t))) {
        if (!strncmp(line, "END", 3) && c->n)
            break;
        if (strncmp(line, "ATOM", 4) && strncmp(line, "HETATM", 6))
            continue;
        mem_grow(&c->atom, &c->room, c->n + 1, sizeof *c->atom);
        status = pdb_atom(line, t, &c->atom[c->n++], e);
    }
    if (!status && !c->n)
        status = err_set(e, ERR_INPUT, "%s: no ATOM line in this PDB file", t->name);
    return status;
}
