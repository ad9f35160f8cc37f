/* together_task.c - what tasks on machines of several kinds do in one job, for
 * tests/cross/together: together_task WHAT groups     groups that are joined, frozen and split
 *     names      values under names: each put by one machine, read and taken by all others
 *     spawn      every task starts one on every machine class, talks with it, and hears of its end
 *     signals    tasks on every machine class are told to end, by signals of various numbers
 *     catch      output of children on every machine class comes as lines
 *     blocks     collective operations of every kind on large blocks
 * Prints WHAT at rank 0 when everything was as it should be; else says what was not, status 1.
 */
#include "../services/check.h"
#include "hnow_coll.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { TAG = 3, ENDED = 4, MOST = 32, LARGE = 100000 };

static const char *self;
static int rank, size;

static hn_tid tid_of(int r)
{
    return hn_group_tid(hn_world(), r);
}

/* Sums and a broadcast in a group. */
static void use(const hn_group *group)
{
    int n = hn_group_size(group), me = hn_group_rank(group, hn_mytid()), sum;
    int64_t word = me == n - 1 ? 0x0102030405060708 : 0;
    CHECK(hn_allreduce(&me, &sum, 1, HN_INT, HN_SUM, group) == HN_OK && sum == n * (n - 1) / 2);
    CHECK(hn_bcast(&word, 1, HN_INT64, n - 1, group) == HN_OK && word == 0x0102030405060708);
}

static void groups(void)
{
    hn_group *group;
    hn_tid *members;
    int n, instance = hn_join("all");
    CHECK(instance >= 0 && instance < size && hn_joined_barrier("all", size) == HN_OK);
    CHECK(hn_joined_size("all") == size && hn_joined_tid("all", instance) == hn_mytid());
    CHECK(hn_joined_members("all", &members, &n) == HN_OK && n == size);
    CHECK(members[instance] == hn_mytid());
    free(members);
    CHECK(hn_joined_freeze("all", size, &group) == HN_OK && hn_group_size(group) == size);
    use(group);
    hn_group_free(group);
    CHECK(hn_leave("all") == HN_OK);
    CHECK(hn_group_split(hn_world(), rank % 2, -rank, &group) == HN_OK);
    CHECK(hn_group_tid(group, hn_group_size(group) - 1) == tid_of(rank % 2));
    use(group);
    hn_group_free(group);
}

static void names(void)
{
    hn_buffer *value = hn_buffer_new();
    char name[20], text[20];
    for (int r = 0; r < size; r++) {
        long number = -r, got;
        double half = r + 0.5, real;
        snprintf(name, sizeof name, "of %d", r);
        if (r == rank) {
            CHECK(hn_pack(value, &number, 1, HN_LONG, 1) == HN_OK);
            CHECK(hn_pack_string(value, name) == HN_OK);
            CHECK(hn_pack(value, &half, 1, HN_DOUBLE, 1) == HN_OK);
            CHECK(hn_name_put(name, HN_ANY, HN_NAME_SHARED, value) == 0);
        }
        CHECK(hn_name_get(name, HN_ANY, 0, -1, value, NULL) == HN_OK);
        CHECK(hn_unpack(value, &got, 1, HN_LONG, 1) == HN_OK && got == number);
        CHECK(hn_unpack_string(value, text, sizeof text) == HN_OK && strcmp(text, name) == 0);
        CHECK(hn_unpack(value, &real, 1, HN_DOUBLE, 1) == HN_OK && real == half);
        CHECK(hn_barrier(hn_world()) == HN_OK);
        if (r == (rank + 1) % size)
            CHECK(hn_name_get(name, HN_ANY, HN_NAME_TAKE, 0, value, NULL) == HN_OK);
        CHECK(hn_barrier(hn_world()) == HN_OK);
        CHECK(hn_name_get(name, HN_ANY, 0, 0, value, NULL) == HN_ENAME);
        hn_buffer_clear(value);
    }
    hn_buffer_free(value);
}

/* A child on each machine class, doing what the words say; how many. */
static int on_each(const char *what, hn_tid tids[MOST])
{
    const char *const words[] = {what, NULL};
    hn_host_info *hosts;
    int n;
    CHECK(hn_hosts(&hosts, &n) == HN_OK && n <= MOST);
    for (int i = 0; i < n; i++) {
        CHECK(hn_spawn(self, words, 1, &(hn_place){.machine = hosts[i].machine}, &tids[i]) == 1);
        CHECK(strcmp(hn_host_of(tids[i]), hosts[i].name) == 0);
    }
    free(hosts);
    return n;
}

/* The next message of the end of one of the tasks; its status. */
static int ended(const hn_tid *tids, int n)
{
    hn_info info;
    int status, known = 0;
    CHECK(hn_recv(HN_ANY, ENDED, &status, 1, HN_INT, &info) == HN_OK);
    for (int i = 0; i < n; i++)
        known += tids[i] == info.from;
    CHECK(known == 1);
    return status;
}

static void spawn(void)
{
    hn_tid tids[MOST];
    int n = on_each("child", tids);
    CHECK(hn_notify(HN_TASK_EXIT, tids, n, ENDED) == HN_OK);
    for (int i = 0; i < n; i++) {
        long numbers[2] = {i, -i}, back[2];
        CHECK(hn_send(tids[i], TAG, numbers, 2, HN_LONG) == HN_OK);
        CHECK(hn_recv(tids[i], TAG, back, 2, HN_LONG, NULL) == HN_OK);
        CHECK(back[0] == i && back[1] == -i);
    }
    for (int i = 0; i < n; i++)
        CHECK(ended(tids, n) == 0);
}

static void signals(void)
{
    static const int numbers[] = {SIGTERM, SIGKILL, SIGINT, SIGHUP};
    hn_tid tids[MOST];
    hn_task_info info;
    int n = on_each("waits", tids), got;
    CHECK(hn_notify(HN_TASK_EXIT, tids, n, ENDED) == HN_OK);
    for (int i = 0; i < n; i++) {
        CHECK(hn_recv(tids[i], TAG, &got, 1, HN_INT, NULL) == HN_OK);
        CHECK(hn_signal(tids[i], 0) == HN_OK && hn_signal(tids[i], numbers[i % 4]) == HN_OK);
    }
    for (int i = 0; i < n; i++) {
        int status = ended(tids, n);
        CHECK(WIFSIGNALED(status));
    }
    for (int i = 0; i < n; i++) {
        CHECK(hn_task_status(tids[i], &info) == HN_OK && info.state == HN_ENDED);
        CHECK(WTERMSIG(info.status) == numbers[i % 4] && hn_kill(tids[i]) == HN_EDEAD);
    }
}

static void catch (void)
{
    char line[200];
    hn_tid tids[MOST];
    hn_info info;
    int n, lines = 0;
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    n = on_each("says", tids);
    for (int left = n; left > 0;) {
        CHECK(hn_recv(HN_ANY, TAG, line, sizeof line, HN_CHAR, &info) == HN_OK);
        left -= info.count == 0;
        lines += info.count == 11 && memcmp(line, "what I say\n", 11) == 0;
    }
    CHECK(lines == n);
}

static void blocks(void)
{
    int32_t *mine = malloc(sizeof *mine * LARGE * (size_t)size),
            *all = malloc(sizeof *all * LARGE * (size_t)size);
    int64_t sum[2] = {rank, LARGE}, total[2];
    CHECK(mine && all);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < LARGE; i++)
            mine[i] = i * (rank + 1) + round;
        CHECK(hn_allgather(mine, LARGE, all, HN_INT32, hn_world()) == HN_OK);
        for (int r = 0; r < size; r++)
            for (int i = 0; i < LARGE; i += 997)
                CHECK(all[r * LARGE + i] == i * (r + 1) + round);
        CHECK(hn_allreduce(mine, all, LARGE, HN_INT32, HN_SUM, hn_world()) == HN_OK);
        CHECK(all[7] == 7 * size * (size + 1) / 2 + size * round);
        CHECK(hn_allreduce(sum, total, 2, HN_INT64, HN_MAX, hn_world()) == HN_OK);
        CHECK(total[0] == size - 1 && total[1] == LARGE);
        CHECK(hn_scatter(all, LARGE / size, mine, HN_INT32, round % size, hn_world()) == HN_OK);
        CHECK(hn_barrier(hn_world()) == HN_OK);
    }
    free(mine);
    free(all);
}

static void child(void)
{
    int32_t numbers[2];
    CHECK(hn_recv(hn_parent(), TAG, numbers, 2, HN_INT32, NULL) == HN_OK);
    CHECK(hn_send(hn_parent(), TAG, numbers, 2, HN_INT32) == HN_OK);
}

static void waits(void)
{
    int got = 0;
    CHECK(hn_send(hn_parent(), TAG, &got, 1, HN_INT) == HN_OK);
    hn_recv(hn_parent(), TAG, &got, 1, HN_INT, NULL);
}

static void says(void)
{
    puts("what I say");
    fflush(stdout);
}

static const struct {
    const char *name;
    void (*run)(void);
    bool is_child;
} words[] = {
    {"groups", groups, false},   {"names", names, false}, {"spawn", spawn, false},
    {"signals", signals, false}, {"catch", catch, false}, {"blocks", blocks, false},
    {"child", child, true},      {"waits", waits, true},  {"says", says, true},
};

int main(int argc, char **argv)
{
    self = "./together_task"; /* what stands in for this program in the directory of each host */
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, argv[1]) == 0) {
            words[i].run();
            if (!words[i].is_child && rank == 0)
                puts(argv[1]);
        }
    return hn_exit() == HN_OK ? 0 : 1;
}
