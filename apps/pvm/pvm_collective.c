/* pvm_collective.c - pvm_reduce(), pvm_gather(), pvm_scatter() among the members of a group.
 *
 * If a group is frozen and spread over several hosts, pvm_reduce() is a planned operation of hnow.
 * Otherwise each member exchanges a message with the root, as in PVM, so that only the root waits.
 * On one host, where tasks share the cores, that is faster than a tree, in which each step wakes
 * another task.  In the other two operations all data pass the root's link, whatever the plan.  If
 * the group is not frozen, hrun provides the list of members.
 *
 * These messages have a context for each group.  A frozen group has that of hnow's group.  For
 * other groups the first member that needs a context publishes it in the job's name service, where
 * it stays.
 *
 * Errors of arguments are found by each member on its own, before it sends anything. A member
 * that fails leaves the others waiting, as in PVM. After the death of a member the root's
 * receive from it fails.
 */
#include "vm.h"
#include "hnow_coll.h"

#include <stdlib.h>
#include <string.h>

/* Arguments of an operation; data of the members by instance. */
struct operation {
    struct vm_members members;
    int datatype, count, tag;
    hn_type type;
    hn_tid root;
    hn_context before; /* of the program */
};

/* The signature of PVM: everything by address, as in Fortran. x is overwritten by the result; info
 * < 0 is an error. */
typedef void reduction(int *type, void *x, void *y, int *count, int *info);

/* ---- the context of a group --------------------------------------------------------------- */

/* Contexts of groups that are not frozen, once they are known to this task. */
struct known {
    char *name;
    hn_context context;
    struct known *next;
};

/* Newest first. */
static struct known *contexts;

/* Publishes a new context under the name, or gets the one that another task has published. The
 * entry belongs to its publisher. HN_ESTATE: another task was faster. */
static int agree(const char *name, hn_context *context)
{
    /* Usually the entry exists, and this is one round trip to hrun. */
    hn_buffer *buffer = hn_buffer_new();
    int result = buffer ? hn_name_get(name, 0, 0, 0, buffer, NULL) : HN_ENOMEM;

    /* No member has published one yet. */
    if (result == HN_ENAME) {
        result = hn_context_new(context);
        if (result == HN_OK)
            result = hn_pack(buffer, context, 1, HN_UINT32, 1);
        if (result == HN_OK)
            result = hn_name_put(name, 0, HN_NAME_STAYS, buffer);
        /* The own context is then never used. Its number is lost, but there are many. */
        if (result == HN_ESTATE)
            result = hn_name_get(name, 0, 0, 0, buffer, NULL);
    }
    if (result >= HN_OK)
        result = hn_unpack(buffer, context, 1, HN_UINT32, 1);
    hn_buffer_free(buffer);
    return vm_result(result);
}

/* A group name of maximum length leaves no room for the prefix, so its end is cut off. The list
 * lasts as long as the process. If memory is short, the next call asks again. */
static int context_of(const char *group, hn_context *context)
{
    char name[256];
    struct known *k = contexts;
    int result;

    /* A program has few groups, so the list is searched in sequence. */
    while (k && strcmp(k->name, group))
        k = k->next;
    if (k) {
        *context = k->context;
        return PvmOk;
    }
    /* The text is a hidden name, which pvm_getmboxinfo() does not list. */
    snprintf(name, sizeof name, VM_HIDDEN "context %s", group);
    result = agree(name, context);
    k = result == PvmOk ? malloc(sizeof *k) : NULL;
    if (!k)
        return result;
    *k = (struct known){.name = strdup(group), .context = *context, .next = contexts};
    /* Without memory for the name, the entry is not kept. */
    if (k->name)
        contexts = k;
    else
        free(k);
    return PvmOk;
}

/* ---- start -------------------------------------------------------------------------------- */

/* A single member sends nothing, so PVM does not check the tag. PvmNotInGroup: the caller is no
 * member. PvmNoInst: the root's instance has no member. */
static int check(const struct operation *op, int root)
{
    const struct vm_members *m = &op->members;
    int others = 0, member = 0;

    for (int i = 0; i < m->n; i++) {
        member += m->tids[i] == hn_mytid();
        others += m->tids[i] > 0 && m->tids[i] != hn_mytid();
    }
    if (op->count < 1 || op->type < 0 || (op->tag < 0 && (others > 0 || member == 0)))
        return PvmBadParam;
    if (member == 0)
        return PvmNotInGroup;
    return root >= 0 && root < m->n && m->tids[root] > 0 ? PvmOk : PvmNoInst;
}

/* After a successful begin(), the caller is in the group's context until end(). All members must be
 * in the same context, whatever their program's is. */
static int begin(struct operation *op, const char *group, int root)
{
    hn_context context;
    int result = vm_members(group, &op->members);

    /* -1 for an unknown datatype, which check() refuses. */
    op->type = vm_type(op->datatype);
    if (result == PvmOk)
        result = check(op, root);
    /* Not used if the group is not frozen. */
    context = hn_group_context(op->members.group);
    if (result == PvmOk && !op->members.group)
        result = context_of(group, &context);
    if (result != PvmOk) {
        vm_members_free(&op->members);
        return result;
    }
    /* The root is an instance for PVM, and a tid for hnow. */
    op->root = op->members.tids[root];
    op->before = hn_set_context(context);
    return PvmOk;
}

/* Also after a failure. */
static int end(struct operation *op, int result)
{
    hn_set_context(op->before);
    vm_members_free(&op->members);
    return result;
}

static bool is_root(const struct operation *op)
{
    return op->root == hn_mytid();
}

/* ---- by messages -------------------------------------------------------------------------- */

/* Elements have their type, so the root may have another format. */
static int send_to(const struct operation *op, hn_tid to, const void *data)
{
    return vm_result(hn_send(to, op->tag, data, (size_t)op->count, op->type));
}

/* The element type must be that of the sender. The lock is released while the call waits. */
static int receive_from(const struct operation *op, hn_tid from, void *data)
{
    int result;

    VM_WAIT(result = hn_recv(from, op->tag, data, (size_t)op->count, op->type, NULL));
    return vm_result(result);
}

/* Returns the part of instance i in the root's data. */
static void *part(const struct operation *op, void *data, int i)
{
    return (char *)data + (size_t)i * (size_t)op->count * hn_type_size(op->type);
}

/* Nothing is copied if the root's part is in place. */
static void copy(const struct operation *op, void *to, const void *from)
{
    if (to != from && op->count > 0)
        memcpy(to, from, (size_t)op->count * hn_type_size(op->type));
}

/* As in PVM, the instances must have no gap. */
static bool has_gap(const struct vm_members *members)
{
    bool gap = false;

    for (int i = 0; i < members->n; i++)
        gap |= members->tids[i] <= 0;
    return gap;
}

/* Receives or sends the parts of all members, in the order of instances. */
static int gather_parts(const struct operation *op, void *result, const void *data)
{
    int outcome = has_gap(&op->members) ? PvmNoInst : PvmOk;

    for (int i = 0; i < op->members.n && outcome == PvmOk; i++) {
        /* In this order, however they arrive: messages of later members wait in memory. */
        hn_tid tid = op->members.tids[i];
        if (tid == op->root)
            copy(op, part(op, result, i), data);
        else
            outcome = receive_from(op, tid, part(op, result, i));
    }
    return outcome;
}

/* The root does not wait for the receivers. */
static int scatter_parts(const struct operation *op, void *result, void *data)
{
    int outcome = has_gap(&op->members) ? PvmNoInst : PvmOk;

    for (int i = 0; i < op->members.n && outcome == PvmOk; i++) {
        hn_tid tid = op->members.tids[i];
        if (tid == op->root)
            copy(op, result, part(op, data, i));
        else
            outcome = send_to(op, tid, part(op, data, i));
    }
    return outcome;
}

/* Reduces the members' data in sequence. Stops at the first error, also one of the program's
 * function. */
static int reduce_parts(const struct operation *op, reduction *function, void *data)
{
    /* Data of one member at a time, so one block is enough for any size of the group. */
    void *other = malloc((size_t)op->count * hn_type_size(op->type));
    int outcome = other ? PvmOk : PvmNoMem;

    for (int i = 0; i < op->members.n && outcome == PvmOk; i++) {
        hn_tid tid = op->members.tids[i];
        int datatype = op->datatype, count = op->count;
        /* Gaps among the instances are allowed here, unlike in the other two operations. */
        if (tid <= 0 || tid == op->root)
            continue;
        outcome = receive_from(op, tid, other);
        if (outcome == PvmOk)
            function(&datatype, data, other, &count, &outcome);
    }
    free(other);
    return outcome;
}

/* ---- planned operations ------------------------------------------------------------------- */

/* A reduction function of PVM as an operator of hnow. info is the last error that the function
 * reported. */
struct wrapped {
    reduction *function;
    int datatype, info;
};

/* The function overwrites its first operand; the order of operands does not matter. */
static void apply(const void *left, const void *right, void *result, size_t count, hn_type type,
                  void *data)
{
    struct wrapped *w = data;
    int datatype = w->datatype, n = (int)count, info = PvmOk;

    (void)type;
    w->function(&datatype, result, (void *)(result == left ? right : left), &n, &info);
    if (info < 0)
        w->info = info;
}

/* The result of a user-defined function may depend on the elements' positions, so it gets all of
 * them at once. */
static int reduce_planned(const struct operation *op, reduction *function, void *data)
{
    struct wrapped wrapped = {.function = function, .datatype = op->datatype};
    /* These work element by element, so hnow may divide the data. */
    bool single =
        function == PvmMax || function == PvmMin || function == PvmSum || function == PvmProduct;
    hn_op operator;
    int result = hn_op_new(apply, &wrapped, single ? 1 : (size_t)op->count, 1, &operator);

    if (result != HN_OK)
        return vm_result(result);
    /* The root's data is its part and its result. */
    const void *from = is_root(op) ? HN_IN_PLACE : data;
    const hn_group *group = op->members.group;
    /* The program's function may run in here, and call the library. */
    VM_WAIT(result = hn_reduce(from, data, (size_t)op->count, op->type, operator,
                               hn_group_rank(group, op->root), group));
    hn_op_free(operator);
    return result == HN_OK ? wrapped.info : vm_result(result);
}

/* hnow's operators see a 4-byte long as an 8-byte one, which such a function would not expect. */
static bool can_be_planned(const struct operation *op)
{
    return op->members.spread && op->datatype != PVM_LONG && op->datatype != PVM_ULONG;
}

/* ---- the operations ----------------------------------------------------------------------- */

/* Other members need not wait for the root, unless the operation is planned. */
static int reduce(struct operation *op, reduction *function, void *data)
{
    if (can_be_planned(op))
        return reduce_planned(op, function, data);
    return is_root(op) ? reduce_parts(op, function, data) : send_to(op, op->root, data);
}

/* On members that are not the root, result may be NULL. */
static int gather(struct operation *op, void *result, void *data)
{
    if (!data || (is_root(op) && !result))
        return PvmBadParam;
    return is_root(op) ? gather_parts(op, result, data) : send_to(op, op->root, data);
}

/* The root's own part is copied. */
static int scatter(struct operation *op, void *result, void *data)
{
    if (!result || (is_root(op) && !data))
        return PvmBadParam;
    return is_root(op) ? scatter_parts(op, result, data) : receive_from(op, op->root, result);
}

/* For the operations that move data only. The caller is back in its own context afterwards. */
static int run(int (*what)(struct operation *op, void *result, void *data), void *result,
               void *data, struct operation *op, const char *group, int root)
{
    int outcome = begin(op, group, root);

    return outcome == PvmOk ? end(op, what(op, result, data)) : outcome;
}

/* A missing function or missing data is refused before the group is looked up. */
static int run_reduce(reduction *function, void *data, struct operation *op, const char *group,
                      int root)
{
    int outcome = function && data ? begin(op, group, root) : PvmBadParam;

    return outcome == PvmOk ? end(op, reduce(op, function, data)) : outcome;
}

/* All members call it with the same function, count, type, tag, group and root. */
int pvm_reduce(reduction *function, void *data, int count, int type, int tag, char *group, int root)
{
    struct operation op = {.datatype = type, .count = count, .tag = tag};

    return VM_CALL(run_reduce(function, data, &op, group, root));
}

/* The root gets count elements for each member. root is an instance. */
int pvm_gather(void *result, void *data, int count, int type, int tag, char *group, int root)
{
    struct operation op = {.datatype = type, .count = count, .tag = tag};

    return VM_CALL(run(gather, result, data, &op, group, root));
}

/* Each member gets count elements, the first part for the lowest instance. */
int pvm_scatter(void *result, void *data, int count, int type, int tag, char *group, int root)
{
    struct operation op = {.datatype = type, .count = count, .tag = tag};

    return VM_CALL(run(scatter, result, data, &op, group, root));
}
