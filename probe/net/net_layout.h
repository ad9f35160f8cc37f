/* net_layout.h - places the boxes and labels of a network map. */
#pragma once

/* A box or a label, in pixels; y grows downwards, as in SVG. */
struct layout_box {
    double x, y; /* centre */
    double w, h;
};

/* Places n boxes of given sizes around an ellipse, or in rows if there are more than 16.  No two
 * boxes touch; gap is the distance between them.  The drawing begins at (0, 0); *width and *height
 * receive its size. */
void layout_place(struct layout_box *box, int n, double gap, double *width, double *height);

/* Places a label of given size on the line between two boxes.  It avoids the n boxes and labels in
 * `taken` if possible, else it lies near the middle of the visible part. Each place along the line
 * costs O(n), and there are twelve. */
void layout_label(struct layout_box *label, const struct layout_box *from,
                  const struct layout_box *to, const struct layout_box *taken, int n);
