/* ssend_ack.c - sends the acknowledgements of synchronous sends (ssend_ack.h). */
#include "match/ssend_ack.h"

#include "match/message.h"

#include <stdlib.h>

/* Without memory, or to a task that has ended, the acknowledgement is dropped. */
static void send_ack(struct task *t, const struct match_ssend_ack *ack)
{
    hn_info info = {.from = t->tid, .tag = ack->tag, .type = HN_BYTE};
    hn_context context = ack->context | MATCH_SSEND_ACK;

    if (ack->from == t->tid) {
        match_put(&t->match, &info, context, NULL);
        return;
    }
    struct peer *p = peer_get(t, ack->from);
    if (!p || p->failed || t->quitting)
        return;
    p->holders++;
    if (link_send_copy(&p->link, &info, context, NULL) == HN_OK)
        peer_flush(p);
    p->holders--;
}

/* Each entry is removed before it is sent, because the lock may be released in between. */
void ssend_acks_send(struct task *t)
{
    while (!list_empty(&t->match.ssend_acks)) {
        struct match_ssend_ack *ack =
            list_entry(t->match.ssend_acks.next, struct match_ssend_ack, node);

        list_remove(&ack->node);
        send_ack(t, ack);
        free(ack);
    }
}
