/* job.h - a job as hrun, its root, sees it: its hosts, its tasks, and how it ends.
 *
 *     job.c          the steps of a job's life: all hosts up -> tasks placed and started -> end
 *     job_hosts.c    the agents: starting, hearing from them
 *     job_setup.c    what they say first and are told then
 *     job_lost.c     those that cannot be reached, or are lost
 *     job_refusals.c the lines about those that cannot be reached
 *     job_tree.c     agents that start further agents
 *     job_stage.c    agents and programs that are staged to hosts
 *     job_tasks.c    the tasks: starting, addresses, exits
 *     job_relay.c    connections of tasks that go through their agents
 *     job_fault.c    what tasks report of their connections
 *     job_service.c  what tasks ask hrun
 *     job_spawn.c    tasks that tasks start
 *     job_agree.c    what tasks agree on: contexts, members of groups
 *     job_groups.c   groups that tasks join by name
 *     job_names.c    values that tasks put under names
 *     job_add.c      hosts that come and go while the job runs
 *     job_allow.c    what the lines of such hosts may say
 *     job_capture.c    output of tasks that goes to other tasks
 *     job_watch.c    tasks that are told what happens to others
 *     job_stall.c    where it hangs: what tasks wait for
 *     job_stdio.c    their output, and standard input
 *     job_trace.c    -trace
 *     job_end.c      the ending: who decides, what is said, signals
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

enum { JOB_LINE = 400 };        /* bytes kept of what ssh says last */
#define JOB_DEADLINE       15.0 /* seconds in which a host has to come up */
#define JOB_STAGE_PATIENCE 30.0 /* the same, since more of a staged agent arrived there */
#define JOB_QUESTION       4.0  /* of silence after which a question there counts as one */

/* Can this agent start others? */
enum job_reach { JOB_REACH_UNTRIED, JOB_REACH_WORKS, JOB_REACH_FAILS };

/* Output of a task: stream 1 or 2. */
struct job_source {
    struct output_source source;
    struct job_task *task;
    uint8_t stream;
    size_t uncredited; /* bytes that its catcher has not acknowledged */
};

/* To whom the output of a task goes when that is not hrun. */
struct job_capture {
    uint32_t by;    /* its tid; 0: nobody catches it */
    uint32_t place; /* what the catcher calls it */
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
        bool told;    /* another task has told it to end: that is no failure */
        bool retired; /* it has called hn_exit() */
    } spawned;
    uint32_t wait_status;
    char *last_line; /* of its standard error; NULL: it has written none */
    /* -trace */
    bool traced;                           /* its records have come */
    unsigned threads;                      /* of it that have names in the file */
    struct job_capture captured, captures; /* its own output; that of what it spawns */
    bool has_captured;                     /* it is somebody's catcher, or was */
    uint32_t stall;                        /* number of the round that it has answered */
    uint32_t capture_end; /* number of the question that waits for all it catches */
};

/* What is kept of a spawned task that has ended (job_ended.c). */
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
        bool staged; /* the agent is sent there, which says from time to time that more has come */
        int64_t first_start;   /* clock_now(), which nobody can set; 0: not yet */
        int64_t first_refusal; /* the same, by a busy sshd */
        bool refused;          /* a line was already printed about it */
        char *unconnected;     /* ssh's line: all addresses are tried once more; NULL: not yet */
    } coming;
    struct { /* which hrun, or the agent of another host, has started for it */
        pid_t pid;
        ev_child exit;
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
    bool added; /* it has come while the job runs */
    struct {    /* what its agent said */
        bool direct;
        char machine[32]; /* x86_64, ... */
        char machine_id[128];
        uint8_t byte_order; /* as in HELLO */
        int cores;
        int share; /* of the cores of a machine that has several names in the job; 0: all of them */
        uint32_t load; /* hundredths; UINT32_MAX: not heard of yet */
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

/* ---- between the job's own files ---- */

/* A line on hrun's standard error: "hrun: ...".  verbose: only with -v. */
__attribute__((format(printf, 2, 3))) void job_say(struct job *job, const char *format, ...);
__attribute__((format(printf, 2, 3))) void job_verbose(struct job *job, const char *format, ...);

/* Something that may complete a step has happened: goes on if it has, when the caller has returned
 * to the loop. */
static inline void job_step(struct job *job)
{
    ev_feed_event(job->loop, &job->step, EV_CUSTOM);
}
/* The same; and hosts that wait to be started may be, by now. */
static inline void job_start_more(struct job *job)
{
    job->start_more = true;
    job_step(job);
}

void job_host_init(struct job *job, int number, const struct host_line *line);
/* Starts hosts that are wanted and wait for it. */
void job_hosts_start_more(struct job *job);
/* What becomes of a host (struct job: host_event). */
void job_on_host_event(struct job_host *host, enum member_event event);
/* Gives an event to a host (job_hosts.c). */
static inline void job_host_event(struct job_host *host, enum member_event event)
{
    host->job->host_event(host, event);
}
/* The host that a channel belongs to. */
static inline struct job_host *job_host_of(struct channel *channel)
{
    return (void *)((char *)channel - offsetof(struct job_host, channel));
}
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
/* What its process says on standard error; that it has ended, and all that it said has come. */
void job_host_said(struct job_host *host, const char *data, size_t n);
void job_host_over(struct job_host *host, int wait_status);
/* Takes the line that it has begun as its last, also when it does not end (a question). */
void job_host_hear(struct job_host *host);
/* Its process has ended (or: ended and hung up): then the host is lost. */
void job_host_on_exit(struct ev_loop *loop, ev_child *watcher, int events);
void job_host_lost_if_both(struct job_host *host);
/* What is to happen so soon: it comes up, ends, or is dealt with (MEMBER_DEADLINE). */
void job_host_alarm(struct job_host *host, double seconds);
#define JOB_LINGER 2.0 /* seconds that a channel may stay open when its process has ended */
/* Its process has to end, by force the second time. */
void job_host_kill(struct job_host *host);

/* HELLO; and the answer, when the host may take part. */
void job_host_hello(struct job_host *host, struct unpack *in);
void job_host_setup(struct job_host *host);

/* A host cannot take part, and why: that ends the job, or is the outcome of adding it. */
__attribute__((format(printf, 3, 4))) void job_host_unusable(struct job_host *host, double patience,
                                                             const char *format, ...);
/* Keeps why a host that the job began with cannot take part; prints all that is kept. */
void job_refusal_add(struct job_host *host, const char *why);
void job_refusals_say(struct job *job);
/* Its process has ended before it was up; it was not up in time; it took part. */
void job_host_unreached(struct job_host *host);
void job_host_too_late(struct job_host *host);
void job_host_lost(struct job_host *host);

/* Gives a host a parent when there is one for it. */
bool job_tree_begin(struct job_host *host);
/* The tree works, and hrun has started enough hosts itself. */
bool job_tree_is_enough(const struct job *job);
/* Lets the host's parent start it, opens its channel. */
void job_tree_start(struct job_host *host, const struct channel_events *events);
/* A signal for the process that the parent has started. */
void job_tree_signal(struct job_host *host, int number);
/* The host is up; or has failed and is to be started by hrun itself. */
void job_tree_worked(struct job_host *host);
void job_tree_failed(struct job_host *host);
/* LAUNCH_... frames of a parent. */
void job_tree_frame(struct job_host *parent, struct control_frame *frame);
/* A parent is gone, and with it what it has started. */
void job_tree_orphans(struct job_host *parent);
/* Another host's agent has its SETUP: when it is another machine, all tasks are to listen on the
 * network from now on (job_addresses.c). */
void job_widen(struct job_host *come);
/* Keeps those of the agent's addresses that its tasks can be reached at (job_addresses.c). */
int job_choose_addresses(struct job_host *host, const char *ssh_server, struct unpack *list);
/* Packs where a task can be reached from a host: the list of an ADDRESS frame. */
void job_pack_addresses(struct pack *pack, const struct job_task *task,
                        const struct job_host *from);

/* Reads what is to be staged.  HN_OK, or an error with hn_error_text(). */
int job_stage_begin(struct job *job);
void job_stage_free(struct job *job);
/* What hosts of this line need is to be staged there, too. */
int job_stage_for(struct job *job, const struct host_line *line);
/* Does this question to spawn have to wait, until programs have arrived?  Then it is put again. */
bool job_stage_first(const struct job_task *asker, const char *program,
                     const struct unpack *question);
/* Puts the questions that need not wait any more. */
void job_stage_go_on(struct job *job);
/* The host's shell wants the agent, and can unpack it or not; false: none is staged there. */
bool job_stage_agent(struct job_host *host, bool packed);
/* Its agent is up: offers it the programs. */
void job_stage_host(struct job_host *host);
/* STAGE_WANT and STAGE_DONE. */
void job_stage_frame(struct job_host *host, struct control_frame *frame);

/* Places and starts all tasks.  False when that cannot be done: it has been said why. */
bool job_place(struct job *job);
void job_start_tasks(struct job *job);
/* A further task on a host: rank is its place in its world.  NULL: out of memory, or the host has
 * had as many as have names. */
struct job_task *job_new_task(struct job *job, uint32_t rank, struct job_host *host);
void job_task_frame(struct job_host *host, struct control_frame *frame);
/* A STRANGER frame; the counts, at the end of the job (job_strangers.c). */
void job_stranger(struct job_host *host, struct unpack *in);
void job_strangers_end(struct job *job);
/* RELAY_... and UNDELIVERED (job_relay.c), UNREACHED (job_fault.c). */
void job_undelivered(struct job_host *from, struct unpack *in);
void job_relay(struct job_host *from, struct control_frame *frame);
void job_fault(struct job_host *host, struct unpack *in);
/* Any task of the job, also one that has ended (a view: job_ended.c); NULL: there is none of that
 * name. */
struct job_task *job_any_task(struct job *job, uint32_t tid);
/* Frees what is not needed any more of spawned tasks that have ended; what they are kept as. */
void job_free_ended(struct job *job);
/* The same of one host. */
struct job_task *job_task_of(struct job_host *host, uint32_t tid);
/* A task asks where another one is; it is known now (job_addresses.c). */
void job_on_ask(struct job_host *host, struct unpack *in);
void job_answer_all(struct job_task *task);
/* Packs number, directory and whether it was asked for: the begin of a PROGRAM frame.  asked NULL:
 * what the host's line says, or hrun's own directory. */
void job_pack_directory(struct pack *out, const struct job_host *host, uint32_t number,
                        const char *asked, const char *here);
int job_host_slots(const struct job_host *host);
/* What a task's program was called when it was started. */
const char *job_program_name(const struct job_task *task);
/* Whether a task may give this line: HN_OK, or HN_EARG. */
int job_allow_line(const struct job *job, const struct host_line *line);
/* Whether the host may be this machine: not when a task has given its line, and the job does not
 * run here. */
bool job_allow_here(const struct job_host *host);
/* Several names of one machine share its cores, and it is said; one that has come later gets what
 * the others leave of them (job_share.c). */
void job_share_cores(struct job *job);
void job_share_rest(struct job_host *added);

/* A task asks (the rest of a FROM_TASK frame). */
void job_question(struct job_task *asker, struct unpack *fields);
/* Sends a task what is packed in inner, and frees that. */
void job_send_task(const struct job_task *task, enum control_kind kind, struct pack *inner);
/* The same for all tasks of the job. */
void job_send_all_tasks(struct job *job, enum control_kind kind, struct pack *inner);
/* Answers a question: done, or why not. */
__attribute__((format(printf, 4, 5))) void job_done(const struct job_task *task, uint32_t number,
                                                    int error, const char *format, ...);
void job_done_well(const struct job_task *task, uint32_t number);
void job_done_no_memory(const struct job_task *task, uint32_t number);
/* Sends a frame to the agents of all hosts that are up. */
void job_put_all(struct job *job, enum control_kind kind, ...);
/* Answers a question with a NUMBER. */
void job_number(const struct job_task *task, uint32_t number, uint32_t value);
/* Only one task is left, and has asked for no other one. */
bool job_is_alone(const struct job *job);
/* Once tasks were spawned: tells all tasks when only one is left, and when that has changed. */
void job_announce_grown(struct job *job);
void job_on_spawn_ask(struct job_task *asker, struct unpack *in);
/* A task that is perhaps a spawned one runs (HN_OK), or does not. */
void job_spawn_outcome(struct job_task *task, int error, const char *why);

/* The first of n contexts that nobody else gets; 0: there are no more. */
uint32_t job_contexts(struct job *job, uint32_t n);
void job_on_context_ask(struct job_task *asker, struct unpack *in);
void job_on_agree_ask(struct job_task *asker, struct unpack *in);
/* A task has ended, or has called hn_exit(): nobody waits for it any more. */
void job_agree_without(struct job_task *task);
void job_agree_end(struct job *job);
/* Neither of the two. */
bool job_takes_part(const struct job_task *task);

/* The name of a group or a value; false: it is none, and the task has been told. */
bool job_good_name(const struct job_task *asker, uint32_t number, const char *name);
void job_groups_begin(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_groups_without(struct job_task *task, bool failed);
/* Nobody waits for members when nobody is left who could come. */
void job_groups_check(struct job *job);
/* What a task's question waits for, in words; false: it waits for nothing here. */
enum { JOB_ASKED = 400 };
bool job_groups_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
bool job_names_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
void job_on_join_ask(struct job_task *asker, struct unpack *in);
void job_on_part_ask(struct job_task *asker, struct unpack *in);
void job_on_members_ask(struct job_task *asker, struct unpack *in);
void job_on_meet_ask(struct job_task *asker, struct unpack *in);

void job_names_begin(struct job *job);
void job_names_end(struct job *job);
void job_on_put_ask(struct job_task *asker, struct unpack *in);
void job_on_get_ask(struct job_task *asker, struct unpack *in);
void job_on_drop_ask(struct job_task *asker, struct unpack *in);
void job_on_names_ask(struct job_task *asker, struct unpack *in);
/* A task has ended, or has called hn_exit(). */
void job_names_without(struct job_task *task);
/* Nobody waits without limit for what nobody can put. */
void job_names_check(struct job *job);
/* hn_notify(): the question, and what happens to tasks and hosts. */
void job_on_notify_ask(struct job_task *asker, struct unpack *in);
void job_watch_task_over(const struct job_task *task);
void job_watch_host_lost(const struct job_host *host, bool removed);
void job_watch_host_added(const struct job_host *host);

/* Creates the file of -trace; false: it has been said why not. */
bool job_trace_begin(struct job *job);
/* The host is up: its clock is measured from now on; an answer about it. */
void job_trace_host(struct job_host *host);
void job_trace_clock(struct job_host *host, struct unpack *in);
/* What a task has noted (the rest of a TRACE frame). */
void job_trace_records(struct job_task *task, struct unpack *in);
void job_trace_end(struct job *job);

/* Hosts that come and go (job_add.c): the questions; one has come up, or is gone; what has become
 * of one that is to come or go (nothing, when it is none). */
void job_on_add_hosts_ask(struct job_task *asker, struct unpack *in);
void job_on_remove_hosts_ask(struct job_task *asker, struct unpack *in);
void job_host_added(struct job_host *host);
void job_host_removed(struct job_host *host);
__attribute__((format(printf, 3, 4))) void job_changed(struct job_host *host, int error,
                                                       const char *format, ...);
/* Tells the agent of a host to end. */
void job_host_end(struct job_host *host, double patience, const char *why);

/* Says on standard error what every task waits for, then calls then() (job_stall.c). */
void job_stall(struct job *job, void (*then)(struct job *job));
/* There is a task that could wait for something. */
bool job_stall_is_worth(const struct job *job);
void job_on_waits(struct job_task *task, struct unpack *in);

/* Output that tasks catch (job_capture.c): the questions; true when somebody has captured it; a
 * spawned task's catcher; a task is over. */
void job_on_capture_ask(struct job_task *asker, struct unpack *in);
void job_on_captured_ack(struct job_task *asker, struct unpack *in);
void job_on_capture_end(struct job_task *asker, struct unpack *in);
bool job_capture_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
void job_capture_inherit(struct job_task *task);
void job_capture_over(struct job_task *task);

/* It has ended, or was lost with its host; the host is lost, and its tasks with it. */
void job_task_over(struct job_task *task, uint32_t wait_status, bool host_lost);
void job_tasks_lost(struct job_host *host);

bool job_stdio_begin(struct job *job);
bool job_stdio_open_task(struct job_task *task);
/* Frees what its output takes; false: some of it is not written yet. */
bool job_stdio_close_task(struct job_task *task);
void job_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
void job_output_over(struct job_task *task);
void job_give_credit(struct job_task *task, uint8_t stream, size_t n);
void job_room(struct job_task *task, uint32_t n);
void job_input_check(struct job *job);
void job_stdio_end(struct job *job);

/* The job is to end for this reason with this exit status; the first one counts.  The text is
 * printed at once (NULL: nothing is).  Agents get SIGTERM, and SIGKILL after `patience` seconds. */
__attribute__((format(printf, 4, 5))) void job_fail(struct job *job, int exit_status,
                                                    double patience, const char *format, ...);
/* A task has ended: does that end the job? */
void job_task_ended(struct job_task *task, int wait_status, unsigned how, uint32_t ago);
/* hn_abort() */
void job_on_abort_ask(struct job_task *task, struct unpack *in);
/* Tells all agents to end; and that after some seconds, so that others are heard which fail alike.
 */
void job_end(struct job *job, double patience);
void job_end_in(struct job *job, double seconds);
#define JOB_PATIENCE 2.0 /* seconds between SIGTERM and SIGKILL */
void job_end_begin(struct job *job);
/* "signal 9 (Killed)" or "status 3". */
const char *job_how(int wait_status, char text[64]);

#endif
