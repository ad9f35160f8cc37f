/* plain.c - runs registered tests, each in a process of its own, and prints TAP (see criterion.h).
 */
#include "criterion/criterion.h"

#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_FAILED = 1, EXIT_SKIPPED = 77 };

static struct plain_test *tests;

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
    printf("# skipped: %s\n", why);
    fflush(stdout);
    _exit(EXIT_SKIPPED);
}

static int run(const struct plain_test *t)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        t->run();
        exit(0); /* not _exit(): the sanitizer has its say at the end */
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(void)
{
    int n = 0, failed = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (const struct plain_test *t = tests; t; t = t->next) {
        int status = run(t);
        bool good = status == 0 || status == EXIT_SKIPPED;

        printf("%sok %d - %s::%s%s\n", good ? "" : "not ", ++n, t->suite, t->name,
               status == EXIT_SKIPPED ? " # SKIP" : "");
        failed += !good;
    }
    printf("1..%d\n", n);
    return failed > 0;
}
