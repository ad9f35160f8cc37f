/* job.h - a job as hrun, its root, sees it: its hosts, its tasks, and how it ends.
 *
 * First the state, struct job with its hosts and tasks; then the functions, by the file that has
 * them.  The steps of a job's life are in job.c: all hosts up -> tasks placed and started -> all
 * tasks over -> agents told to end -> all output written.
 *
 * hrun has one thread and one event loop.  Agents send frames (protocol/control.h) on the channels
 * of their hosts; job_hosts.c passes each frame to the file that handles its kind.
 */
#ifndef HNOW_JOB_H
#define HNOW_JOB_H

#include "base/addresses.h"
#include "hrun/name_service.h"
#include "protocol/channel.h"
#include "base/clock.h"
#include "hrun/hrun_options.h"
#include "hrun/launch.h"
#include "base/list.h"
#include "hrun/member.h"
#include "hrun/place.h"
#include "protocol/pulse.h"
#include "hrun/roster.h"
#include "hrun/spout.h"
#include "hrun/stall.h"
#include "hrun/watch.h"

struct job;
struct job_stage;

enum { JOB_LINE = 400 }; /* bytes kept of what ssh says last */
/* Seconds in which a host has to come up.  ssh itself gives up a connection after 12 s
 * (launch_words.c); an agent starts within a second. */
#define JOB_DEADLINE 15.0
/* The same, since the last bytes of a staged agent arrived there: a slow line may stall. */
#define JOB_STAGE_PATIENCE 30.0
/* Seconds of silence after which a line without an end counts as a question to the user. */
#define JOB_QUESTION 4.0

/* Can this agent start others? */
enum job_reach { JOB_REACH_UNTRIED, JOB_REACH_WORKS, JOB_REACH_FAILS };

/* Output of a task: stream 1 or 2. */
struct job_source {
    struct output_source source;
    struct job_task *task;
    uint8_t stream;
    size_t uncredited; /* bytes that its catcher has not acknowledged */
};

/* The task that captures the output of a task, the catcher: it has called hn_catch_output(). */
struct job_capture {
    uint32_t by;    /* its tid; 0: nobody catches it */
    uint32_t place; /* number that the catcher has given it */
    bool waits;     /* the catcher does not leave before it is over */
};

enum job_task_state { JOB_TASK_STARTING, JOB_TASK_RUNS, JOB_TASK_ENROLLED, JOB_TASK_OVER };

struct job_task {
    struct job_host *host;
    uint32_t tid, rank;
    int program;
    enum job_task_state state;
    uint32_t pid;
    uint16_t port;
    bool input;  /* it gets standard input */
    size_t room; /* bytes of it that it can take */
    struct job_source out, err;
    int file;        /* -output: where its output goes, else -1 */
    uint32_t *asker; /* tids that wait for its address */
    size_t nasker;
    struct {                     /* by a task */
        uint32_t parent;         /* its tid; 0: started by hrun */
        char *name;              /* of its program; NULL: started by hrun */
        struct job_spawn *spawn; /* the request that is being served, and its place there */
        uint32_t spawn_at;
        bool told;    /* another task has ended it: that is no failure */
        bool retired; /* it has called hn_exit() */
        bool paused;  /* it has called hn_pause(), and may have become another program */
    } spawned;
    uint32_t wait_status;
    char *last_line; /* of its standard error; NULL: it has written none */
    /* -trace */
    bool traced;                           /* its records have arrived */
    unsigned threads;                      /* of it that have names in the file */
    struct job_capture captured, captures; /* its own output; that of what it spawns */
    bool has_captured;                     /* it is somebody's catcher, or was */
    uint32_t stall;                        /* number of the round that it has answered */
    uint32_t capture_end; /* number of the question that waits for all it catches */
};

/* The record of a spawned task that has ended (job_ended.c). */
struct job_ended {
    const char *name;
    uint32_t parent, rank, pid, wait_status;
};

/* A host of the job. */
struct job_host {
    struct job *job;
    const char *name;
    const struct host_line *line; /* NULL: this machine, no hosts file */
    uint32_t number;
    enum member_state state;
    bool wanted;             /* no standby host, and named by -map when there is one */
    struct job_host *parent; /* whose agent has started it; NULL: hrun itself */
    struct {                 /* until its agent is up */
        bool alone;          /* the tree has failed for it */
        ev_timer deadline, retry;
        ev_timer silence; /* every second: does it wait for an answer that nobody can give? */
        uint64_t heard;   /* bytes on its channel */
        int quiet;        /* seconds since it said anything */
        bool asks;
        bool staged; /* the agent is sent there; its shell reports from time to time that more has
                        arrived */
        int64_t first_start;   /* clock_now(), which nobody can set; 0: not yet */
        int64_t first_refusal; /* the same, by a busy sshd */
        bool refused;          /* a line was already printed about it */
        char *unconnected;     /* ssh's line: all addresses are tried once more; NULL: not yet */
    } coming;
    struct {       /* which hrun, or the agent of another host, has started for it */
        pid_t pid; /* 0: the machine that stays has started it, and reports its end */
        ev_child exit;
        ev_io answer;         /* that report */
        bool exited, hung_up; /* both: it is lost */
        ev_timer lost;        /* handles that, when nobody holds the host or its channel any more */
        int wait_status;
        ev_io errors;           /* its standard error; fd -1: closed */
        struct pack error_text; /* the line that is being read */
        char last_line[JOB_LINE];
        char fault[JOB_LINE]; /* what was wrong on its channel, "" nothing */
        int kills;            /* how often its process was told to end */
    } process;
    struct channel channel;
    struct pulse pulse;
    bool removed;              /* a task wants it to end */
    struct job_change *change; /* the request to add or remove it, and its place there */
    uint32_t change_at;
    bool added; /* it has arrived while the job runs */
    struct {    /* what its agent said */
        bool direct;
        char machine[32]; /* x86_64, ... */
        char machine_id[128];
        uint8_t byte_order; /* as in HELLO */
        int cores;
        int share; /* of the cores of a machine that has several names in the job; 0: all of them */
        uint32_t load; /* hundredths; UINT32_MAX: not learned of yet */
        char ssh_client[64];
    } about;
    struct { /* what it starts itself */
        enum job_reach reach;
        int starting, nchild; /* at this moment; in all */
        int staging;          /* programs that are on their way to it */
    } tree;
    struct address *address; /* where its tasks can be reached, best first */
    size_t naddress;
    struct {
        struct job_task **task; /* by serial - 1; NULL: it has ended, see job_ended.c */
        uint32_t ntask, live;   /* all; those that are not over */
        struct job_ended *ended;
        uint32_t nended;      /* length of that */
        struct job_task view; /* of the one that was asked for last */
    } tasks;
};

/* A round of questions what all wait for. */
struct job_stall {
    bool asking;
    uint32_t number; /* of the round */
    int missing;     /* answers */
    struct stall_wait *wait;
    size_t n;
    ev_timer limit;
    void (*then)(struct job *job); /* after the report; NULL: nothing */
};

/* Connections that tasks and agents refused, by source; further sources are counted as one. */
enum { JOB_STRANGERS = 64 };
struct job_stranger {
    char source[64];
    uint64_t attempts;
};

struct job {
    struct ev_loop *loop;
    ev_timer step;   /* fed by job_step(), never started */
    bool start_more; /* what is to be done then, too */
    void (*host_event)(struct job_host *host, enum member_event event);
    const struct hrun_options *options;
    struct hosts *hosts; /* NULL: this machine alone */
    struct launch launch;
    struct job_stage *stage;         /* NULL: nothing is staged */
    struct list_node spawns_waiting; /* questions that wait for it (job_stage.c) */
    uint8_t secret[CONTROL_SECRET];
    struct job_host *host;
    char own_name[256]; /* of this machine */
    int nhost;
    bool wide;            /* hosts are several machines: tasks listen on the network */
    struct hosts **added; /* lines that tasks have given */
    size_t nadded;
    struct {                   /* agents that start agents */
        int starting, started; /* hosts that hrun starts at this moment; has started */
        double slowest;        /* seconds that a host needed to come up */
        bool tree_works;       /* an agent has started another one */
        int tree_failures;     /* agents that could not */
    } tree;
    struct {
        bool placed;            /* the tasks are on their way */
        struct job_task **task; /* those that hrun starts by rank, then those spawned later */
        int ntask, freed;       /* these; spawned ones that have ended and are not in the list */
        char **name;            /* of their programs */
        size_t nname;
        int world;         /* tasks that hrun starts */
        int over;          /* tasks that have ended */
        bool grown, alone; /* tasks were spawned; only one task has not ended */
    } tasks;
    struct {                /* what is kept for tasks */
        struct watch watch; /* what they want to be told */
        uint32_t next_context;
        struct list_node agreements; /* struct job_agreement */
        struct rosters rosters;      /* groups that they join by name */
        struct name_service names;   /* values that they put under names */
        /* job_answer_question(), a pointer, so that job_kept.c does not depend on what answers. */
        void (*answer)(struct job_task *asker, enum control_kind kind, struct unpack *in);
    } kept;
    struct { /* standard streams */
        struct spout out, err;
        ev_io input;
        ev_timer input_later; /* looks again whether we are in the foreground */
        bool input_ended;
        bool input_direct; /* a task on this machine reads it by itself */
    } stdio;
    struct { /* for -v: what is printed once */
        struct job_stranger stranger[JOB_STRANGERS + 1];
        int nstranger;
        uint64_t *relayed; /* pairs of host numbers, smaller << 32 | larger, that -v printed */
        size_t nrelayed;
    } seen;
    struct job_trace *trace; /* NULL: not asked for */
    struct {                 /* how it ends */
        bool decided;        /* exit_status and why are final */
        bool ending;         /* the agents have been told */
        bool done;           /* all is over, perhaps before the loop has begun */
        int exit_status;
        char why[1000];
        struct job_refusal *refusal; /* of hosts that cannot take part: not printed yet */
        size_t nrefusal;
        int signals; /* of the user, so far */
        ev_timer timeout, patience;
        ev_signal signal[8];
    } end;
    struct job_stall stall;
};

/* Runs the job; hosts NULL: on this machine.  Returns hrun's exit status. */
int job_run(const struct hrun_options *options, struct hosts *hosts);

/* The rest is between the job's own files.  All of it runs in hrun's only thread, from the event
 * loop; nothing blocks.  Functions job_on_..._ask() answer the question of a task: `in` holds its
 * fields, and begins with the number that the answer repeats.  A text "why" is for the user. */

/* ---- what hrun prints (job_say.c) ---- */

/* A line on hrun's standard error: "hrun: ...".  verbose: only with -v. */
__attribute__((format(printf, 2, 3))) void job_say(struct job *job, const char *format, ...);
__attribute__((format(printf, 2, 3))) void job_verbose(struct job *job, const char *format, ...);

/* ---- the steps of a job (job.c) ---- */

/* Something has happened that may complete a step of the job's life.  The check runs from the loop,
 * never under the caller, whose host or task it may end. */
static inline void job_step(struct job *job)
{
    ev_feed_event(job->loop, &job->step, EV_CUSTOM);
}
/* The same; besides, hosts that wait for their turn may be started now. */
static inline void job_start_more(struct job *job)
{
    job->start_more = true;
    job_step(job);
}

/* ---- hosts: starting agents, and their messages (job_hosts.c) ---- */

/* Starts hosts that are wanted and wait for it, as many as the limits of job_hosts.c allow. */
void job_hosts_start_more(struct job *job);
/* Applies an event to the host's state (member.h) and does what follows from it.  Other files call
 * job_host_event(), a pointer, so that they do not depend on job_hosts.c. */
void job_on_host_event(struct job_host *host, enum member_event event);
static inline void job_host_event(struct job_host *host, enum member_event event)
{
    host->job->host_event(host, event);
}
/* The host that a channel belongs to. */
static inline struct job_host *job_host_of(struct channel *channel)
{
    return (void *)((char *)channel - offsetof(struct job_host, channel));
}
/* Sends what was written to channel_out(); for one frame, channel_put() does both. */
static inline void job_host_send(struct job_host *host)
{
    channel_send(&host->channel);
}
static inline bool job_host_is_up(const struct job_host *host)
{
    return host->state == MEMBER_UP;
}
/* Seconds since it was started for the first time. */
static inline double job_host_waited(const struct job_host *host)
{
    return (double)(clock_now() - host->coming.first_start) * 1e-9;
}

/* ---- the process of a host's agent (job_process.c) ---- */

/* Prepares the host's entry: its watchers, and what its line says.  Starts nothing. */
void job_host_init(struct job *job, int number, const struct host_line *line);
/* The process wrote this on its standard error. */
void job_host_said(struct job_host *host, const char *data, size_t n);
/* Keeps the line that it has begun as its last one, also without an end: a question has none. */
void job_host_hear(struct job_host *host);
/* The process that another host's agent had started has ended, and its output is complete. */
void job_host_over(struct job_host *host, int wait_status);
/* The process that hrun had started has ended. */
/* Notes the end of what launch_start() has started. */
void job_host_watch_end(struct job_host *host, const struct launched *launched);
/* A host is lost when its process has ended and its channel is closed.  Then MEMBER_LOST follows,
 * from the loop. */
void job_host_lost_if_both(struct job_host *host);
/* Sets the host's deadline: without progress until then, MEMBER_DEADLINE follows. */
void job_host_alarm(struct job_host *host, double seconds);
#define JOB_LINGER 2.0 /* seconds that a channel may stay open when its process has ended */
/* Ends the process: SIGTERM the first time, SIGKILL the second time. */
void job_host_kill(struct job_host *host);

/* ---- the agent's first message and its answer (job_setup.c) ---- */

/* HELLO: what machine it is, and its addresses. */
void job_host_hello(struct job_host *host, struct unpack *in);
/* SETUP: secret, directory, environment, names of hosts, and the job's texts. */
void job_host_setup(struct job_host *host);

/* ---- hosts that cannot take part, or are lost (job_lost.c, job_refusals.c) ---- */

/* The host cannot take part, and why.  That ends the job in `patience` seconds, or is the answer to
 * the request to add it. */
__attribute__((format(printf, 3, 4))) void job_host_unusable(struct job_host *host, double patience,
                                                             const char *format, ...);
/* Its process has ended before it was up: it is started again, or unusable. */
void job_host_unreached(struct job_host *host);
/* It was not up in time. */
void job_host_too_late(struct job_host *host);
/* It took part, and is lost: that ends the job, or its tasks only (-on-failure notify). */
void job_host_lost(struct job_host *host);
/* Keeps why a host cannot take part; equal reasons of several hosts become one line. */
void job_refusal_add(struct job_host *host, const char *why);
/* Prints what is kept, and forgets it. */
void job_refusals_say(struct job *job);

/* ---- agents that start agents (job_tree.c) ---- */

/* Looks for a host that can start this one.  True: host->parent is it. */
bool job_tree_begin(struct job_host *host);
/* Agents do start others, and hrun has started enough hosts itself. */
bool job_tree_is_enough(const struct job *job);
/* Lets the parent start the host, and opens its channel inside the parent's. */
void job_tree_start(struct job_host *host, const struct channel_events *events);
/* Sends a signal to the process that the parent has started. */
void job_tree_signal(struct job_host *host, int number);
/* The host is up: its parent can start others. */
void job_tree_worked(struct job_host *host);
/* It is not: hrun starts it itself from now on. */
void job_tree_failed(struct job_host *host);
/* LAUNCH_... frames of a parent. */
void job_tree_frame(struct job_host *parent, struct control_frame *frame);
/* A parent is gone; what it has started is lost. */
void job_tree_orphans(struct job_host *parent);

/* ---- addresses of tasks (job_addresses.c) ---- */

/* Another agent gets its SETUP.  If the hosts are several machines now, tasks listen on the network
 * from now on, not on loopback only. */
void job_widen(struct job_host *come);
/* Keeps those of the agent's addresses at which its tasks can be reached, best first.  HN_OK, or
 * HN_ENOMEM, or HN_ESYS if -iface leaves none. */
int job_choose_addresses(struct job_host *host, const char *ssh_server, struct unpack *list);
/* ASK: a task asks where another one is.  The answer waits until that one has enrolled or ended. */
void job_on_ask(struct job_host *host, struct unpack *in);
/* Answers all who wait for this task's addresses. */
void job_answer_all(struct job_task *task);

/* ---- staging: agents and programs for hosts that have none (job_stage.c) ---- */

/* Reads what -stage is to send.  HN_OK, or an error with hn_error_text(). */
int job_stage_begin(struct job *job);
void job_stage_free(struct job *job);
/* Adds what hosts of this line need.  HN_OK, or an error with hn_error_text(). */
int job_stage_for(struct job *job, const struct host_line *line);
/* Before a spawn: true if the program is still on its way to hosts.  Then the question is kept, and
 * job_stage_go_on() asks it again. */
bool job_stage_first(const struct job_task *asker, const char *program,
                     const struct unpack *question);
void job_stage_go_on(struct job *job);
/* The host's shell asks for the agent, compressed or not.  False: there is none to send. */
bool job_stage_agent(struct job_host *host, bool packed);
/* The host's agent is up: offers it the programs. */
void job_stage_host(struct job_host *host);
/* STAGE_WANT and STAGE_DONE. */
void job_stage_frame(struct job_host *host, struct control_frame *frame);

/* ---- tasks: starting (job_tasks.c, job_pack.c), their list (job_task.c, job_ended.c) ---- */

/* Places all tasks on hosts.  False: that is impossible, and the job ends with the reason. */
bool job_place(struct job *job);
void job_start_tasks(struct job *job);
/* Frames of an agent about one of its tasks. */
void job_task_frame(struct job_host *host, struct control_frame *frame);
/* Adds a task to a host; rank is its place in its world.  NULL: out of memory, or the host has no
 * tid left.  The job owns it. */
struct job_task *job_new_task(struct job *job, uint32_t rank, struct job_host *host);
/* The task with this tid, or NULL.  For one that has ended and was freed it is a view, valid until
 * the next ended task of that host is looked up. */
struct job_task *job_any_task(struct job *job, uint32_t tid);
/* The same, if it is one of this host's. */
struct job_task *job_task_of(struct job_host *host, uint32_t tid);
/* Frees spawned tasks that have ended, and keeps of each what hn_task_status() returns. */
void job_free_ended(struct job *job);
/* The name of a task's program as it was started. */
const char *job_program_name(const struct job_task *task);
/* How many tasks fit on a host: its slots=, or its cores. */
int job_host_slots(const struct job_host *host);
/* Packs number, directory, and whether it was asked for: the begin of a PROGRAM frame.  asked NULL:
 * the directory of the host's line, or hrun's own. */
void job_pack_directory(struct pack *out, const struct job_host *host, uint32_t number,
                        const char *asked, const char *here);
/* WORLD: tasks that are started together. */
void job_pack_world(struct pack *out, struct job_task *const *world, uint32_t n);
/* SPAWN: those of them that run this program on this host; nothing where there are none. */
void job_pack_spawn(struct pack *out, const struct job_host *host, struct job_task *const *world,
                    uint32_t n, int program);

/* ---- several names of one machine (job_share.c) ---- */

/* Hosts with the same machine id share its cores; hrun prints that. */
void job_share_cores(struct job *job);
/* A host that was added later gets the cores that the others leave. */
void job_share_rest(struct job_host *added);

/* ---- what a task's end changes (job_over.c) ---- */

/* The task has ended, or was lost with its host: all who wait for it are answered. */
void job_task_over(struct job_task *task, uint32_t wait_status, bool host_lost);
/* The host is lost, and its tasks with it. */
void job_tasks_lost(struct job_host *host);

/* ---- connections of tasks (job_relay.c, job_fault.c, job_strangers.c) ---- */

/* RELAY_...: passes it to the agent of the other end. */
void job_relay(struct job_host *from, struct control_frame *frame);
/* UNDELIVERED: what a task had sent before it ended. */
void job_undelivered(struct job_host *from, struct unpack *in);
/* UNREACHED: a task cannot talk to another one; that ends the job, unless it is relayed. */
void job_fault(struct job_host *host, struct unpack *in);
/* STRANGER: a refused connection, counted by source. */
void job_stranger(struct job_host *host, struct unpack *in);
/* Prints the counts, with -v. */
void job_strangers_end(struct job *job);

/* ---- questions of tasks and their answers (job_questions.c, job_service.c) ---- */

/* A task asks: the fields of a FROM_TASK frame behind the tid. */
void job_question(struct job_task *asker, struct unpack *fields);
/* The same, of a question that is unwrapped. */
void job_answer_question(struct job_task *asker, enum control_kind kind, struct unpack *in);
/* Sends a frame to the agents of all hosts that are up. */
void job_put_all(struct job *job, enum control_kind kind, ...);
/* Sends a task the fields that are packed in inner, and frees these.  To one that has ended,
 * nothing is sent. */
void job_send_task(const struct job_task *task, enum control_kind kind, struct pack *inner);
void job_send_all_tasks(struct job *job, enum control_kind kind, struct pack *inner);
/* Answers a question with DONE: an error code, and why. */
__attribute__((format(printf, 4, 5))) void job_done(const struct job_task *task, uint32_t number,
                                                    int error, const char *format, ...);
void job_done_well(const struct job_task *task, uint32_t number);
void job_done_no_memory(const struct job_task *task, uint32_t number);
/* Answers a question with a NUMBER. */
void job_number(const struct job_task *task, uint32_t number, uint32_t value);
/* Only one task is left, and no spawn is under way. */
bool job_is_alone(const struct job *job);
/* Once tasks were spawned: tells all tasks when only one is left, and when that has changed. */
void job_announce_grown(struct job *job);

/* ---- questions that are answered later (job_kept.c) ---- */

/* Keeps a question, from its number on, at the end of a list.  False: out of memory. */
bool job_keep_question(struct list_node *list, const struct job_task *asker, enum control_kind kind,
                       const struct unpack *question);
/* Takes the first question of a list off, and answers it if its task still takes part. */
void job_ask_again(struct job *job, struct list_node *list);
/* Frees the questions of a list, which is not valid afterwards. */
void job_forget_questions(struct list_node *list);
/* ---- spawning (job_spawn.c) ---- */

void job_on_spawn_ask(struct job_task *asker, struct unpack *in);
/* A task runs (HN_OK), or does not, and why.  Does nothing for tasks that hrun has started. */
void job_spawn_outcome(struct job_task *task, int error, const char *why);

/* ---- contexts, and lists of members that agree (job_agree.c) ---- */

/* The first of n contexts that nobody else gets; 0: there are no more. */
uint32_t job_contexts(struct job *job, uint32_t n);
void job_on_context_ask(struct job_task *asker, struct unpack *in);
void job_on_agree_ask(struct job_task *asker, struct unpack *in);
/* A task has ended, or has called hn_exit(): nobody waits for it any more. */
void job_agree_without(struct job_task *task);
void job_agree_end(struct job *job);
/* The task has done neither. */
bool job_takes_part(const struct job_task *task);

/* ---- named groups (job_groups.c, roster.h) ---- */

enum { JOB_ASKED = 400 }; /* bytes of a text that says what a question waits for */

void job_groups_begin(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_groups_without(struct job_task *task, bool failed);
/* Gives up barriers to which nobody can come any more. */
void job_groups_check(struct job *job);
/* Says what this question of a task waits for; false: for no group. */
bool job_groups_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
/* Checks the name of a group or a value.  False: the task has its answer, an error. */
bool job_good_name(const struct job_task *asker, uint32_t number, const char *name);
void job_on_join_ask(struct job_task *asker, struct unpack *in);
void job_on_part_ask(struct job_task *asker, struct unpack *in);
void job_on_members_ask(struct job_task *asker, struct unpack *in);
void job_on_meet_ask(struct job_task *asker, struct unpack *in);
/* A member comes to a meeting: what MEET_ASK asks for. */
void job_meet(struct job_task *asker, uint32_t number, const char *name, enum roster_kind kind,
              uint32_t count);

/* ---- groups that hrun delegates to their members (job_delegation.c, job/delegation.h) ---- */

/* A barrier of all members is complete: whether they meet by themselves from now on. */
bool job_delegation_is_due(struct job *job, struct roster *roster);
/* Sends a member of such a group what it needs. */
void job_delegate(const struct job_task *task, struct roster *roster);
/* Whether a question about a group has to wait, and is kept, until the members have returned it. */
bool job_delegate_first(const struct job_task *asker, enum control_kind kind,
                        const struct unpack *in);
/* A member has returned its group: the answer to a recall, or because it leaves. */
void job_on_return(struct job_task *asker, struct unpack *in);
/* Recalls a group that is delegated. */
void job_recall(struct job *job, struct roster *roster);
/* A member is gone: its group is recalled, and told of it later. */
void job_delegation_without(struct job_task *task, bool failed);
void job_delegations_end(struct job *job);

/* ---- the name service (job_names.c, name_service.h) ---- */

void job_names_begin(struct job *job);
void job_names_end(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_names_without(struct job_task *task);
/* Gives up waits without a time limit when nobody is left who could put a value. */
void job_names_check(struct job *job);
/* Says what this question of a task waits for; false: for no value. */
bool job_names_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
void job_on_put_ask(struct job_task *asker, struct unpack *in);
void job_on_get_ask(struct job_task *asker, struct unpack *in);
void job_on_drop_ask(struct job_task *asker, struct unpack *in);
void job_on_names_ask(struct job_task *asker, struct unpack *in);

/* ---- notices (job_watch.c, watch.h) ---- */

/* hn_notify() */
void job_on_notify_ask(struct job_task *asker, struct unpack *in);
/* An event: those who have asked for it get a notice. */
void job_watch_task_over(const struct job_task *task);
void job_watch_host_lost(const struct job_host *host, bool removed);
/* n >= 1 hosts have been added by one request. */
void job_watch_hosts_added(struct job *job, const uint32_t *tids, uint32_t n);

/* ---- hosts that are added and removed (job_add.c, job_allow.c) ---- */

void job_on_add_hosts_ask(struct job_task *asker, struct unpack *in);
void job_on_remove_hosts_ask(struct job_task *asker, struct unpack *in);
/* The host is up, or gone.  Does nothing if nobody has asked for that. */
void job_host_added(struct job_host *host);
void job_host_removed(struct job_host *host);
/* The outcome for this host, if it is being added or removed. */
__attribute__((format(printf, 3, 4))) void job_changed(struct job_host *host, int error,
                                                       const char *format, ...);
/* Whether a task may give this line: HN_OK, or HN_EARG with hn_error_text(). */
int job_allow_line(const struct job *job, const struct host_line *line);
/* Whether the host may be this machine: not if a task has given its line and the job does not run
 * here. */
bool job_allow_here(const struct job_host *host);

/* ---- what tasks wait for: SIGQUIT and -timeout (job_stall.c) ---- */

/* Asks all tasks, prints the answers, then calls then(); NULL: nothing.  Does not wait. */
void job_stall(struct job *job, void (*then)(struct job *job));
/* There is a task that could wait for something. */
bool job_stall_is_worth(const struct job *job);
/* WAITS: the answer of a task. */
void job_on_waits(struct job_task *task, struct unpack *in);

/* ---- captured output (job_capture.c) ---- */

void job_on_capture_ask(struct job_task *asker, struct unpack *in);
void job_on_captured_ack(struct job_task *asker, struct unpack *in);
void job_on_capture_end(struct job_task *asker, struct unpack *in);
/* Passes output to the task that captures it; false: nobody does. */
bool job_capture_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
/* A spawned task is captured as its parent is, or as that has asked for. */
void job_capture_inherit(struct job_task *task);
void job_capture_over(struct job_task *task);

/* ---- standard streams (job_stdio.c) ---- */

bool job_stdio_begin(struct job *job);
void job_stdio_end(struct job *job);
bool job_stdio_open_task(struct job_task *task);
/* Frees what its output takes; false: some of it is not written yet. */
bool job_stdio_close_task(struct job_task *task);
/* Output of a task, stream 1 or 2; the end of both. */
void job_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
void job_output_over(struct job_task *task);
/* n bytes of its output are written: its agent may send as many more. */
void job_give_credit(struct job_task *task, uint8_t stream, size_t n);
/* The task can take n more bytes of standard input; 0: it has closed it. */
void job_room(struct job_task *task, uint32_t n);
/* Reads standard input, or stops reading it, as tasks have room. */
void job_input_check(struct job *job);

/* ---- -trace (job_trace.c) ---- */

/* Creates the file of -trace.  False: it cannot, and the reason is printed. */
bool job_trace_begin(struct job *job);
void job_trace_end(struct job *job);
/* The host is up: its clock is measured from now on; an answer of its clock. */
void job_trace_host(struct job_host *host);
void job_trace_clock(struct job_host *host, struct unpack *in);
/* Takes a task's records: the fields of a TRACE frame behind the tid. */
void job_trace_records(struct job_task *task, struct unpack *in);

/* ---- how a job ends (job_end.c, job_signals.c) ---- */

#define JOB_PATIENCE 2.0 /* seconds between SIGTERM and SIGKILL */
/* Begins to handle signals and -timeout. */
void job_end_begin(struct job *job);
/* The job is to end for this reason with this exit status; the first one counts.  The text is
 * printed at once (NULL: nothing is).  Agents get SIGTERM, and SIGKILL after `patience` seconds. */
__attribute__((format(printf, 4, 5))) void job_fail(struct job *job, int exit_status,
                                                    double patience, const char *format, ...);
/* Tells all agents to end. */
void job_end(struct job *job, double patience);
/* The same in some seconds: until then, other hosts may fail for the same reason. */
void job_end_in(struct job *job, double seconds);
/* Tells the agent of one host to end. */
void job_host_end(struct job_host *host, double patience, const char *why);
/* A task has ended, `ago` ms ago; how: CONTROL_DID_...  A failure ends the job, or with -on-failure
 * notify sets its exit status. */
void job_task_ended(struct job_task *task, int wait_status, unsigned how, uint32_t ago);
/* hn_abort() */
void job_on_abort_ask(struct job_task *task, struct unpack *in);
/* "signal 9 (Killed)" or "status 3". */
const char *job_how(int wait_status, char text[64]);

#endif
