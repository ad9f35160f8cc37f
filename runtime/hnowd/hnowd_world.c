/* hnowd_world.c - the world groups of the tasks of a host, and their members that have ended.
 *
 * A task gets its world in WELCOME, and notifications of ends after it has enrolled.  Earlier ends
 * in its world are stored here, as long as a task of that world runs here and has not enrolled.
 */
#include "hnowd/hnowd.h"

#include <stdlib.h>

struct hnowd_world {
    struct list_node node; /* in hnowd.worlds */
    unsigned holders; /* references: tasks that have not enrolled, and the agent, for tasks that it
                         starts next */
    uint32_t size;
    struct pack tids; /* the list in WELCOME, packed */
    struct pack gone; /* ENDED frames */
};

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

struct hnowd_world *hnowd_world_hold(struct hnowd *agent)
{
    if (agent->tasks.world)
        agent->tasks.world->holders++;
    return agent->tasks.world;
}

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

uint32_t hnowd_world_size(const struct hnowd_world *world)
{
    return world ? world->size : 0;
}

struct spawn_rank hnowd_world_rank(const struct hnowd_world *world, uint32_t tid, uint32_t rank)
{
    struct spawn_rank r = {.rank = rank, .size = hnowd_world_size(world)};
    struct unpack list =
        world ? unpack_from(world->tids.data, world->tids.length) : (struct unpack){0};
    for (uint32_t i = 0, n = world ? unpack_u32(&list) : 0; i < n && !list.failed; i++) {
        bool here = control_host(unpack_u32(&list)) == control_host(tid);
        r.local_size += here;
        r.local_rank += here && i < rank;
    }
    return r;
}

void hnowd_world_tids(const struct hnowd_world *world, struct pack *out)
{
    if (world)
        pack_raw(out, world->tids.data, world->tids.length);
    else
        pack_u32(out, 0);
}

void hnowd_world_gone(const struct hnowd_world *world, struct pack *out)
{
    if (world)
        pack_raw(out, world->gone.data, world->gone.length);
}

static bool hnowd_world_has(const struct hnowd_world *world, uint32_t tid)
{
    struct unpack list = unpack_from(world->tids.data, world->tids.length);
    for (uint32_t left = unpack_u32(&list); left > 0 && !list.failed; left--)
        if (unpack_u32(&list) == tid)
            return true;
    return false;
}

void hnowd_world_note_end(struct hnowd *agent, uint32_t tid, const struct unpack *end)
{
    list_for_each (n, &agent->tasks.worlds) {
        struct hnowd_world *world = list_entry(n, struct hnowd_world, node);
        if (hnowd_world_has(world, tid))
            control_pass(&world->gone, CONTROL_ENDED, end);
    }
}
