/* hplan.c - plans collective operations for a network file, and shows the plans.
 *
 * A run has one action: -list, -study, -vector, -bench, -ablation, or planning.  Planning makes the
 * task (hplan_task.c), asks the planners of coll for plans, checks and simulates each, and prints
 * or draws the answer.  The times are predictions: hplan sends no message.
 *
 * Exit status: 0, 1 for a failure, 2 for wrong usage or bad input.
 *
 * Each action returns its exit status and frees what it made. Errors are printed where their cause
 * is known, by complain(); hn_error_text() has those of the library.
 */
#include "hplan.h"

#include "bench/bench.h"
#include "hplan_trace.h"
#include "runtime/internal.h"
#include "study/study.h"
#ifdef HNOW_JSON
#include "vectors/vector.h"
#endif

#include "hnow.h"
#include "hnow_net.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("hplan: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return 2;
}

/* ---- options ---------------------------------------------------------------------------- */

/* Larger values are mistakes. SOURCES_MOST is also the limit of messages in a file. */
enum { RUNS_MOST = 1000000000, SOURCES_MOST = 65536 };

/* The functions take_...() are called while options are parsed: a wrong value is refused with the
 * option's name. */
static int take_bytes(void *to, const char *value)
{
    if (!options_size(value, INT64_MAX, &((struct options *)to)->bytes))
        return error_set(HN_EARG,
                         "-bytes %s: not a size: give a whole number of bytes, or K, M, G of them",
                         value);
    return HN_OK;
}

static int take_model(void *to, const char *value)
/* 0 bytes are allowed: a barrier has none. */
{
    struct options *o = to;
    o->model = value;
    if (hplan_model_is_known(value))
        return HN_OK;
    return error_set(HN_EARG, "-model %s: no such model: media, sxr, blocking or plogp", value);
}

static const struct option_row rows[] = {
    {"net", "FILE", "the network, as hprobe writes it or made by hand", OPTION_TEXT(options, net)},
    {"op", "OP",
     "bcast, multicast, multimulticast, barrier, reduce, allreduce,\nscatter, gather, allgather, "
     "alltoall, reduce_scatter, scan, exscan",
     OPTION_TEXT(options, op)},
    {"root", "R", "host or rank where bcast, reduce, scatter, gather begin or end (0)",
     OPTION_TEXT(options, root)},
    {"to", "LIST", "destinations of a multicast: names, numbers, n[1-4], 2-5, all",
     OPTION_TEXT(options, to)},
    {"messages", "FILE", "those of a multimulticast: lines as HOST to=LIST bytes=SIZE",
     OPTION_TEXT(options, messages)},
    {"sources", "N", "of a multimulticast: so many random messages of -bytes",
     OPTION_NUMBER(options, sources, 1, SOURCES_MOST)},
    {"fanout", "K", "... to so many random destinations each (all)",
     OPTION_NUMBER(options, fanout, 1, INT32_MAX)},
    {"bytes", "N", "size of the data, or of each host's part of it (1024)", take_bytes},
    {"plan", "P",
     "NAME[:ARITY][/SEGMENT BYTES]; all: each planner at its best;\nauto: the best of all (auto)",
     OPTION_TEXT(options, plan)},
    {"model", "M",
     "sxr: S, X and R of the file (Wu); blocking: one port (Bhat);\n"
     "plogp: gaps and latencies (Barchet); media: sxr, and messages\n"
     "share buses, uplinks, connections (media)",
     take_model},
    {"draw", "FILE", "writes the timing diagram of the (best) plan as SVG; - is stdout",
     OPTION_TEXT(options, pictures.timing)},
    {"trace", "FILE", "draws what a job of hrun -trace measured beside what is predicted",
     OPTION_TEXT(options, trace)},
    {"map", "FILE",
     "draws the messages of the (best) plan over the map of the network; - is stdout",
     OPTION_TEXT(options, pictures.map)},
    {"vector", "FILE", "solves a problem instance in JSON with all planners (prints JSON)",
     OPTION_TEXT(options, vector)},
    {"bench", "PART",
     "measures the planners: broadcast, multicast, exchange, segments,\nports, long, speed, "
     "soon or all",
     OPTION_TEXT(options, bench)},
    {"ablation", "FILES", "how much each planner matters on these networks (FILE,FILE,...)",
     OPTION_TEXT(options, ablation)},
    {"study", "NAME", "runs one of the papers' simulation studies; list: says which there are",
     OPTION_TEXT(options, study)},
    {"runs", "N", "of a study: random instances for each point (by study)",
     OPTION_NUMBER(options, runs, 1, RUNS_MOST)},
    {"seed", "N", "of a study, and of -sources: another seed draws others (1)",
     OPTION_NUMBER(options, seed, 0, LONG_MAX)},
    {"o", "DIR", "of a study: writes a CSV file and a plot for each figure there",
     OPTION_TEXT(options, output)},
    {"json", NULL, "prints one JSON document", OPTION_SET(options, json)},
    {"list", NULL, "lists the planners with their operations and sources",
     OPTION_SET(options, list)},
};

static const struct option_table table = {
    .tool = "hplan",
    .usage = "hplan -net FILE -op OP [-root R] [-bytes N] [-plan NAME|all|auto] [-model MODEL]\n"
             "             [-json] [-draw FILE.svg [-trace FILE.json]] [-map FILE.svg]\n"
             "       hplan -net FILE -op multicast -to LIST ...\n"
             "       hplan -net FILE -op multimulticast -messages FILE|-sources N [-fanout K] ...\n"
             "       hplan -list [-json]\n"
             "       hplan -study NAME|list [-net FILE] [-runs N] [-seed N] [-o DIR]\n"
             "       hplan -vector FILE.json\n"
             "       hplan -bench PART\n"
             "       hplan -ablation FILE,FILE,...",
    .about = "Plans collective operations for a network.",
    .row = rows,
    .n = sizeof rows / sizeof *rows,
};

/* Returns -1 to continue, or the exit status. After an error or --help nothing else is done. The
 * texts of *o are argv's. */
static int read_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.bytes = -1, .seed = -1};
    int next = options_parse(&table, argc, argv, o);
    if (next == OPTIONS_HELP)
        options_help(&table, stdout);
    else if (next == OPTIONS_VERSION)
        puts("hplan " HNOW_VERSION);
    else if (next < 0)
        return complain("%s", hn_error_text());
    else if (next < argc)
        return complain("%s: not an option: see hplan -help", argv[next]);
    else
        return -1;
    return 0;
}

/* ---- planning --------------------------------------------------------------------------- */

/* Also of an outcome that was only begun: NULL and all zero are allowed. */
static void outcome_free(struct outcome *outcome)
{
    plan_free(outcome->plan);
    timing_free(&outcome->timing);
}

/* True if the plan's time exceeds the model's range, HN_COST_MOST. HN_COST_MOST cuts off the cost
 * of a message, so a plan with such a cost would be compared by wrong numbers. INT64_MAX is a sum
 * that did not fit. */
static bool is_too_long(const struct outcome *o, const struct model *model)
{
    for (int rank = 0; rank < o->plan->ranks; rank++)
        for (int32_t i = o->plan->first[rank]; i < o->plan->first[rank + 1]; i++) {
            const struct plan_step *step = &o->plan->steps[i];
            if (step->kind != PLAN_SEND)
                continue;
            struct cost c = model_cost(model, rank, step->peer, plan_step_bytes(o->plan, step));
            if (c.send >= HN_COST_MOST || c.travel >= HN_COST_MOST || c.recv >= HN_COST_MOST)
                return true;
        }
    return o->timing.makespan == INT64_MAX;
}

/* Completes an outcome whose plan is made: its times, its bound, and its check.  The check does not
 * depend on the planner, so it also finds errors of planners: HN_EPLAN with a plan.
 *
 * A plan in segments may be below the bound for whole messages, hence the bound depends on the
 * plan. HN_ETIMEOUT: the plan is right, but too long for the model. */
static int judge(struct outcome *o, const struct request *req, const struct model *model)
{
    struct check_fault fault;
    char text[CHOICE_TEXT_ROOM];
    int error = plan_check(o->plan, req, &fault);
    if (error == HN_EPLAN)
        complain("plan %s is wrong: rank %d, step %d %s: please report it",
                 choice_text(&o->choice, text, sizeof text), fault.rank, fault.step, fault.text);
    /* planner_best() has simulated its plan already. */
    if (!error && !o->timing.spans)
        error = plan_simulate(o->plan, model, &o->timing);
    if (!error && is_too_long(o, model))
        error = HN_ETIMEOUT; /* exceeds the largest time */
    /* Also after an error, since the outcome may be printed. */
    o->bound = lower_bound(req, model, plan_segments(o->plan) > 1);
    return error;
}

/* Makes the best plan of one planner, or (NULL) of all.  HN_EPLAN: there is none. */
static int plan_auto(const struct request *req, const struct model *model,
                     const struct planner *only, struct outcome *o)
{
    /* The time is that of the best plan's search, with all candidates that were simulated and
     * dropped. */
    int64_t begin = clock_now();
    int error = planner_best(req, model, only, &o->choice, &o->plan, &o->timing);
    o->planning_time = (double)(clock_now() - begin) * 1e-9;
    return error ? error : judge(o, req, model);
}

/* Makes the plan of that name.  HN_EARG: no such name; HN_EPLAN: the planner does not serve the
 * request. */
static int plan_one(const char *name, const struct request *req, const struct model *model,
                    struct outcome *o)
/* One plan, not simulated yet; that is not counted as planning. */
{
    int64_t begin = clock_now();
    if (choice_parse(name, &o->choice))
        return HN_EARG;
    int error = choice_plan(&o->choice, req, model, &o->plan);
    o->planning_time = (double)(clock_now() - begin) * 1e-9;
    return error ? error : judge(o, req, model);
}

/* Equal plans keep no particular order; the table shows their times. */
static int by_makespan(const void *a, const void *b)
{
    hn_time x = ((const struct outcome *)a)->timing.makespan;
    hn_time y = ((const struct outcome *)b)->timing.makespan;
    return x < y ? -1 : x > y;
}

/* Fills the answer with the best plan of each planner, in ascending order of makespans.  Planners
 * that do not serve the request are left out, and so are plans whose times exceed the range.
 *
 * HN_EPLAN together with a plan is the failed check of judge(), which ends hplan. */
static int plan_all(const struct request *req, const struct model *model, struct answer *answer)
{
    bool too_long = false;
    /* The planners' best plans, each under its own name. `auto` would be the first of them. */
    for (int i = 0; i < planner_count; i++) {
        struct outcome *o = &answer->outcomes[answer->count];
        int error = plan_auto(req, model, &planners[i], o);
        /* The planner does not serve the request. */
        if (error == HN_EPLAN && !o->plan)
            continue;
        if (error == HN_ETIMEOUT) {
            too_long = true;
            /* The entry is used again for the next planner. */
            outcome_free(o);
            *o = (struct outcome){0};
            continue;
        }
        /* The faulty plan counts, so that answer_free() frees it. */
        answer->count++;
        if (error)
            return error;
    }
    qsort(answer->outcomes, (size_t)answer->count, sizeof *answer->outcomes, by_makespan);
    /* All were too long, or none serves the request: the two need different advice. */
    return answer->count ? HN_OK : too_long ? HN_ETIMEOUT : HN_EPLAN;
}

/* name: a plan, `all` or `auto`.  After an error, too, the caller frees the answer. */
static int make_plans(const char *name, const struct request *req, const struct model *model,
                      struct answer *answer)
{
    int error;
    if (strcmp(name, "all") == 0)
        return plan_all(req, model, answer);
    answer->count = 1;
    if (strcmp(name, "auto") == 0)
        error = plan_auto(req, model, NULL, &answer->outcomes[0]);
    else
        error = plan_one(name, req, model, &answer->outcomes[0]);
    return error;
}

/* ---- output ----------------------------------------------------------------------------- */

/* A picture on stdout replaces the table; JSON is always printed. Returns the exit status. */
static int show(const struct options *o, const struct answer *answer, const struct trace *trace)
{
    if (o->json)
        print_answer_json(answer, stdout);
    else if (!prints_pictures(&o->pictures))
        print_answer(answer, stdout);
    if (trace)
        return draw_measured(&o->pictures, answer, trace, o->json ? NULL : stdout);
    return draw_pictures(&o->pictures, answer, NULL);
}

/* Explains why there is no plan.  Returns the exit status. */
static int complain_of_plan(const struct options *o, const struct task *task, int error)
{
    struct choice choice;
    char why[128];
    /* `auto` without a plan can only mean that all were too long, as some planner serves every
     * operation of one message. */
    if (error == HN_ETIMEOUT ||
        (error == HN_EPLAN && strcmp(o->plan, "auto") == 0 && !task->req.messages))
        return complain("%s: a message would take ten hours or more: plan for fewer bytes",
                        o->messages ? o->messages : "-bytes");
    if (error == HN_EARG)
        return complain("-plan %s: no such planner: hplan -list shows all", o->plan);
    /* Planners of several messages have limits of their size, which the message names. */
    if (error == HN_EPLAN && task->req.messages)
        return complain(
            "-plan %s: does not serve %d messages to %d destinations: hplan -list shows "
            "what does; or plan for fewer",
            o->plan, task->req.message_count, request_deliveries(&task->req));
    if (error == HN_EPLAN)
        return complain("-plan %s: does not serve %s: %s", o->plan, task->op,
                        choice_parse(o->plan, &choice)
                            ? "hplan -list shows what does"
                            : refusal_text(&choice, &task->req, &task->model, why, sizeof why));
    complain("%s", hn_strerror(error));
    return 1;
}

/* Maximum of blocks times ranks of a plan requested by name: about a gigabyte of steps. Only a name
 * can ask for so many: `auto` and `all` choose segments that are worth their number. */
enum { BLOCKS_AND_RANKS_MOST = 1 << 25 };

/* True if a plan of this name would have more blocks than that. */
static bool is_cut_too_much(const char *name, const struct request *req)
{
    struct choice choice;
    double blocks = request_parts(req);
    if (choice_parse(name, &choice) != HN_OK)
        /* Stages of a hierarchical plan may have segments of their own. The shortest counts, as an
         * estimate that is never too small. */
        return false;
    int64_t segment = choice.segment;
    for (int i = 0; i < STAGES; i++) {
        int64_t own = choice.stage[i].segment;
        segment = own > 0 && (segment == 0 || own < segment) ? own : segment;
    }
    for (int part = 0; segment > 0 && part < request_parts(req); part++)
        blocks += (double)request_part_bytes(req, part) / (double)segment;
    return segment > 0 && blocks * req->ranks > BLOCKS_AND_RANKS_MOST;
}

/* Also of an answer whose plans could not be made. */
static void answer_free(struct answer *answer)
{
    for (int i = 0; i < answer->count; i++)
        outcome_free(&answer->outcomes[i]);
    free(answer->outcomes);
}

/* A trace is opened before planning: `auto` then is the plan that the job followed. */
static int plan_and_show(const struct options *o, const struct task *task)
{
    const struct request *req = &task->req;
    struct answer answer = {task, o->model, NULL, 0};
    struct trace *trace = NULL;
    const char *plan = o->plan;
    /* trace_open() may return a trace together with an error. */
    if (o->trace && trace_open(o->trace, req->op, req->ranks, &trace)) {
        trace_close(trace);
        return complain("%s", hn_error_text());
    }
    if (trace && strcmp(plan, "auto") == 0)
        plan = trace_plan_name(trace);
    /* The check needs memory for every block at every rank, so some requests are refused here. The
     * other checks of size are those of request_check(), on bytes. */
    if (!plan_check_fits(req)) {
        trace_close(trace);
        complain("%s among %d ranks is too large: plans for it cannot be checked; plan for fewer",
                 operation_name(req->op), req->ranks);
        return 1;
    }
    if (is_cut_too_much(plan, req)) {
        trace_close(trace);
        return complain("-plan %s: too many segments for %d ranks: give longer ones", plan,
                        req->ranks);
    }
    /* At most one plan for each planner. All of them are alive until the end, which is the peak of
     * memory. */
    answer.outcomes = calloc((size_t)planner_count + 1, sizeof *answer.outcomes);
    int error = answer.outcomes ? make_plans(plan, req, &task->model, &answer) : HN_ENOMEM;
    int status = error ? complain_of_plan(o, task, error) : show(o, &answer, trace);
    trace_close(trace);
    answer_free(&answer);
    return status;
}

/* After an error task_read() leaves what was made, which task_free() frees. */
static int plan_for_net(const struct options *o)
{
    struct task task = {0};
    int status = task_read(o, o->net, o->bytes, &task);
    if (!status)
        status = plan_and_show(o, &task);
    task_free(&task);
    return status;
}

#ifdef HNOW_JSON
/* json-c allocates without checks for memory, so an answer is complete or the program ends. */
static int solve_vector(const char *path)
{
    json_object *answer;
    if (vector_solve(path, &answer))
        return complain("%s", hn_error_text());
    puts(json_object_to_json_string_ext(answer, JSON_C_TO_STRING_SPACED));
    json_object_put(answer);
    return 0;
}
/* The option exists in every build, so that its error can say what is missing. */
#else
static int solve_vector(const char *path)
{
    return complain("%s: this hplan was built without json-c: build it with libjson-c-dev", path);
}
#endif

/* Parts print their tables as they are measured. */
static int run_bench(const char *part)
{
    int error = bench_run(part, stdout);
    if (error == HN_EARG)
        return complain("-bench %s: no such part: see hplan -help", part);
    if (error)
        complain("%s", hn_strerror(error));
    return error ? 1 : 0;
}

/* Out of memory is a failure; all other errors are those of the files. */
static int run_ablation(const char *nets)
{
    int error = bench_ablation(nets, stdout);
    if (error)
        complain("%s", hn_error_text());
    return error == HN_ENOMEM ? 1 : error ? 2 : 0;
}

/* A study that needs no network refuses one (study_run()). 0: the study's own largest size. */
static int study(const struct options *o)
{
    if (strcmp(o->study, "list") == 0) {
        study_list(stdout);
        return 0;
    }
    hn_net *net = NULL;
    int error = o->net ? hn_net_read(o->net, &net) : HN_OK;
    if (!error)
        error = study_run(o->study, o->runs, options_seed(o), 0, net, o->output, stdout);
    if (error)
        complain("%s", hn_error_text());
    hn_net_free(net);
    return !error ? 0 : error == HN_EARG ? 2 : 1;
}

/* Requested actions; exactly one is allowed. */
enum { LIST = 1, STUDY = 2, VECTOR = 4, BENCH = 8, ABLATION = 16, PLAN = 32 };

/* An option that has no effect with the others is a mistake.  Each row of the table has the actions
 * in which an option is allowed; the first one given elsewhere is refused.
 *
 * If several actions are given, `mode` is the first of the list, and the others are refused. */
static int refuse_lonely(const struct options *o)
{
    int mode = o->list       ? LIST
               : o->study    ? STUDY
               : o->vector   ? VECTOR
               : o->bench    ? BENCH
               : o->ablation ? ABLATION
                             : PLAN;
    /* Two pictures on standard output would be one file with two documents. */
    bool is_pair = strcmp(o->pictures.timing ? o->pictures.timing : "", "-") == 0 &&
                   strcmp(o->pictures.map ? o->pictures.map : "", "-") == 0;
    const struct {
        bool given;
        int modes;
        const char *option, *wants;
    } uses[] = {{o->study, STUDY, "-study", "without -list"},
                {o->vector, VECTOR, "-vector", "without -list, -study"},
                {o->bench, BENCH, "-bench", "without -list, -study, -vector"},
                {o->ablation, ABLATION, "-ablation", "alone"},
                {o->runs, STUDY, "-runs", "with -study NAME"},
                {o->output, STUDY, "-o", "with -study NAME (-draw FILE draws a plan)"},
                {o->seed >= 0, o->sources ? STUDY | PLAN : STUDY, "-seed",
                 "with -study NAME, or -sources N"},
                {o->fanout, o->sources ? PLAN : 0, "-fanout", "with -sources N"},
                {o->net, STUDY | PLAN, "-net", "with -op or -study"},
                {o->op, PLAN, "-op", "with -net"},
                {o->root, PLAN, "-root", "with -op"},
                {o->to, PLAN, "-to", "with -op multicast"},
                {o->messages, PLAN, "-messages", "with -op multimulticast"},
                {o->sources, PLAN, "-sources", "with -op multimulticast"},
                {o->bytes >= 0, PLAN, "-bytes", "with -op"},
                {o->plan, PLAN, "-plan", "with -op"},
                {o->model, PLAN, "-model", "with -op"},
                {o->pictures.timing, PLAN, "-draw", "with -op"},
                {o->trace, PLAN, "-trace", "with -op"},
                {o->pictures.map, PLAN, "-map", "with -op"},
                {o->json, LIST | VECTOR | PLAN, "-json", "with -list, -vector or -op"},
                {is_pair, 0, "-map -", "without -draw -: stdout takes one picture"}};
    /* Order matters: a second action is named before options that belong to it. */
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].given && !(uses[i].modes & mode))
            return complain("%s: only %s", uses[i].option, uses[i].wants);
    return 0;
}

/* Defaults are set only after refuse_lonely(), which must see what was given. */
static void fill_in(struct options *o)
{
    o->root = o->root ? o->root : "0";
    o->plan = o->plan ? o->plan : "auto";
    o->model = o->model ? o->model : "media";
    o->bytes = o->bytes < 0 ? 1024 : o->bytes;
}

static int run(int argc, char **argv)
{
    struct options o;
    int status = read_options(argc, argv, &o);
    if (status >= 0)
        return status;
    status = refuse_lonely(&o);
    if (status)
        return status;
    fill_in(&o);
    setvbuf(stdout, NULL, _IOLBF, 0); /* results of long runs are read while they appear */
    if (o.list) {
        (o.json ? print_planners_json : print_planners)(stdout);
        return 0;
    }
    if (o.study)
        return study(&o);
    if (o.vector)
        return solve_vector(o.vector);
    if (o.bench)
        return run_bench(o.bench);
    if (o.ablation)
        return run_ablation(o.ablation);
    if (!o.net || !o.op)
        return complain("%s is missing: see hplan -help", o.net ? "-op OP" : "-net NETFILE");
    return plan_for_net(&o);
}

int main(int argc, char **argv)
{
    return printed_status("hplan", run(argc, argv));
}
