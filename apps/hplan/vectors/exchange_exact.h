/* exchange_exact.h - the best total exchange, with which those of heuristics are compared. */
#pragma once

struct exchange;

/* HN_EPLAN: not proven to be the best, too many ranks or too much work for that. */
int exchange_exact(struct exchange *x);
