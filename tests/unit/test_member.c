/* test_member.c - hosts of a job as hrun sees them, under 10^5 seeded schedules: processes that do
 * not start, agents that come late, out of order or never, are lost at any point, or do not end
 * when they are told to.  The hosts are simulated as the machines that they are: a process, a
 * channel and an agent, whose events hrun may see in any order that the kernel allows.  Whatever
 * happens, a host is up at most once a start, its loss is told once, and the job ends: all hosts
 * are gone, and no process is left.  A failing seed is printed and replays with HNOW_SEED. */
#include "hrun/hosts/member.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SCHEDULES = 100000, HOSTS = 5, PATIENCE = 400 /* steps until the job is told to end */ };

/* A host and what is real of it. */
struct machine {
    enum member_state state;
    bool process;        /* runs */
    bool stubborn;       /* ... and ends only by force */
    bool synced, hello;  /* its agent has said so, in this order */
    bool told, deadline; /* to end; a timer of hrun is set */
    int starts, ups, losses, unreached, kills;
};

static uint64_t seed, state;

static int below(int n)
{
    return (int)random_below(&state, n);
}

#define CHECK(condition) cr_assert(condition, "seed %llu", (unsigned long long)seed)

/* hrun does what the table says: job_hosts.c without its channels. */
static void act(struct machine *m, enum member_action action)
{
    switch (action) {
    case MEMBER_DO_START:
        CHECK(!m->process);
        m->process = m->deadline = true;
        m->synced = m->hello = false;
        m->stubborn = below(4) == 0;
        m->starts++;
        break;
    case MEMBER_DO_UP:
        CHECK(m->process && m->synced && m->hello);
        m->deadline = false;
        m->ups++;
        break;
    case MEMBER_DO_UNREACHED:
        CHECK(!m->process);
        m->unreached++;
        break;
    case MEMBER_DO_TOO_LATE:
    case MEMBER_DO_KILL:
        CHECK(m->process);
        m->deadline = true;
        if (m->kills++ > 0 || !m->stubborn)
            m->told = true;
        break;
    case MEMBER_DO_LOST:
        CHECK(!m->process && m->ups == m->starts);
        m->losses++;
        break;
    case MEMBER_DO_SAY_END:
        CHECK(m->process);
        m->deadline = true;
        m->told |= !m->stubborn;
        break;
    case MEMBER_DO_GONE:
    case MEMBER_DO_NOTHING:
        break;
    }
}

static void event(struct machine *m, enum member_event e)
{
    act(m, member_step(&m->state, e));
    CHECK(m->state != MEMBER_GONE || !m->process);
    CHECK(m->state != MEMBER_UP || m->hello);
}

/* Something happens at a host: what is possible there, at random. */
static void happens(struct machine *m, bool calm)
{
    switch (below(6)) {
    case 0:
        event(m, MEMBER_START);
        break;
    case 1:
        if (m->process && !m->synced) {
            m->synced = true;
            event(m, MEMBER_SYNC);
        }
        break;
    case 2:
        if (m->process && m->synced && !m->hello) {
            m->hello = true;
            event(m, MEMBER_HELLO);
        }
        break;
    case 3:
        if (m->deadline && below(3) == 0) {
            m->deadline = false;
            event(m, MEMBER_DEADLINE);
        }
        break;
    default: /* its process ends: when it was told to, or because it is lost */
        if (m->process && (m->told || (!calm && below(30) == 0))) {
            m->process = false;
            event(m, MEMBER_LOST);
        }
    }
}

static bool all_gone(const struct machine *m)
{
    for (int i = 0; i < HOSTS; i++)
        if (m[i].state != MEMBER_GONE)
            return false;
    return true;
}

static void run_schedule(void)
{
    struct machine m[HOSTS] = {0};
    int end = below(PATIENCE);

    state = seed * 2 + 1;
    for (int step = 0; step < end || !all_gone(m); step++) {
        CHECK(step < 100 * PATIENCE);
        /* The user may insist: END comes again. */
        for (int i = 0; i < HOSTS && (step == end || (step > end && below(200) == 0)); i++)
            event(&m[i], MEMBER_END);
        happens(&m[below(HOSTS)], below(2));
    }
    for (int i = 0; i < HOSTS; i++) {
        CHECK(!m[i].process && m[i].starts <= 1 && m[i].ups <= m[i].starts);
        CHECK(m[i].losses + m[i].unreached <= m[i].starts);
    }
}

Test(member, random_schedules)
{
    const char *replay = getenv("HNOW_SEED");
    uint64_t last = replay ? strtoull(replay, NULL, 10) : SCHEDULES;

    for (seed = replay ? last : 1; seed <= last; seed++)
        run_schedule();
}
