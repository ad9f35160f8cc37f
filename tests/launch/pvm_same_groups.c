/* pvm_same_groups.c - groups of one task, and of several. */
#include "pvm_same.h"

void groups(void)
{
    int x = 5, tid = me;
    char none[] = "no-group";

    SHOW(pvm_joingroup(group));
    SHOW(pvm_joingroup(group));
    SHOW(pvm_gsize(group));
    SHOW(pvm_getinst(group, me));
    SHOW(pvm_gettid(group, 0) == me);
    SHOW(pvm_gettid(group, 1));
    SHOW(pvm_getinst(group, -1)); /* the first place where nobody is */
    SHOW(pvm_getinst(none, me));
    SHOW(pvm_getinst(none, -1));
    SHOW(pvm_gettid(none, 0));
    SHOW(pvm_lvgroup(none));
    SHOW(pvm_barrier(group, 1));
    SHOW(pvm_barrier(group, 0));
    SHOW(pvm_barrier(none, 1));
    SHOW(pvm_barrier(none, 0));
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(x);
    SHOW(pvm_reduce(PvmSum, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(NULL, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(&tid, NULL, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(&tid, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(NULL, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(&tid, NULL, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(&x, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_bcast(group, TAG));
    SHOW(pvm_nrecv(-1, TAG)); /* it is not for the sender */
    SHOW(pvm_lvgroup(group));
    SHOW(pvm_lvgroup(group));
    SHOW(pvm_mcast(&tid, 1, TAG)); /* nor is this */
    SHOW(pvm_nrecv(-1, TAG));
}

/* ---- groups of several tasks ---- */

/* OPERATION: PVM's group server uses low tags itself, in the context of these operations. */
enum { ORDER = 8, DONE = 9, OPERATION = 500 };
enum order { END, JOIN, LEAVE, FREEZE, BARRIER, REDUCE };

/* A call about the group; `n` is its number. */
static int obey(enum order order, int n)
{
    switch (order) {
    case JOIN:
        return pvm_joingroup(group);
    case LEAVE:
        return pvm_lvgroup(group);
    case FREEZE:
        return pvm_freezegroup(group, n);
    case BARRIER:
        return pvm_barrier(group, n);
    case REDUCE:
        return pvm_reduce(PvmSum, &n, 1, PVM_INT, OPERATION, group, 0);
    default:
        return 0;
    }
}

int obedient_child(void)
{
    int order[2];

    group[0] = 'S';
    do {
        int result;
        pvm_recv(pvm_parent(), ORDER);
        pvm_upkint(order, 2, 1);
        result = obey(order[0], order[1]);
        pvm_initsend(PvmDataDefault);
        pvm_pkint(&result, 1, 1);
        pvm_send(pvm_parent(), DONE);
    } while (order[0] != END);
    return pvm_exit();
}

static void order(int tid, enum order what, int n)
{
    int order[] = {what, n};

    pvm_initsend(PvmDataDefault);
    pvm_pkint(order, 2, 1);
    pvm_send(tid, ORDER);
}

static int result_of(int tid)
{
    int result = 77;

    pvm_recv(tid, DONE);
    pvm_upkint(&result, 1, 1);
    return result;
}

static int ask(int tid, enum order what, int n)
{
    order(tid, what, n);
    return result_of(tid);
}

/* Instance 1 of 3 leaves: without it nothing can be gathered or scattered. */
static void gap(const int *tids)
{
    int x = 1, all[3] = {0};

    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(pvm_gather(all, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(pvm_scatter(&x, all, 1, PVM_INT, OPERATION, group, 0));
    order(tids[1], REDUCE, 5);
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(x);
    SHOW(result_of(tids[1]));
    SHOW(ask(tids[1], LEAVE, 0));
    SHOW(pvm_lvgroup(group));
}

/* One of two members freezes the group: it has both, and a third task cannot join. */
static void half_frozen(const int *tids)
{
    int x = 1;

    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    SHOW(pvm_freezegroup(group, 1));
    SHOW(ask(tids[0], FREEZE, 1));
    SHOW(pvm_gsize(group));
    SHOW(pvm_gettid(group, 1) == tids[0]);
    SHOW(pvm_getinst(group, tids[0]));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(pvm_getinst(group, tids[1]));
    SHOW(pvm_joingroup(group));
    order(tids[0], REDUCE, 5);
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(x);
    SHOW(result_of(tids[0]));
    order(tids[0], BARRIER, 2);
    SHOW(pvm_barrier(group, 2));
    SHOW(result_of(tids[0]));
    SHOW(pvm_lvgroup(group));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], LEAVE, 0));
}

static void frozen(const int *tids)
{
    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    order(tids[0], FREEZE, -1);
    SHOW(pvm_freezegroup(group, -1));
    SHOW(result_of(tids[0]));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], FREEZE, 2));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(ask(tids[0], JOIN, 0)); /* it is still frozen for the other member */
    SHOW(pvm_barrier(group, 2));
    SHOW(pvm_lvgroup(group));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], LEAVE, 0));
}

/* Two of three members freeze the group, and the third one leaves. */
static void partly_frozen(const int *tids)
{
    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    SHOW(ask(tids[1], JOIN, 0));
    order(tids[0], FREEZE, 2);
    SHOW(pvm_freezegroup(group, 2));
    SHOW(result_of(tids[0]));
    SHOW(ask(tids[1], FREEZE, 2));
    for (int count = 3; count >= -1; count -= 4) { /* of all members */
        order(tids[0], BARRIER, count);
        order(tids[1], BARRIER, count);
        SHOW(pvm_barrier(group, count));
        SHOW(result_of(tids[0]));
        SHOW(result_of(tids[1]));
    }
    order(tids[1], BARRIER, 2);
    SHOW(pvm_barrier(group, 2));
    SHOW(result_of(tids[1]));
    SHOW(ask(tids[1], LEAVE, 0));
    SHOW(pvm_barrier(group, 2));
    SHOW(pvm_barrier(group, -1));
    SHOW(ask(tids[0], BARRIER, 3));
    SHOW(ask(tids[1], BARRIER, 1)); /* it is no member any more */
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], FREEZE, 2)); /* by a member, PVM's group server crashes */
    SHOW(pvm_gsize(group));
    SHOW(pvm_lvgroup(group));
    SHOW(ask(tids[1], JOIN, 0)); /* one member is left */
    SHOW(ask(tids[0], BARRIER, 1));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], LEAVE, 0));
}

void groups_of_tasks(void)
{
    char *argv[] = {(char *)"obedient", NULL};
    int tids[2];

    group[0] = 'S'; /* another group */
    SHOW(pvm_spawn(program, argv, PvmTaskDefault, NULL, 2, tids));
    gap(tids);
    half_frozen(tids);
    frozen(tids);
    partly_frozen(tids);
    SHOW(ask(tids[0], END, 0));
    SHOW(ask(tids[1], END, 0));
}
