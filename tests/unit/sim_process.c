/* sim_process.c - processes; see sim.h. */
#include "sim.h"

#include <signal.h>
#include <stdlib.h>

enum { FIRST_PID = 1 << 22 }; /* beyond those of this machine */

struct sim_process *sim_processes, *sim_hrun, *sim_self;
struct sim_host sim_hosts[SIM_HOSTS];
int sim_nhosts;
static struct sim_process **by_pid;
static int npid;

struct sim_process *sim_process(enum sim_kind kind, struct sim_host *host,
                                struct sim_process *parent)
{
    struct sim_process *process = calloc(1, sizeof *process);
    by_pid = realloc(by_pid, (size_t)(npid + 1) * sizeof *by_pid);
    by_pid[npid] = process;
    process->pid = process->group = FIRST_PID + npid++;
    process->kind = kind;
    process->host = host;
    process->parent = parent;
    process->alive = true;
    process->next = sim_processes;
    sim_processes = process;
    return process;
}

struct sim_process *sim_process_of(int pid)
{
    if (pid < FIRST_PID || pid >= FIRST_PID + npid)
        sim_fail("a process that is none is named: %d", pid);
    return by_pid[pid - FIRST_PID];
}

void sim_sweep(const struct sim_process *parent)
{
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->alive && p->parent == parent)
            sim_exit(p, SIGKILL);
}

void sim_exit(struct sim_process *process, int status)
{
    if (!process->alive)
        return;
    process->alive = false;
    process->status = status;
    sim_talk("process %d (kind %d, host %s) ends: %#x", process->pid, (int)process->kind,
             process->host ? process->host->name : "", (unsigned)status);
    if (process->dies)
        process->dies(process);
    struct sim_process *self = sim_self;
    sim_self = NULL;
    sim_close_all(process);
    sim_self = self;
    sim_sweep(process);
}
