/* vm.h - what the files of libhnowpvm share: a call's beginning and end, buffers, receiving.
 *
 * Every public function is VM_CALL(what it does): the process is enrolled when it is not yet, and a
 * negative result is remembered, and printed as PvmAutoErr says.  VM_ASK(what it does, answers...)
 * does not print these results, VM_GROUP() none at all, as in PVM.
 */
#pragma once

#include "hnow.h"
#include "pvm3.h"
#include "pvmtev.h"
#include "job/internal.h"

#include <limits.h>
#include <stdbool.h>

#define VM_CALL(result) vm_end(__func__, vm_enter() ? PvmSysErr : (result))
/* Of the process alone, which need not be a task. */
#define VM_OWN(result) vm_end(__func__, (vm_lock(), (result)))
#define VM_ASK(result, ...)                                                                        \
    vm_answer(__func__, vm_enter() ? PvmSysErr : (result), (const int[]){__VA_ARGS__, 0})
#define VM_GROUP(result) vm_answer(__func__, vm_enter() ? PvmSysErr : (result), NULL)

/* ---- calls (pvm_call.c) ------------------------------------------------------------------- */

/* One lock guards all state of the library, since any thread may call it.  A thread may take it
 * several times.  A call of hnow that waits for other tasks is made without it:
 * VM_WAIT(result = hn_recv(...)).  Afterwards pointers into the library's tables are no longer
 * valid, since another thread may have changed them. */
extern struct lock vm_mutex;
/* How often this thread has entered: a handler or an operator of the program may call again. */
extern _Thread_local int vm_depth;

static inline void vm_lock(void)
{
    if (vm_depth++ == 0)
        lock_enter(&vm_mutex);
}

static inline void vm_unlock(void)
{
    if (--vm_depth == 0)
        lock_leave(&vm_mutex);
}

int vm_release(void); /* returns how often this thread has taken the lock */
void vm_retake(int held);
#define VM_WAIT(statement)                                                                         \
    do {                                                                                           \
        int held_ = vm_release();                                                                  \
        statement;                                                                                 \
        vm_retake(held_);                                                                          \
    } while (0)

extern enum vm_state { VM_BEFORE, VM_INSIDE, VM_PAUSED, VM_LEFT, VM_FORKED } vm_state;
extern char vm_words[400]; /* what hnow said about the call, "" when nothing */
/* PVM's context is the process's, hnow's the thread's: a thread takes it over as it enters. */
HNOW_PVM_API extern int pvmmyctx;     /* the program's */
extern _Thread_local int vm_followed; /* the one of the program that the thread has taken over */

/* Enrols the process if it is not, and takes over the program's context; `starts`: a machine where
 * there is neither a job nor a machine.  Returns PvmOk, or PvmSysErr if the process is no task. */
int vm_enrol(bool starts);

/* Enters the library: takes its lock, which vm_end() and vm_answer() give back. Most calls come
 * from a task in its context, and have little more to do. */
static inline int vm_enter(void)
{
    vm_lock();
    vm_words[0] = 0;
    return vm_state == VM_INSIDE && vm_followed == pvmmyctx ? PvmOk : vm_enrol(true);
}

void vm_report(const char *function, int result);
static inline int vm_end(const char *function, int result)
{
    if (result < 0)
        vm_report(function, result);
    vm_unlock();
    return result;
}

/* The same, but results in a list that ends with 0 are not printed; NULL: any but PvmSysErr. */
int vm_answer(const char *function, int result, const int *answers);

int vm_error(int error);
/* A result of hnow's as one of PVM's: what is not negative stays. */
static inline int vm_result(int result)
{
    return result >= 0 ? result : vm_error(result);
}

/* Runs `hnow VERB [-hosts FILE]`, with the file or NULL: whether it has succeeded
 * (hnow_program.c). */
bool vm_run_hnow(const char *verb, const char *hosts);
/* The process is no task any more, or (pauses) not until its next call. */
void vm_has_left(bool pauses);
/* Where this process is a task. */
enum vm_where { VM_NOWHERE, VM_BY_HAND, VM_IN_JOB };
enum vm_where vm_where(void);

/* ---- buffers (pvm_buffer.c) -------------------------------------------------------------------
 */

/* An element that stays where it is until its buffer is sent. */
struct vm_place {
    const void *data;
    size_t count, stride;
    hn_type type;
};

struct vm_buffer {
    hn_buffer *data;
    bool borrowed; /* data is another's */
    int encoding;
    bool packs; /* is being packed; else it was received, or is being unpacked */
    int from, tag, context, wait_id, checksum;
    size_t unpacked; /* elements that are unpacked; a message inside counts as one */
    struct vm_place *places;
    int nplace;
};

/* Makes a buffer around data (NULL: a new hn_buffer); returns its number, or PvmNoMem. */
int vm_buffer_new(int encoding, hn_buffer *data);
struct vm_buffer *vm_buffer(int id); /* NULL: there is none */
void vm_buffer_free(int id);
int vm_begin_send(int encoding); /* pvm_initsend() */
int vm_set_send(int id);         /* returns the number of the one before, as pvm_setsbuf() */
int vm_set_receive(int id);
int vm_send_id(void); /* 0: none */
int vm_receive_id(void);
/* The current buffers, for the next element: NULL if there is none.  As in PVM, packing begins anew
 * in a buffer that was received or unpacked, and unpacking at the first element of one that was
 * packed or has just arrived. */
struct vm_buffer *vm_to_pack(void);
struct vm_buffer *vm_to_unpack(void);
void vm_buffer_rewind(struct vm_buffer *buffer);
/* The bytes of data in it, without what hnow adds (measure.c). */
size_t vm_buffer_bytes(struct vm_buffer *buffer);
/* Packs what was left in place: to be called before the buffer goes anywhere. */
int vm_buffer_ready(struct vm_buffer *buffer);

/* ---- packing (pack.c) --------------------------------------------------------------------- */

int vm_pack(const void *data, int count, hn_type type, int stride);
int vm_unpack(void *data, int count, hn_type type, int stride);
int vm_pack_text(const char *text);
int vm_unpack_text(char *text);
/* Takes the next elements as they are, or as whole elements of another type that have those bytes;
 * the latter piece by piece (raw.c). */
int vm_take(struct vm_buffer *buffer, void *data, size_t count, hn_type type);
int vm_take_pieces(struct vm_buffer *buffer, void *data, size_t count, hn_type type);
/* How many elements of a type that many of another are: as bytes, unless they are converted. */
size_t vm_elements(hn_type from, size_t count, hn_type to);
hn_type vm_type(int datatype); /* of PVM_INT and the like; -1: none */

/* ---- receiving (arrive.c) ----------------------------------------------------------------- */

bool vm_names_source(int tid, int tag); /* whether they can be asked for */
bool vm_program_matches(void);          /* pvm_recvf(): source and tag mean what the program says */
/* Takes the message out of what has arrived, or waits for it: its buffer, 0 (none within the time),
 * or an error.  milliseconds < 0: no limit. */
int vm_receive(int tid, int tag, int milliseconds);
/* Takes what is kept already, of one context or (VM_ANY_CONTEXT) of any; 0: none. */
enum { VM_ANY_CONTEXT = INT_MIN };
int vm_kept(int tid, int tag, int context);
/* After each receive: the descriptor of pvm_getfds() (pvm_descriptor.c). */
void vm_descriptor_reset(void);
/* Drops all messages that have arrived in the current context. */
void vm_forget_messages(void);

/* A tid is the host's number and the task's number on it. */
enum { VM_HOST_OF_TID = 0x3ffc0000, VM_TIDS_END = 0x40000000 };

/* Not of a host, and not 0 or below. */
static inline bool vm_may_be_task(int tid)
{
    return tid > 0 && tid < VM_TIDS_END && (tid & VM_HOST_OF_TID) != tid;
}

/* ---- the rest ----------------------------------------------------------------------------- */

int vm_option(int what);
/* Sends the current buffer to all tids of a list but the caller's; 0 is nobody (pvm_message.c). */
int vm_send_others(const int *tids, int n, int tag);
void vm_notification_convert(struct vm_buffer *buffer, const hn_info *info); /* pvm_notify.c */

/* Names in mailboxes that are the library's begin so. */
#define VM_HIDDEN "\1group "

/* Contexts (pvm_context.c): hnow keeps the numbers below 0x10000 for itself. Those that a program
 * chooses there, also negative ones, are moved to the end of those for programs. */
enum { VM_CONTEXTS_HNOWS = 0x10000, VM_CONTEXTS_MOVED = 0x3fff0000, VM_CONTEXTS_END = 0x40000000 };

static inline hn_context vm_context_of(int context)
{
    int moves = context != 0 && context < VM_CONTEXTS_HNOWS;
    return (hn_context)(moves ? context + VM_CONTEXTS_MOVED : context);
}

void vm_follow_context(void); /* sets the context of the program in a thread that has another */
int vm_context(void);
const int *vm_contexts(int *n); /* all that the task has made or set; *n 0: out of memory */
/* widen() is called for each context that the task makes or sets for the first time: PvmOk or an
 * error of PVM's. */
void vm_contexts_watch(int (*widen)(int context));

/* The children's view of their parent (spawn.c). */
#define VM_ENV_CONTEXT    "HNOW_PVM_CONTEXT"
#define VM_ENV_NO_PARENT  "HNOW_PVM_NO_PARENT"
#define VM_ENV_TRACE_MASK "PVMTMASK"
const char *vm_child_trace_mask(void); /* trace_mask.c */
/* The name by which pvm_spawn() finds a program here, else the program itself. */
const char *vm_spawned_name(const char *program);

/* Machines (arch.c). */
const char *vm_arch_of(const char *machine);
int vm_signature_of(const hn_host_info *host);
int vm_hosts(hn_host_info **hosts, int *n); /* to be given back with free() */
void vm_forget_hosts(void);                 /* pvm_config() asks again */

/* hn_exit() or hn_pause(), and the end of what was caught (catch.c). */
int vm_leave(bool pauses);

/* Groups (group.c). */
struct vm_members {
    const hn_tid *tids; /* by instance; 0: nobody */
    int n;
    const hn_group *group; /* NULL: not frozen */
    bool spread;           /* frozen, and over several hosts */
    hn_tid *own;           /* what vm_members_free() gives back */
};
int vm_members(const char *name, struct vm_members *members);
void vm_members_free(struct vm_members *members);
void vm_thaw_all(void); /* no group is frozen any more */

/* What PVM's library has without telling in its header, and programs use (none.c, call.c,
 * handler.c). */
HNOW_PVM_API extern int pvmdebmask;
HNOW_PVM_API extern int pvm_errno, pvm_nerr;
HNOW_PVM_API extern char *pvm_errlist[];
HNOW_PVM_API int pvmendtask(void);
HNOW_PVM_API int pvmsleep(int seconds);
HNOW_PVM_API void pvmgetclock(struct timeval *now);
HNOW_PVM_API char *pvmgettmp(void);
HNOW_PVM_API char *pvmgetrsh(void);
HNOW_PVM_API char *pvmnametag(int tag, int *known);
HNOW_PVM_API extern char pvmctrc[];
HNOW_PVM_API void pvmdisplaymhfinfo(char *who, char *why, int tid);
HNOW_PVM_API int lpvmerr(char *text, int code);
