/* pairlist.c - builds the neighbour list, see pairlist.h.
 *
 * For each cluster and each of the 27 box vectors (one without a box): finds the columns within
 * reach, in them the clusters within reach along z (binary search), then compares the distance of
 * the bounding boxes, then the distances of the atoms. The last test removes about a quarter of the
 * cluster pairs, which the kernel would otherwise compute in every step.
 */
#include "pairlist.h"

#include <string.h>

#include "mem.h"

enum { PAIRLIST_SAMPLE = 8 }; /* one of so many clusters is searched for the estimate */

/* A search for neighbours of one cluster, displaced by a box vector. On the stack of
 * pairlist_build(). A negative direction of a box vector is searched as well; pairlist_takes()
 * removes the duplicates. */
struct pairlist_search {
    const struct pairlist_request *q;
    struct pairlist *l;
    int ci, number; /* number of the box vector: 13 is the zero vector */
    double shift[3];
    struct grid_bound bound;   /* displaced */
    double x[KERNEL_WIDTH][3]; /* displaced atoms */
    int n;
    double reach2;
};

/* The squared distance of two bounding boxes, 0 if they overlap. */
static double pairlist_gap2(const struct grid_bound *a, const struct grid_bound *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = a->low[k] - b->high[k], e = b->low[k] - a->high[k];
        d = d > e ? d : e;
        sum += d > 0 ? d * d : 0;
    }
    return sum;
}

/* True if this row takes the pair, which both rows find. The parity of the sum alternates, so that
 * both clusters get half of their pairs. Of a cluster's pair with its own image, only one of the
 * two opposite box vectors counts. */
static int pairlist_takes(const struct pairlist_search *s, int cj)
{
    if (cj == s->ci)
        return s->number >= 13;
    return (s->ci + cj) % 2 ? s->ci > cj : s->ci < cj;
}

static int pairlist_near(const struct pairlist_search *s, int cj)
{
    const struct grid *g = s->q->grid;
    for (int b = 0; b < KERNEL_WIDTH; b++) {
        int j = g->atom[cj * KERNEL_WIDTH + b];
        if (j < 0)
            return 0;
        const double *p = &g->place[3 * (size_t)j];
        for (int a = 0; a < s->n; a++) {
            double dx = s->x[a][0] - p[0], dy = s->x[a][1] - p[1], dz = s->x[a][2] - p[2];
            /* One near pair of atoms is enough for the two clusters. */
            if (dx * dx + dy * dy + dz * dz < s->reach2)
                return 1;
        }
    }
    return 0;
}

/* Number 13 is (0, 0, 0) in base 3 with digits -1, 0, 1. Returns 0 early if the displaced cluster
 * is farther from all atoms than the cut-off; most box vectors end here. */
static int pairlist_reach(struct pairlist_search *s, int ci, int number)
{
    const struct grid *g = s->q->grid;
    double gap = 0, cut = s->q->cutoff;
    const double step[3] = {number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1};
    /* Without a box there are no images. */
    if (number != 13 && g->cell.box[0] <= 0)
        return 0;
    s->ci = ci;
    s->number = number;
    cell_vector(&g->cell, step, s->shift);
    for (int k = 0; k < 3; k++) {
        s->bound.low[k] = g->bound[ci].low[k] + s->shift[k];
        s->bound.high[k] = g->bound[ci].high[k] + s->shift[k];
        double over = s->bound.low[k] - (g->low[k] + g->size[k]);
        double under = g->low[k] - s->bound.high[k];
        /* At most one of the two is positive. */
        over = over > under ? over : under;
        gap += over > 0 ? over * over : 0;
    }
    return gap < cut * cut;
}

/* Only needed for rows, so not part of pairlist_reach(). */
static void pairlist_atoms(struct pairlist_search *s)
{
    const struct grid *g = s->q->grid;
    s->n = 0;
    for (int a = 0; a < KERNEL_WIDTH; a++) {
        int i = g->atom[s->ci * KERNEL_WIDTH + a];
        if (i < 0)
            break;
        for (int k = 0; k < 3; k++)
            s->x[a][k] = g->place[3 * (size_t)i + (size_t)k] + s->shift[k];
        s->n++;
    }
}

/* Calls visit for every column within reach, with the range of clusters. */
static void pairlist_columns(struct pairlist_search *s,
                             void (*visit)(struct pairlist_search *s, int begin, int end))
{
    const struct grid *g = s->q->grid;
    double cut = s->q->cutoff;
    int x0 = grid_column_at(g, 0, s->bound.low[0] - cut);
    int x1 = grid_column_at(g, 0, s->bound.high[0] + cut);
    int y0 = grid_column_at(g, 1, s->bound.low[1] - cut);
    int y1 = grid_column_at(g, 1, s->bound.high[1] + cut);
    for (int x = x0; x <= x1; x++)
        for (int y = y0; y <= y1; y++) {
            int begin, end;
            grid_span(g, x * g->ny + y, s->bound.low[2] - cut, s->bound.high[2] + cut, &begin,
                      &end);
            /* The column has clusters in the range of z. */
            if (begin < end)
                visit(s, begin, end);
        }
}

/* ---- estimate and ranges ------------------------------------------------------------------ */

/* The cost of a cluster is the number of its neighbours. */
static void pairlist_visit_estimate(struct pairlist_search *s, int begin, int end)
{
    s->l->cost[s->ci] += end - begin;
}

/* Every task estimates all costs, so it samples only some clusters: the following ones are above
 * them in the same column, or next to it, and have about as many neighbours. It costs O(27 N /
 * PAIRLIST_SAMPLE) searches of columns. */
static void pairlist_estimate(struct pairlist *l, const struct pairlist_request *q)
{
    int n = q->grid->clusters;
    mem_grow(&l->cost, &l->cost_room, (size_t)n, sizeof *l->cost);
    struct pairlist_search s = {.q = q, .l = l};
    for (int ci = 0; ci < n; ci++) {
        l->cost[ci] = ci % PAIRLIST_SAMPLE ? l->cost[ci - 1] : 1;
        for (int number = 0; number < 27 && ci % PAIRLIST_SAMPLE == 0; number++)
            if (pairlist_reach(&s, ci, number))
                pairlist_columns(&s, pairlist_visit_estimate);
    }
}

/* The clusters of this task's rows: those whose middle of cost is in its part of the total. */
static void pairlist_range(struct pairlist *l, const struct pairlist_request *q, int *begin,
                           int *end)
{
    int n = q->grid->clusters, mine = share_place(q->share, q->rank);
    *begin = 0;
    *end = n;
    if (q->share->size == 1)
        return;
    pairlist_estimate(l, q);
    double all = 0, shares = 0, before = 0, low = 0, high = 0;
    for (int c = 0; c < n; c++)
        all += l->cost[c];
    /* The sum of shares before the row, and after it. */
    for (int k = 0; k < q->share->size; k++) {
        low = k == mine ? shares : low;
        shares += share_at(q->share, k);
        high = k <= mine ? shares : high;
    }
    *begin = *end = -1;
    for (int c = 0; c < n; c++) {
        double middle = (before + l->cost[c] / 2) * shares;
        before += l->cost[c];
        if (middle < low * all || middle >= high * all)
            continue;
        *begin = *begin < 0 ? c : *begin;
        *end = c + 1;
    }
    if (*begin < 0)
        *begin = *end = 0;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Marks or unmarks the excluded pairs of a cluster's atoms. l->block is all zero between two
 * clusters, so only the marked entries are cleared. */
static void pairlist_block(struct pairlist *l, const struct pairlist_request *q, int ci, int mark)
{
    const struct grid *g = q->grid;
    for (int a = 0; a < KERNEL_WIDTH; a++) {
        int i = g->atom[ci * KERNEL_WIDTH + a];
        if (i < 0)
            break;
        for (int e = q->excluded_first[i]; e < q->excluded_first[i + 1]; e++) {
            int slot = g->slot[q->excluded[e]];
            uint16_t bit = (uint16_t)(1u << (KERNEL_WIDTH * a + slot % KERNEL_WIDTH));
            uint16_t *b = &l->block[slot / KERNEL_WIDTH];
            *b = mark ? *b | bit : 0;
        }
    }
}

/* mask is not 0: such a pair is not listed at all. */
static void pairlist_push(struct pairlist *l, int cj, uint16_t mask)
{
    mem_grow(&l->j, &l->j_room, l->n + 1, sizeof *l->j);
    mem_grow(&l->mask, &l->mask_room, l->n + 1, sizeof *l->mask);
    l->j[l->n] = cj;
    l->mask[l->n++] = mask;
}

/* Any atom of the cluster is enough: the kernel treats all 16 pairs alike. */
static int pairlist_special(const struct pairlist_request *q, int c)
{
    for (int a = 0; a < KERNEL_WIDTH; a++) {
        int i = q->grid->atom[c * KERNEL_WIDTH + a];
        if (i >= 0 && q->special[i])
            return 1;
    }
    return 0;
}

/* Bits of the pairs of two fixed atoms: CHARMM's lists have none of them (cons.doc, CONS FIX). */
static unsigned pairlist_fixed(const struct pairlist_request *q, int ci, int cj)
{
    unsigned mask = 0;
    for (int k = 0; q->fixed && k < KERNEL_WIDTH * KERNEL_WIDTH; k++) {
        int i = q->grid->atom[ci * KERNEL_WIDTH + k / KERNEL_WIDTH];
        int j = q->grid->atom[cj * KERNEL_WIDTH + k % KERNEL_WIDTH];
        mask |= (unsigned)(i >= 0 && j >= 0 && q->fixed[i] && q->fixed[j]) << k;
    }
    return mask;
}

/* Bits of the upper triangle: each pair inside a cluster once. */
static const uint16_t pairlist_triangle = 0xe | 0xc << 4 | 0x8 << 8;

/* The tests are in order of their cost. */
static void pairlist_visit_row(struct pairlist_search *s, int begin, int end)
{
    const struct grid *g = s->q->grid;
    for (int cj = begin; cj < end; cj++)
        if (pairlist_takes(s, cj) && pairlist_gap2(&s->bound, &g->bound[cj]) < s->reach2 &&
            pairlist_near(s, cj)) {
            unsigned mask = ~(s->l->block[cj] | pairlist_fixed(s->q, s->ci, cj)) & 0xffff;
            mask &= cj == s->ci && s->number == 13 ? pairlist_triangle : 0xffff;
            if (mask)
                pairlist_push(s->l, cj, (uint16_t)mask);
        }
}

/* Moves clusters that need a mask or the pair tables behind the others. One pass with exchanges;
 * the order within either part does not matter. */
static void pairlist_divide(struct pairlist *l, const struct pairlist_request *q,
                            struct kernel_row *row)
{
    size_t end = l->n, plain = row->first;
    int special = pairlist_special(q, row->ci);
    for (size_t k = row->first; k < end; k++) {
        /* It stays behind the plain ones. */
        if (l->mask[k] != 0xffff || (special && pairlist_special(q, l->j[k])))
            continue;
        int j = l->j[k];
        uint16_t mask = l->mask[k];
        l->j[k] = l->j[plain];
        l->mask[k] = l->mask[plain];
        l->j[plain] = j;
        l->mask[plain++] = mask;
    }
    row->plain = (uint32_t)(plain - row->first);
    row->special = (uint32_t)(end - plain);
}

/* A row is one cluster with one box vector. Rows without pairs are not stored. */
static void pairlist_row(struct pairlist *l, const struct pairlist_request *q,
                         struct pairlist_search *s)
{
    struct kernel_row row = {.ci = s->ci, .first = l->n};
    memcpy(row.shift, s->shift, sizeof row.shift);
    pairlist_atoms(s);
    pairlist_columns(s, pairlist_visit_row);
    if (l->n == row.first)
        return;
    pairlist_divide(l, q, &row);
    mem_grow(&l->row, &l->row_room, l->rows + 1, sizeof *l->row);
    l->row[l->rows++] = row;
}

/* Each cluster with all 27 images of the others. O(n) for a fixed cut-off. */
void pairlist_build(struct pairlist *l, const struct pairlist_request *q)
{
    int begin, end, n = q->grid->clusters;
    mem_grow(&l->block, &l->block_room, (size_t)n, sizeof *l->block);
    memset(l->block, 0, (size_t)n * sizeof *l->block);
    l->rows = l->n = 0;
    pairlist_range(l, q, &begin, &end);
    struct pairlist_search s = {.q = q, .l = l, .reach2 = q->cutoff * q->cutoff};
    for (int ci = begin; ci < end; ci++) {
        pairlist_block(l, q, ci, 1);
        for (int number = 0; number < 27; number++)
            if (pairlist_reach(&s, ci, number))
                pairlist_row(l, q, &s);
        pairlist_block(l, q, ci, 0);
    }
}

void pairlist_free(struct pairlist *l)
{
    mem_free(l->row);
    mem_free(l->j);
    mem_free(l->mask);
    mem_free(l->block);
    mem_free(l->cost);
    memset(l, 0, sizeof *l);
}
