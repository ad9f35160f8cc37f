/* vm.h - shared by the files of libhnowpvm: prologue and epilogue of calls, buffers, receiving.
 *
 * Every public function is VM_CALL(expression): the process is enrolled if necessary, and a
 * negative result is recorded, and printed according to PvmAutoErr.  VM_ASK(expression, results...)
 * does not print these results, and VM_GROUP() prints none, as in PVM.
 *
 * The steps of a call are: take the lock, become a task, adopt the context, run, record the
 * result, release the lock. Functions such as vm_pack() run between these steps, so they need no
 * lock of their own. They return a result of PVM and leave printing to the epilogue.
 */
#pragma once

#include "hnow.h"
#include "pvm3.h"
#include "pvmtev.h"
#include "job/internal.h"

#include <limits.h>
#include <stdbool.h>

/* The function's name is for the message of a failure. */
#define VM_CALL(result) vm_end(__func__, vm_enter() ? PvmSysErr : (result))
/* For calls about the process only, which need not be a task. */
#define VM_OWN(result) vm_end(__func__, (vm_lock(), (result)))
#define VM_ASK(result, ...)                                                                        \
    vm_answer(__func__, vm_enter() ? PvmSysErr : (result), (const int[]){__VA_ARGS__, 0})
/* For groups, where PVM prints no negative result. */
#define VM_GROUP(result) vm_answer(__func__, vm_enter() ? PvmSysErr : (result), NULL)

/* ---- calls (pvm_call.c) ------------------------------------------------------------------- */

/* One recursive lock protects all state of the library, since any thread may call it.  Calls of
 * hnow that wait for other tasks are made without it: VM_WAIT(result = hn_recv(...)).  Afterwards
 * pointers into the library's tables are invalid, because another thread may have changed them. */
extern struct lock vm_mutex;
/* State of each thread, in one place, because every call reads it.  depth: nesting depth of its
 * calls, as a handler or an operator of the program may call again.  followed: the context that it
 * has adopted.  send, receive: numbers of its current buffers (0: none), so that one thread can
 * pack while another one unpacks. */
extern _Thread_local struct vm_thread {
    int depth, followed, send, receive;
} vm_thread;

/* The depth is a variable of the thread, so only its first call enters the lock, and the last
 * one leaves it. */
static inline void vm_lock(void)
{
    if (vm_thread.depth++ == 0)
        lock_enter(&vm_mutex);
}

static inline void vm_unlock(void)
{
    if (--vm_thread.depth == 0)
        lock_leave(&vm_mutex);
}

int vm_release(void); /* returns this thread's nesting depth of the lock */
/* Restores the depth that vm_release() returned. */
void vm_retake(int held);
#define VM_WAIT(statement)                                                                         \
    do {                                                                                           \
        int held_ = vm_release();                                                                  \
        statement;                                                                                 \
        vm_retake(held_);                                                                          \
    } while (0)

/* BEFORE: has not enrolled yet. INSIDE: is a task. PAUSED: has called pvm_exit() in a job, so that
 * the next call continues. LEFT: has left a virtual machine. FORKED: the child of a task. */
extern enum vm_state { VM_BEFORE, VM_INSIDE, VM_PAUSED, VM_LEFT, VM_FORKED } vm_state;
extern char vm_words[400]; /* hnow's error text for the call, "" if none */
/* PVM's context belongs to the process, hnow's to the thread, which adopts it when it enters. */
HNOW_PVM_API extern int pvmmyctx; /* the program's */

/* Enrols the process if necessary, and adopts the program's context.  `starts`: starts a virtual
 * machine if there is neither a job nor a machine.  Returns PvmOk, or PvmSysErr if the process is
 * no task. */
int vm_enrol(bool starts);

/* Enters the library: takes its lock, which vm_end() and vm_answer() release, and enrols the
 * process if necessary.  Inline, because most calls need no more than this. */
static inline int vm_enter(void)
{
    vm_lock();
    vm_words[0] = 0;
    return vm_state == VM_INSIDE && vm_thread.followed == pvmmyctx ? PvmOk : vm_enrol(true);
}

/* As vm_enter(), in the usual case only: the process is a task, and this thread takes the lock
 * without an atomic operation.  The caller leaves by lock_leave_open(), unless something has
 * failed: then vm_enter_late() makes it as after vm_enter().  False: it has not entered. */
static inline bool vm_enter_open(void)
{
    if (vm_thread.depth > 0 || !lock_enter_open(&vm_mutex))
        return false;
    if (vm_state == VM_INSIDE && vm_thread.followed == pvmmyctx)
        return true;
    lock_leave_open(&vm_mutex);
    return false;
}

static inline void vm_enter_late(void)
{
    vm_thread.depth = 1;
    vm_words[0] = 0;
}

/* Records the result for pvm_errno, and prints it; may end the process (PvmAutoErr 2 and 3). */
void vm_report(const char *function, int result);
/* The lock is held until the error is printed, so lines of threads are not mixed. */
static inline int vm_end(const char *function, int result)
{
    if (result < 0)
        vm_report(function, result);
    vm_unlock();
    return result;
}

/* As vm_end(), but does not print results in a list that ends with 0; NULL: prints only
 * PvmSysErr. */
int vm_answer(const char *function, int result, const int *answers);

/* Also stores hnow's error text. The argument is negative. */
int vm_error(int error);
/* Maps a result of hnow to one of PVM; non-negative values are unchanged. */
static inline int vm_result(int result)
{
    return result >= 0 ? result : vm_error(result);
}

/* Runs `hnow VERB [-hosts FILE]` (hnow_program.c); hosts may be NULL.  Returns true if it
 * succeeded. */
bool vm_run_hnow(const char *verb, const char *hosts);
/* Records that the process has left the job, or (pauses) until its next call. */
void vm_has_left(bool pauses);
/* Whether and where this process is a task. */
enum vm_where { VM_NOWHERE, VM_BY_HAND, VM_IN_JOB };
enum vm_where vm_where(void);

/* ---- buffers (pvm_buffer.c) -------------------------------------------------------------------
 */

/* Data packed in place: it is read when the buffer is sent. */
struct vm_place {
    const void *data; /* NULL: `value` */
    size_t count, stride;
    hn_type type;
    _Alignas(long) char value[sizeof(double)]; /* of pvm_packf() */
};

/* A message. The numbers `from` to `wait_id` accompany it (pvm_getminfo()). */
struct vm_buffer {
    hn_buffer *data;
    bool borrowed; /* data belongs to someone else */
    int encoding;
    bool packs; /* is being packed; else it was received, or is being unpacked */
    int from, tag, context, wait_id;
    struct vm_place *places;
    int nplace;
};

/* Grows with the number of buffers in use, and is never freed. */
extern struct vm_table {
    struct vm_buffer **buffer; /* [number - 1] */
    int n, lowest;             /* all numbers below are in use */
    hn_buffer *spare;
} vm_table;

static inline struct vm_buffer *vm_buffer(int id) /* NULL: no such buffer */
{
    return id > 0 && id <= vm_table.n ? vm_table.buffer[id - 1] : NULL;
}

/* Makes a buffer around data (NULL: a new hn_buffer).  Returns its number, or PvmNoMem. */
int vm_buffer_new(int encoding, hn_buffer *data);
/* Ignores an unknown number, and clears the current numbers that equal it. */
void vm_buffer_free(int id);
int vm_begin_send(int encoding); /* pvm_initsend() */
int vm_set_send(int id);         /* returns the previous number, as pvm_setsbuf() */
int vm_set_receive(int id);
/* Returns the bytes of data in a buffer, without hnow's overhead (measure.c). */
size_t vm_buffer_bytes(struct vm_buffer *buffer);
/* Packs data recorded in place; must be called before the buffer is sent. */
int vm_buffer_ready(struct vm_buffer *buffer);
/* Both switch a buffer between packing and unpacking: the first empties it, the other rewinds
 * it. */
void vm_buffer_pack_anew(struct vm_buffer *buffer);
void vm_buffer_unpack_anew(struct vm_buffer *buffer);

/* Return the current buffers for the next element; NULL: none.  As in PVM, packing starts anew in a
 * buffer that was received or unpacked.  Unpacking starts at the first element of a buffer that was
 * packed or has just arrived.  Inline, as programs pack and unpack many single numbers. */
static inline struct vm_buffer *vm_to_pack(void)
{
    struct vm_buffer *buffer = vm_buffer(vm_thread.send);

    if (buffer && !buffer->packs)
        vm_buffer_pack_anew(buffer);
    return buffer;
}

static inline struct vm_buffer *vm_to_unpack(void)
{
    struct vm_buffer *buffer = vm_buffer(vm_thread.receive);

    if (buffer && buffer->packs)
        vm_buffer_unpack_anew(buffer);
    return buffer;
}

/* ---- packing (pvm_pack.c) ----------------------------------------------------------------- */

/* Elements into the current send buffer, and from the current receive buffer. The stride counts
 * elements. */
int vm_pack(const void *data, int count, hn_type type, int stride);
int vm_pack_value(const void *value, hn_type type); /* copied, also into a buffer in place */
int vm_unpack(void *data, int count, hn_type type, int stride);
/* A text with its terminating zero; unpacking has no limit of length. */
int vm_pack_text(const char *text);
int vm_unpack_text(char *text);
/* Unpacks the next elements with the given type, or piece by piece (raw.c) as whole elements of
 * another type with the same bytes. */
int vm_take(struct vm_buffer *buffer, void *data, size_t count, hn_type type);
int vm_take_pieces(struct vm_buffer *buffer, void *data, size_t count, hn_type type);
/* Returns how many elements of type `to` are `count` elements of type `from`: by bytes, unless they
 * are converted. */
size_t vm_elements(hn_type from, size_t count, hn_type to);
hn_type vm_type(int datatype); /* maps PVM_INT etc.; -1: unknown */

/* ---- receiving (pvm_receive.c) -----------------------------------------------------------------
 */

bool vm_names_source(int tid, int tag); /* true if the source and tag are valid */
bool vm_program_matches(void);          /* pvm_recvf(): the program's function interprets source and
                                           tag */
/* Takes a matching message from the list, or waits for it.  Returns its buffer, 0 if none arrives
 * in time, or an error. milliseconds < 0: no limit. */
int vm_receive(int tid, int tag, int milliseconds);
/* Takes a matching message from the list, of one context or (VM_ANY_CONTEXT) of any; 0: none. */
enum { VM_ANY_CONTEXT = INT_MIN };
int vm_kept(int tid, int tag, int context);
/* Called after each receive, for the descriptor of pvm_getfds() (pvm_descriptor.c). */
void vm_descriptor_reset(void);
/* Drops all messages that have arrived in the current context. */
void vm_forget_messages(void);

/* A tid consists of the host's number and the task's number on it. */
enum { VM_HOST_OF_TID = 0x3ffc0000, VM_TIDS_END = 0x40000000 };

/* True for a tid that is positive and not that of a host. */
static inline bool vm_may_be_task(int tid)
{
    return tid > 0 && tid < VM_TIDS_END && (tid & VM_HOST_OF_TID) != tid;
}

/* ---- the rest ----------------------------------------------------------------------------- */

/* The value of an option, such as PvmAutoErr. */
int vm_option(int what);
/* Sends the current buffer to all tids of a list except the caller's; 0 is ignored
 * (pvm_message.c). */
int vm_send_others(const int *tids, int n, int tag);
void vm_notification_convert(struct vm_buffer *buffer, const hn_info *info); /* pvm_notify.c */

/* Output of children spawned from now on: to the caller, in messages with this tag, or to hrun.
 * Such a message is a line; vm_output_convert() gives it PVM's form: tid, number of bytes, bytes; 0
 * bytes when the child has ended (pvm_catchout.c). */
void vm_output_to(bool caller, int tag);
void vm_output_convert(struct vm_buffer *buffer, const hn_info *info);
/* The caller has started tasks: pvm_catchout() reports them. */
void vm_output_begin(const int *tids, int n);

/* Prefix of the library's own mailbox names. */
#define VM_HIDDEN "\1"

/* Contexts (pvm_context.c): hnow reserves numbers below 0x10000.  If a program chooses one of
 * these, including negative ones, it is moved to the end of the range for programs. */
enum { VM_CONTEXTS_HNOWS = 0x10000, VM_CONTEXTS_MOVED = 0x3fff0000, VM_CONTEXTS_END = 0x40000000 };

static inline hn_context vm_context_of(int context)
{
    int moves = context != 0 && context < VM_CONTEXTS_HNOWS;
    return (hn_context)(moves ? context + VM_CONTEXTS_MOVED : context);
}

void vm_follow_context(void); /* sets the program's context in a thread with another one */
/* The context of the calling thread, as PVM numbers it. */
int vm_context(void);
/* All contexts that the task has made or set; *n 0: out of memory. */
const int *vm_contexts(int *n);
/* Registers widen(), which is called for each context that the task makes or sets for the first
 * time.  It returns PvmOk or a PVM error. */
void vm_contexts_watch(int (*widen)(int context));

/* Environment variables for children (pvm_spawn.c). */
#define VM_ENV_CONTEXT    "HNOW_PVM_CONTEXT"
#define VM_ENV_NO_PARENT  "HNOW_PVM_NO_PARENT"
#define VM_ENV_TRACE_MASK "PVMTMASK"
const char *vm_child_trace_mask(void); /* trace_mask.c */
/* Returns the name by which pvm_spawn() finds a program here, else the program itself. */
const char *vm_spawned_name(const char *program);

/* Machines and hosts (arch.c, pvm_host.c). */
const char *vm_arch_of(const char *machine);
int vm_signature_of(const hn_host_info *host);
int vm_hosts(hn_host_info **hosts, int *n); /* caller frees *hosts with free() */
void vm_forget_hosts(void);                 /* invalidates the cache of pvm_config() */

/* Calls hn_exit() or hn_pause(), and ends the redirection of output (pvm_catchout.c). */
int vm_leave(bool pauses);

void vm_drop_handlers(void); /* removes all message handlers (pvm_handler.c) */

/* Groups (pvm_group.c). */
struct vm_members {
    const hn_tid *tids; /* by instance; 0: unused */
    int n;
    const hn_group *group; /* NULL: not frozen by all members */
    bool spread;           /* frozen, and over several hosts */
    hn_tid *own;           /* freed by vm_members_free() */
    struct frozen *frozen; /* NULL: not frozen */
};
/* Lists a group's members, without a query if the caller has frozen it. PvmNoGroup: it has none.
 * The list is valid until vm_members_free(). */
int vm_members(const char *name, struct vm_members *members);
void vm_members_free(struct vm_members *members);
void vm_thaw_all(void); /* marks no group as frozen any more */

/* Undocumented symbols of PVM's library that programs use (none.c, pvm_call.c, pvm_handler.c). */
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
