/* split.c - splits a group by colour and key.
 *
 * Every member contributes a context of its own to the allgather. The members of a new group use
 * that of its rank 0; the others keep theirs for the next split. So nothing has to be agreed on
 * afterwards. Cost: one allgather of 16 bytes a member, and O(n log n) for sorting.
 */
#include "wire/call.h"
#include "wire/group_state.h"

#include "runtime/internal.h"

#include <stdlib.h>

/* The arguments of a member; all fields are sent as 32-bit integers. */
struct wish {
    int32_t colour, key, rank, context;
};
enum { FIELDS = sizeof(struct wish) / sizeof(int32_t) };

static const char spare_key;  /* key of the context that a group's last split did not use, */
static const char parent_key; /* and of the context of the group that this one was split from */

/* Recorded so that a member that waits for one that will never know the group finds out. */
hn_context split_parent(const hn_group *group)
{
    const hn_context *parent = hn_group_kept(group, &parent_key);
    return parent ? *parent : 0;
}

/* Keeps the parent's second context with the new group (group_state.c). */
static int keep_parent(const hn_group *group, const hn_group *parent)
{
    hn_context *context = malloc(sizeof *context);
    if (!context)
        return error_set(HN_ENOMEM, "out of memory");
    *context = hn_group_context(parent) + 1;
    int error = hn_group_keep(group, &parent_key, context, free);
    if (error)
        free(context);
    return error;
}

/* The context that a split may use: the one left over by the last split of this group, or a new
 * one. It is kept with the parent group. */
static int own_context(const hn_group *parent, hn_context **context)
{
    *context = hn_group_kept(parent, &spare_key);
    if (*context)
        return **context ? HN_OK : hn_context_new(*context);
    *context = malloc(sizeof **context);
    if (!*context)
        return error_set(HN_ENOMEM, "out of memory");
    int error = hn_context_new(*context);
    if (!error)
        error = hn_group_keep(parent, &spare_key, *context, free);
    if (error)
        free(*context);
    return error;
}

/* Equal keys are ordered by their rank in the parent. */
static int by_key(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Moves the members of one colour to the front, in the order of their new ranks. */
static int choose(struct wish *wishes, int n, int colour)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (wishes[i].colour == colour)
            wishes[count++] = wishes[i];
    qsort(wishes, (size_t)count, sizeof *wishes, by_key);
    return count;
}

/* Makes the group. *group is NULL after an error. */
static int make(const hn_group *parent, const struct wish *wishes, int n, hn_group **group)
{
    hn_tid *tids = malloc((size_t)n * sizeof *tids);
    if (!tids)
        return error_set(HN_ENOMEM, "out of memory");
    for (int i = 0; i < n; i++)
        tids[i] = hn_group_tid(parent, wishes[i].rank);
    int error = hn_group_new(tids, n, (hn_context)wishes[0].context, group);
    free(tids);
    if (!error)
        error = keep_parent(*group, parent);
    if (error) {
        hn_group_free(*group);
        *group = NULL;
    }
    return error;
}

/* wishes: room for those of all members. */
static int split(const hn_group *parent, struct slot *slot, enum kind kind, struct wish mine,
                 struct wish *wishes, hn_group **group)
{
    int n = hn_group_size(parent), rank = hn_group_rank(parent, hn_mytid());
    hn_context *context;
    int error = own_context(parent, &context);
    if (error)
        return error;
    mine.rank = rank;
    mine.context = (int32_t)*context;
    wishes[rank] = mine;
    error = call_step(parent, slot, kind, OP_ALLGATHER, HN_IN_PLACE, wishes, FIELDS, HN_INT32);
    /* A negative colour: this member is in no new group, but has taken part. */
    if (error || mine.colour < 0)
        return error;
    int count = choose(wishes, n, mine.colour);
    /* This member's context is in use now, so the next split needs a new one. */
    if ((hn_context)wishes[0].context == *context)
        *context = 0;
    return make(parent, wishes, count, group);
}

/* A wrong argument of one member ends the call for all, by its slot. */
int split_as(const hn_group *parent, struct slot *slot, enum kind kind, int colour, int key,
             hn_group **group)
{
    int n = hn_group_size(parent), rank = hn_group_rank(parent, hn_mytid());
    int error = HN_OK;
    struct wish *wishes = NULL;
    if (group)
        *group = NULL;
    if (rank < 0)
        return rank;
    if (!group)
        error = error_set(HN_EARG, "split: no place for the group");
    else if (!(wishes = calloc((size_t)n, sizeof *wishes)))
        error = error_set(HN_ENOMEM, "out of memory");
    if (!error)
        error = split(parent, slot, kind, (struct wish){colour, key, 0, 0}, wishes, group);
    free(wishes);
    return call_close(parent, slot, kind, error); /* notifies members that wait */
}

int hn_group_split(const hn_group *parent, int colour, int key, hn_group **group)
{
    struct slot slot = {0};
    return split_as(parent, &slot, KIND_SPLIT, colour, key, group);
}
