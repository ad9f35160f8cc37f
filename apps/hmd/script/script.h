/* script.h - input in CHARMM's command language: the commands needed for a simulation. */
#pragma once

#include "comm.h"
#include "hmd_command.h"

/* Runs the file o->input, command by command; *o has further options (plan, progress). Returns 0,
 * or a status with a message that begins with file and line. */
int script_run(const struct command *o, struct comm *comm, struct err *e);
