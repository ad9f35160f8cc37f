/* job_relay.c - forwards frames between agents: relayed connections, and messages that tasks sent
 * before they ended; see relay.h, outbox_record.h.
 *
 * hrun does not interpret these frames.  It replaces the number of the receiving host by that of
 * the sender, and forwards the rest.  Nothing is stored here, since credits between the two agents
 * bound the bytes in flight.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"

/* The host is gone: closes the stream. */
static void job_relay_refuse(struct job_host *from, uint32_t host, enum control_kind kind,
                             struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    unsigned ours = kind == CONTROL_RELAY_OPEN ? 1 : unpack_u8(in);
    if (kind == CONTROL_RELAY_CLOSE)
        return;
    channel_put(&from->channel, CONTROL_RELAY_CLOSE, host, number, ours ? 0u : 1u);
}

/* The sshd of a gateway leaves Nagle's algorithm on, which would delay answers and later frames. */
static void job_relay_hurry(struct job_host *host)
{
    if (host->line && host->line->via)
        pulse_soon(&host->pulse);
}

/* Frames RELAY_OPEN to RELAY_CLOSE. Their first field is the number of the other host. */
void job_relay(struct job_host *from, struct control_frame *frame)
{
    struct job *job = from->job;
    struct unpack *in = &frame->payload;
    uint32_t number = unpack_u32(in);
    struct job_host *to = number < (uint32_t)job->nhost ? &job->host[number] : NULL;
    /* The agent of the sender believes in a stream that cannot exist any more. */
    if (!to || !job_host_is_up(to)) {
        job_relay_refuse(from, number, frame->kind, in);
        return;
    }
    struct pack *out = channel_out(&to->channel);
    size_t begun = control_begin(out, frame->kind);
    pack_u32(out, from->number);
    pack_raw(out, in->data + in->at, in->length - in->at);
    control_end(out, begun);
    job_host_send(to);
    job_relay_hurry(from);
    job_relay_hurry(to);
}

/* An agent may send messages only in the name of its own tasks.  A receiver that is over needs
 * none. */
void job_undelivered(struct job_host *from, struct unpack *in)
{
    struct unpack fields = *in;
    const struct job_task *to = job_any_task(from->job, unpack_u32(&fields));
    const struct job_task *sender = job_any_task(from->job, unpack_u32(&fields));
    if (!to || to->state == JOB_TASK_OVER || !job_host_is_up(to->host) || !sender ||
        sender->host != from)
        return;
    control_pass(channel_out(&to->host->channel), CONTROL_UNDELIVERED, in);
    job_host_send(to->host);
}
