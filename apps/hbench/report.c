/* report.c - `hbench report -o report.html FILE...`: combines runs in one page.
 *
 * The page (report/page.html) is self-contained: it includes the documents written by hbench -json,
 * unmodified, and a script that makes tables and plots from them.  With -hosts NETFILE it also has
 * a map of the network and timing diagrams of the plans.
 *
 * The template is part of the program (page.html as a list of bytes). It has four marks, in the
 * order in which they are replaced here: map, plans, runs, colours.
 */
#include "report.h"

#include "bench.h"
#include "fail.h"
#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

enum { DIAGRAMS_MOST = 12 }; /* of a report: each is an image inside the page */
static const char page[] = {
#include "report_page.inc"
};

/* ---- documents ---- */

/* True if a file was written by hbench -json; else wrong explains what to do. */
static bool is_run(const char *path, char *wrong, size_t room)
{
    json_object *run;

    if (json_document_read(path, &run)) {
        snprintf(wrong, room, "%s", hn_error_text());
        return false;
    }
    json_object *results = json_document_member(run, "results");
    /* Three members that only such documents have together. */
    bool good = json_document_member(run, "hosts") && json_document_member(run, "peers") &&
                json_object_is_type(results, json_type_array) &&
                json_object_array_length(results) > 0;
    json_object_put(run);
    if (!good)
        snprintf(wrong, room,
                 "%s:1: there are no results in it: give what hbench -json has written", path);
    return good;
}

/* ---- the page ---- */

/* A document inside a script must not contain "<"; in JSON it occurs only in strings. */
static void print_document(const char *path, const char *text, FILE *out)
{
    fputs("<script type=\"application/json\" class=\"run\" data-name=\"", out);
    /* Quotes and other special characters of the name are escaped. */
    picture_text(out, path);
    fputs("\">", out);
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", out);
        else
            putc(*text, out);
    fputs("</script>\n", out);
}

/* Prints the timing diagrams of all runs. */
static int print_plans(const struct command *o, const hn_net *net, FILE *out)
{
    int left = DIAGRAMS_MOST, error = HN_OK;

    fputs("<h2 id=\"plans\">Plans</h2>\n<p>Of each operation and size the quickest plan that was "
          "measured.</p>\n",
          out);
    for (int i = 0; i < o->files && !error; i++) {
        json_object *run;
        error = json_document_read(o->file[i], &run);
        error = error ? error : report_diagrams(net, run, &left, out);
        /* NULL is allowed, after a file that could not be read. */
        json_object_put(run);
    }
    return error;
}

/* Each document is loaded again, as text: the page contains what hbench wrote, byte by byte. */
static bool print_documents(const struct command *o, FILE *out)
{
    for (int i = 0; i < o->files; i++) {
        char *text;
        size_t length;
        /* is_run() has checked it when the command was read. */
        if (lines_load(o->file[i], &text, &length))
            return fail_hn("report");
        print_document(o->file[i], text, out);
        free(text);
    }
    return true;
}

/* Prints the page up to a mark.  Returns what follows the mark. */
static const char *print_until(const char *from, const char *mark, FILE *out)
{
    /* The mark exists: the template is compiled in, and its marks are fixed. */
    const char *at = strstr(from, mark);

    fwrite(from, 1, (size_t)(at - from), out);
    return at + strlen(mark);
}

/* Prints the colours as script literals: "#...","#...". */
static void print_colours(FILE *out)
{
    char text[PICTURE_COLOUR_ROOM];

    for (int i = 0; i < PICTURE_COLOURS; i++)
        fprintf(out, "%s\"%s\"", i ? ", " : "", picture_colour(i, 0, text));
}

/* The template has marks for the parts that depend on the runs.  After an error the rest of the
 * page is printed as well, and replace_close() discards it. */
static bool print_page(const struct command *o, FILE *out)
{
    hn_net *net = NULL;
    if (o->hosts && hn_net_read(o->hosts, &net) != HN_OK)
        return fail_hn("-hosts");

    const char *rest = print_until(page, "<!--MAP-->", out);
    /* Without -hosts these parts of the page stay empty. */
    int error = net ? report_map(net, o->hosts, out) : HN_OK;
    rest = print_until(rest, "<!--PLANS-->", out);
    error = net && !error ? print_plans(o, net, out) : error;
    hn_net_free(net);
    rest = print_until(rest, "<!--RUNS-->", out);
    bool good = error ? fail("report", hn_strerror(error)) : print_documents(o, out);
    rest = print_until(rest, "/*COLOURS*/", out);
    print_colours(out);
    fputs(rest, out);
    return good;
}

/* The page is written beside its name, and replaces an older one only if it is complete. */
static bool run_report(const struct command *o, struct results *results)
{
    struct replacement out;

    (void)results;
    if (replace_open(&out, o->output))
        return fail_hn("report");
    /* A page that fails is not left behind: replace_close() removes it. */
    bool good = print_page(o, out.file);
    return replace_close(&out, good ? HN_OK : HN_EARG) == HN_OK || (good && fail_hn("report"));
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    if (hn_size() > 1)
        snprintf(wrong, room, "report measures nothing: run it without hrun");
    else if (!o->output || o->files == 0)
        snprintf(wrong, room,
                 "report: give the page's name and the runs: hbench report -o "
                 "report.html bcast.json p2p.json");
    else {
        for (int i = 0; i < o->files; i++)
            if (!is_run(o->file[i], wrong, room))
                return false;
        return true;
    }
    return false;
}

const struct bench bench_report = {
    "report",    "gathers runs with -json into one page; not under hrun",
    " hosts o ", 1,
    run_report,  NULL,
    suits};
