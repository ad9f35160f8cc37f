/* mpi_comm_new.c - makes communicators from others: duplicates, splits, groups (mpi_comm.h).
 *
 * MPI 4.1, 7.4.2. Every new communicator needs contexts that are equal in all members: one member
 * obtains them and broadcasts them with a result code, so that all members fail alike. Costs:
 * duplicate one broadcast, split one allgather and one broadcast, between groups also an exchange
 * of the two ranks 0.
 *
 * All functions here are collective on the old communicator, except comm_new_contexts() and
 * comm_make_alone(). A member that runs out of memory between two collective steps fails alone;
 * the others find out when they next use the result.
 */
#include "object/mpi_attribute.h"
#include "communicator/mpi_comm.h"
#include "object/mpi_info.h"
#include "message/mpi_request.h"
#include "communicator/mpi_topology.h"

#include <stdlib.h>
#include <string.h>

/* The only hardware resource of MPI_Comm_split_type(), and its info key: shared memory of a
 * host. */
#define RESOURCE_TYPE "mpi_hw_resource_type"
#define SHARED_MEMORY "mpi_shared_memory"

/* Two numbers, which no other communicator of the job has. */
int comm_new_contexts(struct comm_contexts *contexts)
{
    int result = hn_context_new(&contexts->group);

    return result == HN_OK ? hn_context_new(&contexts->inner) : result;
}

/* ---- contexts ------------------------------------------------------------------------------- */

/* Messages with contexts have a result code, and a pair of contexts for each communicator. The code
 * is negated, since errors of hnow are negative; 0 is success. */
static void make_words(uint32_t *words, size_t sets)
{
    int result = HN_OK;

    /* Words after an error are undefined; nothing reads them. */
    for (size_t i = 1; i <= 2 * sets && result == HN_OK; i++)
        result = hn_context_new(&words[i]);
    words[0] = (uint32_t)-result;
}

/* The first word is the error; pairs follow. */
static struct comm_contexts word_pair(const uint32_t *words, size_t i)
{
    return (struct comm_contexts){words[1 + 2 * i], words[2 + 2 * i]};
}

/* Rank 0 of the local side broadcasts its words. Between groups each rank 0 broadcasts to its own
 * side only. */
static int spread(const struct mpi_comm *c, uint32_t *words, size_t sets)
{
    const hn_group *side = c->local ? c->local->hn : c->hn;
    int result = hn_bcast(words, 1 + 2 * sets, HN_UINT32, 0, side);

    /* Either error ends the call: that of the broadcast, or the one in the message. */
    return result == HN_OK ? -(int)words[0] : result;
}

/* Collective, over both sides of an intercommunicator. */
int comm_agree(struct mpi_comm *c, struct comm_contexts *contexts)
{
    uint32_t words[3];
    int result = HN_OK;

    /* One member of all makes the contexts: rank 0 of the first side. */
    if (c->rank == 0 && (!c->remote || c->is_first))
        make_words(words, 1);
    if (c->rank == 0 && c->remote) /* the first side sends them to the other one */
        result = c->is_first ? comm_send_inner(c, 0, COMM_TAG_AGREE, words, 3, HN_UINT32)
                             : comm_recv_inner(c, 0, COMM_TAG_AGREE, words, 3, HN_UINT32);
    /* A failed exchange must reach the members as well, or they would use undefined words. */
    if (result != HN_OK)
        words[0] = (uint32_t)-result;
    result = spread(c, words, 1);
    /* Undefined after an error, and not used then. */
    *contexts = word_pair(words, 0);
    return result;
}

/* The local side of an intercommunicator is copied first, recursively; every member takes the same
 * branch, so the collective calls match. */
int comm_copy(struct mpi_comm *c, struct mpi_comm **made)
{
    struct comm_contexts contexts;
    struct mpi_comm *local;
    int result;

    *made = NULL;
    if (c->remote && (result = comm_copy(c->local, &local)) != HN_OK)
        return result;
    /* Collective: both sides of an intercommunicator take part. */
    result = comm_agree(c, &contexts);
    if (result != HN_OK) {
        if (c->remote)
            object_drop(local);
        return result;
    }
    if (!c->remote) {
        object_hold(c->group);
        return comm_make(c->group, &contexts, c, made);
    }
    /* comm_make_inter() takes both references, also on failure. */
    object_hold(c->remote);
    return comm_make_inter(local, c->remote, c->is_first, &contexts, c, made);
}

/* ---- splits --------------------------------------------------------------------------------- */

/* A member's arguments to a split. Three ints without padding: it is sent as such (HN_INT).
 * Negative colours are MPI_UNDEFINED. */
struct choice {
    int colour, key, rank;
};

/* Members with no colour come first. The rank makes the order total, as MPI 4.1, 7.4.2 demands for
 * equal keys. */
static int by_colour(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

/* Gathers and sorts the choices of all members of one side; the caller frees the list. The list is
 * set also on failure. */
static int gather_choices(struct mpi_comm *local, int colour, int key, struct choice **list)
{
    struct choice own = {colour, key, local->rank};
    int result;

    *list = malloc((size_t)local->size * sizeof **list);
    /* 3 ints a member. O(n) memory, for the time of the call. */
    result = hn_allgather(&own, 3, *list, HN_INT, local->hn);
    if (result == HN_OK)
        /* Every member sorts for itself: sending sorted lists would cost more. */
        qsort(*list, (size_t)local->size, sizeof **list, by_colour);
    return result;
}

/* Counts the different colours >= 0; *place is the index of one of them. All members compute the
 * same numbers from the same sorted list, so one broadcast serves all new communicators. */
static size_t count_colours(const struct choice *list, int n, int colour, size_t *place)
{
    size_t colours = 0;

    *place = 0;
    /* Equal colours are neighbours in the sorted list, so each is counted at its first entry. */
    for (int i = 0; i < n; i++)
        if (list[i].colour >= 0 && (i == 0 || list[i].colour != list[i - 1].colour)) {
            if (list[i].colour == colour)
                *place = colours;
            colours++;
        }
    return colours;
}

/* Makes the group of the members with a colour. */
static struct mpi_group *group_of_colour(const struct mpi_group *of, const struct choice *list,
                                         int colour)
{
    hn_tid *tids = malloc((size_t)(of->size + 1) * sizeof *tids);
    struct mpi_group *g;
    int n = 0;

    /* The list is sorted, so these are in the order of key and rank. */
    for (int i = 0; tids && i < of->size; i++)
        if (list[i].colour == colour)
            tids[n++] = of->tids[list[i].rank];
    g = tids ? group_new(tids, n) : NULL;
    free(tids);
    return g;
}

/* Collective. A negative colour: the caller gets no communicator. */
int comm_split(struct mpi_comm *c, int colour, int key, struct mpi_comm **made)
{
    struct choice *list;
    uint32_t *words = NULL;
    size_t place, colours;
    int result = gather_choices(c, colour, key, &list);

    *made = NULL;
    if (result == HN_OK) {
        colours = count_colours(list, c->size, colour, &place);
        /* Rank 0 makes contexts for all colours, because the groups cannot talk to each other
         * before they have contexts. */
        words = malloc((1 + 2 * colours) * sizeof *words);
        if (words && c->rank == 0)
            make_words(words, colours);
        result = words ? spread(c, words, colours) : HN_ENOMEM;
    }
    /* `place` counts colours in ascending order, like the pairs of contexts. */
    if (result == HN_OK && colour >= 0) {
        struct comm_contexts contexts = word_pair(words, place);
        result = comm_make(group_of_colour(c->group, list, colour), &contexts, c, made);
    }
    free(words);
    free(list);
    return result;
}

/* Exchanges choices with the other side: both ranks 0 exchange them, and each broadcasts to its
 * side. If the exchange fails, rank 0 broadcasts the error code in the place of a rank. */
static int exchange_choices(struct mpi_comm *c, const struct choice *own, struct choice *other)
{
    int result = HN_OK;

    if (c->rank == 0) {
        /* Both send first: sends of hnow do not wait for the receiver. */
        result = comm_send_inner(c, 0, COMM_TAG_AGREE, own, 3 * (size_t)c->size, HN_INT);
        if (result == HN_OK)
            result =
                comm_recv_inner(c, 0, COMM_TAG_AGREE, other, 3 * (size_t)c->remote->size, HN_INT);
        if (result != HN_OK)
            other[0].rank = result;
    }
    result = hn_bcast(other, 3 * (size_t)c->remote->size, HN_INT, 0, c->local->hn);
    return result == HN_OK && other[0].rank < 0 ? other[0].rank : result;
}

/* Makes contexts of several intercommunicators: one comm_agree() for each colour that occurs on
 * both sides. Both lists are sorted by colour, so one pass over both finds the common colours in
 * the same order on both sides. `local` passes to the new communicator; it is dropped if this
 * member's colour is missing on the other side. */
static int split_inter(struct mpi_comm *c, int colour, int key, struct mpi_comm **made)
{
    struct choice *own = NULL, *other = malloc((size_t)c->remote->size * sizeof *other);
    struct mpi_comm *local = NULL;
    int result = other ? gather_choices(c->local, colour, key, &own) : HN_ENOMEM;

    *made = NULL;
    if (result == HN_OK)
        result = exchange_choices(c, own, other);
    if (result == HN_OK)
        /* Collective on this side. The other side splits itself at the same time. */
        result = comm_split(c->local, colour, key, &local);
    for (int i = 0, j = 0; result == HN_OK && i < c->size; i++) {
        struct comm_contexts contexts;
        /* MPI_UNDEFINED, or a colour that has been treated. */
        if (own[i].colour < 0 || (i > 0 && own[i].colour == own[i - 1].colour))
            continue;
        while (j < c->remote->size && other[j].colour < own[i].colour)
            j++;
        if (j == c->remote->size || other[j].colour != own[i].colour)
            continue;
        /* All members agree for each common colour, also those of other colours. */
        result = comm_agree(c, &contexts);
        if (result == HN_OK && own[i].colour == colour) {
            result = comm_make_inter(local, group_of_colour(c->remote, other, colour), c->is_first,
                                     &contexts, c, made);
            local = NULL;
        }
    }
    /* Colours that occur on one side only make no communicator: MPI 4.1, 7.4.2 returns
     * MPI_COMM_NULL. */
    if (local)
        object_drop(local);
    free(own);
    free(other);
    return result;
}

/* All members take the same branch. */
static int split(struct mpi_comm *c, int colour, int key, struct mpi_comm **made)
{
    return c->remote ? split_inter(c, colour, key, made) : comm_split(c, colour, key, made);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* MPI_COMM_NULL for members of no new communicator. */
static int give(struct mpi_comm *c, int result, struct mpi_comm *const *made, MPI_Comm *newcomm,
                const char *call)
{
    /* The error of any step, with hnow's text. */
    if (result != HN_OK)
        return error_hn(c, result, call);
    *newcomm = *made ? (*made)->object.handle : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* Copies topology and attributes to a duplicate, which is freed after an error.  Hints are not
 * copied (MPI 4): it has those of `info`. MPI 4.1, 7.7.2: a copy function that fails makes the
 * duplication fail. The topology is shared, as it never changes. */
static int copy_belongings(struct mpi_comm *c, struct mpi_comm *made, const struct mpi_info *info,
                           const char *call)
{
    int error = MPI_ERR_NO_MEM;

    made->topology = topology_share(c->topology);
    if (info_take(&made->info, info, COMM_HINTS))
        error = attribute_copy_all(c->object.handle, c->attributes, &made->attributes);
    if (error == MPI_SUCCESS)
        return MPI_SUCCESS;
    /* Delete functions must run for those that were copied before the failure. */
    attribute_delete_all(made->object.handle, &made->attributes);
    object_drop(made);
    return error_on(c, error, call, "an attribute's copy function has failed");
}

/* Attributes are copied after the contexts are agreed: a copy function that fails in one member
 * only must not leave the others waiting. */
static int duplicate(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, const char *call)
{
    int result, error;
    struct mpi_comm *c = comm_given(comm, newcomm, call, &error), *made;
    struct mpi_info *i = info_of(info);

    if (c)
        error = info_check(c, info, call);
    if (!c || error != MPI_SUCCESS)
        return error;
    /* The result after an error of an attribute's copy function. */
    *newcomm = MPI_COMM_NULL;
    /* The only collective step. What follows is local. */
    result = comm_copy(c, &made);
    if (result != HN_OK)
        return error_hn(c, result, call);
    error = copy_belongings(c, made, i, call);
    if (error == MPI_SUCCESS)
        *newcomm = made->object.handle;
    return error;
}

/* MPI 4.1, 7.4.2. Attributes and topology are copied, hints are not. */
MPI_DEFINE(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm))
{
    return duplicate(comm, MPI_INFO_NULL, newcomm, MPI_CALL);
}

/* MPI 4.1, 7.4.2. As MPI_Comm_dup(), with the hints of `info`. */
MPI_DEFINE(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm))
{
    return duplicate(comm, info, newcomm, MPI_CALL);
}

/* MPI 4.1, 7.4.2. Ranks follow the key, and the old rank where keys are equal. */
MPI_DEFINE(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm))
{
    int error;
    struct mpi_comm *c = comm_given(comm, newcomm, MPI_CALL, &error), *made = NULL;

    if (!c)
        return error;
    /* Checked locally, before the first collective step. */
    if (color < 0 && color != MPI_UNDEFINED)
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "the color %d is negative", color);
    return give(c, split(c, color == MPI_UNDEFINED ? -1 : color, key, &made), &made, newcomm,
                MPI_CALL);
}

/* True if all members of a group run on this task's host. Hosts are compared by the identifier of
 * their agent. */
static bool is_here(const struct mpi_group *g)
{
    hn_tid here = hn_host_tid(hn_mytid());

    for (int r = 0; r < g->size; r++)
        if (hn_host_tid(g->tids[r]) != here)
            return false;
    return true;
}

/* Returns the colour for the resource or process set of an info object; -1: unknown. Process sets:
 * the first member's identifier is the same in all members. */
static int colour_of_name(const char *resource, const char *pset)
{
    if (resource && !pset && strcmp(resource, SHARED_MEMORY) == 0)
        return hn_host_tid(hn_mytid());
    /* A resource that is unknown gives no colour, even if a process set is named, too. */
    const struct mpi_group *g = resource ? NULL : comm_pset(pset);
    return g ? g->tids[0] : -1;
}

/* Stores a colour: a task identifier, which is known on both sides of an intercommunicator.
 * Returns false if the type is invalid. */
static bool colour_of_type(const struct mpi_comm *c, int type, struct mpi_info *info, int *colour)
{
    *colour = -1;
    switch (type) {
    case MPI_UNDEFINED:
        return true;
    /* Members of both sides of an intercommunicator use identifiers of agents as colours. */
    case MPI_COMM_TYPE_SHARED:
        *colour = hn_host_tid(hn_mytid());
        return true;
    case MPI_COMM_TYPE_HW_UNGUIDED: /* must be a proper subset */
        if (!is_here(c->group) || (c->remote && !is_here(c->remote)))
            *colour = hn_host_tid(hn_mytid());
        return true;
    case MPI_COMM_TYPE_HW_GUIDED:
        *colour = colour_of_name(info_value(info, RESOURCE_TYPE), NULL);
        return true;
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
        *colour =
            colour_of_name(info_value(info, RESOURCE_TYPE), info_value(info, "mpi_pset_name"));
        return true;
    default:
        return false;
    }
}

/* The resource that was used is written into the program's info object, as MPI 4.1, 7.4.2 defines
 * for MPI_COMM_TYPE_HW_UNGUIDED. */
MPI_DEFINE(int, Comm_split_type,
           (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm))
{
    int colour, error;
    struct mpi_comm *c = comm_given(comm, newcomm, MPI_CALL, &error), *made = NULL;
    struct mpi_info *i = info_of(info);

    if (c)
        error = info_check(c, info, MPI_CALL);
    if (!c || error != MPI_SUCCESS)
        return error;
    if (!colour_of_type(c, split_type, i, &colour))
        return error_on(c, MPI_ERR_ARG, MPI_CALL, "%d is not a split type", split_type);
    int result = split(c, colour, key, &made);
    if (made && i && split_type == MPI_COMM_TYPE_HW_UNGUIDED)
        PMPI_Info_set(info, RESOURCE_TYPE, SHARED_MEMORY);
    /* Too late to fail for the others: each has its own communicator by now. */
    if (made && !info_take(&made->info, i, COMM_HINTS))
        result = HN_ENOMEM;
    return give(c, result, &made, newcomm, MPI_CALL);
}

/* Checks that all members of a group are members of c. O(n): ranks are found by hashing. */
static bool is_part(const struct mpi_comm *c, const struct mpi_group *g)
{
    for (int i = 0; i < g->size; i++)
        /* Between groups, the program passes members of its own side. */
        if (group_rank_of(c->group, g->tids[i]) == MPI_UNDEFINED)
            return false;
    return true;
}

/* g NULL: the handle is invalid. */
static int no_part(struct mpi_comm *c, const struct mpi_group *g, const char *call)
{
    return error_on(c, MPI_ERR_GROUP, call,
                    g ? "the group has members that %s has not" : "%s: the group is not valid",
                    c->name);
}

/* All members of comm call it, also those that are in no group. The rank in the group is the key of
 * a split. */
MPI_DEFINE(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm))
{
    int colour = -1, error;
    struct mpi_comm *c = comm_given(comm, newcomm, MPI_CALL, &error), *made = NULL;
    struct mpi_group *g = group_of(group);

    if (!c)
        return error;
    if (!g || !is_part(c, g))
        return no_part(c, g, MPI_CALL);
    if (g->rank != MPI_UNDEFINED) /* disjoint groups differ in their first members */
        colour = c->remote ? 0 : group_rank_of(c->group, g->tids[0]);
    /* Between groups, each side's members of `group` form one side of the result. */
    return give(c, split(c, colour, g->rank, &made), &made, newcomm, MPI_CALL);
}

/* The first member's message to the others: two contexts, then the characters of `name`. */
enum { NAME_MOST = 1024, OFFER_WORDS = 2 + NAME_MOST };

/* The name is sent along, so that two different sets of calls that use the same tag are detected.
 * Returns the number of words. */
static size_t offer(uint32_t *words, const struct comm_contexts *contexts, const char *name)
{
    size_t length = strnlen(name, NAME_MOST);

    words[0] = contexts->group;
    words[1] = contexts->inner;
    /* One character a word, so that the message has a single type. */
    for (size_t i = 0; i < length; i++)
        words[2 + i] = (unsigned char)name[i];
    return 2 + length;
}

/* Obtains contexts for the members of g from the first one. The first member sends to each other
 * one directly: no group exists yet that a broadcast could use. O(size) for it, O(1) for the
 * others. */
static int offered(struct mpi_group *g, int tag, const char *name, struct comm_contexts *contexts)
{
    uint32_t words[OFFER_WORDS], expected[OFFER_WORDS];
    size_t n;
    hn_info info;
    int result = g->rank == 0 ? comm_new_contexts(contexts) : HN_OK;

    if (g->rank == 0) {
        n = offer(words, contexts, name);
        for (int i = 1; i < g->size && result == HN_OK; i++)
            result = hn_send(g->tids[i], tag, words, n, HN_UINT32);
        return result;
    }
    /* Runs in the caller's context, which comm_make_alone() has set. */
    result = hn_recv(g->tids[0], tag, words, OFFER_WORDS, HN_UINT32, &info);
    if (result != HN_OK)
        return result;
    *contexts = (struct comm_contexts){words[0], words[1]};
    /* The words contain the name, so a call for another group is detected. */
    n = offer(expected, contexts, name);
    return info.count == n && memcmp(words, expected, n * sizeof *words) == 0 ? HN_OK : HN_EARG;
}

/* Blocks until the first member has sent the contexts. */
int comm_make_alone(struct mpi_group *g, hn_context context, int tag, const char *name,
                    const struct mpi_comm *like, struct mpi_comm **made)
{
    struct comm_contexts contexts = {0};
    int result = IN_CONTEXT(context, offered(g, tag, name, &contexts));

    if (result != HN_OK)
        return result;
    /* comm_make() takes a reference, and g stays the caller's. */
    object_hold(g);
    return comm_make(g, &contexts, like, made);
}

/* Only the members of the group call it (MPI 4.1, 7.4.2). The program's tag keeps concurrent calls
 * apart, in a context of its own. */
MPI_DEFINE(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm))
{
    int error;
    struct mpi_comm *c = comm_given(comm, newcomm, MPI_CALL, &error), *made = NULL;
    struct mpi_group *g = group_of(group);

    if (!c)
        return error;
    if (!g || !is_part(c, g))
        return no_part(c, g, MPI_CALL);
    /* inner + 1 is used for messages within one group only. */
    if (c->remote)
        return error_on(c, MPI_ERR_COMM, MPI_CALL, "an intercommunicator");
    if (tag < 0)
        return error_on(c, MPI_ERR_TAG, MPI_CALL, "the tag %d is negative", tag);
    /* A caller outside the group takes no part. */
    if (g->rank == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    return give(c, comm_make_alone(g, c->inner + 1, tag, "", c, &made), &made, newcomm, MPI_CALL);
}

/* ---- nonblocking duplicates ----------------------------------------------------------------- */

/* Pairs of contexts: the communicator's own, and those of an intercommunicator's two sides. */
enum { IDUP_SETS = 3 };

/* A duplicate in progress.  Its contexts arrive in a broadcast or, between two groups, in a message
 * from rank 0 of the first group to each member.  So no member waits for another before it can
 * begin. Owned by the request. `made` is owned by the program's handle. */
struct idup {
    struct mpi_comm *made;
    /* Received into while the request is in progress, so the struct must not move. */
    uint32_t words[1 + 2 * IDUP_SETS];
};

/* On an error `made` stays without contexts; the program sees the error in its wait. */
static void idup_end(struct mpi_request *r, int result, const hn_info *info)
{
    struct idup *d = r->arg;
    struct comm_contexts contexts = word_pair(d->words, 0);
    /* Pair 0 is that of the whole, 1 of the first side, 2 of the second. */
    struct comm_contexts local = word_pair(d->words, d->made->is_first ? 1 : 2);

    (void)info;
    if (result == HN_OK)
        result = -(int)d->words[0];
    if (result == HN_OK)
        result = comm_complete(d->made, &contexts);
    if (result == HN_OK && d->made->remote)
        result = comm_complete(d->made->local, &local);
    r->outcome.error = error_class_hn(result);
}

/* Only the struct: `made` belongs to its handle. */
static void idup_free(struct mpi_request *r)
{
    free(r->arg);
}

static const struct request_way idup_way = {.next = idup_end, .release = idup_free};

/* To all members, the caller included if it is one. O(size of the group) for the sender. Members
 * that have called already are waiting for it. */
static int send_words(const struct mpi_group *g, int tag, const struct idup *d)
{
    int result = HN_OK;

    for (int i = 0; i < g->size && result == HN_OK; i++)
        result = hn_send(g->tids[i], tag, d->words, 1 + 2 * IDUP_SETS, HN_UINT32);
    return result;
}

/* Intercommunicators number their duplicates with a tag, because several may be in progress. The
 * words for both local sides travel along, so the sides need no broadcast of their own. */
static int start_idup(struct mpi_comm *c, struct idup *d, hn_request **hn)
{
    if (c->rank == 0)
        make_words(d->words, c->remote ? IDUP_SETS : 1);
    /* hn_ibcast() takes its place among the collective operations of c now, in the call. */
    if (!c->remote)
        return hn_ibcast(d->words, 3, HN_UINT32, 0, c->hn, hn);

    hn_context before = hn_set_context(c->inner);
    /* Equal on both sides, since both make the same calls in the same order. */
    int tag = COMM_TAG_DUPLICATE + c->duplicates++, result = HN_OK;
    if (c->rank == 0 && c->is_first) {
        result = send_words(c->remote, tag, d);
        if (result == HN_OK)
            result = send_words(c->group, tag, d); /* also to itself, so that all members receive in
                                                      the same way */
    }
    if (result == HN_OK)
        result = hn_irecv((c->is_first ? c->group : c->remote)->tids[0], tag, d->words,
                          1 + 2 * IDUP_SETS, HN_UINT32, hn);
    hn_set_context(before);
    return result;
}

/* Attributes are copied in the call, not at completion: the program may change them in between. */
static int idup(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request,
                const char *call)
{
    int error, result;
    struct mpi_comm *c = comm_given(comm, request ? newcomm : NULL, call, &error), *made;
    struct mpi_info *i = info_of(info);
    struct mpi_request *r;

    if (c)
        error = info_check(c, info, call);
    if (!c || error != MPI_SUCCESS)
        return error;
    /* The new handle is valid at once, but its contexts are still missing. */
    made = comm_incomplete(c);
    error = made ? copy_belongings(c, made, i, call)
                 : error_on(c, MPI_ERR_NO_MEM, call, "out of memory");
    if (error != MPI_SUCCESS)
        return error;
    r = request_begin(c, &idup_way);
    result = r && (r->arg = calloc(1, sizeof(struct idup))) ? HN_OK : HN_ENOMEM;
    if (result == HN_OK) {
        ((struct idup *)r->arg)->made = made;
        result = start_idup(c, r->arg, &r->hn);
    }
    if (result != HN_OK) {
        attribute_delete_all(made->object.handle, &made->attributes);
        object_drop(made);
        if (r)
            object_drop(r);
        return error_hn(c, result, call);
    }
    /* Both handles are stored only when nothing can fail any more. */
    *request = r->object.handle;
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.4.2. The new communicator must not be used before the request is complete. */
MPI_DEFINE(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
{
    return idup(comm, MPI_INFO_NULL, newcomm, request, MPI_CALL);
}

/* MPI 4.1, 7.4.2. */
MPI_DEFINE(int, Comm_idup_with_info,
           (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request))
{
    return idup(comm, info, newcomm, request, MPI_CALL);
}
