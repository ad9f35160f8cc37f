/* pmi.c - a client of PMI-1; see pmi.h.
 *
 * One request at a time, and one answer to each. barrier_begin() is the exception: its answer is
 * read by barrier_end(), and no other request may be sent in between.
 *
 * A question and its answer are one line of words KEY=VALUE.  All errors become HN_ESTART, since
 * they concern the launcher and not the program.
 */
#include "job/pmi.h"

#include "base/error.h"
#include "base/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number of at most 2^24 in the environment: a descriptor, a rank or a size. */
static bool number_of(const char *name, int *number)
{
    const char *text = getenv(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : -1;

    *number = (int)value;
    return text && *text && *end == '\0' && value >= 0 && value <= 1 << 24;
}

/* Reads a line, byte by byte: bytes after it must stay in the socket. */
static bool read_line(struct pmi *p)
{
    size_t n = 0;

    while (n < PMI_LINE - 1) {
        ssize_t got = read(p->fd, p->line + n, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (p->line[n] == '\n') {
            p->line[n] = '\0';
            return true;
        }
        n++;
    }
    p->line[n] = '\0';
    return false;
}

/* The value of a word of the last answer, up to a blank.  NULL: there is none. */
static char *value_of(struct pmi *p, const char *key)
{
    size_t length = strlen(key);

    for (char *word = p->line; word; word = strchr(word, ' ')) {
        word += strspn(word, " ");
        if (strncmp(word, key, length) == 0 && word[length] == '=')
            return word + length + 1;
    }
    return NULL;
}

static int send_question(struct pmi *p, const char *question)
{
    return machine_send(p->fd, question, strlen(question), NULL, 0) == HN_OK
               ? HN_OK
               : error_set(HN_ESTART, "the launcher of this process has closed PMI_FD");
}

/* Reads the answer with that name.  The answer's name must begin with `name`, and its rc, if there
 * is one, must be 0. */
static int read_answer(struct pmi *p, const char *name)
{
    bool came = read_line(p);
    const char *cmd = value_of(p, "cmd"), *rc = value_of(p, "rc");

    if (came && cmd && strncmp(cmd, name, strlen(name)) == 0 && (!rc || atoi(rc) == 0))
        return HN_OK;
    return error_set(HN_ESTART, "the launcher of this process gives PMI no %s, but '%.80s'", name,
                     p->line);
}

static int ask(struct pmi *p, const char *question, const char *name)
{
    int result = send_question(p, question);

    return result == HN_OK ? read_answer(p, name) : result;
}

/* Reads the name of the table in which all processes of the job put their texts. */
static int open_table(struct pmi *p)
{
    fcntl(p->fd, F_SETFD, FD_CLOEXEC);
    int result = ask(p, "cmd=init pmi_version=1 pmi_subversion=1\n", "response_to_init");

    if (result == HN_OK)
        result = ask(p, "cmd=get_my_kvsname\n", "my_kvsname");
    if (result == HN_OK) {
        const char *name = value_of(p, "kvsname");
        snprintf(p->table, sizeof p->table, "%.*s", name ? (int)strcspn(name, " ") : 0,
                 name ? name : "");
    }
    return result;
}

static int put(struct pmi *p, const char *key, const char *value)
{
    char question[PMI_LINE];

    snprintf(question, sizeof question, "cmd=put kvsname=%s key=%s value=%s\n", p->table, key,
             value);
    return ask(p, question, "put_result");
}

/* Processes may do other work between the two halves; p->fd becomes readable at the end. */
static int barrier_begin(struct pmi *p)
{
    return send_question(p, "cmd=barrier_in\n");
}

static int barrier_end(struct pmi *p)
{
    return read_answer(p, "barrier_out");
}

/* Keys are unique in the whole job, so the rank is not needed here.  PMIx needs it. */
static int get(struct pmi *p, int rank, const char *key, const char **value)
{
    char question[PMI_LINE];

    (void)rank;
    snprintf(question, sizeof question, "cmd=get kvsname=%s key=%s\n", p->table, key);
    int result = ask(p, question, "get_result");
    char *found = result == HN_OK ? value_of(p, "value") : NULL;
    if (result == HN_OK && !found)
        return error_set(HN_ESTART, "the launcher of this process has no text '%s'", key);
    if (found)
        found[strcspn(found, " ")] = '\0';
    *value = found;
    return result;
}

/* The launcher gives no answer, but ends all processes. */
static void abort_all(struct pmi *p, int status)
{
    char question[PMI_LINE];

    snprintf(question, sizeof question, "cmd=abort exitcode=%d\n", status);
    send_question(p, question);
}

/* An error does not matter any more. */
static void close_table(struct pmi *p)
{
    ask(p, "cmd=finalize\n", "finalize_ack");
    close(p->fd);
}

/* PMI-1 first, as it needs no library. */
bool pmi_here(struct pmi *p)
{
    static const struct pmi_calls calls = {open_table, put,       barrier_begin, barrier_end,
                                           get,        abort_all, close_table};

    *p = (struct pmi){.calls = &calls, .fd = -1, .signal = -1};
    return (number_of("PMI_FD", &p->fd) && number_of("PMI_RANK", &p->rank) &&
            number_of("PMI_SIZE", &p->size) && p->rank < p->size) ||
           pmix_here(p);
}
