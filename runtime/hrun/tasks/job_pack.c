/* job_pack.c - packs frames that tell an agent which tasks to start; see job_task.h. */
#include "hrun/hosts/job_host.h"

#include <stdio.h>
#include <stdlib.h>

/* The order of precedence: the program's own -wdir, that of the command line, wdir= of the host's
 * line, hrun's directory.  Relative ones are relative to hrun's. `number` is the program's, which
 * SPAWN frames name. */
void job_pack_directory(struct pack *out, const struct job_host *host, uint32_t number,
                        const char *asked, const char *here)
{
    char *absolute = NULL;
    if (!asked)
        asked = host->job->options->wdir;
    if (asked && asked[0] != '/' && asprintf(&absolute, "%s/%s", here, asked) >= 0)
        asked = absolute;
    if (!asked && host->line)
        asked = host->line->wdir;
    pack_u32(out, number);
    pack_str(out, asked ? asked : here);
    pack_u8(out, asked != NULL);
    free(absolute);
}

/* The tids in the order of their ranks. All members of a world get the same list, in which a task
 * finds its rank. */
void job_pack_world(struct pack *out, struct job_task *const *world, uint32_t n)
{
    size_t begun = control_begin(out, CONTROL_WORLD);
    pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        pack_u32(out, world[i]->tid);
    control_end(out, begun);
}

/* Two passes: the number of tasks precedes them in the frame. world[0] exists; all tasks of a world
 * have the same parent. */
void job_pack_spawn(struct pack *out, const struct job_host *host, struct job_task *const *world,
                    uint32_t n, int program)
{
    uint32_t parent = world[0]->spawned.parent, here = 0;
    for (uint32_t i = 0; i < n; i++)
        here += world[i]->host == host && world[i]->program == program;
    if (here == 0)
        return;
    size_t begun = control_begin(out, CONTROL_SPAWN);
    pack_u32(out, (uint32_t)program);
    pack_u32(out, parent);
    pack_u32(out, here);
    for (uint32_t i = 0; i < n; i++)
        if (world[i]->host == host && world[i]->program == program) {
            pack_u32(out, world[i]->tid);
            pack_u32(out, world[i]->rank);
            pack_u8(out, world[i]->input);
        }
    control_end(out, begun);
}
