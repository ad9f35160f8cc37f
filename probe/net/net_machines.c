/* net_machines.c - hosts that share a machine: containers, virtual machines, namespaces.
 *
 * All hosts of a machine share its processors, and whatever carries bytes inside it.  Each machine
 * states what a message takes of it.  A message between two machines takes half of that on each.  A
 * query is O(1). A host is on one machine at most, and -1 is a machine of its own, which needs no
 * entry.
 */
#include "net/net.h"

#include <string.h>

int hn_net_machine_count(const hn_net *net)
{
    return net->nmachine;
}

int hn_net_machine_of(const hn_net *net, int host)
{
    return net->host[host].machine;
}

const char *hn_net_machine_name(const hn_net *net, int machine)
{
    return net->machine[machine].name;
}

const hn_machine_cost *hn_net_machine(const hn_net *net, int machine, int *hosts)
{
    *hosts = net->machine[machine].hosts;
    return &net->machine[machine].cost;
}

/* Each machine does one side of the work: it sends, or it receives. An odd picosecond is lost,
 * which no plan notices. */
static hn_machine_use half_of(const hn_net *net, int machine)
{
    hn_machine_cost cost = net->machine[machine].cost;
    return (hn_machine_use){machine,
                            {cost.message / 2, cost.per_byte / 2, cost.cores, cost.queued / 2}};
}

int hn_net_machines(const hn_net *net, int from, int to, hn_machine_use use[2])
{
    int here = net->host[from].machine, there = net->host[to].machine, n = 0;
    if (from == to)
        return 0;
    /* Both ends on one machine: it does all of the work. */
    if (here >= 0 && here == there) {
        use[0] = (hn_machine_use){here, net->machine[here].cost};
        return 1;
    }
    if (here >= 0)
        use[n++] = half_of(net, here);
    if (there >= 0)
        use[n++] = half_of(net, there);
    return n;
}

/* The same limits as for other costs (hnow_net.h), so sums stay within 64 bits. */
int net_append_machine(hn_net *net, const char *name, hn_machine_cost cost)
{
    for (int i = 0; i < net->nmachine; i++)
        if (strcmp(net->machine[i].name, name) == 0)
            return error_set(HN_EARG, "there is a machine %s already", name);
    if (!hosts_is_name(name) || cost.message < 0 || cost.message > HN_TIME_MOST ||
        cost.per_byte < 0 || cost.per_byte > HN_PER_BYTE_MOST || cost.cores < 0 ||
        cost.cores > HN_CORES_MOST || cost.queued < 0 || cost.queued > HN_TIME_MOST)
        return error_set(HN_EARG, "\"%s\" cannot name a machine, or its costs are impossible",
                         name);
    char *copy = arena_strdup(&net->arena, name);
    if (!copy || !ARRAY_ROOM(net->machine, net->nmachine + 1))
        return error_set(HN_ENOMEM, "no memory for machine %s", name);
    net->machine[net->nmachine] = (struct net_machine){copy, cost, 0};
    return net->nmachine++;
}

int hn_net_add_machine(hn_net *net, const char *name, hn_machine_cost cost, const int *hosts,
                       int count)
{
    REFUSE_NULL(net);
    REFUSE_NULL(name);
    REFUSE_NULL(hosts);
    /* Hosts are checked before the machine is made: after HN_EARG no half-filled one remains. */
    for (int i = 0; i < count; i++)
        if (hosts[i] < 0 || hosts[i] >= net->n)
            return error_set(HN_EARG, "there is no host %d in a network of %d", hosts[i], net->n);
    int machine = net_append_machine(net, name, cost);
    for (int i = 0; i < count && machine >= 0; i++)
        net->host[hosts[i]].machine = machine;
    net_count_machines(net);
    return machine < 0 ? machine : HN_OK;
}

void net_count_machines(hn_net *net)
{
    for (int i = 0; i < net->nmachine; i++)
        net->machine[i].hosts = 0;
    for (int i = 0; i < net->n; i++)
        if (net->host[i].machine >= 0)
            net->machine[net->host[i].machine].hosts++;
}

/* Their names stay in the arena until the model is freed. */
void net_forget_machines(hn_net *net)
{
    for (int i = 0; i < net->n; i++)
        net->host[i].machine = -1;
    net->nmachine = 0;
}
