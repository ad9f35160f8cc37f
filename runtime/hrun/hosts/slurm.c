/* slurm.c - reads the hosts of a Slurm allocation from Slurm's environment variables; see slurm.h.
 *
 *     SLURM_JOB_NODELIST        node[01-03,7],x      the syntax of our own ranges
 *     SLURM_TASKS_PER_NODE      2(x3),1              slots, if a number of tasks was requested
 *     SLURM_JOB_CPUS_PER_NODE   4(x3),8              else the allocation's cores on each node,
 *     SLURM_CPUS_PER_TASK       2                    divided by this
 *
 * Without the last three each agent counts its usable cores.  In a step (srun ... hrun) the numbers
 * of tasks are those of the step, which is hrun itself, so they are ignored.
 *
 * The result is the same as that of a hosts file with these names and slots.
 */
#include "hrun/hosts/slurm.h"

#include "base/error.h"
#include "hnow.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* Parses the next count of a list like "2(x3),1" and advances *at; *times is the number of nodes
 * with this count.  False: invalid. A count beyond HOSTS_SLOTS is invalid, too. */
static bool slurm_count(const char **at, long *count, long *times)
{
    char *end;
    *times = 1;
    *count = strtol(*at, &end, 10);
    if (end == *at || *count < 1 || *count > HOSTS_SLOTS)
        return false;
    if (end[0] == '(' && end[1] == 'x') {
        *times = strtol(end + 2, &end, 10);
        if (*times < 1 || *end++ != ')')
            return false;
    }
    if (*end && *end++ != ',')
        return false;
    *at = end;
    return true;
}

/* The list must cover the nodes exactly; anything else is a variable that was set by hand. divide:
 * cores for each task, at least 1. */
static int slurm_fill_slots(struct hosts *hosts, const char *name, const char *list, long divide)
{
    const char *rest = list;
    bool fits = true;
    int at = 0;
    while (fits && *rest) {
        long count, times;
        fits = slurm_count(&rest, &count, &times) && times <= hosts->n - at;
        while (fits && times-- > 0)
            hosts->line[at++].slots = (int)(count > divide ? count / divide : 1);
    }
    if (fits && at == hosts->n)
        return HN_OK;
    char quoted[LINES_QUOTED];
    return error_set(HN_ESYNTAX,
                     "%s=%s does not fit the %d nodes of SLURM_JOB_NODELIST: name the hosts by "
                     "-hosts",
                     name, lines_quote(quoted, list), hosts->n);
}

/* Slurm sets the number of tasks also when none was requested.  It is then derived from the cores,
 * which are preferred here. Without both variables the agents count their cores. */
static int slurm_slots(slurm_get *get, struct hosts *hosts)
{
    const char *tasks = get("SLURM_TASKS_PER_NODE");
    const char *cores = get("SLURM_JOB_CPUS_PER_NODE");
    const char *each = get("SLURM_CPUS_PER_TASK");
    long divide = 1;
    /* Within a step the variable describes the step, not the allocation. */
    if (get("SLURM_STEP_TASKS_PER_NODE"))
        tasks = NULL;
    if (tasks && (!cores || get("SLURM_NTASKS") || get("SLURM_NTASKS_PER_NODE")))
        return slurm_fill_slots(hosts, "SLURM_TASKS_PER_NODE", tasks, 1);
    if (!cores)
        return HN_OK;
    char quoted[LINES_QUOTED];
    if (each && options_number(each, 1, HOSTS_SLOTS, &divide))
        return error_set(HN_ESYNTAX,
                         "SLURM_CPUS_PER_TASK=%s is no number from 1 on: unset it, or name the "
                         "hosts by -hosts",
                         lines_quote(quoted, each));
    return slurm_fill_slots(hosts, "SLURM_JOB_CPUS_PER_NODE", cores, divide);
}

/* Outside an allocation *hosts is NULL, which is no error.  Slurm's list has the form of a list for
 * -hosts. An error names the variable. */
static int slurm_nodes(slurm_get *get, struct hosts **hosts)
{
    const char *nodes = get("SLURM_JOB_NODELIST");
    *hosts = NULL;
    if (!get("SLURM_JOB_ID") || !nodes || !nodes[0])
        return HN_OK;
    char quoted[LINES_QUOTED];
    if (hosts_list(nodes, hosts))
        return error_set(HN_ESYNTAX,
                         "SLURM_JOB_NODELIST=%s cannot be read: name the hosts by "
                         "-hosts",
                         lines_quote(quoted, nodes));
    return HN_OK;
}

/* Writes the equivalent hosts file, for tasks that request it. The text is parsed again, so that
 * the result owns its strings. */
static int slurm_write(const struct hosts *nodes, struct hosts **hosts)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    for (int i = 0; file && i < nodes->n; i++) {
        fprintf(file, "%s", nodes->line[i].name);
        if (nodes->line[i].slots > 0)
            fprintf(file, " slots=%d", nodes->line[i].slots);
        fprintf(file, "\n");
    }
    int error =
        !file || ferror(file) || fclose(file) ? error_set(HN_ENOMEM, "out of memory") : HN_OK;
    if (!error)
        error = hosts_parse("SLURM_JOB_NODELIST", text, length, hosts);
    free(text);
    return error;
}

/* get is getenv(), except in tests. */
int slurm_hosts(slurm_get *get, struct hosts **hosts)
{
    struct hosts *nodes;
    *hosts = NULL;
    int error = slurm_nodes(get, &nodes);
    if (error || !nodes)
        return error;
    error = slurm_slots(get, nodes);
    if (!error)
        error = slurm_write(nodes, hosts);
    hosts_free(nodes);
    return error;
}

/* The first host that the allocation does not have; NULL: there is none, or no allocation. Standby
 * hosts need not be in the allocation. */
const char *slurm_stranger(slurm_get *get, const struct hosts *hosts)
{
    struct hosts *nodes;
    const char *name = NULL;
    if (slurm_nodes(get, &nodes) || !nodes)
        return NULL;
    for (int i = 0; i < hosts->n && !name; i++)
        if (!hosts->line[i].standby && hosts_find(nodes, hosts->line[i].name) < 0)
            name = hosts->line[i].name;
    hosts_free(nodes);
    return name;
}

/* Called before the first srun is started. */
void slurm_forget_options(void)
{
    static const char *const options[] = {
        "SLURM_LABELIO",     "SLURM_MPI_TYPE",      "SLURM_STDINMODE", "SLURM_STDOUTMODE",
        "SLURM_STDERRMODE",  "SLURM_PROLOG",        "SLURM_EPILOG",    "SLURM_TASK_PROLOG",
        "SLURM_TASK_EPILOG", "SLURM_KILL_BAD_EXIT", "SLURM_WAIT"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        unsetenv(options[i]);
}
