/* net_layout.h - where the boxes of a network map stand. */
#pragma once

struct layout_box {
    double x, y; /* centre */
    double w, h;
};

/* Places n boxes, whose sizes are given, around an ellipse (in rows, when there are more than 16)
 * so that no two touch; gap is the room kept between them.  The whole begins at (0, 0); its size is
 * returned in *width and *height. */
void layout_place(struct layout_box *box, int n, double gap, double *width, double *height);

/* Puts a label (its size is given) on the line between two boxes where it covers none of the n
 * boxes and labels before it, if there is such a place; near the middle of the visible part else.
 */
void layout_label(struct layout_box *label, const struct layout_box *from,
                  const struct layout_box *to, const struct layout_box *taken, int n);
