/* net_lines.c - lines that the routes between several subnets, or sites, share.
 *
 * A line has two ends, each a set of subnets and sites.  All transfers from one set to the other
 * use it, each direction separately.  A subnet is at an end if it, or its site, is named there.
 * Each subnet and site keeps a bit set of lines for either end.  So the lines between two subnets
 * are found in O(1), and the sets move with the subnets. A line is a bit; 64 of them are enough for
 * one network. Numbers of lines follow the order of hn_net_add_line(). A new line costs
 * O(subnets^2) for the check of all routes.
 */
#include "net/net.h"

#include <string.h>

/* ---- queries ------------------------------------------------------------------------------ */

/* Lines with this end at the subnet, or at its site. */
static uint64_t at_end(const hn_net *net, int subnet, int end)
{
    int site = net->subnet[subnet].site;
    return net->subnet[subnet].line[end] | (site < 0 ? 0 : net->site[site].line[end]);
}

/* direction 0: from the near end to the far one. */
uint64_t net_lines(const hn_net *net, int here, int there, int direction)
{
    return at_end(net, here, direction) & at_end(net, there, !direction);
}

/* *next counts subnets first, then sites, so one number is the whole state of the iteration. */
const char *net_line_end(const hn_net *net, int line, int end, int *next)
{
    for (; *next < net->nsubnet + net->nsite; ++*next) {
        int site = *next - net->nsubnet;
        bool here = (site < 0 ? net->subnet[*next].line : net->site[site].line)[end] >> line & 1;
        if (here)
            return ++*next, site < 0 ? net->subnet[*next - 1].name : net->site[site].name;
    }
    return NULL;
}

/* ---- construction ------------------------------------------------------------------------- */

/* Returns the bit sets of a subnet or, if there is none of that name, of a site; NULL: neither. */
static uint64_t *find_unit(hn_net *net, const char *name)
{
    /* A failed look-up sets an error text, which check_units() replaces. */
    int subnet = hn_net_subnet_index(net, name), site = net_find_site(net, name);
    return subnet >= 0 ? net->subnet[subnet].line : site >= 0 ? net->site[site].line : NULL;
}

/* An end must name at least one unit. Naming one twice is harmless: a bit is set twice. */
static int check_units(hn_net *net, const char *const *name, int count)
{
    for (int i = 0; i < count; i++)
        if (!find_unit(net, name[i]))
            return error_set(HN_EARG, "there is no subnet or site %s", name[i]);
    return count > 0 ? HN_OK : error_set(HN_EARG, "one end of a line is nowhere");
}

/* Checks that no place is at both ends, and that no route has too many lines.  The line's bits are
 * set already. */
static int check_routes(const hn_net *net, int number)
{
    uint64_t line = (uint64_t)1 << number;
    /* Only routes that pass the new line can have become too many. A line may serve both
     * directions, so both are counted. */
    for (int a = 0; a < net->nsubnet; a++) {
        if (at_end(net, a, 0) & at_end(net, a, 1) & line)
            return error_set(HN_EARG, "subnet %s is at both ends of the line", net->subnet[a].name);
        for (int b = 0; b < net->nsubnet && at_end(net, a, 0) & line; b++)
            if (__builtin_popcountll(net_lines(net, a, b, 0)) +
                    __builtin_popcountll(net_lines(net, a, b, 1)) >
                HN_LINES_MOST)
                return error_set(HN_EARG, "there are more than %d lines on the way from %s to %s",
                                 HN_LINES_MOST, net->subnet[a].name, net->subnet[b].name);
    }
    return HN_OK;
}

/* All names exist (check_units()). */
static void mark(hn_net *net, const char *const *name, int count, int end, uint64_t line)
{
    for (int i = 0; i < count; i++)
        find_unit(net, name[i])[end] |= line;
}

/* Removes lines from all sets. */
static void unmark(hn_net *net, uint64_t lines)
{
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < net->nsubnet; i++)
            net->subnet[i].line[end] &= ~lines;
        for (int i = 0; i < net->nsite; i++)
            net->site[i].line[end] &= ~lines;
    }
}

/* A line without a cost would never delay a message, hence 0 is refused. */
static int check_line(const hn_net *net, const char *name, hn_per_byte per_byte)
{
    if (!hosts_is_name(name))
        return error_set(HN_EARG, "\"%s\" cannot name a line", name);
    if (per_byte <= 0 || per_byte > HN_PER_BYTE_MOST)
        return error_set(HN_EARG, "line %s: a byte takes no time, or too much", name);
    if (net->nline == NET_LINES_MOST)
        return error_set(HN_EARG, "there are %d lines already", NET_LINES_MOST);
    for (int i = 0; i < net->nline; i++)
        if (strcmp(net->line[i].name, name) == 0)
            return error_set(HN_EARG, "there is a line %s already", name);
    return HN_OK;
}

int hn_net_add_line(hn_net *net, const char *name, const char *const *near, int nears,
                    const char *const *far, int fars, hn_per_byte per_byte)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    REFUSE_NULL(near);
    REFUSE_NULL(far);
    int code = check_line(net, name, per_byte);
    if (code == HN_OK)
        code = check_units(net, near, nears);
    if (code == HN_OK)
        code = check_units(net, far, fars);
    if (code < 0)
        return code;
    /* Room first: after the marks only check_routes() may fail, and that is undone. */
    char *copy = arena_strdup(&net->arena, name);
    if (!copy || !ARRAY_ROOM(net->line, net->nline + 1))
        return error_set(HN_ENOMEM, "no memory for line %s", name);
    /* The line is checked as a part of the model, and taken out again if it does not fit: whether a
     * route has too many lines depends on the sites of all names, which at_end() resolves. */
    uint64_t line = (uint64_t)1 << net->nline;
    mark(net, near, nears, 0, line);
    mark(net, far, fars, 1, line);
    code = check_routes(net, net->nline);
    if (code < 0)
        unmark(net, line);
    else
        net->line[net->nline++] = (struct net_line){copy, per_byte};
    return code;
}

/* All lines at once, and the marks of them in subnets and sites. */
void net_forget_lines(hn_net *net)
{
    /* The names stay in the arena. */
    unmark(net, ~(uint64_t)0);
    net->nline = 0;
}
