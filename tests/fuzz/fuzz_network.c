/* fuzz_network.c - any bytes as a network file: refused with a message that names the file, or
 * accepted; then it can be asked about every pair, and what is written of it reads as the same. */
#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    FEW = 8 /* hosts whose pairs are looked at */,
    MANY = 50000 /* a few letters name a million, which to write takes longer than an input may */
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void look_at_pair(const hn_net *net, int from, int to)
{
    hn_channel way[HN_WAY_MOST];
    hn_pair_cost cost = hn_net_pair(net, from, to);
    int n = hn_net_way(net, from, to, way);
    demand(cost.latency >= 0 && cost.per_byte >= 0);
    demand(n >= 0 && n <= HN_WAY_MOST);
    for (int i = 0; i < n; i++)
        demand(way[i].id >= 0 && way[i].id < hn_net_channel_count(net) && way[i].per_byte >= 0);
}

static void look_at(const hn_net *net)
{
    int n = hn_net_size(net);
    for (int i = 0; i < n && i < FEW; i++) {
        int subnet = hn_net_subnet_of(net, i);
        demand(hn_net_host_index(net, hn_net_host_name(net, i)) == i);
        demand(subnet >= 0 && subnet < hn_net_subnet_count(net));
        for (int k = 0; k < n && k < FEW; k++)
            look_at_pair(net, i, k);
    }
}

static char *written(const hn_net *net, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    demand(file && net_print(net, file) == HN_OK && fclose(file) == 0);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hn_net *net = NULL, *again = NULL;
    if (hn_net_parse("fuzz", (const char *)data, size, &net) != HN_OK) {
        demand(!net && strstr(hn_error_text(), "fuzz"));
        return 0;
    }
    look_at(net);
    if (hn_net_size(net) > MANY) {
        hn_net_free(net);
        return 0;
    }
    size_t first_length, second_length;
    char *first = written(net, &first_length);
    demand(hn_net_parse("written", first, first_length, &again) == HN_OK);
    char *second = written(again, &second_length);
    demand(first_length == second_length && memcmp(first, second, first_length) == 0);
    free(first);
    free(second);
    hn_net_free(again);
    hn_net_free(net);
    return 0;
}
