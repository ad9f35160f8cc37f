/* sim_play.c - plays histories one after the other; see sim.h. */
#include "random.h"
#include "sim.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 50 }; /* histories of a process: what they leave in memory goes with it */

static void play_batch(void (*play)(uint64_t seed), volatile uint64_t *at, int n)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* hrun's table of hosts is large, and mostly empty */
    for (int i = 0; i < n; i++, ++*at)
        play(*at);
    _exit(0);
}

/* In a process of its own; *at is the history that it is at. */
static bool play_apart(void (*play)(uint64_t seed), volatile uint64_t *at, int n)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        play_batch(play, at, n);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    if (WIFSIGNALED(status))
        fprintf(stderr, "history %llu ends by signal %d\n", (unsigned long long)*at,
                WTERMSIG(status));
    return status == 0;
}

uint64_t sim_play(int histories, void (*play)(uint64_t seed))
{
    const char *text = getenv("HNOW_HISTORIES");
    int n = text ? atoi(text) : random_rounds(histories);
    volatile uint64_t *at =
        mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return UINT64_MAX;
    *at = random_seed();
    for (int done = 0; done < n; done += BATCH)
        if (!play_apart(play, at, n - done < BATCH ? n - done : BATCH))
            return *at;
    return 0;
}
