/* hosts_task.c - tasks that add hosts to their job and remove them: hosts_task WHAT NAME...
 *     come NAME       the host is added, used, watched, removed, and added again
 *     wrong NAME      names and lines that are refused; NAME is a standby host
 *     unreached LINE  a host that cannot be reached: the outcome is printed, the job goes on
 *     loop N NAME...  N times: all are added, a task on each talks with all others, all are removed
 *     other NAME PROGRAM  the host is added, and another program runs there, twice
 *     staged NAME PROGRAM  the host is added, and a thread spawns a task there, for which
 *                     others wait meanwhile
 *     member          what that spawns
 *     together N      N hosts 127.0.1.1 ... in one request, a task on each
 *     child           what the above spawn: talks with its siblings and its parent
 */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 5, ENDED = 6, LOST = 7, ADDED = 8, MOST = 64 };

static const char *self;

static void add(const char *name)
{
    hn_host_outcome outcome = {.error = 77};
    CHECK(hn_add_hosts(&name, 1, &outcome) == 1);
    CHECK(outcome.error == HN_OK && !outcome.text[0]);
    CHECK(strcmp(hn_host_of(outcome.tid), name) == 0);
}

static void remove_one(const char *name)
{
    hn_host_outcome outcome = {.error = 77};
    CHECK(hn_remove_hosts(&name, 1, &outcome) == 1 && outcome.error == HN_OK);
}

static int is_listed(const char *name)
{
    hn_host_info *hosts;
    int n, found = 0;
    CHECK(hn_hosts(&hosts, &n) == HN_OK);
    for (int i = 0; i < n; i++)
        found += strcmp(hosts[i].name, name) == 0;
    free(hosts);
    return found;
}

/* Numbers go round among siblings, one goes to the parent; then waits for what does not come. */
static void child(void)
{
    int rank = hn_rank(), size = hn_size(), got;
    for (int i = 0; i < size; i++)
        CHECK(hn_send(hn_group_tid(hn_world(), i), TAG, &rank, 1, HN_INT) == HN_OK);
    for (int i = 0; i < size; i++) {
        CHECK(hn_recv(hn_group_tid(hn_world(), i), TAG, &got, 1, HN_INT, NULL) == HN_OK);
        CHECK(got == i);
    }
    CHECK(hn_send(hn_parent(), TAG, &rank, 1, HN_INT) == HN_OK);
    hn_recv(hn_parent(), TAG, &got, 1, HN_INT, NULL);
}

/* n children on hosts that suit: all have heard from all. */
static void family(int n, const hn_place *place, hn_tid *tids)
{
    const char *words[] = {"child", NULL};
    CHECK(hn_spawn(self, words, n, place, tids) == n);
    for (int i = 0; i < n; i++) {
        int rank = -1;
        CHECK(hn_recv(tids[i], TAG, &rank, 1, HN_INT, NULL) == HN_OK && rank == i);
    }
}

/* The next message with that tag, from this host or from a task there. */
static int told(int tag, const char *name)
{
    hn_info info;
    int value;
    CHECK(hn_recv(HN_ANY, tag, &value, 1, HN_INT, &info) == HN_OK);
    CHECK(strcmp(hn_host_of(info.from), name) == 0);
    return value;
}

static void come(const char *name)
{
    hn_tid tids[2], first;
    CHECK(!is_listed(name) && hn_notify(HN_HOST_ADDED, NULL, -1, ADDED) == HN_OK);
    add(name);
    CHECK(is_listed(name) == 1 && told(ADDED, name) > 0);
    family(2, &(hn_place){.host = name}, tids);
    CHECK(strcmp(hn_host_of(tids[0]), name) == 0);
    first = hn_host_tid(tids[0]);
    CHECK(hn_notify(HN_TASK_EXIT, tids, 2, ENDED) == HN_OK);
    CHECK(hn_notify(HN_HOST_LOST, &first, 1, LOST) == HN_OK);
    remove_one(name);
    told(ENDED, name);
    told(ENDED, name);
    CHECK(told(LOST, name) == 0 && !is_listed(name));
    CHECK(hn_spawn(self, NULL, 1, &(hn_place){.host = name}, NULL) == HN_EARG);
    CHECK(hn_notify(HN_HOST_LOST, &first, 1, LOST) == HN_OK && told(LOST, name) == 0);
    add(name);
    CHECK(is_listed(name) == 1 && told(ADDED, name) > 0);
    family(1, &(hn_place){.host = name}, tids);
    CHECK(hn_host_tid(tids[0]) != first && hn_kill(tids[0]) == HN_OK);
    puts("came, went, came");
}

static void wrong(const char *name)
{
    const char *own = hn_host_of(hn_mytid());
    const char *lines[] = {own, "a b=c", "two\nlines", "", "node[1-3]", name, name};
    hn_host_outcome outcomes[7];
    CHECK(hn_add_hosts(lines, 7, outcomes) == 1);
    for (int i = 0; i < 7; i++) {
        CHECK((outcomes[i].error == HN_OK) == (i == 5));
        printf("%s\n", outcomes[i].text);
    }
    CHECK(strstr(hn_error_text(), "already"));
    CHECK(hn_add_hosts(lines, 0, NULL) == HN_EARG && hn_add_hosts(NULL, 1, NULL) == HN_EARG);
    lines[1] = "nosuch";
    CHECK(hn_remove_hosts(lines, 2, outcomes) == 0);
    printf("%s\n%s\n", outcomes[0].text, outcomes[1].text);
}

static void unreached(const char *line)
{
    hn_host_outcome outcome;
    for (int i = 0; i < 2; i++) {
        CHECK(hn_add_hosts(&line, 1, &outcome) == 0 && outcome.error == HN_EHOST);
        CHECK(strcmp(outcome.text, hn_error_text()) == 0);
    }
    puts(outcome.text);
}

static void other(const char *name, const char *program)
{
    hn_tid tid;
    hn_task_info info;
    add(name);
    for (int i = 0; i < 2; i++) {
        CHECK(hn_spawn(program, NULL, 1, &(hn_place){.host = name}, &tid) == 1);
        CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, ENDED) == HN_OK && told(ENDED, name) == 0);
        CHECK(hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED);
    }
    puts("ran twice");
}

static void *spawn_member(void *where)
{
    static const char *const words[] = {"member", NULL};
    const char *const *name_and_program = where;
    hn_place place = {.host = name_and_program[0]};
    CHECK(hn_spawn(name_and_program[1], words, 1, &place, NULL) == 1);
    return NULL;
}

static void *await_value(void *name)
{
    CHECK(hn_name_get(name, HN_ANY, 0, -1, NULL, NULL) == HN_OK);
    return NULL;
}

static void member(void)
{
    hn_buffer *empty = hn_buffer_new();
    CHECK(hn_name_put("staged", HN_ANY, HN_NAME_STAYS, empty) == 0);
    CHECK(hn_join("staged") == 1 && hn_joined_barrier("staged", 2) == HN_OK);
    hn_buffer_free(empty);
}

/* While the program is on its way, nobody else is in the job; but somebody will be. */
static void staged(const char *name, const char *program)
{
    const char *where[] = {name, program};
    pthread_t spawning, waiting;
    add(name);
    CHECK(hn_join("staged") == 0);
    CHECK(!pthread_create(&spawning, NULL, spawn_member, where));
    usleep(100000); /* it asks; the program is large */
    CHECK(!pthread_create(&waiting, NULL, await_value, "staged"));
    CHECK(hn_joined_barrier("staged", 2) == HN_OK);
    pthread_join(waiting, NULL);
    pthread_join(spawning, NULL);
    puts("met");
}

static void loop(int n, int names, char **name)
{
    hn_host_outcome outcomes[MOST];
    hn_tid tids[MOST];
    CHECK(names > 0 && names < MOST);
    for (int i = 0; i < n; i++) {
        CHECK(hn_add_hosts((const char *const *)name, names, outcomes) == names);
        family(names + 1, NULL, tids);
        CHECK(hn_remove_hosts((const char *const *)name, names, outcomes) == names);
        for (int k = 0; k <= names; k++) {
            hn_task_info info;
            CHECK(hn_task_status(tids[k], &info) == HN_OK);
            if (info.state != HN_ENDED)
                CHECK(hn_kill(tids[k]) == HN_OK);
        }
    }
    printf("%d times\n", n);
}

static void together(int n)
{
    static char lines[MOST][60];
    const char *list[MOST] = {NULL};
    hn_host_outcome outcomes[MOST];
    hn_tid tids[MOST];
    hn_info info;
    int added[MOST];
    CHECK(n > 0 && n < MOST);
    for (int i = 0; i < n; i++) {
        snprintf(lines[i], sizeof lines[i], "127.0.1.%d slots=1", i + 1);
        list[i] = lines[i];
    }
    CHECK(hn_notify(HN_HOST_ADDED, NULL, -1, ADDED) == HN_OK);
    CHECK(hn_add_hosts(list, n, outcomes) == n);
    CHECK(hn_recv(HN_ANY, ADDED, added, MOST, HN_INT, &info) == HN_OK);
    CHECK(info.from == outcomes[0].tid && (int)info.count == n);
    for (int i = 0; i < n; i++)
        CHECK(added[i] == outcomes[i].tid);
    CHECK(hn_iprobe(HN_ANY, ADDED, NULL) == 0); /* one message for all */
    family(n, &(hn_place){.host = "127.0.1.*"}, tids);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            CHECK(hn_host_tid(tids[i]) != hn_host_tid(tids[k]));
    for (int i = 0; i < n; i++)
        CHECK(hn_kill(tids[i]) == HN_OK);
    printf("%d at once\n", n);
}

/* Adds all in one request: says how many came, and why others did not. */
static void several(int n, char **line)
{
    hn_host_outcome outcomes[MOST];
    CHECK(n > 0 && n < MOST);
    printf("%d added\n", hn_add_hosts((const char *const *)line, n, outcomes));
    for (int i = 0; i < n; i++)
        if (outcomes[i].error)
            puts(outcomes[i].text);
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc < 2 || hn_enrol())
        return 9;
    const char *what = argv[1], *more = argc > 2 ? argv[2] : "";
    if (strcmp(what, "child") == 0)
        child();
    if (strcmp(what, "come") == 0)
        come(more);
    if (strcmp(what, "several") == 0)
        several(argc - 2, argv + 2);
    if (strcmp(what, "wrong") == 0)
        wrong(more);
    if (strcmp(what, "other") == 0 && argc > 3)
        other(more, argv[3]);
    if (strcmp(what, "staged") == 0 && argc > 3)
        staged(more, argv[3]);
    if (strcmp(what, "member") == 0)
        member();
    if (strcmp(what, "unreached") == 0)
        unreached(more);
    if (strcmp(what, "loop") == 0)
        loop(atoi(more), argc - 3, argv + 3);
    if (strcmp(what, "together") == 0)
        together(atoi(more));
    return hn_exit() ? 7 : 0;
}
