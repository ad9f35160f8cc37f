/* draw.c - timing diagrams.
 *
 * Rows are 34 pixels high for few ranks and 11 for many, so that 5 and 64 ranks both fit a page;
 * times are scaled to the makespan, and the left margin to the longest name. Below the ranks are
 * the media (draw_media.c). The flights of very many messages would hide everything else: then a
 * flight shows while the mouse is on its message. Predicted and measured times are two panels
 * beside each other, of one scale.
 */
#include "model/draw_canvas.h"

#include "hnow.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 1000, HALF = 620, BETWEEN = 60 }; /* of a panel alone, of two */
enum { RIGHT = 40, BOTTOM = 34 };
enum { LEFT_LEAST = 60, LETTER = 6 };                   /* pixels */
enum { FLIGHTS_MOST = 400 };                            /* messages */
enum { ROW_MOST = 34, ROW_LEAST = 11, ROWS_ALL = 700 }; /* pixels */
#define BAR_END .6 /* pixels between a bar and the next one, so that two in a row are two */

static double draw_at_time(const struct canvas *c, hn_time time)
{
    return c->left + (double)time * c->scale;
}

/* Top of a rank's row. */
static double at_rank(const struct canvas *c, int rank)
{
    return DRAW_TOP + rank * c->row;
}

void draw_name(const struct canvas *c, double y, double size, const char *name)
{
    char text[DRAW_NAME_MOST + 8];
    size_t length = strlen(name), half = DRAW_NAME_MOST / 2;
    if (length <= DRAW_NAME_MOST)
        snprintf(text, sizeof text, "%s", name);
    else
        snprintf(text, sizeof text, "%.*s...%s", (int)half, name, name + length - half);
    fprintf(c->file, "<text x='%d' y='%.1f' text-anchor='end' font-size='%.1f'>", c->left - 8,
            y + size / 3, size);
    picture_text(c->file, text);
    fputs("</text>\n", c->file);
}

/* The margin fits the longest name of a rank or medium, up to DRAW_NAME_MOST letters. */
static int left_of(const struct drawing *drawing, const struct bands *bands)
{
    size_t longest = bands_longest(bands, drawing);
    for (int rank = 0; rank < drawing->plan->ranks; rank++) {
        size_t length = strlen(drawing->names[rank]);
        longest = length > longest ? length : longest;
    }
    int left = 16 + LETTER * (int)(longest < DRAW_NAME_MOST ? longest : DRAW_NAME_MOST + 3);
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

/* ---- the frame -------------------------------------------------------------------------- */

/* Grid lines at round times, and their labels below. */
static void draw_axis(const struct canvas *c, double bottom)
{
    double factor;
    const char *unit = unit_of(c->span, &factor);
    double span = (double)c->span / factor;
    if (span <= 0)
        return;
    double tick = picture_tick(span, c->width < WIDTH ? 5 : 10);
    for (int i = 0; i * tick <= span * 1.0001; i++) {
        double x = c->left + i * tick * factor * c->scale;
        fprintf(c->file,
                "<line class='grid' x1='%.1f' y1='%d' x2='%.1f' y2='%.1f' stroke='" PICTURE_GRID
                "'/><text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n",
                x, DRAW_TOP, x, bottom, x, bottom + 15, i * tick);
    }
    fprintf(c->file, "<text x='%d' y='%.1f'>%s</text>\n", c->left + c->width + 20, bottom + 15,
            unit);
}

/* Behind all: every other row, and the names. */
static void draw_rows(const struct canvas *c, int right)
{
    const struct drawing *d = c->drawing;
    double size = c->row < 12 ? c->row - 1 : 11;
    for (int rank = 0; rank < d->plan->ranks; rank++) {
        double y = at_rank(c, rank);
        if (rank % 2 == 0)
            fprintf(c->file,
                    "<rect x='0' y='%.1f' width='%d' height='%.1f' fill='" PICTURE_BAND "'/>\n", y,
                    right, c->row);
        draw_name(c, y + c->row / 2, size, d->names[rank]);
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
    double f, height = c->row > 14 ? 3 : 1.5;
    const char *unit = unit_of(c->span, &f);
    for (int rank = 0; rank < d->plan->ranks; rank++) {
        hn_time done = c->timing->done[rank];
        fprintf(c->file,
                "<rect x='%d' y='%.1f' width='%.2f' height='%.1f' fill='" PICTURE_IDLE "'><title>",
                c->left, at_rank(c, rank) + (c->row - height) / 2, (double)done * c->scale, height);
        picture_text(c->file, d->names[rank]);
        fprintf(c->file, ": done at %.6g %s, idle for %.6g</title></rect>\n", (double)done / f,
                unit, (double)(done - busy_of(c, rank)) / f);
    }
}

/* Then flights are shown on request only. */
static bool flights_are_many(const struct plan *plan)
{
    return plan_message_count(plan) > FLIGHTS_MOST;
}

/* The legend of the marks, in one row. */
static void draw_keys(const struct canvas *c, bool has_moves)
{
    enum { MARK = 18, PER_LETTER = 6, GAP = 14 }; /* pixels */
    const char *flight = flights_are_many(c->drawing->plan) ? "flight (point at it)" : "flight";
    const struct {
        const char *mark, *words;
    } keys[] = {
        {"<rect width='14' height='5' fill='" PICTURE_SOFT "'/>", "upper half: sends"},
        {"<rect y='5' width='14' height='5' fill='" PICTURE_SOFT "'/>", "lower half: receives"},
        {"<path d='M0 0L14 10' stroke='" PICTURE_SOFT "'/>", flight},
        {"<path d='M0 7H14' stroke='" PICTURE_SOFT "' stroke-dasharray='2 2'/>",
         "arrived, not received yet"},
        {"<rect y='4' width='14' height='3' fill='" PICTURE_IDLE "'/>", "idle until done"},
        {"<rect y='4' width='14' height='2' fill='" PICTURE_SOFT "'/>", "bytes leave the host"}};
    int x = 12;
    for (size_t i = 0; i < sizeof keys / sizeof *keys - !has_moves; i++) {
        fprintf(c->file,
                "<g transform='translate(%d %d)'>%s</g><text x='%d' y='%d' fill='" PICTURE_SOFT
                "'>%s</text>\n",
                x, DRAW_KEYS_Y - 9, keys[i].mark, x + MARK, DRAW_KEYS_Y, keys[i].words);
        x += MARK + PER_LETTER * (int)strlen(keys[i].words) + GAP;
    }
}

/* Title and legends, which both panels share. */
static void draw_head(const struct canvas *c, const struct bands *bands)
{
    fputs("<text x='12' y='22' font-size='15' font-weight='bold'>", c->file);
    picture_text(c->file, c->drawing->title);
    fputs("</text>\n", c->file);
    draw_keys(c, bands->moves);
    draw_block_legend(c->drawing, c->file);
}

static void draw_heading(const struct canvas *c, const char *what)
{
    double factor;
    const char *unit = unit_of(c->timing->makespan, &factor);
    fprintf(c->file, "<text x='%d' y='%d' font-weight='bold'>%s: makespan %.6g %s</text>\n",
            c->left, DRAW_TOP - 6, what, (double)c->timing->makespan / factor, unit);
}

/* ---- messages --------------------------------------------------------------------------- */

/* The text that is shown while the mouse is on a message. */
void draw_title_of(const struct canvas *c, int rank, int32_t send)
{
    const struct drawing *d = c->drawing;
    const struct plan_step *step = &d->plan->steps[send];
    struct span out = c->timing->spans[send], in = c->timing->spans[step->match];
    double f;
    const char *unit = unit_of(c->span, &f);
    fputs("<title>", c->file);
    picture_text(c->file, d->names[rank]);
    fputs(" to ", c->file);
    picture_text(c->file, d->names[step->peer]);
    fputs(": ", c->file);
    draw_block_name(d, step->count > 0 ? d->plan->lists[step->list] : 0, c->file);
    if (step->count > 1)
        fprintf(c->file, " and %d more", step->count - 1);
    fprintf(c->file, ", %" PRId64 " bytes%s\nsend %.6g to %.6g, ", plan_step_bytes(d->plan, step),
            step->joined ? ", of the same multicast" : "", (double)out.begin / f,
            (double)out.end / f);
    if (c->bands && c->bands->moves && c->bands->moves[step->match].end > 0)
        fprintf(c->file, "on the media %.6g to %.6g, ",
                (double)c->bands->moves[step->match].begin / f,
                (double)c->bands->moves[step->match].end / f);
    fprintf(c->file, "arrives %.6g, received %.6g to %.6g %s</title>", (double)in.arrived / f,
            (double)in.begin / f, (double)in.end / f, unit);
}

/* Very short bars are widened to be visible, and stay inside the panel. */
void draw_bar(const struct canvas *c, struct span span, double y, double height, const char *colour)
{
    double width = (double)(span.end - span.begin) * c->scale, x = draw_at_time(c, span.begin);
    width -= BAR_END;
    width = width < DRAW_BAR_LEAST ? DRAW_BAR_LEAST : width;
    if (x + width > c->left + c->width)
        x = c->left + c->width - width;
    fprintf(c->file, "<rect x='%.2f' y='%.1f' width='%.2f' height='%.1f' fill='%s'/>", x, y, width,
            height, colour);
}

/* While the bytes leave the sender's host: a thin bar below the send. */
static void draw_move(const struct canvas *c, int rank, struct span send, struct span move,
                      const char *colour)
{
    double height = c->row > 14 ? 2 : 1;
    if (move.end > send.end)
        draw_bar(c, (struct span){send.end, move.end, 0}, at_rank(c, rank) + c->row / 2 - height,
                 height, colour);
}

/* From the end of the send to the arrival in the receiver's row, and from there to the receive. */
static void draw_flight(const struct canvas *c, int rank, const struct plan_step *step,
                        struct span send, struct span recv, const char *colour)
{
    double x = draw_at_time(c, recv.arrived), y = at_rank(c, step->peer) + c->row * .75;
    fprintf(c->file,
            "<line x1='%.2f' y1='%.1f' x2='%.2f' y2='%.1f' stroke='%s' stroke-width='.9' "
            "stroke-opacity='.75'/>",
            draw_at_time(c, send.end), at_rank(c, rank) + c->row / 4, x, y, colour);
    if (draw_at_time(c, recv.begin) - x >= 1)
        fprintf(c->file,
                "<line x1='%.2f' y1='%.1f' x2='%.2f' y2='%.1f' stroke='%s' "
                "stroke-dasharray='2 2'/>",
                x, y, draw_at_time(c, recv.begin), y, colour);
}

/* One message: the send in the upper half of its row, the receive in the lower half of another. */
static void draw_message(const struct canvas *c, int rank, int32_t at)
{
    const struct plan *plan = c->drawing->plan;
    const struct plan_step *step = &plan->steps[at];
    struct span send = c->timing->spans[at], recv = c->timing->spans[step->match];
    char colour[PICTURE_COLOUR_ROOM];
    double height = c->row / 2 - 1.5;
    draw_colour(plan, step, colour);
    fputs("<g class='message'>", c->file);
    draw_title_of(c, rank, at);
    if (c->bands && c->bands->moves)
        draw_move(c, rank, send, c->bands->moves[step->match], colour);
    draw_flight(c, rank, step, send, recv, colour);
    /* A joined send has no time of its own. */
    if (!step->joined) /* what is joined has left with the bar before */
        draw_bar(c, send, at_rank(c, rank) + 1.5, height, colour);
    draw_bar(c, recv, at_rank(c, step->peer) + c->row / 2, height, colour);
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

static void draw_panel(const struct canvas *c, const char *heading, double bottom)
{
    draw_axis(c, bottom);
    draw_heading(c, heading);
    draw_idle(c);
    draw_messages(c);
    draw_bands(c);
}

/* Both panels have the same scale and share the names of the rows. */
static void draw_page(struct canvas *c, const struct bands *bands)
{
    bool two = c->drawing->measured;
    int width = c->left + c->width + RIGHT + (two ? c->width + BETWEEN : 0);
    double bottom = c->bottom + bands->height;
    picture_begin(c->file, width, (int)bottom + BOTTOM);
    if (flights_are_many(c->drawing->plan))
        fputs("<style>g line{visibility:hidden}g:hover line{visibility:visible}</style>\n",
              c->file);
    draw_head(c, bands);
    draw_rows(c, width);
    draw_band_names(c, bands, two ? c->left + c->width : width);
    draw_panel(c, "predicted", bottom);
    if (two) {
        c->timing = c->drawing->measured;
        /* A trace has no times of media. */
        c->bands = NULL;
        c->left += c->width + BETWEEN;
        draw_panel(c, "measured", c->bottom);
    }
    picture_end(c->file);
}

/* HN_OK; HN_ENOMEM; HN_ESYS: the file could not be written. */
int draw_timing(const struct drawing *drawing, FILE *file)
{
    int ranks = drawing->plan->ranks;
    double row = (double)ROWS_ALL / ranks;
    struct bands bands;
    int error = bands_make(drawing, &bands);
    struct canvas c = {.drawing = drawing,
                       .timing = drawing->timing,
                       .bands = &bands,
                       .file = file,
                       .row = row > ROW_MOST    ? ROW_MOST
                              : row < ROW_LEAST ? ROW_LEAST
                                                : row,
                       .span = drawing->timing->makespan,
                       .left = left_of(drawing, &bands),
                       .width = drawing->measured ? HALF : WIDTH};
    c.bottom = DRAW_TOP + c.row * ranks;
    /* Both panels have the scale of the longer one. */
    if (drawing->measured && drawing->measured->makespan > c.span)
        c.span = drawing->measured->makespan;
    if (c.span > 0)
        c.scale = (double)c.width / (double)c.span;
    if (!error)
        draw_page(&c, &bands);
    bands_free(&bands);
    return error ? error : ferror(file) ? HN_ESYS : HN_OK;
}
