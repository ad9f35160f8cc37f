/* script_block.h - IF ... ELSE ... ENDIF, SET and CALC of CHARMM's language (miscom.doc), in an
 * input as in a stream of topology and parameters. */
#pragma once

#include "script_line.h"

enum block_outcome {
    BLOCK_PASSED,  /* nothing is to be done: the next command follows */
    BLOCK_OPEN,    /* the commands up to ELSE or ENDIF follow */
    BLOCK_COMMAND, /* the command behind the condition is in the words now */
};

/* Obeys the IF in the words of l.  A block that does not hold is passed over up to its ELSE or
 * ENDIF; one that holds must have an ENDIF in the file.  lenient: an IF with one command that
 * cannot be decided is passed over; else that is an error.  0 or ERR_INPUT. */
int block_if(struct script_line *l, int lenient, enum block_outcome *outcome, struct err *e);
/* The ELSE behind commands that were obeyed: passes over what is up to ENDIF.  0 or ERR_INPUT. */
int block_else(struct script_line *l, struct err *e);

/* SET name [=] text: all of the text, without quotes around it; CALC name [=] expression.  0 or
 * ERR_INPUT. */
int block_set(struct script_line *l, struct err *e);
int block_calc(struct script_line *l, struct err *e);
/* Gives the name after the command this value.  0 or ERR_INPUT. */
int block_name(struct script_line *l, const char *value, struct err *e);
