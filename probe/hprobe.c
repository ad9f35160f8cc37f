/* hprobe.c - the tool: measures a network, shows one, draws one (docs/hprobe.md). */
#include "error.h"
#include "net.h"
#include "net_show.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *show, *draw, *out;
    bool json;
};

static int take_show(void *to, const char *value)
{
    ((struct request *)to)->show = value;
    return HN_OK;
}

static int take_draw(void *to, const char *value)
{
    ((struct request *)to)->draw = value;
    return HN_OK;
}

static int take_out(void *to, const char *value)
{
    ((struct request *)to)->out = value;
    return HN_OK;
}

static int take_json(void *to, const char *value)
{
    (void)value;
    ((struct request *)to)->json = true;
    return HN_OK;
}

static const struct option_row rows[] = {
    {"show", "NETFILE", "print a network: hosts, subnets, latencies", take_show},
    {"draw", "NETFILE", "draw a network as SVG", take_draw},
    {"o", "FILE", "where to write; standard output when left out", take_out},
    {"json", NULL, "print one JSON document instead of text", take_json},
};

static const struct option_table table = {
    .tool = "hprobe",
    .usage = "hprobe -show NETFILE [-json]\n       hprobe -draw NETFILE -o map.svg",
    .about = "Measures, shows and draws networks.",
    .row = rows,
    .n = sizeof rows / sizeof *rows,
};

static int wrong(const char *text)
{
    fprintf(stderr, "hprobe: %s: see hprobe --help\n", text);
    return 2;
}

/* The exit status for an error of the library; says what it was. */
static int failed(int code)
{
    fprintf(stderr, "hprobe: %s\n", hn_error_text());
    return code == HN_ESYNTAX || code == HN_EARG || code == HN_ESYS ? 2 : 1;
}

static int print(const struct request *request, const hn_net *net, FILE *file)
{
    if (request->draw)
        return net_draw(net, request->draw, file);
    if (request->json)
        net_json(net, file);
    else
        net_show(net, request->show, file);
    return HN_OK;
}

static int show(const struct request *request)
{
    hn_net *net;
    FILE *file = stdout;
    int code = hn_net_read(request->show ? request->show : request->draw, &net);
    if (code < 0)
        return failed(code);
    if (request->out && strcmp(request->out, "-") != 0)
        file = fopen(request->out, "we");
    if (file)
        code = print(request, net, file);
    if (!file || ferror(file) || (file == stdout ? fflush(file) : fclose(file)) != 0)
        code = error_set(HN_ELINK, "%s: cannot be written: %s",
                         request->out ? request->out : "standard output", strerror(errno));
    hn_net_free(net);
    return code < 0 ? failed(code) : 0;
}

int main(int argc, char **argv)
{
    struct request request = {0};
    int next = options_parse(&table, argc, argv, &request);
    if (next == OPTIONS_HELP)
        options_help(&table, stdout);
    if (next == OPTIONS_VERSION)
        puts("hprobe " HNOW_VERSION);
    if (next == OPTIONS_HELP || next == OPTIONS_VERSION)
        return 0;
    if (next < 0)
        return failed(HN_EARG);
    if (next < argc)
        return wrong("there is a word too much");
    if (!request.show == !request.draw)
        return wrong("give one of -show and -draw");
    return show(&request);
}
