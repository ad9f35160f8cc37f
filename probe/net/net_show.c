/* net_show.c - prints a network model as text: hosts, subnets, and what lies between them.
 *
 * The matrix has one-way latencies. With many hosts it has one row for each subnet, represented by
 * its first host; with very many it is omitted. `hprobe -show FILE -json` prints everything. All of
 * it is for people: no program reads this table, so its columns may change. Sections without
 * content are left out. Values come from the same queries that planners use, so the table shows
 * what a plan is made of.
 */
#include "net/net_show.h"
#include "net/net.h"
#include "net/plogp.h"
#include "net/units.h"

#include <inttypes.h>

/* Limits of a screen. MATRIX_MOST: columns of the matrix (157 letters a line), and host names in a
 * row. HOSTS_SHOWN: rows of a table. NAME_WIDTH: letters, for aligned columns. */
enum { MATRIX_MOST = 16, HOSTS_SHOWN = 64, NAME_WIDTH = 12 };

/* The first line says what the file is; further lines only what is unusual. */
static void show_title(const hn_net *net, const char *title, FILE *file)
{
    const struct net_origin *origin = &net->origin;
    fprintf(file, "%s: %d host%s in %d subnet%s", title, net->n, net->n == 1 ? "" : "s",
            net->nsubnet, net->nsubnet == 1 ? "" : "s");
    /* An unknown part of the origin is 0 or NULL, and is left out. */
    if (origin->measured)
        fprintf(file, ", measured %s", origin->measured);
    if (origin->by)
        fprintf(file, " by %s", origin->by);
    if (origin->passes)
        fprintf(file, ", %d passes", origin->passes);
    if (origin->tolerance)
        fprintf(file, ", tolerance %g", (double)origin->tolerance / 1e6);
    if (origin->residual)
        fprintf(file,
                "\nThe model's times differ from the measured ones by %.1f %% (root mean "
                "square), %.0f %% at most.",
                (double)origin->residual / 1e4, (double)origin->worst / 1e4);
    if (origin->missing)
        fprintf(file, "\nCould not be measured: %s", origin->missing);
    if (origin->relayed)
        fprintf(file, "\nRelayed by the agents: %s", origin->relayed);
    fputs(hn_net_has_costs(net) ? "\n" : "\nIt states no costs: measure it with hprobe -hosts.\n",
          file);
}

/* Long tables are cut after HOSTS_SHOWN rows. */
static void show_hosts(const hn_net *net, FILE *file)
{
    char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT], d[UNITS_TEXT];
    int shown = net->n < HOSTS_SHOWN ? net->n : HOSTS_SHOWN;
    fprintf(file, "\n%-*s %10s %12s   %10s %12s   %7s   %s\n", NAME_WIDTH, "host", "send", "",
            "receive", "", "speed", "subnet");
    for (int i = 0; i < shown; i++) {
        /* A row is sent to the file at once, since each units function has a buffer of its own. */
        const hn_host_cost *cost = hn_net_host(net, i);
        fprintf(file, "%-*s %10s %12s   %10s %12s   ", NAME_WIDTH, hn_net_host_name(net, i),
                units_time(a, cost->send_const), units_per_byte(b, cost->send_per_byte),
                units_time(c, cost->recv_const), units_per_byte(d, cost->recv_per_byte));
        if (cost->speed)
            fprintf(file, "%7.2f", (double)cost->speed / 1e6);
        else
            fprintf(file, "%7s", "-");
        fprintf(file, "   %s\n", hn_net_subnet_name(net, net->host[i].subnet));
    }
    if (shown < net->n)
        fprintf(file, "... and %d more hosts\n", net->n - shown);
}

/* Ports are equal if all of their three numbers are. */
static bool same_port(const hn_host_cost *a, const hn_host_cost *b)
{
    return a->send_gap == b->send_gap && a->send_gap_const == b->send_gap_const &&
           a->recv_gap == b->recv_gap;
}

/* One row: the port of the host `first`, and all hosts that have the same. Cost: O(hosts) for each
 * port shown. */
static void show_port(const hn_net *net, int first, FILE *file)
{
    char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT], d[UNITS_TEXT], e[UNITS_TEXT];
    const hn_host_cost *cost = hn_net_host(net, first);
    fprintf(file, "%12s %12s %10s   %12s %12s  ", units_rate(a, cost->send_gap),
            units_per_byte(b, cost->send_gap), units_time(e, cost->send_gap_const),
            units_rate(c, cost->recv_gap), units_per_byte(d, cost->recv_gap));
    int count = 0;
    /* Names beyond MATRIX_MOST are counted, not printed. */
    for (int i = first; i < net->n; i++)
        if (same_port(cost, hn_net_host(net, i)) && count++ < MATRIX_MOST)
            fprintf(file, " %s", hn_net_host_name(net, i));
    if (count > MATRIX_MOST)
        fprintf(file, " ... (%d in all)", count);
    putc('\n', file);
}

/* Prints the rates at which hosts can send to, or receive from, several others at once; equal ones
 * in one row. */
static void show_ports(const hn_net *net, FILE *file)
{
    int shown = 0;
    for (int i = 0; i < net->n && shown < HOSTS_SHOWN; i++) {
        const hn_host_cost *cost = hn_net_host(net, i);
        /* A port that an earlier host has was printed with that host. So O(hosts^2) comparisons at
         * most, until HOSTS_SHOWN rows are out. */
        int before = 0;
        while (before < i && !same_port(cost, hn_net_host(net, before)))
            before++;
        if (before < i || (!cost->send_gap && !cost->recv_gap))
            continue;
        if (shown++ == 0)
            fprintf(file, "\n%12s %12s %10s   %12s %12s   %s\n", "port out", "", "a message",
                    "port in", "", "of hosts (with several others at once)");
        show_port(net, i, file);
    }
}

/* Latency, time per byte, rate, and the bend if there is one. */
static void show_cost(FILE *file, hn_pair_cost cost)
{
    char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT];
    fprintf(file, " %10s %12s %12s", units_time(a, cost.latency), units_per_byte(b, cost.per_byte),
            units_rate(c, cost.per_byte));
    if (cost.first_bytes)
        fprintf(file, " (first %" PRId64 " B: %s)", cost.first_bytes,
                units_per_byte(b, cost.first_per_byte));
}

static void show_uplink(const char *name, hn_pair_cost cost, FILE *file)
{
    fprintf(file, "%-*s %-7s %-9s", NAME_WIDTH, name, "uplink", "");
    show_cost(file, cost);
    putc('\n', file);
}

/* Uplinks follow their subnets; those of sites are at the end. */
static void show_subnets(const hn_net *net, FILE *file)
{
    static const char *const media[] = {
        [HN_MEDIUM_UNKNOWN] = "-", [HN_MEDIUM_BUS] = "bus", [HN_MEDIUM_SWITCH] = "switch"};
    fprintf(file, "\n%-*s %-7s %-9s %10s %12s %12s   %s\n", NAME_WIDTH, "subnet", "medium",
            "multicast", "latency", "", "rate", "hosts");
    for (int s = 0; s < net->nsubnet; s++) {
        const struct net_subnet *subnet = &net->subnet[s];
        fprintf(file, "%-*s %-7s %-9s", NAME_WIDTH, subnet->name, media[subnet->medium],
                subnet->multicast ? "yes" : "-");
        /* A subnet without a cost of its own shows that of its first two hosts (net_inside()). */
        show_cost(file, net_inside(net, s));
        fputs("  ", file);
        for (int i = 0; i < subnet->count && i < MATRIX_MOST; i++)
            fprintf(file, " %s", hn_net_host_name(net, subnet->host[i]));
        if (subnet->count > MATRIX_MOST)
            fprintf(file, " ... (%d in all)", subnet->count);
        if (subnet->site >= 0)
            fprintf(file, "  (site %s)", net->site[subnet->site].name);
        putc('\n', file);
        if (subnet->has_uplink)
            show_uplink("", subnet->uplink, file);
    }
    /* A site's uplink has a row of its own, since several subnets share it. */
    for (int i = 0; i < net->nsite; i++)
        if (net->site[i].has_uplink)
            show_uplink(net->site[i].name, net->site[i].uplink, file);
}

/* One row of g or T.  A time that cannot be computed is a dash. */
static void show_gap_row(const hn_net *net, int s, bool broadcast, FILE *file)
{
    const struct net_subnet *subnet = &net->subnet[s];
    fprintf(file, "%-*s %s", NAME_WIDTH, broadcast ? "" : subnet->name, broadcast ? "T" : "g");
    for (int i = 0; i < PLOGP_SIZES; i++) {
        char text[UNITS_TEXT];
        /* Both need members: the caller skips subnets of one host. */
        hn_time time = broadcast ? plogp_broadcast(net, s, plogp_sizes[i])
                                 : plogp_gap(net, subnet->host[0], subnet->host[1], plogp_sizes[i]);
        fprintf(file, " %10s", time < 0 ? "-" : units_time(text, time));
    }
    putc('\n', file);
}

/* Prints pLogP's gap between the first two hosts of each subnet, and the time of a broadcast in
 * it. */
static void show_gaps(const hn_net *net, FILE *file)
{
    bool begun = false;
    if (!hn_net_has_costs(net))
        return;
    /* The bend of a cost, ports and buses are in these numbers, which is why they are shown beside
     * latency and rate. */
    for (int s = 0; s < net->nsubnet && s < HOSTS_SHOWN; s++) {
        if (net->subnet[s].count < 2)
            continue;
        if (!begun)
            fprintf(file, "\n%-*s   %10s %10s %10s %10s %10s   (g: gap, T: broadcast)\n",
                    NAME_WIDTH, "message of", "1 B", "1 KiB", "16 KiB", "256 KiB", "1 MiB");
        begun = true;
        show_gap_row(net, s, false, file);
        show_gap_row(net, s, true, file);
    }
}

/* Prints the machines and their hosts. */
static void show_machines(const hn_net *net, FILE *file)
{
    char a[UNITS_TEXT], b[UNITS_TEXT], c[UNITS_TEXT];
    if (net->nmachine > 0)
        fprintf(file, "\n%-*s %10s %12s %12s   (of the machine, for each message)\n", NAME_WIDTH,
                "machine", "message", "", "rate");
    for (int i = 0; i < net->nmachine; i++) {
        const struct net_machine *machine = &net->machine[i];
        /* Counted here and not read from machine->hosts, which is valid only after
         * net_count_machines(). */
        int count = 0;
        for (int host = 0; host < net->n; host++)
            count += net->host[host].machine == i;
        fprintf(file, "%-*s %10s %12s %12s   of %d hosts", NAME_WIDTH, machine->name,
                units_time(a, machine->cost.message), units_per_byte(b, machine->cost.per_byte),
                units_rate(c, machine->cost.per_byte), count);
        if (machine->cost.cores)
            fprintf(file, " on %" PRId64 " cores", machine->cost.cores);
        putc('\n', file);
    }
}

/* Prints links between subnets; both directions where they differ. */
static void show_links(const hn_net *net, FILE *file)
{
    /* With more subnets the list would be longer than the matrix of all of them. */
    if (net->nsubnet < 2 || net->nsubnet > MATRIX_MOST)
        return;
    fprintf(file, "\n%-*s %10s %12s %12s\n", 2 * NAME_WIDTH, "between", "latency", "", "rate");
    for (int a = 0; a < net->nsubnet; a++)
        for (int b = 0; b < net->nsubnet; b++) {
            /* Equal directions are one row, "a - b"; different ones are two rows, "a -> b" and "b
             * -> a". */
            hn_pair_cost there = net_between(net, a, b), back = net_between(net, b, a);
            bool same = net_same_cost(&there, &back);
            char name[2 * NAME_WIDTH + 8];
            if (a == b || (same && a > b))
                continue;
            snprintf(name, sizeof name, "%.*s %s %.*s", NAME_WIDTH, net->subnet[a].name,
                     same ? "-" : "->", NAME_WIDTH, net->subnet[b].name);
            fprintf(file, "%-*s", 2 * NAME_WIDTH, name);
            show_cost(file, there);
            fputs(net_wired_link(net, a, b) ? "   shared\n" : "\n", file);
        }
}

/* Names are separated by blanks, as everywhere in this table. */
static void show_line_end(const hn_net *net, int line, int end, FILE *file)
{
    int next = 0;
    for (const char *name, *between = ""; (name = net_line_end(net, line, end, &next));
         between = " ")
        fprintf(file, "%s%s", between, name);
}

/* Prints lines that several subnets' routes share. */
static void show_lines(const hn_net *net, FILE *file)
{
    char a[UNITS_TEXT], b[UNITS_TEXT];
    if (net->nline > 0)
        fprintf(file, "\n%-*s %10s %12s   %s\n", NAME_WIDTH, "line", "rate", "",
                "shared by all routes between");
    for (int i = 0; i < net->nline; i++) {
        hn_per_byte cost = net->line[i].per_byte;
        fprintf(file, "%-*s %10s %12s   ", NAME_WIDTH, net->line[i].name, units_rate(a, cost),
                units_per_byte(b, cost));
        show_line_end(net, i, 0, file);
        fputs(" and ", file);
        show_line_end(net, i, 1, file);
        putc('\n', file);
    }
}

/* Prints one-way latencies in microseconds, between hosts or, if there are many, between
 * subnets. */
static void show_matrix(const hn_net *net, FILE *file)
{
    /* Hosts if they fit, else subnets, else no matrix at all. */
    bool hosts = net->n <= MATRIX_MOST;
    int n = hosts ? net->n : net->nsubnet;
    if (n > MATRIX_MOST || n < 2 || !hn_net_has_costs(net))
        return;
    fprintf(file, "\nlatency, us%*s", NAME_WIDTH - 10, "");
    for (int j = 0; j < n; j++)
        fprintf(file, " %8.8s", hosts ? hn_net_host_name(net, j) : net->subnet[j].name);
    putc('\n', file);
    for (int i = 0; i < n; i++) {
        fprintf(file, "%-*s", NAME_WIDTH + 1,
                hosts ? hn_net_host_name(net, i) : net->subnet[i].name);
        /* A row of subnets shows the median route (net_between()), and the diagonal is empty. */
        for (int j = 0; j < n; j++) {
            hn_pair_cost cost = hosts ? hn_net_pair(net, i, j) : net_between(net, i, j);
            if (i == j)
                fprintf(file, " %8s", ".");
            else
                fprintf(file, " %8.1f", (double)cost.latency / 1e6);
        }
        putc('\n', file);
    }
}

void net_show(const hn_net *net, const char *title, FILE *file)
{
    show_title(net, title, file);
    show_hosts(net, file);
    show_ports(net, file);
    show_subnets(net, file);
    show_machines(net, file);
    show_gaps(net, file);
    show_links(net, file);
    show_lines(net, file);
    show_matrix(net, file);
}
