/* net_layout.c - places boxes on an ellipse, and labels between them.
 *
 * Neighbours on the ellipse are at least the largest box's diagonal apart, so no two boxes overlap.
 * Labels are tried at a few places along their line; earlier ones have priority.
 *
 * Nothing here is random, so equal networks have equal maps. O(boxes) for the boxes, O(boxes +
 * labels) for each label.
 */
#include "net/net_layout.h"

#include <math.h>
#include <stdbool.h>

/* Up to this many boxes lie on an ellipse, so that a line between two passes beside the others. The
 * ellipse grows with their number. More boxes lie in rows, and net_draw.c draws no lines between
 * them (LINES_MOST). */
enum { ELLIPSE_MOST = 16 };
static const double flatness = 1.35; /* screens are wider than high */

/* Neighbours on a circle are 2 r sin(turn / 2) apart; the flatness only adds to that.  Two boxes
 * are side by side; an even number has two boxes on top, an odd one has one. */
static void place_ellipse(struct layout_box *box, int n, double gap)
{
    /* The half diagonals of two boxes meet at most, whatever their directions, so the gap remains.
     */
    double diagonal = 0, turn = 2 * M_PI / n;
    for (int i = 0; i < n; i++)
        diagonal = fmax(diagonal, hypot(box[i].w, box[i].h));
    /* One box is in the centre; sin(turn / 2) would be 0 for it. */
    double radius = n == 1 ? 0 : (diagonal + gap) / (2 * sin(turn / 2));
    double start = n == 2 ? M_PI : -M_PI / 2 - (n % 2 ? 0 : turn / 2);
    for (int i = 0; i < n; i++) {
        box[i].x = flatness * radius * cos(start + i * turn);
        box[i].y = radius * sin(start + i * turn);
    }
}

/* Boxes get cells of equal size. */
static void place_rows(struct layout_box *box, int n, double gap)
{
    double w = 0, h = 0;
    /* About as many columns as rows; boxes are wider than high, and so is the page. */
    int columns = (int)ceil(sqrt(n));
    for (int i = 0; i < n; i++) {
        w = fmax(w, box[i].w);
        h = fmax(h, box[i].h);
    }
    for (int i = 0; i < n; i++) {
        /* A quarter of the gap: there are no lines and labels between rows. */
        box[i].x = (i % columns) * (w + gap / 4);
        box[i].y = (double)(i / columns) * (h + gap / 4);
    }
}

/* Afterwards the upper left corner of all boxes is (0, 0). */
void layout_place(struct layout_box *box, int n, double gap, double *width, double *height)
{
    /* Larger than any page; y grows downwards. */
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    if (n <= ELLIPSE_MOST)
        place_ellipse(box, n, gap);
    else
        place_rows(box, n, gap);
    for (int i = 0; i < n; i++) {
        left = fmin(left, box[i].x - box[i].w / 2);
        right = fmax(right, box[i].x + box[i].w / 2);
        top = fmin(top, box[i].y - box[i].h / 2);
        bottom = fmax(bottom, box[i].y + box[i].h / 2);
    }
    for (int i = 0; i < n; i++) {
        box[i].x -= left;
        box[i].y -= top;
    }
    *width = right - left;
    *height = bottom - top;
}

/* The distance from a box's centre to its border along the line. */
static double leaves_at(const struct layout_box *box, double dx, double dy)
{
    /* The factor of the centre distance at which the line crosses the border, at most 1 for boxes
     * that overlap. */
    double by_x = dx == 0 ? 1 : box->w / 2 / fabs(dx), by_y = dy == 0 ? 1 : box->h / 2 / fabs(dy);
    return fmin(fmin(by_x, by_y), 1);
}

/* The part of the line between two boxes' centres that is outside both, as fractions of the
 * line. */
static void layout_visible(const struct layout_box *from, const struct layout_box *to,
                           double *begin, double *end)
{
    double dx = to->x - from->x, dy = to->y - from->y;
    *begin = leaves_at(from, dx, dy);
    *end = 1 - leaves_at(to, dx, dy);
}

/* Boxes that only touch do not overlap. */
static bool overlap(const struct layout_box *a, const struct layout_box *b)
{
    return fabs(a->x - b->x) < (a->w + b->w) / 2 && fabs(a->y - b->y) < (a->h + b->h) / 2;
}

static bool is_free(const struct layout_box *label, const struct layout_box *taken, int n)
{
    for (int i = 0; i < n; i++)
        if (overlap(label, &taken[i]))
            return false;
    return true;
}

/* If no place is free, the middle is used in spite of the overlap. */
void layout_label(struct layout_box *label, const struct layout_box *from,
                  const struct layout_box *to, const struct layout_box *taken, int n)
{
    /* Alternately to both sides of the middle of the visible part. The last entry is the middle
     * again, for the case that none is free. */
    static const double places[] = {.5, .42, .58, .34, .66, .26, .74, .18, .82, .1, .9, .5};
    double begin, end;
    layout_visible(from, to, &begin, &end);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        double t = begin + places[i] * (end - begin);
        label->x = from->x + t * (to->x - from->x);
        label->y = from->y + t * (to->y - from->y);
        if (is_free(label, taken, n))
            return;
    }
}
