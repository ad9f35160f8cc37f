/* request.c - allocates requests (interface: request.h).
 *
 * A program with a window of messages in flight allocates and frees a request for each.  So every
 * thread keeps up to KEPT freed requests for its next calls, without a lock or an atomic operation.
 */
#include "engine/request.h"

#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>

/* Requests; more than the usual windows of messages. */
enum { KEPT = 128 };

static _Thread_local struct {
    struct list_node *first; /* linked by node.next */
    unsigned n;
    bool cleared_at_exit;
} kept;
static pthread_key_t exit_key;
static pthread_once_t exit_key_made = PTHREAD_ONCE_INIT;

/* Runs at the end of a thread. */
static void clear(void *unused)
{
    (void)unused;
    while (kept.first) {
        struct list_node *next = kept.first->next;
        free(list_entry(kept.first, struct hn_request, node));
        kept.first = next;
    }
    kept.n = 0;
    kept.cleared_at_exit = false;
}

static void make_key(void)
{
    pthread_key_create(&exit_key, clear);
}

/* Registers clear() for the end of the thread.  False: impossible. */
static bool clear_at_exit(void)
{
    pthread_once(&exit_key_made, make_key);
    kept.cleared_at_exit = pthread_setspecific(exit_key, &kept) == 0;
    return kept.cleared_at_exit;
}

/* The most recently freed one, whose cache lines are probably still near. */
static hn_request *memory(void)
{
    struct list_node *first = kept.first;

    if (!first)
        return malloc(sizeof(hn_request));
    kept.first = first->next;
    kept.n--;
    return list_entry(first, struct hn_request, node);
}

/* `checked` is the result of the caller's checks, so that a call needs only one branch for both. */
int request_new(int checked, hn_request **made)
{
    if (checked != HN_OK)
        return checked;
    hn_request *r = memory();
    if (!r)
        return error_set(HN_ENOMEM, "out of memory");
    request_init(r);
    *made = r;
    return HN_OK;
}

/* A thread keeps requests only if they can be freed at its end.  A request may be freed by another
 * thread than the one that made it, and then stays with that one. */
void request_free(hn_request *r)
{
    if (kept.n >= KEPT || (!kept.cleared_at_exit && !clear_at_exit())) {
        free(r);
        return;
    }
    r->node.next = kept.first;
    kept.first = &r->node;
    kept.n++;
}
