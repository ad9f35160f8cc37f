/* member_net.c - networks of members, shared by groups (member_net.h). */
#include "wire/member_net.h"

#include "wire/job_net.h"
#include "wire/wire_state.h"

#include <stdlib.h>
#include <string.h>

/* Most networks kept without a group: a program that splits its processes into rows, columns and
 * planes again and again has a few each task. */
enum { UNUSED_MOST = 8 };

/* The node may be in no list: a node in a list of its own can be removed, too. */
static void free_net(struct member_net *net)
{
    list_remove(&net->node);
    first_choices_free(&net->first);
    hn_net_free(net->guess);
    free(net->tids);
    free(net->host);
    free(net);
}

/* Finds the network of the members. Without the job's file, or if it lacks a host, it is guessed.
 */
static int fill(struct wire_state *shared, struct member_net *net)
{
    const hn_net *found;
    int error = job_net_known(&shared->net, net->tids, net->size, net->host, &found);
    if (error)
        return error;
    net->measured = found != NULL;
    if (!found)
        found = net->guess = job_net_guess(net->tids, net->size, net->host);
    if (!found)
        return HN_ENOMEM;
    model_of_net(&net->model, found, net->host, net->size, PORT_MEDIA);
    /* 0: the tasks are on several hosts. */
    net->model.ranks_per_core = job_net_ranks_per_core(net->tids, net->size);
    return HN_OK;
}

/* The list node is initialized first, so that free_net() can remove it in any case. */
static int make(struct wire_state *shared, const hn_tid *tids, int size, struct member_net **made)
{
    struct member_net *net = calloc(1, sizeof *net);
    if (!net)
        return HN_ENOMEM;
    list_init(&net->node);
    first_choices_init(&net->first);
    net->size = size;
    net->tids = malloc((size_t)size * sizeof *tids);
    net->host = malloc((size_t)size * sizeof *net->host);
    int error = net->tids && net->host ? HN_OK : HN_ENOMEM;
    if (!error) {
        memcpy(net->tids, tids, (size_t)size * sizeof *tids);
        error = fill(shared, net);
    }
    if (error)
        free_net(net);
    *made = error ? NULL : net;
    return error;
}

/* With wire_state.nets_lock: finds a network, and counts the caller as a user. The order of the
 * members matters, since ranks depend on it. */
static struct member_net *find(struct wire_state *shared, const hn_tid *tids, int size)
{
    list_for_each (n, &shared->nets) {
        struct member_net *net = list_entry(n, struct member_net, node);
        if (net->size == size && memcmp(net->tids, tids, (size_t)size * sizeof *tids) == 0) {
            net->users++;
            return net;
        }
    }
    return NULL;
}

int member_net_hold(struct wire_state *shared, const hn_tid *tids, int size,
                    struct member_net **net)
{
    pthread_mutex_lock(&shared->nets_lock);
    *net = find(shared, tids, size);
    pthread_mutex_unlock(&shared->nets_lock);
    if (*net)
        return HN_OK;
    /* Two threads cannot make the same network at the same time: calls do not overlap. */
    int error = make(shared, tids, size, net); /* without the lock: it may run activities */
    if (error)
        return error;
    (*net)->users = 1;
    pthread_mutex_lock(&shared->nets_lock);
    list_append(&shared->nets, &(*net)->node);
    pthread_mutex_unlock(&shared->nets_lock);
    return HN_OK;
}

/* With the lock: frees the oldest of the unused ones, if there are too many. They are in the order
 * in which they became unused. */
static void free_oldest(struct wire_state *shared)
{
    struct member_net *oldest = NULL;
    int unused = 0;
    list_for_each (n, &shared->nets) {
        struct member_net *net = list_entry(n, struct member_net, node);
        if (net->users > 0)
            continue;
        oldest = oldest ? oldest : net;
        unused++;
    }
    if (unused > UNUSED_MOST)
        free_net(oldest);
}

void member_net_drop(struct wire_state *shared, struct member_net *net)
{
    if (!net)
        return;
    pthread_mutex_lock(&shared->nets_lock);
    /* At the end of the list it is the last one to be freed. */
    if (--net->users == 0) {
        list_remove(&net->node);
        list_append(&shared->nets, &net->node);
        free_oldest(shared);
    }
    pthread_mutex_unlock(&shared->nets_lock);
}

void member_nets_free(struct wire_state *shared)
{
    list_for_each_safe (n, &shared->nets)
        free_net(list_entry(n, struct member_net, node));
}
