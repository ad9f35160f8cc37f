/* contact.c - see contact.h. */
#include "contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "vec.h"

void contact_histogram_add(struct contact_histogram *h, double v)
{
    double k = floor(v / h->width);
    h->count[k < h->n ? (int)k : h->n - 1]++;
}

/* ---- one frame ------------------------------------------------------------------------------- */

int contact_able(const struct contact_rule *r, int i)
{
    return !r->donor || r->donor[i] >= 0 || r->acceptor[i];
}

/* Whether a is a hydrogen and b an acceptor for it. */
static int contact_gives(const struct contact_rule *r, int a, int b)
{
    return r->donor[a] >= 0 && r->acceptor[b] && r->donor[a] != b;
}

static void contact_delta(const struct contact_rule *r, const double *a, const double *b,
                          double d[3])
{
    double v[3];
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
    if (!r->cell)
        return;
    cell_closest(r->cell, d, v);
    vec_add(d, -1, v);
}

/* The angle at the hydrogen. */
static double contact_angle(const struct contact_rule *r, const double *x, int hydrogen,
                            int acceptor)
{
    double a[3], b[3];
    const double *h = x + 3 * (size_t)hydrogen;
    contact_delta(r, x + 3 * (size_t)r->donor[hydrogen], h, a);
    contact_delta(r, x + 3 * (size_t)acceptor, h, b);
    double cosine = vec_dot(a, b) / sqrt(vec_dot(a, a) * vec_dot(b, b));
    return acos(fmax(-1, fmin(1, cosine))) * 180 / M_PI;
}

static int contact_here(const struct contact_rule *r, const double *x, int i, int j,
                        struct contact *c)
{
    int gives = r->donor && contact_gives(r, i, j);
    double d[3];
    if (i == j || (r->donor && !gives && !contact_gives(r, j, i)))
        return 0;
    contact_delta(r, x + 3 * (size_t)i, x + 3 * (size_t)j, d);
    *c = (struct contact){i, j, -1, sqrt(vec_dot(d, d)), 0};
    if (r->distance)
        contact_histogram_add(r->distance, c->length);
    if (c->length >= r->cut)
        return 0;
    if (r->donor)
        c->angle = contact_angle(r, x, gives ? i : j, gives ? j : i);
    return !r->donor || r->angle < 0 || c->angle > r->angle;
}

struct contact_list {
    struct contact **at;
    size_t *room;
    int n;
};

static void contact_add(struct contact_list *l, const struct contact *c)
{
    mem_grow(l->at, l->room, (size_t)l->n + 1, sizeof **l->at);
    (*l->at)[l->n++] = *c;
}

/* The contacts of a set with the other one, or with what can be a bridge. */
static void contact_pairs(const struct contact_rule *r, const double *x, const unsigned char *set,
                          const unsigned char *other, struct contact_list *l)
{
    int *partner = mem_new((size_t)r->natom, sizeof *partner), n = 0;
    struct contact c;
    for (int j = 0; j < r->natom; j++)
        if ((other ? other[j] : r->bridge[j] >= 0) && contact_able(r, j))
            partner[n++] = j;
    for (int i = 0; i < r->natom; i++)
        for (int k = 0; set[i] && contact_able(r, i) && k < n; k++) {
            int j = partner[k];
            if (!other && r->bridge[i] == r->bridge[j])
                continue;
            if (!contact_here(r, x, i, j, &c))
                continue;
            c.bridge = other ? -1 : r->bridge[j];
            contact_add(l, &c);
        }
    mem_free(partner);
}

static int contact_order(int a, int b)
{
    return (a > b) - (a < b);
}

static int contact_by_bridge(const void *a, const void *b)
{
    const struct contact *p = a, *q = b;
    int order = contact_order(p->bridge, q->bridge);
    return order ? order : contact_order(p->i, q->i);
}

static int contact_by_atoms(const void *a, const void *b)
{
    const struct contact *p = a, *q = b;
    int order = contact_order(p->i, q->i);
    order = order ? order : contact_order(p->j, q->j);
    return order ? order : contact_order(p->bridge, q->bridge);
}

/* By residue and atom, each once: how many stay. */
static int contact_tidy(struct contact *c, int n)
{
    int kept = 0;
    if (n)
        qsort(c, (size_t)n, sizeof *c, contact_by_bridge);
    for (int k = 0; k < n; k++)
        if (!kept || contact_by_bridge(&c[kept - 1], &c[k]))
            c[kept++] = c[k];
    return kept;
}

/* Atoms of the two sets that one residue is in contact with. */
static void contact_bridges(const struct contact_rule *r, const double *x, struct contact_list *l)
{
    struct contact *side[2] = {NULL, NULL};
    size_t room[2] = {0, 0};
    int n[2];
    for (int k = 0; k < 2; k++) {
        struct contact_list one = {&side[k], &room[k], 0};
        contact_pairs(r, x, r->set[k], NULL, &one);
        n[k] = contact_tidy(side[k], one.n);
    }
    for (int a = 0, from = 0; a < n[0]; a++) {
        while (from < n[1] && side[1][from].bridge < side[0][a].bridge)
            from++;
        for (int b = from; b < n[1] && side[1][b].bridge == side[0][a].bridge; b++) {
            struct contact c = side[0][a];
            c.j = side[1][b].i;
            if (c.j != c.i)
                contact_add(l, &c);
        }
    }
    mem_free(side[0]);
    mem_free(side[1]);
}

int contact_find(const struct contact_rule *r, const double *x, struct contact **list, size_t *room)
{
    struct contact_list l = {list, room, 0};
    if (!r->bridge) {
        contact_pairs(r, x, r->set[0], r->set[1], &l); /* in order */
        return l.n;
    }
    contact_bridges(r, x, &l);
    if (l.n)
        qsort(*list, (size_t)l.n, sizeof **list, contact_by_atoms);
    return l.n;
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* Before, the same as or behind another one. */
static int contact_compare(const struct contact_life *p, const struct contact *q)
{
    const struct contact c = {.i = p->i, .j = p->j, .bridge = p->bridge};
    return contact_by_atoms(&c, q);
}

void contact_follow(struct contact_lives *l, const struct contact *found, int n)
{
    struct contact_life *old = l->alive;
    int were = l->n;
    l->alive = NULL;
    l->room = 0;
    l->n = 0;
    mem_grow(&l->alive, &l->room, (size_t)n + 1, sizeof *l->alive);
    for (int a = 0, b = 0; a < were || b < n;) {
        int order = a == were ? 1 : b == n ? -1 : contact_compare(&old[a], &found[b]);
        if (order < 0) {
            l->ended(l->of, &old[a++]);
            continue;
        }
        struct contact_life life = {found[b].i, found[b].j, found[b].bridge, l->frame, 0};
        if (order == 0)
            life = old[a++];
        life.frames++;
        l->alive[l->n++] = life;
        b++;
    }
    mem_free(old);
    l->frame++;
}

void contact_follow_end(struct contact_lives *l)
{
    contact_follow(l, NULL, 0);
    l->frame--; /* that was none */
    mem_free(l->alive);
    l->alive = NULL;
}
