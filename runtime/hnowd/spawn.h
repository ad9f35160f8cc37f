/* spawn.h - starting the process of a task: where, which program, with which descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The program to run; found once, used for many tasks. */
struct spawn_program {
    char **argv;        /* ends with NULL */
    char *directory;    /* where it will run */
    char *path;         /* the file to execute */
    char **environment; /* K=V each, besides the agent's own; ends with NULL, or NULL: nothing */
};

/* Chooses the directory and finds the program.
 *   wanted    the directory to use, "" none; when `must` is false and it does not exist, $HOME is
 *             used and note (to be freed) says so, else *note is NULL
 *   base      hrun's directory, the last place where a program is looked for
 * A name with a slash is taken from the task's directory, then from base; one without is looked up
 * in $PATH, then in base; known (NULL: none) is taken as it is.  Takes over argv and known in any
 * case.  HN_OK, or a negative code with
 * hn_error_text(); spawn_program_free() in both cases. */
int spawn_find(struct spawn_program *program, char **argv, const char *wanted, bool must,
               const char *base, char *known, char **note);
void spawn_program_free(struct spawn_program *program);

/* A process that runs: its pid (also its process group) and our ends of its descriptors. */
struct spawned {
    pid_t pid;
    int agent;    /* socket whose other end is named in HNOW_AGENT_FD */
    int out, err; /* its output */
    int in;       /* its standard input, -1 when it is not a pipe of ours */
    int trace;    /* memory that it shares with us for records (trace_record.h), or -1 */
    int outbox;   /* the same for what it sends (outbox_record.h) */
    int failure;  /* where spawn_result() learns whether the program was executed */
};

enum { SPAWN_NO_INPUT = -1, SPAWN_PIPE_INPUT = -2 };

/* Which of its world's tasks a task is, and which of those on this host. */
struct spawn_rank {
    uint32_t rank, size, local_rank, local_size;
};

/* Starts a process.  input is a descriptor that becomes its standard input (the caller keeps it),
 * or one of the above; files is its limit of open files; its environment has the rank.  Call
 * spawn_result() next; several starts may come before it.  HN_OK or HN_ESYS. */
int spawn_start(const struct spawn_program *program, int input, const struct rlimit *files,
                const struct spawn_rank *rank, struct spawned *spawned);
/* Blocks until the program is executed: HN_OK, or HN_ESYS when that failed; then everything is
 * closed and the process is gone. */
int spawn_result(const struct spawn_program *program, struct spawned *spawned);

/* Lets this process open as many files as it may, and says what it had before, which is what its
 * tasks should get. */
struct rlimit spawn_raise_limit(void);
