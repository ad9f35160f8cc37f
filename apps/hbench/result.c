/* result.c - the records of all cases, and their JSON format. Texts of a result are constants of
 * the benchmarks; only plans are copied. Lists are searched linearly: a run has some hundred
 * results. */
#include "result.h"

#include "commit.h"
#include "fail.h"
#include "hnow.h"
#include "numbers.h"
#include "runtime/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

enum { TEXT = 256 }; /* bytes of a line of /proc/cpuinfo, and of names; the rest is dropped */

/* The record is complete before it is appended, so an error leaves no half of one. */
struct result *results_add(struct results *r, const char *bench, const char *peer, int64_t bytes,
                           size_t samples)
{
    struct result new = {.bench = bench, .peer = peer, .bytes = bytes};

    if (!ARRAY_ROOM(r->at, r->count + 1) || !samples_reserve(&new.samples, samples)) {
        fail("memory", "no room for the results");
        return NULL;
    }
    r->at[r->count] = new;
    /* Valid until the next one is added. */
    return &r->at[r->count++];
}

/* Strings may be NULL, which equals only itself. */
static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

const struct result *results_find(const struct results *r, const char *bench, const char *peer,
                                  int64_t bytes)
{
    /* The first one; plans of one size are not distinguished. */
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].bytes == bytes && same(r->at[i].bench, bench) && same(r->at[i].peer, peer))
            return &r->at[i];
    return NULL;
}

/* Results of results_add() are invalid afterwards. */
void results_free(struct results *r)
{
    for (size_t i = 0; i < r->count; i++)
        samples_free(&r->at[i].samples);
    free(r->at);
    *r = (struct results){0};
}

/* Further keys than RESULT_EXTRAS are dropped: a programming error, not one of the measurement. */
void result_extra(struct result *r, const char *key, double value)
{
    for (int i = 0; i < RESULT_EXTRAS; i++)
        /* The first free place, or the one with the same key. */
        if (!r->extra[i].key || same(r->extra[i].key, key)) {
            r->extra[i] = (struct extra){key, value};
            return;
        }
}

/* 0 also means that there is no such key. */
double result_extra_of(const struct result *r, const char *key)
{
    for (int i = 0; i < RESULT_EXTRAS && r->extra[i].key; i++)
        if (same(r->extra[i].key, key))
            return r->extra[i].value;
    return 0;
}

double result_median(const struct result *r)
{
    /* Sorts a copy at each call: O(n log n). */
    struct stats s;

    return samples_stats(&r->samples, &s) ? s.median : 0;
}

/* ---- JSON ---- */

/* Prints the hosts of the job, each once, in rank order. */
static void print_hosts(FILE *out)
{
    const hn_group *world = hn_world();
    const char *separator = "";

    for (int i = 0; i < hn_size(); i++) {
        /* numbers_clock() is the first rank on the same host. */
        if (numbers_clock(i) < i)
            continue;
        fputs(separator, out);
        const char *host = hn_host_of(hn_group_tid(world, i));
        json_text(out, host ? host : "");
        separator = ",";
    }
}

/* Reads the first processor name in /proc/cpuinfo, "" if none. */
static void read_cpu(char text[TEXT])
{
    char line[TEXT], *value;
    FILE *file = fopen("/proc/cpuinfo", "r");

    text[0] = '\0';
    /* The first processor is taken for all: hosts with several kinds are rare. */
    while (file && !text[0] && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && (value = strstr(line, ": ")))
            snprintf(text, TEXT, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    if (file)
        fclose(file);
}

/* With the comma that follows: another member always does. An empty text is null. */
static void print_member(const char *key, const char *text, FILE *out)
{
    fprintf(out, "\"%s\":", key);
    if (text[0])
        json_text(out, text);
    else
        fputs("null", out);
    putc(',', out);
}

/* Prints version, time (UTC) and machine of the results: this task's.  A result without them could
 * not be compared with a later one. */
static void print_origin(FILE *out)
{
    char text[TEXT];
    struct utsname kernel;
    time_t now = time(NULL);
    struct tm date;

    print_member("hnow", HNOW_VERSION, out);
    print_member("commit", COMMIT, out);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &date));
    print_member("date", text, out);
    uname(&kernel);
    snprintf(text, sizeof text, "%.60s %.60s %.60s", kernel.sysname, kernel.release,
             kernel.machine);
    print_member("kernel", text, out);
    /* Of this host. Others may differ, and are named in "hosts". */
    read_cpu(text);
    print_member("cpu", text, out);
}

/* Prints one record.  %.9g keeps a nanosecond in times of up to a second. */
static void print_result(const struct result *r, FILE *out)
{
    struct stats s;

    fputs("{", out);
    if (r->peer)
        print_member("peer", r->peer, out);
    print_member("bench", r->bench, out);
    fprintf(out, "\"bytes\":%" PRId64 ",", r->bytes);
    print_member("plan", r->plan, out);
    if (r->asked[0])
        print_member("asked", r->asked, out);
    if (samples_stats(&r->samples, &s))
        fprintf(out,
                "\"min\":%.9g,\"median\":%.9g,\"median_low\":%.9g,\"median_high\":%.9g,"
                "\"mean\":%.9g,\"p99\":%.9g,",
                s.min, s.median, s.low, s.high, s.mean, s.p99);
    fprintf(out, "\"samples\":%zu", r->samples.count);
    /* Extras in the order in which they were added. */
    for (int i = 0; i < RESULT_EXTRAS && r->extra[i].key; i++)
        fprintf(out, ",\"%s\":%.9g", r->extra[i].key, r->extra[i].value);
    putc('}', out);
}

/* Cases without samples are left out. */
static void print_list(const struct results *r, bool peers, FILE *out)
{
    const char *separator = "\n";

    for (size_t i = 0; i < r->count; i++)
        /* hnow's results and those of peers are two lists in the document. */
        if ((r->at[i].peer != NULL) == peers && r->at[i].samples.count > 0) {
            fputs(separator, out);
            print_result(&r->at[i], out);
            separator = ",\n";
        }
}

void results_print_json(const struct results *r, uint64_t seed, FILE *out)
{
    /* One line a result, so that two documents can be compared line by line. */
    putc('{', out);
    print_origin(out);
    fputs("\n\"hosts\":[", out);
    print_hosts(out);
    fprintf(out, "],\"tasks\":%d,\"seed\":%" PRIu64 ",\n\"results\":[", hn_size(), seed);
    print_list(r, false, out);
    fputs("],\n\"peers\":[", out);
    print_list(r, true, out);
    fputs("]}\n", out);
}
