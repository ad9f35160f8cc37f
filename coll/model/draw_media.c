/* draw_media.c - which message occupies which medium when: bands below the ranks of a timing
 * diagram.
 *
 * On a slow wire the sender's part of a message (S) is short; only the media show why such plans
 * are slow. A message is drawn on every medium of its route while its bytes move, since they move
 * through all of them at once. Messages that share a medium are stacked.
 *
 * Cost: O(u log u) for u uses (messages and the media of their routes), besides one simulation.
 */
#include "model/draw_canvas.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    BANDS_MOST = 24, /* shown: the first ones in the order of kind and number */
    ROWS_MOST = 6,   /* messages above each other; more lie upon each other */
    ROW = 7,         /* pixels */
    BAND_LEAST = 16,
    BAND_PAD = 2, /* pixels */
    HEADING = 20  /* pixels above the first band */
};

/* ---- uses ------------------------------------------------------------------------------- */

/* Orders by kind first, so that bands of one kind are adjacent. */
static int compare_media(const struct net_medium *a, const struct net_medium *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->which != b->which)
        return a->which < b->which ? -1 : 1;
    return (a->other > b->other) - (a->other < b->other);
}

static int compare_uses(const void *left, const void *right)
{
    const struct medium_use *a = left, *b = right;
    int order = compare_media(&a->medium, &b->medium);
    if (order == 0)
        order = (a->move.begin > b->move.begin) - (a->move.begin < b->move.begin);
    return order ? order : (a->send > b->send) - (a->send < b->send);
}

/* The media of one message; `use` NULL: only their number is wanted. Messages without a move, as
 * joined sends, occupy none. */
static int find_uses(const struct drawing *d, const struct bands *bands, int rank, int32_t send,
                     struct medium_use *use)
{
    const struct plan_step *step = &d->plan->steps[send];
    struct span move = bands->moves[step->match];
    struct net_medium medium[NET_MEDIA_MOST];
    if (step->kind != PLAN_SEND || move.end <= move.begin)
        return 0;
    int count = net_media(model_net(d->model), model_host(d->model, rank),
                          model_host(d->model, step->peer), medium);
    for (int i = 0; use && i < count; i++)
        use[i] = (struct medium_use){medium[i], move, send, rank, 0};
    return count;
}

/* All of them; their number. */
static int find_all(const struct drawing *d, struct bands *bands, struct medium_use *use)
{
    int count = 0;
    for (int rank = 0; rank < d->plan->ranks; rank++)
        for (int32_t i = d->plan->first[rank]; i < d->plan->first[rank + 1]; i++)
            count += find_uses(d, bands, rank, i, use ? use + count : NULL);
    return count;
}

/* ---- bands ------------------------------------------------------------------------------ */

/* Gives each use of a band the first row that is free. */
static void stack(struct bands *bands, struct band *band)
{
    hn_time until[ROWS_MOST] = {0};
    for (int i = band->first; i < band->first + band->count; i++) {
        struct medium_use *use = &bands->use[i];
        while (use->row < ROWS_MOST - 1 && until[use->row] > use->move.begin)
            use->row++;
        until[use->row] = time_later(until[use->row], use->move.end);
        if (use->row >= band->rows)
            band->rows = use->row + 1;
    }
}

static double band_height(const struct band *band)
{
    int height = ROW * band->rows + 2 * BAND_PAD;
    return height < BAND_LEAST ? BAND_LEAST : height;
}

/* The uses are in the order of media. */
static void make_bands(struct bands *bands)
{
    for (int at = 0, next; at < bands->uses; at = next) {
        for (next = at + 1; next < bands->uses; next++)
            if (compare_media(&bands->use[next].medium, &bands->use[at].medium) != 0)
                break;
        /* Further media are counted only. */
        if (bands->count == BANDS_MOST) {
            bands->hidden++;
            continue;
        }
        struct band *band = &bands->band[bands->count++];
        *band = (struct band){.first = at, .count = next - at, .top = bands->height};
        stack(bands, band);
        bands->height += band_height(band);
    }
    if (bands->count > 0)
        bands->height += HEADING;
}

/* Without a network with media there are no bands, which is no error. */
int bands_make(const struct drawing *drawing, struct bands *bands)
{
    *bands = (struct bands){0};
    if (!drawing->model || !model_net(drawing->model) || drawing->model->port != PORT_MEDIA)
        return HN_OK;
    size_t steps = (size_t)drawing->plan->first[drawing->plan->ranks];
    bands->moves = arena_array(&bands->arena, steps + 1, sizeof *bands->moves);
    bands->band = arena_array(&bands->arena, BANDS_MOST, sizeof *bands->band);
    int error =
        bands->arena.failed ? HN_ENOMEM : plan_moves(drawing->plan, drawing->model, bands->moves);
    if (error)
        return error;
    /* Counted first, so that the array is allocated once. */
    bands->uses = find_all(drawing, bands, NULL);
    bands->use = arena_array(&bands->arena, (size_t)bands->uses + 1, sizeof *bands->use);
    if (bands->arena.failed)
        return HN_ENOMEM;
    find_all(drawing, bands, bands->use);
    qsort(bands->use, (size_t)bands->uses, sizeof *bands->use, compare_uses);
    make_bands(bands);
    return HN_OK;
}

void bands_free(struct bands *bands)
{
    arena_free(&bands->arena);
}

/* ---- drawing ---------------------------------------------------------------------------- */

static const char *name_of(const struct bands *bands, const struct drawing *drawing, int band,
                           char text[NET_MEDIUM_TEXT])
{
    return net_medium_name(model_net(drawing->model), bands->use[bands->band[band].first].medium,
                           text);
}

size_t bands_longest(const struct bands *bands, const struct drawing *drawing)
{
    char text[NET_MEDIUM_TEXT];
    size_t longest = 0;
    for (int i = 0; i < bands->count; i++) {
        size_t length = strlen(name_of(bands, drawing, i, text));
        longest = length > longest ? length : longest;
    }
    return longest;
}

static double band_top(const struct canvas *c, const struct band *band)
{
    return c->bottom + HEADING + band->top;
}

void draw_band_names(const struct canvas *c, const struct bands *bands, int right)
{
    enum { LETTERS = 10 }; /* of a name at the left margin */
    char text[NET_MEDIUM_TEXT];
    if (bands->count == 0)
        return;
    fprintf(c->file, "<text x='%d' y='%.1f' font-weight='bold'>media", c->left, c->bottom + 15);
    if (bands->hidden)
        fprintf(c->file, ", the first %d of %d", bands->count, bands->count + bands->hidden);
    fputs("</text>\n", c->file);
    for (int i = 0; i < bands->count; i++) {
        const struct band *band = &bands->band[i];
        double y = band_top(c, band), height = band_height(band);
        if (i % 2 == 0)
            fprintf(c->file,
                    "<rect x='0' y='%.1f' width='%d' height='%.1f' fill='" PICTURE_BAND "'/>\n", y,
                    right, height);
        draw_name(c, y + height / 2, LETTERS, name_of(bands, c->drawing, i, text));
    }
}

/* Uses that overlap in time are in different rows of the band. */
static void draw_use(const struct canvas *c, const struct band *band, const struct medium_use *use)
{
    const struct plan *plan = c->drawing->plan;
    char colour[PICTURE_COLOUR_ROOM];
    double height = (band_height(band) - 2 * BAND_PAD) / band->rows;
    fputs("<g class='medium'>", c->file);
    draw_title_of(c, use->rank, use->send);
    draw_bar(c, use->move, band_top(c, band) + BAND_PAD + use->row * height, height - .5,
             draw_colour(plan, &plan->steps[use->send], colour));
    fputs("</g>\n", c->file);
}

void draw_bands(const struct canvas *c)
{
    for (int i = 0; c->bands && i < c->bands->count; i++) {
        const struct band *band = &c->bands->band[i];
        for (int k = band->first; k < band->first + band->count; k++)
            draw_use(c, band, &c->bands->use[k]);
    }
}
