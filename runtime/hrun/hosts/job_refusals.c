/* job_refusals.c - messages about hosts that cannot take part: equal reasons share a line; see
 * job_host.h.
 *
 * Each reason is stored until the job ends, because more hosts may fail for it until then.  Two
 * reasons are equal if they differ only in the host's name or address.  Cost: O(hosts x reasons).
 *
 * They are printed at the end, one line for each reason.
 */
#include "hrun/hosts/job_host.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_NAMED = 4 }; /* hosts that a line names; the others are counted */

/* One reason, and the hosts that have it.  Kept until it is printed. */
struct job_refusal {
    char *why, *form; /* the text about the first host; the same with its names replaced */
    const struct job_host *host[JOB_NAMED];
    int n;
};

/* Dots are left out, so that a short name is found in a full one. True for the characters of a
 * host's name. */
static bool job_is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* The length of the name if the text contains it here as a whole word, else 0. name may be NULL:
 * the host has no addr=. */
static size_t job_names_here(const char *text, const char *at, const char *name)
{
    size_t n = name ? strlen(name) : 0;
    bool whole = n > 0 && strncmp(at, name, n) == 0 && !job_is_of_name(at[n]) &&
                 (at == text || !job_is_of_name(at[-1]));
    return whole ? n : 0;
}

/* The text without the names of its host, which the caller frees.  NULL: out of memory.  A byte 1
 * replaces each name; it does not occur in text that was sanitised. */
static char *job_refusal_form(const struct job_host *host, const char *why)
{
    struct pack form = {0};
    for (const char *at = why; *at;) {
        size_t n = job_names_here(why, at, host->name);
        if (n == 0 && host->line)
            n = job_names_here(why, at, host->line->addr);
        pack_u8(&form, n > 0 ? 1 : (uint8_t)*at);
        at += n > 0 ? n : 1;
    }
    pack_u8(&form, 0);
    if (!form.failed)
        return (char *)form.data;
    pack_free(&form);
    return NULL;
}

/* Without memory the message is printed at once, by itself.  Up to JOB_NAMED hosts are named, all
 * are counted. The text of the first host is the one that is printed. */
void job_refusal_add(struct job_host *host, const char *why)
{
    struct job *job = host->job;
    char *form = job_refusal_form(host, why);
    for (size_t i = 0; form && i < job->end.nrefusal; i++) {
        struct job_refusal *known = &job->end.refusal[i];
        if (strcmp(known->form, form) != 0)
            continue;
        /* Further hosts are only counted. */
        if (known->n < JOB_NAMED)
            known->host[known->n] = host;
        known->n++;
        free(form);
        return;
    }
    char *copy = strdup(why);
    if (ARRAY_ROOM(job->end.refusal, job->end.nrefusal + 1) && form && copy) {
        job->end.refusal[job->end.nrefusal++] =
            (struct job_refusal){.why = copy, .form = form, .host = {host}, .n = 1};
        return;
    }
    free(form);
    free(copy);
    job_say(job, "host %s: %s", host->name, why);
}

/* The text is that of the first host, so its name may occur in it. Without memory it is printed
 * without names. */
static void job_refusal_say(struct job *job, const struct job_refusal *refusal)
{
    struct pack names = {0};
    int named = refusal->n < JOB_NAMED ? refusal->n : JOB_NAMED;
    for (int i = 0; i < named; i++) {
        pack_raw(&names, ", ", i > 0 ? (size_t)2 : (size_t)0);
        pack_raw(&names, refusal->host[i]->name, strlen(refusal->host[i]->name));
    }
    pack_u8(&names, 0);
    const char *list = names.failed ? "" : (char *)names.data;
    if (refusal->n > named)
        job_say(job, "hosts %s and %d more: %s", list, refusal->n - named, refusal->why);
    else
        job_say(job, "%s %s: %s", refusal->n > 1 ? "hosts" : "host", list, refusal->why);
    pack_free(&names);
}

/* Prints all lines and frees them; called when the end of the job begins. */
void job_refusals_say(struct job *job)
{
    for (size_t i = 0; i < job->end.nrefusal; i++) {
        job_refusal_say(job, &job->end.refusal[i]);
        free(job->end.refusal[i].why);
        free(job->end.refusal[i].form);
    }
    free(job->end.refusal);
    job->end.refusal = NULL;
    job->end.nrefusal = 0;
}
