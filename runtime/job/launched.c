/* launched.c - makes one job of hnow from processes that srun, mpiexec or mpirun started.
 *
 * Each process listens in a private directory of its host.  Rank 0 learns the addresses of all by
 * PMI.  It starts an hrun there whose tasks are stand-ins (`hnow stand-in`), one for each process.
 * As in the persistent machine (adopted.c), a stand-in passes its descriptors to the process,
 * forwards signals, and ends with it.  The launcher keeps the processes' standard streams.
 *
 * The steps, with a barrier of PMI after each of the first two:
 *
 *      1. Rank 0 chooses the directories' prefix and puts it as "hnow-base".
 *      2. All listen, and publish their hosts as "hnow-RANK".
 *      3. Rank 0 starts hrun; each process waits for its stand-in's offer.
 *      4. Rank 0 publishes the result as "hnow-outcome", and a last barrier follows.
 *
 * The other ranks begin the barrier of step 4 early.  So they wait for an offer and for the result
 * at the same time, and a failure of hrun ends their wait.
 */
#include "job/adopted.h"
#include "job/pmi.h"

#include "base/error.h"
#include "base/machine.h"
#include "connect/local.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* OFFER_SECONDS: as long as hrun may take to reach all hosts */
enum { BASE = 48, KEY = 24, OFFER_SECONDS = 120 };

/* On the stack of launched_take().  The descriptors and the directory are closed and removed in
 * close_here(), whatever happened. */
struct launched {
    struct pmi pmi;
    char base[BASE];              /* common prefix of the directories; the rank follows */
    char directory[MACHINE_PATH]; /* "": not created */
    int listener;
    int hrun;    /* at rank 0: its other end closes when hrun has ended; else -1 */
    bool failed; /* rank 0 has reported a failure to all others */
};

/* The launcher's connection of this process, until hn_exit(). */
static struct pmi launcher;

static int barrier(struct pmi *p)
{
    int result = p->calls->barrier_begin(p);

    return result == HN_OK ? p->calls->barrier_end(p) : result;
}

/* ---- the socket for offers ---- */

/* mkdir() fails if the directory exists, so another user cannot prepare it.  Its mode keeps others
 * from connecting. */
static int listen_here(struct launched *l)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(l->directory, sizeof l->directory, "%s%d", l->base, l->pmi.rank);
    if (mkdir(l->directory, 0700) != 0)
        return error_set(HN_ESYS, "%s: %s", l->directory, strerror(errno));
    snprintf(address.sun_path, sizeof address.sun_path, "%.90s/socket", l->directory);
    l->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (l->listener < 0 || bind(l->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(l->listener, 1) != 0)
        return error_set(HN_ESYS, "%s: %s", address.sun_path, strerror(errno));
    return HN_OK;
}

/* Idempotent in effect; called once, on every path. */
static void close_here(struct launched *l)
{
    char path[MACHINE_PATH + 8];

    if (l->listener >= 0)
        close(l->listener);
    if (l->hrun >= 0)
        close(l->hrun);
    if (!*l->directory)
        return;
    snprintf(path, sizeof path, "%s/socket", l->directory);
    unlink(path);
    rmdir(l->directory);
}

/* Chooses the common prefix of the directories, which nobody else can guess before they are
 * created. */
static int choose_base(struct launched *l)
{
    const char *base;
    int result = HN_OK;

    if (sodium_init() < 0)
        return error_set(HN_ENOMEM, "out of memory");
    if (l->pmi.rank == 0) {
        snprintf(l->base, sizeof l->base, "/tmp/hnow-%08" PRIx32 "%08" PRIx32 ".",
                 randombytes_random(), randombytes_random());
        result = l->pmi.calls->put(&l->pmi, "hnow-base", l->base);
    }
    if (result == HN_OK)
        result = barrier(&l->pmi);
    if (result == HN_OK)
        result = l->pmi.calls->get(&l->pmi, 0, "hnow-base", &base);
    if (result == HN_OK)
        snprintf(l->base, sizeof l->base, "%s", base);
    return result;
}

/* ---- hrun ---- */

/* Stores the name by which others reach this host. */
static void name_host(char name[PMI_NAME])
{
    const char *node = getenv("SLURMD_NODENAME");

    if (node)
        snprintf(name, PMI_NAME, "%s", node);
    else if (gethostname(name, PMI_NAME - 1) != 0)
        snprintf(name, PMI_NAME, "localhost");
    name[PMI_NAME - 1] = '\0';
}

/* The hosts of all ranks, separated by commas; *several: there is more than one.  NULL: failed. */
static char *list_hosts(struct launched *l, bool *several)
{
    char key[KEY], own[PMI_NAME], *list = NULL;
    size_t length;
    const char *host;
    FILE *out = open_memstream(&list, &length);
    bool good = out;

    name_host(own);
    *several = false;
    for (int rank = 0; good && rank < l->pmi.size; rank++) {
        snprintf(key, sizeof key, "hnow-%d", rank);
        good = l->pmi.calls->get(&l->pmi, rank, key, &host) == HN_OK;
        if (good) {
            *several |= strcmp(host, own) != 0;
            fprintf(out, "%s%s", rank > 0 ? "," : "", host);
        }
    }
    if (out)
        fclose(out);
    if (good)
        return list;
    free(list);
    return NULL;
}

/* Executes hrun in a process that is not the program's child, because the program may wait for its
 * own children.  In Slurm, hrun finds the hosts itself, and reaches them without ssh.  Never
 * returns.  Standard input is /dev/null, because the launcher's input belongs to the processes. */
static void become_hrun(const struct launched *l, const char *hosts, bool several)
{
    char number[16];
    const char *words[16] = {"hrun", "-np", number};
    int n = 3, nothing = open("/dev/null", O_RDONLY);

    snprintf(number, sizeof number, "%d", l->pmi.size);
    /* In Slurm the nodes come from the allocation. */
    if (several && !getenv("SLURM_JOB_ID")) {
        words[n++] = "-hosts";
        words[n++] = hosts;
    }
    if (several) {
        words[n++] = "-map";
        words[n++] = hosts;
    }
    words[n++] = "hnow";
    words[n++] = "stand-in";
    words[n++] = l->base;
    /* Signals to the group of the processes, for example Ctrl-C, do not reach hrun. */
    setsid();
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0)
        execvp(words[0], (char *const *)words);
    fprintf(stderr, "hnow: hrun, which connects the processes of this job: %s: put it into $PATH\n",
            strerror(errno));
    _exit(127);
}

/* Two forks: the process between them ends at once, and init adopts hrun.  The pipe's end in hrun
 * is the only one left, so a read event on ours means that hrun has ended.  Returns before hrun has
 * done anything; await_offer() notices its end. */
static int start_hrun(struct launched *l)
{
    int ends[2];
    bool several;
    char *hosts = list_hosts(l, &several);

    if (!hosts)
        return HN_ESTART;
    if (pipe(ends) != 0) { /* hrun keeps the other end open until it ends */
        free(hosts);
        return error_set(HN_ESYS, "pipe: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0)
            become_hrun(l, hosts, several);
        _exit(0);
    }
    close(ends[1]);
    free(hosts);
    l->hrun = ends[0];
    if (pid < 0)
        return error_set(HN_ESYS, "fork: %s", strerror(errno));
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return HN_OK;
}

/* ---- the offer ---- */

/* Processes a request of machine.h: "offer", a number, and the environment. */
static bool take_offer(int connection)
{
    int descriptors[ADOPTED_DESCRIPTORS] = {-1, -1, -1};
    uint32_t size = 0;
    char *words = malloc(ADOPTED_WORDS);
    bool good = words && local_is_own(connection) &&
                machine_receive(connection, &size, sizeof size, descriptors) == sizeof size &&
                size > 0 && size < ADOPTED_WORDS && descriptors[ADOPTED_DESCRIPTORS - 1] >= 0 &&
                machine_receive_all(connection, words, size) == size && words[size - 1] == '\0';

    if (good)
        adopted_take(words, size, descriptors);
    else
        for (int i = 0; i < ADOPTED_DESCRIPTORS; i++)
            if (descriptors[i] >= 0)
                close(descriptors[i]);
    free(words);
    return good && write(connection, "0\n", 3) == 3;
}

/* A connection of another user, or a malformed request, is a failure as well. */
static int accept_offer(struct launched *l)
{
    int connection = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
    bool good = connection >= 0 && take_offer(connection);

    if (connection >= 0)
        close(connection);
    return good ? HN_OK : error_set(HN_ESTART, "the stand-in of this process has failed");
}

/* Ends the barrier that rank 0 enters last; then its outcome is available. */
static int receive_outcome(struct launched *l)
{
    const char *outcome;
    int result = l->pmi.calls->barrier_end(&l->pmi);

    if (result == HN_OK)
        result = l->pmi.calls->get(&l->pmi, 0, "hnow-outcome", &outcome);
    l->failed = result == HN_OK && strcmp(outcome, "good") != 0;
    return l->failed ? error_set(HN_ESTART, "rank 0 could not start hrun") : result;
}

/* Waits for the offer, or for the outcome, if it arrives first; *heard: it has arrived. */
static int await_offer(struct launched *l, bool *heard)
{
    for (;;) {
        struct pollfd wait[] = {{l->listener, POLLIN, 0},
                                {l->hrun, POLLIN, 0},
                                {l->pmi.rank > 0 && !*heard ? l->pmi.fd : -1, POLLIN, 0}};
        int result, n = poll(wait, 3, OFFER_SECONDS * 1000);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return error_set(HN_ESTART, "hrun has not reached this process within %d s",
                             OFFER_SECONDS);
        /* An offer first: it may have arrived together with the end of hrun's start. */
        if (wait[0].revents)
            return accept_offer(l);
        if (wait[1].revents)
            return error_set(HN_ESTART, "hrun, which connects this job's processes, has failed");
        *heard = true;
        if ((result = receive_outcome(l)) != HN_OK)
            return result;
    }
}

/* All processes enter a barrier, rank 0 when it has its offer or has failed, so that the others
 * need not wait in vain. */
static int take_place(struct launched *l)
{
    bool heard = false;
    int result = l->pmi.rank == 0 ? start_hrun(l) : l->pmi.calls->barrier_begin(&l->pmi);

    if (result == HN_OK)
        result = await_offer(l, &heard);
    if (l->pmi.rank > 0)
        return result == HN_OK && !heard ? receive_outcome(l) : result;
    /* The others wait for this outcome in their barrier, so it is put in every case. */
    int told = l->pmi.calls->put(&l->pmi, "hnow-outcome", result == HN_OK ? "good" : "failed");
    if (told == HN_OK)
        told = barrier(&l->pmi);
    l->failed = result != HN_OK && told == HN_OK;
    return result == HN_OK ? told : result;
}

/* True at rank 0 of several, so that only one process warns. */
static bool is_one_of_many(const char *size, const char *rank)
{
    const char *many = getenv(size), *which = getenv(rank);

    return many && which && atoi(many) > 1 && strcmp(which, "0") == 0;
}

/* Without this call, every process of such a job would be a job of its own.  One of them warns
 * about it. */
static void warn_of_others(void)
{
    if (getenv("HNOW_RANK")) /* our own environment: a task has started this process */
        return;
    if (is_one_of_many("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"))
        fputs(
            "hnow: without libpmix.so.2 mpirun starts each process as a job of its own: use hrun\n",
            stderr);
    else if (is_one_of_many("SLURM_NTASKS", "SLURM_PROCID"))
        fputs("hnow: srun starts each process as a job of its own: use srun --mpi=pmi2 or pmix, or "
              "hrun\n",
              stderr);
}

/* HN_OK also if no launcher has started this process.  Each step needs the success of the previous
 * one, but close_here() runs in any case. */
int launched_take(void)
{
    struct launched l = {.listener = -1, .hrun = -1};
    char key[KEY], host[PMI_NAME];

    if (!pmi_here(&l.pmi)) {
        warn_of_others();
        return HN_OK;
    }
    int result = l.pmi.calls->open(&l.pmi);
    unsetenv("PMI_FD"); /* programs that this process starts do not belong to the launcher */
    unsetenv("PMIX_NAMESPACE");
    if (result == HN_OK && l.pmi.size == 1) { /* a single process, as without a launcher */
        l.pmi.calls->close(&l.pmi);
        return HN_OK;
    }
    if (result == HN_OK)
        result = choose_base(&l);
    if (result == HN_OK)
        result = listen_here(&l);
    name_host(host);
    snprintf(key, sizeof key, "hnow-%d", l.pmi.rank);
    if (result == HN_OK)
        result = l.pmi.calls->put(&l.pmi, key, host);
    if (result == HN_OK)
        result = barrier(&l.pmi);
    if (result == HN_OK)
        result = take_place(&l);
    close_here(&l);
    if (l.failed) /* when the first process ends, the launcher kills all others: they remove their
                     directories first */
        barrier(&l.pmi);
    if (result == HN_OK)
        launcher = l.pmi;
    return result;
}

/* Without a launcher this does nothing: hrun ends the job. */
void launched_abort(int status, const char *why)
{
    if (!launcher.calls)
        return;
    if (why) /* the launcher may end before hrun prints it */
        fprintf(stderr, "%s\n", why);
    launcher.calls->abort(&launcher, status);
}

/* The launcher may now end the job without an error. */
void launched_leave(void)
{
    if (launcher.calls)
        launcher.calls->close(&launcher);
    launcher.calls = NULL;
}
