/* session.h - a molecule that is read once, and what is done with it: minimisation and dynamics. */
#pragma once

#include "comm.h"
#include "hmd_command.h"
#include "input.h"
#include "energy_samples.h"

struct session {
    struct comm *comm;
    struct input in;
    int loaded;
    size_t warned;      /* lines about odd parameters that were printed */
    struct sample last; /* of what was done last */
};

/* Reads the files of the command line; what was loaded before is replaced. */
int session_load(struct session *s, const struct command *o, struct err *e);
void session_free(struct session *s);

/* Each acts on the coordinates at hand as the options say and leaves its outcome there.  0, or a
 * status. */
int session_minimise(struct session *s, const struct command *o, struct err *e);
int session_dynamics(struct session *s, const struct command *o, struct err *e);
/* Coordinates (set; NULL: those at hand) of the chosen atoms (NULL: all) as an expanded CRD file,
 * or as a PDB, written by the first task. */
int session_write(struct session *s, const char *path, int pdb, const struct coor_set *set,
                  const unsigned char *chosen, struct err *e);
