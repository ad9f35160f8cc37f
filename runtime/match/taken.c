/* taken.c - answers to synchronous sends (taken.h). */
#include "match/taken.h"

#include "match/message.h"

#include <stdlib.h>

static void tell_sender(struct task *t, const struct match_taken *taken)
{
    hn_info info = {.from = t->tid, .tag = taken->tag, .type = HN_BYTE};
    hn_context context = taken->context | MATCH_TAKEN;
    struct peer *p;

    if (taken->from == t->tid) {
        match_put(&t->match, &info, context, NULL);
        return;
    }
    p = peer_get(t, taken->from);
    if (!p || p->failed || t->quitting)
        return;
    p->holders++;
    if (link_send_copy(&p->link, &info, context, NULL) == HN_OK)
        peer_flush(p);
    p->holders--;
}

void taken_tell(struct task *t)
{
    while (!list_empty(&t->match.taken)) {
        struct match_taken *taken = list_entry(t->match.taken.next, struct match_taken, node);

        list_remove(&taken->node);
        tell_sender(t, taken);
        free(taken);
    }
}
