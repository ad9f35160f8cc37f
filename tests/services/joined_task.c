/* joined_task.c - tasks that join groups by name, for the tests of services: joined_task WHAT.
 * Every one of hrun's own tasks that lives prints WHAT when all was as it should be.
 *     members      instances, tids and sizes while tasks join, leave, and join again
 *     barrier      nobody goes on before all have come; ROUNDS of them, counted in the file `marks`
 *     freeze       every other member freezes a group, then all do; collective operations on both
 *     children     tasks that were spawned later join, too
 *     told         a member, and one who is none, tell all others of a group
 *     served       who waits in a barrier answers questions meanwhile, by a handler
 *     wrong        names, counts and members that cannot be
 *     gone         a member ends as it should while others wait for it
 *     alone        nobody else is left: what waits for members ends; not while tasks may come
 *     killed       a member is killed: the others hear of it once, and go on (-on-failure notify)
 *     delegated    members who have met often meet and count while hrun stands still
 *     recalled     another task joins and leaves while they do
 *     gone-often, killed-often   as gone and killed, of members who have met often
 */
#include "check.h"
#include "hnow_coll.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROUNDS = 50, OFTEN = 10 /* barriers after which a group is delegated to its members */ };

static int rank, size;
static const char *self;

static void members(void)
{
    hn_tid *tids;
    int n, instance = hn_join("crowd");
    CHECK(instance >= 0 && instance < size && hn_join("crowd") == HN_ESTATE);
    CHECK(hn_joined_barrier("crowd", size) == HN_OK);
    CHECK(hn_joined_size("crowd") == size && hn_joined_members("crowd", &tids, &n) == HN_OK);
    CHECK(n == size);
    for (int i = 0; i < n; i++) {
        CHECK(tids[i] == hn_joined_tid("crowd", i));
        CHECK(hn_joined_instance("crowd", tids[i]) == i && hn_group_rank(hn_world(), tids[i]) >= 0);
    }
    free(tids);
    CHECK(hn_joined_barrier("crowd", HN_ANY) == HN_OK);
    for (int round = 0; round < 10; round++) {
        if (instance == size / 2) {
            CHECK(hn_leave("crowd") == HN_OK && hn_joined_size("crowd") == size - 1);
            CHECK(hn_joined_tid("crowd", instance) == HN_ENOTASK);
            CHECK(hn_join("crowd") == instance);
        }
        CHECK(hn_joined_barrier("crowd", size) == HN_OK);
    }
    if (instance == size - 1)
        CHECK(hn_leave("crowd") == HN_OK && hn_leave("crowd") == HN_ENOTASK);
    else
        CHECK(hn_joined_barrier("crowd", size - 1) == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_joined_members("crowd", &tids, &n) == HN_OK && n == size - 1 && tids[n - 1] > 0);
    free(tids);
    CHECK(hn_barrier(hn_world()) == HN_OK); /* nobody ends before all have looked */
}

static void barrier(void)
{
    int file = open("marks", O_WRONLY | O_CREAT | O_APPEND, 0600);
    struct stat status;
    CHECK(file >= 0 && hn_join("b") >= 0);
    for (int round = 1; round <= ROUNDS; round++) {
        CHECK(write(file, "x", 1) == 1);
        CHECK(hn_joined_barrier("b", size) == HN_OK);
        CHECK(fstat(file, &status) == 0 && status.st_size >= (off_t)round * size);
    }
    close(file);
}

static void check_frozen(hn_group *group, int n)
{
    int sum = 0, mine = hn_group_rank(group, hn_mytid());
    CHECK(hn_group_size(group) == n);
    CHECK(hn_allreduce(&mine, &sum, 1, HN_INT, HN_SUM, group) == HN_OK && sum == n * (n - 1) / 2);
    hn_group_free(group);
}

static void freeze(void)
{
    int instance = hn_join("f"), half = (size + 1) / 2;
    hn_group *group;
    CHECK(hn_joined_barrier("f", size) == HN_OK);
    if (instance % 2 == 0) {
        CHECK(hn_joined_freeze("f", half, &group) == HN_OK);
        CHECK(hn_group_rank(group, hn_mytid()) == instance / 2);
        check_frozen(group, half);
    }
    CHECK(hn_joined_barrier("f", size) == HN_OK); /* a meeting has one count */
    CHECK(hn_joined_freeze("f", HN_ANY, &group) == HN_OK);
    CHECK(hn_group_rank(group, hn_mytid()) == instance);
    check_frozen(group, size);
}

static void children(void)
{
    static const char *const words[] = {"child", NULL};
    hn_group *group;
    CHECK(hn_join("family") >= 0);
    if (hn_parent() == HN_ENOTASK)
        CHECK(hn_spawn(self, words, 3, NULL, NULL) == 3);
    CHECK(hn_joined_freeze("family", 4, &group) == HN_OK);
    check_frozen(group, 4);
}

static void told(void)
{
    hn_buffer *buffer = hn_buffer_new();
    int value = 41, instance = rank > 0 ? hn_join("told") : -1;
    CHECK(rank == 0 || (instance >= 0 && hn_joined_barrier("told", size - 1) == HN_OK));
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_pack(buffer, &value, 1, HN_INT, 1) == HN_OK);
    if (rank == 0)
        CHECK(hn_joined_multicast_buffer("told", 1, buffer) == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (instance == 1) /* the member that left in between gets nothing */
        CHECK(hn_leave("told") == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (instance == 0)
        CHECK(hn_joined_multicast("told", 2, &value, 1, HN_INT) == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    for (int tag = 1; tag <= 2; tag++) {
        int got = 0;
        bool mine = tag == 1 ? rank > 0 : instance > 1;
        CHECK(hn_recv_buffer(HN_ANY, tag, mine ? -1 : 0, buffer, NULL) ==
              (mine ? HN_OK : HN_ETIMEOUT));
        CHECK(!mine || (hn_unpack(buffer, &got, 1, HN_INT, 1) == HN_OK && got == value));
    }
    CHECK(hn_barrier(hn_world()) == HN_OK); /* nobody ends before all have looked */
    CHECK(hn_joined_multicast("nobody", 1, &value, 1, HN_INT) == HN_OK);
    CHECK(hn_joined_multicast(NULL, 1, &value, 1, HN_INT) == HN_EARG);
    hn_buffer_free(buffer);
}

static void on_question(const hn_info *info, hn_buffer *message, void *data)
{
    int value = 0;
    CHECK(hn_unpack(message, &value, 1, HN_INT, 1) == HN_OK);
    value *= 2;
    CHECK(hn_send(info->from, 2, &value, 1, HN_INT) == HN_OK);
    ++*(int *)data;
}

static void served(void)
{
    hn_tid server = hn_group_tid(hn_world(), 0);
    int calls = 0, answer = 0;
    CHECK(hn_join("served") >= 0);
    if (rank == 0)
        CHECK(hn_handler_add(HN_ANY, 1, on_question, &calls) >= 0);
    for (int i = 0; rank > 0 && i < ROUNDS; i++) {
        CHECK(hn_send(server, 1, &i, 1, HN_INT) == HN_OK);
        CHECK(hn_recv(server, 2, &answer, 1, HN_INT, NULL) == HN_OK && answer == 2 * i);
    }
    CHECK(hn_joined_barrier("served", size) == HN_OK);
    CHECK(rank > 0 || calls == ROUNDS * (size - 1));
}

static void wrong(void)
{
    char name[300];
    hn_group *group;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(hn_join(name) == HN_EARG && hn_join("") == HN_EARG && hn_join(NULL) == HN_EARG);
    CHECK(hn_joined_size("nobody") == 0 && hn_joined_tid("nobody", 0) == HN_ENOTASK);
    CHECK(hn_joined_instance("nobody", hn_mytid()) == HN_ENOTASK);
    CHECK(hn_joined_barrier("nobody", 1) == HN_ENOTASK && hn_leave("nobody") == HN_ENOTASK);
    CHECK(hn_join("me") == 0 && hn_joined_barrier("me", 0) == HN_EARG);
    CHECK(hn_joined_barrier("me", HN_ANY - 1) == HN_EARG);
    CHECK(hn_joined_barrier("me", 1) == HN_OK && hn_joined_freeze("me", 1, &group) == HN_OK);
    check_frozen(group, 1);
}

/* What a child does that is a member when it is told to go on. */
static void child_leaves(const char *how)
{
    if (strcmp(how, "stranger") == 0)
        CHECK(hn_leave("alone") == HN_OK);
    CHECK(hn_send(hn_parent(), 1, NULL, 0, HN_INT) == HN_OK);
    CHECK(hn_recv(hn_parent(), 2, NULL, 0, HN_INT, NULL) == HN_OK);
    if (strcmp(how, "come") == 0)
        CHECK(hn_joined_barrier("alone", 2) == HN_OK);
    if (strcmp(how, "killed") == 0)
        raise(SIGKILL);
}

/* A child that has joined; it is told to go on, and perhaps over then. */
static void child_of(const char *how, bool over)
{
    const char *const words[] = {"leaves", how, NULL};
    hn_tid tid;
    CHECK(hn_spawn(self, words, 1, NULL, &tid) == 1);
    CHECK(hn_recv(tid, 1, NULL, 0, HN_INT, NULL) == HN_OK);
    CHECK(!over || hn_notify(HN_TASK_EXIT, &tid, 1, 3) == HN_OK);
    CHECK(hn_send(tid, 2, NULL, 0, HN_INT) == HN_OK);
    CHECK(!over || hn_recv(tid, 3, &(int){0}, 1, HN_INT, NULL) == HN_OK);
}

static void nobody_is_left(void)
{
    hn_group *group;
    for (int round = 0; round < 2; round++) {
        CHECK(hn_joined_barrier("alone", 2) == HN_EDEAD);
        CHECK(strstr(hn_error_text(), "all other tasks have ended"));
        CHECK(hn_joined_freeze("alone", 2, &group) == HN_EDEAD);
    }
    CHECK(hn_joined_barrier("alone", HN_ANY) == HN_OK && hn_joined_barrier("alone", 1) == HN_OK);
}

static void alone(void)
{
    CHECK(hn_join("alone") == 0);
    nobody_is_left();
    child_of("ends", true);
    CHECK(hn_joined_barrier("alone", HN_ANY) == HN_OK); /* all who are members */
    nobody_is_left();
    child_of("killed", true);
    CHECK(hn_joined_barrier("alone", 2) == HN_EDEAD && strstr(hn_error_text(), "on host"));
    nobody_is_left();
    child_of("stranger", false); /* it ends meanwhile */
    nobody_is_left();
    child_of("come", false);
    CHECK(hn_joined_barrier("alone", 2) == HN_OK);
}

static void meet_often(const char *name, int count)
{
    for (int i = 0; i < OFTEN; i++)
        CHECK(hn_joined_barrier(name, count) == HN_OK);
}

/* The others wait for one who ends instead, `how` it does: they all hear of it. */
static void end_of_one(void (*how)(void), bool often)
{
    hn_tid victim;
    char text[40];
    hn_group *group;
    int instance = hn_join("short");
    CHECK(hn_joined_barrier("short", size) == HN_OK);
    victim = hn_joined_tid("short", 1);
    if (often)
        meet_often("short", size);
    CHECK(hn_joined_barrier("short", size) == HN_OK);
    if (instance == 1)
        how();
    CHECK(hn_joined_barrier("short", size) == HN_EDEAD);
    snprintf(text, sizeof text, "task %d on host ", victim);
    CHECK(strstr(hn_error_text(), text));
    CHECK(hn_joined_barrier("short", size - 1) == HN_OK);
    CHECK(hn_joined_size("short") == size - 1 && hn_joined_tid("short", 1) == HN_ENOTASK);
    CHECK(hn_joined_freeze("short", HN_ANY, &group) == HN_OK);
    check_frozen(group, size - 1);
}

static void leave_well(void)
{
    CHECK(hn_exit() == HN_OK);
    exit(0);
}

static void be_killed(void)
{
    raise(SIGKILL);
}

static void gone(void)
{
    end_of_one(leave_well, false);
}

static void killed(void)
{
    end_of_one(be_killed, false);
}

static void gone_often(void)
{
    end_of_one(leave_well, true);
}

static void killed_often(void)
{
    end_of_one(be_killed, true);
}

/* ---- groups that are delegated to their members ---- */

static pid_t hrun;

static void wake_hrun(int signo)
{
    (void)signo;
    kill(hrun, SIGCONT);
    _exit(1);
}

/* The nearest ancestor of that name. */
static void stop_hrun(void)
{
    char path[40], name[20] = "";
    for (int parent = getppid(); strcmp(name, "hrun"); parent = parent > 1 ? parent : 0) {
        hrun = parent;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)hrun);
        FILE *status = fopen(path, "r");
        CHECK(status && fscanf(status, "%*d (%19[^)]) %*c %d", name, &parent) == 2);
        fclose(status);
    }
    signal(SIGALRM, wake_hrun);
    alarm(20);
    CHECK(kill(hrun, SIGSTOP) == 0);
}

static void delegated(void)
{
    int others = size - 1, instance = rank > 0 ? hn_join("held") : 0;
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank > 0)
        meet_often("held", others);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank == 1)
        stop_hrun();
    CHECK(hn_barrier(hn_world()) == HN_OK);
    for (int round = 0; round < ROUNDS && rank > 0; round++) {
        CHECK(hn_joined_size("held") == others);
        CHECK(hn_joined_tid("held", instance) == hn_mytid());
        CHECK(hn_joined_barrier("held", round % 2 ? HN_ANY : others) == HN_OK);
    }
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank == 1)
        CHECK(kill(hrun, SIGCONT) == 0 && alarm(0) > 0);
    if (rank == 0)
        CHECK(hn_joined_size("held") == others && hn_join("held") == others);
    /* Whoever hears that it has joined sees it. */
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_joined_size("held") == size);
    CHECK(hn_joined_tid("held", others) == hn_group_tid(hn_world(), 0));
    meet_often("held", HN_ANY);
    meet_often("held", size);
}

/* Rank 0 joins and leaves; the others meet meanwhile. */
static void recalled(void)
{
    int file = open("recalled", O_WRONLY | O_CREAT | O_APPEND, 0600), others = size - 1;
    struct stat status;
    CHECK(file >= 0 && (rank == 0 || hn_join("r") >= 0));
    CHECK(hn_barrier(hn_world()) == HN_OK);
    for (int round = 0; round < ROUNDS && rank == 0; round++) {
        CHECK(hn_join("r") == others && hn_joined_size("r") == size);
        CHECK(hn_leave("r") == HN_OK && hn_joined_size("r") == others);
        usleep(1000 * (unsigned)(round % 7));
    }
    for (int round = 1; round <= 20 * ROUNDS && rank > 0; round++) {
        CHECK(write(file, "x", 1) == 1);
        CHECK(hn_joined_barrier("r", others) == HN_OK);
        CHECK(fstat(file, &status) == 0 && status.st_size >= (off_t)round * others);
    }
    CHECK(hn_barrier(hn_world()) == HN_OK);
    close(file);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"members", members},   {"barrier", barrier},       {"freeze", freeze},
    {"children", children}, {"child", children},        {"told", told},
    {"served", served},     {"wrong", wrong},           {"gone", gone},
    {"killed", killed},     {"alone", alone},           {"delegated", delegated},
    {"recalled", recalled}, {"gone-often", gone_often}, {"killed-often", killed_often},
};

int main(int argc, char **argv)
{
    self = argv[0];
    CHECK(argc >= 2 && hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    if (strcmp(argv[1], "leaves") == 0 && argc == 3) {
        CHECK(hn_join("alone") == 1);
        child_leaves(argv[2]);
    }
    if (hn_parent() == HN_ENOTASK)
        puts(argv[1]);
    return 0;
}
