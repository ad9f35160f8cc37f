/* auto_price.c - the value by which `auto` compares plans if messages will really be sent: more
 * than the model's makespan.
 */
#include "select/selection.h"

#include "hnow.h"

enum {
    PRICE = 24,                /* a doubling of the messages costs this part of the makespan, ... */
    PRICE_MOST = 2,            /* ... but each message at most this multiple of its own price */
    EXCHANGE_LEAST = 64 << 10, /* bytes from which a message counts as long, ... */
    EXCHANGE_SHARE = 3         /* ... and the part of its time by which it is later */
};

/* Two ranks on shared cores that exchange long messages finish when both have had all their turns:
 * a third later than predicted. (Measured: halving on 8 hosts of a machine with two cores. Halving
 * and gossip of 1 MB on slower wires: an eighth to a quarter of the whole. A ring, where each sends
 * to one rank and receives from another: at most a tenth.) Returns the extra time of the rank with
 * the most. */
static hn_time price_of_exchanges(const struct selection *c, const struct plan *plan)
{
    hn_time most = 0;
    for (int rank = 0; rank < plan->ranks && c->budget.ranks_per_core > 1; rank++) {
        hn_time time = 0;
        /* An exchange is a send followed by a receive from the same peer. */
        for (int32_t at = plan->first[rank]; at + 1 < plan->first[rank + 1]; at++) {
            const struct plan_step *out = &plan->steps[at], *in = out + 1;
            if (out->kind != PLAN_SEND || in->kind == PLAN_SEND || in->peer != out->peer)
                continue;
            int64_t bytes = plan_step_bytes(plan, out);
            if (bytes >= EXCHANGE_LEAST)
                time += model_deliver(c->model, rank, in->peer, bytes);
        }
        most = time > most ? time : most;
    }
    return most / EXCHANGE_SHARE;
}

hn_time selection_price(const struct selection *c, const struct plan *plan, hn_time makespan)
{
    /* Quarters of messages for each rank, in fixed point. Plans of few messages pay the price of
     * each of them; plans of many also pay for doublings. */
    enum { ONE = 1024 }; /* fixed point: ONE is a message of each rank, or a doubling */
    int64_t each = plan_message_quarters(plan) * (ONE / 4) / c->req->ranks, doublings = 0;
    hn_time own = each * (MESSAGE_PRICE / ONE), price = time_sum(makespan, own);
    if (!c->priced)
        return makespan;
    price = time_sum(price, price_of_exchanges(c, plan));
    for (; each >= 2 * ONE; each /= 2)
        doublings += ONE;
    doublings += each > ONE ? each - ONE : 0; /* linear between doublings */
    hn_time many = makespan / (PRICE * ONE) * doublings;
    return time_sum(price, many < PRICE_MOST * own ? many : PRICE_MOST * own);
}
