/* svg.c - a plot of the energies of a run, see svg.h.
 *
 * Three panels over the same time axis: how potential and kinetic energy move against each other
 * while what is conserved stays (each from its own mean, one scale), the total energy on a scale of
 * its own (and what is conserved, where a thermostat makes that another number), and the
 * temperature.  Ticks stand at round numbers.  Long runs are thinned to a point every other pixel.
 */
#include "svg.h"

#include "runtime/internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SVG_INK = -1 };
enum { SVG_WIDTH = 900, SVG_HEIGHT = 720, SVG_LEFT = 90, SVG_RIGHT = 20, SVG_PANEL = 180 };

struct svg_curve {
    const char *name;
    int colour; /* picture_colour(); SVG_INK: that of text */
    size_t at;  /* offset of the column in struct sample */
};

struct svg_panel {
    const char *title;
    int about_mean; /* draw deviations from the mean */
    int curves;
    struct svg_curve curve[3];
};

static const struct svg_panel svg_panels[] = {
    {"energy from its mean, kcal/mol",
     1,
     3,
     {{"potential", 0, offsetof(struct sample, ener)},
      {"kinetic", 1, offsetof(struct sample, totk)},
      {"conserved", SVG_INK, offsetof(struct sample, conserved)}}},
    {"total energy from its mean, kcal/mol, on a scale of its own",
     1,
     2,
     {{"total", 2, offsetof(struct sample, tote)},
      {"conserved", SVG_INK, offsetof(struct sample, conserved)}}},
    {"temperature, K", 0, 1, {{"temperature", 3, offsetof(struct sample, temp)}}},
};
enum { SVG_PANELS = sizeof svg_panels / sizeof *svg_panels };

struct svg {
    FILE *file;
    const struct samples *s;
    struct sample mean;
    double top, low, high; /* of the panel being drawn */
    double begin, end;     /* ps */
};

static double svg_value(const struct svg *g, const struct svg_panel *p, int curve, size_t i)
{
    double v, m;
    memcpy(&v, (const char *)&g->s->at[i] + p->curve[curve].at, sizeof v);
    memcpy(&m, (const char *)&g->mean + p->curve[curve].at, sizeof m);
    return p->about_mean ? v - m : v;
}

/* The curves of a panel: one that would lie on another hides it, and is left out. */
static int svg_curves(const struct svg *g, const struct svg_panel *p)
{
    for (size_t i = 0; i < g->s->n; i++)
        if (p->curves > 1 && svg_value(g, p, 0, i) != svg_value(g, p, 1, i))
            return p->curves;
    return 1;
}

static double svg_x(const struct svg *g, double time)
{
    return SVG_LEFT + (SVG_WIDTH - SVG_LEFT - SVG_RIGHT) * (time - g->begin) / (g->end - g->begin);
}

static double svg_y(const struct svg *g, double v)
{
    return g->top + SVG_PANEL * (g->high - v) / (g->high - g->low);
}

static void svg_range(struct svg *g, const struct svg_panel *p)
{
    g->low = HUGE_VAL;
    g->high = -HUGE_VAL;
    for (int c = 0; c < p->curves; c++)
        for (size_t i = 0; i < g->s->n; i++) {
            double v = svg_value(g, p, c, i);
            g->low = fmin(g->low, v);
            g->high = fmax(g->high, v);
        }
    double margin = fmax((g->high - g->low) * 0.08, 1e-6 * fmax(fabs(g->high), 1e-3));
    g->low -= margin;
    g->high += margin;
}

static void svg_axes(const struct svg *g, const struct svg_panel *p, int last)
{
    double step = picture_tick(g->high - g->low, 5), right = SVG_WIDTH - SVG_RIGHT;
    for (double v = ceil(g->low / step) * step; v <= g->high; v += step) {
        double y = svg_y(g, v);
        fprintf(g->file,
                "<line x1='%d' x2='%.0f' y1='%.1f' y2='%.1f' stroke='" PICTURE_GRID "'/>"
                "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>\n",
                SVG_LEFT, right, y, y, SVG_LEFT - 8, y + 4, fabs(v) < step / 1e6 ? 0 : v);
    }
    step = picture_tick(g->end - g->begin, 8);
    for (double t = ceil(g->begin / step) * step; t <= g->end * (1 + 1e-9); t += step) {
        double x = svg_x(g, t);
        fprintf(g->file,
                "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='" PICTURE_AXIS "'/>\n", x, x,
                g->top + SVG_PANEL, g->top + SVG_PANEL + 5);
        if (last)
            fprintf(g->file, "<text x='%.1f' y='%.1f' text-anchor='middle'>%.6g</text>\n", x,
                    g->top + SVG_PANEL + 20, t);
    }
    fprintf(g->file,
            "<rect x='%d' y='%.1f' width='%d' height='%d' fill='none' stroke='" PICTURE_AXIS "'/>"
            "<text x='%d' y='%.1f' font-weight='bold'>%s</text>\n",
            SVG_LEFT, g->top, SVG_WIDTH - SVG_LEFT - SVG_RIGHT, SVG_PANEL, SVG_LEFT, g->top - 8,
            p->title);
}

static void svg_curve(const struct svg *g, const struct svg_panel *p, int c, int curves)
{
    size_t every = g->s->n / (SVG_WIDTH / 2) + 1;
    char colour[PICTURE_COLOUR_ROOM] = PICTURE_INK;
    if (p->curve[c].colour != SVG_INK)
        picture_colour(p->curve[c].colour, 0, colour);
    fprintf(g->file, "<polyline fill='none' stroke='%s' stroke-width='1.3' points='", colour);
    for (size_t i = 0; i < g->s->n; i += every)
        fprintf(g->file, "%.1f,%.1f ", svg_x(g, g->s->at[i].time), svg_y(g, svg_value(g, p, c, i)));
    fprintf(g->file, "'/>\n");
    if (curves > 1)
        fprintf(g->file, "<text x='%d' y='%.1f' text-anchor='end' fill='%s'>%s</text>\n",
                SVG_WIDTH - SVG_RIGHT - 110 * (curves - 1 - c), g->top - 8, colour,
                p->curve[c].name);
}

static void svg_draw(struct svg *g)
{
    char drift[64] = "too short for a drift";
    if (samples_drift_known(g->s))
        snprintf(drift, sizeof drift, "drift %+.4g kcal/mol/ps", samples_drift(g->s));
    picture_begin(g->file, SVG_WIDTH, SVG_HEIGHT);
    fprintf(g->file,
            "<text x='%d' y='22' font-size='15' font-weight='bold'>hmd: %.6g ps, mean total energy "
            "%.3f kcal/mol, %s</text>\n",
            SVG_LEFT, g->end - g->begin, g->mean.tote, drift);
    for (int k = 0; k < SVG_PANELS; k++) {
        g->top = 60 + k * (SVG_PANEL + 35);
        svg_range(g, &svg_panels[k]);
        svg_axes(g, &svg_panels[k], k == SVG_PANELS - 1);
        int curves = svg_curves(g, &svg_panels[k]);
        for (int c = 0; c < curves; c++)
            svg_curve(g, &svg_panels[k], c, curves);
    }
    fprintf(g->file, "<text x='%d' y='%d' text-anchor='middle'>time, ps</text>\n",
            (SVG_WIDTH + SVG_LEFT) / 2, SVG_HEIGHT - 5);
    picture_end(g->file);
}

int svg_write(const char *path, const struct samples *s, struct err *e)
{
    struct svg g = {.s = s};
    struct sample fluctuation;
    g.file = err_create(path, e);
    if (!g.file)
        return ERR_RUN;
    samples_mean(s, &g.mean, &fluctuation);
    g.begin = s->at[0].time;
    g.end = s->at[s->n - 1].time > g.begin ? s->at[s->n - 1].time : g.begin + 1;
    svg_draw(&g);
    return err_close(g.file, path, e);
}
