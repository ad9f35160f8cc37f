/* execute.h - executes a plan: the steps of this member, as real messages. Either in one blocking
 * call, or in pieces by an activity (activity.h), which never blocks.
 */
#pragma once

#include "wire/termination.h"
#include "wire/fold.h"
#include "plan/plan.h"

#include "hnow.h"
#include "job/internal.h"

struct compress;
struct open_table;
struct model;

/* What is executed, and where the data are. Set by the caller of the executor, which only reads it.
 * All pointers must be valid until the execution has ended. */
struct execution {
    struct plan *plan;
    const hn_tid *tids; /* [rank of the plan] */
    int rank;           /* rank of the caller */
    int tag;            /* of all messages; unique among the group's concurrent operations */
    hn_type type;       /* of the elements; blocks are whole elements */
    uint8_t *data;      /* part p is at data + (displs ? displs[p] * size of type : stride * p) */
    const size_t *displs;
    size_t stride;
    uint8_t **places; /* or the address of each part [part]; NULL: the part only passes through, and
                         gets memory */
    int mistake; /* an error for which nothing is executed, with its text set: receivers of this
                    member's messages are notified */
    struct open_table *table;  /* records errors of other members; NULL: none */
    const struct fold *fold;   /* NULL: nothing is combined */
    struct compress *compress; /* NULL: messages are not deflated */
    const struct model *model; /* model for that decision; NULL with it */
    bool *was_deflated;        /* set to true when a message was deflated; NULL: not needed */
};

/* A send that has been begun: a message, a copy for this member itself, or a termination notice.
 * They are in the order of the steps. */
struct sending {
    hn_request *request;
    const struct plan_step *step;
    /* A copy that belongs to this entry: packed blocks, a deflated message, or a message to itself.
     * NULL: sent from the caller's memory. */
    void *packed;
    /* A later step changes one of its blocks, so that step waits for this send. */
    bool fragile;
    bool failed;   /* the send failed, */
    bool notified; /* and its receiver has been sent a termination notice */
};

enum {
    EXECUTOR_WAITS = 1,
    EXECUTOR_AHEAD = 16 /* receives are posted at most so many steps ahead */
};

static inline void execution_note_deflated(const struct execution *execution)
{
    if (execution->was_deflated)
        *execution->was_deflated = true;
}

/* Memory for parts that pass through a member without a place of their own. Their entries in
 * execution.places are set during the execution, and NULL again afterwards. */
struct passing {
    uint8_t *room;
    int32_t *parts; /* their numbers */
    size_t count;
};

/* The received message of a step, if it is deflated or a termination notice. Kept here between
 * calls of an executor that does not block. */
struct deflated {
    uint8_t *message; /* NULL: not deflated, or not known yet */
    size_t length;
    bool taken; /* it has arrived */
};

/* State of an execution. One thread at a time uses it. Zeros, apart from what executor_begin()
 * sets, are the state before the first step. */
struct executor {
    const struct execution *x;
    bool waits; /* blocks for messages; else returns EXECUTOR_WAITS instead */
    size_t element;
    int32_t at;       /* next step */
    int32_t *changed; /* [block]: last step that changes it; 0: none */
    int32_t *early;   /* [own step]: a receive may be posted when this step is next, or before */
    int32_t ahead;    /* receives before this step have been posted */
    /* This allows receives to be posted before the steps between have been executed. */
    hn_request *posted[EXECUTOR_AHEAD]; /* [step % that]; NULL: not posted */
    bool *gone;                         /* [own step]: sent with the first send of its multicast */
    hn_tid *group;                      /* workspace for the receivers of a multicast */
    struct sending *sendings;
    size_t sending_count;
    size_t fragile_from; /* index of the first fragile send that may not be done */
    size_t ended;        /* at the end: number of sends that have been waited for */
    int error;           /* first error of the steps */
    char text[256];      /* its text */
    hn_tid blamed;       /* the member that caused it; 0: this one, or the table records it */
    uint8_t termination[TERMINATION_SIZE];
    uint8_t *spare;
    size_t spare_size;
    struct passing passing;
    struct deflated deflated;

    /* If it does not block: */
    hn_request *awaits; /* the request without which it cannot continue */
    bool received;      /* the message of the next step is in spare */
};

/* Executes the caller's steps. Sends do not block; messages are received in the order of the plan.
 * Returns when the buffers may be reused. The calling thread must have the context of the messages.
 * HN_OK, or the error of the message that failed. Then sends to other members may still be in
 * progress, and the data must remain until they are done. Blocks. It is executor_begin(),
 * executor_continue() and executor_free() in one. */
int plan_execute(const struct execution *execution);

/* The same in pieces. Call executor_begin() once, then executor_continue() until it returns
 * something else than EXECUTOR_WAITS, each time when executor->awaits is done. HN_OK or HN_ENOMEM;
 * call executor_free() in any case. */
int executor_begin(struct executor *executor, const struct execution *execution);
int executor_continue(struct executor *executor);
/* After the end, with HN_OK or an error: prepares to execute all steps again, with the same memory.
 * No send or receive may be in progress. */
void executor_rewind(struct executor *executor);
void executor_free(struct executor *executor);
