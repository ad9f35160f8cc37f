/* hnow.c - the console of the virtual machine: one verb per call, or a prompt without a verb.
 *
 * Every verb is a function that takes its words and returns an exit status.  Most of them send a
 * request to the gate (gate_requests.c) and print its answer, so they need no state.  Verbs with
 * state, such as `spawn`, are in console_jobs.c and console_words.c; it lasts as long as the
 * prompt.
 *
 * Exit statuses: 0, 1 for a refused request, and 2 for wrong usage or no machine.  `at` returns the
 * command's own status.
 */
#include "console.h"
#include "hnow_verbs.h"
#include "line_edit.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void note_silence(int connection)
{
    struct pollfd answer = {.fd = connection, .events = POLLIN};

    if (poll(&answer, 1, ANSWER_SECONDS * 1000) == 0)
        fputs("hnow: the machine has not answered for 5 s: it waits for a host, or a process of it "
              "is stopped (SIGSTOP); this command still waits\n",
              stderr);
}

/* Sends a request.  Returns 0 and the answer, to be freed, or an exit status after printing the
 * error. */
static int question(const char *const *words, int n, char **answer)
{
    int fd = machine_ask(words, n, NULL);

    *answer = NULL;
    if (fd < 0)
        return hnow_fail(hn_error_text());
    note_silence(fd);
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

/* Sends a request and prints the answer. */
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

/* For verbs whose words are the request. */
static int ask_as_it_is(int argc, char **argv)
{
    return ask((const char *const *)argv, argc);
}

/* ---- verbs -------------------------------------------------------------------------------------
 */

/* Runs a command on a host with this process's streams: the launcher of jobs.  Standard error stays
 * open for messages of this process. */
static int run_at(int argc, char **argv)
{
    char *hosts, *text = NULL;
    /* A command may be silent for as long as it likes, so something else shows that the machine
     * answers. */
    int status = argc < 3 ? hnow_fail("usage: hnow at HOST COMMAND [ARG...]")
                          : question((const char *[]){"hosts"}, 1, &hosts);

    if (status)
        return status;
    free(hosts);
    int fd = machine_ask((const char *const *)argv, argc, (const int[]){0, 1, 2});
    if (fd < 0)
        return hnow_fail(hn_error_text());
    close(STDIN_FILENO); /* the machine has copies; other processes must see when these are
                            closed */
    close(STDOUT_FILENO);
    status = machine_answer(fd, &text);
    if (status < 0)
        status = hnow_fail(hn_error_text());
    else if (text && *text)
        fprintf(stderr, "hnow: %s", text);
    free(text);
    return status;
}

/* The line of one host: several words, of which all but the first contain a =. One call may add
 * several hosts, each in a request of its own.  The status is that of the first failure; later
 * hosts are added nevertheless. */
static int add(int argc, char **argv)
{
    char line[4096] = "";
    int status = argc < 2 ? hnow_fail("usage: hnow add HOST [KEY=VALUE...] ...") : 0;

    for (int i = 1; i < argc;) {
        size_t n = 0;
        do
            n += (size_t)snprintf(line + n, sizeof line - n, "%s ", argv[i++]);
        while (n < sizeof line && i < argc && strchr(argv[i], '=') && !strchr(argv[i], ' '));
        int one = n < sizeof line ? ask((const char *[]){"add", line}, 2)
                                  : hnow_fail("the line is too long");
        status = status ? status : one;
    }
    return status;
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

/* Accepts a number, 0 included, or a name with or without SIG; -1: there is no such signal. */
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

/* Signals a process or, without one, the task whose tid is given as host. */
static int send_signal(const char *host, const char *pid, int number)
{
    char text[16];

    if (number < 0)
        return hnow_fail("no such signal");
    snprintf(text, sizeof text, "%d", number);
    return pid ? ask((const char *[]){"signal", host, pid, text}, 4)
               : ask((const char *[]){"signal", host, text}, 3);
}

/* True if all words are tids such as "t40002".  At least five digits, so that the name of a host
 * such as "tea" is no tid. */
static bool are_tids(char **words, int n)
{
    for (int i = 0; i < n; i++)
        if (words[i][0] != 't' || strlen(words[i]) < 6 ||
            words[i][1 + strspn(words[i] + 1, "0123456789abcdef")])
            return false;
    return true;
}

/* Signals HOST PID, or tasks: TID... */
static int signal_words(char **words, int n, int number, const char *usage)
{
    if (n == 2 && !are_tids(words, n))
        return send_signal(words[0], words[1], number);
    int status = n > 0 && are_tids(words, n) ? 0 : hnow_fail(usage);
    for (int i = 0; i < n && status != 2; i++) {
        int one = send_signal(words[i], NULL, number);
        status = status ? status : one;
    }
    return status;
}

static int kill_process(int argc, char **argv)
{
    return signal_words(argv + 1, argc - 1, SIGTERM, "usage: hnow kill TID... | HOST PID");
}

static int signal_process(int argc, char **argv)
{
    return signal_words(argv + 2, argc - 2, argc > 1 ? signal_number(argv[1]) : -1,
                        "usage: hnow sig SIGNAL TID... | HOST PID");
}

/* Lists all processes, like PVM's ps -axl. */
static int list_processes(int argc, char **argv)
{
    bool all = argc == 2 && argv[1][0] == '-' && strspn(argv[1] + 1, "axl") == strlen(argv[1] + 1);

    return argc == 1 || all ? ask((const char *[]){"ps"}, 1) : hnow_fail("usage: hnow ps [-axl]");
}

bool hnow_word_is(const char *line, int at, const char *word)
{
    for (; at > 0; at--) {
        line += strcspn(line, " \n");
        line += strspn(line, " ");
    }
    size_t n = strcspn(line, " \n");
    return n == strlen(word) && strncmp(line, word, n) == 0;
}

/* True if a line of a list has `word` at index `at`, and `first` as its first word (NULL: any). */
static bool has_line(const char *list, const char *first, int at, const char *word)
{
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (hnow_word_is(line, at, word) && (!first || hnow_word_is(line, 0, first)))
            return true;
    return false;
}

/* Prints a line for each host, and returns 1 if one is missing. */
static int host_status(int argc, char **argv)
{
    char *hosts = NULL;
    int status = argc < 2 ? hnow_fail("usage: hnow mstat HOST...")
                          : question((const char *[]){"conf"}, 1, &hosts);

    if (status)
        return status;
    for (int i = 1; i < argc; i++) {
        bool there = has_line(hosts, NULL, 0, argv[i]);
        printf("%-24s %s\n", argv[i], there ? "ok" : "no such host");
        status |= !there;
    }
    free(hosts);
    return status;
}

/* Looks for the process or task in the list of `hnow ps`, whose columns are the host, the process,
 * and the tid. */
static int process_status(int argc, char **argv)
{
    bool tasks = argc > 1 && are_tids(argv + 1, argc - 1);
    char *list = NULL;
    int status = argc < 3 && !tasks ? hnow_fail("usage: hnow pstat TID... | HOST PID...")
                                    : question((const char *[]){"ps"}, 1, &list);

    if (status)
        return status;
    for (int i = tasks ? 1 : 2; i < argc; i++) {
        bool there = has_line(list, tasks ? NULL : argv[1], tasks ? 2 : 1, argv[i]);
        printf("%-24s %s %s\n", tasks ? "task" : argv[1], argv[i],
               there ? "runs" : "is no process of a job");
        status |= !there;
    }
    free(list);
    return status;
}

/* The console is no task, unlike in PVM, so only related information is printed. */
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

/* The keepers end everything that runs; a background job may still be starting. */
static int reset(int argc, char **argv)
{
    if (argc == 1)
        console_end_jobs();
    return ask_as_it_is(argc, argv);
}

static int print_log(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return hnow_log(stdout) ? 0 : hnow_fail("there is no log: no machine was started");
}

static int print_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return puts("hnow " HNOW_VERSION) < 0;
}

static int help(int argc, char **argv);

/* One line each for `hnow help`: the name, its words, and what it does.  The prompt completes these
 * names. */
static const struct verb {
    const char *name, *words, *about;
    int (*run)(int argc, char **argv);
} verbs[] = {
    {"up", "[-hosts FILE]", "start the machine; without a file, this host alone", hnow_up},
    {"down", "", "end the machine and all that runs there", hnow_down},
    {"halt", "", "the same", hnow_down},
    {"conf", "", "list the hosts", ask_as_it_is},
    {"hosts", "", "print the hosts file that jobs use", ask_as_it_is},
    {"add", "HOST [KEY=VALUE...] ...", "add hosts, written as in a hosts file", add},
    {"delete", "HOST...", "remove hosts", delete_hosts},
    {"ps", "[-axl]", "list the processes of all jobs, and tasks", list_processes},
    {"pstat", "TID... | HOST PID...", "print whether tasks or processes run", process_status},
    {"mstat", "HOST...", "print whether hosts are of the machine", host_status},
    {"id", "", "print the console's process and the machine's directory", print_id},
    {"spawn", "[OPTION...] PROGRAM [ARG...] [&]", "run a job, with the options of hrun",
     console_spawn},
    {"jobs", "[-l]", "at the prompt: list the jobs of spawn ... &", console_jobs},
    {"kill", "TID... | HOST PID", "end tasks, or a process of a job", kill_process},
    {"sig", "SIGNAL TID... | HOST PID", "send a signal to tasks or a process", signal_process},
    {"reset", "[info [NAME [INDEX]]]", "end jobs and tasks, delete values; info: left values only",
     reset},
    {"at", "HOST COMMAND [ARG...]", "run a command on a host", run_at},
    {"trace", "[FILE.json | off | + CALL...]", "at the prompt: spawn writes a trace there",
     console_trace},
    {"setenv", "[NAME [VALUE]]", "at the prompt: set a variable for jobs", console_setenv},
    {"export", "[NAME...]", "at the prompt: pvm_spawn() passes variables on", console_export},
    {"unexport", "NAME...", "at the prompt: no longer", console_export},
    {"names", "[PATTERN]", "list the values that tasks have put", ask_as_it_is},
    {"put", "NAME", "put an empty value under a name", ask_as_it_is},
    {"getopt", "[NAME]", "nothing: the console is no task", console_options},
    {"setopt", "NAME VALUE", "the same", console_options},
    {"alias", "[NAME [WORD...]]", "at the prompt: give words a name", console_alias},
    {"unalias", "NAME...", "at the prompt: take names back", console_unalias},
    {"echo", "[WORD...]", "print words", console_echo},
    {"log", "", "print what the machine has reported", print_log},
    {"version", "", "print the version", print_version},
    {"help", "[VERB]", "print this list, or a line of it", help},
    {"quit", "", "leave the prompt; jobs and the machine stay", do_nothing},
};

/* Prints help on all verbs, or on the named ones. */
static int help(int argc, char **argv)
{
    if (argc < 2)
        puts("usage: hnow [VERB [ARG...]]\n"
             "Keeps a machine of several hosts, on which jobs start without ssh.\n\n"
             "  -h, -help               print this\n"
             "  -version                print the version\n\n"
             "Verbs; without one, a prompt:");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (argc < 2 || strcmp(argv[1], verbs[i].name) == 0)
            printf("  %-8s %-32s %s\n", verbs[i].name, verbs[i].words, verbs[i].about);
    return 0;
}

/* Verbs for internal use are not in the list, so neither help nor completion shows them. */
static int run_verb(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, argv[0]) == 0)
            return verbs[i].run(argc, argv);
    if (strcmp(argv[0], "keep") == 0) /* internal: used by `hnow up`, and the next one by keepers */
        return hnow_keep(argc, argv);
    if (strcmp(argv[0], "stand-in") == 0)
        return hnow_stand_in(argc, argv);
    fprintf(stderr, "hnow: %s: no such verb: see 'hnow help'\n", argv[0]);
    return 2;
}

/* ---- the prompt --------------------------------------------------------------------------------
 */

/* Splits a line; words may be quoted.  `words` has room for half as many as the line has
 * characters, plus two. */
static int split(char *line, char **words)
{
    int n = 0;

    while (*(line += strspn(line, " \t\n"))) {
        bool quoted = *line == '"' || *line == '\'';
        const char *ends = !quoted ? " \t\n" : *line == '"' ? "\"" : "'";
        words[n++] = line += quoted;
        line += strcspn(line, ends);
        if (*line)
            *line++ = 0;
    }
    words[n] = NULL;
    return n;
}

static bool is_last(const char *verb)
{
    return strcmp(verb, "quit") == 0 || strcmp(verb, "exit") == 0;
}

/* All verbs, for completion of the first word. */
static const char *const *first_words(void)
{
    static const char *words[sizeof verbs / sizeof *verbs + 1];

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        words[i] = verbs[i].name;
    return words;
}

/* Escape sequences need a terminal that understands them. */
static bool can_edit(void)
{
    const char *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Returns the next line, to be freed; NULL: the end.  On a terminal with escape sequences, the line
 * is edited; else it is read as it comes. */
static char *next_line(FILE *lines, bool asks)
{
    const char *edited;
    char *line = NULL;
    size_t size = 0;

    if (asks && can_edit())
        return line_edit("hnow> ", first_words(), &edited) ? strdup(edited) : NULL;
    if (asks)
        fputs("hnow> ", stdout);
    fflush(stdout);
    if (getline(&line, &size, lines) >= 0)
        return line;
    free(line);
    return NULL;
}

/* Verbs from a file or pipe: commands must not read the input, or they would consume later verbs.
 * The lines are read from a duplicate, which commands do not inherit. */
static FILE *take_input(void)
{
    FILE *lines = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), "r");

    return lines && freopen("/dev/null", "r", stdin) ? lines : NULL;
}

/* Returns the status of the last verb.  It ends at the end of input, after `quit`, and after a verb
 * that ends the machine. */
static int prompt(void)
{
    char *line;
    bool asks = isatty(STDIN_FILENO), over = false;
    FILE *lines = asks ? stdin : take_input();
    int status = lines ? 0 : hnow_fail("standard input cannot be read");

    while (console_reap(), lines && !over && (line = next_line(lines, asks))) {
        line = console_expand(line);
        char **words = calloc(strlen(line) / 2 + 2, sizeof *words);
        int n = words ? split(line, words) : 0;
        over = n > 0 && is_last(words[0]);
        if (n > 0 && !over) {
            /* run_at() closes the standard streams, so it needs a process of its own. */
            status = strcmp(words[0], "at") == 0 ? console_apart(run_verb, n, words)
                                                 : run_verb(n, words);
            over = strcmp(words[0], "halt") == 0 || strcmp(words[0], "down") == 0;
        }
        if (!words)
            status = hnow_fail("out of memory");
        fflush(stdout);
        free(words);
        free(line);
    }
    return status;
}

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0)
        return help(0, NULL);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-version") == 0)
        return print_version(0, NULL);
    return argc > 1 ? run_verb(argc - 1, argv + 1) : prompt();
}

int main(int argc, char **argv)
{
    signals_begin();
    printed_begin();
    return printed_status("hnow", run(argc, argv));
}
