/* gate_requests.c - executes the gate's requests; see gate.h.
 *
 * A request's thread calls gate_answer(), which finds the function for the first word.  Each
 * function prints the whole answer: the status first, because the client reads it as the exit
 * status.  Queries about one host are sent to its keeper, whose answer has the request's number in
 * its tag.  Thus simultaneous requests do not receive one another's answers.
 */
#include "gate.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A keeper answers at once; this is half the time in which PULSE_TICKS detect a lost host. */
enum { ANSWER_MILLISECONDS = 5000 };
/* A task may need time to end after SIGTERM; its values can be deleted afterwards. */
enum { RESET_TURNS = 40, RESET_TURN = 50000 /* us */ };

/* What a function needs for one request; everything belongs to the thread in gate.c. */
struct request {
    struct words *words;
    int connection, *streams;
    FILE *out;
};

/* Prints an error of status 1, with the word that it is about before the text (NULL: none). */
static void fail(const struct request *r, const char *text, const char *word)
{
    fprintf(r->out, "1\n%s%s%s\n", word ? word : "", word ? ": " : "", text);
}

/* ---- commands ----------------------------------------------------------------------------------
 */

/* at HOST WORD...: runs a command with the client's streams. agent HOST: runs the agent of a job.
 * The exit status of the command is the answer.  The request's words are copied, since the first
 * two are removed, but their texts are shared. */
static void run_at(const struct request *r)
{
    struct words command = *r->words;
    int streams[3];

    if ((r->words->n > 2) != (strcmp(r->words->word[0], "at") == 0) || r->words->n < 2 ||
        r->streams[2] < 0)
        return fail(r, "at: HOST COMMAND and three streams are needed", NULL);
    hn_tid keeper = gate_keeper_of(r->words->word[1]);
    if (!keeper)
        return fail(r, "not a host of the machine: see 'hnow conf'", r->words->word[1]);
    command.n = r->words->n - 2;
    memmove(command.word, command.word + 2, (size_t)command.n * sizeof *command.word);
    command.word[command.n] = NULL;
    /* session_run() closes the streams, so the caller must not close them again. */
    memcpy(streams, r->streams, sizeof streams);
    r->streams[0] = r->streams[1] = r->streams[2] = -1;
    fprintf(r->out, "%d\n", session_run(keeper, gate_new_id(), &command, r->connection, streams));
}

static void enrol(const struct request *r)
{
    gate_enrol(r->connection, r->out);
}

static void offer(const struct request *r)
{
    gate_offer(r->words, r->streams, r->out);
}

/* ---- queries to keepers
 * ------------------------------------------------------------------------ */

/* Queries one keeper.  Returns its text, to be freed, or NULL. *status is the keeper's, or 1.  The
 * gate's own question is answered directly, since a keeper that serves receives no messages.
 * Another keeper has ANSWER_MILLISECONDS, so one that is stopped delays `ps` by that time. */
static char *ask(hn_tid keeper, const char *const *words, int n, int *status)
{
    struct words answer;
    int id = gate_new_id();
    char *text = NULL;

    *status = 1;
    if (keeper == hn_mytid()) {
        struct words own = {.n = n};
        memcpy(own.word, words, (size_t)n * sizeof *words);
        *status = keeper_question(&own, &text);
        return text ? text : strdup("");
    }
    if (message_send(keeper, TAG_CONTROL, id, words, n) != HN_OK)
        return NULL;
    if (message_receive(keeper, tag_of(id, ANSWER), ANSWER_MILLISECONDS, status, &answer, NULL))
        return NULL;
    if (answer.n == 1)
        text = strdup(answer.word[0]);
    words_free(&answer);
    return text;
}

/* Prints one table for all hosts, one keeper after another, and finally the machine's own tasks.  A
 * host without an answer gets a line, because its processes may still run. */
static void list_processes(const struct request *r)
{
    static const char *const words[] = {"ps"};
    hn_tid *keepers;
    int n = gate_keepers(&keepers), status;

    fprintf(r->out, "0\n%-24s %7s %-8s %s\n", "host", "pid", "tid", "command");
    for (int i = 0; keepers && i < n; i++) {
        char *text = ask(keepers[i], words, 1, &status);
        const char *host = hn_host_of(keepers[i]);
        if (text)
            fputs(text, r->out);
        else
            fprintf(r->out, "%s ? gives no answer\n", host ? host : "?");
        free(text);
    }
    free(keepers);
    gate_tasks_print(r->out);
}

/* signal TID NUMBER: signals a task.  A tid begins with t and is hexadecimal, as in PVM. */
static void signal_task(const struct request *r)
{
    const char *tid = r->words->word[1];
    long number = *tid == 't' ? strtol(tid + 1, NULL, 16) : 0;

    if (number > 0 && gate_tasks_signal((hn_tid)number, atoi(r->words->word[2])))
        fputs("0\n", r->out);
    else
        fail(r, "not a task of the machine: see 'hnow ps'", tid);
}

/* signal HOST PID NUMBER: signals a process. */
static void send_signal(const struct request *r)
{
    const char *words[] = {"signal", "", ""};
    int status;

    if (r->words->n == 3)
        return signal_task(r);
    if (r->words->n != 4)
        return fail(r, "signal: HOST PID NUMBER are needed", NULL);
    hn_tid keeper = gate_keeper_of(r->words->word[1]);
    if (!keeper)
        return fail(r, "not a host of the machine: see 'hnow conf'", r->words->word[1]);
    words[1] = r->words->word[2];
    words[2] = r->words->word[3];
    free(ask(keeper, words, 3, &status));
    if (status)
        return fail(r, "not a process of the machine: see 'hnow ps'", words[1]);
    fputs("0\n", r->out);
}

/* reset info [NAME [INDEX]], as in PVM: deletes values that tasks have left behind. */
static void reset_names(const struct request *r)
{
    char **word = r->words->word;
    int n = r->words->n;

    if (n > 4 || strcmp(word[1], "info"))
        return fail(r, "usage: reset [info [NAME [INDEX]]]", NULL);
    gate_names_delete(n > 2 ? word[2] : NULL, n > 3 ? atoi(word[3]) : HN_ANY, true);
    fputs("0\n", r->out);
}

/* Ends all commands and tasks, and deletes their values; the machine keeps running.  Values can
 * only be deleted once their tasks have ended, so this is tried for up to two seconds after
 * SIGTERM. */
static void reset(const struct request *r)
{
    static const char *const words[] = {"reset"};
    hn_tid *keepers;
    int n, status;

    if (r->words->n > 1)
        return reset_names(r);
    n = gate_keepers(&keepers);
    for (int i = 0; keepers && i < n; i++)
        free(ask(keepers[i], words, 1, &status));
    free(keepers);
    gate_tasks_signal(0, SIGTERM);
    for (int i = 0; i < RESET_TURNS && !gate_names_delete(NULL, HN_ANY, false); i++)
        usleep(RESET_TURN);
    fputs("0\n", r->out);
}

/* ---- names -------------------------------------------------------------------------------------
 */

static void list_names(const struct request *r)
{
    gate_names_print(r->words->n > 1 ? r->words->word[1] : "*", r->out);
}

static void put_name(const struct request *r)
{
    if (r->words->n < 2)
        return fail(r, "put: a name is needed", NULL);
    gate_names_put(r->words->word[1], r->out);
}

/* ---- hosts -------------------------------------------------------------------------------------
 */

static void print_hosts(const struct request *r)
{
    fputs("0\n", r->out);
    gate_hosts_print(r->out);
}

/* Lists the hosts as hrun knows them, including those that have been added; an unknown load is
 * printed as 0. */
static void configuration(const struct request *r)
{
    hn_host_info *hosts;
    int n;

    if (hn_hosts(&hosts, &n) != HN_OK)
        return fail(r, hn_error_text(), NULL);
    fprintf(r->out, "0\n%-24s %-10s %5s %5s %6s %8s\n", "host", "machine", "cores", "slots", "load",
            "dtid");
    for (int i = 0; i < n; i++)
        fprintf(r->out, "%-24s %-10s %5d %5d %6.2f %8x\n", hosts[i].name, hosts[i].machine,
                hosts[i].cores, hosts[i].slots, hosts[i].load < 0 ? 0 : hosts[i].load,
                (unsigned)hosts[i].tid);
    free(hosts);
}

static void add(const struct request *r)
{
    if (r->words->n != 2)
        return fail(r, "add: the line of one host is needed", NULL);
    gate_hosts_add(r->words->word[1], r->out);
}

static void delete (const struct request *r)
{
    if (r->words->n != 2)
        return fail(r, "delete: the name of one host is needed", NULL);
    gate_hosts_remove(r->words->word[1], r->out);
}

/* ---- down
 * -------------------------------------------------------------------------------------- */

/* hrun ends the keepers, whose agents clean up.  The client is answered before, because hn_abort()
 * does not return.  It then waits for hrun's end by itself. */
static void down(const struct request *r)
{
    fprintf(r->out, "0\n%d\n", (int)getpid());
    fclose(r->out);
    hn_abort(0, NULL);
}

/* A verb's function may close the answer's stream only if it does not return, as down() does. */
void gate_answer(struct words *words, int connection, int streams[3], FILE *out)
{
    static const struct {
        const char *verb;
        void (*answer)(const struct request *request);
    } verbs[] = {{"at", run_at},          {"agent", run_at}, {"ps", list_processes},
                 {"signal", send_signal}, {"reset", reset},  {"hosts", print_hosts},
                 {"conf", configuration}, {"add", add},      {"delete", delete},
                 {"down", down},          {"enrol", enrol},  {"offer", offer},
                 {"names", list_names},   {"put", put_name}};
    const struct request request = {words, connection, streams, out};

    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].verb, words->word[0]) == 0)
            return verbs[i].answer(&request);
    fail(&request, "no such request: is this hnow of the same version?", words->word[0]);
}
