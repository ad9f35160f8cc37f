/* test_name_service.c - values under names (hrun/services/name_service.h). */
#include "hrun/services/name_service.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct name_service service;
static char said[400]; /* who was served with what, as "tid:value " */

static void on_served(struct name_service_wait *wait, const struct name_service_value *value,
                      int error)
{
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%u:%.*s%s ", wait->tid, (int)value->length,
             (const char *)value->data, error ? "!" : "");
    free(wait);
}

static void begin(void)
{
    name_service_init(&service);
    service.served = on_served;
}

static void end(void)
{
    name_service_free(&service);
    cr_assert_eq(service.bytes, 0u, "%zu bytes are still counted", service.bytes);
}

TestSuite(service, .init = begin, .fini = end);

static int put(const char *name, uint32_t index, unsigned flags, uint32_t owner, const char *text)
{
    return name_service_put(&service, name, index, flags, owner, text, strlen(text));
}

static void wait_for(const char *name, uint32_t index, unsigned flags, uint32_t tid)
{
    struct name_service_wait *wait = calloc(1, sizeof *wait);
    wait->name = (char *)name;
    wait->index = index;
    wait->flags = flags;
    wait->tid = tid;
    list_append(&service.waits, &wait->node);
}

static void stands(const char *name, uint32_t index, unsigned flags, const char *text)
{
    const struct name_service_value *value = name_service_find(&service, name, index, flags);
    cr_assert_eq(!value, !text, "%s %u", name, index);
    if (value)
        cr_assert(value->length == strlen(text) && memcmp(value->data, text, value->length) == 0,
                  "%s %u", name, index);
}

Test(service, one_value_under_a_name)
{
    cr_assert_eq(put("a", NAME_SERVICE_ANY, 0, 1, "one"), 0);
    cr_assert_eq(put("a", NAME_SERVICE_ANY, 0, 1, "two"), 0, "its owner replaces it");
    cr_assert_eq(put("a", NAME_SERVICE_ANY, 0, 2, "three"), HN_ESTATE);
    cr_assert_eq(put("ab", NAME_SERVICE_ANY, HN_NAME_SHARED, 1, "x"), 0);
    cr_assert_eq(put("ab", NAME_SERVICE_ANY, 0, 2, "y"), 0, "anybody replaces it");
    cr_assert_eq(put("ab", NAME_SERVICE_ANY, 0, 1, "z"), HN_ESTATE, "now it is another's");
    stands("a", NAME_SERVICE_ANY, 0, "two");
    stands("ab", 0, 0, "y");
    stands("a", 1, 0, NULL);
    stands("b", NAME_SERVICE_ANY, 0, NULL);
    cr_assert_eq(name_service_delete(&service, "a", 0, 2), HN_ESTATE);
    cr_assert_eq(name_service_delete(&service, "a", 1, 1), HN_ENAME);
    cr_assert_eq(name_service_delete(&service, "a", 0, 1), HN_OK);
    stands("a", NAME_SERVICE_ANY, 0, NULL);
}

Test(service, several_values_under_a_name)
{
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_eq(put("m", NAME_SERVICE_ANY, HN_NAME_MANY, 1 + i % 2, i % 2 ? "odd" : "even"),
                     (int)i);
    cr_assert_eq(name_service_delete(&service, "m", 1, 2), HN_OK);
    stands("m", 1, 0, NULL);
    stands("m", 1, HN_NAME_NEXT, "even");
    stands("m", 4, HN_NAME_NEXT, NULL);
    cr_assert_eq(put("m", 9, 0, 1, "nine"), 9);
    cr_assert_eq(put("m", NAME_SERVICE_ANY, HN_NAME_MANY, 1, "again"), 10, "behind the others");
    stands("m", 4, HN_NAME_NEXT, "nine");
    stands("m", NAME_SERVICE_ANY, 0, "even");
    cr_assert_eq(name_service_delete(&service, "m", NAME_SERVICE_ANY, 2), HN_OK, "all of its own");
    stands("m", 3, 0, NULL);
    stands("m", 2, 0, "even");
    cr_assert_eq(name_service_delete(&service, "m", NAME_SERVICE_ANY, 2), HN_ESTATE);
    cr_assert_eq(put("m", 0, HN_NAME_MANY | HN_NAME_FREE, 2, "second"), 1, "the first free one");
    cr_assert_eq(put("m", 2, HN_NAME_MANY | HN_NAME_FREE, 2, "third"), 3);
    stands("m", 1, 0, "second");
}

Test(service, values_go_with_their_owner)
{
    put("a", NAME_SERVICE_ANY, HN_NAME_STAYS, 1, "stays");
    put("b", NAME_SERVICE_ANY, 0, 1, "goes");
    put("c", NAME_SERVICE_ANY, 0, 2, "other");
    name_service_ended(&service, 1);
    stands("a", NAME_SERVICE_ANY, 0, "stays");
    stands("b", NAME_SERVICE_ANY, 0, NULL);
    stands("c", NAME_SERVICE_ANY, 0, "other");
    cr_assert_eq(put("a", NAME_SERVICE_ANY, 0, 2, "mine"), HN_ESTATE, "it has an owner still");
    cr_assert_eq(name_service_delete(&service, "a", NAME_SERVICE_ANY, 2), HN_OK);
    cr_assert_eq(name_service_delete(&service, "c", NAME_SERVICE_ANY, 1), HN_ESTATE);
}

Test(service, who_waits_is_served_in_order)
{
    wait_for("a", NAME_SERVICE_ANY, 0, 5);
    wait_for("b", NAME_SERVICE_ANY, 0, 6);
    wait_for("a", 3, 0, 7);
    wait_for("a", NAME_SERVICE_ANY, HN_NAME_TAKE, 8);
    wait_for("a", NAME_SERVICE_ANY, HN_NAME_TAKE, 9);
    wait_for("a", NAME_SERVICE_ANY, 0, 10);
    put("a", NAME_SERVICE_ANY, HN_NAME_SHARED, 1, "x");
    cr_assert_str_eq(said, "5:x 8:x ");
    stands("a", NAME_SERVICE_ANY, 0, NULL);
    put("a", 3, 0, 1, "y");
    cr_assert_str_eq(said, "5:x 8:x 7:y 9:y! 10:y ");
    stands("a", 3, 0, "y");
    put("b", NAME_SERVICE_ANY, 0, 1, "z");
    cr_assert(list_empty(&service.waits));
}

Test(service, memory_is_bounded)
{
    size_t size = NAME_SERVICE_BYTES / 4;
    char *data = calloc(1, size);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(name_service_put(&service, "m", NAME_SERVICE_ANY, HN_NAME_MANY, 1, data, size),
                     i);
    cr_assert_eq(name_service_put(&service, "n", NAME_SERVICE_ANY, 0, 1, data, 1), HN_ENOMEM);
    cr_assert_eq(name_service_put(&service, "n", (uint32_t)INT32_MAX + 1, 0, 1, data, 0), HN_EARG);
    name_service_delete(&service, "m", 2, 1);
    cr_assert_eq(name_service_put(&service, "n", NAME_SERVICE_ANY, 0, 1, data, 1), 0);
    free(data);
}
