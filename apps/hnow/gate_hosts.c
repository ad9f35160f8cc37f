/* gate_hosts.c - the virtual machine's hosts and their keepers; see gate.h.
 *
 * The text of the hosts file is the truth.  Each change makes a new text, which replaces the old
 * one only if it can be parsed.  So the user's comments, defaults, and order survive, and jobs read
 * the text as they read a file.
 *
 * A keeper's tid remains in the list after its end.  A host that is added again gets a new keeper
 * behind the old one, hence searches run from the last to the first.
 */
#include "gate.h"

#include "runtime/internal.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Hosts are added and removed one after the other, which takes long if one does not answer.
 * Meanwhile all others read: so only who holds `changing` writes, and with `mutex`. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
/* The mutex protects all members.  `text` and `hosts` always match.  Pointers into `hosts` are
 * invalid after every set_text(). */
static struct {
    pthread_mutex_t mutex;
    char *text;          /* the hosts file for jobs */
    struct hosts *hosts; /* the same, parsed */
    hn_tid *added;       /* keepers of hosts added later */
    int n;
} machine = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Replaces the text, taking ownership, if it is a valid hosts file.  The lock is held, or no other
 * thread runs yet. */
static int set_text(char *text)
{
    struct hosts *hosts;
    int result = text ? hosts_parse("the machine's hosts", text, strlen(text), &hosts) : HN_ENOMEM;

    if (result) {
        free(text);
        return result;
    }
    hosts_free(machine.hosts);
    free(machine.text);
    machine.hosts = hosts;
    machine.text = text;
    return HN_OK;
}

/* getdelim() with a 0 byte reads the whole file; an empty one gives no bytes, and is an empty
 * text. */
int gate_hosts_read(void)
{
    char path[MACHINE_PATH];
    char *text = NULL;
    size_t size = 0;
    FILE *file = machine_file(path, MACHINE_HOSTS) ? NULL : fopen(path, "re");

    if (!file)
        return HN_ESYS;
    if (getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return set_text(text);
}

void gate_hosts_print(FILE *out)
{
    pthread_mutex_lock(&machine.mutex);
    fputs(machine.text, out);
    pthread_mutex_unlock(&machine.mutex);
}

/* ---- keepers ----------------------------------------------------------------------------------
 */

/* The number of keepers ever started; the first ones are the job's world.  The lock is held. */
static int keepers_most(void)
{
    return hn_size() + machine.n;
}

/* Keepers are numbered in the order of their start.  The lock is held. */
static hn_tid keeper_at(int i)
{
    int first = hn_size();

    return i < first ? hn_group_tid(hn_world(), i) : machine.added[i - first];
}

int gate_keepers(hn_tid **tids)
{
    pthread_mutex_lock(&machine.mutex);
    int n = 0;
    *tids = malloc(sizeof **tids * (size_t)keepers_most());
    for (int i = 0; *tids && i < keepers_most(); i++) {
        hn_tid tid = keeper_at(i);
        hn_task_info info;
        if (hn_task_status(tid, &info) == HN_OK && info.state != HN_ENDED)
            (*tids)[n++] = tid;
    }
    pthread_mutex_unlock(&machine.mutex);
    return n;
}

/* Returns the host's name in the form of hn_host_of(). */
static const char *name_of(const char *word)
{
    for (int i = 0; i < machine.hosts->n; i++) {
        const struct host_line *line = &machine.hosts->line[i];
        if (strcmp(line->name, word) == 0 || (line->addr && strcmp(line->addr, word) == 0))
            return line->name;
    }
    return word;
}

/* The last keeper that was started there; earlier ones no longer run. */
hn_tid gate_keeper_of(const char *host)
{
    hn_tid found = 0;

    pthread_mutex_lock(&machine.mutex);
    const char *name = name_of(host);
    for (int i = keepers_most() - 1; i >= 0 && !found; i--) {
        const char *at = hn_host_of(keeper_at(i));
        if (at && strcmp(at, name) == 0)
            found = keeper_at(i);
    }
    pthread_mutex_unlock(&machine.mutex);
    return found;
}

/* ---- adding and removing hosts
 * ---------------------------------------------------------------- */

void gate_watched_by(hn_tid keeper)
{
    static const char *const words[] = {"watch"};

    message_send(keeper, TAG_CONTROL, 0, words, 1);
}

/* Spawns a keeper on a host that is part of the job already, and makes it watch this process.  The
 * lock is held.  Blocks until the keeper runs or has failed. */
static int start_keeper(const char *host)
{
    static const char *const argv[] = {"keep", NULL};
    hn_place place = {.host = host};
    hn_tid tid;
    int n = hn_spawn("hnow", argv, 1, &place, &tid);

    if (n < 1)
        return n < 0 ? n : HN_ESTART;
    pthread_mutex_lock(&machine.mutex);
    hn_tid *more = realloc(machine.added, sizeof *more * (size_t)(machine.n + 1));
    if (more) {
        machine.added = more;
        more[machine.n++] = tid;
    }
    pthread_mutex_unlock(&machine.mutex);
    if (!more)
        return HN_ENOMEM;
    gate_watched_by(tid);
    return HN_OK;
}

/* Writes one host as a line that is independent of others.  Model values are written, too, and
 * options that a default line could have set otherwise. */
static void write_host(const struct host_line *line, FILE *out)
{
    static const char *const keys[HOSTS_MODEL_COUNT] = {
#define X(name, text) [name] = text,
        HOSTS_MODEL_KEYS(X)
#undef X
    };

    hosts_write(out, line);
    for (int k = 0; k < HOSTS_MODEL_COUNT; k++)
        if (line->model[k])
            fprintf(out, " %s=%s", keys[k], line->model[k]);
    if (strchr(machine.text, '*')) /* defaults may say yes */
        fprintf(out, "%s%s", line->encrypt ? "" : " encrypt=no",
                line->trusted ? "" : " trusted=no");
    putc('\n', out);
}

/* Returns the text without a host; other hosts of a range on the same line get separate lines.
 * NULL: out of memory. */
static char *text_without(int gone)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int number = 1, there = machine.hosts->line[gone].line_number;

    for (const char *at = machine.text; out && *at; number++) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        if (number != there)
            fwrite(at, 1, n, out);
        for (int i = 0; number == there && i < machine.hosts->n; i++)
            if (i != gone && machine.hosts->line[i].line_number == there)
                write_host(&machine.hosts->line[i], out);
        at += n;
    }
    return out && fclose(out) == 0 ? text : NULL;
}

/* A host may be on several lines, one for each slot.  Every round removes one entry and parses the
 * text anew, so the search starts again.  That is quadratic, but a host has few lines. */
static int remove_lines(const char *name)
{
    int result = HN_OK, i;

    while (!result && (i = hosts_find(machine.hosts, name)) >= 0)
        result = set_text(text_without(i));
    return result;
}

/* Inserts a line before line `number`, or behind the last one.  The previous last line gets an end
 * if it has none. */
static int insert_line(int number, const char *line)
{
    char *text = NULL;
    const char *at = machine.text;

    while (--number > 0 && *at)
        at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
    return asprintf(&text, "%.*s%s%s\n%s", (int)(at - machine.text), machine.text,
                    at > machine.text && at[-1] != '\n' ? "\n" : "", line, at) < 0
               ? HN_ENOMEM
               : set_text(text);
}

/* All lines of a host become one, at the given line number, which counts in the text before. */
static int replace_lines(const char *name, int number, const char *line)
{
    int result = remove_lines(name);

    return result ? result : insert_line(number, line);
}

/* A removed host becomes a standby host, so that the options on its lines are still known when only
 * its name is added.  It stays in its place, where other defaults (a later line with *) do not
 * apply.  The line number is passed by value, since remove_lines() frees the hosts from which it is
 * read. */
static int set_standby(const char *name, bool standby)
{
    int i = hosts_find(machine.hosts, name);
    char *text = NULL;
    size_t size;
    FILE *out = i < 0 ? NULL : open_memstream(&text, &size);

    if (i < 0)
        return HN_OK;
    machine.hosts->line[i].standby = standby;
    if (out)
        write_host(&machine.hosts->line[i], out);
    int result = out && fclose(out) == 0 ? HN_OK : HN_ENOMEM;
    if (!result) {
        text[size - 1] = 0; /* removes the end of the line */
        result = replace_lines(name, machine.hosts->line[i].line_number, text);
    }
    free(text);
    return result;
}

/* Handles `hnow add`: the name of a host that has lines, or a line, which replaces them. */
static int put_line(const char *name, const char *line)
{
    bool is_name = !line[strlen(name) + strspn(line + strlen(name), " ")];

    return is_name && hosts_find(machine.hosts, name) >= 0 ? set_standby(name, false)
                                                           : replace_lines(name, INT_MAX, line);
}

/* The steps are ordered so that jobs see the host only when its keeper runs: the job's host, the
 * keeper, and then the line.  A failure undoes the first.  The lock is held until the end, so
 * additions wait for one another, and requests about hosts wait, too. */
int gate_hosts_add(const char *line, FILE *out)
{
    struct hosts *hosts;
    int result = hosts_parse("hnow add", line, strlen(line), &hosts);

    if (result || hosts->n != 1) {
        fprintf(out, "1\n%s\n", result ? hn_error_text() : "one host a line");
        if (!result)
            hosts_free(hosts);
        return HN_EARG;
    }
    pthread_mutex_lock(&changing);
    result = hn_add_hosts(&line, 1, NULL) == 1 ? HN_OK : HN_EHOST;
    bool added = !result;
    if (!result)
        result = start_keeper(hosts->line[0].name);
    pthread_mutex_lock(&machine.mutex);
    if (!result)
        result = put_line(hosts->line[0].name, line);
    pthread_mutex_unlock(&machine.mutex);
    if (result)
        fprintf(out, "1\n%s\n", hn_error_text());
    else
        fputs("0\n", out);
    if (result && added) /* a host without a keeper, or without a line, is useless for jobs */
        hn_remove_hosts(&(const char *){hosts->line[0].name}, 1, NULL);
    pthread_mutex_unlock(&changing);
    hosts_free(hosts);
    return result;
}

/* The job's host is removed first, which ends the keeper there.  The line stays as a standby host,
 * which new jobs do not use by default. */
int gate_hosts_remove(const char *name, FILE *out)
{
    pthread_mutex_lock(&changing);
    int result = hn_remove_hosts(&name, 1, NULL) == 1 ? HN_OK : HN_EHOST;
    pthread_mutex_lock(&machine.mutex);
    if (!result)
        result = set_standby(name, true);
    pthread_mutex_unlock(&machine.mutex);
    pthread_mutex_unlock(&changing);
    if (result)
        fprintf(out, "1\n%s\n", hn_error_text());
    else
        fputs("0\n", out);
    return result;
}
