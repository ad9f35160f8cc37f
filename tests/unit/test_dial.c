/* test_dial.c - what is said of addresses at which a task could not be reached. */
#include "connect/dial.h"
#include "connect/peer.h"

#include "random.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <string.h>
#include <sys/un.h>

static struct dial some(unsigned n)
{
    struct dial d = {.addresses = n + 1, .relay = n, .answered = true};
    for (unsigned i = 0; i < n; i++) {
        struct sockaddr_in6 *a = (struct sockaddr_in6 *)&d.address[i].at;
        a->sin6_family = AF_INET6;
        a->sin6_port = htons((uint16_t)(7000 + i));
        inet_pton(AF_INET6, i % 2 ? "2001:db8:1:2:3:4:5:6" : "::ffff:10.0.0.1", &a->sin6_addr);
        d.address[i].length = sizeof *a;
        d.address[i].why = i ? "Connection refused" : "no answer";
    }
    d.address[n].at.ss_family = AF_UNIX;
    d.address[n].length = sizeof(struct sockaddr_un);
    return d;
}

Test(dial, each_address_with_its_reason)
{
    struct dial d = some(2);
    char text[300];
    dial_describe(&d, text, sizeof text);
    cr_assert_str_eq(text, "10.0.0.1 port 7000 (no answer), 2001:db8:1:2:3:4:5:6 port 7001 "
                           "(Connection refused), through hrun (not tried)");
}

Test(dial, what_does_not_fit_is_left_out)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 5000; round++) {
        struct dial d = some((unsigned)random_below(&random, DIAL_ATTEMPTS + 1));
        char text[2000], whole[2000];
        size_t size = 16 + (size_t)random_below(&random, 1000);
        memset(text, '#', sizeof text);
        dial_describe(&d, text, size);
        dial_describe(&d, whole, sizeof whole);
        size_t length = strlen(text), same = length;
        cr_assert_lt(length, size);
        cr_assert_eq(text[size], '#');
        if (length >= 3 && strcmp(text + length - 3, "...") == 0)
            same -= 3;
        else
            cr_assert_eq(length, strlen(whole));
        cr_assert_eq(strncmp(text, whole, same), 0, "%s", text);
        cr_assert(same == 0 || text[same - 1] == ')' || text[same - 1] == ' ', "%s", text);
    }
}

/* Nothing passes for PEER_PATIENCE, however often a new connection is made. */
Test(dial, connections_that_carry_nothing)
{
    struct dial d = some(1);
    uint64_t now = 1, second = 1000000000, end = now + PEER_PATIENCE * second;
    for (; now <= end; now += second)
        cr_assert(dial_note_break(&d, 0, now), "%llu", (unsigned long long)now);
    cr_assert_not(dial_note_break(&d, 0, now));
    cr_assert(dial_note_break(&d, 1, now), "something has passed");
    cr_assert(dial_note_break(&d, 1, now + second));
}

/* A few are not too many, however long ago the first one was. */
Test(dial, connections_that_break_seldom)
{
    struct dial d = some(1);
    uint64_t hour = UINT64_C(3600) * 1000000000;
    for (unsigned i = 0; i < DIAL_BARREN; i++)
        cr_assert(dial_note_break(&d, 7, (i + 1) * hour));
}
