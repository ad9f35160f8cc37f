/* heuristics.c - the table of heuristics for total exchanges.
 *
 * exchange_search() runs all others; of equal results the first in the table is kept.
 */
#include "planners/exchange/heuristics.h"

const struct exchange_heuristic exchange_heuristics[] = {
    {"caterpillar", "Bhat (total exchange), section 4.2", exchange_caterpillar},
    {"max_matching", "Bhat (total exchange), section 4.3", exchange_max_matching},
    {"min_matching", "Bhat (total exchange), section 4.3", exchange_min_matching},
    {"greedy", "Bhat (total exchange), section 4.4", exchange_greedy},
    {"open_shop", "Bhat (total exchange), section 4.5", exchange_open_shop},
    {"open_shop_longest", "our own: open shop, longest message first", exchange_open_shop_longest},
    {"most_loaded", "our own: the port with most left first", exchange_most_loaded},
    {"search", "our own: the best of the above, and of disturbed loads", exchange_search},
};
const int exchange_heuristic_count = sizeof exchange_heuristics / sizeof exchange_heuristics[0];
