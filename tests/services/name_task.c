/* name_task.c - tasks that use the name service, for the tests of services: name_task WHAT.  Every
 * one that is left prints WHAT when all was well.
 *     meet         rank 0 is found by its name; the others wait for it, in any order
 *     types        a value of many types is what it was
 *     many         each puts several values under one name, all see all, and delete their own
 *     queue        values are taken by one task each: none twice, none lost
 *     time         waiting ends: the time is up, and nothing is taken later
 *     owner        a value belongs to its task, and goes with it unless it was put to stay
 *     killed       the last rank is killed: its values go, those that were to stay stay
 *     lost         the same; it is its host that is lost
 *     alone        the last task does not wait for what nobody can put
 *     wrong        names and values that cannot be
 *     big          values of megabytes
 *     straight     rank 0 needs no agent on hrun's host, which stands still, for names and lists
 */
#include "check.h"
#include "hnow_coll.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 40 };

static int rank, size;

static int put_int(const char *name, int flags, int value)
{
    hn_buffer *buffer = hn_buffer_new();
    CHECK(hn_pack(buffer, &value, 1, HN_INT, 1) == HN_OK);
    int result = hn_name_put(name, HN_ANY, flags, buffer);
    hn_buffer_free(buffer);
    return result;
}

static int get_int(const char *name, int index, int flags, int milliseconds, int *value,
                   hn_name_info *info)
{
    hn_buffer *buffer = hn_buffer_new();
    int result = hn_name_get(name, index, flags, milliseconds, buffer, info);
    if (result == HN_OK)
        CHECK(hn_unpack(buffer, value, 1, HN_INT, 1) == HN_OK);
    hn_buffer_free(buffer);
    return result;
}

static void meet(void)
{
    hn_name_info info;
    int value = 0;
    for (int round = 0; round < 10; round++) {
        char name[20];
        snprintf(name, sizeof name, "server %d", round);
        if (rank == round % size)
            CHECK(put_int(name, 0, 100 + round) == 0);
        CHECK(get_int(name, HN_ANY, 0, -1, &value, &info) == HN_OK && value == 100 + round);
        CHECK(info.owner == hn_group_tid(hn_world(), round % size) && info.index == 0);
        CHECK(strcmp(info.name, name) == 0);
    }
    CHECK(hn_barrier(hn_world()) == HN_OK);
}

static void types(void)
{
    static const double reals[4] = {1.5, -2, 0.25, 1e300};
    hn_buffer *buffer = hn_buffer_new();
    double got[2];
    char text[20];
    short one = 7, back = 0;
    CHECK(hn_pack_string(buffer, "words") == HN_OK &&
          hn_pack(buffer, &one, 1, HN_SHORT, 1) == HN_OK);
    CHECK(hn_pack(buffer, reals, 2, HN_DOUBLE, 3) == HN_OK);
    if (rank == 0)
        CHECK(hn_name_put("typed", HN_ANY, 0, buffer) == 0);
    CHECK(hn_name_get("typed", 0, 0, -1, buffer, NULL) == HN_OK);
    CHECK(hn_unpack_string(buffer, text, sizeof text) == HN_OK && strcmp(text, "words") == 0);
    CHECK(hn_unpack(buffer, &back, 1, HN_SHORT, 1) == HN_OK && back == 7);
    CHECK(hn_unpack(buffer, got, 2, HN_DOUBLE, 1) == HN_OK && got[0] == 1.5 && got[1] == 1e300);
    hn_buffer_free(buffer);
    CHECK(hn_barrier(hn_world()) == HN_OK);
}

static void many(void)
{
    hn_name_info *list;
    int n, sum = 0, value, mine[3];
    for (int i = 0; i < 3; i++)
        CHECK((mine[i] = put_int("all", HN_NAME_MANY, 10 * rank + i)) >= 0);
    CHECK(put_int("call", 0, 0) == 0 || size > 1);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_name_list("al*", &list, &n) == HN_OK && n == 3 * size);
    for (int i = 0; i < n; i++) {
        CHECK(list[i].index == i && strcmp(list[i].name, "all") == 0 &&
              list[i].flags == HN_NAME_MANY);
        CHECK(get_int("all", i, 0, 0, &value, NULL) == HN_OK);
        CHECK(hn_group_tid(hn_world(), value / 10) == list[i].owner);
        sum += value;
    }
    CHECK(sum == 15 * size * (size - 1) + 3 * size);
    free(list);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_name_delete("all", mine[1]) == HN_OK && hn_name_delete("all", mine[1]) != HN_OK);
    CHECK(hn_name_delete("all", HN_ANY) == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(get_int("all", 0, HN_NAME_NEXT, 0, &value, NULL) == HN_ENAME);
}

static void queue(void)
{
    int value, sum = 0, got = 0, total[2] = {0, 0}, here[2];
    if (rank == 0)
        for (int i = 1; i <= ITEMS; i++)
            CHECK(put_int("work", HN_NAME_MANY | HN_NAME_SHARED, i) >= 0);
    if (rank == 0)
        for (int i = 1; i < size; i++)
            CHECK(put_int("work", HN_NAME_MANY | HN_NAME_SHARED, 0) >= 0);
    while (rank > 0 && get_int("work", HN_ANY, HN_NAME_TAKE, -1, &value, NULL) == HN_OK && value) {
        sum += value;
        got++;
    }
    here[0] = sum;
    here[1] = got;
    CHECK(hn_allreduce(here, total, 2, HN_INT, HN_SUM, hn_world()) == HN_OK);
    CHECK(total[0] == ITEMS * (ITEMS + 1) / 2 && total[1] == ITEMS);
    CHECK(hn_name_delete("work", HN_ANY) == HN_ENAME);
}

static void time_is_up(void)
{
    int value;
    if (rank > 0)
        CHECK(get_int("late", HN_ANY, HN_NAME_TAKE, 50, &value, NULL) == HN_ETIMEOUT);
    CHECK(get_int("late", HN_ANY, 0, 0, &value, NULL) == HN_ENAME);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank == 0)
        CHECK(put_int("late", HN_NAME_SHARED, 5) == 0);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(get_int("late", HN_ANY, 0, 0, &value, NULL) == HN_OK && value == 5);
    CHECK(hn_barrier(hn_world()) == HN_OK);
}

static void owner(void)
{
    int value;
    if (rank == size - 1) {
        CHECK(put_int("goes", 0, 1) == 0 && put_int("stays", HN_NAME_STAYS, 2) == 0);
        CHECK(hn_barrier(hn_world()) == HN_OK && hn_barrier(hn_world()) == HN_OK);
        CHECK(put_int("last words", HN_NAME_STAYS, 3) == 0 && hn_exit() == HN_OK);
        exit(0);
    }
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(put_int("goes", 0, 7) == HN_ESTATE && hn_name_delete("stays", 0) == HN_ESTATE);
    CHECK(get_int("goes", 0, HN_NAME_TAKE, 0, &value, NULL) == HN_ESTATE);
    CHECK(get_int("goes", 0, 0, 0, &value, NULL) == HN_OK && value == 1);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(get_int("last words", 0, 0, -1, &value, NULL) == HN_OK && value == 3);
    while (get_int("goes", 0, 0, 0, &value, NULL) == HN_OK)
        ;
    CHECK(get_int("stays", 0, 0, 0, &value, NULL) == HN_OK && value == 2);
    CHECK(put_int("stays", 0, 7) == HN_ESTATE); /* of one that has ended: only to be deleted */
}

/* The last rank ends without a word: in the middle of a barrier, or with its host. */
static void without_last(bool killed)
{
    hn_tid last = hn_group_tid(hn_world(), size - 1);
    hn_name_info info;
    int value, status;
    CHECK(hn_notify(HN_TASK_EXIT, &last, 1, 9) == HN_OK);
    if (rank == size - 1)
        CHECK(put_int("goes", 0, 1) == 0 && put_int("stays", HN_NAME_STAYS, 2) == 0 &&
              put_int("all's", HN_NAME_STAYS | HN_NAME_SHARED, 3) == 0);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank < size - 1) /* so that all have left the barrier */
        CHECK(hn_send(last, 8, &rank, 1, HN_INT) == HN_OK);
    for (int i = 1; rank == size - 1 && i < size; i++)
        CHECK(hn_recv(HN_ANY, 8, &value, 1, HN_INT, NULL) == HN_OK);
    if (rank == size - 1 && killed)
        raise(SIGKILL);
    if (rank == size - 1)
        CHECK(hn_send(hn_group_tid(hn_world(), 0), 8, &rank, 1, HN_INT) == HN_OK);
    if (rank == 0 && !killed) {
        CHECK(hn_recv(last, 8, &value, 1, HN_INT, NULL) == HN_OK);
        puts("ready");
        fflush(stdout);
    }
    if (rank == 1) /* waits for what comes only after that */
        CHECK(get_int("new", HN_ANY, 0, -1, &value, NULL) == HN_OK && value == 7);
    CHECK(hn_recv(last, 9, &status, 1, HN_INT, NULL) == HN_OK && status != 0);
    if (rank == 1)
        return;
    CHECK(get_int("stays", 0, 0, 0, &value, &info) == HN_OK && value == 2 && info.owner == last);
    CHECK(get_int("stays", 0, HN_NAME_TAKE, 0, &value, NULL) == HN_ESTATE);
    if (rank > 0)
        return;
    CHECK(get_int("goes", 0, 0, 0, &value, NULL) == HN_ENAME);
    CHECK(get_int("all's", 0, HN_NAME_TAKE, 0, &value, NULL) == HN_OK && value == 3);
    CHECK(put_int("goes", 0, 6) == 0 && put_int("new", HN_NAME_STAYS, 7) == 0);
}

static void killed(void)
{
    without_last(true);
}

static void lost(void)
{
    without_last(false);
}

static void alone(void)
{
    int value;
    if (rank > 0)
        return;
    CHECK(get_int("never", HN_ANY, 0, -1, &value, NULL) == HN_EDEAD);
}

static void wrong(void)
{
    hn_buffer *buffer = hn_buffer_new();
    char *large = calloc(1, 17 << 20);
    char name[300];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(large && hn_name_put(name, HN_ANY, 0, buffer) == HN_EARG);
    CHECK(hn_name_put("", HN_ANY, 0, buffer) == HN_EARG);
    CHECK(hn_name_put(NULL, HN_ANY, 0, buffer) == HN_EARG && hn_name_delete(NULL, 0) == HN_EARG);
    CHECK(hn_name_put("any", -2, 0, buffer) == HN_EARG && hn_name_delete("any", -2) == HN_EARG);
    CHECK(hn_name_put("any", HN_ANY, 0, NULL) == HN_EARG);
    CHECK(hn_name_put("empty", 3, 0, buffer) == 3);
    CHECK(hn_name_put("highest", INT_MAX, HN_NAME_SHARED, buffer) == INT_MAX);
    CHECK(put_int("highest", HN_NAME_MANY, 1) == HN_EARG && strstr(hn_error_text(), "no index"));
    CHECK(hn_pack(buffer, large, 17 << 20, HN_BYTE, 1) == HN_OK);
    CHECK(hn_name_put("large", HN_ANY, 0, buffer) == HN_EARG);
    CHECK(hn_name_get("empty", HN_ANY, 0, 0, buffer, NULL) == HN_OK);
    CHECK(hn_buffer_bytes(buffer) == 0);
    free(large);
    hn_buffer_free(buffer);
}

static void big(void)
{
    enum { COUNT = 1 << 20 };
    hn_buffer *buffer = hn_buffer_new();
    int64_t *numbers = calloc(COUNT, sizeof *numbers), sum = 0;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i + rank;
    CHECK(hn_pack(buffer, numbers, COUNT, HN_INT64, 1) == HN_OK);
    CHECK(hn_name_put("big", rank, 0, buffer) == rank);
    CHECK(hn_name_get("big", (rank + 1) % size, 0, -1, buffer, NULL) == HN_OK);
    CHECK(hn_unpack(buffer, numbers, COUNT, HN_INT64, 1) == HN_OK);
    for (int i = 0; i < COUNT; i++)
        sum += numbers[i] - i;
    CHECK(sum == (int64_t)COUNT * ((rank + 1) % size));
    CHECK(hn_barrier(hn_world()) == HN_OK);
    hn_buffer_free(buffer);
    free(numbers);
}

/* The first question goes through the agent. The second one makes the connection, at which hrun
 * looks before it reads that question. */
static void straight(void)
{
    int n, value = 0;
    hn_name_info *names;
    hn_task_info *tasks, mine;
    char group[] = "group";

    for (int i = 0; i < 4; i++)
        CHECK(put_int("before", 0, i) == 0);
    alarm(20);
    CHECK(kill(getppid(), SIGSTOP) == 0);
    CHECK(put_int("name", 0, 7) == 0 && put_int("name", HN_NAME_MANY | HN_NAME_FREE, 8) == 1);
    CHECK(get_int("name", 1, HN_NAME_TAKE, 0, &value, NULL) == HN_OK && value == 8);
    CHECK(hn_name_list("*", &names, &n) == HN_OK && n == 2 && hn_name_delete("name", 0) == HN_OK);
    CHECK(hn_join(group) == 0 && hn_joined_size(group) == 1 && hn_leave(group) == HN_OK);
    CHECK(hn_tasks(&tasks, &n) == HN_OK && n == size && hn_context_new(&(hn_context){0}) == HN_OK);
    CHECK(hn_task_status(hn_mytid(), &mine) == HN_OK && mine.state == HN_ENROLLED);
    CHECK(kill(getppid(), SIGCONT) == 0);
    alarm(0);
    free(names);
    free(tasks);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"meet", meet},       {"types", types}, {"many", many},     {"queue", queue},
    {"time", time_is_up}, {"owner", owner}, {"killed", killed}, {"lost", lost},
    {"alone", alone},     {"wrong", wrong}, {"big", big},       {"straight", straight},
};

int main(int argc, char **argv)
{
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    puts(argv[1]);
    return 0;
}
