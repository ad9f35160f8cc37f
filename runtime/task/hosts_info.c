/* hosts_info.c - what a task can learn about the hosts of its job. */
#include "error.h"
#include "question.h"
#include "task.h"

#include <stdio.h>
#include <stdlib.h>

/* One entry of HOSTS. */
static void take_host(struct unpack *answer, hn_host_info *info)
{
    info->tid = (hn_tid)control_tid(unpack_u32(answer), 0);
    snprintf(info->name, sizeof info->name, "%s", unpack_str(answer));
    snprintf(info->machine, sizeof info->machine, "%s", unpack_str(answer));
    info->big_endian = unpack_u8(answer) == 2;
    info->cores = (int)unpack_u32(answer);
    info->slots = (int)unpack_u32(answer);
    info->tasks = (int)unpack_u32(answer);
    info->speed = strtod(unpack_str(answer), NULL);
}

hn_tid hn_host_tid(hn_tid task)
{
    if (task < (hn_tid)control_tid(0, 0))
        return error_set(HN_EARG, "%d is not the name of a task", task);
    return (hn_tid)control_tid(control_host((uint32_t)task), 0);
}

int hn_hosts(hn_host_info **hosts, int *n)
{
    struct question q;
    hn_host_info *list;
    int result = question_begin(&q, CONTROL_HOSTS_ASK);

    if (result == HN_OK)
        result = question_ask(&q, CONTROL_HOSTS);
    if (result == HN_OK) {
        uint32_t count = unpack_u32(&q.answer);
        list = calloc((size_t)count + 1, sizeof *list);
        for (uint32_t i = 0; i < count && list; i++)
            take_host(&q.answer, &list[i]);
        *hosts = list;
        *n = (int)count;
        result = list ? HN_OK : error_set(HN_ENOMEM, "out of memory");
    }
    question_end(&q);
    return result;
}
