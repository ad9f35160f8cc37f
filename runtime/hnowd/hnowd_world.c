/* hnowd_world.c - the world groups of the tasks of a host, and their members that have ended.
 *
 * A task gets its world in WELCOME, and notifications of ends after it has enrolled.  Earlier ends
 * in its world are stored here, as long as a task of that world runs here and has not enrolled.
 *
 * A world has a reference for each such task, and one of the agent until the next WORLD.
 */
#include "hnowd/hnowd.h"

#include "base/bytes.h"

#include <stdlib.h>

/* Shared by the tasks of one SPAWN and freed with the last reference.  The lists are kept packed,
 * as they are only forwarded. */
struct hnowd_world {
    struct list_node node;     /* in hnowd.worlds */
    uint32_t here, at, before; /* members on this host; those among the first `at` ones */
    unsigned holders; /* references: tasks that have not enrolled, and the agent, for tasks that it
                         starts next */
    uint32_t size;
    struct pack tids; /* the list in WELCOME, packed */
    struct pack gone; /* ENDED frames */
};

/* Idempotent, because *held becomes NULL. */
void hnowd_world_let_go(struct hnowd_world **held)
{
    struct hnowd_world *world = *held;
    *held = NULL;
    if (!world || --world->holders > 0)
        return;
    list_remove(&world->node);
    pack_free(&world->tids);
    pack_free(&world->gone);
    free(world);
}

/* The caller gets a reference, which it gives back by hnowd_world_let_go(). NULL if there is none.
 */
struct hnowd_world *hnowd_world_hold(struct hnowd *agent)
{
    if (agent->tasks.world)
        agent->tasks.world->holders++;
    return agent->tasks.world;
}

/* Replaces the world for the tasks that are started next.  Without memory they have no world. */
void hnowd_world(struct hnowd *agent, struct unpack *in)
{
    struct unpack ahead = *in;
    struct hnowd_world *world = calloc(1, sizeof *world);
    hnowd_world_let_go(&agent->tasks.world);
    if (!world)
        return;
    world->size = unpack_u32(&ahead);
    world->holders = 1;
    hnowd_keep_list(&world->tids, in, false);
    list_append(&agent->tasks.worlds, &world->node);
    agent->tasks.world = world;
}

/* 0: the task has no world. */
uint32_t hnowd_world_size(const struct hnowd_world *world)
{
    return world ? world->size : 0;
}

/* Members on this host among the first `end` ones.  Ranks are asked for in ascending order, so the
 * list is read once, not once for each task. Going back restarts the count from the front. */
static uint32_t hnowd_world_before(struct hnowd_world *world, uint32_t host, uint32_t end)
{
    if (end < world->at)
        world->at = world->before = 0;
    for (; world->at < end; world->at++)
        world->before +=
            control_host(bytes_get32(world->tids.data + 4 + 4 * (size_t)world->at)) == host;
    return world->before;
}

/* Without a world there are no local ranks, and all of them are 0. The list is bytes of a frame, so
 * its length is checked. */
struct spawn_rank hnowd_world_rank(struct hnowd_world *world, uint32_t tid, uint32_t rank)
{
    uint32_t host = control_host(tid);
    struct spawn_rank r = {.rank = rank, .size = hnowd_world_size(world)};
    if (!world || world->tids.length < 4 + 4 * (size_t)r.size)
        return r;
    /* Counted at the first request, which every task of this host makes. */
    if (world->here == 0)
        world->here = hnowd_world_before(world, host, r.size);
    r.local_size = world->here;
    r.local_rank = hnowd_world_before(world, host, rank < r.size ? rank : r.size);
    return r;
}

/* With its count in front, as WELCOME needs it. */
void hnowd_world_tids(const struct hnowd_world *world, struct pack *out)
{
    if (world)
        pack_raw(out, world->tids.data, world->tids.length);
    else
        pack_u32(out, 0);
}

/* The frames are stored whole, so they are only appended. */
void hnowd_world_gone(const struct hnowd_world *world, struct pack *out)
{
    if (world)
        pack_raw(out, world->gone.data, world->gone.length);
}

/* O(members): the list is packed, not sorted. */
static bool hnowd_world_has(const struct hnowd_world *world, uint32_t tid)
{
    struct unpack list = unpack_from(world->tids.data, world->tids.length);
    for (uint32_t left = unpack_u32(&list); left > 0 && !list.failed; left--)
        if (unpack_u32(&list) == tid)
            return true;
    return false;
}

/* O(members) for each world with tasks that have not enrolled.  Usually there is none. */
void hnowd_world_note_end(struct hnowd *agent, uint32_t tid, const struct unpack *end)
{
    list_for_each (n, &agent->tasks.worlds) {
        struct hnowd_world *world = list_entry(n, struct hnowd_world, node);
        if (hnowd_world_has(world, tid))
            control_pass(&world->gone, CONTROL_ENDED, end);
    }
}
