/* hprobe.c - the tool: measures a network, shows one, draws one (docs/hprobe.md). */
#include "error.h"
#include "net.h"
#include "net_show.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_number { OPTION_SHOW, OPTION_DRAW, OPTION_OUT, OPTION_JSON };

static const struct option table[] = {
    {"show", "NETFILE", "print a network: hosts, subnets, latencies"},
    {"draw", "NETFILE", "draw a network as SVG"},
    {"o", "FILE", "where to write (standard output when left out)"},
    {"json", NULL, "print one JSON document instead of text"},
    {0},
};

struct request {
    const char *show, *draw, *out;
    bool json;
};

static int read_options(int argc, char **argv, struct request *request)
{
    struct options options = {
        .tool = "hprobe",
        .synopsis = "hprobe -show NETFILE [-json]\n       hprobe -draw NETFILE -o map.svg",
        .table = table,
        .argc = argc,
        .argv = argv,
        .at = 1};
    int option;
    while ((option = options_next(&options)) >= 0)
        switch ((enum option_number)option) {
        case OPTION_SHOW:
            request->show = options.value;
            break;
        case OPTION_DRAW:
            request->draw = options.value;
            break;
        case OPTION_OUT:
            request->out = options.value;
            break;
        case OPTION_JSON:
            request->json = true;
            break;
        }
    if (option != OPTIONS_END)
        return option;
    if (options.at < argc)
        return options_wrong(&options, "\"%s\" is too much: see hprobe --help", argv[options.at]);
    if (!request->show == !request->draw)
        return options_wrong(&options, "nothing to do: give one of -show, -draw (see --help)");
    return 0;
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
    int code = read_options(argc, argv, &request);
    if (code < 0)
        return code == OPTIONS_DONE ? 0 : 2;
    return show(&request);
}
