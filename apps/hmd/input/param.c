/* param.c - storage and lookup of force-field parameters, see param.h.
 *
 * Bonds, angles, dihedrals and impropers are in hash tables over their four types, so that binding
 * parameters to a structure is linear in its terms.  The few wildcard forms are further lookups
 * with PARAM_X in the key.  Lennard-Jones and NBFIX lines are few and looked up once for each type:
 * they are searched from the end, so the last definition wins.
 *
 * Precedence of wildcards (CHARMM, io.doc): dihedrals A-B-C-D before X-B-C-X; impropers A-B-C-D,
 * A-X-X-D, X-B-C-D, X-B-C-X, X-X-C-D; first match, either direction.  X-X-X-X, with which some
 * programs end the lists of the OPLS force field, comes last.
 *
 * Types are small numbers in the order of their first appearance. A key has four; shorter terms are
 * filled with PARAM_X - 1, which is no type and no wildcard.
 */
#include "param.h"

#include <stdint.h>
#include <string.h>

#include "mem.h"

/* Also the state after param_free(). */
void param_init(struct param *p)
{
    memset(p, 0, sizeof *p);
    param_options_init(&p->options);
}

static void param_table_free(struct param_table *t)
{
    mem_free(t->term);
    mem_free(t->slot);
    mem_free(t->again);
}

/* Strings of files and names belong to others. */
void param_free(struct param *p)
{
    for (size_t i = 0; i < p->maps.ncmap; i++)
        mem_free(p->maps.cmap[i].grid);
    param_table_free(&p->bond);
    param_table_free(&p->angle);
    param_table_free(&p->dihedral);
    param_table_free(&p->improper);
    mem_free(p->types.type);
    mem_free(p->types.number);
    mem_free(p->types.residue_atom);
    mem_free(p->pairs.lj);
    mem_free(p->pairs.nbfix);
    mem_free(p->maps.cmap);
    mem_free(p->read.unit_file);
    mem_free(p->warnings.warning);
    param_init(p);
}

/* Linear in the number of types, some hundred. Names that are too long are truncated; readers check
 * them before. Names are in upper case. It never fails: an unknown name becomes a new type. */
int param_type_of(struct param *p, const char *name)
{
    if (strcmp(name, "X") == 0)
        return PARAM_X;
    for (size_t i = 0; i < p->types.ntype; i++)
        if (strcmp(p->types.type[i].name, name) == 0)
            return (int)i;
    struct param_type *t = mem_add(&p->types.type, p->types.ntype, sizeof *t);
    memset(t, 0, sizeof *t);
    strncpy(t->name, name, PSF_NAME - 1);
    return (int)p->types.ntype++;
}

/* ---- terms -------------------------------------------------------------------------------- A
 * term is never removed from the list, only from its slot. */

/* A term read backwards is the same term: the smaller of both keys is used. Unused positions
 * (PARAM_X - 1) at the end do not take part. */
static void param_canonical(const int key[4], int out[4])
{
    int n = 4;
    while (n > 2 && key[n - 1] == PARAM_X - 1)
        n--;
    int backwards = 0;
    for (int i = 0; i < n && !backwards; i++) {
        /* The first pair of positions that differs decides. A palindrome is the same in both
         * directions. */
        if (key[i] < key[n - 1 - i])
            break;
        backwards = key[i] > key[n - 1 - i];
    }
    for (int i = 0; i < 4; i++)
        out[i] = i < n && backwards ? key[n - 1 - i] : key[i];
}

/* FNV-1a over the four types. The table must have an empty slot. Returns the slot of the key, or
 * the empty one where it belongs. Types are from -2 on, hence + 2. */
static size_t param_slot(const struct param_table *t, const int key[4])
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < 4; i++)
        h = (h ^ (uint32_t)(key[i] + 2)) * 1099511628211u;
    size_t s = (size_t)(h ^ h >> 29) & (t->slots - 1);
    while (t->slot[s] >= 0 && memcmp(t->term[t->slot[s]].key, key, sizeof(int[4])))
        s = (s + 1) & (t->slots - 1);
    return s;
}

/* Doubles the slots and reinserts the first record of each key. Chains of cosines are in the
 * records, so they move with their first. */
static void param_rehash(struct param_table *t)
{
    struct param_table old = *t;
    t->slots = old.slots ? old.slots * 2 : 64;
    t->slot = mem_new(t->slots, sizeof *t->slot);
    memset(t->slot, 0xff, t->slots * sizeof *t->slot);
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i] >= 0)
            t->slot[param_slot(t, t->term[old.slot[i]].key)] = old.slot[i];
    mem_free(old.slot);
}

/* For the warnings of param_repeat(). */
static void param_note_again(struct param_table *t, int before, int now)
{
    struct param_again *again = mem_add(&t->again, t->nagain++, sizeof *again);
    *again = (struct param_again){before, now};
}

/* Appends record `now` to the others of its dihedral; `first` is the first one. All cosines with
 * the same multiplicity are noted: they will be added. */
static void param_append(struct param_table *t, int first, int now)
{
    for (int i = first;; i = t->term[i].next) {
        if (t->term[i].n == t->term[now].n)
            param_note_again(t, i, now);
        if (t->term[i].next < 0) {
            t->term[i].next = now;
            return;
        }
    }
}

/* param_canonical() is applied here and in every look-up. `several`: cosines of one reading are
 * collected; a new reading replaces them. */
void param_add(struct param_table *table, const struct param_term *given, int several)
{
    if (2 * table->n >= table->slots)
        param_rehash(table);
    struct param_term *term = mem_add(&table->term, table->n, sizeof *term);
    int now = (int)table->n++;
    *term = *given;
    param_canonical(given->key, term->key);
    term->next = -1;
    int *slot = &table->slot[param_slot(table, term->key)];
    /* Another cosine of the same dihedral. */
    if (*slot >= 0 && several && table->term[*slot].unit == term->unit) {
        param_append(table, *slot, now);
        return;
    }
    if (*slot >= 0)
        param_note_again(table, *slot, now);
    /* A chain that is replaced stays in the list, for the message. */
    *slot = now;
}

/* Returns the first term for exactly these types, in either direction; NULL: none. */
static const struct param_term *param_exact(const struct param_table *table, const int key[4])
{
    if (!table->slots)
        return NULL;
    int c[4];
    param_canonical(key, c);
    int i = table->slot[param_slot(table, c)];
    return i < 0 ? NULL : &table->term[i];
}

const struct param_term *param_bond(const struct param *p, int a, int b)
{
    const int key[4] = {a, b, PARAM_X - 1, PARAM_X - 1};
    return param_exact(&p->bond, key);
}

const struct param_term *param_angle(const struct param *p, int a, int b, int c)
{
    const int key[4] = {a, b, c, PARAM_X - 1};
    return param_exact(&p->angle, key);
}

/* Tries masks of wildcards in order; bit i of a mask makes position i an X.  Each mask is tried in
 * both directions, which are equal only for a symmetric mask. X is stored like a type, so that a
 * wildcard line is found by an exact look-up. A symmetric mask is looked up twice with the same
 * result, which costs little. */
static const struct param_term *param_wild(const struct param_table *table, const int key[4],
                                           const unsigned char *masks, int n)
{
    for (int m = 0; m < n; m++)
        for (int back = 0; back < 2; back++) {
            int k[4];
            for (int i = 0; i < 4; i++)
                /* Backwards, the key is reversed, not the mask. */
                k[i] = masks[m] >> i & 1 ? PARAM_X : key[back ? 3 - i : i];
            const struct param_term *t = param_exact(table, k);
            if (t)
                return t;
        }
    return NULL;
}

/* Masks of places that are X: none, one end, both ends, all. */
const struct param_term *param_dihedral(const struct param *p, const int key[4])
{
    static const unsigned char masks[] = {0x0, 0x1, 0x9, 0xf};
    return param_wild(&p->dihedral, key, masks, 4);
}

const struct param_term *param_improper(const struct param *p, const int key[4])
{
    /* A-B-C-D, A-X-X-D, X-B-C-D, X-B-C-X, X-X-C-D, X-X-X-X: bit i is position i. */
    static const unsigned char masks[] = {0x0, 0x6, 0x1, 0x9, 0x3, 0xf};
    return param_wild(&p->improper, key, masks, 6);
}

/* ---- names with wildcards ----------------------------------------------------------------- */

/* The last line that matches counts; names may have wildcards. */
const struct param_lj *param_lj_of(const struct param *p, const char *type)
{
    for (size_t i = p->pairs.nlj; i-- > 0;)
        if (text_match(p->pairs.lj[i].name, type))
            return &p->pairs.lj[i];
    return NULL;
}

/* Each name of the line may have wildcards. */
const struct param_nbfix *param_nbfix_of(const struct param *p, const char *a, const char *b)
{
    for (size_t i = p->pairs.nnbfix; i-- > 0;) {
        const struct param_nbfix *f = &p->pairs.nbfix[i];
        if ((text_match(f->name[0], a) && text_match(f->name[1], b)) ||
            (text_match(f->name[0], b) && text_match(f->name[1], a)))
            return f;
    }
    return NULL;
}

/* Both dihedrals must be read in the same direction. Exact types only, searched from the end: the
 * last map wins. */
const struct param_cmap *param_cmap_of(const struct param *p, const int key[8])
{
    int back[8]; /* a dihedral read backwards has the same angle */
    for (int i = 0; i < 4; i++) {
        back[i] = key[3 - i];
        back[4 + i] = key[7 - i];
    }
    for (size_t i = p->maps.ncmap; i-- > 0;)
        if (memcmp(p->maps.cmap[i].key, key, sizeof back) == 0 ||
            memcmp(p->maps.cmap[i].key, back, sizeof back) == 0)
            return &p->maps.cmap[i];
    return NULL;
}
