/* roster.c - named groups in hrun (rules: roster.h).
 *
 * Invariant: `entered` of a rendezvous is the number of members with waits[kind].  After each
 * change roster_check() ends what is complete.  The callbacks may answer members, but must not join
 * or remove any.
 */
#include "hrun/services/roster.h"

#include "base/array.h"
#include "hnow.h"

#include <stdlib.h>
#include <string.h>

static void roster_free(struct roster *roster)
{
    list_remove(&roster->node);
    free(roster->name);
    free(roster->member);
    free(roster);
}

void rosters_free(struct rosters *all)
{
    list_for_each_safe (node, &all->list)
        roster_free(list_entry(node, struct roster, node));
}

struct roster *roster_find(const struct rosters *all, const char *name)
{
    list_for_each (node, &all->list) {
        struct roster *roster = list_entry(node, struct roster, node);
        if (strcmp(roster->name, name) == 0)
            return roster;
    }
    return NULL;
}

/* A NULL roster has no members, so a failed roster_find() needs no check of its own. */
int roster_instance(const struct roster *roster, uint32_t tid)
{
    for (uint32_t i = 0; roster && i < roster->n; i++)
        if (roster->member[i].tid == tid)
            return (int)i;
    return HN_ENOTASK;
}

/* ---- joining ---------------------------------------------------------------------------- */

static struct roster *roster_new(struct rosters *all, const char *name)
{
    struct roster *roster = calloc(1, sizeof *roster);
    if (!roster)
        return NULL;
    roster->name = strdup(name);
    list_init(&roster->delegation.waiting);
    list_append(&all->list, &roster->node);
    if (roster->name)
        return roster;
    roster_free(roster);
    return NULL;
}

/* The lowest free instance, created if necessary.  NULL: out of memory. */
static struct roster_member *roster_room(struct roster *roster)
{
    for (uint32_t i = 0; i < roster->n; i++)
        if (roster->member[i].tid == 0)
            return &roster->member[i];
    return ARRAY_ROOM(roster->member, roster->n + 1) ? &roster->member[roster->n++] : NULL;
}

/* A rendezvous of all members that is in progress waits for the new member, too. */
int roster_join(struct rosters *all, const char *name, uint32_t tid)
{
    struct roster *roster = roster_find(all, name);
    if (roster && roster->state != ROSTER_OPEN)
        return HN_ENAME;
    if (roster_instance(roster, tid) >= 0)
        return HN_ESTATE;
    if (!roster && !(roster = roster_new(all, name)))
        return HN_ENOMEM;
    struct roster_member *member = roster_room(roster);
    if (!member) {
        if (roster->size == 0)
            roster_free(roster);
        return HN_ENOMEM;
    }
    *member = (struct roster_member){.tid = tid};
    roster->size++;
    roster->delegation.steady = 0;
    return (int)(member - roster->member);
}

/* ---- rendezvous ------------------------------------------------------------------------- */

/* Ends a rendezvous: calls ended(), then releases its members. ended() is called while the members
 * are still marked, so that it finds those to answer. */
static void roster_close(struct rosters *all, struct roster *roster, enum roster_kind kind,
                         int error, uint32_t who)
{
    if (kind == ROSTER_CLOSE && !error)
        roster->state = ROSTER_CLOSED;
    all->ended(all, roster, kind, error, who);
    roster->rendezvous[kind] = (struct roster_rendezvous){0};
    for (uint32_t i = 0; i < roster->n; i++)
        roster->member[i].waits[kind] = false;
}

/* ROSTER_ALL means the size at present, which may change while members wait. */
static uint32_t roster_number(const struct roster *roster, uint32_t count)
{
    return count == ROSTER_ALL ? roster->size : count;
}

uint32_t roster_wanted(const struct roster *roster, enum roster_kind kind)
{
    return roster_number(roster, roster->rendezvous[kind].count);
}

/* After any change: ends the rendezvous that are complete. */
static void roster_check(struct rosters *all, struct roster *roster)
{
    for (int k = 0; k < ROSTER_KINDS; k++) {
        enum roster_kind kind = (enum roster_kind)k;
        uint32_t entered = roster->rendezvous[kind].entered;
        if (entered > 0 && entered >= roster_wanted(roster, kind))
            roster_close(all, roster, kind, HN_OK, 0);
    }
}

/* An ended task that the member must be notified of before it may wait; 0: there is none.  A
 * failure is always reported; a normal end only if the group has become too small for the count.
 * The news is cleared in any case. */
static uint32_t roster_news(const struct roster *roster, struct roster_member *member,
                            uint32_t count)
{
    uint32_t who = member->unreported;
    bool too_small = count != ROSTER_ALL && count > roster->size;
    member->unreported = 0;
    return member->failed || too_small ? who : 0;
}

/* Why nobody may enter, whether member or not.  The order of these checks is that of PVM's group
 * server. */
static int roster_refusal(const struct roster *roster, enum roster_kind kind)
{
    if (kind == ROSTER_BARRIER && roster->state == ROSTER_BROKEN)
        return HN_ENAME;
    return kind == ROSTER_CLOSE && roster->state == ROSTER_CLOSED ? HN_ESTATE : HN_OK;
}

/* Checks in this order: closed, member, already waiting, count, ended members, and a count that
 * contradicts those of others.  The question is stored, since the answer repeats its number. */
int roster_enter(struct rosters *all, const char *name, uint32_t tid, enum roster_kind kind,
                 uint32_t count, uint32_t question, uint32_t *who)
{
    struct roster *roster = roster_find(all, name);
    int instance = roster_instance(roster, tid),
        refusal = roster ? roster_refusal(roster, kind) : 0;
    if (refusal || instance < 0)
        return refusal ? refusal : instance;
    struct roster_member *member = &roster->member[instance];
    struct roster_rendezvous *rendezvous = &roster->rendezvous[kind];
    if (member->waits[kind])
        return HN_ESTATE;
    if (count == 0 || (kind == ROSTER_CLOSE && roster->state == ROSTER_BROKEN))
        return HN_EARG;
    *who = roster_news(roster, member, count);
    if (*who)
        return HN_EDEAD;
    if (rendezvous->entered > 0 && roster_wanted(roster, kind) != roster_number(roster, count))
        return HN_EARG;
    member->waits[kind] = true;
    member->question[kind] = question;
    if (rendezvous->entered == 0 || count != ROSTER_ALL)
        rendezvous->count = count;
    rendezvous->entered++;
    roster_check(all, roster);
    return HN_OK;
}

/* ---- leaving ---------------------------------------------------------------------------- */

/* Removes a member, also from the rendezvous that it was in.  The last instance always belongs to a
 * member. */
static void roster_remove(struct roster *roster, uint32_t instance)
{
    struct roster_member *member = &roster->member[instance];
    for (int kind = 0; kind < ROSTER_KINDS; kind++)
        roster->rendezvous[kind].entered -= member->waits[kind];
    *member = (struct roster_member){0};
    roster->size--;
    roster->delegation.steady = 0;
    while (roster->n > 0 && roster->member[roster->n - 1].tid == 0)
        roster->n--;
}

/* A member has left: a closed group takes no other in its place. */
static void roster_break(struct rosters *all, struct roster *roster)
{
    if (roster->state == ROSTER_OPEN)
        return;
    roster->state = ROSTER_BROKEN;
    if (roster->rendezvous[ROSTER_BARRIER].entered > 0)
        roster_close(all, roster, ROSTER_BARRIER, HN_ENAME, 0);
}

/* A rendezvous may be complete without the member that leaves.  HN_ENOTASK: no member.  HN_ESTATE:
 * it waits in a rendezvous, for example in another thread. */
int roster_leave(struct rosters *all, const char *name, uint32_t tid)
{
    struct roster *roster = roster_find(all, name);
    int instance = roster_instance(roster, tid);
    if (instance < 0)
        return instance;
    for (int kind = 0; kind < ROSTER_KINDS; kind++)
        if (roster->member[instance].waits[kind])
            return HN_ESTATE;
    roster_remove(roster, (uint32_t)instance);
    roster_break(all, roster);
    roster_check(all, roster);
    if (roster->size == 0)
        roster_free(roster);
    return HN_OK;
}

/* Records an ended task for members that do not wait now; they get the error at their next
 * rendezvous.  A failure replaces a normal end that was not reported yet, because it is more
 * important. */
static void roster_remember(struct roster *roster, uint32_t who, bool failed)
{
    for (uint32_t i = 0; i < roster->n; i++) {
        struct roster_member *member = &roster->member[i];
        bool waits = false, news = !member->unreported || (failed && !member->failed);
        for (int kind = 0; kind < ROSTER_KINDS; kind++)
            waits |= member->waits[kind];
        if (member->tid && !waits && news) {
            member->unreported = who;
            member->failed = failed;
        }
    }
}

/* `too_small` compares with the size before the removal: the rendezvous needed every member.  A
 * failure ends every rendezvous of the group; a normal end only those that can no longer be
 * complete. */
static void roster_without(struct rosters *all, struct roster *roster, uint32_t tid, bool failed)
{
    int instance = roster_instance(roster, tid);
    if (instance < 0)
        return;
    roster_remove(roster, (uint32_t)instance);
    roster_break(all, roster);
    roster_remember(roster, tid, failed);
    for (int k = 0; k < ROSTER_KINDS; k++) {
        enum roster_kind kind = (enum roster_kind)k;
        bool too_small = roster_wanted(roster, kind) == roster->size + 1;
        if (roster->rendezvous[kind].entered > 0 && (failed || too_small))
            roster_close(all, roster, kind, HN_EDEAD, tid);
    }
    roster_check(all, roster);
    if (roster->size == 0)
        roster_free(roster);
}

/* Delegated groups process the end later, when they have been returned. */
void roster_ended(struct rosters *all, uint32_t tid, bool failed)
{
    list_for_each_safe (node, &all->list) {
        struct roster *roster = list_entry(node, struct roster, node);
        if (roster->delegation.context == 0)
            roster_without(all, roster, tid, failed);
    }
}

/* who = 0: not one task, but all others have ended. */
void rosters_give_up(struct rosters *all)
{
    list_for_each (node, &all->list) {
        struct roster *roster = list_entry(node, struct roster, node);
        for (int kind = 0; kind < ROSTER_KINDS; kind++)
            if (roster->rendezvous[kind].entered > 0)
                roster_close(all, roster, (enum roster_kind)kind, HN_EDEAD, 0);
    }
}
