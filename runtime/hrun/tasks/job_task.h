/* job_task.h - the tasks of a job in hrun: their placement, start, look-up, and end. */
#pragma once

#include "hrun/job.h"

/* Output of a task: stream 1 or 2. The source is what the writer of streams sees (output.h). */
struct job_source {
    struct output_source source;
    struct job_task *task;
    uint8_t stream;
    size_t uncredited; /* bytes that the capturing task has not acknowledged */
};

/* The task that captures the output of a task, by hn_catch_output(). All zero: not captured. */
struct job_capture {
    uint32_t by;    /* its tid; 0: the output is not captured */
    uint32_t place; /* destination number in that task */
    bool waits;     /* that task does not leave before the output is over */
};

/* STARTING: the agent has not reported it yet.  RUNS: the process runs.  OVER: it and all its
 * output have ended. ENROLLED: its agent has reported its port, so it has an address. */
enum job_task_state { JOB_TASK_STARTING, JOB_TASK_RUNS, JOB_TASK_ENROLLED, JOB_TASK_OVER };

/* A task from its placement on.  Owned by job->tasks.task; hosts refer to it by serial number. */
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
    int file;        /* file for its output (-output), or -1 */
    uint32_t *asker; /* tids that wait for its address */
    size_t nasker;
    struct {                     /* state of a task that another task has spawned */
        uint32_t parent;         /* its tid; 0: started by hrun */
        char *name;              /* of its program; NULL: started by hrun */
        struct job_spawn *spawn; /* the request in progress, and the index in it */
        uint32_t spawn_at;
        bool end_expected; /* another task has ended it, so that is no failure */
        bool retired;      /* it has called hn_exit() */
        bool paused;       /* it has called hn_pause(), and may have become another program */
    } spawned;
    uint32_t wait_status;
    char *last_line; /* of its standard error; NULL: none */
    /* -trace */
    bool traced;      /* its records have arrived */
    unsigned threads; /* its threads that have names in the file */
    /* capturing of its own output; of tasks that it spawns */
    struct job_capture captured, captures;
    bool has_captured;    /* it captures output, or did */
    uint32_t stall;       /* number of the last round that it has answered */
    uint32_t capture_end; /* number of the question that waits for all output it captures */
};

/* The record of a spawned task that has ended (job_ended.c). Entries of tasks that have not ended
 * are not defined. */
struct job_ended {
    const char *name;
    uint32_t parent, rank, pid, wait_status;
};

/* ---- tasks: starting (job_tasks.c, job_pack.c), their list (job_task.c, job_ended.c) ---- */

/* Places all tasks on hosts.  False: impossible, and the job ends with the reason. */
bool job_place(struct job *job);
void job_start_tasks(struct job *job);
/* Processes frames of an agent about one of its tasks. */
void job_task_frame(struct job_host *host, struct control_frame *frame);
/* Adds a task to a host; rank: in its world.  NULL: out of memory, or the host has no tid left.
 * The job owns it. The task is STARTING and has no program yet. */
struct job_task *job_new_task(struct job *job, uint32_t rank, struct job_host *host);
/* The task with this tid, or NULL.  For an ended task that was freed it is a view, valid until the
 * next ended task of that host is looked up. */
struct job_task *job_any_task(struct job *job, uint32_t tid);
/* The same, if it is one of this host's tasks. */
struct job_task *job_task_of(struct job_host *host, uint32_t tid);
/* Frees spawned tasks that have ended, and keeps for each the result of hn_task_status(). */
void job_free_ended(struct job *job);
/* The name of a task's program as it was started. */
const char *job_program_name(const struct job_task *task);
/* Number of tasks for which a host has room: its slots=, or its cores. */
int job_host_slots(const struct job_host *host);
/* Packs the beginning of a PROGRAM frame: number, directory, and whether it was requested. asked
 * NULL: the directory of the host's line, or hrun's own. */
void job_pack_directory(struct pack *out, const struct job_host *host, uint32_t number,
                        const char *asked, const char *here);
/* Packs WORLD: tasks that are started together. */
void job_pack_world(struct pack *out, struct job_task *const *world, uint32_t n);
/* Packs SPAWN: the tasks of them that run this program on this host.  Packs nothing if there are
 * none. */
void job_pack_spawn(struct pack *out, const struct job_host *host, struct job_task *const *world,
                    uint32_t n, int program);

/* ---- consequences of a task's end (job_task_end.c) ---- */

/* The task has ended, or was lost with its host: answers all questions that wait for it. Each task
 * ends exactly once: frames of one that is over are dropped before. */
void job_task_end(struct job_task *task, uint32_t wait_status, bool host_lost);
/* The host is lost, and its tasks with it. */
void job_tasks_lost(struct job_host *host);
