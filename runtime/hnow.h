/* hnow.h - the public interface of the runtime room: tasks, messages, groups.
 *
 * A program calls hn_enrol() once, exchanges messages with other tasks of its job, and calls
 * hn_exit(). A program that is started without hrun is a job of one task.
 *
 * A function that returns int returns HN_OK (0) or a negative HN_E... code, unless its comment says
 * otherwise. hn_error_text() describes the last error of the calling thread. All functions may be
 * called from any thread between hn_enrol() and hn_exit(). A pointer argument must not be NULL
 * unless the comment allows it: HN_EARG. */
#ifndef HNOW_H
#define HNOW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HN_API __attribute__((visibility("default")))

/* ---- errors ------------------------------------------------------------------------------- */

/* One table: code, number, text. */
#define HN_ERRORS(X)                                                                               \
    X(HN_OK, 0, "success")                                                                         \
    X(HN_EARG, -1, "an argument is not valid")                                                     \
    X(HN_ESTATE, -2, "not possible now: the task is not enrolled, or enrolled already")            \
    X(HN_ENOMEM, -3, "out of memory, or a configured memory limit is reached")                     \
    X(HN_ETYPE, -4, "the message holds another type than the one asked for")                       \
    X(HN_ETRUNC, -5, "the message is longer than the buffer")                                      \
    X(HN_EDEAD, -6, "the other task has ended")                                                    \
    X(HN_ETIMEOUT, -7, "the time is up")                                                           \
    X(HN_ELINK, -8, "no connection to the other task can be made")                                 \
    X(HN_EJOB, -9, "the job is ending")                                                            \
    X(HN_ENOTASK, -10, "there is no such task in this job")                                        \
    X(HN_ESYS, -11, "a system call failed")                                                        \
    X(HN_EPROTO, -12, "the other side does not speak this protocol")                               \
    X(HN_ESYNTAX, -13, "the text cannot be understood")                                            \
    X(HN_EPLAN, -14, "the plan is not valid, or no planner serves the request")                    \
    X(HN_ESTART, -15, "the program cannot be started")                                             \
    X(HN_ENAME, -16, "there is nothing under this name")                                           \
    X(HN_EHOST, -17, "the host cannot be reached, or cannot take part")                            \
    X(HN_ECANCEL, -18, "the receive was taken back before a message came")

enum hn_error {
#define X(name, number, text) name = number,
    HN_ERRORS(X)
#undef X
};

/* The fixed text of a code; never NULL. */
HN_API const char *hn_strerror(int code);
/* Describes the last failed call of the calling thread. Never NULL; valid until the next one. */
HN_API const char *hn_error_text(void);

/* Whether an error is returned, or ends the job: for small programs that check no result. */
enum hn_errors { HN_ERRORS_RETURN, HN_ERRORS_FATAL };
/* Sets the mode for all threads of the process, from now on. May be called before hn_enrol().
 * Returns the mode before (HN_ERRORS_RETURN at first), or HN_EARG.
 *
 * With HN_ERRORS_FATAL, a call of hnow.h or hnow_coll.h that returns an error ends the job by
 * hn_abort() with status 1. hrun prints where and why:
 *     hello.c:31: hn_recv: HN_EDEAD: task 262146 on host b: the other task has ended
 * HN_ETIMEOUT, HN_ENAME and HN_ECANCEL are answers, and are still returned; so are the answers of
 * the functions that hnow_checked.h lists. Only calls in C or C++ sources that include these
 * headers are checked, not calls through a pointer to a function. */
HN_API int hn_set_errors(int mode);
/* Called by the macros of hnow_checked.h after a failure: returns the error, or ends the job. */
HN_API int hn_failed(int error, const char *call, const char *file, int line);
static inline int hn_checked(int result, const char *call, const char *file, int line)
{
    return result < 0 ? hn_failed(result, call, file, line) : result;
}

/* ---- types -------------------------------------------------------------------------------- */

/* A type is its class and its size in bytes, so it means the same on every machine. The receiver
 * converts byte order. It also converts the width, if its own type has another width of the same
 * class. HN_BYTE is never converted. */
typedef int hn_type;
enum {
    HN_CLASS_BYTE = 0,
    HN_CLASS_INT,
    HN_CLASS_UINT,
    HN_CLASS_FLOAT,
    HN_CLASS_COMPLEX,
    HN_CLASS_PACKED,
    HN_CLASS_EXTENDED, /* x87's long double; others treat it as FLOAT (COMPLEX) */
    HN_CLASS_EXTENDED_COMPLEX,
    HN_CLASS_LONG, /* a long of 4 bytes; others treat it as INT (UINT), ... */
    HN_CLASS_ULONG /* ... and collective operations send it as 8 bytes */
};
#define HN_TYPE(cls, bytes) ((hn_type)((cls) << 8 | (int)(bytes)))
#define HN_BYTE             HN_TYPE(HN_CLASS_BYTE, 1)
#define HN_CHAR             HN_BYTE
#define HN_INT8             HN_TYPE(HN_CLASS_INT, 1)
#define HN_INT16            HN_TYPE(HN_CLASS_INT, 2)
#define HN_INT32            HN_TYPE(HN_CLASS_INT, 4)
#define HN_INT64            HN_TYPE(HN_CLASS_INT, 8)
#define HN_UINT8            HN_TYPE(HN_CLASS_UINT, 1)
#define HN_UINT16           HN_TYPE(HN_CLASS_UINT, 2)
#define HN_UINT32           HN_TYPE(HN_CLASS_UINT, 4)
#define HN_UINT64           HN_TYPE(HN_CLASS_UINT, 8)
#define HN_FLOAT            HN_TYPE(HN_CLASS_FLOAT, 4)
#define HN_DOUBLE           HN_TYPE(HN_CLASS_FLOAT, 8)
#define HN_COMPLEX          HN_TYPE(HN_CLASS_COMPLEX, 8)
#define HN_DOUBLE_COMPLEX   HN_TYPE(HN_CLASS_COMPLEX, 16)
#define HN_SHORT            HN_TYPE(HN_CLASS_INT, sizeof(short))
#define HN_INT              HN_TYPE(HN_CLASS_INT, sizeof(int))
#define HN_LLONG            HN_TYPE(HN_CLASS_INT, sizeof(long long))
#define HN_USHORT           HN_TYPE(HN_CLASS_UINT, sizeof(unsigned short))
#define HN_UINT             HN_TYPE(HN_CLASS_UINT, sizeof(unsigned int))
#define HN_ULLONG           HN_TYPE(HN_CLASS_UINT, sizeof(unsigned long long))
#define HN_BOOL             HN_TYPE(HN_CLASS_UINT, 1)
#if __SIZEOF_LONG__ == 4
#define HN_LONG  HN_TYPE(HN_CLASS_LONG, sizeof(long))
#define HN_ULONG HN_TYPE(HN_CLASS_ULONG, sizeof(unsigned long))
#else
#define HN_LONG  HN_TYPE(HN_CLASS_INT, sizeof(long))
#define HN_ULONG HN_TYPE(HN_CLASS_UINT, sizeof(unsigned long))
#endif
/* A long double differs between machines: x87's 80 bits in 12 or 16 bytes, 128 bits of IEEE 754, or
 * a double. The receiver rounds to its own format. */
#if __LDBL_MANT_DIG__ == 64
#define HN_LDOUBLE         HN_TYPE(HN_CLASS_EXTENDED, sizeof(long double))
#define HN_LDOUBLE_COMPLEX HN_TYPE(HN_CLASS_EXTENDED_COMPLEX, 2 * sizeof(long double))
#elif __LDBL_MANT_DIG__ == 113 || __LDBL_MANT_DIG__ == 53
#define HN_LDOUBLE         HN_TYPE(HN_CLASS_FLOAT, sizeof(long double))
#define HN_LDOUBLE_COMPLEX HN_TYPE(HN_CLASS_COMPLEX, 2 * sizeof(long double))
#endif

/* Size of one element in bytes; 0 if t is not a type. */
HN_API size_t hn_type_size(hn_type t);

/* ---- the task and its job ----------------------------------------------------------------- */

/* Names a task in its job: > 0, opaque, never used twice. It is not the rank: the tid of rank r is
 * hn_group_tid(hn_world(), r). Calls that take tids return HN_ENOTASK for a number that was never a
 * task of the job, and HN_EARG for one <= 0.
 *
 * For a tid that is neither of the caller's world, parent or children, nor of a task that it has
 * exchanged messages with, the call blocks for a round trip to hrun. */
typedef int32_t hn_tid;

/* Makes the calling process a task. Blocks until the agent has answered. Without hrun, the task
 * becomes a job of its own: rank 0 of 1.
 *
 * HN_ESTATE: the process is enrolled or has left its job, or another program of the same task (of a
 * shell script) has enrolled before. Also HN_ESTATE: the parent process has closed the descriptor
 * HNOW_AGENT_FD, as Python does without close_fds=False. A forked child does not belong to the
 * task: there all calls return HN_ESTATE, and hn_enrol() starts a job of one task. HN_EARG:
 * HNOW_INBOX or HNOW_OUTBOX is no size. HN_ENOMEM, HN_ESYS. */
HN_API int hn_enrol(void);
/* As hn_enrol(), but a program that was started by hand becomes a task of the persistent virtual
 * machine
 * (`hnow up`), in a world group of its own. It can spawn tasks, join named groups, and exchange
 * messages with other such programs. Its standard streams stay the user's. A program that has left
 * may enrol again, and gets a new tid. Blocks for some milliseconds. HN_ENAME: no machine is up;
 * HN_ESTART: the machine takes no task. */
HN_API int hn_enrol_machine(void);
/* Leaves the job. Blocks until collective operations under way are finished, and every message sent
 * is in its receiver's memory (or the receiver has ended). Then it closes all connections. Calls in
 * which other threads wait end with HN_ESTATE. When the process leaves main() or calls exit(),
 * hn_exit() is called after the program's own exit handlers. */
HN_API int hn_exit(void);
/* As hn_exit() for named groups and values, for what was sent, and for the end of the process. But
 * the task keeps its tid, connections and other groups, and may call any function again. To others
 * it remains a running task: messages to it are delivered. */
HN_API int hn_pause(void);
/* Ends the whole job, even with -on-failure notify. Its tasks get SIGTERM, and SIGKILL 2 s later.
 * hrun exits with `status` (0 to 255) and prints why (NULL: no reason; with status 0 it prints
 * nothing). Standard output is flushed; messages under way are lost. Does not return. Without hrun,
 * the calling process ends, with `why` on standard error. */
HN_API void hn_abort(int status, const char *why) __attribute__((noreturn));
/* The caller's own tid. HN_ESTATE: not enrolled; also for the next two. */
HN_API hn_tid hn_mytid(void);
HN_API int hn_rank(void); /* rank in the job's world group, 0 ... size-1 */
HN_API int hn_size(void); /* number of tasks in the world group */

/* ---- tasks and hosts of the running job --------------------------------------------------- */

/* Where hn_spawn() starts tasks, and with what. All zero: on any host, with the properties of
 * hrun's own tasks. A host is suitable if it matches host or machine (with other: if it does not
 * match), and is at least as fast as speed. */
typedef struct hn_place {
    const char *host;       /* a host's name, or a pattern (fnmatch()); ".", or "localhost" where no
                               host has that name: the caller's; or NULL */
    const char *machine;    /* a machine class, "x86_64"; used only if host is NULL */
    int other;              /* not 0: any host that does not match */
    double speed;           /* at least this, as in hn_hosts(); 0: any */
    const char *wdir;       /* directory of the tasks; NULL: that of hrun's tasks */
    const char *const *env; /* "K=V" each, NULL at the end, added to hrun's; or NULL */
} hn_place;

/* Starts count tasks that run a program with the arguments argv (without the program's name, NULL
 * at the end; NULL: none). Each goes to the suitable host (place NULL: any host) with the fewest
 * tasks for its slots. The tasks get a world group of their own, in the order of tids. Their parent
 * is the caller. Blocks until each is started or has failed to start. Messages to them wait until
 * they enrol.
 *
 * Returns how many were started. tids[i] (tids may be NULL) is the tid, or a negative code:
 * HN_ESTART: no such program or directory; HN_EDEAD: the host was lost. Tasks that were not started
 * are in the world group as tasks that have ended. hn_error_text() describes the first failure.
 * Negative if nothing was tried: HN_EARG (no such host, count not in 1 ... 65536, a word of env
 * without =), HN_ESTATE (a job without hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_spawn(const char *program, const char *const *argv, int count, const hn_place *place,
                    hn_tid *tids);
/* The task that spawned this one; HN_ENOTASK if hrun started it. */
HN_API hn_tid hn_parent(void);

enum hn_task_state { HN_STARTING, HN_RUNNING, HN_ENROLLED, HN_ENDED };
typedef struct hn_task_info {
    hn_tid tid, parent; /* parent 0: started by hrun */
    int rank;           /* in its world group */
    int pid;            /* process on its host; 0: not started yet */
    enum hn_task_state state;
    int status;       /* of an ended one, as from waitpid() */
    char program[64]; /* its name as given, cut to size */
} hn_task_info;

/* Lists the tasks that run now, in the order in which they were started. The caller frees *tasks
 * with free(); *n is their number. The states are those that hrun has been informed of: a task's
 * first message may arrive before the report that it has enrolled. */
HN_API int hn_tasks(hn_task_info **tasks, int *n);
/* The same for one task, also an ended one. HN_ENOTASK: there was never such a task. */
HN_API int hn_task_status(hn_tid tid, hn_task_info *info);

typedef struct hn_host_info {
    hn_tid tid; /* a tid for hn_notify() and hn_host_of(); it is not a task */
    char name[256];
    char machine[32]; /* as from uname: "x86_64" */
    int big_endian;
    int cores, slots; /* slots: of the hosts file, else the cores */
    int tasks;        /* tasks of this job that run there */
    double load;      /* load average over a minute, at most 5 s old; -1: unknown */
    double speed;     /* as in the hosts file (hprobe can write it); 0: not given */
} hn_host_info;

/* Lists the hosts of the job now, in the order of the hosts file. The caller frees *hosts with
 * free(). */
HN_API int hn_hosts(hn_host_info **hosts, int *n);

typedef struct hn_host_outcome {
    int error;      /* HN_OK or an error */
    hn_tid tid;     /* names the host; 0 if the string is not a host */
    char text[400]; /* the error in words, "" for HN_OK */
} hn_host_outcome;

/* Adds hosts to the job while it runs. Each of the n strings is the name of a standby host of the
 * hosts file (a line that begins with &), of a host that was lost or removed, or a line of a hosts
 * file for one host. Then tasks can be spawned there; running tasks do not move. Blocks until each
 * host is up or has failed (15 s at most). A line may have addr=, port=, slots=, wdir=, encrypt=,
 * speed=. Other keys must be those of the user's own line for the host, unless hrun runs with
 * -allow-ssh.
 *
 * Returns how many are up. outcomes[i] (outcomes may be NULL) is the result of each. HN_EHOST: it
 * cannot be reached, or has no suitable hnowd. HN_EARG: no such host, not one host, or a host that
 * is in the job. hn_error_text() describes the first error. Negative if nothing was tried: HN_EARG,
 * HN_ESTATE (a job without hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_add_hosts(const char *const *hosts, int n, hn_host_outcome *outcomes);
/* Removes hosts from the job. Tasks that run there get SIGTERM, and SIGKILL 2 s later; they count
 * as ended on request, not as failed. Tasks that asked for HN_TASK_EXIT or HN_HOST_LOST are
 * notified. Blocks until nothing of them is left. Returns how many were removed, and outcomes as
 * above. HN_EARG: no such host, the caller's own, or a host from which agents of others were
 * started (in jobs of many hosts). */
HN_API int hn_remove_hosts(const char *const *names, int n, hn_host_outcome *outcomes);

/* Sends a signal to a task and all processes that it has started (its process group); signal 0 only
 * checks that it runs. HN_EDEAD: it has ended. A task that ends by HUP, INT, QUIT, TERM or KILL
 * sent in this way has not failed: the job continues. hn_kill() sends SIGTERM, and SIGCONT if the
 * task is stopped. */
HN_API int hn_signal(hn_tid tid, int signo);
HN_API int hn_kill(hn_tid tid);

/* The tid that names the host on which a task runs, or ran. */
HN_API hn_tid hn_host_tid(hn_tid task);
/* Name of the host that runs a task, as in the hosts file; NULL, with an error text, if unknown.
 * The text belongs to the library and is valid until hn_exit(). */
HN_API const char *hn_host_of(hn_tid tid);

/* Seconds since some moment in the past, with nanosecond resolution (CLOCK_MONOTONIC). All tasks of
 * one host read the same clock. For clocks of other hosts see hn_clock_compare() (hnow_net.h). */
HN_API double hn_wtime(void);

/* A text that hrun attached to the job: "hosts" (the hosts file), "plan" (the value of -plan),
 * "verbose" ("1" with -v); "" if there is none. *text belongs to the library and is valid until
 * hn_exit(). The first request for a key may block for the agent's answer. */
HN_API int hn_job_text(const char *key, const char **text, size_t *length);

/* ---- messages ----------------------------------------------------------------------------- */

#define HN_ANY (-1) /* as a source: any task; as a tag: any tag */

/* Messages match only inside one context, so that libraries do not receive each other's messages.
 * The context belongs to the calling thread, and applies to all that it sends and receives. It is 0
 * at first, also in a new thread. Contexts 1 ... 0xffff are reserved, 0x10000 ... 0x3fffffff are
 * the program's to choose, and those from 0x40000000 on come from hn_context_new(). Returns the
 * context before. */
typedef uint32_t hn_context;
HN_API hn_context hn_set_context(hn_context context);
/* A context that no other task of the job gets, never given twice. The caller sends the number to
 * those that use it. The next two numbers belong to the caller, too, the one behind them to the
 * library; a positive int holds all. Blocks for a round trip to hrun once in 64 calls. HN_ENOMEM:
 * 2^28 have been given out. */
HN_API int hn_context_new(hn_context *context);

typedef struct hn_info {
    hn_tid from;  /* sender */
    int tag;      /* its tag, >= 0 */
    hn_type type; /* type of the elements as sent */
    size_t count; /* number of elements */
} hn_info;

/* Memory for messages is bounded: HNOW_OUTBOX bytes for copies of outgoing messages, HNOW_INBOX
 * bytes for messages that were not received yet. Both are environment variables, 1 GiB each by
 * default; 64M is 64 MiB. If the first is full, hn_send() waits. If the second is full, the library
 * reads only connections for which a receive, a probe or a send waits. */

/* Sends count elements to a task (also to oneself). Returns when data may be used again. What the
 * network does not take at once is copied, and travels while the caller computes. The message
 * arrives even if the process ends meanwhile. Blocks only while the memory for copies is full. tag
 * >= 0.
 *
 * HN_EARG: also data of 1 MiB or more whose pages are not all in the process's memory. HN_OK also
 * if the task ends meanwhile: the message is dropped. Once the caller's library knows this, sends
 * to that task return HN_EDEAD. */
HN_API int hn_send(hn_tid to, int tag, const void *data, size_t count, hn_type type);

/* Blocks until a message from `from` (or HN_ANY) with `tag` (or HN_ANY) is there, and stores up to
 * count elements of it in data. Messages of equal sender, tag and context arrive in the order in
 * which they were sent. A message of no elements has any type. info may be NULL.
 *
 * HN_ETRUNC, HN_ETYPE: the message is too long, or has another type; it stays where it is, and info
 * describes it. HN_EDEAD: the sender has ended and no such message is left (HN_ANY: all other tasks
 * have ended; a task that has always been alone waits for what its own threads send). HN_EARG: also
 * a buffer of 1 MiB or more whose pages are not all in the process's memory. HN_ENOMEM: messages
 * that were not received have filled twice the memory for them. */
HN_API int hn_recv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info);

/* The same for a receiver that takes whatever comes, as in MPI. The first message of that sender
 * and tag is received. If it is too long, its beginning is stored and the rest is lost: HN_ETRUNC.
 * Elements that cannot be received as `type` are stored as the bytes that were sent. info describes
 * the whole message. */
HN_API int hn_recv_cut(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info);

/* Blocks until a message that hn_recv() would take has arrived, and describes it. If there is more
 * than HNOW_INBOX of messages not received, it need only have begun to arrive. */
HN_API int hn_probe(hn_tid from, int tag, hn_info *info);
/* The same without waiting: 1 if there is one, 0 if not, or an error. */
HN_API int hn_iprobe(hn_tid from, int tag, hn_info *info);

/* hn_recv() and hn_probe() with a time limit in milliseconds (0: return at once): HN_ETIMEOUT. A
 * message that is still arriving then is left for a later receive. data may hold a part of it. */
HN_API int hn_recv_timeout(hn_tid from, int tag, void *data, size_t count, hn_type type,
                           int milliseconds, hn_info *info);
HN_API int hn_probe_timeout(hn_tid from, int tag, int milliseconds, hn_info *info);

/* hn_send() to each of n tasks, in the order of the list. Tasks of one subnet get one datagram
 * instead, if its network carries multicasts. Continues after a failure, and returns the first one,
 * which hn_error_text() describes. HN_EARG: no list, or a negative number. */
HN_API int hn_multicast(const hn_tid *to, int n, int tag, const void *data, size_t count,
                        hn_type type);

/* Which of these tasks the caller reaches with one datagram (IP multicast): reached[i] is 1 or 0.
 * Blocks until all have answered, `milliseconds` at most. Returns how many are reached, or HN_EARG,
 * HN_ENOTASK, HN_ESTATE. */
HN_API int hn_multicast_reach(const hn_tid *to, int n, int milliseconds, char *reached);

/* Nonblocking forms of hn_send(), hn_recv() and hn_recv_cut(): they store a request in *request,
 * and return at once. The buffer belongs to the library until the request has ended. A send is done
 * when its buffer may be used again; from 256 KiB on, when the data is in the receiver's memory.
 * Wrong arguments are returned at once, without a request; other errors by hn_wait(). (MPI_Isend(),
 * MPI_Irecv().) */
typedef struct hn_request hn_request;
HN_API int hn_isend(hn_tid to, int tag, const void *data, size_t count, hn_type type,
                    hn_request **request);
HN_API int hn_irecv(hn_tid from, int tag, void *data, size_t count, hn_type type,
                    hn_request **request);
HN_API int hn_irecv_cut(hn_tid from, int tag, void *data, size_t count, hn_type type,
                        hn_request **request);
/* A synchronous send: hn_isend(), and a second request *taken. It is done when a receive of the
 * other task has taken the message and all of it is there. HN_EDEAD: the task has ended before.
 * Both requests end as others do, in any order. (MPI_Issend().) */
HN_API int hn_issend(hn_tid to, int tag, const void *data, size_t count, hn_type type,
                     hn_request **request, hn_request **taken);
/* Blocks until the request is done, frees it (a persistent one is kept), and returns what the
 * blocking form would. info (may be NULL) describes the message received; it is empty for other
 * requests. HN_EARG: no request. */
HN_API int hn_wait(hn_request *request, hn_info *info);
/* The same without blocking: 1: it was done and has ended; 0: not yet; < 0: it has ended with this
 * error. */
HN_API int hn_test(hn_request *request, hn_info *info);
/* Several requests at once, of messages and of collective operations, in one list of n. Entries may
 * be NULL. An entry whose request has ended becomes NULL. A persistent request (hnow_coll.h) stays
 * in the list, and is ignored until it is started again. infos and results may be NULL.
 *
 * hn_waitall() ends all of them as hn_wait() does, even after one has failed; infos[i] and
 * results[i] belong to request i. Returns the first error in the order of the list. */
HN_API int hn_waitall(hn_request **requests, int n, int *results, hn_info *infos);
/* Blocks until one of them is done, and ends that one. *index is its index (the lowest if several
 * are done); the result is that of hn_wait() for it. HN_OK with *index -1: no request is left. */
HN_API int hn_waitany(hn_request **requests, int n, int *index, hn_info *info);
/* The same without waiting: 1: one has ended, or none is left (*index -1); 0: none is done yet; <
 * 0: the error of the one at *index, which is freed, too. */
HN_API int hn_testany(hn_request **requests, int n, int *index, hn_info *info);

/* Sends and receives at the same time, so that tasks that exchange messages do not wait for each
 * other. Blocks until both are done. The buffers must not overlap. Returns the error of the receive
 * if both fail; info (which may be NULL) describes what was received. If an argument is wrong,
 * nothing is sent or received. */
HN_API int hn_sendrecv(hn_tid to, int send_tag, const void *out, size_t out_count, hn_type out_type,
                       hn_tid from, int recv_tag, void *in, size_t in_count, hn_type in_type,
                       hn_info *info);

/* Takes back a receive that hn_irecv() has posted. Returns at once. The request then ends as usual,
 * with hn_wait() or hn_test(), in this thread or in one that waits already. HN_ECANCEL: it was
 * taken back, its buffer is untouched, and other receives get the message. Any other result: it was
 * done, or its message had begun to arrive; then hn_wait() blocks until all of it is there.
 * HN_EARG: the request is a send's or a collective operation's, and continues. (MPI_Cancel().) */
HN_API int hn_cancel(hn_request *request);

/* ---- watching ------------------------------------------------------------------------------ */

/* Events, and what the message about each holds: one HN_INT; HN_HOST_ADDED: one or more. */
enum hn_event {
    HN_TASK_EXIT = 1, /* a task has ended: its status as from waitpid() */
    HN_HOST_LOST,     /* a host has left the job: 1 if lost, 0 if removed */
    HN_HOST_ADDED,    /* one call has added hosts: the tids of all of them */
    HN_NOTIFY_CANCEL = 0x100
};

/* Asks for messages about events. Each comes from the task or host concerned (its tid is info.from,
 * its name hn_host_of()), with this tag, in the context of the calling thread:
 *     HN_TASK_EXIT    one message for each of the n tasks of the list, when it has ended and all
 *                     its output and messages have arrived; at once if it has ended before.  A
 *                     receive that would take it waits for it, also when the task has called
 *                     hn_exit() and continues to run
 *     HN_HOST_LOST    one for each host of the list (tids of hosts, or of tasks there); or tids
 *                     NULL, n 0: one for every host that is lost from now on.  It follows the
 *                     messages about the host's tasks
 *     HN_HOST_ADDED   tids NULL; one for each of the next n calls of hn_add_hosts() that add
 *                     hosts, or for all (n -1).  It comes from the first of these hosts
 * Two requests for the same event give two messages. `what | HN_NOTIFY_CANCEL` cancels requests
 * with the same tag and context: for the tasks or hosts of the list, or (NULL, 0) for all.
 *
 * The failure of a task still ends the job, unless hrun runs with -on-failure notify. HN_ENOTASK:
 * one of the tids was never given, and nothing is requested. HN_EARG, HN_ESTATE (a job without
 * hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_notify(int what, const hn_tid *tids, int n, int tag);

/* From now on, the caller gets the output of tasks that it has spawned, instead of hrun: of the n
 * tasks of the list, or (NULL, 0) of all that it spawns from now on, and of their children. Each
 * line is a message of HN_CHAR from the task that wrote it, on standard output or error, in the
 * context of the calling thread. It has its line end and no NUL. Longer lines come in pieces of
 * HN_LINE_MAX bytes. When the task has ended, in any way, and all its output has arrived, a message
 * of length 0 follows. Lines count towards the memory for messages: if the caller does not receive
 * them, the writers wait. After the caller's hn_exit(), output goes to hrun. HN_EARG: a task of the
 * list was not spawned by the caller. HN_ENOTASK, HN_ESTATE (a job without hrun), HN_ENOMEM,
 * HN_EJOB. */
#define HN_LINE_MAX 65536
HN_API int hn_catch_output(const hn_tid *tids, int n, int tag);
/* The same into a file: the library writes each line to it, with "[tTID@HOST] " in front, also
 * while the caller computes. A line of more than 16 MiB becomes several lines. hn_exit() blocks
 * until all tasks concerned have ended. file NULL: output of these tasks, or of tasks spawned from
 * now on, goes to hrun again. */
HN_API int hn_catch_output_file(const hn_tid *tids, int n, FILE *file);

/* ---- message buffers ----------------------------------------------------------------------- */

/* A message built piece by piece, as in PVM: every piece carries its type. Unpack in the order of
 * packing. One piece may be unpacked in several parts, and several pieces of equal type together.
 * Elements of one type that are packed one by one may become one piece. A buffer belongs to the
 * program; no two threads may use one at the same time. HN_EARG: no buffer, or one that is to hold
 * itself. */
typedef struct hn_buffer hn_buffer;

HN_API hn_buffer *hn_buffer_new(void); /* empty; NULL: out of memory */
HN_API void hn_buffer_free(hn_buffer *buffer);
HN_API void hn_buffer_clear(hn_buffer *buffer);  /* empty again */
HN_API void hn_buffer_rewind(hn_buffer *buffer); /* unpacking begins anew */
HN_API size_t hn_buffer_bytes(const hn_buffer *buffer);
/* The bytes of its elements alone. */
HN_API size_t hn_buffer_data_bytes(const hn_buffer *buffer);

/* The piece that is unpacked next: its type, as packed, and how many of its elements are left (for
 * a string, its bytes and the 0 at its end). HN_ETRUNC: nothing is left. */
HN_API int hn_buffer_next(const hn_buffer *buffer, hn_type *type, size_t *count);

/* Appends count elements of data, a string, or all of another buffer. stride is the distance
 * between elements, in elements (1: adjacent). The data is copied. HN_ENOMEM. */
HN_API int hn_pack(hn_buffer *buffer, const void *data, size_t count, hn_type type, size_t stride);
HN_API int hn_pack_string(hn_buffer *buffer, const char *text);
HN_API int hn_pack_buffer(hn_buffer *buffer, const hn_buffer *inner);
/* Takes the next count elements. HN_ETYPE: the next piece has another type. HN_ETRUNC: fewer are
 * left, or the string is longer than size - 1 bytes. After an error nothing is taken. */
HN_API int hn_unpack(hn_buffer *buffer, void *data, size_t count, hn_type type, size_t stride);
HN_API int hn_unpack_string(hn_buffer *buffer, char *text, size_t size);
HN_API int hn_unpack_buffer(hn_buffer *buffer, hn_buffer *inner); /* replaces what inner holds */

/* As hn_send(), hn_multicast() and hn_recv_timeout() (milliseconds < 0: no limit). The received
 * message replaces the content of buffer; after a timeout, the content is unchanged. info->type is
 * HN_PACKED, and info->count the number of bytes: those of the elements, and 12 for each piece. A
 * message that was not packed (of hn_send(), hn_notify(), hn_catch_output()) is received as a
 * buffer of one piece, and info describes what was sent. */
#define HN_PACKED HN_TYPE(HN_CLASS_PACKED, 1)
HN_API int hn_send_buffer(hn_tid to, int tag, const hn_buffer *buffer);
HN_API int hn_multicast_buffer(const hn_tid *to, int n, int tag, const hn_buffer *buffer);
HN_API int hn_recv_buffer(hn_tid from, int tag, int milliseconds, hn_buffer *buffer, hn_info *info);

/* ---- message handlers ----------------------------------------------------------------------- */

/* A function of the program that is called for messages, from inside the program's own calls of the
 * library, never from another thread. The message belongs to the library and is valid until the
 * function returns. A message that was not packed is a buffer of one piece. The function runs in
 * the context of the message. It may call everything but collective operations and hn_exit(). One
 * handler runs at a time in a task. */
typedef void hn_handler(const hn_info *info, hn_buffer *message, void *data);

/* From now on, the function is called for all messages from `from` (or HN_ANY) with `tag` (or
 * HN_ANY) in the calling thread's context, in the order of arrival, including those that have
 * arrived and were not received. Receives and probes do not see them. If several handlers match,
 * the one added first gets the message. Returns a number for hn_handler_remove(). */
HN_API int hn_handler_add(hn_tid from, int tag, hn_handler *function, void *data);
/* Messages that it was not called for are then left for receives. A handler may remove itself.
 * HN_EARG: there is no such handler. */
HN_API int hn_handler_remove(int handler);

/* ---- groups ------------------------------------------------------------------------------- */

/* A list of tasks, by rank, for collective operations (hnow_coll.h). It never changes. Every group
 * has contexts of its own, even if another one has the same members. */
typedef struct hn_group hn_group;
/* The tasks that hrun started, by rank; for a spawned task, those spawned together with it. Belongs
 * to the library. */
HN_API const hn_group *hn_world(void);
/* The same as a list, by rank, which belongs to the library. Returns their number. */
HN_API int hn_siblings(const hn_tid **tids);
/* The number of members; the rank of a task (HN_ENOTASK: not a member); the tid of a rank (HN_EARG:
 * no such rank). None of them blocks. */
HN_API int hn_group_size(const hn_group *group);
HN_API int hn_group_rank(const hn_group *group, hn_tid tid);
HN_API hn_tid hn_group_tid(const hn_group *group, int rank);
/* The context for the program's own messages among the members (that of the world is 0). The next
 * three numbers are used by hnow. 0 for NULL. */
HN_API hn_context hn_group_context(const hn_group *group);

/* Make a group of n tasks, from their tids or from their ranks in another group. All members call
 * it, with the same list; nobody else need call it. Blocks until they have (a round trip to hrun).
 * The group belongs to the caller.
 *
 * HN_EARG: the list has a task twice, or lacks the caller. HN_EDEAD: a member has ended, or called
 * hn_exit(), before all had called. HN_ESTATE: a job without hrun and more than one member. See
 * also hn_group_split() (hnow_coll.h). */
HN_API int hn_group_from_tids(const hn_tid *tids, int n, hn_group **group);
HN_API int hn_group_from_ranks(const hn_group *parent, const int *ranks, int n, hn_group **group);
/* The same without asking hrun. The members make sure that all have the same list and the same
 * context, which comes from one hn_context_new() and makes one group only. */
HN_API int hn_group_new(const hn_tid *tids, int n, hn_context context, hn_group **group);
/* A failed member (ended by a signal or with a status other than 0, or its host was lost), as far
 * as the caller knows; 0: none. From then on, every collective operation on the group ends with
 * HN_EDEAD at all other members, including members that are in one. What the operation's buffers
 * hold then is undefined, and some members may have finished it. */
HN_API hn_tid hn_group_dead(const hn_group *group);
/* Makes a group of the members that have not ended and not called hn_exit(), in the same order. All
 * of them call it, and all get the same group. Blocks until they have (a round trip to hrun). If a
 * member is gone, operations of the others on the group end with HN_EDEAD as soon as the first one
 * calls it. A member that ends after that is in the new group, which then has a failed member,
 * too. */
HN_API int hn_group_shrink(const hn_group *group, hn_group **smaller);
/* From now on, the caller's operations on the group end with HN_EDEAD, also those under way. Other
 * members are not notified. hn_group_shrink() still works. Does not block. */
HN_API int hn_group_break(const hn_group *group);
/* From now on, the caller's receives in a context end with HN_EDEAD, in all threads, also those
 * that wait. The task keeps 4 bytes for each such context. Does not block. */
HN_API int hn_context_break(hn_context context);
/* Each member frees its own. Nonblocking and persistent operations (hnow_coll.h) on it remain valid
 * until their requests have ended. No other call with it may be under way. The world, and NULL, are
 * left as they are. hn_exit() frees all other groups. */
HN_API void hn_group_free(hn_group *group);

/* ---- named groups -------------------------------------------------------------------------- */

/* Groups with a name, which any tasks of the job join and leave while it runs, as in PVM. hrun
 * keeps them: every call blocks for a round trip to hrun, and all tasks see one order of events. A
 * task that ends, or calls hn_exit(), leaves its groups. All: HN_ESTATE in a job without hrun. */

/* Joins the group; the first member creates it. The name has 1 to 255 bytes. Returns the caller's
 * instance in it, the lowest free one: 0, 1, ... HN_ESTATE: the caller is a member already.
 * HN_ENAME: the group is closed. */
HN_API int hn_join(const char *name);
/* HN_ENOTASK: the caller is not a member. HN_ESTATE: another of its threads waits in a barrier of
 * the group. */
HN_API int hn_leave(const char *name);

/* The number of members; 0: there is no such group. */
HN_API int hn_joined_size(const char *name);
/* The tid of an instance; the instance of a tid. HN_ENOTASK: there is none. */
HN_API hn_tid hn_joined_tid(const char *name, int instance);
HN_API int hn_joined_instance(const char *name, hn_tid tid);
/* The members by instance, up to the highest, 0 for an instance without a member. The caller frees
 * *tids with free(); *n is their number (0: no such group). */
HN_API int hn_joined_members(const char *name, hn_tid **tids, int *n);

/* hn_multicast() to all current members except the caller (who need not be one): pvm_bcast().
 * Continues after a failure, such as a member that has just ended; returns the first error. */
HN_API int hn_joined_multicast(const char *name, int tag, const void *data, size_t count,
                               hn_type type);
HN_API int hn_joined_multicast_buffer(const char *name, int tag, const hn_buffer *buffer);

/* Blocks until count members have called it with the same count (HN_ANY: all members that the group
 * has then, which is the same as their number).
 *
 * HN_EDEAD: a member has failed, which hn_error_text() names. Members that wait get the error at
 * once, every other member at its next barrier or freeze, each once. Called again, it waits for the
 * members that live. Also HN_EDEAD: the group is now smaller than count, or all other tasks have
 * ended. HN_ENOTASK: the caller is not a member. HN_EARG: the others gave another count. */
HN_API int hn_joined_barrier(const char *name, int count);
/* The same; and those that met become a group (above), with ranks in the order of instances, for
 * collective operations. The named group stays as it is. */
HN_API int hn_joined_freeze(const char *name, int count, hn_group **group);
/* The same, and the named group is closed, until its last member has left: no task may join it.
 * When a member has left or ended, its barriers return HN_ENAME, also those under way. Returns the
 * number of members that met; *group is NULL if there are others. HN_ESTATE: it is closed already.
 */
HN_API int hn_joined_close(const char *name, int count, hn_group **group);

/* ---- name service -------------------------------------------------------------------------- */

/* Values under names, for all tasks of the job: packed buffers that hrun keeps, one or several
 * under a name, each with an index. A value belongs to the task that put it. Only that task may
 * replace, take or delete it, and it is deleted when the task ends or calls hn_exit(). Every call
 * blocks for a round trip to hrun, and all tasks see one order of events. Names have 1 to 255
 * bytes, a value at most 16 MiB, all together 256 MiB. All: HN_ESTATE in a job without hrun. */
enum {
    HN_NAME_STAYS = 1,  /* put: the value stays after its task has ended */
    HN_NAME_SHARED = 2, /* put: every task may replace, take and delete it */
    HN_NAME_MANY = 4,   /* put, index HN_ANY: the highest index plus 1, not 0 */
    HN_NAME_TAKE = 8,   /* get: and delete it in the same step */
    HN_NAME_NEXT = 16,  /* get: that index or the next higher one */
    HN_NAME_FREE = 32   /* put: that index or the next higher one that has no value */
};
typedef struct hn_name_info {
    char name[256];
    int index;
    hn_tid owner;
    int flags; /* with which it was put */
} hn_name_info;

/* Puts a value; it replaces the one that is there. A task that waits for it gets it. Returns its
 * index. HN_ESTATE: the value there belongs to another task. HN_EARG: a name or value that is too
 * long, no value, an index below HN_ANY, or no index left. HN_ENOMEM: no room for it. */
HN_API int hn_name_put(const char *name, int index, int flags, const hn_buffer *value);
/* Copies the value of that index (HN_ANY: the lowest) into value, and its owner into info; both may
 * be NULL. If there is none, waits up to so many milliseconds (0: not at all, below 0: no limit).
 * HN_ENAME: there is none. HN_ETIMEOUT: none has arrived. HN_EDEAD: none will, since all other
 * tasks have ended. HN_ESTATE: to be taken, but another task's. */
HN_API int hn_name_get(const char *name, int index, int flags, int milliseconds, hn_buffer *value,
                       hn_name_info *info);
/* Deletes the value of that index, or (HN_ANY) all values under the name that the caller may
 * delete, also those of tasks that have ended. HN_ENAME: there is none. HN_ESTATE: another
 * task's. */
HN_API int hn_name_delete(const char *name, int index);
/* Lists the values whose names match a pattern like the shell's ("*" matches all), by name and
 * index. The caller frees *list with free(); *n is their number. */
HN_API int hn_name_list(const char *pattern, hn_name_info **list, int *n);

/* ---- data kept with a group ---------------------------------------------------------------- */

/* Keeps a pointer with a group, for a library, under a key of its own, such as the address of one
 * of its variables. When the group is freed, or at hn_exit(), release(thing) is called; it must not
 * call hnow. hn_group_kept(): the last one kept under the key, or NULL. */
HN_API int hn_group_keep(const hn_group *group, const void *key, void *thing,
                         void (*release)(void *thing));
HN_API void *hn_group_kept(const hn_group *group, const void *key);

#ifdef __cplusplus
}
#endif

#ifndef HNOW_PLAIN_CALLS
#include "hnow_checked.h"
#endif
#endif
