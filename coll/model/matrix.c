/* matrix.c - delivery times of all pairs. */
#include "model/matrix.h"

#include "model/zones.h"

#include "hnow.h"

#include <stdlib.h>

/* Computes every pair, by n^2 look-ups. */
static void fill(const struct model *model, int64_t bytes, hn_time *deliver)
{
    for (int from = 0; from < model->ranks; from++)
        for (int to = 0; to < model->ranks; to++)
            *deliver++ = from == to ? 0 : model_deliver(model, from, to, bytes);
}

/* Delivery times from one zone to all zones. */
static void look_up_zone_times(const struct zones *z, int from, hn_time *zone_time)
{
    for (int to = 0; to < z->c.count; to++) {
        struct cost c = {0};
        if (zones_linked(z, from, to))
            c = zones_cost(z, from, to);
        zone_time[to] = c.send + c.travel + c.recv;
    }
}

/* If ranks of a zone are alike, the cost of a pair is that of its zones plus the extra times of the
 * two ranks. */
static void fill_by_zones(const struct zones *z, hn_time *zone_time, hn_time *deliver)
{
    size_t n = (size_t)z->model->ranks;
    for (int zone = 0; zone < z->c.count; zone++) {
        look_up_zone_times(z, zone, zone_time);
        for (int m = z->c.first[zone]; m < z->c.first[zone + 1]; m++) {
            int from = z->c.member[m];
            hn_time extra = zones_extra_send(z, from), *row = &deliver[(size_t)from * n];
            for (size_t to = 0; to < n; to++)
                row[to] = extra + zone_time[z->c.of[to]] + zones_extra_wake(z, (int)to) +
                          zones_extra_recv(z, (int)to);
            row[from] = 0;
        }
    }
}

/* NULL: too many ranks, or out of memory. By zones one row costs O(n) additions instead of
 * look-ups. */
struct matrix *matrix_new(const struct model *model, int64_t bytes)
{
    size_t n = (size_t)model->ranks;
    if (model->ranks > MATRIX_RANKS_MOST)
        return NULL;
    struct matrix *matrix = malloc(sizeof *matrix);
    hn_time *deliver = malloc(n * n * sizeof *deliver);
    if (!matrix || !deliver) {
        free(matrix);
        free(deliver);
        return NULL;
    }
    *matrix = (struct matrix){model->ranks, bytes, deliver};
    struct zones zones = {0};
    hn_time *zone_time = NULL;
    /* Ranks that share a host have other costs than the rest of their zone. */
    if (model->ranks > 1 && zones_begin(&zones, model) == HN_OK && zones.alike && !zones.shares)
        zone_time = malloc((size_t)zones.c.count * sizeof *zone_time);
    if (zone_time) {
        zones_set_bytes(&zones, bytes);
        fill_by_zones(&zones, zone_time, deliver);
    } else {
        fill(model, bytes, deliver);
    }
    free(zone_time);
    zones_end(&zones);
    return matrix;
}

void matrix_free(struct matrix *matrix)
{
    if (matrix)
        free(matrix->deliver);
    free(matrix);
}
