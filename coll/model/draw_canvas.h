/* draw_canvas.h - what the parts of a timing diagram share; private to draw*.c.
 *
 * From top to bottom: title, legends, heading, a row for each rank, a band for each medium, the
 * axis.
 */
#pragma once

#include "model/draw.h"
#include "probe/internal.h"
#include "runtime/internal.h"

enum {
    DRAW_TOP = 90, /* pixels above the first row */
    DRAW_KEYS_Y = 42,
    DRAW_BLOCKS_Y = 60, /* base lines of the legends */
    DRAW_NAME_MOST = 40 /* letters in front of a row */
};
#define DRAW_BAR_LEAST 2.0 /* pixels: narrower bars are invisible in print */

/* The bytes of a message on a medium. */
struct medium_use {
    struct net_medium medium;
    struct span move;
    int32_t send; /* step */
    int rank;     /* the sender */
    int row;      /* row in its band, if several messages use the medium at once */
};

/* A medium and its uses: use[first ... first + count - 1] of struct bands. */
struct band {
    int first, count, rows;
    double top; /* pixels below the first band */
};

struct bands {
    struct span *moves; /* [step of the receive]; NULL: the model has no media */
    struct medium_use *use;
    int uses;
    struct band *band;
    int count, hidden;  /* bands shown, and not shown */
    double height;      /* pixels of all */
    struct arena arena; /* of the arrays */
};

/* A panel: the rows and bands with one set of times. */
struct canvas {
    const struct drawing *drawing;
    const struct timing *timing;
    const struct bands *bands; /* NULL: media use is unknown (measured times) */
    FILE *file;
    double row, scale; /* pixels a rank, pixels a picosecond */
    hn_time span;      /* that is shown */
    double bottom;     /* of the last rank's row */
    int left, width;   /* where time 0 is; pixels */
};

/* A name in front of a row; the middle of a very long one is left out. */
void draw_name(const struct canvas *c, double y, double size, const char *name);
/* A bar from a time to a time, no narrower than DRAW_BAR_LEAST. */
void draw_bar(const struct canvas *c, struct span span, double y, double height,
              const char *colour);
void draw_title_of(const struct canvas *c, int rank, int32_t send);

/* draw_blocks.c: a colour for each block, or for each group of neighbours. */
const char *draw_colour(const struct plan *plan, const struct plan_step *step,
                        char text[PICTURE_COLOUR_ROOM]);
void draw_block_name(const struct drawing *drawing, int block, FILE *file);
void draw_block_legend(const struct drawing *drawing, FILE *file);

/* draw_media.c: which message uses which medium when. HN_OK or an error; call bands_free() in
 * either case. */
int bands_make(const struct drawing *drawing, struct bands *bands);
void bands_free(struct bands *bands);
/* The longest name, in letters. */
size_t bands_longest(const struct bands *bands, const struct drawing *drawing);
/* Draws names and backgrounds of the bands, up to this x. To be called first: they lie behind the
 * rest. */
void draw_band_names(const struct canvas *c, const struct bands *bands, int right);
void draw_bands(const struct canvas *c);
