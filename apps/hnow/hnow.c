/* hnow.c - the console of the machine that stays: one verb a call, or a prompt without a verb. */
#include "hnow_verbs.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_WORDS = 256 };

static int fail(const char *why)
{
    fprintf(stderr, "hnow: %s\n", why);
    return 2;
}

/* Sends words and prints the answer. */
static int ask(const char *const *words, int n)
{
    char *text = NULL;
    int fd = machine_ask(words, n, NULL);

    if (fd < 0)
        return fail(hn_error_text());
    int status = machine_answer(fd, &text);
    close(fd);
    if (status < 0)
        return fail(hn_error_text());
    if (status)
        fprintf(stderr, "hnow: %s", text);
    else
        fputs(text, stdout);
    free(text);
    return status;
}

static int ask_as_it_is(int argc, char **argv)
{
    return ask((const char *const *)argv, argc);
}

/* ---- verbs -------------------------------------------------------------------------------------
 */

/* Runs a command on a host with our streams: the launcher of jobs. */
static int run_at(int argc, char **argv)
{
    if (argc < 3)
        return fail("usage: hnow at HOST COMMAND [ARG...]");
    int fd = machine_ask((const char *const *)argv, argc, (const int[]){0, 1, 2});
    if (fd < 0)
        return fail(hn_error_text());
    close(STDIN_FILENO); /* the machine has copies, whose ends must be seen by others */
    close(STDOUT_FILENO);
    char *text = NULL;
    int status = machine_answer(fd, &text);
    if (status < 0)
        status = fail(hn_error_text());
    else if (text && *text)
        fprintf(stderr, "hnow: %s", text);
    free(text);
    return status;
}

/* A line of a hosts file may be several words. */
static int add(int argc, char **argv)
{
    char line[4096] = "";
    size_t n = 0;

    if (argc < 2)
        return fail("usage: hnow add HOST [KEY=VALUE...]");
    for (int i = 1; i < argc && n < sizeof line; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%s", i > 1 ? " " : "", argv[i]);
    return n < sizeof line ? ask((const char *[]){"add", line}, 2) : fail("the line is too long");
}

static int delete_hosts(int argc, char **argv)
{
    int status = argc < 2 ? fail("usage: hnow delete HOST...") : 0;

    for (int i = 1; i < argc; i++) {
        int one = ask((const char *[]){"delete", argv[i]}, 2);
        status = status ? status : one;
    }
    return status;
}

static int signal_number(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (*text && !*end)
        return number >= 0 && number < NSIG ? (int)number : -1;
    if (strncmp(text, "SIG", 3) == 0)
        text += 3;
    for (int i = 1; i < NSIG; i++)
        if (sigabbrev_np(i) && strcmp(sigabbrev_np(i), text) == 0)
            return i;
    return -1;
}

static int send_signal(const char *host, const char *pid, int number)
{
    char text[16];

    if (number < 0)
        return fail("no such signal");
    snprintf(text, sizeof text, "%d", number);
    return ask((const char *[]){"signal", host, pid, text}, 4);
}

static int kill_process(int argc, char **argv)
{
    return argc == 3 ? send_signal(argv[1], argv[2], SIGTERM) : fail("usage: hnow kill HOST PID");
}

static int signal_process(int argc, char **argv)
{
    return argc == 4 ? send_signal(argv[2], argv[3], signal_number(argv[1]))
                     : fail("usage: hnow sig SIGNAL HOST PID");
}

/* A job with its output here. */
static int spawn(int argc, char **argv)
{
    char *directory = launch_directory(), *hrun = NULL;
    int status = 0;

    if (argc < 2 || !directory || asprintf(&hrun, "%s/hrun", directory) < 0)
        return fail("usage: hnow spawn [OPTION...] PROGRAM [ARG...], as hrun");
    argv[0] = (char *)"hrun";
    pid_t pid = fork();
    if (pid == 0) {
        execv(hrun, argv);
        _exit(fail("hrun is not beside this program"));
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        ;
    free(directory);
    free(hrun);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int print_log(int argc, char **argv)
{
    char path[MACHINE_PATH], line[4096];
    FILE *file = machine_file(path, MACHINE_LOG) ? NULL : fopen(path, "re");

    (void)argc;
    (void)argv;
    if (!file)
        return fail("there is no log: no machine was started");
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    fclose(file);
    return 0;
}

static int help(int argc, char **argv);

static const struct verb {
    const char *name, *words, *about;
    int (*run)(int argc, char **argv);
} verbs[] = {
    {"up", "[-hosts FILE]", "start the machine; without a file, this host alone", hnow_up},
    {"down", "", "end the machine and all that runs there", hnow_down},
    {"halt", "", "the same", hnow_down},
    {"conf", "", "list the hosts", ask_as_it_is},
    {"hosts", "", "print the hosts file that jobs use", ask_as_it_is},
    {"add", "HOST [KEY=VALUE...]", "add a host, written as in a hosts file", add},
    {"delete", "HOST...", "remove hosts", delete_hosts},
    {"ps", "", "list the processes of all jobs", ask_as_it_is},
    {"spawn", "[OPTION...] PROGRAM [ARG...]", "run a job, with the options of hrun", spawn},
    {"kill", "HOST PID", "end a process of a job", kill_process},
    {"sig", "SIGNAL HOST PID", "send a signal to a process of a job", signal_process},
    {"reset", "", "end all jobs; the machine stays", ask_as_it_is},
    {"at", "HOST COMMAND [ARG...]", "run a command on a host", run_at},
    {"log", "", "print what the machine has reported", print_log},
    {"help", "", "print this list", help},
};

static int help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("usage: hnow [VERB [ARG...]]\n"
         "Keeps a machine of several hosts, on which jobs start without ssh.\n\n"
         "  -h, -help               print this\n"
         "  -version                print the version\n\n"
         "Verbs; without one, a prompt:");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        printf("  %-6s %-30s %s\n", verbs[i].name, verbs[i].words, verbs[i].about);
    return 0;
}

static int run_verb(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, argv[0]) == 0)
            return verbs[i].run(argc, argv);
    if (strcmp(argv[0], "keep") == 0) /* of `hnow up` alone, and the next one of keepers */
        return hnow_keep(argc, argv);
    if (strcmp(argv[0], "stand-in") == 0)
        return hnow_stand_in(argc, argv);
    fprintf(stderr, "hnow: %s: no such verb: see 'hnow help'\n", argv[0]);
    return 2;
}

/* ---- the prompt --------------------------------------------------------------------------------
 */

static int split(char *line, char **words)
{
    int n = 0;

    for (char *word; (word = strsep(&line, " \t\n")) && n < LINE_WORDS - 1;)
        if (*word)
            words[n++] = word;
    words[n] = NULL;
    return n;
}

static bool is_last(const char *verb)
{
    return strcmp(verb, "quit") == 0 || strcmp(verb, "exit") == 0;
}

static int prompt(void)
{
    char *line = NULL, *words[LINE_WORDS];
    size_t size = 0;
    bool asks = isatty(STDIN_FILENO);
    int status = 0;

    for (;;) {
        if (asks)
            fputs("hnow> ", stdout);
        fflush(stdout);
        if (getline(&line, &size, stdin) < 0)
            break;
        int n = split(line, words);
        if (n > 0 && is_last(words[0]))
            break;
        if (n > 0)
            status = run_verb(n, words);
        if (n > 0 && (strcmp(words[0], "halt") == 0 || strcmp(words[0], "down") == 0))
            break;
    }
    free(line);
    return status;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0)
        return help(0, NULL);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-version") == 0)
        return puts("hnow " HNOW_VERSION) < 0;
    return argc > 1 ? run_verb(argc - 1, argv + 1) : prompt();
}
