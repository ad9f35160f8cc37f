/* executor_receive.c - receives messages of steps, directly or from receives posted ahead; inflates
 * them and checks their lengths (executor_receive.h).
 */
#include "wire/executor_receive.h"

#include "wire/compress.h"
#include "runtime/internal.h"
#include "wire/open_table.h"

#include <stdlib.h>
#include <string.h>

int executor_await(struct executor *e, hn_request *request)
{
    if (e->waits || request_try_complete(request))
        return HN_OK;
    e->awaits = request;
    return EXECUTOR_WAITS;
}

hn_request **executor_posted(struct executor *e, int32_t at)
{
    return &e->posted[at % EXECUTOR_AHEAD];
}

/* Receives the message of the next step like hn_recv(); in pieces if the executor does not block. A
 * receive posted ahead for this step is completed instead. After an error of hn_wait() no request
 * remains. */
static int receive(struct executor *e, hn_tid from, void *data, size_t count, hn_type type,
                   hn_info *info)
{
    hn_request **message = executor_posted(e, e->at);
    int error = HN_OK;
    /* A blocking executor needs no request of its own. */
    if (!*message && e->waits)
        return hn_recv(from, e->x->tag, data, count, type, info);
    if (!*message)
        error = hn_irecv(from, e->x->tag, data, count, type, message);
    if (!error)
        error = executor_await(e, *message);
    if (error)
        return error;
    error = hn_wait(*message, info);
    *message = NULL;
    return error;
}

/* The message is deflated, or a termination notice. It is still in the inbox, or (taken) in data.
 * Allocates the buffer from which unwrap() reads it. HN_EPROTO: longer than the data would be,
 * which no deflated message is. */
static int note_deflated(struct executor *e, const hn_info *info, const void *data, size_t bytes,
                         bool taken)
{
    if (info->count > bytes && info->count != TERMINATION_SIZE)
        return HN_EPROTO;
    e->deflated.message = malloc(info->count + 1);
    if (!e->deflated.message)
        return HN_ENOMEM;
    e->deflated.length = info->count;
    e->deflated.taken = taken;
    if (taken)
        memcpy(e->deflated.message, data, info->count);
    return HN_OK;
}

/* Copies what the member has kept for a message to itself. The matching send is always there: steps
 * of a plan are in an order that can be executed. */
static void receive_own(const struct executor *e, const struct plan_step *step, void *data,
                        size_t bytes)
{
    const struct plan_step *sent = &e->x->plan->steps[step->match];
    size_t i = 0;
    while (e->sendings[i].step != sent)
        i++;
    memcpy(data, e->sendings[i].packed, bytes);
}

/* A message that is not deflated must have the length that this member's own counts give. A shorter
 * message is an error, too. */
static int check_length(int error, const hn_info *info, size_t count)
{
    if (error != HN_ETRUNC && (error || info->count == count))
        return error;
    return error_set(HN_ETRUNC,
                     "task %d on host %s has sent %zu elements instead of %zu: "
                     "the counts of the members do not agree",
                     info->from, tids_host(info->from), info->count, count);
}

/* A termination notice may be longer than the data that it replaces. */
bool executor_is_wrapped(int error, const hn_info *info, hn_type type)
{
    /* Of a type other than bytes a wrapped message has another type, and fits unless truncated. Of
     * HN_PACKED only the length distinguishes it. */
    bool fits = info->count == TERMINATION_SIZE || (type != HN_PACKED && error != HN_ETRUNC);
    return fits && info->type == termination_type(type) &&
           (!error || error == HN_ETYPE || error == HN_ETRUNC);
}

/* Inflates the message into `data`, or handles the notice. HN_ETYPE: a message of packed bytes has
 * the length of a notice but is none. */
static int unwrap(struct executor *e, void *data, size_t bytes)
{
    int error;
    if (!termination_read(e->deflated.message, e->deflated.length, &e->blamed, &error)) {
        if (e->x->type == HN_PACKED)
            return error_set(HN_ETYPE, "the types of the members do not agree");
        execution_note_deflated(e->x);
        return compress_inflate(e->deflated.message, e->deflated.length, data, bytes, e->x->type);
    }
    return executor_termination(e->x->table, e->x->tag, e->blamed, error);
}

int executor_termination(struct open_table *table, int tag, hn_tid who, int error)
{
    if (table)
        open_table_notified(table, tag, who, error);
    return error_set(error, "task %d on host %s has ended it with an error: %s", who,
                     tids_host(who), hn_strerror(error));
}

int executor_receive(struct executor *e, const struct plan_step *step, void *data, size_t bytes)
{
    hn_tid from = e->x->tids[step->peer];
    hn_info info = {0};
    size_t count = bytes / e->element;
    int error = HN_OK;
    if (step->peer == e->x->rank) {
        receive_own(e, step, data, bytes);
        return HN_OK;
    }
    /* A wrapped message of an earlier attempt at this step is kept; it only has to be completed. */
    if (!e->deflated.message) {
        error = receive(e, from, data, count, e->x->type, &info);
        if (error == EXECUTOR_WAITS)
            return error;
        if (!executor_is_wrapped(error, &info, e->x->type))
            return check_length(error, &info, count);
        error = note_deflated(e, &info, data, bytes, !error);
    }
    /* The message did not fit or had another type: it is received again with its own type. */
    if (!error && !e->deflated.taken)
        error = receive(e, from, e->deflated.message, e->deflated.length,
                        termination_type(e->x->type), NULL);
    if (!error)
        error = unwrap(e, data, bytes);
    if (error == EXECUTOR_WAITS)
        return error;
    free(e->deflated.message);
    e->deflated.message = NULL;
    return error;
}
