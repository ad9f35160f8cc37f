/* console.h - verbs of the console whose effect is on later lines of its prompt: jobs, and words.
 * Each takes the words from the verb on and returns an exit status. */
#pragma once

/* ---- jobs (console_jobs.c) ---- */
int console_spawn(int argc, char **argv);
int console_trace(int argc, char **argv);
void console_end_jobs(void); /* sends SIGTERM to those in the background */
int console_jobs(int argc, char **argv);
/* Runs a verb that gives the console's input and output away, in a process of its own. */
int console_apart(int (*run)(int argc, char **argv), int argc, char **argv);
/* Tells of background jobs that have ended since the last call. */
void console_reap(void);

/* ---- words (console_words.c) ---- */
int console_setenv(int argc, char **argv);
int console_alias(int argc, char **argv);
int console_unalias(int argc, char **argv);
int console_echo(int argc, char **argv);
int console_export(int argc, char **argv);
int console_options(int argc, char **argv);
/* The line with an alias's words in place of its first word: it is freed and another one made, to
 * be freed, if that is an alias. */
char *console_expand(char *line);
