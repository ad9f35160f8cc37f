/* measure_multicast.c - finds which hosts a multicast reaches.
 *
 * Each host sends one datagram to all hosts near it, all hosts at the same time, and those that
 * receive it answer.  This goes beyond the subnets known so far, because derive.c may join two of
 * them; it also decides there whether all hosts of a subnet reach each other.  A missing answer may
 * be a lost datagram or a busy host: if some hosts of a subnet were reached, the others are asked
 * once more.
 *
 * Cost: one datagram for each host, one answer for each pair.  If some host is not reached, as on
 * any network without multicast or with several near subnets, a quarter of a second is added.
 */
#include "measure/measurement_state.h"

struct reach {
    struct measurement *m;
    unsigned char *asked, *reached; /* [from * n + to] */
    bool *some;                     /* [group]: one host has reached another one */
};

/* In the second round only hosts of subnets in which a multicast has reached another host. */
static bool is_asked(const struct reach *r, int from, int to, bool again)
{
    const struct measurement *m = r->m;
    if (from == to || r->reached[from * m->n + to] || !measurement_is_wanted(m, from, to))
        return false;
    return again ? m->group[from] == m->group[to] && r->some[m->group[from]]
                 : measurement_is_near(m, from, to);
}

static bool ask(struct reach *r, int from, int to, bool again)
{
    bool asked = is_asked(r, from, to, again);
    r->asked[from * r->m->n + to] = asked;
    return asked;
}

/* One task multicasts to all that it has been asked to reach. More tasks need more patience. */
static struct job job_of(const struct reach *r, int from)
{
    return (struct job){
        .leader = from,
        .order = {.kind = EXPERIMENT_REACH,
                  .bytes = r->m->n,
                  .budget_ns = MULTICAST_LATE_NS,
                  .patience_ms = MULTICAST_PATIENCE_MS + MULTICAST_EACH_MS * r->m->n},
        .hosts = &r->asked[from * r->m->n],
        .parts = 1,
        .silent = true};
}

/* What was reached in any round counts. */
static void take(struct reach *r, const struct job *job)
{
    const struct measurement *m = r->m;
    for (int to = 0; job->sample.count && to < m->n; to++) {
        r->reached[job->leader * m->n + to] |= job->hosts[to];
        r->some[m->group[job->leader]] |= job->hosts[to] && m->group[to] == m->group[job->leader];
    }
}

/* All hosts send in the same round.  A datagram a host is no load, and one after the other would
 * take as many waits as there are hosts. */
static void one_round(struct reach *r, bool again)
{
    struct measurement *m = r->m;
    int count = 0;
    for (int from = 0; from < m->n; from++) {
        bool any = false;
        for (int to = 0; to < m->n; to++)
            any |= ask(r, from, to, again);
        if (any)
            m->list.job[count++] = job_of(r, from);
    }
    coordinator_run(&m->coordinator, m->list.job, count);
    for (int i = 0; i < count; i++)
        take(r, &m->list.job[i]);
}

void measure_multicast(struct measurement *m)
{
    size_t n = (size_t)m->n;
    struct arena room = {0};
    struct reach r = {.m = m};
    ARENA_ARRAYS(&room, n * n, r.asked, r.reached);
    r.some = arena_array(&room, n, sizeof *r.some);
    bool good = !room.failed;
    for (int round = 0; good && round < MULTICAST_ROUNDS; round++)
        one_round(&r, round > 0);
    for (int i = 0; good && i < m->n * m->n; i++)
        if (r.reached[i])
            measurement_state_fact(m, SAMPLE_REACH, i / m->n, i % m->n, 0, ABOUT_SUBNET);
    measurement_progress(m, "multicast");
    arena_free(&room);
}
