/* peer_round.c - makes the commands that start a peer on the job's hosts (peer_round.h). Two
 * facts decide about a peer's options: whether hosts share a machine (emulated), and whether a
 * machine has more tasks than processors (crowded). All tasks report their machine, since task 0
 * cannot know that of others. */
#include "peer_round.h"

#include "fail.h"
#include "hnow_coll.h"
#include "runtime/internal.h"
#include "hrun/internal.h"
#include "self.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MACHINE_ROOM = 64 }; /* bytes: tasks compare them; Linux limits host names to 64 */

/* The hosts of the job's first ranks, each once, in the order of ranks. */
struct places {
    /* Tasks that are measured: the first ones of the job. */
    int ranks;
    /* Names and numbers of tasks of n hosts; room for as many as tasks. */
    const char **host;
    int *tasks;
    int n;
    bool emulated; /* several hosts are on one machine */
    bool crowded;  /* some machine has more tasks than processors */
};

/* ---- hosts and their machines ---- */

/* Groups the ranks by host.  The strings belong to the job. */
static bool places_list(struct places *p)
{
    const hn_group *world = hn_world();

    p->host = calloc((size_t)hn_size(), sizeof *p->host);
    p->tasks = calloc((size_t)hn_size(), sizeof *p->tasks);
    if (!p->host || !p->tasks)
        return fail("memory", "no room for the hosts");
    for (int rank = 0; rank < p->ranks; rank++) {
        const char *host = hn_host_of(hn_group_tid(world, rank));
        int i = 0;
        /* O(tasks * hosts), once. */
        while (i < p->n && strcmp(p->host[i], host) != 0)
            i++;
        if (i == p->n)
            p->host[p->n++] = host;
        p->tasks[i]++;
    }
    return true;
}

/* A name that hosts on one machine share: its boot id. */
static void name_machine(char name[MACHINE_ROOM])
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

    memset(name, 0, MACHINE_ROOM);
    /* Without a boot id every task counts as a machine of its own. */
    if (!f || fscanf(f, "%63s", name) != 1)
        snprintf(name, MACHINE_ROOM, "%d", hn_rank());
    if (f)
        fclose(f);
}

/* All tasks exchange their machine and its number of processors.  Namespaces and containers of one
 * machine have different host names, and MPI libraries would still find each other by shared
 * memory.  The comparison would then be one of networks with memory.
 *
 * A machine's tasks are counted over all its hosts, since they share its processors. */
static bool places_compare(struct places *p)
{
    struct {
        char machine[MACHINE_ROOM], processors[8];
    } own, *all = calloc((size_t)hn_size(), sizeof *all);
    int machines = 0;

    if (!all)
        return fail("memory", "no room for the hosts");
    name_machine(own.machine);
    snprintf(own.processors, sizeof own.processors, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    bool good = hn_allgather(&own, sizeof own, all, HN_BYTE, hn_world()) == HN_OK ||
                fail_hn("hn_allgather");
    for (int i = 0; good && i < p->ranks; i++) {
        /* same: tasks on this machine; before: those of lower rank, of which the first counts the
         * machine. */
        int same = 0, before = 0;
        /* O(tasks * tasks) comparisons of short texts, once. */
        for (int k = 0; k < p->ranks; k++)
            if (strcmp(all[k].machine, all[i].machine) == 0) {
                same++;
                before += k < i;
            }
        machines += before == 0;
        p->crowded |= same > atoi(all[i].processors);
    }
    p->emulated = machines < p->n;
    free(all);
    return good;
}

/* Names of hosts belong to the job and stay. */
static void places_free(struct places *p)
{
    free(p->host);
    free(p->tasks);
}

/* ---- the script by which a launcher reaches them ---- */

/* One branch of the script's `case`: HOST becomes the command by which hrun reaches it, with the
 * user, port and options of its line in the hosts file. */
static bool write_case(FILE *script, const struct launch *launch, const char *name)
{
    static const char test[] = " true"; /* the command that launch_by_hand() runs there */
    int line = hosts_find(launch->hosts, name);
    char *command = line < 0 ? NULL : launch_by_hand(launch, &launch->hosts->line[line]);

    /* The command to be run is cut off; the launcher's own one takes its place. */
    if (command)
        command[strlen(command) - strlen(test)] = '\0';
    if (command)
        fprintf(script, "%s) exec %s \"$@\" ;;\n", name, command);
    free(command);
    return command || fail(name, "its line in the hosts file was not found");
}

/* The launchers of MPI and PVM call it like ssh: options, a host, then a command.  The options are
 * dropped. */
static bool write_script(FILE *script, const struct places *p)
{
    struct hosts *hosts;
    const char *text;
    size_t length;
    bool good = true;

    if (hn_job_text("hosts", &text, &length) != HN_OK ||
        hosts_parse("hosts", text, length, &hosts) != HN_OK)
        return fail_hn("hosts");
    /* Only to print commands: nothing is started by it. */
    const struct launch launch = {.hosts = hosts};
    fputs("#!/bin/sh\n"
          "# hbench: how launchers of peers reach the hosts: [OPTION]... HOST COMMAND...\n"
          "while [ \"${1#-}\" != \"$1\" ]; do shift; done\nhost=$1\nshift\ncase $host in\n",
          script);
    for (int i = 0; good && i < p->n; i++)
        good = write_case(script, &launch, p->host[i]);
    fputs("esac\necho \"$host: no host of this job\" >&2\nexit 1\n", script);
    hosts_free(hosts);
    return good;
}

/* The script is an unnamed file, so that nothing remains if hbench is killed; others reach it
 * through this process.  It must be closed for writing before it can be executed. */
static bool make_script(const struct places *p, int *fd, char path[PATH_MAX])
{
    int memory = memfd_create("hbench", MFD_CLOEXEC);
    FILE *script = memory < 0 ? NULL : fdopen(memory, "w");
    bool good = script && write_script(script, p);

    snprintf(path, PATH_MAX, "/proc/%d/fd/%d", (int)getpid(), memory);
    if (good && (fflush(script) != 0 || fchmod(memory, S_IRWXU) != 0 ||
                 (*fd = open(path, O_RDONLY | O_CLOEXEC)) < 0))
        good = fail_system(path);
    else if (!script)
        good = fail_system("memfd_create");
    /* Reopened for reading: a file that is open for writing cannot be executed (ETXTBSY). */
    snprintf(path, PATH_MAX, "/proc/%d/fd/%d", (int)getpid(), *fd);
    if (script)
        fclose(script);
    else if (memory >= 0)
        close(memory);
    return good;
}

/* ---- commands ---- */

/* "A:2,B:1", which all three launchers understand. */
static void print_places(FILE *out, const struct places *p)
{
    for (int i = 0; i < p->n; i++)
        fprintf(out, "%s%s:%d", i > 0 ? "," : " ", p->host[i], p->tasks[i]);
}

/* Each library by its own options, as its manual recommends for TCP.  On real hosts it keeps its
 * defaults. */
static void print_mpich(FILE *out, const struct places *p, const char *script, const char *polite)
{
    fprintf(out, "mpiexec.mpich -n %d", p->ranks);
    /* On one host it needs no launcher. */
    if (p->n > 1) {
        fprintf(out, " -launcher ssh -launcher-exec %s -hosts", script);
        print_places(out, p);
    }
    if (p->emulated)
        fputs(" -genv UCX_TLS tcp,self", out);
    if (polite)
        fprintf(out, " -genv LD_PRELOAD %s", polite);
}

/* Open MPI refuses root and more tasks than processors unless it is asked. */
static void print_openmpi(FILE *out, const struct places *p, const char *script, const char *polite)
{
    fprintf(out, "mpiexec.openmpi --allow-run-as-root --oversubscribe -n %d", p->ranks);
    if (p->n > 1) {
        fprintf(out, " --mca plm_rsh_agent %s --host", script);
        print_places(out, p);
    }
    if (p->emulated)
        fputs(" --mca pml ob1 --mca btl tcp,self", out);
    /* Its own way to give up the processor while it polls. */
    if (p->crowded)
        fputs(" --mca mpi_yield_when_idle 1", out);
    if (polite)
        fprintf(out, " -x LD_PRELOAD=%s", polite);
}

/* PVM's tasks sleep while they wait, and never use shared memory. */
static void print_pvm(FILE *out, const struct places *p, const char *script)
{
    static const char name[] = "hbench-pvmexec";
    char path[PATH_MAX];

    /* Without the program beside hbench, the PATH decides. */
    fprintf(out, "%s -n %d", self_beside(name, path) ? path : name, p->ranks);
    if (p->n > 1) {
        fprintf(out, " -ssh %s -hosts", script);
        print_places(out, p);
    }
}

/* Returns the shell command that starts a peer on the job's hosts, or NULL without memory.  The
 * caller frees it.
 *
 * Libraries that spin while they wait need as many processors as tasks.  On a crowded machine that
 * emulates several hosts, a preloaded library makes them yield (peers/polite.c). */
static char *make_command(const struct places *p, const char *peer, const char *script)
{
    char polite[PATH_MAX], *text = NULL;
    bool impolite = p->emulated && p->crowded;
    /* Without the library the peer is measured as it is. */
    const char *preload = impolite && self_beside("hbench-polite.so", polite) ? polite : NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    /* Names are those of PEERS_KNOWN. */
    if (strcmp(peer, "mpich") == 0)
        print_mpich(out, p, script, preload);
    else if (strcmp(peer, "openmpi") == 0)
        print_openmpi(out, p, script, preload);
    else
        print_pvm(out, p, script);
    fclose(out);
    return text;
}

/* A peer with a command of the user's keeps it. */
static bool make_commands(struct peer_round *round, const struct places *p)
{
    /* A single host is reached without ssh. */
    if (p->n > 1 && !make_script(p, &round->fd, round->script))
        return false;
    for (int i = 0; i < round->peers; i++) {
        if (round->peer[i].command)
            continue;
        round->command[i] = make_command(p, round->peer[i].name, round->script);
        if (!round->command[i])
            return fail("memory", "no room for a peer's command");
        round->peer[i].command = round->command[i];
    }
    return true;
}

/* Called by all tasks, because the machines are compared by a collective call.  Only task 0 makes
 * commands. */
bool peer_round_open(struct peer_round *round, const struct peer_choice *peer, int peers, int ranks)
{
    struct places p = {.ranks = ranks};

    *round = (struct peer_round){.peers = peers, .fd = -1};
    /* No collective call then, in any task. */
    if (peers == 0)
        return true;
    memcpy(round->peer, peer, (size_t)peers * sizeof *peer);
    bool good =
        places_list(&p) && places_compare(&p) && (hn_rank() > 0 || make_commands(round, &p));
    places_free(&p);
    return good;
}

/* A peer that fails once is left out of all later rounds.  Its earlier samples stay. */
void peer_round_measure(struct peer_round *round, const struct peer_case *cases, size_t n,
                        struct results *results)
{
    for (int i = 0; i < round->peers; i++) {
        if (round->failed[i])
            continue;
        /* Blocks until the peer's program has ended, for at most PEER_SECONDS. */
        round->failed[i] = !peer_measure(&round->peer[i], cases, n, results);
        if (round->failed[i])
            fprintf(stderr, "hbench: %s is left out from here on\n", round->peer[i].name);
    }
}

/* The commands are this file's own copies; those of the user belong to the command line. */
void peer_round_close(struct peer_round *round)
{
    if (round->fd >= 0)
        close(round->fd);
    for (int i = 0; i < round->peers; i++)
        free(round->command[i]);
}
