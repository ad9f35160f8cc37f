/* keeper.c - serves the gate on one host: `hnow keep`, started only by `hnow up`.
 *
 * Without the gate, nothing can reach the machine any more.  So the first keeper that is notified
 * of the gate's end aborts the machine's job.
 *
 * In the keeper that is the gate, the threads of requests do all work.  Every other keeper has a
 * loop in its main thread, and two threads for each command.
 */
#include "gate.h"
#include "hnow_verbs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ends all processes of all commands; an agent ends its tasks when it gets SIGTERM. The list has
 * other fields for a reader; only the second one is needed here. */
static void reset(void)
{
    char *text = process_list("-"), *rest = text, *line;
    int pid;

    while (rest && (line = strsep(&rest, "\n")))
        if (sscanf(line, "- %d", &pid) == 1)
            process_signal(pid, SIGTERM);
    free(text);
}

/* An unknown verb is answered like a success without text. */
int keeper_question(const struct words *words, char **text)
{
    const char *verb = words->word[0], *host = hn_host_of(hn_mytid());

    *text = NULL;
    if (strcmp(verb, "ps") == 0)
        *text = process_list(host ? host : "?");
    else if (strcmp(verb, "signal") == 0 && words->n == 3)
        return process_signal(atoi(words->word[1]), atoi(words->word[2])) != HN_OK;
    else if (strcmp(verb, "reset") == 0)
        reset();
    return 0;
}

/* Handles one control message.  The gate is the sender: a keeper does not need to know it in
 * advance.  Blocks only for as long as /proc is read, since commands have their own threads. */
static void do_verb(hn_tid gate, int id, struct words *words)
{
    const char *verb = words->n > 0 ? words->word[0] : "";
    char *text;

    /* The words behind the verb are the command; none means the agent of a job. */
    if (strcmp(verb, "start") == 0) {
        words->n--;
        memmove(words->word, words->word + 1, (size_t)words->n * sizeof *words->word);
        words->word[words->n] = NULL;
        command_run(gate, id, words);
    } else if (strcmp(verb, "end") == 0) {
        command_end(id);
    } else if (strcmp(verb, "watch") == 0) {
        hn_notify(HN_TASK_EXIT, &gate, 1,
                  TAG_CONTROL); /* no packed words: ends hnow_keep()'s loop */
    } else if (words->n > 0) {
        int status = keeper_question(words, &text);
        const char *said = text ? text : "";
        message_send(gate, tag_of(id, ANSWER), status, &said, 1);
        free(text);
    }
}

/* Never returns after it has enrolled, except on an error: the gate's main thread sleeps.  The
 * other keepers serve messages until the gate's end, and then abort the job. */
int hnow_keep(int argc, char **argv)
{
    struct words *words = malloc(sizeof *words);
    hn_tid gate;
    int id;

    (void)argc;
    (void)argv;
    signal(SIGPIPE, SIG_IGN);
    bool serves = false;
    if (!words || hn_enrol() != HN_OK || gate_open(&serves) != HN_OK) {
        fprintf(stderr, "hnow keep: %s\n", hn_error_text());
        return 1;
    }
    agent_prepare();
    while (serves) /* its threads do everything */
        pause();
    /* The notification of the gate's end is not in packed form, so message_receive() fails. */
    while (message_receive(HN_ANY, TAG_CONTROL, -1, &id, words, &gate) == HN_OK) {
        do_verb(gate, id, words);
        words_free(words);
    }
    hn_abort(1, "the keeper that serves this machine's socket has ended: the machine ends");
}
