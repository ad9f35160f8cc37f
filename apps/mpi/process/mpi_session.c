/* mpi_session.c - sessions (mpi_session.h).
 *
 * The sessions of a process share one enrolment.  It lasts until the process ends, so that sessions
 * can follow each other.  The two process sets that the standard requires are provided.
 *
 * Members that make a communicator from a group have no common communicator.  The first one sends
 * the contexts to the others, with a tag that is a hash of the program's string tag.  Concurrent
 * calls in several threads must pass different strings.  The string is sent with the contexts, so
 * two strings with the same hash are detected and rejected.
 *
 * A session itself has no state beyond its error handler, hints and buffer: all sessions see the
 * same process sets and the same job. MPI_Session_finalize() only counts them.
 */
#include "process/mpi_session.h"

#include "communicator/mpi_comm.h"
#include "object/mpi_errhandler.h"
#include "object/mpi_info.h"

#include <stdio.h>
#include <string.h>

/* Only complete sessions are freed by it, so both fields are set. */
static void release(void *object)
{
    struct mpi_session *s = object;

    object_drop(s->errhandler);
    object_drop(s->info);
}

/* Errors belong to the session, not to a communicator, as none need exist. */
static int error_session(struct mpi_session *s, int code, const char *call, const char *what)
{
    return error_at(" on a session", s->errhandler, OBJECT_SESSION, s->object.handle, code, call,
                    what);
}

/* MPI_INFO_NULL is valid wherever a call takes an info object. */
static bool is_info(MPI_Info handle)
{
    return handle == MPI_INFO_NULL || info_of(handle);
}

/* Every thread level is provided, whichever is requested. */
static bool is_thread_level(const char *name)
{
    static const char *const levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                         "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strcmp(name, levels[i]) == 0)
            return true;
    return false;
}

/* May be called repeatedly and by several threads. The info key "thread_level" is answered with
 * what is provided (MPI 4.1, 11.3.1). */
MPI_DEFINE(int, Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session))
{
    struct mpi_errhandler *e = errhandler_for(OBJECT_SESSION, errhandler);

    if (!e)
        return error_on(NULL, CLASS_ERRHANDLER, MPI_CALL, "%p is not an error handler of a session",
                        handle_shown(errhandler));
    /* Errors from here on go to the handler that the program has passed. */
    if (!session || !is_info(info))
        return error_at("", e, OBJECT_SESSION, MPI_SESSION_NULL,
                        session ? MPI_ERR_INFO : MPI_ERR_ARG, MPI_CALL,
                        session ? "not an info object" : "no place for the session");
    const char *level = info_value(info_of(info), "thread_level");
    /* Any of the four levels is satisfied, as all calls are thread-safe. */
    if (level && !is_thread_level(level))
        return error_at("", e, OBJECT_SESSION, MPI_SESSION_NULL, MPI_ERR_INFO_VALUE, MPI_CALL,
                        "thread_level is none of the four names");
    object_when_freed(OBJECT_SESSION, release);
    /* The first session, or MPI_Init(), enrols the task; later ones find it enrolled. */
    int result = environment_start();
    struct mpi_session *s = result == HN_OK ? object_new(OBJECT_SESSION) : NULL;
    if (s)
        s->info = info_copy(info_of(info));
    if (!s || !s->info)
        return error_at("", e, OBJECT_SESSION, MPI_SESSION_NULL,
                        result == HN_OK ? MPI_ERR_NO_MEM : error_class_hn(result), MPI_CALL,
                        result == HN_OK ? "no memory for a session" : hn_error_text());
    PMPI_Info_set(s->info->object.handle, "thread_level", "MPI_THREAD_MULTIPLE");
    /* The program may free its handle of the handler. */
    object_hold(e);
    s->errhandler = e;
    __atomic_fetch_add(&environment_sessions, 1, __ATOMIC_RELAXED);
    *session = s->object.handle;
    return MPI_SUCCESS;
}

/* Local here: nothing is closed until the process ends. Communicators of the session stay
 * usable. */
MPI_DEFINE(int, Session_finalize, (MPI_Session * session))
{
    struct mpi_session *s = session ? session_of(*session) : NULL;

    if (!s)
        return error_no_session(session ? *session : MPI_SESSION_NULL, MPI_CALL);
    object_retire(s);
    /* MPI_Finalize() leaves the job if none is open. */
    __atomic_fetch_sub(&environment_sessions, 1, __ATOMIC_RELAXED);
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

/* ---- process sets --------------------------------------------------------------------------- */

/* The handle may be of another kind, or freed. */
static int no_info(struct mpi_session *s, const char *call)
{
    return error_session(s, MPI_ERR_INFO, call, "not an info object, or it has been freed");
}

/* MPI 4.1, 11.3. The number never changes. */
MPI_DEFINE(int, Session_get_num_psets, (MPI_Session session, MPI_Info info, int *npset_names))
{
    struct mpi_session *s = session_of(session);

    if (!s)
        return error_no_session(session, MPI_CALL);
    if (!is_info(info))
        return no_info(s, MPI_CALL);
    if (!npset_names)
        return error_session(s, MPI_ERR_ARG, MPI_CALL, "no result");
    *npset_names = COMM_PSETS;
    return MPI_SUCCESS;
}

/* MPI 4.1, 11.3.2: *pset_len 0 only queries the length, which includes the terminating null
 * character. A name that is too long is truncated. */
MPI_DEFINE(int, Session_get_nth_pset,
           (MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name))
{
    struct mpi_session *s = session_of(session);

    if (!s)
        return error_no_session(session, MPI_CALL);
    if (!is_info(info))
        return no_info(s, MPI_CALL);
    if (n < 0 || n >= COMM_PSETS)
        return error_session(s, MPI_ERR_ARG, MPI_CALL, "there is no process set of that number");
    if (!pset_len || *pset_len < 0 || (*pset_len > 0 && !pset_name))
        return error_session(s, MPI_ERR_ARG, MPI_CALL, "no place for the name");
    if (*pset_len == 0)
        *pset_len = (int)strlen(comm_psets[n]) + 1;
    else
        snprintf(pset_name, (size_t)*pset_len, "%s", comm_psets[n]);
    return MPI_SUCCESS;
}

/* Also before the enrolment, when no set exists. */
static int no_pset(struct mpi_session *s, const char *call)
{
    return error_session(s, MPI_ERR_ARG, call, "there is no process set of that name");
}

/* Stores an info object for the program. made NULL: out of memory. Consumes `made` on failure. */
static int give_info(struct mpi_session *s, struct mpi_info *made, MPI_Info *info, const char *call)
{
    if (info && made) {
        *info = made->object.handle;
        return MPI_SUCCESS;
    }
    if (made)
        object_drop(made);
    return error_session(s, info ? MPI_ERR_NO_MEM : MPI_ERR_ARG, call,
                         info ? "no memory for an info object" : "no result");
}

/* "mpi_size" is the only key that the standard requires. The program frees the info object. */
MPI_DEFINE(int, Session_get_pset_info, (MPI_Session session, const char *pset_name, MPI_Info *info))
{
    struct mpi_session *s = session_of(session);
    const struct mpi_group *pset = comm_pset(pset_name);
    char size[16];

    if (!s)
        return error_no_session(session, MPI_CALL);
    if (!pset)
        return no_pset(s, MPI_CALL);
    /* give_info() reports an error if it is NULL. */
    struct mpi_info *made = info_copy(NULL);
    snprintf(size, sizeof size, "%d", pset->size);
    if (made)
        PMPI_Info_set(made->object.handle, "mpi_size", size);
    return give_info(s, made, info, MPI_CALL);
}

/* A copy, which the program frees. */
MPI_DEFINE(int, Session_get_info, (MPI_Session session, MPI_Info *info))
{
    struct mpi_session *s = session_of(session);

    return s ? give_info(s, info_shown(s->info), info, MPI_CALL)
             : error_no_session(session, MPI_CALL);
}

/* Local: the sets are known since the enrolment. */
MPI_DEFINE(int, Group_from_session_pset,
           (MPI_Session session, const char *pset_name, MPI_Group *newgroup))
{
    struct mpi_session *s = session_of(session);
    const struct mpi_group *pset = comm_pset(pset_name);

    if (!s)
        return error_no_session(session, MPI_CALL);
    if (!pset)
        return no_pset(s, MPI_CALL);
    /* A copy: freeing it does not affect the communicator that the set belongs to. */
    struct mpi_group *g = newgroup ? group_new(pset->tids, pset->size) : NULL;
    if (!g)
        return error_session(s, newgroup ? MPI_ERR_NO_MEM : MPI_ERR_ARG, MPI_CALL,
                             "no group, or no result");
    *newgroup = g->object.handle;
    return MPI_SUCCESS;
}

/* ---- communicators from groups -------------------------------------------------------------- */

/* The error handler that the program passes for the new communicator handles errors of making
 * it. */
static int refuse(struct mpi_errhandler *e, int code, const char *call, const char *what)
{
    /* No communicator exists yet, hence MPI_COMM_NULL. */
    return error_at("", e, OBJECT_COMM, MPI_COMM_NULL, code, call, what);
}

/* The FNV-1a hash of a string, as a tag of hnow. FNV-1a by Fowler, Noll and Vo, 32 bits; the sign
 * bit is cleared, since tags are not negative. */
static int tag_of(const char *string)
{
    uint32_t hash = 2166136261u;

    for (; *string; string++)
        hash = (hash ^ (unsigned char)*string) * 16777619u;
    /* Two strings with the same hash share a tag; comm_make_alone() then compares the strings. */
    return (int)(hash & 0x7fffffff);
}

/* Makes the communicator of a group, collective on it, with the program's error handler e. Blocks
 * until the first member has sent the contexts. hnow gives HN_EARG if another string with the same
 * hash was received. */
static int make(MPI_Group group, const char *stringtag, MPI_Info info, struct mpi_errhandler *e,
                struct mpi_comm **made, const char *call)
{
    struct mpi_group *g = group_of(group);

    /* No session and no MPI_Init() so far. */
    if (!comm_self)
        return error_no_comm(MPI_COMM_NULL, call);
    if (!g || g->rank == MPI_UNDEFINED)
        return refuse(e, MPI_ERR_GROUP, call,
                      g ? "the caller is not in the group" : "not a group, or it has been freed");
    if (!stringtag || strlen(stringtag) >= MPI_MAX_STRINGTAG_LEN)
        return refuse(e, MPI_ERR_ARG, call, "no string tag, or one that is too long");
    if (!is_info(info))
        return refuse(e, MPI_ERR_INFO, call, "not an info object");
    /* Only the members of the group take part; there is no larger communicator to use. */
    int result = comm_make_alone(g, CONTEXT_SESSION, tag_of(stringtag), stringtag, NULL, made);
    if (result != HN_OK)
        return refuse(e, error_class_hn(result), call,
                      result == HN_EARG ? "the first member of the group gave another string tag"
                                        : hn_error_text());
    /* Some attributes are hidden there (mpi_attribute_calls.c). */
    (*made)->in_session = true;
    info_take(&(*made)->info, info_of(info), COMM_HINTS);
    return PMPI_Comm_set_errhandler((*made)->object.handle, e->object.handle);
}

/* MPI 4.1, 7.4.2. An empty group gives MPI_COMM_NULL. */
MPI_DEFINE(int, Comm_create_from_group,
           (MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
            MPI_Comm *newcomm))
{
    struct mpi_errhandler *e = errhandler_for(OBJECT_COMM, errhandler);
    const struct mpi_group *g = group_of(group);
    struct mpi_comm *made;

    if (!e)
        return error_on(NULL, CLASS_ERRHANDLER, MPI_CALL, "not an error handler of a communicator");
    if (!newcomm)
        return refuse(e, MPI_ERR_ARG, MPI_CALL, "no place for the communicator");
    *newcomm = MPI_COMM_NULL;
    /* No other member has to agree. */
    if (g && g->size == 0)
        return MPI_SUCCESS;
    /* Blocks until the group's first member has called it as well. */
    int error = make(group, stringtag, info, e, &made, MPI_CALL);
    if (error == MPI_SUCCESS)
        *newcomm = made->object.handle;
    return error;
}

/* MPI 4.1, 7.6.2. Each side first makes its own communicator, then the leaders meet in the context
 * of sessions. */
MPI_DEFINE(int, Intercomm_create_from_groups,
           (MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
            const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
            MPI_Comm *newintercomm))
{
    struct mpi_errhandler *e = errhandler_for(OBJECT_COMM, errhandler);
    struct mpi_group *l = group_of(local_group), *r = group_of(remote_group);
    struct comm_leader other = {.context = CONTEXT_SESSION};
    struct mpi_comm *local, *made;

    if (!e)
        return error_on(NULL, CLASS_ERRHANDLER, MPI_CALL, "not an error handler of a communicator");
    if (!newintercomm || !l || local_leader < 0 || local_leader >= l->size)
        return refuse(e, newintercomm ? MPI_ERR_RANK : MPI_ERR_ARG, MPI_CALL,
                      "no such local leader, or no result");
    if (local_leader == l->rank && (!r || remote_leader < 0 || remote_leader >= r->size))
        other.failed = HN_EARG; /* the leader reports it to the other members */
    /* Both sides do this independently of each other. */
    int error = make(local_group, stringtag, info, e, &local, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    if (local_leader == l->rank && other.failed == HN_OK)
        other.tid = r->tids[remote_leader];
    other.tag = tag_of(stringtag);
    /* The leaders find each other by their tids and the tag. */
    int result = comm_join(local, local_leader, &other, &made);
    /* The intercommunicator has a copy of it. */
    object_drop(local);
    if (result != HN_OK)
        return refuse(e, error_class_hn(result), MPI_CALL,
                      result == HN_EARG ? "no such remote leader" : hn_error_text());
    *newintercomm = made->object.handle;
    return MPI_SUCCESS;
}

/* ---- error handlers ------------------------------------------------------------------------- */

static struct mpi_errhandler **place_of(MPI_Session session)
{
    struct mpi_session *s = session_of(session);

    return s ? &s->errhandler : NULL;
}

/* Called with a valid session only. */
static int fault(MPI_Session session, int code, const char *call, const char *what)
{
    return error_session(session_of(session), code, call, what);
}

ERRHANDLER_CALLS(Session, OBJECT_SESSION, place_of, error_no_session, fault, errhandler_put)
