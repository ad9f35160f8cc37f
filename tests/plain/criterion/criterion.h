/* criterion.h - the few words of Criterion that our tests use, for builds under ThreadSanitizer.
 *
 * Criterion keeps its tests in a shared arena that ThreadSanitizer's memory layout does not leave
 * room for. This header is found before Criterion's own when b_sanitize=thread; plain.c runs the
 * tests, each in a process of its own, and prints TAP.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_test {
    const char *suite, *name;
    void (*run)(void);
    struct plain_test *next;
};
void plain_register(struct plain_test *test);
_Noreturn void plain_fail(const char *file, int line, const char *what);
_Noreturn void plain_skip(const char *why);

#define Test(s, n, ...)                                                                            \
    static void s##_##n(void);                                                                     \
    static struct plain_test s##_##n##_test = {#s, #n, s##_##n, NULL};                             \
    __attribute__((constructor)) static void s##_##n##_register(void)                              \
    {                                                                                              \
        plain_register(&s##_##n##_test);                                                           \
    }                                                                                              \
    static void s##_##n(void)

/* Conditions may be followed by a message in printf's style, which is not shown. */
#define cr_assert(condition, ...)                                                                  \
    ((condition) ? (void)0 : plain_fail(__FILE__, __LINE__, #condition))
#define cr_assert_not(condition, ...)      cr_assert(!(condition))
#define cr_assert_eq(a, b, ...)            cr_assert((a) == (b))
#define cr_assert_neq(a, b, ...)           cr_assert((a) != (b))
#define cr_assert_lt(a, b, ...)            cr_assert((a) < (b))
#define cr_assert_leq(a, b, ...)           cr_assert((a) <= (b))
#define cr_assert_gt(a, b, ...)            cr_assert((a) > (b))
#define cr_assert_geq(a, b, ...)           cr_assert((a) >= (b))
#define cr_assert_null(a, ...)             cr_assert((a) == NULL)
#define cr_assert_not_null(a, ...)         cr_assert((a) != NULL)
#define cr_assert_str_eq(a, b, ...)        cr_assert(strcmp(a, b) == 0)
#define cr_assert_arr_eq(a, b, n, ...)     cr_assert(memcmp(a, b, n) == 0)
#define cr_assert_float_eq(a, b, eps, ...) cr_assert(fabs((double)(a) - (double)(b)) <= (eps))
#define cr_assert_fail(...)                plain_fail(__FILE__, __LINE__, "cr_assert_fail")
#define cr_skip_test(...)                  plain_skip("" __VA_ARGS__)
