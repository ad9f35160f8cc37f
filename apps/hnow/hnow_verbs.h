/* hnow_verbs.h - what `hnow VERB` does: each takes the words from the verb on and returns an exit
 * status. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Prints an error; returns the status of a call that is wrong. */
int hnow_fail(const char *why);

/* Whether that word of a line, counted from 0, is it. */
bool hnow_word_is(const char *line, int at, const char *word);

/* Copies what the machine has reported; false: there is nothing. */
bool hnow_log(FILE *out);

int hnow_up(int argc, char **argv);
int hnow_down(int argc, char **argv);
int hnow_keep(int argc, char **argv);
int hnow_stand_in(int argc, char **argv);
