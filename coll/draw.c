/* draw.c - timing diagrams.
 *
 * Lanes are 34 pixels high for few ranks and 11 for many, so that 5 and 64 ranks both fit a page;
 * times are scaled to the makespan, and the left margin to the longest name. Colours go round the
 * hue circle with the number of the first block of the message. The flights of very many messages
 * would hide everything else: then a flight shows while the mouse is on its message.
 */
#include "draw.h"

#include "hnow.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 1000, TOP = 56, RIGHT = 30, BOTTOM = 34 };
enum { LEFT_LEAST = 60, LETTER = 6, NAME_MOST = 40 }; /* pixels, pixels, letters */
enum { FLIGHTS_MOST = 400 };                          /* messages */

struct canvas {
    const struct drawing *drawing;
    FILE *file;
    double lane, scale; /* pixels a lane, pixels a picosecond */
    int left;           /* where time 0 is */
};

static double at_time(const struct canvas *c, hn_time time)
{
    return c->left + (double)time * c->scale;
}

/* Top of a rank's lane. */
static double at_rank(const struct canvas *c, int rank)
{
    return TOP + rank * c->lane;
}

static void put_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        const char *special = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : NULL;
        if (special)
            fputs(special, file);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, file);
    }
}

/* A name in front of a lane; the middle of a very long one is left out. */
static void put_name(FILE *file, const char *name)
{
    char text[NAME_MOST + 8];
    size_t length = strlen(name), half = NAME_MOST / 2;
    if (length <= NAME_MOST)
        snprintf(text, sizeof text, "%s", name);
    else
        snprintf(text, sizeof text, "%.*s...%s", (int)half, name, name + length - half);
    put_text(file, text);
}

static int left_of(const struct drawing *drawing)
{
    size_t longest = 0;
    for (int rank = 0; rank < drawing->plan->ranks; rank++) {
        size_t length = strlen(drawing->names[rank]);
        longest = length > longest ? length : longest;
    }
    int left = 16 + LETTER * (int)(longest < NAME_MOST ? longest : NAME_MOST + 3);
    return left > LEFT_LEAST ? left : LEFT_LEAST;
}

/* The unit in which a time of this size is readable. */
static const char *unit_of(hn_time time, double *factor)
{
    static const struct {
        hn_time limit;
        const char *name;
        double factor;
    } units[] = {{2000000, "ns", 1e3}, {2000000000, "us", 1e6}, {2000000000000, "ms", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (time < units[i].limit) {
            *factor = units[i].factor;
            return units[i].name;
        }
    *factor = 1e12;
    return "s";
}

/* ---- the frame ---------------------------------------------------------------------------------
 */

/* A step of 1, 2 or 5 times a power of ten that divides `span` into about ten. */
static double tick_of(double span)
{
    double tick = 1;
    while (tick * 10 < span / 10)
        tick *= 10;
    while (tick > span / 10)
        tick /= 10;
    return tick * 5 < span / 10 ? tick * 10 : tick * 2 < span / 10 ? tick * 5 : tick * 2;
}

static void draw_axis(const struct canvas *c)
{
    double factor, bottom = at_rank(c, c->drawing->plan->ranks);
    const char *unit = unit_of(c->drawing->timing->makespan, &factor);
    double span = (double)c->drawing->timing->makespan / factor;
    if (span <= 0)
        return;
    double tick = tick_of(span);
    for (int i = 0; i * tick <= span * 1.0001; i++) {
        double x = c->left + i * tick * factor * c->scale;
        fprintf(c->file,
                "<line x1='%.1f' y1='%d' x2='%.1f' y2='%.1f' stroke='#ddd'/>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n",
                x, TOP, x, bottom, x, bottom + 15, i * tick);
    }
    fprintf(c->file, "<text x='%d' y='%.1f'>%s</text>\n", c->left + WIDTH + 8, bottom + 15, unit);
}

static void draw_lanes(const struct canvas *c)
{
    const struct drawing *d = c->drawing;
    for (int rank = 0; rank < d->plan->ranks; rank++) {
        double y = at_rank(c, rank);
        if (rank % 2 == 0)
            fprintf(c->file, "<rect x='0' y='%.1f' width='%d' height='%.1f' fill='#f4f6f8'/>\n", y,
                    c->left + WIDTH + RIGHT, c->lane);
        fprintf(c->file, "<text x='%d' y='%.1f' text-anchor='end'>", c->left - 8,
                y + c->lane / 2 + 4);
        put_name(c->file, d->names[rank]);
        fputs("</text>\n", c->file);
    }
}

static bool flights_are_many(const struct plan *plan)
{
    return plan_message_count(plan) > FLIGHTS_MOST;
}

static void draw_legend(const struct canvas *c)
{
    double factor;
    const char *unit = unit_of(c->drawing->timing->makespan, &factor);
    fprintf(c->file, "<text x='12' y='22' font-size='15' font-weight='bold'>");
    put_text(c->file, c->drawing->title);
    fprintf(c->file,
            "</text><text x='12' y='42' fill='#555'>makespan %.6g %s; upper half: sends, lower "
            "half: receives%s; one colour a block</text>\n",
            (double)c->drawing->timing->makespan / factor, unit,
            flights_are_many(c->drawing->plan) ? ", line on pointing: flight" : ", line: flight");
}

/* ---- messages ----------------------------------------------------------------------------------
 */

static int first_block(const struct plan *plan, const struct plan_step *step)
{
    return step->count > 0 ? plan->lists[step->list] : 0;
}

static int hue_of(const struct plan *plan, const struct plan_step *step)
{
    int blocks = plan->block_count > 1 ? plan->block_count : 1;
    /* A single block is blue; many go round the circle. */
    return (int)(210 + 330 * (int64_t)first_block(plan, step) / blocks) % 360;
}

static void put_title(const struct canvas *c, int rank, const struct plan_step *step,
                      struct span send, struct span recv)
{
    const struct drawing *d = c->drawing;
    double f;
    const char *unit = unit_of(d->timing->makespan, &f);
    fputs("<title>", c->file);
    put_text(c->file, d->names[rank]);
    fputs(" to ", c->file);
    put_text(c->file, d->names[step->peer]);
    fprintf(c->file, ": block %d", first_block(d->plan, step));
    if (step->count > 1)
        fprintf(c->file, " and %d more", step->count - 1);
    fprintf(c->file,
            ", %" PRId64 " bytes\nsend %.6g to %.6g, arrives %.6g, received %.6g to %.6g "
            "%s</title>",
            plan_step_bytes(d->plan, step), (double)send.begin / f, (double)send.end / f,
            (double)recv.arrived / f, (double)recv.begin / f, (double)recv.end / f, unit);
}

static void draw_bar(const struct canvas *c, int rank, bool lower, hn_time begin, hn_time end,
                     int hue)
{
    double height = c->lane / 2 - 1.5, y = at_rank(c, rank) + (lower ? c->lane / 2 : 1.5);
    double width = (double)(end - begin) * c->scale;
    fprintf(c->file,
            "<rect x='%.2f' y='%.1f' width='%.2f' height='%.1f' fill='hsl(%d,%d%%,%d%%)' "
            "stroke='#fff' stroke-width='.4'/>",
            at_time(c, begin), y, width < .8 ? .8 : width, height, hue, lower ? 55 : 75,
            lower ? 70 : 50);
}

static void draw_message(const struct canvas *c, int rank, int32_t at)
{
    const struct plan *plan = c->drawing->plan;
    const struct plan_step *step = &plan->steps[at];
    struct span send = c->drawing->timing->spans[at];
    struct span recv = c->drawing->timing->spans[step->match];
    int hue = hue_of(plan, step);
    fputs("<g>", c->file);
    put_title(c, rank, step, send, recv);
    draw_bar(c, rank, false, send.begin, send.end, hue);
    fprintf(c->file,
            "<line x1='%.2f' y1='%.1f' x2='%.2f' y2='%.1f' stroke='hsl(%d,50%%,55%%)' "
            "stroke-width='.8' stroke-opacity='.7'/>",
            at_time(c, send.end), at_rank(c, rank) + c->lane / 4, at_time(c, recv.arrived),
            at_rank(c, step->peer) + c->lane * .75, hue);
    draw_bar(c, step->peer, true, recv.begin, recv.end, hue);
    fputs("</g>\n", c->file);
}

static void draw_messages(const struct canvas *c)
{
    const struct plan *plan = c->drawing->plan;
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            if (plan->steps[i].kind == PLAN_SEND)
                draw_message(c, rank, i);
}

int draw_timing(const struct drawing *drawing, FILE *file)
{
    int ranks = drawing->plan->ranks;
    double lane = 700.0 / ranks;
    struct canvas c = {drawing, file, lane > 34 ? 34 : lane < 11 ? 11 : lane, 0, left_of(drawing)};
    if (drawing->timing->makespan > 0)
        c.scale = (double)WIDTH / (double)drawing->timing->makespan;
    int width = c.left + WIDTH + RIGHT, height = TOP + (int)(c.lane * ranks) + BOTTOM;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d' font-family='sans-serif' font-size='11'>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            width, height, width, height, width, height);
    if (flights_are_many(drawing->plan))
        fputs("<style>g line{visibility:hidden}g:hover line{visibility:visible}</style>\n", file);
    draw_lanes(&c);
    draw_axis(&c);
    draw_legend(&c);
    draw_messages(&c);
    fputs("</svg>\n", file);
    return ferror(file) ? HN_ESYS : HN_OK;
}
