/* script_block.h - IF ... ELSE ... ENDIF, SET and CALC of CHARMM's language (miscom.doc), in inputs
 * and in streams of topology and parameters. */
#pragma once

#include "script_line.h"

/* What the caller of block_if() does next. */
enum block_outcome {
    BLOCK_PASSED,  /* nothing to do: continue with the next command */
    BLOCK_OPEN,    /* execute the commands up to ELSE or ENDIF */
    BLOCK_COMMAND, /* the words are now the command after the condition */
};

/* Executes the IF in the words of l.  A false block is skipped up to its ELSE or ENDIF; a true one
 * must have an ENDIF in the file. lenient: an IF with a single command that cannot be evaluated is
 * skipped; else that is an error.  Returns 0 or ERR_INPUT. Blocks are skipped by reading ahead in
 * the same text, so a block and its end are always in one file. */
int block_if(struct script_line *l, int lenient, enum block_outcome *outcome, struct err *e);
/* Handles an ELSE after executed commands: skips up to ENDIF.  Returns 0 or ERR_INPUT. */
int block_else(struct script_line *l, struct err *e);

/* SET name [=] text: assigns all of the text, without quotes around it.  CALC name [=] expression.
 * They return 0 or ERR_INPUT. */
int block_set(struct script_line *l, struct err *e);
int block_calc(struct script_line *l, struct err *e);
/* Assigns a value to the name after the command.  Returns 0 or ERR_INPUT. */
int block_name(struct script_line *l, const char *value, struct err *e);
