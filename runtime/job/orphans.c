/* orphans.c - drops messages that no receive will ever take (orphans.h).
 *
 * A message is an orphan if its context belongs to operations and no operation here will receive
 * it.  Two sources know that: the ring of freed groups here, and the room above about operations
 * that have ended.
 */
#include "job/orphans.h"

#include "job/task.h"

#include <stdlib.h>
#include <string.h>

/* Of the contexts of a group, the first is for the program's messages and the last for argument
 * checks.  O(groups). */
bool orphans_is_operations(const struct task *t, hn_context context)
{
    list_for_each (n, &t->groups) {
        const struct hn_group *group = list_entry(n, struct hn_group, node);
        if (context > group->context && context < match_argument_checks(group->context))
            return true;
    }
    return false;
}

/* ---- groups that have been freed ---------------------------------------------------------- */

/* HNOW_ASK=0: a job that hangs must not change, so that it can be examined. */
bool orphans_are_wanted(void)
{
    const char *text = getenv("HNOW_ASK");

    return !text || strcmp(text, "0") != 0;
}

/* The world (context 0) is never freed.  The ring overwrites its oldest entry. */
void orphans_forget_group(struct task *t, hn_context context)
{
    if (context != 0 && orphans_are_wanted())
        t->argument_checks.freed[t->argument_checks.freed_count++ % ARGUMENT_CHECK_FREED] = context;
}

/* Whether this was a context of a freed group's operations. */
bool orphans_is_freed(const struct task *t, hn_context context)
{
    hn_context group = context - context % CONTROL_STEP;

    for (unsigned i = 0; i < ARGUMENT_CHECK_FREED && i < t->argument_checks.freed_count; i++)
        if (t->argument_checks.freed[i] == group)
            return !orphans_is_operations(t, context);
    return false;
}

bool orphans_group_is_freed(const struct task *t, hn_context context)
{
    return orphans_is_freed(t, context + 1); /* the first context of its operations */
}

/* ---- orphaned messages ---------------------------------------------------------------------- */

/* Messages of the program itself, in the first context, are never orphans. */
static bool is_for_nobody(const struct task *t, const struct inbound *in)
{
    return in->context % CONTROL_STEP != 0 &&
           (orphans_is_freed(t, in->context) ||
            t->argument_checks.argument_checker->is_for_nobody(t->argument_checks.data, in->context,
                                                               in->info.tag));
}

/* Checks that each message may cost which has arrived since the last sweep. */
enum { LOOKS = 8 };

/* Also sets when the next sweep is worthwhile, so that a full inbox of wanted messages is not
 * searched for each new one. */
void orphans_sweep(struct task *t)
{
    uint64_t left = 0;

    list_for_each_safe (n, &t->match.unexpected) {
        struct inbound *in = list_entry(n, struct inbound, node);
        if (is_for_nobody(t, in))
            match_drop_unexpected(&t->match, in);
        else
            left++;
    }
    t->argument_checks.next_sweep = t->match.kept + left / LOOKS + 1;
}

/* `last`: a message that a call has waited for may be an orphan now, so the search is made in any
 * case. */
void orphans_make_room(struct task *t, bool last)
{
    if (t->argument_checks.argument_checker &&
        (last || t->match.kept >= t->argument_checks.next_sweep))
        orphans_sweep(t);
}
