/* mpi_environment.c - MPI_Init(), MPI_Finalize(), and queries about the environment.
 *
 * The World Model of MPI 4.1, 11.2, environmental queries 9.1, memory 9.2, timers 9.6. Predefined
 * objects are made when the library is loaded, because programs may use info objects, error
 * handlers, datatypes and operators before MPI_Init() (MPI 4.1, 11.4.1).
 *
 * Two models share one enrolment: MPI_Init() and sessions both call environment_start(). Leaving
 * the job is not symmetric: MPI_Finalize() leaves it only if no session is open, and sessions
 * leave it to the end of the process.
 */
#include "object/mpi_attribute.h"
#include "communicator/mpi_comm.h"
#include "object/mpi_info.h"
#include "message/mpi_message.h"
#include "collective/mpi_operator.h"
#include "datatype/mpi_pack.h"
#include "message/mpi_request.h"
#include "process/mpi_session.h"
#include "process/mpi_spawn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Sets up predefined objects, most of which exist before MPI_Init(). The order matters: errors need
 * objects, and requests need both. Groups and communicators need the job and follow in start(). */
__attribute__((constructor)) static void set_up(void)
{
    object_setup();
    error_setup();
    type_setup();
    operator_setup();
    info_setup();
    request_setup();
    message_setup();
}

/* Written by the thread that calls MPI_Init() and MPI_Finalize() only. */
static enum { NOT_YET, RUNNING, FINALIZED } state;
/* What MPI_Query_thread() returns: the level that was requested. */
static int thread_level;
static pthread_t main_thread;

int environment_sessions;

/* Enrols once, for MPI_Init() or the first session. Call with the lock held. comm_self marks a task
 * that is enrolled: sessions may come before MPI_Init() or after it. After an error nothing is
 * undone; the program usually ends. */
static int start(void)
{
    struct spawned *spawned = NULL;
    char size[12]; /* of a number of tasks */

    if (comm_self)
        return HN_OK;
    int result = hn_rank() >= 0 ? HN_OK : hn_enrol(); /* unless the program has enrolled itself */
    /* A spawned task waits here for its parents' announcement, which gives its world. */
    if (result == HN_OK)
        result = spawned_get(&spawned);
    if (result == HN_OK) {
        group_setup();
        result = comm_setup(spawned);
    }
    /* The intercommunicator to the parents; needs comm_world. */
    if (result == HN_OK && spawned)
        result = spawned_meet(spawned);
    if (result != HN_OK)
        return result;
    /* The index of the program in hrun's command line, for MPI_APPNUM. */
    const char *program = getenv("HNOW_APPNUM"); /* set by hrun */
    /* After the communicators: attributes belong to them. */
    attribute_start(spawned ? spawned->appnum : program ? atoi(program) : 0);
    spawned_free(spawned);
    /* MPI_INFO_ENV exists since the library was loaded; its size is known only now. */
    snprintf(size, sizeof size, "%d", comm_world->size);
    PMPI_Info_set(MPI_INFO_ENV, "maxprocs", size);
    /* Last, since it asks for the list of hosts; no message with data was sent before. */
    wire_setup();
    return HN_OK;
}

/* Thread-safe, since several threads may open a session. */
int environment_start(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    int result = start();
    pthread_mutex_unlock(&lock);
    return result;
}

/* MPI 4.1, 11.2.1: MPI_Init() may be called once. */
static int begin(int level, const char *call)
{
    /* After MPI_Finalize() as well: MPI cannot be initialised again (MPI 4.1, 11.2.1). */
    if (state != NOT_YET)
        return error_on(NULL, MPI_ERR_OTHER, call, "called twice, or after MPI_Finalize");
    int result = environment_start();
    if (result != HN_OK)
        return error_hn(NULL, result, call);
    thread_level = level;
    main_thread = pthread_self();
    state = RUNNING;
    return MPI_SUCCESS;
}

/* Arguments of hrun are not in argv, so it is not changed. NULL is allowed for both. */
MPI_DEFINE(int, Init, (int *argc, char ***argv))
{
    (void)argc;
    (void)argv;
    return begin(MPI_THREAD_SINGLE, MPI_CALL);
}

/* Every level is supported in full, so the requested one is provided. */
MPI_DEFINE(int, Init_thread, (int *argc, char ***argv, int required, int *provided))
{
    (void)argc;
    (void)argv;
    if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "%d is not a thread level", required);
    /* Set before the start, as a program may look at it after an error. */
    if (provided)
        *provided = required;
    return begin(required, MPI_CALL);
}

/* Queries may be made outside MPI_Init() and MPI_Finalize(), hence no communicator. */
static int no_place(const char *call)
{
    return error_on(NULL, MPI_ERR_ARG, call, "no place for the result");
}

static int put(int *place, int value, const char *call)
{
    if (!place)
        return no_place(call);
    *place = value;
    return MPI_SUCCESS;
}

/* May be called at any time, from any thread (MPI 4.1, 11.2.3). It stays true after
 * MPI_Finalize(). */
MPI_DEFINE(int, Initialized, (int *flag))
{
    return put(flag, state != NOT_YET, MPI_CALL);
}

/* May be called at any time, also after MPI_Finalize(). */
MPI_DEFINE(int, Finalized, (int *flag))
{
    return put(flag, state == FINALIZED, MPI_CALL);
}

/* Collective over MPI_COMM_WORLD. */
MPI_DEFINE(int, Finalize, (void))
{
    /* Sessions need no MPI_Finalize(). */
    if (state != RUNNING)
        return error_on(NULL, MPI_ERR_OTHER, MPI_CALL, "called before MPI_Init, or twice");
    /* The order is: delete functions, which may still communicate; then pending requests; then the
     * barrier, so that no member leaves while another still needs its messages. */
    comm_end();
    request_finish_all();
    hn_barrier(comm_world->hn);
    state = FINALIZED;
    if (environment_sessions > 0) /* sessions continue: the end of the process leaves the job */
        return MPI_SUCCESS;
    /* The handles become invalid, so later calls report an error. The objects stay, since requests
     * may refer to them. */
    comm_world->object.handles = comm_self->object.handles = 0;
    comm_world = comm_self = NULL;
    error_communicators(NULL, NULL);
    /* The last call of hnow: it closes connections and reports a normal end. */
    return ERROR_HN(NULL, hn_exit(), MPI_CALL);
}

/* Ends all tasks of the job, whatever communicator is passed (MPI 4.1, 11.4.2). An exit status has
 * 8 bits. */
MPI_DEFINE(int, Abort, (MPI_Comm comm, int errorcode))
{
    struct mpi_comm *c = comm_of(comm);
    char why[200];

    snprintf(why, sizeof why, "MPI_Abort on %s, rank %d, with code %d",
             c && c->name[0] ? c->name : "a communicator", c ? c->rank : 0, errorcode);
    int status = errorcode & 0xff; /* of a process; an error must not become 0 */
    /* Does not return. The text is printed by hrun. */
    hn_abort(status || errorcode == 0 ? status : 1, why);
}

/* MPI 4.1, 11.6. */
MPI_DEFINE(int, Query_thread, (int *provided))
{
    if (state != RUNNING)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    return put(provided, thread_level, MPI_CALL);
}

/* MPI 4.1, 11.6. The thread that has called MPI_Init() or MPI_Init_thread(). */
MPI_DEFINE(int, Is_thread_main, (int *flag))
{
    if (state != RUNNING)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    return put(flag, pthread_equal(main_thread, pthread_self()) != 0, MPI_CALL);
}

/* May be called at any time. */
MPI_DEFINE(int, Get_version, (int *version, int *subversion))
{
    if (!version || !subversion)
        return no_place(MPI_CALL);
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

/* May be called at any time. One line, without the null character in its length. */
MPI_DEFINE(int, Get_library_version, (char *version, int *length))
{
    if (!version || !length)
        return no_place(MPI_CALL);
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "hnow %s", HNOW_VERSION);
    return MPI_SUCCESS;
}

/* The name of the hosts file or, without hrun, of the operating system. */
MPI_DEFINE(int, Get_processor_name, (char *name, int *length))
{
    if (!name || !length)
        return no_place(MPI_CALL);
    const char *host = hn_host_of(hn_mytid());
    if (host)
        snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", host);
    else
        /* The last byte is left for the null character, which gethostname() need not write. */
        gethostname(name, MPI_MAX_PROCESSOR_NAME - 1);
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

/* MPI 4.1, 9.6. Clocks of different hosts are not synchronised. */
MPI_DEFINE(double, Wtime, (void))
{
    return hn_wtime();
}

/* In seconds, as MPI_Wtime(). */
MPI_DEFINE(double, Wtick, (void))
{
    return 1e-9; /* resolution of hn_wtime() */
}

/* MPI 4.1, 15.2. For tools, which define it themselves. */
MPI_DEFINE(int, Pcontrol, (const int level, ...))
{
    (void)level;
    return MPI_SUCCESS;
}

enum { CACHE_LINE = 64 }; /* bytes, of x86 and most ARM processors */

/* At least a cache line, or what the program asks for. Values that are no power of two are
 * ignored, as posix_memalign() rejects them. */
static size_t alignment_of(struct mpi_info *info)
{
    const char *hint = info_value(info, "mpi_minimum_memory_alignment");
    size_t wanted = hint ? strtoul(hint, NULL, 10) : 0;

    return wanted > CACHE_LINE && (wanted & (wanted - 1)) == 0 ? wanted : CACHE_LINE;
}

/* MPI 4.1, 9.2. Ordinary memory: hnow needs no registration. The info key with the alignment is
 * the only one that has an effect. The + 1 makes 0 bytes a valid address of its own. */
MPI_DEFINE(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *base))
{
    void *memory;
    int error = info_check(NULL, info, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (size < 0 || !base)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "%ld bytes, or no place for the address",
                        (long)size);
    if (posix_memalign(&memory, alignment_of(info_of(info)), (size_t)size + 1) != 0)
        return error_on(NULL, MPI_ERR_NO_MEM, MPI_CALL, "no memory for %ld bytes", (long)size);
    *(void **)base = memory;
    return MPI_SUCCESS;
}

/* NULL is accepted. */
MPI_DEFINE(int, Free_mem, (void *base))
{
    free(base);
    return MPI_SUCCESS;
}

/* The memory of a host is the only resource type of MPI_Comm_split_type(). */
MPI_DEFINE(int, Get_hw_resource_info, (MPI_Info * info))
{
    int error = PMPI_Info_create(info);

    return error == MPI_SUCCESS ? PMPI_Info_set(*info, "mpi_shared_memory", "true") : error;
}
