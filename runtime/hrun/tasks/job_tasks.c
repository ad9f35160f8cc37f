/* job_tasks.c - places and starts the tasks of a job, and processes reports about them; see
 * job_task.h.
 *
 * Agents report in this order: SPAWNED or UNSPAWNED, ENROLLED, possibly ENDS, and OVER.  Each
 * report changes the state of one task; job_step() then checks whether the job has advanced.
 *
 * Placement happens once, when all wanted hosts are up. Tasks that are spawned later are placed by
 * job_spawn.c, on hosts that are up then.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"
#include "hrun/services/job_service.h"
#include "hrun/streams/job_stdio.h"
#include "hrun/diagnosis/job_trace.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- placing ---------------------------------------------------------------------------- */

/* The number of tasks of the job: -np, else one for each entry of -map or each slot. At least 1. */
static long job_wanted_tasks(const struct job *job, const struct place_host *hosts,
                             const struct place_map *map)
{
    const struct hrun_options *options = job->options;
    long n = 0;
    for (int i = 0; i < options->nprogram; i++)
        n += options->program[i].np;
    if (options->nprogram == 0)
        n = options->np;
    if (n > 0)
        return n;
    return map ? map->n : place_slots(hosts, job->nhost);
}

/* The program of a rank: the first ranks run the first program, and so on. With one program, or
 * none, it is number 0. */
static int job_program_of(const struct job *job, uint32_t rank)
{
    int program = 0;
    long end = job->options->nprogram > 0 ? job->options->program[0].np : 0;
    while (program + 1 < job->options->nprogram && rank >= (uint32_t)end)
        end += job->options->program[++program].np;
    return program;
}

/* The result is the same for each run with the same hosts and options.  If memory is short, tasks
 * that exist already remain in the lists, and the job ends. The rank of a task of the first world
 * is its index in job->tasks.task. */
static int job_place_tasks(struct job *job, const struct place_host *hosts,
                           const struct place_map *map)
{
    long n = job_wanted_tasks(job, hosts, map);
    /* All of them might be placed on one host, whose serial numbers are limited. Before memory is
     * taken for them. */
    if (n >= 1 << CONTROL_SERIAL_BITS)
        return error_set(HN_EARG, "%ld tasks are too many: give a smaller -np", n);
    int *where = calloc((size_t)n, sizeof *where);
    if (!where)
        return error_set(HN_ENOMEM, "out of memory");
    place_ranks(hosts, job->nhost, map, (int)n, where);
    bool done = true;
    for (uint32_t rank = 0; rank < (uint32_t)n; rank++) {
        struct job_task *task = job_new_task(job, rank, &job->host[where[rank]]);
        done = done && task;
        if (task)
            task->program = job_program_of(job, rank);
    }
    free(where);
    if (!done)
        return error_set(HN_ENOMEM, "out of memory");
    job->tasks.world = (int)n;
    return HN_OK;
}

/* Without a program the map is the result, so it goes to standard output. Lines are for programs to
 * read: "rank R host NAME". */
static void job_show_map(const struct job *job)
{
    FILE *out = job->options->nprogram > 0 ? stderr : stdout;
    for (int i = 0; i < job->tasks.ntask; i++)
        fprintf(out, "rank %d host %s\n", i, job->tasks.task[i]->host->name);
    fflush(out);
}

/* Of all hosts that take part. */
static long job_slots(const struct job *job)
{
    long slots = 0;
    for (int i = 0; i < job->nhost; i++)
        slots += job->host[i].wanted ? job_host_slots(&job->host[i]) : 0;
    return slots;
}

/* If some hosts have no tasks while others have several, prints how to spread them. It is about the
 * default placement: -map is the user's own. */
static void job_note_idle(struct job *job)
{
    int hosts = 0, idle = 0;
    bool several = false;
    for (int i = 0; i < job->nhost; i++) {
        hosts += job->host[i].wanted;
        idle += job->host[i].wanted && job->host[i].tasks.ntask == 0;
        several |= job->host[i].tasks.ntask > 1;
    }
    if (idle > 0 && several && !job->options->map)
        job_say(job, "%d of %d hosts get no task, others several: -ppn 1 spreads them over all",
                idle, hosts);
}

/* More tasks than slots are allowed, but a message is printed.  Only the first such host is named,
 * so that a large job prints one line. Hosts of the command line only; slots may also be a default.
 */
static void job_note_full(struct job *job)
{
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].tasks.ntask > (uint32_t)job_host_slots(&job->host[i])) {
            long slots = job_slots(job);
            job_say(job, "more tasks than slots: %d task%s, %ld slot%s (host %s: %u on %d)",
                    job->tasks.ntask, job->tasks.ntask == 1 ? "" : "s", slots,
                    slots == 1 ? "" : "s", job->host[i].name, job->host[i].tasks.ntask,
                    job_host_slots(&job->host[i]));
            return;
        }
}

/* Called once, when all hosts are up.  Without a program, the placement itself was the job.
 * Returns false after job_fail(): status 2 for a contradiction in the options. The message of an
 * error names the option. */
bool job_place(struct job *job)
{
    const struct hrun_options *options = job->options;
    struct place_host *hosts = calloc((size_t)job->nhost, sizeof *hosts);
    struct place_map map = {0};
    int error = hosts ? HN_OK : error_set(HN_ENOMEM, "out of memory");
    /* The default slots of a machine with several names are known only after this. */
    job_share_cores(job);
    for (int i = 0; i < job->nhost && !error; i++) {
        const struct job_host *host = &job->host[i];
        /* -ppn replaces the slots of every host, whatever its line says. */
        int slots = options->ppn > 0 ? options->ppn : job_host_slots(host);
        hosts[i] = (struct place_host){host->name, slots, host->wanted};
    }
    if (!error && options->map)
        error = place_read_map(options->map, hosts, job->nhost, &map);
    if (!error)
        error = job_place_tasks(job, hosts, options->map ? &map : NULL);
    /* Only now is the number of tasks known. */
    if (!error && options->input >= job->tasks.ntask)
        error = error_set(HN_EARG, "-stdin %ld: there is no such rank, there are %d tasks",
                          options->input, job->tasks.ntask);
    if (error) {
        job_fail(job, error == HN_EARG ? 2 : 1, 0., "%s", hn_error_text());
    } else {
        /* Without a hosts file this machine has as many slots as cores, and more tasks are normal.
         */
        if (job->hosts || options->verbose)
            job_note_full(job);
        if (options->show_map || options->verbose)
            job_note_idle(job);
        if (options->show_map)
            job_show_map(job);
        /* All tasks count as over, so that the job ends at once. */
        if (options->nprogram == 0)
            job->tasks.over = job->tasks.ntask;
    }
    free(map.host);
    free(hosts);
    return !error;
}

/* ---- starting --------------------------------------------------------------------------- */

/* Adds the frame PROGRAM: directory, arguments, and variables.  SPAWN refers to it by its
 * number. Each host gets all programs, also those that none of its tasks runs. */
static void job_pack_program(const struct job *job, const struct job_host *host, int number,
                             const char *here, struct pack *out)
{
    const struct hrun_program *program = &job->options->program[number];
    char word[32];
    size_t begun = control_begin(out, CONTROL_PROGRAM);
    job_pack_directory(out, host, (uint32_t)number, program->wdir, here);
    pack_u32(out, (uint32_t)program->argc);
    for (int i = 0; i < program->argc; i++)
        pack_str(out, program->argv[i]);
    /* options->env has the variables of all programs, one program's after the other's */
    size_t own = number > 0 ? program[-1].env_end : 0;
    snprintf(word, sizeof word, "HNOW_APPNUM=%d", number);
    pack_u32(out, (uint32_t)(program->env_end - own) + 1);
    pack_str(out, word);
    for (; own < program->env_end; own++)
        pack_str(out, job->options->env.own.text[own]);
    control_end(out, begun);
}

/* Files for output are opened before any process starts, so a wrong -output starts none.  Each
 * agent gets the world, and every program with its tasks, in one write. It returns after an error,
 * for which the job has ended already. */
void job_start_tasks(struct job *job)
{
    char *here = getcwd(NULL, 0);
    for (int i = 0; i < job->tasks.ntask; i++)
        if (!job_stdio_open_task(job->tasks.task[i])) {
            free(here);
            return;
        }
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        struct pack *out = channel_out(&host->channel);
        /* A host without a task also gets the frames: it may get tasks later. */
        if (!job_host_is_up(host))
            continue;
        job_pack_world(out, job->tasks.task, (uint32_t)job->tasks.ntask);
        for (int program = 0; program < job->options->nprogram; program++) {
            job_pack_program(job, host, program, here ? here : "/", out);
            job_pack_spawn(out, host, job->tasks.task, (uint32_t)job->tasks.ntask, program);
        }
        job_host_send(host);
    }
    free(here);
}

/* ---- reports of agents ------------------------------------------------------------------ */

/* OVER: the process has ended, and nothing more arrives from it. job_task_ended() decides whether
 * the end is a failure of the job. */
static void job_on_task_end(struct job_task *task, struct unpack *in)
{
    uint32_t wait_status = unpack_u32(in);
    unsigned how = unpack_u8(in);
    job_task_end(task, wait_status, false);
    job_task_ended(task, (int)wait_status, how, unpack_u32(in));
}

/* The process has ended, and its messages are being forwarded to the receivers. A failure is
 * reported now, and the job may end before they have arrived. OVER, which follows, does not report
 * it again. how: whether the task has left in order (enum of control.h). */
static void job_on_ends(struct job_task *task, struct unpack *in)
{
    uint32_t wait_status = unpack_u32(in);
    unsigned how = unpack_u8(in);
    job_task_ended(task, (int)wait_status, how, unpack_u32(in));
    task->spawned.end_expected = true;
}

/* The status is the shell's for a command that cannot be found. Only a task of the command line is
 * necessary for the job; a spawned one is an error in the answer. 127, as a shell gives it. */
static void job_on_unspawned(struct job_task *task, struct unpack *in)
{
    const char *why = unpack_str(in);
    job_spawn_outcome(task, HN_ESTART, why);
    job_task_end(task, 127 << 8, false);
    if (task->spawned.parent == 0)
        job_fail(task->host->job, 1, 0., "host %s: %s", task->host->name, why);
}

/* The process exists.  That is a success for a task that has spawned it, before the program has
 * enrolled. The verbose line names the process for a debugger. */
static void job_on_spawned(struct job_task *task, struct unpack *in)
{
    task->pid = unpack_u32(in);
    task->state = JOB_TASK_RUNS;
    job_spawn_outcome(task, HN_OK, "");
    job_verbose(task->host->job, "rank %u: runs on host %s, tid %u, pid %u", task->rank,
                task->host->name, task->tid, task->pid);
}

/* The pid may differ from the started one: a script may have started the program.  Tasks that have
 * asked for its address meanwhile are answered. A task that has replaced itself by another program
 * may enrol again. */
static void job_on_enrolled(struct job_task *task, struct unpack *in)
{
    task->port = unpack_u16(in);
    task->pid = unpack_u32(in);
    task->state = JOB_TASK_ENROLLED;
    job_answer_all(task);
}

/* Output of a task, in the order in which the agent has read it. */
static void job_on_output(struct job_task *task, struct unpack *in)
{
    uint8_t stream = unpack_u8(in);
    size_t n;
    const uint8_t *data = unpack_blob(in, &n);
    job_output(task, stream, data, n);
}

/* Frames of a task that is over are old: they were on the way when its host was lost. The tid is
 * the first field of each frame but ASK. Unknown kinds have no effect. */
void job_task_frame(struct job_host *host, struct control_frame *frame)
{
    struct unpack *in = &frame->payload;
    /* A request for an address, by a task of that host, about any task. */
    if (frame->kind == CONTROL_ASK) {
        job_on_ask(host, in);
        return;
    }
    struct job_task *task = job_task_of(host, unpack_u32(in));
    if (!task || task->state == JOB_TASK_OVER)
        return;
    if (frame->kind == CONTROL_SPAWNED)
        job_on_spawned(task, in);
    else if (frame->kind == CONTROL_UNSPAWNED)
        job_on_unspawned(task, in);
    else if (frame->kind == CONTROL_OUTPUT)
        job_on_output(task, in);
    else if (frame->kind == CONTROL_ENROLLED)
        job_on_enrolled(task, in);
    else if (frame->kind == CONTROL_ROOM)
        job_room(task, unpack_u32(in));
    else if (frame->kind == CONTROL_FROM_TASK)
        job_question(task, in);
    else if (frame->kind == CONTROL_TRACE)
        job_trace_records(task, in);
    else if (frame->kind == CONTROL_ENDS)
        job_on_ends(task, in);
    else if (frame->kind == CONTROL_OVER)
        job_on_task_end(task, in);
    job_step(host->job);
}
