/* pvm_group.c - named groups that tasks join.
 *
 * hrun keeps them.  A query is a round trip to hrun, except for delegated groups
 * (job/delegation.h).  A task that freezes a group knows its members from then on, and has a group
 * of hnow for barriers and collective operations, if all members have frozen it.  hrun then closes
 * the group, as PVM's group server does: a member that ends or leaves breaks it, and later barriers
 * fail with PvmNoGroup.
 *
 * Entries are found by name at each call, and again after a wait, which releases the lock.
 */
#include "vm.h"
#include "hnow_coll.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* For messages in the context of a frozen group; the program's own messages may use the tag in
 * other contexts. */
enum { RENDEZVOUS_TAG = INT_MAX };

struct frozen {
    char *name;
    hn_tid *tids; /* by instance, also of members that did not freeze the group */
    int n, size;
    hn_group *group; /* NULL: not of all members */
    bool spread;     /* over several hosts */
    bool broken;     /* a member has ended or left: there are no more barriers */
    int users;       /* the list, and calls of other threads: the last one frees it */
    struct frozen *next;
};

/* All groups that this task has frozen. */
static struct frozen *frozen;

/* NULL: this task has not frozen it, whatever others have done. */
static struct frozen *find(const char *name)
{
    struct frozen *f = frozen;

    while (f && strcmp(f->name, name))
        f = f->next;
    return f;
}

/* hrun checks the length of the name. */
static int check_name(const char *name)
{
    return name && *name ? PvmOk : PvmNullGroup;
}

/* Returns why something is not in a group: the group may not exist. */
static int absent(const char *name, int otherwise)
{
    return hn_joined_size(name) == 0 ? PvmNoGroup : otherwise;
}

/* ---- messages of a frozen group ----------------------------------------------------------- */

/* ARRIVED: a member is in a barrier, or the barrier is over.  GONE: a member has left the group. */
enum signal { ARRIVED, GONE };

/* The number of bytes is the signal. rank is that in hnow's group, which may differ from the
 * instance. */
static int send_signal(const hn_group *group, int rank, enum signal signal)
{
    return hn_send(hn_group_tid(group, rank), RENDEZVOUS_TAG, "", (size_t)signal, HN_BYTE);
}

/* Returns HN_EDEAD also if the member has left the group. The member's own end is reported by hnow,
 * its leaving by a signal. */
static int receive_signal(const hn_group *group, int rank)
{
    char byte;
    hn_info info;
    int result = hn_recv(hn_group_tid(group, rank), RENDEZVOUS_TAG, &byte, 1, HN_BYTE, &info);

    return result == HN_OK && info.count != ARRIVED ? HN_EDEAD : result;
}

/* Continues after a failure, since the others wait. */
static int signal_all(const hn_group *group, enum signal signal)
{
    int result = HN_OK;

    for (int i = 1; i < hn_group_size(group); i++) {
        /* The first failure is the result. */
        int sent = send_signal(group, i, signal);
        result = result == HN_OK ? sent : result;
    }
    return result;
}

/* All members send to the first one, which answers, as PVM's group server does.  On one host, where
 * each step wakes another task, nothing is faster.  HN_EDEAD: a member has ended or left; the first
 * one then notifies all.
 */
static int meet_at_first(const hn_group *group)
{
    hn_context before = hn_set_context(hn_group_context(group));
    int result = HN_OK;

    if (hn_group_rank(group, hn_mytid()) > 0) {
        /* Two messages for each member, and all of them pass the first one. */
        result = send_signal(group, 0, ARRIVED);
        result = result == HN_OK ? receive_signal(group, 0) : result;
    } else {
        /* In the order of ranks: the barrier is over when the last one has arrived, in any
         * order. */
        for (int i = 1; i < hn_group_size(group) && result == HN_OK; i++)
            result = receive_signal(group, i);
        /* If one is missing, those that wait must not wait for ever. */
        int sent = signal_all(group, result == HN_OK ? ARRIVED : GONE);
        result = result == HN_OK ? sent : result;
    }
    hn_set_context(before);
    return result;
}

/* Notifies the members that would wait for the caller in a barrier. */
static void report_leaving(const struct frozen *f)
{
    /* Without a group of hnow, barriers are those of hrun, which notices by itself. */
    if (!f->group || f->broken)
        return;

    hn_context before = hn_set_context(hn_group_context(f->group));
    /* The first member is the only one that the others wait for. */
    if (hn_group_rank(f->group, hn_mytid()) > 0)
        send_signal(f->group, 0, GONE);
    else
        signal_all(f->group, GONE);
    hn_set_context(before);
}

/* ---- joining and leaving ------------------------------------------------------------------ */

/* PvmDupGroup: is a member already. Other reasons of HN_ESTATE remain. */
static int join(const char *name)
{
    int result = check_name(name);

    if (result != PvmOk)
        return result;
    /* Another task may freeze the group between the check and this call. */
    result = hn_join(name);
    /* It is frozen. */
    if (result == HN_ENAME)
        return PvmNotInGroup;
    /* HN_ESTATE has other reasons, too. */
    if (result == HN_ESTATE && hn_joined_instance(name, hn_mytid()) >= 0)
        return PvmDupGroup;
    return vm_result(result);
}

/* A call that waits is a user, because another thread may leave the group meanwhile. */
static void let_go(struct frozen *f)
{
    if (--f->users > 0)
        return;
    hn_group_free(f->group);
    free(f->tids);
    free(f->name);
    free(f);
}

/* Ignores a group that is not frozen. */
static void thaw(const char *name)
{
    struct frozen *f = find(name), **at = &frozen;

    if (!f)
        return;
    while (*at != f)
        at = &(*at)->next;
    /* Out of the list first, so that other threads do not find it. */
    *at = f->next;
    report_leaving(f);
    let_go(f);
}

void vm_thaw_all(void)
{
    while (frozen)
        thaw(frozen->name);
}

/* PvmNoGroup: no such group. PvmNotInGroup: the caller is no member. */
static int leave(const char *name)
{
    int result = check_name(name);

    if (result != PvmOk)
        return result;
    /* The other members must not wait for the caller, even if hrun refuses the request. */
    thaw(name);
    result = hn_leave(name);
    return result == HN_ENOTASK ? absent(name, PvmNotInGroup) : vm_result(result);
}

/* Adds an entry for a group that the caller has frozen. Its list also has members that did not
 * freeze it; unused instances have tid 0. */
static int add_frozen(const char *name, hn_group *group)
{
    struct frozen *f = calloc(1, sizeof *f);
    int result = HN_ENOMEM;

    if (f && (f->name = strdup(name)))
        result = hn_joined_members(name, &f->tids, &f->n);
    if (result != HN_OK) {
        hn_group_free(group);
        free(f ? f->name : NULL);
        free(f);
        return vm_result(result);
    }
    for (int i = 0; i < f->n; i++) {
        f->size += f->tids[i] > 0;
        f->spread |= f->tids[i] > 0 && hn_host_tid(f->tids[i]) != hn_host_tid(hn_mytid());
    }
    f->group = group;
    f->users = 1;
    f->next = frozen;
    frozen = f;
    return PvmOk;
}

/* True if a rendezvous failed because a member has ended, and other tasks are left.  As in PVM, the
 * caller waits on, because a new member may take the place.  hnow reports each end once. */
static bool waits_on(int result)
{
    hn_task_info *tasks;
    int n;

    if (result != HN_EDEAD || hn_tasks(&tasks, &n) != HN_OK)
        return false;
    free(tasks);
    return n > 1;
}

/* Returns why the members did not all arrive. PvmMismatch: members passed different counts.
 * PvmNoGroup: a member of a frozen group has left. */
static int not_met(const char *name, int result)
{
    if (result == HN_EARG || result == HN_ENAME)
        return result == HN_EARG ? PvmMismatch : PvmNoGroup;
    return result == HN_ENOTASK ? absent(name, PvmNotInGroup) : vm_result(result);
}

/* The group is frozen for those that met; other tasks still ask hrun. hrun refuses a group that is
 * frozen already. */
static int freeze(const char *name, int count)
{
    hn_group *group;
    int met, result = check_name(name);

    if (result != PvmOk)
        return result;
    do
        VM_WAIT(met = hn_joined_close(name, count, &group));
    /* Each member's end is reported once, and then the rest wait again. */
    while (waits_on(met));
    if (met > 0) {
        result = add_frozen(name, group);
        return result == PvmOk ? met : result;
    }
    /* HN_ESTATE has other reasons, too. */
    return met == HN_ESTATE && hn_joined_size(name) > 0 ? PvmDupGroup : not_met(name, met);
}

/* Returns the instance: the lowest one that is free. The first member creates the group. */
int pvm_joingroup(char *group)
{
    return VM_GROUP(join(group));
}

/* The group ends with its last member. pvm_exit() leaves all groups. */
int pvm_lvgroup(char *group)
{
    return VM_GROUP(leave(group));
}

/* Returns its size. In PVM, such a group is static: a later member is refused. */
int pvm_freezegroup(char *group, int count)
{
    return VM_GROUP(freeze(group, count));
}

/* ---- queries ------------------------------------------------------------------------------ */

/* For a frozen group, the members that froze it. */
static int size(const char *name)
{
    int n = check_name(name);

    if (n == PvmOk)
        /* 0 members means for hrun that there is no such group. */
        n = find(name) ? find(name)->size : vm_result(hn_joined_size(name));
    return n == 0 ? PvmNoGroup : n;
}

/* PvmNoGroup comes before PvmNoInst. */
static int tid_of(const char *name, int instance)
{
    const struct frozen *f = name ? find(name) : NULL;
    int result = check_name(name);

    if (result != PvmOk)
        return result;
    /* An instance that did not freeze the group is not in the list. */
    if (f && instance >= 0 && instance < f->n && f->tids[instance] > 0)
        return f->tids[instance];
    result = f || instance < 0 ? HN_ENOTASK : hn_joined_tid(name, instance);
    return result == HN_ENOTASK ? absent(name, PvmNoInst) : vm_result(result);
}

/* Queries hrun. The caller frees the list. */
static int all_members(const char *name, struct vm_members *members)
{
    int result = vm_result(hn_joined_members(name, &members->own, &members->n));

    members->tids = members->own;
    return result == PvmOk && members->n == 0 ? PvmNoGroup : result;
}

/* PVM has -1 in its list of tids for unused instances, and programs look for that. The next task
 * that joins gets this instance. */
static int first_free(const char *name)
{
    struct vm_members members = {0};
    int i = 0, result = all_members(name, &members);

    /* If no instance is unused, this is the number of members. */
    while (i < members.n && members.tids[i] > 0)
        i++;
    vm_members_free(&members);
    return result == PvmOk ? i : result;
}

/* A member of a frozen group is found without hrun. */
static int instance_of(const char *name, int tid)
{
    const struct frozen *f = name ? find(name) : NULL;
    int result = check_name(name);

    for (int i = 0; f && i < f->n; i++)
        /* Linear, but without a message. */
        if (f->tids[i] == tid && tid > 0)
            return i;
    if (result != PvmOk)
        return result;
    /* Unused instances are listed by hrun only. */
    if (tid == -1)
        return first_free(name);
    result = f ? HN_ENOTASK : hn_joined_instance(name, tid);
    return result == HN_ENOTASK ? absent(name, PvmNotInGroup) : vm_result(result);
}

int vm_members(const char *name, struct vm_members *members)
{
    struct frozen *f = name ? find(name) : NULL;
    int result = check_name(name);

    /* So vm_members_free() may follow any result. */
    *members = (struct vm_members){0};
    if (result != PvmOk)
        return result;
    /* A query at each call of a collective operation. */
    if (!f)
        return all_members(name, members);
    f->users++;
    *members = (struct vm_members){
        .tids = f->tids, .n = f->n, .group = f->group, .spread = f->spread, .frozen = f};
    return PvmOk;
}

/* The list of a frozen group belongs to the group. */
void vm_members_free(struct vm_members *members)
{
    if (members->frozen)
        let_go(members->frozen);
    free(members->own);
}

/* PvmNoGroup: no task is in the group. */
int pvm_gsize(char *group)
{
    return VM_GROUP(size(group));
}

/* PvmNoInst: the group exists, but not the instance. */
int pvm_gettid(char *group, int instance)
{
    return VM_GROUP(tid_of(group, instance));
}

/* PvmNotInGroup: the group exists, but the task is no member. */
int pvm_getinst(char *group, int tid)
{
    return VM_GROUP(instance_of(group, tid));
}

/* ---- barriers ----------------------------------------------------------------------------- */

/* Members of a frozen group synchronise without hrun. Another thread may thaw it meanwhile. */
static int frozen_barrier(const char *name)
{
    struct frozen *f = find(name);
    int result = HN_EDEAD;

    f->users++;
    /* A broken group fails at once. */
    if (!f->broken)
        VM_WAIT(result = meet_at_first(f->group));
    /* A member that has gone does not return to a frozen group. */
    f->broken |= result == HN_EDEAD;
    let_go(f);
    return result == HN_EDEAD ? PvmNoGroup : vm_result(result);
}

/* count must be the same at all members. PvmMismatch also if it is 0 or below -1. */
static int barrier(const char *name, int count)
{
    const struct frozen *f;
    int result = check_name(name);

    if (result != PvmOk)
        return result;
    /* A bad count is reported only to a member; others get the reason why they are none. */
    if (count < 1 && count != HN_ANY) {
        result = instance_of(name, hn_mytid());
        return result < 0 ? result : PvmMismatch;
    }
    f = find(name);
    if (f && f->group && (f->broken || count == HN_ANY || count == hn_group_size(f->group)))
        return frozen_barrier(name);
    do
        /* hrun counts the members that have arrived. */
        VM_WAIT(result = hn_joined_barrier(name, count));
    while (waits_on(result));
    return not_met(name, result);
}

/* The caller itself does not count, member or not. */
static bool is_alone(const struct vm_members *members)
{
    int others = 0;

    for (int i = 0; i < members->n; i++)
        others += members->tids[i] > 0 && members->tids[i] != hn_mytid();
    return others == 0;
}

/* If others have joined a frozen group, the full list comes from hrun. */
static int broadcast(const char *name, int tag)
{
    struct vm_members members;
    /* The list is that of this moment. A task that joins during the call may not get the
     * message. */
    int result = vm_members(name, &members);

    if (result == PvmOk)
        result = is_alone(&members) ? PvmNoInst : vm_send_others(members.tids, members.n, tag);
    vm_members_free(&members);
    return result;
}

/* PvmMismatch: the members passed different counts. A caller that is no member gets
 * PvmNotInGroup. */
int pvm_barrier(char *group, int count)
{
    return VM_GROUP(barrier(group, count));
}

/* PvmNoBuf: there is no current send buffer. The call does not wait for the receivers. */
int pvm_bcast(char *group, int tag)
{
    return VM_GROUP(broadcast(group, tag));
}
