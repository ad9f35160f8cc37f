/* net_read.c - makes a network model from a parsed network file.
 *
 * The hosts parser has split the lines; this file interprets the model's keys of hosts and the @
 * records.  Subnets are read first, wherever they are in the file, because other records refer to
 * them.  Cost: linear in the file, with its ranges expanded. The model takes the hosts over first,
 * so all strings of the file live as long as it does. An error frees the model and leaves its text,
 * "FILE:LINE: what to do", in hn_error_text().
 *
 * Everything that could be ambiguous is refused and not guessed: a host in two subnets, a cost
 * stated twice, a link of a subnet and a site.
 */
#include "hrun/internal.h"
#include "net/net.h"
#include "net/record.h"

#include <stdio.h>
#include <stdlib.h>

/* Used while one file is read. `subnets` has the names of all subnets so far. */
struct reader {
    hn_net *net;
    const char *file;
    /* Names to numbers. The numbers change once, in finish_subnets(), which fills the table again.
     */
    struct names subnets;
    bool has_network; /* an @network record was read */
};

/* ---- hosts -------------------------------------------------------------------------------- */

/* Reads the costs in a host's own line. Missing keys leave 0. Each key has a line number of its
 * own, since a line of defaults may have given it. */
static int read_host(const char *file, struct net_host *host)
{
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < HOSTS_MODEL_COUNT; i++)
        code = record_decimal(file, host->line.model_line[i], record_host_keys[i].name,
                              host->line.model[i], record_host_keys[i].limit,
                              record_host_cost(&host->cost, i));
    return code;
}

/* HN_ESYNTAX with its text if the file has no such host. */
static int find_host(const struct reader *reader, const struct record *record, const char *name)
{
    char quoted[LINES_QUOTED];
    int host = names_find(&reader->net->names, name);
    if (host >= 0)
        return host;
    return lines_error(reader->file, record->line,
                       "there is no host \"%s\" in this file: give it a line of its own",
                       lines_quote(quoted, name));
}

/* ---- @network ----------------------------------------------------------------------------- */

/* The origin is text for people; only the tolerance and the errors are numbers. */
static int read_network(struct reader *reader, const struct record *record)
{
    struct net_origin *origin = &reader->net->origin;
    const char *version = record->value[RECORD_VERSION];
    char quoted[LINES_QUOTED];
    /* Initialised by record_number() in any case. */
    int64_t passes, given;
    if (reader->has_network)
        return lines_error(reader->file, record->line, "a second @network record: leave one out");
    /* The first version that is not understood must end the reading: an older program could misread
     * it without notice. */
    if (version && !decimal_integer(version, NET_VERSION, NET_VERSION, &given))
        return lines_error(reader->file, record->line,
                           "version=%s: this hnow reads version %d only: take the @ lines out, and "
                           "probe again (hprobe -hosts FILE -o FILE)",
                           lines_quote(quoted, version), NET_VERSION);
    reader->has_network = true;
    /* Texts belong to the lines, which the model keeps. */
    *origin = (struct net_origin){.measured = record->value[RECORD_MEASURED],
                                  .by = record->value[RECORD_BY],
                                  .missing = record->value[RECORD_MISSING],
                                  .relayed = record->value[RECORD_RELAYED]};
    int code = record_number(record, RECORD_PASSES, &passes);
    origin->passes = (int)passes;
    if (code == HN_OK)
        code = record_number(record, RECORD_TOLERANCE, &origin->tolerance);
    if (code == HN_OK)
        code = record_number(record, RECORD_RESIDUAL, &origin->residual);
    if (code == HN_OK)
        code = record_number(record, RECORD_WORST, &origin->worst);
    return code;
}

/* ---- @subnet, @machine -------------------------------------------------------------------- */

/* Adds a host to a subnet (number 0 initially holds all hosts), or to a machine. */
static int add_member(struct reader *reader, const struct record *record, const char *name,
                      int number)
{
    hn_net *net = reader->net;
    bool machine = record->kind == RECORD_MACHINE;
    int host = find_host(reader, record, name);
    if (host < 0)
        return host;
    /* Subnet 0 means that no record has placed the host yet; for machines that is -1. */
    int *now = machine ? &net->host[host].machine : &net->host[host].subnet;
    if (machine ? *now >= 0 : *now != 0)
        return lines_error(reader->file, record->line,
                           "host %s is %s %s already: leave it out of one of the two", name,
                           machine ? "on machine" : "in subnet",
                           machine ? net->machine[*now].name : net->subnet[*now].name);
    *now = number;
    return HN_OK;
}

/* Ranges such as n[1-16] are expanded, at most to the number of hosts. A range in the list of a
 * machine or subnet names hosts only; an unknown one is an error. */
static int add_members(struct reader *reader, const struct record *record, int number)
{
    char quoted[LINES_QUOTED];
    char *rest = record->value[RECORD_HOSTS];
    int code = HN_OK;
    for (char *item; code == HN_OK && (item = range_split(&rest));) {
        /* The names of the range are in the arena, since an error message may quote them. */
        struct range range;
        const char *wrong = range_expand(item, reader->net->n, &reader->net->arena, &range);
        if (wrong)
            return lines_error(reader->file, record->line, "hosts=%s: %s",
                               lines_quote(quoted, item), wrong);
        for (int i = 0; code == HN_OK && i < range.count; i++)
            code = add_member(reader, record, range.name[i], number);
    }
    return code;
}

/* Checks the hosts of a record; what: "subnet" or "machine". */
static int check_set(const struct record *record, const char *what)
{
    char quoted[LINES_QUOTED];
    if (!hosts_is_name(record->name[0]))
        return lines_error(record->file, record->line,
                           "\"%s\" cannot name a %s: use letters, digits, dots and dashes",
                           lines_quote(quoted, record->name[0]), what);
    if (!record->value[RECORD_HOSTS])
        return lines_error(record->file, record->line, "%s %s has no hosts: give hosts=a,b,c", what,
                           record->name[0]);
    return HN_OK;
}

/* Records the error. Returns HN_ESYNTAX. */
static int is_taken(const struct record *record, const char *what)
{
    return lines_error(record->file, record->line, "%s %s is there already: use another name", what,
                       record->name[0]);
}

/* Everything of the record is checked before the subnet is appended. */
static int read_subnet(struct reader *reader, const struct record *record)
{
    static const hn_medium media[] = {HN_MEDIUM_UNKNOWN, HN_MEDIUM_BUS, HN_MEDIUM_SWITCH};
    hn_pair_cost cost;
    /* Each of these is set by its record_...() call, also when the key is missing. */
    hn_per_byte wire;
    hn_time message;
    int medium, multicast;
    const char *site = record->value[RECORD_SITE];
    int code = check_set(record, "subnet");
    if (code == HN_OK && names_find(&reader->subnets, record->name[0]) >= 0)
        code = is_taken(record, "subnet");
    if (code == HN_OK)
        code = record_choice(record, RECORD_MEDIUM, "unknown bus switch", &medium);
    if (code == HN_OK)
        code = record_choice(record, RECORD_MULTICAST, "no yes", &multicast);
    if (code == HN_OK)
        code = record_cost(record, &cost, &wire);
    if (code == HN_OK)
        code = record_number(record, RECORD_MESSAGE, &message);
    if (code == HN_OK && site && !hosts_is_name(site))
        code = lines_error(reader->file, record->line, "site=: give a name");
    if (code < 0)
        return code;
    hn_net *net = reader->net;
    int number = net_append_subnet(net, record->name[0], media[medium]);
    if (number < 0)
        return number;
    if (names_add(&reader->subnets, record->name[0], number) == -2)
        /* Names are those of the file, which outlives the table. */
        return error_set(HN_ENOMEM, "%s: no memory for the subnets", reader->file);
    struct net_subnet *subnet = &net->subnet[number];
    subnet->cost = cost;
    /* A cost of 0 that is written down counts as one. A subnet with no cost of its own takes that
     * of its pairs, if they have one (net_inside()). */
    subnet->has_cost = record->value[RECORD_LATENCY] || record->value[RECORD_PER_BYTE] ||
                       record->value[RECORD_FIRST_BYTES];
    subnet->multicast = multicast;
    subnet->wire = wire;
    subnet->message = message;
    /* A site is made by its first subnet. Records that name it are read in the second pass. */
    if (site)
        code = hn_net_set_site(net, number, site);
    return code == HN_OK ? add_members(reader, record, number) : code;
}

/* A machine has no latency, but shares the syntax of costs. */
static int read_machine(struct reader *reader, const struct record *record)
{
    hn_pair_cost cost;
    hn_per_byte wire;
    hn_machine_cost shared;
    int code = check_set(record, "machine");
    if (code == HN_OK)
        code = record_cost(record, &cost, &wire);
    if (code == HN_OK)
        code = record_number(record, RECORD_MESSAGE, &shared.message);
    if (code == HN_OK)
        code = record_number(record, RECORD_QUEUED, &shared.queued);
    if (code == HN_OK)
        code = record_number(record, RECORD_CORES, &shared.cores);
    if (code < 0)
        return code;
    /* Only the time of a byte is used of the common syntax. The parser allows the other keys of a
     * cost for other kinds only, so nothing of the user's text is lost. */
    shared.per_byte = cost.per_byte;
    int machine = net_append_machine(reader->net, record->name[0], shared);
    if (machine == HN_EARG)
        return is_taken(record, "machine");
    return machine < 0 ? machine : add_members(reader, record, machine);
}

/* Hosts that no record puts into a subnet stay in the first one, which gets an unused name.
 * Afterwards the subnets have their final numbers. */
static int finish_subnets(struct reader *reader)
{
    hn_net *net = reader->net;
    char name[24] = "net";
    /* A subnet of the file may itself be called "net". */
    for (int i = 2; names_find(&reader->subnets, name) >= 0; i++)
        snprintf(name, sizeof name, "net-%d", i);
    /* Subnet 0 was made with the model and is dropped by net_regroup() if every host has left it.
     */
    net->subnet[0].name = arena_strdup(&net->arena, name);
    if (!net->subnet[0].name)
        return error_set(HN_ENOMEM, "%s: no memory for the subnets", reader->file);
    int code = net_regroup(net);
    names_free(&reader->subnets);
    /* The numbers of all subnets move when an empty one is dropped. */
    for (int s = 0; code == HN_OK && s < net->nsubnet; s++) {
        int other = names_add(&reader->subnets, net->subnet[s].name, s);
        if (other == -2)
            code = error_set(HN_ENOMEM, "%s: no memory for the subnets", reader->file);
    }
    return code;
}

/* ---- @link, @uplink, @pair ---------------------------------------------------------------- */

/* A table of costs, and two members of it. References to a subnet or a site go to different tables,
 * so the table is part of the result. */
struct ends {
    struct pairs *table;
    int from, to;
};

/* Finds a subnet or a site by name, -1 for the one that does not exist; HN_ESYNTAX: neither. Both
 * may be found: the caller decides which of them its record means. */
static int find_unit(const struct reader *reader, const struct record *record, const char *name,
                     int *subnet, int *site)
{
    char quoted[LINES_QUOTED];
    *subnet = names_find(&reader->subnets, name);
    *site = net_find_site(reader->net, name);
    if (*subnet >= 0 || *site >= 0)
        return HN_OK;
    return lines_error(reader->file, record->line,
                       "there is no subnet or site \"%s\": write a @subnet record for it",
                       lines_quote(quoted, name));
}

/* A subnet has priority over a site of the same name. Both ends must be of one kind. */
static int find_link_ends(struct reader *reader, const struct record *record, struct ends *ends)
{
    hn_net *net = reader->net;
    int subnet[2], site[2];
    for (int i = 0; i < 2; i++)
        if (find_unit(reader, record, record->name[i], &subnet[i], &site[i]) < 0)
            return HN_ESYNTAX;
    /* Two names that are subnets as well as sites mean the subnets. */
    if (subnet[0] >= 0 && subnet[1] >= 0)
        *ends = (struct ends){&net->links, subnet[0], subnet[1]};
    else if (site[0] >= 0 && site[1] >= 0)
        *ends = (struct ends){&net->trunks, site[0], site[1]};
    else
        return lines_error(reader->file, record->line,
                           "%s is a subnet and %s a site: name two of a kind",
                           /* The subnet is printed first, in whichever order the record has them.
                            */
                           record->name[subnet[0] < 0], record->name[subnet[0] >= 0]);
    if (ends->table == &net->links && ends->from == ends->to)
        return lines_error(reader->file, record->line,
                           "a link from %s to itself: give the cost on its @subnet record",
                           record->name[0]);
    return HN_OK;
}

/* Two hosts.  An end that does not exist is HN_ESYNTAX. */
static int find_pair_ends(struct reader *reader, const struct record *record, struct ends *ends)
{
    *ends = (struct ends){.table = &reader->net->pairs};
    ends->from = find_host(reader, record, record->name[0]);
    ends->to = ends->from < 0 ? ends->from : find_host(reader, record, record->name[1]);
    return ends->to < 0 ? HN_ESYNTAX : HN_OK;
}

/* A second statement for the same pair is an error, so that none is silently ignored. */
static int state(struct reader *reader, const struct record *record, struct ends ends,
                 hn_pair_cost cost, hn_per_byte wire)
{
    if (pairs_find(ends.table, ends.from, ends.to))
        return lines_error(reader->file, record->line,
                           "%s %s %s is stated twice: leave one out, or give both way=one",
                           record_kind_name(record->kind), record->name[0], record->name[1]);
    return pairs_set(ends.table, ends.from, ends.to, cost, wire);
}

/* Without way= a cost holds in both directions. A pair of a host with itself is set once. */
static int read_ends(struct reader *reader, const struct record *record)
{
    struct ends ends = {0};
    hn_pair_cost cost;
    hn_per_byte wire;
    int route;
    int code = record->kind == RECORD_LINK ? find_link_ends(reader, record, &ends)
                                           : find_pair_ends(reader, record, &ends);
    if (code == HN_OK)
        code = record_cost(record, &cost, &wire);
    if (code == HN_OK)
        code = record_choice(record, RECORD_WAY, "both one", &route);
    if (code == HN_OK)
        code = state(reader, record, ends, cost, wire);
    if (code == HN_OK && route == 0 && ends.from != ends.to)
        code = state(reader, record, (struct ends){ends.table, ends.to, ends.from}, cost, wire);
    return code;
}

/* A subnet has priority over a site of the same name. */
static int read_uplink(struct reader *reader, const struct record *record)
{
    hn_pair_cost cost;
    hn_per_byte wire;
    hn_net *net = reader->net;
    const char *name = record->name[0];
    int subnet, site;
    if (find_unit(reader, record, name, &subnet, &site) < 0)
        /* has_uplink serves as the mark that a record was read, since models are made from one file
         * only. */
        return HN_ESYNTAX;
    if (subnet >= 0 ? net->subnet[subnet].has_uplink : net->site[site].has_uplink)
        return lines_error(reader->file, record->line,
                           "the uplink of %s is stated twice: leave one out", name);
    int code = record_cost(record, &cost, &wire);
    if (code < 0)
        return code;
    return subnet >= 0 ? hn_net_set_uplink(net, subnet, cost)
                       : hn_net_set_site_uplink(net, name, cost);
}

/* ---- @line -------------------------------------------------------------------------------- */

/* Expands the names of a list.  Returns their number, HN_ESYNTAX or HN_ENOMEM; the caller frees
 * *name. */
static int read_names(struct reader *reader, const struct record *record, enum record_key key,
                      const char ***name)
{
    hn_net *net = reader->net;
    /* An end cannot have more names than there are subnets and sites. So the array never grows. */
    int most = net->nsubnet + net->nsite, count = 0;
    char *rest = record->value[key], quoted[LINES_QUOTED];
    *name = calloc((size_t)most, sizeof **name);
    if (!*name)
        return error_set(HN_ENOMEM, "%s: no memory for a line", reader->file);
    for (char *item; rest && (item = range_split(&rest));) {
        struct range range;
        const char *wrong = range_expand(item, most - count, &net->arena, &range);
        if (wrong)
            return lines_error(reader->file, record->line, "%s=%s: %s", record_key_name(key),
                               lines_quote(quoted, item), wrong);
        for (int i = 0; i < range.count; i++)
            (*name)[count++] = range.name[i];
    }
    return count;
}

/* Errors of hn_net_add_line() get the place in the file and the form of the record. */
static int read_line(struct reader *reader, const struct record *record)
{
    const char **near = NULL, **far = NULL;
    char wrong[256];
    hn_pair_cost cost;
    hn_per_byte wire;
    int code = record_cost(record, &cost, &wire), nears = 0, fars = 0;
    if (code == HN_OK)
        code = nears = read_names(reader, record, RECORD_NEAR, &near);
    if (code >= 0)
        code = fars = read_names(reader, record, RECORD_FAR, &far);
    if (code >= 0)
        code = hn_net_add_line(reader->net, record->name[0], near, nears, far, fars, cost.per_byte);
    free(near);
    free(far);
    if (code != HN_EARG)
        return code;
    /* The text must be copied before lines_error() replaces it. */
    snprintf(wrong, sizeof wrong, "%s", hn_error_text());
    return lines_error(reader->file, record->line,
                       "%s: write @line NAME near=a,b far=c,d ns_per_byte=T, with names of subnets "
                       "or sites",
                       wrong);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* One pass over the records: @network and @subnet, or the others. The latter name subnets, so all
 * of these must be known. */
static int read_records(struct reader *reader, bool subnets)
{
    static int (*const read[RECORD_KINDS])(struct reader *, const struct record *) = {
        [RECORD_NETWORK] = read_network, [RECORD_SUBNET] = read_subnet,
        [RECORD_UPLINK] = read_uplink,   [RECORD_LINK] = read_ends,
        [RECORD_PAIR] = read_ends,       [RECORD_MACHINE] = read_machine,
        [RECORD_LINE] = read_line};
    const struct hosts *hosts = reader->net->hosts;
    int code = HN_OK;
    /* A record is parsed in both passes. That costs less than storing all parsed records, and
     * syntax errors are found in the first. */
    for (int i = 0; code == HN_OK && i < hosts->nrecord; i++) {
        struct record record;
        code = record_read(reader->file, &hosts->record[i], &record);
        if (code == HN_OK && subnets == (record.kind <= RECORD_SUBNET))
            code = read[record.kind](reader, &record);
    }
    return code;
}

/* The hosts belong to the model from here on, also after an error. */
int net_from_file(struct hosts *hosts, hn_net **result)
{
    hn_net *net;
    *result = NULL;
    int code = net_from_hosts(hosts, &net);
    if (code < 0)
        return code;
    struct reader reader = {.net = net, .file = hosts->name};
    /* The order matters: hosts have their names already, subnets need hosts, all other records need
     * subnets. */
    for (int i = 0; code == HN_OK && i < net->n; i++)
        code = read_host(reader.file, &net->host[i]);
    if (code == HN_OK)
        code = read_records(&reader, true);
    if (code == HN_OK)
        code = finish_subnets(&reader);
    if (code == HN_OK)
        code = read_records(&reader, false);
    /* Machines got their hosts one by one, without a count. */
    net_count_machines(net);
    names_free(&reader.subnets);
    if (code < 0)
        hn_net_free(net);
    else
        *result = net;
    return code;
}

/* hosts_read() has set the error text if it fails; the hosts are the model's otherwise. */
int hn_net_read(const char *path, hn_net **net)
{
    struct hosts *hosts;
    REFUSE_NULL(path);
    REFUSE_NULL(net);
    *net = NULL;
    int code = hosts_read(path, &hosts);
    return code < 0 ? code : net_from_file(hosts, net);
}

int hn_net_parse(const char *name, const char *text, size_t length, hn_net **net)
{
    struct hosts *hosts;
    REFUSE_NULL(name);
    REFUSE_NULL(text);
    REFUSE_NULL(net);
    *net = NULL;
    int code = hosts_parse(name, text, length, &hosts);
    return code < 0 ? code : net_from_file(hosts, net);
}
