/* hnow.h - the public interface of the runtime room: tasks, messages, groups.
 *
 * A program calls hn_enrol() once, exchanges messages with other tasks of its job, and calls
 * hn_exit().  Started by hand, without hrun, it is a job of one task.
 *
 * Every function that returns int returns HN_OK (0) or a negative HN_E... code unless its comment
 * says otherwise; hn_error_text() tells the calling thread what went wrong in words.  All functions
 * may be called from any thread between hn_enrol() and hn_exit().  A pointer that says where a
 * result goes, or what is to be done, must not be NULL unless the comment allows it: HN_EARG.
 */
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
/* What the calling thread's last failed call had to say (host, task, system error); never NULL,
 * valid until the thread's next failing call. */
HN_API const char *hn_error_text(void);

/* What becomes of an error: it is returned, or, in small programs that look at no result, it ends
 * the job. */
enum hn_errors { HN_ERRORS_RETURN, HN_ERRORS_FATAL };
/* From now on, for all threads of the process; may be called before hn_enrol().  Returns the mode
 * before, HN_ERRORS_RETURN at first, or HN_EARG.
 *
 * With HN_ERRORS_FATAL, a call of hnow.h or hnow_coll.h that returns an error ends the job by
 * hn_abort() with status 1, and hrun prints where and why:
 *     hello.c:31: hn_recv: HN_EDEAD: task 262146 on host b: the other task has ended
 * HN_ETIMEOUT, HN_ENAME and HN_ECANCEL are answers that a program has asked for, and are returned;
 * so are the answers of the functions that hnow_checked.h lists.  Only calls in C or C++ sources
 * that include these headers are watched, not those through a pointer to a function. */
HN_API int hn_set_errors(int mode);
/* What the macros of hnow_checked.h call after a failure: returns the error, or ends the job. */
HN_API int hn_failed(int error, const char *call, const char *file, int line);
static inline int hn_checked(int result, const char *call, const char *file, int line)
{
    return result < 0 ? hn_failed(result, call, file, line) : result;
}

/* ---- types -------------------------------------------------------------------------------- */

/* A type is its class and its size in bytes, so that it means the same on every machine; the
 * receiver converts byte order, and width where the receiver's type has another one of the same
 * class. HN_BYTE is never converted. */
typedef int hn_type;
enum {
    HN_CLASS_BYTE = 0,
    HN_CLASS_INT,
    HN_CLASS_UINT,
    HN_CLASS_FLOAT,
    HN_CLASS_COMPLEX,
    HN_CLASS_PACKED,
    HN_CLASS_EXTENDED, /* as x87 has them, and what belongs to them: a FLOAT, a COMPLEX to all else
                        */
    HN_CLASS_EXTENDED_COMPLEX,
    HN_CLASS_LONG, /* a long of 4 bytes, an INT to all else, and one without sign, a UINT: ... */
    HN_CLASS_ULONG /* ... collective operations carry the 8 bytes that it has elsewhere */
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
/* A long double is a different thing on each kind of machine: x87's 80 bits in 12 or 16 bytes, 128
 * bits of IEEE 754, or a double.  What comes is rounded to what the receiver has. */
#if __LDBL_MANT_DIG__ == 64
#define HN_LDOUBLE         HN_TYPE(HN_CLASS_EXTENDED, sizeof(long double))
#define HN_LDOUBLE_COMPLEX HN_TYPE(HN_CLASS_EXTENDED_COMPLEX, 2 * sizeof(long double))
#elif __LDBL_MANT_DIG__ == 113 || __LDBL_MANT_DIG__ == 53
#define HN_LDOUBLE         HN_TYPE(HN_CLASS_FLOAT, sizeof(long double))
#define HN_LDOUBLE_COMPLEX HN_TYPE(HN_CLASS_COMPLEX, 2 * sizeof(long double))
#endif

/* Size of one element in bytes; 0 when t is no type. */
HN_API size_t hn_type_size(hn_type t);

/* ---- the task and its job ----------------------------------------------------------------- */

/* Names a task in its job; > 0, opaque, never used twice.  It is not the rank: the tid of rank r is
 * hn_group_tid(hn_world(), r).  Every call that takes tids gives HN_ENOTASK for a number that was
 * never a task of the job, and HN_EARG for one <= 0.  It asks hrun, and blocks for a round trip,
 * when the task is a stranger: not of the caller's world, no parent, child or earlier partner, and
 * started on its host behind all those that the caller knows. */
typedef int32_t hn_tid;

/* Makes the calling process a task.  Blocks until the agent has answered (on this host: about a
 * millisecond).  Without hrun the task becomes a job of its own: rank 0 of 1.  HN_ESTATE: the
 * process is enrolled, or it has left its job, or another program of the same task (of a shell
 * script under hrun) has enrolled before: a task is one program, once; or what started the program
 * has closed its descriptor (HNOW_AGENT_FD in the environment), as Python does unless told
 * close_fds=False.  What it forks is no part of
 * it: there all calls say HN_ESTATE, and hn_enrol() begins a job of one task. */
HN_API int hn_enrol(void);
/* As hn_enrol(), but a program that was started by hand becomes a task of the machine that stays
 * (`hnow up`), of a world of its own: it can spawn, join named groups, and exchange messages with
 * other such programs.  Its standard streams stay the user's.  A program that has left may enrol so
 * again, and gets a new tid.  Blocks until the machine has started a stand-in for it, some
 * milliseconds.  HN_ENAME: no machine is up, and nothing is done; HN_ESTART: the machine takes no
 * task. */
HN_API int hn_enrol_machine(void);
/* Leaves the job: blocks until collective operations under way are over, and every message sent has
 * reached its receiver's memory (or the receiver has ended), then closes all connections.  Calls in
 * which other threads wait then end with HN_ESTATE.  Called by itself when the process leaves
 * main() or calls exit(), behind the program's own exit handlers. */
HN_API int hn_exit(void);
/* Ends the whole job, whatever -on-failure says: its tasks get SIGTERM, and SIGKILL 2 s later.
 * hrun's exit status becomes `status` (0 to 255), and it says why (NULL: nothing more; with status
 * 0 no word at all).  Standard output is flushed; messages under way are lost.  Does not return.
 * Without hrun, the calling process ends, with `why` on standard error. */
HN_API void hn_abort(int status, const char *why) __attribute__((noreturn));
HN_API hn_tid hn_mytid(void); /* HN_ESTATE when not enrolled, and so the next two */
HN_API int hn_rank(void);     /* place in the job's world group, 0 ... size-1 */
HN_API int hn_size(void);     /* number of tasks in the world group */

/* ---- tasks and hosts of the running job --------------------------------------------------- */

/* Where hn_spawn() starts tasks, and with what.  All zero: anywhere, as hrun's own tasks.  A host
 * suits when it is what host or machine say (or, with other, when it is not) and as fast as speed.
 */
typedef struct hn_place {
    const char *host; /* a host's name as hn_hosts() lists it, or a class of them: "node*" (pattern
                         of fnmatch()); "." for the caller's; or NULL */
    const char *machine;    /* a machine class, "x86_64"; only looked at when host is NULL */
    int other;              /* not 0: anywhere but there */
    double speed;           /* at least this, as hn_hosts() lists it; 0: any */
    const char *wdir;       /* directory of the tasks; NULL: as those of hrun */
    const char *const *env; /* "K=V" each, NULL at the end, besides hrun's; or NULL */
} hn_place;

/* Starts count tasks that run a program with the arguments argv (without the program's name, NULL
 * at the end; NULL: none).  Each goes to that of the hosts that suit place (NULL: all) which has
 * the fewest tasks for its slots.  The tasks get a world group of their own, by the order of tids;
 * their parent is the caller.  Blocks until all have been started, or could not be; that they enrol
 * need not be waited for: messages to them wait.
 *
 * Returns how many were started; tids[i] (tids may be NULL) is the tid, or the negative code why
 * there is none (HN_ESTART: no such program or directory; HN_EDEAD: the host was lost); the names
 * of those stay in the world group as tasks that have ended.  hn_error_text() then tells about the
 * first failure.  Negative when nothing was tried: HN_EARG (no such host, count not in 1 ...
 * 65536, a word of env without =), HN_ESTATE (a job without hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_spawn(const char *program, const char *const *argv, int count, const hn_place *place,
                    hn_tid *tids);
/* The task that has spawned this one; HN_ENOTASK when hrun has started it. */
HN_API hn_tid hn_parent(void);

enum hn_task_state { HN_STARTING, HN_RUNNING, HN_ENROLLED, HN_ENDED };
typedef struct hn_task_info {
    hn_tid tid, parent; /* parent 0: started by hrun */
    int rank;           /* in its world group */
    int pid;            /* process on its host; 0: not started yet */
    enum hn_task_state state;
    int status;       /* of an ended one, as of waitpid() */
    char program[64]; /* its name as it was given, cut to size */
} hn_task_info;

/* Lists the tasks that run now, in the order in which they were started: all into *tasks, to be
 * given back with free(), and their number into *n. */
HN_API int hn_tasks(hn_task_info **tasks, int *n);
/* The same about one task, also an ended one.  HN_ENOTASK: there was never one of that name. */
HN_API int hn_task_status(hn_tid tid, hn_task_info *info);

typedef struct hn_host_info {
    hn_tid tid; /* names the host where a tid is wanted: hn_notify(), hn_host_of(); it is no task */
    char name[256];
    char machine[32]; /* as of uname: "x86_64" */
    int big_endian;
    int cores, slots; /* slots: what the hosts file says, else the cores */
    int tasks;        /* of this job that run there */
    double load;      /* processes there that run or want to, also those of others: the kernel's
                         average over a minute, not older than 5 s; -1: not known yet */
    double speed; /* as the hosts file says, which hprobe may have written; 0: it says nothing */
} hn_host_info;

/* Lists the hosts that take part now, in the order of the hosts file; *hosts is to be given back
 * with free(). */
HN_API int hn_hosts(hn_host_info **hosts, int *n);

typedef struct hn_host_outcome {
    int error;      /* HN_OK or why not */
    hn_tid tid;     /* names the host; 0 when the string named none */
    char text[400]; /* the same in words, "" when all is well */
} hn_host_outcome;

/* Adds hosts to the job while it runs: each of the n strings is the name of a standby host of the
 * hosts file (a line that begins with &), of a host that was lost or removed, or a line as in a
 * hosts file for one host.  Their agents are started as those of the beginning were.  Tasks can be
 * spawned there from then on, and all talk with all; hrun's own tasks stay where they are.  Blocks
 * until each is up or has failed (15 s at most).  A line may say addr=, port=, slots=, wdir=,
 * encrypt=, speed=; the other keys only as the user's own line for the host does, or with hrun
 * -allow-ssh.
 *
 * Returns how many are up; outcomes[i] (outcomes may be NULL) says it of each: HN_EHOST: it cannot
 * be reached, or has no fitting hnowd; HN_EARG: no such host, not one host, or one that is in the
 * job; hn_error_text() tells about the first of these.  Negative when nothing was tried: HN_EARG,
 * HN_ESTATE (a job without hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_add_hosts(const char *const *hosts, int n, hn_host_outcome *outcomes);
/* Removes hosts from the job: tasks that run there get SIGTERM, SIGKILL 2 s later, and count as
 * told to end, not as failed.  Who has asked for HN_TASK_EXIT or HN_HOST_LOST is told.  Blocks
 * until nothing of them is left; returns how many and says what as above.  HN_EARG: no such host,
 * the caller's own, or one from which the agents of others were started (where hosts are many). */
HN_API int hn_remove_hosts(const char *const *names, int n, hn_host_outcome *outcomes);

/* Sends a signal to a task and all that it has started (its process group); 0 only looks whether it
 * runs.  HN_EDEAD: it has ended.  A task that ends by one of HUP, INT, QUIT, TERM or KILL sent this
 * way has not failed: the job goes on.  hn_kill() is SIGTERM; one that is stopped goes on to
 * hear it. */
HN_API int hn_signal(hn_tid tid, int signo);
HN_API int hn_kill(hn_tid tid);

/* The tid that names the host on which a task runs, or ran. */
HN_API hn_tid hn_host_tid(hn_tid task);
/* Name of the host that runs a task, as it stands in the hosts file; NULL, and an error text, when
 * unknown.  The text
 * belongs to the library and lives until hn_exit(). */
HN_API const char *hn_host_of(hn_tid tid);

/* Seconds since some moment in the past, to the nanosecond (CLOCK_MONOTONIC).  All tasks of one
 * host read the same clock; clocks of other hosts: hn_clock_compare() (hnow_net.h). */
HN_API double hn_wtime(void);

/* A text that hrun attached to the job: "hosts" (the hosts file, verbatim), "plan" (the value of
 * -plan), "verbose" ("1" under -v).  *text belongs to the library and lives until hn_exit(); the
 * first request for a key asks the agent and blocks for its answer.  *text is "" and *length 0 when
 * there is none. */
HN_API int hn_job_text(const char *key, const char **text, size_t *length);

/* ---- messages ----------------------------------------------------------------------------- */

#define HN_ANY (-1) /* as a source: any task; as a tag: any tag */

/* Messages match only inside one context, so that libraries do not take each other's messages.
 * The context belongs to the calling thread and is that of all it sends and receives; 0 at first,
 * also in a new thread.  Contexts 1 ... 0xffff are hnow's own, 0x10000 ... 0x3fffffff the program's
 * to choose, those from 0x40000000 on hn_context_new()'s.  Returns the context before. */
typedef uint32_t hn_context;
HN_API hn_context hn_set_context(hn_context context);
/* A context that no other task of the job gets, never given twice: for a library, or a conversation
 * of some tasks, which hears of it by a message.  It and the three numbers behind it are the
 * caller's; a positive int holds all.  Blocks for a round trip to hrun once in 64 calls.
 * HN_ENOMEM: 2^28 have been given out. */
HN_API int hn_context_new(hn_context *context);

typedef struct hn_info {
    hn_tid from;  /* sender */
    int tag;      /* its tag, >= 0 */
    hn_type type; /* type of the elements as sent */
    size_t count; /* number of elements */
} hn_info;

/* Memory for messages is bounded: copies of messages on their way out by HNOW_OUTBOX bytes,
 * messages that have come and are not asked for by HNOW_INBOX bytes (both from the environment; 1
 * GiB each when it says nothing).  When the first is full, hn_send() waits; when the second is,
 * nothing is read, and the senders come to wait.  Nothing is lost. */

/* Sends count elements to a task (also to oneself).  Returns when data may be used again, after
 * the start-up overhead: what the network does not take at once (from 256 KiB on: at a byte a
 * nanosecond) is copied and travels by itself while the caller computes.  It arrives even if the
 * process ends meanwhile, by exit(), _exit(), exec() or a signal.  Blocks only while the
 * memory for copies is full.  tag >= 0.  HN_EARG: also data of 1 MiB or more
 * whose pages are not all in the process's memory.  HN_OK also when the task ends meanwhile: the
 * message is dropped, and once the caller's library knows it, sends to it say so (HN_EDEAD). */
HN_API int hn_send(hn_tid to, int tag, const void *data, size_t count, hn_type type);

/* Blocks until a message from `from` (or HN_ANY) with `tag` (or HN_ANY) is there, and puts up to
 * count elements of it into data.  Messages of equal sender, tag and context arrive in the order
 * in which they were sent.  info may be NULL.  HN_ETRUNC, HN_ETYPE: the message is left where it
 * is, and info describes it.  HN_EDEAD: the sender has ended and no such message is left (HN_ANY:
 * all other tasks have; a task that has always been alone waits for what its own threads send).  A
 * message whose sender ends in the middle of it is no message.
 * HN_EARG: also a buffer of 1 MiB or more whose pages are not all in the process's memory.
 * HN_ENOMEM: messages that nobody receives have filled twice the memory for them. */
HN_API int hn_recv(hn_tid from, int tag, void *data, size_t count, hn_type type, hn_info *info);

/* Blocks until a message that hn_recv() would take is there, and describes it.  It is there when
 * all of it is; while there is more than HNOW_INBOX for nobody, when it begins. */
HN_API int hn_probe(hn_tid from, int tag, hn_info *info);
/* The same without waiting: 1 when there is one, 0 when not, or an error. */
HN_API int hn_iprobe(hn_tid from, int tag, hn_info *info);

/* hn_recv() and hn_probe() that give up after so many milliseconds (0: at once) with HN_ETIMEOUT. A
 * message that is still arriving then is for a later receive; one that is longer than HNOW_INBOX is
 * received. data may hold a part of it. */
HN_API int hn_recv_timeout(hn_tid from, int tag, void *data, size_t count, hn_type type,
                           int milliseconds, hn_info *info);
HN_API int hn_probe_timeout(hn_tid from, int tag, int milliseconds, hn_info *info);

/* hn_send() to each of n tasks, in the order of the list; those of one subnet get one datagram
 * instead, where its network carries multicasts.  Goes on after a failure; returns the first, of
 * which hn_error_text() tells.  HN_EARG: no list, or a negative number. */
HN_API int hn_multicast(const hn_tid *to, int n, int tag, const void *data, size_t count,
                        hn_type type);

/* Which of these tasks one datagram to many (IP multicast) of the caller reaches: reached[i] is 1
 * or 0.  Blocks until all have answered that it does, `milliseconds` at most.  Tasks on the
 * caller's own host, relayed connections, and other sides of routers are never reached so. Returns
 * how many are, or HN_EARG, HN_ENOTASK, HN_ESTATE. */
HN_API int hn_multicast_reach(const hn_tid *to, int n, int milliseconds, char *reached);

/* Nonblocking forms.  The buffer belongs to the library until the request is done.  A request ends
 * with hn_wait(), or with hn_test() when that says 1; both free it.  A send request is done when
 * its buffer may be used again; from 256 KiB on nothing is copied, and it is done when the data has
 * reached the receiver's memory.  hn_isend() never waits: what there is no room to copy stays in
 * the buffer.  Collective operations that do not wait have the same requests (hnow_coll.h). */
typedef struct hn_request hn_request;
HN_API int hn_isend(hn_tid to, int tag, const void *data, size_t count, hn_type type,
                    hn_request **request);
HN_API int hn_irecv(hn_tid from, int tag, void *data, size_t count, hn_type type,
                    hn_request **request);
HN_API int hn_wait(hn_request *request, hn_info *info);
HN_API int hn_test(hn_request *request, hn_info *info); /* 1 done and freed, 0 not yet, < 0 error
                                                           (freed, too) */
/* Several requests at once, of messages and of collective operations, in one list of n.  Entries
 * may be NULL.  An entry whose request has ended becomes NULL; a persistent operation
 * (hnow_coll.h) stays in the list, and is ignored until it is started again.  infos and results may
 * be NULL.
 *
 * hn_waitall() ends all of them as hn_wait() does, also after one has failed: infos[i] and
 * results[i] are for each of them.  Returns the first error in the order of the list. */
HN_API int hn_waitall(hn_request **requests, int n, int *results, hn_info *infos);
/* Blocks until one of them is done, and ends that one: *index is its place (the first one in the
 * list if several are done), and the result is what hn_wait() returns for it.  HN_OK and *index -1:
 * no request is left. */
HN_API int hn_waitany(hn_request **requests, int n, int *index, hn_info *info);
/* The same without waiting: 1 when one has ended, or none is left (*index -1); 0: none is done yet;
 * < 0: the error of the one at *index, which is freed, too. */
HN_API int hn_testany(hn_request **requests, int n, int *index, hn_info *info);

/* Sends and receives at the same time, so that tasks that exchange messages do not wait for each
 * other.  Blocks until both are done, as hn_recv() and hn_send() do; the buffers must not overlap.
 * Returns the error of the receive if both fail; info (which may be NULL) is about what was
 * received.  If an argument is wrong, nothing is sent or received. */
HN_API int hn_sendrecv(hn_tid to, int send_tag, const void *out, size_t out_count, hn_type out_type,
                       hn_tid from, int recv_tag, void *in, size_t in_count, hn_type in_type,
                       hn_info *info);

/* Takes a receive back that hn_irecv() has posted, so that no message goes to it any more, and
 * returns at once.  The request ends as ever, with hn_wait() or hn_test(), in this thread or the
 * one that waits already, and says what has become of it: HN_ECANCEL: taken back, its buffer is
 * untouched, and the message that it would have got is for other receives; anything else: it was
 * done, or its message had begun to arrive, and then hn_wait() blocks until all of it is there.
 * HN_EARG: the request is a send's or a collective operation's, and goes on.  (MPI_Cancel().) */
HN_API int hn_cancel(hn_request *request);

/* ---- watching ------------------------------------------------------------------------------ */

/* What can happen, and what the message about it holds: one HN_INT. */
enum hn_event {
    HN_TASK_EXIT = 1, /* a task has ended: its status as of waitpid() */
    HN_HOST_LOST,     /* a host takes part no more: 1 when it was lost, 0 when it was removed */
    HN_HOST_ADDED,    /* a host takes part from now on: its slots */
    HN_NOTIFY_CANCEL = 0x100
};

/* Asks for messages about what happens to others.  Each comes from the task or host concerned (its
 * tid is info.from, hn_host_of() the name), with this tag, in the context of the calling thread:
 *     HN_TASK_EXIT    one message for each of the n tasks of the list, when it has ended and all
 *                     its output and messages have come; at once if that is so already.  A
 *                     receive that would take it waits for it, also when the task has called
 *                     hn_exit() and runs on
 *     HN_HOST_LOST    one for each host of the list (tids of hosts, or of tasks there); or tids
 *                     NULL, n 0: one for every host that is lost from now on.  Comes after those
 *                     about its tasks
 *     HN_HOST_ADDED   tids NULL; one for each of the next n hosts, or for all (n -1)
 * What is asked for twice comes twice.  `what | HN_NOTIFY_CANCEL` takes back what was asked for
 * with the same tag and context: about the tasks or hosts of the list, or (NULL, 0) about all.
 *
 * The failure of a task still ends the job, unless hrun runs with -on-failure notify.  HN_ENOTASK:
 * one of the names was never given, and nothing is asked for; HN_EARG, HN_ESTATE (a job without
 * hrun), HN_ENOMEM, HN_EJOB. */
HN_API int hn_notify(int what, const hn_tid *tids, int n, int tag);

/* The output of tasks that the caller has spawned comes to the caller, from now on, instead of to
 * hrun's own output: of the n tasks of the list, or (NULL, 0) of all that it spawns from now on and
 * of what these spawn.  Each line comes as a message of HN_CHAR from the task that has written it,
 * on standard output or error, in the context of the calling thread: with its line end, without a
 * NUL, and longer lines in pieces of HN_LINE_MAX bytes.  When the task has ended and all has come,
 * however it ended, a message of length 0 follows.  Lines count towards the memory for messages:
 * who does not receive them makes the writers wait.  After the caller's hn_exit() output goes to
 * hrun. HN_EARG: one of the list was not spawned by the caller; HN_ENOTASK, HN_ESTATE (a job
 * without hrun), HN_ENOMEM, HN_EJOB. */
#define HN_LINE_MAX 65536
HN_API int hn_catch_output(const hn_tid *tids, int n, int tag);
/* The same into a file: the library writes each line to it, with "[tTID@HOST] " in front, also
 * while the caller computes; one of more than 16 MiB as several lines.  hn_exit() blocks until all
 * tasks concerned have ended.  file NULL: output of these, or of what is spawned from now on, goes
 * to hrun (again). */
HN_API int hn_catch_output_file(const hn_tid *tids, int n, FILE *file);

/* ---- message buffers ----------------------------------------------------------------------- */

/* A message put together piece by piece, as in PVM: every piece carries its type.  Unpacking
 * follows the order of packing; one piece may be unpacked in several parts, and several pieces of
 * equal type together.  A buffer belongs to the program; no two threads may use one at the same
 * time.  HN_EARG: no buffer, or one that is to hold itself. */
typedef struct hn_buffer hn_buffer;

HN_API hn_buffer *hn_buffer_new(void); /* empty; NULL: out of memory */
HN_API void hn_buffer_free(hn_buffer *buffer);
HN_API void hn_buffer_clear(hn_buffer *buffer);  /* empty again */
HN_API void hn_buffer_rewind(hn_buffer *buffer); /* unpacking begins again */
HN_API size_t hn_buffer_bytes(const hn_buffer *buffer);

/* The piece that unpacking comes to next: its type, as it was packed, and how many of its elements
 * are left (of a string, its bytes with the 0 behind it).  HN_ETRUNC: nothing is left. */
HN_API int hn_buffer_next(const hn_buffer *buffer, hn_type *type, size_t *count);

/* Appends count elements of data; stride is the distance between them in elements (1: one behind
 * the other). */
HN_API int hn_pack(hn_buffer *buffer, const void *data, size_t count, hn_type type, size_t stride);
HN_API int hn_pack_string(hn_buffer *buffer, const char *text);
HN_API int hn_pack_buffer(hn_buffer *buffer, const hn_buffer *inner);
/* Takes the next count elements.  HN_ETYPE: another type comes next; HN_ETRUNC: fewer are left, or
 * the string is longer than size - 1 bytes; then nothing is taken. */
HN_API int hn_unpack(hn_buffer *buffer, void *data, size_t count, hn_type type, size_t stride);
HN_API int hn_unpack_string(hn_buffer *buffer, char *text, size_t size);
HN_API int hn_unpack_buffer(hn_buffer *buffer, hn_buffer *inner); /* replaces what inner holds */

/* As hn_send(), hn_multicast() and hn_recv_timeout() (milliseconds < 0: no limit).  What buffer
 * held before is replaced; when the time is up, it stays.  info->type is HN_PACKED and info->count
 * the number of bytes, 12 more for each piece than its elements have.  A message that was not
 * packed (of hn_send(), hn_notify(), hn_catch_output()) is received as a buffer of one piece, and
 * info says what was sent. */
#define HN_PACKED HN_TYPE(HN_CLASS_PACKED, 1)
HN_API int hn_send_buffer(hn_tid to, int tag, const hn_buffer *buffer);
HN_API int hn_multicast_buffer(const hn_tid *to, int n, int tag, const hn_buffer *buffer);
HN_API int hn_recv_buffer(hn_tid from, int tag, int milliseconds, hn_buffer *buffer, hn_info *info);

/* ---- message handlers ----------------------------------------------------------------------- */

/* A function of the program that is called for messages, from inside its own calls of the library:
 * while one waits, or before it returns; never from another thread.  The message belongs to the
 * library and lives until the function returns; one that was not packed is a buffer of one piece,
 * to be unpacked as the elements that were sent.  The function runs in the context of the message;
 * it may send, receive and do all else but collective operations and hn_exit().  One function runs
 * at a time in a task: messages that come for others meanwhile wait until it has returned. */
typedef void hn_handler(const hn_info *info, hn_buffer *message, void *data);

/* From now on the function is called for all messages from `from` (or HN_ANY) with `tag` (or
 * HN_ANY) in the calling thread's context, in the order in which they come, also for those that
 * have come and are not received yet; receives and probes do not see them.  Of several that want a
 * message the one added first gets it.  Returns a number for hn_handler_remove(). */
HN_API int hn_handler_add(hn_tid from, int tag, hn_handler *function, void *data);
/* Messages that it was not called for are then for receives.  A handler may remove itself. HN_EARG:
 * there is no such handler. */
HN_API int hn_handler_remove(int handler);

/* ---- groups ------------------------------------------------------------------------------- */

/* A list of tasks, by rank, for collective operations (hnow_coll.h).  It never changes.  Every
 * group has contexts of its own, so what goes on in one group is never taken for what goes on in
 * another, whoever their members are. */
typedef struct hn_group hn_group;
/* The tasks that hrun started, by rank; in a task that was spawned, those spawned together with it.
 * Belongs to the library. */
HN_API const hn_group *hn_world(void);
/* The same as a list, by rank, which belongs to the library; returns how many they are. */
HN_API int hn_siblings(const hn_tid **tids);
HN_API int hn_group_size(const hn_group *group);
HN_API int hn_group_rank(const hn_group *group, hn_tid tid); /* HN_ENOTASK: no member */
HN_API hn_tid hn_group_tid(const hn_group *group, int rank);
/* The context for the program's own messages among the members (that of the world is 0); the three
 * numbers behind it are used by hnow.  0 for NULL. */
HN_API hn_context hn_group_context(const hn_group *group);

/* Make a group of n tasks: by their tids, or by their ranks in another group.  All of them call it,
 * with the same list, and nobody else need; blocks until they have (a round trip to hrun).  Several
 * groups may be made of one list, one after the other.  The group belongs to the caller.  HN_EARG:
 * a name stands there twice, or the caller's does not; HN_EDEAD: a member has ended, or has called
 * hn_exit(), before all were there; HN_ESTATE: a job without hrun and more than one member.
 * hnow_coll.h has hn_group_split(). */
HN_API int hn_group_from_tids(const hn_tid *tids, int n, hn_group **group);
HN_API int hn_group_from_ranks(const hn_group *parent, const int *ranks, int n, hn_group **group);
/* The same without asking anybody: the members see to it themselves that all have the same list and
 * the same context, which comes from one hn_context_new() and makes one group only. */
HN_API int hn_group_new(const hn_tid *tids, int n, hn_context context, hn_group **group);
/* A member that has failed (it was ended by a signal, or with a status that is not 0, or its host
 * was lost), as far as the caller knows; 0: none.  From then on every collective operation on the
 * group ends with HN_EDEAD at all other members, also at those who are in one: nobody waits for the
 * dead, nor for those who have given up.  What the operation's buffers hold then is undefined, and
 * some members may have finished it. */
HN_API hn_tid hn_group_dead(const hn_group *group);
/* Makes a group of the members that have not ended and not called hn_exit(), in the same order: all
 * of them call it, and all get the same one; blocks until they have (a round trip to hrun).  Where
 * a member is gone, in whatever way, operations of the others on the group end with HN_EDEAD as
 * soon as the first one calls it.  A member that ends after that is in the new group, which is then
 * broken, too.  The old group stays. */
HN_API int hn_group_shrink(const hn_group *group, hn_group **smaller);
/* Each member frees its own.  Operations that do not wait and persistent ones (hnow_coll.h) that
 * have been made on it stay good, and what they need of it stays until their requests have ended;
 * no other call with it may be under way.  (MPI_Comm_free(), but nobody waits.)  The world, and
 * NULL, stay as they are.  What is not freed is, by hn_exit(). */
HN_API void hn_group_free(hn_group *group);

/* ---- groups that tasks join ----------------------------------------------------------------- */

/* Groups by name that any tasks of the job join and leave while it runs, as in PVM.  hrun keeps
 * them: every call blocks for a round trip to hrun, and all tasks see one order of events.  A task
 * that ends, or calls hn_exit(), leaves its groups.  All: HN_ESTATE in a job without hrun. */

/* Joins the group, which begins to be when it has no member yet; the name has 1 to 255 bytes.
 * Returns the caller's instance in it, the lowest that is free: 0, 1, ...  HN_ESTATE: it is a
 * member already. */
HN_API int hn_join(const char *name);
/* HN_ENOTASK: it is no member; HN_ESTATE: another of its threads waits in a barrier of the group.
 */
HN_API int hn_leave(const char *name);

/* How many members it has; 0: there is no such group. */
HN_API int hn_joined_size(const char *name);
/* The tid of an instance, the instance of a tid.  HN_ENOTASK: there is none. */
HN_API hn_tid hn_joined_tid(const char *name, int instance);
HN_API int hn_joined_instance(const char *name, hn_tid tid);
/* The members by instance, 0 where there is none, up to the highest; *tids is to be given back with
 * free(), *n is their number (0: no such group). */
HN_API int hn_joined_members(const char *name, hn_tid **tids, int *n);

/* hn_multicast() to all who are members now, but the caller (who need not be one): pvm_bcast().
 * Goes on after a failure, as of a member that has just ended; returns the first. */
HN_API int hn_joined_multicast(const char *name, int tag, const void *data, size_t count,
                               hn_type type);
HN_API int hn_joined_multicast_buffer(const char *name, int tag, const hn_buffer *buffer);

/* Blocks until count members have called it (HN_ANY: all that the group has then), which say the
 * same count.  HN_EDEAD: a member has failed (hn_error_text() names it): all who wait hear of it at
 * once, every other member at its next barrier or freezing, each once; called again, it waits for
 * those who live.  Also HN_EDEAD: a member has ended as it should, and the group is now smaller
 * than count; or all other tasks have ended, and nobody will come.  HN_ENOTASK: the caller is no
 * member; HN_EARG: another count than that of others. */
HN_API int hn_joined_barrier(const char *name, int count);
/* The same, and those who have met become a group (above), ranks in the order of instances: for
 * collective operations.  The named group stays as it is. */
HN_API int hn_joined_freeze(const char *name, int count, hn_group **group);

/* ---- names ---------------------------------------------------------------------------------- */

/* Values under names, for all tasks of the job: message buffers that hrun keeps, one under a name
 * or several, told apart by an index.  A value belongs to the task that put it: it alone may
 * replace, take or delete it, and it is deleted when the task ends or calls hn_exit().  Every call
 * blocks for a round trip to hrun, and all tasks see one order of events.  Names have 1 to 255
 * bytes, a value at most 16 MiB, all together 256 MiB.  All: HN_ESTATE in a job without hrun. */
enum {
    HN_NAME_STAYS = 1,  /* put: the value stays when its task has ended */
    HN_NAME_SHARED = 2, /* put: every task may replace, take and delete it */
    HN_NAME_MANY = 4,   /* put, index HN_ANY: the index behind the highest one, instead of 0 */
    HN_NAME_TAKE = 8,   /* get: and delete it in the same moment */
    HN_NAME_NEXT = 16   /* get: that index or the next higher one */
};
typedef struct hn_name_info {
    char name[256];
    int index;
    hn_tid owner;
    int flags; /* with which it was put */
} hn_name_info;

/* Puts a value, in place of the one that is there; who waits for it gets it.  Returns its index.
 * HN_ESTATE: what is there is another task's; HN_EARG: a name or value that is too long, no value,
 * an index below HN_ANY, or none left behind the highest one; HN_ENOMEM: no room for it. */
HN_API int hn_name_put(const char *name, int index, int flags, const hn_buffer *value);
/* Replaces what value holds by a copy of the one of that index (HN_ANY: the lowest), and tells
 * whose it is; value and info may be NULL.  When there is none, waits so many milliseconds (0: not
 * at all, below 0: no limit).  HN_ENAME: there is none; HN_ETIMEOUT: none has come; HN_EDEAD: none
 * will, all other tasks have ended; HN_ESTATE: to be taken, and another task's. */
HN_API int hn_name_get(const char *name, int index, int flags, int milliseconds, hn_buffer *value,
                       hn_name_info *info);
/* Deletes the value of that index, or (HN_ANY) all under the name that the caller may.  HN_ENAME:
 * there is none; HN_ESTATE: another task's. */
HN_API int hn_name_delete(const char *name, int index);
/* Lists the values whose names match a pattern as the shell's ("*" is any), by name and index;
 * *list is to be given back with free(). */
HN_API int hn_name_list(const char *pattern, hn_name_info **list, int *n);

/* ---- what is kept with a group -------------------------------------------------------------- */

/* Keeps something with a group for a library: under a key of its own, say the address of one of its
 * variables.  When the group is freed, or at hn_exit(), release(thing) is called, in which no other
 * function of hnow may be. hn_group_kept(): the last one kept under the key, or NULL. */
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
