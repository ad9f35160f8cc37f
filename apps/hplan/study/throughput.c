/* throughput.c - compares `auto` with the lower bound on one network (hplan -net), for operations
 * on the same total amount of data.
 *
 * This study is not from a paper. The bounds are those of cuts and flows
 * (coll/model/bounds/bound.h).
 *
 * The bound is for any plan in segments. A ratio near 1 therefore proves that a plan is nearly
 * optimal in the model; a larger one may be the bound's fault.
 */
#include "study.h"

#include "hnow_net.h"

static const enum operation operations[] = {OP_BCAST,          OP_REDUCE,    OP_ALLGATHER,
                                            OP_REDUCE_SCATTER, OP_ALLREDUCE, OP_ALLTOALL};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* From where latency decides to where bandwidth does. */
static const int64_t sizes[] = {1000, 30000, 1000000, 30000000}; /* bytes of all parts together */
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The planner is named if its ratio to the bound is larger. */
static const double near_enough = 1.05;

/* Stores the makespan of the best plan, and the bound, in seconds. After an error both are
 * undefined or 0. */
static void look(struct study *study, const struct model *model, enum operation op, int64_t bytes,
                 double *time, double *bound)
{
    struct request req = {.op = op, .ranks = model->ranks, .bytes = bytes, .grain = 1};
    struct choice choice;
    struct plan *plan = NULL;
    struct timing timing = {0};
    char text[CHOICE_TEXT_ROOM];
    /* The same total for each operation: a part is smaller where there are more parts. Rounded
     * down: a few bytes are lost, for the bound as well. */
    req.bytes = bytes / request_parts(&req);
    if (study->error)
        return;
    study->error = planner_best(&req, model, NULL, &choice, &plan, &timing);
    *time = (double)timing.makespan / 1e12;
    *bound = (double)lower_bound(&req, model, true) / 1e12;
    if (!study->error && *time > near_enough * *bound)
        study_note(study, "%s, %lld bytes in all: %s takes %.3f times the bound",
                   operation_name(op), (long long)bytes, choice_text(&choice, text, sizeof text),
                   *time / *bound);
    timing_free(&timing);
    plan_free(plan);
}

/* The model is that of the network file, with shared media. study->net is not NULL (wants_net). */
void study_throughput(struct study *study)
{
    const char *series[OPERATIONS];
    for (int i = 0; i < OPERATIONS; i++)
        series[i] = operation_name(operations[i]);
    struct sheet_form form = {.name = "throughput_times",
                              .title = "Predicted time of the best plan",
                              .across = "bytes in all",
                              .up = "time, s",
                              .series = series,
                              .count = OPERATIONS,
                              .log_across = true,
                              .log_up = true};
    struct sheet *times = study_sheet(study, &form);
    /* The same form with another name, axis and scale: ratios are linear. */
    form.name = "throughput_ratios";
    form.title = "The same over the lower bound";
    form.up = "ratio";
    form.log_up = false;
    struct sheet *ratios = study_sheet(study, &form);
    struct model model;
    model_of_net(&model, study->net, NULL, hn_net_size(study->net), PORT_MEDIA);
    for (int i = 0; i < SIZES && !study->error; i++) {
        double time[OPERATIONS] = {0}, bound[OPERATIONS] = {0}, ratio[OPERATIONS];
        for (int k = 0; k < OPERATIONS; k++) {
            study_progress(study, i * OPERATIONS + k, SIZES * OPERATIONS);
            look(study, &model, operations[k], sizes[i], &time[k], &bound[k]);
            /* An operation of one host has a bound of 0. */
            ratio[k] = bound[k] > 0 ? time[k] / bound[k] : 1;
        }
        study_add(study, times, (double)sizes[i], time);
        study_add(study, ratios, (double)sizes[i], ratio);
    }
    study_progress(study, SIZES * OPERATIONS, SIZES * OPERATIONS);
}
