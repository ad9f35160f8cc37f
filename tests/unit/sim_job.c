/* sim_job.c - agents and what carries their channel, signals, how tasks are started; see sim_job.h.
 *
 * An ssh is a process beside hrun whose connection is the agent's channel: when it is killed, the
 * agent's end sees the end of file, and when the agent ends, it takes over its status once that has
 * arrived.  The agent of hrun's own machine is started without one.  Who kills an agent kills what
 * it has started (guardian.h, PR_SET_PDEATHSIG).
 */
#include "sim_job.h"

#include "base/error.h"
#include "base/tcp_look.h"
#include "hnowd/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

double sim_hrun_on;

struct sim_process *sim_agent_of(const struct sim_host *host)
{
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->kind == SIM_AGENT && p->host == host && p->alive)
            return p;
    return NULL;
}

/* ---- ends -------------------------------------------------------------------------------------
 */

/* The end of an agent arrives at its ssh. */
static void on_agent_gone(void *arg, int status)
{
    struct sim_process *ssh = arg;
    if (!ssh->alive)
        return;
    if (ssh->other && ssh->other->host->cut)
        sim_after(0.5, on_agent_gone, ssh, status);
    else
        sim_exit(ssh, status);
}

static void ssh_dies(struct sim_process *ssh)
{
    if (!WIFSIGNALED(ssh->status))
        return;
    sim_break(ssh->wire[0], sim_below(2), true);
    sim_break(ssh->wire[1], true, false);
}

static void agent_dies(struct sim_process *agent)
{
    int status = agent->status;
    if (agent->other)
        sim_after(agent->host->delay, on_agent_gone, agent->other,
                  WIFSIGNALED(status) ? (128 + WTERMSIG(status)) << 8 : status);
}

static void task_dies(struct sim_process *task)
{
    sim_task_ended(task, SIM_ENDED);
}

/* Behind each of its events.  When its loop has ended, the rest of its main() follows. */
static void agent_after(struct sim_process *agent)
{
    sim_tasks_name(agent);
    if (sim_loop_is_over(agent->loop))
        sim_exit(agent, hnowd_close(agent->state) << 8);
}

void __wrap_guardian_sweep(void);
void __wrap_guardian_sweep(void)
{
    sim_sweep(sim_self);
}

bool __wrap_guardian_works(pid_t pid);
bool __wrap_guardian_works(pid_t pid)
{
    return sim_process_of(pid)->alive;
}

/* ---- signals ----------------------------------------------------------------------------------
 */

static void on_late_end(void *arg, int status)
{
    sim_exit(arg, status);
}

/* A task ends by SIGTERM at once, after a moment (it has a handler), or not at all. */
static void signal_task(struct sim_process *process, int number)
{
    if (number == SIGTERM && ((struct sim_task *)process->state)->stubborn)
        return;
    if (number == SIGTERM && sim_below(3) == 0)
        sim_after(sim_between(0, 1), on_late_end, process, 15);
    else if (number == SIGTERM || number == SIGINT || number == SIGKILL || number == SIGHUP ||
             number == SIGUSR1)
        sim_exit(process, number);
}

void sim_signal(struct sim_process *process, int number)
{
    if (!process->alive)
        return;
    if (number == SIGCONT || number == SIGSTOP || number == SIGTSTP)
        process->stopped = number != SIGCONT;
    else if (number == SIGKILL)
        sim_exit(process, SIGKILL);
    else if (process->stopped)
        return; /* those that wait are not told apart: SIGKILL follows */
    else if (process->loop && sim_loop_hears(process->loop, number))
        sim_loop_raise(process->loop, number);
    else if (process->kind == SIM_TASK)
        signal_task(process, number);
    else if (process->kind != SIM_GRANDCHILD || sim_below(2))
        sim_exit(process, number);
}

static void on_continued(void *arg, int value)
{
    (void)arg, (void)value;
    sim_talk("hrun goes on");
    sim_hrun->stopped = false;
    sim_hrun_on = sim_now();
}

/* Ctrl-Z, and later fg: the others go on meanwhile. */
static int stop_hrun(void)
{
    sim_self = NULL;
    sim_hrun->stopped = true;
    sim_after(sim_between(0, 40), on_continued, NULL, 0);
    while (sim_hrun->stopped)
        sim_step();
    sim_self = sim_hrun;
    return 0;
}

/* hrun kills agents that do not end.  Those of hosts that nothing is wrong with do, unless they
 * wait for another one that they have started. */
static void check_kill(const struct sim_process *process)
{
    const struct sim_process *agent = process->kind == SIM_SSH ? process->other : process;
    if (sim_self == sim_hrun && sim_temper.prompt && agent && agent->kind == SIM_AGENT &&
        agent->alive && agent->loop && sim_agent(agent)->ending && !agent->host->faulty &&
        list_empty(&sim_agent(agent)->launches))
        sim_fail("the agent of %s is killed, which is about to end", agent->host->name);
}

int __wrap_kill(pid_t pid, int number);
int __real_kill(pid_t pid, int number);
int __wrap_kill(pid_t pid, int number)
{
    if (!sim_self)
        return __real_kill(pid, number);
    if (pid == getpid())
        return stop_hrun();
    int group = sim_process_of(pid < 0 ? -pid : pid)->group;
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->alive && p->group == group) {
            check_kill(p);
            sim_signal(p, number);
        }
    return 0;
}

/* ---- starting agents --------------------------------------------------------------------------
 */

/* The files of agents that come from elsewhere. */
static void say(struct sim_process *process, int fd, const char *text)
{
    struct sim_process *self = sim_self;
    sim_self = process;
    while (*text)
        text += sim_write(fd, text, strlen(text));
    sim_self = self;
}

struct starting {
    struct sim_process *ssh; /* or the agent itself, on hrun's machine */
    struct sim_wire *in, *out;
    int channel, errors; /* of that process */
};

static void fails(struct starting *starting, const char *why, int status)
{
    if (!starting->ssh->alive)
        return;
    say(starting->ssh, starting->errors, why);
    sim_exit(starting->ssh, status << 8);
}

static void begin_agent(struct sim_process *agent, int channel)
{
    struct sim_process *self = sim_self;
    agent->loop = sim_loop_new(agent);
    agent->state = calloc(1, sizeof(struct hnowd));
    agent->after = agent_after;
    agent->dies = agent_dies;
    sim_self = agent;
    hnowd_begin(agent->state, channel, channel, -1, agent->host->direct, NULL);
    sim_self = self;
}

static void on_started(void *arg, int value)
{
    struct starting *starting = arg;
    struct sim_process *ssh = starting->ssh;
    struct sim_host *host = ssh->host;
    (void)value;
    if (!ssh->alive || host->start == SIM_IS_SILENT)
        return;
    if (host->cut || host->stopped) {
        sim_after(1, on_started, starting, 0);
    } else if (host->start == SIM_REFUSES) {
        fails(starting, "ssh: connect to host: Connection refused\n", 255);
    } else if (host->start == SIM_IS_BUSY && host->busy-- > 0) {
        fails(starting, "kex_exchange_identification: read: Connection reset by peer\n", 255);
    } else if (host->start == SIM_HAS_NONE) {
        fails(starting, "sh: 1: hnowd: not found\n", 127);
    } else if (host->start == SIM_HAS_ANOTHER) {
        say(ssh, starting->channel, "\n" SYNC_WORD "0.0.7\n");
    } else if (host->direct) {
        begin_agent(ssh, starting->channel);
    } else {
        struct sim_process *agent = sim_process(SIM_AGENT, host, NULL);
        agent->other = ssh;
        ssh->other = agent;
        int channel = sim_open(agent, starting->in, starting->out);
        struct sim_process *self = sim_self;
        sim_self = ssh;
        sim_close(starting->channel);
        sim_self = self;
        begin_agent(agent, channel);
    }
}

/* Where ssh runs is hrun's machine, or that of the agent that starts it. */
static void start(struct sim_host *host, struct launched *launched)
{
    static const size_t rooms[] = {2000, 16384, 65536, 262144};
    struct starting *starting = calloc(1, sizeof *starting);
    struct sim_process *ssh = sim_process(host->direct ? SIM_AGENT : SIM_SSH, host, sim_self);
    size_t room = rooms[sim_stdio.in < 1000 ? sim_below(4) : 2]; /* input is not to take minutes */
    ssh->dies = host->direct ? NULL : ssh_dies;
    struct sim_wire *errors = sim_wire(NULL, 65536);
    starting->ssh = ssh;
    starting->in = sim_wire(host, room);
    starting->out = sim_wire(host, room);
    ssh->wire[0] = starting->out;
    ssh->wire[1] = starting->in;
    launched->pid = ssh->pid;
    launched->channel = sim_open(sim_self, starting->out, starting->in);
    launched->errors = sim_open(sim_self, errors, NULL);
    starting->channel = sim_open(ssh, starting->in, starting->out);
    starting->errors = sim_open(ssh, NULL, errors);
    sim_after(host->starts * sim_between(0.5, 1.5), on_started, starting, 0);
}

static struct sim_host *host_of(const char *name)
{
    for (int i = 0; i < sim_nhosts; i++)
        if (strcmp(sim_hosts[i].name, name) == 0)
            return &sim_hosts[i];
    return NULL;
}

int __wrap_launch_start(const struct launch *launch, const struct host_line *line, bool here,
                        struct launched *launched);
int __wrap_launch_start(const struct launch *launch, const struct host_line *line, bool here,
                        struct launched *launched)
{
    (void)launch, (void)here;
    start(host_of(line->name), launched);
    return HN_OK;
}

int __wrap_launch_start_words(char *const *words, const struct rlimit *files,
                              struct launched *launched);
int __wrap_launch_start_words(char *const *words, const struct rlimit *files,
                              struct launched *launched)
{
    (void)files;
    for (; *words; words++)
        if (host_of(*words)) {
            start(host_of(*words), launched);
            return HN_OK;
        }
    return error_set(HN_ESYS, "no host is named");
}

void hnowd_hello(struct hnowd *agent, bool direct)
{
    struct pack *out = channel_out(&agent->up);
    const struct sim_host *host = sim_self->host;
    if (sim_below(4) == 0)
        pack_raw(out, "Welcome!\nLast login", 19);
    pack_raw(out, "\n" SYNC_WORD HNOW_VERSION "\n", strlen("\n" SYNC_WORD HNOW_VERSION "\n"));
    size_t begun = control_begin(out, CONTROL_HELLO);
    pack_u8(out, direct);
    pack_str(out, "x86_64");
    pack_u8(out, 1);
    pack_u32(out, 4);
    pack_str(out, host->name);
    pack_str(out, host->name);
    pack_str(out, "");
    pack_str(out, "");
    pack_u32(out, 0);
    control_end(out, begun);
    channel_send(&agent->up);
}

/* ---- starting tasks ---------------------------------------------------------------------------
 */

bool __wrap_spawn_find(struct spawn_program *program, char **argv, const char *wanted, bool must,
                       const char *base, char *known, char **note);
int __wrap_spawn_start(const struct spawn_program *program, int input, const struct rlimit *files,
                       const struct spawn_rank *rank, struct spawned *spawned);
int __wrap_spawn_result(const struct spawn_program *program, struct spawned *spawned);
int __wrap_mpi_front_prepare(struct spawn_program *program, char **note);

/* No program is a file here. */
int __wrap_mpi_front_prepare(struct spawn_program *program, char **note)
{
    (void)program;
    *note = NULL;
    return HN_OK;
}

bool __wrap_spawn_find(struct spawn_program *program, char **argv, const char *wanted, bool must,
                       const char *base, char *known, char **note)
{
    (void)wanted, (void)must, (void)base;
    *program = (struct spawn_program){.argv = argv, .path = known, .directory = strdup("/")};
    *note = NULL;
    return HN_OK;
}

int __wrap_spawn_start(const struct spawn_program *program, int input, const struct rlimit *files,
                       const struct spawn_rank *rank, struct spawned *spawned)
{
    struct sim_wire *down = sim_wire(NULL, 65536), *up = sim_wire(NULL, 65536);
    struct sim_wire *out = sim_wire(NULL, 4096), *err = sim_wire(NULL, 4096);
    struct sim_wire *in = input == SPAWN_PIPE_INPUT ? sim_wire(NULL, 4096) : NULL;
    (void)program, (void)files, (void)rank;
    if (sim_below(100) == 0 && sim_temper.fail)
        return error_set(HN_ESYS, "no process for another task: simulated");
    struct sim_process *task = sim_process(SIM_TASK, sim_self->host, sim_self);
    *spawned = (struct spawned){.pid = task->pid,
                                .agent = sim_open(sim_self, up, down),
                                .out = sim_open(sim_self, out, NULL),
                                .err = sim_open(sim_self, err, NULL),
                                .in = in ? sim_open(sim_self, NULL, in) : -1,
                                .trace = -1,
                                .outbox = -1,
                                .failure = -1};
    task->dies = task_dies;
    sim_task_start(task, sim_open(task, down, up), in ? sim_open(task, in, NULL) : -1,
                   sim_open(task, NULL, out), sim_open(task, NULL, err));
    if (sim_below(10) == 0) { /* something of the same group that holds its output open */
        struct sim_process *child = sim_process(SIM_GRANDCHILD, sim_self->host, sim_self);
        child->group = task->pid;
        sim_open(child, NULL, out);
        sim_after(sim_between(0, 20), on_late_end, child, 0);
    }
    return HN_OK;
}

int __wrap_spawn_result(const struct spawn_program *program, struct spawned *spawned)
{
    (void)program, (void)spawned;
    return HN_OK;
}

/* ---- what else the system is asked for --------------------------------------------------------
 */

struct rlimit __wrap_spawn_raise_limit(void);
struct rlimit __wrap_spawn_raise_limit(void)
{
    return (struct rlimit){1024, 1024};
}

bool __wrap_tcp_look_begun(pid_t group, char text[TCP_LOOK_TEXT]);
bool __wrap_tcp_look_silent(pid_t group, bool busy, char text[TCP_LOOK_TEXT]);
bool __wrap_tcp_look_silent_sshd(const char *connection, bool busy, char text[TCP_LOOK_TEXT]);

bool __wrap_tcp_look_begun(pid_t group, char text[TCP_LOOK_TEXT])
{
    (void)group;
    text[0] = 0;
    return false;
}

bool __wrap_tcp_look_silent(pid_t group, bool busy, char text[TCP_LOOK_TEXT])
{
    (void)group, (void)busy;
    text[0] = 0;
    return false;
}

bool __wrap_tcp_look_silent_sshd(const char *connection, bool busy, char text[TCP_LOOK_TEXT])
{
    (void)connection, (void)busy;
    text[0] = 0;
    return false;
}

/* Connections of tasks are another test's: agents have no relay, and no load. */
void __wrap_relay_open(struct relay *relay, struct channel *up, uint32_t host,
                       const uint8_t *secret);
void __wrap_relay_open(struct relay *relay, struct channel *up, uint32_t host,
                       const uint8_t *secret)
{
    (void)relay, (void)up, (void)host, (void)secret;
}

void hnowd_load_begin(struct hnowd *agent)
{
    (void)agent;
}

/* ---- what hrun says ---------------------------------------------------------------------------
 */

static void hear(const char *format, va_list list, bool counts)
{
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0)
        return;
    sim_talk("hrun: %s", text);
    if (counts) {
        sim_lines = realloc(sim_lines, (sim_nlines + 1) * sizeof *sim_lines);
        sim_lines[sim_nlines++] = (struct sim_line){sim_now(), text};
    }
}

void job_say(struct job *job, const char *format, ...)
{
    va_list list;
    (void)job;
    va_start(list, format);
    hear(format, list, true);
    va_end(list);
}

void job_verbose(struct job *job, const char *format, ...)
{
    va_list list;
    (void)job;
    va_start(list, format);
    hear(format, list, false);
    va_end(list);
}
