/* command.c - hbench's command line, parsed with the table that all tools share (options.h). A
 * list option fills an array and its length; everything else is one field. What an option means
 * for a benchmark is checked there (suits()), what it may look like is checked here.
 * command_stray() joins the two: each benchmark names the options that it follows. */
#include "command.h"
#include "eco_table.h"

#include "hnow.h"

#include <limits.h>
#include <string.h>

/* Larger values are mistakes: samples of 8 bytes, tasks, bytes per second. They are far above
 * what any machine can do, so no valid request is refused. */
enum { SAMPLES_MOST = 100000000, TASKS_MOST = 100000, RATE_MOST = 1000000000 };
#define SIZE_MOST (INT64_C(1) << 40)

/* 0 for an empty list. */
int64_t sizes_largest(const int64_t *bytes, int n)
{
    int64_t largest = 0;

    for (int i = 0; i < n; i++)
        largest = bytes[i] > largest ? bytes[i] : largest;
    return largest;
}

/* Parses comma-separated numbers, at least one, into list[0 ... *n-1]. */
static bool read_list(const char *value, int64_t *list, int *n)
{
    *n = 0;
    do {
        /* The value belongs to argv and is not modified: each number is copied. */
        size_t length = strcspn(value, ",");
        char word[32];

        if (length >= sizeof word || *n == COMMAND_SIZES)
            return false;
        memcpy(word, value, length);
        word[length] = '\0';
        /* options_size() accepts the suffixes K, M and G, and refuses an empty word. */
        if (!options_size(word, SIZE_MOST, &list[(*n)++]))
            return false;
        value += length;
    } while (*value++ == ',');
    return true;
}

/* A word after report or mpi. */
static int take_file(struct command *c, const char *word)
{
    if (c->files == COMMAND_FILES)
        return error_set(HN_EARG, "%s: give at most %d words", c->bench, COMMAND_FILES);
    /* The array has one more entry, which stays NULL and ends the list. */
    c->file[c->files++] = word;
    return HN_OK;
}

/* ---- the options ---- */

/* Functions of rows get the whole command, and return HN_OK or a reported error. */
static int take_bytes(void *to, const char *value)
{
    struct command *c = to;

    if (!read_list(value, c->bytes, &c->sizes))
        return error_set(HN_EARG,
                         "-bytes %s: give up to %d sizes, separated by commas, as 1,64K,4M", value,
                         COMMAND_SIZES);
    return HN_OK;
}

/* Numbers of tasks have the syntax of sizes, hence the check of their range. */
static int take_np(void *to, const char *value)
{
    struct command *c = to;
    /* "8K" is accepted, too, and means 8192 tasks. */
    bool good = read_list(value, c->np, &c->nps);

    for (int i = 0; good && i < c->nps; i++)
        good = c->np[i] > 0 && c->np[i] <= TASKS_MOST;
    return good ? HN_OK
                : error_set(HN_EARG, "-np %s: give numbers of tasks from 1 to %d, as 8,64", value,
                            TASKS_MOST);
}

/* NAME or NAME=COMMAND */
static int take_peer(void *to, const char *value)
{
    struct command *c = to;
    size_t length = strcspn(value, "=");
    const char *name = peer_known(value, length);

    if (!name || c->peers == PEERS_MOST)
        return error_set(HN_EARG, "-peer %s: give mpich, openmpi or pvm, or NAME=COMMAND", value);
    /* Without "=" there is no command: peer_round.c then makes one. */
    c->peer[c->peers++] = (struct peer_choice){name, value[length] ? value + length + 1 : NULL};
    return HN_OK;
}

/* The order is that of -help. Limits are those of the first lines of this file. */
static const struct option_row rows[] = {
    {"bytes", "LIST", "sizes, separated by commas; K, M, G are powers of 1024", take_bytes},
    {"iters", "N", "samples of each case (what fits into its time)",
     OPTION_NUMBER(command, iters, 1, SAMPLES_MOST)},
    {"plan", "NAME,...|all",
     "operations: the plan to follow, as hplan prints it, or several\n"
     "separated by commas; NAME*: the planner at its best; all: each planner\n"
     "at its best; auto: the best of all, or hrun's -plan (auto); eco: only\n"
     "the rows that follow these, and ECO's",
     OPTION_TEXT(command, plan)},
    {"seed", "N", "seed of the order in which cases are measured (1)",
     OPTION_NUMBER(command, seed, 0, LONG_MAX)},
    {"np", "LIST", "launch: numbers of tasks (8); hmd: likewise (1, 2, 4, ... and all)", take_np},
    {"hosts", "FILE",
     "launch: the hosts, as for hrun (this one); report: the network file,\n"
     "for a map and timing diagrams",
     OPTION_TEXT(command, hosts)},
    {"o", "FILE", "report: the page", OPTION_TEXT(command, output)},
    {"peer", "NAME[=COMMAND]",
     "p2p, operations, mpi: measures mpich, openmpi or pvm, too, where hbench\n"
     "was built with it; COMMAND starts its processes (as many as tasks that\n"
     "measure, on their hosts)",
     take_peer},
    {"table", "N", "eco: which table of the paper, 3 to 7",
     OPTION_NUMBER(command, table, 1, ECO_LAST)},
    {"steps", "N", "eco, hmd: steps of a run of hmd (20; 50)",
     OPTION_NUMBER(command, steps, 1, SAMPLES_MOST)},
    {"hmd", "OPTIONS", "eco, hmd: hmd's options for another system than the bundled one",
     OPTION_TEXT(command, hmd)},
    {"traffic", "RATE", "eco: bytes a second that each task sends (150000)",
     OPTION_NUMBER(command, traffic, 1, RATE_MOST)},
    {"json", NULL, "one JSON document instead of tables", OPTION_SET(command, json)},
};

/* Parsing and -help use the same rows, so every option is documented. */
static const struct option_table table = {
    .tool = "hbench",
    .usage = "hrun -np N hbench BENCHMARK [OPTION]...\n"
             "       hrun -np N hbench mpi [OPTION]... PROGRAM [WORD]...\n"
             "       hbench launch [OPTION]...\n"
             "       hbench report -o PAGE [-hosts NETFILE] RUN.json...",
    .about = "Measures hnow on the hosts of the job.",
    .row = rows,
    .n = sizeof rows / sizeof *rows,
};

/* Parses options up to a word that is none, takes that word, and continues after it. */
int command_read(struct command *c, int argc, char *const *argv)
{
    bool options = true;
    int at = 0;

    *c = (struct command){.seed = 1};
    /* Words and options may be mixed, so parsing continues behind each word. */
    for (;;) {
        /* parsing skips the first word: the program, then the benchmark */
        int next = options ? options_parse(&table, argc - at, argv + at, c) : 1;

        /* An error, or -help and -version, which the caller carries out. */
        if (next < 0 || next >= OPTIONS_HELP)
            return next;
        at += next;
        if (at >= argc)
            return HN_OK;
        if (!c->bench)
            c->bench = argv[at];
        else if (strcmp(c->bench, "mpi") != 0 && strcmp(c->bench, "report") != 0)
            return error_set(HN_EARG, "one benchmark at a time: '%s' or '%s'", c->bench, argv[at]);
        else if (take_file(c, argv[at]) != HN_OK)
            return HN_EARG;
        else if (strcmp(c->bench, "mpi") == 0) /* the next words are the program's */
            options = false;
    }
}

/* An option without effect is refused: a user who gives it expects one, and would publish numbers
 * that it has not changed. */
const char *command_stray(const struct command *c, const char *options)
{
    const struct {
        const char *name;
        bool given;
    } some[] = {{"bytes", c->sizes > 0}, {"iters", c->iters > 0},    {"plan", c->plan},
                {"np", c->nps > 0},      {"hosts", c->hosts},        {"o", c->output},
                {"peer", c->peers > 0},  {"table", c->table > 0},    {"steps", c->steps > 0},
                {"hmd", c->hmd},         {"traffic", c->traffic > 0}};

    /* An option counts as given if its value differs from "not given". */
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char word[16];

        snprintf(word, sizeof word, " %s ", some[i].name);
        if (some[i].given && !strstr(options, word))
            return some[i].name;
    }
    return NULL;
}

void command_help(FILE *out)
{
    options_help(&table, out);
}
