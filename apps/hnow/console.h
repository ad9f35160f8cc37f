/* console.h - verbs of the console whose effect is on later lines of its prompt: jobs, and words.
 * Each takes the words from the verb on and returns an exit status. */
#ifndef HNOW_CONSOLE_H
#define HNOW_CONSOLE_H

/* ---- jobs (console_jobs.c) ---- */
int console_spawn(int argc, char **argv);
int console_trace(int argc, char **argv);
int console_jobs(int argc, char **argv);
/* Tells of background jobs that have ended since the last call. */
void console_reap(void);

/* ---- words (console_words.c) ---- */
int console_setenv(int argc, char **argv);
int console_alias(int argc, char **argv);
int console_unalias(int argc, char **argv);
int console_echo(int argc, char **argv);
/* Puts the words of an alias in place of a line's first word: the number of words, which stays
 * below `room`, NULL behind them.  Words live until their alias changes. */
int console_expand(char **words, int n, int room);

#endif
