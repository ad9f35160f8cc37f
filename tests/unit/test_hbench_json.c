/* test_hbench_json.c - the reader of JSON documents: what is one, and the way through it. */
#include "json.h"
#include "random.h"

#include <criterion/criterion.h>
#include <json-c/json.h>
#include <string.h>

static const char *const good[] = {
    "{}",
    " [ ] \n",
    "0",
    "-1.5e-3",
    "\"\"",
    "true",
    "{\"a\":[1,2,{\"b\":null}],\"c\":\"\\\"\\u00e4\\\\\"}",
    "[[],{},[0]]",
    "{\"hosts\":[\"h1\",\"h2\"],\"tasks\":2,\"results\":[{\"bench\":\"bcast\",\"median\":1e-3}]}",
};

static const char *const bad[] = {
    "",      "{",        "[1,]", "{\"a\"}",   "{\"a\":}",  "{a:1}",       "01",
    "1.",    "-",        "1e",   "\"a",       "\"\\x\"",   "\"\\u12g4\"", "nul",
    "[1 2]", "{} {}",    "[1}",  "{\"a\":1]", "\"a\nb\"",  "{\"a\":1,}",  "[,1]",
    "+1",    "\"\\u123", "\"\\", "[\"\\u\"]", "{\"a\" 1}",
};

Test(hbench_json, documents)
{
    size_t where;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_assert(json_check(good[i], &where), "%s: %zu", good[i], where);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_not(json_check(bad[i], &where), "%s", bad[i]);
        cr_assert(where <= strlen(bad[i]), "%s: %zu", bad[i], where);
    }
}

Test(hbench_json, depth)
{
    char text[300] = "";
    size_t where;

    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    cr_assert(json_check(text, &where));
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    cr_assert_not(json_check(text, &where));
    memset(text, '[', 299);
    cr_assert_not(json_check(text, &where));
}

Test(hbench_json, ways)
{
    const char *d = "{\"x\":1,\"list\":[ 1 , \"two\", {\"three\":3} ],\"none\":[],\"xy\":-2.5}";
    const char *at = json_first(json_member(d, "list"));
    char word[4];
    size_t where;

    cr_assert(json_check(d, &where));
    cr_assert(json_number(json_member(d, "x")) == 1 && json_number(json_member(d, "xy")) == -2.5);
    cr_assert(json_number(at) == 1 && !json_word(at, word, sizeof word));
    at = json_next(at);
    cr_assert(json_word(at, word, sizeof word) && !strcmp(word, "two"));
    cr_assert(json_word(at, word, 3) && !strcmp(word, "tw"), "words are cut to size");
    at = json_next(at);
    cr_assert(json_number(json_member(at, "three")) == 3 && !json_next(at));
    cr_assert(!json_first(json_member(d, "none")) && !json_member(d, "y") && !json_member(at, "x"));
    cr_assert(!json_member(NULL, "x") && !json_next(NULL) && json_number(NULL) == 0);
}

/* Bytes of a good document changed at random: what json_check() accepts json-c accepts, too. */
Test(hbench_json, damaged)
{
    static const char alphabet[] = "{}[]\",:\\0123456789eE+-. truefalsn\n";
    uint64_t seed = random_seed(), state = seed;
    const char *origin = good[sizeof good / sizeof good[0] - 1];
    size_t length = strlen(origin), where;
    char text[256];

    for (int i = 0; i < 20000; i++) {
        strcpy(text, origin);
        for (int k = 0; k < 3; k++)
            text[random_below(&state, (int64_t)length)] =
                alphabet[random_below(&state, sizeof alphabet - 1)];
        struct json_tokener *t = json_tokener_new();
        json_tokener_set_flags(t, JSON_TOKENER_STRICT);
        struct json_object *o = json_tokener_parse_ex(t, text, (int)strlen(text) + 1);
        if (json_check(text, &where))
            cr_assert(json_tokener_get_error(t) == json_tokener_success, "seed %llu: %s",
                      (unsigned long long)seed, text);
        json_object_put(o);
        json_tokener_free(t);
    }
}
