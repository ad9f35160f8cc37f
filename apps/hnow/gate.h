/* gate.h - the parts of the gate: socket, requests, hosts. */
#pragma once

#include "keeper.h"
#include "runtime/internal.h"

#include <stdio.h>

/* Identifies the host of `hnow up` among all others: its identifier and its name. */
#define GATE_HOME_VARIABLE "HNOW_MACHINE_HOME"
enum { GATE_HOME = HOST_ID + 64 }; /* bytes */
void gate_home(char here[GATE_HOME]);

int gate_new_id(void); /* a unique request number of this machine */

/* Answers a request with a status, a line end, and text (gate_requests.c).  Takes the streams that
 * it uses and sets them to -1. */
void gate_answer(struct words *words, int connection, int streams[3], FILE *out);

/* gate_enrol(): a program requests to become a task. gate_offer(): a stand-in offers what it needs
 * (gate_enrol.c).  Each enrolment waits in its thread until the offer with its number arrives, or
 * until the time is over. */
void gate_enrol(int connection, FILE *out);
void gate_offer(const struct words *words, const int descriptors[3], FILE *out);

/* The machine's hosts (gate_hosts.c): the file passed to `hnow up`, and later changes.  Called
 * once, before any other thread uses the hosts. */
int gate_hosts_read(void);
/* Prints the hosts file in which `hnow add` and `hnow delete` have made their changes. */
void gate_hosts_print(FILE *out);
/* Returns the keeper of a host, given by name or address as in the file; 0: none.  If the host has
 * left the machine, a message to its keeper fails with HN_EDEAD. */
hn_tid gate_keeper_of(const char *host);
/* Stores all keepers in *tids, which the caller frees.  Returns their number. */
int gate_keepers(hn_tid **tids);
/* Requests a keeper to end the machine when the gate has ended. */
void gate_watched_by(hn_tid keeper);
/* Add a host by its line of a hosts file, and remove one by name.  They return a status and print a
 * line on `out`. */
int gate_hosts_add(const char *line, FILE *out);
int gate_hosts_remove(const char *name, FILE *out);

/* Tasks of programs started by hand, and their names (gate_tasks.c). gate_tasks_print() prints a
 * line for each task: host, process, tid, program. */
void gate_tasks_print(FILE *out);
/* Signals the task with that tid, or all (0).  Returns false if there is none. */
bool gate_tasks_signal(hn_tid tid, int number);
/* gate_names_print() lists names that match a pattern; gate_names_put() stores one.  Both print
 * status and text. */
void gate_names_print(const char *pattern, FILE *out);
void gate_names_put(const char *name, FILE *out);
/* Deletes values with this name (NULL: any) and index (HN_ANY: any); `left`: only those of ended
 * tasks.  Returns false if some belong to running tasks. */
bool gate_names_delete(const char *name, int index, bool left);
