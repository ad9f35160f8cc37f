/* launch.h - starting an agent: here, or on another host over ssh.
 *
 * A child process decides by itself how its host is reached: looking a name up may take long, and
 * so all hosts are looked up at once.  Its standard input and output are the control channel, its
 * standard error is what hrun quotes when it fails.  It has a session of its own, so that signals
 * and questions of the terminal do not reach it.
 */
#pragma once

#include "hosts.h"
#include "protocol/stage.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* An hnowd that is staged to hosts (-stage). */
struct launch_agent {
    const char *directory; /* in which it lies here */
    char hash[STAGE_HASH];
    uint64_t size;
};

/* The same for all hosts. */
struct launch {
    const struct hosts *hosts;        /* to find gateways; NULL: no hosts file */
    const char *launcher;             /* instead of ssh, NULL: ssh; %h: the host */
    const char *directory;            /* where our own hnowd lies */
    const struct launch_agent *agent; /* those that are staged; NULL: none is */
    int nagent;
    int input;           /* descriptor that an agent on this machine may use, or -1 */
    struct rlimit files; /* the user's limit of open files, which hrun has raised for itself */
};

struct launched {
    pid_t pid;  /* also its process group; 0: the machine that stays has started it, */
    int answer; /* and reports its end here (machine_answer()) */
    int channel;
    int errors; /* what it writes to standard error */
};

/* Starts the agent of a host; host NULL: this machine.  here false: a host that is this machine
 * fails, with a line on its standard error.  HN_OK or HN_ESYS. */
int launch_start(const struct launch *launch, const struct host_line *host, bool here,
                 struct launched *launched);
/* Starts what the words of launch_words() say, made for a host by hrun on another machine. */
int launch_start_words(char *const *words, const struct rlimit *files, struct launched *launched);
/* Where ssh could not connect to. */
struct launch_place {
    char name[256], port[8];
};
/* Reads it from what ssh said. */
bool launch_place_of(const char *said, struct launch_place *place);
/* Instead of the agent: tries each address of that name.  If there are several, the process writes
 * one line, "ADDRESS: REASON, ...", to its standard error; else it writes nothing.  HN_OK, HN_ESYS.
 */
int launch_look(const struct launch *launch, const struct launch_place *place,
                struct launched *launched);
/* Starts a child with these descriptors, signals as the user has them, and this limit of open
 * files. In it become() does not return unless it has failed. And a become() of words. */
int launch_process(void (*become)(const void *arg), const void *arg, const struct rlimit *files,
                   struct launched *launched);
void launch_exec_words(char *const *words);
/* The control channel and the pipe of standard error, ours first: HN_OK or HN_ESYS. */
int launch_streams(int channel[2], int errors[2]);
/* Whether the host's line means this machine; may ask the name service, and blocks meanwhile. */
bool launch_is_here(const struct host_line *host);
/* Whether the host's line names this machine's own loopback: from elsewhere it is another host. */
bool launch_is_loopback(const struct host_line *host);

/* The directory of the running program, where hnowd lies too; to be freed, NULL when unknown. */
char *launch_directory(void);

/* The words of the command for another host (ends with NULL; launch_free_words()), NULL: no memory.
 */
char **launch_words(const struct launch *launch, const struct host_line *host);
/* The command that the user can try by hand: "ssh -p 22 h2 true"; to be freed. */
char *launch_by_hand(const struct launch *launch, const struct host_line *host);
/* The command that starts hnowd on the other side, for whatever login shell runs it. */
char *launch_remote_command(const char *path, const char *directory);
/* The same for an agent that is staged there: see stage.h. */
char *launch_stage_command(const struct launch_agent *agent);
/* The agent that is staged to a host; NULL: none is. */
const struct launch_agent *launch_agent_of(const struct launch *launch,
                                           const struct host_line *host);
void launch_free_words(char **words);
