/* planner.c - the table of planners, their text names, and making a plan by name. */
#include "planner.h"

#include "check.h"
#include "planners/planners.h"

#include "hnow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GATHERS (OP_BIT(OP_ALLGATHER) | OP_BIT(OP_ALLGATHERV))
#define SCANS   (OP_BIT(OP_SCAN) | OP_BIT(OP_EXSCAN))

const struct planner planners[] = {
    {.name = "flat",
     .source = "sequential tree: Banikazemi, Figure 1b; PVM",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .tree = planner_flat},
    {.name = "binomial",
     .source = "Banikazemi, Figure 1a",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .tree = planner_binomial},
    {.name = "inorder",
     .source = "our own: binomial over runs of ranks, for operators that do not commute",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .tree = planner_inorder},
    {.name = "binary",
     .source = "k-ary tree with k = 2: ECO, section 4, Figure 1c",
     .operations = TREE_OPERATIONS,
     .arity = 2,
     .arity_most = 2,
     .segments = true,
     .tree = planner_kary},
    {.name = "kary",
     .source = "k-ary tree: ECO, section 6",
     .operations = TREE_OPERATIONS,
     .arity = 3,
     .arity_most = 6,
     .segments = true,
     .tree = planner_kary},
    {.name = "chain",
     .source = "k-ary tree with k = 1, pipelined",
     .operations = TREE_OPERATIONS,
     .arity = 1,
     .arity_most = 1,
     .segments = true,
     .tree = planner_kary},
    {.name = "path",
     .source = "our own: a chain along the network, always on to the nearest rank",
     .operations = TREE_OPERATIONS,
     .ranks_most = PATH_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_path},
    {.name = "pipeline",
     .source = "our own: tree with the shortest period for its segments, by local moves",
     .operations = OP_BIT(OP_BCAST) | OP_BIT(OP_REDUCE) | OP_BIT(OP_ALLREDUCE),
     .ranks_most = PIPELINE_RANKS_MOST,
     .pairs = true,
     .slow = true,
     .segments = true,
     .tree = planner_pipeline},
    {.name = "forest",
     .source = "our own: every segment along a tree of its own, packed by prices of the ports",
     .operations = OP_BIT(OP_BCAST) | OP_BIT(OP_REDUCE),
     .ranks_most = FOREST_RANKS_MOST,
     .slow = true,
     .segments = true,
     .plan = planner_forest},
    {.name = "star",
     .source = "k-ary tree with k = n - 1: ECO, section 7",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .tree = planner_star},
    {.name = "mst",
     .source = "minimum spanning tree: ECO, section 4, Figure 1",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_mst},
    {.name = "eco",
     .source = "subnet tree: ECO, sections 4.2 and 5, Figure 3d",
     .operations = TREE_OPERATIONS,
     .arity = 2,
     .arity_most = 4,
     .segments = true,
     .tree = planner_eco},
    {.name = "butterfly",
     .source = "broadcast tree of a butterfly: ECO, section 6",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .tree = planner_butterfly},
    {.name = "fnf",
     .source = "fastest node first: Banikazemi 1998; Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_fnf},
    {.name = "fef",
     .source = "fastest edge first: Bhat, section 4.3; Wu, section 4",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_fef},
    {.name = "ecef",
     .source = "earliest completing edge first: Bhat, section 4.3; Wu's ECF",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef},
    {.name = "ecef_la",
     .source = "ECEF with look-ahead (min): Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef_la},
    {.name = "ecef_la_avg",
     .source = "ECEF with look-ahead (mean from j): Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef_la_avg},
    {.name = "ecef_la_avg_ab",
     .source = "ECEF with look-ahead (mean from A to B): Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef_la_avg_ab},
    {.name = "ecef_la_t",
     .source = "ECEF-LAt: Barchet, section 5.2",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef_la_t},
    {.name = "ecef_la_T",
     .source = "ECEF-LAT: Barchet, section 5.3",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_ecef_la_T},
    {.name = "bottom_up",
     .source = "BottomUp: Barchet, section 5.4",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_bottom_up},
    {.name = "bottom_up_rt",
     .source = "BottomUp with ready times: Barchet, section 5.4",
     .operations = TREE_OPERATIONS,
     .ranks_most = MATRIX_RANKS_MOST,
     .pairs = true,
     .segments = true,
     .tree = planner_bottom_up_rt},
    {.name = "subnets_fef",
     .source = "fef over subnets, ecef inside: Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_fef},
    {.name = "subnets_ecef",
     .source = "ecef over subnets, ecef inside: Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_ecef},
    {.name = "subnets_ecef_la",
     .source = "ecef_la over subnets, ecef inside: Bhat, section 4.3",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_ecef_la},
    {.name = "subnets_ecef_la_t",
     .source = "ecef_la_t over subnets, ecef inside: Barchet, section 5.2",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_ecef_la_t},
    {.name = "subnets_ecef_la_T",
     .source = "ecef_la_T over subnets, ecef inside: Barchet, section 5.3",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_ecef_la_T},
    {.name = "subnets_bottom_up",
     .source = "bottom_up over subnets, ecef inside: Barchet, section 5.4",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_subnets_bottom_up},
    {.name = "mixed",
     .source = "ecef_la up to 10 subnets, ecef_la_T beyond: Barchet, section 6",
     .operations = TREE_OPERATIONS,
     .segments = true,
     .subnets = true,
     .tree = planner_mixed},
    {.name = "exact",
     .source = "our own: branch and bound, up to 10 ranks",
     .operations = TREE_OPERATIONS,
     .ranks_most = EXACT_RANKS_MOST,
     .slow = true,
     .pairs = true,
     .segments = true,
     .tree = planner_exact},
    {.name = "search",
     .source = "our own: local moves from the best heuristic tree",
     .operations = TREE_OPERATIONS,
     .ranks_most = SEARCH_RANKS_MOST,
     .slow = true,
     .pairs = true,
     .segments = true,
     .tree = planner_search},
    {.name = "ring",
     .source = "ECO, Figure 3c",
     .operations = GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER),
     .plan = planner_ring},
    {.name = "doubling",
     .source = "butterfly exchange: ECO, section 6",
     .operations = GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER),
     .plan = planner_doubling},
    {.name = "dissemination",
     .source = "Hensgen, Finkel and Manber 1988",
     .operations = OP_BIT(OP_BARRIER),
     .plan = planner_dissemination},
    {.name = "halving",
     .source = "recursive halving: Rabenseifner 2004",
     .operations = OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER),
     .plan = planner_halving},
    {.name = "scan_chain",
     .source = "each rank after the one before it, pipelined",
     .operations = SCANS,
     .segments = true,
     .plan = planner_scan_chain},
    {.name = "scan_doubling",
     .source = "Hillis and Steele 1986",
     .operations = SCANS,
     .plan = planner_scan_doubling},
    {.name = "caterpillar",
     .source = "Bhat (total exchange), section 4.2",
     .operations = OP_BIT(OP_ALLTOALL),
     .plan = planner_caterpillar},
    {.name = "max_matching",
     .source = "Bhat (total exchange), section 4.3",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = MATCHING_RANKS_MOST,
     .plan = planner_max_matching},
    {.name = "min_matching",
     .source = "Bhat (total exchange), section 4.3",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = MATCHING_RANKS_MOST,
     .plan = planner_min_matching},
    {.name = "greedy",
     .source = "Bhat (total exchange), section 4.4",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = EXCHANGE_RANKS_MOST,
     .plan = planner_greedy},
    {.name = "open_shop",
     .source = "Bhat (total exchange), section 4.5",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = EXCHANGE_RANKS_MOST,
     .plan = planner_open_shop},
    {.name = "open_shop_longest",
     .source = "our own: open shop, longest message first",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = EXCHANGE_RANKS_MOST,
     .plan = planner_open_shop_longest},
    {.name = "most_loaded",
     .source = "our own: the port with most left goes first",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = EXCHANGE_RANKS_MOST,
     .plan = planner_most_loaded},
    {.name = "exchange_search",
     .source = "our own: local moves from the best total exchange",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = MATCHING_RANKS_MOST,
     .slow = true,
     .plan = planner_exchange_search},
    {.name = "bruck",
     .source = "index operation in log2 n bundles: Bruck and others 1997",
     .operations = OP_BIT(OP_ALLTOALL),
     .ranks_most = EXCHANGE_RANKS_MOST,
     .plan = planner_bruck},
};
const int planner_count = sizeof planners / sizeof planners[0];

const struct planner *planner_named(const char *name)
{
    for (int i = 0; i < planner_count; i++)
        if (!strcmp(planners[i].name, name))
            return &planners[i];
    return NULL;
}

bool planner_serves(const struct planner *planner, const struct request *req)
{
    return planner->operations & OP_BIT(req->op) &&
           (!planner->ranks_most || req->ranks <= planner->ranks_most);
}

/* ---- choices -----------------------------------------------------------------------------------
 */

/* Reads a number in [1, limit] that ends at `end`. */
static bool read_number(const char *text, char end, int64_t limit, int64_t *number,
                        const char **rest)
{
    char *stop;
    errno = 0;
    long long value = strtoll(text, &stop, 10);
    if (stop == text || errno || value < 1 || value > limit || (*stop && *stop != end))
        return false;
    *number = value;
    *rest = stop;
    return true;
}

int choice_parse(const char *text, struct choice *choice)
{
    char name[32];
    size_t length = strcspn(text, ":/");
    if (length >= sizeof name)
        return HN_EARG;
    memcpy(name, text, length);
    name[length] = '\0';
    const char *rest = text + length;
    *choice = (struct choice){planner_named(name), 0, 0};
    if (!choice->planner)
        return HN_EARG;
    choice->arity = choice->planner->arity;
    int64_t number;
    if (*rest == ':') {
        if (!choice->planner->arity || !read_number(rest + 1, '/', INT32_MAX, &number, &rest))
            return HN_EARG;
        choice->arity = (int)number;
    }
    if (*rest == '/') {
        if (!choice->planner->segments || !read_number(rest + 1, '\0', INT64_MAX, &number, &rest))
            return HN_EARG;
        choice->segment = number;
    }
    return *rest ? HN_EARG : HN_OK;
}

const char *choice_text(const struct choice *choice, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", choice->planner->name);
    if (choice->arity != choice->planner->arity && used >= 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ":%d", choice->arity);
    if (choice->segment && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%" PRId64, choice->segment);
    return text;
}

static int plan_by_tree(const struct planner *planner, const struct problem *problem,
                        struct plan *plan)
{
    struct tree *tree = tree_new(problem->req->ranks, problem->req->root);
    if (!tree)
        return HN_ENOMEM;
    int error = planner->tree(problem, tree);
    if (!error)
        error = tree_finish(tree);
    if (!error)
        tree_plan(tree, problem->req, problem->segment, plan);
    tree_free(tree);
    return error;
}

/* Where the order of combining matters, not every tree will do: the checker decides. */
static int refuse_disorder(const struct plan *plan, const struct request *req)
{
    struct check_fault fault;
    return req->ordered && request_combines(req) ? plan_check(plan, req, &fault) : HN_OK;
}

int64_t choice_bytes(const struct choice *choice, const struct request *req)
{
    int64_t bytes = 0, parts = request_parts(req);
    for (int part = 0; part < parts; part++)
        bytes += request_part_bytes(req, part);
    bool cut = parts == 1 && choice->segment > 0 && choice->segment < bytes;
    return cut ? choice->segment : bytes / parts;
}

int64_t problem_bytes(const struct problem *problem)
{
    struct choice choice = {.segment = problem->segment};
    return problem->matrix ? problem->matrix->bytes : choice_bytes(&choice, problem->req);
}

int choice_plan_with(const struct choice *choice, const struct request *req,
                     const struct model *model, const struct matrix *matrix, struct plan **plan)
{
    const struct planner *planner = choice->planner;
    struct problem problem = {req, model, choice->segment, choice->arity, matrix};
    int error = HN_OK;
    *plan = NULL;
    if (!planner_serves(planner, req))
        return HN_EPLAN;
    struct plan *made = plan_new(req->ranks);
    if (!made)
        return HN_ENOMEM;
    if (planner->tree)
        error = plan_by_tree(planner, &problem, made);
    else
        planner->plan(&problem, made);
    if (!error)
        error = plan_finish(made);
    if (!error)
        error = refuse_disorder(made, req);
    if (error) {
        plan_free(made);
        return error;
    }
    *plan = made;
    return HN_OK;
}

int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan)
{
    struct matrix *matrix = NULL;
    *plan = NULL;
    if (!planner_serves(choice->planner, req))
        return HN_EPLAN;
    if (choice->planner->pairs) {
        matrix = matrix_new(model, choice_bytes(choice, req));
        if (!matrix)
            return HN_ENOMEM;
    }
    int error = choice_plan_with(choice, req, model, matrix, plan);
    matrix_free(matrix);
    return error;
}
