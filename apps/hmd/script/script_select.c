/* script_select.c - selections: SELE ... END in the words of a command, and DEFINE name SELE ...
 * END (CHARMM's select.doc).
 *
 * There may be several selections in a command: each call takes the first that is left. A set
 * belongs to the caller, a set with a name to the script.
 */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_array.h"

/* Returns the index of the first selection; beyond the last word: none. */
static int selection_begins(const struct script *s)
{
    int at = 1;
    while (at < s->l.word.n && !script_is(s, at, "SELECTION"))
        at++;
    return at;
}

int script_selects(const struct script *s)
{
    return selection_begins(s) < s->l.word.n;
}

/* Prints the selection for SHOW. show: the word SHOW was given. */
static void selection_show(struct script *s, const unsigned char *set, int show)
{
    int natom = s->session.in.psf.natom, chosen = 0;
    for (int i = 0; i < natom; i++)
        chosen += set[i];
    if (show && s->comm->rank == 0)
        printf(" SELRPN> %6d atoms have been selected out of %6d\n", chosen, natom);
}

/* The files are read first, since names refer to the structure. *set is NULL after an error, and
 * the caller may free it in any case. */
int script_select(struct script *s, unsigned char **set)
{
    int from = selection_begins(s), to, at = 0;
    int status = script_blame(s, script_load_structure(s));
    *set = NULL;
    if (status)
        return status;
    size_t natom = (size_t)s->session.in.psf.natom;
    *set = mem_new(natom, 1);
    /* Without a selection all atoms are meant. */
    memset(*set, 1, natom);
    for (to = from + 1; to < s->l.word.n && !script_is(s, to, "END");)
        to++;
    if (from == s->l.word.n)
        return 0;
    /* SHOW may be the last word before END, or follow END (DEFINE). */
    int show = to > from + 1 && script_is(s, to - 1, "SHOW");
    const struct select_world w = {.psf = &s->session.in.psf,
                                   .x = s->session.in.x,
                                   .known = s->atoms.known,
                                   .nknown = s->atoms.nknown,
                                   .array = script_array_by_name,
                                   .of = s};
    const char *why = to == s->l.word.n ? "the selection has no END"
                                        : select_atoms(&w, s->l.word.at + from + 1,
                                                       to - from - 1 - show, *set, &at);
    if (why) {
        /* The word of the selection that is wrong, or SELE if there is no END. */
        s->at = to == s->l.word.n ? from : from + 1 + at;
        mem_free(*set);
        *set = NULL;
        return script_bad(s, why);
    }
    selection_show(s, *set, show);
    script_known_selection(s, *set);
    /* The command's own words remain. */
    script_line_cut(&s->l, from, to);
    return 0;
}

/* A name that exists is replaced. The word SHOW after the name is what script_select() has left. */
int script_define(struct script *s)
{
    struct script_atoms *a = &s->atoms;
    unsigned char *set;
    int k = 0, status = script_select(s, &set);
    if (status)
        return status;
    s->at = 1;
    int show = script_is(s, 2, "SHOW");
    if (s->l.word.n != 2 + show || strlen(s->l.word.at[1]) >= PSF_NAME)
        status = script_bad(s, "expected DEFINE, a name of 15 letters at most, SELE ... END, SHOW");
    /* The place of the name, or the next free one. (names have no blanks, and are in upper case).
     */
    while (!status && k < a->nknown && strcmp(a->known[k].name, s->l.word.at[1]))
        k++;
    if (!status && k == SCRIPT_KNOWN)
        status = script_bad(s, "too many selections have names");
    if (status) {
        mem_free(set);
        return status;
    }
    /* The former set of that name, or NULL. */
    mem_free(a->known[k].set);
    strcpy(a->known[k].name, s->l.word.at[1]);
    a->known[k].set = set;
    a->nknown += k == a->nknown;
    selection_show(s, set, show);
    return 0;
}
