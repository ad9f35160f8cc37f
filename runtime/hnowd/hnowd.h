/* hnowd.h - the agent of one host: starts tasks, watches them, and forwards their frames.
 *
 * The agent has one channel to hrun, and one to each of its tasks.  It makes no decisions about the
 * job: it executes hrun's frames and reports events.  There is one exception: when hrun is gone, it
 * kills all its tasks at once.
 *
 * Memory of the agent grows with its tasks that are not over; what they write is bounded by windows
 * (stream.h, inlet.h).
 */
#pragma once

#include "protocol/channel.h"
#include "hnowd/child.h"
#include "hnowd/inlet.h"
#include "base/list.h"
#include "protocol/pulse.h"
#include "connect/relay.h"
#include "hnowd/spawn.h"
#include "hnowd/stream.h"

struct hnowd;

/* A task of this host. Made by hnowd_task_new(), freed by hnowd_task_free(); its tid stays taken.
 */
struct hnowd_task {
    struct hnowd *agent;
    uint32_t tid, rank, parent;
    pid_t pid; /* also its process group; 0: that has been killed */
    enum child_state state;
    unsigned how; /* control_how bits */
    int wait_status;
    int64_t ended; /* clock_now() when its process ended */
    bool refused;  /* its library has another version: it has failed, whatever its status */
    struct channel channel;
    struct stream out, err;
    struct inlet in;
    int trace;                             /* its trace memory (trace_record.h), or -1 */
    int outbox;                            /* its outbox memory (outbox_record.h), or -1 */
    struct hnowd_world *world;             /* NULL after it has enrolled */
    struct hnowd_undelivered *undelivered; /* its messages that are being forwarded; NULL: none */
    ev_child exit;
    ev_timer drain; /* after the exit: ends streams that other processes hold open */
};

/* A program that hrun has announced, by its number.  Unusable ones keep the reason. */
struct hnowd_program {
    struct spawn_program program;
    bool usable;
    char *flaw; /* why it is not usable */
};

/* A job text, copied from JOBTEXT and kept until the end. */
struct hnowd_text {
    char *key;
    uint8_t *text;
    size_t length;
};

enum { HNOWD_DEADLY = 3 }; /* signals that end an agent */

/* One for each process, on the stack of hnowd_run().  The loop's user data points to it.
 * Everything runs in one thread, in callbacks of the loop. */
struct hnowd {
    struct ev_loop *loop;
    struct channel up;
    struct pulse pulse;  /* keep-alive of `up`, unless hrun is on this host */
    bool direct;         /* hrun is on this host */
    int input;           /* hrun's own standard input, for the one task that gets it; or -1 */
    struct rlimit files; /* the tasks' limit of open files */
    uint8_t secret[CONTROL_SECRET];
    uint32_t number; /* of this host */
    char *base;      /* hrun's directory */
    char *ports, *iface;
    bool wide;         /* tasks listen on the network (WIDE) */
    struct pack hosts; /* the list in WELCOME, packed */
    struct {
        struct hnowd_world *world; /* of the tasks that are started next */
        struct list_node worlds;   /* those with tasks here that have not enrolled yet */
        struct hnowd_task **task;  /* by serial - 1; NULL: could not be started, or is over */
        size_t ntask, live;        /* length of the array; tasks that are not over */
        struct hnowd_program *program;
        size_t nprogram;
        struct hnowd_text *text;
        size_t ntext;
    } tasks;
    struct relay relay;
    struct list_node launches; /* agents of other hosts that it has started */
    struct list_node stages;   /* programs that hrun has staged here */
    const char *cache;         /* directory of staged files; NULL: nothing is staged here */
    ev_timer load;
    uint32_t load_said; /* the last load sent, in hundredths */
    bool ending;
    ev_timer kill;   /* while ending: when patience is over */
    ev_timer answer; /* timeout for SETUP */
    ev_signal deadly[HNOWD_DEADLY];
};

/* Runs an agent over the two descriptors of its control channel until the job has ended. input and
 * cache: as in struct hnowd. direct: it was started without ssh.  Returns the exit status. */
int hnowd_run(int in, int out, int input, bool direct, const char *cache);
/* Initialises all parts and the loop.  False: there is no loop. */
bool hnowd_begin(struct hnowd *agent, int in, int out, int input, bool direct, const char *cache);
int hnowd_close(struct hnowd *agent);

/* ---- between the agent's own files ---- */

/* Processes a frame of hrun, with one function for each kind (hnowd_frames.c). */
void hnowd_frame(struct channel *up, struct control_frame *frame);
void hnowd_frames_close(struct hnowd *agent); /* frees the data that hrun has sent */
/* Sends the agent's first frame (hnowd_hello.c). */
void hnowd_hello(struct hnowd *agent, bool direct);
/* Starts agents of other hosts, for hrun (hnowd_launch.c). */
void hnowd_launch(struct hnowd *agent, struct unpack *in);
void hnowd_launch_in(struct hnowd *agent, struct unpack *in);
void hnowd_launch_signal(struct hnowd *agent, struct unpack *in);
void hnowd_launches_close(struct hnowd *agent);
/* Programs that hrun stages here (hnowd_stage.c). */
void hnowd_stage(struct hnowd *agent, struct unpack *in);
void hnowd_stage_data(struct hnowd *agent, struct unpack *in);
void hnowd_stage_close(struct hnowd *agent);
/* The file to execute if these words name a staged program; the caller frees it.  *argv becomes the
 * words for that file.  NULL: it is not staged. */
char *hnowd_stage_path(struct hnowd *agent, char ***argv);
/* The job's text for a key (hnowd_task.c); its length is 0 if there is none. */
const struct hnowd_text *hnowd_text(const struct hnowd *agent, const char *key);
/* The words of a list, ending with NULL.  NULL: out of memory. */
char **hnowd_words(struct unpack *in);
/* Sends hrun the trace records of an ended task (hnowd_trace.c). */
void hnowd_trace(struct hnowd_task *task);
/* Starts to forward the unacknowledged messages of an ended task (hnowd_undelivered.c).  Calls
 * hnowd_drained_if_ended() in the end. */
void hnowd_undelivered(struct hnowd_task *task);
/* Stops that. */
void hnowd_undelivered_stop(struct hnowd_task *task);
/* The task is over when its process has ended and everything from it has been forwarded. */
void hnowd_drained_if_ended(struct hnowd_task *task);
/* Answers hrun's request for this host's clock. */
void hnowd_clock(struct hnowd *agent, struct unpack *in);
/* Starts the tasks of a SPAWN frame (hnowd_task.c). */
void hnowd_spawn(struct hnowd *agent, struct unpack *in);
void hnowd_tasks_close(struct hnowd *agent); /* frees them in any state */
/* The live task with this tid, or NULL. */
struct hnowd_task *hnowd_task(struct hnowd *agent, uint32_t tid);
/* Milliseconds since its process ended. */
unsigned hnowd_since_end(const struct hnowd_task *task);
/* Sends a signal to the process group of a task. */
void hnowd_signal(struct hnowd_task *task, int number);
void hnowd_signal_all(struct hnowd *agent, int number);
/* Begins to end everything: SIGTERM now, SIGKILL after so many milliseconds. */
void hnowd_end(struct hnowd *agent, uint32_t milliseconds, const char *why);
/* Initialises this; called before anything may end. */
void hnowd_end_init(struct hnowd *agent);
/* hrun is gone, or the agent was asked to end by a signal: prints why, and kills all tasks. */
__attribute__((format(printf, 2, 3))) void hnowd_abandon(struct hnowd *agent, const char *format,
                                                         ...);
/* Copies a list of hosts or tids, to be repeated in WELCOME. */
void hnowd_keep_list(struct pack *kept, struct unpack *in, bool named);
/* World groups (hnowd_world.c).  Processes WORLD: the world of the tasks that are started next. */
void hnowd_world(struct hnowd *agent, struct unpack *in);
/* A reference to that world for a new task, until it has enrolled or is over.  NULL is allowed
 * everywhere. */
struct hnowd_world *hnowd_world_hold(struct hnowd *agent);
void hnowd_world_let_go(struct hnowd_world **held);
/* The size for WELCOME, and the ENDED frames that follow ENROL. */
uint32_t hnowd_world_size(const struct hnowd_world *world);
/* The rank of a task of this host in its world. */
struct spawn_rank hnowd_world_rank(struct hnowd_world *world, uint32_t tid, uint32_t rank);
void hnowd_world_tids(const struct hnowd_world *world, struct pack *out);
void hnowd_world_gone(const struct hnowd_world *world, struct pack *out);
/* A task has ended: records it for members that have not enrolled; end: fields of ENDED. */
void hnowd_world_note_end(struct hnowd *agent, uint32_t tid, const struct unpack *end);
/* hrun has answered HELLO: from now on its silence ends the agent. */
void hnowd_expect_pulse(struct hnowd *agent);
/* Starts to report this host's load to hrun (hnowd_load.c). */
void hnowd_load_begin(struct hnowd *agent);
/* Ends the agent when it is ending and nothing that it started remains. */
void hnowd_end_if_done(struct hnowd *agent);
