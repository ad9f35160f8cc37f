/* hnow_verbs.h - the verbs of `hnow VERB`: each takes the words from the verb on, and returns an
 * exit status. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Seconds: the machine answers at once, unless it waits for another host (add, ps). */
enum { ANSWER_SECONDS = 5 };

/* Prints an error. Returns the exit status for wrong usage. */
int hnow_fail(const char *why);

/* True if word number `at` of a line, counted from 0, equals `word`. */
bool hnow_word_is(const char *line, int at, const char *word);

/* Copies the virtual machine's log. Returns false if it is empty. */
bool hnow_log(FILE *out);

/* The verbs of up.c.  `keep` and `stand-in` are for internal use: up.c and keepers start them as
 * tasks. */
int hnow_up(int argc, char **argv);
int hnow_down(int argc, char **argv);
int hnow_keep(int argc, char **argv);
int hnow_stand_in(int argc, char **argv);
