/* auto_price.c - what `auto` compares plans by, where messages will really be sent: more than the
 * model's makespan. */
#include "select/selection.h"

#include "hnow.h"

enum {
    PRICE = 24,                /* of a doubling of the messages: this part of the makespan, ... */
    PRICE_MOST = 2,            /* ... but for each no more than so many times its own price */
    EXCHANGE_LEAST = 64 << 10, /* bytes of a message that is long, ... */
    EXCHANGE_SHARE = 3         /* ... and by which part of its time it comes later */
};

/* Two that share cores with others and send each other long messages at the same time end when both
 * have had all their turns: a third later than the model says (halving on 8 hosts of a machine
 * with two cores; halving and gossip of 1 MB on slower wires: an eighth to a quarter of the whole;
 * a ring, where each sends to one and hears another: a tenth and less).  What that adds for the
 * rank that does it longest. */
static hn_time price_of_exchanges(const struct selection *c, const struct plan *plan)
{
    hn_time most = 0;
    for (int rank = 0; rank < plan->ranks && c->budget.ranks_per_core > 1; rank++) {
        hn_time time = 0;
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
    enum { ONE = 1024 }; /* fixed point: a message of each rank, or a doubling, is ONE */
    int64_t each = plan_message_quarters(plan) * (ONE / 4) / c->req->ranks, doublings = 0;
    hn_time own = each * (MESSAGE_PRICE / ONE), price = makespan + own;
    if (!c->priced)
        return makespan;
    price += price_of_exchanges(c, plan);
    for (; each >= 2 * ONE; each /= 2)
        doublings += ONE;
    doublings += each > ONE ? each - ONE : 0; /* between them in proportion */
    hn_time many = makespan / (PRICE * ONE) * doublings;
    return price + (many < PRICE_MOST * own ? many : PRICE_MOST * own);
}
