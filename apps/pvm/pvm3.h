/* pvm3.h - the functions of PVM 3 (and of its groups) on hnow: libhnowpvm.
 *
 * A program written for PVM 3 includes this header instead of PVM's own and is linked with
 * `pkg-config --libs hnow-pvm`; it runs under `hrun -on-failure notify -np 1 PROGRAM`.  Names,
 * values and signatures are PVM's; docs/pvm.md says where they behave differently.  Any thread may
 * call; each has its own current buffers.
 */
#ifndef HNOW_PVM3_H
#define HNOW_PVM3_H

#include <stdio.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PVM_VER           "3.4.6"
#define PVM_MAJOR_VERSION 3
#define PVM_MINOR_VERSION 4
#define PVM_PATCH_VERSION 6

/* ---- values ------------------------------------------------------------------------------- */

/* How a buffer is packed.  Every element carries its type here, so that the first two are one; what
 * is left in place is packed when it is sent. */
#define PvmDataDefault 0
#define PvmDataRaw     1
#define PvmDataInPlace 2
#define PvmDataFoo     PvmDataDefault
#define PvmDataTrace   4

/* pvm_spawn() */
#define PvmTaskDefault   0
#define PvmTaskHost      1  /* where: a host */
#define PvmTaskArch      2  /* where: a kind of machine */
#define PvmTaskDebug     4  /* no effect */
#define PvmTaskTrace     8  /* no effect */
#define PvmMppFront      16 /* no effect */
#define PvmHostCompl     32 /* anywhere but where */
#define PvmNoSpawnParent 64 /* the children know no parent */

/* pvm_notify() */
#define PvmTaskExit     1
#define PvmHostDelete   2
#define PvmHostAdd      3
#define PvmRouteAdd     4 /* never happens */
#define PvmRouteDelete  5 /* when the task ends */
#define PvmNotifyCancel 256

/* pvm_setopt(), pvm_getopt() */
#define PvmRoute             1
#define PvmDontRoute         1 /* of PvmRoute, as the next two */
#define PvmAllowDirect       2
#define PvmRouteDirect       3
#define PvmDebugMask         2
#define PvmAutoErr           3 /* 0: failures are quiet; 1: printed; 2: and exit(); 3: and abort() */
#define PvmOutputTid         4
#define PvmOutputCode        5
#define PvmTraceTid          6
#define PvmTraceCode         7
#define PvmTraceBuffer       8
#define PvmTraceOptions      9
#define PvmTraceFull         1 /* of PvmTraceOptions, as the next two */
#define PvmTraceTime         2
#define PvmTraceCount        3
#define PvmFragSize          10
#define PvmResvTids          11
#define PvmSelfOutputTid     12
#define PvmSelfOutputCode    13
#define PvmSelfTraceTid      14
#define PvmSelfTraceCode     15
#define PvmSelfTraceBuffer   16
#define PvmSelfTraceOptions  17
#define PvmShowTids          18 /* lines of pvm_catchout() begin with the task */
#define PvmPollType          19
#define PvmPollConstant      1 /* of PvmPollType, as the next one */
#define PvmPollSleep         2
#define PvmPollTime          20
#define PvmOutputContext     21
#define PvmTraceContext      22
#define PvmSelfOutputContext 23
#define PvmSelfTraceContext  24
#define PvmNoReset           25

#define PvmTaskSelf  0
#define PvmTaskChild 1

#define PvmBaseContext 0

/* Mailboxes */
#define PvmMboxDefault          0
#define PvmMboxPersistent       1
#define PvmMboxMultiInstance    2
#define PvmMboxOverWritable     4
#define PvmMboxFirstAvail       8
#define PvmMboxReadAndDelete    16
#define PvmMboxWaitForInfo      32
#define PvmMboxMaxFlag          512
#define PvmMboxDirectIndexShift 10
#define PvmMboxMaxDirectIndex   (1u << (31 - PvmMboxDirectIndexShift))
/* An index among the flags of pvm_putinfo(), and back; one that is too large is 0. */
#define PvmMboxDirectIndex(index)                                                                  \
    ((int)((unsigned)(index) < PvmMboxMaxDirectIndex                                               \
               ? (unsigned)(index) << PvmMboxDirectIndexShift                                      \
               : 0))
#define PvmMboxDirectIndexOf(flags)                                                                \
    ((int)(((unsigned)(flags) >> PvmMboxDirectIndexShift) & (PvmMboxMaxDirectIndex - 1)))

#define PVMNORESETCLASS "###_PVM_NO_RESET_###"
#define PVMHOSTERCLASS  "###_PVM_HOSTER_###"
#define PVMTASKERCLASS  "###_PVM_TASKER_###"
#define PVMTRACERCLASS  "###_PVM_TRACER_###"
#define PVMRMCLASS      "###_PVM_RM_###"

/* What functions return when they fail */
#define PvmOk           0
#define PvmBadParam     (-2)
#define PvmMismatch     (-3)
#define PvmOverflow     (-4)
#define PvmNoData       (-5)
#define PvmNoHost       (-6)
#define PvmNoFile       (-7)
#define PvmDenied       (-8)
#define PvmNoMem        (-10)
#define PvmBadMsg       (-12)
#define PvmSysErr       (-14)
#define PvmNoBuf        (-15)
#define PvmNoSuchBuf    (-16)
#define PvmNullGroup    (-17)
#define PvmDupGroup     (-18)
#define PvmNoGroup      (-19)
#define PvmNotInGroup   (-20)
#define PvmNoInst       (-21)
#define PvmHostFail     (-22)
#define PvmNoParent     (-23)
#define PvmNotImpl      (-24)
#define PvmDSysErr      (-25)
#define PvmBadVersion   (-26)
#define PvmOutOfRes     (-27)
#define PvmDupHost      (-28)
#define PvmCantStart    (-29)
#define PvmAlready      (-30)
#define PvmNoTask       (-31)
#define PvmNotFound     (-32)
#define PvmExists       (-33)
#define PvmHostrNMstr   (-34)
#define PvmParentNotSet (-35)
#define PvmIPLoopback   (-36)
#define PvmNoEntry      PvmNotFound
#define PvmDupEntry     PvmDenied

/* Types of elements: pvm_psend(), pvm_precv(), pvm_reduce(), pvm_gather(), pvm_scatter() */
#define PVM_STR    0
#define PVM_BYTE   1
#define PVM_SHORT  2
#define PVM_INT    3
#define PVM_FLOAT  4
#define PVM_CPLX   5
#define PVM_DOUBLE 6
#define PVM_DCPLX  7
#define PVM_LONG   8
#define PVM_USHORT 9
#define PVM_UINT   10
#define PVM_ULONG  11

/* ---- what functions hand out; it belongs to the library until their next call --------------- */

struct pvmhostinfo {
    int hi_tid;
    char *hi_name;
    char *hi_arch;
    int hi_speed;
    int hi_dsig; /* equal where data look alike in memory */
};

struct pvmtaskinfo {
    int ti_tid;
    int ti_ptid;
    int ti_host;
    int ti_flag;
    char *ti_a_out;
    int ti_pid;
};

struct pvmminfo {
    int len;
    int ctx;
    int tag;
    int wid;
    int enc;
    int crc;
    int src;
    int dst;
};

struct pvmmboxinfo {
    char *mi_name;
    int mi_nentries;
    int *mi_indices;
    int *mi_owners;
    int *mi_flags;
};

/* ---- functions ---------------------------------------------------------------------------- */

#define HNOW_PVM_API __attribute__((visibility("default")))

/* the task */
HNOW_PVM_API int pvm_mytid(void);
/* Leaves the virtual machine; the process continues. PvmOk also if the process is no task. */
HNOW_PVM_API int pvm_exit(void);
/* The task that spawned the caller. PvmNoParent, which is never printed: there is none, or the
 * parent passed PvmNoSpawnParent. */
HNOW_PVM_API int pvm_parent(void);
/* Returns the number of tasks that were started together, the caller included. The list is made
 * once. */
HNOW_PVM_API int pvm_siblings(int **tids);
/* Returns the previous value. The caller need not be a task. */
HNOW_PVM_API int pvm_setopt(int what, int value);
HNOW_PVM_API int pvm_getopt(int what);
/* Prints the text and the error of the last call that failed, in any thread. */
HNOW_PVM_API int pvm_perror(char *text);
/* The text of that error; must not be freed. */
HNOW_PVM_API char *pvm_strerror(void);
HNOW_PVM_API char *pvm_version(void);

/* tasks and hosts */
HNOW_PVM_API int pvm_spawn(char *task, char **argv, int flags, char *where, int count, int *tids);
/* Children inherit the environment variables that are named in PVM_EXPORT. These calls edit that
 * list. */
HNOW_PVM_API int pvm_export(char *name);
HNOW_PVM_API int pvm_unexport(char *name);
/* Sends SIGTERM. PvmOk also if the task has ended, or never existed. */
HNOW_PVM_API int pvm_kill(int tid);
HNOW_PVM_API int pvm_sendsig(int tid, int signal);
/* PvmOk: it runs. PvmNoTask: it has ended, or never existed. */
HNOW_PVM_API int pvm_pstat(int tid);
/* where 0: all tasks; a tid of a host: those on it; a tid of a task: this one. PvmNoHost: no task,
 * and no such host. */
HNOW_PVM_API int pvm_tasks(int where, int *count, struct pvmtaskinfo **tasks);
/* The host's part of a tid; does not check that the task exists. */
HNOW_PVM_API int pvm_tidtohost(int tid);
/* All arguments may be NULL. kinds is the number of different data formats. */
HNOW_PVM_API int pvm_config(int *hosts, int *kinds, struct pvmhostinfo **info);
/* PvmOk: the host takes part. PvmNoHost: it does not. */
HNOW_PVM_API int pvm_mstat(char *host);
/* The hi_dsig of the first host of that architecture. PvmNotFound: no host has it. */
HNOW_PVM_API int pvm_archcode(char *arch);
/* Return the number of hosts that were added, or deleted. outcomes[i] is a host's tid, or an error;
 * after pvm_delhosts(), PvmOk or an error. */
HNOW_PVM_API int pvm_addhosts(char **names, int count, int *outcomes);
HNOW_PVM_API int pvm_delhosts(char **names, int count, int *outcomes);
/* For the caller's own host only; PvmNotImpl: another one. */
HNOW_PVM_API int pvm_hostsync(int host, struct timeval *clock, struct timeval *delta);
/* PvmDupHost: a job or a virtual machine is there already. */
HNOW_PVM_API int pvm_start_pvmd(int argc, char **argv, int block);
/* Ends the virtual machine with all its tasks, the caller included. */
HNOW_PVM_API int pvm_halt(void);
/* Asks for a message with this tag about each of the tasks or hosts. Its contents: PvmTaskExit,
 * PvmHostDelete: the tid; PvmHostAdd: the number of hosts, then their tids. For PvmHostAdd, count
 * is how many such messages are sent: -1: all, 0: none any more. */
HNOW_PVM_API int pvm_notify(int what, int tag, int count, int *tids);
/* Output of children that are spawned from now on goes to the file; NULL: no longer. pvm_exit()
 * waits for these children, unless NULL was passed before. */
HNOW_PVM_API int pvm_catchout(FILE *file);

/* buffers */
HNOW_PVM_API int pvm_initsend(int encoding);
/* Returns the number of a new, empty buffer, which is not current. */
HNOW_PVM_API int pvm_mkbuf(int encoding);
/* If it is a current buffer, there is none afterwards. Buffer 0 is ignored. */
HNOW_PVM_API int pvm_freebuf(int buffer);
/* The thread's current send buffer; 0: none. pvm_setsbuf(0) makes none current. It returns the
 * previous one, so a program can restore it. */
HNOW_PVM_API int pvm_getsbuf(void);
HNOW_PVM_API int pvm_setsbuf(int buffer);
/* The same for receiving. A buffer is never both: setting it as one clears the other. */
HNOW_PVM_API int pvm_getrbuf(void);
HNOW_PVM_API int pvm_setrbuf(int buffer);
/* Length, tag and sender of a message; each argument may be NULL. Also for a message that was only
 * probed. */
HNOW_PVM_API int pvm_bufinfo(int buffer, int *bytes, int *tag, int *tid);
/* Get and set what accompanies a message. len, enc and dst cannot be set. */
HNOW_PVM_API int pvm_getminfo(int buffer, struct pvmminfo *info);
HNOW_PVM_API int pvm_setminfo(int buffer, struct pvmminfo *info);
/* The wait id, a number that the library only stores. */
HNOW_PVM_API int pvm_getmwid(int buffer);
HNOW_PVM_API int pvm_setmwid(int buffer, int id);

/* packing and unpacking */
HNOW_PVM_API int pvm_pkbyte(char *p, int count, int stride);
HNOW_PVM_API int pvm_pkshort(short *p, int count, int stride);
HNOW_PVM_API int pvm_pkint(int *p, int count, int stride);
HNOW_PVM_API int pvm_pklong(long *p, int count, int stride);
HNOW_PVM_API int pvm_pkushort(unsigned short *p, int count, int stride);
HNOW_PVM_API int pvm_pkuint(unsigned int *p, int count, int stride);
HNOW_PVM_API int pvm_pkulong(unsigned long *p, int count, int stride);
HNOW_PVM_API int pvm_pkfloat(float *p, int count, int stride);
HNOW_PVM_API int pvm_pkdouble(double *p, int count, int stride);
HNOW_PVM_API int pvm_pkcplx(float *p, int count, int stride);
HNOW_PVM_API int pvm_pkdcplx(double *p, int count, int stride);
/* The text with its terminating zero. Not in place: PvmNotImpl. */
HNOW_PVM_API int pvm_pkstr(char *text);
/* The format is described in format.c. */
HNOW_PVM_API int pvm_packf(const char *format, ...);
/* Packs a whole buffer into the current one; the other call packs its elements only, as if one by
 * one. */
HNOW_PVM_API int pvm_pkmesg(int buffer);
HNOW_PVM_API int pvm_pkmesgbody(int buffer);
/* PvmNoData: the message has fewer elements; those that exist are unpacked. PvmBadMsg: the next
 * element has a type that is not converted to this one (raw.c). */
HNOW_PVM_API int pvm_upkbyte(char *p, int count, int stride);
HNOW_PVM_API int pvm_upkshort(short *p, int count, int stride);
HNOW_PVM_API int pvm_upkint(int *p, int count, int stride);
HNOW_PVM_API int pvm_upklong(long *p, int count, int stride);
HNOW_PVM_API int pvm_upkushort(unsigned short *p, int count, int stride);
HNOW_PVM_API int pvm_upkuint(unsigned int *p, int count, int stride);
HNOW_PVM_API int pvm_upkulong(unsigned long *p, int count, int stride);
HNOW_PVM_API int pvm_upkfloat(float *p, int count, int stride);
HNOW_PVM_API int pvm_upkdouble(double *p, int count, int stride);
HNOW_PVM_API int pvm_upkcplx(float *p, int count, int stride);
HNOW_PVM_API int pvm_upkdcplx(double *p, int count, int stride);
/* There is no length argument: the program must have room for the text. */
HNOW_PVM_API int pvm_upkstr(char *text);
HNOW_PVM_API int pvm_unpackf(const char *format, ...);
/* Returns the number of a new buffer with the nested message. */
HNOW_PVM_API int pvm_upkmesg(void);

/* messages */
HNOW_PVM_API int pvm_send(int tid, int tag);
/* Sends the current buffer to the tasks of the list, each once, except the caller. */
HNOW_PVM_API int pvm_mcast(int *tids, int count, int tag);
/* Packs and sends elements in one step. The current send buffer is unchanged. */
HNOW_PVM_API int pvm_psend(int tid, int tag, void *data, int count, int type);
/* Receive a message from a task (-1: any) with a tag (-1: any), and make it the current receive
 * buffer. They free the previous one, also if nothing is received. pvm_recv() blocks; pvm_nrecv()
 * does not; pvm_trecv() waits up to the given time (NULL: no limit). Result 0: no message. */
HNOW_PVM_API int pvm_recv(int tid, int tag);
HNOW_PVM_API int pvm_nrecv(int tid, int tag);
HNOW_PVM_API int pvm_trecv(int tid, int tag, struct timeval *time);
/* As pvm_nrecv(), but the message remains to be received. Current buffers are unchanged. */
HNOW_PVM_API int pvm_probe(int tid, int tag);
/* Blocks, and receives elements into the program's memory. The current receive buffer is
 * unchanged. */
HNOW_PVM_API int pvm_precv(int tid, int tag, void *data, int count, int type, int *from,
                           int *from_tag, int *bytes);
/* Sets a function that chooses among messages, and returns the previous one. Its result: < 0: the
 * receive fails with it; 0: not this message; 1: this one; greater: the one with the highest
 * result. NULL: by task and tag again. */
HNOW_PVM_API int (*pvm_recvf(int (*match)(int buffer, int tid, int tag)))(int, int, int);
/* Returns the number of a handler, which is called for matching messages instead of a receive.
 * PvmExists: another handler could match the same message. */
HNOW_PVM_API int pvm_addmhf(int tid, int tag, int context, int (*function)(int buffer));
HNOW_PVM_API int pvm_delmhf(int handler);
/* A message is received only in the context in which it was sent. Children begin in that of their
 * parent. pvm_setcontext() returns the previous one. */
HNOW_PVM_API int pvm_newcontext(void);
HNOW_PVM_API int pvm_setcontext(int context);
HNOW_PVM_API int pvm_getcontext(void);
HNOW_PVM_API int pvm_freecontext(int context);

/* mailboxes */
HNOW_PVM_API int pvm_putinfo(char *name, int buffer, int flags);
/* Makes a copy of the value the current receive buffer, and returns its number. PvmNotFound: no
 * such entry. */
HNOW_PVM_API int pvm_recvinfo(char *name, int index, int flags);
/* Returns the index. PvmDenied: the entry belongs to another task. */
HNOW_PVM_API int pvm_delinfo(char *name, int index, int flags);
/* Lists the entries, grouped by name, in the order of names. */
HNOW_PVM_API int pvm_getmboxinfo(char *pattern, int *count, struct pvmmboxinfo **classes);
/* Older calls for entries of one int. index -1: pvm_insert() takes the lowest free one,
 * pvm_lookup() the lowest one that exists. All return the index. */
HNOW_PVM_API int pvm_insert(char *name, int index, int value);
HNOW_PVM_API int pvm_lookup(char *name, int index, int *value);
HNOW_PVM_API int pvm_delete(char *name, int index);

/* groups */
HNOW_PVM_API int pvm_joingroup(char *group);
/* The instance is free for the next task that joins. */
HNOW_PVM_API int pvm_lvgroup(char *group);
HNOW_PVM_API int pvm_gsize(char *group);
/* The tid of an instance; PvmNoInst: it has none. */
HNOW_PVM_API int pvm_gettid(char *group, int instance);
/* The instance of a task. tid -1: the lowest free instance. */
HNOW_PVM_API int pvm_getinst(char *group, int tid);
/* Blocks until `count` members have called it. -1: all that are in the group. */
HNOW_PVM_API int pvm_barrier(char *group, int count);
/* Sends the current buffer to all members except the caller, which need not be one. PvmNoInst:
 * there is no other member. */
HNOW_PVM_API int pvm_bcast(char *group, int tag);
/* Blocks until `count` members have called it, which then know each other without asking hrun.
 * Returns their number. */
HNOW_PVM_API int pvm_freezegroup(char *group, int count);
/* The root's result replaces its data. The function combines y into x. */
HNOW_PVM_API int pvm_reduce(void (*function)(int *, void *, void *, int *, int *), void *data,
                            int count, int type, int tag, char *group, int root);
/* `count` elements of each member, in the order of instances. result counts at the root only; in
 * pvm_scatter(), data does. */
HNOW_PVM_API int pvm_gather(void *result, void *data, int count, int type, int tag, char *group,
                            int root);
HNOW_PVM_API int pvm_scatter(void *result, void *data, int count, int type, int tag, char *group,
                             int root);
HNOW_PVM_API void PvmMax(int *type, void *x, void *y, int *count, int *info);
HNOW_PVM_API void PvmMin(int *type, void *x, void *y, int *count, int *info);
HNOW_PVM_API void PvmSum(int *type, void *x, void *y, int *count, int *info);
HNOW_PVM_API void PvmProduct(int *type, void *x, void *y, int *count, int *info);

/* For programs that wait in select(). */
HNOW_PVM_API int pvm_getfds(int **descriptors);
/* pvm_getnoresets() knows the caller only; the others are for PVM's daemons: PvmNotImpl. */
HNOW_PVM_API int pvm_reg_hoster(void);
HNOW_PVM_API int pvm_reg_rm(struct pvmhostinfo **info);
HNOW_PVM_API int pvm_reg_tasker(void);
HNOW_PVM_API int pvm_reg_tracer(int, int, int, int, char *, int, int);
HNOW_PVM_API int pvm_tickle(int count, int *arguments, int *results, int *words);
HNOW_PVM_API int pvm_getnoresets(int **tids, int *count);

#ifdef __cplusplus
}
#endif
#endif
