/* exchange_exact.h - the optimum total exchange, for comparison with heuristics. */
#pragma once

struct exchange;

/* Returns HN_OK, or HN_EPLAN if optimality is not proven: too many ranks or too much work. */
int exchange_exact(struct exchange *x);
