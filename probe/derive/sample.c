/* sample.c - a growing array of samples, and their text format. */
#include "derive/sample.h"
#include "runtime/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The words of the text format, in the order of the enumerations. */
static const char *const kinds[SAMPLE_KINDS] = {"ping",     "way",    "out",   "send", "in",
                                                "together", "switch", "speed", "wake", "on",
                                                "ring",     "all",    "reach"};
static const char *const abouts[SAMPLE_ABOUTS] = {"pair",   "host", "bus",     "link",
                                                  "uplink", "line", "machine", "subnet"};

/* HN_OK, or HN_ENOMEM with its text; the samples so far remain. */
int samples_add(struct samples *samples, const struct sample *sample)
{
    if (!ARRAY_ROOM(samples->sample, samples->count + 1))
        return error_set(HN_ENOMEM, "no memory for %d samples", samples->count + 1);
    samples->sample[samples->count++] = *sample;
    return HN_OK;
}

void samples_free(struct samples *samples)
{
    free(samples->sample);
    *samples = (struct samples){0};
}

void sample_print(const struct sample *s, FILE *file)
{
    fprintf(file, "sample %s %d %d %" PRId64 " %" PRId64 " %" PRId64 " %d %d %s %d %" PRId64 "\n",
            kinds[s->kind], s->from, s->to, s->bytes, s->best, s->median, s->count, s->at_once,
            abouts[s->about], s->test, s->alone);
}

/* Values that no measurement can give mean that the line is damaged. */
static bool is_possible(const struct sample *s, int n)
{
    return s->from >= 0 && s->from < n && s->to >= 0 && s->to < n && s->bytes >= 0 &&
           s->count >= 0 && (s->count == 0 || (s->best > 0 && s->median >= s->best)) &&
           s->at_once > 0 && s->at_once <= n && s->test >= 0 && s->alone >= 0;
}

/* Returns the index of a word; count: not found. */
static int place_of(const char *word, const char *const *words, int count)
{
    int at = 0;
    while (at < count && strcmp(word, words[at]) != 0)
        at++;
    return at;
}

/* Returns false for any other line, including one with more words behind. */
bool sample_parse(const char *line, int n, struct sample *s)
{
    char kind[16], about[16];
    int used = 0;
    *s = (struct sample){.kind = SAMPLE_KINDS};
    if (sscanf(line,
               "sample %15s %d %d %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %d %15s %d %" SCNd64 "%n",
               kind, &s->from, &s->to, &s->bytes, &s->best, &s->median, &s->count, &s->at_once,
               about, &s->test, &s->alone, &used) != 11 ||
        /* After the last number the line ends, with or without a newline. */
        line[used + (line[used] == '\n')])
        return false;
    s->kind = (enum sample_kind)place_of(kind, kinds, SAMPLE_KINDS);
    s->about = (enum sample_about)place_of(about, abouts, SAMPLE_ABOUTS);
    return s->kind != SAMPLE_KINDS && s->about != SAMPLE_ABOUTS && is_possible(s, n);
}
