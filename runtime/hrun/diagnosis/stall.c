/* stall.c - describes where a job hangs; see stall.h.
 *
 * A line of the report describes all waits that are alike.  So a job of a thousand tasks that wait
 * for the same one gives few lines.  If there are more than STALL_LINES different ones, waits are
 * alike even with other peers and steps.  The order of lines is that of the lowest name in each.
 *
 * The list of waits is small (tasks times threads), so quadratic comparisons are accepted.
 */
#include "hrun/diagnosis/stall.h"

#include "hnow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------ */

/* A text longer than 200 bytes is cut. A lack of memory is kept in the line. */
__attribute__((format(printf, 2, 3))) static void stall_add(struct pack *line, const char *format,
                                                            ...)
{
    char text[200];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0)
        pack_raw(line, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Ascending. */
static int stall_order(const void *left, const void *right)
{
    stall_name a = *(const stall_name *)left, b = *(const stall_name *)right;
    return (a > b) - (a < b);
}

/* Sorts names and removes duplicates; returns their number. */
static size_t stall_sort(stall_name *names, size_t n)
{
    size_t kept = 0;
    qsort(names, n, sizeof *names, stall_order);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || names[i] != names[kept - 1])
            names[kept++] = names[i];
    return kept;
}

/* Appends "rank 7", "ranks 0-3,5"; "task 262148", "tasks 1,2"; both joined by " and ".
 * STALL_ANYONE and STALL_NOBODY are negative, so they are first after sorting.  Names from
 * STALL_TID on are tids of spawned tasks. names is changed. */
static void stall_add_names(struct pack *line, stall_name *names, size_t n)
{
    size_t ranks = 0, end;
    n = stall_sort(names, n);
    if (n == 0 || names[0] < 0) {
        stall_add(line, n > 0 && names[0] == STALL_ANYONE ? "any task" : "nobody");
        return;
    }
    while (ranks < n && names[ranks] < STALL_TID)
        ranks++;
    if (ranks > 0)
        stall_add(line, ranks == 1 ? "rank" : "ranks");
    /* Three or more ranks in a row become a range. */
    for (size_t i = 0; i < ranks; i = end) {
        for (end = i + 1; end < ranks && names[end] == names[end - 1] + 1; end++)
            ;
        stall_add(line, "%c%" PRId64, i == 0 ? ' ' : ',', names[i]);
        if (end - i > 1)
            stall_add(line, "%c%" PRId64, end - i > 2 ? '-' : ',', names[end - 1]);
    }
    if (ranks < n)
        stall_add(line, "%s%s", ranks > 0 ? " and " : "", n - ranks == 1 ? "task" : "tasks");
    for (size_t i = ranks; i < n; i++)
        stall_add(line, "%c%" PRId64, i == ranks ? ' ' : ',', names[i] - STALL_TID);
}

/* Tags within a collective operation are internal and are not printed. */
static void stall_add_tag(struct pack *line, const struct stall_wait *wait)
{
    if (wait->operation[0])
        return;
    if (wait->tag == UINT32_MAX)
        stall_add(line, ", any tag");
    else
        stall_add(line, ", tag %" PRIu32, wait->tag);
    if (wait->context)
        stall_add(line, " in context 0x%" PRIx32, wait->context);
}

/* Describes a wait, up to the name of the peer; NULL: it has none. The kinds are those of
 * CONTROL_WAIT_... */
static const char *stall_verb(unsigned kind)
{
    switch (kind) {
    case CONTROL_WAIT_RECV:
        return "receive from ";
    case CONTROL_WAIT_PROBE:
        return "look for a message from ";
    case CONTROL_WAIT_SEND:
        return "send to ";
    case CONTROL_WAIT_SENT:
        return "wait until a message has reached ";
    default:
        return NULL;
    }
}

/* Waits without a peer, and states that are no waits. */
static const char *stall_text(unsigned kind)
{
    switch (kind) {
    case CONTROL_WAIT_EXIT:
        return "hn_exit(): wait until all messages have arrived";
    case CONTROL_WAIT_HRUN:
        return "wait for hrun's answer, or for what was asked of it";
    case STALL_COMPUTES:
        return "computes (not inside hnow)";
    case STALL_STRANGER:
        return "runs, has not enrolled";
    case STALL_LEFT:
        return "has called hn_exit(), still runs";
    case STALL_SILENT:
        return "does not answer: stopped, or its host hangs";
    default:
        return "waits";
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

/* NULL and "" are equal. */
static bool stall_asks_the_same(const struct stall_wait *a, const struct stall_wait *b)
{
    return strcmp(a->question ? a->question : "", b->question ? b->question : "") == 0;
}

/* loosely: whatever their step and peer. All else must be equal, also the tag. */
static bool stall_alike(const struct stall_wait *a, const struct stall_wait *b, bool loosely)
{
    bool same = a->kind == b->kind && strcmp(a->operation, b->operation) == 0 &&
                stall_asks_the_same(a, b) && a->context == b->context && a->tag == b->tag &&
                a->number == b->number;
    return same && (loosely || (a->peer == b->peer && a->step == b->step));
}

/* The lines that the report would have.  O(n^2), for a report that a user has requested. It decides
 * whether the precise report is short enough. */
static size_t stall_count(struct stall_wait *waits, size_t n, bool loosely)
{
    size_t lines = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && !stall_alike(&waits[i], &waits[k], loosely))
            k++;
        lines += k == i;
    }
    return lines;
}

/* The subject of one line: the waits from `first` on that are alike. who and peer have room for all
 * waits. */
struct stall_group {
    stall_name *who, *peer;
    size_t n;
    uint32_t least, most;           /* milliseconds */
    uint32_t first_step, last_step; /* of all of them */
};

/* Marks what it collects, so that each wait appears in one line.  Waits before `first` are already
 * in a line of their own kind. The order of who is that of the list, by name. */
static void stall_collect(struct stall_wait *waits, size_t n, size_t first, bool loosely,
                          struct stall_group *group)
{
    group->n = 0;
    group->least = group->first_step = UINT32_MAX;
    group->most = group->last_step = 0;
    for (size_t i = first; i < n; i++) {
        struct stall_wait *w = &waits[i];
        if (w->said || !stall_alike(&waits[first], w, loosely))
            continue;
        w->said = true;
        group->who[group->n] = w->who;
        group->peer[group->n++] = w->peer;
        group->least = w->milliseconds < group->least ? w->milliseconds : group->least;
        group->most = w->milliseconds > group->most ? w->milliseconds : group->most;
        group->first_step = w->step < group->first_step ? w->step : group->first_step;
        group->last_step = w->step > group->last_step ? w->step : group->last_step;
    }
}

/* Whole seconds; the shortest and the longest wait of the line. Milliseconds are cut, not rounded.
 */
static void stall_add_time(struct pack *line, const struct stall_group *group)
{
    uint32_t least = group->least / 1000, most = group->most / 1000;
    if (most == 0)
        stall_add(line, ", for less than 1 s");
    else if (least == most)
        stall_add(line, ", for %" PRIu32 " s", most);
    else
        stall_add(line, ", for %" PRIu32 "-%" PRIu32 " s", least, most);
}

/* The order: who, the operation and its step, what for, from whom, for how long.  Numbers are
 * printed from 1, as users count operations and steps. wait: the first of the group. */
static void stall_line(struct pack *line, const struct stall_wait *wait, struct stall_group *group)
{
    const char *verb = stall_verb(wait->kind);
    line->length = 0;
    stall_add_names(line, group->who, group->n);
    stall_add(line, ": ");
    /* A wait inside a collective operation: which one, and how far it is. */
    if (wait->operation[0]) {
        stall_add(line, "in %s (number %" PRIu32 " of its group), step", wait->operation,
                  wait->number + 1);
        stall_add(line, group->first_step == group->last_step ? " " : "s %" PRIu32 "-",
                  group->first_step + 1);
        stall_add(line, "%" PRIu32 ": ", group->last_step + 1);
    }
    if (wait->question && wait->question[0])
        pack_raw(line, wait->question, strlen(wait->question));
    else
        stall_add(line, "%s", verb ? verb : stall_text(wait->kind));
    if (verb) {
        stall_add_names(line, group->peer, group->n);
        stall_add_tag(line, wait);
    }
    if (wait->kind < STALL_COMPUTES)
        stall_add_time(line, group);
}

/* ---- operations that do not match ------------------------------------------------------- */

/* Compares places in the sequence of operations.  The highest bit of a tag marks persistent
 * operations, which have their own count (coll/wire/open_table.c). Only waits inside a collective
 * operation have a place. */
static bool stall_same_place(const struct stall_wait *a, const struct stall_wait *b)
{
    return a->operation[0] && b->operation[0] && a->context == b->context &&
           a->number == b->number && a->tag >> 30 == b->tag >> 30;
}

/* Appends the ranks that are in another operation than `first`, although both are the n-th of their
 * group: "bcast: rank 3". The waits are marked, so that each occurs once. */
static void stall_add_operation(struct pack *line, struct stall_wait *waits, size_t n, size_t first,
                                stall_name *names)
{
    size_t count = 0;
    for (size_t i = first; i < n; i++)
        if (!waits[i].said && stall_same_place(&waits[first], &waits[i]) &&
            strcmp(waits[first].operation, waits[i].operation) == 0) {
            waits[i].said = true;
            names[count++] = waits[i].who;
        }
    stall_add(line, " %s in ", waits[first].operation);
    stall_add_names(line, names, count);
}

/* first is compared with all behind it. */
static bool stall_is_mismatch(const struct stall_wait *waits, size_t n, size_t first)
{
    for (size_t i = first; i < n; i++)
        if (!waits[i].said && stall_same_place(&waits[first], &waits[i]) &&
            strcmp(waits[first].operation, waits[i].operation) != 0)
            return true;
    return false;
}

/* A copy of the first wait is compared, as its mark changes meanwhile. One line for the place, with
 * a part for each operation. */
static void stall_mismatch(struct pack *line, struct stall_wait *waits, size_t n, size_t first,
                           stall_name *names)
{
    struct stall_wait place = waits[first];
    line->length = 0;
    stall_add(line, "mismatch: operation number %" PRIu32 " of one group is", place.number + 1);
    for (size_t i = first; i < n; i++)
        if (!waits[i].said && stall_same_place(&place, &waits[i])) {
            if (i > first)
                stall_add(line, ",");
            stall_add_operation(line, waits, n, i, names);
        }
}

/* ---- the report ------------------------------------------------------------------------- */

/* By name; waits of one task stay in any order. */
static int stall_by_name(const void *left, const void *right)
{
    return stall_order(&((const struct stall_wait *)left)->who,
                       &((const struct stall_wait *)right)->who);
}

/* Marks everything as not printed. */
static void stall_unsay(struct stall_wait *waits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        waits[i].said = false;
}

/* Without memory the line is not printed, and the report fails at the end. The line is reused, and
 * keeps its memory. */
static void stall_say(struct pack *line, void (*say)(void *user, const char *line), void *user)
{
    pack_u8(line, 0);
    if (!line->failed)
        say(user, (const char *)line->data);
}

/* Two passes over the same list: first what each task waits for, then operations that do not match.
 * The caller's list is sorted, and its marks are changed. The second pass reports each place of the
 * sequence once. */
int stall_report(struct stall_wait *waits, size_t n, void (*say)(void *user, const char *line),
                 void *user)
{
    struct pack line = {0};
    struct stall_group group = {.who = calloc(n + 1, sizeof *group.who),
                                .peer = calloc(n + 1, sizeof *group.peer)};
    bool done = group.who && group.peer;
    if (n > 0)
        qsort(waits, n, sizeof *waits, stall_by_name);
    stall_unsay(waits, n);
    /* A coarser report when a precise one would be too long. */
    bool loosely = stall_count(waits, n, false) > STALL_LINES;
    for (size_t i = 0; i < n && done; i++) {
        if (waits[i].said)
            continue;
        stall_collect(waits, n, i, loosely, &group);
        stall_line(&line, &waits[i], &group);
        stall_say(&line, say, user);
    }
    stall_unsay(waits, n);
    for (size_t i = 0; i < n && done; i++)
        if (!waits[i].said && stall_is_mismatch(waits, n, i)) {
            stall_mismatch(&line, waits, n, i, group.who);
            stall_say(&line, say, user);
        }
    done = done && !line.failed;
    pack_free(&line);
    free(group.who);
    free(group.peer);
    return done ? HN_OK : HN_ENOMEM;
}
