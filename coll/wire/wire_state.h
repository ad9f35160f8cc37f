/* wire_state.h - what the collective operations of the task share.  It is made at first use, is
 * kept with the world, and is freed with the world and the last group that has had an operation.
 */
#pragma once

#include "hnow_coll.h"
#include "hnow_net.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct open_tables;

enum { OPERATORS_MOST = 256 }; /* at once: a program that never frees them gets HN_ENOMEM */

/* The operators that the program has made (operator.c), by number. */
struct operators {
    pthread_mutex_t lock;
    struct own_operator {
        hn_op_function *function; /* NULL: free */
        void *data;
        size_t width;
        bool commutes;
    } at[OPERATORS_MOST];
};

struct wire_state {
    atomic_int holders;
    pthread_mutex_t making; /* held while a group's state is made */
    hn_net *net; /* the job's network file (job_net.h); NULL: not read, or there is none */
    struct open_tables *tables; /* open operations of all groups */
    struct operators operators;
};

/* Held once more for the caller; HN_ENOMEM, HN_ESTATE: the task is in no job. */
int wire_state_hold(struct wire_state **state);
/* NULL is allowed. */
void wire_state_drop(struct wire_state *state);
