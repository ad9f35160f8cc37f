/* heuristics.h - the functions behind the table of heuristics.c. */
#pragma once

#include "planners/exchange/total_exchange.h"

/* Each fills in the events of a schedule, after exchange_begin().  HN_OK or HN_ENOMEM. */
int exchange_caterpillar(struct exchange *x);
int exchange_max_matching(struct exchange *x);
int exchange_min_matching(struct exchange *x);
int exchange_greedy(struct exchange *x);
int exchange_open_shop(struct exchange *x);
int exchange_open_shop_longest(struct exchange *x);
int exchange_most_loaded(struct exchange *x);
/* exchange_most_loaded() with loads disturbed by up to `disturbance` / 64. HN_OK or HN_ENOMEM. */
int exchange_most_loaded_with(struct exchange *x, int disturbance, uint64_t *random);
int exchange_search(struct exchange *x);
