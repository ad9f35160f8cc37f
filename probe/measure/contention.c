/* contention.c - each alone, then all at once (contention.h).
 *
 * Messages that begin together and share a wire: the last one cannot be there before the wire has
 * carried all of them, whatever TCP does.  A busy machine, or another one's traffic, can make two
 * wires look like one, but not for ever: trials end as soon as all are as quick as alone, and
 * "shared" is believed when that has not happened in a few of them.
 */
#include "measure/contention.h"
#include "derive/medium.h"

#include <math.h>

enum { ALONE = 4, FAR_ALONE = 2, TRIALS = 8, ENOUGH = 3, LONG_ENOUGH = 2 };
static const int64_t long_ns = 8000000, far_ns = 40000000, longest_ns = 100000000;
static const int64_t long_budget_ns = 300000000;

/* ---- each alone --------------------------------------------------------------------------- */

/* Where TCP's first window holds what takes two latencies, and longer than two hosts are apart that
 * were told to begin at the same time, that is enough. */
int64_t trial_bytes(const struct campaign *c, int from, int to)
{
    int at = from * c->n + to;
    int64_t bytes = CAMPAIGN_LARGE, small = c->small[at], per_byte = c->large[at];
    int64_t wanted = 8 * small > long_ns ? 8 * small : long_ns;
    int64_t enough = 2 * small > far_ns ? 2 * small : far_ns;
    wanted = wanted < longest_ns ? wanted : longest_ns;
    if (CAMPAIGN_WINDOW / 2 * per_byte / 1000 >= enough)
        wanted = enough;
    while (bytes < EXPERIMENT_BYTES && bytes * per_byte / 1000 < wanted)
        bytes *= 2;
    return bytes;
}

void trial_add(const struct campaign *c, struct trial *trial, int from, int to, int64_t bytes)
{
    struct job *job = &trial->job[trial->count++];
    *job = campaign_way(c, from, to, bytes, campaign_is_near(c, from, to) ? ALONE : FAR_ALONE);
    job->order.budget_ns = long_budget_ns;
    job->order.pause_ns = 0; /* as those that go together: one after the other */
    trial->slowest = HUGE_VAL;
}

/* It has been measured already, and takes so long that once more would tell nothing new. */
static bool is_measured(const struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    return c->bytes[at] == sample->bytes && c->best[at] > longest_ns / 2;
}

/* Job number `which` of all trials, at the same time. */
static void number_alone(struct campaign *c, struct trial *trial, int trials, int which)
{
    int count = 0;
    for (int i = 0; i < trials; i++)
        if (which < trial[i].count && !is_measured(c, &trial[i].job[which].sample))
            c->job[count++] = trial[i].job[which];
    conduct(&c->conductor, c->job, count);
    for (int i = 0, k = 0; i < trials; i++) {
        if (which >= trial[i].count)
            continue;
        struct sample *alone = &trial[i].alone[which];
        *alone = trial[i].job[which].sample;
        int at = alone->from * c->n + alone->to;
        if (!is_measured(c, alone)) {
            *alone = c->job[k++].sample;
            c->bytes[at] = alone->bytes;
            c->best[at] = alone->best;
        } else {
            alone->best = alone->median = c->best[at];
            alone->count = 1;
        }
    }
}

void trial_alone(struct campaign *c, struct trial *trial, int trials)
{
    int most = 0;
    for (int i = 0; i < trials; i++)
        most = trial[i].count > most ? trial[i].count : most;
    for (int which = 0; which < most; which++)
        number_alone(c, trial, trials, which);
}

/* ---- together ----------------------------------------------------------------------------- */

/* After one more round. */
static void judge(const struct campaign *c, struct trial *trial, const struct job *job)
{
    double slower = 0;
    for (int i = 0; i < trial->count; i++) {
        const struct sample *alone = &trial->alone[i];
        int64_t small = c->small[alone->from * c->n + alone->to];
        slower = fmax(slower, medium_slower(alone, &job[i].sample, small));
    }
    if (slower > 0 && slower < trial->slowest) {
        trial->slowest = slower;
        for (int i = 0; i < trial->count; i++)
            trial->least[i] = job[i].sample;
    }
    bool is_long = trial->alone[0].best > longest_ns / 2;
    hn_medium seen = medium_judge(trial->slowest);
    if (seen != HN_MEDIUM_BUS || ++trial->rounds >= (is_long ? LONG_ENOUGH : ENOUGH))
        trial->verdict = seen;
}

/* Those that are not decided, at the same time; their number. */
static int next_round(struct campaign *c, struct trial *trial, int trials)
{
    int count = 0, at = 0;
    for (int i = 0; i < trials; i++)
        for (int k = 0; trial[i].verdict == HN_MEDIUM_UNKNOWN && k < trial[i].count; k++)
            c->job[count++] = trial[i].job[k];
    conduct(&c->conductor, c->job, count);
    for (int i = 0; i < trials; i++)
        if (trial[i].verdict == HN_MEDIUM_UNKNOWN) {
            judge(c, &trial[i], &c->job[at]);
            at += trial[i].count;
        }
    return count;
}

void trial_decide(struct campaign *c, struct trial *trial, int trials)
{
    for (int round = 0; round < TRIALS && next_round(c, trial, trials) > 0; round++)
        ;
}

void trial_write(const struct campaign *c, const struct trial *trial)
{
    for (int k = 0; k < trial->count; k++)
        if (trial->least[k].count)
            sample_print(&trial->least[k], c->conductor.out);
}

void trial_together(struct campaign *c, struct trial *trial, int trials)
{
    trial_decide(c, trial, trials);
    for (int i = 0; i < trials; i++)
        trial_write(c, &trial[i]);
}
