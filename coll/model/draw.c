/* draw.c - timing diagrams.
 *
 * Lanes are 34 pixels high for few ranks and 11 for many, so that 5 and 64 ranks both fit a page;
 * times are scaled to the makespan, and the left margin to the longest name. Colours go round the
 * hue circle with the number of the first block of the message; a few blocks have a legend. The
 * flights of very many messages would hide everything else: then a flight shows while the mouse is
 * on its message. Predicted and measured times are two panels beside each other, of one scale.
 */
#include "model/draw.h"

#include "hnow.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 1000, HALF = 620, BETWEEN = 60 }; /* of a panel alone, of two */
enum { TOP = 82, RIGHT = 40, BOTTOM = 34 };
enum { LEFT_LEAST = 60, LETTER = 6, NAME_MOST = 40 }; /* pixels, pixels, letters */
enum { FLIGHTS_MOST = 400 };                          /* messages */
enum { LEGEND_MOST = 16, LEGEND_WIDTH = 992 };        /* blocks, pixels */

/* A panel: the lanes with one set of times. */
struct canvas {
    const struct drawing *drawing;
    const struct timing *timing;
    FILE *file;
    double lane, scale; /* pixels a lane, pixels a picosecond */
    hn_time span;       /* that is shown */
    int left, width;    /* where time 0 is; pixels */
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
    const char *unit = unit_of(c->span, &factor);
    double span = (double)c->span / factor;
    if (span <= 0)
        return;
    double tick = tick_of(c->width < WIDTH ? span * 2 : span);
    for (int i = 0; i * tick <= span * 1.0001; i++) {
        double x = c->left + i * tick * factor * c->scale;
        fprintf(c->file,
                "<line x1='%.1f' y1='%d' x2='%.1f' y2='%.1f' stroke='#ddd'/>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n",
                x, TOP, x, bottom, x, bottom + 15, i * tick);
    }
    fprintf(c->file, "<text x='%d' y='%.1f'>%s</text>\n", c->left + c->width + 20, bottom + 15,
            unit);
}

/* Behind all: every other lane, and the names. */
static void draw_lanes(const struct canvas *c, int right)
{
    const struct drawing *d = c->drawing;
    double size = c->lane < 12 ? c->lane - 1 : 11;
    for (int rank = 0; rank < d->plan->ranks; rank++) {
        double y = at_rank(c, rank);
        if (rank % 2 == 0)
            fprintf(c->file, "<rect x='0' y='%.1f' width='%d' height='%.1f' fill='#f4f6f8'/>\n", y,
                    right, c->lane);
        fprintf(c->file, "<text x='%d' y='%.1f' text-anchor='end' font-size='%.1f'>", c->left - 8,
                y + c->lane / 2 + size / 3, size);
        put_name(c->file, d->names[rank]);
        fputs("</text>\n", c->file);
    }
}

/* How long a rank sends and receives, as far as both do not happen at once. */
static hn_time busy_of(const struct canvas *c, int rank)
{
    const struct plan *plan = c->drawing->plan;
    hn_time busy = 0, until = 0;
    for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++) {
        struct span span = c->timing->spans[i];
        hn_time begin = span.begin > until ? span.begin : until;
        busy += span.end > begin ? span.end - begin : 0;
        until = span.end > until ? span.end : until;
    }
    return busy;
}

/* The time until a rank is done, in grey; what it does lies upon it. */
static void draw_idle(const struct canvas *c)
{
    const struct drawing *d = c->drawing;
    double f, height = c->lane > 14 ? 3 : 1.5;
    const char *unit = unit_of(c->span, &f);
    for (int rank = 0; rank < d->plan->ranks; rank++) {
        hn_time done = c->timing->done[rank];
        fprintf(c->file, "<rect x='%d' y='%.1f' width='%.2f' height='%.1f' fill='#c9d1d9'><title>",
                c->left, at_rank(c, rank) + (c->lane - height) / 2, (double)done * c->scale,
                height);
        put_text(c->file, d->names[rank]);
        fprintf(c->file, ": done at %.6g %s, idle for %.6g</title></rect>\n", (double)done / f,
                unit, (double)(done - busy_of(c, rank)) / f);
    }
}

static bool flights_are_many(const struct plan *plan)
{
    return plan_message_count(plan) > FLIGHTS_MOST;
}

static int hue_of_block(const struct plan *plan, int block)
{
    int blocks = plan->block_count > 1 ? plan->block_count : 1;
    /* A single block is blue; many go round the circle. */
    return (int)(210 + 330 * (int64_t)block / blocks) % 360;
}

/* What a block is called: of a multiple multicast it is a message, or a segment of one. */
static void put_block(const struct canvas *c, int block)
{
    const struct plan *plan = c->drawing->plan;
    int part = plan->blocks[block].part, first = plan->part_first[part];
    if (!c->drawing->messages)
        fprintf(c->file, "block %d", block);
    else if (plan->part_first[part + 1] - first == 1)
        fprintf(c->file, "message %d", part);
    else
        fprintf(c->file, "message %d, segment %d", part, block - first);
}

/* A few blocks by name; of many, that they go round the circle. */
static void draw_blocks(const struct canvas *c)
{
    const struct plan *plan = c->drawing->plan;
    bool whole = plan_segments(plan) == 1, messages = c->drawing->messages;
    int most = !messages ? LEGEND_MOST : whole ? LEGEND_MOST * 3 / 4 : LEGEND_MOST / 4;
    for (int block = 0; block < plan->block_count && plan->block_count <= most; block++) {
        int x = 12 + LEGEND_WIDTH / most * block;
        fprintf(c->file,
                "<rect x='%d' y='50' width='10' height='10' fill='hsl(%d,75%%,50%%)'/>"
                "<text x='%d' y='59' fill='#555'>",
                x, hue_of_block(plan, block), x + 13);
        put_block(c, block);
        fputs("</text>\n", c->file);
    }
    if (plan->block_count > most)
        fprintf(c->file,
                "<text x='12' y='59' fill='#555'>%d %s, by colour from blue round to green"
                "</text>\n",
                plan->block_count,
                !messages ? "blocks"
                : whole   ? "messages"
                          : "segments of messages");
}

static void draw_head(const struct canvas *c)
{
    fputs("<text x='12' y='22' font-size='15' font-weight='bold'>", c->file);
    put_text(c->file, c->drawing->title);
    fprintf(c->file,
            "</text><text x='12' y='42' fill='#555'>upper half: sends, lower half: receives%s, "
            "grey: idle; point at anything for its times</text>\n",
            flights_are_many(c->drawing->plan) ? ", line on pointing: flight" : ", line: flight");
    draw_blocks(c);
}

static void draw_heading(const struct canvas *c, const char *what)
{
    double factor;
    const char *unit = unit_of(c->timing->makespan, &factor);
    fprintf(c->file, "<text x='%d' y='%d' font-weight='bold'>%s: makespan %.6g %s</text>\n",
            c->left, TOP - 5, what, (double)c->timing->makespan / factor, unit);
}

/* ---- messages ----------------------------------------------------------------------------------
 */

static int first_block(const struct plan *plan, const struct plan_step *step)
{
    return step->count > 0 ? plan->lists[step->list] : 0;
}

static int hue_of(const struct plan *plan, const struct plan_step *step)
{
    return hue_of_block(plan, first_block(plan, step));
}

static void put_title(const struct canvas *c, int rank, const struct plan_step *step,
                      struct span send, struct span recv)
{
    const struct drawing *d = c->drawing;
    double f;
    const char *unit = unit_of(c->span, &f);
    fputs("<title>", c->file);
    put_text(c->file, d->names[rank]);
    fputs(" to ", c->file);
    put_text(c->file, d->names[step->peer]);
    fputs(": ", c->file);
    put_block(c, first_block(d->plan, step));
    if (step->count > 1)
        fprintf(c->file, " and %d more", step->count - 1);
    fprintf(c->file,
            ", %" PRId64 " bytes%s\nsend %.6g to %.6g, arrives %.6g, received %.6g to %.6g "
            "%s</title>",
            plan_step_bytes(d->plan, step), step->joined ? ", of the same multicast" : "",
            (double)send.begin / f, (double)send.end / f, (double)recv.arrived / f,
            (double)recv.begin / f, (double)recv.end / f, unit);
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
    struct span send = c->timing->spans[at];
    struct span recv = c->timing->spans[step->match];
    int hue = hue_of(plan, step);
    fputs("<g>", c->file);
    put_title(c, rank, step, send, recv);
    if (!step->joined) /* what is joined has left with the bar before */
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

static void draw_panel(const struct canvas *c, const char *heading)
{
    draw_axis(c);
    draw_heading(c, heading);
    draw_idle(c);
    draw_messages(c);
}

int draw_timing(const struct drawing *drawing, FILE *file)
{
    int ranks = drawing->plan->ranks;
    bool two = drawing->measured;
    double lane = 700.0 / ranks;
    struct canvas c = {.drawing = drawing,
                       .timing = drawing->timing,
                       .file = file,
                       .lane = lane > 34   ? 34
                               : lane < 11 ? 11
                                           : lane,
                       .span = drawing->timing->makespan,
                       .left = left_of(drawing),
                       .width = two ? HALF : WIDTH};
    if (two && drawing->measured->makespan > c.span)
        c.span = drawing->measured->makespan;
    if (c.span > 0)
        c.scale = (double)c.width / (double)c.span;
    int width = c.left + c.width + RIGHT + (two ? c.width + BETWEEN : 0),
        height = TOP + (int)(c.lane * ranks) + BOTTOM;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "viewBox='0 0 %d %d' font-family='sans-serif' font-size='11'>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            width, height, width, height, width, height);
    if (flights_are_many(drawing->plan))
        fputs("<style>g line{visibility:hidden}g:hover line{visibility:visible}</style>\n", file);
    draw_head(&c);
    draw_lanes(&c, width);
    draw_panel(&c, "predicted");
    if (two) {
        c.timing = drawing->measured;
        c.left += c.width + BETWEEN;
        draw_panel(&c, "measured");
    }
    fputs("</svg>\n", file);
    return ferror(file) ? HN_ESYS : HN_OK;
}
