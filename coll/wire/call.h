/* call.h - one call of a collective operation, from the caller's arguments to the end of its
 * execution.
 *
 * A public function sets the first half and passes it to call_run(), or to call_post()
 * (collective_request.c), which returns at once. The rest is common to all operations. call_open()
 * finds the group state. call_plan() finds the plan, and call_lay_out() where each part of the data
 * lies (layout.c). Then the executor runs the plan, and call_end() frees everything.
 *
 * If only some members know the counts, the call exchanges them first. The exchange is an operation
 * of its own (call_round()) and a step of the same public call. The operations inside the library's
 * other functions are such steps, too.
 */
#pragma once

#include "wire/execute.h"
#include "wire/adapt.h"
#include "wire/fold.h"
#include "wire/open_table.h"
#include "wire/multimulticast.h"
#include "wire/group_state.h"
#include "wire/sequence.h"
#include "wire/widen.h"

#include "hnow_coll.h"
#include "job/internal.h"

/* Counts, if they differ from rank to rank. */
struct call_lists {
    bool vector;                         /* the ...v forms, and reduce_scatter */
    const size_t *counts, *displs;       /* of the output; of scattered data */
    const size_t *in_counts, *in_displs; /* of alltoallv */
};

/* The receivers of multicasts. */
struct call_targets {
    const int *to; /* members besides the root; NULL: not a multicast to a list */
    int to_count;
    struct multimulticast multi; /* of a multimulticast: its messages */
};

/* Memory that a call allocates. */
struct call_room {
    int64_t *sizes;
    uint64_t *shared;  /* counts to be exchanged; NULL: every member knows them */
    const char *lacks; /* why this member cannot supply its counts; NULL: it can */
    uint8_t *scratch, **places;
};

/* Planning, and measurement for adaptation. */
struct call_planning {
    struct sequence_entry entry;
    int result;                    /* result of planning */
    bool deflated;                 /* a message was deflated */
    uint64_t begun;                /* group_state_now() at its first message */
    struct decision *own_decision; /* persistent: copy of its decision */
    struct decision *pending;      /* to be agreed after the operation; NULL: none */
};

struct call {
    /* Arguments of the caller; unused ones are 0. */
    enum operation op;
    enum kind kind;      /* the public call, or a step of it */
    struct slot *within; /* of a step: the slot of its call; NULL: it has its own */
    const hn_group *group;
    const void *in;
    void *out;
    size_t count;
    struct call_lists lists;
    hn_type type;
    hn_op rule; /* the operator */
    int root;
    struct call_targets targets;

    /* Derived from the arguments. */
    struct widened widened;
    struct group_state *state;
    struct subset *subset; /* of a multicast to a list: its group state; else NULL */
    struct request req;
    struct execution x;
    struct fold fold;
    bool persistent;  /* started repeatedly: it keeps its tag */
    struct slot slot; /* its own */
    struct call_room room;
    int outcome; /* the error with which it has ended */
    int result;  /* of a successful execution: HN_OK, or HN_ETRUNC if counts do not agree */
    struct call_planning planning;
};

/* Checks the arguments and takes the call's slot in its group; the call must not be moved
 * afterwards. HN_OK, or an error with its text set. Call call_end() in either case, also after the
 * next two. */
int call_open(struct call *call);
/* If call->room.shared is not NULL: returns the call that exchanges the counts, to be run before
 * call_plan(). */
struct call call_round(struct call *call);
/* Finds the plan; call_lay_out() is next. EXECUTOR_WAITS: earlier operations must be agreed first.
 * Then call->planning.result is the result once call->planning.entry.gate is done; call_pass()
 * waits for it. */
int call_plan(struct call *call);
int call_pass(struct call *call);
/* Whether a member whose execution ended with this outcome still agrees with the others. Theirs
 * may have succeeded, and all members must count the same operations. */
bool call_still_agrees(int outcome);
/* Reports the agreed decision (NULL: impossible), so that the operations queued after it can be
 * planned. */
void call_agreed(struct call *call, const struct agreement *agreement);
/* The call has failed: releases its turn and what it had to agree, so that no operation waits for
 * it. */
void call_give_up(struct call *call);
/* Its execution has ended for good, with all its messages: records that in the open table
 * (open_table.h). */
void call_left(struct call *call);
void call_end(struct call *call);
/* Does all of the above; blocks. */
int call_run(struct call *call);

/* Enters and leaves a call in the calling thread. In between, messages have the context of the
 * group state, and carry the operation's name if the job is traced. */
struct call_span {
    hn_context before;
    struct trace_span outer;
};
struct call_span call_enter(const struct call *call);
void call_leave(const struct call_span *span);
/* Ends a call that consists of several operations, or of none so far, with HN_OK or an error. The
 * call counts, and members that wait for a step of it are notified. Returns the error. */
int call_close(const hn_group *group, struct slot *slot, enum kind kind, int error);
/* One step of such a call: an operation on `count` elements of a type, from rank 0 or to all. */
int call_step(const hn_group *group, struct slot *slot, enum kind kind, enum operation op,
              const void *in, void *out, size_t count, hn_type type);
/* split.c: hn_group_split() as the last step of such a call. */
int split_as(const hn_group *parent, struct slot *slot, enum kind kind, int colour, int key,
             hn_group **group);
/* The call does not begin, or continue, since this member is gone. Members that wait for it are
 * notified. */
void call_note_dead(struct call *call, hn_tid dead);
/* Sets HN_EDEAD with a text: a member of the group has failed. */
int call_name_dead(const char *operation, hn_tid dead);
/* Sets HN_ESTATE with a text: a persistent operation cannot be started again, since messages of the
 * failed start may still exist. */
int call_name_broken(const char *operation);
/* The result of a call whose step ended so: HN_OK, or an error with its text set. */
int call_outcome(const struct call *call, int error);
/* The same for an execution. After success the caller's buffers contain the result. */
int call_executed(const struct call *call, int error);

/* Ends a call that cannot be made, with an error whose text is set. It counts as a call. Returns
 * the error. */
int call_refuse(struct call *call, int error);

/* collective_request.c: nonblocking and persistent calls; both copy the call and own the copy.
 * *request is set if HN_OK. */
int call_post(const struct call *call, hn_request **request);
int call_keep(const struct call *call, hn_request **request);

/* layout.c: HN_EARG with its text if a buffer is missing. The first needs the sizes. The second
 * checks only this member's own lists, before the counts are exchanged (call->room.shared is not
 * NULL). */
int call_check_buffers(const struct call *call);
int call_check_own(struct call *call);
/* Sets execution.data or the place of each part, and copies the caller's contribution to where the
 * plan expects it. HN_OK, HN_ENOMEM, or HN_EARG if a buffer is missing. Then nothing can be
 * executed, and execution.mistake notifies the others. */
int call_lay_out(struct call *call);
/* For a call that does not continue: the executor will not touch the caller's buffers. */
void call_lay_nowhere(struct call *call);

/* A list of parameters as one argument of a macro. */
#define LIST(...) __VA_ARGS__

/* Defines the public forms of an operation: hn_NAME(), which blocks; hn_iNAME(), which does not;
 * hn_NAME_init(), which makes a persistent request. `expression` is the call with its arguments. */
#define FORMS_OF(type_made, run, start, keep, name, parameters, expression)                        \
    int hn_##name(parameters)                                                                      \
    {                                                                                              \
        type_made made = expression;                                                               \
        return run(&made);                                                                         \
    }                                                                                              \
    int hn_i##name(parameters, hn_request **request)                                               \
    {                                                                                              \
        type_made made = expression;                                                               \
        return start(&made, request);                                                              \
    }                                                                                              \
    int hn_##name##_init(parameters, hn_request **request)                                         \
    {                                                                                              \
        type_made made = expression;                                                               \
        return keep(&made, request);                                                               \
    }
