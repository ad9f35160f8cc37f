/* report_pictures.c - map and timing diagrams in a report (report.h): hprobe's and hplan's
 * drawings, each in a tree of its own inside the page, so that their style sheets do not meet.
 */
#include "report.h"

#include "coll/internal.h"
#include "json.h"
#include "probe/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLE = 8, NAME_ROOM = 256 };

static void begin_picture(FILE *out)
{
    fputs("<figure><div><template shadowrootmode=\"open\">\n"
          "<style>svg { max-width: 100%; height: auto; }</style>\n",
          out);
}

static void end_picture(const char *caption, FILE *out)
{
    fprintf(out, "</template></div><figcaption>%s</figcaption></figure>\n", caption);
}

int report_map(const hn_net *net, const char *title, FILE *out)
{
    int error;

    fputs("<h2>Network</h2>\n", out);
    begin_picture(out);
    error = net_draw(net, title, out);
    end_picture("Subnets with their hosts and medium, links with latency and rate.", out);
    return error;
}

/* ---- timing diagrams ---- */

/* The hosts of a document as numbers in the network file, one a task; NULL: another network's, or
 * several tasks on a host. */
static int *hosts_of(const hn_net *net, const char *document, int *n)
{
    double tasks = json_number(json_member(document, "tasks"));
    int *host = calloc((size_t)hn_net_size(net), sizeof *host);
    char name[NAME_ROOM];

    *n = 0;
    for (const char *h = json_first(json_member(document, "hosts")); host && h; h = json_next(h)) {
        int found = json_word(h, name, sizeof name) ? hn_net_host_index(net, name) : -1;
        if (found < 0 || *n == hn_net_size(net)) {
            free(host);
            return NULL;
        }
        host[(*n)++] = found;
    }
    if (!host || *n != tasks || *n < 2) {
        free(host);
        return NULL;
    }
    return host;
}

static bool same_word(const char *value, const char *other)
{
    char a[NAME_ROOM], b[NAME_ROOM];

    return json_word(value, a, sizeof a) && json_word(other, b, sizeof b) && strcmp(a, b) == 0;
}

static bool same_case(const char *a, const char *b)
{
    return same_word(json_member(a, "bench"), json_member(b, "bench")) &&
           json_number(json_member(a, "bytes")) == json_number(json_member(b, "bytes"));
}

/* Whether a result is the first quickest one of its operation and size. */
static bool is_quickest(const char *result, const char *first)
{
    double median = json_number(json_member(result, "median"));
    bool before = true;

    for (const char *r = first; r; r = json_next(r)) {
        double other = json_number(json_member(r, "median"));
        if (r == result)
            before = false;
        else if (same_case(r, result) && (other < median || (before && other == median)))
            return false;
    }
    return true;
}

static int draw_case(const struct model *model, const char *const *names, const char *result,
                     FILE *out)
{
    char bench[NAME_ROOM], plan_name[NAME_ROOM], title[2 * NAME_ROOM + 64];
    struct request req = {.ranks = model->ranks, .grain = 1};
    struct choice choice;
    struct plan *plan = NULL;
    struct timing timing = {0};
    int error;

    if (!json_word(json_member(result, "bench"), bench, sizeof bench) ||
        !json_word(json_member(result, "plan"), plan_name, sizeof plan_name) ||
        (req.op = operation_named(bench)) == OP_COUNT || choice_parse(plan_name, &choice))
        return HN_EPLAN;
    req.bytes = (int64_t)json_number(json_member(result, "bytes"));
    if (strstr(bench, "reduce") && req.bytes % DOUBLE == 0)
        req.grain = DOUBLE;
    error = choice_plan(&choice, &req, model, &plan);
    error = error ? error : plan_simulate(plan, model, &timing);
    if (!error) {
        snprintf(title, sizeof title, "%s of %" PRId64 " bytes by %s, as the model sees it", bench,
                 req.bytes, plan_name);
        struct drawing drawing = {
            .title = title, .names = names, .plan = plan, .timing = &timing, .model = model};
        begin_picture(out);
        error = draw_timing(&drawing, out);
        end_picture("Hosts and the media between them; point at anything for its details.", out);
    }
    timing_free(&timing);
    plan_free(plan);
    return error;
}

int report_diagrams(const hn_net *net, const char *document, int *left, FILE *out)
{
    const char *first = json_first(json_member(document, "results"));
    struct model model;
    int n, error = HN_OK, *host = hosts_of(net, document, &n);
    const char **names = host ? calloc((size_t)n, sizeof *names) : NULL;

    if (names) {
        for (int i = 0; i < n; i++)
            names[i] = hn_net_host_name(net, host[i]);
        model_of_net(&model, net, host, n, PORT_MEDIA);
    }
    for (const char *r = first; names && r && *left > 0 && !error; r = json_next(r)) {
        if (!is_quickest(r, first))
            continue;
        error = draw_case(&model, names, r, out);
        *left -= error == HN_OK;
        error = error == HN_EPLAN ? HN_OK : error; /* nothing that has a plan: p2p, hmd */
    }
    free(names);
    free(host);
    return error;
}
