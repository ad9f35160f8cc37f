/* conduct.c - orders and reports.
 *
 * The happy path: order to the peers, order to the leader, the experiment, the leader's report.  A
 * task that has died is noticed by the send of an order or by the report that does not come; its
 * peers in the experiment notice by themselves and the leader reports failure.  Experiments that a
 * lost task takes part in are left out.
 */
#include "conduct.h"

#include <stdlib.h>

enum { TAG_ORDER = 1, TAG_OUTCOME = 2, TAG_FIRST = 16 };

int conduct_begin(struct conductor *c, int n, unsigned char *buffer, FILE *out)
{
    *c = (struct conductor){.n = n, .buffer = buffer, .out = out, .tag = TAG_FIRST};
    c->lost = calloc((size_t)n, sizeof *c->lost);
    return c->lost ? HN_OK : HN_ENOMEM;
}

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static void give_order(struct conductor *c, int rank, struct experiment *order)
{
    if (rank != 0 && hn_send(task(rank), TAG_ORDER, order, EXPERIMENT_WORDS, HN_INT64) != HN_OK)
        c->lost[rank] = true;
}

static bool all_there(const struct conductor *c, const struct job *job)
{
    for (int64_t i = 0; i < job->order.peers; i++)
        if (c->lost[job->order.peer[i]])
            return false;
    return !c->lost[job->leader];
}

/* Sends a job's orders; rank 0's part, if it has one, goes to *mine. */
static void begin(struct conductor *c, struct job *job, struct experiment *mine)
{
    struct experiment following = job->order;
    job->order.tag = following.tag = c->tag++;
    following.kind = job->follow;
    following.peers = 1;
    following.peer[0] = job->leader;
    for (int64_t i = 0; i < job->order.peers; i++) {
        give_order(c, (int)job->order.peer[i], &following);
        if (job->order.peer[i] == 0)
            *mine = following;
    }
    give_order(c, job->leader, &job->order);
    if (job->leader == 0)
        *mine = job->order;
}

static void fetch(struct conductor *c, const struct job *job, struct outcome *outcome)
{
    if (hn_recv(task(job->leader), TAG_OUTCOME, outcome, OUTCOME_WORDS, HN_INT64, NULL) == HN_OK)
        return;
    c->lost[job->leader] = true;
    outcome->count = 0;
}

static void finish(struct conductor *c, struct job *job, const struct outcome *outcome)
{
    struct sample *sample = &job->sample;
    sample->best = outcome->best / job->parts;
    sample->median = outcome->median / job->parts;
    sample->count = (int)outcome->count;
    sample_print(sample, c->out);
    if (job->order.kind == EXPERIMENT_OUT) {
        struct sample call = *sample;
        call.kind = SAMPLE_SEND;
        call.best = call.median = outcome->send;
        sample_print(&call, c->out);
    }
}

void conduct(struct conductor *c, struct job *job, int count)
{
    struct experiment mine = {.kind = EXPERIMENT_QUIT};
    struct outcome own = {0};
    for (int i = 0; i < count; i++) {
        if (!all_there(c, &job[i]))
            job[i].order.kind = EXPERIMENT_QUIT;
        else
            begin(c, &job[i], &mine);
    }
    if (mine.kind != EXPERIMENT_QUIT)
        experiment_run(&mine, c->buffer, &own);
    for (int i = 0; i < count; i++) {
        struct outcome outcome = own;
        if (job[i].order.kind == EXPERIMENT_QUIT)
            outcome.count = 0;
        else if (job[i].leader != 0)
            fetch(c, &job[i], &outcome);
        finish(c, &job[i], &outcome);
    }
}

void conduct_progress(struct conductor *c, int done, int total, const char *what)
{
    fprintf(c->out, "progress %d %d %s\n", done, total, what);
    fflush(c->out);
}

void conduct_end(struct conductor *c)
{
    struct experiment quit = {.kind = EXPERIMENT_QUIT};
    for (int rank = 1; rank < c->n; rank++)
        if (!c->lost[rank])
            give_order(c, rank, &quit);
    for (int rank = 0; rank < c->n; rank++)
        if (c->lost[rank])
            fprintf(c->out, "lost %d\n", rank);
    fputs("end\n", c->out);
    fflush(c->out);
    free(c->lost);
}

int conduct_serve(unsigned char *buffer)
{
    static const unsigned leaders = 1u << EXPERIMENT_PING | 1u << EXPERIMENT_BOTH |
                                    1u << EXPERIMENT_OUT | 1u << EXPERIMENT_IN |
                                    1u << EXPERIMENT_COMPUTE;
    struct experiment order;
    struct outcome outcome;
    for (;;) {
        if (hn_recv(task(0), TAG_ORDER, &order, EXPERIMENT_WORDS, HN_INT64, NULL) != HN_OK)
            return 1;
        if (order.kind == EXPERIMENT_QUIT)
            return 0;
        experiment_run(&order, buffer, &outcome);
        if (leaders >> order.kind & 1 &&
            hn_send(task(0), TAG_OUTCOME, &outcome, OUTCOME_WORDS, HN_INT64) != HN_OK)
            return 1;
    }
}
