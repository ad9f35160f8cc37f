/* job_task.h - the tasks of a job, as hrun sees them: where they are placed, how they are started
 * and found, and what follows from their end.
 */
#pragma once

#include "hrun/job.h"

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
        bool end_expected; /* another task has ended it: that is no failure */
        bool retired;      /* it has called hn_exit() */
        bool paused;       /* it has called hn_pause(), and may have become another program */
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

/* ---- what a task's end changes (job_over.c) ---- */

/* The task has ended, or was lost with its host: all who wait for it are answered. */
void job_task_over(struct job_task *task, uint32_t wait_status, bool host_lost);
/* The host is lost, and its tasks with it. */
void job_tasks_lost(struct job_host *host);
