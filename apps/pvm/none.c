/* none.c - functions without a counterpart in hnow, and undocumented ones of PVM.
 *
 * They exist so that programs and bindings for other languages link without changes. Each one
 * does what a program can still expect of it, or returns PvmNotImpl.
 */
#include "vm.h"

#include <stdlib.h>
#include <time.h>

int pvmdebmask;     /* no effect */
char pvmctrc[0x44]; /* state of PVM's tracing, unused; the size is part of its ABI */

/* ---- for PVM's daemons ------------------------------------------------------------------------
 */

/* The error text names what hnow has instead. */
static int not_there(const char *instead)
{
    snprintf(vm_words, sizeof vm_words, "%s", instead);
    return PvmNotImpl;
}

#define UNUSED __attribute__((unused))
#define NOT_THERE(instead, ...)                                                                    \
    int __VA_ARGS__                                                                                \
    {                                                                                              \
        return VM_CALL(not_there(instead));                                                        \
    }

NOT_THERE("agents are started by 'hrun -launcher'", pvm_reg_hoster(void))
NOT_THERE("tasks go to the hosts of 'hrun -hosts', or to that of PvmTaskHost",
          pvm_reg_rm(struct pvmhostinfo **info UNUSED))
NOT_THERE("tasks are started by hnow's agents only", pvm_reg_tasker(void))
NOT_THERE("messages are recorded by 'hrun -trace'",
          pvm_reg_tracer(int tid UNUSED, int tag UNUSED, int output_tid UNUSED,
                         int output_tag UNUSED, char *mask UNUSED, int buffer UNUSED,
                         int options UNUSED))

/* The requests of pvm_tickle() that concern its caller: the daemon's debug mask.  TICKLE_MOST:
 * numbers in a request. */
enum { TICKLE_GET_MASK = 5, TICKLE_SET_MASK = 6, TICKLE_MOST = 10 };

/* PVM's daemon also writes its state into its log. */
static int tickle(int count, const int *arguments, int *answers, int *answer)
{
    static int mask;

    if (count < 1 || count > TICKLE_MOST)
        return PvmBadParam;
    /* The mask is stored for this process only. Other requests succeed without an effect. */
    if (arguments[0] == TICKLE_SET_MASK)
        mask = count > 1 ? arguments[1] : 0;
    /* The number of words in the answer: 1 for the mask, else 0. */
    if (answers)
        *answers = arguments[0] == TICKLE_GET_MASK;
    if (answer && arguments[0] == TICKLE_GET_MASK)
        *answer = mask;
    return PvmOk;
}

/* PvmBadParam: a request without a number, or with too many. `answers` and `answer` may be NULL. */
int pvm_tickle(int count, int *arguments, int *answers, int *answer)
{
    return VM_CALL(tickle(count, arguments, answers, answer));
}

/* ---- undocumented functions of PVM
 * ------------------------------------------------------------ */

/* Of the tasks that set PvmNoReset, only the caller is known. PVM's console spares such tasks when
 * it resets the machine. */
static int no_resets(int **tids, int *count)
{
    static int own;

    /* Static, as the caller gets its address. Options of other tasks are known to those tasks
     * only. */
    own = hn_mytid();
    if (tids)
        *tids = &own;
    if (count)
        *count = vm_option(PvmNoReset) != 0;
    return PvmOk;
}

/* Returns PvmOk. The list is valid until the next call. */
int pvm_getnoresets(int **tids, int *count)
{
    return VM_CALL(no_resets(tids, count));
}

/* The version of PVM whose functions these are. */
char *pvm_version(void)
{
    return (char *)PVM_VER;
}

/* Seconds below 1: does not sleep. A signal ends it. */
int pvmsleep(int seconds)
{
    struct timespec left = {.tv_sec = seconds};

    return seconds > 0 ? nanosleep(&left, NULL) : 0;
}

/* The directory of PVM's files; must not be freed. */
char *pvmgettmp(void)
{
    char *directory = getenv("PVM_TMP");

    return directory ? directory : (char *)"/tmp";
}

/* PVM_RSH may name another program. */
char *pvmgetrsh(void)
{
    char *program = getenv("PVM_RSH");

    return program ? program : (char *)"ssh";
}

/* Returns the name of a tag.  PVM names the messages between its daemons, which do not exist here,
 * so the text is the number, and *known (may be NULL) is 0.  The text is valid until the next
 * call. */
char *pvmnametag(int tag, int *known)
{
    static _Thread_local char text[16];

    if (known)
        *known = 0;
    snprintf(text, sizeof text, "%d", tag);
    return text;
}

/* PVM's internal exit function, which bindings for other languages call. */
int pvmendtask(void)
{
    return pvm_exit();
}

/* The system's clock, which may be set back. */
void pvmgetclock(struct timeval *now)
{
    gettimeofday(now, NULL);
}
