/* starter.h - the commands that `hbench launch` times: hrun, and its references. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { STARTER_WORDS = 10 }; /* of the longest command line, and NULL */

struct starter {
    const char *peer; /* NULL: hrun */
    /* 0 only before it is filled in. */
    int64_t tasks;
    char *word[STARTER_WORDS]; /* ends with NULL; owned */
};

/* Each of these fills in *s (freed by starter_free()).  They return false if out of memory, or as
 * their comment says. */

/* hrun, next to this program if it is there, with this program's `started`. */
bool starter_hrun(struct starter *s, const char *hosts, int64_t tasks);
/* One concurrent `ssh HOST true` for each host in the file; tasks is their number.  Returns false
 * also if the file cannot be read; fail() has printed why. */
bool starter_ssh(struct starter *s, const char *hosts);
/* Number `which` of the peers' launchers, with `true` on this machine; false also if it is not
 * installed. */
enum { STARTER_PEERS = 2 };
bool starter_peer(struct starter *s, int which, int64_t tasks);
/* PVM tasks that do the same as hrun's: in a PVM started for them, or in a running one (folder:
 * starter_pvm_up()); false also if hbench was built without PVM. */
bool starter_pvm(struct starter *s, const char *folder, int64_t tasks);
void starter_free(struct starter *s);

/* A private PVM that runs until it is closed, or this process ends. starter_pvm_up() returns false
 * if there is none; close it in both cases. */
struct starter_pvm {
    int pid, line; /* line: the connection to it */
    /* PVM_TMP of its tasks. */
    char folder[PATH_MAX]; /* identifies it */
};
bool starter_pvm_up(struct starter_pvm *pvm);
void starter_pvm_down(struct starter_pvm *pvm); /* may be all zero */

/* Runs the command to its end and discards its output.  Returns false if it failed. */
bool starter_run(const struct starter *s, double *seconds);
