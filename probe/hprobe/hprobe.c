/* hprobe.c - the command-line tool: measures, shows and draws networks (docs/hprobe.md). Three
 * actions, of which exactly one is chosen: measure (hprobe_measure.c), show, draw. -as-task is the
 * fourth, for hprobe itself, when hrun has started it on a host.
 *
 * Exit status: 0 done, 1 the measurement is incomplete or failed, 2 a wrong option or file.
 */
#include "net/net.h"
#include "net/net_show.h"
#include "hprobe/hprobe_measure.h"
#include "thresholds.h"

#include <stdio.h>

/* What the user asked for. Texts belong to argv. */
struct request {
    const char *show, *draw;
    bool as_task;
    struct measure_request measure; /* out and json apply to all three actions */
};

/* Millionths; at most 1000, which puts all hosts into one subnet. */
static int take_tolerance(void *to, const char *value)
{
    int64_t *tolerance = &((struct request *)to)->measure.tolerance;
    if (decimal_parse(value, 1000000000, tolerance))
        return HN_OK;
    return error_set(HN_EARG, "-tolerance %s: give a fraction such as 0.20", value);
}

/* In the order of --help. Numbers in brackets are defaults, set in run(). */
static const struct option_row rows[] = {
    {"hosts", "FILE|LIST", "measure the network of these hosts (as hrun -hosts)",
     OPTION_TEXT(request, measure.hosts)},
    {"stage", NULL, "copy hprobe to hosts that lack hnow (as hrun -stage)",
     OPTION_SET(request, measure.stage)},
    {"passes", "N", "repeat the round trips; the minimum counts (3)",
     OPTION_NUMBER(request, measure.plan.passes, 1, 1000)},
    {"tolerance", "F", "hosts of a subnet differ by less than this (0.20)", take_tolerance},
    {"quick", NULL, "latencies, and one rate for each subnet and link",
     OPTION_SET(request, measure.plan.quick)},
    {"raw", "FILE", "keep the single measurements, too", OPTION_TEXT(request, measure.raw)},
    {"show", "NETFILE", "print a network: hosts, subnets, latencies", OPTION_TEXT(request, show)},
    {"draw", "NETFILE", "draw a network as SVG", OPTION_TEXT(request, draw)},
    {"o", "FILE", "where to write; standard output when left out",
     OPTION_TEXT(request, measure.out)},
    {"json", NULL, "print one JSON document", OPTION_SET(request, measure.json)},
    {"as-task", NULL, "(how hprobe starts itself on the hosts)", OPTION_SET(request, as_task)},
};

static const struct option_table table = {
    .tool = "hprobe",
    .usage = "hprobe -hosts FILE -o NETFILE [-stage] [-passes N] [-tolerance F] [-quick] [-json]\n"
             "       hprobe -show NETFILE [-json]\n       hprobe -draw NETFILE -o map.svg",
    .about = "Measures, shows and draws networks.",
    .row = rows,
    .n = sizeof rows / sizeof *rows,
};

/* A wrong use: exit status 2. */
static int wrong(const char *text)
{
    fprintf(stderr, "hprobe: %s: see hprobe --help\n", text);
    return 2;
}

/* -as-task PASSES QUICK, from hprobe_measure.c. Both numbers come from this program, so a mistake
 * means that a user typed -as-task. As a task it reports to rank 0 of its job, whose output the
 * first hprobe reads. */
static int run_task(int argc, char **argv)
{
    long passes, quick;
    if (argc != 2 || options_number(argv[0], 1, 1000, &passes) < 0 ||
        options_number(argv[1], 0, 1, &quick) < 0)
        return wrong("-as-task is for hprobe itself");
    struct measurement_plan plan = {
        .passes = (int)passes, .quick = quick, .message_ms = RATE_MESSAGE_MS};
    return measure_as_task(&plan);
}

/* Prints the library's error. Returns the exit status for it. */
static int failed(int code)
{
    fprintf(stderr, "hprobe: %s\n", hn_error_text());
    /* These three are faults of arguments or files; everything else is a failure. */
    return code == HN_ESYNTAX || code == HN_EARG || code == HN_ESYS ? 2 : 1;
}

/* HN_OK or an error of writing. */
static int print(const struct request *request, const hn_net *net, FILE *file)
{
    if (request->draw)
        return net_draw(net, request->draw, file);
    if (request->measure.json)
        net_json(net, file);
    else
        net_show(net, request->show, file);
    return HN_OK;
}

/* The file to be written is replaced only when all of it is complete. */
static int show(const struct request *request)
{
    hn_net *net;
    struct replacement file;
    int code = hn_net_read(request->show ? request->show : request->draw, &net);
    if (code < 0)
        return failed(code);
    /* Nothing is created before the input has been read, so a wrong file leaves an existing map
     * alone. */
    code = replace_open(&file, request->measure.out ? request->measure.out : "-");
    if (code == HN_OK)
        code = print(request, net, file.file);
    code = replace_close(&file, code);
    hn_net_free(net);
    return code < 0 ? failed(code) : 0;
}

/* Returns the exit status. */
static int run(int argc, char **argv)
{
    struct request request = {
        /* The defaults that --help names (thresholds.h). */
        .measure = {.tolerance = SUBNET_TOLERANCE, .plan = {.passes = PING_PASSES}}};
    int next = options_parse(&table, argc, argv, &request);
    if (next == OPTIONS_HELP)
        options_help(&table, stdout);
    if (next == OPTIONS_VERSION)
        puts("hprobe " HNOW_VERSION);
    if (next == OPTIONS_HELP || next == OPTIONS_VERSION)
        return 0;
    if (next < 0)
        return failed(HN_EARG);
    /* A task gets no file and no standard input; its two words follow the option. */
    if (request.as_task)
        return run_task(argc - next, argv + next);
    if (next < argc)
        return wrong("there is a word too much");
    /* Each ! is 1 for an action that was not given. */
    if (!request.measure.hosts + !request.show + !request.draw != 2)
        return wrong("give one of -hosts, -show and -draw");
    return request.measure.hosts ? measure_network(&request.measure) : show(&request);
}

int main(int argc, char **argv)
{
    /* A full disk or a closed pipe must give an error message and an exit status, not a silent end.
     */
    signals_begin();
    printed_begin();
    return printed_status("hprobe", run(argc, argv));
}
