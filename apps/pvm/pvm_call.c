/* pvm_call.c - prologue and epilogue of every call: lock, enrolment, errors and their texts.
 *
 * PVM has no initialisation call: the first call of any kind enrols the process.  After pvm_exit()
 * a process is no task any more; it can enrol again if a virtual machine is running
 * (hn_enrol_machine()).  A forked child inherits the task's connections, but must not use them: in
 * PVM the parent then loses its daemon.
 *
 * PVM does not support threads.  Here any thread may call, and each has its own current buffers
 * (pvm_buffer.c).  The context belongs to the process, as in PVM, while hnow's belongs to the
 * thread.
 */
#include "vm.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXTS(X)                                                                                   \
    X(PvmOk, "no error")                                                                           \
    X(PvmBadParam, "an argument is not valid")                                                     \
    X(PvmMismatch, "arguments do not fit each other")                                              \
    X(PvmOverflow, "the value is too large")                                                       \
    X(PvmNoData, "nothing more is in the buffer")                                                  \
    X(PvmNoHost, "no host of that name")                                                           \
    X(PvmNoFile, "no program of that name")                                                        \
    X(PvmDenied, "not allowed")                                                                    \
    X(PvmNoMem, "out of memory")                                                                   \
    X(PvmBadMsg, "the message holds something else")                                               \
    X(PvmSysErr, "no task of a running job")                                                       \
    X(PvmNoBuf, "there is no current buffer")                                                      \
    X(PvmNoSuchBuf, "no buffer has that number")                                                   \
    X(PvmNullGroup, "a group needs a name")                                                        \
    X(PvmDupGroup, "is in the group already")                                                      \
    X(PvmNoGroup, "no group of that name")                                                         \
    X(PvmNotInGroup, "is not in the group")                                                        \
    X(PvmNoInst, "no such instance in the group")                                                  \
    X(PvmHostFail, "the host has failed")                                                          \
    X(PvmNoParent, "has no parent")                                                                \
    X(PvmNotImpl, "not implemented")                                                               \
    X(PvmDSysErr, "the agent has failed")                                                          \
    X(PvmBadVersion, "versions do not fit")                                                        \
    X(PvmOutOfRes, "a resource is used up")                                                        \
    X(PvmDupHost, "the host takes part already")                                                   \
    X(PvmCantStart, "the agent cannot be started")                                                 \
    X(PvmAlready, "is being done already")                                                         \
    X(PvmNoTask, "the task does not exist, or not any more")                                       \
    X(PvmNotFound, "not found")                                                                    \
    X(PvmExists, "exists already")                                                                 \
    X(PvmHostrNMstr, "not on the first host")                                                      \
    X(PvmParentNotSet, "the parent is not to be known")                                            \
    X(PvmIPLoopback, "the host has no address but that of the loopback")

/* Changed with the lock only, but for the new state in a forked child. */
enum vm_state vm_state;
char vm_words[400];
static enum vm_where kind; /* while inside a call */

/* ---- the lock ----------------------------------------------------------------------------- */

struct lock vm_mutex;
_Thread_local struct vm_thread vm_thread;

/* The thread that loads the library, the main thread, takes it at the least cost. */
__attribute__((constructor)) static void make_lock(void)
{
    lock_init(&vm_mutex);
}

/* A handler may run in the thread while it waits, and enter the lock anew. */
int vm_release(void)
{
    int held = vm_thread.depth;

    vm_thread.depth = 0;
    if (held > 0)
        lock_leave(&vm_mutex);
    return held;
}

/* hnow's words may be those of another thread's call now. They are only printed. */
void vm_retake(int held)
{
    if (held > 0)
        lock_enter(&vm_mutex);
    vm_thread.depth = held;
}

/* ---- errors ------------------------------------------------------------------------------- */

/* Indexed by the negated code, as in PVM; unused codes have no text. */
char *pvm_errlist[] = {
#define X(name, text) [-name] = (char *)(text),
    TEXTS(X)
#undef X
};
int pvm_nerr = sizeof pvm_errlist / sizeof *pvm_errlist;
int pvm_errno; /* the error of the last failed call */

/* Never NULL: numbers without a text are an unknown error. */
static const char *text_of(int code)
{
    bool known = code <= 0 && code > -pvm_nerr && pvm_errlist[-code];

    return known ? pvm_errlist[-code] : "an unknown error";
}

/* All negative results of hnow have an entry. The text of hnow's error follows PVM's in the printed
 * line. */
int vm_error(int error)
{
    static const int pvm[] = {
        [-HN_EARG] = PvmBadParam,    [-HN_ESTATE] = PvmSysErr,   [-HN_ENOMEM] = PvmNoMem,
        [-HN_ETYPE] = PvmBadMsg,     [-HN_ETRUNC] = PvmNoData,   [-HN_EDEAD] = PvmNoTask,
        [-HN_ETIMEOUT] = PvmNoTask,  [-HN_ELINK] = PvmHostFail,  [-HN_EJOB] = PvmSysErr,
        [-HN_ENOTASK] = PvmNoTask,   [-HN_ESYS] = PvmSysErr,     [-HN_EPROTO] = PvmBadMsg,
        [-HN_ESYNTAX] = PvmBadParam, [-HN_EPLAN] = PvmSysErr,    [-HN_ESTART] = PvmNoFile,
        [-HN_ENAME] = PvmNotFound,   [-HN_EHOST] = PvmCantStart, [-HN_ECANCEL] = PvmSysErr,
    };
    /* Copied, because the next call of hnow in this thread overwrites the text. */
    snprintf(vm_words, sizeof vm_words, "%s", hn_error_text());
    return pvm[-error];
}

/* ---- prologue and epilogue ---------------------------------------------------------------- */

/* A child of a process that was no task may still become one. */
static void in_forked_child(void)
{
    if (vm_state == VM_INSIDE || vm_state == VM_PAUSED)
        vm_state = VM_FORKED;
}

/* Enrols in the job that hrun has announced in the environment, else in the virtual machine. At
 * most once, it starts a machine. */
static int become_task(bool starts)
{
    static bool has_tried, prepared; /* to start a machine; for fork() */
    const char *context = getenv(VM_ENV_CONTEXT);
    const char *agent = getenv("HNOW_AGENT_FD"); /* set to a number by hrun in its tasks */
    int result;

    /* Its parent's connections are in its memory, too. */
    if (vm_state == VM_FORKED) {
        snprintf(vm_words, sizeof vm_words,
                 "a task has forked this process, which can be one as another program only");
        return PvmSysErr;
    }
    /* Decides what pvm_exit() and pvm_halt() do. */
    kind = agent && *agent >= '0' && *agent <= '9' ? VM_IN_JOB : VM_BY_HAND;
    /* Only a process that never was a task starts a machine. After pvm_exit() of its last task a
     * machine may be gone on purpose. */
    result = hn_enrol_machine();
    if (result == HN_ENAME && vm_state == VM_BEFORE && starts && !has_tried) {
        has_tried = true;
        if (vm_run_hnow("up", NULL)) /* if not, another process may have started one */
            fprintf(stderr, "libpvm [pid%d]: has started a machine, which 'hnow down' ends\n",
                    (int)getpid());
        result = hn_enrol_machine();
    }
    if (vm_result(result) != PvmOk) /* this stores the error text */
        return PvmSysErr;
    /* Once, since the function would be called as often as it was registered. */
    if (!prepared)
        pthread_atfork(NULL, NULL, in_forked_child);
    prepared = true;
    /* The parent's context when it spawned this task. */
    if (context)
        pvmmyctx = atoi(context);
    return PvmOk;
}

/* A paused process continues without enrolling, because hn_pause() kept its connections. */
int vm_enrol(bool starts)
{
    vm_words[0] = 0;
    int result = vm_state == VM_INSIDE || vm_state == VM_PAUSED ? PvmOk : become_task(starts);
    /* Each thread adopts the program's context at its first call. */
    if (result == PvmOk) {
        vm_state = VM_INSIDE;
        vm_follow_context();
    }
    return result;
}

enum vm_where vm_where(void)
{
    return vm_state == VM_INSIDE ? kind : VM_NOWHERE;
}

/* The form of PVM: `libpvm [tTID]: CALL: TEXT`, with hnow's words in parentheses. */
static void print(const char *where, int code)
{
    char name[32];

    if (vm_state == VM_INSIDE)
        snprintf(name, sizeof name, "t%x", (unsigned)hn_mytid());
    else
        snprintf(name, sizeof name, "pid%d", (int)getpid());
    fprintf(stderr, "libpvm [%s]: %s: %s%s%s%s\n", name, where, text_of(code),
            vm_words[0] ? " (" : "", vm_words, vm_words[0] ? ")" : "");
}

/* Records an error, and prints it according to PvmAutoErr. */
void vm_report(const char *function, int result)
{
    int loud = vm_option(PvmAutoErr);
    char where[64];

    /* Also if nothing is printed. */
    pvm_errno = result;
    if (loud == 0)
        return;
    snprintf(where, sizeof where, "%s()", function);
    print(where, result);
    /* With PvmAutoErr 2 or 3 the call does not return, whatever caused the error. */
    if (loud == 2)
        exit(1);
    if (loud == 3)
        abort();
}

/* pvm_errno is set in any case. */
int vm_answer(const char *function, int result, const int *answers)
{
    bool quiet = !answers && result != PvmSysErr;

    /* A result in the list is an answer, not a failure. */
    while (answers && *answers && !quiet)
        quiet = *answers++ == result;
    if (result >= 0 || !quiet)
        return vm_end(function, result);
    pvm_errno = result;
    vm_unlock();
    return result;
}

/* The words of hnow belong to one call, and that may be an earlier one. */
int pvm_perror(char *text)
{
    vm_words[0] = 0;
    print(text ? text : "", pvm_errno);
    return PvmOk;
}

/* Sets the error of the last call, and returns it, for functions of libraries on PVM. */
int lpvmerr(char *text, int code)
{
    vm_words[0] = 0;
    print(text ? text : "", code);
    pvm_errno = code;
    return code;
}

/* The error is that of the process, not of the thread. */
char *pvm_strerror(void)
{
    return (char *)text_of(pvm_errno);
}

/* The first call of most programs. PvmSysErr: the process cannot become a task. */
int pvm_mytid(void)
{
    return VM_CALL(hn_mytid());
}

/* After VM_LEFT the next call enrols anew, and the process may get another tid. */
void vm_has_left(bool pauses)
{
    vm_state = pauses ? VM_PAUSED : VM_LEFT;
}
