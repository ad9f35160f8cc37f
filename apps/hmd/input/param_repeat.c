/* param_repeat.c - repeated definitions of parameters: CHARMM's rules, and a warning.
 *
 * Within one reading of a file, lines for the same dihedral are added, also those with the same
 * multiplicity.  Otherwise the later definition wins.  Both may be intended or a mistake, and
 * change energies.  So repeated definitions with different values cause a warning.
 *
 * The tables note what was repeated while a file is read; this file compares the values afterwards.
 * Equal values are normal and no reason for a warning.
 */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "param.h"

enum { REPEAT_NAMES = 8 * (PSF_NAME + 1) }; /* bytes: a cross term (CMAP) has eight types */

/* Numbers from 1; the name must live as long as *p. */
void param_unit(struct param *p, const char *file)
{
    const char **kept = mem_add(&p->read.unit_file, (size_t)p->read.units++, sizeof *kept);
    *kept = file;
}

/* A new empty warning at the end of the list. */
static struct err *repeat_warning(struct param *p)
{
    struct err *warning = mem_add(&p->warnings.warning, p->warnings.nwarning++, sizeof *warning);
    return memset(warning, 0, sizeof *warning);
}

/* "A B C D": the names of the first n types. Unused positions of the key end the list. */
static void repeat_names(const struct param *p, const int *key, int n, char out[REPEAT_NAMES])
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < n && key[i] >= PARAM_X; i++)
        used += (size_t)snprintf(out + used, REPEAT_NAMES - used, "%s%s", i ? " " : "",
                                 key[i] == PARAM_X ? "X" : p->types.type[key[i]].name);
}

/* The later one counts; both places are named. */
static void repeat_replaced(struct param *p, const char *kind, const char *names, int unit,
                            int line, int before_unit, int before_line)
{
    err_set(repeat_warning(p), 0,
            "%s:%d: the %s of %s is given again: this one counts, not that of %s:%d",
            p->read.unit_file[unit - 1], line, kind, names, p->read.unit_file[before_unit - 1],
            before_line);
}

/* ---- bonds, angles, torsions ------------------------------------------------------------ */

/* Bitwise, as both come from the same kind of text. */
static int repeat_same_term(const struct param_term *a, const struct param_term *b)
{
    return a->n == b->n && memcmp(a->v, b->v, sizeof a->v) == 0;
}

/* True if two dihedrals have the same cosines, in any order. Every cosine of one must occur in the
 * other, and their numbers must be equal. Chains are short, so two nested loops will do. */
static int repeat_same(const struct param_table *t, int a, int b)
{
    int left = 0;
    for (int i = b; i >= 0; i = t->term[i].next)
        left++;
    for (int i = a; i >= 0; i = t->term[i].next) {
        int j = b;
        while (j >= 0 && !repeat_same_term(&t->term[i], &t->term[j]))
            j = t->term[j].next;
        /* No equal cosine. */
        if (j < 0)
            return 0;
        left--;
    }
    return left == 0;
}

/* Both count, which may not be intended. */
static void repeat_added(struct param *p, const char *names, const struct param_term *before,
                         const struct param_term *now)
{
    err_set(repeat_warning(p), 0,
            "%s:%d: the dihedral of %s with multiplicity %d is given again: both terms count, "
            "this one (K %g, %g degrees) and that of line %d (K %g, %g degrees)",
            p->read.unit_file[now->unit - 1], now->line, names, now->n, now->v[0], now->v[1],
            before->line, before->v[0], before->v[1]);
}

/* Definitions with equal values are no reason for a warning: streams repeat them often. The list of
 * repeats is emptied. */
static void repeat_terms(struct param *p, struct param_table *t, const char *kind, int several)
{
    char names[REPEAT_NAMES];
    for (size_t i = 0; i < t->nagain; i++) {
        const struct param_term *before = &t->term[t->again[i].before];
        const struct param_term *now = &t->term[t->again[i].now];
        repeat_names(p, now->key, 4, names);
        if (several && before->unit == now->unit)
            repeat_added(p, names, before, now);
        else if (!repeat_same(t, t->again[i].before, t->again[i].now))
            repeat_replaced(p, kind, names, now->unit, now->line, before->unit, before->line);
    }
    t->nagain = 0;
}

/* ---- pairs and maps --------------------------------------------------------------------- */

/* For each entry from `first` on, finds the last earlier one for the same types. Quadratic in the
 * number of lines, some hundred. Only lines since the last call are new (`first`). */
static void repeat_lj(struct param *p, size_t first)
{
    for (size_t i = first; i < p->pairs.nlj; i++)
        for (size_t j = i; j-- > 0;) {
            const struct param_lj *a = &p->pairs.lj[j], *b = &p->pairs.lj[i];
            if (strcmp(a->name, b->name) != 0)
                continue;
            if (a->raw_eps != b->raw_eps || a->rmin2 != b->rmin2 || a->eps14 != b->eps14 ||
                a->rmin2_14 != b->rmin2_14)
                repeat_replaced(p, "Lennard-Jones line", b->name, b->unit, b->line, a->unit,
                                a->line);
            break;
        }
}

/* In either order. (NBFIX has no direction.) */
static int repeat_same_pair(const struct param_nbfix *a, const struct param_nbfix *b)
{
    int straight = strcmp(a->name[0], b->name[0]) == 0 && strcmp(a->name[1], b->name[1]) == 0;
    int crossed = strcmp(a->name[0], b->name[1]) == 0 && strcmp(a->name[1], b->name[0]) == 0;
    return straight || crossed;
}

static void repeat_nbfix(struct param *p, size_t first)
{
    char names[REPEAT_NAMES];
    for (size_t i = first; i < p->pairs.nnbfix; i++)
        for (size_t j = i; j-- > 0;) {
            const struct param_nbfix *a = &p->pairs.nbfix[j], *b = &p->pairs.nbfix[i];
            if (!repeat_same_pair(a, b))
                continue;
            snprintf(names, sizeof names, "%s %s", b->name[0], b->name[1]);
            if (a->eps != b->eps || a->rmin != b->rmin || a->eps14 != b->eps14 ||
                a->rmin14 != b->rmin14)
                repeat_replaced(p, "NBFIX", names, b->unit, b->line, a->unit, a->line);
            break;
        }
}

static void repeat_cmap(struct param *p, size_t first)
{
    char names[REPEAT_NAMES];
    for (size_t i = first; i < p->maps.ncmap; i++)
        for (size_t j = i; j-- > 0;) {
            const struct param_cmap *a = &p->maps.cmap[j], *b = &p->maps.cmap[i];
            size_t bytes = (size_t)a->n * (size_t)a->n * sizeof *a->grid;
            if (memcmp(a->key, b->key, sizeof a->key) != 0)
                continue;
            repeat_names(p, b->key, 8, names);
            /* Grids are compared only if they are equally large, which memcmp() relies on. */
            if (a->n != b->n || memcmp(a->grid, b->grid, bytes) != 0)
                repeat_replaced(p, "CMAP", names, b->unit, b->line, a->unit, a->line);
            break;
        }
}

/* Called after each file, so that messages are in the order of reading. Tables and lists have their
 * own notes of what is new. */
void param_repeat(struct param *p)
{
    repeat_terms(p, &p->bond, "bond", 0);
    repeat_terms(p, &p->angle, "angle", 0);
    repeat_terms(p, &p->dihedral, "dihedral", 1);
    repeat_terms(p, &p->improper, "improper", 0);
    repeat_lj(p, p->pairs.lj_seen);
    repeat_nbfix(p, p->pairs.nbfix_seen);
    repeat_cmap(p, p->maps.cmap_seen);
    p->pairs.lj_seen = p->pairs.nlj;
    p->pairs.nbfix_seen = p->pairs.nnbfix;
    p->maps.cmap_seen = p->maps.ncmap;
}
