/* starter.h - the commands whose time `hbench launch` takes: hrun, and what it is compared with. */
#ifndef HBENCH_STARTER_H
#define HBENCH_STARTER_H

#include <stdbool.h>
#include <stdint.h>

enum { STARTER_WORDS = 10 };

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
void starter_free(struct starter *s);

/* Runs it to its end, its output not shown.  False: it failed. */
bool starter_run(const struct starter *s, double *seconds);

#endif
