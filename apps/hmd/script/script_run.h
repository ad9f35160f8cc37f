/* script_run.h - shared by the parts of the command language: a running script, its words, its
 * commands.  For script*.c only.
 *
 * A script runs in every task, with the same commands and results, so every task takes the same
 * branches. Only rank 0 prints and writes files; an error there alone sets e->mine.
 */
#pragma once

#include <stdio.h>

#include "hmd_command.h"
#include "coor.h"
#include "script_line.h"
#include "select.h"
#include "session.h"

/* Units of OPEN, three-digit numbers; depth of nested STREAMs, which ends recursion; DEFINEd
 * selections, a byte per atom each.  More is an error. */
enum { SCRIPT_UNITS = 1000, SCRIPT_DEPTH = 8, SCRIPT_KNOWN = 64 };

struct script_level {  /* a file whose commands are executed */
    char *data, *work; /* original text; copy that is split into lines */
    size_t length;
    struct text after; /* where the calling file continues */
};

/* Settings of single atoms; kept when files are read again with the same number of atoms. Arrays
 * have natom elements, or as many as there are bonds (length, loose). A structure with another
 * number of atoms clears them all. */
struct script_atoms {
    int natom;
    struct select_name known[SCRIPT_KNOWN]; /* DEFINE */
    int nknown;
    struct system_anchor *anchor; /* CONS HARM, in atom order */
    int nanchor;
    struct system_torsion *twist; /* CONS DIHE */
    int ntwist;
    unsigned char *frozen; /* CONS FIX; NULL: none */
    int nfrozen;
    double *friction;      /* SCALAR's for Langevin dynamics, 1/ps; NULL: FBETA for all */
    double *charge, *mass; /* ... that replace the structure's; NULL: not set */
    double *length;        /* of all bonds (system.tie), instead of the parameters' */
    unsigned char *loose;  /* of these bonds: ignored by SHAKE; NULL: none */
    int nlength, nloose;
};

struct script;
/* A row of the table of commands. */
struct script_command {
    const char *names;            /* separated by blanks */
    int (*run)(struct script *s); /* 0 or a status */
};

/* By number of the unit. */
struct script_units {
    const char *path[SCRIPT_UNITS];      /* files to which OPEN has assigned numbers */
    unsigned char written[SCRIPT_UNITS]; /* ... and that WRITE TITLE has begun */
    size_t got[SCRIPT_UNITS];            /* bytes that GET has read */
};

/* Some 200 KB, in one block, because of its lines and names. */
struct script {
    const struct script_command *command; /* table of all commands */
    size_t commands;
    struct command o;
    struct session session;
    struct comm *comm;
    struct err *e;
    struct script_line l;
    int at; /* index of the current word */
    struct script_units units;
    void **kept; /* what o refers to, freed at the end */
    size_t nkept;
    struct script_level level[SCRIPT_DEPTH]; /* the innermost at depth - 1 */
    int depth;
    long jumps;                         /* GOTOs so far */
    int changed, new_coordinates, stop; /* since files were last read */
    int placed;                         /* coordinates exist, from a file or a run */
    struct script_atoms atoms;
    unsigned char *gone;     /* by atom of the PSF file: deleted by DELETE; NULL: none */
    struct coor_set compare; /* COOR's second set; NULL: none yet */
    const char *dcd;         /* of the last DYNA, from OPEN; NULL: none yet */
    int runs;                /* DYNA so far */
};

/* ---- words (script_words.c) ----------------------------------------------------------------- */

/* Returns ERR_INPUT with file, line and the current word (s->at), followed by why. */
int script_bad(struct script *s, const char *why);
/* Returns ERR_INPUT with advice for an unknown command. */
int script_unknown(struct script *s);
/* The same for the current word: that CHARMM's command has it but hmd's does not, or else why. */
int script_unknown_word(struct script *s, const char *why);
/* Returns the word at an index, "" after the last one. */
const char *script_word(const struct script *s, int at);
/* True if the word at an index is this one, compared with text_same(). */
int script_is(const struct script *s, int at, const char *key);
/* True if it is anywhere after the command's name. */
int script_has(const struct script *s, const char *key);
/* These read the number after the current word, and advance to it. */
int script_real(struct script *s, double *v);
int script_count(struct script *s, long *v);
/* Returns a block that the script frees at its end. */
void *script_own(struct script *s, void *block);
/* Returns a copy of the file name at an index, without quotes, that lives as long as the script. */
const char *script_name(struct script *s, int at);
/* Finds the file of "NAME file" or "UNIT n" at or after word `from`. */
int script_file(struct script *s, int from, const char **path);

/* A keyword and where its value is stored: some of these. */
struct script_key {
    const char *name;
    double *real;
    long *count;
    int *flag, is; /* *flag = is */
    const char **unit;
};
/* Handles the keyword at the current word; *found: it was one of these. */
int script_key(struct script *s, const struct script_key *key, size_t n, int *found);
/* Handles all words from `from` on as keywords; other words are an error with the text `usage`. */
int script_only_keys(struct script *s, int from, const struct script_key *key, size_t n,
                     const char *usage);
/* Handles and removes the keywords from `from` on; other words remain. */
int script_cut_keys(struct script *s, int from, const struct script_key *key, size_t n);
/* Handles all words from `from` on: keywords of the command, or words of a NONBONDED line. */
int script_keys(struct script *s, int from, const struct script_key *key, size_t n);

/* ---- selections (script_select.c) ---- */

/* Removes "SELE ... END" from the words. *set (to be freed) has a byte for each atom, all 1 if the
 * command has no selection.  Reads files if necessary. */
int script_select(struct script *s, unsigned char **set);
/* True if the command has a (further) selection. */
int script_selects(const struct script *s);

/* ---- settings of single atoms (script_atoms.c) ---- */

/* Applies the settings of single atoms to the molecule that has just been read. */
void script_atoms_attach(struct script *s);
/* Sets SHAKE's lengths to those of the current coordinates. */
void script_atoms_measure(struct script *s);
/* Restricts SHAKE to bonds between an atom of one set and one of the other; NULL: any. */
void script_atoms_tie(struct script *s, const unsigned char *one, const unsigned char *other);
void script_atoms_free(struct script *s);

/* ---- the script's molecule, and named results (script_state.c) ---- */

/* Reads the files if something has changed; moved coordinates are kept. */
int script_load(struct script *s);
/* The same if coordinates are not required. */
int script_load_structure(struct script *s);
/* The same before computing with the coordinates: each atom must have a position. */
int script_ready(struct script *s);
/* Sets ?XTLA etc. of a box. */
void script_box_results(struct script *s, const struct cell *c);
/* Makes COOR's second set, without positions, if there is none yet. */
void script_compare(struct script *s);
/* Adds the script's file and line to a message without one.  Returns status. */
int script_blame(struct script *s, int status);

/* script_known.c: sets ?NATOM etc., if `name` is one of them; `script` is a struct script. */
void script_known_ask(void *script, const char *name);
/* Sets ?PI and CHARMM's other constants. */
void script_known_constants(struct script *s);
/* Sets ?NSEL, and ?SELATOM etc. for the first selected atom. */
void script_known_selection(struct script *s, const unsigned char *set);

/* Assigns a value to ?NAME for the following commands; to n of them. */
void script_result(struct script *s, const char *name, double v);
/* A name and its value. */
struct script_number {
    const char *name;
    double v;
};
void script_results(struct script *s, const struct script_number *row, size_t n);

/* Executes the command in s->l (script_flow.c).  Returns 0 or a status. */
int script_obey(struct script *s);

/* ---- commands: they return 0 or a status ------------------------------------------------ */

int script_read(struct script *s); /* script_settings.c */
int script_open(struct script *s);
/* CRYSTAL, by CHARMM's crystl.doc. */
int script_crystal(struct script *s);
/* NBONDS: only changes settings. */
int script_nbonds(struct script *s);
/* SHAKE: holds for later DYNA and MINI. */
int script_shake(struct script *s);
/* SKIPE: omits energy terms. */
int script_skipe(struct script *s);
int script_energy(struct script *s); /* script_act.c */
int script_minimise(struct script *s);
/* DYNAMICS, by CHARMM's dynamc.doc. */
int script_dynamics(struct script *s);
int script_write(struct script *s);                              /* script_write.c */
int script_coor(struct script *s);                               /* script_coor.c */
int script_delete(struct script *s);                             /* script_delete.c */
int script_define(struct script *s);                             /* script_select.c */
int script_constraints(struct script *s);                        /* script_cons.c */
int script_harmonic(struct script *s, const unsigned char *set); /* script_harmonic.c */
int script_scalar(struct script *s);                             /* script_scalar.c */
int script_set_name(struct script *s);                           /* script_flow.c */
int script_step_name(struct script *s);
/* CALC name = expression. */
int script_calc(struct script *s);
/* TRIM name [FROM n] [TO n]: without blanks at the ends, or a part of the text. */
int script_trim(struct script *s);
/* GET name UNIT n: the next line of a file. */
int script_get(struct script *s);
int script_format(struct script *s);
/* GOTO a LABEL of the same file. */
int script_goto(struct script *s);
/* IF, with one command or a block. */
int script_if(struct script *s);
int script_else(struct script *s);
