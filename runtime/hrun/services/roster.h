/* roster.h - named groups that tasks join and leave, in hrun.
 *
 * This module does no I/O. hrun reports events in order, and gets a callback when a rendezvous has
 * ended.  A rendezvous is a barrier or the freezing of a group.  It waits for `count` members, or
 * for all members of the group.
 *
 *   * A task that joins gets the lowest free instance.  A group without members is deleted.
 *   * A rendezvous is complete when `count` members have entered it (ROSTER_ALL: when all have,
 *     which is the same as their number).
 *   * A member that fails breaks the rendezvous of its groups: all waiting members get an error.
 *     The others get the error at once at their next rendezvous.  So each member is notified of
 *     each failure once, and no member waits for a failed one.
 *   * A member that ends without a failure breaks a rendezvous only if the group becomes too small
 *     for it.  Members that do not wait get the error at their next rendezvous, if it needs more
 *     members.
 *   * A member that leaves breaks nothing, unless the group is closed.
 *   * ROSTER_CLOSE freezes the group and closes it: no task may join any more.  When a member of a
 *     closed group leaves or ends, all barriers end with HN_ENAME, also later ones.
 *   * If some members wait in a barrier and all others in a freeze, no error is reported: their
 *     other threads may still call.
 *   * When all other tasks have ended, the caller reports it, so that no rendezvous waits for them.
 *
 * Cost: O(groups) to find one by its name, O(members) for operations on it.
 */
#pragma once

#include "base/list.h"

#include <stdint.h>

#define ROSTER_ALL UINT32_MAX
enum roster_kind { ROSTER_BARRIER, ROSTER_FREEZE, ROSTER_CLOSE, ROSTER_KINDS };
/* BROKEN: it was closed, and a member has left. */
enum roster_state { ROSTER_OPEN, ROSTER_CLOSED, ROSTER_BROKEN };

/* One instance of a group.  Its number is its index, so a free one keeps its place until the last
 * ones are free. */
struct roster_member {
    uint32_t tid;        /* 0: the instance is free */
    uint32_t unreported; /* tid of an ended member that it was not notified of; or 0 */
    bool failed;         /* that member has failed */
    bool waits[ROSTER_KINDS];
    uint32_t question[ROSTER_KINDS]; /* value for the caller */
    struct {
        bool holds;               /* it has not returned the group */
        bool ended, failed;       /* it has ended meanwhile; by a failure */
        uint32_t passed;          /* barriers that it has passed */
        uint32_t question, count; /* of the barrier in which it waits; 0: none */
    } delegated;
};

/* State of a group that is delegated to its members (job/delegation.h). */
struct roster_delegation {
    uint32_t context; /* 0: not delegated */
    bool recalled;
    uint32_t holders;         /* members that have not returned it */
    unsigned steady;          /* barriers of all members since a member joined or left */
    unsigned patience;        /* number of such barriers before the group is delegated (again) */
    struct list_node waiting; /* questions to answer when all members have returned it */
};

/* A barrier or freeze in progress.  Its count is ROSTER_ALL until some member has passed a
 * number. */
struct roster_rendezvous {
    uint32_t count;   /* ROSTER_ALL: no member has passed a number */
    uint32_t entered; /* members that have entered; 0: there is no rendezvous */
};

/* A named group.  It exists while it has members; `n` may exceed `size` if instances in the middle
 * are free. */
struct roster {
    struct list_node node;
    char *name;
    struct roster_member *member; /* by instance */
    uint32_t n, size;             /* instances; those in use */
    enum roster_state state;
    struct roster_rendezvous rendezvous[ROSTER_KINDS];
    struct roster_delegation delegation;
};

/* All groups of a job, and how their caller is notified. */
struct rosters {
    struct list_node list;
    /* A rendezvous is over, for the members with waits[kind]. error: HN_OK; HN_EDEAD, and `who` has
     * broken it by failing or leaving, or is 0: no other task is left.  HN_ENAME: the group was
     * closed, and a member has left. */
    void (*ended)(struct rosters *all, struct roster *roster, enum roster_kind kind, int error,
                  uint32_t who);
    /* All members have returned a delegated group. */
    void (*returned)(struct rosters *all, struct roster *roster);
    void *data; /* for the caller */
};

void rosters_free(struct rosters *all);
/* NULL: there is no such group. */
struct roster *roster_find(const struct rosters *all, const char *name);
/* Number of members that a rendezvous in progress needs. */
uint32_t roster_wanted(const struct roster *roster, enum roster_kind kind);
/* The instance of a member; HN_ENOTASK: it is not a member. */
int roster_instance(const struct roster *roster, uint32_t tid);

/* Adds a member and returns its instance.  HN_ENAME: the group is closed; HN_ESTATE: it is a member
 * already; HN_ENOMEM. */
int roster_join(struct rosters *all, const char *name, uint32_t tid);
/* Removes a member.  HN_ENOTASK: no such group, or no member; HN_ESTATE: it waits in a rendezvous.
 */
int roster_leave(struct rosters *all, const char *name, uint32_t tid);
/* A member enters a rendezvous.  HN_OK: ended() will be called, perhaps at once.  HN_ENOTASK: not a
 * member; HN_ESTATE: it waits there already, or the group was closed before; HN_EARG: others have
 * passed another count; HN_ENAME: a member has left the closed group; HN_EDEAD: *who has ended
 * since its last rendezvous. */
int roster_enter(struct rosters *all, const char *name, uint32_t tid, enum roster_kind kind,
                 uint32_t count, uint32_t question, uint32_t *who);
/* Removes an ended task from all groups that are not delegated. */
void roster_ended(struct rosters *all, uint32_t tid, bool failed);
/* No task will enter any more: breaks all rendezvous. */
void rosters_give_up(struct rosters *all);
