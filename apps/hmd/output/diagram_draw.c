/* diagram_draw.c - the picture of a timing diagram: diagram_draw().
 *
 * A lane a task, what was measured in its upper half, what the model says in its lower half, on one
 * axis of time.  An operation is pale as long as the last task has not begun it: until then there
 * is something to wait for.  What is not coloured as an operation is the task's own computing.
 */
#include "diagram.h"

#include <math.h>
#include <string.h>

#include "runtime/internal.h"

/* Pixels; the last one is the width of a letter. */
enum { DRAW_WIDTH = 1000, DRAW_TOP = 84, DRAW_RIGHT = 30, DRAW_BOTTOM = 40, DRAW_LETTER = 7 };

struct draw {
    const struct diagram *d;
    FILE *file;
    double lane, scale; /* pixels a lane, pixels a second */
    int left;           /* where time 0 is */
};

/* picture_colour() of computing, and of the operation of each kind. */
enum { DRAW_COMPUTING = 0, DRAW_FIRST_KIND = 1 };
_Static_assert(DRAW_FIRST_KIND + TIMELINE_KINDS <= PICTURE_COLOURS, "a colour for each kind");

static void draw_bar(const struct draw *g, int rank, int lower, double begin, double end,
                     int colour, double opacity, const char *what)
{
    char text[PICTURE_COLOUR_ROOM];
    double height = g->lane / 2 - 2, y = DRAW_TOP + rank * g->lane + (lower ? g->lane / 2 : 2);
    if (end <= begin)
        return;
    fprintf(g->file,
            "<rect x='%.2f' y='%.1f' width='%.2f' height='%.1f' fill='%s' fill-opacity='%.2f'>"
            "<title>task %d on %s, %s: %s %.3f to %.3f ms</title></rect>\n",
            g->left + begin * g->scale, y, (end - begin) * g->scale, height,
            picture_colour(colour, 0, text), opacity, rank, g->d->host[rank],
            lower ? "predicted" : "measured", what, 1e3 * begin, 1e3 * end);
}

static void draw_lane(const struct draw *g, int rank, int lower)
{
    const struct timeline_step *all = lower ? g->d->predicted : g->d->measured, *s = &all[rank];
    double at = s->begin, full = lower ? 0.75 : 1;
    for (int k = 0; k < s->spans; k++) {
        const struct timeline_span *p = &s->span[k];
        double last = fmin(fmax(diagram_last(all, g->d->tasks, k), p->begin), p->end);
        const char *what = diagram_kinds[p->kind];
        int colour = DRAW_FIRST_KIND + p->kind;
        draw_bar(g, rank, lower, at, p->begin, DRAW_COMPUTING, full, "compute");
        draw_bar(g, rank, lower, p->begin, last, colour, 0.3 * full, "wait for others");
        draw_bar(g, rank, lower, last, p->end, colour, full, what);
        at = p->end;
    }
    draw_bar(g, rank, lower, at, s->end, DRAW_COMPUTING, full, "compute");
}

static void draw_axis(const struct draw *g, double seconds)
{
    double step = picture_tick(1e3 * seconds, 10), bottom = DRAW_TOP + g->d->tasks * g->lane;
    for (int i = 0; i * step <= 1e3 * seconds; i++) {
        double x = g->left + 1e-3 * i * step * g->scale;
        fprintf(g->file,
                "<line x1='%.1f' y1='%d' x2='%.1f' y2='%.1f' stroke='" PICTURE_GRID "'/>"
                "<text x='%.1f' y='%.1f' text-anchor='middle'>%.6g</text>\n",
                x, DRAW_TOP, x, bottom, x, bottom + 15, i * step);
    }
    fprintf(g->file, "<text x='%d' y='%.1f' text-anchor='end'>ms</text>\n",
            g->left + DRAW_WIDTH + DRAW_RIGHT - 4, bottom + 30);
}

static void draw_names(const struct draw *g)
{
    for (int r = 0; r < g->d->tasks; r++) {
        double y = DRAW_TOP + r * g->lane;
        if (r % 2 == 0)
            fprintf(g->file,
                    "<rect x='0' y='%.1f' width='%d' height='%.1f' fill='" PICTURE_BAND "'/>\n", y,
                    g->left + DRAW_WIDTH + DRAW_RIGHT, g->lane);
        fprintf(g->file, "<text x='%d' y='%.1f' text-anchor='end'>%d %s</text>\n", g->left - 8,
                y + g->lane / 2 + 4, r, g->d->host[r]);
    }
}

static int draw_key(const struct draw *g, int x, int colour, const char *name, const char *plan)
{
    char text[PICTURE_COLOUR_ROOM];
    fprintf(g->file,
            "<rect x='%d' y='54' width='12' height='12' fill='%s'/>"
            "<text x='%d' y='64'>%s%s%s</text>\n",
            x, picture_colour(colour, 0, text), x + 17, name, plan[0] ? ": " : "", plan);
    return x + 40 + DRAW_LETTER * (int)(strlen(name) + strlen(plan));
}

static double draw_end(const struct timeline_step *s, int tasks)
{
    double end = 0;
    for (int r = 0; r < tasks; r++)
        end = fmax(end, s[r].end);
    return end;
}

static int draw_uses(const struct diagram *d, int kind)
{
    for (int k = 0; k < d->measured[0].spans; k++)
        if ((int)d->measured[0].span[k].kind == kind)
            return 1;
    return 0;
}

static void draw_head(const struct draw *g)
{
    const struct diagram *d = g->d;
    int x = 12;
    fprintf(g->file,
            "<text x='12' y='22' font-size='15' font-weight='bold'>hmd, step %ld on %d task%s: "
            "measured %.4g ms, predicted %.4g ms</text>\n"
            "<text x='12' y='42' fill='" PICTURE_SOFT
            "'>upper half of a row: measured, on one clock (to %.2g "
            "ms); lower half: %s</text>\n",
            d->step, d->tasks, d->tasks > 1 ? "s" : "", 1e3 * draw_end(d->measured, d->tasks),
            1e3 * draw_end(d->predicted, d->tasks), 1e3 * d->clock_error,
            d->tasks == 1 ? "the same"
            : d->stated   ? "operations as the network file predicts them"
                          : "operations as guessed without a network file");
    x = draw_key(g, x, DRAW_COMPUTING, "compute", "");
    for (int k = 0; k < TIMELINE_KINDS; k++)
        if (draw_uses(d, k))
            x = draw_key(g, x, DRAW_FIRST_KIND + k, diagram_kinds[k], d->plan[k]);
    fprintf(g->file,
            "<text x='%d' y='64' fill='" PICTURE_SOFT
            "'>pale: the last task has not begun</text>\n",
            x);
}

static int draw_left(const struct diagram *d)
{
    size_t longest = 0;
    for (int r = 0; r < d->tasks; r++)
        longest = strlen(d->host[r]) > longest ? strlen(d->host[r]) : longest;
    return 40 + DRAW_LETTER * (int)(longest < 60 ? longest : 60);
}

void diagram_draw(const struct diagram *d, FILE *file)
{
    double lane = 800.0 / d->tasks;
    double seconds = fmax(draw_end(d->measured, d->tasks), draw_end(d->predicted, d->tasks));
    struct draw g = {.d = d, .file = file, .left = draw_left(d)};
    g.lane = lane > 48 ? 48 : lane < 16 ? 16 : lane;
    g.scale = seconds > 0 ? DRAW_WIDTH / seconds : 0;
    int width = g.left + DRAW_WIDTH + DRAW_RIGHT;
    int height = DRAW_TOP + (int)(g.lane * d->tasks) + DRAW_BOTTOM;
    picture_begin(file, width, height);
    draw_names(&g);
    draw_axis(&g, seconds);
    draw_head(&g);
    for (int r = 0; r < d->tasks; r++)
        for (int lower = 0; lower < 2; lower++)
            draw_lane(&g, r, lower);
    picture_end(file);
}
