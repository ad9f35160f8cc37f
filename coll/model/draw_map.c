/* draw_map.c - the messages of a plan over the map of the network (net_draw.c).
 *
 * An arrow is a curve from one host to another, bent to its right, so that the two directions do
 * not overlap. It is light blue if the message arrives early and dark blue if it arrives late; the
 * last seventh of the makespan is vermilion. Hover text shows the number of messages and their
 * times. If many pairs communicate, the arrows are thin.
 *
 * Cost: O(steps + n^2) for n ranks.
 */
#include "model/draw.h"

#include "probe/internal.h"
#include "runtime/internal.h"

#include "hnow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ARROWS_MANY = 120 /* more are drawn thin */, TIMES = 7 /* colours */ };

/* Of an arrow by the part of the makespan in which its last message is received. */
static const char *const colours[TIMES] = {"#8fc4ea", "#6aaedf", "#4797d1", "#2a7fbf",
                                           "#14669f", "#034a7a", "#d55e00"};

/* All messages from one rank to another. Messages of a pair are summed up: single arrows would
 * cover each other. */
struct arrow {
    int from, to, count;
    int64_t bytes;
    hn_time begin, end; /* of the first send and the last receive */
};

/* All arrows of a map, one for each ordered pair of ranks with messages. */
struct arrows {
    const struct drawing *drawing;
    struct arrow *arrow;
    int count;
};

/* Adds the messages of one sender; at[] holds the arrow to each rank, from `first` on. */
static void collect(struct arrows *a, int from, int *at)
{
    const struct plan *plan = a->drawing->plan;
    const struct span *spans = a->drawing->timing->spans;
    int first = a->count;
    for (int32_t i = plan->first[from]; i < plan->first[from + 1]; i++) {
        const struct plan_step *step = &plan->steps[i];
        if (step->kind != PLAN_SEND)
            continue;
        /* at[] has an arrow of this sender only if its number is not below `first`. */
        if (at[step->peer] < first) {
            at[step->peer] = a->count;
            a->arrow[a->count++] = (struct arrow){from, step->peer, 0, 0, spans[i].begin, 0};
        }
        struct arrow *arrow = &a->arrow[at[step->peer]];
        hn_time end = spans[step->match].end;
        arrow->count++;
        arrow->bytes += plan_step_bytes(plan, step);
        arrow->end = end > arrow->end ? end : arrow->end;
    }
}

static void put_title(const struct arrows *a, const struct arrow *arrow, FILE *file)
{
    fputs("<title>", file);
    picture_text(file, a->drawing->names[arrow->from]);
    fputs(" to ", file);
    picture_text(file, a->drawing->names[arrow->to]);
    fprintf(file,
            ": %d message%s, %" PRId64 " bytes\nfirst sent at %.6g ms, last received at %.6g "
            "ms</title>",
            arrow->count, arrow->count == 1 ? "" : "s", arrow->bytes, (double)arrow->begin / 1e9,
            (double)arrow->end / 1e9);
}

/* Where a line from the middle of a box to (x, y) leaves it. */
static struct net_place border(struct net_place box, double x, double y)
{
    double dx = x - box.x, dy = y - box.y, reach = 1;
    if (fabs(dx) * 2 > box.w)
        reach = box.w / 2 / fabs(dx);
    if (fabs(dy) * 2 * reach > box.h)
        reach = box.h / 2 / fabs(dy);
    return (struct net_place){box.x + reach * dx, box.y + reach * dy, 0, 0};
}

static const char *colour_of(const struct arrows *a, const struct arrow *arrow)
{
    hn_time makespan = a->drawing->timing->makespan;
    double part = makespan > 0 ? (double)arrow->end / (double)makespan : 0;
    int time = (int)(part * TIMES);
    return colours[time < TIMES ? time : TIMES - 1];
}

/* A curve from box to box, and its head. The control point is beside the middle of the line, at
 * most BEND_MOST pixels away. */
static void put_arrow(const struct arrows *a, const struct arrow *arrow,
                      const struct net_place *place, FILE *file)
{
    enum { BEND = 6 /* part of the length */, BEND_MOST = 60, HEAD = 9 /* pixels */ };
    const int *host = a->drawing->host;
    struct net_place p = place[host[arrow->from]], q = place[host[arrow->to]];
    double dx = q.x - p.x, dy = q.y - p.y;
    double bend = fmin(1.0 / BEND, BEND_MOST / fmax(hypot(dx, dy), 1));
    double cx = (p.x + q.x) / 2 - dy * bend, cy = (p.y + q.y) / 2 + dx * bend;
    const char *colour = colour_of(a, arrow);
    /* Both ends on one host: there is no line to draw. */
    if (hypot(dx, dy) < 1)
        return;
    p = border(p, cx, cy);
    q = border(q, cx, cy);
    double ux = q.x - cx, uy = q.y - cy, u = hypot(ux, uy);
    ux *= HEAD / u;
    uy *= HEAD / u;
    fputs("<g>", file);
    put_title(a, arrow, file);
    fprintf(file,
            "<path d='M%.1f %.1fQ%.1f %.1f %.1f %.1f' fill='none' stroke='%s' "
            "stroke-width='%.1f' stroke-opacity='.8'/>"
            "<path d='M%.1f %.1fL%.1f %.1fL%.1f %.1fZ' fill='%s'/></g>\n",
            p.x, p.y, cx, cy, q.x - ux, q.y - uy, colour, a->count > ARROWS_MANY ? .6 : 2.0, q.x,
            q.y, q.x - ux - uy / 2, q.y - uy + ux / 2, q.x - ux + uy / 2, q.y - uy - ux / 2,
            colour);
}

static void put_legend(const struct net_page *page)
{
    enum { STEP = 22 }; /* pixels */
    for (int i = 0; i < TIMES; i++)
        fprintf(page->file,
                "<rect class='key' x='%.1f' y='%.1f' width='%d' height='8' fill='%s'/>\n",
                page->left + STEP * i, page->legend - 9, STEP, colours[i]);
    fprintf(page->file,
            "<text x='%.1f' y='%.1f' class='sub'>arrows: received early to late in the makespan"
            "</text>\n",
            page->left + STEP * TIMES + 8, page->legend);
}

static void put_arrows(const struct net_page *page, void *arg)
{
    const struct arrows *a = arg;
    for (int i = 0; i < a->count; i++)
        put_arrow(a, &a->arrow[i], page->place, page->file);
    put_legend(page);
}

/* HN_OK; HN_ENOMEM; HN_ESYS: the file could not be written. */
int draw_map(const struct drawing *drawing, const hn_net *net, FILE *file)
{
    const struct plan *plan = drawing->plan;
    struct arrows a = {.drawing = drawing};
    int *at = malloc((size_t)plan->ranks * sizeof *at);
    a.arrow = malloc(((size_t)plan->first[plan->ranks] + 1) * sizeof *a.arrow);
    int error = at && a.arrow ? HN_OK : HN_ENOMEM;
    for (int rank = 0; rank < plan->ranks && !error; rank++)
        at[rank] = -1;
    for (int rank = 0; rank < plan->ranks && !error; rank++)
        collect(&a, rank, at);
    if (!error)
        error = net_draw_over(net, drawing->title, file, put_arrows, &a);
    free(at);
    free(a.arrow);
    return !error && ferror(file) ? HN_ESYS : error;
}
