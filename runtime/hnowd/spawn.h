/* spawn.h - starts the process of a task: in its directory, with its program and descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The program to run; found once, used for many tasks. */
struct spawn_program {
    char **argv;        /* ends with NULL */
    char *directory;    /* working directory */
    char *path;         /* the file to execute */
    char **environment; /* K=V, besides the agent's own; ends with NULL. NULL: none */
};

/* Chooses the directory and finds the program.
 *   wanted    the directory to use, "" none.  If it does not exist and `must` is false, $HOME is
 *             used, and *note (freed by the caller) reports that; else *note is NULL
 *   base      hrun's directory, the last place in which to search
 * A name with a slash is searched in the task's directory, then in base.  A name without is
 * searched in $PATH, then in base.  If known is not NULL, it is the file.  Takes ownership of argv
 * and known in any case.  HN_OK, or an error with hn_error_text().  The caller calls
 * spawn_program_free() in both cases. */
int spawn_find(struct spawn_program *program, char **argv, const char *wanted, bool must,
               const char *base, char *known, char **note);
void spawn_program_free(struct spawn_program *program);

/* A running process: its pid (also its process group) and our ends of its descriptors. */
struct spawned {
    pid_t pid;
    int agent;    /* socket; HNOW_AGENT_FD names its other end */
    int out, err; /* its output */
    int in;       /* its standard input, or -1: not a pipe of ours */
    int trace;    /* memory shared with it for trace records (trace_record.h), or -1 */
    int outbox;   /* the same for its outbox (outbox_record.h) */
    int failure;  /* pipe from which spawn_result() reads whether the program was executed */
};

/* Values of `input` that are no descriptors: /dev/null, or a new pipe. */
enum { SPAWN_NO_INPUT = -1, SPAWN_PIPE_INPUT = -2 };

/* The rank of a task in its world, and among the world's tasks on this host. */
struct spawn_rank {
    uint32_t rank, size, local_rank, local_size;
};

/* HN_ESYS: n tasks certainly need more descriptors than the limit allows.  Else HN_OK. */
int spawn_check_room(size_t n);
/* Starts a process. input: a descriptor for its standard input, which the caller keeps, or one of
 * the above; files: its limit of open files; rank: for its environment.  Call spawn_result() next;
 * several starts may precede it.  HN_OK or HN_ESYS. */
int spawn_start(const struct spawn_program *program, int input, const struct rlimit *files,
                const struct spawn_rank *rank, struct spawned *spawned);
/* Blocks until the program is executed: HN_OK.  HN_ESYS: that failed; everything is closed and the
 * process is gone. */
int spawn_result(const struct spawn_program *program, struct spawned *spawned);
/* Closes our ends of its descriptors. The process stays. */
void spawn_drop(struct spawned *spawned);

/* Raises this process's limit of open files as far as possible.  Returns the old limit, which its
 * tasks should get. */
struct rlimit spawn_raise_limit(void);
