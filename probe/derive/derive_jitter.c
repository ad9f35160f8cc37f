/* derive_jitter.c - ways whose messages take now longer, now shorter (measure_jitter.c).
 *
 * The least of a pair's pings, which stands for it elsewhere, is replaced by what is usual.
 */
#include "derivation.h"
#include "base/error.h"
#include "varied.h"
#include "derive/jitter.h"

#include <stdlib.h>

/* [SIZES * (a * n + b)]: of all turns the least median of 1 B, and of 1 KiB; 0: there was none. */
enum { SIZES = 2 };

static void find_usual(const struct derivation *d, const struct samples *samples, int64_t *usual)
{
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind != SAMPLE_VARIED || !s->count || s->from >= d->n || s->to >= d->n)
            continue;
        int64_t *known = &usual[SIZES * (s->from * d->n + s->to) + (s->bytes == DERIVATION_PAGE)];
        if (*known == 0 || s->median < *known)
            *known = s->median;
    }
}

/* Of a series' first two points; whether they are others now. */
static bool believe(struct series *series, const int64_t *usual)
{
    bool varied = false;
    for (int i = 0; i < SIZES && i < series->count; i++) {
        struct fit_point *point = &series->point[i];
        int size = point->bytes == DERIVATION_PAGE;
        int64_t ns = usual[size] ? varied_usual(point->ns, usual[size]) : point->ns;
        varied |= ns > point->ns;
        point->ns = ns;
    }
    return varied;
}

int derive_varied(struct derivation *d, const struct samples *samples)
{
    int64_t *usual = calloc((size_t)d->n * (size_t)d->n * SIZES, sizeof *usual);
    if (!usual)
        return error_set(HN_ENOMEM, "no memory for the usual times of %d hosts", d->n);
    find_usual(d, samples, usual);
    for (int a = 0; a < d->n; a++)
        for (int b = 0; b < d->n; b++) {
            int at = a * d->n + b, back = b * d->n + a;
            const int64_t *of = &usual[SIZES * at];
            if ((of[0] || of[1]) && believe(&d->pair[at], of) && believe(&d->pair[back], of))
                d->varied[at] = d->varied[back] = true;
        }
    free(usual);
    return HN_OK;
}
