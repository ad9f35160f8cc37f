/* hplan_task.c - makes a request from the network file and the options.
 *
 * A multicast is a broadcast among its root and its destinations: these are the ranks, the root
 * first. All other operations have all hosts as ranks, in the order of the file.
 *
 * Everything that the user can get wrong is found here, with the option's name in the message.
 * After an error the task is partly made, and task_free() still frees it.
 */
#include "hplan.h"

#include "hnow.h"
#include "hnow_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An operation of hplan's command line only; for the planners it is a broadcast. */
static const char multicast[] = "multicast";

static int out_of_memory(void)
{
    complain("out of memory");
    return 1;
}

/* ---- hosts ------------------------------------------------------------------------------ */

/* Parses a host number that is followed by `end`; -1: there is none.  Numbers from `limit` on are
 * none, which also prevents an overflow. *rest is the text behind `end`, and is valid only if there
 * is a number. */
static int64_t read_number(const char *text, char end, int64_t limit, const char **rest)
{
    int64_t number = 0;
    const char *at = text;
    /* `limit` is at most INT_MAX, so ten times a smaller number fits. */
    for (; *at >= '0' && *at <= '9' && number < limit; at++)
        number = 10 * number + (*at - '0');
    *rest = at + 1;
    return at > text && *at == end && number < limit ? number : -1;
}

/* Marks the hosts of one word: a name, `all`, a number, or a range of numbers.  Names come first,
 * since a host may be called 7.  Returns false if there are none. */
static bool mark_word(const hn_net *net, const char *word, bool *marked)
{
    int64_t hosts = hn_net_size(net);
    /* This look-up leaves an error text, which nothing reads if the word is a number. */
    int host = hn_net_host_index(net, word);
    const char *rest;
    if (host >= 0)
        return marked[host] = true;
    int64_t first = read_number(word, '\0', hosts, &rest), last = first;
    if (strcmp(word, "all") == 0) {
        first = 0;
        last = hosts - 1;
    } else if (first < 0) {
        /* "2-5": the first number ends at the dash. */
        first = read_number(word, '-', hosts, &rest);
        last = first < 0 ? -1 : read_number(rest, '\0', hosts, &rest);
    }
    for (int64_t i = first; i >= 0 && i <= last; i++)
        marked[i] = true;
    return first >= 0 && first <= last;
}

const char *task_hosts(const hn_net *net, const char *list, struct arena *arena, bool *marked)
{
    /* range_split() writes into the text, hence a copy. */
    char *rest = arena_strdup(arena, list), *element;
    struct range names;
    while (rest && (element = range_split(&rest))) {
        /* A malformed range is returned as the invalid word itself. */
        if (range_expand(element, hn_net_size(net), arena, &names))
            return element;
        for (int i = 0; i < names.count; i++)
            if (!mark_word(net, names.name[i], marked))
                return names.name[i];
    }
    return NULL;
}

/* The host with that name or number; -1: none. */
static int read_root(const char *text, const hn_net *net)
{
    const char *rest;
    int host = hn_net_host_index(net, text);
    return host >= 0 ? host : (int)read_number(text, '\0', hn_net_size(net), &rest);
}

/* ---- ranks ------------------------------------------------------------------------------ */

/* Makes a host the next rank. */
static void add_member(struct task *task, int host)
{
    /* rank[] stays -1 for hosts that are not members. */
    int rank = task->req.ranks++;
    task->host[rank] = host;
    task->names[rank] = hn_net_host_name(task->net, host);
    task->rank[host] = rank;
}

/* The root first, then the destinations. */
static int set_multicast(const struct options *o, int root, struct task *task)
{
    int hosts = hn_net_size(task->net), status = 0;
    struct arena arena = {0};
    /* Marks first, then members: a host that the list names twice becomes one rank, and ranks are
     * in the order of the file. */
    bool *marked = calloc((size_t)hosts, sizeof *marked);
    if (!marked)
        return out_of_memory();
    const char *stranger = task_hosts(task->net, o->to, &arena, marked);
    if (stranger)
        status =
            complain("-to %s: no host of %s is called %s: give names, numbers below %d, ranges "
                     "of these, or all",
                     o->to, o->net, stranger, hosts);
    /* After an error, too: the task then has ranks that agree with its arrays. */
    add_member(task, root);
    for (int host = 0; host < hosts; host++)
        if (marked[host] && host != root)
            add_member(task, host);
    if (!status && task->req.ranks == 1)
        status = complain("-to %s: nobody but the root: name other hosts", o->to);
    task->req.op = OP_BCAST;
    task->req.root = 0;
    free(marked);
    arena_free(&arena);
    return status;
}

/* Sets the ranks.  The arrays are large enough for all hosts. */
static int set_members(const struct options *o, const char *path, struct task *task)
{
    /* The root is a host's number in the file. Of a multicast it becomes rank 0. */
    int hosts = hn_net_size(task->net), root = read_root(o->root, task->net);
    if (root < 0)
        return complain("-root %s: neither a host of %s nor a rank below %d", o->root, path, hosts);
    task->names = malloc((size_t)hosts * sizeof *task->names);
    task->host = malloc((size_t)hosts * sizeof *task->host);
    task->rank = malloc((size_t)hosts * sizeof *task->rank);
    if (!task->names || !task->host || !task->rank)
        return out_of_memory();
    /* All entries become -1. */
    memset(task->rank, 0xff, (size_t)hosts * sizeof *task->rank);
    /* The other operations have a rank for each host, also for those on standby. */
    if (strcmp(o->op, multicast) == 0)
        return set_multicast(o, root, task);
    for (int host = 0; host < hosts; host++)
        add_member(task, host);
    task->req.root = root;
    return 0;
}

/* ---- the whole task --------------------------------------------------------------------- */

/* Checks the operation, and the options that only some operations have. */
static int read_operation(const struct options *o, struct task *task)
{
    /* `listed`: with a list of destinations. */
    bool listed = strcmp(o->op, multicast) == 0;
    task->req.op = listed ? OP_BCAST : operation_named(o->op);
    if (task->req.op == OP_COUNT)
        return complain("-op %s: no such operation: see hplan -help", o->op);
    task->op = listed ? multicast : operation_name(task->req.op);
    if (listed && !o->to)
        return complain("-op multicast: to whom: give -to HOST,HOST,...");
    if (!listed && o->to)
        return complain("-to %s: only a multicast has a list of destinations: give -op multicast",
                        o->to);
    if (task->req.op != OP_MULTIMULTICAST && (o->messages || o->sources))
        return complain("%s: only of -op multimulticast", o->messages ? "-messages" : "-sources");
    /* A job calls these operations by other names, and a trace has those. */
    if (o->trace && (listed || task->req.op == OP_MULTIMULTICAST))
        return complain("-trace: traces hold nothing called %s", task->op);
    return 0;
}

/* Each step depends on those before; after an error the rest is left out. */
int task_read(const struct options *o, const char *path, int64_t bytes, struct task *task)
{
    const char *what;
    /* grain 1: blocks may be divided at any byte, since there are no elements here. */
    task->req = (struct request){.bytes = bytes, .grain = 1};
    int status = read_operation(o, task);
    if (status)
        return status;
    if (hn_net_read(path, &task->net))
        return complain("%s", hn_error_text());
    status = set_members(o, path, task);
    if (!status && !hn_net_has_costs(task->net)) /* every plan would take no time */
        status = complain("%s: holds no costs: measure them with hprobe -hosts %s -o NETFILE", path,
                          path);
    /* Messages come before the check of sizes, which looks at them. */
    if (!status && task->req.op == OP_MULTIMULTICAST)
        status = task_messages(o, bytes, task);
    /* request_check() refuses sizes whose sum over all blocks would overflow. */
    if (!status && request_check(&task->req, &what))
        status = o->messages ? complain("%s: %s: plan for fewer bytes", o->messages, what)
                             : complain("-bytes %" PRId64 ": %s", bytes, what);
    /* The model is made last, as it needs the final ranks. */
    if (!status)
        hplan_model(o->model, task->net, task->host, task->req.ranks, &task->model);
    return status;
}

/* Each member is NULL or allocated; the model owns nothing. */
void task_free(struct task *task)
{
    free(task->messages);
    free(task->wants);
    free(task->names);
    free(task->host);
    free(task->rank);
    hn_net_free(task->net);
}
