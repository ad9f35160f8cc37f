/* adopted.c - hn_enrol_machine(): a program that was started by hand becomes a task of the
 * persistent machine.
 *
 * The machine starts a stand-in, which is a task like any other.  The stand-in passes its
 * descriptors to this process, together with a task's environment that names them.  Then it
 * forwards signals.  It ends when the last descriptor, the witness, is closed: by hn_exit(), or by
 * the end of this process.
 */
#include "job/adopted.h"

#include "base/error.h"
#include "base/machine.h"
#include "job/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The variables of the descriptors, in the order in which they are passed. */
static const char *const descriptor_names[] = {"HNOW_AGENT_FD", "HNOW_OUTBOX_FD",
                                               "HNOW_WITNESS_FD"};
enum { DESCRIPTORS = ADOPTED_DESCRIPTORS };

bool adopted_already(void)
{
    const char *text = getenv(descriptor_names[0]);

    return text && *text >= '0' && *text <= '9';
}

/* Only variables of hnow are taken over: the program keeps its own environment.  The numbers of the
 * descriptors differ from those in the stand-in, so they are set last. */
void adopted_take(char *words, size_t size, const int descriptors[DESCRIPTORS])
{
    char number[16];

    for (char *word = words; word < words + size; word += strlen(word) + 1) {
        char *value = strchr(word, '=');
        if (value && strncmp(word, "HNOW_", 5) == 0) {
            *value = 0;
            setenv(word, value + 1, 1);
            *value = '=';
        }
    }
    for (int i = 0; i < DESCRIPTORS; i++) {
        snprintf(number, sizeof number, "%d", descriptors[i]);
        setenv(descriptor_names[i], number, 1);
    }
}

/* The machine answers '0' with the descriptors and environment variables, each with a terminating
 * 0, or another digit and the reason. */
static int take_over(int connection)
{
    int descriptors[DESCRIPTORS] = {-1, -1, -1};
    char status = 0, *words = calloc(1, ADOPTED_WORDS);
    bool came = words && machine_receive(connection, &status, 1, descriptors) == 1;
    /* The connection ends behind the last variable. */
    size_t size = came ? machine_receive_all(connection, words, ADOPTED_WORDS - 1) : 0;
    int result = HN_OK;

    if (came && status == '0' && descriptors[DESCRIPTORS - 1] >= 0) {
        adopted_take(words, size, descriptors);
    } else {
        for (int i = 0; i < DESCRIPTORS; i++)
            if (descriptors[i] >= 0)
                close(descriptors[i]);
        result = error_set(HN_ESTART, "the machine takes no more tasks: %s",
                           size > 1 ? words + 1 : "see 'hnow log'");
    }
    free(words);
    return result;
}

/* A process that an agent has started is a task already, and enrols there.  Blocks until the
 * machine has started a stand-in. */
int hn_enrol_machine(void)
{
    static const char *const request[] = {"enrol"};

    if (task_enrolled || adopted_already())
        return hn_enrol();
    int connection = machine_ask(request, 1, NULL);
    if (connection < 0)
        return connection;
    int result = take_over(connection);
    close(connection);
    return result == HN_OK ? hn_enrol() : result;
}
