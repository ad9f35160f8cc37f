/* chart.c - draws a sheet: lines with marks on linear or logarithmic axes, and a legend on the
 * right in the order of the last row.
 *
 * Series beyond the seventh reuse the first colours, dashed.
 *
 * A series is drawn in one pass over the rows; O(rows * series), no memory. Titles of marks show
 * the exact value when the mouse is over one.
 */
#include "sheet.h"

#include "runtime/internal.h"

#include <math.h>

/* Pixels. RIGHT is the width of the legend. */
enum { WIDTH = 860, HEIGHT = 480, LEFT = 78, RIGHT = 190, TOP = 46, BOTTOM = 52 };

/* One axis.  `from` is the pixel of `low`: on the vertical axis it is below `to`. While the range
 * is searched, low > high means that there was no value yet. */
struct axis {
    double low, high;
    bool logarithmic;
    double from, to; /* pixels in the drawing */
};

/* A chart that is being drawn. */
struct chart {
    const struct sheet *sheet;
    FILE *out;
    struct axis across, up;
};

/* The pixel of a value. The value is within the axis, and above 0 on a logarithmic one. */
static double place(const struct axis *a, double value)
{
    double low = a->low, high = a->high;
    if (a->logarithmic) {
        low = log10(low);
        high = log10(high);
        value = log10(value);
    }
    return a->from + (a->to - a->from) * (value - low) / (high - low);
}

/* Extends the range of an axis.  A logarithmic axis has no place for 0. NAN is a missing value. */
static void include(struct axis *a, double value)
{
    if (isnan(value) || (a->logarithmic && value <= 0))
        return;
    a->low = fmin(a->low, value);
    a->high = fmax(a->high, value);
}

/* Extends a logarithmic axis to powers of ten. At least one decade. */
static void round_logarithmic(struct axis *a)
{
    a->low = pow(10, floor(log10(a->low)));
    a->high = pow(10, ceil(log10(a->high)));
    if (a->high <= a->low)
        a->high = a->low * 10;
}

/* Extends a linear axis to its ticks. It begins at 0 unless all values are far from it. */
static void round_linear(struct axis *a)
{
    /* "Far" is: the lowest value is above 0.7 of the highest. */
    a->low = a->low > 0 && a->low < .7 * a->high ? 0 : a->low;
    a->high = a->high > a->low ? a->high : a->low + 1;
    double step = picture_tick(a->high - a->low, 6);
    a->low = floor(a->low / step) * step;
    a->high = ceil(a->high / step) * step;
}

/* Extends an axis to round ends. Without values it is around 1. */
static void settle(struct axis *a)
{
    if (a->low > a->high)
        a->low = a->high = 1;
    (a->logarithmic ? round_logarithmic : round_linear)(a);
}

/* Computes both axes from all values.  The horizontal one ends at the first and last x, unless
 * these are equal. A single x would make the horizontal axis empty. */
static void measure(struct chart *c)
{
    const struct sheet *s = c->sheet;
    c->across = (struct axis){HUGE_VAL, -HUGE_VAL, s->form.log_across, LEFT, WIDTH - RIGHT};
    c->up = (struct axis){HUGE_VAL, -HUGE_VAL, s->form.log_up, HEIGHT - BOTTOM, TOP};
    for (int r = 0; r < s->rows; r++) {
        include(&c->across, s->x[r]);
        for (int k = 0; k < s->form.count; k++)
            include(&c->up, s->values[r * s->form.count + k]);
    }
    settle(&c->up);
    if (c->across.low >= c->across.high)
        settle(&c->across);
}

/* A grid line over the whole width, and the number on the left. */
static void tick_up(const struct chart *c, double value)
{
    double y = place(&c->up, value);
    fprintf(c->out,
            "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='" PICTURE_GRID "'/>"
            "<text x='%d' y='%.1f' text-anchor='end'>%g</text>\n",
            /* Multiples of a step may miss 0 by rounding, which would print as 1e-17. */
            LEFT, WIDTH - RIGHT, y, y, LEFT - 7, y + 4, fabs(value) < 1e-12 ? 0 : value);
}

/* A short tick below the axis. */
static void tick_across(const struct chart *c, double value)
{
    double x = place(&c->across, value);
    fprintf(c->out,
            "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='" PICTURE_AXIS "'/>"
            "<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n",
            x, x, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 5, x, HEIGHT - BOTTOM + 18, value);
}

/* Ticks at round values: powers of ten, or multiples of a step.  The tolerances include ticks at
 * the ends in spite of rounding. */
static void draw_ticks(const struct chart *c, const struct axis *a,
                       void (*tick)(const struct chart *, double))
{
    if (a->logarithmic) {
        for (double v = pow(10, ceil(log10(a->low) - 1e-9)); v <= a->high * 1.0001; v *= 10)
            tick(c, v);
        return;
    }
    double step = picture_tick(a->high - a->low, 8);
    /* An index times the step, not a running sum, whose rounding errors would add up. */
    for (double k = ceil(a->low / step - 1e-9); k * step <= a->high + step * 1e-6; k++)
        tick(c, k * step);
}

/* Title, ticks with their lines, the frame, and the names of both axes. */
static void draw_frame(const struct chart *c)
{
    const struct sheet_form *f = &c->sheet->form;
    fprintf(c->out, "<text x='%d' y='24' font-size='15' font-weight='bold'>", LEFT);
    picture_text(c->out, f->title);
    fputs("</text>\n", c->out);
    draw_ticks(c, &c->up, tick_up);
    draw_ticks(c, &c->across, tick_across);
    fprintf(c->out,
            "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='" PICTURE_AXIS "'/>\n"
            "<text x='%d' y='%d' text-anchor='middle'>",
            LEFT, TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP, (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 12);
    picture_text(c->out, f->across);
    fprintf(c->out, "</text>\n<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>",
            (TOP + HEIGHT - BOTTOM) / 2);
    picture_text(c->out, f->up);
    fputs("</text>\n", c->out);
}

/* Writes "stroke='...' ..." of a series. Colours repeat after PICTURE_COLOURS series. The attribute
 * list is not closed. */
static void put_stroke(const struct chart *c, int k)
{
    char text[PICTURE_COLOUR_ROOM];
    fprintf(c->out, "stroke='%s'%s", picture_colour(k, 0, text),
            k < PICTURE_COLOURS ? "" : " stroke-dasharray='6 3'");
}

/* Pass 0 draws the line, pass 1 its marks above it.  A missing value joins its neighbours. */
static void draw_series(const struct chart *c, int k)
{
    const struct sheet *s = c->sheet;
    char colour[PICTURE_COLOUR_ROOM];
    picture_colour(k, 0, colour);
    /* The line's element stays open for the points, which pass 0 writes. */
    fputs("<polyline fill='none' ", c->out);
    put_stroke(c, k);
    fputs(" stroke-width='1.7' points='", c->out);
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < s->rows; r++) {
            double value = s->values[r * s->form.count + k];
            if (isnan(value) || (s->form.log_up && value <= 0))
                continue;
            double x = place(&c->across, s->x[r]), y = place(&c->up, value);
            if (pass == 0)
                fprintf(c->out, "%.1f,%.1f ", x, y);
            else
                fprintf(c->out,
                        /* The names of series are plain words, which need no escapes. */
                        "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'><title>%s %g: %g</title>"
                        "</circle>\n",
                        x, y, colour, s->form.series[k], s->x[r], value);
        }
        fputs(pass == 0 ? "'/>\n" : "", c->out);
    }
}

/* Writes the names on the right, in the order in which the lines end, without overlap. Selection by
 * repeated search for the largest remaining value: at most SHEET_SERIES_MOST series. */
static void draw_legend(const struct chart *c)
{
    const struct sheet *s = c->sheet;
    bool done[SHEET_SERIES_MOST] = {false};
    double y = TOP;
    for (int turn = 0; turn < s->form.count && s->rows; turn++) {
        const double *last = s->values + (size_t)(s->rows - 1) * (size_t)s->form.count;
        int next = -1;
        for (int k = 0; k < s->form.count; k++)
            /* A series without a last value comes last. */
            if (!done[k] && (next < 0 || last[k] > last[next] || isnan(last[next])))
                next = k;
        done[next] = true;
        y += 19;
        fprintf(c->out, "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke-width='3' ",
                WIDTH - RIGHT + 14, WIDTH - RIGHT + 36, y - 4, y - 4);
        put_stroke(c, next);
        fprintf(c->out, "/><text x='%d' y='%.1f'>", WIDTH - RIGHT + 42, y);
        picture_text(c->out, s->form.series[next]);
        fputs("</text>\n", c->out);
    }
}

/* Marks of a later series cover earlier lines. */
void sheet_draw(const struct sheet *sheet, FILE *out)
{
    struct chart c = {.sheet = sheet, .out = out};
    measure(&c);
    picture_begin(out, WIDTH, HEIGHT);
    draw_frame(&c);
    for (int k = 0; k < sheet->form.count; k++)
        draw_series(&c, k);
    draw_legend(&c);
    picture_end(out);
}
