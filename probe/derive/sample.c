/* sample.c - a growing list of samples, and their form as text. */
#include "sample.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SAMPLE_KINDS] = {
    "ping", "way",   "out",  "send", "in",    "both", "shared", "outflow", "within",
    "rack", "speed", "wake", "on",   "alone", "ring", "all",    "reach"};

int samples_add(struct samples *samples, const struct sample *sample)
{
    if (samples->count == samples->room) {
        int room = samples->room ? 2 * samples->room : 64;
        struct sample *larger = realloc(samples->sample, (size_t)room * sizeof *larger);
        if (!larger)
            return error_set(HN_ENOMEM, "no memory for %d samples", room);
        samples->sample = larger;
        samples->room = room;
    }
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
    fprintf(file, "sample %s %d %d %" PRId64 " %" PRId64 " %" PRId64 " %d\n", names[s->kind],
            s->from, s->to, s->bytes, s->best, s->median, s->count);
}

/* from and to are hosts, or numbers of hosts. */
static bool is_possible(const struct sample *s, int n)
{
    return s->from >= 0 && s->from <= n && s->to >= 0 && s->to <= n && s->bytes >= 0 &&
           s->count >= 0 && (s->count == 0 || (s->best > 0 && s->median >= s->best));
}

bool sample_parse(const char *line, int n, struct sample *s)
{
    char name[16];
    int used = 0;
    *s = (struct sample){.kind = SAMPLE_KINDS};
    if (sscanf(line, "sample %15s %d %d %" SCNd64 " %" SCNd64 " %" SCNd64 " %d%n", name, &s->from,
               &s->to, &s->bytes, &s->best, &s->median, &s->count, &used) != 7 ||
        line[used + (line[used] == '\n')])
        return false;
    for (int i = 0; i < SAMPLE_KINDS; i++)
        if (strcmp(name, names[i]) == 0)
            s->kind = (enum sample_kind)i;
    return s->kind != SAMPLE_KINDS && is_possible(s, n);
}
