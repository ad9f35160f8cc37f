/* job_net.c - the network between some tasks of a job: that of its file, or a guess (job_net.h).
 * Cost of a guess: O(n^2) comparisons of names. */
#include "wire/job_net.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fills host[] from the host names of a network; false: it lacks one. Then the costs between some
 * tasks are unknown, and the file is of no use for the group. */
static bool find_hosts(const hn_net *net, const hn_tid *tids, int n, int *host)
{
    for (int i = 0; i < n; i++) {
        const char *name = hn_host_of(tids[i]);
        host[i] = name ? hn_net_host_index(net, name) : -1;
        if (host[i] < 0)
            return false;
    }
    return true;
}

/* If all tasks run without datagrams (cast.h), plans should not rely on multicasts. */
static void forget_multicasts(hn_net *net)
{
    const char *wish = getenv("HNOW_MULTICAST");

    if (!wish || strcmp(wish, "0") != 0)
        return;
    for (int subnet = 0; subnet < hn_net_subnet_count(net); subnet++)
        hn_net_set_multicast(net, subnet, 0);
}

/* Parses the job's file. *made is NULL if there is none, or it has no costs. HN_OK or an error of
 * the file. */
static int parse(hn_net **made)
{
    const char *text;
    size_t length;
    *made = NULL;
    int error = hn_job_text("hosts", &text, &length);
    if (!error && length > 0)
        error = hn_net_parse("hosts", text, length, made);
    if (error || !*made)
        return error;
    forget_multicasts(*made);
    if (hn_net_has_costs(*made))
        return HN_OK;
    hn_net_free(*made);
    *made = NULL;
    return HN_OK;
}

/* A network of its own for the caller, which frees it.  *net is NULL if the file is of no use. */
int job_net_read(const hn_tid *tids, int n, int *host, hn_net **net)
{
    int error = parse(net);
    if (error || !*net || find_hosts(*net, tids, n, host))
        return error;
    hn_net_free(*net);
    *net = NULL;
    return HN_OK;
}

int job_net_known(hn_net **known, const hn_tid *tids, int n, int *host, const hn_net **net)
{
    int error = *known ? HN_OK : parse(known); /* a job's file never changes */
    *net = *known && find_hosts(*known, tids, n, host) ? *known : NULL;
    return error;
}

/* Numbers the hosts in the order of the tasks; returns their number. */
static int count_hosts(const hn_tid *tids, int n, int *host)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const char *name = hn_host_of(tids[i]);
        host[i] = count;
        /* Tasks on hosts without a name count as tasks on hosts of their own. */
        for (int other = 0; other < i; other++) {
            const char *known = hn_host_of(tids[other]);
            if (name && known && strcmp(name, known) == 0) {
                host[i] = host[other];
                break;
            }
        }
        count += host[i] == count;
    }
    return count;
}

/* Typical costs of TCP on one switch: 10 us and 0.5 ns a byte at each end, 40 us and 1 Gb/s between
 * hosts. */
hn_net *job_net_guess(const hn_tid *tids, int n, int *host)
{
    static const hn_host_cost end = {10000000, 500000, 10000000, 500000, 0};
    static const hn_pair_cost cost = {40000000, 8000000};
    int hosts = count_hosts(tids, n, host);
    hn_net *net = hn_net_new(hosts);
    int error = net ? hn_net_set_subnet_cost(net, 0, cost) : HN_ENOMEM;
    for (int i = 0; i < hosts && !error; i++)
        error = hn_net_set_host(net, i, &end);
    if (!error)
        return net;
    hn_net_free(net);
    return NULL;
}

int job_net_ranks_per_core(const hn_tid *tids, int n)
{
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 1; i < n; i++)
        /* On several hosts each task has a processor of its own as far as the model is concerned.
         */
        if (hn_host_tid(tids[i]) != hn_host_tid(tids[0]))
            return 0;
    return cores > 0 ? (n + cores - 1) / cores : 0;
}
