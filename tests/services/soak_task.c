/* soak_task.c - memory stays flat while tasks come and go: soak_task CHILDREN
 *
 * Spawns so many children, a few at a time; each answers and ends, some of them by a failure.  A
 * third task, which has nothing to do with them, only hears of their ends.  Prints by how many
 * bytes a child the heaps of both, of hrun and of the agent have grown since the first half of the
 * children.
 */
#include "check.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, ASK = 2, AT_ONCE = 4 };

/* Bytes in use in this process. */
static long in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

/* Bytes of memory that another process has touched. */
static long resident(pid_t pid)
{
    char path[64];
    long total, pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static pid_t parent_of(pid_t pid)
{
    char path[64], text[512] = "";
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fgets(text, sizeof text, file) && strrchr(text, ')'))
        sscanf(strrchr(text, ')') + 1, " %*c %d", &parent);
    if (file)
        fclose(file);
    return parent;
}

/* What has been measured at one time. */
struct sizes {
    long here, other, agent, hrun;
};

static struct sizes measure(void)
{
    pid_t agent = getppid(), guardian = parent_of(agent);
    struct sizes s = {
        .here = in_use(), .agent = resident(agent), .hrun = resident(parent_of(guardian))};
    hn_tid other = hn_group_tid(hn_world(), 1);
    CHECK(hn_send(other, ASK, NULL, 0, HN_INT) == HN_OK);
    CHECK(hn_recv(other, ASK, &s.other, 1, HN_LONG, NULL) == HN_OK);
    return s;
}

static void spawn_some(const char *self, int count)
{
    const char *const words[] = {"child", NULL};
    hn_tid tids[AT_ONCE];
    int x;
    for (int done = 0; done < count; done += AT_ONCE) {
        CHECK(hn_spawn(self, words, AT_ONCE, NULL, tids) == AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++)
            CHECK(hn_recv(tids[i], TAG, &x, 1, HN_INT, NULL) == HN_OK && x == tids[i]);
        for (int i = 0; i < AT_ONCE; i++)
            CHECK(hn_recv(tids[i], TAG, &x, 1, HN_INT, NULL) == HN_EDEAD);
        CHECK(hn_send(tids[0], TAG, &x, 1, HN_INT) == HN_EDEAD);
    }
}

static void serve(void)
{
    hn_tid first = hn_group_tid(hn_world(), 0);
    for (int i = 0; i < 2; i++) {
        CHECK(hn_recv(first, ASK, NULL, 0, HN_INT, NULL) == HN_OK);
        long now = in_use();
        CHECK(hn_send(first, ASK, &now, 1, HN_LONG) == HN_OK);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    if (strcmp(argv[1], "child") == 0) {
        hn_tid me = hn_mytid();
        CHECK(hn_send(hn_parent(), TAG, &me, 1, HN_INT) == HN_OK);
        if (me % 8 == 0)
            _exit(0);
        return hn_exit();
    }
    int children = atoi(argv[1]) / 2 / AT_ONCE * AT_ONCE;
    if (hn_rank() == 1) {
        serve();
        return hn_exit();
    }
    spawn_some(argv[0], children);
    struct sizes before = measure();
    spawn_some(argv[0], children);
    struct sizes after = measure();
    printf("%ld %ld %ld %ld\n", (after.here - before.here) / children,
           (after.other - before.other) / children, (after.agent - before.agent) / children,
           (after.hrun - before.hrun) / children);
    return hn_exit();
}
