/* wire_state.h - the state that all collective operations of the task share. It is created at the
 * first operation and reference-counted: the world group and all groups that have had an operation
 * hold a reference, and dropping the last one frees it.
 */
#pragma once

#include "runtime/internal.h"
#include "hnow_coll.h"
#include "hnow_net.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct open_tables;

enum { OPERATORS_MOST = 256 }; /* at the same time; hn_op_new() then returns HN_ENOMEM */

/* The program's own operators (operator.c), by number. */
struct operators {
    pthread_mutex_t lock;
    struct own_operator {
        hn_op_function *function; /* NULL: the number is free */
        void *data;
        size_t width;
        bool commutes;
    } at[OPERATORS_MOST];
};

struct wire_state {
    atomic_int holders;
    pthread_mutex_t making;    /* held while the state of a group is created */
    hn_net *net;               /* the job's network file (job_net.h); NULL: not read, or none */
    pthread_mutex_t nets_lock; /* of nets: networks of members (member_net.h) */
    struct list_node nets;
    struct open_tables *tables; /* open operations of all groups */
    struct operators operators;
};

/* Sets *state with a reference for the caller, who drops it. HN_OK; HN_ENOMEM; HN_ESTATE: the task
 * is in no job. */
int wire_state_hold(struct wire_state **state);
/* Drops a reference; NULL is allowed. */
void wire_state_drop(struct wire_state *state);
