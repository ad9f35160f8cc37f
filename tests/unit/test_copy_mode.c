/* test_copy_mode.c - which mode large messages take: the better one, whichever that is, soon and
 * mostly; and the other one when things have changed. */
#include "transport/copy_mode.h"

#include <criterion/criterion.h>

enum { SIZE = 1 << 20 };

/* n messages come, each in the mode that is asked for, in so many ns; returns how many were
 * fetched. */
static int come(struct copy_mode *w, int n, uint64_t ring_ns, uint64_t fetch_ns)
{
    int fetched = 0;

    for (int i = 0; i < n; i++) {
        bool fetch = copy_mode_fetches(w) >> copy_mode_class(SIZE) & 1;
        copy_mode_note(w, SIZE, fetch, fetch ? fetch_ns : ring_ns);
        fetched += fetch;
    }
    return fetched;
}

Test(copy_mode, the_better_one_is_found_and_kept)
{
    struct copy_mode slow_ring = {0}, fast_ring = {0};

    come(&slow_ring, 2 * COPY_MODE_MEASURED + 1, 300000, 100000);
    cr_assert_eq(come(&slow_ring, COPY_MODE_SOON, 300000, 100000), COPY_MODE_SOON);
    cr_assert_geq(come(&slow_ring, 10000, 300000, 100000), 9800);
    come(&fast_ring, 2 * COPY_MODE_MEASURED + 1, 50000, 100000);
    cr_assert_leq(come(&fast_ring, 10000, 50000, 100000), 200);
    cr_assert_geq(come(&fast_ring, 10000, 50000, 100000), 1, "the other way is tried now and then");
}

Test(copy_mode, what_has_changed_is_noticed)
{
    struct copy_mode w = {0};

    come(&w, 5000, 300000, 100000);
    come(&w, 2 * COPY_MODE_SELDOM, 50000, 100000); /* the ring has become the better one */
    cr_assert_leq(come(&w, 100, 50000, 100000), COPY_MODE_MEASURED + 1);
    come(&w, 50, 500000, 100000); /* and has become slow, which is seen at once */
    cr_assert_geq(come(&w, 100, 500000, 100000), 90);
}

Test(copy_mode, one_late_message_changes_little)
{
    struct copy_mode w = {0};

    come(&w, 1000, 50000, 100000);
    copy_mode_note(&w, SIZE, copy_mode_fetches(&w) >> copy_mode_class(SIZE) & 1, 1000000000);
    cr_assert_leq(come(&w, 200, 50000, 100000), 4 * COPY_MODE_MEASURED);
}

/* While a measurement is under way, messages of before still come. */
Test(copy_mode, messages_under_way_do_not_count)
{
    struct copy_mode w = {0};

    for (int i = 0; i < 100; i++)
        copy_mode_note(&w, SIZE, false, 50000);
    cr_assert_eq(copy_mode_fetches(&w), UINT32_C(1) << copy_mode_class(SIZE),
                 "the other way is still wanted");
}

Test(copy_mode, classes_do_not_disturb_each_other)
{
    struct copy_mode w = {0};

    come(&w, 1000, 300000, 100000);
    cr_assert_eq(copy_mode_fetches(&w) & ~(UINT32_C(1) << copy_mode_class(SIZE)), 0);
    cr_assert_eq(copy_mode_class(COPY_MODE_LEAST), 0);
    cr_assert_eq(copy_mode_class(4 * COPY_MODE_LEAST - 1), 0);
    cr_assert_eq(copy_mode_class(4 * COPY_MODE_LEAST), 1);
    cr_assert_eq(copy_mode_class(SIZE_MAX), COPY_MODE_CLASSES - 1);
}
