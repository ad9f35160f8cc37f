/* report_pictures.c - map and timing diagrams in a report (report.h).
 *
 * They are drawings of hprobe and hplan, each in a shadow tree of its own, so that their style
 * sheets do not conflict.
 *
 * Nothing is measured or predicted differently here: the plan is made again by the library from
 * its name, and simulated with the network file.
 */
#include "report.h"

#include "coll/internal.h"
#include "probe/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLE = 8, TITLE_ROOM = 512 }; /* bytes */

/* The shadow root keeps the drawing's style from the page, and the page's from it. */
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

    fputs("<h2>Network</h2>\n", out);
    begin_picture(out);
    int error = net_draw(net, title, out);
    end_picture("Subnets with their hosts and medium, links with latency and rate.", out);
    return error;
}

/* ---- timing diagrams ---- */

/* Returns the host numbers of a document's tasks in the network file; NULL: another network, or
 * several tasks on a host. The caller frees it. */
static int *hosts_of(const hn_net *net, json_object *document, int *n)
{
    json_object *names = json_document_member(document, "hosts");
    int size =
        json_object_is_type(names, json_type_array) ? (int)json_object_array_length(names) : 0;
    /* One more, so that a document without hosts has memory as well. */
    int *host = calloc((size_t)size + 1, sizeof *host);
    /* With as many hosts as tasks, task i is on host i. */
    bool known = host && size > 1 && size == json_document_number(document, "tasks");

    for (int i = 0; known && i < size; i++) {
        const char *name = json_object_get_string(json_object_array_get_idx(names, (size_t)i));
        host[i] = name ? hn_net_host_index(net, name) : -1;
        known = host[i] >= 0;
    }
    *n = size;
    if (known)
        return host;
    free(host);
    return NULL;
}

/* Plans are not compared: they are what differs within a case. */
static bool same_case(json_object *a, json_object *b)
{
    return strcmp(json_document_text(a, "bench"), json_document_text(b, "bench")) == 0 &&
           json_document_number(a, "bytes") == json_document_number(b, "bytes");
}

/* True if a result is the first fastest one of its operation and size. One diagram for each
 * operation and size. All plans would make a page that nobody reads, and the fastest one is the
 * plan that a reader asks about. */
static bool is_quickest(json_object *results, size_t at)
{
    json_object *result = json_object_array_get_idx(results, at);
    double median = json_document_number(result, "median");

    for (size_t i = 0; i < json_object_array_length(results); i++) {
        json_object *r = json_object_array_get_idx(results, i);
        double other = json_document_number(r, "median");
        if (i != at && same_case(r, result) && (other < median || (i < at && other == median)))
            return false;
    }
    return true;
}

/* Draws one plan as the model predicts it.  HN_EPLAN: the case has no plan, or one that this
 * version does not know. */
static int draw_case(const struct model *model, const char *const *names, json_object *result,
                     FILE *out)
{
    const char *bench = json_document_text(result, "bench");
    const char *plan_name = json_document_text(result, "plan");
    char title[TITLE_ROOM];
    struct request req = {.ranks = model->ranks, .grain = 1};
    struct choice choice;
    struct plan *plan = NULL;
    struct timing timing = {0};

    if ((req.op = operation_named(bench)) == OP_COUNT || choice_parse(plan_name, &choice))
        return HN_EPLAN;
    req.bytes = (int64_t)json_document_number(result, "bytes");
    /* hbench sums doubles where the size allows (collective_elements()), and plans depend on the
     * element size. */
    if (strstr(bench, "reduce") && req.bytes % DOUBLE == 0)
        req.grain = DOUBLE;
    /* The plan is owned here, and freed below in any case. */
    int error = choice_plan(&choice, &req, model, &plan);
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

/* *left: diagrams that the page may still get, over all documents.  A document of another network
 * is skipped without an error. */
int report_diagrams(const hn_net *net, json_object *document, int *left, FILE *out)
{
    json_object *results = json_document_member(document, "results");
    struct model model;
    int n, error = HN_OK, *host = hosts_of(net, document, &n);
    const char **names = host ? calloc((size_t)n, sizeof *names) : NULL;
    size_t count = names ? json_object_array_length(results) : 0;

    if (names) {
        for (int i = 0; i < n; i++)
            names[i] = hn_net_host_name(net, host[i]);
        model_of_net(&model, net, host, n, PORT_MEDIA);
    }
    for (size_t i = 0; i<count && * left> 0 && !error; i++) {
        if (!is_quickest(results, i))
            continue;
        /* Plans of one document share a model: its hosts are the same. */
        error = draw_case(&model, names, json_object_array_get_idx(results, i), out);
        *left -= error == HN_OK;
        error = error == HN_EPLAN ? HN_OK : error; /* no plan to draw: p2p, hmd */
    }
    free(names);
    free(host);
    return error;
}
