/* execute.h - carrying out a plan: this member's steps, as real messages; in one go, or in pieces
 * by an activity (activity.h), which never waits. */
#pragma once

#include "wire/termination.h"
#include "wire/fold.h"
#include "plan/plan.h"

#include "hnow.h"
#include "job/internal.h"

struct compress;
struct open_table;
struct model;

struct execution {
    struct plan *plan;
    const hn_tid *tids; /* [rank of the plan] */
    int rank;           /* the caller's */
    int tag;       /* of all messages; no other operation of the group has it at the same time */
    hn_type type;  /* of the elements; blocks are whole numbers of them */
    uint8_t *data; /* part p begins at data + (displs ? displs[p] * size of type : stride * p) */
    const size_t *displs;
    size_t stride;
    uint8_t **places; /* or: [part] where it is; those without a place pass through, and get one */
    int mistake; /* an error for which nothing is carried out, with its text set: who would have had
                    something from this member is told */
    struct open_table *table;  /* which knows of other members' mistakes; NULL: nobody does */
    const struct fold *fold;   /* NULL when nothing is combined */
    struct compress *compress; /* NULL: no message is to be deflated */
    const struct model *model; /* by which that is decided; NULL with it */
    bool *was_deflated;        /* becomes true when a message was; NULL: nobody wants to know */
};

struct sending {
    hn_request *request;
    const struct plan_step *step;
    void *packed;
    bool fragile;
    bool failed;   /* it has not arrived, */
    bool notified; /* and its receiver has been sent a termination notice instead */
};

enum {
    EXECUTOR_WAITS = 1,
    EXECUTOR_AHEAD = 16 /* how many steps ahead of their turn receives are posted, at most */
};

static inline void execution_note_deflated(const struct execution *execution)
{
    if (execution->was_deflated)
        *execution->was_deflated = true;
}

/* Parts that pass through a member, which has no place for them. */
struct passing {
    uint8_t *room;
    int32_t *parts; /* which they are */
    size_t count;
};

/* The message of a step, as it travels. */
struct deflated {
    uint8_t *message; /* NULL: it is not deflated, or that is not known */
    size_t length;
    bool taken; /* it has arrived */
};

/* An execution under way. */
struct executor {
    const struct execution *x;
    bool waits; /* for messages; else it says EXECUTOR_WAITS instead */
    size_t element;
    int32_t at;       /* the step that is next */
    int32_t *changed; /* [block] last step that changes it; 0: none */
    int32_t *early;   /* [own step] a receive may be posted when this step is next, or before */
    int32_t ahead;    /* the receives before this step are posted, or have been */
    hn_request *posted[EXECUTOR_AHEAD]; /* [step % that] its receive; NULL: not posted */
    bool *gone;    /* [own step] it has gone out with the first send of its multicast */
    hn_tid *group; /* [rank] room for whom a multicast goes to */
    struct sending *sendings;
    size_t sending_count;
    size_t fragile_from; /* all fragile sends that are not done stand from here on */
    size_t ended;        /* at the end: sends that have been waited for */
    int error;           /* of the steps */
    char text[256];      /* of that */
    hn_tid blamed;       /* of that: whose it was at first; 0: this member's, or the table knows */
    uint8_t termination[TERMINATION_SIZE];
    uint8_t *spare;
    size_t spare_size;
    struct passing passing;
    struct deflated deflated;

    /* Of one that does not wait. */
    hn_request *awaits; /* without this it cannot continue */
    bool received;      /* the message of that step is in spare */
};

/* Runs the caller's steps. Sends do not wait, receives are taken in the order of the plan; returns
 * when the buffers may be used again. The context of the calling thread is the one of the messages.
 * HN_OK, or the error of the message that failed; then sends to members that still run may be under
 * way, and data must stay until they have been taken. */
int plan_execute(const struct execution *execution);

/* The same in pieces: executor_begin() once, executor_continue() until it says something else than
 * EXECUTOR_WAITS, each time when executor->awaits is done. HN_OK or HN_ENOMEM; executor_free() in
 * every case. */
int executor_begin(struct executor *executor, const struct execution *execution);
int executor_continue(struct executor *executor);
/* After the end: ready to go through all steps again. */
void executor_rewind(struct executor *executor);
void executor_free(struct executor *executor);
