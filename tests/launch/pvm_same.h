/* pvm_same.h - shared by the files of pvm_same, which prints what PVM's functions return, for a
 * comparison with real PVM: linked with libpvm3 and libgpvm3, of PVM or of hnow.  What differs from
 * run to run (tids, numbers of buffers) is not printed, but whether it is as it should be.
 */
#pragma once

#include <pvm3.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 5, GONE = 6 };
#define SHOW(call) printf("%-52s %d\n", #call, call)

extern int me;
extern char group[], program[4096];

/* Sends what is packed to oneself, and receives it. */
void turn(int tag);

/* pvm_same_messages.c */
void unpacking(void);
void texts(void);
void without_a_buffer(void);
void mailboxes(void);
void names_of_nothing(void);

/* pvm_same_groups.c */
void groups(void);
void groups_of_tasks(void);
int obedient_child(void);

/* pvm_same_tasks.c */
void children(void);
void cancelling(void);
void caught(void);
void leaving(void);

/* A message handler without effect. */
int ignore(int buffer);
