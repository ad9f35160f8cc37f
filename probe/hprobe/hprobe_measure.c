/* hprobe_measure.c - starts hprobe on all hosts under hrun, reads the samples, writes the model.
 *
 *     hprobe  --exec-->  hrun -map h1,h2,...  --spawns-->  hprobe -as-task   (one on each host)
 *        ^                                                      |
 *        +------------- standard output of rank 0 --------------+
 *
 * Normal case: rank 0 writes samples and progress, then "end"; hrun exits with 0.  If a host is
 * lost, rank 0 continues without it and reports it at the end. hprobe then writes the rest and
 * exits with status 1.  If hrun cannot start the job, hrun prints the reason, and nothing is
 * written.
 *
 * A virtual machine also measures the processor time that others take from it.  This is usually
 * temporary.  So if others took much, the measurement is repeated, several times, and the least
 * disturbed one counts. The job is a process of its own and not a part of this one: hrun's end, in
 * whatever way, is the end of a stream here. Only rank 0's text crosses the border, so a host's
 * failure cannot damage more than one measurement.
 *
 * Ranks are hosts without standby ones; host[] translates. An incomplete measurement writes no
 * network file. The raw file has all samples, also those of a measurement that was dropped.
 */
#include "hprobe/hprobe_measure.h"
#include "derive/derive.h"
#include "hnow.h"
#include "net/net_show.h"
#include "thresholds.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Pairs of ranks: without a route between them, or with one through the agents. The lower rank is
 * first in each pair. */
struct routes {
    int (*pair)[2];
    int count;
};

/* The rank that lost most of its processors' time to others, and how much: thousandths. */
struct lack {
    int rank, part;
};

/* The results of one measurement. Freed as a whole by findings_free(), since a repeated measurement
 * begins with new ones. */
struct findings {
    struct samples samples;
    bool *lost; /* [rank] */
    int *twin;  /* [rank]: the rank of the same machine under another name; -1: none */
    struct routes cut, relayed;
    struct lack steal_time;
    bool complete; /* rank 0 has written "end" */
};

/* One run of hprobe -hosts. */
struct measuring {
    const struct measure_request *request;
    hn_net *net;
    int n;
    int *host; /* [rank] -> host of the model */
    struct findings found;
    struct replacement raw; /* replaces an older file with the first sample */
    /* Progress is shown only then. */
    bool terminal; /* stderr is a terminal */
    int64_t begin; /* clock_now() */
};

/* Prints an error; returns the exit status for it. */
static int complain(const char *text)
{
    fprintf(stderr, "hprobe: %s\n", text);
    return 1;
}

/* ---- starting ----------------------------------------------------------------------------- */

/* Finds the hrun next to this program; false: there is none. A hrun elsewhere on the PATH may be of
 * another version. */
static bool find_hrun(const char *self, char hrun[PATH_MAX])
{
    int directory = self ? (int)(strrchr(self, '/') - self) : 0;
    return self && snprintf(hrun, PATH_MAX, "%.*s/hrun", directory, self) < PATH_MAX &&
           search_is_program(hrun);
}

/* Returns "h1,h2,...": one task for each host, in the order of the file; the caller frees it. NULL:
 * out of memory. */
static char *host_map(const struct measuring *m)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return NULL;
    for (int rank = 0; rank < m->n; rank++)
        fprintf(file, rank ? ",%s" : "%s", hn_net_host_name(m->net, m->host[rank]));
    return fclose(file) == 0 ? text : NULL;
}

/* In the new process. -on-failure notify: the loss of a host does not end the job, but is a
 * result. It never returns. `map` and the request are the parent's memory, of which fork() has made
 * a copy. */
static void run_hrun(const struct measuring *m, const char *map, int out)
{
    const struct measurement_plan *plan = &m->request->plan;
    char *self = search_self(), hrun[PATH_MAX], count[16], passes[16], quick[16];
    if (!find_hrun(self, hrun)) {
        complain("there is no hrun beside this program: install both into one directory");
        _exit(1);
    }
    snprintf(count, sizeof count, "%d", m->n);
    snprintf(passes, sizeof passes, "%d", plan->passes);
    snprintf(quick, sizeof quick, "%d", plan->quick);
    const char *argv[] = {hrun,   "-stage", "-hosts", m->request->hosts, "-map",   map,  "-np",
                          count,  "-stdin", "none",   "-on-failure",     "notify", self, "-as-task",
                          passes, quick,    NULL};
    /* Without -stage the list begins one place later. */
    const char **first = argv + !m->request->stage;
    first[0] = hrun;
    /* The descriptor of the pipe itself is closed by execv() (O_CLOEXEC), so rank 0's end is its
     * only writer. */
    dup2(out, STDOUT_FILENO);
    execv(hrun, (char *const *)first);
    fprintf(stderr, "hprobe: %s cannot be run: %s\n", hrun, strerror(errno));
    _exit(1);
}

/* Starts hrun.  Returns its process id, and its standard output as *output; -1 on failure. */
static pid_t start(const struct measuring *m, FILE **output)
{
    int ends[2];
    char *map = host_map(m);
    if (!map || pipe2(ends, O_CLOEXEC) < 0) {
        free(map);
        return -1;
    }
    /* otherwise the new process would write buffered output a second time */
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run_hrun(m, map, ends[1]);
    free(map);
    /* If this end stayed open, reading would never find the end of the stream. */
    close(ends[1]);
    *output = pid > 0 ? fdopen(ends[0], "r") : NULL;
    if (!*output)
        close(ends[0]);
    return pid;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Since the start of hprobe, so a repeated measurement counts all before it. */
static double seconds_so_far(const struct measuring *m)
{
    return (double)(clock_now() - m->begin) * 1e-9;
}

/* Erases the bar before other text is printed; in a file there is none. */
static void clear_line(const struct measuring *m)
{
    if (m->terminal)
        fputs("\r\033[K", stderr);
}

/* Only on a terminal, and never in a file. The estimate assumes that remaining steps take as long
 * as those done. */
static void show_progress(const struct measuring *m, const char *line)
{
    enum { WIDTH = 30 }; /* letters: leaves room for numbers and a label in 80 columns */
    int done, total, used;
    char bar[WIDTH + 1];
    if (!m->terminal || sscanf(line, "progress %d %d %n", &done, &total, &used) != 2 || done < 1 ||
        total < done)
        return;
    double left = seconds_so_far(m) * (total - done) / done;
    int full = (int)((int64_t)WIDTH * done / total);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = 0;
    /* The line replaces itself: \r begins it again, and the escape sequence erases what remains of
     * a longer one. */
    fprintf(stderr, "\rhprobe: [%s] %d/%d %.*s, %.0f s left \033[K", bar, done, total,
            (int)strcspn(line + used, "\n"), line + used, left);
}

/* Adds a pair of ranks to a list. */
static int add_route(struct routes *routes, int a, int b)
{
    if (!ARRAY_ROOM(routes->pair, routes->count + 1))
        return error_set(HN_ENOMEM, "no memory for the pairs that are cut, or relayed");
    routes->pair[routes->count][0] = a;
    routes->pair[routes->count++][1] = b;
    return HN_OK;
}

/* Pairs are written with the lower rank first; anything else is a damaged line. */
static bool is_pair(const struct measuring *m, int a, int b)
{
    return a >= 0 && a < b && b < m->n;
}

/* Interprets one line of rank 0.  Lines of no known form are taken as progress. Nothing here trusts
 * the line: numbers are checked, because it has passed a network and another program. */
static int take_line(struct measuring *m, const char *line)
{
    struct sample sample;
    int rank, other;
    /* Also lines that are not understood, so the raw file shows what rank 0 wrote. */
    if (m->raw.file)
        fputs(line, m->raw.file);
    /* a reader that follows the file finds the new one from the first line on */
    if (m->raw.beside)
        replace_commit(&m->raw);
    if (sample_parse(line, m->n, &sample))
        return samples_add(&m->found.samples, &sample);
    if (strcmp(line, "end\n") == 0)
        m->found.complete = true;
    else if (sscanf(line, "lost %d", &rank) == 1 && rank >= 0 && rank < m->n)
        m->found.lost[rank] = true;
    else if (sscanf(line, "same %d %d", &rank, &other) == 2 && other >= 0 && other < rank &&
             rank < m->n)
        m->found.twin[rank] = other;
    else if (sscanf(line, "cut %d %d", &rank, &other) == 2 && is_pair(m, rank, other))
        return add_route(&m->found.cut, rank, other);
    else if (sscanf(line, "relayed %d %d", &rank, &other) == 2 && is_pair(m, rank, other))
        return add_route(&m->found.relayed, rank, other);
    else if (sscanf(line, "stolen %d %d", &rank, &other) == 2 && rank >= 0 && rank < m->n)
        m->found.steal_time = (struct lack){rank, other};
    else
        show_progress(m, line);
    return HN_OK;
}

/* Everything has been read; a hanging host must not keep hrun waiting. Without losses hrun ends by
 * itself as soon as all tasks have. patience_ms: how long to wait for that. Afterwards SIGTERM
 * makes hrun end the job. */
static void end_hrun(pid_t pid, int patience_ms)
{
    enum { STEP_MS = 20 }; /* polling interval: the longest needless wait */
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000};
    for (int waited = 0; waited < patience_ms; waited += STEP_MS) {
        if (waitpid(pid, NULL, WNOHANG) == pid)
            return;
        nanosleep(&step, NULL);
    }
    kill(pid, SIGTERM);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Whether a host has stopped answering during the measurement. */
static bool any_lost(const struct measuring *m)
{
    bool any = false;
    for (int rank = 0; rank < m->n; rank++)
        any |= m->found.lost[rank];
    return any;
}

/* Reads until "end". Without it the measurement is incomplete, and nothing is kept. */
static int read_samples(struct measuring *m)
{
    FILE *output = NULL;
    char *line = NULL;
    size_t room = 0;
    int code = HN_OK;
    pid_t pid = start(m, &output);
    if (pid < 0 || !output) {
        code = error_set(HN_ESYS, "hrun cannot be started: %s", strerror(errno));
        if (pid > 0)
            end_hrun(pid, 0);
        return code;
    }
    /* "end" ends the loop before the stream does: hrun may still wait for a lost host. */
    while (code == HN_OK && !m->found.complete && getline(&line, &room, output) >= 0)
        code = take_line(m, line);
    clear_line(m);
    free(line);
    /* All that is wanted was read; the rest of the output is dropped. */
    fclose(output);
    /* Without "end" hrun has ended already, or never will. With losses hrun may wait in vain for
     * the host, so half a second must be enough. */
    end_hrun(pid, !m->found.complete ? 0 : any_lost(m) || m->found.cut.count ? 500 : 3000);
    if (code == HN_OK && !m->found.complete)
        code = error_set(HN_EJOB, "the measurement broke off: nothing is written");
    return code;
}

/* Also frees findings whose findings_begin() has failed; afterwards they are empty. */
static void findings_free(struct findings *found)
{
    samples_free(&found->samples);
    free(found->lost);
    free(found->twin);
    free(found->cut.pair);
    free(found->relayed.pair);
    *found = (struct findings){0};
}

/* HN_OK, or HN_ENOMEM with its text; findings_free() frees both. */
static int findings_begin(struct findings *found, int n)
{
    *found = (struct findings){.lost = calloc((size_t)n, sizeof *found->lost),
                               .twin = malloc((size_t)n * sizeof *found->twin)};
    if (!found->lost || !found->twin)
        return error_set(HN_ENOMEM, "no memory for %d hosts", n);
    for (int rank = 0; rank < n; rank++)
        found->twin[rank] = -1;
    return HN_OK;
}

/* Rounded to percent. then: what follows from it, for the user. */
static void report_steal_time(const struct measuring *m, const char *then)
{
    fprintf(stderr,
            "hprobe: others took %d %% of the processors of %s, a virtual machine, meanwhile: %s\n",
            (m->found.steal_time.part + 5) / 10,
            hn_net_host_name(m->net, m->host[m->found.steal_time.rank]), then);
}

/* True if repeating may give a better result; long measurements are not repeated. With a lost host
 * or a cut route a repetition would take its time-outs again. */
static bool was_disturbed(const struct measuring *m)
{
    return m->found.steal_time.part >= STEAL_MUCH && !any_lost(m) && !m->found.cut.count &&
           seconds_so_far(m) < STEAL_PATIENCE_S;
}

/* Measures, and measures again if disturbed; keeps the least disturbed result. The samples of
 * several measurements are not mixed: the minimum of both would join the costs of two states of the
 * machine. */
static int measure(struct measuring *m)
{
    int code = read_samples(m);
    for (int times = 1; code == HN_OK && times < STEAL_TIMES && was_disturbed(m); times++) {
        /* The older findings are kept apart until both can be compared; afterwards one of them is
         * freed, also on an error. */
        struct findings before = m->found;
        report_steal_time(m, "measuring again");
        /* A reader of the raw file must not join the samples of both measurements. */
        if (m->raw.file)
            fputs("again\n", m->raw.file);
        code = findings_begin(&m->found, m->n);
        if (code == HN_OK)
            code = read_samples(m);
        /* An equally disturbed repetition is no gain, so the first one is kept. */
        bool worse = code == HN_OK && m->found.steal_time.part >= before.steal_time.part;
        struct findings other = worse ? m->found : before;
        m->found = worse ? before : m->found;
        findings_free(&other);
    }
    return code;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Names of hosts and pairs, as in the file; NULL: there are none (or out of memory). */
static char *names_text(struct measuring *m, const bool *listed, const struct routes *routes)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    const char *between = "";
    if (!file)
        return NULL;
    for (int rank = 0; listed && rank < m->n; rank++)
        if (listed[rank]) {
            fprintf(file, "%s%s", between, hn_net_host_name(m->net, m->host[rank]));
            between = " ";
        }
    for (int i = 0; i < routes->count; i++) {
        fprintf(file, "%s%s:%s", between, hn_net_host_name(m->net, m->host[routes->pair[i][0]]),
                hn_net_host_name(m->net, m->host[routes->pair[i][1]]));
        between = " ";
    }
    fclose(file);
    /* The text lives as long as the model, whose origin refers to it. arena_strdup() may fail; then
     * the origin lacks this part, and the costs are still right. */
    char *kept = *text ? arena_strdup(&m->net->arena, text) : NULL;
    free(text);
    return kept;
}

/* A second name of a machine gets the costs and the subnet of the first one. Its own costs would be
 * those of messages inside one machine. */
static int join_twins(struct measuring *m)
{
    /* A twin has a lower rank, and no twin itself, so one step is enough. */
    for (int rank = 0; rank < m->n; rank++)
        if (m->found.twin[rank] >= 0) {
            struct net_host *host = m->net->host;
            host[m->host[rank]].cost = host[m->host[m->found.twin[rank]]].cost;
            host[m->host[rank]].subnet = host[m->host[m->found.twin[rank]]].subnet;
        }
    return net_regroup(m->net);
}

/* Millionths. */
static int64_t fraction(double value)
{
    /* At most 1000, the limit of the file's format (record.c). */
    return (int64_t)(fmin(value, 1000) * 1e6);
}

/* Says in the file when, by which version and how well the network was measured. A lack of memory
 * leaves a part of it out. */
static void set_origin(struct measuring *m, const struct derive_notes *notes)
{
    static char by[] = "hprobe " HNOW_VERSION;
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    /* UTC, so files from different places compare as text. */
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    m->net->origin = (struct net_origin){.measured = arena_strdup(&m->net->arena, text),
                                         .by = by,
                                         .passes = m->request->plan.passes,
                                         .tolerance = m->request->tolerance,
                                         .residual = fraction(notes->residual),
                                         .worst = fraction(notes->worst),
                                         .missing = names_text(m, m->found.lost, &m->found.cut),
                                         .relayed = names_text(m, NULL, &m->found.relayed)};
}

/* Copies the file's model before parts of it are replaced. A network file contains the whole model,
 * so writing and reading it makes a copy. */
static hn_net *copy_model(const hn_net *net)
{
    hn_net *copy = NULL;
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    int code = file ? net_print(net, file) : HN_ENOMEM;
    if (file && fclose(file) != 0)
        code = HN_ENOMEM;
    if (code == HN_OK)
        hn_net_parse("the file", text, length, &copy);
    free(text);
    return copy;
}

/* Merges the measurement with what the file defines for hosts that were not measured. */
static int derive(struct measuring *m, struct derive_notes *notes)
{
    /* known: hosts that the file has costs of, and that need not be measured again. */
    bool *known = calloc((size_t)m->n, sizeof *known);
    hn_net *before = known ? copy_model(m->net) : NULL;
    int code = HN_ENOMEM;
    if (before) {
        /* Hosts that need no new measurement are known by their costs; the copy has them after the
         * model's are cleared. */
        struct previous previous = {before, m->host, known};
        bool any = previous_hosts(m->net, m->host, m->n, known) > 0;
        net_forget_routes(m->net);
        code = derive_model(m->net, m->host, m->n, &m->found.samples, m->request->tolerance,
                            any ? &previous : NULL, notes);
    } else {
        error_set(HN_ENOMEM, "no memory for %d hosts", m->n);
    }
    hn_net_free(before);
    free(known);
    return code;
}

/* Completes the model and writes it to the places that the user asked for. */
static int write_model(struct measuring *m)
{
    struct derive_notes notes;
    int code = derive(m, &notes);
    /* Subnets are final before the twins join them. The origin comes last, as it counts the
     * residuals. */
    if (code < 0)
        return code;
    code = join_twins(m);
    if (code < 0)
        return code;
    set_origin(m, &notes);
    /* With -json alone the network file is not written: its text would mix with the document. */
    if (m->request->out || !m->request->json)
        code = hn_net_write(m->net, m->request->out ? m->request->out : "-");
    if (code == HN_OK && m->request->json)
        net_json(m->net, stdout);
    return code;
}

/* Prints missing hosts and relayed pairs.  Returns the number of missing items. */
static int report_lost(const struct measuring *m)
{
    int count = m->found.cut.count;
    /* The note says that the file is usable, but not exact. */
    if (m->found.steal_time.part >= STEAL_MUCH)
        report_steal_time(m, "times in the file may be too long: measure when it is idle");
    for (int i = 0; i < count; i++)
        fprintf(stderr,
                "hprobe: no message came through between %s and %s: what is between them is not in "
                "the file\n",
                hn_net_host_name(m->net, m->host[m->found.cut.pair[i][0]]),
                hn_net_host_name(m->net, m->host[m->found.cut.pair[i][1]]));
    if (m->found.relayed.count)
        fprintf(stderr,
                "hprobe: no connection could be made between the hosts of %d pairs, so the agents "
                "carry their messages: see relayed= in the file\n",
                m->found.relayed.count);
    for (int rank = 0; rank < m->n; rank++)
        if (m->found.twin[rank] >= 0)
            fprintf(stderr, "hprobe: %s is the same machine as %s: its own line has no costs\n",
                    hn_net_host_name(m->net, m->host[rank]),
                    hn_net_host_name(m->net, m->host[m->found.twin[rank]]));
    for (int rank = 0; rank < m->n; rank++)
        if (m->found.lost[rank]) {
            fprintf(stderr,
                    "hprobe: host %s was lost on the way: what it lacks is not in the file\n",
                    hn_net_host_name(m->net, m->host[rank]));
            count++;
        }
    return count;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Ranks are the hosts that are not on standby, in the order of the file. */
static int prepare(struct measuring *m, struct hosts *hosts)
{
    int code = net_from_file(hosts, &m->net);
    if (code < 0)
        return code;
    /* The arrays have room for all hosts, also those on standby, which is a few bytes too many. */
    size_t n = (size_t)hn_net_size(m->net);
    m->host = calloc(n, sizeof *m->host);
    if (!m->host)
        return error_set(HN_ENOMEM, "no memory for %zu hosts", n);
    code = findings_begin(&m->found, (int)n);
    if (code < 0)
        return code;
    for (int i = 0; i < (int)n; i++)
        if (!m->net->host[i].line.standby)
            m->host[m->n++] = i;
    if (m->n == 0)
        return error_set(HN_ESYNTAX, "%s: all hosts are on standby: leave the & out", hosts->name);
    /* The text of the error has been set by replace_open(). Opened before the measurement, so that
     * a wrong path is found at once and not after minutes. */
    if (m->request->raw && replace_open(&m->raw, m->request->raw))
        return HN_ESYNTAX;
    if (m->raw.file)
        setvbuf(m->raw.file, NULL, _IOLBF, BUFSIZ); /* a reader that follows the file sees each
                                                  sample at once */
    return HN_OK;
}

/* Frees everything.  Returns the exit status. */
static int finish(struct measuring *m, int code)
{
    /* The raw file is kept also after an error, as far as it was written: take_line() has put it in
     * place at the first line. */
    if (m->raw.file && replace_close(&m->raw, code) && code == HN_OK)
        code = error_set(HN_ESYS, "%s: not all samples could be written: is the disk full?",
                         m->request->raw);
    int status = code == HN_OK ? 0 : code == HN_ESYNTAX ? 2 : 1;
    if (code < 0)
        complain(hn_error_text());
    findings_free(&m->found);
    hn_net_free(m->net);
    free(m->host);
    return status;
}

/* 0: complete. 1: something failed or was lost. 2: a wrong argument or file. */
int measure_network(const struct measure_request *request)
{
    struct measuring m = {
        .request = request, .terminal = isatty(STDERR_FILENO), .begin = clock_now()};
    struct hosts *hosts;
    int code = hosts_open(request->hosts, &hosts);
    if (code < 0)
        /* Nothing else is open yet, so there is nothing to free. */
        return complain(hn_error_text()), 2;
    code = prepare(&m, hosts);
    if (code == HN_OK)
        code = measure(&m);
    if (code == HN_OK)
        code = write_model(&m);
    /* Losses are reported after the file has been written, and make the exit status 1. */
    int lost = code == HN_OK ? report_lost(&m) : 0;
    int status = finish(&m, code);
    return lost ? 1 : status;
}

/* The part of a task on one host. Leaving the job in order (hn_exit()) keeps hrun from reporting a
 * lost task. */
int measure_as_task(const struct measurement_plan *plan)
{
    if (hn_enrol() != HN_OK)
        return complain(hn_error_text());
    int status = measurement_task(plan, stdout);
    hn_exit();
    return status;
}
