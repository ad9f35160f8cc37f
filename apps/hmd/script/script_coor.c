/* script_coor.c - COOR: operations on coordinate sets (CHARMM's corman.doc), as far as needed to
 * set up a run.
 *
 *     COOR INIT | COPY | SWAP
 *     COOR SET vector | TRANSLATE vector
 *     COOR ORIENT [RMS] [MASS] [WEIGHT] [NOROTATION]
 *     COOR CONVERT form form [box]                                   (script_convert.c)
 *     COOR RMS | STAT                                                (script_measure.c)
 *
 * each with COMP for the second set, and SELE ... END for the atoms that count, or that are copied
 * or moved; ORIENT moves all atoms.  A vector is XDIR x YDIR y ZDIR z [DIST x] [FACT x].  Each
 * command is a row of a table: its function, and the words that belong to it.
 *
 * The order of a command: verb, selection, files, words, conditions, then the operation. Each task
 * does all of it with equal results; rank 0 prints.
 */
#include "script_coor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "superpose.h"
#include "vec.h"

/* ---- whole sets ------------------------------------------------------------------------------ */

/* 9999 marks an atom without a place, as in CHARMM. WEIGHT sets weights to 0 instead. */
static int coor_init(struct script *s, struct coor_words *w)
{
    for (int i = 0; i < coor_natom(s); i++)
        if (w->set[i] && w->weight)
            w->here.w[i] = 0;
        else if (w->set[i])
            for (int k = 0; k < 3; k++)
                w->here.x[3 * i + k] = COOR_UNKNOWN;
    return 0;
}

/* COPY, SWAP: positions of the selected atoms or, with WEIGHT, their weights. how: 1 exchanges both
 * sets, 0 copies from the other one to `here`. */
static int coor_exchange(struct script *s, struct coor_words *w)
{
    int per = w->weight ? 1 : 3;
    double *here = w->weight ? w->here.w : w->here.x;
    double *there = w->weight ? w->there.w : w->there.x;
    for (int i = 0; i < coor_natom(s) * per; i++)
        if (w->set[i / per]) {
            double v = here[i];
            here[i] = there[i];
            there[i] = w->how ? v : there[i];
        }
    return 0;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* SET, TRANSLATE: by the vector that the words specify, from the origin or from an atom's
 * position. how: 1 adds to the position (TRANSLATE). DIST is the length of the step, and takes only
 * the direction of the vector. */
static int coor_shift(struct script *s, struct coor_words *w)
{
    double length = sqrt(vec_dot(w->dir, w->dir)), scale = w->factor < HUGE_VAL ? w->factor : 1;
    if (w->distance < HUGE_VAL && !(length > 0))
        return script_bad(s, "the vector has no direction: give XDIR, YDIR, ZDIR");
    scale *= w->distance < HUGE_VAL ? w->distance / length : 1;
    for (int i = 0; i < 3 * coor_natom(s); i++)
        if (w->set[i / 3])
            w->here.x[i] = (w->how ? w->here.x[i] : 0) + scale * w->dir[i % 3];
    return 0;
}

/* ---- orientation ----------------------------------------------------------------------------- */

/* With RMS onto the other set, else along its own axes (superpose_axes()). NOROT only moves the
 * centre. All atoms move, also those that do not count for the fit. */
static int coor_orient(struct script *s, struct coor_words *w)
{
    int n = coor_natom(s);
    double *weight = mem_new((size_t)n, sizeof *weight);
    struct superpose m;
    for (int i = 0; i < n; i++)
        weight[i] = coor_weight(s, w, i);
    if (w->rms)
        superpose_fit(&m, n, w->here.x, w->there.x, weight);
    else
        superpose_axes(&m, n, w->here.x, weight);
    /* The centres still move: superpose_move() applies them in any case. */
    for (int k = 0; w->norotation && k < 9; k++)
        /* The unit matrix. */
        m.turn[k / 3][k % 3] = k % 4 == 0;
    superpose_move(&m, n, w->here.x);
    mem_free(weight);
    /* The difference that remains is printed, with the same weights. */
    return w->rms ? coor_rms(s, w) : 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Groups of words. A verb has a mask of them; words outside of the mask are unknown to it. */
enum {
    COOR_COUNTS = 1,  /* MASS, WEIGHT */
    COOR_WEIGHTS = 2, /* WEIGHT: weights instead of positions */
    COOR_VECTOR = 4,  /* XDIR ..., FACT */
    COOR_FIT = 8,     /* RMS, NOROTATION */
    COOR_BOTH = 16,   /* requires the other set */
    COOR_ANY = 32     /* includes atoms without a position */
};

/* The words after COOR, and which further words each takes. */
static const struct coor_verb {
    const char *name;
    int (*run)(struct script *s, struct coor_words *w);
    int words, how; /* how: see struct coor_words */
} coor_verbs[] = {{"INITIALIZE", coor_init, COOR_WEIGHTS | COOR_ANY},
                  {"COPY", coor_exchange, COOR_WEIGHTS | COOR_BOTH | COOR_ANY, 0},
                  {"SWAP", coor_exchange, COOR_WEIGHTS | COOR_ANY, 1},
                  {"SET", coor_shift, COOR_VECTOR | COOR_ANY, 0},
                  {"TRANSLATE", coor_shift, COOR_VECTOR, 1},
                  {"ORIENT", coor_orient, COOR_COUNTS | COOR_FIT},
                  {"CONVERT", coor_convert, 0},
                  {"RMS", coor_rms, COOR_COUNTS | COOR_BOTH},
                  {"STATISTICS", coor_stat, COOR_COUNTS}};

/* NULL: none of them. */
static const struct coor_verb *coor_verb(const struct script *s)
{
    for (size_t k = 0; k < sizeof coor_verbs / sizeof *coor_verbs; k++)
        if (script_is(s, 1, coor_verbs[k].name))
            return &coor_verbs[k];
    return NULL;
}

/* Words of groups that the verb does not have are unknown. Each row is tried alone, so a word is
 * compared with those of its verb only. */
static int coor_parse(struct script *s, const struct coor_verb *v, struct coor_words *w)
{
    const struct {
        int group;
        struct script_key key;
    } row[] = {{~0, {"COMPARISON", .flag = &w->comp, .is = 1}},
               {~0, {"MAIN", .flag = &w->comp, .is = 0}},
               {COOR_COUNTS, {"MASS", .flag = &w->mass, .is = 1}},
               {COOR_COUNTS | COOR_WEIGHTS, {"WEIGHTING_ARRAY", .flag = &w->weight, .is = 1}},
               {COOR_VECTOR, {"FACTOR", .real = &w->factor}},
               {COOR_VECTOR, {"XDIR", .real = &w->dir[0]}},
               {COOR_VECTOR, {"YDIR", .real = &w->dir[1]}},
               {COOR_VECTOR, {"ZDIR", .real = &w->dir[2]}},
               {COOR_VECTOR, {"DISTANCE", .real = &w->distance}},
               {COOR_FIT, {"RMS", .flag = &w->rms, .is = 1}},
               {COOR_FIT, {"NOROTATION", .flag = &w->norotation, .is = 1}}};
    for (s->at = 2; s->at < s->l.word.n; s->at++) {
        int found = 0;
        for (size_t k = 0; !found && k < sizeof row / sizeof *row; k++)
            /* ~0: a word of all verbs. */
            if (row[k].group & v->words || row[k].group == ~0)
                if (script_key(s, &row[k].key, 1, &found))
                    return ERR_INPUT;
        if (!found)
            return script_unknown_word(s, "this is no word of this COOR command in hmd: "
                                          "docs/hmd.md has them");
    }
    s->at = 1;
    return 0;
}

/* All three, so that a single number may have that value. (The other functions call a position
 * unknown if any coordinate is.) */
static int coor_unknown(const double *x)
{
    return x[0] == COOR_UNKNOWN && x[1] == COOR_UNKNOWN && x[2] == COOR_UNKNOWN;
}

/* Atoms without a position, also in the other set if that is used, are excluded from measuring and
 * moving. A warning says how many, as CHARMM's does. */
static void coor_leave_out(const struct script *s, const struct coor_verb *v, struct coor_words *w)
{
    int both = v->words & COOR_BOTH || w->rms, out = 0;
    for (int i = 0; i < coor_natom(s) && !(v->words & COOR_ANY); i++)
        if (w->set[i] && (coor_unknown(w->here.x + 3 * (size_t)i) ||
                          (both && coor_unknown(w->there.x + 3 * (size_t)i)))) {
            w->set[i] = 0;
            out++;
        }
    if (out && s->comm->rank == 0)
        printf(" ** WARNING ** %d ATOMS WITHOUT COORDINATES ARE LEFT OUT\n", out);
}

/* COPY copies from the other set to the one that COMP names. SWAP and COMP make the second set if
 * there is none, without positions. */
static void coor_sets(struct script *s, const struct coor_verb *v, struct coor_words *w)
{
    struct coor_set main = {s->session.in.x, s->session.in.w};
    if (w->comp || (v->run == coor_exchange && v->how))
        script_compare(s);
    w->here = w->comp ? s->compare : main;
    w->there = w->comp ? main : s->compare;
}

/* Words and conditions are checked before anything changes. Coordinates may be missing if a second
 * set exists, as they may be copied from it. */
int script_coor(struct script *s)
{
    struct coor_words w = {.distance = HUGE_VAL, .factor = HUGE_VAL};
    const struct coor_verb *v = coor_verb(s);
    s->at = 1;
    if (script_is(s, 1, "PRINT")) /* same as PRINT COOR */
        return 0;
    if (!v)
        return script_unknown_word(s, "hmd has COOR INIT, COPY, SWAP, SET, TRANS, ORIENT, "
                                      "CONVERT, RMS and STAT");
    w.how = v->how;
    int status = script_select(s, &w.set);
    if (!status)
        /* The selection has read the structure already; this adds the check for coordinates. */
        status = script_blame(s, s->compare.x ? script_load_structure(s) : script_load(s));
    if (!status && v->run == coor_convert)
        status = coor_convert_words(s, &w);
    if (!status)
        status = coor_parse(s, v, &w);
    if (!status)
        coor_sets(s, v, &w);
    if (!status && (v->words & COOR_BOTH || w.rms) && !w.there.x)
        status = script_bad(s, "there are no others: COOR COPY COMP comes first");
    if (!status)
        coor_leave_out(s, v, &w);
    if (!status)
        status = v->run(s, &w);
    /* After COPY and SWAP the main set may have got its first positions. */
    s->placed |= !status && w.there.x && v->run == coor_exchange;
    mem_free(w.set);
    return status;
}
