/* test_roster.c - groups that tasks join and leave by name (hrun/services/roster.h). */
#include "random.h"
#include "hrun/services/roster.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { TASKS = 12 };

/* What ended() has said. */
struct heard {
    struct rosters all;
    int times[TASKS + 1]; /* [tid] */
    int error;            /* the last one */
    uint32_t who, last_question;
    uint32_t met; /* how many were in the last rendezvous */
};

static void on_ended(struct rosters *all, struct roster *roster, enum roster_kind kind, int error,
                     uint32_t who)
{
    struct heard *heard = all->data;
    heard->met = 0;
    heard->error = error;
    heard->who = who;
    for (uint32_t i = 0; i < roster->n; i++)
        if (roster->member[i].waits[kind]) {
            heard->times[roster->member[i].tid]++;
            heard->last_question = roster->member[i].question[kind];
            heard->met++;
        }
    cr_assert_eq(heard->met, roster->rendezvous[kind].entered);
}

static void begin(struct heard *heard)
{
    *heard = (struct heard){.all = {.ended = on_ended, .data = heard}};
    list_init(&heard->all.list);
}

static int meet(struct heard *heard, uint32_t tid, uint32_t count)
{
    heard->who = 0;
    return roster_enter(&heard->all, "g", tid, ROSTER_BARRIER, count, 100 + tid, &heard->who);
}

Test(roster, instances_are_the_lowest_that_are_free)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 4; tid++)
        cr_assert_eq(roster_join(&heard.all, "g", tid), (int)tid - 1);
    cr_assert_eq(roster_join(&heard.all, "g", 2), HN_ESTATE);
    cr_assert_eq(roster_leave(&heard.all, "g", 2), HN_OK);
    cr_assert_eq(roster_leave(&heard.all, "g", 2), HN_ENOTASK);
    roster_ended(&heard.all, 1, false);
    cr_assert_eq(roster_join(&heard.all, "g", 9), 0);
    cr_assert_eq(roster_join(&heard.all, "g", 2), 1);
    cr_assert_eq(roster_join(&heard.all, "other", 2), 0);
    cr_assert_eq(roster_instance(roster_find(&heard.all, "g"), 3), 2);
    for (uint32_t tid = 2; tid <= 9; tid++)
        roster_ended(&heard.all, tid, true);
    cr_assert_null(roster_find(&heard.all, "g"), "a group without members is no more");
    cr_assert_null(roster_find(&heard.all, "other"));
    rosters_free(&heard.all);
}

Test(roster, a_barrier_opens_when_the_last_one_has_come)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 5; tid++)
        roster_join(&heard.all, "g", tid);
    cr_assert_eq(meet(&heard, 1, 0), HN_EARG);
    cr_assert_eq(meet(&heard, 1, 3), HN_OK);
    cr_assert_eq(meet(&heard, 1, 3), HN_ESTATE);
    cr_assert_eq(meet(&heard, 2, 4), HN_EARG);
    cr_assert_eq(meet(&heard, 7, 3), HN_ENOTASK);
    cr_assert_eq(roster_leave(&heard.all, "g", 1), HN_ESTATE);
    cr_assert_eq(meet(&heard, 2, 3), HN_OK);
    cr_assert_eq(heard.times[1], 0);
    cr_assert_eq(meet(&heard, 5, 3), HN_OK);
    cr_assert_eq(heard.met, 3u);
    cr_assert_eq(heard.error, HN_OK);
    cr_assert_eq(heard.last_question, 105u);
    cr_assert_eq(heard.times[1] + heard.times[2] + heard.times[5], 3);
    cr_assert_eq(meet(&heard, 1, ROSTER_ALL), HN_OK);
    cr_assert_eq(heard.times[1], 1, "the next one is another");
    for (uint32_t tid = 2; tid <= 4; tid++)
        meet(&heard, tid, ROSTER_ALL);
    cr_assert_eq(roster_leave(&heard.all, "g", 5), HN_OK);
    cr_assert_eq(heard.met, 4u, "all that are left have come");
    cr_assert_eq(meet(&heard, 1, ROSTER_ALL), HN_OK);
    cr_assert_eq(meet(&heard, 2, 3), HN_EARG);
    cr_assert_eq(meet(&heard, 2, 4), HN_OK, "all are four");
    cr_assert_eq(meet(&heard, 3, ROSTER_ALL), HN_OK);
    cr_assert_eq(meet(&heard, 4, 4), HN_OK);
    cr_assert_eq(heard.error, HN_OK);
    cr_assert_eq(heard.times[2], 3);
    rosters_free(&heard.all);
}

Test(roster, each_hears_of_a_failure_once)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 4; tid++)
        roster_join(&heard.all, "g", tid);
    meet(&heard, 1, 4);
    meet(&heard, 2, 4);
    roster_ended(&heard.all, 3, true);
    cr_assert_eq(heard.met, 2u);
    cr_assert_eq(heard.error, HN_EDEAD);
    cr_assert_eq(heard.who, 3u);
    cr_assert_eq(meet(&heard, 1, 3), HN_OK);
    cr_assert_eq(meet(&heard, 4, 3), HN_EDEAD);
    cr_assert_eq(heard.who, 3u);
    roster_join(&heard.all, "g", 8);
    cr_assert_eq(meet(&heard, 8, 3), HN_OK, "a new member knows nothing of it");
    cr_assert_eq(meet(&heard, 4, 3), HN_OK);
    cr_assert_eq(heard.met, 3u);
    rosters_free(&heard.all);
}

Test(roster, who_ends_well_breaks_only_what_it_is_missing_in)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 4; tid++)
        roster_join(&heard.all, "g", tid);
    meet(&heard, 1, 3);
    roster_ended(&heard.all, 2, false);
    cr_assert_eq(heard.times[1], 0);
    roster_ended(&heard.all, 3, false);
    cr_assert_eq(heard.times[1], 1);
    cr_assert_eq(heard.error, HN_EDEAD);
    meet(&heard, 1, 7);
    roster_ended(&heard.all, 4, false);
    cr_assert_eq(heard.times[1], 1, "those who are waited for have not joined yet");
    roster_join(&heard.all, "g", 5);
    roster_ended(&heard.all, 5, false);
    roster_join(&heard.all, "h", 1);
    roster_join(&heard.all, "h", 2);
    roster_ended(&heard.all, 1, false);
    cr_assert_eq(roster_enter(&heard.all, "h", 2, ROSTER_BARRIER, 2, 0, &heard.who), HN_EDEAD);
    cr_assert_eq(roster_enter(&heard.all, "h", 2, ROSTER_BARRIER, 1, 0, &heard.who), HN_OK);
    rosters_free(&heard.all);
}

Test(roster, the_last_instance_is_that_of_a_member)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 4; tid++)
        roster_join(&heard.all, "g", tid);
    roster_leave(&heard.all, "g", 3);
    cr_assert_eq(roster_find(&heard.all, "g")->n, 4u);
    roster_ended(&heard.all, 4, false);
    cr_assert_eq(roster_find(&heard.all, "g")->n, 2u);
    cr_assert_eq(roster_join(&heard.all, "g", 5), 2);
    rosters_free(&heard.all);
}

static int meet_as(struct heard *heard, uint32_t tid, enum roster_kind kind, uint32_t count)
{
    return roster_enter(&heard->all, "g", tid, kind, count, 0, &heard->who);
}

/* Of a part that freezes before all meet; of threads that are in both. */
Test(roster, a_barrier_and_a_freezing_that_will_be_complete)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 3; tid++)
        roster_join(&heard.all, "g", tid);
    meet_as(&heard, 1, ROSTER_FREEZE, 2);
    meet_as(&heard, 3, ROSTER_BARRIER, 3);
    meet_as(&heard, 2, ROSTER_FREEZE, 2);
    cr_assert(heard.times[1] == 1 && heard.error == HN_OK);
    meet_as(&heard, 1, ROSTER_BARRIER, 3);
    meet_as(&heard, 1, ROSTER_FREEZE, 3);
    meet_as(&heard, 2, ROSTER_FREEZE, 3);
    cr_assert_eq(heard.times[2], 1);
    meet_as(&heard, 2, ROSTER_BARRIER, 3);
    cr_assert(heard.times[2] == 2 && heard.error == HN_OK);
    meet_as(&heard, 3, ROSTER_FREEZE, 3);
    cr_assert(heard.times[2] == 3 && heard.error == HN_OK);
    meet_as(&heard, 1, ROSTER_FREEZE, 3);
    meet_as(&heard, 2, ROSTER_BARRIER, 3);
    meet_as(&heard, 3, ROSTER_BARRIER, 3);
    cr_assert_eq(heard.times[2], 3, "all wait, and their other threads may come");
    meet_as(&heard, 1, ROSTER_BARRIER, 3);
    cr_assert(heard.times[2] == 4 && heard.error == HN_OK);
    rosters_free(&heard.all);
}

/* Two of three members close the group; the third one leaves. */
Test(roster, a_closed_group_takes_no_other_members)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 3; tid++)
        roster_join(&heard.all, "g", tid);
    meet_as(&heard, 1, ROSTER_CLOSE, 2);
    cr_assert_eq(roster_join(&heard.all, "g", 4), 3, "it is not closed yet");
    roster_leave(&heard.all, "g", 4);
    meet_as(&heard, 2, ROSTER_CLOSE, 2);
    cr_assert(heard.times[2] == 1 && heard.error == HN_OK && heard.met == 2);
    cr_assert_eq(roster_join(&heard.all, "g", 4), HN_ENAME);
    cr_assert_eq(roster_join(&heard.all, "g", 1), HN_ENAME);
    cr_assert_eq(meet_as(&heard, 3, ROSTER_CLOSE, 2), HN_ESTATE);
    for (uint32_t tid = 1; tid <= 3; tid++)
        cr_assert_eq(meet(&heard, tid, ROSTER_ALL), HN_OK);
    cr_assert(heard.times[3] == 1 && heard.error == HN_OK && heard.met == 3);
    meet(&heard, 1, 3);
    roster_leave(&heard.all, "g", 3);
    cr_assert(heard.times[1] == 3 && heard.error == HN_ENAME, "it waits in vain");
    cr_assert_eq(meet(&heard, 2, 2), HN_ENAME);
    cr_assert_eq(meet(&heard, 3, 1), HN_ENAME, "the group comes before its members");
    cr_assert_eq(meet_as(&heard, 1, ROSTER_CLOSE, 2), HN_EARG);
    cr_assert_eq(roster_join(&heard.all, "g", 3), HN_ENAME);
    roster_leave(&heard.all, "g", 1);
    roster_ended(&heard.all, 2, true);
    cr_assert_eq(roster_join(&heard.all, "g", 3), 0, "a new group");
    rosters_free(&heard.all);
}

/* Also if the member has failed. */
Test(roster, a_member_of_a_closed_group_ends)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 2; tid++)
        roster_join(&heard.all, "g", tid);
    meet_as(&heard, 1, ROSTER_CLOSE, ROSTER_ALL);
    meet_as(&heard, 2, ROSTER_CLOSE, ROSTER_ALL);
    meet(&heard, 1, ROSTER_ALL);
    roster_ended(&heard.all, 2, true);
    cr_assert(heard.times[1] == 2 && heard.error == HN_ENAME);
    cr_assert_eq(meet(&heard, 1, 1), HN_ENAME);
    rosters_free(&heard.all);
}

Test(roster, nobody_is_waited_for_who_cannot_come)
{
    struct heard heard;
    begin(&heard);
    for (uint32_t tid = 1; tid <= 2; tid++)
        roster_join(&heard.all, "g", tid);
    meet_as(&heard, 1, ROSTER_BARRIER, 7);
    roster_ended(&heard.all, 2, false);
    cr_assert_eq(heard.times[1], 0, "others may join");
    rosters_give_up(&heard.all);
    cr_assert(heard.times[1] == 1 && heard.error == HN_EDEAD && heard.who == 0);
    meet_as(&heard, 1, ROSTER_FREEZE, 2);
    rosters_give_up(&heard.all);
    cr_assert(heard.times[1] == 2 && heard.error == HN_EDEAD);
    rosters_free(&heard.all);
}

/* ---- random events against what the rules say of each of them ---- */

struct model {
    struct heard heard;
    uint64_t seed, random;
    bool member[TASKS + 1], waits[TASKS + 1];
    uint32_t unheard[TASKS + 1];
    bool failed[TASKS + 1]; /* the unheard one */
    uint32_t size, come, count;
    bool over; /* this event ends the rendezvous ... */
    int error; /* ... like this */
};

static void model_join(struct model *m, uint32_t tid)
{
    int got = roster_join(&m->heard.all, "g", tid);
    cr_assert(m->member[tid] ? got == HN_ESTATE : got >= 0, "seed %lu", (unsigned long)m->seed);
    if (m->member[tid])
        return;
    m->member[tid] = true;
    m->unheard[tid] = 0;
    m->size++;
}

static void model_meet(struct model *m, uint32_t tid)
{
    if (m->come == 0)
        m->count = 1 + (uint32_t)random_below(&m->random, 6);
    bool hears = m->unheard[tid] && (m->failed[tid] || m->count > m->size);
    int got = meet(&m->heard, tid, m->count);
    int right = !m->member[tid] ? HN_ENOTASK : m->waits[tid] ? HN_ESTATE : hears ? HN_EDEAD : HN_OK;
    cr_assert_eq(got, right, "seed %lu: %d, not %d", (unsigned long)m->seed, got, right);
    if (right == HN_EDEAD) {
        cr_assert_eq(m->heard.who, m->unheard[tid]);
    } else if (right == HN_OK) {
        m->waits[tid] = true;
        m->over = ++m->come == m->count;
        m->error = HN_OK;
    }
    if (right == HN_EDEAD || right == HN_OK)
        m->unheard[tid] = 0;
}

static void model_end(struct model *m, uint32_t tid, bool failed)
{
    roster_ended(&m->heard.all, tid, failed);
    if (!m->member[tid])
        return;
    m->come -= m->waits[tid];
    m->member[tid] = m->waits[tid] = false;
    m->over = m->come > 0 && (failed || m->size == m->count);
    m->error = HN_EDEAD;
    m->size--;
    for (int i = 1; i <= TASKS; i++) {
        bool news = !m->unheard[i] || (failed && !m->failed[i]);
        if (!m->member[i] || m->waits[i] || !news)
            continue;
        m->unheard[i] = tid;
        m->failed[i] = failed;
    }
}

static void model_step(struct model *m)
{
    uint32_t tid = 1 + (uint32_t)random_below(&m->random, TASKS);
    int64_t what = random_below(&m->random, 10);
    int before[TASKS + 1];
    memcpy(before, m->heard.times, sizeof before);
    m->over = false;
    if (what < 3)
        model_join(m, tid);
    else if (what < 8)
        model_meet(m, tid);
    else
        model_end(m, tid, what == 8);
    for (int i = 1; i <= TASKS; i++) {
        bool hears = m->waits[i] && m->over;
        cr_assert_eq(m->heard.times[i] - before[i], hears, "seed %lu, task %d",
                     (unsigned long)m->seed, i);
        cr_assert(!hears || m->heard.error == m->error, "seed %lu", (unsigned long)m->seed);
        m->waits[i] &= !hears;
    }
    m->come = m->over ? 0 : m->come;
}

Test(roster, random_events_follow_the_rules)
{
    uint64_t first = random_seed(), n = getenv("HNOW_SEED") ? 1 : 2000;
    for (uint64_t seed = first; seed < first + n; seed++) {
        struct model m = {.seed = seed, .random = seed};
        begin(&m.heard);
        for (int step = 0; step < 300; step++)
            model_step(&m);
        rosters_free(&m.heard.all);
    }
}
