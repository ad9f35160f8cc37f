/* pvm_call.c - how every call begins and ends: lock, enrolling, errors, their texts; and leaving.
 *
 * PVM has no call to begin with: the first one of any kind enrols.  After pvm_exit() a process is
 * no task any more; it can enrol again where a machine is up (hn_enrol_machine()).  What a task
 * forks has its connections, but may not use them: in PVM the parent then loses its daemon.
 *
 * PVM knows no threads. Here any thread may call, and each has its own current buffers
 * (pvm_buffer.c); the context is the process's, as in PVM, while hnow's belongs to the thread.
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

static struct {
    enum { BEFORE, INSIDE, PAUSED, LEFT, FORKED } state;
    enum vm_where where; /* while inside */
    char words[400];     /* what hnow said about the call, "" when nothing */
    bool has_tried;      /* to start a machine */
} calls;

/* ---- the lock ----------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* How often this thread has entered: a handler or an operator of the program may call again. */
static _Thread_local int depth;

void vm_lock(void)
{
    if (depth++ == 0)
        pthread_mutex_lock(&mutex);
}

void vm_unlock(void)
{
    if (--depth == 0)
        pthread_mutex_unlock(&mutex);
}

int vm_release(void)
{
    int held = depth;

    depth = 0;
    if (held > 0)
        pthread_mutex_unlock(&mutex);
    return held;
}

void vm_retake(int held)
{
    if (held > 0)
        pthread_mutex_lock(&mutex);
    depth = held;
}

/* ---- errors ------------------------------------------------------------------------------- */

/* As in PVM, by the negative code; codes that were never given have no text. */
char *pvm_errlist[] = {
#define X(name, text) [-name] = (char *)(text),
    TEXTS(X)
#undef X
};
int pvm_nerr = sizeof pvm_errlist / sizeof *pvm_errlist;
int pvm_errno; /* the error of the last call that failed */

static const char *text_of(int code)
{
    bool known = code <= 0 && code > -pvm_nerr && pvm_errlist[-code];

    return known ? pvm_errlist[-code] : "an unknown error";
}

int vm_result(int result)
{
    static const int pvm[] = {
        [-HN_EARG] = PvmBadParam,    [-HN_ESTATE] = PvmSysErr,   [-HN_ENOMEM] = PvmNoMem,
        [-HN_ETYPE] = PvmBadMsg,     [-HN_ETRUNC] = PvmNoData,   [-HN_EDEAD] = PvmNoTask,
        [-HN_ETIMEOUT] = PvmNoTask,  [-HN_ELINK] = PvmHostFail,  [-HN_EJOB] = PvmSysErr,
        [-HN_ENOTASK] = PvmNoTask,   [-HN_ESYS] = PvmSysErr,     [-HN_EPROTO] = PvmBadMsg,
        [-HN_ESYNTAX] = PvmBadParam, [-HN_EPLAN] = PvmSysErr,    [-HN_ESTART] = PvmNoFile,
        [-HN_ENAME] = PvmNotFound,   [-HN_EHOST] = PvmCantStart, [-HN_ECANCEL] = PvmSysErr,
    };
    if (result >= 0)
        return result;
    snprintf(calls.words, sizeof calls.words, "%s", hn_error_text());
    return pvm[-result];
}

/* ---- every call --------------------------------------------------------------------------- */

static void in_forked_child(void)
{
    if (calls.state == INSIDE || calls.state == PAUSED)
        calls.state = FORKED;
}

static void enrolled(void)
{
    static bool prepared;
    const char *context = getenv(VM_ENV_CONTEXT);

    if (!prepared)
        pthread_atfork(NULL, NULL, in_forked_child);
    prepared = true;
    calls.state = INSIDE;
    if (context)
        pvmmyctx = atoi(context);
    vm_follow_context();
}

/* With `starts`, a machine of this host is started where there is neither a job nor a machine,
 * which is tried once. */
static int enrol(bool starts)
{
    const char *agent;
    int result;

    calls.words[0] = 0;
    if (calls.state == PAUSED)
        calls.state = INSIDE;
    if (calls.state == INSIDE) {
        vm_follow_context();
        return PvmOk;
    }
    if (calls.state == FORKED) {
        snprintf(calls.words, sizeof calls.words,
                 "a task has forked this process, which can be one as another program only");
        return PvmSysErr;
    }
    agent = getenv("HNOW_AGENT_FD"); /* a number in a task that hrun has started */
    calls.where = agent && *agent >= '0' && *agent <= '9' ? VM_IN_JOB : VM_BY_HAND;
    result = hn_enrol_machine();
    if (result == HN_ENAME && calls.state == BEFORE && starts && !calls.has_tried) {
        calls.has_tried = true;
        if (vm_run_hnow("up", NULL)) /* else another process may have started one meanwhile */
            fprintf(stderr, "libpvm [pid%d]: has started a machine, which 'hnow down' ends\n",
                    (int)getpid());
        result = hn_enrol_machine();
    }
    if (vm_result(result) != PvmOk) /* which keeps the words */
        return PvmSysErr;
    enrolled();
    return PvmOk;
}

int vm_enter(void)
{
    vm_lock();
    return enrol(true);
}

int vm_enter_machine(void)
{
    return enrol(false);
}

enum vm_where vm_where(void)
{
    return calls.state == INSIDE ? calls.where : VM_NOWHERE;
}

static void print(const char *where, int code)
{
    char name[32];

    if (calls.state == INSIDE)
        snprintf(name, sizeof name, "t%x", (unsigned)hn_mytid());
    else
        snprintf(name, sizeof name, "pid%d", (int)getpid());
    fprintf(stderr, "libpvm [%s]: %s: %s%s%s%s\n", name, where, text_of(code),
            calls.words[0] ? " (" : "", calls.words, calls.words[0] ? ")" : "");
}

/* Remembers an error, and prints it as PvmAutoErr says. */
static void report(const char *function, int result)
{
    int loud = vm_option(PvmAutoErr);
    char where[64];

    pvm_errno = result;
    if (loud == 0)
        return;
    snprintf(where, sizeof where, "%s()", function);
    print(where, result);
    if (loud == 2)
        exit(1);
    if (loud == 3)
        abort();
}

int vm_end(const char *function, int result)
{
    if (result < 0)
        report(function, result);
    vm_unlock();
    return result;
}

int vm_answer(const char *function, int result, const int *answers)
{
    bool quiet = !answers && result != PvmSysErr;

    while (answers && *answers && !quiet)
        quiet = *answers++ == result;
    if (result >= 0 || !quiet)
        return vm_end(function, result);
    pvm_errno = result;
    vm_unlock();
    return result;
}

int pvm_perror(char *text)
{
    calls.words[0] = 0;
    print(text ? text : "", pvm_errno);
    return PvmOk;
}

int lpvmerr(char *text, int code)
{
    calls.words[0] = 0;
    print(text ? text : "", code);
    pvm_errno = code;
    return code;
}

char *pvm_strerror(void)
{
    return (char *)text_of(pvm_errno);
}

int pvm_mytid(void)
{
    return VM_CALL(hn_mytid());
}

void vm_has_left(bool pauses)
{
    calls.state = pauses ? PAUSED : LEFT;
}
