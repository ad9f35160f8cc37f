/* hosts_info.c - lists, adds and removes hosts of the job.
 *
 * hrun answers from its own list of hosts, so the result is what hrun knows at that moment.  Loads
 * and numbers of tasks change meanwhile.
 */
#include "base/error.h"
#include "job/question.h"
#include "job/task.h"
#include "job/tid_check.h"

#include <stdio.h>
#include <stdlib.h>

/* Decodes an entry of HOSTS. The load is a hundredth, UINT32_MAX if unknown. */
static void take_host(struct unpack *answer, void *entry)
{
    hn_host_info *info = entry;

    info->tid = (hn_tid)control_tid(unpack_u32(answer), 0);
    snprintf(info->name, sizeof info->name, "%s", unpack_str(answer));
    snprintf(info->machine, sizeof info->machine, "%s", unpack_str(answer));
    info->big_endian = unpack_u8(answer) == 2;
    info->cores = (int)unpack_u32(answer);
    info->slots = (int)unpack_u32(answer);
    info->tasks = (int)unpack_u32(answer);
    uint32_t load = unpack_u32(answer);
    info->load = load == UINT32_MAX ? -1 : load / 100.;
    info->speed = strtod(unpack_str(answer), NULL);
}

/* A host's tid is a task's without the serial number, so no question is necessary. */
hn_tid hn_host_tid(hn_tid task)
{
    const struct task *t = task < (hn_tid)control_tid(0, 0) ? task_get() : NULL;

    if (task < (hn_tid)control_tid(0, 0))
        return t ? tids_refuse(t, task) : HN_ESTATE;
    return (hn_tid)control_tid(control_host((uint32_t)task), 0);
}

int hn_hosts(hn_host_info **hosts, int *n)
{
    REFUSE_NULL(hosts);
    REFUSE_NULL(n);

    struct question q;

    question_begin(&q, CONTROL_HOSTS_ASK);
    return question_list(&q, CONTROL_HOSTS, sizeof **hosts, take_host, hosts, n);
}

/* Decodes HOSTS_DONE.  Returns how many of the n outcomes are successful.  The error text is that
 * of the first host that failed. */
static int take_outcomes(struct unpack *answer, int n, hn_host_outcome *outcomes)
{
    int good = 0;

    unpack_u32(answer); /* the number of entries equals the number of hosts in the request */
    for (int i = 0; i < n; i++) {
        int error = -(int)unpack_u32(answer);
        hn_tid tid = (hn_tid)unpack_u32(answer);
        const char *text = unpack_str(answer);

        if (outcomes) {
            outcomes[i] = (hn_host_outcome){.error = error, .tid = tid};
            snprintf(outcomes[i].text, sizeof outcomes[i].text, "%s", text);
        }
        if (error && good == i)
            error_set(error, "%s", text);
        good += !error;
    }
    return good;
}

/* Blocks until hrun has added or removed all hosts of the list, which may take as long as reaching
 * them does. */
static int change_hosts(enum control_kind kind, const char *const *hosts, int n,
                        hn_host_outcome *outcomes)
{
    struct question q;

    if (!hosts || n < 1)
        return error_set(HN_EARG, "give at least one host");
    for (int i = 0; i < n; i++)
        if (!hosts[i])
            return error_set(HN_EARG, "number %d of the list of hosts is NULL", i);
    question_begin(&q, kind);
    pack_u32(&q.out, (uint32_t)n);
    for (int i = 0; i < n; i++)
        pack_str(&q.out, hosts[i]);
    int result = question_ask(&q, CONTROL_HOSTS_DONE);
    if (result == HN_OK)
        result = take_outcomes(&q.answer, n, outcomes);
    question_end(&q);
    return result;
}

int hn_add_hosts(const char *const *hosts, int n, hn_host_outcome *outcomes)
{
    return change_hosts(CONTROL_ADD_HOSTS_ASK, hosts, n, outcomes);
}

int hn_remove_hosts(const char *const *names, int n, hn_host_outcome *outcomes)
{
    return change_hosts(CONTROL_REMOVE_HOSTS_ASK, names, n, outcomes);
}
