/* hnowd.h - the agent of one host: starts tasks, knows them, passes their words on.
 *
 * The agent has one channel up, to hrun, and one to each of its tasks.  It decides nothing about
 * the job: it does what hrun's frames say and reports what happens.  Only one decision is its own:
 * when hrun is gone, all its tasks are killed at once.
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

/* A task of this host. */
struct hnowd_task {
    struct hnowd *agent;
    uint32_t tid, rank, parent;
    pid_t pid; /* and process group */
    enum child_state state;
    unsigned how; /* control_how bits */
    int wait_status;
    int64_t ended; /* clock_now() when its process had */
    bool refused;  /* its library is another one: it has failed, whatever it ends with */
    struct channel channel;
    struct stream out, err;
    struct inlet in;
    int trace;                             /* what it has noted (trace_record.h), or -1 */
    int outbox;                            /* what it has sent (outbox_record.h), or -1 */
    struct hnowd_world *world;             /* NULL: it has enrolled */
    struct hnowd_undelivered *undelivered; /* that is being passed on; NULL: nothing */
    ev_child exit;
    ev_timer drain; /* after the exit: ends streams that others hold open */
};

struct hnowd_program {
    struct spawn_program program;
    bool usable;
    char *flaw; /* why not */
};

struct hnowd_text {
    char *key;
    uint8_t *text;
    size_t length;
};

enum { HNOWD_DEADLY = 3 }; /* signals that end an agent */

struct hnowd {
    struct ev_loop *loop;
    struct channel up;
    struct pulse pulse;  /* of up, when it is not a descriptor of hrun's own host */
    bool direct;         /* it is */
    int input;           /* hrun's own standard input, for the one task that gets it; or -1 */
    struct rlimit files; /* the tasks' limit of open files */
    uint8_t secret[CONTROL_SECRET];
    uint32_t number; /* of this host */
    char *base;      /* hrun's directory */
    char *ports, *iface;
    bool wide;         /* tasks listen on the network (WIDE) */
    struct pack hosts; /* the list of WELCOME, packed */
    struct {
        struct hnowd_world *world; /* of the tasks that are started next */
        struct list_node worlds;   /* those of which tasks here have not enrolled yet */
        struct hnowd_task **task;  /* by serial - 1; NULL: could not be started, or is over */
        size_t ntask, live;        /* length of the array; tasks that are not over */
        struct hnowd_program *program;
        size_t nprogram;
        struct hnowd_text *text;
        size_t ntext;
    } tasks;
    struct relay relay;
    struct list_node launches; /* of agents of other hosts */
    struct list_node stages;   /* programs that hrun has staged here */
    const char *cache;         /* where they lie; NULL: nothing is staged here */
    ev_timer load;
    uint32_t load_said; /* last, in hundredths */
    bool ending;
    ev_timer kill;   /* ending: when patience is over */
    ev_timer answer; /* until SETUP has arrived: when it comes no more */
    ev_signal deadly[HNOWD_DEADLY];
};

/* Runs an agent over the two descriptors of its control channel until the job has ended.  input and
 * cache: as in struct hnowd.  direct: it was started without ssh.  Returns the exit status. */
int hnowd_run(int in, int out, int input, bool direct, const char *cache);
/* Sets up all parts around the loop; false: there is no loop. */
bool hnowd_begin(struct hnowd *agent, int in, int out, int input, bool direct, const char *cache);
int hnowd_close(struct hnowd *agent);

/* ---- between the agent's own files ---- */

/* Takes a frame of hrun's: one function a kind (hnowd_frames.c). */
void hnowd_frame(struct channel *up, struct control_frame *frame);
void hnowd_frames_close(struct hnowd *agent); /* frees what hrun has sent */
/* The agent's first frame (hnowd_hello.c). */
void hnowd_hello(struct hnowd *agent, bool direct);
/* The agents of other hosts, for hrun (hnowd_launch.c). */
void hnowd_launch(struct hnowd *agent, struct unpack *in);
void hnowd_launch_in(struct hnowd *agent, struct unpack *in);
void hnowd_launch_signal(struct hnowd *agent, struct unpack *in);
void hnowd_launches_close(struct hnowd *agent);
/* Programs that hrun carries here (hnowd_stage.c). */
void hnowd_stage(struct hnowd *agent, struct unpack *in);
void hnowd_stage_data(struct hnowd *agent, struct unpack *in);
void hnowd_stage_close(struct hnowd *agent);
/* The file to execute when these words name such a program, to be freed; the words become what that
 * file takes.  NULL: it is none. */
char *hnowd_stage_path(struct hnowd *agent, char ***argv);
/* The job's text of a key (hnowd_task.c); one of no length if there is none. */
const struct hnowd_text *hnowd_text(const struct hnowd *agent, const char *key);
/* The words of a list, NULL behind them; NULL: out of memory. */
char **hnowd_words(struct unpack *in);
/* Sends hrun what a task that has ended has noted (hnowd_trace.c). */
void hnowd_trace(struct hnowd_task *task);
/* Begins to pass on what a task that has ended has sent and has not been acknowledged
 * (hnowd_undelivered.c); in the end calls hnowd_drained_if_ended(). */
void hnowd_undelivered(struct hnowd_task *task);
/* Stops that. */
void hnowd_undelivered_stop(struct hnowd_task *task);
/* The task is over when its process has ended and all that it left has been passed on. */
void hnowd_drained_if_ended(struct hnowd_task *task);
/* hrun asks for this host's clock. */
void hnowd_clock(struct hnowd *agent, struct unpack *in);
/* Starts tasks; the list is the rest of a SPAWN frame (hnowd_task.c). */
void hnowd_spawn(struct hnowd *agent, uint32_t program, uint32_t parent, struct unpack *list);
void hnowd_tasks_close(struct hnowd *agent); /* frees them, whatever state they are in */
/* The live task of this tid or NULL. */
struct hnowd_task *hnowd_task(struct hnowd *agent, uint32_t tid);
/* Milliseconds since its process ended. */
unsigned hnowd_since_end(const struct hnowd_task *task);
/* Signal to the process group of a task. */
void hnowd_signal(struct hnowd_task *task, int number);
void hnowd_signal_all(struct hnowd *agent, int number);
/* Begins to end everything: SIGTERM now, SIGKILL after so many milliseconds. */
void hnowd_end(struct hnowd *agent, uint32_t milliseconds, const char *why);
/* Before anything may end. */
void hnowd_end_init(struct hnowd *agent);
/* hrun is gone, or somebody wants the agent gone: says why, and leaves nothing. */
__attribute__((format(printf, 2, 3))) void hnowd_abandon(struct hnowd *agent, const char *format,
                                                         ...);
/* Copies one list of hosts or tids, so that WELCOME can repeat it. */
void hnowd_keep_list(struct pack *kept, struct unpack *in, bool named);
/* World groups (hnowd_world.c).  A WORLD frame: that of the tasks that are started next. */
void hnowd_world(struct hnowd *agent, struct unpack *in);
/* That one, for a new task, until it has enrolled or is over; NULL is allowed everywhere. */
struct hnowd_world *hnowd_world_hold(struct hnowd *agent);
void hnowd_world_let_go(struct hnowd_world **held);
/* The size that WELCOME carries, and the ENDED frames that follow ENROL. */
uint32_t hnowd_world_size(const struct hnowd_world *world);
/* Which member a task of this host is. */
struct spawn_rank hnowd_world_rank(const struct hnowd_world *world, uint32_t tid, uint32_t rank);
void hnowd_world_tids(const struct hnowd_world *world, struct pack *out);
void hnowd_world_gone(const struct hnowd_world *world, struct pack *out);
/* A task has ended: end is what ENDED says of it. */
void hnowd_world_note_end(struct hnowd *agent, uint32_t tid, const struct unpack *end);
/* hrun has answered HELLO: from now on its silence ends the agent. */
void hnowd_expect_pulse(struct hnowd *agent);
/* From now on hrun learns how busy this host is (hnowd_load.c). */
void hnowd_load_begin(struct hnowd *agent);
/* Ends the agent when it is ending and nothing that it started is left. */
void hnowd_end_if_done(struct hnowd *agent);
