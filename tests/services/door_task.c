/* door_task.c - a job at whose doors strangers knock: each task prints how it can be attacked:
 *
 *     door RANK PID TID PORT NAME SECRET      NAME: of its UNIX socket, behind the first byte
 *
 * and rank 0 waits for a line of input.  Then every task sends every other one a message, ROUNDS
 * times, by connections that are new in the first round: door_task ROUNDS [HOST].  At the end each
 * prints `through RANK`, and the memory (KiB) and descriptors that it has then.  With a HOST, rank
 * 0 adds that then, prints `added`, and all wait for the end of its input; "-": adds none, and
 * waits.
 */
#include "check.h"
#include "connect/local.h"
#include "job/task.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void tell(void)
{
    const struct task *t = task_enrolled;
    struct sockaddr_storage name;
    socklen_t length = local_name(t->secret, t->tid, &name);

    printf("door %d %d %d %d %.*s ", t->rank, (int)getpid(), t->tid, t->door.listener.ports.port,
           (int)(length - sizeof name.ss_family - 1), (char *)&name + sizeof name.ss_family + 1);
    for (size_t i = 0; i < sizeof t->secret; i++)
        printf("%02x", t->secret[i]);
    puts("");
    fflush(stdout);
}

static void exchange(int round)
{
    int rank = hn_rank(), size = hn_size(), got;
    const hn_group *world = hn_world();

    for (int i = 1; i < size; i++)
        CHECK(hn_send(hn_group_tid(world, (rank + i) % size), round, &rank, 1, HN_INT) == HN_OK);
    for (int i = 1; i < size; i++) {
        int from = (rank + i) % size;
        CHECK(hn_recv(hn_group_tid(world, from), round, &got, 1, HN_INT, NULL) == HN_OK);
        CHECK(got == from);
    }
}

static long memory(void)
{
    char line[200];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (fgets(line, sizeof line, status))
        sscanf(line, "VmRSS: %ld", &kib);
    fclose(status);
    return kib;
}

static int descriptors(void)
{
    int n = -3; /* ".", "..", and this one */
    DIR *list = opendir("/proc/self/fd");

    while (readdir(list))
        n++;
    closedir(list);
    return n;
}

/* Rank 0 sends all others an empty message, which they wait for. */
static void begin_together(int tag)
{
    hn_tid first = hn_group_tid(hn_world(), 0);

    for (int i = 1; hn_rank() == 0 && i < hn_size(); i++)
        CHECK(hn_send(hn_group_tid(hn_world(), i), tag, NULL, 0, HN_INT) == HN_OK);
    if (hn_rank() > 0)
        CHECK(hn_recv(first, tag, NULL, 0, HN_INT, NULL) == HN_OK);
}

static void stay(const char *host)
{
    if (strcmp(host, "-") != 0)
        CHECK(hn_add_hosts(&host, 1, NULL) == 1);
    puts("added");
    fflush(stdout);
    while (getchar() != EOF)
        ;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;

    CHECK(hn_enrol() == HN_OK);
    tell();
    if (hn_rank() == 0)
        CHECK(getchar() != EOF);
    begin_together(rounds); /* nobody else sends before */
    for (int round = 0; round < rounds; round++)
        exchange(round);
    printf("through %d memory %ld descriptors %d\n", hn_rank(), memory(), descriptors());
    fflush(stdout);
    if (argc > 2 && hn_rank() == 0)
        stay(argv[2]);
    if (argc > 2)
        begin_together(rounds + 1);
    CHECK(hn_exit() == HN_OK);
    return 0;
}
