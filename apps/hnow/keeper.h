/* keeper.h - shared by the files of a keeper.
 *
 * A keeper is a task of the virtual machine's own job, one on each host.  The keeper on the user's
 * host is also the gate: it listens on the machine's socket.  Keepers exchange packed messages:
 *
 *     TAG_CONTROL          gate -> keeper: a verb, the request number, and words
 *     tag_of(id, INPUT)    gate -> keeper: bytes of a command's standard input; empty: its end
 *     tag_of(id, OUTPUT)   keeper -> gate: stream number and bytes; finally stream 0 and the exit
 *                          status as text
 *     tag_of(id, ANSWER)   keeper -> gate: the answer to a query: status and text
 *
 * Every request has a thread at the gate, and a command has two threads at its keeper, since
 * reading and writing may block at any time.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TAG_CONTROL = 1, TAG_FIRST = 16 };
enum direction { INPUT, OUTPUT, ANSWER, DIRECTIONS };
/* CHUNK: bytes of an input or output message, the capacity of a pipe.  WORDS_MOST: words of a
 * request; more are rejected.  LOST_STATUS: ssh's exit status for a lost connection. */
enum { CHUNK = 65536, WORDS_MOST = 4096, LOST_STATUS = 255 };

/* Tags are unique as long as TAG_FIRST + id * DIRECTIONS fits into an int: for some 700 million
 * requests. */
static inline int tag_of(int id, enum direction direction)
{
    return TAG_FIRST + id * DIRECTIONS + (int)direction;
}

/* ---- keeper_message.c: packed messages ------------------------------------------------------- */

/* Words of a message or of a request; the texts are in one block. */
struct words {
    int n;
    char *word[WORDS_MOST + 1]; /* NULL-terminated */
    char *block;
};
/* Also valid for words that were never filled, if they are zero.  The struct itself stays. */
void words_free(struct words *words);
/* Sends a number and words.  Returns HN_OK or an error. */
int message_send(hn_tid to, int tag, int number, const char *const *words, int n);
/* Waits for such a message, up to `milliseconds` (< 0: no limit). *from receives the sender (may be
 * NULL).  Returns HN_OK or an error. */
int message_receive(hn_tid source, int tag, int milliseconds, int *number, struct words *words,
                    hn_tid *from);
/* The same with a number and bytes. */
int bytes_send(hn_tid to, int tag, int number, const void *data, size_t n);
/* Returns the number of bytes received, at most CHUNK, or an error. */
int bytes_receive(hn_tid from, int tag, int *number, char data[CHUNK]);
/* Writes all bytes.  Returns false if the other end is closed. */
bool write_all(int fd, const char *data, size_t n);

/* ---- keeper_process.c: the commands that run on this host ------------------------------------ */

/* Starts a command in a new session, in the user's home directory, with these standard streams, and
 * adds it to the list.  Without words, starts the agent of a job.  Returns its process id, or -1
 * with errno. */
pid_t process_start(char *const *words, const int streams[3]);
/* The name for error messages; without words, the process is an agent. */
static inline const char *process_name(const struct words *words)
{
    return words->n > 0 ? words->word[0] : "hnowd";
}
/* The same without the list.  Returns 0 or a value of errno. */
int process_spawn(char *const *words, const int streams[3], pid_t *pid);
/* Waits for a process.  Returns its exit status in the shell's form. */
int process_wait(pid_t pid);
/* Ends a command whose client has gone: its input has ended, and it gets SIGTERM after 2 s. */
void process_end(pid_t pid);
/* Lists all processes of the commands, one line each: "HOST PID COMMAND".  NULL: out of memory. */
char *process_list(const char *host);
/* Signals a process, if it belongs to a command.  Returns HN_OK, or HN_ENOTASK if it does not. */
int process_signal(pid_t pid, int signal);

/* ---- keeper_agent.c: the agent of the next job ----------------------------------------------- */

/* Starts the waiting agent with these standard streams, or else a new one.  Returns its process id,
 * or -1 with errno. */
pid_t agent_start(const int streams[3]);
/* Starts a waiting agent, if there is none. */
void agent_prepare(void);
/* The same after some time, when a job's agent has ended. */
void agent_replace(void);

/* ---- keeper_command.c: a command of another host's client ------------------------------------ */

/* Runs it in separate threads, which report to the gate. */
void command_run(hn_tid gate, int id, const struct words *words);
/* Called when the client has gone. */
void command_end(int id);

/* ---- gate.c: the socket --------------------------------------------------------------------- */

/* Starts to listen if this process is on the user's host and no other keeper there listens; *serves
 * is set then.  Returns HN_OK, or an error with hn_error_text(). */
int gate_open(bool *serves);

/* ---- keeper.c ------------------------------------------------------------------------------- */

/* Answers ps, signal or reset for this host.  Returns a status, and *text, which the caller frees
 * (NULL: none). */
int keeper_question(const struct words *words, char **text);

/* ---- gate_session.c: a client's command ------------------------------------------------------ */

/* Runs words on the host of a keeper (this one: locally) with the client's streams, which it
 * closes.  Returns the exit status when the command has ended, or when the client has closed its
 * connection. */
int session_run(hn_tid keeper, int id, const struct words *words, int connection,
                const int streams[3]);
