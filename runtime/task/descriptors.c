/* descriptors.c - having no descriptor left (rules: descriptors.h). */
#include "engine/descriptors.h"

#include "job/task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool is_want(int why)
{
    return why == EMFILE || why == ENFILE;
}

bool descriptors_more(int why)
{
    struct rlimit files;

    if (why != EMFILE || getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= files.rlim_max)
        return false;
    files.rlim_cur = files.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &files) == 0;
}

bool descriptors_for_loop(void)
{
    int fd[2], more[2];

    if (pipe(fd))
        return false;
    bool any = pipe(more) == 0;
    int why = errno;
    for (int i = 0; i < 2; i++) {
        close(fd[i]);
        if (any)
            close(more[i]);
    }
    errno = why;
    return any;
}

static void say(struct task *t, int why)
{
    struct rlimit files = {0};
    char text[160];

    getrlimit(RLIMIT_NOFILE, &files);
    snprintf(text, sizeof text,
             "has no descriptor left for a connection: %s (its limit, ulimit -n, is %llu)",
             strerror(why), (unsigned long long)files.rlim_cur);
    agent_fault(t, t->tid, CONTROL_FAULT_OWN, text);
}

bool descriptors_note(struct task *t, int why)
{
    struct descriptors *d = &t->descriptors;
    uint64_t now = engine_now();

    if (!is_want(why)) {
        d->missing = why == 0 ? 0 : d->missing;
        return false;
    }
    if (d->missing == 0)
        d->missing = now;
    if (!d->said && now - d->missing > DESCRIPTORS_PATIENCE * UINT64_C(1000000000)) {
        d->said = true;
        say(t, why);
    }
    return true;
}
