/* mpi_group.c - groups (mpi_group.h). A group is a list of tasks and a hash table from task to
 * rank, both made once. All calls are local. Combining two groups costs O(members), as each
 * member is looked up in the other group in O(1). */
#include "communicator/mpi_group.h"

#include "communicator/mpi_comm.h"

#include <stdlib.h>

/* ---- rank of a task ------------------------------------------------------------------------- */

/* The middle bits are taken: identifiers of tasks on one host differ in few bits. */
static int hash(const struct mpi_group *g, hn_tid tid)
{
    return (int)((uint32_t)tid * 2654435761u >> 8) & g->mask; /* Knuth's multiplicative hash */
}

/* The table has a power of two of slots, at least twice as many as members. So probes are short,
 * and always end at an empty slot. */
static bool index_tids(struct mpi_group *g)
{
    int room = 4;

    while (room < 2 * g->size)
        room *= 2;
    g->places = malloc((size_t)room * sizeof *g->places);
    if (!g->places)
        return false;
    g->mask = room - 1;
    for (int i = 0; i < room; i++)
        g->places[i] = -1;
    /* Linear probing; members are never removed. */
    for (int r = 0; r < g->size; r++) {
        /* The next free slot from there on. */
        int at = hash(g, g->tids[r]);
        while (g->places[at] >= 0)
            at = (at + 1) & g->mask;
        g->places[at] = r;
    }
    return true;
}

/* O(1) on average. MPI_UNDEFINED: the task is no member. The probe ends at an empty slot, which
 * exists because the table is at most half full. */
int group_rank_of(const struct mpi_group *g, hn_tid tid)
{
    for (int at = hash(g, tid); g->places[at] >= 0; at = (at + 1) & g->mask)
        if (g->tids[g->places[at]] == tid)
            return g->places[at];
    return MPI_UNDEFINED;
}

/* ---- construction --------------------------------------------------------------------------- */

/* Called when the last reference has been dropped. */
static void release(void *object)
{
    struct mpi_group *g = object;

    free(g->tids);
    free(g->places);
}

/* Makes a group and takes ownership of the list. */
static struct mpi_group *make(hn_tid *tids, int size)
{
    struct mpi_group *g = tids ? object_new(OBJECT_GROUP) : NULL;

    if (!g) {
        free(tids);
        return NULL;
    }
    g->tids = tids;
    g->size = size;
    if (!index_tids(g)) {
        object_drop(g);
        return NULL;
    }
    /* Once, so that MPI_Group_rank() reads a field. */
    g->rank = group_rank_of(g, hn_mytid());
    return g;
}

/* At least one element, so that NULL only means that memory is exhausted. */
static hn_tid *list_of(int n)
{
    return malloc((size_t)(n > 0 ? n : 1) * sizeof(hn_tid));
}

/* Copies the list. NULL: out of memory. */
struct mpi_group *group_new(const hn_tid *tids, int size)
{
    hn_tid *copy = list_of(size);

    if (copy && size > 0)
        memcpy(copy, tids, (size_t)size * sizeof *copy);
    return make(copy, size);
}

/* The caller frees the list. NULL: out of memory. */
hn_tid *group_join(const struct mpi_group *first, const struct mpi_group *second)
{
    hn_tid *tids = list_of(first->size + second->size);

    if (tids) {
        memcpy(tids, first->tids, (size_t)first->size * sizeof *tids);
        memcpy(tids + first->size, second->tids, (size_t)second->size * sizeof *tids);
    }
    return tids;
}

/* MPI_GROUP_EMPTY. */
static struct mpi_group *empty;

void group_setup(void)
{
    object_when_freed(OBJECT_GROUP, release);
    empty = group_new(NULL, 0);
    /* No memory at start is fatal: nothing else would work either. */
    empty->object.named = true;
    handle_bind(empty, MPI_GROUP_EMPTY);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Groups have no error handler of their own. */
static int no_group(MPI_Group handle, const char *call)
{
    if (handle == MPI_GROUP_NULL)
        return error_on(NULL, MPI_ERR_GROUP, call, "the group is MPI_GROUP_NULL");
    /* The handle is shown as a number, since it names nothing. */
    return error_on(NULL, MPI_ERR_GROUP, call, "%p is not a group, or it has been freed",
                    handle_shown(handle));
}

/* Makes a group of this list, which it takes, and stores its handle. Every empty result is
 * MPI_GROUP_EMPTY (MPI 4.1, 7.3.2). `tids` NULL: out of memory. */
static int give(hn_tid *tids, int size, MPI_Group *result, const char *call)
{
    struct mpi_group *g;

    if (tids && size == 0) {
        free(tids);
        *result = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    /* make() frees the list if it fails. */
    g = make(tids, size);
    if (!g)
        return error_on(NULL, MPI_ERR_NO_MEM, call, "no memory for a group of %d", size);
    *result = g->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.3.1. */
MPI_DEFINE(int, Group_size, (MPI_Group group, int *size))
{
    struct mpi_group *g = group_of(group);

    if (!g)
        return no_group(group, MPI_CALL);
    if (!size)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no result");
    *size = g->size;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.3.1. MPI_UNDEFINED: the caller is no member. */
MPI_DEFINE(int, Group_rank, (MPI_Group group, int *rank))
{
    struct mpi_group *g = group_of(group);

    if (!g)
        return no_group(group, MPI_CALL);
    if (!rank)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no result");
    *rank = g->rank;
    return MPI_SUCCESS;
}

/* MPI_UNDEFINED for tasks that are not in the second group; MPI_PROC_NULL stays. */
MPI_DEFINE(int, Group_translate_ranks,
           (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]))
{
    struct mpi_group *a = group_of(group1), *b = group_of(group2);

    if (!a || !b)
        return no_group(a ? group2 : group1, MPI_CALL);
    if (n < 0 || (n > 0 && (!ranks1 || !ranks2)))
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no lists of %d ranks", n);
    /* ranks2 may be ranks1: each entry is read before it is written. */
    for (int i = 0; i < n; i++) {
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= a->size))
            return error_on(NULL, MPI_ERR_RANK, MPI_CALL, "rank %d is not in a group of %d",
                            ranks1[i], a->size);
        ranks2[i] =
            ranks1[i] == MPI_PROC_NULL ? MPI_PROC_NULL : group_rank_of(b, a->tids[ranks1[i]]);
    }
    return MPI_SUCCESS;
}

/* Members of a group are different, so equal sizes and one direction of inclusion suffice. */
int group_compare(const struct mpi_group *a, const struct mpi_group *b)
{
    int result = a->size == b->size ? MPI_IDENT : MPI_UNEQUAL;

    for (int i = 0; i < a->size && result != MPI_UNEQUAL; i++) {
        /* The loop runs over a; b has no further members, as the sizes are equal. */
        int rank = group_rank_of(b, a->tids[i]);
        if (rank == MPI_UNDEFINED)
            result = MPI_UNEQUAL;
        else if (rank != i)
            result = MPI_SIMILAR;
    }
    return result;
}

/* MPI 4.1, 7.3.1. MPI_SIMILAR: the same members in another order. */
MPI_DEFINE(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result))
{
    struct mpi_group *a = group_of(group1), *b = group_of(group2);

    if (!a || !b)
        return no_group(a ? group2 : group1, MPI_CALL);
    if (!result)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no result");
    *result = group_compare(a, b);
    return MPI_SUCCESS;
}

/* Combines two groups: members of a that are (`in`) or are not in b, or all of them, followed with
 * `more` by members of b that are not in a. The order is that of MPI 4.1, 7.3.2: members of the
 * first group in their order, then those of the second in theirs. */
static int combine(MPI_Group group1, MPI_Group group2, bool in, bool more, bool all,
                   MPI_Group *result, const char *call)
{
    struct mpi_group *a = group_of(group1), *b = group_of(group2);
    hn_tid *tids;
    int n = 0;

    if (!a || !b)
        return no_group(a ? group2 : group1, call);
    if (!result)
        return error_on(NULL, MPI_ERR_ARG, call, "no result");
    tids = list_of(a->size + b->size);
    /* Room for both groups, whatever the result is. */
    for (int i = 0; tids && i < a->size; i++)
        if (all || (group_rank_of(b, a->tids[i]) != MPI_UNDEFINED) == in)
            tids[n++] = a->tids[i];
    for (int i = 0; tids && more && i < b->size; i++)
        if (group_rank_of(a, b->tids[i]) == MPI_UNDEFINED)
            tids[n++] = b->tids[i];
    return give(tids, n, result, call);
}

/* MPI 4.1, 7.3.2, for this and the following ones. Members of the first group come first. */
MPI_DEFINE(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, false, true, true, newgroup, MPI_CALL);
}

/* In the order of the first group. */
MPI_DEFINE(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, true, false, false, newgroup, MPI_CALL);
}

/* In the order of the first group. */
MPI_DEFINE(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup))
{
    return combine(group1, group2, false, false, false, newgroup, MPI_CALL);
}

/* The ranks of a group that a list selects, in the order of the list. */
struct choice {
    struct mpi_group *g;
    char *marked; /* by rank */
    int *ranks;   /* in the order of the list */
    int n;
};

/* rank is a long, because a range may run beyond int. A rank twice is an error by MPI 4.1,
 * 7.3.2. */
static int choice_mark(struct choice *c, long rank, const char *call)
{
    if (rank < 0 || rank >= c->g->size)
        return error_on(NULL, MPI_ERR_RANK, call, "rank %ld is not in a group of %d", rank,
                        c->g->size);
    if (c->marked[rank]++)
        return error_on(NULL, MPI_ERR_RANK, call, "rank %ld is in the list twice", rank);
    /* No overflow: each rank is accepted once. */
    c->ranks[c->n++] = (int)rank;
    return MPI_SUCCESS;
}

/* The last rank is included only if the step reaches it. Steps may be negative. */
static int mark_range(struct choice *c, const int range[3], const char *call)
{
    long first = range[0], last = range[1], step = range[2];
    int error = MPI_SUCCESS;

    if (step == 0)
        return error_on(NULL, MPI_ERR_ARG, call, "a range has the step 0");
    /* The loop ends early at the first rank outside the group. */
    for (long r = first; (step > 0 ? r <= last : r >= last) && error == MPI_SUCCESS; r += step)
        error = choice_mark(c, r, call);
    return error;
}

/* Makes a group of the chosen ranks, in the order of the list, or of all others. */
static int choice_give(const struct choice *c, bool chosen, MPI_Group *result, const char *call)
{
    hn_tid *tids = list_of(c->g->size);
    int n = 0;

    for (int i = 0; tids && chosen && i < c->n; i++)
        tids[n++] = c->g->tids[c->ranks[i]];
    /* Those that are left out keep their order in the group. */
    for (int r = 0; tids && !chosen && r < c->g->size; r++)
        if (!c->marked[r])
            tids[n++] = c->g->tids[r];
    return give(tids, n, result, call);
}

/* The list has n ranks, or n ranges of three numbers. */
static int choose(MPI_Group group, int n, const int *list, bool ranges, bool chosen,
                  MPI_Group *result, const char *call)
{
    struct choice c = {.g = group_of(group)};
    int error = MPI_SUCCESS;

    if (!c.g)
        return no_group(group, call);
    if (!result || n < 0 || (n > 0 && !list))
        return error_on(NULL, MPI_ERR_ARG, call, "no list of %d ranks, or no result", n);
    /* O(size of the group), even for a short list. */
    c.marked = calloc((size_t)c.g->size + 1, 1);
    c.ranks = malloc(((size_t)c.g->size + 1) * sizeof *c.ranks);
    if (!c.marked || !c.ranks)
        error = error_on(NULL, MPI_ERR_NO_MEM, call, "out of memory");
    /* A range counts as one entry of the list, and adds several ranks. */
    for (int i = 0; i < n && error == MPI_SUCCESS; i++)
        error = ranges ? mark_range(&c, list + 3 * i, call) : choice_mark(&c, list[i], call);
    if (error == MPI_SUCCESS)
        error = choice_give(&c, chosen, result, call);
    free(c.marked);
    free(c.ranks);
    return error;
}

/* In the order of the list. MPI 4.1, 7.3.2, for all four. */
MPI_DEFINE(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
{
    return choose(group, n, ranks, false, true, newgroup, MPI_CALL);
}

/* In the order of the group. */
MPI_DEFINE(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup))
{
    return choose(group, n, ranks, false, false, newgroup, MPI_CALL);
}

/* Ranges are first, last and stride; in their order. */
MPI_DEFINE(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
{
    return choose(group, n, (const int *)ranges, true, true, newgroup, MPI_CALL);
}

/* In the order of the group. */
MPI_DEFINE(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup))
{
    return choose(group, n, (const int *)ranges, true, false, newgroup, MPI_CALL);
}

/* MPI_GROUP_EMPTY may be freed, without effect on the object. */
MPI_DEFINE(int, Group_free, (MPI_Group * group))
{
    struct mpi_group *g = group ? group_of(*group) : NULL;

    if (!g)
        return no_group(group ? *group : MPI_GROUP_NULL, MPI_CALL);
    object_retire(g);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
