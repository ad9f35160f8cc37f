/* starter.h - the commands whose time `hbench launch` takes: hrun, and what it is compared with. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { STARTER_WORDS = 10 }; /* of the longest command line, and NULL */

struct starter {
    const char *peer; /* NULL: hrun */
    int64_t tasks;
    char *word[STARTER_WORDS]; /* ends with NULL; owned */
};

/* Each of these fills *s (starter_free()); false: out of memory, or what the function says. */

/* hrun, beside this program where there is one, with this program's `started`. */
bool starter_hrun(struct starter *s, const char *hosts, int64_t tasks);
/* As many `ssh HOST true` side by side as there are hosts in the file; tasks is their number. False
 * also when the file cannot be read: fail() has said why. */
bool starter_ssh(struct starter *s, const char *hosts);
/* Number `which` of the peers' launchers, with `true` on this machine; false also when that one is
 * not installed. */
enum { STARTER_PEERS = 2 };
bool starter_peer(struct starter *s, int which, int64_t tasks);
/* Tasks of PVM that do what hrun's do: in a PVM that is started for them, or in one that runs
 * already (folder: starter_pvm_up()); false also when hbench was built without PVM. */
bool starter_pvm(struct starter *s, const char *folder, int64_t tasks);
void starter_free(struct starter *s);

/* A PVM of our own that is there until it is closed, or this process ends.  False: there is none;
 * close it also then. */
struct starter_pvm {
    int pid, line;         /* its connection */
    char folder[PATH_MAX]; /* that names it */
};
bool starter_pvm_up(struct starter_pvm *pvm);
void starter_pvm_down(struct starter_pvm *pvm); /* also one of zeros */

/* Runs it to its end, its output not shown.  False: it failed. */
bool starter_run(const struct starter *s, double *seconds);
