/* exchange_exact.h - the optimum total exchange, for comparison with heuristics. */
#pragma once

struct exchange;

/* Returns HN_OK, or HN_EPLAN if optimality is not proven: too many ranks or too much work. On HN_OK
 * the events of *x are an optimum schedule. After HN_EPLAN they are the best one found, an upper
 * bound. At most about a second; no memory is allocated. */
int exchange_exact(struct exchange *x);
