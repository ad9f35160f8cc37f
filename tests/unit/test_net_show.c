/* A network as a page, as JSON and as a map: what is written of subnets, and beside the lines. */
#include "net/net_media.h"
#include "net/net_show.h"
#include "net_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(net_show, the_map_says_what_uplinks_cost)
{
    hn_net *net = net_of(lab);
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    cr_assert_eq(net_draw(net, "lab", file), HN_OK);
    fclose(file);
    cr_expect(strstr(text, ">uplink 20 us, 88.9 Mb/s<"));
    cr_expect(strstr(text, ">uplink 30 us, 114 Mb/s<"));
    free(text);
    hn_net_free(net);
}

/* One line for two sites, and one for the subnet that is farther than its site. */
Test(net_show, the_map_draws_a_line_between_sites_once)
{
    hn_net *net = net_of("a\nb\nc\nd\n@subnet s hosts=a site=x\n@subnet t hosts=b site=x\n"
                         "@subnet u hosts=c site=y\n@subnet v hosts=d site=y\n"
                         "@link x y latency_us=40000 ns_per_byte=80 wire_ns_per_byte=80\n"
                         "@link t v latency_us=44000 ns_per_byte=80\n");
    hn_channel way[HN_WAY_MOST], other[HN_WAY_MOST];
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    cr_assert_eq(net_draw(net, "sites", file), HN_OK);
    fclose(file);
    char *first = strstr(text, ">40 ms, "), *farther = strstr(text, ">44 ms, ");
    cr_assert(first && farther);
    cr_expect_not(strstr(first + 1, ">40 ms, "), "drawn once more");
    cr_assert(hn_net_way(net, 0, 2, way) == 1 && hn_net_way(net, 1, 3, other) == 1);
    cr_expect_eq(way[0].id, other[0].id, "all of them share the wire");
    free(text);
    hn_net_free(net);
}

/* What is shared on the way is the far site's uplink, so the link without a wire is no medium. */
Test(net_show, a_site_uplink_at_the_far_end_is_the_medium)
{
    hn_net *net = net_of("a\nb\nc\n@subnet s hosts=a site=x\n@subnet t hosts=b site=y\n"
                         "@subnet u hosts=c site=y\n@uplink y latency_us=1000 ns_per_byte=80\n"
                         "@link x y latency_us=40000 ns_per_byte=80\n");
    struct net_medium medium[NET_MEDIA_MOST];
    cr_expect_eq(net_media(net, 0, 1, medium), 1);
    cr_expect_eq(medium[0].kind, NET_SITE_UPLINK);
    cr_expect_eq(net_media(net, 1, 0, medium), 1);
    hn_net_free(net);
}

/* A line of its own, on the page and on the map. */
Test(net_show, ports_are_told)
{
    hn_net *net =
        net_of("a send_us=5\nb send_us=5 send_gap_ns_per_byte=2000\n"
               "c send_us=5 send_gap_us=4 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
               "d send_us=5 send_gap_us=4 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
               "@subnet s latency_us=10 ns_per_byte=80 hosts=a,b,c,d\n");
    char *page = NULL, *map = NULL;
    size_t length;
    FILE *file = open_memstream(&page, &length);
    net_show(net, "ports", file);
    fclose(file);
    file = open_memstream(&map, &length);
    cr_assert_eq(net_draw(net, "ports", file), HN_OK);
    fclose(file);
    cr_expect(strstr(page, "   4 Mb/s    2000 ns/B          0              -       0 ns/B   b\n"),
              "%s", page);
    cr_expect(strstr(page, " 100 Mb/s      80 ns/B       4 us       100 Mb/s      80 ns/B   c d\n"),
              "%s", page);
    cr_expect(strstr(map, ">out 4 Mb/s<"), "%s", map);
    cr_expect(strstr(map, ">port 100 Mb/s<"), "%s", map);
    free(page);
    free(map);
    hn_net_free(net);
}

/* What a function writes; the caller frees it. */
static char *written(const hn_net *net, void (*write)(const hn_net *net, FILE *file))
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    write(net, file);
    fclose(file);
    return text;
}

static void as_page(const hn_net *net, FILE *file)
{
    net_show(net, "two", file);
}

static void as_map(const hn_net *net, FILE *file)
{
    cr_assert_eq(net_draw(net, "two", file), HN_OK);
}

Test(net_show, subnets_that_carry_multicasts_are_told)
{
    hn_net *net = net_of("a send_us=5\nb send_us=5\nc send_us=5\nd send_us=5\n"
                         "@subnet s hosts=a,b medium=bus multicast=yes latency_us=10\n"
                         "@subnet t hosts=c,d medium=switch latency_us=20\n");
    char *page = written(net, as_page), *json = written(net, net_json), *map = written(net, as_map);
    cr_expect(strstr(page, "\ns            bus     yes            10 us "), "%s", page);
    cr_expect(strstr(page, "\nt            switch  -              20 us "), "%s", page);
    cr_expect(strstr(json, "\"medium\":\"bus\",\"multicast\":true,"), "%s", json);
    cr_expect(strstr(json, "\"medium\":\"switch\",\"multicast\":false,"), "%s", json);
    cr_expect(strstr(map, ">bus, multicast, 10 us<"), "%s", map);
    cr_expect(strstr(map, ">switch, 20 us<"), "%s", map);
    free(page);
    free(json);
    free(map);
    hn_net_free(net);
}
