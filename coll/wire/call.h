/* call.h - one call of a collective operation, from the caller's arguments to the finished
 * execution.
 *
 * A public function fills the first half and hands it to call_run(), or to call_post() (request.c),
 * which returns at once. The rest is the same for all: call_open() finds the group state,
 * call_plan() the plan, and says where each part of the data lies (layout.c); the executor runs;
 * call_end() frees. In between, calls whose counts are known to some members only send them round:
 * that is an operation of its own (call_round()), and a step of the same public call.  So are the
 * operations that others of the library's functions are made of.
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

/* Counts, where these differ from rank to rank. */
struct call_lists {
    bool vector;                         /* the ...v forms, and reduce_scatter */
    const size_t *counts, *displs;       /* of what is received, or scattered */
    const size_t *in_counts, *in_displs; /* of alltoallv */
};

/* To whom multicasts go. */
struct call_targets {
    const int *to; /* members besides the root; NULL: it is no multicast */
    int to_count;
    struct multimulticast multi; /* of a multimulticast: its messages */
};

/* Memory that a call allocates. */
struct call_room {
    int64_t *sizes;
    uint64_t *shared;  /* counts that are to be sent round; NULL: nobody need be asked */
    const char *lacks; /* why this member has none to send; NULL: it has */
    uint8_t *scratch, **places;
};

/* How it gets its plan, and what is learned from it. */
struct call_planning {
    struct turn turn;
    int result;     /* what came of its turn */
    bool deflated;  /* a message of its execution was */
    uint64_t begun; /* group_state_now() when its messages were sent */
    struct decision
        *own_decision;        /* of one that is started often: a copy of that which it follows */
    struct decision *settles; /* when it has ended, this is to be settled; NULL: nothing is */
};

struct call {
    /* Arguments of the caller; those that the operation does not use are 0. */
    enum operation op;
    enum kind kind;      /* which public call it is, or a step of it */
    struct slot *within; /* then: that call's place; NULL: it has its own */
    const hn_group *group;
    const void *in;
    void *out;
    size_t count;
    struct call_lists lists;
    hn_type type;
    hn_op rule; /* by which contributions are combined */
    int root;
    struct call_targets targets;

    /* Derived from the arguments. */
    struct widened widened;
    struct group_state *state;
    struct subset *subset; /* of a multicast to a list, whose group state it is; else NULL */
    struct request req;
    struct execution x;
    struct fold fold;
    bool persistent;  /* made once, run often: it keeps its tag */
    struct slot slot; /* its own */
    struct call_room room;
    int outcome; /* an error with which it is over */
    int result;  /* of an execution that went well: HN_OK, or HN_ETRUNC for counts that do not agree
                  */
    struct call_planning planning;
};

/* The arguments are looked at, the call gets its place among those of the group, and must not be
 * moved any more. HN_OK, or an error with its text set; call_end() in every case, so of the next
 * two. */
int call_open(struct call *call);
/* When call->room.shared is not NULL: the call that sends it round, to be run before call_plan().
 */
struct call call_round(struct call *call);
/* Finds the plan; call_lay_out() is next.  When operations before it must be settled first,
 * EXECUTOR_WAITS: then call->planning.result is the result, when call->planning.turn.gate is open;
 * call_pass() waits for it. */
int call_plan(struct call *call);
int call_pass(struct call *call);
/* Whether a member whose execution has ended so settles with the others: theirs may have gone well,
 * and all count the same operations. */
bool call_still_settles(int outcome);
/* The decision after a call is made (NULL: cannot be): those behind it can be planned. */
void call_settled(struct call *call, const struct settling *settling);
/* It has failed: nobody waits for what it has left to be settled, or behind it in line. */
void call_give_up(struct call *call);
/* Its execution is over, with all that belongs to it, for good: the table learns of it
 * (open_table.h).
 */
void call_left(struct call *call);
void call_end(struct call *call);
/* All of it; blocks. */
int call_run(struct call *call);

/* The calling thread works for a call: its messages have the group state's context, and carry
 * the operation's name where jobs are watched. */
struct call_span {
    hn_context before;
    struct trace_span outer;
};
struct call_span call_enter(const struct call *call);
void call_leave(const struct call_span *span);
/* A call of the library's own making, of several operations or none so far, is over at this member,
 * with HN_OK or an error: it counts as called, and who waits for a step of it is told.  Returns the
 * error. */
int call_close(const hn_group *group, struct slot *slot, enum kind kind, int error);
/* split.c: hn_group_split() as the last step of such a call. */
int split_as(const hn_group *parent, struct slot *slot, enum kind kind, int colour, int key,
             hn_group **group);
/* The call does not begin, or continue, since this member is gone: who waits for it is notified. */
void call_note_dead(struct call *call, hn_tid dead);
/* Says that a member of the group has failed: HN_EDEAD. */
int call_name_dead(const char *operation, hn_tid dead);
/* Says that a persistent one cannot be started again, since messages of the start that has failed
 * may have stayed: HN_ESTATE. */
int call_name_broken(const char *operation);
/* The result of a call from that of its steps: HN_OK, or an error with its text set. */
int call_outcome(const struct call *call, int error);
/* The same for an execution; when it went well, the caller's buffers have what has arrived. */
int call_executed(const struct call *call, int error);

/* A call that cannot be made at all, for an error with its text set: it counts as one.  Returns
 * that.
 */
int call_refuse(struct call *call, int error);

/* request.c: nonblocking, and persistent; both take the call over. *request is set when HN_OK. */
int call_post(const struct call *call, hn_request **request);
int call_keep(const struct call *call, hn_request **request);

/* layout.c: whether a buffer is missing, HN_EARG with its text, as soon as sizes are known; and
 * before, when call->room.shared is not NULL: what this member's own lists say of that. */
int call_check_buffers(const struct call *call);
int call_check_own(struct call *call);
/* Sets execution.data or the place of each part, and copies the caller's contribution to
 * where the plan expects it. HN_OK, HN_ENOMEM, or HN_EARG where a buffer is missing: then nothing
 * can be carried out, and execution.mistake informs the others. */
int call_lay_out(struct call *call);
/* For a call that does not continue: no buffer of the caller's is touched. */
void call_lay_nowhere(struct call *call);

/* A list of parameters as one argument of a macro. */
#define LIST(...) __VA_ARGS__

/* The public forms of an operation: hn_NAME(), which waits; hn_iNAME(), which does not;
 * hn_NAME_init(), which can be started often. The expression is the call with its arguments. */
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
