/* hplan_replan.c - hplan -replan: the network has changed since a plan was made.
 *
 * Hosts are known by their names. Three plans are made for the network of today: from the old one
 * (replan.h), the old one kept as it is, where the hosts are the same, and one from scratch, by the
 * same planner; and the ways (from a host to another) that only one of the old and the new plan
 * uses are listed.
 */
#include "hplan.h"

#include "auto.h"
#include "replan.h"
#include "replans.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAYS_MOST = 24 }; /* printed for people */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* -1: nobody who takes part is. */
static int rank_called(const struct task *task, const char *name)
{
    int host = hn_net_host_index(task->net, name);
    return host < 0 ? -1 : task->rank[host];
}

/* Where the old hosts are now, -1: nowhere. Returns whether all are where they were, and nobody
 * else. */
static bool find_hosts(const struct change *change, int *where)
{
    const struct task *old = change->before->task, *now = change->after->task;
    bool same = old->req.ranks == now->req.ranks && old->req.root == now->req.root;
    for (int i = 0; i < old->req.ranks; i++) {
        where[i] = rank_called(now, old->names[i]);
        same = same && where[i] == i;
    }
    return same;
}

static struct outcome *next(struct answer *answer, const char *role)
{
    struct outcome *o = &answer->outcomes[answer->count++];
    o->role = role;
    return o;
}

static int add_repaired(const struct change *change, const struct old_plan *old)
{
    struct outcome *o = next(change->after, "repaired");
    double begin = now();
    const struct task *task = change->after->task;
    int error = replan(old, &task->req, &task->model, &o->choice, &o->plan, &o->timing);
    o->planning_time = now() - begin;
    return error;
}

static int add_kept(const struct change *change, const struct old_plan *old)
{
    struct plan *kept;
    int error = old->now ? HN_EPLAN : replan_keep(old->plan, &change->after->task->req, &kept);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    struct outcome *o = next(change->after, "old, kept");
    o->choice = old->choice;
    o->plan = kept;
    return HN_OK;
}

/* By the planner that was asked for; `auto` if none was. */
static int add_fresh(const struct change *change, bool by_name)
{
    struct outcome *o = next(change->after, "from scratch");
    o->choice = change->before->outcomes[0].choice;
    double begin = now();
    const struct task *task = change->after->task;
    int error =
        by_name ? choice_plan(&o->choice, &task->req, &task->model, &o->plan)
                : planner_best(&task->req, &task->model, NULL, &o->choice, &o->plan, &o->timing);
    o->planning_time = now() - begin;
    return error;
}

int replan_answer(const struct change *change, bool by_name)
{
    const struct outcome *before = change->before->outcomes;
    int *where = malloc((size_t)change->before->task->req.ranks * sizeof *where);
    if (!where)
        return HN_ENOMEM;
    struct old_plan old = {before->choice, before->plan, where};
    if (find_hosts(change, where))
        old.now = NULL;
    int error = add_repaired(change, &old);
    if (!error)
        error = add_kept(change, &old);
    if (!error)
        error = add_fresh(change, by_name);
    free(where);
    return error;
}

/* ---- the difference ----------------------------------------------------------------------------
 */

/* One of the two plans. */
struct side {
    const struct task *task;
    const struct plan *plan;
};

static struct side old_side(const struct change *change)
{
    return (struct side){change->before->task, change->before->outcomes[0].plan};
}

static struct side new_side(const struct change *change)
{
    return (struct side){change->after->task, change->after->outcomes[0].plan};
}

/* Marks, among the hosts of one side, those to whom the other side sends from a host. */
static void mark_known(struct side of, struct side other, int rank, int *mark)
{
    int from = rank_called(other.task, of.task->names[rank]);
    if (from < 0)
        return;
    for (int32_t i = other.plan->first[from]; i < other.plan->first[from + 1]; i++) {
        const struct plan_step *step = &other.plan->steps[i];
        int to = rank_called(of.task, other.task->names[step->peer]);
        if (step->kind == PLAN_SEND && to >= 0)
            mark[to] = rank + 1;
    }
}

/* Calls `show` for each way of one plan that the other does not use, and returns how many there
 * are. O(steps of both). */
static int for_others(struct side of, struct side other,
                      void (*show)(const char *from, const char *to, int count, FILE *file),
                      FILE *file)
{
    int count = 0, *mark = calloc((size_t)of.plan->ranks, sizeof *mark);
    for (int rank = 0; mark && rank < of.plan->ranks; rank++) {
        mark_known(of, other, rank, mark);
        for (int32_t i = of.plan->first[rank]; i < of.plan->first[rank + 1]; i++) {
            int peer = of.plan->steps[i].peer;
            if (of.plan->steps[i].kind != PLAN_SEND || mark[peer] == rank + 1)
                continue;
            mark[peer] = rank + 1;
            show(of.task->names[rank], of.task->names[peer], count++, file);
        }
    }
    free(mark);
    return count;
}

static void show_less(const char *from, const char *to, int count, FILE *file)
{
    if (count < WAYS_MOST)
        fprintf(file, "  - %s to %s\n", from, to);
}

static void show_more(const char *from, const char *to, int count, FILE *file)
{
    if (count < WAYS_MOST)
        fprintf(file, "  + %s to %s\n", from, to);
}

static void show_json(const char *from, const char *to, int count, FILE *file)
{
    fputs(count ? ",[" : "[", file);
    print_string(from, file);
    fputc(',', file);
    print_string(to, file);
    fputc(']', file);
}

void print_change(const struct change *change, FILE *file)
{
    const struct answer *after = change->after;
    const struct outcome *again = &after->outcomes[0], *fresh = &after->outcomes[after->count - 1];
    fputs("before: ", file);
    print_answer(change->before, file);
    fputs("\nnow: ", file);
    print_answer(after, file);
    fprintf(file,
            "\nrepaired: %.3f times the makespan of the plan from scratch, in 1/%.0f of its time\n",
            fresh->timing.makespan > 0
                ? (double)again->timing.makespan / (double)fresh->timing.makespan
                : 1,
            fresh->planning_time / again->planning_time);
    fputs("ways that only the old (-) or the repaired plan (+) uses:\n", file);
    int less = for_others(old_side(change), new_side(change), show_less, file);
    int more = for_others(new_side(change), old_side(change), show_more, file);
    int hidden =
        (less > WAYS_MOST ? less - WAYS_MOST : 0) + (more > WAYS_MOST ? more - WAYS_MOST : 0);
    if (hidden > 0)
        fprintf(file, "  and %d more\n", hidden);
    if (less + more == 0)
        fputs("  none\n", file);
}

void print_change_json(const struct change *change, FILE *file)
{
    fputs("{\"before\":", file);
    print_answer_json(change->before, file);
    fputs(",\"now\":", file);
    print_answer_json(change->after, file);
    fputs(",\"less\":[", file);
    for_others(old_side(change), new_side(change), show_json, file);
    fputs("],\"more\":[", file);
    for_others(new_side(change), old_side(change), show_json, file);
    fputs("]}\n", file);
}
