/* no_memory_task.c - every public function while memory runs out at its first, second, ...
 * allocation: it succeeds or says HN_ENOMEM, frees what it took, and the job goes on.
 *
 * Task 0 calls (no_memory_calls.c, no_memory_groups.c); task 1 answers its messages.  `calls`: what
 * one task does by itself; `operations`: what all members of a group do, of which task 0 alone has
 * no memory (no_memory_operations.c). */
#include "check.h"
#include "hnow_coll.h"
#include "no_memory.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 6 };

unsigned nth;
bool on, starved;
const char *current = "";
char in[LONG], out[LONG];
hn_tid self, partner;
hn_group *alone;

int tried(int *result, int value)
{
    starved |= starve_end();
    return *result = value;
}

/* Says which call hangs, or has ended the program. */
static void on_end(int signal_number)
{
    fprintf(stderr, "%s: allocation %u%s: signal %d\n", current, nth, on ? " and all later" : "",
            signal_number);
    _exit(1);
}

bool good(int result)
{
    if (result == HN_OK || (result == HN_ENOMEM && starved))
        return true;
    fprintf(stderr, "%s: allocation %u%s: %d, %s\n", current, nth, on ? " and all later" : "",
            result, hn_error_text());
    return false;
}

/* Calls it often with the same allocation failing: it must keep nothing each time. */
static bool leaks(int (*f)(void))
{
    long before = starve_live(), after;
    for (int i = 0; i < REPEATS; i++)
        f();
    after = starve_live();
    if (after - before < REPEATS)
        return false;
    fprintf(stderr, "%s: allocation %u%s: %ld blocks leak in %d calls\n", current, nth,
            on ? " and all later" : "", after - before, REPEATS);
    return true;
}

/* One call at every allocation of it; the number of what went wrong. */
static int starve_call(const struct what *w, bool all)
{
    int bad = 0;
    on = all;
    for (nth = 1, starved = true; starved && nth < NTH_MOST && bad < 20; nth++) {
        alarm(CASE_TIME);
        starved = false;
        bad += !good(w->f());
        bool once_more = starved;
        if (once_more)
            bad += leaks(w->f);
        starved = once_more;
    }
    return bad;
}

static int starve_calls(const struct what *w, const char *only)
{
    int bad = 0;
    for (; w->name; w++) {
        current = w->name;
        if (!only || strcmp(only, current) == 0)
            bad += starve_call(w, false) + starve_call(w, true);
    }
    return bad;
}

static void answer(void)
{
    hn_info info;
    do {
        CHECK(hn_recv(hn_group_tid(hn_world(), 0), HN_ANY, in, LONG, HN_BYTE, &info) == HN_OK);
        if (info.tag == ECHO)
            CHECK(hn_send(info.from, ECHO, in, info.count, HN_BYTE) == HN_OK);
    } while (info.tag != QUIT);
}

/* ---- the first call and the last ---------------------------------------------------------- */

/* In a process of its own: enrols, and leaves.  0: nothing failed; 1: it failed as it should. */
static int enrol_once(void)
{
    int result;
    starved = false;
    if (TRY(hn_enrol()) == HN_OK)
        TRY(hn_exit());
    return good(result) ? starved : 2;
}

static int starve_enrolling(void)
{
    current = "enrol";
    for (int all = 0; all < 2; all++) {
        int status = 1;
        on = all == 1;
        for (nth = 1; status == 1; nth++) {
            pid_t child = fork();
            if (child == 0) {
                alarm(CASE_TIME);
                _exit(enrol_once());
            }
            waitpid(child, &status, 0);
            status = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
        }
        if (status != 0)
            return status;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;
    int bad = 0;

    signal(SIGALRM, on_end);
    signal(SIGABRT, on_end);
    signal(SIGSEGV, on_end);
    if (argc > 1 && strcmp(argv[1], "enrol") == 0)
        return starve_enrolling();
    if (argc < 2 || hn_enrol() != HN_OK)
        return 2;
    self = hn_mytid();
    if (strcmp(argv[1], "operations") == 0) {
        starve_operations(only);
    } else if (hn_rank() == 0) {
        partner = hn_group_tid(hn_world(), 1);
        CHECK(hn_group_from_tids(&self, 1, &alone) == HN_OK);
        bad = starve_calls(task_calls, only) + starve_calls(group_calls, only);
        nth = 0;
        CHECK(hn_send(partner, QUIT, NULL, 0, HN_BYTE) == HN_OK);
    } else {
        answer();
    }
    CHECK(hn_exit() == HN_OK);
    return bad > 0;
}
