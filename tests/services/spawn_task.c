/* spawn_task.c - tasks that start tasks, for the tests of services: spawn_task WHAT [ARG...]
 * Prints what it saw; the status is 0 when everything was as it should be.
 *     family N     spawns N children; each says who its parent and its siblings are, to it and them
 *     loop N       spawns N children one after the other, each of which answers
 *     missing      spawns a program that is not there, and one in a directory that is not there
 *     where        spawns on named hosts, on a machine class, and where there is no host
 *     local        spawns on "localhost", in a job whose host has another name
 *     env          spawns with a directory and an environment of its own
 *     kill         spawns a child that waits, lists it, kills it, and sees its end
 *     late         a child that enrols late learns that its sibling has ended before
 *     last         is alone after its children have left, and learns it instead of waiting
 *     hosts        lists the hosts
 *     load         the load that is listed follows the kernel's
 *     fail         spawns a child that fails
 *     abort STATUS [WHY]  spawns children that wait, then ends the job
 *     child WHAT   what the above spawn
 */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static const char *const *words(const char *what)
{
    static const char *list[3] = {"child"};
    list[1] = what;
    return list;
}

/* ---- children ---------------------------------------------------------------------------------
 */

/* Tells the parent its rank, and passes its tid round the ring of siblings. */
static void child_family(void)
{
    int rank = hn_rank(), size = hn_size(), got;
    hn_info info;
    CHECK(hn_parent() > 0 && hn_group_tid(hn_world(), rank) == hn_mytid());
    CHECK(hn_send(hn_group_tid(hn_world(), (rank + 1) % size), 2, &rank, 1, HN_INT) == HN_OK);
    CHECK(hn_recv(HN_ANY, 2, &got, 1, HN_INT, &info) == HN_OK);
    CHECK(got == (rank + size - 1) % size && info.from == hn_group_tid(hn_world(), got));
    CHECK(hn_send(hn_parent(), 1, &rank, 1, HN_INT) == HN_OK);
}

static void child_env(void)
{
    char words_here[600], directory[400];
    CHECK(getcwd(directory, sizeof directory));
    const char *value = getenv("SERVICES_WORD");
    snprintf(words_here, sizeof words_here, "%s %s", directory, value ? value : "-");
    CHECK(hn_send(hn_parent(), 1, words_here, strlen(words_here) + 1, HN_CHAR) == HN_OK);
}

/* Before it enrols: waits until the parent has made the file. */
static void child_wait_for_file(void)
{
    while (access("enrol", F_OK) != 0)
        usleep(1000);
}

/* Its sibling of rank 0 was killed before this one enrolled. */
static void child_late(void)
{
    int nothing, result = hn_recv(hn_group_tid(hn_world(), 0), 2, &nothing, 1, HN_INT, NULL);
    CHECK(hn_send(hn_parent(), 1, &result, 1, HN_INT) == HN_OK);
}

static void child(const char *what)
{
    int nothing;
    if (strcmp(what, "family") == 0)
        child_family();
    if (strcmp(what, "env") == 0)
        child_env();
    if (strcmp(what, "wait") == 0)
        hn_recv(hn_parent(), 9, &nothing, 1, HN_INT, NULL);
    if (strcmp(what, "late") == 0)
        child_late();
    if (strcmp(what, "fail") == 0)
        exit(3);
}

/* ---- parents ----------------------------------------------------------------------------------
 */

static void family(int n)
{
    hn_tid *tids = calloc((size_t)n, sizeof *tids);
    CHECK(tids && hn_parent() == HN_ENOTASK);
    CHECK(hn_spawn(self, words("family"), n, NULL, tids) == n);
    for (int i = 0; i < n; i++) {
        int rank = -1;
        CHECK(hn_recv(tids[i], 1, &rank, 1, HN_INT, NULL) == HN_OK && rank == i);
        CHECK(hn_group_rank(hn_world(), tids[i]) == HN_ENOTASK);
    }
    printf("family of %d\n", n);
    free(tids);
}

static void loop(int n)
{
    for (int i = 0; i < n; i++) {
        hn_tid tid = 0;
        int rank = -1;
        CHECK(hn_spawn(self, words("family"), 1, NULL, &tid) == 1 && tid > 0);
        CHECK(hn_recv(tid, 1, &rank, 1, HN_INT, NULL) == HN_OK && rank == 0);
    }
    printf("loop of %d\n", n);
}

static void missing(void)
{
    hn_tid tids[3] = {0};
    hn_place nowhere = {.wdir = "/nonexistent"};
    CHECK(hn_spawn("no-such-program", NULL, 3, NULL, tids) == 0);
    CHECK(tids[0] == HN_ESTART && tids[1] == HN_ESTART && tids[2] == HN_ESTART);
    printf("%s\n", hn_error_text());
    CHECK(hn_spawn(self, words("family"), 1, &nowhere, tids) == 0 && tids[0] == HN_ESTART);
    printf("%s\n", hn_error_text());
    CHECK(hn_spawn(self, words("family"), 0, NULL, NULL) == HN_EARG);
    CHECK(hn_spawn(self, words("family"), 1 << 20, NULL, NULL) == HN_EARG);
    CHECK(hn_spawn("", NULL, 1, NULL, NULL) == HN_EARG);
    nowhere = (hn_place){.env = (const char *[]){"A=1", "WORD", NULL}};
    CHECK(hn_spawn(self, words("family"), 1, &nowhere, NULL) == HN_EARG);
}

static void one_at(const hn_place *place, const char *what)
{
    hn_tid tid = 0;
    int rank;
    CHECK(hn_spawn(self, words("family"), 1, place, &tid) == 1);
    CHECK(hn_recv(tid, 1, &rank, 1, HN_INT, NULL) == HN_OK);
    printf("%s: %s\n", what, hn_host_of(tid));
}

static void where(void)
{
    hn_host_info *hosts;
    int n;
    CHECK(hn_hosts(&hosts, &n) == HN_OK && n >= 2);
    one_at(&(hn_place){.host = hosts[1].name}, "named");
    one_at(&(hn_place){.host = "."}, "here");
    one_at(&(hn_place){.host = ".", .other = 1}, "elsewhere");
    one_at(&(hn_place){.machine = hosts[0].machine}, "machine");
    one_at(&(hn_place){.host = "127.*"}, "class of names");
    one_at(&(hn_place){.host = "127.*", .other = 1}, "not of that class");
    one_at(&(hn_place){.speed = 1.5}, "fast");
    CHECK(hn_spawn(self, NULL, 1, &(hn_place){.host = "127.*", .speed = 1}, NULL) == HN_EARG);
    CHECK(hn_spawn(self, NULL, 1, &(hn_place){.host = "nosuch"}, NULL) == HN_EARG);
    printf("%s\n", hn_error_text());
    CHECK(hn_spawn(self, NULL, 1, &(hn_place){.machine = hosts[0].machine, .other = 1}, NULL) ==
          HN_EARG);
    free(hosts);
}

static void env(void)
{
    static const char *const entries[] = {"SERVICES_WORD=a b", NULL};
    hn_tid tid = 0;
    char text[600];
    CHECK(hn_spawn(self, words("env"), 1, &(hn_place){.wdir = "/", .env = entries}, &tid) == 1);
    CHECK(hn_recv(tid, 1, text, sizeof text, HN_CHAR, NULL) == HN_OK);
    puts(text);
    CHECK(hn_spawn(self, words("env"), 1, NULL, &tid) == 1);
    CHECK(hn_recv(tid, 1, text, sizeof text, HN_CHAR, NULL) == HN_OK);
    puts(text);
}

static void end_child(void)
{
    hn_task_info *list, info;
    hn_tid tid = 0;
    int n, nothing;
    CHECK(hn_spawn(self, words("wait"), 1, NULL, &tid) == 1);
    CHECK(hn_tasks(&list, &n) == HN_OK && n == 2);
    CHECK(list[0].tid == hn_mytid() && list[0].parent == 0 && list[0].state == HN_ENROLLED);
    CHECK(list[1].tid == tid && list[1].parent == hn_mytid() && list[1].pid > 0);
    CHECK(strcmp(list[1].program, self) == 0);
    free(list);
    CHECK(hn_signal(tid, 0) == HN_OK && hn_signal(tid, 10000) == HN_EARG);
    CHECK(hn_signal(12345678, 0) == HN_ENOTASK && hn_task_status(12345678, &info) == HN_ENOTASK);
    CHECK(hn_signal(tid, SIGSTOP) == HN_OK);
    CHECK(hn_kill(tid) == HN_OK);
    CHECK(hn_recv(tid, 1, &nothing, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED);
    CHECK(WIFSIGNALED(info.status) && WTERMSIG(info.status) == SIGTERM);
    CHECK(hn_kill(tid) == HN_EDEAD);
    printf("killed\n");
}

/* Another world is spawned in between: the agent knows the end in the right one. */
static void late(void)
{
    hn_tid tids[2], other;
    int rank, result = 0;
    CHECK(hn_spawn(self, words("late"), 2, NULL, tids) == 2);
    CHECK(hn_spawn(self, words("family"), 1, NULL, &other) == 1);
    CHECK(hn_recv(other, 1, &rank, 1, HN_INT, NULL) == HN_OK);
    CHECK(hn_kill(tids[0]) == HN_OK);
    CHECK(hn_recv(tids[0], 1, &rank, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(fclose(fopen("enrol", "w")) == 0);
    CHECK(hn_recv(tids[1], 1, &result, 1, HN_INT, NULL) == HN_OK && result == HN_EDEAD);
    printf("late, and told\n");
}

static void last(void)
{
    int nothing, rank;
    hn_tid tids[2];
    CHECK(hn_spawn(self, words("family"), 2, NULL, tids) == 2);
    for (int i = 0; i < 2; i++)
        CHECK(hn_recv(HN_ANY, 1, &rank, 1, HN_INT, NULL) == HN_OK);
    /* A name that nobody has is nobody to wait for. */
    CHECK(hn_recv_timeout(hn_mytid() + 500, 1, &nothing, 1, HN_INT, 1, NULL) == HN_ENOTASK);
    CHECK(hn_send(hn_mytid() + 501, 1, &rank, 1, HN_INT) == HN_ENOTASK);
    CHECK(hn_recv(HN_ANY, 1, &nothing, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(hn_spawn(self, words("family"), 1, NULL, tids) == 1);
    CHECK(hn_recv(HN_ANY, 1, &rank, 1, HN_INT, NULL) == HN_OK);
    printf("alone again\n");
}

static void list_hosts(void)
{
    hn_host_info *hosts;
    int n;
    CHECK(hn_hosts(&hosts, &n) == HN_OK);
    for (int i = 0; i < n; i++)
        printf("%s %s slots %d tasks %d speed %g\n", hosts[i].name,
               hosts[i].machine[0] && hosts[i].cores > 0 ? "ok" : "?", hosts[i].slots,
               hosts[i].tasks, hosts[i].speed);
    free(hosts);
}

static double load_here(void)
{
    double load = -1;
    FILE *file = fopen("/proc/loadavg", "r");
    CHECK(file && fscanf(file, "%lf", &load) == 1);
    fclose(file);
    return load;
}

static double load_listed(void)
{
    hn_host_info *hosts;
    int n;
    CHECK(hn_hosts(&hosts, &n) == HN_OK && n > 0);
    double load = hosts[0].load;
    free(hosts);
    return load;
}

/* Works until the kernel's load is another one, then waits until that is listed. */
static void follow_load(void)
{
    double first = load_here(), load;
    while (load_here() == first)
        ;
    do {
        usleep(10000);
        load = load_here();
    } while (load_listed() != load || load_here() != load);
    puts("it follows");
}

static void fail(void)
{
    int nothing;
    hn_tid tid = 0;
    CHECK(hn_spawn(self, words("fail"), 1, NULL, &tid) == 1);
    CHECK(hn_recv(tid, 1, &nothing, 1, HN_INT, NULL) < 0);
    printf("outlived\n");
}

static void end_all(int status, const char *why)
{
    int n = hn_spawn(self, words("wait"), 2, NULL, NULL);
    CHECK(n == 2 || n == HN_ESTATE || n == HN_EJOB); /* without hrun; another one was quicker */
    printf("it ends");
    hn_abort(status, why);
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc > 2 && strcmp(argv[2], "late") == 0)
        child_wait_for_file();
    if (argc < 2 || hn_enrol())
        return 9;
    const char *what = argv[1], *more = argc > 2 ? argv[2] : "1";
    if (strcmp(what, "child") == 0)
        child(more);
    if (strcmp(what, "family") == 0)
        family(atoi(more));
    if (strcmp(what, "loop") == 0)
        loop(atoi(more));
    if (strcmp(what, "missing") == 0)
        missing();
    if (strcmp(what, "where") == 0)
        where();
    if (strcmp(what, "env") == 0)
        env();
    if (strcmp(what, "kill") == 0)
        end_child();
    if (strcmp(what, "late") == 0)
        late();
    if (strcmp(what, "last") == 0)
        last();
    if (strcmp(what, "local") == 0)
        one_at(&(hn_place){.host = "localhost"}, "local");
    if (strcmp(what, "hosts") == 0)
        list_hosts();
    if (strcmp(what, "load") == 0)
        follow_load();
    if (strcmp(what, "abort") == 0)
        end_all(atoi(more), argc > 3 ? argv[3] : NULL);
    if (strcmp(what, "fail") == 0)
        fail();
    return hn_exit() ? 7 : 0;
}
