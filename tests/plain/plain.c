/* plain.c - runs registered tests, each in a process of its own, and prints TAP (see criterion.h).
 */
#include "criterion/criterion.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_FAILED = 1, EXIT_SKIPPED = 77 };

static struct plain_test *tests;
static int reason[2]; /* a pipe: why the running test is skipped */

void plain_register(struct plain_test *test)
{
    test->next = tests;
    tests = test;
}

void plain_fail(const char *file, int line, const char *what)
{
    printf("# %s:%d: %s is false\n", file, line, what);
    fflush(stdout);
    _exit(EXIT_FAILED);
}

void plain_skip(const char *why)
{
    dprintf(reason[1], " # SKIP %s", why);
    _exit(EXIT_SKIPPED);
}

/* The status of the test, and what stands behind its name. */
static int run(const struct plain_test *t, char *directive, size_t size)
{
    int status;

    directive[0] = 0;
    if (pipe2(reason, O_NONBLOCK)) /* what a test leaves running may hold the other end */
        return EXIT_FAILED;
    pid_t pid = fork();

    if (pid == 0) {
        t->run();
        exit(0); /* not _exit(): the sanitizer has its say at the end */
    }
    close(reason[1]);
    waitpid(pid, &status, 0);
    ssize_t length = read(reason[0], directive, size - 1);
    directive[length > 0 ? length : 0] = 0;
    close(reason[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(void)
{
    int n = 0, failed = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (const struct plain_test *t = tests; t; t = t->next) {
        char directive[200];
        int status = run(t, directive, sizeof directive);
        bool good = status == 0 || status == EXIT_SKIPPED;

        printf("%sok %d - %s::%s%s\n", good ? "" : "not ", ++n, t->suite, t->name, directive);
        failed += !good;
    }
    printf("1..%d\n", n);
    return failed > 0;
}
