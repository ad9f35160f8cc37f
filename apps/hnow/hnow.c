/* hnow.c - the console of the machine that stays: one verb a call, or a prompt without a verb. */
#include "console.h"
#include "hnow_verbs.h"
#include "line_edit.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_WORDS = 256 };

/* Sends words; 0 and the answer, to be freed, or an exit status with the error printed. */
static int question(const char *const *words, int n, char **answer)
{
    int fd = machine_ask(words, n, NULL);

    *answer = NULL;
    if (fd < 0)
        return hnow_fail(hn_error_text());
    int status = machine_answer(fd, answer);
    close(fd);
    if (status < 0)
        return hnow_fail(hn_error_text());
    if (status) {
        fprintf(stderr, "hnow: %s", *answer);
        free(*answer);
    }
    return status;
}

/* Sends words and prints the answer. */
static int ask(const char *const *words, int n)
{
    char *text = NULL;
    int status = question(words, n, &text);

    if (status)
        return status;
    fputs(text, stdout);
    free(text);
    return 0;
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
        return hnow_fail("usage: hnow at HOST COMMAND [ARG...]");
    int fd = machine_ask((const char *const *)argv, argc, (const int[]){0, 1, 2});
    if (fd < 0)
        return hnow_fail(hn_error_text());
    close(STDIN_FILENO); /* the machine has copies, whose ends must be seen by others */
    close(STDOUT_FILENO);
    char *text = NULL;
    int status = machine_answer(fd, &text);
    if (status < 0)
        status = hnow_fail(hn_error_text());
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
        return hnow_fail("usage: hnow add HOST [KEY=VALUE...]");
    for (int i = 1; i < argc && n < sizeof line; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%s", i > 1 ? " " : "", argv[i]);
    return n < sizeof line ? ask((const char *[]){"add", line}, 2)
                           : hnow_fail("the line is too long");
}

static int delete_hosts(int argc, char **argv)
{
    int status = argc < 2 ? hnow_fail("usage: hnow delete HOST...") : 0;

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
        return hnow_fail("no such signal");
    snprintf(text, sizeof text, "%d", number);
    return ask((const char *[]){"signal", host, pid, text}, 4);
}

static int kill_process(int argc, char **argv)
{
    return argc == 3 ? send_signal(argv[1], argv[2], SIGTERM)
                     : hnow_fail("usage: hnow kill HOST PID");
}

static int signal_process(int argc, char **argv)
{
    return argc == 4 ? send_signal(argv[2], argv[3], signal_number(argv[1]))
                     : hnow_fail("usage: hnow sig SIGNAL HOST PID");
}

/* The list of all processes, as PVM's ps -a. */
static int list_processes(int argc, char **argv)
{
    bool all = argc == 2 && strcmp(argv[1], "-a") == 0;

    return argc == 1 || all ? ask((const char *[]){"ps"}, 1) : hnow_fail("usage: hnow ps [-a]");
}

/* Whether a line of a list begins with that host, and has that number behind it (NULL: any). */
static bool has_line(const char *list, const char *host, const char *number)
{
    for (const char *line = list; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t n = strcspn(line, " \n");
        const char *next = line + n + strspn(line + n, " ");
        if (n == strlen(host) && strncmp(line, host, n) == 0 &&
            (!number || (strncmp(next, number, strlen(number)) == 0 &&
                         !isdigit((unsigned char)next[strlen(number)]))))
            return true;
    }
    return false;
}

static int host_status(int argc, char **argv)
{
    char *hosts = NULL;
    int status = argc < 2 ? hnow_fail("usage: hnow mstat HOST...")
                          : question((const char *[]){"conf"}, 1, &hosts);

    if (status)
        return status;
    for (int i = 1; i < argc; i++) {
        bool there = has_line(hosts, argv[i], NULL);
        printf("%-24s %s\n", argv[i], there ? "ok" : "no such host");
        status |= !there;
    }
    free(hosts);
    return status;
}

static int process_status(int argc, char **argv)
{
    char *list = NULL;
    int status = argc < 3 ? hnow_fail("usage: hnow pstat HOST PID...")
                          : question((const char *[]){"ps"}, 1, &list);

    if (status)
        return status;
    for (int i = 2; i < argc; i++) {
        bool there = has_line(list, argv[1], argv[i]);
        printf("%-24s %s %s\n", argv[1], argv[i], there ? "runs" : "is no process of a job");
        status |= !there;
    }
    free(list);
    return status;
}

/* The console is no task, as it is in PVM: what there is of its kind. */
static int print_id(int argc, char **argv)
{
    char path[MACHINE_PATH];

    (void)argc;
    (void)argv;
    if (machine_file(path, ""))
        return hnow_fail(hn_error_text());
    printf("process %d, of the machine in %s\n", (int)getpid(), path);
    return 0;
}

static int do_nothing(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static int print_log(int argc, char **argv)
{
    char path[MACHINE_PATH], line[4096];
    FILE *file = machine_file(path, MACHINE_LOG) ? NULL : fopen(path, "re");

    (void)argc;
    (void)argv;
    if (!file)
        return hnow_fail("there is no log: no machine was started");
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    fclose(file);
    return 0;
}

static int print_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return puts("hnow " HNOW_VERSION) < 0;
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
    {"ps", "[-a]", "list the processes of all jobs", list_processes},
    {"pstat", "HOST PID...", "print whether processes of jobs run", process_status},
    {"mstat", "HOST...", "print whether hosts are of the machine", host_status},
    {"id", "", "print the console's process and the machine's directory", print_id},
    {"spawn", "[OPTION...] PROGRAM [ARG...] [&]", "run a job, with the options of hrun",
     console_spawn},
    {"jobs", "", "at the prompt: list the jobs of spawn ... &", console_jobs},
    {"kill", "HOST PID", "end a process of a job", kill_process},
    {"sig", "SIGNAL HOST PID", "send a signal to a process of a job", signal_process},
    {"reset", "", "end all jobs; the machine stays", ask_as_it_is},
    {"at", "HOST COMMAND [ARG...]", "run a command on a host", run_at},
    {"trace", "[FILE.json | off]", "at the prompt: spawn writes a trace there", console_trace},
    {"setenv", "[NAME [VALUE]]", "at the prompt: set a variable for jobs", console_setenv},
    {"alias", "[NAME [WORD...]]", "at the prompt: give words a name", console_alias},
    {"unalias", "NAME...", "at the prompt: take names back", console_unalias},
    {"echo", "[WORD...]", "print words", console_echo},
    {"log", "", "print what the machine has reported", print_log},
    {"version", "", "print the version", print_version},
    {"help", "", "print this list", help},
    {"quit", "", "leave the prompt; jobs and the machine stay", do_nothing},
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
        printf("  %-7s %-32s %s\n", verbs[i].name, verbs[i].words, verbs[i].about);
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

/* What the first word of a line can be. */
static const char *const *first_words(void)
{
    static const char *words[sizeof verbs / sizeof *verbs + 1];

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        words[i] = verbs[i].name;
    return words;
}

static bool can_edit(void)
{
    const char *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* The next line, to be freed; NULL: the end. */
static char *next_line(bool asks)
{
    const char *edited;
    char *line = NULL;
    size_t size = 0;

    if (asks && can_edit())
        return line_edit("hnow> ", first_words(), &edited) ? strdup(edited) : NULL;
    if (asks)
        fputs("hnow> ", stdout);
    fflush(stdout);
    if (getline(&line, &size, stdin) >= 0)
        return line;
    free(line);
    return NULL;
}

static int prompt(void)
{
    char *line, *words[LINE_WORDS];
    bool asks = isatty(STDIN_FILENO), over = false;
    int status = 0;

    while (console_reap(), !over && (line = next_line(asks))) {
        line = console_expand(line);
        int n = split(line, words);
        over = n > 0 && is_last(words[0]);
        if (n > 0 && !over) {
            status = run_verb(n, words);
            over = strcmp(words[0], "halt") == 0 || strcmp(words[0], "down") == 0;
        }
        fflush(stdout);
        free(line);
    }
    return status;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0)
        return help(0, NULL);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-version") == 0)
        return print_version(0, NULL);
    return argc > 1 ? run_verb(argc - 1, argv + 1) : prompt();
}
