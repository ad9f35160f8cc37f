/* session.h - a molecule that is read once, and operations on it: minimisation and dynamics. */
#pragma once

#include "comm.h"
#include "hmd_command.h"
#include "input.h"
#include "energy_samples.h"

/* Owned by main() or by the script. `last` has the numbers behind a script's ?ENER and the like. */
struct session {
    struct comm *comm;
    struct input in;
    int loaded;
    size_t warned;      /* number of warnings about parameters already printed */
    struct sample last; /* of the last operation */
};

/* Reads the files of the command line; replaces a loaded molecule. Returns 0 or a status.
 * Collective, as all functions here. */
int session_load(struct session *s, const struct command *o, struct err *e);
/* Also valid if nothing was loaded. */
void session_free(struct session *s);

/* Each starts from the current coordinates, follows the options, and stores the resulting
 * coordinates. They return 0 or a status. */
int session_minimise(struct session *s, const struct command *o, struct err *e);
int session_dynamics(struct session *s, const struct command *o, struct err *e);
/* The first task writes coordinates (set; NULL: the current ones) of the chosen atoms (NULL: all)
 * as an expanded CRD file, or as a PDB. Returns 0 or a status. */
int session_write(struct session *s, const char *path, int pdb, const struct coor_set *set,
                  const unsigned char *chosen, struct err *e);
