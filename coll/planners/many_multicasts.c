/* many_multicasts.c - plans of multiple multicasts: writes the decisions of the algorithms of
 * planners/multicast (Wu) as steps.
 *
 * Every block of the plan, a message or a segment of one, is a message for the algorithm. Its
 * decisions have times, and the steps of every rank are in the order of these times. Messages from
 * one node to another arrive in the order in which they were sent, and in the blocking port model a
 * sender waits for its receiver. A few schedules of `exact` would have a deadlock then. These are
 * executed again in the order of their sends.
 *
 * Requests that take too long are refused: LOOKS_MOST limits the triples (decision, message,
 * holder) that Wu's algorithms examine. Cost: that of the algorithm, and O(d log d) for d
 * decisions.
 */
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

static const int64_t LOOKS_MOST = INT64_C(1) << 35, LOOKS_CUT = INT64_C(1) << 25;

/* The send or the receive of a decision. */
struct task {
    hn_time begin, end;
    int decision;
    bool sends;
};

/* A total order by time. Of tasks that take no time the earlier decision comes first, so that no
 * message is received before its send, or forwarded before its receive. */
static int by_time(const void *a_, const void *b_)
{
    const struct task *a = a_, *b = b_;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->decision != b->decision ? (a->decision < b->decision ? -1 : 1) : b->sends - a->sends;
}

static void list_tasks(const struct multicast *m, struct task *tasks)
{
    for (int i = 0; i < m->decision_count; i++) {
        const struct multicast_decision *d = &m->order[i];
        hn_time send = multicast_send(m, d->message, d->from);
        hn_time recv = multicast_recv(m, d->message, d->to);
        tasks[2 * i] = (struct task){d->send_begin, d->send_begin + send, i, true};
        tasks[2 * i + 1] = (struct task){d->recv_end - recv, d->recv_end, i, false};
    }
    qsort(tasks, 2 * (size_t)m->decision_count, sizeof *tasks, by_time);
}

/* Whether task i must have ended before task k of the same node can begin.  i comes before k in
 * time.  A send need not end before a later receive. */
static bool goes_before(const struct multicast *m, const struct task *i, const struct task *k)
{
    const struct multicast_decision *a = &m->order[i->decision], *b = &m->order[k->decision];
    return (i->sends ? a->from : a->to) == (k->sends ? b->from : b->to) && (!i->sends || k->sends);
}

/* Whether the schedule has a deadlock if a message occupies both ports, for example because it
 * overtakes another one. Only `exact`, which has few decisions, makes such schedules; the other
 * algorithms decide sends and receives in one order. Repeatedly removes decisions that wait for no
 * other one; a rest is a cycle. */
static bool is_knotted(const struct multicast *m, const struct task *tasks)
{
    int count = 2 * m->decision_count;
    bool waits[EXACT_DELIVERIES_MOST], done[EXACT_DELIVERIES_MOST] = {false};
    if (m->decision_count > EXACT_DELIVERIES_MOST)
        return false;
    for (int left = m->decision_count; left > 0;) {
        int before = left;
        memset(waits, 0, sizeof waits);
        for (int i = 0; i < count; i++)
            for (int k = i + 1; k < count; k++)
                if (!done[tasks[i].decision] && goes_before(m, &tasks[i], &tasks[k]) &&
                    tasks[i].decision != tasks[k].decision)
                    waits[tasks[k].decision] = true;
        for (int d = 0; d < m->decision_count; d++)
            if (!done[d] && !waits[d]) {
                done[d] = true;
                left--;
            }
        if (left == before)
            return true;
    }
    return false;
}

/* Repeats the decisions in the order of their sends. */
static void decide_in_order(struct multicast *m, const struct task *tasks,
                            struct multicast_decision *sent)
{
    int count = 0;
    for (int i = 0; i < 2 * m->decision_count; i++)
        if (tasks[i].sends)
            sent[count++] = m->order[tasks[i].decision];
    multicast_clear(m, true);
    for (int i = 0; i < count; i++)
        multicast_decide(m, sent[i].message, sent[i].from, sent[i].to);
}

/* Writes the steps of all nodes in the order of time. */
static int put_decisions(struct multicast *m, struct plan *plan)
{
    size_t count = (size_t)m->decision_count;
    struct task *tasks = malloc((2 * count + 1) * sizeof *tasks);
    struct multicast_decision *sent = malloc((count + 1) * sizeof *sent);
    int error = tasks && sent ? HN_OK : HN_ENOMEM;
    if (!error) {
        list_tasks(m, tasks);
        if (is_knotted(m, tasks)) {
            decide_in_order(m, tasks, sent);
            list_tasks(m, tasks);
        }
    }
    for (size_t i = 0; i < 2 * count && !error; i++) {
        const struct multicast_decision *d = &m->order[tasks[i].decision];
        bool sends = tasks[i].sends;
        plan_step(plan, sends ? d->from : d->to, sends ? PLAN_SEND : PLAN_RECV,
                  sends ? d->to : d->from, d->message, 1);
    }
    free(tasks);
    free(sent);
    return error;
}

/* Returns the blocks of the plan as messages; the caller frees them. NULL: out of memory. */
static struct multicast_message *blocks_as_messages(const struct request *req,
                                                    const struct plan *plan)
{
    struct multicast_message *messages = malloc(((size_t)plan->block_count + 1) * sizeof *messages);
    for (int block = 0; messages && block < plan->block_count; block++) {
        messages[block] = req->messages[plan->blocks[block].part];
        messages[block].bytes = plan->blocks[block].bytes;
    }
    return messages;
}

/* Whether the algorithms take too long: each decision examines the holders of all messages. */
static bool is_too_much(const struct request *req, const struct plan *plan)
{
    int64_t each = plan->block_count / request_parts(req) + 1, looks;
    int64_t most = plan->block_count > request_parts(req) ? LOOKS_CUT : LOOKS_MOST;
    return __builtin_mul_overflow(request_deliveries(req) * each,
                                  (int64_t)plan->block_count * req->ranks, &looks) ||
           looks > most;
}

/* HN_EPLAN: too many decisions, or an algorithm that does not serve so many. */
int planner_multicast(const struct problem *problem, int (*run)(struct multicast *m),
                      struct plan *plan)
{
    const struct request *req = problem->req;
    struct multicast m = {0};
    plan_cut(plan, req, problem->segment);
    if (is_too_much(req, plan))
        return HN_EPLAN;
    struct multicast_message *messages = blocks_as_messages(req, plan);
    int error =
        messages ? multicast_begin(&m, problem->model, messages, plan->block_count) : HN_ENOMEM;
    if (!error)
        error = run(&m);
    if (!error)
        error = put_decisions(&m, plan);
    multicast_end(&m);
    free(messages);
    return error;
}
