/* eco_tree.c - ECO's broadcast tree (Lowekamp and Beguelin 1995, sections 4.2 and 5, Figure 3d).
 *
 * The root serves one host of every other subnet, and then its own subnet; inside a subnet the
 * pattern follows the medium: a k-ary tree where several messages can travel at once; on a bus,
 * where they cannot, the leader serves everybody (ECO, section 6, finds wider trees better on
 * buses). Every slow way is used once; but all of them by the root, one after the other, so many
 * subnets are better served by the hierarchical heuristics of hierarchy.c.
 *
 * Cost: O(n).
 */
#include "planners/planners.h"

#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>

static void choose_arities(const struct problem *problem, const struct clusters *c, int *arity)
{
    const hn_net *net = model_net(problem->model);
    for (int i = 0; i < c->count; i++) {
        int subnet = model_subnet(problem->model, c->member[c->first[i]]);
        bool bus = net && hn_net_subnet_medium(net, subnet) == HN_MEDIUM_BUS;
        arity[i] = bus ? c->ranks : problem->arity;
    }
}

int planner_eco(const struct problem *problem, struct tree *tree)
{
    struct clusters c;
    size_t n = (size_t)tree->ranks;
    hn_time *reach = calloc(n, sizeof *reach);
    int *leader = malloc(n * sizeof *leader), *arity = malloc(n * sizeof *arity);
    int error = clusters_of_model(&c, problem->model);
    if (!error && (!reach || !leader || !arity))
        error = HN_ENOMEM;
    if (!error) {
        int64_t bytes = problem_bytes(problem);
        for (int rank = 0; rank < tree->ranks; rank++)
            if (rank != tree->root)
                reach[rank] = model_deliver(problem->model, tree->root, rank, bytes);
        clusters_leaders(&c, tree->root, reach, leader);
        choose_arities(problem, &c, arity);
        error = clusters_eco(&c, leader, arity, tree);
    }
    clusters_end(&c);
    free(reach);
    free(leader);
    free(arity);
    return error;
}
