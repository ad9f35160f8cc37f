/* net_write.c - writes a network model as a network file.
 *
 * The order is fixed: origin, hosts, subnets, uplinks, lines, machines, links, pairs, each by
 * number. Ranges and defaults are written out, and numbers exactly. So equal models give equal
 * files, and a file written here is unchanged by reading and writing it. Texts with blanks or
 * quotes are quoted by lines_write(). Errors of writing are not looked at here: the caller checks
 * the stream once, when it closes it.
 */
#include "net/net.h"
#include "net/record.h"

#include <inttypes.h>
#include <stdlib.h>

/* decimal_print() writes at most six decimals and no trailing zeros, so a number has one form. */
static void put_number(FILE *file, const char *key, int64_t millionths)
{
    char text[DECIMAL_TEXT];
    fprintf(file, " %s=%s", key, decimal_print(text, millionths));
}

/* Also writes 0. */
static void put_key(FILE *file, enum record_key key, int64_t millionths)
{
    put_number(file, record_key_name(key), millionths);
}

/* For keys whose value 0 means the same as a missing key. */
static void put_any(FILE *file, enum record_key key, int64_t millionths)
{
    if (millionths)
        put_key(file, key, millionths);
}

/* NULL: the key is left out. */
static void put_text(FILE *file, enum record_key key, const char *value)
{
    if (value) {
        fprintf(file, " %s=", record_key_name(key));
        lines_write(file, value);
    }
}

/* Both numbers are always written, also 0: a stated 0 is a cost. The bend is left out when there is
 * none. */
static void put_cost(FILE *file, hn_pair_cost cost)
{
    put_key(file, RECORD_LATENCY, cost.latency);
    put_key(file, RECORD_PER_BYTE, cost.per_byte);
    if (cost.first_bytes) {
        fprintf(file, " %s=%" PRId64, record_key_name(RECORD_FIRST_BYTES), cost.first_bytes);
        put_key(file, RECORD_FIRST_PER_BYTE, cost.first_per_byte);
    }
}

/* Unknown parts of the origin are left out. The version is always written. */
static void put_origin(FILE *file, const hn_net *net)
{
    const struct net_origin *origin = &net->origin;
    fprintf(file, "%s version=%d", record_kind_name(RECORD_NETWORK), NET_VERSION);
    put_text(file, RECORD_MEASURED, origin->measured);
    put_text(file, RECORD_BY, origin->by);
    if (origin->passes)
        fprintf(file, " %s=%d", record_key_name(RECORD_PASSES), origin->passes);
    put_any(file, RECORD_TOLERANCE, origin->tolerance);
    put_any(file, RECORD_RESIDUAL, origin->residual);
    put_any(file, RECORD_WORST, origin->worst);
    put_text(file, RECORD_MISSING, origin->missing);
    put_text(file, RECORD_RELAYED, origin->relayed);
    fputs("\n\n", file);
}

/* An IPv6 address needs no brackets inside a record. The other keys of the line, such as an address
 * or a user, are written by hosts_write(). */
static void put_host(FILE *file, const struct net_host *host)
{
    hn_host_cost cost = host->cost;
    bool any = cost.send_const | cost.send_per_byte | cost.recv_const | cost.recv_per_byte;
    hosts_write(file, &host->line);
    for (int i = 0; i < HOSTS_MODEL_COUNT; i++) {
        int64_t value = *record_host_cost(&cost, i);
        /* Without a single one of S and R the file stays a plain hosts file. */
        if (value || (any && i <= HOSTS_RECV_PER_BYTE)) /* S and R are written together */
            put_number(file, record_host_keys[i].name, value);
    }
    putc('\n', file);
}

/* Hosts are listed by number, so the text does not depend on the order of construction. */
static void put_machine(FILE *file, const hn_net *net, int machine)
{
    const char *between = "";
    const hn_machine_cost *cost = &net->machine[machine].cost;
    fprintf(file, "%s %s", record_kind_name(RECORD_MACHINE), net->machine[machine].name);
    put_key(file, RECORD_MESSAGE, cost->message);
    put_any(file, RECORD_QUEUED, cost->queued);
    put_key(file, RECORD_PER_BYTE, cost->per_byte);
    if (cost->cores)
        fprintf(file, " %s=%" PRId64, record_key_name(RECORD_CORES), cost->cores);
    fprintf(file, " %s=", record_key_name(RECORD_HOSTS));
    /* The model has no list of a machine's hosts. So all hosts are looked at for each machine. */
    for (int i = 0; i < net->n; i++)
        if (net->host[i].machine == machine) {
            fprintf(file, "%s%s", between, net->host[i].line.name);
            between = ",";
        }
    putc('\n', file);
}

/* A cost is written only if the subnet has one of its own: 0 would be a cost, too. */
static void put_subnet(FILE *file, const hn_net *net, const struct net_subnet *subnet)
{
    static const char *const media[] = {
        [HN_MEDIUM_UNKNOWN] = NULL, [HN_MEDIUM_BUS] = "bus", [HN_MEDIUM_SWITCH] = "switch"};
    fprintf(file, "%s %s", record_kind_name(RECORD_SUBNET), subnet->name);
    put_text(file, RECORD_MEDIUM, media[subnet->medium]);
    put_text(file, RECORD_MULTICAST, subnet->multicast ? "yes" : NULL);
    if (subnet->has_cost)
        put_cost(file, subnet->cost);
    put_any(file, RECORD_WIRE, subnet->wire);
    put_any(file, RECORD_MESSAGE, subnet->message);
    put_text(file, RECORD_SITE, subnet->site < 0 ? NULL : net->site[subnet->site].name);
    /* Members are in ascending order, one by one. A range such as n[1-16] of the original file is
     * not restored. */
    fprintf(file, " %s=", record_key_name(RECORD_HOSTS));
    for (int i = 0; i < subnet->count; i++)
        fprintf(file, i ? ",%s" : "%s", net->host[subnet->host[i]].line.name);
    putc('\n', file);
}

/* Returns the name of an end of a pair: a host, subnet or site. */
typedef const char *name_function(const hn_net *net, int number);

/* Its type must be that of a name_function. */
static const char *site_name(const hn_net *net, int site)
{
    return net->site[site].name;
}

/* A pair of a host with itself is its own other direction, and is one record. */
static bool same_both_directions(const struct pairs *pairs, const struct pair *pair)
{
    const struct pair *back = pairs_find(pairs, pair->to, pair->from);
    return back && net_same_cost(&back->cost, &pair->cost) && back->wire == pair->wire;
}

/* Two equal directions are written as one record; `way=one` marks a direction that differs. */
static int put_pairs(FILE *file, const hn_net *net, enum record_kind kind,
                     const struct pairs *pairs, name_function *name)
{
    const struct pair **sorted = pairs_sorted(pairs);
    if (!sorted)
        /* pairs_sorted() returns NULL for an empty table as well, which is no error. */
        return pairs->used ? error_set(HN_ENOMEM, "no memory to sort the pairs") : HN_OK;
    putc('\n', file);
    for (int i = 0; i < pairs->used; i++) {
        const struct pair *pair = sorted[i];
        bool both = same_both_directions(pairs, pair);
        /* The record of the other direction, with the lower number first, covers this one. */
        if (both && pair->from > pair->to)
            continue;
        fprintf(file, "%s %s %s", record_kind_name(kind), name(net, pair->from),
                name(net, pair->to));
        put_cost(file, pair->cost);
        if (pair->wire)
            put_key(file, RECORD_WIRE, pair->wire);
        if (!both)
            put_text(file, RECORD_WAY, "one");
        putc('\n', file);
    }
    free(sorted);
    return HN_OK;
}

/* An uplink of a subnet or a site; the names alone distinguish the two. */
static void put_uplink(FILE *file, const char *name, hn_pair_cost cost)
{
    fprintf(file, "%s %s", record_kind_name(RECORD_UPLINK), name);
    put_cost(file, cost);
    putc('\n', file);
}

/* The names are listed in the order of their numbers, so equal lines give equal text. */
static void put_end(FILE *file, const hn_net *net, int line, int end)
{
    int next = 0;
    fprintf(file, " %s=", record_key_name(end ? RECORD_FAR : RECORD_NEAR));
    for (const char *name, *between = ""; (name = net_line_end(net, line, end, &next));
         between = ",")
        fprintf(file, "%s%s", between, name);
}

static void put_line(FILE *file, const hn_net *net, int line)
{
    fprintf(file, "%s %s", record_kind_name(RECORD_LINE), net->line[line].name);
    put_key(file, RECORD_PER_BYTE, net->line[line].per_byte);
    put_end(file, net, line, 0);
    put_end(file, net, line, 1);
    putc('\n', file);
}

/* The order is also that in which a reader needs them: names are defined before records use them.
 */
int net_print(const hn_net *net, FILE *file)
{
    fputs("# A network file of hnow: one host a line, then what messages between them cost.\n",
          file);
    put_origin(file, net);
    for (int i = 0; i < net->n; i++)
        put_host(file, &net->host[i]);
    putc('\n', file);
    for (int s = 0; s < net->nsubnet; s++)
        put_subnet(file, net, &net->subnet[s]);
    for (int s = 0; s < net->nsubnet; s++)
        if (net->subnet[s].has_uplink)
            put_uplink(file, net->subnet[s].name, net->subnet[s].uplink);
    for (int i = 0; i < net->nsite; i++)
        if (net->site[i].has_uplink)
            put_uplink(file, net->site[i].name, net->site[i].uplink);
    for (int line = 0; line < net->nline; line++)
        put_line(file, net, line);
    for (int machine = 0; machine < net->nmachine; machine++)
        put_machine(file, net, machine);
    /* Links of sites before those of subnets, from the general to the special, as people would
     * write them. */
    int code = put_pairs(file, net, RECORD_LINK, &net->trunks, site_name);
    if (code == HN_OK)
        code = put_pairs(file, net, RECORD_LINK, &net->links, hn_net_subnet_name);
    if (code == HN_OK)
        code = put_pairs(file, net, RECORD_PAIR, &net->pairs, hn_net_host_name);
    return code;
}

/* The old file is kept if anything fails (replace.h). */
int hn_net_write(const hn_net *net, const char *path)
{
    REFUSE_NULL(net);
    REFUSE_NULL(path);
    struct replacement file;
    int code = replace_open(&file, path);
    return replace_close(&file, code == HN_OK ? net_print(net, file.file) : code);
}
