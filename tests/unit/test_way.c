/* test_way.c - which way large messages take: the better one, whichever that is, soon and mostly;
 * and the other one when things have changed. */
#include "transport/way.h"

#include <criterion/criterion.h>

enum { SIZE = 1 << 20 };

/* n messages come, each the way that is asked for, in so many ns; returns how many were fetched. */
static int come(struct way *w, int n, uint64_t ring_ns, uint64_t fetch_ns)
{
    int fetched = 0;

    for (int i = 0; i < n; i++) {
        bool fetch = way_fetch(w) >> way_class(SIZE) & 1;
        way_note(w, SIZE, fetch, fetch ? fetch_ns : ring_ns);
        fetched += fetch;
    }
    return fetched;
}

Test(way, the_better_one_is_found_and_kept)
{
    struct way slow_ring = {0}, fast_ring = {0};

    come(&slow_ring, 2 * WAY_TRIAL + 1, 300000, 100000);
    cr_assert_eq(come(&slow_ring, WAY_SOON, 300000, 100000), WAY_SOON);
    cr_assert_geq(come(&slow_ring, 10000, 300000, 100000), 9800);
    come(&fast_ring, 2 * WAY_TRIAL + 1, 50000, 100000);
    cr_assert_leq(come(&fast_ring, 10000, 50000, 100000), 200);
    cr_assert_geq(come(&fast_ring, 10000, 50000, 100000), 1, "the other way is tried now and then");
}

Test(way, what_has_changed_is_noticed)
{
    struct way w = {0};

    come(&w, 5000, 300000, 100000);
    come(&w, 2 * WAY_SELDOM, 50000, 100000); /* the ring has become the better one */
    cr_assert_leq(come(&w, 100, 50000, 100000), WAY_TRIAL + 1);
    come(&w, 50, 500000, 100000); /* and has become slow, which is seen at once */
    cr_assert_geq(come(&w, 100, 500000, 100000), 90);
}

Test(way, one_late_message_changes_little)
{
    struct way w = {0};

    come(&w, 1000, 50000, 100000);
    way_note(&w, SIZE, way_fetch(&w) >> way_class(SIZE) & 1, 1000000000);
    cr_assert_leq(come(&w, 200, 50000, 100000), 4 * WAY_TRIAL);
}

/* While a trial is under way, messages of before still come. */
Test(way, messages_on_their_way_do_not_count_as_the_trial)
{
    struct way w = {0};

    for (int i = 0; i < 100; i++)
        way_note(&w, SIZE, false, 50000);
    cr_assert_eq(way_fetch(&w), UINT32_C(1) << way_class(SIZE), "the other way is still wanted");
}

Test(way, classes_do_not_disturb_each_other)
{
    struct way w = {0};

    come(&w, 1000, 300000, 100000);
    cr_assert_eq(way_fetch(&w) & ~(UINT32_C(1) << way_class(SIZE)), 0);
    cr_assert_eq(way_class(WAY_LEAST), 0);
    cr_assert_eq(way_class(4 * WAY_LEAST - 1), 0);
    cr_assert_eq(way_class(4 * WAY_LEAST), 1);
    cr_assert_eq(way_class(SIZE_MAX), WAY_CLASSES - 1);
}
