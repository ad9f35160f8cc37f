/* hbench_peer.c - starts a peer's program and reads its measurements (peer.h). One start of a
 * peer's program measures all cases of a round. Its output lines are samples; "done" marks a
 * complete run. Anything else is kept as a possible reason for a failure. */
#include "peer.h"

#include "fail.h"
#include "self.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const known[] = {PEERS_KNOWN};
/* PEER_SECONDS: a round of a peer that hangs, for example while connecting, is ended then. */
enum { KNOWN = sizeof known / sizeof known[0], PEER_SECONDS = 300, PEER_BENCH = 16 };

const char *peer_known(const char *name, size_t length)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
            return known[i];
    return NULL;
}

/* "DIRECTORY/hbench-NAME": programs of peers are next to hbench. */
static bool find_program(const struct peer_choice *peer, char path[PATH_MAX])
{
    char name[64];

    snprintf(name, sizeof name, "hbench-%s", peer->name);
    /* From the same build, as its loops must be those of this hbench. */
    return self_beside(name, path) ||
           fail(path, "is not there: install the peer with its compiler, and build hnow again");
}

/* Returns COMMAND PROGRAM CASE..., for a shell, under timeout(1).  The caller frees it. */
static char *whole_command(const struct peer_choice *peer, const char *program,
                           const struct peer_case *cases, size_t n)
{
    /* A case takes less than PEER_WORD bytes: a name of 15, and four numbers. */
    size_t room = strlen(peer->command) + strlen(program) + (n + 1) * PEER_WORD + 32, used;
    char *text = malloc(room);

    if (!text)
        return NULL;
    used = (size_t)snprintf(text, room, "timeout %d %s %s", PEER_SECONDS, peer->command, program);
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, room - used,
                                 " %s:%" PRId64 ":%" PRId64 ":%" PRId64 ":%" PRId64, cases[i].bench,
                                 cases[i].bytes, cases[i].window, cases[i].warm, cases[i].count);
    snprintf(text + used, room - used, " </dev/null 2>&1");
    return text;
}

/* Returns the case of an output line, or NULL. "BENCH BYTES SECONDS", where BENCH and BYTES must be
 * those of a case. */
static const struct peer_case *case_of(const char *line, const struct peer_case *cases, size_t n,
                                       double *seconds)
{
    char bench[PEER_BENCH];
    int64_t bytes;

    if (sscanf(line, "%15s %" SCNd64 " %lf", bench, &bytes, seconds) != 3 || *seconds <= 0)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (cases[i].bytes == bytes && strcmp(cases[i].bench, bench) == 0)
            return &cases[i];
    return NULL;
}

/* Adds a sample to the result of this peer, which is created with the first one. */
static bool keep(const struct peer_choice *peer, const struct peer_case *c, double seconds,
                 struct results *results)
{
    /* Peers' results have no index of their own, so they are searched: there are few. */
    struct result *r = (struct result *)results_find(results, c->bench, peer->name, c->bytes);

    if (!r)
        r = results_add(results, c->bench, peer->name, c->bytes, 1);
    if (!r || !samples_reserve(&r->samples, 1))
        return fail("memory", "no room for a peer's samples");
    samples_add(&r->samples, seconds);
    return true;
}

/* Output of a peer's program besides samples. */
struct words {
    bool done;      /* it has completed */
    char last[128]; /* any other line, perhaps the reason of a failure */
};

static bool read_all(FILE *f, const struct peer_choice *peer, const struct peer_case *cases,
                     size_t n, struct results *results, struct words *words)
{
    char line[256];
    double seconds;
    bool good = true;

    while (fgets(line, sizeof line, f)) { /* to the end of the output, so that it can exit */
        const struct peer_case *c = case_of(line, cases, n, &seconds);
        line[strcspn(line, "\n")] = '\0';
        /* After a lack of memory the output is still read to its end. */
        if (c)
            good = good && keep(peer, c, seconds, results);
        else if (strcmp(line, "done") == 0)
            words->done = true;
        else if (*line)
            snprintf(words->last, sizeof words->last, ", said '%.100s'", line);
    }
    return good;
}

/* All cases of a round go to one start of the program: starting it takes longer than most cases. */
bool peer_measure(const struct peer_choice *peer, const struct peer_case *cases, size_t n,
                  struct results *results)
{
    char program[PATH_MAX];
    struct words words = {0};

    if (!find_program(peer, program))
        return false;
    char *command = whole_command(peer, program, cases, n);
    if (!command)
        return fail("memory", "no room for a command");
    FILE *f = popen(command, "r");
    free(command);
    if (!f)
        return fail_system("popen");
    /* The output ends when all processes have closed it. */
    bool good = read_all(f, peer, cases, n, results, &words);
    /* A peer that has said "done" has measured everything; a launcher may still end with an error.
     */
    if (pclose(f) != 0 && !words.done) {
        fprintf(
            stderr,
            "hbench: %s: its program failed or hung%s: -peer NAME=COMMAND says how to start it\n",
            peer->name, words.last);
        good = false;
    }
    return good;
}
