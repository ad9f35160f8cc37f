/* bisections.c - Buneman's splits (bisections.h), adding one place at a time.
 *
 * A split of some places, restricted to fewer of them, is a split of these that is at least as
 * long, or has all of them on one side.  So the splits of k + 1 places are among those of k, with
 * the new place on either side, plus the one that separates it from all others.
 */
#include "derive/bisections.h"
#include "runtime/internal.h"
#include "thresholds.h"

typedef int64_t matrix[BISECTIONS_UNITS][BISECTIONS_UNITS];

/* ---- distances of units ----------------------------------------------------------------- */

int bisections_place(const struct bisections *s, int unit)
{
    for (int i = 0; i < s->units; i++)
        if (s->unit[i] == unit)
            return i;
    return -1;
}

/* Adds a unit, in ascending order.  Returns false if there are too many. */
static bool add_unit(struct bisections *s, int unit)
{
    int at = s->units;
    if (unit < 0 || bisections_place(s, unit) >= 0)
        return true;
    if (at == BISECTIONS_UNITS)
        return false;
    for (; at > 0 && s->unit[at - 1] > unit; at--)
        s->unit[at] = s->unit[at - 1];
    s->unit[at] = unit;
    s->units++;
    return true;
}

/* The shortest distance between the hosts of any two units, in both directions. */
static void find_nearest(const struct bisections *s, int n, const int64_t *cost, const int *unit_of,
                         matrix near)
{
    for (int a = 0; a < s->units; a++)
        for (int b = 0; b < s->units; b++)
            /* Far beyond all distances; sums of two of them do not overflow. */
            near[a][b] = INT64_MAX / 8;
    for (int i = 0; i < n; i++) {
        int a = bisections_place(s, unit_of[i]);
        for (int j = 0; a >= 0 && j < n; j++) {
            int b = bisections_place(s, unit_of[j]);
            if (i == j || b < 0 || cost[i * n + j] >= near[a][b])
                continue;
            near[a][b] = near[b][a] = cost[i * n + j];
        }
    }
}

/* Reduces distances to those from edge to edge.  A unit of one host has no neighbours: it counts
 * like the best of the others. */
static void cut_insides(const struct bisections *s, matrix near)
{
    int64_t inside[BISECTIONS_UNITS], least = INT64_MAX / 8;
    for (int a = 0; a < s->units; a++)
        least = near[a][a] < least ? near[a][a] : least;
    for (int a = 0; a < s->units; a++)
        /* Without any neighbours nothing is known about the insides, so nothing is subtracted. */
        inside[a] = near[a][a] < INT64_MAX / 8 ? near[a][a] : least < INT64_MAX / 8 ? least : 0;
    for (int a = 0; a < s->units; a++)
        for (int b = 0; b < s->units; b++)
            near[a][b] = a == b ? 0 : near[a][b] - (inside[a] + inside[b]) / 2;
}

/* Shorter splits are noise. */
static int64_t least_length(const struct bisections *s, const matrix d)
{
    int64_t longest = 0;
    for (int a = 0; a < s->units; a++)
        for (int b = 0; b < s->units; b++)
            longest = d[a][b] > longest ? d[a][b] : longest;
    return LINE_SHORTEST_NS + longest / LINE_SHORTEST_PART;
}

/* ---- splits ----------------------------------------------------------------------------- */

/* How much longer two routes between the sides are than two within them, whichever ends are
 * paired. */
static int64_t apart(const matrix d, int a, int b, int x, int y)
{
    return (int64_smaller(d[a][x] + d[b][y], d[a][y] + d[b][x]) - d[a][b] - d[x][y]) / 2;
}

/* Lists the places of one side.  Returns their number. */
static int list_side(uint32_t far, int units, bool is_far, int *place)
{
    int count = 0;
    for (int i = 0; i < units; i++)
        if ((far >> i & 1) == is_far)
            place[count++] = i;
    return count;
}

/* The length of a split of the first `units` places; stops once it is known to be below `least`. */
static int64_t length_of(const matrix d, uint32_t far, int units, int64_t least)
{
    int near_side[BISECTIONS_UNITS], far_side[BISECTIONS_UNITS];
    int nears = list_side(far, units, false, near_side);
    int fars = list_side(far, units, true, far_side);
    int64_t length = INT64_MAX;
    for (int i = 0; i < nears; i++)
        /* Pairs with both ends equal count, too, as in Buneman's definition. */
        for (int j = i; j < nears; j++)
            for (int k = 0; k < fars; k++)
                for (int l = k; l < fars && length >= least; l++)
                    length = int64_smaller(
                        length, apart(d, near_side[i], near_side[j], far_side[k], far_side[l]));
    return length;
}

/* Adds a split to the list if it is long enough. */
static void consider(struct bisections *s, const matrix d, uint32_t far, int units, int64_t least)
{
    int64_t length = length_of(d, far, units, least);
    if (length >= least && s->count < BISECTIONS_MOST)
        s->split[s->count++] = (struct bisection){far, length};
}

/* Incremental, because trying all 2^(n-1) splits is impossible beyond some twenty places.  A split
 * that has become too short never gets longer, so it can be dropped at once. */
static void add_place(struct bisections *s, const matrix d, int place, int64_t least)
{
    struct bisections old = *s;
    uint32_t bit = (uint32_t)1 << place;
    s->count = 0;
    for (int i = 0; i < old.count; i++) {
        consider(s, d, old.split[i].far, place + 1, least);
        consider(s, d, old.split[i].far | bit, place + 1, least);
    }
    consider(s, d, bit, place + 1, least);
}

/* With fewer than three units there is no line to find; with too many none is searched. */
void bisections_of_hosts(struct bisections *s, int n, const int64_t *cost, const int *unit_of)
{
    matrix d;
    bool few = true;
    s->units = s->count = 0;
    for (int i = 0; i < n && few; i++)
        few = add_unit(s, unit_of[i]);
    if (!few)
        s->units = 0;
    if (s->units < 3)
        return;
    find_nearest(s, n, cost, unit_of, d);
    cut_insides(s, d);
    int64_t least = least_length(s, d);
    for (int place = 1; place < s->units; place++)
        add_place(s, d, place, least);
}

/* ---- queries ---------------------------------------------------------------------------- */

int bisections_shared(const struct bisections *s, const int from[2], const int to[2], int *which)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const struct bisection *split = &s->split[i];
        if (bisections_cross(split, from[0], from[1]) || bisections_cross(split, to[0], to[1]) ||
            !bisections_cross(split, from[0], to[0]))
            continue;
        *which = i;
        count++;
    }
    return count;
}

int bisections_single(const struct bisections *s, const struct bisection *split)
{
    int place[BISECTIONS_UNITS];
    for (int far = 0; far < 2; far++)
        if (list_side(split->far, s->units, far, place) == 1)
            return place[0];
    return -1;
}
