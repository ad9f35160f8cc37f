/* test_media.c - messages under way: what one host sends leaves it in order, long messages a window
 * at a time; what different hosts send shares a wire fairly; who is held up elsewhere keeps nobody
 * waiting.  The numbers of the first tests are those measured on real wires (media.h). */
#include "model/media.h"

#include <criterion/criterion.h>

enum { HOSTS = 6 };
static const hn_per_byte slow = 800000000, fast = 8000000; /* 10 Mb/s, 1 Gb/s */

struct message {
    int from, to;
    int64_t bytes;
};

static bool send_one(struct media *media, int32_t id, int from, int to, int64_t bytes, hn_time time)
{
    return media_multicast(media, id, from, to, 0, bytes, time);
}

/* All are sent at time 0; arrived[i] in units of one byte's time on a slow wire. */
static void play(hn_net *net, const struct message *message, int count, double *arrived)
{
    struct model model;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct media *media = media_new(&model, count);
    int32_t id;
    hn_time time;
    for (int i = 0; i < count; i++)
        cr_assert(send_one(media, i, message[i].from, message[i].to, message[i].bytes, 0));
    while (media_next(media, &id, &time))
        arrived[id] = (double)time * 1000 / (double)slow;
    cr_assert_not(media_failed(media));
    media_free(media);
}

static hn_net *one_bus(void)
{
    hn_net *net = hn_net_new(HOSTS);
    hn_net_set_medium(net, 0, HN_MEDIUM_BUS);
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    return net;
}

static bool is_near(double a, double b)
{
    return a > 0.99 * b && a < 1.01 * b;
}

Test(media, short_messages_of_one_sender_arrive_in_order)
{
    hn_net *net = one_bus();
    double t[3];
    play(net, (struct message[]){{0, 1, 16000}, {0, 2, 16000}, {0, 3, 16000}}, 3, t);
    cr_expect(is_near(t[0], 16000) && is_near(t[1], 32000) && is_near(t[2], 48000), "%g %g %g",
              t[0], t[1], t[2]);
    hn_net_free(net);
}

Test(media, long_messages_of_one_sender_take_turns)
{
    hn_net *net = one_bus();
    double t[3];
    play(net, (struct message[]){{0, 1, 65536}, {0, 2, 65536}, {0, 3, 65536}}, 3, t);
    cr_expect(is_near(t[0], 4 * 32768) && is_near(t[1], 5 * 32768) && is_near(t[2], 6 * 32768),
              "%g %g %g", t[0], t[1], t[2]);
    play(net, (struct message[]){{0, 1, 1 << 20}, {0, 2, 1 << 20}}, 2, t);
    cr_expect(t[0] > 0.9 * t[1] && is_near(t[1], 2 << 20), "%g %g", t[0], t[1]);
    hn_net_free(net);
}

Test(media, different_senders_share_a_wire_fairly)
{
    hn_net *net = one_bus();
    double t[3];
    play(net, (struct message[]){{0, 1, 16000}, {2, 3, 16000}, {4, 5, 16000}}, 3, t);
    for (int i = 0; i < 3; i++)
        cr_expect(is_near(t[i], 48000), "%g", t[i]);
    hn_net_free(net);
}

/* Host 2 passes on what it gets, and needs every other packet of its own to acknowledge it. */
Test(media, who_receives_on_a_bus_has_half_as_much_to_send)
{
    hn_net *net = one_bus();
    double t[3];
    play(net, (struct message[]){{0, 2, 16000}, {1, 2, 16000}, {2, 3, 16000}}, 3, t);
    cr_expect(is_near(t[0], 40000) && is_near(t[1], 40000), "%g %g", t[0], t[1]);
    cr_expect(is_near(t[2], 48000), "%g", t[2]);
    play(net, (struct message[]){{0, 2, 16000}, {1, 4, 16000}, {2, 3, 16000}}, 3, t);
    cr_expect(is_near(t[0], 40000) && is_near(t[1], 40000), "%g %g", t[0], t[1]);
    hn_net_free(net);
    net = hn_net_new(HOSTS);
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    play(net, (struct message[]){{0, 2, 16000}, {2, 3, 16000}}, 2, t);
    cr_expect(is_near(t[0], t[1]), "a switch: %g %g", t[0], t[1]);
    hn_net_free(net);
}

/* On this bus the constant of a message is worth 30 thousand million bytes. */
Test(media, messages_with_a_long_constant_take_few_turns)
{
    static const char text[] = "a[1-3]\n@subnet s hosts=a[1-3] medium=bus latency_us=50 "
                               "ns_per_byte=0.000001 message_us=30\n";
    hn_net *net;
    struct model model;
    int32_t id, arrivals = 0;
    cr_assert_eq(hn_net_parse("text", text, sizeof text - 1, &net), HN_OK);
    model_of_net(&model, net, NULL, 3, PORT_MEDIA);
    struct media *media = media_new(&model, 4);
    media_spend(media, 1000);
    for (int32_t i = 0; i < 4; i++)
        cr_assert(send_one(media, i, 0, 1 + i % 2, 1, 0));
    for (hn_time time; media_next(media, &id, &time);)
        arrivals++;
    cr_expect_eq(arrivals, 4);
    cr_expect_not(media_late(media));
    media_free(media);
    hn_net_free(net);
}

/* What goes to many at once is not acknowledged. */
Test(media, who_hears_a_multicast_on_a_bus_sends_as_much_as_others)
{
    hn_net *net = one_bus();
    struct model model;
    hn_time t[2];
    int32_t id;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct media *media = media_new(&model, 2);
    cr_assert(media_multicast(media, 0, 0, 2, 1, 16000, 0));
    cr_assert(send_one(media, 1, 2, 3, 16000, 0));
    for (hn_time time; media_next(media, &id, &time);)
        t[id] = time;
    cr_expect_eq(t[0], t[1]);
    media_free(media);
    hn_net_free(net);
}

/* Host 0 tells 1 and 2, and 3 sends to 2: the port of 2 has two things to pass, its sender and that
 * of 1 have one.  Then 4 tells them, too, which comes behind what 0 tells. */
Test(media, a_multicast_shares_the_ports_of_all_its_receivers)
{
    hn_net *net = hn_net_new(HOSTS);
    struct model model;
    double t[8];
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    for (int h = 0; h < HOSTS; h++)
        hn_net_set_host(net, h, &(hn_host_cost){.send_gap = slow, .recv_gap = slow});
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    for (int casts = 1; casts <= 2; casts++) {
        struct media *media = media_new(&model, 7);
        int32_t id;
        cr_assert(send_one(media, 0, 3, 2, 16000, 0));
        for (int i = 0; i < casts; i++) {
            cr_assert(media_multicast(media, 3 * i + 1, 4 * i, 1, 1, 16000, 0));
            cr_assert(media_multicast_to(media, 3 * i + 2, 4 * i, 1));
            cr_assert(media_multicast_to(media, 3 * i + 3, 4 * i, 2));
        }
        for (hn_time time; media_next(media, &id, &time);)
            t[id] = (double)time * 1000 / (double)slow;
        cr_expect(is_near(t[1], 16000) && is_near(t[2], 16000), "%g %g", t[1], t[2]);
        cr_expect(is_near(t[0], 32000) && is_near(t[3], 32000), "%g %g", t[0], t[3]);
        media_free(media);
    }
    cr_expect(is_near(t[4], 16000), "it leaves its sender at once: %g", t[4]);
    cr_expect(is_near(t[5], 32000) && is_near(t[6], 48000), "%g %g", t[5], t[6]);
    hn_net_free(net);
    net = one_bus();
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct media *media = media_new(&model, 2);
    cr_assert(media_multicast(media, 0, 0, 1, 1, 16000, 0));
    cr_expect_not(media_multicast_to(media, 1, 0, 2), "on a bus it has passed the only wire");
    media_free(media);
    hn_net_free(net);
}

/* Hosts 0-2 send to host 3 and then each to another: the port of 3 is busy, not those of 0-2. */
Test(media, who_is_held_up_elsewhere_keeps_nobody_waiting)
{
    hn_net *net = hn_net_new(HOSTS);
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = fast});
    for (int h = 0; h < HOSTS; h++)
        hn_net_set_host(net, h,
                        &(hn_host_cost){.send_gap = fast, .recv_gap = h == 3 ? slow : fast});
    double t[4];
    play(net, (struct message[]){{0, 3, 16000}, {1, 3, 16000}, {0, 4, 16000}, {1, 5, 16000}}, 4, t);
    cr_expect(is_near(t[0], 32000) && is_near(t[1], 32000), "%g %g", t[0], t[1]);
    cr_expect(t[2] < 1000 && t[3] < 1000, "%g %g", t[2], t[3]);
    hn_net_free(net);
}

/* Hosts 0-2 have a bus, on which 1 sends to 2; the others send to the port of 3, and so does 0. It
 * has a quarter of the bus for that, and what it sends to 2 shares the rest with what 1 sends. */
Test(media, what_waits_behind_a_router_keeps_no_bus)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[5];
    cr_assert_eq(hn_net_add_subnet(net, "a", HN_MEDIUM_BUS, (int[]){0, 1, 2}, 3), 0);
    cr_assert_eq(hn_net_add_subnet(net, "b", HN_MEDIUM_SWITCH, (int[]){3, 4, 5}, 3), 0);
    int a = hn_net_subnet_of(net, 0), b = hn_net_subnet_of(net, 3);
    hn_net_set_subnet_cost(net, a, (hn_pair_cost){.per_byte = slow});
    hn_net_set_subnet_cost(net, b, (hn_pair_cost){.per_byte = slow});
    hn_net_set_link(net, a, b, (hn_pair_cost){.per_byte = slow}, 0);
    hn_net_set_host(net, 3, &(hn_host_cost){.recv_gap = 2 * slow});
    play(
        net,
        (struct message[]){{4, 3, 16000}, {5, 3, 16000}, {1, 2, 16000}, {0, 3, 2000}, {0, 2, 1000}},
        5, t);
    cr_expect(is_near(t[4], 1000 * 8 / 3), "%g", t[4]);
    cr_expect(is_near(t[3], 8000), "%g", t[3]);
    hn_net_free(net);
}

/* When something has come to a host on a bus, what goes back carries the acknowledgement: that
 * takes less of the bus, but comes no earlier; once, and while it may wait so long. */
static hn_time goes_back(hn_net *net, hn_time later, int times)
{
    struct model model;
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct media *media = media_new(&model, 1 + 2 * times);
    int32_t id;
    hn_time first, time, last = 0;
    cr_assert(send_one(media, 0, 0, 1, 0, 0) && media_next(media, &id, &first));
    for (int i = 0; i < times; i++) {
        cr_assert(send_one(media, 1 + 2 * i, 1, 0, 0, first + later));
        cr_assert(send_one(media, 2 + 2 * i, 2, 3, 0, first + later));
    }
    while (media_next(media, &id, &time))
        last = time > last ? time : last;
    media_free(media);
    return last - first - later;
}

Test(media, what_goes_back_carries_the_acknowledgement)
{
    hn_net *net = one_bus();
    const hn_time unit = slow / 1000;
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 300 * unit, .per_byte = slow});
    cr_assert_eq(hn_net_set_wire(net, 0, 0, 100 * unit), HN_OK);
    cr_expect(is_near((double)goes_back(net, 0, 1), 350.0 * (double)unit));
    cr_expect(is_near((double)goes_back(net, 0, 2), 550.0 * (double)unit), "only one");
    cr_expect(is_near((double)goes_back(net, INT64_C(50000000000), 1), 400.0 * (double)unit));
    hn_net_free(net);
}

/* A message takes as much of its sender's port as 500 bytes besides its own: the next one is so
 * much later; one by itself is not. */
Test(media, messages_take_of_a_port_what_the_file_says)
{
    enum { MESSAGES = 4 };
    hn_net *net = hn_net_new(HOSTS);
    const hn_time besides = 500 * (slow / 1000), latency = 2 * besides;
    double t[MESSAGES];
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = latency, .per_byte = slow});
    hn_net_set_host(net, 0, &(hn_host_cost){.send_gap = slow, .send_gap_const = besides});
    struct message all[] = {{0, 1, 1000}, {0, 2, 1000}, {0, 3, 1000}, {4, 5, 1000}};
    play(net, all, MESSAGES, t);
    cr_expect(is_near(t[0], 2000) && is_near(t[3], 2000), "%g %g", t[0], t[3]);
    cr_expect(is_near(t[1], 3500) && is_near(t[2], 5000), "%g %g", t[1], t[2]);
    hn_net_free(net);
}

/* A port of 1 Gb/s that each message keeps busy for as long as 2500 bytes: behind it, the uplink of
 * 10 Mb/s is not busy for 2508 bytes. */
Test(media, a_slow_uplink_is_not_busier_than_the_port_before_it)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[2];
    const hn_time besides = 2500 * (fast / 1000);
    cr_assert_eq(hn_net_add_subnet(net, "near", HN_MEDIUM_SWITCH, (int[]){0}, 1), 0);
    hn_net_set_uplink(net, hn_net_subnet_of(net, 0),
                      (hn_pair_cost){.latency = besides, .per_byte = slow});
    hn_net_set_host(net, 0, &(hn_host_cost){.send_gap = fast, .send_gap_const = besides});
    play(net, (struct message[]){{0, 1, 8}}, 1, t);
    cr_expect(is_near(t[0], 25 + 8), "%g", t[0]);
    play(net, (struct message[]){{0, 1, 8}, {0, 2, 8}}, 2, t);
    cr_expect(t[1] < 3 * 25, "%g", t[1]);
    hn_net_free(net);
}

/* Two messages that take longer than there are times arrive after all others, not before. */
Test(media, what_no_time_is_long_enough_for_comes_last)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[3];
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = 1000, .per_byte = slow});
    hn_net_set_host(net, 0, &(hn_host_cost){.send_gap = slow});
    struct message all[] = {{0, 1, INT64_MAX / 2}, {0, 2, INT64_MAX / 2}, {3, 4, 1 << 30}};
    play(net, all, 3, t);
    cr_expect(t[2] > 0 && t[0] > t[2] && t[1] > t[2], "%g %g %g", t[0], t[1], t[2]);
    hn_net_free(net);
}

/* Hosts 0-2 fill the port of 3 with what has not passed yet; what comes slowly from 4 has to wait
 * behind all of it. */
Test(media, what_comes_from_afar_waits_in_a_crowded_port)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[4];
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    hn_net_set_pair(net, 4, 3, (hn_pair_cost){.per_byte = 10 * slow});
    for (int h = 0; h < HOSTS; h++)
        hn_net_set_host(net, h, &(hn_host_cost){.send_gap = slow, .recv_gap = slow});
    struct message all[] = {{4, 3, 100}, {0, 3, 60000}, {1, 3, 60000}, {2, 3, 60000}};
    play(net, all, 1, t);
    cr_expect(is_near(t[0], 1000), "%g", t[0]);
    play(net, all, 2, t);
    cr_expect(is_near(t[0], 1000 + 100), "one alone puts in as much as passes: %g", t[0]);
    play(net, all, 4, t);
    cr_expect(is_near(t[0], 1000 + 3 * 700), "they have sent 1000 each: %g", t[0]);
    all[0].bytes = 6000;
    play(net, all, 4, t);
    cr_expect(is_near(t[0], 60000 + 3 * 42000), "%g", t[0]);
    cr_expect(is_near(t[1], 186000) && is_near(t[3], 186000), "%g %g", t[1], t[3]);
    all[1].bytes = all[2].bytes = all[3].bytes = 1000000;
    play(net, all, 4, t);
    cr_expect(is_near(t[0], 60000 + 3 * 42000), "%g", t[0]);
    all[0].bytes = 60000;
    play(net, all, 4, t);
    cr_expect(is_near(t[0], 600000 + 3 * 65536), "there is no more under way: %g", t[0]);
    hn_net_free(net);
    net = one_bus();
    hn_net_set_pair(net, 4, 3, (hn_pair_cost){.per_byte = 10 * slow});
    all[0].bytes = 100;
    play(net, all, 4, t);
    cr_expect(t[0] < 2000, "on a bus it takes its turn: %g", t[0]);
    hn_net_free(net);
}

/* Behind a wire of its own each byte is sent once more, which keeps the first wire free. */
Test(media, dear_first_bytes_are_on_the_way_only)
{
    hn_net *net = one_bus();
    double t[2];
    hn_pair_cost two_wires = {.per_byte = slow, .first_bytes = 1000, .first_per_byte = 2 * slow};
    for (int to = 1; to < 3; to++)
        hn_net_set_pair(net, 0, to, two_wires);
    play(net, (struct message[]){{0, 1, 1000}, {0, 2, 1000}}, 2, t);
    cr_expect(is_near(t[0], 2000) && is_near(t[1], 3000), "%g %g", t[0], t[1]);
    hn_net_free(net);
}

/* Messages of one machine's hosts pass it one after the other, a lone one as if it were not there;
 * their bytes share it. */
Test(media, hosts_of_one_machine_share_it)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[4];
    const hn_machine_cost cost = {.message = 100 * slow, .per_byte = slow / 2};
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    cr_assert_eq(hn_net_add_machine(net, "m", cost, (int[]){0, 1, 2, 3}, 4), HN_OK);
    play(net, (struct message[]){{0, 1, 0}, {2, 3, 0}, {1, 2, 0}, {4, 5, 0}}, 4, t);
    cr_expect(t[0] == 0 && is_near(t[1], 100000) && is_near(t[2], 200000), "%g %g %g", t[0], t[1],
              t[2]);
    cr_expect_eq(t[3], 0, "they are elsewhere");
    play(net, (struct message[]){{0, 1, 1000000}, {4, 5, 1000000}}, 2, t);
    cr_expect(is_near(t[0], 1000000) && is_near(t[1], 1000000), "%g %g", t[0], t[1]);
    play(net,
         (struct message[]){
             {0, 1, 100000000}, {1, 2, 100000000}, {2, 3, 100000000}, {3, 0, 100000000}},
         4, t);
    cr_expect(is_near(t[3], 200000000), "%g", t[3]);
    hn_net_free(net);
}

/* A message whose receiver is awake for the one before it takes less of the machine. */
Test(media, queued_messages_take_less_of_a_machine)
{
    hn_net *net = hn_net_new(HOSTS);
    double t[4];
    const hn_machine_cost cost = {.message = 100 * slow, .queued = 10 * slow};
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.per_byte = slow});
    cr_assert_eq(hn_net_add_machine(net, "m", cost, (int[]){0, 1, 2, 3}, 4), HN_OK);
    play(net, (struct message[]){{0, 1, 0}, {2, 1, 0}, {3, 1, 0}, {1, 2, 0}}, 4, t);
    cr_expect(t[0] == 0 && is_near(t[1], 100000), "%g %g", t[0], t[1]);
    cr_expect(is_near(t[2], 110000) && is_near(t[3], 120000), "%g %g", t[2], t[3]);
    hn_net_free(net);
}

/* Members that plan all at once on few cores take turns at it. */
Test(media, ranks_that_share_a_core_are_counted)
{
    hn_net *net = hn_net_new(HOSTS);
    struct model all, few;
    int host[3] = {0, 1, 5};
    model_of_net(&all, net, NULL, HOSTS, PORT_MEDIA);
    model_of_net(&few, net, host, 3, PORT_MEDIA);
    cr_expect_eq(model_ranks_per_core(&all), 1);
    hn_net_add_machine(net, "a", (hn_machine_cost){.cores = 0}, (int[]){4, 5}, 2);
    cr_expect_eq(model_ranks_per_core(&all), 1, "it is not known on how many cores");
    hn_net_add_machine(net, "b", (hn_machine_cost){.cores = 2}, (int[]){0, 1, 2, 3, 4}, 5);
    cr_expect_eq(model_ranks_per_core(&all), 3);
    cr_expect_eq(model_ranks_per_core(&few), 2, "there are only three");
    few.ranks_per_core = 7;
    cr_expect_eq(model_ranks_per_core(&few), 7, "who made the model knows better");
    hn_net_free(net);
}

/* A bus is busy with what each message takes of it besides its bytes; a lone one takes no longer.
 */
Test(media, messages_take_a_bus_besides_their_bytes)
{
    hn_net *net = one_bus();
    double t[3];
    hn_net_set_subnet_cost(net, 0, (hn_pair_cost){.latency = slow * 3 / 10, .per_byte = slow});
    cr_assert_eq(hn_net_set_wire(net, 0, 0, slow / 10), HN_OK);
    play(net, (struct message[]){{0, 1, 1000}}, 1, t);
    cr_expect(is_near(t[0], 1300), "%g", t[0]);
    play(net, (struct message[]){{0, 1, 1000}, {2, 3, 1000}, {4, 5, 1000}}, 3, t);
    /* Half of what it takes besides is around its packet, 1000 of whose 1448 bytes are there. */
    double all = 3 * (1100 - 50 * 1000 / 1448) + 200 + 50 * 1000 / 1448;
    cr_expect(is_near(t[0], all) && is_near(t[2], all), "%g %g", t[0], t[2]);
    play(net, (struct message[]){{0, 1, 0}, {2, 3, 0}, {4, 5, 0}}, 3, t);
    cr_expect(is_near(t[2], 500), "%g", t[2]);
    hn_net_free(net);
}
