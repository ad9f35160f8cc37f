/* script_histogram.c - COOR HISTOGRAM: how many of the chosen atoms are where along an axis, or how
 * far from the origin (CHARMM's corman.doc).
 *
 *   COOR HIST X|Y|Z|R HMIN x HMAX x HNUM n [WEIGHT] [COMP] [HSAVE] [HPRINT] [HNORM x] [HDENS x]
 *        [IUNIT unit] [SELE ... END]
 *
 * With HSAVE the next command goes on with what has been counted: in a loop over frames.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

struct script_histogram {
    int along; /* 0 to 2: x, y, z; 3: the distance from the origin; -1: not said */
    double low, high;
    long n;
    double *sum;
    long frames;
};

struct histogram_words {
    struct script_histogram form; /* without sums */
    double norm, density;
    long unit;
    int save, print, weight, comp;
};

void script_histogram_free(struct script *s)
{
    if (s->histogram)
        mem_free(s->histogram->sum);
    mem_free(s->histogram);
    s->histogram = NULL;
}

static int histogram_words(struct script *s, struct histogram_words *w)
{
    struct script_histogram *h = &w->form;
    const struct script_key key[] = {{"X", .flag = &h->along, .is = 0},
                                     {"Y", .flag = &h->along, .is = 1},
                                     {"Z", .flag = &h->along, .is = 2},
                                     {"R", .flag = &h->along, .is = 3},
                                     {"HMIN", .real = &h->low},
                                     {"HMAX", .real = &h->high},
                                     {"HNUM", .count = &h->n},
                                     {"HNORM", .real = &w->norm},
                                     {"HDENS", .real = &w->density},
                                     {"IUNIT", .count = &w->unit},
                                     {"HSAVE", .flag = &w->save, .is = 1},
                                     {"HPRINT", .flag = &w->print, .is = 1},
                                     {"WEIGHTING_ARRAY", .flag = &w->weight, .is = 1},
                                     {"COMPARISON", .flag = &w->comp, .is = 1},
                                     {"MAIN", .flag = &w->comp, .is = 0}};
    if (script_only_keys(s, 2, key, sizeof key / sizeof *key,
                         "COOR HIST takes X, Y, Z or R, HMIN, HMAX, HNUM, WEIGHT, COMP, HSAVE, "
                         "HPRINT, HNORM, HDENS, IUNIT and a selection"))
        return ERR_INPUT;
    s->at = 1;
    if (h->along < 0 || h->n < 1 || h->n > 1000000 || !(h->high > h->low))
        return script_bad(s,
                          "expected X, Y, Z or R, HNUM from 1 to a million, and HMAX above HMIN");
    if (!(w->norm > 0) || w->density < 0)
        return script_bad(s, "expected HNORM above 0, and HDENS from 0 on");
    if (w->unit >= SCRIPT_UNITS || (w->unit >= 0 && !s->unit[w->unit]))
        return script_bad(s, "no OPEN command has given IUNIT a file");
    return w->comp && !s->compare.x ? script_bad(s, "COMP: COOR COPY COMP comes first") : 0;
}

/* What has been saved goes on, if it is of the same form; else a new one begins. */
static int histogram_begin(struct script *s, const struct histogram_words *w)
{
    const struct script_histogram *h = s->histogram, *f = &w->form;
    if (h)
        return h->along == f->along && h->low == f->low && h->high == f->high && h->n == f->n
                   ? 0
                   : script_bad(s, "what HSAVE has kept has another axis, HMIN, HMAX or HNUM: COOR "
                                   "HIST without HSAVE ends it");
    s->histogram = mem_new(1, sizeof *s->histogram);
    *s->histogram = *f;
    s->histogram->sum = mem_new((size_t)f->n, sizeof *f->sum);
    return 0;
}

static void histogram_add(struct script_histogram *h, const struct script *s,
                          const struct histogram_words *w, const unsigned char *set)
{
    const double *x = w->comp ? s->compare.x : s->session.in.x;
    const double *weight = w->comp ? s->compare.w : s->session.in.w;
    int some = 0;
    for (int i = 0; i < s->session.in.psf.natom; i++) {
        const double *at = x + 3 * (size_t)i;
        if (!set[i] || at[0] >= COOR_UNKNOWN)
            continue;
        double v = h->along < 3 ? at[h->along] : hypot(hypot(at[0], at[1]), at[2]);
        double k = floor((v - h->low) / (h->high - h->low) * (double)h->n);
        some = 1;
        if (k >= 0 && k < (double)h->n)
            h->sum[(long)k] += w->weight ? weight[i] : 1;
    }
    h->frames += some;
}

/* The middle of each interval, what is in it, and with HDENS that over what would be in its shell.
 */
static void histogram_print(const struct script_histogram *h, const struct histogram_words *w,
                            FILE *file)
{
    double width = (h->high - h->low) / (double)h->n;
    for (long k = 0; k < h->n; k++) {
        double from = h->low + (double)k * width, to = from + width, sum = h->sum[k] / w->norm;
        fprintf(file, " %14.6f %16.8g", (from + to) / 2, sum);
        if (h->along == 3 && w->density > 0)
            fprintf(file, " %16.8g",
                    sum / (4 * M_PI / 3 * (to * to * to - from * from * from)) / w->density);
        fputc('\n', file);
    }
}

static int histogram_write(struct script *s, const struct histogram_words *w)
{
    int more = w->unit >= 0 && s->written[w->unit], lost = 0;
    if (w->unit >= 0)
        s->written[w->unit] = 1;
    if (s->comm->rank)
        return 0;
    FILE *file = w->unit < 0 ? stdout : fopen(s->unit[w->unit], more ? "a" : "w");
    if (file)
        histogram_print(s->histogram, w, file);
    lost = !file || ferror(file);
    if ((file && file != stdout && fclose(file)) || lost) {
        err_set(s->e, ERR_RUN, "the histogram cannot be written: %s", strerror(errno));
        s->e->mine = 1;
        return script_blame(s, ERR_RUN);
    }
    return 0;
}

int script_histogram(struct script *s)
{
    struct histogram_words w = {.form = {.along = -1}, .norm = 1, .unit = -1};
    unsigned char *set = NULL;
    int status = script_select(s, &set);
    if (!status)
        status = histogram_words(s, &w);
    if (!status && !w.comp)
        status = script_blame(s, script_load(s));
    if (!status)
        status = histogram_begin(s, &w);
    if (!status) {
        histogram_add(s->histogram, s, &w, set);
        script_result(s, "?NCONFIG", (double)s->histogram->frames);
    }
    if (!status && (w.print || w.unit >= 0))
        status = histogram_write(s, &w);
    if (!w.save)
        script_histogram_free(s);
    mem_free(set);
    return status;
}
