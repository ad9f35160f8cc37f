/* COOR HBOND and CONTACT: places whose contacts are known, and lives over frames. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "contact.h"
#include "mem.h"

/* Two waters (O H H) and, far away, an ion that an oxygen of each could hold. The hydrogen of the
 * first points at the oxygen of the second: 1.9 Angstrom, in a line but for 30 degrees. */
enum { ATOMS = 7 };
static const double place[3 * ATOMS] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2.6454482672, 0.95, 0,
                                        3, 2, 0, 4, 0, 0, 9, 0, 0};
static const int donor[ATOMS] = {-1, 0, 0, -1, 3, 3, -1};
static const unsigned char acceptor[ATOMS] = {1, 0, 0, 1, 0, 0, 1};
static const unsigned char first[ATOMS] = {1, 1, 1}, second[ATOMS] = {0, 0, 0, 1, 1, 1, 1};
static const unsigned char all[ATOMS] = {1, 1, 1, 1, 1, 1, 1};

static struct contact_rule rule(const unsigned char *a, const unsigned char *b)
{
    return (struct contact_rule){.natom = ATOMS,
                                 .cut = 2.4,
                                 .angle = -1,
                                 .donor = donor,
                                 .acceptor = acceptor,
                                 .set = {a, b}};
}

Test(hmd_contact, a_hydrogen_bond)
{
    struct contact *c = NULL;
    size_t room = 0;
    struct contact_rule r = rule(first, second);
    cr_assert_eq(contact_find(&r, place, &c, &room), 1);
    cr_expect(c[0].i == 1 && c[0].j == 3 && c[0].bridge == -1);
    cr_expect_float_eq(c[0].length, 1.9, 1e-9);
    cr_expect_float_eq(c[0].angle, 150, 1e-6);
    r.angle = 151;
    cr_expect_eq(contact_find(&r, place, &c, &room), 0);
    r.angle = 149;
    cr_expect_eq(contact_find(&r, place, &c, &room), 1);
    r.cut = 1.9 - 1e-6;
    cr_expect_eq(contact_find(&r, place, &c, &room), 0);
    mem_free(c);
}

/* From both sides, and without hydrogens' own donors. */
Test(hmd_contact, both_ways)
{
    struct contact *c = NULL;
    size_t room = 0;
    struct contact_rule r = rule(all, all);
    cr_assert_eq(contact_find(&r, place, &c, &room), 2);
    cr_expect(c[0].i == 1 && c[0].j == 3 && c[1].i == 3 && c[1].j == 1);
    r.donor = NULL; /* whatever is so near */
    int n = contact_find(&r, place, &c, &room), want = 0;
    for (int i = 0; i < ATOMS; i++)
        for (int j = 0; j < ATOMS; j++)
            want += i != j &&
                    hypot(place[3 * i] - place[3 * j], place[3 * i + 1] - place[3 * j + 1]) < 2.4;
    cr_expect_eq(n, want, "%d contacts, %d are wanted", n, want);
    cr_expect_gt(n, 2);
    mem_free(c);
}

Test(hmd_contact, images)
{
    struct contact *c = NULL;
    size_t room = 0;
    struct cell cell;
    struct contact_rule r = rule(first, second);
    double x[3 * ATOMS];
    cell_right(&cell, (const double[3]){20, 30, 40});
    memcpy(x, place, sizeof x);
    for (int i = 3; i < 6; i++)
        x[3 * i + 1] -= 60;
    cr_expect_eq(contact_find(&r, x, &c, &room), 0);
    r.cell = &cell;
    cr_assert_eq(contact_find(&r, x, &c, &room), 1);
    cr_expect_float_eq(c[0].length, 1.9, 1e-9);
    cr_expect_float_eq(c[0].angle, 150, 1e-6);
    mem_free(c);
}

/* The ion moves to where a hydrogen of the second water reaches it: this water is a bridge from the
 * first one's hydrogen to the ion. */
Test(hmd_contact, bridges)
{
    static const int bridge[ATOMS] = {-1, -1, -1, 8, 8, 8, -1};
    static const unsigned char ion[ATOMS] = {0, 0, 0, 0, 0, 0, 1};
    struct contact *c = NULL;
    size_t room = 0;
    struct contact_rule r = rule(first, ion);
    double x[3 * ATOMS];
    memcpy(x, place, sizeof x);
    r.bridge = bridge;
    cr_expect_eq(contact_find(&r, x, &c, &room), 0);
    x[18] = 5.5;
    cr_assert_eq(contact_find(&r, x, &c, &room), 1);
    cr_expect(c[0].i == 1 && c[0].j == 6 && c[0].bridge == 8);
    mem_free(c);
}

struct told {
    int n;
    struct contact_life life[8];
};

static void tell(void *of, const struct contact_life *l)
{
    struct told *t = of;
    t->life[t->n++] = *l;
}

Test(hmd_contact, lives)
{
    const struct contact a = {.i = 0, .j = 5, .bridge = -1}, b = {.i = 1, .j = 2, .bridge = -1},
                         d = {.i = 1, .j = 2, .bridge = 3};
    const struct contact one[] = {a, b}, two[] = {b, d}, three[] = {a, d};
    struct told t = {0};
    struct contact_lives l = {.ended = tell, .of = &t};
    contact_follow(&l, one, 2);
    contact_follow(&l, two, 2);
    cr_assert_eq(t.n, 1);
    cr_expect(t.life[0].j == 5 && t.life[0].first == 0 && t.life[0].frames == 1);
    contact_follow(&l, three, 2);
    cr_assert_eq(t.n, 2);
    cr_expect(t.life[1].i == 1 && t.life[1].bridge == -1 && t.life[1].frames == 2);
    contact_follow_end(&l);
    cr_assert_eq(t.n, 4);
    cr_expect(t.life[2].j == 5 && t.life[2].first == 2 && t.life[2].frames == 1);
    cr_expect(t.life[3].bridge == 3 && t.life[3].first == 1 && t.life[3].frames == 2);
    cr_expect_eq(l.frame, 3);
}

Test(hmd_contact, histograms)
{
    long count[3] = {0};
    struct contact_histogram h = {.width = 0.5, .n = 3, .count = count};
    const double v[] = {0, 0.49, 0.5, 1, 77};
    for (int k = 0; k < 5; k++)
        contact_histogram_add(&h, v[k]);
    cr_expect(count[0] == 2 && count[1] == 1 && count[2] == 2);
}
