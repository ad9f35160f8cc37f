/* mpi_buffer.c - attaches and detaches buffers for buffered sends (mpi_buffer.h). Three kinds of
 * owners can have a buffer (MPI 4.1, 3.6): the process, a session, a communicator. All calls
 * check arguments and store or return an address. They cost nothing else, and none of them
 * blocks.
 * Attaching and detaching are not synchronised: a program must not do both in two threads. */
#include "communicator/mpi_comm.h"
#include "message/mpi_request.h"
#include "object/mpi_counts.h"
#include "process/mpi_session.h"

/* The buffer of MPI_Buffer_attach(), for all communicators without one of their own. */
static struct send_buffer process;

/* MPI_BUFFER_AUTOMATIC has no limit, which SIZE_MAX represents. A second buffer is an error (MPI
 * 4.1, 3.6). */
static int attach(struct send_buffer *b, struct mpi_comm *c, void *base, MPI_Count size,
                  const char *call)
{
    bool automatic = false;

#ifdef MPI_BUFFER_AUTOMATIC
    /* An ABI older than MPI 4.1 lacks the constant; then the address is an ordinary one. */
    automatic = base == MPI_BUFFER_AUTOMATIC;
#endif
    if (b->base)
        return error_on(c, MPI_ERR_BUFFER, call, "a buffer is attached already");
    /* With MPI_BUFFER_AUTOMATIC the size is ignored, whatever it is. */
    if (size < 0 && !automatic)
        return error_on(c, MPI_ERR_ARG, call, "the size %lld is negative", (long long)size);
    if (!base)
        return error_on(c, MPI_ERR_BUFFER, call, "there is no buffer");
    *b = (struct send_buffer){base, automatic ? SIZE_MAX : (size_t)size};
    return MPI_SUCCESS;
}

/* Detaches at once: hnow has copied all messages that were sent. Returns NULL and 0 if there is no
 * buffer. */
static int detach(struct send_buffer *b, struct mpi_comm *c, void *base, struct counts size,
                  const char *call)
{
    if (!base || !size.at)
        return error_on(c, MPI_ERR_ARG, call, "no place for the buffer or its size");
    *(void **)base = b->base;
    /* An automatic buffer reports 0, since it has no size. */
    counts_put(size, b->base && b->size != SIZE_MAX ? (MPI_Count)b->size : 0);
    b->base = NULL;
    return MPI_SUCCESS;
}

/* ---- the limit ------------------------------------------------------------------------------ */

/* Passed to look_at() this way, since object_for_each() has no argument for it. Each thread has its
 * own. */
static _Thread_local const struct send_buffer *largest;

/* Sessions may have buffers of their own. */
static void look_at(void *session)
{
    const struct send_buffer *b = &((struct mpi_session *)session)->buffer;

    if (b->base && (!largest || b->size > largest->size))
        largest = b;
}

/* Nothing is copied into the buffer: hnow has its own memory. But a message that does not fit must
 * fail. */
int buffer_check(struct mpi_comm *c, size_t bytes, const char *call)
{
    /* A communicator with a buffer of its own uses no other one, even if that is too small. */
    if (c->buffer.base) {
        largest = &c->buffer;
    } else {
        largest = process.base ? &process : NULL;
        object_for_each(OBJECT_SESSION, look_at);
    }
    if (!largest)
        return error_on(c, MPI_ERR_BUFFER, call, "no buffer is attached");
    if (bytes > largest->size)
        return error_on(c, MPI_ERR_BUFFER, call,
                        "the message of %zu bytes does not fit into the attached buffer of %zu",
                        bytes, largest->size);
    return MPI_SUCCESS;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* N: the type of a size.  A size that does not fit belongs to a buffer attached with the other
 * form. */
#define BUFFER_CALLS(suffix, N)                                                                    \
    MPI_DEFINE(int, Buffer_attach##suffix, (void *buffer, N size))                                 \
    {                                                                                              \
        return attach(&process, NULL, buffer, size, MPI_CALL);                                     \
    }                                                                                              \
    MPI_DEFINE(int, Comm_attach_buffer##suffix, (MPI_Comm comm, void *buffer, N size))             \
    {                                                                                              \
        struct mpi_comm *c = comm_of(comm);                                                        \
        return c ? attach(&c->buffer, c, buffer, size, MPI_CALL) : error_no_comm(comm, MPI_CALL);  \
    }                                                                                              \
    MPI_DEFINE(int, Session_attach_buffer##suffix, (MPI_Session session, void *buffer, N size))    \
    {                                                                                              \
        struct mpi_session *s = session_of(session);                                               \
        return s ? attach(&s->buffer, NULL, buffer, size, MPI_CALL)                                \
                 : error_no_session(session, MPI_CALL);                                            \
    }                                                                                              \
    MPI_DEFINE(int, Buffer_detach##suffix, (void *buffer, N *size))                                \
    {                                                                                              \
        return detach(&process, NULL, buffer, COUNTS(size), MPI_CALL);                             \
    }                                                                                              \
    MPI_DEFINE(int, Comm_detach_buffer##suffix, (MPI_Comm comm, void *buffer, N *size))            \
    {                                                                                              \
        struct mpi_comm *c = comm_of(comm);                                                        \
        return c ? detach(&c->buffer, c, buffer, COUNTS(size), MPI_CALL)                           \
                 : error_no_comm(comm, MPI_CALL);                                                  \
    }                                                                                              \
    MPI_DEFINE(int, Session_detach_buffer##suffix, (MPI_Session session, void *buffer, N *size))   \
    {                                                                                              \
        struct mpi_session *s = session_of(session);                                               \
        return s ? detach(&s->buffer, NULL, buffer, COUNTS(size), MPI_CALL)                        \
                 : error_no_session(session, MPI_CALL);                                            \
    }
/* The process and sessions have no communicator: error_on() gets NULL for them. */
BUFFER_CALLS(_c, MPI_Count)
BUFFER_CALLS(, int)

/* A buffered message is copied by hnow when it is sent, so there is nothing to flush. */
static const struct request_way nothing_left;

/* Complete at once, as no message waits in the buffer. */
static int start_flush(struct mpi_comm *c, MPI_Request *request, const char *call)
{
    struct mpi_request *r = request ? request_begin(c, &nothing_left) : NULL;

    if (!r)
        return error_on(c, request ? MPI_ERR_NO_MEM : MPI_ERR_ARG, call,
                        "no memory, or no place for the request");
    request_done(r, MPI_SUCCESS);
    *request = r->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 3.6, as the other calls that flush. */
MPI_DEFINE(int, Buffer_flush, (void))
{
    return MPI_SUCCESS;
}

/* Only the handle is checked: that no buffer is attached is no error here. */
MPI_DEFINE(int, Comm_flush_buffer, (MPI_Comm comm))
{
    return comm_of(comm) ? MPI_SUCCESS : error_no_comm(comm, MPI_CALL);
}

MPI_DEFINE(int, Session_flush_buffer, (MPI_Session session))
{
    return session_of(session) ? MPI_SUCCESS : error_no_session(session, MPI_CALL);
}

/* The requests of the next three are complete when the call returns. */
MPI_DEFINE(int, Buffer_iflush, (MPI_Request * request))
{
    return start_flush(NULL, request, MPI_CALL);
}

MPI_DEFINE(int, Comm_iflush_buffer, (MPI_Comm comm, MPI_Request *request))
{
    struct mpi_comm *c = comm_of(comm);

    return c ? start_flush(c, request, MPI_CALL) : error_no_comm(comm, MPI_CALL);
}

MPI_DEFINE(int, Session_iflush_buffer, (MPI_Session session, MPI_Request *request))
{
    return session_of(session) ? start_flush(NULL, request, MPI_CALL)
                               : error_no_session(session, MPI_CALL);
}
