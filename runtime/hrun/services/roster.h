/* roster.h - groups that tasks join and leave by name, as hrun keeps them.
 *
 * Pure bookkeeping, no I/O: hrun reports events in their order, and is called back when a meeting
 * is over.  A meeting is a barrier or the freezing of a group: it waits for `count` members, or for
 * all that the group has.
 *
 *   * A task that joins gets the lowest free instance.  A group without members is deleted.
 *   * A meeting is complete when `count` members have entered it (ROSTER_ALL: when all have).
 *   * A member that fails breaks the meetings of its groups: all members that wait are notified.
 *     The others get the error at once at their next meeting.  So each member is notified of each
 *     failure once, and no member waits for one that has failed.
 *   * A member that ends without a failure breaks a meeting only if the group becomes too small for
 *     it.  Members that do not wait get the error at their next meeting, if it needs more members.
 *   * A member that leaves breaks nothing.
 *   * If some members wait in a barrier and all others in a freezing, no error is reported: their
 *     other threads may still call.
 *   * When all other tasks have ended, the caller reports it, so that no meeting waits for them.
 *
 * Cost: O(groups) to find one by its name, O(members) for anything in it.
 */
#pragma once

#include "base/list.h"

#include <stdint.h>

#define ROSTER_ALL UINT32_MAX
enum roster_kind { ROSTER_BARRIER, ROSTER_FREEZE, ROSTER_KINDS };

struct roster_member {
    uint32_t tid;        /* 0: the instance is free */
    uint32_t unreported; /* tid of a member that has ended, which it does not know yet; or 0 */
    bool failed;         /* ... by a failure */
    bool waits[ROSTER_KINDS];
    uint32_t question[ROSTER_KINDS]; /* whatever the caller wants back */
    struct {
        bool holds;               /* it has not returned the group */
        bool over, failed;        /* it has ended meanwhile, by a failure */
        uint32_t passed;          /* barriers */
        uint32_t question, count; /* of the one in which it waits; 0: in none */
    } delegated;
};

/* A group whose members hold its list, and meet by themselves (job/delegation.h). */
struct roster_delegation {
    uint32_t context; /* 0: it is not delegated */
    bool recalled;
    uint32_t holders;         /* members that hold it */
    unsigned steady;          /* barriers of all members since one joined or left */
    unsigned patience;        /* so many before it is delegated (again) */
    struct list_node waiting; /* questions for the time when all have returned it */
};

struct roster_meeting {
    uint32_t count; /* as its first member said */
    uint32_t come;  /* 0: there is none */
};

struct roster {
    struct list_node node;
    char *name;
    struct roster_member *member; /* by instance */
    uint32_t n, size;             /* instances; those that are not free */
    struct roster_meeting meeting[ROSTER_KINDS];
    struct roster_delegation delegation;
};

struct rosters {
    struct list_node list;
    /* A meeting is over: those who wait in it are the members with waits[kind].  error HN_OK, or
     * HN_EDEAD and whose failure or leaving has broken it, or 0: nobody else is left. */
    void (*over)(struct rosters *all, struct roster *roster, enum roster_kind kind, int error,
                 uint32_t who);
    /* All members have returned a group that was delegated. */
    void (*returned)(struct rosters *all, struct roster *roster);
    void *data; /* the caller's */
};

void rosters_free(struct rosters *all);
/* NULL: there is no such group. */
struct roster *roster_find(const struct rosters *all, const char *name);
/* How many members a meeting that has begun wants. */
uint32_t roster_wanted(const struct roster *roster, enum roster_kind kind);
/* The instance of a member; HN_ENOTASK: it is none. */
int roster_instance(const struct roster *roster, uint32_t tid);

/* The instance; HN_ESTATE: it is a member already; HN_ENOMEM. */
int roster_join(struct rosters *all, const char *name, uint32_t tid);
/* HN_ENOTASK: no such group, or no member; HN_ESTATE: it waits in a meeting. */
int roster_leave(struct rosters *all, const char *name, uint32_t tid);
/* A member comes to a meeting.  HN_OK: it will hear by over(), perhaps at once.  HN_ENOTASK: no
 * member; HN_ESTATE: it waits there already; HN_EARG: others have said another count;
 * HN_EDEAD: *who has ended since it last met the others. */
int roster_meet(struct rosters *all, const char *name, uint32_t tid, enum roster_kind kind,
                uint32_t count, uint32_t question, uint32_t *who);
/* A task is no more in any group that is not delegated. */
void roster_ended(struct rosters *all, uint32_t tid, bool failed);
/* Nobody will come any more: all meetings are broken. */
void rosters_give_up(struct rosters *all);
