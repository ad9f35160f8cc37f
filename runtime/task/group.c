/* group.c - the world group: the tasks that hrun started, by rank. */
#include "error.h"
#include "task.h"

const hn_group *hn_world(void)
{
    const struct task *t = task_get();

    return t ? &t->world : NULL;
}

int hn_group_size(const hn_group *group)
{
    return group ? group->size : error_set(HN_EARG, "no group");
}

int hn_group_rank(const hn_group *group, hn_tid tid)
{
    if (!group)
        return error_set(HN_EARG, "no group");
    for (int i = 0; i < group->size; i++)
        if (group->tid[i] == tid)
            return i;
    return error_set(HN_ENOTASK, "task %d is no member of the group", tid);
}

hn_tid hn_group_tid(const hn_group *group, int rank)
{
    if (!group || rank < 0 || rank >= group->size)
        return error_set(HN_EARG, "rank %d is not in the group", rank);
    return group->tid[rank];
}
