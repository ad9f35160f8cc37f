/* fuzz_trace.c - any bytes as a trace of four tasks: refused with a text, or accepted; then times
 * of a plan are found in it that do not run backwards, or the text says why not. */
#include "file_of.h"

static hn_net *net;
static struct plan *plan;
static struct model model;
static const int host[] = {0, 1, 2, 3};

static void prepare(void)
{
    static const struct request req = {.op = OP_BCAST, .ranks = 4, .bytes = 1000, .grain = 1};
    struct choice choice;
    demand(hn_net_parse("net", four_hosts, sizeof four_hosts - 1, &net) == HN_OK);
    model_of_net(&model, net, host, 4, PORT_MEDIA);
    demand(choice_parse("binomial", &choice) == HN_OK);
    demand(choice_plan(&choice, &req, &model, &plan) == HN_OK);
}

static void look_at(const struct trace *trace)
{
    struct timing timing = {0};
    int runs;
    demand(trace_plan_name(trace) != NULL);
    if (trace_timing(trace, plan, "binomial", &timing, &runs) == HN_OK) {
        demand(runs > 0 && timing.makespan >= 0);
        for (int i = 0; i < plan->first[4]; i++)
            demand(timing.spans[i].begin <= timing.spans[i].end);
    } else {
        demand(hn_error_text()[0]);
    }
    timing_free(&timing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace *trace;
    if (!plan)
        prepare();
    if (trace_open(file_of(data, size), OP_BCAST, 4, &trace) == HN_OK)
        look_at(trace);
    else
        demand(strstr(hn_error_text(), "/proc/self/fd"));
    trace_close(trace);
    return 0;
}
