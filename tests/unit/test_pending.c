/* test_pending.c - connections that wait to be proven, while strangers flood the port: random
 * histories on a clock of the test's own, in which no member may have to give way. */
#include "connect/pending.h"

#include "random.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ticks are half a millisecond: 12 s, patience of 5 s, a round trip of 200 ms. */
enum { MOST = 2048, TICKS = 24000, PATIENCE = 10000, ROUND_TRIP = 400, SENT_AGAIN = 2400 };

static struct pending_source address(const char *text)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        return pending_from_address((struct sockaddr *)&in);
    cr_assert_eq(inet_pton(AF_INET6, text, &in6.sin6_addr), 1, "%s", text);
    return pending_from_address((struct sockaddr *)&in6);
}

static bool same(const char *a, const char *b)
{
    struct pending_source x = address(a), y = address(b);
    return memcmp(&x, &y, sizeof x) == 0;
}

Test(pending, sources)
{
    cr_assert(same("10.0.0.1", "::ffff:10.0.0.1"));
    cr_assert(!same("10.0.0.1", "10.0.0.2"));
    cr_assert(same("2001:db8:0:7::1", "2001:db8:0:7:8::2"));
    cr_assert(!same("2001:db8:0:7::1", "2001:db8:0:8::1"));
    cr_assert(!same("::ffff:10.0.0.1", "::ffff:10.0.0.2"));
}

/* ---- a port that is flooded --------------------------------------------------------------------
 */

struct visitor {
    struct pending pending;
    bool in, member;
    int came, hello, proof; /* in ticks; hello < 0: never */
    int tid;
};

struct port {
    struct pending_table table;
    struct visitor visitor[MOST];
    unsigned lost; /* members who had to give way */
    unsigned through;
    uint64_t random;
};

static void give_way(struct port *port, struct pending *p)
{
    struct visitor *v = p ? list_entry(p, struct visitor, pending) : NULL;
    if (!v)
        return;
    cr_assert(v->in && !v->pending.group);
    v->in = false;
    port->lost += v->member;
}

static struct visitor *come(struct port *port, struct pending_source source, int now)
{
    for (int i = 0; i < MOST; i++) {
        struct visitor *v = &port->visitor[i];
        if (v->in)
            continue;
        *v = (struct visitor){.in = true, .came = now, .hello = -1};
        give_way(port, pending_enter(&port->table, &v->pending, PENDING_STRANGER, source));
        return v;
    }
    cr_assert(false, "so many never wait at once");
    return NULL;
}

static void go_on(struct port *port, struct visitor *v, int now)
{
    if (v->hello == now) {
        pending_leave(&port->table, &v->pending);
        give_way(port, pending_enter(&port->table, &v->pending, PENDING_MEMBER,
                                     pending_from_tid(v->tid)));
    }
    if (v->in && (now == v->proof || now == v->came + PATIENCE)) {
        port->through += v->member && now == v->proof;
        pending_leave(&port->table, &v->pending);
        v->in = false;
    }
}

static unsigned count(const struct port *port)
{
    unsigned n = 0;
    for (int i = 0; i < MOST; i++)
        n += port->visitor[i].in;
    return n;
}

struct flood {
    int addresses, rate; /* of strangers; connections a tick, at most */
    bool behind_one;     /* members come from the address of a stranger, too */
    int hello;           /* ticks until a member's HELLO is there, at most */
    bool lossy;          /* every fourth is lost and sent again by TCP */
    bool replay;         /* strangers repeat the HELLO of one member */
};

static struct pending_source from(int n)
{
    char text[20];
    snprintf(text, sizeof text, "10.0.%d.%d", n / 250, n % 250);
    return address(text);
}

/* Members, a new one every 50 ms, while strangers come. */
static void play(const struct flood *flood, uint64_t seed)
{
    static struct port port;
    int members = 0;
    port = (struct port){.random = seed};
    pending_init(&port.table);
    for (int now = 0; now < TICKS; now++) {
        for (int64_t n = random_below(&port.random, flood->rate + 1); n > 0; n--) {
            int one = (int)random_below(&port.random, flood->addresses);
            struct visitor *v = come(&port, from(one), now);
            if (flood->replay)
                v->hello = now + 1, v->tid = 7;
        }
        if (now < TICKS - PATIENCE && random_below(&port.random, 100) == 0) {
            int address = flood->behind_one ? 0 : 11000 + members;
            struct visitor *v = come(&port, from(address), now);
            v->member = true;
            v->tid = 1000 + members++;
            v->hello = now + (int)random_below(&port.random, flood->hello + 1);
            v->hello += v->hello == now; /* go_on() is for what comes later */
            v->hello += flood->lossy && members % 4 == 0 ? SENT_AGAIN : 0;
            v->proof = v->hello + ROUND_TRIP;
        }
        for (int i = 0; i < MOST; i++)
            if (port.visitor[i].in)
                go_on(&port, &port.visitor[i], now + 1);
        cr_assert_leq(count(&port), PENDING_STRANGERS + PENDING_MEMBERS);
    }
    cr_assert_eq(port.lost, 0, "seed %llu: %u of %d members", (unsigned long long)seed, port.lost,
                 members);
    cr_assert_gt(port.through, 0);
    for (int i = 0; i < MOST; i++)
        if (port.visitor[i].in)
            pending_leave(&port.table, &port.visitor[i].pending);
    cr_assert(!pending_give_way(&port.table, PENDING_STRANGER));
    cr_assert(!pending_give_way(&port.table, PENDING_MEMBER));
}

static void play_many(const struct flood *flood)
{
    for (int i = 0; i < 3; i++)
        play(flood, random_seed() + (uint64_t)i);
}

/* Up to 12 000 connections a second.  A member's HELLO comes soon, or is sent again after 1.2 s. */
Test(pending, other_addresses_do_not_feel_a_flood)
{
    play_many(&(struct flood){.addresses = 1, .rate = 12, .hello = 4, .lossy = true});
    play_many(&(struct flood){.addresses = 80, .rate = 12, .hello = 4, .lossy = true});
}

Test(pending, nor_do_members_behind_the_same_one)
{
    play_many(&(struct flood){.addresses = 1, .rate = 12, .behind_one = true, .hello = 4});
    play_many(&(struct flood){.addresses = 3, .rate = 6, .behind_one = true, .hello = 4});
}

Test(pending, nor_does_anybody_feel_many_addresses)
{
    play_many(&(struct flood){.addresses = 10000, .rate = 12, .hello = 4});
}

Test(pending, a_repeated_hello_harms_its_own_member_only)
{
    play_many(
        &(struct flood){.addresses = 10, .rate = 12, .hello = 4, .lossy = true, .replay = true});
}

/* All tasks of a large job dial one at once, from one address, and none of them gives way. */
Test(pending, many_tasks_behind_one_address)
{
    static struct pending all[PENDING_MEMBERS];
    struct pending_table table;
    pending_init(&table);
    for (int i = 0; i < PENDING_MEMBERS; i++) {
        cr_assert_null(pending_enter(&table, &all[i], PENDING_STRANGER, address("10.0.0.1")));
        pending_leave(&table, &all[i]);
        cr_assert_null(pending_enter(&table, &all[i], PENDING_MEMBER, pending_from_tid(i + 1)));
    }
    for (int i = 0; i < PENDING_MEMBERS; i++)
        pending_leave(&table, &all[i]);
}

/* Who gives way: of the source with most the oldest, of equal ones the oldest of all. */
Test(pending, order)
{
    static struct pending p[PENDING_LOCALS + 2];
    struct pending_table table;
    pending_init(&table);
    for (int i = 0; i < PENDING_LOCALS; i++)
        cr_assert_null(pending_enter(&table, &p[i], PENDING_LOCAL, pending_from_tid(i)));
    cr_assert_eq(pending_enter(&table, &p[PENDING_LOCALS], PENDING_LOCAL, pending_from_tid(9)),
                 &p[9]);
    cr_assert_eq(pending_enter(&table, &p[PENDING_LOCALS + 1], PENDING_LOCAL, pending_from_tid(-5)),
                 &p[0]);
    for (int i = 0; i < PENDING_LOCALS + 2; i++)
        pending_leave(&table, &p[i]);
}
