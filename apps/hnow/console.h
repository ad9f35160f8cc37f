/* console.h - verbs of the console that affect later lines of its prompt: jobs, aliases, variables.
 *
 * Each takes the words from the verb on, and returns an exit status. */
#pragma once

/* ---- jobs (console_jobs.c) ---- */
int console_spawn(int argc, char **argv);
int console_trace(int argc, char **argv);
void console_end_jobs(void); /* sends SIGTERM to background jobs */
int console_jobs(int argc, char **argv);
/* Runs a verb that needs the console's input and output in a separate process. */
int console_apart(int (*run)(int argc, char **argv), int argc, char **argv);
/* Reports background jobs that have ended since the last call. */
void console_reap(void);

/* ---- words (console_words.c) ---- */
int console_setenv(int argc, char **argv);
int console_alias(int argc, char **argv);
int console_unalias(int argc, char **argv);
int console_echo(int argc, char **argv);
int console_export(int argc, char **argv);
int console_options(int argc, char **argv);
/* Replaces the first word of a line if it is an alias. Frees the line then, and returns a new one,
 * which the caller frees; else returns the line. */
char *console_expand(char *line);
