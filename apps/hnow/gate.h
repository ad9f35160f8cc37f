/* gate.h - the parts of the gate: socket, requests, hosts. */
#pragma once

#include "keeper.h"

#include <stdio.h>

/* Marks the host of `hnow up` among all others: boot, network namespace, name. */
#define GATE_HOME_VARIABLE "HNOW_MACHINE_HOME"
enum { GATE_HOME = 256 }; /* bytes: three texts of 63 */
void gate_home(char here[GATE_HOME]);

int gate_new_id(void); /* a number that no other request of this machine has */

/* Answers a request: a status, a line end, text (gate_requests.c).  Takes the streams that it uses
 * and sets them to -1. */
void gate_answer(struct words *words, int connection, int streams[3], FILE *out);

/* A program wants to become a task; a stand-in offers what it needs (gate_enrol.c). */
void gate_enrol(int connection, FILE *out);
void gate_offer(const struct words *words, const int descriptors[3], FILE *out);

/* The machine's hosts (gate_hosts.c): the file that `hnow up` was given, and changes since. */
int gate_hosts_read(void);
void gate_hosts_print(FILE *out);
/* The keeper of the host that a name or an address of the file means; 0: none. If the host has left
 * the machine, a message to its keeper is HN_EDEAD. */
hn_tid gate_keeper_of(const char *host);
/* All keepers: how many; *tids to be freed. */
int gate_keepers(hn_tid **tids);
/* Adds a host by its line of a hosts file, removes one by name: status, with a line on `out`. */
int gate_hosts_add(const char *line, FILE *out);
int gate_hosts_remove(const char *name, FILE *out);

/* Tasks of programs that were started by hand, and their names (gate_tasks.c).  A line for each
 * task: host, process, tid, program. */
void gate_tasks_print(FILE *out);
/* Signals the task of that tid, or all (0): whether there is one. */
bool gate_tasks_signal(hn_tid tid, int number);
/* Lists names that match a pattern; puts one: status and text. */
void gate_names_print(const char *pattern, FILE *out);
void gate_names_put(const char *name, FILE *out);
/* Deletes values with this name (NULL: any) and index (HN_ANY: any); `left`: of tasks that have
 * ended.  False: some belong to tasks that run. */
bool gate_names_delete(const char *name, int index, bool left);
