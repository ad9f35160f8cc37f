/* churn_task.c - hosts that come and go while everybody talks: churn_task WHAT [ARG...]
 *     flow N NAME...    rank 0 adds and removes the hosts N times; tasks there flood the others,
 * who are in collective operations all the time, each second time to their end parent NAME NAME the
 * host of a task's parent goes: what the orphan sees twice NAME        all tasks add and remove one
 * host at the same time: it is done once race N NAME       rank 0 adds and removes, the others
 * spawn there: all calls return fails N LINE      N times a host that does not answer is added,
 * while the others talk flood, middle, leaf, short     what the above spawn
 */
#include "check.h"
#include "hnow_coll.h"

#include <stdlib.h>
#include <string.h>

enum { FLOOD = 5, DONE = 6, ENDED = 7, EACH = 500, MOST = 16, SENDERS = 4096 };

static const char *self;
static int rank, size;

static hn_tid tid_of(int r)
{
    return hn_group_tid(hn_world(), r);
}

static int add(const char *const *names, int n)
{
    return hn_add_hosts(names, n, NULL);
}

/* ---- flow ------------------------------------------------------------------------------------ */

static struct {
    hn_tid from;
    int next;
} heard[SENDERS];

/* Numbers of one sender come in order, and none is missing in between. */
static void count(const hn_info *info, hn_buffer *message, void *data)
{
    int number, i = 0;
    (void)data;
    CHECK(hn_unpack(message, &number, 1, HN_INT, 1) == HN_OK);
    while (i < SENDERS && heard[i].from && heard[i].from != info->from)
        i++;
    CHECK(i < SENDERS && number == heard[i].next++);
    heard[i].from = info->from;
}

/* The others: sums and rounds in the group of all but rank 0, until that says stop. */
static void talk(const hn_group *group)
{
    int me = hn_group_rank(group, hn_mytid()), n = hn_group_size(group), got, rounds = 0;
    hn_tid right = hn_group_tid(group, (me + 1) % n), left = hn_group_tid(group, (me + n - 1) % n);
    for (int stop = 0, any = 0; !any; rounds++) {
        if (!stop && me == 0)
            stop = hn_probe_timeout(tid_of(0), DONE, 0, NULL) == HN_OK;
        CHECK(hn_send(right, 1, &rounds, 1, HN_INT) == HN_OK);
        CHECK(hn_recv(left, 1, &got, 1, HN_INT, NULL) == HN_OK && got == rounds);
        CHECK(hn_allreduce(&stop, &any, 1, HN_INT, HN_MAX, group) == HN_OK);
    }
    if (me == 0)
        CHECK(hn_recv(tid_of(0), DONE, &got, 1, HN_INT, NULL) == HN_OK);
    CHECK(rounds > 0);
}

static void stop_talk(void)
{
    CHECK(hn_send(tid_of(1), DONE, &(int){1}, 1, HN_INT) == HN_OK);
}

/* One of the tasks that come with a host and tell everybody something. */
static void start_flood(const hn_place *place, hn_tid *tid)
{
    char list[MOST][12];
    const char *words[MOST + 2] = {"flood"};
    for (int r = 1; r < size; r++) {
        snprintf(list[r], sizeof list[r], "%d", tid_of(r));
        words[r] = list[r];
    }
    CHECK(hn_spawn(self, words, 1, place, tid) == 1);
}

static void flood(int n, char **tids)
{
    for (int i = 0; i < EACH; i++)
        for (int k = 0; k < n; k++)
            CHECK(hn_send(atoi(tids[k]), FLOOD, &i, 1, HN_INT) == HN_OK);
    CHECK(hn_send(hn_parent(), DONE, &n, 1, HN_INT) == HN_OK);
}

static void come_and_go(int times, const char *const *names, int n)
{
    hn_tid tids[MOST];
    for (int i = 0; i < times; i++) {
        CHECK(add(names, n) == n);
        for (int k = 0; k < n; k++)
            start_flood(&(hn_place){.host = names[k]}, &tids[k]);
        for (int k = 0; k < n && i % 2; k++) {
            int got;
            CHECK(hn_recv(tids[k], DONE, &got, 1, HN_INT, NULL) == HN_OK);
        }
        CHECK(hn_remove_hosts(names, n, NULL) == n);
    }
}

static void flow(int times, const char *const *names, int n)
{
    hn_group *group;
    CHECK(hn_group_split(hn_world(), rank > 0, 0, &group) == HN_OK);
    if (rank > 0) {
        int handler = hn_handler_add(HN_ANY, FLOOD, count, NULL);
        CHECK(handler >= 0);
        talk(group);
    } else {
        come_and_go(times, names, n);
        stop_talk();
        printf("%d times\n", times);
    }
    hn_group_free(group);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

/* The leaf tells the root its own tid and waits for the parent, which never says anything. */
static void leaf(hn_tid root)
{
    int got;
    hn_task_info info;
    hn_tid parent = hn_parent();
    CHECK(hn_send(root, DONE, &parent, 1, HN_INT32) == HN_OK);
    CHECK(hn_recv(parent, FLOOD, &got, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(hn_parent() == parent && hn_send(parent, FLOOD, &got, 0, HN_INT) == HN_EDEAD);
    CHECK(hn_task_status(parent, &info) == HN_OK && info.state == HN_ENDED);
    CHECK(hn_kill(parent) == HN_EDEAD);
    CHECK(hn_send(root, DONE, &got, 0, HN_INT) == HN_OK);
}

static void middle(const char *root, const char *host)
{
    const char *words[] = {"leaf", root, NULL};
    int got;
    CHECK(hn_spawn(self, words, 1, &(hn_place){.host = host}, NULL) == 1);
    hn_recv(HN_ANY, FLOOD, &got, 1, HN_INT, NULL);
}

static void parent(const char *const *names)
{
    char root[12];
    const char *words[] = {"middle", root, names[1], NULL};
    const char *again[] = {names[1], names[1], names[0]};
    hn_host_outcome outcomes[3];
    hn_tid tid, told;
    hn_info info;
    snprintf(root, sizeof root, "%d", hn_mytid());
    CHECK(add(names, 2) == 2);
    CHECK(hn_spawn(self, words, 1, &(hn_place){.host = names[0]}, &tid) == 1);
    CHECK(hn_recv(HN_ANY, DONE, &told, 1, HN_INT32, &info) == HN_OK && told == tid);
    CHECK(strcmp(hn_host_of(info.from), names[1]) == 0);
    CHECK(hn_remove_hosts(names, 1, NULL) == 1);
    CHECK(hn_recv(info.from, DONE, NULL, 0, HN_INT32, NULL) == HN_OK);
    CHECK(hn_remove_hosts(again, 3, outcomes) == 1 && outcomes[0].error == HN_OK);
    CHECK(outcomes[1].error == HN_EARG && outcomes[2].error == HN_EARG);
    puts("an orphan");
}

static void twice(const char *name)
{
    int n, all;
    for (int i = 0; i < 10; i++) {
        CHECK(hn_barrier(hn_world()) == HN_OK);
        n = add(&name, 1);
        CHECK(hn_allreduce(&n, &all, 1, HN_INT, HN_SUM, hn_world()) == HN_OK && all == 1);
        n = hn_remove_hosts(&name, 1, NULL);
        CHECK(hn_allreduce(&n, &all, 1, HN_INT, HN_SUM, hn_world()) == HN_OK && all == 1);
    }
    if (rank == 0)
        puts("once");
}

static void race(int times, const char *name)
{
    const char *words[] = {"short", NULL};
    int started = 0, refused = 0, any = 0, stop = rank > 0;
    for (int i = 0; rank == 0 && i < times; i++)
        CHECK(add(&name, 1) == 1 && hn_remove_hosts(&name, 1, NULL) == 1);
    if (rank == 0)
        for (int r = 1; r < size; r++)
            CHECK(hn_send(tid_of(r), DONE, &any, 1, HN_INT) == HN_OK);
    while (stop && hn_probe_timeout(tid_of(0), DONE, 0, NULL) != HN_OK) {
        hn_tid tid = 0;
        int n = hn_spawn(self, words, 1, &(hn_place){.host = name}, &tid);
        CHECK(n == 1 || n == HN_EARG || (n == 0 && (tid == HN_EDEAD || tid == HN_ESTART)));
        started += n == 1;
        refused += n != 1;
    }
    if (rank > 0)
        CHECK(hn_recv(tid_of(0), DONE, &any, 1, HN_INT, NULL) == HN_OK);
    if (rank == 1)
        printf("%d started, %d not\n", started, refused);
}

static void fails(int times, const char *line)
{
    hn_host_outcome outcome;
    hn_group *group;
    CHECK(hn_group_split(hn_world(), rank > 0, 0, &group) == HN_OK);
    for (int i = 0; rank == 0 && i < times; i++) {
        CHECK(hn_add_hosts(&line, 1, &outcome) == 0 && outcome.error == HN_EHOST);
        if (i == 0)
            puts(outcome.text);
    }
    if (rank == 0)
        stop_talk();
    else
        talk(group);
    hn_group_free(group);
}

int main(int argc, char **argv)
{
    self = argv[0];
    CHECK(argc > 1 && hn_enrol() == HN_OK);
    const char *what = argv[1];
    const char *const *names = (const char *const *)argv + 3;
    rank = hn_rank();
    size = hn_size();
    if (strcmp(what, "flow") == 0 && argc > 3)
        flow(atoi(argv[2]), names, argc - 3);
    if (strcmp(what, "parent") == 0 && argc == 4)
        parent(names - 1);
    if (strcmp(what, "twice") == 0 && argc == 3)
        twice(argv[2]);
    if (strcmp(what, "race") == 0 && argc == 4)
        race(atoi(argv[2]), argv[3]);
    if (strcmp(what, "fails") == 0 && argc == 4)
        fails(atoi(argv[2]), argv[3]);
    if (strcmp(what, "flood") == 0)
        flood(argc - 2, argv + 2);
    if (strcmp(what, "middle") == 0 && argc == 4)
        middle(argv[2], argv[3]);
    if (strcmp(what, "leaf") == 0 && argc == 3)
        leaf(atoi(argv[2]));
    return hn_exit() == HN_OK ? 0 : 1;
}
