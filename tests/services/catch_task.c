/* catch_task.c - tasks that catch the output of others: catch_task WHAT [ARG...]
 *     lines N       N children write 100 lines each: every line comes, in order, then the end mark
 *     killed        a child is killed in the middle of a line: nothing that it wrote is lost
 *     flood BYTES   a child writes much more than the memory for messages takes
 *     chosen        only one of two children is caught; what is no child is refused
 *     family        a grandchild's output comes to the grandparent
 *     taken         a child catches a grandchild instead, for which hn_exit() waits no longer
 *     file          output goes to a file of the library; hn_exit() waits for it
 *     long          lines of LONG and of more than 16 MiB bytes go to a file
 *     leave         leaves before its children have written: their output goes to hrun
 *     again         is not caught any more
 *     ended         the job is ended while a child has still something to say
 *     child WHAT    what the above spawn
 */
#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 5, GO = 6, LEFT = 7, LONG = 200000, TOO_LONG = (16 << 20) + 1000 };

static const char *self;

static hn_tid spawn(const char *what, const char *more)
{
    const char *words[] = {"child", what, more, NULL};
    hn_tid tid = 0;
    CHECK(hn_spawn(self, words, 1, NULL, &tid) == 1);
    return tid;
}

/* ---- children ---------------------------------------------------------------------------------
 */

static void wait_for_go(void)
{
    int nothing;
    CHECK(hn_recv(hn_parent(), GO, &nothing, 1, HN_INT, NULL) == HN_OK);
}

static void write_flood(size_t bytes)
{
    char line[100];
    for (size_t at = 0; at < bytes; at += sizeof line) {
        memset(line, 'a' + (int)(at / sizeof line % 26), sizeof line - 1);
        line[sizeof line - 1] = '\n';
        fwrite(line, 1, sizeof line, stdout);
    }
}

static void write_long(size_t length)
{
    for (size_t i = 0; i < length; i++)
        putchar('a' + (int)(i % 26));
    putchar('\n');
}

static void say_last(int signal)
{
    static const char words[] = "last words\n";
    (void)signal;
    _exit(write(STDOUT_FILENO, words, sizeof words - 1) < 0);
}

static void child(const char *what, const char *more)
{
    if (strcmp(what, "fails") == 0)
        exit(3);
    if (strcmp(what, "last") == 0) {
        signal(SIGTERM, say_last);
        CHECK(hn_send(hn_parent(), GO, NULL, 0, HN_INT) == HN_OK);
        pause();
    }
    if (strcmp(what, "lines") == 0)
        for (int i = 0; i < 100; i++)
            fprintf(i % 2 ? stderr : stdout, "line %d of %s\n", i, more), fflush(stdout);
    if (strcmp(what, "killed") == 0) {
        printf("a line\n\nand a half");
        fflush(stdout);
        raise(SIGKILL);
    }
    if (strcmp(what, "flood") == 0)
        write_flood(strtoul(more, NULL, 10));
    if (strcmp(what, "long") == 0)
        write_long(LONG), write_long(strtoul(more, NULL, 10)), puts("the end");
    if (strcmp(what, "later") == 0)
        wait_for_go();
    if (strcmp(what, "slow") == 0)
        usleep(300000);
    if (strcmp(what, "later") == 0 || strcmp(what, "say") == 0 || strcmp(what, "slow") == 0)
        printf("said by %s\n", more);
    if (strcmp(what, "family") == 0)
        spawn("say", "a grandchild");
}

/* ---- catchers ---------------------------------------------------------------------------------
 */

/* The next line of a task as a text; its end mark is "". */
static const char *next_line(hn_tid tid, hn_tid *from)
{
    static char line[HN_LINE_MAX + 1];
    hn_info info;
    CHECK(hn_recv(tid, TAG, line, HN_LINE_MAX, HN_CHAR, &info) == HN_OK);
    line[info.count] = 0;
    if (from)
        *from = info.from;
    return line;
}

static void lines(int n)
{
    char wanted[100], name[20];
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    hn_tid *tids = calloc((size_t)n, sizeof *tids);
    int *odd = calloc((size_t)n, sizeof *odd), *even = calloc((size_t)n, sizeof *even);
    CHECK(tids && odd && even);
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%d", i);
        tids[i] = spawn("lines", name);
    }
    for (int ended = 0; ended < n;) {
        hn_tid from;
        int i = 0, number;
        const char *line = next_line(HN_ANY, &from);
        while (tids[i] != from)
            i++;
        if (!line[0]) {
            CHECK(odd[i] == 50 && even[i] == 50);
            ended++;
            continue;
        }
        CHECK(sscanf(line, "line %d", &number) == 1);
        snprintf(wanted, sizeof wanted, "line %d of %d\n", number, i);
        CHECK(strcmp(line, wanted) == 0);
        CHECK(number == (number % 2 ? 2 * odd[i]++ + 1 : 2 * even[i]++));
    }
    printf("all lines of %d\n", n);
}

static void killed(void)
{
    hn_task_info info;
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    hn_tid tid = spawn("killed", NULL);
    CHECK(strcmp(next_line(tid, NULL), "a line\n") == 0);
    CHECK(strcmp(next_line(tid, NULL), "\n") == 0);
    CHECK(strcmp(next_line(tid, NULL), "and a half") == 0);
    CHECK(strcmp(next_line(tid, NULL), "") == 0);
    CHECK(hn_task_status(tid, &info) == HN_OK && info.state == HN_ENDED);
    CHECK(hn_probe(HN_ANY, TAG, NULL) == HN_EDEAD);
    puts("nothing is lost");
}

static void flood(const char *bytes)
{
    size_t total = 0, wanted = strtoul(bytes, NULL, 10) / 100 * 100;
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    hn_tid tid = spawn("flood", bytes);
    usleep(500000); /* it fills what there is; no result depends on it */
    for (;;) {
        const char *line = next_line(tid, NULL);
        if (!line[0])
            break;
        CHECK(strlen(line) == 100 && line[0] == 'a' + (int)(total / 100 % 26));
        total += 100;
    }
    CHECK(total == wanted);
    puts("a flood");
}

static void go(hn_tid tid)
{
    CHECK(hn_send(tid, GO, &(int){0}, 1, HN_INT) == HN_OK);
}

static void chosen(void)
{
    hn_tid me = hn_mytid(), tids[2] = {spawn("later", "one"), spawn("later", "two")};
    CHECK(hn_catch_output(&me, 1, TAG) == HN_EARG);
    CHECK(hn_catch_output(&(hn_tid){12345678}, 1, TAG) == HN_ENOTASK);
    CHECK(hn_catch_output(tids, -1, TAG) == HN_EARG && hn_catch_output(tids, 1, -1) == HN_EARG);
    CHECK(hn_catch_output(&tids[1], 1, TAG) == HN_OK);
    go(tids[0]);
    go(tids[1]);
    CHECK(strcmp(next_line(HN_ANY, NULL), "said by two\n") == 0);
    CHECK(strcmp(next_line(HN_ANY, NULL), "") == 0);
    CHECK(hn_catch_output(&tids[1], 1, TAG) == HN_OK); /* it has ended: the mark at once */
    CHECK(strcmp(next_line(tids[1], NULL), "") == 0);
}

static void family(void)
{
    hn_tid from, tid;
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    tid = spawn("family", NULL);
    for (int ended = 0; ended < 2;) {
        const char *line = next_line(HN_ANY, &from);
        ended += !line[0];
        CHECK(!line[0] || (from != tid && strcmp(line, "said by a grandchild\n") == 0));
    }
    puts("of two generations");
}

/* The child itself is not waited for, and ends after its parent. */
static void taken(void)
{
    CHECK(hn_catch_output_file(NULL, 0, stdout) == HN_OK);
    hn_tid tid = spawn("takes", NULL);
    CHECK(hn_recv(tid, GO, NULL, 0, HN_INT, NULL) == HN_OK);
    CHECK(hn_catch_output_file(&tid, 1, NULL) == HN_OK);
}

static void takes(void)
{
    hn_tid tid = spawn("later", "a grandchild"), parent = hn_parent();
    int status;
    CHECK(hn_send(parent, GO, NULL, 0, HN_INT) == HN_OK);
    usleep(300000); /* the parent is in hn_exit() */
    CHECK(hn_catch_output(&tid, 1, TAG) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT, &parent, 1, LEFT) == HN_OK);
    CHECK(hn_recv(HN_ANY, LEFT, &status, 1, HN_INT, NULL) == HN_OK);
    go(tid);
    CHECK(strcmp(next_line(HN_ANY, NULL), "said by a grandchild\n") == 0);
    puts("taken over");
}

static void file(void)
{
    CHECK(hn_catch_output_file(NULL, 0, stdout) == HN_OK);
    spawn("slow", "a slow one");
    spawn("killed", NULL);
    puts("leaves");
}

/* Two children write at the same time: their lines do not mix. */
static void long_lines(void)
{
    char more[20];
    CHECK(hn_catch_output_file(NULL, 0, stdout) == HN_OK);
    snprintf(more, sizeof more, "%d", TOO_LONG);
    spawn("long", "70000");
    spawn("long", more);
}

static void leave(void)
{
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    spawn("slow", "an orphan");
    spawn("flood", "5000000");
}

static void again(void)
{
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    hn_tid tid = spawn("later", "the first");
    CHECK(hn_catch_output_file(&tid, 1, NULL) == HN_OK);
    CHECK(hn_catch_output_file(NULL, 0, NULL) == HN_OK);
    go(tid);
    spawn("say", "the second");
    CHECK(hn_probe(HN_ANY, TAG, NULL) == HN_EDEAD);
}

/* A child fails, for which the job is ended; the other one says something then. */
static void ended(void)
{
    signal(SIGTERM, SIG_IGN);
    CHECK(hn_catch_output(NULL, 0, TAG) == HN_OK);
    hn_tid last = spawn("last", "");
    CHECK(hn_recv(last, GO, NULL, 0, HN_INT, NULL) == HN_OK);
    spawn("fails", "");
    sleep(1);
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc < 2 || hn_enrol())
        return 9;
    const char *what = argv[1], *more = argc > 2 ? argv[2] : "1";
    if (strcmp(what, "child") == 0)
        child(more, argc > 3 ? argv[3] : "");
    if (strcmp(what, "child") == 0 && strcmp(more, "takes") == 0)
        takes();
    if (strcmp(what, "taken") == 0)
        taken();
    if (strcmp(what, "lines") == 0)
        lines(atoi(more));
    if (strcmp(what, "killed") == 0)
        killed();
    if (strcmp(what, "flood") == 0)
        flood(more);
    if (strcmp(what, "chosen") == 0)
        chosen();
    if (strcmp(what, "family") == 0)
        family();
    if (strcmp(what, "file") == 0)
        file();
    if (strcmp(what, "long") == 0)
        long_lines();
    if (strcmp(what, "leave") == 0)
        leave();
    if (strcmp(what, "again") == 0)
        again();
    if (strcmp(what, "ended") == 0)
        ended();
    return hn_exit() ? 7 : 0;
}
