/* mpi_port.c - connections between groups of tasks without a common communicator: ports, service
 * names, and MPI_Comm_join().
 *
 * A port is a context of the task that opened it; its name contains both.  While it is open, hnow's
 * name service has an entry of that name.  A connecting root sends a new context to the port, and
 * the two roots exchange their groups in it (comm_join()).  Each call is another entry, which only
 * one of the two can delete: the accepting root, or the connecting one when its time is over.  So a
 * call that was given up, or whose task has ended, is not accepted later.
 *
 * MPI 4.1, 11.9 and, for MPI_Comm_join(), 11.10.5. Only tasks of one job can connect: ports are
 * entries of its name service. A port needs no thread; a call waits until it is accepted.
 *
 * The roles are not equal. The accepting root only waits; the connecting root looks whether the
 * port is open, announces its call, and gives up if its time is over. The other members of both
 * sides wait in the first broadcast of comm_join().
 */
#include "communicator/mpi_comm.h"
#include "object/mpi_info.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT_CHECK = 500 }; /* milliseconds between two checks whether a port is still open */

/* What a port's name contains, and the caller's limit. */
struct port {
    hn_tid tid;
    /* Calls to the port are messages in it, with tag 0. */
    hn_context context;
    double limit; /* seconds that MPI_Comm_connect() waits; 0: no limit */
};

/* ---- ports ---------------------------------------------------------------------------------- */

/* A port has the same name in the name service. */
static void port_write(const struct port *p, char *name)
{
    snprintf(name, MPI_MAX_PORT_NAME, "mpi-port:%d:%u", p->tid, p->context);
}

/* The whole text must match, so that a name with something behind it is rejected. */
static bool port_read(const char *name, struct port *p)
{
    int end = 0;

    /* %n is set only if all of the text before it matched. */
    return name && sscanf(name, "mpi-port:%d:%u%n", &p->tid, &p->context, &end) == 2 &&
           name[end] == 0 && p->tid > 0;
}

/* Returns HN_ENAME if it is not open. A round trip to hrun. */
static int port_look(const char *name)
{
    return hn_name_get(name, 0, 0, 0, NULL, NULL);
}

/* Also for a name that never was one of a port. */
static int no_port(struct mpi_comm *c, const char *name, const char *call)
{
    return error_on(c, MPI_ERR_PORT, call, "\"%s\" is not an open port", name ? name : "(null)");
}

/* Stores a text under a name. Returns HN_OK or an error. `flags` of hn_name_put(). HN_ESTATE:
 * another task has an entry of that name. */
static int put_text(const char *name, int flags, const char *text)
{
    hn_buffer *value = hn_buffer_new();
    int result = value ? hn_pack_string(value, text) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_name_put(name, 0, flags, value);
    if (value)
        hn_buffer_free(value);
    return result < 0 ? result : HN_OK;
}

/* The entry disappears with its task, so a port of a task that has ended is closed. */
MPI_DEFINE(int, Open_port, (MPI_Info info, char *port))
{
    struct port p = {.tid = hn_mytid()};
    int result, error;

    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    error = info_check(NULL, info, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    if (!port)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no place for the name");
    /* New for each port, so messages to a closed port are not found by the next one. */
    result = hn_context_new(&p.context);
    port_write(&p, port);
    if (result == HN_OK)
        /* The entry under the port's own name shows that it is open. */
        result = put_text(port, 0, port);
    return ERROR_HN(NULL, result, MPI_CALL);
}

/* Only the task that opened it may close it. Calls that wait at the port notice it within
 * PORT_CHECK. */
MPI_DEFINE(int, Close_port, (const char *port))
{
    struct port p;

    /* The look-up of the tid is local; only the deletion asks hrun. */
    if (!port_read(port, &p) || p.tid != hn_mytid() || hn_name_delete(port, 0) < 0)
        return no_port(NULL, port, MPI_CALL);
    return MPI_SUCCESS;
}

/* ---- connecting ----------------------------------------------------------------------------- */

/* The name of a call in the name service: its context is unique. Shared: either root may delete it,
 * and hrun guarantees that only one deletion succeeds. */
static int begin_call(hn_context context)
{
    char name[40];

    /* The context is new in the job, hence so is the name. */
    snprintf(name, sizeof name, "mpi-call:%u", context);
    return put_text(name, HN_NAME_SHARED, "");
}

/* HN_ENAME: the other side has ended it. */
static int end_call(hn_context context)
{
    char name[40];

    snprintf(name, sizeof name, "mpi-call:%u", context);
    return hn_name_delete(name, 0);
}

/* The accepting root: stores the caller and the context for messages to it. Takes calls in order of
 * arrival. A call whose entry is gone was given up, and is skipped. Blocks until a call comes or
 * the port is closed. */
static int wait_for_call(const char *name, const struct port *p, struct comm_leader *other)
{
    hn_context before = hn_set_context(p->context);
    hn_info info;
    int result;

    do {
        /* One number: the context that the caller has chosen for the two roots. */
        result = hn_recv_timeout(HN_ANY, 0, &other->context, 1, HN_UINT32, PORT_CHECK, &info);
        if (result == HN_OK && end_call(other->context) == HN_ENAME)
            result = HN_ETIMEOUT; /* the next one */
        /* Only after a silence, so a busy port costs no question. */
        else if (result == HN_ETIMEOUT && port_look(name) != HN_OK)
            result = HN_ENAME;
    } while (result == HN_ETIMEOUT);
    hn_set_context(before);
    if (result == HN_OK)
        other->tid = info.from;
    return result;
}

/* Waits for the first message of the port's root. When time is over, deleting the entry decides the
 * race: if it succeeds, this call can no longer be accepted; if not, it has been accepted and an
 * answer follows. */
static int wait_for_answer(const char *name, const struct port *p, hn_context call)
{
    double end = hn_wtime() + p->limit;
    bool limited = p->limit > 0;
    hn_info info;
    int result;

    do {
        double left = limited ? 1e3 * (end - hn_wtime()) : PORT_CHECK;
        /* Rounded up, so that the last wait does not end before the limit. */
        int wait = left >= PORT_CHECK ? PORT_CHECK : left > 0 ? (int)left + 1 : 0;
        /* Success or an error, such as the end of the port's task. */
        result = hn_probe_timeout(p->tid, 0, wait, &info);
        if (result != HN_ETIMEOUT)
            return result;
        if (left <= 0 && end_call(call) == HN_OK)
            return HN_ETIMEOUT;
        limited = limited && left > 0; /* an accepted call has an answer soon */
        result = port_look(name);
    } while (result == HN_OK);
    return result;
}

/* The connecting root: calls, and waits for the answer. The probe leaves the first message in the
 * queue: it is received by comm_join(). */
static int call_port(const char *name, const struct port *p, struct comm_leader *other)
{
    int result = port_look(name);

    if (result == HN_OK)
        result = hn_context_new(&other->context);
    if (result == HN_OK)
        /* Before the message: the accepting root deletes this entry when it takes the call. */
        result = begin_call(other->context);
    if (result != HN_OK)
        return result;
    other->tid = p->tid;
    /* The call is one number: the context in which the two roots talk. */
    result = IN_CONTEXT(p->context, hn_send(p->tid, 0, &other->context, 1, HN_UINT32));
    if (result == HN_OK)
        result = IN_CONTEXT(other->context, wait_for_answer(name, p, other->context));
    if (result != HN_OK)
        /* Fails if the call was taken or given up already, which does not matter. */
        end_call(other->context);
    return result;
}

/* The info key "timeout", in seconds, as MPICH defines it. 0 for no key, or for a text that is no
 * number. */
static double limit_of(struct mpi_info *info)
{
    const char *seconds = info_value(info, "timeout");

    /* The key is read at the connecting root only. */
    return seconds ? strtod(seconds, NULL) : 0;
}

typedef int port_action(const char *name, const struct port *p, struct comm_leader *other);

/* Only the root's arguments count. If it fails, `other.failed` brings the error to all members
 * inside comm_join(), so no one waits. */
static int join_at_port(const char *name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm,
                        port_action *action, bool own, const char *call)
{
    struct mpi_comm *c = comm_of(comm), *made;
    struct comm_leader other = {0};
    struct port p;
    bool no_info = false; /* the root's argument counts */
    int result, error = comm_check_root(c, comm, root, newcomm, call);

    if (error != MPI_SUCCESS)
        return error;
    if (c->rank == root) {
        /* Unless the arguments are valid and the action succeeds. */
        other.failed = HN_ENAME;
        no_info = info != MPI_INFO_NULL && !info_of(info);
        p.limit = limit_of(info_of(info));
        if (!no_info && port_read(name, &p) && (!own || p.tid == hn_mytid()))
            other.failed = action(name, &p, &other);
    }
    /* Every member reaches this, whatever the root has found. */
    result = comm_join(c, root, &other, &made);
    if (no_info)
        return info_check(c, info, call);
    if (result == HN_ETIMEOUT)
        return error_on(c, MPI_ERR_PORT, call, "the connection was not accepted in time");
    if (result == HN_ENAME)
        return c->rank == root ? no_port(c, name, call)
                               : error_on(c, MPI_ERR_PORT, call, "the root's port is not open");
    if (result != HN_OK)
        return error_hn(c, result, call);
    *newcomm = made->object.handle;
    return MPI_SUCCESS;
}

/* Collective on comm; blocks. The port must be one that the root has opened. */
MPI_DEFINE(int, Comm_accept,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
{
    return join_at_port(port, info, root, comm, newcomm, wait_for_call, true, MPI_CALL);
}

/* Collective on comm; blocks until the other side accepts or, with the info key, until the time is
 * over. The task that has opened the port may end meanwhile: that is an error of the port. */
MPI_DEFINE(int, Comm_connect,
           (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
{
    return join_at_port(port, info, root, comm, newcomm, call_port, false, MPI_CALL);
}

/* ---- services ------------------------------------------------------------------------------- */

/* The service's name in the name service. The prefix keeps services apart from ports and the
 * program's own names. */
static bool service_name(const char *service, char name[256])
{
    return service && snprintf(name, 256, "mpi-service:%s", service) < 256;
}

static int no_service(const char *service, const char *call)
{
    return error_on(NULL, MPI_ERR_SERVICE, call, "no name, or one that is too long: \"%.40s\"",
                    service ? service : "(null)");
}

/* MPI 4.1, 11.9.4. The look-up avoids replacing an entry of this task, which hn_name_put() would
 * do. */
MPI_DEFINE(int, Publish_name, (const char *service, MPI_Info info, const char *port))
{
    char name[256];
    int result, error;

    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    error = info_check(NULL, info, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    if (!service_name(service, name))
        return no_service(service, MPI_CALL);
    if (!port)
        return no_port(NULL, port, MPI_CALL);
    /* Any text may be published as a port: it is not checked before a task connects. */
    result = port_look(name);
    /* Another task may publish it in between, which hn_name_put() reports. */
    if (result == HN_ENAME)
        result = put_text(name, 0, port);
    else if (result == HN_OK)
        result = HN_ESTATE;
    if (result == HN_ESTATE)
        return error_on(NULL, MPI_ERR_SERVICE, MPI_CALL, "\"%s\" is published already", service);
    return ERROR_HN(NULL, result, MPI_CALL);
}

/* The port is not compared: a service has one port. */
MPI_DEFINE(int, Unpublish_name, (const char *service, MPI_Info info, const char *port))
{
    char name[256];
    int result, error = info_check(NULL, info, MPI_CALL);
    (void)port;

    if (error != MPI_SUCCESS)
        return error;
    if (!service_name(service, name))
        return no_service(service, MPI_CALL);
    /* A task may delete its own entries only: HN_ESTATE otherwise. */
    result = hn_name_delete(name, 0);
    /* Both are errors of the name, for the standard. */
    if (result == HN_ENAME || result == HN_ESTATE)
        return error_on(NULL, MPI_ERR_SERVICE, MPI_CALL, "\"%s\" is not published%s", service,
                        result == HN_ESTATE ? " by this process" : "");
    return ERROR_HN(NULL, result < 0 ? result : HN_OK, MPI_CALL);
}

/* Does not wait for a service that is not published yet. */
MPI_DEFINE(int, Lookup_name, (const char *service, MPI_Info info, char *port))
{
    hn_buffer *value;
    char name[256];
    int result, error = info_check(NULL, info, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!service_name(service, name))
        return no_service(service, MPI_CALL);
    if (!port)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no place for the port's name");
    value = hn_buffer_new();
    result = value ? hn_name_get(name, 0, 0, 0, value, NULL) : HN_ENOMEM;
    if (result == HN_OK)
        /* Ports have at most MPI_MAX_PORT_NAME characters, and so has the program's array. */
        result = hn_unpack_string(value, port, MPI_MAX_PORT_NAME);
    if (value)
        hn_buffer_free(value);
    if (result == HN_ENAME)
        return error_on(NULL, MPI_ERR_NAME, MPI_CALL, "\"%s\" is not published", service);
    return ERROR_HN(NULL, result, MPI_CALL);
}

/* ---- over a socket -------------------------------------------------------------------------- */

/* The ends of a socket exchange decimal numbers of fixed width.  The process id on its host
 * distinguishes tasks of other jobs. */
enum { CARD_BYTES = 48 };

/* 48 bytes fit into any socket's buffer, so both ends may write first. MSG_NOSIGNAL: a closed
 * socket is an error and no signal. */
static bool write_card(int fd, const hn_task_info *self, hn_context context)
{
    char card[CARD_BYTES + 1];
    size_t done = 0;

    /* Text, so that byte orders do not matter. */
    snprintf(card, sizeof card, "hnow %11d %11d %11u      \n", self->tid, self->pid, context);
    while (done < CARD_BYTES) {
        /* EAGAIN repeats at once: a socket without room for 48 bytes is not expected. */
        ssize_t n = send(fd, card + done, CARD_BYTES - done, MSG_NOSIGNAL);
        if (n <= 0 && errno != EINTR && errno != EAGAIN)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* The socket may be nonblocking, hence poll(). Blocks until the other end has written. */
static bool read_card(int fd, hn_task_info *other, hn_context *context)
{
    char card[CARD_BYTES + 1] = "";
    size_t done = 0;

    while (done < CARD_BYTES) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, -1) < 0 && errno != EINTR)
            return false;
        /* Exactly 48 bytes: what follows in the stream belongs to the program. */
        ssize_t n = read(fd, card + done, CARD_BYTES - done);
        /* 0 is the end of the stream: the other end has closed it. */
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return sscanf(card, "hnow %d %d %u", &other->tid, &other->pid, context) == 3;
}

/* Finds the task at the other end, if it belongs to this job, and a context for both. Both ends
 * choose the smaller of the two contexts. The pid must match that of hrun's list, as another job
 * may have a task with the same identifier. */
static int meet_over(int fd, struct comm_leader *other)
{
    hn_task_info self, peer, found;
    hn_context own, theirs;
    int result = hn_task_status(hn_mytid(), &self);

    if (result == HN_OK)
        result = hn_context_new(&own);
    if (result != HN_OK)
        return result;
    /* Both ends write first, then read. */
    if (!write_card(fd, &self, own) || !read_card(fd, &peer, &theirs))
        return HN_ESYS;
    /* A socket whose other end is in this very task connects nothing. */
    if (peer.tid == self.tid || hn_task_status(peer.tid, &found) != HN_OK || found.pid != peer.pid)
        return HN_ENOTASK;
    other->tid = peer.tid;
    other->context = own < theirs ? own : theirs;
    return HN_OK;
}

/* The socket is not used afterwards and stays the program's. */
MPI_DEFINE(int, Comm_join, (int fd, MPI_Comm *intercomm))
{
    struct comm_leader other = {0};
    struct mpi_comm *made;
    int result;

    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    if (!intercomm)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no place for the communicator");
    *intercomm = MPI_COMM_NULL;
    result = meet_over(fd, &other);
    if (result == HN_ESYS)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL,
                        "descriptor %d is no socket to another process of MPI", fd);
    if (result == HN_ENOTASK) /* of another job: no communicator, and no error */
        return MPI_SUCCESS;
    if (result == HN_OK)
        /* Each side is one task. */
        result = comm_join(comm_self, 0, &other, &made);
    if (result != HN_OK)
        return error_hn(NULL, result, MPI_CALL);
    *intercomm = made->object.handle;
    return MPI_SUCCESS;
}
