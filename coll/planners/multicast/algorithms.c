/* algorithms.c - the table of algorithms for multiple multicasts.
 *
 * The order matters: of equal results multicast_search() keeps the first.
 */
#include "planners/multicast/algorithms.h"

const struct multicast_algorithm multicast_algorithms[] = {
    {"fef", "fastest edge first: Wu, section 4.1", multicast_fef},
    {"ecf", "earliest completing first: Wu, section 4.2", multicast_ecf},
    {"wr", "work racing: Wu, section 4.3", multicast_wr},
    {"wrp", "work racing with preemption: Wu, section 5", multicast_wrp},
    {"wr_sum", "WR, virtual times as sums of R", multicast_wr_sum},
    {"wrp_sum", "WRP, virtual times as sums of R", multicast_wrp_sum},
    {"ecf_preempt", "ECF with preemption", multicast_ecf_preempt},
    {"search", "our own: local moves from the best of the above", multicast_search},
    {"exact", "our own: branch and bound, tiny instances only", multicast_exact},
};
const int multicast_algorithm_count = sizeof multicast_algorithms / sizeof multicast_algorithms[0];
