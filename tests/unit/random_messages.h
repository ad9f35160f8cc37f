/* random_messages.h - messages for requests that are multiple multicasts. */
#pragma once

#include "plan/operation.h"
#include "random.h"

enum { RANDOM_MESSAGES_MOST = 4, RANDOM_FANOUT_MOST = 5, RANDOM_RANKS_MOST = 24 };

struct random_messages {
    struct multicast_message message[RANDOM_MESSAGES_MOST];
    bool wants[RANDOM_MESSAGES_MOST][RANDOM_RANKS_MOST];
};

/* Gives a multiple multicast among few ranks its messages: some of no bytes, some to nobody. Other
 * requests stay as they are. */
static inline void random_messages(struct request *req, uint64_t *state, struct random_messages *r)
{
    if (req->op != OP_MULTIMULTICAST)
        return;
    *r = (struct random_messages){0};
    req->messages = r->message;
    req->message_count = 1 + (int)random_below(state, RANDOM_MESSAGES_MOST);
    for (int k = 0; k < req->message_count; k++) {
        struct multicast_message *m = &r->message[k];
        m->source = (int)random_below(state, req->ranks);
        m->bytes = random_below(state, 4) ? req->grain * random_below(state, 900) : 0;
        m->wants = r->wants[k];
        for (int64_t i = random_below(state, RANDOM_FANOUT_MOST + 1); i > 0; i--)
            r->wants[k][random_below(state, req->ranks)] = true;
        r->wants[k][m->source] = false;
    }
}
