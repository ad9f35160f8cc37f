/* multicast.c - the state of a multiple multicast during planning: decisions, task lists and times
 * (multicast.h).
 *
 * Memory: 25 bytes for each (message, node), 24 for each possible receive, 56 for each decision,
 * and 8 n^2 for each different message length.
 */
#include "planners/multicast/multicast.h"

#include "hnow.h"

#include <string.h>

/* Index of a message at a node. */
static size_t cell(const struct multicast *m, int k, int i)
{
    return (size_t)k * (size_t)m->nodes + (size_t)i;
}

/* ---- costs ------------------------------------------------------------------------------ */

/* Divides the messages into classes of equal length, which have the same X. Returns the number of
 * classes. O(messages^2), once. m->longest becomes a message of maximum length. */
static int classify(struct multicast *m)
{
    int classes = 0;
    for (int k = 0; k < m->messages; k++) {
        m->class_of[k] = classes;
        for (int before = 0; before < k; before++)
            if (m->message[before].bytes == m->message[k].bytes) {
                m->class_of[k] = m->class_of[before];
                break;
            }
        classes += m->class_of[k] == classes;
        if (m->message[k].bytes > m->message[m->longest].bytes)
            m->longest = k;
    }
    return classes;
}

/* Computes S, X and R of a message. In Wu's model S and R depend on the node only. If the model has
 * different values for each pair, the smallest counts, and the rest is part of X. INT64_MAX marks a
 * minimum that is not known; a single node has no costs. */
static void fill_costs(struct multicast *m, const struct model *model, int k)
{
    int n = m->nodes;
    hn_time *travel = &m->travel[(size_t)m->class_of[k] * (size_t)n * (size_t)n];
    for (int i = 0; i < n; i++)
        m->send[cell(m, k, i)] = m->recv[cell(m, k, i)] = n > 1 ? INT64_MAX : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                continue;
            struct cost c = model_cost(model, i, j, m->message[k].bytes);
            hn_time *send = &m->send[cell(m, k, i)], *recv = &m->recv[cell(m, k, j)];
            *send = c.send < *send ? c.send : *send;
            *recv = c.recv < *recv ? c.recv : *recv;
            /* The whole delivery for now: the minima of S and R are known only after all pairs. */
            travel[(size_t)i * (size_t)n + (size_t)j] = c.send + c.travel + c.recv;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j)
                travel[(size_t)i * (size_t)n + (size_t)j] -=
                    m->send[cell(m, k, i)] + m->recv[cell(m, k, j)];
}

/* missing counts deliveries here; multicast_clear() computes it again for each algorithm. Arrays
 * have one entry more than needed, so none is empty. */
int multicast_begin(struct multicast *m, const struct model *model,
                    const struct multicast_message *messages, int count)
{
    size_t n = (size_t)model->ranks, cells = n * (size_t)count;
    *m = (struct multicast){.nodes = model->ranks, .messages = count, .message = messages};
    m->class_of = arena_array(&m->arena, (size_t)count + 1, sizeof *m->class_of);
    if (m->arena.failed)
        return HN_ENOMEM;
    int classes = classify(m);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m->nodes; i++)
            m->missing += messages[k].wants[i];
    ARENA_ARRAYS(&m->arena, cells + 1, m->send, m->recv, m->has, m->has_from, m->receives);
    m->travel = arena_array(&m->arena, (size_t)classes * n * n + 1, sizeof *m->travel);
    ARENA_ARRAYS(&m->arena, n, m->missing_of, m->sent, m->receive_count, m->receive_hint);
    ARENA_ARRAYS(&m->arena, (size_t)m->missing + 1, m->order, m->before);
    if (m->arena.failed)
        return HN_ENOMEM;
    for (int k = 0; k < count; k++)
        fill_costs(m, model, k);
    return HN_OK;
}

void multicast_end(struct multicast *m)
{
    arena_free(&m->arena);
}

/* Begins an algorithm: only the sources have their messages. O(messages * nodes). */
void multicast_clear(struct multicast *m, bool preemptive)
{
    size_t n = (size_t)m->nodes, cells = n * (size_t)m->messages;
    m->preemptive = preemptive;
    m->decision_count = 0;
    m->makespan = 0;
    m->missing = 0;
    memset(m->has, 0, cells * sizeof *m->has);
    memset(m->has_from, 0, cells * sizeof *m->has_from);
    memset(m->missing_of, 0, n * sizeof *m->missing_of);
    memset(m->sent, 0, n * sizeof *m->sent);
    memset(m->receive_count, 0, n * sizeof *m->receive_count);
    memset(m->receive_hint, 0, n * sizeof *m->receive_hint);
    for (int k = 0; k < m->messages; k++) {
        m->has[cell(m, k, m->message[k].source)] = true;
        for (int i = 0; i < m->nodes; i++) {
            m->missing_of[i] += m->message[k].wants[i];
            m->missing += m->message[k].wants[i];
        }
    }
}

/* ---- times ------------------------------------------------------------------------------ */

/* End of a node's last receive. All times are those of a node's own task list: the network is not
 * shared. 0: it has received nothing. */
static hn_time last_receive(const struct multicast *m, int i)
{
    int count = m->receive_count[i];
    return count ? m->receives[(size_t)i * (size_t)m->messages + (size_t)count - 1].end : 0;
}

/* Time at which i can begin to send k: after all its tasks. With preemption: in the first
 * sufficient gap between its receives that is after its sends and after the receive of k.
 * receive_hint skips receives that ended before the last send. */
static hn_time send_at(const struct multicast *m, int k, int i)
{
    hn_time begin = m->sent[i], takes = multicast_send(m, k, i);
    if (!m->preemptive)
        return time_later(begin, last_receive(m, i));
    begin = time_later(begin, m->has_from[cell(m, k, i)]);
    const struct multicast_span *receives = &m->receives[(size_t)i * (size_t)m->messages];
    for (int r = m->receive_hint[i]; r < m->receive_count[i]; r++) {
        if (receives[r].end <= begin)
            continue;
        if (begin + takes <= receives[r].begin)
            break;
        begin = time_later(begin, receives[r].end);
    }
    return begin;
}

/* The receive begins when the message has arrived and the node has done all its tasks. Receives
 * never fill gaps, also with preemption. */
hn_time multicast_complete(const struct multicast *m, int k, int i, int j)
{
    hn_time arrives = send_at(m, k, i) + multicast_send(m, k, i) + multicast_travel(m, k, i, j);
    return time_later(arrives, time_later(m->sent[j], last_receive(m, j))) +
           multicast_recv(m, k, j);
}

/* What multicast_undo() cannot compute is saved in before[]. k, i and j must be a delivery that is
 * missing, from a node that has the message. */
void multicast_decide(struct multicast *m, int k, int i, int j)
{
    hn_time begin = send_at(m, k, i), end = multicast_complete(m, k, i, j);
    struct multicast_span *receives = &m->receives[(size_t)i * (size_t)m->messages];
    m->before[m->decision_count] =
        (struct multicast_before){m->sent[i], m->makespan, m->receive_hint[i]};
    m->sent[i] = begin + multicast_send(m, k, i);
    /* Receives that ended before the last send cannot delay the next one. */
    while (m->receive_hint[i] < m->receive_count[i] &&
           receives[m->receive_hint[i]].end <= m->sent[i])
        m->receive_hint[i]++;
    m->receives[(size_t)j * (size_t)m->messages + (size_t)m->receive_count[j]++] =
        (struct multicast_span){end - multicast_recv(m, k, j), end};
    m->has[cell(m, k, j)] = true;
    m->has_from[cell(m, k, j)] = end;
    m->missing--;
    m->missing_of[j]--;
    m->order[m->decision_count++] = (struct multicast_decision){k, i, j, begin, end};
    m->makespan = time_later(m->makespan, end);
}

/* has_from[] is not restored: it counts only where has[] is true. In the reverse order of the
 * decisions. */
void multicast_undo(struct multicast *m, int count)
{
    while (m->decision_count > count) {
        int at = --m->decision_count;
        const struct multicast_decision *d = &m->order[at];
        const struct multicast_before *before = &m->before[at];
        m->sent[d->from] = before->sent;
        m->receive_hint[d->from] = before->hint;
        m->makespan = before->makespan;
        m->receive_count[d->to]--;
        m->has[cell(m, d->message, d->to)] = false;
        m->missing++;
        m->missing_of[d->to]++;
    }
}
