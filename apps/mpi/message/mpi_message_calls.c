/* mpi_message_calls.c - the calls for point-to-point messages.
 *
 * MPI 4.1: sends and receives 3.2, probes 3.8.1, matched probes 3.8.2 and 3.8.3, counts 3.2.5 and
 * 5.1.11. The calls with counts are in mpi_message_forms.h, which this file includes in both
 * forms.
 *
 * Here is what such a call does beyond mpi_message.c: exchanges in both directions, probes,
 * messages that were taken by a matched probe, and the counts of a status. A matched message is
 * an object of its own, with hnow's buffer, until MPI_Mrecv() empties it.
 */
#include "communicator/mpi_failure.h"
#include "message/mpi_message.h"

#include "object/mpi_counts.h"

#include <stdlib.h>

/* ---- both directions ------------------------------------------------------------------------ */

/* MPI_Sendrecv(). The receive is posted before the send, so that two tasks that exchange long
 * messages do not wait for each other. If the send fails, the receive is cancelled, for its message
 * may never come. The first error is returned. */
static int exchange(const struct message_call *out, const struct message_call *in,
                    MPI_Status *status, const char *call)
{
    int error;
    struct mpi_request *r = message_post(in, call, &error);

    if (!r)
        return error;
    /* A standard send, which hnow copies if it cannot write: it does not wait for the peer. */
    error = message_send(out, SEND_STANDARD, call);
    if (error != MPI_SUCCESS && r->way->cancel)
        r->way->cancel(r);
    /* Also after an error: the buffer must be free on return. */
    request_wait(r);
    /* Also on an error: the status describes the receive, and not the send. */
    status_put(status, &r->outcome);
    if (error == MPI_SUCCESS && r->outcome.error != MPI_SUCCESS)
        error = error_on(in->c, r->outcome.error, call, "%s", hn_error_text());
    object_drop(r);
    return error;
}

/* The request is the receive's: a standard send does not block (hn_send()). */
static int start_exchange(const struct message_call *out, const struct message_call *in,
                          MPI_Request *request, const char *call)
{
    int error = message_start_receive(in, request, call);

    if (error != MPI_SUCCESS)
        return error;
    error = message_send(out, SEND_STANDARD, call);
    if (error != MPI_SUCCESS) {
        /* The handle becomes MPI_REQUEST_NULL. The receive ends in the background. */
        PMPI_Cancel(request);
        PMPI_Request_free(request);
    }
    return error;
}

/* Sends a message whose buffer is then received into: hn_send() has copied it when it returns. */
static bool sent_first(const struct message_call *out, const char *call, int *error)
{
    *error = message_send(out, SEND_STANDARD, call);
    return *error == MPI_SUCCESS;
}

/* ---- probes --------------------------------------------------------------------------------- */

/* Checks the arguments of a probe. The caller handles MPI_PROC_NULL. */
static int check_probe(struct message_call *m, int source, int tag, MPI_Comm comm, bool has_places,
                       const char *call)
{
    /* A probe has no data: an empty message of bytes passes these checks. */
    int error = message_parse(m, NULL, 0, MPI_BYTE, source, tag, comm, true, call);

    return error != MPI_SUCCESS || has_places
               ? error
               : error_on(m->c, MPI_ERR_ARG, call, "no place for the flag or the message");
}

/* With MPI_ANY_SOURCE it ends when a member fails, like a receive. In the context of m. */
static int probe(const struct message_call *m, hn_info *info)
{
    int result = m->plan.peer == MPI_ANY_SOURCE ? failure_await(m->c, message_tag(m)) : HN_OK;

    return result == HN_OK ? hn_probe(message_peer(m), message_tag(m), info) : result;
}

/* Blocks, and leaves the message where it is. With several threads another one may receive it
 * afterwards; MPI_Mprobe() avoids that. */
MPI_DEFINE(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    struct message_call m;
    struct outcome o;
    hn_info info;
    int result = check_probe(&m, source, tag, comm, true, MPI_CALL);

    if (result != MPI_SUCCESS)
        return result;
    if (source == MPI_PROC_NULL) {
        status_put(status, &outcome_nobody);
        return MPI_SUCCESS;
    }
    result = IN_CONTEXT(m.c->context, probe(&m, &info));
    if (result != HN_OK)
        return error_hn(m.c, result, MPI_CALL);
    o = message_outcome(m.c, &info);
    status_put(status, &o);
    return MPI_SUCCESS;
}

/* The status is unchanged if there is no message. With MPI_PROC_NULL the flag is true at once (MPI
 * 4.1, 3.11). */
MPI_DEFINE(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
{
    struct message_call m;
    struct outcome o = outcome_nobody;
    hn_info info;
    int result = check_probe(&m, source, tag, comm, flag, MPI_CALL);

    if (result != MPI_SUCCESS)
        return result;
    *flag = 1;
    if (source != MPI_PROC_NULL) {
        result = IN_CONTEXT(m.c->context, hn_iprobe(message_peer(&m), message_tag(&m), &info));
        if (result < 0)
            return error_hn(m.c, result, MPI_CALL);
        *flag = result;
        if (*flag)
            o = message_outcome(m.c, &info);
    }
    if (*flag)
        status_put(status, &o);
    return MPI_SUCCESS;
}

/* ---- matched probes: they remove the message from the queue --------------------------------- */

/* A message that the program never receives is discarded with its object. */
static void release(void *object)
{
    struct mpi_message *taken = object;

    hn_buffer_free(taken->buffer);
    if (taken->comm)
        object_drop(taken->comm);
}

void message_setup(void)
{
    object_when_freed(OBJECT_MESSAGE, release);
}

/* With MPI_ANY_SOURCE a wait ends when a member fails, like a receive. In the context of m. */
static int receive_buffer(const struct message_call *m, int milliseconds, hn_buffer *buffer,
                          hn_info *info)
{
    bool any = milliseconds < 0 && m->plan.peer == MPI_ANY_SOURCE;
    int result = any ? failure_await(m->c, message_tag(m)) : HN_OK;

    return result == HN_OK
               ? hn_recv_buffer(message_peer(m), message_tag(m), milliseconds, buffer, info)
               : result;
}

/* milliseconds: -1 waits, 0 only looks. hn_recv_buffer() takes the message out of the queue and
 * keeps its elements in the sender's form until the type is known. */
static int take(int source, int tag, MPI_Comm comm, int milliseconds, int *flag,
                MPI_Message *message, MPI_Status *status, const char *call)
{
    struct message_call m;
    struct mpi_message *taken;
    hn_info info;
    int result = check_probe(&m, source, tag, comm, flag && message, call);

    if (result != MPI_SUCCESS)
        return result;
    *flag = 1;
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        status_put(status, &outcome_nobody);
        return MPI_SUCCESS;
    }
    /* Made before the message is taken: without memory it stays in the queue. */
    taken = object_new(OBJECT_MESSAGE);
    if (taken)
        taken->buffer = hn_buffer_new();
    if (!taken || !taken->buffer) {
        if (taken)
            object_drop(taken);
        return error_on(m.c, MPI_ERR_NO_MEM, call, "no memory for the message");
    }
    result = IN_CONTEXT(m.c->context, receive_buffer(&m, milliseconds, taken->buffer, &info));
    if (result != HN_OK) {
        object_drop(taken);
        *flag = 0;
        /* No message is the answer of MPI_Improbe(), not an error. */
        return result == HN_ETIMEOUT ? MPI_SUCCESS : error_hn(m.c, result, call);
    }
    /* The program may free the communicator before it receives the message. */
    object_hold(m.c);
    taken->comm = m.c;
    taken->outcome = message_outcome(m.c, &info);
    *message = taken->object.handle;
    status_put(status, &taken->outcome);
    return MPI_SUCCESS;
}

/* MPI 4.1, 3.8.2. Blocks. */
MPI_DEFINE(int, Mprobe,
           (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
{
    int flag;

    return take(source, tag, comm, -1, &flag, message, status, MPI_CALL);
}

/* MPI 4.1, 3.8.2. */
MPI_DEFINE(int, Improbe,
           (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
            MPI_Status *status))
{
    return take(source, tag, comm, 0, flag, message, status, MPI_CALL);
}

/* Copies the elements of a message into w; if the types differ, the bytes as they were sent. If the
 * types are alike, hnow converts and truncates. Otherwise the bytes are copied as they are, as
 * hn_recv_cut() does it; wire_unpack() then interprets them. Without memory the buffer of w keeps
 * its contents. */
static void take_out(struct mpi_message *taken, struct wire *w)
{
    struct outcome *o = &taken->outcome;
    size_t sent = o->count * hn_type_size(o->type), room = w->count * hn_type_size(w->type);
    size_t n = o->count < w->count ? o->count : w->count;
    void *bytes;

    /* One copy in the usual case. HN_ETYPE means that nothing was unpacked, so a second try is
     * safe. */
    if (sent == 0 || hn_unpack(taken->buffer, w->data, n, w->type, 1) != HN_ETYPE)
        return;
    bytes = malloc(sent);
    if (bytes && hn_unpack(taken->buffer, bytes, o->count, o->type, 1) == HN_OK)
        memcpy(w->data, bytes, sent < room ? sent : room);
    free(bytes);
}

/* Receives a matched message; *o is its outcome, with an error of the message itself.  *c is its
 * communicator, with a reference, or NULL. Blocks never. After an error in the arguments the
 * message remains and can be received again. Once received, its handle is MPI_MESSAGE_NULL, even if
 * it was truncated. */
static int receive_taken(MPI_Message *message, void *buf, MPI_Count count, MPI_Datatype datatype,
                         struct mpi_comm **c, struct outcome *o, const char *call)
{
    struct mpi_message *taken = message ? handle_object(OBJECT_MESSAGE, *message) : NULL;
    struct mpi_type *t;
    struct wire w;
    int error = MPI_SUCCESS;

    *c = NULL;
    *o = outcome_nobody;
    if (message && *message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        return MPI_SUCCESS;
    }
    if (!taken)
        return error_on(NULL, MPI_ERR_REQUEST, call, "not a message of MPI_Mprobe");
    /* From here on, errors are those of the arguments, and the message remains. */
    t = type_for_data(taken->comm, datatype, call, &error);
    if (!t)
        return error;
    if (count < 0)
        return error_on(taken->comm, MPI_ERR_COUNT, call, "the count %lld is negative",
                        (long long)count);
    error = message_check_data(taken->comm, buf, count, t, call);
    if (error != MPI_SUCCESS)
        return error;
    if (!wire_room(&w, t, (size_t)count, buf))
        return error_on(taken->comm, MPI_ERR_NO_MEM, call, "out of memory");
    take_out(taken, &w);
    *o = taken->outcome;
    if (o->count * hn_type_size(o->type) > w.count * hn_type_size(w.type)) {
        /* The status counts what was stored. */
        o->type = w.type;
        o->count = w.count;
        o->error = MPI_ERR_TRUNCATE;
    }
    /* Also after a truncation: the part that fits is delivered. */
    int result = wire_unpack(&w, t, (size_t)count, buf, o->count, o->type);
    wire_free(&w);
    if (o->error == MPI_SUCCESS)
        o->error = error_class_hn(result);
    /* The caller reports errors to it after the message is gone. */
    *c = taken->comm;
    object_hold(*c);
    object_retire(taken);
    *message = MPI_MESSAGE_NULL;
    return MPI_SUCCESS;
}

/* An error of the message itself goes to its communicator's handler. */
static int receive_now(MPI_Message *message, void *buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Status *status, const char *call)
{
    struct mpi_comm *c;
    struct outcome o;
    int error = receive_taken(message, buf, count, datatype, &c, &o, call);

    status_put(status, &o);
    if (error == MPI_SUCCESS && o.error != MPI_SUCCESS)
        error = error_on(c, o.error, call, "%s",
                         o.error == MPI_ERR_TRUNCATE ? "the message is longer than the buffer"
                                                     : hn_error_text());
    if (c)
        object_drop(c);
    return error;
}

/* The message has already arrived, so the request is complete.  Its error is that of a wait. */
static const struct request_way nothing_left;

/* Without memory for a request the message is lost with an error; the data is in the buffer. */
static int start_receive_taken(MPI_Message *message, void *buf, MPI_Count count,
                               MPI_Datatype datatype, MPI_Request *request, const char *call)
{
    struct mpi_comm *c;
    struct outcome o;
    int error = request ? receive_taken(message, buf, count, datatype, &c, &o, call)
                        : error_on(NULL, MPI_ERR_ARG, call, "no place for the request");

    if (error != MPI_SUCCESS)
        return error;
    struct mpi_request *r = request_begin(c, &nothing_left);
    /* The request holds its own reference. */
    if (c)
        object_drop(c);
    if (!r)
        return error_on(NULL, MPI_ERR_NO_MEM, call, "no memory for the request");
    r->outcome = o;
    request_done(r, o.error);
    *request = r->object.handle;
    return MPI_SUCCESS;
}

/* ---- counts in a status --------------------------------------------------------------------- */

/* The length of a received message in the caller's native format: elements of the same class count
 * with the size of the type's own. The status stores the type of hnow and the number of elements.
 * On unlike machines a long may have been sent with 4 bytes and be received with 8; the count must
 * follow the receiver's type. */
static MPI_Count bytes_of(const MPI_Status *status, const struct mpi_type *t)
{
    int type, cancelled;
    uint64_t count = handle_count(status, &type, &cancelled);
    /* The class of a type is in the upper bits of hn_type; the lower ones are its size. */
    bool alike = t->unit != HN_BYTE && type >> 8 == t->unit >> 8;

    return (MPI_Count)(count * hn_type_size(alike ? t->unit : type));
}

/* MPI_Get_count(): MPI_UNDEFINED if the message does not end with a complete element (MPI 4.1,
 * 3.2.5). */
static MPI_Count whole_elements(const MPI_Status *status, const struct mpi_type *t)
{
    MPI_Count bytes = bytes_of(status, t), size = (MPI_Count)wire_size(t, 1);

    /* An empty type: 0 elements fit no bytes, and any number would fit nothing else. */
    if (size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    return bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
}

/* Bytes of so many basic elements in a message. Between unlike machines they may have other sizes
 * than here. */
static MPI_Count bytes_of_first(const struct mpi_type *t, size_t elements)
{
    return (MPI_Count)(wire_is_external(t) ? external_size(t, elements, EXTERNAL_WIRE)
                                           : pack_bytes(t, elements));
}

/* MPI_Get_elements(): counts basic elements, also those of an incomplete last element. Costs
 * O(units * log(elements)). */
static MPI_Count basic_elements(const MPI_Status *status, const struct mpi_type *t)
{
    MPI_Count bytes = bytes_of(status, t), size = (MPI_Count)wire_size(t, 1);
    size_t low = 0, high = t->elements;

    if (size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    /* Complete elements by a division, the rest by a search among the beginnings of one. */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bytes_of_first(t, middle) < bytes % size)
            low = middle + 1;
        else
            high = middle;
    }
    /* The message may end within a basic element. */
    return bytes_of_first(t, low) == bytes % size
               ? bytes / size * (MPI_Count)t->elements + (MPI_Count)low
               : MPI_UNDEFINED;
}

/* A count beyond int is stored as MPI_UNDEFINED in the int form. */
static int answer_count(const MPI_Status *status, MPI_Datatype datatype,
                        MPI_Count (*measure)(const MPI_Status *, const struct mpi_type *),
                        struct counts place, const char *call)
{
    struct mpi_type *t = type_of(datatype);

    if (!t)
        return error_no_type(NULL, datatype, call);
    if (status_ignored(status) || !place.at)
        return error_on(NULL, MPI_ERR_ARG, call, "no status, or no place for the count");
    counts_put(place, measure(status, t));
    return MPI_SUCCESS;
}

/* For statuses that the program fills in, mostly of generalized requests. The count is stored as
 * bytes, because a status has one type of hnow and t may have several. */
static int set_elements(MPI_Status *status, MPI_Datatype datatype, MPI_Count count,
                        const char *call)
{
    struct mpi_type *t = type_of(datatype);
    int type, cancelled;

    if (!t)
        return error_no_type(NULL, datatype, call);
    if (status_ignored(status) || count < 0)
        return error_on(NULL, MPI_ERR_ARG, call, "no status, or the count is negative");
    handle_count(status, &type, &cancelled);
    handle_put_count(status, (uint64_t)bytes_of_first(t, (size_t)count), HN_BYTE, cancelled);
    return MPI_SUCCESS;
}

/* ---- the calls in both forms ---------------------------------------------------------------- */

#define MPI_FORMS "message/mpi_message_forms.h"
#include "mpi_forms.h"

/* The first names of two of them. */
MPI_ALSO(int, Get_elements_x, Get_elements_c,
         (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count));
MPI_ALSO(int, Status_set_elements_x, Status_set_elements_c,
         (MPI_Status * status, MPI_Datatype datatype, MPI_Count count));
