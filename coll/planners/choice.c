/* choice.c - planners with their parameters (struct choice): parses and writes the text form, and
 * makes the plan. */
#include "plan/check.h"
#include "planners/compose.h"
#include "planners/planner.h"
#include "planners/planners.h"
#include "planners/defaults.h"

#include "hnow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- choices ---------------------------------------------------------------------------- */

/* Reads a number in [1, limit] that ends with the text or with one of `ends`.  Numbers too large
 * for int64_t are refused, not cut off. */
static bool read_number(const char *text, const char *ends, int64_t limit, int64_t *number,
                        const char **rest)
{
    *number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, *text - '0', number))
            return false;
    *rest = text;
    return *number >= 1 && *number <= limit && strchr(ends, *text);
}

/* A stage's parameters as a choice. */
static struct choice choice_of(const struct tuning *tuning)
{
    return (struct choice){
        .planner = tuning->planner, .arity = tuning->arity, .segment = tuning->segment};
}

/* Reads NAME[:ARITY][/SEGMENT], up to a comma or the end; *rest is the text after it. HN_EARG: an
 * unknown name, or a parameter that the planner does not have. */
static int parse_tuning(const char *text, struct tuning *tuning, const char **rest)
{
    char name[32];
    size_t length = strcspn(text, "@:/,");
    int64_t number;
    if (length >= sizeof name)
        return HN_EARG;
    memcpy(name, text, length);
    name[length] = '\0';
    text += length;
    *tuning = (struct tuning){.planner = planner_named(name)};
    const struct planner *planner = tuning->planner;
    if (!planner)
        return HN_EARG;
    tuning->arity = planner->arity;
    /* After a composed planner a colon begins its stages. */
    if (*text == ':' && !planner->composed) {
        if (!planner->arity || !read_number(text + 1, "/,", INT32_MAX, &number, &text))
            return HN_EARG;
        tuning->arity = (int)number;
    }
    if (*text == '/') {
        if (!planner->segments || !read_number(text + 1, ",", INT64_MAX, &number, &text))
            return HN_EARG;
        tuning->segment = number;
    }
    *rest = text;
    return HN_OK;
}

/* Reads [@ROOT][:A,B] after the name of a composed planner. A stage must serve its operation, and
 * may not be composed itself. */
static int parse_stages(const char *text, struct choice *choice)
{
    int64_t number;
    if (*text == '@') {
        if (!planner_roots(choice->planner) ||
            !read_number(text + 1, ":", INT32_MAX, &number, &text))
            return HN_EARG;
        choice->root = (int)number;
    }
    if (!*text)
        return HN_OK;
    const struct planner *planner = choice->planner;
    for (int i = 0; i < planner_stages(planner); i++) {
        struct tuning *stage = &choice->stage[i];
        if (*text != ":,"[i] || parse_tuning(text + 1, stage, &text) ||
            !(stage->planner->operations & OP_BIT(planner->stages[i])) || stage->planner->composed)
            return HN_EARG;
    }
    return *text ? HN_EARG : HN_OK;
}

int choice_parse(const char *text, struct choice *choice)
{
    struct tuning tuning;
    *choice = (struct choice){0};
    if (parse_tuning(text, &tuning, &text))
        return HN_EARG;
    *choice = choice_of(&tuning);
    if (tuning.planner->composed)
        return parse_stages(text, choice);
    return *text ? HN_EARG : HN_OK;
}

/* From the longest prefix down, since names of composed plans contain commas. */
size_t choice_first(const char *text, struct choice *choice)
{
    char name[CHOICE_TEXT_ROOM];
    for (size_t length = strlen(text); length > 0; length--) {
        if ((text[length] && text[length] != ',') || length >= sizeof name)
            continue;
        memcpy(name, text, length);
        name[length] = '\0';
        if (choice_parse(name, choice) == HN_OK)
            return length;
    }
    return 0;
}

static bool tuning_same(const struct tuning *a, const struct tuning *b)
{
    return a->planner == b->planner && a->arity == b->arity && a->segment == b->segment;
}

/* Compares all parameters, also those that the planner does not use. */
bool choice_same(const struct choice *a, const struct choice *b)
{
    return a->planner == b->planner && a->arity == b->arity && a->segment == b->segment &&
           a->root == b->root && tuning_same(&a->stage[0], &b->stage[0]) &&
           tuning_same(&a->stage[1], &b->stage[1]);
}

/* Parameters that have their default value are left out, so equal choices have equal texts. */
const char *choice_text(const struct choice *choice, char *text, size_t size)
{
    /* snprintf() returns the length that the text needs, so `used` may exceed the size. */
    int used = snprintf(text, size, "%s", choice->planner->name);
    if (choice->root > 0 && used >= 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, "@%d", choice->root);
    for (int i = 0; i < STAGES && choice->stage[i].planner; i++) {
        char own[CHOICE_TEXT_ROOM];
        struct choice stage = choice_of(&choice->stage[i]);
        if (used >= 0 && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, "%c%s", ":,"[i],
                             choice_text(&stage, own, sizeof own));
    }
    if (choice->arity != choice->planner->arity && used >= 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ":%d", choice->arity);
    if (choice->segment && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%" PRId64, choice->segment);
    return text;
}

/* ---- making plans ----------------------------------------------------------------------- */

/* HN_OK or an error; errors of steps stick to the plan. */
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

/* If the order of combining matters, not every tree is correct, so the plan is checked. HN_OK or an
 * error of plan_check(). */
static int refuse_disorder(const struct plan *plan, const struct request *req)
{
    struct check_fault fault;
    return req->ordered && request_combines(req) ? plan_check(plan, req, &fault) : HN_OK;
}

/* Makes the plan of one stage: the named one, or the default plan of the stage's operation. */
static int plan_stage(const struct choice *choice, int stage, const struct problem *problem,
                      struct plan **plan)
{
    struct stage_request part;
    struct choice usual = choice_of(&choice->stage[stage]);
    *plan = NULL;
    int error = stage_request_begin(&part, problem->req, choice, stage);
    if (!error && !usual.planner && !defaults_choose(&part.req, true, &usual))
        error = HN_EPLAN;
    struct problem own = {.req = &part.req, .model = problem->model, .stages = problem->stages};
    if (!error)
        error = choice_plan_stage(&usual, own, plan);
    stage_request_end(&part);
    return error;
}

/* Makes the plans of the stages, and joins them.  The stages' plans are only read by compose(), and
 * released here. */
static int plan_composed(const struct choice *choice, const struct problem *problem,
                         struct plan **plan)
{
    struct plan *first = NULL, *second = NULL;
    int error = plan_stage(choice, 0, problem, &first);
    if (!error && planner_stages(choice->planner) > 1)
        error = plan_stage(choice, 1, problem, &second);
    if (!error)
        error = compose(problem->req, problem->model, first, second, plan);
    plan_free(first);
    plan_free(second);
    return error;
}

/* One of four forms, as struct planner has it. */
static int plan_alone(const struct problem *problem, const struct planner *planner,
                      struct plan **plan)
{
    int error = HN_OK;
    struct plan *made = *plan = plan_new(problem->req->ranks);
    if (!made)
        return HN_ENOMEM;
    if (planner->multicast && problem->req->op == OP_MULTIMULTICAST)
        error = planner_multicast(problem, planner->multicast, made);
    else if (planner->exchange)
        error = planner_exchange(problem, planner->exchange, made);
    else if (planner->tree)
        error = plan_by_tree(planner, problem, made);
    else
        planner->plan(problem, made);
    return error ? error : plan_finish(made);
}

/* problem is a copy: segment and arity are those of the choice. */
int choice_plan_with(const struct choice *choice, struct problem problem, struct plan **plan)
{
    const struct request *req = problem.req;
    struct matrix *own = NULL;
    problem.segment = choice->segment;
    problem.arity = choice->arity;
    *plan = NULL;
    /* A root beyond the ranks makes sense for larger groups only. */
    if (!planner_serves(choice->planner, req) || choice->root >= req->ranks)
        return HN_EPLAN;
    if (choice->planner->pairs && !problem.matrix) {
        problem.matrix = own = matrix_new(problem.model, choice_bytes(choice, req));
        if (!own)
            return HN_ENOMEM;
    }
    int error = choice->planner->composed ? plan_composed(choice, &problem, plan)
                                          : plan_alone(&problem, choice->planner, plan);
    /* Composed plans of ordered operands are checked as well. */
    matrix_free(own);
    if (!error)
        error = refuse_disorder(*plan, req);
    if (error) {
        plan_free(*plan);
        *plan = NULL;
    }
    return error;
}

/* Only plans of planners with a cost of their own (struct candidacy) are remembered. */
int choice_plan_stage(const struct choice *choice, struct problem problem, struct plan **plan)
{
    struct stage_memo *memo = choice->planner->candidate.cost ? problem.stages : NULL;
    for (int i = 0; memo && i < STAGE_PLANS; i++) {
        const struct stage_made *m = &memo->made[i];
        if (m->plan && m->op == problem.req->op && m->root == problem.req->root &&
            choice_same(&m->choice, choice)) {
            plan_hold(*plan = m->plan);
            return HN_OK;
        }
    }
    /* The memory keeps a reference of its own. Old entries are replaced in turn. */
    int error = choice_plan_with(choice, problem, plan);
    if (memo && !error) {
        struct stage_made *m = &memo->made[memo->count++ % STAGE_PLANS];
        plan_hold(*plan);
        plan_free(m->plan);
        *m = (struct stage_made){problem.req->op, problem.req->root, *choice, *plan};
    }
    return error;
}

/* Drops the references of the memo.  Plans that others hold stay. */
void stage_memo_free(struct stage_memo *memo)
{
    for (int i = 0; i < STAGE_PLANS; i++)
        plan_free(memo->made[i].plan);
}

int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan)
{
    return choice_plan_with(choice, (struct problem){.req = req, .model = model}, plan);
}
