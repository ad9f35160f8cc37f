/* net_json.c - writes a network model as one JSON document (keys as in DESIGN.md, "-json keys").
 *
 * Numbers come from the model's integers, so they are exact.  All ordered pairs are listed, n^2
 * lines.  Beyond PAIRS_MOST hosts only pairs with a cost of their own are listed, and "all_pairs"
 * is false.
 *
 * Optional numbers that are not known are left out, except the speed, which is null. Lists have one
 * entry a line, so that line tools work as well.
 */
#include "net/net.h"
#include "net/net_show.h"
#include "net/plogp.h"

/* Hosts. 2000 of them have 4 million pairs, some hundred megabytes of text. */
enum { PAIRS_MOST = 2000 };
/* Decimal digits of stored integers: times in ps, times per byte in fs, speeds in millionths. */
enum { PICO = 12, FEMTO = 15, MILLIONTHS = 6 };

/* Exact: integers are printed with a decimal point, never as floating point. */
static void put_key(FILE *file, const char *key, int64_t value, int decimals)
{
    char text[DECIMAL_TEXT];
    fprintf(file, ",\"%s\":%s", key, decimal_print_scaled(text, value, decimals));
}

static void put_text_key(FILE *file, const char *key, const char *text)
{
    fprintf(file, ",\"%s\":", key);
    json_text(file, text);
}

/* In seconds, and seconds a byte. */
static void put_cost(FILE *file, hn_pair_cost cost)
{
    put_key(file, "latency", cost.latency, PICO);
    put_key(file, "per_byte", cost.per_byte, FEMTO);
    if (cost.first_bytes) {
        put_key(file, "first_bytes", cost.first_bytes, 0);
        put_key(file, "first_per_byte", cost.first_per_byte, FEMTO);
    }
}

/* The keys of a host are those of the network file, in seconds. */
static void put_host(FILE *file, const hn_net *net, int host)
{
    const hn_host_cost *cost = hn_net_host(net, host);
    /* The separator comes before each entry but the first, since JSON allows none at the end. */
    fputs(host ? ",\n  {\"name\":" : "\n  {\"name\":", file);
    json_text(file, hn_net_host_name(net, host));
    put_key(file, "send_const", cost->send_const, PICO);
    put_key(file, "send_per_byte", cost->send_per_byte, FEMTO);
    put_key(file, "recv_const", cost->recv_const, PICO);
    put_key(file, "recv_per_byte", cost->recv_per_byte, FEMTO);
    put_key(file, "wake", cost->wake, PICO);
    put_key(file, "send_gap_const", cost->send_gap_const, PICO);
    put_key(file, "send_gap", cost->send_gap, FEMTO);
    put_key(file, "recv_gap", cost->recv_gap, FEMTO);
    if (cost->speed)
        put_key(file, "speed", cost->speed, MILLIONTHS);
    else
        fputs(",\"speed\":null", file);
    put_text_key(file, "subnet", hn_net_subnet_name(net, hn_net_subnet_of(net, host)));
    if (net->host[host].machine >= 0)
        put_text_key(file, "machine", hn_net_machine_name(net, net->host[host].machine));
    putc('}', file);
}

/* Beyond PAIRS_MOST hosts the list would be the largest part of the document. */
static void put_pairs(FILE *file, const hn_net *net)
{
    const char *separator = "";
    int n = hn_net_size(net), all = n <= PAIRS_MOST;
    fprintf(file, "\n ],\n \"all_pairs\":%s,\n \"pairs\":[", all ? "true" : "false");
    for (int from = 0; from < n; from++)
        /* Without own costs of pairs the inner loop is skipped, so a large network takes O(hosts)
         * here. */
        for (int to = 0; to < n && (all || net->pairs.used); to++) {
            if (from == to || (!all && !pairs_find(&net->pairs, from, to)))
                continue;
            fprintf(file, "%s\n  {\"from\":", separator);
            json_text(file, hn_net_host_name(net, from));
            put_text_key(file, "to", hn_net_host_name(net, to));
            put_cost(file, hn_net_pair(net, from, to));
            putc('}', file);
            separator = ",";
        }
}

/* Writes pLogP's g(m) between the first two hosts, and T(m). A subnet of one host has an empty
 * list. */
static void put_gaps(FILE *file, const hn_net *net, int s)
{
    const struct net_subnet *subnet = &net->subnet[s];
    fputs(",\"plogp\":[", file);
    for (int i = 0; i < PLOGP_SIZES && subnet->count > 1; i++) {
        int64_t bytes = plogp_sizes[i];
        hn_time broadcast = plogp_broadcast(net, s, bytes);
        fprintf(file, "%s{\"bytes\":%d", i ? "," : "", (int)bytes);
        put_key(file, "gap", plogp_gap(net, subnet->host[0], subnet->host[1], bytes), PICO);
        /* Out of memory: the key is missing, and the document stays valid. */
        if (broadcast >= 0)
            put_key(file, "broadcast", broadcast, PICO);
        putc('}', file);
    }
    putc(']', file);
}

/* One subnet, with its site's uplink if there is one. */
static void put_subnet(FILE *file, const hn_net *net, int s)
{
    static const char *const media[] = {
        [HN_MEDIUM_UNKNOWN] = "unknown", [HN_MEDIUM_BUS] = "bus", [HN_MEDIUM_SWITCH] = "switch"};
    const struct net_subnet *subnet = &net->subnet[s];
    fputs(s ? ",\n  {\"name\":" : "\n  {\"name\":", file);
    json_text(file, subnet->name);
    put_text_key(file, "medium", media[subnet->medium]);
    fprintf(file, ",\"multicast\":%s", subnet->multicast ? "true" : "false");
    put_text_key(file, "site", hn_net_subnet_site(net, s));
    /* A subnet without a cost of its own has no keys of a cost: its pairs state them. */
    if (subnet->has_cost)
        put_cost(file, subnet->cost);
    if (subnet->has_uplink) {
        put_key(file, "uplink_latency", subnet->uplink.latency, PICO);
        put_key(file, "uplink_per_byte", subnet->uplink.per_byte, FEMTO);
    }
    if (subnet->site >= 0 && net->site[subnet->site].has_uplink) {
        put_key(file, "site_uplink_latency", net->site[subnet->site].uplink.latency, PICO);
        put_key(file, "site_uplink_per_byte", net->site[subnet->site].uplink.per_byte, FEMTO);
    }
    put_gaps(file, net, s);
    fputs(",\"hosts\":[", file);
    for (int i = 0; i < subnet->count; i++) {
        fputs(i ? "," : "", file);
        json_text(file, hn_net_host_name(net, subnet->host[i]));
    }
    fputs("]}", file);
}

/* Costs that are 0 and optional in the file are left out. */
static void put_machines(FILE *file, const hn_net *net)
{
    fputs("\n ],\n \"machines\":[", file);
    for (int i = 0; i < net->nmachine; i++) {
        fputs(i ? ",\n  {\"name\":" : "\n  {\"name\":", file);
        /* Costs of both kinds are written also if 0: a machine may have only one of them. */
        json_text(file, net->machine[i].name);
        put_key(file, "message", net->machine[i].cost.message, PICO);
        put_key(file, "per_byte", net->machine[i].cost.per_byte, FEMTO);
        if (net->machine[i].cost.queued)
            put_key(file, "queued", net->machine[i].cost.queued, PICO);
        if (net->machine[i].cost.cores)
            put_key(file, "cores", net->machine[i].cost.cores, 0);
        putc('}', file);
    }
}

/* Writes the names of the subnets, or sites, at one end of a line. */
static void put_end(FILE *file, const hn_net *net, int line, int end)
{
    int next = 0;
    fprintf(file, ",\"%s\":[", end ? "far" : "near");
    for (const char *name, *between = ""; (name = net_line_end(net, line, end, &next));
         between = ",") {
        fputs(between, file);
        json_text(file, name);
    }
    putc(']', file);
}

/* Per byte only: a line has no latency of its own. */
static void put_lines(FILE *file, const hn_net *net)
{
    fputs("\n ],\n \"lines\":[", file);
    for (int i = 0; i < net->nline; i++) {
        fputs(i ? ",\n  {\"name\":" : "\n  {\"name\":", file);
        json_text(file, net->line[i].name);
        put_key(file, "per_byte", net->line[i].per_byte, FEMTO);
        put_end(file, net, i, 0);
        put_end(file, net, i, 1);
        putc('}', file);
    }
}

/* One document, whose lists have one entry per line. */
void net_json(const hn_net *net, FILE *file)
{
    /* Each function leaves its list open; the next one closes it, so that an entry needs to know
     * only whether it is the first. */
    fputs("{\"hosts\":[", file);
    for (int i = 0; i < hn_net_size(net); i++)
        put_host(file, net, i);
    put_pairs(file, net);
    fputs("\n ],\n \"subnets\":[", file);
    for (int s = 0; s < hn_net_subnet_count(net); s++)
        put_subnet(file, net, s);
    put_machines(file, net);
    put_lines(file, net);
    fprintf(file, "\n ],\n \"origin\":{\"version\":%d", NET_VERSION);
    if (net->origin.measured)
        put_text_key(file, "measured", net->origin.measured);
    if (net->origin.by)
        put_text_key(file, "by", net->origin.by);
    if (net->origin.passes)
        put_key(file, "passes", net->origin.passes, 0);
    if (net->origin.tolerance)
        put_key(file, "tolerance", net->origin.tolerance, MILLIONTHS);
    if (net->origin.residual)
        put_key(file, "residual", net->origin.residual, MILLIONTHS);
    if (net->origin.worst)
        put_key(file, "worst", net->origin.worst, MILLIONTHS);
    if (net->origin.missing)
        put_text_key(file, "missing", net->origin.missing);
    if (net->origin.relayed)
        put_text_key(file, "relayed", net->origin.relayed);
    fputs("}}\n", file);
}
