/* heuristics.h - the functions behind the table of exchange.c. */
#ifndef HNOW_COLL_EXCHANGE_HEURISTICS_H
#define HNOW_COLL_EXCHANGE_HEURISTICS_H

#include "../exchange.h"

int exchange_caterpillar(struct exchange *x);
int exchange_max_matching(struct exchange *x);
int exchange_min_matching(struct exchange *x);
int exchange_greedy(struct exchange *x);
int exchange_open_shop(struct exchange *x);
int exchange_open_shop_longest(struct exchange *x);
int exchange_search(struct exchange *x);

#endif
