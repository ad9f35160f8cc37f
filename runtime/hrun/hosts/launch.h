/* launch.h - starts an agent, on this host or over ssh.
 *
 * A child process decides how its host is reached.  Resolving a name may take long, so all hosts
 * are resolved in parallel.  The child's standard input and output are the control channel. hrun
 * quotes its standard error if it fails.  It has its own session, so signals and questions of the
 * terminal do not reach it.
 *
 * launch_start() returns as soon as the process exists. Whether it succeeds is seen on its channel,
 * its standard error and its exit status.
 */
#pragma once

#include "hosts.h"
#include "protocol/stage.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* An hnowd that is staged to hosts (-stage). Owned by job_stage.c. */
struct launch_agent {
    const char *directory; /* its local directory */
    char hash[STAGE_HASH];
    uint64_t size;
};

/* Settings for all hosts. All strings belong to options or hosts files, which outlive the job. */
struct launch {
    const struct hosts *hosts;        /* to find gateways; NULL: no hosts file */
    const char *launcher;             /* instead of ssh (%h: the host); NULL: ssh */
    const char *directory;            /* of our own hnowd */
    const struct launch_agent *agent; /* agents that are staged; NULL: none */
    int nagent;
    int input; /* descriptor of standard input that an agent on this machine may use, or -1 */
    struct rlimit files; /* the user's limit of open files, which hrun has raised for itself */
};

/* The parent's view of a started process.  The caller owns the descriptors. channel and errors are
 * close-on-exec. */
struct launched {
    pid_t pid;  /* also its process group; 0: the persistent machine has started it, */
    int answer; /* and reports its end here (machine_answer()) */
    int channel;
    int errors; /* read end of its standard error */
};

/* Starts the agent of a host; host NULL: this machine.  If `here` is false, the host is this
 * machine, and no line of launch->hosts is, the child fails with a message on its standard error.
 * HN_OK or HN_ESYS. */
int launch_start(const struct launch *launch, const struct host_line *host, bool here,
                 struct launched *launched);
/* Starts the command of launch_words(), which hrun on another machine has made for a host. The
 * words are copied by fork(). */
int launch_start_words(char *const *words, const struct rlimit *files, struct launched *launched);
/* The address to which ssh could not connect. */
struct launch_place {
    char name[256], port[8];
};
/* Parses it from ssh's message. */
bool launch_place_of(const char *said, struct launch_place *place);
/* Instead of the agent: tries each address of that name.  If there are several, the process writes
 * "ADDRESS: REASON, ..." to its standard error, otherwise nothing.  HN_OK or HN_ESYS. */
int launch_look(const struct launch *launch, const struct launch_place *place,
                struct launched *launched);
/* Starts a child with these descriptors, the user's signal settings, and this limit of open files.
 * The child calls become(arg), which returns only on failure, as launch_exec_words() does. */
int launch_process(void (*become)(const void *arg), const void *arg, const struct rlimit *files,
                   struct launched *launched);
void launch_exec_words(char *const *words);
/* Creates the control channel and the pipe for standard error, our ends first: HN_OK or HN_ESYS. */
int launch_streams(int channel[2], int errors[2]);
/* Whether the host's line means this machine.  May block to resolve the name. */
bool launch_is_here(const struct host_line *host);
/* Whether any line does.  NULL: none. */
bool launch_any_is_here(const struct hosts *hosts);
/* Whether the host's line names this machine's loopback.  From another machine it would mean a
 * different host. */
bool launch_is_loopback(const struct host_line *host);

/* The directory of the running program, which also contains hnowd.  The caller frees it; NULL:
 * unknown. */
char *launch_directory(void);

/* The command for another host, ending with NULL (launch_free_words()).  NULL: out of memory. */
char **launch_words(const struct launch *launch, const struct host_line *host);
/* The command that the user can try by hand: "ssh -p 22 h2 true".  The caller frees it. */
char *launch_by_hand(const struct launch *launch, const struct host_line *host);
/* The command that starts hnowd on the other side; works in any login shell. */
char *launch_remote_command(const char *path, const char *directory);
/* The same for an agent that is staged there: see stage.h. */
char *launch_stage_command(const struct launch_agent *agent);
/* The agent that is staged to a host; NULL: none. */
const struct launch_agent *launch_agent_of(const struct launch *launch,
                                           const struct host_line *host);
void launch_free_words(char **words);
