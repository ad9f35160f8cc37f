/* subset_table.c - the subsets that a task knows, by list and by context (subset_parts.h).
 *
 * A subset is in two hash tables, and in the list of use while it counts for the maximum number.
 * Several subsets with equal lists may exist at the same time; one that was replaced is not found
 * any more.
 */
#include "job/subset_parts.h"

#include "job/group.h"
#include "job/orphans.h"
#include "job/task.h"

#include <stdlib.h>
#include <string.h>

static struct list_node *bucket_of(struct task *t, hn_context whole, const hn_tid *tids, int n)
{
    uint32_t hash = 2166136261u ^ whole; /* FNV-1a */
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)tids[i]) * 16777619u;
    return &t->subsets.by_list[(hash ^ hash >> 16) % SUBSET_BUCKETS];
}

/* Contexts are multiples of CONTROL_STEP, so the quotient is a dense number. */
static struct list_node *bucket_of_context(struct task *t, hn_context context)
{
    return &t->subsets.by_context[context / CONTROL_STEP % SUBSET_BUCKETS];
}

static bool is_of(const struct subset *s, hn_context whole, const hn_tid *tids, int n)
{
    return s->whole == whole && s->size == n &&
           memcmp(s->tids, tids, (size_t)n * sizeof *tids) == 0;
}

/* Newer subsets are behind older ones in a bucket, so the first match is the oldest. */
struct subset *subset_find(struct task *t, hn_context whole, const hn_tid *tids, int n,
                           const struct subset *but)
{
    list_for_each (node, bucket_of(t, whole, tids, n)) {
        struct subset *s = list_entry(node, struct subset, by_list);
        if (s != but && !s->replaced && is_of(s, whole, tids, n))
            return s;
    }
    return NULL;
}

/* Contexts are unique in a job, so there is at most one. */
struct subset *subset_find_context(struct task *t, hn_context context)
{
    list_for_each (node, bucket_of_context(t, context)) {
        struct subset *s = list_entry(node, struct subset, by_context);
        if (s->context == context)
            return s;
    }
    return NULL;
}

/* The rank of a task in a list; -1: it is no member. */
int subset_place(const hn_tid *tids, int n, hn_tid tid)
{
    for (int i = 0; i < n; i++)
        if (tids[i] == tid)
            return i;
    return -1;
}

bool subset_is_root(const struct task *t, const struct subset *s)
{
    return s->tids[0] == t->tid;
}

/* ---- making and freeing ------------------------------------------------------------------- */

static void leave_used(struct task *t, struct subset *s)
{
    if (!list_empty(&s->used))
        t->subsets.count--;
    list_remove(&s->used);
}

/* Unreceived messages for its group belong to calls that have failed here. */
static void free_group(struct task *t, struct subset *s)
{
    if (!s->group)
        return;
    list_for_each_safe (n, &t->match.unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (in->context - s->context < CONTROL_STEP)
            match_drop_unexpected(&t->match, in);
    }
    group_clear(s->group);
    free(s->group);
}

static void free_subset(struct task *t, struct subset *s)
{
    leave_used(t, s);
    free_group(t, s);
    list_remove(&s->by_list);
    list_remove(&s->by_context);
    free(s->tids);
    free(s->informed);
    free(s);
}

/* The caller gets a subset that is in all tables.  The root, which is the first of the list, counts
 * as informed. */
struct subset *subset_new(struct task *t, hn_context whole, const hn_tid *tids, int n,
                          hn_context context)
{
    struct subset *s = calloc(1, sizeof *s);
    size_t size = (size_t)n * sizeof *tids;
    if (!s)
        return NULL;
    list_init(&s->by_list);
    list_init(&s->by_context);
    list_init(&s->used);
    s->whole = whole;
    s->context = context;
    s->size = n;
    s->tids = malloc(size);
    s->informed = calloc((size_t)n, sizeof *s->informed);
    if (!s->tids || !s->informed) {
        free_subset(t, s);
        return NULL;
    }
    memcpy(s->tids, tids, size);
    /* The root itself. */
    s->informed[0] = true;
    s->uninformed = n - 1;
    list_append(bucket_of(t, whole, tids, n), &s->by_list);
    list_append(bucket_of_context(t, context), &s->by_context);
    list_append(&t->subsets.used, &s->used);
    t->subsets.count++;
    return s;
}

/* Done: no call begins in it any more.  A member that is late keeps it until it has made all calls
 * that the others have made. */
void subset_free_if_done(struct task *t, struct subset *s)
{
    bool done = s->replaced || (s->over && s->begun >= s->last);
    if (s->over)
        leave_used(t, s);
    if (s->users == 0 && done)
        free_subset(t, s);
}

/* Moves it behind all others in the list of use, if it is on it. */
void subset_touch(struct task *t, struct subset *s)
{
    if (list_empty(&s->used))
        return;
    list_remove(&s->used);
    list_append(&t->subsets.used, &s->used);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Their contexts are remembered like those of freed groups, so that late messages for them are
 * dropped. */
void subset_forget(struct task *t, const struct hn_group *whole)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++)
        list_for_each_safe (n, &t->subsets.by_list[i]) {
            struct subset *s = list_entry(n, struct subset, by_list);
            if (s->whole != whole->context)
                continue;
            if (s->group)
                orphans_forget_group(t, s->context);
            free_subset(t, s);
        }
}

void subsets_init(struct subsets *subsets)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++) {
        list_init(&subsets->by_list[i]);
        list_init(&subsets->by_context[i]);
    }
    list_init(&subsets->used);
}

void subsets_clear(struct task *t)
{
    for (int i = 0; i < SUBSET_BUCKETS; i++)
        list_for_each_safe (n, &t->subsets.by_list[i])
            free_subset(t, list_entry(n, struct subset, by_list));
}
