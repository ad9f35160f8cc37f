/* hrun_options.c - parses hrun's command line: the table of its options.
 *
 * One table serves parsing, help, man page and completion.  Options before the first program hold
 * for all programs, options after ':' for the next one, as far as they are those of a program.
 *
 * Rows either name a member of struct hrun_options or have a function, for values with a form of
 * their own.  Options of one program are stored in the struct and copied when its words end, so the
 * next program begins with cleared ones.
 */
#include "hrun/hrun_options.h"

#include "base/array.h"
#include "base/error.h"
#include "hnowd/mpi_front.h"
#include "hosts.h"
#include "base/options.h"
#include "hrun/hrun_habits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximum of -np: below the tids of one host (CONTROL_SERIAL_BITS). */
enum { HRUN_TASKS_MOST = 100000 };

/* Also for the names that other launchers use; all numbers have the same limit as -np. */
int hrun_take_ppn(void *to, const char *value)
{
    long n;
    if (options_number(value, 1, HRUN_TASKS_MOST, &n))
        return error_set(HN_EARG, "-ppn: '%s' is no number of tasks a host: give 1 to %d", value,
                         HRUN_TASKS_MOST);
    ((struct hrun_options *)to)->ppn = (int)n;
    return HN_OK;
}

/* value: K=V, or K alone, with its current value.  A name that is not set here is an error, because
 * it would be lost without notice. */
static int hrun_add_env(struct hrun_texts *to, const char *value)
{
    size_t name = strcspn(value, "=");
    const char *own = getenv(value);
    char *entry = NULL;
    if (name == 0)
        return error_set(HN_EARG, "-env '%s': give NAME=VALUE", value);
    if (!value[name] && !own)
        return error_set(HN_EARG, "-env %s: it is not set here: give %s=VALUE", value, value);
    /* Room for '=' and the 0. */
    size_t size = strlen(value) + (own ? strlen(own) : 0) + 2;
    if (!(entry = malloc(size)))
        return error_set(HN_ENOMEM, "out of memory");
    strcpy(entry, value);
    if (!value[name])
        strcat(strcat(entry, "="), own);
    if (!hrun_texts_add(to, entry))
        return error_set(HN_ENOMEM, "out of memory");
    return HN_OK;
}

/* to: the options, as for every function of a row. */
int hrun_take_env_of_all(void *to, const char *value)
{
    return hrun_add_env(&((struct hrun_options *)to)->env.all, value);
}

/* After ':', for that program alone. */
static int hrun_take_env(void *to, const char *value)
{
    struct hrun_options *options = to;
    return hrun_add_env(options->nprogram > 0 ? &options->env.own : &options->env.all, value);
}

/* Tasks get this by their environment, like the setting of a hosts file for one host. */
static int hrun_take_encrypt(void *to, const char *value)
{
    (void)value;
    return hrun_take_env_of_all(to, HOSTS_ENCRYPT);
}

/* A variable as well, like -encrypt. */
static int hrun_take_trusted(void *to, const char *value)
{
    (void)value;
    return hrun_take_env_of_all(to, HOSTS_TRUSTED);
}

/* A second -hosts replaces the first. The file is read later, by hrun.c. */
static int hrun_take_hosts(void *to, const char *value)
{
    struct hrun_options *options = to;
    if (options->nprogram > 0)
        return error_set(HN_EARG, "-hosts behind ':': it names the hosts of all programs, so give "
                                  "it once, in front; -map names the host of each rank");
    options->hosts = value;
    return value[0] ? HN_OK : error_set(HN_EARG, "-hosts needs a value");
}

/* As -hosts, but only a file, not a list. */
int hrun_take_hostfile(void *to, const char *value)
{
    if (access(value, F_OK))
        return error_set(HN_EARG,
                         "%s: it cannot be read: %s: give a hosts file, or a list by -hosts", value,
                         strerror(errno));
    return hrun_take_hosts(to, value);
}

/* The file is opened later, by job_trace_begin(). */
static int hrun_take_trace(void *to, const char *value)
{
    ((struct hrun_options *)to)->trace = value;
    if (!value[0])
        return error_set(HN_EARG, "-trace needs the name of a file to write");
    /* agents and tasks read it from their environment */
    return hrun_take_env_of_all(to, "HNOW_TRACE=1");
}

/* Agents read it from their environment; for a staged program, hrun reads it from its own. */
static int hrun_take_mpi(void *to, const char *value)
{
    char word[64];
    if (!mpi_front_known(value))
        return error_set(HN_EARG, "-mpi '%s': give openmpi, mpich, abi or none", value);
    snprintf(word, sizeof word, "%s=%s", MPI_FRONT_VARIABLE, value);
    /* hrun's own: staging looks at the program before any agent exists. */
    setenv(MPI_FRONT_VARIABLE, value, 1);
    return hrun_take_env_of_all(to, word);
}

/* The planners are known only to coll, so a function of the program hrun checks the name. */
static int hrun_take_plan(void *to, const char *value)
{
    ((struct hrun_options *)to)->plan = value;
    if (!value[0])
        return error_set(HN_EARG, "-plan needs a value");
    return ((struct hrun_options *)to)->checks->plan(value);
}

/* A rank is not compared with the number of tasks, which is not known yet. */
static int hrun_take_input(void *to, const char *value)
{
    struct hrun_options *options = to;
    if (strcmp(value, "all") == 0)
        options->input = HRUN_INPUT_ALL;
    else if (strcmp(value, "none") == 0)
        options->input = HRUN_INPUT_NONE;
    else if (options_number(value, 0, HRUN_TASKS_MOST - 1, &options->input))
        return error_set(HN_EARG, "-stdin '%s': give a rank, all or none", value);
    return HN_OK;
}

/* The text is kept, as it is sent to agents unchanged; the numbers are only checked. */
static int hrun_take_ports(void *to, const char *value)
{
    char lo[8] = "";
    long first, last;
    size_t n = strcspn(value, ":");
    if (n < sizeof lo)
        memcpy(lo, value, n);
    /* A LO that is too long leaves lo empty, which is no number. */
    if (!value[n] || options_number(lo, 1, 65535, &first) ||
        options_number(value + n + 1, first, 65535, &last))
        return error_set(HN_EARG, "-ports '%s': give LO:HI, two port numbers, the lower one first",
                         value);
    ((struct hrun_options *)to)->ports = value;
    return HN_OK;
}

/* The comparison is false for "nan", too, which strtod() accepts. */
static int hrun_take_timeout(void *to, const char *value)
{
    char *end;
    /* "0x10" and "1e3" are numbers, too. */
    double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds > 0) || seconds > 1e9)
        return error_set(HN_EARG, "-timeout '%s': give a number of seconds above 0", value);
    ((struct hrun_options *)to)->timeout = seconds;
    return HN_OK;
}

/* In the order of the help text. Each function gets the struct and the value. It returns HN_OK, or
 * an error with a text that names the option. */
static const struct option_row hrun_rows[] = {
    /* of mpiexec and mpirun; hrun's table begins behind it */
    {"env", "NAME VALUE", "", hrun_take_env, .pair = true},
    {"hosts", "FILE|a,b:4", "the hosts, in a file or as a list; without it: this machine",
     hrun_take_hosts},
    {"np", "N", "number of tasks (default: the sum of the hosts' slots)",
     OPTION_NUMBER(hrun_options, np, 1, HRUN_TASKS_MOST)},
    {"map", "LIST", "the host of each rank: h1,h2*3,h1 (repeated when N is larger)",
     OPTION_TEXT(hrun_options, map)},
    {"ppn", "N", "N tasks on each host in turn, whatever its slots (1: spread them)",
     hrun_take_ppn},
    {"show-map", NULL, "show which rank runs where; without a program: only that",
     OPTION_SET(hrun_options, show_map)},
    {"wdir", "DIR", "directory of the tasks (default: this one, where it exists)",
     OPTION_TEXT(hrun_options, wdir)},
    {"env", "K=V", "environment of the tasks, besides the one of hrun; K alone: as here",
     hrun_take_env},
    {"stdin", "RANK|all|none", "which rank gets standard input (default 0)", hrun_take_input},
    {"tag-output", NULL, "begin each line of output with [rank@host]",
     OPTION_SET(hrun_options, tag)},
    {"output", "DIR", "output goes to files DIR/rank.N instead", OPTION_TEXT(hrun_options, output)},
    {"ports", "LO:HI", "tasks listen only on these ports", hrun_take_ports},
    {"iface", "CIDR|NAME", "tasks use only this network or interface",
     OPTION_TEXT(hrun_options, iface)},
    {"launcher", "CMD",
     "starts agents on other hosts, instead of ssh: CMD HOST COMMAND; %h in it: the host",
     OPTION_TEXT(hrun_options, launcher)},
    {"allow-ssh", NULL,
     "hosts that tasks add may have ssh=, key=, path= ...: commands on this machine",
     OPTION_SET(hrun_options, allow_ssh)},
    {"stage", NULL, "copy agent and program to the hosts, which need only sshd and sh",
     OPTION_SET(hrun_options, stage)},
    {"timeout", "SEC", "end the job after so many seconds (exit status 124)", hrun_take_timeout},
    {"on-failure", "abort|notify",
     "when a task fails: end the job (default), or let the others continue",
     OPTION_WORD(hrun_options, notify, "abort notify")},
    {"plan", "NAME", "planner that collectives use (hplan -list shows all)", hrun_take_plan},
    {"mpi", "openmpi|mpich|abi|none",
     "hnow's library for programs of this MPI (default: what the program's file needs)",
     hrun_take_mpi},
    {"trusted", NULL, "the network is trusted: do not encrypt what tasks on different hosts send",
     hrun_take_trusted},
    {"encrypt", NULL, "encrypt also what hosts with trusted=yes send each other",
     hrun_take_encrypt},
    {"trace", "FILE.json",
     "write what every task sends, receives and waits for (opens in Perfetto)", hrun_take_trace},
    {"v", NULL, "report what happens", OPTION_SET(hrun_options, verbose)},
};

/* Names of the same options in mpiexec, mpirun, srun and prun.  `help` is the name of the option
 * here, as the help text prints it. */
static const struct option_row hrun_aliases[] = {
    {"n", "N", "np", OPTION_NUMBER(hrun_options, np, 1, HRUN_TASKS_MOST)},
    {"H", "a,b:4", "hosts", hrun_take_hosts},
    {"host", "a,b:4", "hosts", hrun_take_hosts},
    {"hostfile", "FILE", "hosts", hrun_take_hostfile},
    {"machinefile", "FILE", "hosts", hrun_take_hostfile},
    {"f", "FILE", "hosts", hrun_take_hostfile},
    {"x", "K=V", "env", hrun_take_env},
    {"l", NULL, "tag-output", OPTION_SET(hrun_options, tag)},
    {"npernode", "N", "ppn", hrun_take_ppn},
    {"N", "N", "ppn", hrun_take_ppn},
    {"wd", "DIR", "wdir", OPTION_TEXT(hrun_options, wdir)},
};

/* Options of other launchers without an equal here; each gets a sentence, or the option that is
 * nearest. */
static const struct option_hint hrun_hints[] = {
    {"genvlist", NULL, "hrun passes its environment on; -genv NAME VALUE sets more"},
    {"genvnone", NULL, "hrun passes its environment on; start it by env -i"},
    {"envnone", NULL, "hrun passes its environment on; start it by env -i"},
    {"envlist", NULL, "hrun passes its environment on; -genv NAME VALUE sets more"},
    {"c", NULL, "-np N is the number of tasks"},
    {"nooversubscribe", NULL, "-show-map shows which host gets more tasks than slots"},
    {"rank-by", NULL, "-map h1,h2*3 names the host of each rank"},
    {"rankfile", NULL, "-map h1,h2*3 names the host of each rank"},
    {"rf", NULL, "-map h1,h2*3 names the host of each rank"},
    {"configfile", NULL, "-np 1 A : -np 2 B runs several programs"},
    {"app", NULL, "-np 1 A : -np 2 B runs several programs"},
    {"rsh", "launcher", NULL},
    {"outfile-pattern", "output", NULL},
    {"output-filename", "output", NULL},
};

/* Without the first row, which only mpiexec and mpirun have. */
static const struct option_table hrun_table = {
    .tool = "hrun",
    .usage = "hrun [OPTION]... PROGRAM [ARG]... [: -np N PROGRAM [ARG]...]...",
    .about = "runs a parallel program on this machine, or on the hosts of a file",
    .row = hrun_rows + 1,
    .n = sizeof hrun_rows / sizeof *hrun_rows - 1,
    .alias = hrun_aliases,
    .aliases = sizeof hrun_aliases / sizeof *hrun_aliases,
    .habit = hrun_habits,
    .habits = HRUN_HABITS,
    .hint = hrun_hints,
    .hints = sizeof hrun_hints / sizeof *hrun_hints,
};

/* For the console, which passes these options on to hrun. */
int hrun_option_words(int argc, char *const *argv)
{
    return options_words(&hrun_table, argc, argv);
}

void hrun_options_help(void)
{
    options_help(&hrun_table, stdout);
}

/* Adds one program: the words up to ":" or the end. -np and -wdir belong to one program; a working
 * directory before the first program is that of all. */
static int hrun_add_program(struct hrun_options *options, int argc, char **argv)
{
    if (!ARRAY_ROOM(options->program, options->nprogram + 1))
        return error_set(HN_ENOMEM, "out of memory");
    options->program[options->nprogram++] = (struct hrun_program){
        options->np, argv, argc, .wdir = options->wdir, .env_end = options->env.own.n};
    /* The next program must give its own -np (hrun_check()); its directory is again that of all. */
    options->np = 0;
    options->wdir = options->program[0].wdir;
    return HN_OK;
}

/* What only the whole command line shows. */
static int hrun_check(const struct hrun_options *options)
{
    if (options->ppn > 0 && options->map)
        return error_set(HN_EARG, "-ppn and -map both say where tasks run: leave one out");
    if (options->nprogram == 0 && !options->show_map)
        return error_set(HN_EARG, "no program is given: hrun -np 4 PROGRAM [ARG]...");
    /* One program without -np gets as many tasks as there are slots. */
    for (int i = 0; i < options->nprogram && options->nprogram > 1; i++)
        if (options->program[i].np == 0)
            return error_set(HN_EARG,
                             "the number of tasks for %s is missing: with several programs "
                             "each needs its -np N",
                             options->program[i].argv[0]);
    return HN_OK;
}

/* A program called mpiexec or mpirun has MPICH's -env NAME VALUE; NAME=VALUE remains.  The row
 * precedes the own -env in the array and is therefore found first. */
static struct option_table hrun_table_of(const char *program)
{
    struct option_table table = hrun_table;
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    /* hrun under another name, for example by a link. */
    if (strcmp(name, "mpiexec") == 0 || strcmp(name, "mpirun") == 0) {
        table.row = hrun_rows;
        table.n++;
    }
    return table;
}

/* Each round parses the options of one program, whose words end at ':'. options_parse() expects a
 * word before the options, which is the previous ':' from the second round on. */
int hrun_options_read(struct hrun_options *options, int argc, char **argv,
                      const struct hrun_checks *checks)
{
    const struct option_table table = hrun_table_of(argv[0]);
    *options = (struct hrun_options){.checks = checks};
    /* Most strings stay in argv; the environment and the values of habits are copied. */
    int at = 0; /* index of the word before the options of the next program */
    for (;;) {
        int first = options_parse(&table, argc - at, argv + at, options);
        if (first < 0 || first >= OPTIONS_HELP)
            return first;
        first += at;
        /* A ':' ends a program's words even if the program would accept it; this is what mpiexec
         * does. */
        int end = first;
        while (end < argc && strcmp(argv[end], ":"))
            end++;
        if (end == first && (end < argc || options->nprogram > 0))
            return error_set(HN_EARG, "a program is missing %s ':': hrun -np 1 A : -np 2 B",
                             end < argc ? "before" : "behind");
        if (end == first)
            break;
        int error = hrun_add_program(options, end - first, argv + first);
        if (error)
            return error;
        if (end == argc)
            break;
        at = end;
    }
    return hrun_check(options);
}

/* Returns the text, which lives until hrun_options_free(). */
const char *hrun_texts_add(struct hrun_texts *texts, char *text)
{
    if (text && ARRAY_ROOM(texts->text, texts->n + 1))
        return texts->text[texts->n++] = text;
    free(text);
    return NULL;
}

/* The struct itself is not cleared. */
static void texts_free(struct hrun_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        free(texts->text[i]);
    free(texts->text);
}

/* Strings from argv are not freed: they are not copies. */
void hrun_options_free(struct hrun_options *options)
{
    texts_free(&options->env.all);
    texts_free(&options->env.own);
    texts_free(&options->habits.kept);
    free(options->habits.notes);
    free(options->program);
}
