/* open_shop.c - total exchange as an open shop schedule (Bhat 1998b, section 4.5).
 *
 * The sender that is free first sends to the receiver that is free first, of those that have not
 * got its message. A port idles only while all its partners are busy, so the makespan is at most
 * twice the lower bound (Bhat 1998b, theorem 3). In the variant, of the receivers with which the
 * sender can start first, it takes the one with the longest message; short messages remain to fill
 * the gaps at the end. Cost: O(n^3).
 */
#include "planners/exchange/heuristics.h"

#include "hnow.h"

#include <stdlib.h>

/* One run. left[] counts the rows of owes[]. */
struct shop {
    struct exchange *x;
    bool *owes; /* [from * ranks + to]: the message has not been sent yet */
    int *left;  /* [from]: number of such messages */
};

/* The sender that is free first; -1: all messages have been sent. Of equal ones the lowest rank. */
static int first_sender(const struct shop *s)
{
    int first = -1;
    for (int i = 0; i < s->x->ranks; i++)
        if (s->left[i] > 0 && (first < 0 || s->x->send[i] < s->x->send[first]))
            first = i;
    return first;
}

/* Whether receiver a is preferred to b. Of equal ones the caller keeps the first. */
static bool better(const struct exchange *x, int from, int a, int b, bool longest)
{
    if (!longest)
        return x->recv[a] < x->recv[b];
    hn_time start_a = x->recv[a] > x->send[from] ? x->recv[a] : x->send[from];
    hn_time start_b = x->recv[b] > x->send[from] ? x->recv[b] : x->send[from];
    if (start_a != start_b)
        return start_a < start_b;
    return exchange_cost(x, from, a) > exchange_cost(x, from, b);
}

/* O(n^2) events, each with a search of O(n). */
static void schedule(struct shop *s, bool longest)
{
    int n = s->x->ranks;
    for (int from; (from = first_sender(s)) >= 0;) {
        int to = -1;
        for (int j = 0; j < n; j++)
            if (s->owes[(size_t)from * (size_t)n + (size_t)j] &&
                (to < 0 || better(s->x, from, j, to, longest)))
                to = j;
        exchange_add(s->x, from, to);
        s->owes[(size_t)from * (size_t)n + (size_t)to] = false;
        s->left[from]--;
    }
}

/* longest: the variant. */
static int run(struct exchange *x, bool longest)
{
    size_t n = (size_t)x->ranks;
    struct shop s = {x, malloc(n * n * sizeof *s.owes), calloc(n, sizeof *s.left)};
    exchange_clear(x);
    if (s.owes && s.left) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) {
                /* A message of a rank to itself counts if it takes time. */
                s.owes[i * n + k] = i != k || x->cost[i * n + k] > 0;
                s.left[i] += s.owes[i * n + k];
            }
        schedule(&s, longest);
    }
    bool ok = s.owes && s.left;
    free(s.owes);
    free(s.left);
    return ok ? HN_OK : HN_ENOMEM;
}

int exchange_open_shop(struct exchange *x)
{
    return run(x, false);
}

int exchange_open_shop_longest(struct exchange *x)
{
    return run(x, true);
}
