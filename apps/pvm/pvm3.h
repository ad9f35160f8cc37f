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
#define PvmRouteDelete  5 /* never happens */
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
HNOW_PVM_API int pvm_exit(void);
HNOW_PVM_API int pvm_parent(void);
HNOW_PVM_API int pvm_siblings(int **tids);
HNOW_PVM_API int pvm_setopt(int what, int value);
HNOW_PVM_API int pvm_getopt(int what);
HNOW_PVM_API int pvm_perror(char *text);
HNOW_PVM_API char *pvm_strerror(void);
HNOW_PVM_API char *pvm_version(void);

/* tasks and hosts */
HNOW_PVM_API int pvm_spawn(char *task, char **argv, int flags, char *where, int count, int *tids);
HNOW_PVM_API int pvm_export(char *name);
HNOW_PVM_API int pvm_unexport(char *name);
HNOW_PVM_API int pvm_kill(int tid);
HNOW_PVM_API int pvm_sendsig(int tid, int signal);
HNOW_PVM_API int pvm_pstat(int tid);
HNOW_PVM_API int pvm_tasks(int where, int *count, struct pvmtaskinfo **tasks);
HNOW_PVM_API int pvm_tidtohost(int tid);
HNOW_PVM_API int pvm_config(int *hosts, int *kinds, struct pvmhostinfo **info);
HNOW_PVM_API int pvm_mstat(char *host);
HNOW_PVM_API int pvm_archcode(char *arch);
HNOW_PVM_API int pvm_addhosts(char **names, int count, int *outcomes);
HNOW_PVM_API int pvm_delhosts(char **names, int count, int *outcomes);
HNOW_PVM_API int pvm_hostsync(int host, struct timeval *clock, struct timeval *delta);
HNOW_PVM_API int pvm_start_pvmd(int argc, char **argv, int block);
HNOW_PVM_API int pvm_halt(void);
HNOW_PVM_API int pvm_notify(int what, int tag, int count, int *tids);
HNOW_PVM_API int pvm_catchout(FILE *file);

/* buffers */
HNOW_PVM_API int pvm_initsend(int encoding);
HNOW_PVM_API int pvm_mkbuf(int encoding);
HNOW_PVM_API int pvm_freebuf(int buffer);
HNOW_PVM_API int pvm_getsbuf(void);
HNOW_PVM_API int pvm_setsbuf(int buffer);
HNOW_PVM_API int pvm_getrbuf(void);
HNOW_PVM_API int pvm_setrbuf(int buffer);
HNOW_PVM_API int pvm_bufinfo(int buffer, int *bytes, int *tag, int *tid);
HNOW_PVM_API int pvm_getminfo(int buffer, struct pvmminfo *info);
HNOW_PVM_API int pvm_setminfo(int buffer, struct pvmminfo *info);
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
HNOW_PVM_API int pvm_pkstr(char *text);
HNOW_PVM_API int pvm_packf(const char *format, ...);
HNOW_PVM_API int pvm_pkmesg(int buffer);
HNOW_PVM_API int pvm_pkmesgbody(int buffer);
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
HNOW_PVM_API int pvm_upkstr(char *text);
HNOW_PVM_API int pvm_unpackf(const char *format, ...);
HNOW_PVM_API int pvm_upkmesg(void);

/* messages */
HNOW_PVM_API int pvm_send(int tid, int tag);
HNOW_PVM_API int pvm_mcast(int *tids, int count, int tag);
HNOW_PVM_API int pvm_psend(int tid, int tag, void *data, int count, int type);
HNOW_PVM_API int pvm_recv(int tid, int tag);
HNOW_PVM_API int pvm_nrecv(int tid, int tag);
HNOW_PVM_API int pvm_trecv(int tid, int tag, struct timeval *time);
HNOW_PVM_API int pvm_probe(int tid, int tag);
HNOW_PVM_API int pvm_precv(int tid, int tag, void *data, int count, int type, int *from,
                           int *from_tag, int *bytes);
HNOW_PVM_API int (*pvm_recvf(int (*match)(int buffer, int tid, int tag)))(int, int, int);
HNOW_PVM_API int pvm_addmhf(int tid, int tag, int context, int (*function)(int buffer));
HNOW_PVM_API int pvm_delmhf(int handler);
HNOW_PVM_API int pvm_newcontext(void);
HNOW_PVM_API int pvm_setcontext(int context);
HNOW_PVM_API int pvm_getcontext(void);
HNOW_PVM_API int pvm_freecontext(int context);

/* mailboxes */
HNOW_PVM_API int pvm_putinfo(char *name, int buffer, int flags);
HNOW_PVM_API int pvm_recvinfo(char *name, int index, int flags);
HNOW_PVM_API int pvm_delinfo(char *name, int index, int flags);
HNOW_PVM_API int pvm_getmboxinfo(char *pattern, int *count, struct pvmmboxinfo **classes);
HNOW_PVM_API int pvm_insert(char *name, int index, int value);
HNOW_PVM_API int pvm_lookup(char *name, int index, int *value);
HNOW_PVM_API int pvm_delete(char *name, int index);

/* groups */
HNOW_PVM_API int pvm_joingroup(char *group);
HNOW_PVM_API int pvm_lvgroup(char *group);
HNOW_PVM_API int pvm_gsize(char *group);
HNOW_PVM_API int pvm_gettid(char *group, int instance);
HNOW_PVM_API int pvm_getinst(char *group, int tid);
HNOW_PVM_API int pvm_barrier(char *group, int count);
HNOW_PVM_API int pvm_bcast(char *group, int tag);
HNOW_PVM_API int pvm_freezegroup(char *group, int count);
HNOW_PVM_API int pvm_reduce(void (*function)(int *, void *, void *, int *, int *), void *data,
                            int count, int type, int tag, char *group, int root);
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
